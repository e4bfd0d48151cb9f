//! The lock service: its servers, and its clients' configuration.

mod etcd;
mod replicated;
mod single;

use std::rc::Rc;

use kernel::{ProcessId, Span};
use locks::{
    ClientConfig, ClientKind, Policy, Question, Wait, claim, dynamodb_lock_client, handover, kubernetes,
    majority, no_lock, postgres_advisory, redlock,
};

use super::{Cast, Group};
use crate::actors::{Actor, Bystander};
use document::model::{Lock, Reads};

/// What is the same for all servers and clients.
pub(super) struct Service<'a> {
    lock: &'a Lock,
    members: Rc<[ProcessId]>,
    /// The workers, in order: each has a server beside it, where that matters.
    beside: Vec<ProcessId>,
}

/// How many servers must have a grant for it to be one.
pub(super) fn copies(lock: &Lock) -> usize {
    match lock {
        Lock::Redlock(_) | Lock::Handover(_) => majority(lock.nodes().len()),
        Lock::Etcd(_)
        | Lock::Zookeeper(_)
        | Lock::Consul(_)
        | Lock::Hazelcast(_)
        | Lock::Chubby(_)
        | Lock::Raft(_)
        | Lock::Redis(_)
        | Lock::RedisReplicated(_)
        | Lock::PostgresAdvisory(_)
        | Lock::PostgresRow(_)
        | Lock::DynamodbItem(_)
        | Lock::DynamodbLockClient(_)
        | Lock::Kubernetes(_)
        | Lock::Felix(_)
        | Lock::Lab(_)
        | Lock::None(_) => 1,
    }
}

impl<'a> Service<'a> {
    pub(super) fn new(lock: &'a Lock, cast: &Cast) -> Self {
        let of = |group| cast.group(group).map(|member| member.process);
        Self { lock, members: of(Group::LockService).collect(), beside: of(Group::Workers).collect() }
    }

    pub(super) fn members(&self) -> Rc<[ProcessId]> {
        self.members.clone()
    }

    pub(super) fn ttl(&self) -> Span {
        self.lock.ttl().0
    }

    pub(super) fn server(&self, me: ProcessId) -> Actor {
        match self.lock {
            Lock::Etcd(etcd) => etcd::member(etcd, &self.members, me),
            Lock::Zookeeper(zookeeper) => replicated::zookeeper(zookeeper, &self.members, me),
            Lock::Consul(consul) => replicated::consul(consul, &self.members, me),
            Lock::Hazelcast(group) => replicated::hazelcast(group, &self.members, me),
            Lock::Chubby(cell) => replicated::chubby(cell, &self.members, me),
            Lock::Raft(raft) => replicated::raft_lock(raft, &self.members, me),
            Lock::Redis(redis) => single::redis(redis),
            Lock::RedisReplicated(redis) => single::redis_replicated(redis, &self.members, me),
            Lock::Redlock(redlock) => single::redlock(redlock),
            Lock::PostgresAdvisory(locks) => single::postgres_advisory(locks),
            Lock::PostgresRow(row) => single::postgres_row(row),
            Lock::DynamodbItem(item) => single::dynamodb_item(item),
            Lock::DynamodbLockClient(_) => single::dynamodb_lock_client(),
            Lock::Kubernetes(lease) => single::kubernetes(lease),
            Lock::Felix(felix) => replicated::felix(felix, &self.members, me),
            Lock::Handover(handover) => single::handover(handover),
            Lock::Lab(lab) => single::lab(lab),
            Lock::None(_) => unreachable!("there is no server where there is no service"),
        }
    }

    fn kind(&self) -> ClientKind {
        match self.lock {
            Lock::Etcd(etcd) => ClientKind::Etcd(locks::etcd::Recipe::new(etcd.recheck)),
            Lock::Zookeeper(zookeeper) => replicated::zookeeper_client(zookeeper),
            Lock::Consul(consul) => replicated::consul_client(consul),
            Lock::Hazelcast(_) => ClientKind::Hazelcast(locks::hazelcast::Recipe::default()),
            Lock::Chubby(cell) => replicated::chubby_client(cell),
            Lock::Raft(_)
            | Lock::Redis(_)
            | Lock::RedisReplicated(_)
            | Lock::PostgresRow(_)
            | Lock::DynamodbItem(_)
            | Lock::Lab(_) => ClientKind::Claim(claim::Recipe::default()),
            Lock::Redlock(redlock) => {
                let drift =
                    redlock.drift.map_or_else(|| redlock::usual_drift(redlock.ttl.0), |drift| drift.0);
                ClientKind::Redlock(redlock::Recipe::new(self.members.len(), drift))
            }
            Lock::Felix(_) => ClientKind::Felix(locks::felix::Recipe::default()),
            Lock::Handover(handover) => {
                let wait = handover.wait.map_or(handover.ttl.0 + Span::from_secs(5), |wait| wait.0);
                ClientKind::Handover(handover::Recipe::new(self.members.len(), wait))
            }
            Lock::DynamodbLockClient(_) => ClientKind::Record(dynamodb_lock_client::client()),
            Lock::Kubernetes(_) => ClientKind::Record(kubernetes::client()),
            Lock::PostgresAdvisory(_) => ClientKind::Advisory(postgres_advisory::Recipe::default()),
            Lock::None(_) => ClientKind::NoLock(no_lock::Recipe),
        }
    }

    /// A client of it, in this process and for this lock.
    pub(super) fn client(&self, me: ProcessId, lock: locks::Key, policy: Policy) -> Rc<ClientConfig> {
        Rc::new(ClientConfig { me, servers: self.servers_of(me), lock, policy, kind: self.kind() })
    }

    /// The servers that a client asks: all of them, or the one beside it.
    fn servers_of(&self, me: ProcessId) -> Rc<[ProcessId]> {
        match self.beside.iter().position(|worker| *worker == me) {
            Some(place) if matches!(self.lock, Lock::Raft(_)) => {
                [self.members[place % self.members.len()]].into()
            }
            Some(_) | None => self.members(),
        }
    }

    /// How somebody asks who does not want a lock.
    pub(super) fn question(&self, lock: &locks::Key, in_line: bool) -> Question {
        match self.lock {
            Lock::Etcd(_) => Question::etcd(lock, in_line),
            Lock::Zookeeper(_) => Question::zookeeper(lock),
            Lock::Consul(_) => Question::consul(lock),
            Lock::Felix(_) => Question::felix(lock),
            Lock::Hazelcast(_) => Question::hazelcast(lock),
            Lock::Chubby(_) => Question::chubby(lock),
            Lock::Handover(_) => Question::handover(lock),
            Lock::PostgresAdvisory(_) => Question::advisory(lock),
            Lock::Raft(_)
            | Lock::Redis(_)
            | Lock::RedisReplicated(_)
            | Lock::Redlock(_)
            | Lock::PostgresRow(_)
            | Lock::DynamodbItem(_)
            | Lock::Lab(_)
            | Lock::None(_) => Question::claim(lock),
            Lock::DynamodbLockClient(_) | Lock::Kubernetes(_) => Question::record(lock),
        }
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
        let mut times: Vec<Span> = self.lock.other_writes().iter().map(|at| at.0).collect();
        kernel::order::by_key(&mut times, |at| *at);
        Actor::Bystander(Bystander::new(config, times.into()))
    }
}

/// The leader that the play begins with: the first, if nothing is said.
fn leader(named: Option<&str>, nodes: &[String], members: &[ProcessId]) -> Option<ProcessId> {
    let name = match named {
        Some("none") => return None,
        Some(name) => name,
        None => nodes.first()?,
    };
    let place = nodes.iter().position(|node| node == name)?;
    Some(members[place])
}

/// How a log's reads are made safe.
fn reads(reads: Reads, heartbeat: Span, election_timeout: Span) -> raft::Reads {
    match reads {
        Reads::ReadIndex => raft::Reads::ReadIndex,
        Reads::Lease => raft::Reads::Lease { span: election_timeout.less(heartbeat) },
        Reads::CheckQuorum => raft::Reads::CheckQuorum,
    }
}

fn server(config: locks::ServerConfig) -> Actor {
    // What the machine is before it starts does not matter: it is started before anything else.
    let rng = kernel::Rng::new(kernel::Stream::new(0, 0, 0));
    Actor::Lock(config.start(&locks::Disk::Empty, kernel::Start::First, rng), config)
}
