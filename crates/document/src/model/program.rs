//! What workers do, step by step.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use crate::duration::Dur;

/// One step of a worker's program: a table with one of these keys.
#[derive(Clone, Debug, PartialEq, Read)]
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
    /// Write a plain key of the lock service, which is etcd.
    Put(Put),
    /// Do these steps so many times.
    Repeat(Repeat),
    /// Do these steps until so many items are done, those counted that were done before.
    Items(Items),
}

macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident : $type:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Read)]
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
    /// Write a plain key of the lock service, which is etcd.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CheckWhat {
    /// The holder's own stop time.
    StopTime,
}

/// Visits all steps, those within repetitions after the repetition itself.
pub(crate) fn visit<'s>(steps: &'s [Step], see: &mut impl FnMut(&'s Step)) {
    for step in steps {
        see(step);
        if let Some(within) = within(step) {
            visit(within, see);
        }
    }
}

/// The store that a step claims, writes or marks as done.
pub(crate) fn written(step: &Step) -> Option<&str> {
    match step {
        Step::Raise(step) => Some(&step.raise),
        Step::Write(step) => Some(&step.write),
        Step::Finish(step) => Some(&step.finish),
        Step::Acquire(_)
        | Step::Release(_)
        | Step::Read(_)
        | Step::Take(_)
        | Step::Prepare(_)
        | Step::Until(_)
        | Step::Check(_)
        | Step::Put(_)
        | Step::Repeat(_)
        | Step::Items(_) => None,
    }
}

/// The steps within a step.
pub(crate) fn within(step: &Step) -> Option<&[Step]> {
    match step {
        Step::Repeat(repeat) => Some(&repeat.steps),
        Step::Items(items) => Some(&items.steps),
        Step::Acquire(_)
        | Step::Release(_)
        | Step::Raise(_)
        | Step::Read(_)
        | Step::Take(_)
        | Step::Prepare(_)
        | Step::Until(_)
        | Step::Check(_)
        | Step::Write(_)
        | Step::Finish(_)
        | Step::Put(_) => None,
    }
}
