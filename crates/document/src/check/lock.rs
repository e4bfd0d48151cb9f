//! The lock service.

use kernel::Span;

use super::super::anchor::Part;
use super::super::duration::Dur;
use super::super::limits::{EXACT_MAX, INTERVAL_MIN, LOCK_DELAY_MAX};
use super::super::model::{
    Chubby, Consistency, Consul, Etcd, Felix, Hazelcast, Kubernetes, Lock, PostgresAdvisory, RaftLock,
    RedisReplicated, Redlock, Zookeeper,
};
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;

/// etcd's defaults (`server/embed/config.go`).
pub(super) const HEARTBEAT: Dur = Dur(Span::from_millis(100));
pub(super) const ELECTION_TIMEOUT: Dur = Dur(Span::from_secs(1));
pub(super) const EXPIRY_CHECK: Dur = Dur(Span::from_millis(500));

impl Check<'_> {
    pub(super) fn lock(&mut self) {
        let raw = self.raw;
        let place = Place::root().key("lock");
        self.servers(&place);
        self.ttl_in_range(place.key("ttl"));
        self.delay(place.key("disk"), Some(raw.lock.disk()));
        match &raw.lock {
            Lock::Etcd(etcd) => self.etcd(&place, etcd),
            Lock::Zookeeper(zookeeper) => self.zookeeper(&place, zookeeper),
            Lock::Consul(consul) => self.consul(&place, consul),
            Lock::Hazelcast(group) => self.hazelcast(&place, group),
            Lock::Chubby(cell) => self.chubby(&place, cell),
            Lock::Raft(raft) => self.raft(&place, raft),
            Lock::Redis(redis) => self.number(place.key("counted"), redis.counted, 0),
            Lock::RedisReplicated(redis) => self.redis_replicated(&place, redis),
            Lock::Redlock(redlock) => self.redlock(&place, redlock),
            Lock::PostgresAdvisory(locks) => self.postgres_advisory(&place, locks),
            Lock::PostgresRow(row) => self.number(place.key("token"), row.token, 0),
            Lock::DynamodbItem(item) => {
                self.delay(place.key("clock_margin"), Some(item.clock_margin));
                self.delay(place.key("deleted_after"), item.deleted_after);
                self.number(place.key("epoch"), item.epoch, 0);
            }
            Lock::Kubernetes(lease) => self.kubernetes(&place, lease),
            Lock::Felix(felix) => self.felix(&place, felix),
            Lock::Handover(handover) => {
                self.delay(place.key("wait"), handover.wait);
                self.number(place.key("epoch"), handover.epoch, 0);
            }
            Lock::Lab(lab) => self.number(place.key("token"), lab.token, 0),
            Lock::DynamodbLockClient(_) | Lock::None(_) => {}
        }
    }

    fn servers(&mut self, place: &Place) {
        let (kind, count) = (self.raw.lock.kind(), self.raw.lock.nodes().len());
        let (least, most) = (kind.nodes_min, kind.nodes_max);
        if count < least || count > most {
            let wanted = match (least, most) {
                (1, 1) => "one node".to_owned(),
                _ => format!("{least} to {most} nodes"),
            };
            let message = format!("{} has {wanted}, not {count}", kind.name);
            self.say(place.key("nodes"), message);
        }
    }

    fn ttl_in_range(&mut self, place: Place) {
        let (kind, ttl) = (self.raw.lock.kind(), self.raw.lock.ttl());
        let least = kind.ttl_min;
        match kind.ttl_max {
            Some(most) if ttl < least || ttl > most => {
                let message = format!("{} takes from {least} to {most}, not {ttl}", kind.name);
                self.say(place, message);
            }
            None if ttl < least && least.0 > INTERVAL_MIN => {
                self.say(place, format!("{} takes {least} or more, not {ttl}", kind.name));
            }
            Some(_) | None if least.0 > Span::ZERO => self.interval(place, Some(ttl)),
            Some(_) | None => {}
        }
    }

    fn number(&mut self, place: Place, number: u64, least: u64) {
        if number < least || number >= EXACT_MAX {
            let message = format!("{number} is out of range: from {least} to below {EXACT_MAX}");
            self.say(place, message);
        }
    }

    fn postgres_advisory(&mut self, place: &Place, locks: &PostgresAdvisory) {
        self.interval(place.key("server_lifetime"), Some(locks.server_lifetime));
        self.interval(place.key("keepalives_idle"), Some(locks.keepalives_idle));
        self.interval(place.key("keepalives_interval"), Some(locks.keepalives_interval));
        for (key, count) in [("pool_size", locks.pool_size), ("keepalives_count", locks.keepalives_count)] {
            if !(1..=100).contains(&count) {
                self.say(place.key(key), format!("{count} is out of range: from 1 to 100"));
            }
        }
    }

    fn etcd(&mut self, place: &Place, etcd: &Etcd) {
        self.leader(place, etcd.leader.as_deref());
        self.elections(place, etcd.heartbeat, etcd.election_timeout);
        self.leases(place, etcd);
        self.number(place.key("term"), etcd.term, 1);
        self.number(place.key("revision"), etcd.revision, 1);
        self.number(place.key("snapshot_every"), etcd.snapshot_every, 1);
        self.number(place.key("restore_bump"), etcd.restore_bump, 0);
    }

    fn zookeeper(&mut self, place: &Place, zookeeper: &Zookeeper) {
        self.interval(place.key("tick"), Some(zookeeper.tick));
        self.number(place.key("epoch"), zookeeper.epoch, 1);
        let (heartbeat, election) = (zookeeper.heartbeat, zookeeper.election_timeout);
        self.elections(place, Some(heartbeat), Some(election));
        self.leader(place, zookeeper.leader.as_deref());
        // The czxid is a number of JavaScript's for as long as the epoch is below this.
        if zookeeper.epoch >= EXACT_MAX >> 32 {
            let message = format!("{} is out of range: below {}", zookeeper.epoch, EXACT_MAX >> 32);
            self.say(place.key("epoch"), message);
        }
    }

    fn consul(&mut self, place: &Place, consul: &Consul) {
        self.number(place.key("term"), consul.term, 1);
        self.elections(place, Some(consul.heartbeat), Some(consul.election_timeout));
        self.leader(place, consul.leader.as_deref());
        self.lock_delay(place, consul.lock_delay);
    }

    fn lock_delay(&mut self, place: &Place, delay: Dur) {
        let (kind, most) = (self.raw.lock.kind().name, Dur(LOCK_DELAY_MAX));
        if delay > most {
            self.say(place.key("lock_delay"), format!("{kind} takes at most {most}, not {delay}"));
        }
    }

    fn chubby(&mut self, place: &Place, cell: &Chubby) {
        self.number(place.key("epoch"), cell.epoch, 1);
        self.elections(place, Some(cell.heartbeat), Some(cell.election_timeout));
        self.leader(place, cell.leader.as_deref());
        self.lock_delay(place, cell.lock_delay);
        self.delay(place.key("grace"), Some(cell.grace));
        let ttl = cell.ttl;
        self.interval(place.key("answer_before"), cell.answer_before);
        if let Some(before) = cell.answer_before.filter(|before| *before >= ttl) {
            let message = format!("chubby wants less than the ttl, {ttl}, not {before}");
            self.say(place.key("answer_before"), message);
        }
    }

    fn hazelcast(&mut self, place: &Place, group: &Hazelcast) {
        self.number(place.key("term"), group.term, 1);
        self.elections(place, Some(group.heartbeat), Some(group.election_timeout));
        self.leader(place, group.leader.as_deref());
        let (every, ttl) = (group.session_heartbeat, group.ttl);
        self.interval(place.key("session_heartbeat"), Some(every));
        if every >= ttl {
            let message = format!("hazelcast wants less than the ttl, {ttl}, not {every}");
            self.say(place.key("session_heartbeat"), message);
        }
    }

    fn raft(&mut self, place: &Place, raft: &RaftLock) {
        self.number(place.key("term"), raft.term, 1);
        self.elections(place, Some(raft.heartbeat), Some(raft.election_timeout));
        self.leader(place, raft.leader.as_deref());
    }

    fn felix(&mut self, place: &Place, felix: &Felix) {
        self.number(place.key("term"), felix.term, 1);
        self.elections(place, Some(felix.heartbeat), Some(felix.election_timeout));
        self.leader(place, felix.leader.as_deref());
        self.delay(place.key("lag"), Some(felix.lag));
        if felix.lease_free_reads && felix.consistency != Consistency::Quorum {
            let message = "only a quorum's reads ask a majority: `consistency = \"quorum\"`".to_owned();
            self.say(place.key("lease_free_reads"), message);
        }
    }

    fn redis_replicated(&mut self, place: &Place, redis: &RedisReplicated) {
        self.number(place.key("counted"), redis.counted, 0);
        self.delay(place.key("lag"), Some(redis.lag));
        self.interval(place.key("down_after"), Some(redis.down_after));
        self.delay(place.key("demoted_after"), Some(redis.demoted_after));
        self.interval(place.key("max_lag"), Some(redis.max_lag));
        self.interval(place.key("wait_for"), Some(redis.wait_for));
        let replicas = redis.nodes.len().saturating_sub(1);
        for (key, wanted) in [("min_replicas", redis.min_replicas), ("wait", redis.wait)] {
            if wanted as usize > replicas {
                let message = format!("{wanted} replicas are wanted, and there are {replicas}");
                self.say(place.key(key), message);
            }
        }
    }

    fn redlock(&mut self, place: &Place, redlock: &Redlock) {
        self.delay(place.key("drift"), redlock.drift);
        if let Some(drift) = redlock.drift.filter(|drift| *drift >= redlock.ttl) {
            let message =
                format!("a drift of {drift} leaves nothing of a lease of {} (`lock.ttl`)", redlock.ttl);
            self.say(place.key("drift"), message);
        }
    }

    fn kubernetes(&mut self, place: &Place, lease: &Kubernetes) {
        self.interval(place.key("retry"), Some(lease.retry));
        self.number(place.key("transitions"), lease.transitions, 0);
        if !lease.ttl.as_micros().is_multiple_of(1_000_000) {
            let message =
                format!("{} is no whole number of seconds: `leaseDurationSeconds` is one", lease.ttl);
            self.say(place.key("ttl"), message);
            return;
        }
        // What RetryPeriod and the usual margin leave of the lease (`NewLeaderElector` refuses the same).
        let deadline = lease.ttl.0.less(self.raw.lock.usual().margin).less(lease.retry.0);
        let least = Span::from_micros(lease.retry.as_micros() * 6 / 5);
        if deadline <= least {
            let message = format!(
                "client-go wants RenewDeadline above 1.2 times RetryPeriod, {}: of a lease of {} it has {}",
                Dur(least),
                lease.ttl,
                Dur(deadline),
            );
            let hint = "make the lease longer (`lock.ttl`) or this shorter".to_owned();
            self.hint(place.key("retry"), message, Some(hint));
        }
    }

    fn leader(&mut self, place: &Place, leader: Option<&str>) {
        let Some(leader) = leader else { return };
        if leader != "none" && !self.raw.lock.nodes().iter().any(|node| node == leader) {
            let hint = hint(leader, self.people.names_of(Part::Server).chain(["none"]));
            self.hint(place.key("leader"), format!("there is no node `{leader}`"), hint);
        }
    }

    fn elections(&mut self, place: &Place, heartbeats: Option<Dur>, timeout: Option<Dur>) {
        self.interval(place.key("heartbeat"), heartbeats);
        let heartbeat = heartbeats.unwrap_or(HEARTBEAT);
        let election = timeout.unwrap_or(ELECTION_TIMEOUT);
        if election.0 < heartbeat.0.times(2) {
            let key = if timeout.is_some() { "election_timeout" } else { "heartbeat" };
            let message = format!(
                "an election timeout of {election} is shorter than two heartbeats of {heartbeat}: nobody would lead for long"
            );
            self.say(place.key(key), message);
        }
        self.delay(place.key("election_timeout"), timeout);
    }

    fn leases(&mut self, place: &Place, etcd: &Etcd) {
        if let Some(every) = etcd.expiry_check.filter(|every| every.0 > Span::ZERO) {
            self.interval(place.key("expiry_check"), Some(every));
        }
        if let Some(checkpoint) = &etcd.checkpoint {
            let place = place.key("checkpoint");
            self.interval(place.key("every"), Some(checkpoint.every));
            if checkpoint.unit.is_some_and(|unit| unit.0 < INTERVAL_MIN) {
                self.interval(place.key("unit"), checkpoint.unit);
            }
        }
        self.delay(place.key("promote_extend"), etcd.promote_extend);
        self.delay(place.key("min_ttl"), etcd.min_ttl);
    }
}
