//! A process between its machine and the world: health, timers, what is held back, disk.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::{Dialect, Effect, HostId, Manner, Mono, RecordId, SimTime, Span};

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
    /// The one heap entry that counts for this timer; others that pop are stale. `NEVER` when there is none.
    pub(crate) queued: SimTime,
    /// What armed it.
    pub(crate) cause: RecordId,
}

/// An input that waits until the process runs again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Held {
    Payload(usize),
    Timer(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Process<D: Dialect> {
    pub(crate) host: HostId,
    /// Crashes in force; it is down while there is one.
    pub(crate) crashes: u16,
    /// How connections to it are answered while it is down.
    pub(crate) down_manner: Manner,
    /// Pauses and suspensions in force.
    pub(crate) stops: u16,
    /// Pauses that wait for the next input to be taken before they hold back what it leads to.
    pub(crate) stops_before_send: u16,
    /// Raised by each start, so that what was meant for an earlier life is not taken by a later one.
    pub(crate) life: u32,
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
    pub(crate) fn new(host: HostId, disk_latency: Span) -> Self {
        Self {
            host,
            crashes: 0,
            down_manner: Manner::Refused,
            stops: 0,
            stops_before_send: 0,
            life: 0,
            timers: Vec::new(),
            inbox: VecDeque::new(),
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
        if self.crashes > 0 {
            Health::Down
        } else if self.stops > 0 {
            Health::Stopped
        } else {
            Health::Runs
        }
    }
}
