//! Connections: what a process learns of a peer that is gone, and from whom.
//!
//! A process keeps its end of one ([`Outbox::connect`](crate::Outbox::connect)); what it says on it are messages like all
//! others. Of the other end it hears only when its host's network stack finds out: by the peer's host, which closes what
//! a dead process leaves (FIN) or knows nothing of it any more (RST), or by keepalive, when nobody answers at all. Hosts
//! answer, not processes: a paused process keeps its connections.

use super::{Payload, World};
use crate::plan::{HostId, ProcessId};
use crate::process::Held;
use crate::queue::Rank;
use crate::{Health, Input, Keepalive, Machine, Mono, RecordId, SimTime, Took, Trace};

/// No life of a process comes to this number: the other end is gone, and word of that was lost.
const NOBODYS: u32 = u32::MAX;

/// One end of a connection, as its owner's host keeps it.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    id: u32,
    owner: ProcessId,
    peer: ProcessId,
    /// The peer's life that has the other end.
    life: u32,
    number: u64,
    keepalive: Keepalive,
    /// When the next probe is due, on the owner's host's monotonic clock, and when its entry of the queue comes up.
    due: Mono,
    queued: SimTime,
    /// Probes that nobody answered.
    missed: u32,
    /// Word that it is closed is on its way, or waits for its owner.
    closing: bool,
    /// What opened it.
    cause: RecordId,
}

/// What comes back from a peer's host.
enum Answer {
    Alive,
    Reset,
    Silence,
}

impl<M: Machine> World<M> {
    /// Opens an end. `life` is the peer's that is at the other: when that is over, the first probe finds out.
    pub(super) fn connect(
        &mut self,
        owner: ProcessId,
        (peer, life, number): (ProcessId, u32, u64),
        keepalive: Keepalive,
        cause: RecordId,
    ) {
        self.ends.retain(|end| (end.owner, end.peer, end.number) != (owner, peer, number));
        let id = self.next_end;
        self.next_end += 1;
        let mono = self.mono_of(owner);
        let due = if self.processes[peer.index()].lives(life) { mono + keepalive.idle } else { mono };
        let queued = SimTime::NEVER;
        self.ends.push(End {
            id,
            owner,
            peer,
            life,
            number,
            keepalive,
            due,
            queued,
            missed: 0,
            closing: false,
            cause,
        });
        self.queue_probe(self.ends.len() - 1);
    }

    /// Closes an end: nothing more comes of it, and the other learns of it.
    pub(super) fn disconnect(&mut self, owner: ProcessId, peer: ProcessId, number: u64, cause: RecordId) {
        self.ends.retain(|end| (end.owner, end.peer, end.number) != (owner, peer, number));
        let life = self.processes[owner.index()].life;
        self.say_closed(owner, life, Some(number), cause);
    }

    /// A process has died in this life of its: its own ends are gone, and its host closes them if it still stands.
    pub(super) fn connections_of_dead(&mut self, process: ProcessId, life: u32, cause: RecordId) {
        self.ends.retain(|end| end.owner != process);
        let state = &self.processes[process.index()];
        if state.refuses() && self.hosts[state.host.index()].suspensions == 0 {
            self.say_closed(process, life, None, cause);
        }
    }

    /// Tells the other ends of this life's connections, as far as links carry it.
    fn say_closed(&mut self, peer: ProcessId, life: u32, number: Option<u64>, cause: RecordId) {
        for place in 0..self.ends.len() {
            let end = self.ends[place];
            if (end.peer, end.life) == (peer, life) && number.is_none_or(|number| number == end.number) {
                let (here, there) = (self.host_of(peer), self.host_of(end.owner));
                if self.links.carries(here, there) {
                    self.closes(place, self.now + self.links.behind_all(here, there), cause);
                } else {
                    self.ends[place].life = NOBODYS;
                }
            }
        }
    }

    fn closes(&mut self, place: usize, at: SimTime, cause: RecordId) {
        let end = &mut self.ends[place];
        if !std::mem::replace(&mut end.closing, true) {
            let id = end.id;
            self.due(at, Rank::Rest, Payload::Closed(id, cause));
        }
    }

    /// Word that a connection is closed has come to its owner's host. True when its owner took it.
    pub(super) fn closed(&mut self, id: u32, cause: RecordId, trace: &mut Trace<M::Dialect>) -> bool {
        let Some(place) = self.ends.iter().position(|end| end.id == id) else { return false };
        let End { owner, peer, number, .. } = self.ends[place];
        match self.health(owner) {
            Health::Down => return false,
            Health::Stopped => {
                self.processes[owner.index()].inbox.push_back(Held::Closed(id, cause));
                return false;
            }
            Health::Runs => {}
        }
        self.ends.remove(place);
        self.take(owner, Took::Closed, cause, Input::Closed { peer, number }, trace);
        true
    }

    /// A message has come to its addressee's host: what it came on is alive, or there is no such connection there.
    #[cold]
    pub(super) fn arrived(&mut self, slot: usize) {
        let letter = &self.letters[slot];
        let (from, life, to, sent) = (letter.from, letter.life, letter.to, letter.sent);
        if letter.refused || from == ProcessId::NOBODY {
            return;
        }
        let mono = self.mono_of(to);
        for end in &mut self.ends {
            if (end.owner, end.peer, end.life) == (to, from, life) {
                end.due = mono + end.keepalive.idle;
                end.missed = 0;
            }
        }
        let of_sender = |end: &End| (end.owner, end.peer) == (from, to);
        let (here, there) = (self.host_of(to), self.host_of(from));
        if !self.stands(to) || !self.links.carries(here, there) {
            return;
        }
        // Its host says that it has come, whether or not the process runs.
        let known = |end: &End| of_sender(end) && self.processes[to.index()].lives(end.life);
        if self.ends.iter().any(known) {
            let heard = self.mono_of(from) + self.links.back(there, here);
            let processes = &self.processes;
            // One with an earlier life of the addressee's is another connection: nothing was said on that.
            let came_on = |end: &End| of_sender(end) && processes[to.index()].lives(end.life);
            for end in self.ends.iter_mut().filter(|end| came_on(end)) {
                end.due = heard + end.keepalive.idle;
                end.missed = 0;
            }
            return;
        }
        for place in 0..self.ends.len() {
            if of_sender(&self.ends[place]) {
                self.closes(place, self.now + self.links.back(there, here), sent);
            }
        }
    }

    /// Whether a process's host is there to answer.
    fn stands(&self, process: ProcessId) -> bool {
        let state = &self.processes[process.index()];
        state.refuses() && self.hosts[state.host.index()].suspensions == 0
    }

    fn mono_of(&self, process: ProcessId) -> Mono {
        self.hosts[self.host_of(process).index()].clock.line().mono_at(self.now)
    }

    fn queue_probe(&mut self, place: usize) {
        let End { owner, due, id, .. } = self.ends[place];
        let line = self.hosts[self.host_of(owner).index()].clock.line();
        let at = line.when_mono(due).max(self.now);
        self.ends[place].queued = at;
        if at < SimTime::NEVER {
            self.due(at, Rank::Rest, Payload::Probe(id));
        }
    }

    /// A host's clock was bent: its probes are queued anew.
    pub(super) fn requeue_probes(&mut self, host: HostId) {
        for place in 0..self.ends.len() {
            if self.host_of(self.ends[place].owner) == host {
                self.queue_probe(place);
            }
        }
    }

    /// A probe may be due.
    pub(super) fn probe(&mut self, id: u32) {
        let current = |end: &End| end.id == id && end.queued == self.now && !end.closing;
        let Some(place) = self.ends.iter().position(current) else { return };
        let End { owner, peer, life, keepalive, due, missed, cause, .. } = self.ends[place];
        let mono = self.mono_of(owner);
        if mono >= due {
            if missed >= keepalive.count {
                return self.closes(place, self.now, cause);
            }
            let (here, there) = (self.host_of(owner), self.host_of(peer));
            let next = match self.ask_host(here, there, peer, life) {
                Answer::Alive => (mono + keepalive.idle, 0),
                Answer::Silence => (mono + keepalive.every, missed + 1),
                Answer::Reset => {
                    let back = self.links.back(here, there) + self.links.back(there, here);
                    return self.closes(place, self.now + back, cause);
                }
            };
            (self.ends[place].due, self.ends[place].missed) = next;
        }
        self.queue_probe(place);
    }

    fn ask_host(&self, here: HostId, there: HostId, peer: ProcessId, life: u32) -> Answer {
        if !self.links.carries(here, there) || !self.links.carries(there, here) || !self.stands(peer) {
            Answer::Silence
        } else if self.processes[peer.index()].lives(life) {
            Answer::Alive
        } else {
            Answer::Reset
        }
    }
}
