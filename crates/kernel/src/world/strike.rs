//! Faults as they strike and end.

use std::rc::Rc;

use super::{Backup, InForce, Payload, World};
use crate::link::{Rule, pairs};
use crate::plan::{HostId, ProcessId};
use crate::process::Held;
use crate::queue::Due;
use crate::{
    Dialect, FaultId, FaultKind, Gap, Health, Machine, Manner, Phase, Record, RecordId, Side, Span, Start,
    Struck, Target, Trace, WallAfter, What,
};

type RoleOf<M> = <<M as Machine>::Dialect as Dialect>::Role;

/// Whom a fault turned out to strike.
#[derive(Default)]
struct Victims {
    processes: Vec<ProcessId>,
    host: Option<HostId>,
    links: Option<Rc<[(HostId, HostId)]>>,
}

impl<M: Machine> World<M> {
    pub(super) fn back_up(&mut self, fault: FaultId) {
        let disks = self.processes.iter().map(|process| process.disk.content.clone()).collect();
        self.backups.push(Backup { fault, disks });
    }

    pub(super) fn strike(&mut self, id: FaultId, cause: RecordId, trace: &mut Trace<M::Dialect>) {
        let script = self.script.clone();
        let fault = &script.faults[usize::from(id.0)];
        let Some(victims) = self.victims(&fault.kind) else {
            self.record_struck(id, Phase::Misses, cause, &Victims::default(), trace);
            return;
        };
        let struck = self.record_struck(id, Phase::Begins, cause, &victims, trace);
        let processes: Rc<[ProcessId]> = victims.processes.into();
        self.begin(id, &fault.kind, &processes, victims.host, victims.links, trace);
        let lasts = match fault.kind {
            FaultKind::WallStep { .. } => return,
            FaultKind::Restore { .. } => Some(fault.span.unwrap_or(Span::ZERO)),
            FaultKind::Pause { .. }
            | FaultKind::Suspend { .. }
            | FaultKind::Crash { .. }
            | FaultKind::ClockRate { .. }
            | FaultKind::Cut { .. }
            | FaultKind::Loss { .. }
            | FaultKind::Delay { .. }
            | FaultKind::Duplicate { .. }
            | FaultKind::DiskStall { .. }
            | FaultKind::DiskLoss { .. } => fault.span,
        };
        if let Some(span) = lasts {
            self.in_force.push(InForce { fault: id, processes, host: victims.host });
            self.due(self.now + span, Payload::Lift(id, struck));
        }
    }

    fn begin(
        &mut self,
        id: FaultId,
        kind: &FaultKind<RoleOf<M>>,
        processes: &[ProcessId],
        host: Option<HostId>,
        links: Option<Rc<[(HostId, HostId)]>>,
        trace: &mut Trace<M::Dialect>,
    ) {
        let rule = match kind {
            FaultKind::Pause { gap, .. } => {
                for &process in processes {
                    let state = &mut self.processes[process.index()];
                    match gap {
                        Gap::BeforeInput => state.stops += 1,
                        Gap::BeforeSend => state.stops_before_send += 1,
                    }
                }
                return;
            }
            FaultKind::Suspend { .. } => return self.suspend(host.expect("a suspension has a host"), trace),
            FaultKind::Crash { manner, .. } => return self.crash_all(processes, *manner, trace),
            FaultKind::Restore { .. } => return self.crash_all(processes, Manner::Refused, trace),
            FaultKind::WallStep { by_micros, .. } => {
                let host = host.expect("a clock has a host");
                self.hosts[host.index()].clock.step_wall(self.now, *by_micros);
                trace.clock_bent(host, *self.hosts[host.index()].clock.line());
                return;
            }
            FaultKind::ClockRate { rate, .. } => {
                let host = host.expect("a clock has a host");
                self.hosts[host.index()].rates.push((id, *rate));
                return self.apply_rate(host, trace);
            }
            FaultKind::DiskStall { .. } => {
                for &process in processes {
                    self.processes[process.index()].disk.stalls += 1;
                }
                return;
            }
            FaultKind::DiskLoss { .. } => {
                for &process in processes {
                    let disk = &mut self.processes[process.index()].disk;
                    disk.losses += 1;
                    disk.kept.get_or_insert_with(|| disk.content.clone());
                }
                return;
            }
            FaultKind::Cut { manner, .. } => Rule::Cut(*manner),
            FaultKind::Loss { ratio, .. } => Rule::Loss(*ratio),
            FaultKind::Delay { extra, .. } => Rule::Delay(*extra),
            FaultKind::Duplicate { ratio, .. } => Rule::Duplicate(*ratio),
        };
        self.links.strike(id, rule, links.expect("a fault of links has links"));
    }

    pub(super) fn lift(&mut self, id: FaultId, cause: RecordId, trace: &mut Trace<M::Dialect>) {
        let place = self.in_force.iter().position(|force| force.fault == id).expect("only what began ends");
        let InForce { processes, host, .. } = self.in_force.swap_remove(place);
        let victims = Victims { processes: processes.to_vec(), host, links: None };
        let ended = self.record_struck(id, Phase::Ends, cause, &victims, trace);
        let script = self.script.clone();
        match &script.faults[usize::from(id.0)].kind {
            FaultKind::Pause { .. } => {
                for &process in processes.iter() {
                    let state = &mut self.processes[process.index()];
                    // A pause before a send that never came simply goes away.
                    if state.stops_before_send > 0 {
                        state.stops_before_send -= 1;
                    } else {
                        state.stops -= 1;
                        self.resume(process, trace);
                    }
                }
            }
            FaultKind::Suspend { wall, .. } => {
                self.wake(host.expect("a suspension has a host"), *wall == WallAfter::CatchesUp, trace);
            }
            FaultKind::Crash { .. } => {
                for &process in processes.iter() {
                    self.restart(process, Start::Again, ended);
                }
            }
            FaultKind::Restore { from, .. } => self.put_back(id, *from, &processes, ended),
            FaultKind::ClockRate { .. } => {
                let host = host.expect("a clock has a host");
                self.hosts[host.index()].rates.retain(|(fault, _)| *fault != id);
                self.apply_rate(host, trace);
            }
            FaultKind::DiskStall { .. } => {
                for &process in processes.iter() {
                    let disk = &mut self.processes[process.index()].disk;
                    disk.stalls -= 1;
                    if disk.done_waits {
                        self.write_done(process, trace);
                    }
                }
            }
            FaultKind::DiskLoss { .. } => {
                for &process in processes.iter() {
                    let disk = &mut self.processes[process.index()].disk;
                    disk.losses -= 1;
                    if disk.losses == 0 {
                        disk.kept = None;
                    }
                }
            }
            FaultKind::Cut { .. }
            | FaultKind::Loss { .. }
            | FaultKind::Delay { .. }
            | FaultKind::Duplicate { .. } => self.links.lift(id),
            FaultKind::WallStep { .. } => unreachable!("a step has no end"),
        }
    }

    fn record_struck(
        &mut self,
        fault: FaultId,
        phase: Phase,
        cause: RecordId,
        victims: &Victims,
        trace: &mut Trace<M::Dialect>,
    ) -> RecordId {
        let what = What::Struck(Struck {
            fault,
            phase,
            processes: victims.processes.as_slice().into(),
            host: victims.host,
            links: victims.links.clone().unwrap_or_default(),
        });
        let first = victims.processes.first().copied();
        match first.or_else(|| victims.host.and_then(|host| self.first_on(host))) {
            Some(process) => self.record(process, cause, what, trace),
            None => trace.push(Record {
                at: self.now,
                process: ProcessId::NOBODY,
                cause,
                previous: RecordId::NONE,
                what,
            }),
        }
    }

    fn suspend(&mut self, host: HostId, trace: &mut Trace<M::Dialect>) {
        let state = &mut self.hosts[host.index()];
        state.suspensions += 1;
        if state.suspensions == 1 {
            state.clock.suspend(self.now);
            trace.clock_bent(host, *state.clock.line());
        }
        for process in self.processes_on(host) {
            self.processes[process.index()].stops += 1;
            self.requeue_timers(process);
        }
    }

    fn wake(&mut self, host: HostId, wall_catches_up: bool, trace: &mut Trace<M::Dialect>) {
        let state = &mut self.hosts[host.index()];
        state.suspensions -= 1;
        if state.suspensions == 0 {
            state.clock.resume(self.now, wall_catches_up);
            trace.clock_bent(host, *state.clock.line());
        }
        for process in self.processes_on(host) {
            self.processes[process.index()].stops -= 1;
            self.requeue_timers(process);
            if self.processes[process.index()].disk.done_waits {
                self.write_done(process, trace);
            }
            self.resume(process, trace);
        }
    }

    fn apply_rate(&mut self, host: HostId, trace: &mut Trace<M::Dialect>) {
        let state = &mut self.hosts[host.index()];
        let rate = state.rates.last().map_or(self.script.rates[host.index()], |(_, rate)| *rate);
        state.clock.set_rate(self.now, rate);
        trace.clock_bent(host, *state.clock.line());
        for process in self.processes_on(host) {
            self.requeue_timers(process);
        }
    }

    /// A process that may run again sends what it held back, then finds its inputs in the order in which they came.
    fn resume(&mut self, process: ProcessId, trace: &mut Trace<M::Dialect>) {
        if self.health(process) != Health::Runs {
            return;
        }
        self.flush(process, trace);
        let now = self.now;
        while let Some(held) = self.processes[process.index()].inbox.pop_front() {
            match held {
                Held::Payload(slot) => self.queue.push(now, Due::Payload(slot)),
                Held::Timer(slot) => {
                    let timer = &mut self.processes[process.index()].timers[slot];
                    if timer.due.is_some() {
                        timer.queued = now;
                        self.queue.push(now, Due::Timer(process, slot));
                    }
                }
            }
        }
    }

    fn crash_all(&mut self, processes: &[ProcessId], manner: Manner, trace: &mut Trace<M::Dialect>) {
        for &process in processes {
            let state = &mut self.processes[process.index()];
            state.crashes += 1;
            state.down_manner = manner;
            state.life += 1;
            state.timers.clear();
            state.backlog.clear();
            state.disk.in_flight = None;
            state.disk.done_waits = false;
            if let Some(kept) = &state.disk.kept {
                state.disk.content = kept.clone();
            }
            for held in std::mem::take(&mut state.inbox) {
                if let Held::Payload(slot) = held
                    && let Payload::Message { from, to, msg, sent } = self.payloads.remove(slot)
                {
                    self.drop_message(from, to, msg, sent, trace);
                }
            }
        }
    }

    fn restart(&mut self, process: ProcessId, start: Start, cause: RecordId) {
        let state = &mut self.processes[process.index()];
        state.crashes -= 1;
        if state.crashes > 0 {
            return; // Another crash still holds it down.
        }
        let life = state.life;
        self.machines[process.index()] = Rc::new(self.started(process, start));
        self.due(self.now, Payload::Boot { process, life, cause });
    }

    fn put_back(
        &mut self,
        id: FaultId,
        from: Option<Target<RoleOf<M>>>,
        processes: &[ProcessId],
        cause: RecordId,
    ) {
        let from = from.and_then(|target| self.process_of(target));
        let disks = self.backups.iter().find(|backup| backup.fault == id).map(|backup| backup.disks.clone());
        for &process in processes {
            if let Some(disks) = &disks {
                let disk = &mut self.processes[process.index()].disk;
                disk.content = disks[from.unwrap_or(process).index()].clone();
                if disk.losses > 0 {
                    disk.kept = Some(disk.content.clone());
                }
            }
            self.restart(process, Start::Restored, cause);
        }
    }

    fn victims(&self, kind: &FaultKind<RoleOf<M>>) -> Option<Victims> {
        match kind {
            FaultKind::Pause { target, .. }
            | FaultKind::Crash { target, .. }
            | FaultKind::DiskStall { target }
            | FaultKind::DiskLoss { target } => {
                Some(Victims { processes: vec![self.process_of(*target)?], ..Victims::default() })
            }
            FaultKind::Suspend { target, .. }
            | FaultKind::WallStep { target, .. }
            | FaultKind::ClockRate { target, .. } => {
                Some(Victims { host: Some(self.host_target(*target)?), ..Victims::default() })
            }
            FaultKind::Cut { from, to, both_ways, .. }
            | FaultKind::Loss { from, to, both_ways, .. }
            | FaultKind::Delay { from, to, both_ways, .. }
            | FaultKind::Duplicate { from, to, both_ways, .. } => {
                let (from, to) = self.sides(from, to)?;
                Some(Victims { links: Some(pairs(&from, &to, *both_ways)), ..Victims::default() })
            }
            FaultKind::Restore { targets, .. } => {
                let processes: Vec<ProcessId> =
                    targets.iter().filter_map(|target| self.process_of(*target)).collect();
                (!processes.is_empty()).then(|| Victims { processes, ..Victims::default() })
            }
        }
    }

    fn sides(&self, from: &Side<RoleOf<M>>, to: &Side<RoleOf<M>>) -> Option<(Vec<HostId>, Vec<HostId>)> {
        let these = |targets: &[Target<RoleOf<M>>]| -> Option<Vec<HostId>> {
            let mut hosts: Vec<HostId> =
                targets.iter().filter_map(|target| self.host_target(*target)).collect();
            hosts.sort();
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

    fn first_on(&self, host: HostId) -> Option<ProcessId> {
        self.processes_on(host).next()
    }

    fn processes_on(&self, host: HostId) -> impl Iterator<Item = ProcessId> + use<M> {
        let on: Vec<ProcessId> = (0..self.processes.len() as u16)
            .map(ProcessId)
            .filter(|process| self.processes[process.index()].host == host)
            .collect();
        on.into_iter()
    }
}
