//! A process between its machine and the world: health, timers, what is held back, disk.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::queue::Place;
use crate::{Dialect, Effect, FaultId, HostId, Manner, Mono, RecordId, SimTime, Span};

/// Whether a process runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Health {
    /// It takes its inputs.
    Runs,
    /// It is paused, or its host is suspended: inputs wait.
    Stopped,
    /// It has crashed: what arrives is dropped.
    Down,
}

/// One timer of a process.
#[derive(Clone, Debug)]
pub(crate) struct Timer<D: Dialect> {
    pub(crate) name: D::Timer,
    pub(crate) due: Option<Mono>,
    /// Among what is due at the same instant: given out when it was armed.
    pub(crate) place: Place,
    /// When its entry of the queue comes up that counts; others that pop are stale. `NEVER` when there is none.
    pub(crate) queued: SimTime,
    /// It has come up while the process could not take it, and waits in the inbox.
    pub(crate) held: bool,
    /// What armed it.
    pub(crate) cause: RecordId,
}

/// An input that waits until the process runs (again).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// The start itself, and what led to it.
    Boot(RecordId),
    Letter(usize),
    Timer(usize),
    /// Word that this connection is closed, and what led to it.
    Closed(u32, RecordId),
}

/// A crash or a restore in force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Down {
    pub(crate) fault: FaultId,
    /// How connections to the process are answered.
    pub(crate) manner: Manner,
    /// Whether it ends by itself; one that does not is ended by a restore.
    pub(crate) ends: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Process<D: Dialect> {
    pub(crate) host: HostId,
    /// What holds it down.
    pub(crate) down: Vec<Down>,
    /// Pauses and suspensions in force.
    pub(crate) stops: u16,
    /// Pauses that wait for the next input to be taken before they hold back what it leads to.
    pub(crate) before_send: Vec<FaultId>,
    /// Raised by each crash, so that what was meant for an earlier life is not taken by a later one.
    pub(crate) life: u32,
    /// Its disk was put back from a backup since it last started.
    pub(crate) restored: bool,
    pub(crate) timers: Vec<Timer<D>>,
    pub(crate) inbox: VecDeque<Held>,
    /// Effects that wait for the disk, or for a pause before sending to end.
    pub(crate) backlog: VecDeque<(Effect<D>, RecordId)>,
    pub(crate) disk: Disk<D>,
    pub(crate) last: RecordId,
}

#[derive(Clone, Debug)]
pub(crate) struct Disk<D: Dialect> {
    pub(crate) latency: Span,
    /// What the process would find on it.
    pub(crate) content: Rc<D::Disk>,
    /// What a crash leaves, when that is less: the disk answers without keeping.
    pub(crate) kept: Option<Rc<D::Disk>>,
    /// The write that it is working on.
    pub(crate) in_flight: Option<(D::Write, RecordId)>,
    /// Stalls in force.
    pub(crate) stalls: u16,
    /// Losses in force.
    pub(crate) losses: u16,
    /// The write in flight would be done if the disk were not stalled or its host suspended.
    pub(crate) done_waits: bool,
}

impl<D: Dialect> Process<D> {
    /// A process that is about to start for the first time.
    pub(crate) fn new(host: HostId, disk_latency: Span) -> Self {
        Self {
            host,
            down: Vec::new(),
            stops: 0,
            before_send: Vec::new(),
            life: 0,
            restored: false,
            timers: Vec::new(),
            inbox: VecDeque::from([Held::Boot(RecordId::NONE)]),
            backlog: VecDeque::new(),
            disk: Disk {
                latency: disk_latency,
                content: Rc::default(),
                kept: None,
                in_flight: None,
                stalls: 0,
                losses: 0,
                done_waits: false,
            },
            last: RecordId::NONE,
        }
    }

    pub(crate) fn health(&self) -> Health {
        if !self.down.is_empty() {
            Health::Down
        } else if self.stops > 0 {
            Health::Stopped
        } else {
            Health::Runs
        }
    }

    /// Whether something meant for this life of the process can still reach it.
    pub(crate) fn lives(&self, life: u32) -> bool {
        self.life == life && self.down.is_empty()
    }

    /// Whether its host answers for it while it is down: not when one of its crashes took the host as well.
    pub(crate) fn refuses(&self) -> bool {
        self.down.iter().all(|down| down.manner == Manner::Refused)
    }

    /// The slot of the timer with this name: its own, or one that no armed timer has.
    #[inline]
    pub(crate) fn slot_of(&mut self, name: D::Timer) -> usize {
        let own = self.timers.iter().position(|timer| timer.name == name);
        own.unwrap_or_else(|| self.slot_for(name))
    }

    #[cold]
    fn slot_for(&mut self, name: D::Timer) -> usize {
        if let Some(slot) = self.timers.iter().position(|timer| timer.due.is_none()) {
            self.timers[slot].name = name;
            return slot;
        }
        self.timers.push(Timer {
            name,
            due: None,
            place: Place::NONE,
            queued: SimTime::NEVER,
            held: false,
            cause: RecordId::NONE,
        });
        self.timers.len() - 1
    }

    /// A timer that waits in the inbox waits no more: it was armed anew, or disarmed.
    #[inline]
    pub(crate) fn release_held(&mut self, slot: usize) {
        if self.timers[slot].held {
            self.take_out_of_inbox(slot);
        }
    }

    #[cold]
    fn take_out_of_inbox(&mut self, slot: usize) {
        self.timers[slot].held = false;
        self.inbox.retain(|held| *held != Held::Timer(slot));
    }
}
