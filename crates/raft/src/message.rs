//! What the servers of a cluster say to each other.

use std::rc::Rc;

use kernel::ProcessId;

use crate::{App, Entry, LogId, Snapshot};

/// A message. Those about leadership carry the sender's term; a request that is passed on to the leader does not,
/// so that it disturbs nobody.
///
/// 32 bytes: what is larger is shared, so that heartbeats stay cheap to carry.
#[derive(Clone, Debug)]
pub enum Message<A: App> {
    /// Would you vote for me? (thesis, section 9.6)
    PreVote {
        /// The term that the sender would campaign in; it is not there yet.
        term: u64,
        /// The last entry of its log.
        last: LogId,
    },
    /// The answer to a [`Message::PreVote`].
    PreVoteAnswer {
        /// The term asked about when granted, the voter's own when not.
        term: u64,
        /// Whether it would.
        granted: bool,
    },
    /// Vote for me (RequestVote).
    Vote {
        /// The candidate's term.
        term: u64,
        /// The last entry of its log.
        last: LogId,
        /// The leader itself asked for this campaign, so its protection does not count (thesis, section 4.2.3).
        forced: bool,
    },
    /// The answer to a [`Message::Vote`].
    VoteAnswer {
        /// The voter's term.
        term: u64,
        /// Whether the vote is the candidate's.
        granted: bool,
    },
    /// Entries and the commit index (AppendEntries).
    Append {
        /// The leader's term.
        term: u64,
        /// The rest; servers at the same place share it.
        append: Rc<Append<A>>,
    },
    /// The log holds what was sent, on disk.
    Accepted {
        /// The follower's term.
        term: u64,
        /// Up to and including this entry, its log is the leader's.
        through: u64,
    },
    /// The log does not hold the entry before those that were sent.
    Rejected {
        /// The follower's term.
        term: u64,
        /// What it holds.
        rejection: Rc<Rejection>,
    },
    /// I still lead.
    Heartbeat {
        /// The leader's term.
        term: u64,
        /// What is committed, as far as this follower is known to hold it (etcd: `min(match, committed)`).
        commit: u64,
        /// The leader's count of rounds of heartbeats in its term.
        round: u64,
    },
    /// The answer to a [`Message::Heartbeat`].
    HeartbeatAnswer {
        /// The follower's term.
        term: u64,
        /// The round that it answers.
        round: u64,
    },
    /// The state machine in place of entries that are compacted away (InstallSnapshot).
    Snapshot {
        /// The leader's term.
        term: u64,
        /// The snapshot.
        snapshot: Rc<Snapshot<A>>,
    },
    /// Campaign at once: I step back for you (thesis, section 3.10).
    TimeoutNow {
        /// The leader's term.
        term: u64,
    },
    /// You speak for a term that is over.
    Outdated {
        /// The sender's term.
        term: u64,
    },
    /// A command that a follower passes on to the leader (etcd: `MsgProp`).
    Propose(Rc<A::Command>),
    /// A read that a follower passes on to the leader (etcd: `MsgReadIndex`).
    Read {
        /// Which life of the sender asks: a crash makes it forget what it asked.
        life: u64,
        /// The sender's word for the read.
        ctx: u64,
    },
    /// The answer to a [`Message::Read`].
    ReadAnswer {
        /// As asked.
        life: u64,
        /// As asked.
        ctx: u64,
        /// The read can be served once this entry is applied.
        index: u64,
    },
    /// Somebody asked a follower to have leadership moved (etcd: `MsgTransferLeader`).
    Transfer {
        /// To whom.
        to: ProcessId,
    },
}

/// What an append carries beside its term.
#[derive(Clone, Debug)]
pub struct Append<A: App> {
    /// The leader's count of appends in its term.
    pub number: u64,
    /// The entry before those that are sent.
    pub prev: LogId,
    /// What the leader has committed.
    pub commit: u64,
    /// The entries; none when there is only the commit index to tell.
    pub entries: Rc<[Entry<A>]>,
}

/// What a follower that rejects an append tells of its log, so that the leader need not try entry by entry (Raft
/// paper, end of section 5.3; etcd: `RejectHint`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The number of the append that it answers.
    pub number: u64,
    /// The index of the entry that it does not hold.
    pub rejected: u64,
    /// The last entry where the logs can agree, as far as the follower can tell; term 0 when it cannot.
    pub hint: LogId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug)]
    struct Large;
    impl App for Large {
        type Command = [u64; 100];
        type Snapshot = [u64; 100];
    }

    #[test]
    fn a_message_is_small_whatever_it_carries() {
        assert_eq!(size_of::<Message<Large>>(), 32);
        assert_eq!(size_of::<Option<Message<Large>>>(), 32, "and leaves room for a caller's tag");
    }
}
