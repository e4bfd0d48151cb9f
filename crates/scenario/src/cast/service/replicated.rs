//! Services that a replicated log keeps, but etcd.

use std::rc::Rc;

use kernel::{ProcessId, Span};
use locks::chubby::{self, Chubby};
use locks::consul::{self, Consul};
use locks::felix::{Broker, Consistency};
use locks::hazelcast::Hazelcast;
use locks::raft_lock::RaftLock;
use locks::replicated::MemberConfig;
use locks::zookeeper::{self, ZooKeeper};
use locks::{AnyReplica, ClientKind};

use super::{leader, reads, server};
use crate::actors::Actor;
use document::model;

/// How the log is kept, and who leads when the play begins.
struct Log<'a> {
    nodes: &'a [String],
    leader: Option<&'a str>,
    term: u64,
    heartbeat: Span,
    election_timeout: Span,
    reads: model::Reads,
}

/// The log of a kind whose section of the document says what all of them say; leaders are numbered in its `$term`.
macro_rules! log {
    ($kind:ident, $term:ident, $reads:expr) => {
        Log {
            nodes: &$kind.nodes,
            leader: $kind.leader.as_deref(),
            term: $kind.$term,
            heartbeat: $kind.heartbeat.0,
            election_timeout: $kind.election_timeout.0,
            reads: $reads,
        }
    };
}

/// No play is so long that this matters, but for those that are made to.
const SNAPSHOT_EVERY: u64 = 10_000;

fn member(log: &Log<'_>, members: &Rc<[ProcessId]>, me: ProcessId, service: AnyReplica) -> Actor {
    let Log { nodes, term, heartbeat, election_timeout, .. } = *log;
    let ticks = (election_timeout.as_micros() / heartbeat.as_micros().max(1)).max(1);
    let election = raft::ElectionTimeout::ticks(heartbeat, ticks);
    let mut raft = raft::Config::new(me, members.clone(), heartbeat, election);
    raft.reads = reads(log.reads, heartbeat, election_timeout);
    let leader = leader(log.leader, nodes, members).map(|leader| (leader, term));
    server(locks::ServerConfig::Member(Rc::new(MemberConfig {
        raft,
        service,
        leader,
        snapshot_every: SNAPSHOT_EVERY,
    })))
}

pub(super) fn consul(consul: &model::Consul, members: &Rc<[ProcessId]>, me: ProcessId) -> Actor {
    let token = match consul.token {
        model::ConsulToken::LockIndex => consul::Index::Lock,
        model::ConsulToken::ModifyIndex => consul::Index::Modify,
    };
    let log = log!(consul, term, model::Reads::ReadIndex);
    member(&log, members, me, AnyReplica::Consul(Consul::new(token)))
}

pub(super) fn consul_client(consul: &model::Consul) -> ClientKind {
    let behavior = match consul.behavior {
        model::Behavior::Release => consul::Behavior::Release,
        model::Behavior::Delete => consul::Behavior::Delete,
    };
    ClientKind::Consul(consul::Recipe::new(behavior, consul.lock_delay.0))
}

pub(super) fn hazelcast(group: &model::Hazelcast, members: &Rc<[ProcessId]>, me: ProcessId) -> Actor {
    let log = log!(group, term, model::Reads::ReadIndex);
    let service = Hazelcast::new(group.ttl.0, group.session_heartbeat.0);
    member(&log, members, me, AnyReplica::Hazelcast(service))
}

pub(super) fn chubby(cell: &model::Chubby, members: &Rc<[ProcessId]>, me: ProcessId) -> Actor {
    // The master's own lease.
    let log = log!(cell, epoch, model::Reads::Lease);
    let config = chubby::Config { ttl: cell.ttl.0, answer_before: cell.answers_before().0 };
    member(&log, members, me, AnyReplica::Chubby(Chubby::new(config)))
}

pub(super) fn chubby_client(cell: &model::Chubby) -> ClientKind {
    ClientKind::Chubby(chubby::Recipe::new(cell.lock_delay.0, cell.grace.0))
}

fn number(zookeeper: &model::Zookeeper) -> zookeeper::Number {
    match zookeeper.token {
        model::ZookeeperToken::Czxid => zookeeper::Number::Czxid,
        model::ZookeeperToken::Sequence => zookeeper::Number::Sequence,
    }
}

pub(super) fn zookeeper(zookeeper: &model::Zookeeper, members: &Rc<[ProcessId]>, me: ProcessId) -> Actor {
    let log = log!(zookeeper, epoch, model::Reads::ReadIndex);
    let service = ZooKeeper::new(zookeeper.tick.0, number(zookeeper), (zookeeper.epoch, 0));
    member(&log, members, me, AnyReplica::ZooKeeper(service))
}

pub(super) fn zookeeper_client(zookeeper: &model::Zookeeper) -> ClientKind {
    ClientKind::ZooKeeper(zookeeper::Recipe::new(number(zookeeper)))
}

pub(super) fn raft_lock(raft: &model::RaftLock, members: &Rc<[ProcessId]>, me: ProcessId) -> Actor {
    let log = log!(raft, term, raft.reads);
    member(&log, members, me, AnyReplica::Raft(RaftLock::default()))
}

pub(super) fn felix(felix: &model::Felix, members: &Rc<[ProcessId]>, me: ProcessId) -> Actor {
    let (consistency, reads) = match felix.consistency {
        model::Consistency::Memory => return super::single::felix_in_memory(),
        model::Consistency::Leader => (Consistency::Leader { lag: felix.lag.0 }, model::Reads::Lease),
        model::Consistency::Quorum if felix.lease_free_reads => {
            (Consistency::Quorum, model::Reads::ReadIndex)
        }
        model::Consistency::Quorum => (Consistency::Quorum, model::Reads::Lease),
    };
    let log = log!(felix, term, reads);
    member(&log, members, me, AnyReplica::Felix(Broker::new(consistency)))
}
