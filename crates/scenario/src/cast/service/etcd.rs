//! An etcd cluster.

use std::rc::Rc;

use kernel::ProcessId;
use locks::etcd;

use super::{leader, reads, server};
use crate::actors::Actor;
use document::model::Etcd;

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

/// A member.
pub(super) fn member(etcd: &Etcd, members: &Rc<[ProcessId]>, me: ProcessId) -> Actor {
    let election_timeout = etcd.election_timeout.map_or(defaults::ELECTION_TIMEOUT, |span| span.0);
    let heartbeat = etcd.heartbeat.map_or(defaults::HEARTBEAT, |span| span.0);
    // A member waits for one to nearly two election timeouts, drawn in ticks of the heartbeat interval.
    let ticks = (election_timeout.as_micros() / heartbeat.as_micros().max(1)).max(1);
    let election = raft::ElectionTimeout::ticks(heartbeat, ticks);
    let mut raft = raft::Config::new(me, members.clone(), heartbeat, election);
    raft.pre_vote = etcd.pre_vote;
    raft.check_quorum = etcd.check_quorum;
    raft.reads = reads(etcd.reads, heartbeat, election_timeout);
    let leases = etcd::LeaseTimes {
        expiry_every: etcd.expiry_check.map_or(defaults::EXPIRY_CHECK, |span| span.0),
        promote_extend: etcd.promote_extend.map_or(election_timeout, |span| span.0),
        min_ttl: etcd.least_ttl().0,
        checkpoints: etcd.checkpoint.as_ref().map(|checkpoint| etcd::Checkpoints {
            every: checkpoint.every.0,
            unit: checkpoint.unit.map_or(defaults::SECOND, |span| span.0),
        }),
        revoke_retry: defaults::REQUEST_TIMEOUT + election_timeout.times(2),
    };
    let opening = etcd::Opening {
        revision: etcd.revision,
        leader: leader(etcd.leader.as_deref(), &etcd.nodes, members).map(|leader| (leader, etcd.term)),
    };
    let config = Rc::new(etcd::ServerConfig {
        raft,
        leases,
        opening,
        restore_bump: etcd.restore_bump,
        snapshot_every: etcd.snapshot_every,
    });
    server(locks::ServerConfig::Etcd(config))
}
