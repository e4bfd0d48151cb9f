//! Inputs on their way to machines.

use std::rc::Rc;

use super::effects::Hands;
use super::{DialectOf, Letter, Payload, TimerOf, World};
use crate::plan::ProcessId;
use crate::process::Held;
use crate::queue::{Due, Place};
use crate::{Health, Input, Machine, Now, Record, RecordId, SimTime, Took, Trace, What};

impl<M: Machine> World<M> {
    /// A timer's entry of the queue has come up. True when its process took it.
    pub(super) fn timer_popped(
        &mut self,
        process: ProcessId,
        slot: usize,
        place: Place,
        trace: &mut Trace<DialectOf<M>>,
    ) -> bool {
        let state = &mut self.processes[process.index()];
        let health = state.health();
        let Some(timer) = state.timers.get_mut(slot) else { return false };
        if timer.queued != self.now {
            return false; // Another entry counts.
        }
        timer.queued = SimTime::NEVER;
        let Some(due) = timer.due else { return false };
        let line = self.hosts[state.host.index()].clock.line();
        let early = line.mono_at(self.now) < due;
        if early || timer.place != place {
            // It was armed anew, for later or behind others, since this entry was made.
            let at = if early { line.when_mono(due) } else { self.now };
            if at < SimTime::NEVER {
                timer.queued = at;
                self.queue.push(at, timer.place, Due::Timer(process, slot));
            }
            return false;
        }
        if health == Health::Stopped {
            timer.held = true;
            state.inbox.push_back(Held::Timer(slot));
            return false;
        }
        self.take_timer(process, slot, trace);
        true
    }

    fn take_timer(&mut self, process: ProcessId, slot: usize, trace: &mut Trace<DialectOf<M>>) {
        let timer = &mut self.processes[process.index()].timers[slot];
        timer.due = None;
        let (name, cause) = (timer.name, timer.cause);
        self.take(process, Took::Timer(name), cause, Input::Timer(name), trace);
    }

    /// A process looks into its inbox. True when it took something.
    pub(super) fn inbox_popped(&mut self, process: ProcessId, trace: &mut Trace<DialectOf<M>>) -> bool {
        let state = &mut self.processes[process.index()];
        if state.health() != Health::Runs {
            return false;
        }
        let acted = match state.inbox.pop_front() {
            None => return false,
            Some(Held::Boot(cause)) => {
                self.take(process, Took::Boot, cause, Input::Boot, trace);
                true
            }
            Some(Held::Timer(slot)) => {
                state.timers[slot].held = false;
                self.take_timer(process, slot, trace);
                true
            }
            Some(Held::Letter(slot)) => self.letter_popped(slot, trace),
            Some(Held::Closed(id, cause)) => self.closed(id, cause, trace),
        };
        self.look_into_inbox(process);
        acted
    }

    /// A letter has come up. True when something happened.
    pub(super) fn letter_popped(&mut self, slot: usize, trace: &mut Trace<DialectOf<M>>) -> bool {
        let letter = &self.letters[slot];
        let addressee = if letter.refused { letter.from } else { letter.to };
        let health = self.health(addressee);
        if health == Health::Stopped {
            self.processes[addressee.index()].inbox.push_back(Held::Letter(slot));
            return false;
        }
        let letter = self.letters.remove(slot);
        if letter.refused {
            let Letter { from, life, to, msg, sent, .. } = letter;
            if !self.lives(from, life) {
                return false;
            }
            self.take(from, Took::Refused, sent, Input::Refused { to, msg: &msg }, trace);
        } else if health == Health::Down {
            self.drop_letter(letter, trace);
        } else {
            let Letter { from, life, to, msg, sent, .. } = letter;
            self.spoke = life;
            self.take(to, Took::Message, sent, Input::Message { from, msg: &msg }, trace);
        }
        true
    }

    /// A payload has come up. True when something happened.
    pub(super) fn payload_popped(&mut self, slot: usize, trace: &mut Trace<DialectOf<M>>) -> bool {
        match self.payloads.remove(slot) {
            Payload::DiskDone { process, life } => {
                self.lives(process, life) && {
                    self.write_done(process, trace);
                    true
                }
            }
            Payload::Backup(fault) => {
                self.back_up(fault);
                true
            }
            Payload::Strike(fault, cause) => {
                self.strike(fault, cause, trace);
                true
            }
            Payload::Lift(fault, cause) => {
                self.lift(fault, cause, trace);
                true
            }
            Payload::Probe(id) => {
                self.probe(id);
                false
            }
            Payload::Closed(id, cause) => self.closed(id, cause, trace),
        }
    }

    fn lives(&self, process: ProcessId, life: u32) -> bool {
        self.processes[process.index()].lives(life)
    }

    /// A message for a process that is down: its host says so, when it is still there to say anything.
    pub(super) fn drop_letter(&mut self, mut letter: Letter<DialectOf<M>>, trace: &mut Trace<DialectOf<M>>) {
        self.record(letter.to, letter.sent, || What::Dropped, trace);
        if letter.from == ProcessId::NOBODY {
            return; // An order: there is nobody to be told.
        }
        let (here, there) = (self.host_of(letter.to), self.host_of(letter.from));
        if self.processes[letter.to.index()].refuses() && !self.links.is_cut(here, there) {
            letter.refused = true;
            self.post(self.now + self.links.back(there, here), letter);
        }
    }

    /// Records what `what` says. It is asked when there is room: records are large, and written at once where they
    /// belong.
    #[inline(always)]
    pub(super) fn record(
        &mut self,
        process: ProcessId,
        cause: RecordId,
        what: impl FnOnce() -> What<DialectOf<M>>,
        trace: &mut Trace<DialectOf<M>>,
    ) -> RecordId {
        if !trace.keeps() {
            return RecordId::NONE;
        }
        trace.make_room();
        let state = &mut self.processes[process.index()];
        let id = trace.push(Record { at: self.now, process, cause, previous: state.last, what: what() });
        state.last = id;
        id
    }

    pub(super) fn take(
        &mut self,
        process: ProcessId,
        took: Took<TimerOf<M>>,
        cause: RecordId,
        input: Input<'_, DialectOf<M>>,
        trace: &mut Trace<DialectOf<M>>,
    ) {
        self.inputs_taken += 1;
        let taken = self.record(process, cause, || What::Took(took), trace);
        let index = process.index();
        let line = self.hosts[self.processes[index].host.index()].clock.line();
        let now = Now { mono: line.mono_at(self.now), wall: line.wall_at(self.now) };
        let state = &mut self.processes[index];
        let caught = !state.before_send.is_empty();
        if caught {
            state.stops += state.before_send.len() as u16;
            state.before_send.clear();
        }
        let holds = caught || state.disk.in_flight.is_some() || !state.backlog.is_empty();
        // The machine and the world around it are touched at once; neither sees the other.
        let mut machines = std::mem::take(&mut self.machines);
        let heard = match input {
            Input::Message { from, .. } => Some(from),
            Input::Boot | Input::Refused { .. } | Input::Timer(_) | Input::Closed { .. } => None,
        };
        let mut hands = Hands { world: self, trace, process, taken, holds, heard, told: Vec::new() };
        Rc::make_mut(&mut machines[index]).on(input, now, &mut hands);
        let told = hands.told;
        // What stood in for them is empty: nothing to drop.
        std::mem::forget(std::mem::replace(&mut self.machines, machines));
        for (topic, noted) in told {
            self.strike_who_waited(process, topic, noted);
        }
    }
}
