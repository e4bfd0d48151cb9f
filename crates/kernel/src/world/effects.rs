//! Effects on their way from machines: done at once, or behind what holds them back.

use std::rc::Rc;

use super::{DialectOf, Letter, MsgOf, NoteOf, Payload, TimerOf, World};
use crate::link::Way;
use crate::plan::ProcessId;
use crate::queue::{Due, Rank};
use crate::{
    Dialect, Effect, Fate, Health, Keep, Keepalive, Machine, Mono, Outbox, RecordId, SimTime, Span, Target,
    Topic, Trace, What,
};

impl<M: Machine> World<M> {
    fn arm(&mut self, process: ProcessId, name: TimerOf<M>, due: Mono, cause: RecordId) {
        let state = &mut self.processes[process.index()];
        let at = self.hosts[state.host.index()].clock.line().when_mono(due).max(self.now);
        let slot = state.slot_of(name);
        state.release_held(slot);
        let timer = &mut state.timers[slot];
        timer.due = Some(due);
        timer.cause = cause;
        timer.place = self.queue.place(Rank::Rest);
        // An entry that comes up earlier looks again then: arming anew for later costs nothing.
        if at < timer.queued {
            timer.queued = at;
            self.queue.push(at, timer.place, Due::Timer(process, slot));
        }
    }

    fn disarm(&mut self, process: ProcessId, name: TimerOf<M>) {
        let state = &mut self.processes[process.index()];
        if let Some(slot) = state.timers.iter().position(|timer| timer.name == name) {
            state.release_held(slot);
            state.timers[slot].due = None;
        }
    }

    /// Queues all armed timers of a process anew: its clock was bent.
    pub(super) fn requeue_timers(&mut self, process: ProcessId) {
        let state = &mut self.processes[process.index()];
        let line = *self.hosts[state.host.index()].clock.line();
        for (slot, timer) in state.timers.iter_mut().enumerate().filter(|(_, timer)| !timer.held) {
            let at = timer.due.map_or(SimTime::NEVER, |due| line.when_mono(due).max(self.now));
            if at != timer.queued {
                timer.queued = at;
                if at < SimTime::NEVER {
                    self.queue.push(at, timer.place, Due::Timer(process, slot));
                }
            }
        }
    }

    fn act(
        &mut self,
        process: ProcessId,
        effect: Effect<DialectOf<M>>,
        cause: RecordId,
        trace: &mut Trace<DialectOf<M>>,
    ) {
        match effect {
            Effect::Send { to, msg } => self.send(process, to, msg, cause, trace),
            Effect::Persist(write) => self.write(process, write, cause, trace),
            Effect::Note(note) => self.note(process, note, cause, trace),
            Effect::Arm { .. } | Effect::Disarm(_) | Effect::Connect { .. } | Effect::Disconnect { .. } => {
                unreachable!("timers and connections are seen to at once")
            }
        }
    }

    #[inline(never)]
    fn send(
        &mut self,
        from: ProcessId,
        to: ProcessId,
        msg: MsgOf<M>,
        cause: RecordId,
        trace: &mut Trace<DialectOf<M>>,
    ) {
        let (here, there) = (self.host_of(from), self.host_of(to));
        match self.links.send(here, there) {
            Way::Clear { after } => {
                let at = self.now + after;
                let said = || What::Sent { to, msg: msg.clone(), fate: Fate::Arrives(at) };
                let sent = self.record(from, cause, said, trace);
                let life = self.processes[from.index()].life;
                self.post(at, Letter { from, life, to, msg, sent, refused: false });
            }
            Way::Troubled { after, count } => {
                let fate = self.links.fate(here, there, count, after, self.now);
                self.send_amid_trouble(from, to, msg, fate, cause, trace);
            }
        }
    }

    #[cold]
    fn send_amid_trouble(
        &mut self,
        from: ProcessId,
        to: ProcessId,
        msg: MsgOf<M>,
        fate: Fate,
        cause: RecordId,
        trace: &mut Trace<DialectOf<M>>,
    ) {
        let sent = self.record(from, cause, || What::Sent { to, msg: msg.clone(), fate }, trace);
        let life = self.processes[from.index()].life;
        let letter = Letter { from, life, to, msg, sent, refused: false };
        match fate {
            Fate::Arrives(at) => self.post(at, letter),
            Fate::ArrivesTwice(at, again) => {
                self.post(at, letter.clone());
                self.post(again, letter);
            }
            Fate::Refused(at) => self.post(at, Letter { refused: true, ..letter }),
            Fate::Lost | Fate::Cut => {}
        }
    }

    fn note(
        &mut self,
        process: ProcessId,
        note: NoteOf<M>,
        cause: RecordId,
        trace: &mut Trace<DialectOf<M>>,
    ) {
        if let Some((topic, noted)) = self.announce(process, note, cause, trace) {
            self.strike_who_waited(process, topic, noted);
        }
    }

    /// Records a note; answers with what it is about when some fault waits for notes.
    fn announce(
        &mut self,
        process: ProcessId,
        note: NoteOf<M>,
        cause: RecordId,
        trace: &mut Trace<DialectOf<M>>,
    ) -> Option<(Topic, RecordId)> {
        let topic = if self.waiting.is_empty() { None } else { DialectOf::<M>::topic(&note) };
        let noted = self.record(process, cause, || What::Noted(note), trace);
        topic.map(|topic| (topic, noted))
    }

    /// Faults that waited for a note about this strike, now or so much later as they say.
    #[cold]
    pub(super) fn strike_who_waited(&mut self, process: ProcessId, topic: Topic, noted: RecordId) {
        let mut struck = Vec::new();
        let (machine, host) = (&self.machines[process.index()], self.processes[process.index()].host);
        self.waiting.retain_mut(|waiting| {
            let anchor = &waiting.anchor;
            let meant = |who| match who {
                Target::Process(wanted) => wanted == process,
                Target::Host(wanted) => wanted == host,
                Target::Role(role) => machine.plays(role).is_some(),
            };
            if anchor.topic != topic || !anchor.who.is_none_or(meant) {
                return true;
            }
            waiting.seen += 1;
            if waiting.seen < anchor.nth {
                return true;
            }
            struck.push((waiting.fault, anchor.plus));
            false
        });
        for (fault, plus) in struck {
            self.due(self.now + plus, Rank::Fault, Payload::Strike(fault, noted));
        }
    }

    fn write(
        &mut self,
        process: ProcessId,
        write: <DialectOf<M> as Dialect>::Write,
        cause: RecordId,
        trace: &mut Trace<DialectOf<M>>,
    ) {
        // No process writes while its host is suspended.
        let state = &mut self.processes[process.index()];
        if state.disk.latency == Span::ZERO && state.disk.stalls == 0 {
            self.keep(process, write, cause, trace);
        } else {
            state.disk.in_flight = Some((write, cause));
            let (at, life) = (self.now + state.disk.latency, state.life);
            self.due(at, Rank::Rest, Payload::DiskDone { process, life });
        }
    }

    fn keep(
        &mut self,
        process: ProcessId,
        write: <DialectOf<M> as Dialect>::Write,
        cause: RecordId,
        trace: &mut Trace<DialectOf<M>>,
    ) {
        Rc::make_mut(&mut self.processes[process.index()].disk.content).keep(&write);
        self.record(process, cause, || What::Kept(write), trace);
    }

    /// The write in flight is done, unless the disk stands still.
    pub(super) fn write_done(&mut self, process: ProcessId, trace: &mut Trace<DialectOf<M>>) {
        let suspended = self.hosts[self.host_of(process).index()].suspensions > 0;
        let disk = &mut self.processes[process.index()].disk;
        if disk.stalls > 0 || suspended {
            disk.done_waits = true;
            return;
        }
        disk.done_waits = false;
        if let Some((write, cause)) = disk.in_flight.take() {
            self.keep(process, write, cause, trace);
        }
        self.flush(process, trace);
    }

    /// Carries out what waited, as far as the disk and the process's health allow.
    pub(super) fn flush(&mut self, process: ProcessId, trace: &mut Trace<DialectOf<M>>) {
        loop {
            let state = &mut self.processes[process.index()];
            if state.health() != Health::Runs || state.disk.in_flight.is_some() {
                return;
            }
            let Some((effect, cause)) = state.backlog.pop_front() else { return };
            self.act(process, effect, cause, trace);
        }
    }
}

/// The outbox of a machine that is taking an input: what it asks for is done as it asks. What has to wait for the disk, or
/// for a pause to end, is put behind; timers are armed at once.
pub(super) struct Hands<'a, M: Machine> {
    pub(super) world: &'a mut World<M>,
    pub(super) trace: &'a mut Trace<DialectOf<M>>,
    pub(super) process: ProcessId,
    /// The record of the input.
    pub(super) taken: RecordId,
    pub(super) holds: bool,
    /// Whose message it is, if it is one.
    pub(super) heard: Option<ProcessId>,
    /// Notes that faults may wait for. They strike afterwards: whom, the machine's own state can decide.
    pub(super) told: Vec<(Topic, RecordId)>,
}

impl<M: Machine> Hands<'_, M> {
    #[cold]
    fn put_behind(&mut self, effect: Effect<DialectOf<M>>) {
        self.world.processes[self.process.index()].backlog.push_back((effect, self.taken));
    }
}

impl<M: Machine> Outbox<DialectOf<M>> for Hands<'_, M> {
    #[inline]
    fn send(&mut self, to: ProcessId, msg: impl Into<MsgOf<M>>) {
        let msg = msg.into();
        if self.holds {
            self.put_behind(Effect::Send { to, msg });
        } else {
            self.world.send(self.process, to, msg, self.taken, self.trace);
        }
    }
    #[inline]
    fn arm(&mut self, timer: TimerOf<M>, due: Mono) {
        self.world.arm(self.process, timer, due, self.taken);
    }
    #[inline]
    fn disarm(&mut self, timer: TimerOf<M>) {
        self.world.disarm(self.process, timer);
    }
    fn persist(&mut self, write: impl Into<<DialectOf<M> as Dialect>::Write>) {
        let write = write.into();
        if self.holds {
            self.put_behind(Effect::Persist(write));
        } else {
            self.world.write(self.process, write, self.taken, self.trace);
            self.holds = self.world.processes[self.process.index()].disk.in_flight.is_some();
        }
    }
    fn note(&mut self, note: impl Into<NoteOf<M>>) {
        let note = note.into();
        if self.holds {
            self.put_behind(Effect::Note(note));
        } else if let Some(told) = self.world.announce(self.process, note, self.taken, self.trace) {
            self.told.push(told);
        }
    }
    fn connect(&mut self, peer: ProcessId, number: u64, keepalive: Keepalive) {
        let spoke = self.heard == Some(peer);
        let life = if spoke { self.world.spoke } else { self.world.processes[peer.index()].life };
        self.world.connect(self.process, (peer, life, number), keepalive, self.taken);
    }
    fn disconnect(&mut self, peer: ProcessId, number: u64) {
        self.world.disconnect(self.process, peer, number, self.taken);
    }
}
