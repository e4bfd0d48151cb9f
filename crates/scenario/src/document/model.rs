//! The shape of a scenario document: what each word in it means, with its unit and its default.
//!
//! These comments are the JSON Schema's descriptions: they speak to whoever writes a document. The types are read by
//! `super::read`, which chooses faults and lock services by their `kind`, steps by their verb, and instants and names by
//! their shape; serde's attributes say only how words are spelled, and schemars' say the same to the schema.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;

use super::duration::{Chance, Dur, SignedDur};

/// A scenario: a lock service, the workers that use it, the stores it protects, and what goes wrong. Durations and
/// instants are strings like "10s", "250ms", "50us" or "1m30s"; instants count from the beginning of the play.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The version of this format: 1.
    pub version: u32,
    /// What the story is called.
    pub title: String,
    /// What it is about, in a few sentences.
    #[serde(default)]
    pub about: String,
    /// What one should take from it, in a sentence.
    #[serde(default)]
    pub moral: String,
    /// How long it plays (at most "1h").
    pub horizon: Dur,
    /// The seed of everything that is drawn: jitter, losses, election timeouts. Below 2^53.
    #[serde(default = "one")]
    pub seed: u64,
    /// What links between hosts are like.
    #[serde(default)]
    pub network: Network,
    /// Hosts that are not like the others. Every process runs on a host of its own name unless it says `host`.
    #[serde(default)]
    pub host: Vec<Host>,
    /// The lock service.
    pub lock: Lock,
    /// What the locks protect.
    #[serde(default)]
    pub store: Vec<Store>,
    /// Who takes the locks.
    #[serde(default)]
    pub worker: Vec<Worker>,
    /// Who looks for claims that nobody will finish.
    #[serde(default)]
    pub sweeper: Vec<Sweeper>,
    /// What goes wrong.
    #[serde(default)]
    pub fault: Vec<Fault>,
    /// What must come out.
    #[serde(default)]
    pub expect: Vec<Expect>,
    /// The same scenario with something changed, by name.
    #[serde(default)]
    pub variant: BTreeMap<String, Variant>,
    /// Instants to stop at, each with a sentence: a guided walk.
    #[serde(default)]
    pub step: Vec<Guide>,
}

const fn one() -> u64 {
    1
}
const fn yes() -> bool {
    true
}

/// What links between hosts are like. A host reaches itself at once.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Network {
    /// How long a message takes, one way (default "1ms").
    pub delay: Option<Dur>,
    /// And up to so much longer, drawn for each message (default "0s").
    pub jitter: Dur,
    /// How many messages are lost: "1/100", "1%" (default none).
    pub loss: Chance,
    /// How many messages are delivered twice (default none).
    pub duplicate: Chance,
    /// Links that are not like the others; where several fit, the last counts.
    pub link: Vec<Link>,
}

/// A link that is not like the others. What it does not say is as in `network`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// From the hosts of these (process or host names, or "workers", "stores", "lock"; "others": all the rest).
    pub from: Names,
    /// To the hosts of these.
    pub to: Names,
    /// And back (default true).
    #[serde(default = "yes")]
    pub both_ways: bool,
    /// How long a message takes, one way.
    #[serde(default)]
    pub delay: Option<Dur>,
    /// And up to so much longer.
    #[serde(default)]
    pub jitter: Option<Dur>,
    /// How many messages are lost.
    #[serde(default)]
    pub loss: Option<Chance>,
    /// How many messages are delivered twice.
    #[serde(default)]
    pub duplicate: Option<Chance>,
}

/// One name or several.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(untagged))]
#[serde(rename_all = "kebab-case")]
pub enum Names {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Names {
    /// The names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names.as_slice(),
        }
        .iter()
        .map(String::as_str)
    }
}

/// A host whose clocks are off from the beginning.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Its name: that of a process that runs on it, or one that processes name in `host`.
    pub name: String,
    /// How far its wall clock is ahead of true time ("3s"), or behind ("-3s").
    #[serde(default)]
    pub wall_offset: SignedDur,
    /// How much faster than true time both of its clocks run, in parts per million (negative: slower).
    #[serde(default)]
    pub drift_ppm: i32,
}

/// The lock service.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(tag = "kind"))]
#[serde(rename_all = "kebab-case")]
pub enum Lock {
    /// etcd: leases and keys in one replicated log; the token is the key's create revision.
    Etcd(Etcd),
}

/// An etcd cluster.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Etcd {
    /// The members' names: 1 to 9, an odd number is usual. Clients try them in this order.
    pub nodes: Vec<String>,
    /// How long a lease is.
    pub ttl: Dur,
    /// Who leads when the play begins (default: the first node). "none": nobody; the members elect a leader, which takes
    /// an election timeout or so.
    #[serde(default)]
    pub leader: Option<String>,
    /// The term in which it leads (default 1).
    #[serde(default = "one")]
    pub term: u64,
    /// The store's revision when the play begins (default 1, a fresh store). The next key is created at the next one.
    #[serde(default = "one")]
    pub revision: u64,
    /// How often the leader sends heartbeats (default "100ms", as etcd).
    #[serde(default)]
    pub heartbeat: Option<Dur>,
    /// The election timeout (default "1s", as etcd). A member waits for one to nearly two of these, drawn in steps of
    /// the heartbeat interval.
    #[serde(default)]
    pub election_timeout: Option<Dur>,
    /// Whether members ask for pre-votes before they campaign (default true, as etcd since 3.5).
    #[serde(default = "yes")]
    pub pre_vote: bool,
    /// Whether a leader that hears from no majority for an election timeout steps down (default true, as etcd).
    #[serde(default = "yes")]
    pub check_quorum: bool,
    /// How reads are made safe (default "read-index", as etcd).
    #[serde(default)]
    pub reads: Reads,
    /// How often the leader looks for leases that have run out (default "500ms", as etcd; "0s": at the very instant).
    #[serde(default)]
    pub expiry_check: Option<Dur>,
    /// What a new leader adds to every lease beside its full length (default: one election timeout, as etcd).
    #[serde(default)]
    pub promote_extend: Option<Dur>,
    /// Shorter leases are granted this long (default: one and a half election timeouts in whole seconds, as etcd).
    #[serde(default)]
    pub min_ttl: Option<Dur>,
    /// Lease checkpoints (default: none, as etcd).
    #[serde(default)]
    pub checkpoint: Option<Checkpoint>,
    /// How long a member's disk takes to keep a write (default "0s").
    #[serde(default)]
    pub disk: Dur,
    /// After how many entries a member takes a snapshot (default 10000, as etcd).
    #[serde(default = "ten_thousand")]
    pub snapshot_every: u64,
    /// When other users of the service write a key of theirs: each takes one revision.
    #[serde(default)]
    pub other_writes: Vec<Dur>,
}

const fn ten_thousand() -> u64 {
    10_000
}

/// How a linearizable read is made safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reads {
    /// By a round of heartbeats.
    #[default]
    ReadIndex,
    /// By the leader's lease, one heartbeat interval shorter than an election timeout: quicker, and only as good as the
    /// members' clocks.
    Lease,
    /// At once, trusting check-quorum to end a leader's belief in time (etcd-io/raft's `ReadOnlyLeaseBased`).
    CheckQuorum,
}

/// Lease checkpoints: the leader writes down what is left of each lease.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// How often (etcd: "5m").
    pub every: Dur,
    /// What is left is rounded up to this (default "1s", as etcd).
    #[serde(default)]
    pub unit: Option<Dur>,
}

/// What a lock protects.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// Its name.
    pub name: String,
    /// What it checks.
    pub kind: StoreKind,
    /// What becomes of a token that equals the fence, in a fenced row (default "accepted"; "rejected" is the fencepost
    /// error).
    #[serde(default)]
    pub equal: Equal,
    /// The lock that protects it (default: the only one that workers acquire). Staleness is judged by its grants.
    #[serde(default)]
    pub lock: Option<String>,
    /// How long after its check it writes, in a second step without another check (default "0s": one step).
    #[serde(default)]
    pub check_gap: Dur,
    /// How long its disk takes (default "0s").
    #[serde(default)]
    pub disk: Dur,
    /// The host it runs on (default: one of its own name).
    #[serde(default)]
    pub host: Option<String>,
    /// What one effect of a write is called, in the plural, and what happens when it is applied twice; for sentences.
    /// (default "effects", "applied")
    #[serde(default)]
    pub effect: Option<EffectWords>,
}

/// Words for a store's effects.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EffectWords {
    /// Plural: "invoices".
    pub many: String,
    /// Past participle: "charged".
    pub done: String,
    /// What one item of the work is called: "chunk" (default "item").
    #[serde(default)]
    pub item: Option<String>,
}

/// What a store checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StoreKind {
    /// Nothing.
    Unfenced,
    /// A fence in the row: a token below it is refused.
    FencedRow,
}

/// What becomes of a token that equals the fence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Equal {
    /// It is accepted.
    #[default]
    Accepted,
    /// It is rejected.
    Rejected,
}

/// An application that takes a lock and works.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// Another worker whose settings and program this one has, where it does not say otherwise.
    #[serde(default)]
    pub like: Option<String>,
    /// When it begins its program (default "0s").
    #[serde(default)]
    pub start: Option<Dur>,
    /// The host it runs on (default: one of its own name).
    #[serde(default)]
    pub host: Option<String>,
    /// How long before its lease ends it stops itself (default "0s").
    #[serde(default)]
    pub margin: Option<Dur>,
    /// How it renews.
    #[serde(default)]
    pub renew: Option<Renew>,
    /// How it waits for a lock that somebody holds (default "queue", as etcd's Mutex).
    #[serde(default)]
    pub wait: Option<Wait>,
    /// Whether its writes carry its token (default true).
    #[serde(default)]
    pub attach_token: Option<bool>,
    /// How long it waits for a store's answer before it sends the request again, not knowing whether the first was
    /// carried out (default "1s").
    #[serde(default)]
    pub store_timeout: Option<Dur>,
    /// What it does when a store refuses its token (default "stop").
    #[serde(default)]
    pub when_refused: Option<Then>,
    /// What it does when its client says that the lock is lost (default "stop").
    #[serde(default)]
    pub when_lost: Option<Then>,
    /// What it does, step by step.
    #[serde(default)]
    pub program: Option<Vec<Step>>,
}

/// How a worker's client library renews.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Renew {
    /// How often, counted from when it sent the last renewal (default: a third of the lease).
    pub every: Option<Dur>,
    /// How long it waits for an answer before it asks another member (default "1s").
    pub timeout: Option<Dur>,
    /// How long it rests when every member has failed it (default "500ms").
    pub retry: Option<Dur>,
    /// From when it counts its lease (default "sent").
    pub anchor: Option<Anchor>,
    /// On which of its host's clocks it times its lease (default "monotonic").
    pub clock: Option<HolderClock>,
    /// When it gives up by itself (default "stop-time").
    pub give_up: Option<GiveUp>,
}

/// From when a holder counts its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// From before it sent the request.
    Sent,
    /// From when it received the reply: up to a round trip too late.
    Received,
}

/// Which clock a holder times its lease on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HolderClock {
    /// The one that never steps.
    Monotonic,
    /// The calendar.
    Wall,
}

/// When a holder that cannot renew gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GiveUp {
    /// At its stop time: lease − margin after its anchor.
    StopTime,
    /// At its deadline: the lease after its anchor.
    Deadline,
    /// When the first renewal fails.
    FirstError,
    /// Never.
    Never,
}

/// How a worker waits for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Wait {
    /// It tries again so long after it began its last try: `{ poll = "1s" }`.
    Poll(Dur),
    /// It watches the lock's key and tries when that goes.
    Watch,
    /// It stands in line.
    Queue,
}

/// What a worker does when something is taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// It stops its program.
    Stop,
    /// It begins its program again.
    Restart,
    /// It goes on as if nothing had happened.
    Ignore,
}

/// One step of a worker's program: a table with one of these keys.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(untagged))]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Take the lock of this name, and wait until it has it.
    Acquire(Acquire),
    /// Give it back.
    Release(Release),
    /// In one conditional write, raise the store's fence to its token and claim the row; learn how far the work is.
    Raise(Raise),
    /// Read the row: learn how far the work is.
    Read(Read),
    /// Wait until the row is free to be taken, looking again and again.
    Take(Take),
    /// Work for so long.
    Prepare(Prepare),
    /// Wait until its own monotonic clock shows this much since the beginning.
    Until(Until),
    /// Compare its clock with its stop time; when that has come, let the lock go and stop.
    Check(Check),
    /// Write the next item.
    Write(Write),
    /// Mark the work as done.
    Finish(Finish),
    /// Write a plain key of the lock service.
    Put(Put),
    /// Do these steps so many times.
    Repeat(Repeat),
    /// Do these steps until so many items are done, those counted that were done before.
    Items(Items),
}

macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident : $type:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[cfg_attr(feature = "schema", derive(JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[$fdoc])* pub $field: $type),* }
    )*};
}

steps! {
    /// Take a lock.
    Acquire {
        /// Its name.
        acquire: String,
    }
    /// Give a lock back.
    Release {
        /// Its name.
        release: String,
    }
    /// Raise a store's fence and claim its row.
    Raise {
        /// The store.
        raise: String,
    }
    /// Read a store's row.
    Read {
        /// The store.
        read: String,
    }
    /// Wait until a store's row is free to be taken.
    Take {
        /// The store.
        take: String,
        /// How often to look.
        every: Dur,
    }
    /// Work.
    Prepare {
        /// For so long.
        prepare: Dur,
    }
    /// Wait.
    Until {
        /// Until its own monotonic clock shows this much since the beginning.
        until: Dur,
    }
    /// Compare a clock with the stop time.
    Check {
        /// With what: "stop-time".
        check: CheckWhat,
    }
    /// Write the next item.
    Write {
        /// The store.
        write: String,
        /// How many effects it has (default 1).
        #[serde(default = "one_effect")]
        effects: u32,
    }
    /// Mark the work as done.
    Finish {
        /// The store.
        finish: String,
    }
    /// Write a plain key.
    Put {
        /// The key.
        put: String,
    }
    /// Do steps several times.
    Repeat {
        /// How many times.
        repeat: u32,
        /// Which steps.
        steps: Vec<Step>,
    }
    /// Do steps until the items are done.
    Items {
        /// How many items there are.
        items: u32,
        /// Which steps; one of them writes.
        steps: Vec<Step>,
    }
}

const fn one_effect() -> u32 {
    1
}

/// What a check compares the clock with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CheckWhat {
    /// The holder's own stop time.
    StopTime,
}

/// Looks for claims whose lock nobody holds, and puts their rows back in the queue.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sweeper {
    /// Its name.
    pub name: String,
    /// The store whose index it reads.
    pub store: String,
    /// The lock whose holder it asks for (default: the store's lock).
    #[serde(default)]
    pub lock: Option<String>,
    /// How often it looks.
    pub every: Dur,
    /// How long after the first sighting of an orphan it may act on another (default "0s": at the next look).
    #[serde(default)]
    pub again_after: Dur,
    /// The host it runs on (default: one of its own name).
    #[serde(default)]
    pub host: Option<String>,
}

/// When a fault strikes: an instant like "4s", or after something happens.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(untagged))]
#[serde(rename_all = "kebab-case")]
pub enum At {
    /// An instant.
    Instant(Dur),
    /// After something.
    After(After),
}

/// After something happens.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct After {
    /// Who does what: "A checks", "n2 becomes leader", "anyone acquires". Verbs of workers: acquires, renews, fails to
    /// renew, checks, raises, writes, finishes, releases, loses, stops, wants, wakes; of stores: accepts, refuses;
    /// of servers: campaigns, becomes leader, steps down, grants, expires, frees, takes over; of sweepers: sees an orphan,
    /// re-queues.
    pub after: String,
    /// The first time, the second, ... (default 1).
    #[serde(default = "first")]
    pub nth: u32,
    /// And so long after it (default "0s").
    #[serde(default)]
    pub plus: Dur,
}

const fn first() -> u32 {
    1
}

macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident : $type:ty),* $(,)? })*) => {
        /// What goes wrong. Who is struck is a name, or a role found when it strikes: "leader", "follower", "holder".
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[cfg_attr(feature = "schema", derive(JsonSchema), schemars(tag = "kind"))]
        #[serde(rename_all = "kebab-case")]
        pub enum Fault {
            $($(#[$doc])* $name($name)),*
        }
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Deserialize)]
            #[cfg_attr(feature = "schema", derive(JsonSchema))]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                /// Its name, by which it is found on the page and in `--set fault.ID.for=8s`.
                pub id: String,
                /// When it strikes.
                pub at: At,
                /// For how long (default: to the end; a wall step is an instant).
                #[serde(default, rename = "for")]
                pub span: Option<Dur>,
                /// Whether it strikes at all (default true): a variant can switch it on or off.
                #[serde(default = "yes")]
                pub enabled: bool,
                $($(#[$fdoc])* pub $field: $type),*
            }
        )*
        impl Fault {
            /// Its name.
            pub fn id(&self) -> &str {
                match self { $(Self::$name(fault) => &fault.id),* }
            }
            /// When it strikes.
            pub fn at(&self) -> &At {
                match self { $(Self::$name(fault) => &fault.at),* }
            }
            /// For how long.
            pub fn span(&self) -> Option<Dur> {
                match self { $(Self::$name(fault) => fault.span),* }
            }
            /// Whether it strikes at all.
            pub fn enabled(&self) -> bool {
                match self { $(Self::$name(fault) => fault.enabled),* }
            }
        }
    };
}

faults! {
    /// A process stops; its memory, belief, timers and unsent messages survive, and its host's clocks run on.
    Pause {
        /// Which process.
        on: String,
        /// Where it is caught (default "before-input").
        #[serde(default)]
        gap: Gap,
    }
    /// A host stops with all its processes; its monotonic clock stands still.
    Suspend {
        /// Which host.
        on: String,
        /// What its wall clock does when it goes on (default "catches-up").
        #[serde(default)]
        wall: WallAfter,
    }
    /// A process dies; what its disk kept survives. It starts again when the time is over.
    Crash {
        /// Which process.
        on: String,
        /// How connections to it are answered (default "refused"; "silent": its host is gone as well).
        #[serde(default = "refused")]
        manner: Manner,
    }
    /// A host's wall clock is set.
    WallStep {
        /// Which host.
        on: String,
        /// Ahead ("3s") or back ("-3s").
        by: SignedDur,
    }
    /// A host's clocks run at another rate.
    ClockRate {
        /// Which host.
        on: String,
        /// How much faster than true time, in parts per million (negative: slower): 1000000 is twice as fast.
        ppm: i32,
    }
    /// Links carry nothing.
    Cut {
        /// From the hosts of these (names, roles, "workers", "stores", "lock", or "others").
        from: Names,
        /// To the hosts of these.
        to: Names,
        /// And back (default true).
        #[serde(default = "yes")]
        both_ways: bool,
        /// What the sender learns (default "silent").
        #[serde(default = "silent")]
        manner: Manner,
    }
    /// Links lose some messages.
    Loss {
        /// From the hosts of these.
        from: Names,
        /// To the hosts of these.
        to: Names,
        /// And back (default true).
        #[serde(default = "yes")]
        both_ways: bool,
        /// How many: "1/10", "10%".
        chance: Chance,
    }
    /// Links are slower.
    Delay {
        /// From the hosts of these.
        from: Names,
        /// To the hosts of these.
        to: Names,
        /// And back (default true).
        #[serde(default = "yes")]
        both_ways: bool,
        /// By so much.
        extra: Dur,
    }
    /// Links deliver some messages twice.
    Duplicate {
        /// From the hosts of these.
        from: Names,
        /// To the hosts of these.
        to: Names,
        /// And back (default true).
        #[serde(default = "yes")]
        both_ways: bool,
        /// How many: "1/10", "10%".
        chance: Chance,
    }
    /// A process's disk answers nothing.
    DiskStall {
        /// Whose disk.
        on: String,
    }
    /// A process's disk answers without keeping: a crash meanwhile loses what was written.
    DiskLoss {
        /// Whose disk.
        on: String,
    }
    /// Processes are started from an older backup of their disks; they are down for the time given.
    Restore {
        /// Which processes.
        on: Names,
        /// When the backup was taken.
        taken: Dur,
        /// Whose backup all of them get (default: each its own).
        #[serde(default)]
        backup_of: Option<String>,
    }
}

const fn refused() -> Manner {
    Manner::Refused
}
const fn silent() -> Manner {
    Manner::Silent
}

/// Where a pause catches a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Gap {
    /// Before it takes its next input.
    #[default]
    BeforeInput,
    /// After it took its next input and decided, before what it decided is sent.
    BeforeSend,
}

/// What a suspended host's wall clock does when it goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WallAfter {
    /// It is set to the time that passed.
    #[default]
    CatchesUp,
    /// It goes on from where it stood.
    Keeps,
}

/// How something that cannot be reached answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Manner {
    /// Not at all.
    Silent,
    /// The sender is told at once.
    Refused,
}

/// What must come out: a table with any of these keys. Instants and durations are compared to the millisecond.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Numbers of the verdict.
    pub verdict: Option<ExpectVerdict>,
    /// A grant that must be among the grants.
    pub grant: Option<ExpectGrant>,
    /// A write that must be among the writes.
    pub write: Option<ExpectWrite>,
    /// An event that must be among the events.
    pub event: Option<ExpectEvent>,
}

/// Numbers of the verdict that must come out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectVerdict {
    /// Time in which two workers both believed that they held the same lock.
    pub overlap: Option<Dur>,
    /// Writes accepted after a newer grant of that lock had been issued.
    pub stale_accepted: Option<u64>,
    /// Those of them accepted after the newer holder had first touched that store.
    pub corrupting: Option<u64>,
    /// Stale writes refused.
    pub stale_rejected: Option<u64>,
    /// Writes of the rightful newest holder refused.
    pub valid_rejected: Option<u64>,
    /// Effects applied twice.
    pub duplicates: Option<u64>,
    /// Grants whose token is not above every earlier token of that lock.
    pub token_regressions: Option<u64>,
    /// Acknowledged grants or writes that a later state forgot.
    pub lost_acks: Option<u64>,
    /// Reads answered with a value older than one already acknowledged.
    pub stale_reads: Option<u64>,
    /// Time with no holder while somebody wanted the lock.
    pub gap: Option<Dur>,
    /// The longest such stretch.
    pub longest_takeover: Option<Dur>,
    /// Live, connected holders that lost their lease.
    pub spurious_losses: Option<u64>,
    /// Claims left on a store with nobody to finish them.
    pub orphans: Option<u64>,
}

/// A grant that must be there; what is left out can be anything.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectGrant {
    /// To whom.
    pub worker: Option<String>,
    /// With which token.
    pub token: Option<u64>,
    /// When.
    pub at: Option<Dur>,
    /// Until when, as first granted.
    pub until: Option<Dur>,
}

/// A write that must be there; what is left out can be anything.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectWrite {
    /// To which store.
    pub store: Option<String>,
    /// Whose.
    pub worker: Option<String>,
    /// With which token.
    pub token: Option<u64>,
    /// When.
    pub at: Option<Dur>,
    /// Whether it was accepted.
    pub accepted: Option<bool>,
    /// Whether it was stale.
    pub stale: Option<bool>,
}

/// An event that must be there; what is left out can be anything.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExpectEvent {
    /// When.
    pub at: Option<Dur>,
    /// Whose.
    pub process: Option<String>,
    /// Its kind, as `run --format json` names it.
    pub kind: Option<String>,
    /// What its text must contain.
    pub contains: Option<String>,
}

/// The same scenario with something changed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Variant {
    /// What it is about, in a sentence.
    pub about: String,
    /// What is changed: paths like "store.billing.kind" or "fault.a-pause.for", with their new values.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, serde_json::Value>"))]
    pub set: BTreeMap<String, toml::Value>,
    /// What must come out, in place of the scenario's own expectations.
    pub expect: Vec<Expect>,
}

/// A stop on a guided walk.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Guide {
    /// Where to stop.
    pub at: Dur,
    /// What to say there.
    pub say: String,
}
