//! What an event of a play can be.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

/// What happened, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A worker learns that it holds the lock.
    Acquired,
    /// A worker takes the lock for its own that nobody has granted it.
    NotGranted,
    /// A lease is renewed.
    Renewed,
    /// A renewal is not confirmed.
    RenewalFailed,
    /// A holder begins to renew late, and counts its time for that from then.
    RenewsLate,
    /// A lease runs out at the service.
    Expired,
    /// A holder gives its lock back.
    Released,
    /// A grant is replaced: somebody else has taken over.
    Replaced,
    /// A holder's connection is closed, and its lock with it.
    Disconnected,
    /// The service no longer knows a grant.
    Forgotten,
    /// A holder that was in jeopardy still holds.
    Safe,
    /// A holder no longer believes that it holds.
    LetGo,
    /// Somebody who waited is told that the lock may be free.
    Woken,
    /// A server begins to lead.
    Leader,
    /// A server no longer leads.
    LeaderLost,
    /// A worker claims the row, and raises the fence where there is one.
    FenceRaised,
    /// A write is accepted.
    Wrote,
    /// A stale write is accepted.
    AcceptedStale,
    /// Something is written again that had been before.
    Repeated,
    /// A write is refused.
    Refused,
    /// A repeat is answered with the stored result.
    Replayed,
    /// A writer is to try again.
    PutOff,
    /// A transaction locks the row.
    RowLocked,
    /// A transaction waits for the row.
    RowAwaited,
    /// A transaction is rolled back.
    RolledBack,
    /// A new writer finishes an entry of the one before it.
    Recovered,
    /// A storage node takes an entry of an older epoch, and is no majority.
    TookAlone,
    /// Somebody reads what is older than what was acknowledged.
    StaleRead,
    /// The work is marked as done.
    FinishedWork,
    /// A holder checks its stop time.
    Checked,
    /// A worker stops its work.
    Stopped,
    /// A worker begins again.
    Restarts,
    /// A worker holds back what it would have done.
    HeldBack,
    /// A sweeper sees an orphan for the first time.
    OrphanSeen,
    /// A sweeper gives an orphan back to the workers.
    ReQueued,
    /// A process is paused.
    Paused,
    /// A host is suspended.
    Suspended,
    /// What was paused or suspended runs again.
    Woke,
    /// A process dies.
    Crashed,
    /// A host is powered off.
    PoweredOff,
    /// A process starts again.
    Started,
    /// A wall clock is stepped.
    WallStep,
    /// An operator promotes a server.
    Promoted,
    /// An operator restores a backup.
    Restored,
    /// An operator turns a fence off.
    FenceOff,
    /// Another fault begins.
    Fault,
    /// A fault is over.
    FaultOver,
    /// A fault strikes nobody.
    FaultMissed,
}

impl EventKind {
    /// Its name in a document and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Acquired => "acquired",
            Self::NotGranted => "not-granted",
            Self::Renewed => "renewed",
            Self::RenewalFailed => "renewal-failed",
            Self::RenewsLate => "renews-late",
            Self::Expired => "expired",
            Self::Released => "released",
            Self::Replaced => "replaced",
            Self::Disconnected => "disconnected",
            Self::Forgotten => "forgotten",
            Self::Safe => "safe",
            Self::LetGo => "let-go",
            Self::Woken => "woken",
            Self::Leader => "leader",
            Self::LeaderLost => "leader-lost",
            Self::FenceRaised => "fence-raised",
            Self::Wrote => "wrote",
            Self::AcceptedStale => "accepted-stale",
            Self::Repeated => "repeated",
            Self::Refused => "refused",
            Self::Replayed => "replayed",
            Self::PutOff => "put-off",
            Self::RowLocked => "row-locked",
            Self::RowAwaited => "row-awaited",
            Self::RolledBack => "rolled-back",
            Self::Recovered => "recovered",
            Self::TookAlone => "took-alone",
            Self::StaleRead => "stale-read",
            Self::FinishedWork => "finished-work",
            Self::Checked => "checked",
            Self::Stopped => "stopped",
            Self::Restarts => "restarts",
            Self::HeldBack => "held-back",
            Self::OrphanSeen => "orphan-seen",
            Self::ReQueued => "re-queued",
            Self::Paused => "paused",
            Self::Suspended => "suspended",
            Self::Woke => "woke",
            Self::Crashed => "crashed",
            Self::PoweredOff => "powered-off",
            Self::Started => "started",
            Self::WallStep => "wall-step",
            Self::Promoted => "promoted",
            Self::Restored => "restored",
            Self::FenceOff => "fence-off",
            Self::Fault => "fault",
            Self::FaultOver => "fault-over",
            Self::FaultMissed => "fault-missed",
        }
    }
}
