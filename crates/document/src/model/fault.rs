//! What goes wrong, and when.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::{Names, yes};
use crate::chance::Chance;
use crate::duration::{Dur, SignedDur};

/// An instant like "4s", or after something happens.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(untagged))]
#[serde(rename_all = "kebab-case")]
pub enum At {
    /// An instant.
    Instant(Dur),
    /// After something.
    After(After),
}

/// After something happens.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct After {
    /// Who does what: "A checks", "n2 becomes leader", "anyone acquires", "leader grants" (whoever plays the role then).
    /// Verbs of workers: acquires, renews, fails to renew, checks, raises, writes, finishes, releases, loses, stops,
    /// restarts, wants, wakes; of stores: accepts, refuses; of servers: campaigns, becomes leader, steps down, grants,
    /// expires, frees, takes over; of sweepers: sees an orphan, re-queues.
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
        #[derive(Clone, Debug, PartialEq, Read)]
        #[cfg_attr(feature = "schema", derive(JsonSchema), schemars(tag = "kind"))]
        #[serde(rename_all = "kebab-case")]
        pub enum Fault {
            $($(#[$doc])* $name($name)),*
        }
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Read)]
            #[cfg_attr(feature = "schema", derive(JsonSchema))]
            #[serde(deny_unknown_fields)]
            pub struct $name {
                /// Its name, by which it is found on the page and in `--set fault.ID.for=8s`.
                pub id: String,
                /// When it strikes.
                pub at: At,
                /// For how long (default: to the end; a wall step and a promotion are instants).
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
    /// An operator cuts a host's power (STONITH): all its processes die, and nothing answers for them.
    PowerOff {
        /// Which host, or a process on it.
        on: String,
    }
    /// An operator makes a replica the primary, at an instant. With `lock.kind = "redis-replicated"`.
    Promote {
        /// Which server.
        on: String,
    }
    /// An operator turns a store's fence off; it is on again when the time is over, or when the store starts again.
    FenceOff {
        /// Which store: a `fenced-row`, `dynamodb`, or `sql` that claims by the fence.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Read)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Manner {
    /// Not at all.
    Silent,
    /// The sender is told at once.
    Refused,
}
