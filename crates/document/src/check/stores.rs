//! Stores: that each has only what its kind has, how long things take, and which lock protects it.

use kernel::Span;

use super::super::limits::{JOURNAL_NODES_MAX, PARTITIONS_MAX};
use super::super::model::{Claim, Store, StoreKind};
use super::super::nearest::list;
use super::super::place::Place;
use super::Check;
use StoreKind::{
    Dynamodb, ExternalApi, FencedRow, IdGenerator, Journal, Kafka, S3Manifest, SessionChecked, Sql, Unfenced,
    VersionedRow,
};

impl Check<'_> {
    pub(super) fn stores(&mut self) {
        for (index, store) in self.raw.store.iter().enumerate() {
            let place = Place::root().key("store").item(index, Some(&store.name));
            self.keys_of_kind(&place, store);
            self.delay(place.key("disk"), Some(store.disk));
            self.delay(place.key("check_gap"), store.check_gap);
            self.delay(place.key("transaction"), store.transaction);
            self.delay(place.key("upload"), store.upload);
            self.delay(place.key("call"), store.call);
            self.interval(place.key("idle_timeout"), store.idle_timeout);
            self.delay(place.key("idle_timeout"), store.idle_timeout);
            self.claim(&place, store);
            let nodes = store.nodes.as_ref().map_or(0, Vec::len);
            self.count(place.key("nodes"), nodes, JOURNAL_NODES_MAX);
            self.lifetimes(&place, store);
            if let Some(partitions) = store.partitions.filter(|n| *n == 0 || *n > PARTITIONS_MAX) {
                let message = format!("{partitions} is out of range: from 1 to {PARTITIONS_MAX}");
                self.say(place.key("partitions"), message);
            }
            self.asked_lock(&place, store);
            self.protecting_lock(place, store);
        }
    }

    /// A key that a store's kind does not have would do nothing: whoever wrote it expects something of it.
    fn keys_of_kind(&mut self, place: &Place, store: &Store) {
        // An unfenced store is a fenced row with the fence off, and keeps its keys when it is switched.
        let keys: [(&str, bool, &[StoreKind]); 11] = [
            ("equal", store.equal.is_some(), &[FencedRow, Sql, Dynamodb, Unfenced]),
            ("fence_lifetime", store.fence_lifetime.is_some(), &[FencedRow, Unfenced]),
            ("check_gap", store.check_gap.is_some(), &[FencedRow, VersionedRow, SessionChecked, Unfenced]),
            ("transaction", store.transaction.is_some(), &[Sql, Dynamodb, Kafka]),
            ("upload", store.upload.is_some(), &[S3Manifest]),
            ("nonce", store.nonce.is_some(), &[S3Manifest]),
            ("idempotency", store.idempotency.is_some(), &[ExternalApi]),
            ("call", store.call.is_some(), &[ExternalApi]),
            ("puts", store.puts.is_some(), &[Dynamodb]),
            ("last_timestamp", store.last_timestamp.is_some(), &[IdGenerator]),
            ("partitions", store.partitions.is_some(), &[Kafka]),
        ];
        let verify = ("verify", store.verify.is_some(), [Kafka].as_slice());
        let claim = ("claim", store.claim.is_some(), [Sql].as_slice());
        let nodes = ("nodes", store.nodes.is_some(), [Journal].as_slice());
        let idle = ("idle_timeout", store.idle_timeout.is_some(), [Sql].as_slice());
        for (key, is_said, kinds) in keys.into_iter().chain([verify, claim, idle, nodes]) {
            if is_said && !kinds.contains(&store.kind) {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                let message = format!("a store of kind `{}` has no `{key}`", store.kind.name());
                let hint = match names.as_slice() {
                    [name] => format!("only `{name}` has it"),
                    _ => format!("{} have it", list(&names, "and")),
                };
                self.hint(place.key(key), message, Some(hint));
            }
        }
    }

    /// What a way of claiming does not have would do nothing.
    fn claim(&mut self, place: &Place, store: &Store) {
        let holds_lock = store.claim == Some(Claim::RowLock);
        if store.kind != Sql {
            return; // It has been told that only that kind claims so.
        }
        if store.idle_timeout.is_some() && !holds_lock {
            let hint = Some("`claim = \"row-lock\"` does".to_owned());
            self.hint(place.key("idle_timeout"), "no transaction is held while its worker works", hint);
        }
        if store.transaction.is_some() && holds_lock {
            let message =
                "a transaction that holds the row lock lasts until its worker finishes: leave it out";
            self.say(place.key("transaction"), message);
        }
        if store.equal.is_some() && store.is_claimed_without_token() {
            self.say(place.key("equal"), "no token is compared: leave it out");
        }
    }

    fn lifetimes(&mut self, place: &Place, store: &Store) {
        let keys = store.idempotency.as_ref();
        let idempotency = place.key("idempotency");
        for (place, lifetime) in [
            (place.key("fence_lifetime"), store.fence_lifetime),
            (idempotency.key("keep"), keys.map(|keys| keys.keep)),
            (idempotency.key("marker"), keys.and_then(|keys| keys.marker)),
        ] {
            if lifetime.is_some_and(|lifetime| lifetime.0 == Span::ZERO) {
                self.say(place, "what is forgotten at once was never kept");
            }
        }
    }

    /// Only some services can be asked about one grant by its token.
    fn asked_lock(&mut self, place: &Place, store: &Store) {
        if store.kind == SessionChecked && !self.raw.lock.tells_grants() {
            let kind = self.raw.lock.kind().name;
            let message = format!("a lock of kind `{kind}` cannot be asked whether a grant is still there");
            let hint = Some("`etcd`, `zookeeper`, `consul` and `chubby` can".to_owned());
            self.hint(place.key("kind"), message, hint);
        }
    }

    fn protecting_lock(&mut self, place: Place, store: &Store) {
        match store.lock.as_deref() {
            Some(lock) => self.acquired_lock(place.key("lock"), lock),
            None if self.locks.len() > 1 => {
                let locks = list(&self.locks, "and");
                let hint = Some("say which with `lock`".to_owned());
                let message = format!("workers acquire {locks}, and one of them protects this store");
                self.hint(place, message, hint);
            }
            None => {}
        }
    }
}
