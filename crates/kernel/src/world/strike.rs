//! Faults as they strike and end.

use std::rc::Rc;

use super::{Backup, InForce, Letter, Payload, RoleOf, Victims, World};
use crate::link::Rule;
use crate::plan::{HostId, ProcessId};
use crate::process::{Down, Held};
use crate::queue::Rank;
use crate::{
    FaultId, FaultKind, Gap, Machine, Manner, Phase, Record, RecordId, Span, Start, Struck, Trace, WallAfter,
    What,
};

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
        let lasts = match fault.kind {
            FaultKind::WallStep { .. } => None,
            FaultKind::Restore { .. } => Some(fault.span.unwrap_or(Span::ZERO)),
            FaultKind::Pause { .. }
            | FaultKind::Suspend { .. }
            | FaultKind::Crash { .. }
            | FaultKind::PowerOff { .. }
            | FaultKind::Order { .. }
            | FaultKind::ClockRate { .. }
            | FaultKind::Cut { .. }
            | FaultKind::Loss { .. }
            | FaultKind::Delay { .. }
            | FaultKind::Duplicate { .. }
            | FaultKind::DiskStall { .. }
            | FaultKind::DiskLoss { .. } => fault.span,
        };
        self.begin((id, struck), &fault.kind, &victims, lasts.is_some(), trace);
        if let Some(span) = lasts {
            self.in_force.push(InForce { fault: id, victims });
            self.due(self.now + span, Rank::Fault, Payload::Lift(id, struck));
        }
    }

    fn begin(
        &mut self,
        (id, struck): (FaultId, RecordId),
        kind: &FaultKind<RoleOf<M>>,
        victims: &Victims,
        ends: bool,
        trace: &mut Trace<M::Dialect>,
    ) {
        let rule = match kind {
            FaultKind::Pause { gap, .. } => {
                for process in victims.processes.iter() {
                    let state = &mut self.processes[process.index()];
                    match gap {
                        Gap::BeforeInput => state.stops += 1,
                        Gap::BeforeSend => state.before_send.push(id),
                    }
                }
                return;
            }
            FaultKind::Suspend { .. } => return self.suspend(victims.the_host(), trace),
            FaultKind::Crash { manner, .. } => {
                return self.crash_all(
                    &victims.processes,
                    Down { fault: id, manner: *manner, ends },
                    struck,
                    trace,
                );
            }
            FaultKind::PowerOff { .. } => {
                let down = Down { fault: id, manner: Manner::Silent, ends };
                return self.crash_all(&victims.processes, down, struck, trace);
            }
            FaultKind::Order { order, .. } => return self.give_order(*order, victims, struck),
            FaultKind::Restore { .. } => {
                let down = Down { fault: id, manner: Manner::Refused, ends };
                return self.crash_all(&victims.processes, down, struck, trace);
            }
            FaultKind::WallStep { by_micros, .. } => {
                let host = victims.the_host();
                self.hosts[host.index()].clock.step_wall(self.now, *by_micros);
                trace.clock_bent(host, *self.hosts[host.index()].clock.line());
                return;
            }
            FaultKind::ClockRate { rate, .. } => {
                self.hosts[victims.the_host().index()].rates.push((id, *rate));
                return self.apply_rate(victims.the_host(), trace);
            }
            FaultKind::DiskStall { .. } => {
                for process in victims.processes.iter() {
                    self.processes[process.index()].disk.stalls += 1;
                }
                return;
            }
            FaultKind::DiskLoss { .. } => {
                for process in victims.processes.iter() {
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
        self.links.strike(id, rule, victims.links.clone());
    }

    pub(super) fn lift(&mut self, id: FaultId, cause: RecordId, trace: &mut Trace<M::Dialect>) {
        let place = self.in_force.iter().position(|force| force.fault == id).expect("only what began ends");
        let InForce { victims, .. } = self.in_force.swap_remove(place);
        let ended = self.record_struck(id, Phase::Ends, cause, &victims, trace);
        let script = self.script.clone();
        match &script.faults[usize::from(id.0)].kind {
            FaultKind::Pause { .. } => {
                for &process in victims.processes.iter() {
                    let state = &mut self.processes[process.index()];
                    if let Some(waiting) = state.before_send.iter().position(|fault| *fault == id) {
                        state.before_send.remove(waiting); // The input that it waited for never came.
                    } else {
                        state.stops -= 1;
                        self.resume(process, trace);
                    }
                }
            }
            FaultKind::Suspend { wall, .. } => {
                self.wake(victims.the_host(), *wall == WallAfter::CatchesUp, trace);
            }
            FaultKind::Order { at_end, .. } => {
                if let Some(order) = at_end {
                    self.give_order(*order, &victims, ended);
                }
            }
            FaultKind::Crash { .. } | FaultKind::PowerOff { .. } => {
                for &process in victims.processes.iter() {
                    self.restart(process, id, ended);
                }
            }
            FaultKind::Restore { .. } => self.put_back(id, &victims, ended),
            FaultKind::ClockRate { .. } => {
                self.hosts[victims.the_host().index()].rates.retain(|(fault, _)| *fault != id);
                self.apply_rate(victims.the_host(), trace);
            }
            FaultKind::DiskStall { .. } => {
                for &process in victims.processes.iter() {
                    let disk = &mut self.processes[process.index()].disk;
                    disk.stalls -= 1;
                    if disk.done_waits {
                        self.write_done(process, trace);
                    }
                }
            }
            FaultKind::DiskLoss { .. } => {
                for process in victims.processes.iter() {
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

    /// An order comes as a message does, and is nobody's.
    fn give_order(&mut self, order: usize, victims: &Victims, cause: RecordId) {
        for &to in victims.processes.iter() {
            let msg = self.script.orders[order].clone();
            let letter = Letter { from: ProcessId::NOBODY, life: 0, to, msg, sent: cause, refused: false };
            self.post(self.now, letter);
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
            processes: victims.processes.clone(),
            host: victims.host,
            links: victims.links.clone(),
        });
        let first = victims.processes.first().copied();
        match first.or_else(|| victims.host.and_then(|host| self.first_on(host))) {
            Some(process) => self.record(process, cause, || what, trace),
            None if !trace.keeps() => RecordId::NONE,
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
        // Their timers come up in vain meanwhile: the clock does not read what they wait for.
        for process in self.processes_on(host) {
            self.processes[process.index()].stops += 1;
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
        self.requeue_probes(host);
    }

    fn apply_rate(&mut self, host: HostId, trace: &mut Trace<M::Dialect>) {
        let state = &mut self.hosts[host.index()];
        let rate = state.rates.last().map_or(self.script.rates[host.index()], |(_, rate)| *rate);
        state.clock.set_rate(self.now, rate);
        trace.clock_bent(host, *state.clock.line());
        for process in self.processes_on(host) {
            self.requeue_timers(process);
        }
        self.requeue_probes(host);
    }

    /// A process that may run again sends what it held back, then finds its inputs in the order in which they came.
    fn resume(&mut self, process: ProcessId, trace: &mut Trace<M::Dialect>) {
        self.flush(process, trace);
        self.look_into_inbox(process);
    }

    fn crash_all(
        &mut self,
        processes: &[ProcessId],
        down: Down,
        cause: RecordId,
        trace: &mut Trace<M::Dialect>,
    ) {
        for &process in processes {
            let state = &mut self.processes[process.index()];
            state.down.push(down);
            state.life += 1;
            state.timers.clear();
            state.backlog.clear();
            state.disk.in_flight = None;
            state.disk.done_waits = false;
            if let Some(kept) = &state.disk.kept {
                state.disk.content = kept.clone();
            }
            for held in std::mem::take(&mut state.inbox) {
                if let Held::Letter(slot) = held {
                    let letter = self.letters.remove(slot);
                    if !letter.refused {
                        self.drop_letter(letter, trace);
                    }
                }
            }
            if !self.ends.is_empty() {
                let life = self.processes[process.index()].life - 1;
                self.connections_of_dead(process, life, cause);
            }
        }
    }

    /// What held a process down is over; it starts when nothing else does.
    fn restart(&mut self, process: ProcessId, fault: FaultId, cause: RecordId) {
        let state = &mut self.processes[process.index()];
        state.down.retain(|down| down.fault != fault);
        if !state.down.is_empty() {
            return;
        }
        let start = if std::mem::take(&mut state.restored) { Start::Restored } else { Start::Again };
        state.inbox.push_back(Held::Boot(cause));
        self.machines[process.index()] = Rc::new(self.started(process, start));
        self.look_into_inbox(process);
    }

    /// Somebody puts a backup in place and starts the processes from it: those too that would never have come back
    /// by themselves. Without a backup (it is yet to be taken) their own disks stay.
    fn put_back(&mut self, id: FaultId, victims: &Victims, cause: RecordId) {
        let disks = self.backups.iter().find(|backup| backup.fault == id).map(|backup| backup.disks.clone());
        for &process in victims.processes.iter() {
            let state = &mut self.processes[process.index()];
            state.down.retain(|down| down.ends);
            if let Some(disks) = &disks {
                state.restored = true;
                state.disk.content = disks[victims.source.unwrap_or(process).index()].clone();
                if state.disk.losses > 0 {
                    state.disk.kept = Some(state.disk.content.clone());
                }
            }
            self.restart(process, id, cause);
        }
    }
}
