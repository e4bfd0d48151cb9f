//! What becomes of a request between its arrival and its decision, and how requests stand to each other meanwhile.

use kernel::Span;

/// The course of requests to a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Course {
    /// It is checked, and written so much later without another look: in one step when that is no time at all.
    Gap(Span),
    /// It holds the row's lock for so long, and others wait for that.
    RowLock(Span),
    /// A claim locks the row in a transaction of its asker's connection, which lasts until a finish commits it or the
    /// connection is closed; other claims wait for that.
    Session {
        /// How long it may wait for its next statement; `None`: for ever.
        idle: Option<Span>,
    },
    /// It uses the fence item for so long, and who comes meanwhile is told to try again.
    Exclusive(Span),
    /// It takes so long, and when another finished meanwhile it is told to try again.
    Upload(Span),
    /// It has its effect at once, and is answered so much later.
    Call(Span),
    /// It is produced at once and committed so much later, unless a raise aborts it.
    Transaction(Span),
}
