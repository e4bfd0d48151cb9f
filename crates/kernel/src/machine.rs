//! What a process's software is: a state, and a function from one input to effects.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::{Mono, ProcessId, Rng, Span, Wall};

/// What the processes of one world say, arm, keep and announce.
pub trait Dialect: Clone + Debug + 'static {
    /// What processes send each other.
    type Msg: Clone + Debug;
    /// The names of a process's timers; each can be armed once at a time.
    type Timer: Copy + PartialEq + Debug;
    /// One change of what a process keeps on disk.
    type Write: Clone + Debug;
    /// All that a process keeps on disk.
    type Disk: Keep<Self::Write>;
    /// What a process announces for the audience; no process ever hears it.
    type Note: Clone + Debug;
    /// The parts that a process can be playing when a fault looks for its target.
    type Role: Copy + PartialEq + Debug;

    /// What this note is about, for faults that wait for one.
    fn topic(_note: &Self::Note) -> Option<Topic> {
        None
    }
}

/// A word for a kind of note, as anchors use it ("checks", "acquires").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Topic(pub &'static str);

/// A disk's content as the sum of the writes made to it.
pub trait Keep<Write>: Clone + Default + Debug {
    /// Carries out one write.
    fn keep(&mut self, write: &Write);
}
impl<Write> Keep<Write> for () {
    fn keep(&mut self, _write: &Write) {}
}

/// A host's two clocks as its processes read them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Now {
    /// Never steps.
    pub mono: Mono,
    /// Can be stepped.
    pub wall: Wall,
}

/// How a host finds out that nobody is at the other end of a connection any more, as TCP does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keepalive {
    /// After so long without anything from there it asks whether the connection is alive.
    pub idle: Span,
    /// And asks again so often when nobody answers.
    pub every: Span,
    /// After so many questions that nobody answered it gives up.
    pub count: u32,
}

/// The one thing that a machine is given at a time. It reads messages where they lie: most say little, and to carry them
/// from layer to layer would cost more than to act on them.
#[derive(Debug)]
pub enum Input<'a, D: Dialect> {
    /// The process has started, for the first time or again.
    Boot,
    /// A message arrived.
    Message {
        /// Who sent it.
        from: ProcessId,
        /// What it says.
        msg: &'a D::Msg,
    },
    /// The network said at once that this message cannot be delivered: nobody listens there, or a firewall answers.
    Refused {
        /// Whom it was for.
        to: ProcessId,
        /// What it said.
        msg: &'a D::Msg,
    },
    /// A timer that was armed is due.
    Timer(D::Timer),
    /// A connection is closed: its other end is gone, as far as this host can tell.
    Closed {
        /// Who was there.
        peer: ProcessId,
        /// The number that it was opened with.
        number: u64,
    },
}

// By hand: a derive would ask that the dialect itself could be copied.
impl<D: Dialect> Clone for Input<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D: Dialect> Copy for Input<'_, D> {}

/// Why a machine is being started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// The world begins.
    First,
    /// After a crash, with what its disk kept.
    Again,
    /// From a backup that somebody put in place of its disk.
    Restored,
}

/// What a machine wants done. Effects are carried out in order; a `Persist` holds back the sends and notes behind it
/// until the disk has answered. Timers and connections are the process's own host's and are seen to at once.
#[derive(Clone, Debug)]
pub enum Effect<D: Dialect> {
    /// Send a message.
    Send {
        /// Whom to.
        to: ProcessId,
        /// What it says.
        msg: D::Msg,
    },
    /// Arm a timer, or arm it anew: it is due when the monotonic clock has reached this reading.
    Arm {
        /// Which.
        timer: D::Timer,
        /// The monotonic reading at which it is due.
        due: Mono,
    },
    /// Disarm a timer; nothing happens when it is not armed.
    Disarm(D::Timer),
    /// Change what the disk keeps.
    Persist(D::Write),
    /// Tell the audience.
    Note(D::Note),
    /// Keep an end of a connection.
    Connect {
        /// Who is at the other.
        peer: ProcessId,
        /// The number that it is known by.
        number: u64,
        /// How long silence is borne.
        keepalive: Keepalive,
    },
    /// Close it.
    Disconnect {
        /// Who is at the other end.
        peer: ProcessId,
        /// Its number.
        number: u64,
    },
}

/// One process's software: a function of its state and one input, that asks for effects.
pub trait Machine: Clone + Debug {
    /// What it speaks.
    type Dialect: Dialect;

    /// Takes one input at the given readings of its own host's clocks.
    fn on(&mut self, input: Input<'_, Self::Dialect>, now: Now, out: &mut impl Outbox<Self::Dialect>);

    /// The machine as it comes up. `self` is the machine as it was cast: configuration survives a crash, memory does
    /// not; `disk` is what was kept.
    fn start(&self, disk: &<Self::Dialect as Dialect>::Disk, start: Start, rng: Rng) -> Self;

    /// Whether this process plays `role` now, as far as it knows; the highest answer is taken for the real one
    /// (a leader answers with its term, a holder with its token). Faults ask; no protocol does.
    fn plays(&self, _role: <Self::Dialect as Dialect>::Role) -> Option<u64> {
        None
    }
}

/// Where a machine, or a part of one, puts its effects, in order.
pub trait Outbox<D: Dialect> {
    /// Sends a message.
    fn send(&mut self, to: ProcessId, msg: impl Into<D::Msg>);
    /// Arms a timer for the monotonic reading `due`.
    fn arm(&mut self, timer: D::Timer, due: Mono);
    /// Disarms a timer.
    fn disarm(&mut self, timer: D::Timer);
    /// Changes what the disk keeps.
    fn persist(&mut self, write: impl Into<D::Write>);
    /// Tells the audience.
    fn note(&mut self, note: impl Into<D::Note>);
    /// Keeps an end of a connection with the life of `peer` whose message is being taken (the present one otherwise):
    /// [`Input::Closed`] comes with this number when the other end is gone. One of that number is opened anew.
    fn connect(&mut self, peer: ProcessId, number: u64, keepalive: Keepalive);
    /// Closes it; nothing happens when there is none.
    fn disconnect(&mut self, peer: ProcessId, number: u64);
}

/// Effects in order, for whoever runs a machine without a world.
#[derive(Clone, Debug)]
pub struct Effects<D: Dialect>(pub Vec<Effect<D>>);

impl<D: Dialect> Default for Effects<D> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<D: Dialect> Outbox<D> for Effects<D> {
    #[inline]
    fn send(&mut self, to: ProcessId, msg: impl Into<D::Msg>) {
        self.0.push(Effect::Send { to, msg: msg.into() });
    }
    #[inline]
    fn arm(&mut self, timer: D::Timer, due: Mono) {
        self.0.push(Effect::Arm { timer, due });
    }
    #[inline]
    fn disarm(&mut self, timer: D::Timer) {
        self.0.push(Effect::Disarm(timer));
    }
    #[inline]
    fn persist(&mut self, write: impl Into<D::Write>) {
        self.0.push(Effect::Persist(write.into()));
    }
    #[inline]
    fn note(&mut self, note: impl Into<D::Note>) {
        self.0.push(Effect::Note(note.into()));
    }
    fn connect(&mut self, peer: ProcessId, number: u64, keepalive: Keepalive) {
        self.0.push(Effect::Connect { peer, number, keepalive });
    }
    fn disconnect(&mut self, peer: ProcessId, number: u64) {
        self.0.push(Effect::Disconnect { peer, number });
    }
}

/// A dialect that can say everything that `Inner` says: what lets a machine be built from parts.
pub trait Speaks<Inner: Dialect>:
    Dialect<Msg: From<Inner::Msg>, Timer: From<Inner::Timer>, Write: From<Inner::Write>, Note: From<Inner::Note>>
{
}
impl<Inner: Dialect, D> Speaks<Inner> for D where
    D: Dialect<
            Msg: From<Inner::Msg>,
            Timer: From<Inner::Timer>,
            Write: From<Inner::Write>,
            Note: From<Inner::Note>,
        >
{
}

/// An outbox of the part `Inner` that passes everything on to the outbox of the whole.
///
/// A server that has a consensus part in it gives that part `Lift::new(out)`.
pub struct Lift<'a, Outer, O: ?Sized>(&'a mut O, PhantomData<Outer>);

impl<'a, Outer, O: ?Sized> Lift<'a, Outer, O> {
    /// Passes on to `out`.
    pub fn new(out: &'a mut O) -> Self {
        Self(out, PhantomData)
    }
}

impl<Inner: Dialect, Outer: Speaks<Inner>, O: Outbox<Outer> + ?Sized> Outbox<Inner> for Lift<'_, Outer, O> {
    #[inline]
    fn send(&mut self, to: ProcessId, msg: impl Into<Inner::Msg>) {
        self.0.send(to, msg.into());
    }
    #[inline]
    fn arm(&mut self, timer: Inner::Timer, due: Mono) {
        self.0.arm(timer.into(), due);
    }
    #[inline]
    fn disarm(&mut self, timer: Inner::Timer) {
        self.0.disarm(timer.into());
    }
    #[inline]
    fn persist(&mut self, write: impl Into<Inner::Write>) {
        self.0.persist(write.into());
    }
    #[inline]
    fn note(&mut self, note: impl Into<Inner::Note>) {
        self.0.note(note.into());
    }
    fn connect(&mut self, peer: ProcessId, number: u64, keepalive: Keepalive) {
        self.0.connect(peer, number, keepalive);
    }
    fn disconnect(&mut self, peer: ProcessId, number: u64) {
        self.0.disconnect(peer, number);
    }
}
