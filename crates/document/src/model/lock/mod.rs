//! The lock service: one of several kinds.

mod claims;
mod connections;
mod etcd;
mod felix;
mod keeps;
mod kind;
mod records;
mod sessions;

use derive::Read;
use kernel::Span;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

pub use self::claims::*;
pub use self::connections::*;
pub use self::etcd::*;
pub use self::felix::*;
pub use self::keeps::Keeps;
pub use self::kind::*;
pub use self::records::*;
pub use self::sessions::*;
use crate::duration::Dur;

/// The lock service.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(tag = "kind"))]
#[serde(rename_all = "kebab-case")]
pub enum Lock {
    /// etcd: leases and keys in one replicated log; the token is the key's create revision.
    Etcd(Etcd),
    /// ZooKeeper: sessions, ephemeral sequential nodes, and a watch on the one just ahead.
    Zookeeper(Zookeeper),
    /// Consul: sessions, and keys that nobody gets for a while after a session's end.
    Consul(Consul),
    /// Hazelcast: a FencedLock, whose sessions live in the log and expire by the leader's wall clock.
    Hazelcast(Hazelcast),
    /// Chubby: sessions with a grace period, and locks whose generation is the token; nobody gets one for a while after its
    /// holder's session has expired.
    Chubby(Chubby),
    /// Raft's leadership itself: whoever leads holds, and the term is the token.
    Raft(RaftLock),
    /// Redis: a key with a random value and a deadline on the server's wall clock; no token.
    Redis(Redis),
    /// Redis with replicas that copy it a little later, one of which is promoted when it is gone.
    RedisReplicated(RedisReplicated),
    /// Redlock: the same key on several Redis servers that know nothing of each other; a majority of them holds.
    Redlock(Redlock),
    /// PostgreSQL's advisory locks: bound to a connection, with no lease and no token.
    PostgresAdvisory(PostgresAdvisory),
    /// A row in PostgreSQL with a holder, a deadline on the server's wall clock and a token that it counts.
    PostgresRow(PostgresRow),
    /// An item in DynamoDB with a deadline that each client compares with its own wall clock, and an epoch.
    DynamodbItem(DynamodbItem),
    /// Amazon's DynamoDB Lock Client: a waiter watches the record's version for one lease on its own monotonic clock.
    DynamodbLockClient(DynamodbLockClient),
    /// A Kubernetes Lease, as client-go's leader election uses it: a candidate takes over when it has not seen the
    /// record change for one lease on its own monotonic clock.
    Kubernetes(Kubernetes),
    /// Felix: a cache key with a time to live, written by conditional puts; the token is the log offset of the last one.
    Felix(Felix),
    /// A flag in several copies that says who the single writer is; the next one waits out the lease and a margin.
    Handover(Handover),
    /// A lock in one process: holder, expiry and token under a mutex, with one clock.
    Lab(Lab),
    /// No lock at all: everybody goes on at once. What protects then is the store.
    None(NoLock),
}

/// The same for whatever kind it is.
macro_rules! each {
    ($self:expr, $lock:ident => $what:expr, bound => $bound:expr, none => $nothing:expr) => {
        match $self {
            Lock::Etcd($lock) => $what,
            Lock::Zookeeper($lock) => $what,
            Lock::Consul($lock) => $what,
            Lock::Hazelcast($lock) => $what,
            Lock::Chubby($lock) => $what,
            Lock::Raft($lock) => $what,
            Lock::Redis($lock) => $what,
            Lock::RedisReplicated($lock) => $what,
            Lock::Redlock($lock) => $what,
            Lock::PostgresAdvisory($lock) => $bound,
            Lock::PostgresRow($lock) => $what,
            Lock::DynamodbItem($lock) => $what,
            Lock::DynamodbLockClient($lock) => $what,
            Lock::Kubernetes($lock) => $what,
            Lock::Felix($lock) => $what,
            Lock::Handover($lock) => $what,
            Lock::Lab($lock) => $what,
            Lock::None(NoLock {}) => $nothing,
        }
    };
}

impl Lock {
    /// Its servers' names.
    pub fn nodes(&self) -> &[String] {
        each!(self, lock => &lock.nodes, bound => &lock.nodes, none => &[])
    }
    /// How long a lease is; nothing where there are none.
    pub fn ttl(&self) -> Dur {
        each!(self, lock => lock.ttl, bound => lock.no_ttl(), none => Dur::default())
    }
    /// How long a lease really is: what is asked for, or what the service makes of it.
    pub fn granted_ttl(&self) -> Dur {
        match self {
            Self::Zookeeper(ensemble) => {
                let tick = ensemble.tick.0;
                Dur(ensemble.ttl.0.clamp(tick.times(2), tick.times(20)))
            }
            Self::Etcd(etcd) => etcd.ttl.max(etcd.least_ttl()),
            Self::Consul(_)
            | Self::Hazelcast(_)
            | Self::Chubby(_)
            | Self::Raft(_)
            | Self::Redis(_)
            | Self::RedisReplicated(_)
            | Self::Redlock(_)
            | Self::PostgresAdvisory(_)
            | Self::PostgresRow(_)
            | Self::DynamodbItem(_)
            | Self::DynamodbLockClient(_)
            | Self::Kubernetes(_)
            | Self::Felix(_)
            | Self::Handover(_)
            | Self::Lab(_)
            | Self::None(_) => self.ttl(),
        }
    }
    /// How long a server's disk takes.
    pub fn disk(&self) -> Dur {
        match self {
            Self::Etcd(lock) => lock.disk,
            Self::Zookeeper(lock) => lock.disk,
            Self::Consul(lock) => lock.disk,
            Self::Hazelcast(lock) => lock.disk,
            Self::Chubby(lock) => lock.disk,
            Self::Raft(lock) => lock.disk,
            Self::Redis(lock) => lock.disk,
            Self::RedisReplicated(lock) => lock.disk,
            Self::Redlock(lock) => lock.disk,
            Self::PostgresRow(lock) => lock.disk,
            Self::DynamodbItem(lock) => lock.disk,
            Self::DynamodbLockClient(lock) => lock.disk,
            Self::Kubernetes(lock) => lock.disk,
            Self::Felix(lock) => lock.disk,
            Self::Handover(lock) => lock.disk,
            Self::PostgresAdvisory(_) | Self::Lab(_) | Self::None(_) => Dur::default(),
        }
    }
    /// When other users of the service write a key of theirs.
    pub fn other_writes(&self) -> &[Dur] {
        match self {
            Self::Etcd(etcd) => &etcd.other_writes,
            Self::Zookeeper(_)
            | Self::Consul(_)
            | Self::Hazelcast(_)
            | Self::Chubby(_)
            | Self::Raft(_)
            | Self::Redis(_)
            | Self::RedisReplicated(_)
            | Self::Redlock(_)
            | Self::PostgresAdvisory(_)
            | Self::PostgresRow(_)
            | Self::DynamodbItem(_)
            | Self::DynamodbLockClient(_)
            | Self::Kubernetes(_)
            | Self::Felix(_)
            | Self::Handover(_)
            | Self::Lab(_)
            | Self::None(_) => &[],
        }
    }
    /// Whether it can be asked if the grant with this token is still there.
    pub fn tells_grants(&self) -> bool {
        matches!(self, Self::Etcd(_) | Self::Zookeeper(_) | Self::Consul(_) | Self::Chubby(_))
    }
    /// What its client library does where a worker does not say otherwise.
    pub fn usual(&self) -> Usual {
        let ttl = self.ttl().0;
        match self {
            // A leader renews every RetryPeriod, and tries that as often for RenewDeadline, which is 10 s of
            // LeaseDuration's 15 s: it stops both of them after its last renewal.
            Self::Kubernetes(lease) => Usual {
                margin: Span::from_micros(ttl.as_micros() / 3).less(lease.retry.0),
                renew_every: lease.retry.0,
                retry: lease.retry.0,
            },
            // The heartbeat period is 5 s of the lease's 20 s.
            Self::DynamodbLockClient(_) => Usual {
                margin: Span::ZERO,
                renew_every: Span::from_micros(ttl.as_micros() / 4),
                retry: RETRY,
            },
            // `RenewPeriodic` renews at half the time to live, and a second after a renewal that failed.
            Self::Consul(_) => Usual {
                margin: Span::ZERO,
                renew_every: Span::from_micros(ttl.as_micros() / 2),
                retry: Span::from_secs(1),
            },
            // It looks whether its connection stands.
            Self::PostgresAdvisory(_) => {
                Usual { margin: Span::ZERO, renew_every: Span::from_secs(10), retry: RETRY }
            }
            // A client's session is heard of as often as its group says.
            Self::Hazelcast(group) => {
                Usual { margin: Span::ZERO, renew_every: group.session_heartbeat.0, retry: RETRY }
            }
            // A client allows for clocks that run within a hundredth of each other: a lease and the wait for its extension are
            // two leases at most.
            Self::Chubby(_) => Usual {
                margin: Span::from_micros(ttl.as_micros() / 50),
                renew_every: Span::from_micros(ttl.as_micros() / 3),
                retry: RETRY,
            },
            // A client renews every third of the lease that it got.
            Self::Etcd(_) => Usual { margin: Span::ZERO, renew_every: self.third(), retry: RETRY },
            // A client pings every third of the timeout that it got, and at least every 10 s (`MAX_SEND_PING_INTERVAL`).
            Self::Zookeeper(_) => {
                Usual { margin: Span::ZERO, renew_every: self.third().min(PING_EVERY), retry: RETRY }
            }
            Self::Raft(_)
            | Self::Redis(_)
            | Self::RedisReplicated(_)
            | Self::Redlock(_)
            | Self::PostgresRow(_)
            | Self::DynamodbItem(_)
            | Self::Felix(_)
            | Self::Handover(_)
            | Self::Lab(_)
            | Self::None(_) => Usual {
                margin: Span::ZERO,
                renew_every: Span::from_micros(ttl.as_micros() / 3),
                retry: RETRY,
            },
        }
    }
    /// A third of a lease as it is granted.
    fn third(&self) -> Span {
        Span::from_micros(self.granted_ttl().as_micros() / 3)
    }
    /// What is known of its kind.
    pub fn kind(&self) -> &'static Kind {
        match self {
            Self::Etcd(_) => &ETCD,
            Self::Zookeeper(_) => &ZOOKEEPER,
            Self::Consul(consul) if consul.behavior == Behavior::Delete => &CONSUL_DELETING,
            Self::Consul(_) => &CONSUL,
            Self::Hazelcast(_) => &HAZELCAST,
            Self::Chubby(_) => &CHUBBY,
            Self::Raft(_) => &RAFT,
            Self::Redis(_) => &REDIS,
            Self::RedisReplicated(_) => &REDIS_REPLICATED,
            Self::Redlock(_) => &REDLOCK,
            Self::PostgresAdvisory(_) => &POSTGRES_ADVISORY,
            Self::PostgresRow(_) => &POSTGRES_ROW,
            Self::DynamodbItem(_) => &DYNAMODB_ITEM,
            Self::DynamodbLockClient(_) => &DYNAMODB_LOCK_CLIENT,
            Self::Kubernetes(_) => &KUBERNETES,
            Self::Felix(felix) if felix.consistency == Consistency::Memory => &FELIX_MEMORY,
            Self::Felix(_) => &FELIX,
            Self::Handover(_) => &HANDOVER,
            Self::Lab(_) => &LAB,
            Self::None(_) => &NONE,
        }
    }
}

/// What a client library does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    /// How long before its lease ends a holder stops itself.
    pub margin: Span,
    /// How often it renews.
    pub renew_every: Span,
    /// How long after a request that every server has failed it is sent again.
    pub retry: Span,
}

const RETRY: Span = Span::from_millis(500);
const PING_EVERY: Span = Span::from_secs(10);

fn named(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("n{number}")).collect()
}
fn alone() -> Vec<String> {
    named(1)
}
fn three() -> Vec<String> {
    named(3)
}
fn five() -> Vec<String> {
    named(5)
}
