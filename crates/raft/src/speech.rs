//! What a Raft part speaks, given what its state machine understands.

use std::fmt::Debug;
use std::marker::PhantomData;

use kernel::{Dialect, Topic};

use crate::{Disk, Message, Note, Timer, Write};

/// The state machine above the log, as far as Raft needs to know it.
pub trait App: Clone + Debug + 'static {
    /// What is proposed, replicated and applied.
    type Command: Clone + Debug;
    /// All that the commands applied so far amount to.
    type Snapshot: Clone + Debug;
}

/// The dialect of a Raft part whose state machine is `A`.
#[derive(Clone, Debug)]
pub struct Speech<A>(PhantomData<A>);

impl<A: App> Dialect for Speech<A> {
    type Msg = Message<A>;
    type Timer = Timer;
    type Write = Write<A>;
    type Disk = Disk<A>;
    type Note = Note;
    type Role = ();

    fn topic(note: &Note) -> Option<Topic> {
        note.topic()
    }
}
