//! A node: one process, one journal, one promise.

use kernel::{Dialect, Input, Keep, Outbox, ProcessId};

use super::{Entry, Msg, Note, Reply, Request, Tail};
use crate::{Refusal, Timer};

/// What a node speaks.
#[derive(Clone, Debug)]
pub struct Speech;

impl Dialect for Speech {
    type Msg = crate::Msg;
    type Timer = Timer;
    type Write = Kept;
    type Disk = Option<Kept>;
    type Note = crate::Note;
    type Role = ();
}

/// What a node keeps on its disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// The highest epoch that it has promised.
    pub promised: u32,
    /// The end of its journal.
    pub tail: Tail,
}

impl Keep<Kept> for Option<Kept> {
    fn keep(&mut self, kept: &Kept) {
        *self = Some(*kept);
    }
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct Node {
    kept: Kept,
}

impl Node {
    /// As it comes up with what its disk kept.
    pub fn start(disk: &Option<Kept>) -> Self {
        Self { kept: disk.unwrap_or_default() }
    }

    /// What it has promised, and where its journal ends.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Takes one input.
    pub fn on(&mut self, input: Input<'_, Speech>, out: &mut impl Outbox<Speech>) {
        let Input::Message { from, msg: crate::Msg::Journal(msg) } = input else { return };
        let Msg::Request { call, ask, request } = **msg else { return };
        let reply = match request {
            Request::State => Reply::State { promised: self.kept.promised, tail: self.kept.tail },
            Request::NewEpoch(epoch) => self.promise(epoch, out),
            Request::Recover { epoch, tail } => self.recover(from, ask, epoch, tail, out),
            Request::Append { epoch, txid, op } => {
                self.append(epoch, txid, Entry { writer: from, ask, op }, out)
            }
        };
        out.send(from, Msg::Reply { call, reply });
    }

    fn fenced(&self, epoch: u32) -> Refusal {
        Refusal::Epoch { epoch, promised: self.kept.promised }
    }

    fn promise(&mut self, epoch: u32, out: &mut impl Outbox<Speech>) -> Reply {
        if epoch <= self.kept.promised {
            return Reply::Refused(self.fenced(epoch));
        }
        self.kept.promised = epoch;
        out.persist(self.kept);
        out.note(Note::Promised(epoch));
        Reply::Promised(self.kept.tail)
    }

    fn recover(
        &mut self,
        by: ProcessId,
        ask: u32,
        epoch: u32,
        tail: Tail,
        out: &mut impl Outbox<Speech>,
    ) -> Reply {
        if epoch < self.kept.promised {
            return Reply::Refused(self.fenced(epoch));
        }
        self.kept = Kept { promised: epoch, tail: Tail { epoch, ..tail } };
        out.persist(self.kept);
        out.note(Note::Recovered { by, ask, epoch, tail });
        Reply::Done
    }

    fn append(&mut self, epoch: u32, txid: u32, entry: Entry, out: &mut impl Outbox<Speech>) -> Reply {
        let tail = &mut self.kept.tail;
        let why = if epoch < self.kept.promised {
            self.fenced(epoch)
        } else if tail.epoch == epoch && txid <= tail.txid {
            return Reply::Done; // It comes again: it is there.
        } else if tail.epoch == epoch && txid == tail.txid + 1 {
            tail.row.apply(entry.op);
            (tail.txid, tail.written, tail.last) = (txid, epoch, Some(entry));
            let row = tail.row;
            out.persist(self.kept);
            out.note(Note::Took { epoch, txid, entry, row });
            return Reply::Done;
        } else {
            // What came before it is not here, and comes with the next recovery.
            Refusal::OutOfSync { txid, tail: tail.txid }
        };
        out.note(Note::Refused { entry, why });
        Reply::Refused(why)
    }
}
