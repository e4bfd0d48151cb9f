//! The lock service.

use kernel::Span;

use super::super::anchor::Part;
use super::super::duration::Dur;
use super::super::limits::{EXACT_MAX, INTERVAL_MIN, NODES_MAX};
use super::super::model::{Etcd, Lock};
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;

/// etcd's defaults (`server/embed/config.go`).
pub(super) const HEARTBEAT: Dur = Dur(Span::from_millis(100));
pub(super) const ELECTION_TIMEOUT: Dur = Dur(Span::from_secs(1));
pub(super) const EXPIRY_CHECK: Dur = Dur(Span::from_millis(500));

impl Check<'_> {
    pub(super) fn lock(&mut self) {
        let Lock::Etcd(etcd) = &self.raw.lock;
        let place = Place::root().key("lock");
        self.members(&place, etcd);
        self.raft(&place, etcd);
        self.leases(&place, etcd);
        for (key, number) in
            [("term", etcd.term), ("revision", etcd.revision), ("snapshot_every", etcd.snapshot_every)]
        {
            if number == 0 || number >= EXACT_MAX {
                self.say(place.key(key), format!("{number} is out of range: from 1 to below {EXACT_MAX}"));
            }
        }
        self.delay(place.key("disk"), Some(etcd.disk));
    }

    fn members(&mut self, place: &Place, etcd: &Etcd) {
        let count = etcd.nodes.len();
        if count == 0 || count > NODES_MAX {
            self.say(place.key("nodes"), format!("a cluster has 1 to {NODES_MAX} nodes, not {count}"));
        }
        let Some(leader) = etcd.leader.as_deref() else { return };
        if leader != "none" && !etcd.nodes.iter().any(|node| node == leader) {
            let hint = hint(leader, self.people.names_of(Part::Server).chain(["none"]));
            self.hint(place.key("leader"), format!("there is no node `{leader}`"), hint);
        }
    }

    fn raft(&mut self, place: &Place, etcd: &Etcd) {
        self.interval(place.key("heartbeat"), etcd.heartbeat);
        let heartbeat = etcd.heartbeat.unwrap_or(HEARTBEAT);
        let election = etcd.election_timeout.unwrap_or(ELECTION_TIMEOUT);
        if election.0 < heartbeat.0.times(2) {
            let key = if etcd.election_timeout.is_some() { "election_timeout" } else { "heartbeat" };
            let message = format!(
                "an election timeout of {election} is shorter than two heartbeats of {heartbeat}: nobody would lead for long"
            );
            self.say(place.key(key), message);
        }
        self.delay(place.key("election_timeout"), etcd.election_timeout);
    }

    fn leases(&mut self, place: &Place, etcd: &Etcd) {
        self.interval(place.key("ttl"), Some(etcd.ttl));
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
