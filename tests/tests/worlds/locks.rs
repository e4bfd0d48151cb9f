//! Random lock services of every kind, and what each promises as it was drawn.

use scenario::document::model::KINDS;

use crate::draw::{Draw, Kind};

/// What a lock service promises as long as its disks keep what they have promised to keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promises {
    /// It comes back from a crash with every grant that it has told of.
    pub(crate) forgets_nothing: bool,
    /// A later grant of a lock has a higher token.
    pub(crate) tokens_grow: bool,
}

/// How workers can wait for its locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waits {
    InLine,
    ByTryingOrWatching,
    ByTrying,
}

/// Kinds whose tokens can be what a fence needs; what they are drawn with makes them so.
const WITH_TOKENS: [&str; 10] = [
    "etcd",
    "zookeeper",
    "consul",
    "hazelcast",
    "chubby",
    "redis",
    "postgres-row",
    "dynamodb-item",
    "kubernetes",
    "handover",
];

impl Draw {
    /// The kind of lock service. Every kind has its turn; every third world has an etcd.
    pub(crate) fn service(&mut self, seed: u64) -> &'static str {
        if seed.is_multiple_of(3) {
            return "etcd";
        }
        let turn = (seed - seed / 3) as usize;
        match self.kind {
            Kind::Protected => WITH_TOKENS[turn % WITH_TOKENS.len()],
            // Without a lock no write is ever stale.
            Kind::Unfenced => KINDS[turn % (KINDS.len() - 1)].name,
            Kind::Any => KINDS[turn % KINDS.len()].name,
        }
    }

    pub(crate) fn nodes(&mut self, service: &str) -> u64 {
        match service {
            "etcd" | "zookeeper" | "consul" | "hazelcast" | "chubby" | "raft" | "felix" => {
                self.one_of(&[3, 3, 5])
            }
            "redis-replicated" => self.one_of(&[2, 3]),
            "handover" => self.one_of(&[1, 3, 5]),
            "redlock" => self.one_of(&[1, 3, 4, 5]),
            "none" => 0,
            _ => 1,
        }
    }

    pub(crate) fn lock(&mut self, service: &'static str, nodes: u64, horizon: u64) {
        self.line("[lock]");
        self.pair("kind", format!("\"{service}\""));
        if nodes > 0 {
            let names: Vec<String> = (1..=nodes).map(|node| format!("\"n{node}\"")).collect();
            self.pair("nodes", format!("[{}]", names.join(", ")));
        }
        match service {
            "etcd" => {
                self.ttl();
                self.etcd(horizon);
            }
            "zookeeper" => {
                self.ttl();
                self.waits = self.one_of(&[Waits::InLine, Waits::ByTryingOrWatching]);
                let tick = self.ms(200, 1_500);
                self.pair("tick", tick);
                if self.once_in(2) {
                    self.pair("token", "\"sequence\"");
                }
                self.elections();
            }
            "consul" => {
                self.waits = Waits::ByTryingOrWatching;
                self.pair("ttl", "\"10s\"");
                let delay = self.ms(0, 5_000);
                self.pair("lock_delay", delay);
                if self.once_in(2) {
                    self.pair("token", "\"modify-index\"");
                } else if self.kind != Kind::Protected && self.once_in(3) {
                    self.pair("behavior", "\"delete\"");
                    self.promises.tokens_grow = false;
                }
                self.elections();
            }
            "hazelcast" => {
                self.pair("ttl", "\"6s\"");
                let every = self.ms(500, 3_000);
                self.pair("session_heartbeat", every);
                self.elections();
            }
            "chubby" => {
                self.waits = Waits::ByTryingOrWatching;
                let ttl = self.ms(4_000, 8_000);
                self.pair("ttl", ttl);
                // Longer than any margin that is drawn.
                self.pair("answer_before", "\"2s\"");
                let (delay, grace) = (self.ms(0, 5_000), self.ms(0, 8_000));
                self.pair("lock_delay", delay);
                self.pair("grace", grace);
                self.elections();
            }
            "raft" => {
                self.ttl();
                let reads = self.one_of(&["read-index", "lease", "check-quorum"]);
                self.pair("reads", format!("\"{reads}\""));
                self.elections();
                // Who takes the lock again under the same leadership has the same term.
                self.promises.tokens_grow = false;
            }
            "redis-replicated" => {
                self.ttl();
                self.redis();
                let (lag, down_after) = (self.ms(0, 500), self.ms(1_000, 6_000));
                self.pair("lag", lag);
                self.pair("down_after", down_after);
                if self.once_in(3) {
                    self.pair("wait", 1);
                }
                if self.once_in(3) {
                    self.pair("min_replicas", 1);
                }
                self.promises = Promises { forgets_nothing: false, tokens_grow: false };
            }
            "handover" => {
                self.ttl();
                self.number("epoch");
                if self.once_in(2) {
                    let wait = self.ms(2_000, 8_000);
                    self.pair("wait", wait);
                }
            }
            "redis" => {
                self.ttl();
                self.redis();
            }
            "redlock" => {
                self.ttl();
                self.persistence();
                if self.once_in(3) {
                    let drift = self.ms(0, 500);
                    self.pair("drift", drift);
                }
            }
            "kubernetes" => {
                let ttl = self.between(2, 6);
                self.pair("ttl", format!("\"{ttl}s\""));
                let retry = self.ms(200, 900);
                self.pair("retry", retry);
                self.number("transitions");
            }
            "dynamodb-item" => {
                self.ttl();
                if self.once_in(2) {
                    let margin = self.ms(0, 3_000);
                    self.pair("clock_margin", margin);
                }
                self.number("epoch");
                if self.kind != Kind::Protected && self.once_in(3) {
                    let after = self.ms(0, 5_000);
                    self.pair("deleted_after", after);
                    self.promises.tokens_grow = false;
                }
            }
            "postgres-row" => {
                self.ttl();
                self.number("token");
                if self.kind != Kind::Protected && self.once_in(3) {
                    self.pair("release", "\"delete\"");
                    self.promises.tokens_grow = false;
                }
            }
            "felix" => {
                self.ttl();
                self.waits = Waits::ByTryingOrWatching;
                self.elections();
                if self.kind != Kind::Protected && self.once_in(2) {
                    self.pair("consistency", "\"leader\"");
                    self.promises = Promises { forgets_nothing: false, tokens_grow: false };
                } else if self.once_in(2) {
                    self.pair("lease_free_reads", true);
                }
            }
            "lab" => {
                self.ttl();
                self.number("token");
                self.promises = Promises { forgets_nothing: false, tokens_grow: false };
            }
            "dynamodb-lock-client" => self.ttl(),
            "postgres-advisory" => {
                self.waits = self.one_of(&[Waits::InLine, Waits::ByTrying]);
                let (idle, interval) = (self.ms(500, 5_000), self.ms(100, 1_000));
                self.pair("keepalives_idle", idle);
                self.pair("keepalives_interval", interval);
                self.pair("keepalives_count", 3);
                if self.once_in(2) {
                    self.pair("scope", "\"transaction\"");
                }
                if self.once_in(3) {
                    self.pair("pooler", "\"transaction\"");
                    let lifetime = self.ms(3_000, 9_000);
                    self.pair("server_lifetime", lifetime);
                    if self.once_in(2) {
                        self.pair("round_robin", "true");
                    }
                }
                self.promises = Promises { forgets_nothing: false, tokens_grow: false };
            }
            "none" => {}
            other => panic!("a new kind, {other}: say here how it is drawn"),
        }
        if !["lab", "none", "postgres-advisory"].contains(&service) && self.once_in(3) {
            let disk = self.ms(0, 10);
            self.pair("disk", disk);
        }
    }

    fn elections(&mut self) {
        if self.once_in(4) {
            self.pair("leader", "\"none\"");
        }
    }

    fn ttl(&mut self) {
        let ttl = self.ms(2_000, 6_000);
        self.pair("ttl", ttl);
    }

    fn number(&mut self, key: &str) {
        if self.once_in(2) {
            let number = self.between(0, 50);
            self.pair(key, number);
        }
    }

    fn redis(&mut self) {
        if self.kind == Kind::Protected || self.once_in(2) {
            self.pair("token", "\"counter\"");
            self.number("counted");
        }
        self.persistence();
    }

    fn persistence(&mut self) {
        let choices = ["none", "everysec", "always"];
        let chosen = if self.kind == Kind::Protected { "always" } else { self.one_of(&choices) };
        self.pair("persistence", format!("\"{chosen}\""));
        if chosen != "always" {
            self.promises = Promises { forgets_nothing: false, tokens_grow: false };
        }
    }

    fn etcd(&mut self, horizon: u64) {
        // Whoever stands in line has a key of its own, and does not see a key that others poll: in one world all do, or none.
        self.waits = self.one_of(&[Waits::InLine, Waits::ByTryingOrWatching]);
        if self.once_in(4) {
            self.pair("leader", "\"none\"");
        }
        let revision = self.between(1, 50);
        self.pair("revision", revision);
        if self.once_in(2) {
            let check = self.one_of(&["0s", "500ms", "50ms"]);
            self.pair("expiry_check", format!("\"{check}\""));
        }
        if self.once_in(2) {
            self.pair("promote_extend", "\"0s\"");
        }
        if self.once_in(3) {
            let every = self.ms(300, 3_000);
            self.pair("checkpoint", format!("{{ every = {every}, unit = \"100ms\" }}"));
        }
        if self.once_in(3) {
            let every = self.between(2, 20);
            self.pair("snapshot_every", every);
        }
        if self.once_in(3) {
            let reads = self.one_of(&["read-index", "lease", "check-quorum"]);
            self.pair("reads", format!("\"{reads}\""));
        }
        if self.once_in(2) {
            let times: Vec<String> = (0..self.below(5)).map(|_| self.ms(100, horizon * 1_000)).collect();
            self.pair("other_writes", format!("[{}]", times.join(", ")));
        }
    }
}
