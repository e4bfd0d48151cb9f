//! What a server of the cluster is told before it starts.

use std::fmt;
use std::rc::Rc;

use kernel::{ProcessId, Rng, Span};

use crate::VOTERS_MAX;

/// How a server is set up. It survives a crash.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which of the peers this server is.
    pub me: ProcessId,
    /// All voters, this server among them, in the same order everywhere.
    pub peers: Rc<[ProcessId]>,
    /// How often a leader sends heartbeats.
    pub heartbeat: Span,
    /// How long a server waits for a leader before it campaigns.
    pub election: ElectionTimeout,
    /// Whether a server asks if it could win before it raises its term (thesis, section 9.6).
    pub pre_vote: bool,
    /// Whether a leader steps down when no majority has answered for an election timeout (thesis, section 6.2), and
    /// whether voters ignore candidates while they hear from a leader (section 4.2.3). One switch, as in etcd.
    pub check_quorum: bool,
    /// How linearizable reads are answered.
    pub reads: Reads,
    /// The most entries that one append carries.
    pub entries_per_append_max: usize,
    /// How many entries a compaction leaves behind the snapshot, so that a follower that is a little slow does
    /// not need the snapshot (etcd: `SnapshotCatchUpEntries`).
    pub entries_kept_behind: u64,
}

/// The election timeout: `min`, `min + step`, ... up to `max`, each as likely, drawn anew at each change of role
/// or term and not at each heartbeat (etcd: `resetRandomizedElectionTimeout`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElectionTimeout {
    /// The shortest. It is also how long voters protect a leader, and how long a leader goes without a majority.
    pub min: Span,
    /// No longer than this.
    pub max: Span,
    /// How far apart two neighbouring values are.
    pub step: Span,
}

/// How a leader makes sure that it still leads when it answers a linearizable read. All of them wait until an
/// entry of the leader's term is committed (thesis, section 6.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// By a round of heartbeats that began after the read: needs no clock (thesis, section 6.4).
    ReadIndex,
    /// By a lease: for `span` after the *sending* of heartbeats that a majority answered, nobody else can have been
    /// elected; without one, by a round as above (thesis, section 6.4.1; TiKV's `raft-store-max-leader-lease`).
    ///
    /// Holds as long as `span`, counted by the leader's monotonic clock, is over before [`ElectionTimeout::min`],
    /// counted by any voter's, and no clock stands still while its host is suspended. Servers set up like this
    /// also vote for nobody for `min` after they start, and a leader that has told another to take over
    /// goes without the lease for the rest of its term.
    Lease {
        /// How long the lease is.
        span: Span,
    },
    /// At once, by whoever believes that it leads, trusting check-quorum to end that belief in time (etcd:
    /// `ReadOnlyLeaseBased`). It can come up to two election timeouts late, even with perfect clocks
    /// (etcd-io/raft issue 166).
    CheckQuorum,
}

/// What is wrong with a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConfigError {
    /// There are no peers, or more than [`VOTERS_MAX`].
    PeerCount(usize),
    /// A peer is listed twice.
    PeerTwice(ProcessId),
    /// This server is not one of the peers.
    NotAPeer(ProcessId),
    /// Heartbeats are not more frequent than the shortest election timeout.
    HeartbeatTooSlow,
    /// The longest election timeout is below the shortest, or there is no step between them.
    ElectionRange,
    /// An append could carry no entry.
    NoEntriesPerAppend,
    /// Reads trust check-quorum, or the protection of the lease, and that is off.
    ReadsNeedCheckQuorum,
    /// A lease can outlast the protection that voters give it, even with perfect clocks.
    LeaseOutlastsElection,
}

impl ElectionTimeout {
    /// Any number of microseconds from `min` to `max`.
    pub const fn uniform(min: Span, max: Span) -> Self {
        Self { min, max, step: Span::from_micros(1) }
    }

    /// A whole number of ticks from `ticks` to twice that less one (etcd: `ElectionTick`).
    pub const fn ticks(tick: Span, ticks: u64) -> Self {
        Self { min: tick.times(ticks), max: tick.times(2 * ticks - 1), step: tick }
    }

    /// One timeout by chance.
    pub fn draw(&self, rng: &mut Rng) -> Span {
        let steps = self.max.less(self.min).as_micros() / self.step.as_micros();
        self.min + self.step.times(rng.below(steps + 1))
    }
}

impl Config {
    /// A server as etcd sets it up since 3.5: pre-vote, check-quorum, ReadIndex.
    pub fn new(
        me: ProcessId,
        peers: impl Into<Rc<[ProcessId]>>,
        heartbeat: Span,
        election: ElectionTimeout,
    ) -> Self {
        Self {
            me,
            peers: peers.into(),
            heartbeat,
            election,
            pre_vote: true,
            check_quorum: true,
            reads: Reads::ReadIndex,
            entries_per_append_max: 64,
            entries_kept_behind: 16,
        }
    }

    /// Whether the protocol keeps its promises when set up like this. [`Raft::start`](crate::Raft::start) insists
    /// on the errors of shape alone, so that a broken promise can be shown.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_shape()?;
        if self.heartbeat >= self.election.min {
            return Err(ConfigError::HeartbeatTooSlow);
        }
        match self.reads {
            Reads::ReadIndex => Ok(()),
            Reads::Lease { .. } | Reads::CheckQuorum if !self.check_quorum => {
                Err(ConfigError::ReadsNeedCheckQuorum)
            }
            Reads::Lease { span } if span >= self.election.min => Err(ConfigError::LeaseOutlastsElection),
            Reads::Lease { .. } | Reads::CheckQuorum => Ok(()),
        }
    }

    pub(crate) fn check_shape(&self) -> Result<(), ConfigError> {
        if self.peers.is_empty() || self.peers.len() > VOTERS_MAX {
            return Err(ConfigError::PeerCount(self.peers.len()));
        }
        for (position, &peer) in self.peers.iter().enumerate() {
            if self.peers[..position].contains(&peer) {
                return Err(ConfigError::PeerTwice(peer));
            }
        }
        if self.position(self.me).is_none() {
            return Err(ConfigError::NotAPeer(self.me));
        }
        if self.election.max < self.election.min || self.election.step == Span::ZERO {
            return Err(ConfigError::ElectionRange);
        }
        if self.entries_per_append_max == 0 {
            return Err(ConfigError::NoEntriesPerAppend);
        }
        Ok(())
    }

    /// A peer's place among the peers.
    pub fn position(&self, peer: ProcessId) -> Option<usize> {
        self.peers.iter().position(|&other| other == peer)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PeerCount(count) => write!(f, "{count} peers; a cluster has 1 to {VOTERS_MAX}"),
            Self::PeerTwice(peer) => write!(f, "process {} is listed twice among the peers", peer.0),
            Self::NotAPeer(me) => write!(f, "process {} is not among its own peers", me.0),
            Self::HeartbeatTooSlow => {
                write!(f, "heartbeats come no sooner than the shortest election timeout")
            }
            Self::ElectionRange => write!(f, "the election timeouts leave nothing to draw from"),
            Self::NoEntriesPerAppend => write!(f, "an append must be able to carry an entry"),
            Self::ReadsNeedCheckQuorum => write!(f, "reads without a round of heartbeats need check-quorum"),
            Self::LeaseOutlastsElection => {
                write!(f, "the lease for reads must be over before the shortest election timeout")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use kernel::Stream;

    use super::*;

    fn config() -> Config {
        let election = ElectionTimeout::uniform(Span::from_millis(100), Span::from_millis(200));
        let peers = [ProcessId(3), ProcessId(4), ProcessId(5)];
        Config::new(ProcessId(4), peers, Span::from_millis(20), election)
    }

    #[test]
    fn a_plain_configuration_is_sound_and_each_error_is_named() {
        type Edit = fn(&mut Config);
        let cases: [(Edit, Result<(), ConfigError>); 11] = [
            (|_| (), Ok(())),
            (|c| c.peers = [].into(), Err(ConfigError::PeerCount(0))),
            (|c| c.peers = (0..17).map(ProcessId).collect(), Err(ConfigError::PeerCount(17))),
            (|c| c.peers = [ProcessId(4), ProcessId(4)].into(), Err(ConfigError::PeerTwice(ProcessId(4)))),
            (|c| c.me = ProcessId(6), Err(ConfigError::NotAPeer(ProcessId(6)))),
            (|c| c.heartbeat = c.election.min, Err(ConfigError::HeartbeatTooSlow)),
            (|c| c.election.max = Span::ZERO, Err(ConfigError::ElectionRange)),
            (|c| c.entries_per_append_max = 0, Err(ConfigError::NoEntriesPerAppend)),
            (|c| c.reads = Reads::Lease { span: c.election.min }, Err(ConfigError::LeaseOutlastsElection)),
            (|c| c.reads = Reads::Lease { span: c.heartbeat }, Ok(())),
            (
                |c| (c.reads, c.check_quorum) = (Reads::CheckQuorum, false),
                Err(ConfigError::ReadsNeedCheckQuorum),
            ),
        ];
        for (number, (edit, expected)) in cases.into_iter().enumerate() {
            let mut edited = config();
            edit(&mut edited);
            assert_eq!(edited.check(), expected, "case {number}");
        }
    }

    #[test]
    fn etcd_draws_from_ten_to_nineteen_ticks() {
        let timeout = ElectionTimeout::ticks(Span::from_millis(100), 10);
        let mut rng = Rng::new(Stream::new(1, 2, 3));
        let drawn: std::collections::BTreeSet<Span> = (0..1000).map(|_| timeout.draw(&mut rng)).collect();
        assert!(drawn.into_iter().eq((10..20).map(|ticks| Span::from_millis(100 * ticks))));
    }
}
