//! A random scenario document, as text: what somebody might write who has only the schema.

use std::fmt::Write as _;

use kernel::{Rng, Stream};

use crate::locks::{Promises, Waits};

/// What a world was made to be, so that it can be held to it.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// Its document.
    pub(crate) text: String,
    /// Whether every write carries its token, every store compares it and checks and writes in one step, every program
    /// raises the fence before it reads or writes, and no disk forgets.
    pub(crate) is_protected: bool,
    /// Whether the lock service's disks, and those of stores, keep what they have promised to keep.
    pub(crate) disks_keep: bool,
    /// What its lock service promises.
    pub(crate) promises: Promises,
}

/// Draws the world of this kind with this seed.
pub(crate) fn draw(seed: u64, kind: Kind) -> World {
    let rng = Rng::new(Stream::new(seed, 7_001, kind as u64));
    let promises = Promises { forgets_nothing: true, tokens_grow: true };
    let mut draw = Draw {
        rng,
        text: String::new(),
        kind,
        waits: Waits::ByTrying,
        tells_grants: false,
        has_plain_keys: false,
        disks_keep: true,
        promises,
    };
    draw.document(seed);
    let Draw { text, disks_keep, promises, .. } = draw;
    World { text, is_protected: kind == Kind::Protected, disks_keep, promises }
}

/// What kind of world is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Anything.
    Any,
    /// One that does everything right; the faults are as bad as anywhere, except that disks keep their promises.
    Protected,
    /// One whose stores check nothing and whose workers are paused.
    Unfenced,
}

pub(crate) struct Draw {
    pub(crate) rng: Rng,
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) waits: Waits,
    /// Whether the lock service can be asked about one grant.
    pub(crate) tells_grants: bool,
    /// Whether workers may write plain keys of it.
    pub(crate) has_plain_keys: bool,
    pub(crate) disks_keep: bool,
    pub(crate) promises: Promises,
}

impl Draw {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// Once in so many times.
    pub(crate) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// Some milliseconds, as a document writes them.
    pub(crate) fn ms(&mut self, least: u64, most: u64) -> String {
        format!("\"{}ms\"", self.between(least, most))
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(crate) fn pair(&mut self, key: &str, value: impl std::fmt::Display) {
        writeln!(self.text, "{key} = {value}").expect("a string takes all that is written to it");
    }

    fn document(&mut self, seed: u64) {
        let horizon = self.between(15, 30);
        self.pair("version", 1);
        self.pair("title", format!("\"World {seed}\""));
        self.pair("horizon", format!("\"{horizon}s\""));
        self.pair("seed", seed);
        self.network();
        let service = self.service(seed);
        self.tells_grants = matches!(service, "etcd" | "zookeeper" | "consul");
        self.has_plain_keys = service == "etcd";
        let nodes = self.nodes(service);
        self.hosts(nodes);
        self.lock(service, nodes, horizon);
        let stores = self.between(1, 2);
        for store in 1..=stores {
            self.store(store);
        }
        let workers = self.between(if self.kind == Kind::Unfenced { 2 } else { 1 }, 4);
        for worker in 1..=workers {
            // The first takes every lock that protects a store: a document names no lock that nobody takes.
            let locks: Vec<u64> =
                if worker == 1 { (1..=stores).collect() } else { vec![self.between(1, stores)] };
            self.worker(worker, &locks);
        }
        if self.once_in(3) {
            self.sweeper();
        }
        let faults = self.between(0, 8);
        for fault in 1..=faults {
            self.fault(fault, &Cast { nodes, workers, stores, horizon });
        }
    }

    fn network(&mut self) {
        self.line("[network]");
        let delay = self.between(20, 5_000);
        self.pair("delay", format!("\"{delay}us\""));
        if self.once_in(2) {
            let jitter = self.ms(0, 3);
            self.pair("jitter", jitter);
        }
        for key in ["loss", "duplicate"] {
            if self.kind != Kind::Unfenced && self.once_in(4) {
                let chance = self.one_of(&["1/100", "5%", "15%"]);
                self.pair(key, format!("\"{chance}\""));
            }
        }
        if self.once_in(2) {
            self.line("[[network.link]]\nfrom = \"workers\"\nto = \"stores\"");
            let delay = self.ms(0, 80);
            self.pair("delay", delay);
        }
    }

    fn hosts(&mut self, nodes: u64) {
        let names = if nodes > 0 { ["n1", "W1"].as_slice() } else { &["W1"] };
        for name in names {
            if self.once_in(4) {
                self.line("[[host]]");
                self.pair("name", format!("\"{name}\""));
                let ppm = self.between(0, 400_000) as i64 - 200_000;
                self.pair("drift_ppm", ppm);
                let offset = self.between(0, 10_000) as i64 - 5_000;
                self.pair("wall_offset", format!("\"{offset}ms\""));
            }
        }
    }

    fn sweeper(&mut self) {
        self.line("[[sweeper]]\nname = \"sweep\"\nstore = \"S1\"");
        let (every, again) = (self.ms(500, 4_000), self.ms(0, 3_000));
        self.pair("every", every);
        self.pair("again_after", again);
    }
}

/// Who is there to be struck.
pub(crate) struct Cast {
    pub(crate) nodes: u64,
    pub(crate) workers: u64,
    pub(crate) stores: u64,
    pub(crate) horizon: u64,
}
