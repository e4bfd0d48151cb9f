//! The lock service's members and its clients' configuration.

use std::rc::Rc;

use kernel::{ProcessId, Span};
use locks::{ClientConfig, ClientKind, Policy, Wait, etcd};

use super::{Cast, Group};
use crate::actors::Bystander;
use crate::story::Actor;
use document::model::{Etcd, Reads};

/// etcd's defaults, with their source: `server/embed/config.go`, `server/lease/lessor.go`.
mod defaults {
    use kernel::Span;

    pub(super) const HEARTBEAT: Span = Span::from_millis(100);
    pub(super) const ELECTION_TIMEOUT: Span = Span::from_secs(1);
    pub(super) const EXPIRY_CHECK: Span = Span::from_millis(500);
    /// A lease's end is proposed once more after the request timeout: 5 s and two election timeouts.
    pub(super) const REQUEST_TIMEOUT: Span = Span::from_secs(5);
    pub(super) const SECOND: Span = Span::from_secs(1);
}

/// What is the same for all members and clients.
pub(super) struct Service<'a> {
    etcd: &'a Etcd,
    members: Rc<[ProcessId]>,
    election_timeout: Span,
    heartbeat: Span,
}

impl<'a> Service<'a> {
    pub(super) fn new(etcd: &'a Etcd, cast: &Cast) -> Self {
        Self {
            etcd,
            members: cast.group(Group::LockService).map(|member| member.process).collect(),
            election_timeout: etcd.election_timeout.map_or(defaults::ELECTION_TIMEOUT, |span| span.0),
            heartbeat: etcd.heartbeat.map_or(defaults::HEARTBEAT, |span| span.0),
        }
    }

    pub(super) fn members(&self) -> Rc<[ProcessId]> {
        self.members.clone()
    }

    pub(super) fn ttl(&self) -> Span {
        self.etcd.ttl.0
    }

    /// The leader that the play begins with.
    fn leader(&self) -> Option<ProcessId> {
        let name = match self.etcd.leader.as_deref() {
            Some("none") => return None,
            Some(name) => name,
            None => self.etcd.nodes.first()?,
        };
        let place = self.etcd.nodes.iter().position(|node| node == name)?;
        Some(self.members[place])
    }

    pub(super) fn server(&self, me: ProcessId) -> Actor {
        let etcd = self.etcd;
        let (heartbeat, election_timeout) = (self.heartbeat, self.election_timeout);
        // A member waits for one to nearly two election timeouts, drawn in ticks of the heartbeat interval.
        let ticks = (election_timeout.as_micros() / heartbeat.as_micros().max(1)).max(1);
        let election = raft::ElectionTimeout::ticks(heartbeat, ticks);
        let mut raft = raft::Config::new(me, self.members.clone(), heartbeat, election);
        raft.pre_vote = etcd.pre_vote;
        raft.check_quorum = etcd.check_quorum;
        raft.reads = match etcd.reads {
            Reads::ReadIndex => raft::Reads::ReadIndex,
            Reads::Lease => raft::Reads::Lease { span: election_timeout.less(heartbeat) },
            Reads::CheckQuorum => raft::Reads::CheckQuorum,
        };
        let leases = etcd::LeaseTimes {
            expiry_every: etcd.expiry_check.map_or(defaults::EXPIRY_CHECK, |span| span.0),
            promote_extend: etcd.promote_extend.map_or(election_timeout, |span| span.0),
            min_ttl: etcd.min_ttl.map_or_else(
                || Span::from_micros(election_timeout.as_micros() * 3 / 2).rounded_up_to(defaults::SECOND),
                |span| span.0,
            ),
            checkpoints: etcd.checkpoint.as_ref().map(|checkpoint| etcd::Checkpoints {
                every: checkpoint.every.0,
                unit: checkpoint.unit.map_or(defaults::SECOND, |span| span.0),
            }),
            revoke_retry: defaults::REQUEST_TIMEOUT + election_timeout.times(2),
        };
        let opening = etcd::Opening {
            revision: etcd.revision,
            leader: self.leader().map(|leader| (leader, etcd.term)),
        };
        let config =
            Rc::new(etcd::ServerConfig { raft, leases, opening, snapshot_every: etcd.snapshot_every });
        // What the machine is before it starts does not matter: it is started before anything else.
        let rng = kernel::Rng::new(kernel::Stream::new(0, 0, 0));
        let config = locks::ServerConfig::Etcd(config);
        Actor::Lock(config.start(&locks::Disk::Empty, kernel::Start::First, rng), config)
    }

    /// A client of it, in this process and for this lock.
    pub(super) fn client(&self, me: ProcessId, lock: locks::Key, policy: Policy) -> Rc<ClientConfig> {
        let kind = ClientKind::Etcd(etcd::Recipe::default());
        Rc::new(ClientConfig { me, servers: self.members(), lock, policy, kind })
    }

    pub(super) fn bystander(&self, me: ProcessId) -> Actor {
        let policy = Policy {
            ttl: self.ttl(),
            margin: Span::ZERO,
            renew_every: self.ttl(),
            timeout: Span::from_secs(1),
            retry: Span::from_millis(500),
            anchor: locks::Anchor::Sent,
            clock: locks::HolderClock::Monotonic,
            give_up: locks::GiveUp::StopTime,
            wait: Wait::Queue,
        };
        let config = self.client(me, "of-others".into(), policy);
        let mut times: Vec<Span> = self.etcd.other_writes.iter().map(|at| at.0).collect();
        times.sort();
        Actor::Bystander(Bystander::new(config, times.into()))
    }
}
