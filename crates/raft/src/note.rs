//! What a server tells the audience.

use kernel::{ProcessId, Topic};

use crate::LogId;

/// What a timeline tells of a server: changes of part, never one for each heartbeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// It asks for votes.
    Campaigns {
        /// In which term, or for a pre-vote, in which it would.
        term: u64,
        /// Whether it only asks if it could win.
        pre: bool,
    },
    /// It gave its vote.
    Voted {
        /// In which term.
        term: u64,
        /// To whom.
        candidate: ProcessId,
    },
    /// It won.
    BecameLeader {
        /// Which term.
        term: u64,
    },
    /// It follows: a leader, or for now nobody.
    BecameFollower {
        /// In which term.
        term: u64,
        /// Whom.
        leader: Option<ProcessId>,
    },
    /// It led, and leads no more.
    SteppedDown {
        /// The term that it led.
        term: u64,
        /// Why.
        why: StepDown,
    },
    /// It, the leader, begins to make way.
    TransferBegan {
        /// For whom.
        to: ProcessId,
    },
    /// Nobody took over within an election timeout: it goes on leading.
    TransferAborted {
        /// Who did not.
        to: ProcessId,
    },
    /// It, the leader, sent its snapshot in place of entries that are compacted away.
    SentSnapshot {
        /// To whom.
        to: ProcessId,
        /// The last entry in it.
        last: LogId,
    },
    /// It put the leader's snapshot in place of its log.
    InstalledSnapshot {
        /// The last entry in it.
        last: LogId,
    },
    /// It found that its disk does not hold what it had promised to keep, and stopped.
    Halted(Halt),
}

/// Why a leader stepped down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepDown {
    /// It heard of a higher term.
    HigherTerm {
        /// Which.
        term: u64,
    },
    /// No majority answered for an election timeout.
    LostQuorum,
}

/// How a server knows that its disk has lost something. etcd panics in these places, and again at each restart,
/// until an operator removes the member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The leader says that more is committed here than the log holds.
    CommitBeyondLog {
        /// What the leader says.
        commit: u64,
        /// The last entry that there is.
        last: u64,
    },
    /// The leader has another entry where one is committed.
    CommittedConflict {
        /// Where.
        index: u64,
    },
}

impl Note {
    /// The word by which a fault can wait for this note.
    pub fn topic(&self) -> Option<Topic> {
        Some(Topic(match self {
            Self::Campaigns { pre: true, .. } => "asks for pre-votes",
            Self::Campaigns { pre: false, .. } => "campaigns",
            Self::Voted { .. } => "votes",
            Self::BecameLeader { .. } => "becomes leader",
            Self::BecameFollower { leader: Some(_), .. } => "follows",
            Self::BecameFollower { leader: None, .. } => "waits for a leader",
            Self::SteppedDown { .. } => "steps down",
            Self::TransferBegan { .. } => "transfers",
            Self::TransferAborted { .. } => "aborts a transfer",
            Self::SentSnapshot { .. } => "sends a snapshot",
            Self::InstalledSnapshot { .. } => "installs a snapshot",
            Self::Halted(_) => "halts",
        }))
    }
}
