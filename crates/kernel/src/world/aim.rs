//! Whom a fault strikes: names, hosts and roles turned into processes, clocks and links.

use super::{RoleOf, Victims, World};
use crate::link::pairs;
use crate::plan::{HostId, ProcessId};
use crate::{FaultKind, Health, Machine, Side, Target};

impl Victims {
    pub(super) fn the_host(&self) -> HostId {
        self.host.expect("a fault of a host's clocks has a host")
    }
}

impl<M: Machine> World<M> {
    /// Whom a fault strikes now; `None` when that is nobody.
    pub(super) fn victims(&self, kind: &FaultKind<RoleOf<M>>) -> Option<Victims> {
        Some(match kind {
            FaultKind::Pause { target, .. }
            | FaultKind::Crash { target, .. }
            | FaultKind::Order { target, .. }
            | FaultKind::DiskStall { target }
            | FaultKind::DiskLoss { target } => {
                Victims { processes: [self.process_of(*target)?].into(), ..Victims::default() }
            }
            FaultKind::PowerOff { target } => {
                let processes = self.processes_on(self.host_target(*target)?).collect();
                Victims { processes, ..Victims::default() }
            }
            FaultKind::Suspend { target, .. }
            | FaultKind::WallStep { target, .. }
            | FaultKind::ClockRate { target, .. } => {
                Victims { host: Some(self.host_target(*target)?), ..Victims::default() }
            }
            FaultKind::Cut { from, to, both_ways, .. }
            | FaultKind::Loss { from, to, both_ways, .. }
            | FaultKind::Delay { from, to, both_ways, .. }
            | FaultKind::Duplicate { from, to, both_ways, .. } => {
                let (from, to) = self.sides(from, to)?;
                Victims { links: pairs(&from, &to, *both_ways), ..Victims::default() }
            }
            FaultKind::Restore { targets, from, .. } => {
                let mut processes: Vec<ProcessId> = Vec::new();
                for process in targets.iter().filter_map(|target| self.process_of(*target)) {
                    if !processes.contains(&process) {
                        processes.push(process);
                    }
                }
                let source = match from {
                    Some(target) => Some(self.process_of(*target)?),
                    None => None,
                };
                if processes.is_empty() {
                    return None;
                }
                Victims { processes: processes.into(), source, ..Victims::default() }
            }
        })
    }

    fn sides(&self, from: &Side<RoleOf<M>>, to: &Side<RoleOf<M>>) -> Option<(Vec<HostId>, Vec<HostId>)> {
        let these = |targets: &[Target<RoleOf<M>>]| -> Option<Vec<HostId>> {
            let mut hosts: Vec<HostId> =
                targets.iter().filter_map(|target| self.host_target(*target)).collect();
            crate::order::by_key(&mut hosts, |host| *host);
            hosts.dedup();
            (!hosts.is_empty()).then_some(hosts)
        };
        let others = |hosts: &[HostId]| -> Vec<HostId> {
            (0..self.hosts.len() as u16).map(HostId).filter(|host| !hosts.contains(host)).collect()
        };
        match (from, to) {
            (Side::These(from), Side::These(to)) => Some((these(from)?, these(to)?)),
            (Side::These(from), Side::Others) => {
                let from = these(from)?;
                let to = others(&from);
                Some((from, to))
            }
            (Side::Others, Side::These(to)) => {
                let to = these(to)?;
                Some((others(&to), to))
            }
            (Side::Others, Side::Others) => {
                let all = others(&[]);
                Some((all.clone(), all))
            }
        }
    }

    fn process_of(&self, target: Target<RoleOf<M>>) -> Option<ProcessId> {
        match target {
            Target::Process(process) => Some(process),
            Target::Host(host) => self.first_on(host),
            Target::Role(role) => {
                let mut best: Option<(u64, ProcessId)> = None;
                for (index, machine) in self.machines.iter().enumerate() {
                    let process = ProcessId(index as u16);
                    if self.health(process) != Health::Down
                        && let Some(rank) = machine.plays(role)
                        && best.is_none_or(|(highest, _)| rank > highest)
                    {
                        best = Some((rank, process));
                    }
                }
                best.map(|(_, process)| process)
            }
        }
    }

    fn host_target(&self, target: Target<RoleOf<M>>) -> Option<HostId> {
        match target {
            Target::Host(host) => Some(host),
            Target::Process(_) | Target::Role(_) => {
                self.process_of(target).map(|process| self.host_of(process))
            }
        }
    }

    pub(super) fn first_on(&self, host: HostId) -> Option<ProcessId> {
        self.processes_on(host).next()
    }

    pub(super) fn processes_on(&self, host: HostId) -> impl Iterator<Item = ProcessId> + use<M> {
        let on: Vec<ProcessId> = (0..self.processes.len() as u16)
            .map(ProcessId)
            .filter(|process| self.processes[process.index()].host == host)
            .collect();
        on.into_iter()
    }
}
