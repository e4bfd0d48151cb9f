//! What makes a kind of lock service's client itself: which requests a try is made of, and what their answers mean.
//!
//! A recipe is told what happened and says what to do next, as data: sending, timing, trying again, holding and letting
//! go are the same for all and are the [`Client`](super::Client)'s.

use kernel::{Now, ProcessId, Rng, Span, Stream};

use crate::{GrantId, Key, Msg, Policy, Request, Token};

/// One request of a try to take the lock, by what it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// See whether the lock is free.
    Look,
    /// A session or lease for this try.
    Open,
    /// The lock, if nobody has it.
    Claim,
    /// A place of its own, in line.
    Enqueue,
    /// Who is just ahead in line.
    LookAhead,
    /// See that its own place is still there, after waiting.
    Verify,
}

impl Part {
    /// Whether it may have given the lock, or a place in line, to a client that never hears so.
    pub(super) fn may_take(self) -> bool {
        match self {
            Self::Claim | Self::Enqueue => true,
            Self::Look | Self::Open | Self::LookAhead | Self::Verify => false,
        }
    }

    /// What a client does with it, in a few words.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Look => "looks whether the lock is free",
            Self::Open => "asks for a lease",
            Self::Claim => "tries to create its key",
            Self::Enqueue => "takes a place in line",
            Self::LookAhead => "looks who is ahead in line",
            Self::Verify => "checks that its own key is still there",
        }
    }
}

/// What a request is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A try to take the lock.
    Try(Part),
    /// Be told when the lock may be free.
    Watch,
    /// More time.
    KeepAlive,
    /// Take back what a try that failed may have left; nobody waits for it.
    CleanUp,
    /// Give the lock back, at the worker's wish.
    Release,
    /// Write a plain key.
    Put,
}

/// What a recipe wants done next.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Nothing.
    Nothing,
    /// Ask this.
    Ask(Part, Request),
    /// The lease is there, for this long from when it was asked for; ask this with it.
    Opened(Span, Part, Request),
    /// Ask to be told.
    Watch(Request),
    /// The lock is held.
    Hold {
        /// By which grant.
        grant: GrantId,
        /// With which token.
        token: Option<Token>,
        /// For this long from when it was asked for, if the answer is what the lease counts from.
        lease: Option<Span>,
    },
    /// Somebody has it: try again when it is time for that.
    Rest,
    /// Somebody has it: try again after this long.
    RestFor(Span),
    /// Somebody was quicker: take back what this try left, and try again when it is time for that.
    Yield,
    /// Somebody was quicker: take back what this try left, and try again after this long.
    YieldFor(Span),
    /// Begin the try anew, at once.
    Again,
    /// Ask this as well before the lease counts as renewed.
    Renew(Request),
    /// The lease was renewed, for this long from when it was asked for.
    Renewed(Span),
    /// The same, and the lock has this token from now on.
    RenewedAs(Span, Token),
    /// What it holds has no lease, and stands: look again when it is time for that.
    Stands,
    /// The lease could not be renewed now; whether it still stands is not known.
    NotRenewed,
    /// The service does not know the lease, or gave the lock to somebody else.
    Gone,
    /// The lock was given back.
    Released,
    /// The lock was given back; this tidies up behind it, and nobody waits for the answer.
    ReleasedAnd(Request),
    /// The plain key was written.
    Written,
    /// The server said that it cannot, and why: it was not carried out.
    Failed(&'static str),
}

/// What a recipe may know of its client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    /// The process that it is part of.
    pub me: ProcessId,
    /// The lock that it is for.
    pub lock: &'a Key,
    /// What it was told to do.
    pub policy: &'a Policy,
    /// A number that no other request of this client has, in any life of its process.
    pub unique: u64,
    /// Its host's clocks.
    pub now: Now,
}

impl Context<'_> {
    /// Up to this long, drawn.
    pub(crate) fn draw(&self, most: Span) -> Span {
        let mut rng = Rng::new(Stream::new(self.unique, u64::from(self.me.0), 0));
        Span::from_micros(rng.below(most.as_micros().max(1)))
    }

    /// A number that no other request of any client has.
    pub(crate) fn unique_value(&self) -> u64 {
        u64::from(self.me.0) << 48 | self.unique
    }
}

/// A kind's recipe, with what it has to remember of a try.
pub(crate) trait Recipe {
    /// A try begins.
    fn begin(&mut self, cx: Context<'_>) -> Step;
    /// An answer has come.
    fn answered(&mut self, purpose: Purpose, msg: &Msg, cx: Context<'_>) -> Step;
    /// It was told that what it waited for has happened.
    fn told(&mut self, cx: Context<'_>) -> Step;
    /// What asks for more time; nothing when there is nothing to renew.
    fn keep_alive(&mut self, cx: Context<'_>) -> Option<Request>;
    /// What is asked when a request is sent once more.
    fn again(&mut self, _purpose: Purpose, request: Request, _cx: Context<'_>) -> Request {
        request
    }
    /// What gives back the lock, or whatever a try may have left; forgets it.
    fn give_back(&mut self, cx: Context<'_>) -> Option<Request>;
    /// What writes a plain key, where the service keeps such.
    fn put(&self, key: Key, value: u64) -> Option<Request>;
    /// Forgets the try.
    fn forget(&mut self);
    /// The number of its connection, where what it holds is bound to one: gone when that is closed, and not before.
    fn connection(&self) -> Option<u64> {
        None
    }
    /// For how long it goes on asking when its lease is over, in jeopardy, before it gives the lease up; `None`: it gives it
    /// up at once. Where there is such a grace, the service answers a renewal shortly before the lease ends, and the next one
    /// goes out when it has.
    fn grace(&self) -> Option<Span> {
        None
    }
    /// Whether the time in which a holder must have renewed begins when it begins to try, however late that is, and not with
    /// its last renewal.
    fn tries_from_when_it_begins(&self) -> bool {
        false
    }
    /// Whether it has one write on its way at a time, each on condition of what the last one left: a lock is given back when
    /// the renewal that is on its way has been answered.
    fn writes_in_turn(&self) -> bool {
        false
    }
    /// Whether every request goes to all servers at once, and the recipe counts their answers.
    fn asks_all(&self) -> bool {
        false
    }
    /// One of all servers failed to answer, or cannot.
    fn unanswered(&mut self, _purpose: Purpose, _cx: Context<'_>) -> Step {
        Step::Nothing
    }
}
