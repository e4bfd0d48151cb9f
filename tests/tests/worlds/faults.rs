//! Random faults: every kind, at instants and after things that happen, on names and on roles.

use crate::draw::{Cast, Draw, Kind};

/// Those that stop somebody stand here more than once: they are what most stories are about.
const KINDS: [&str; 16] = [
    "pause",
    "pause",
    "pause",
    "suspend",
    "suspend",
    "crash",
    "power-off",
    "wall-step",
    "clock-rate",
    "cut",
    "loss",
    "delay",
    "duplicate",
    "disk-stall",
    "disk-loss",
    "restore",
];

/// Things that a fault can wait for; the first word is taken by a process that does it.
const WORKERS_DO: [&str; 6] = ["acquires", "renews", "checks", "raises", "writes", "loses"];

impl Draw {
    pub(crate) fn fault(&mut self, number: u64, cast: &Cast) {
        let kind = match self.kind {
            Kind::Unfenced => "pause",
            Kind::Protected => self.one_of(&KINDS[..14]),
            Kind::Any => self.one_of(&KINDS),
        };
        self.line("[[fault]]");
        self.pair("id", format!("\"f{number}\""));
        self.pair("kind", format!("\"{kind}\""));
        // A restore needs an instant before it at which its backup is taken.
        let at = if kind == "restore" { None } else { self.anchor(cast) };
        let instant = self.between(1_000, cast.horizon * 900);
        self.pair("at", at.unwrap_or_else(|| format!("\"{instant}ms\"")));
        if kind != "wall-step" && !self.once_in(8) {
            let least = if kind == "pause" { 1_000 } else { 10 };
            let span = self.ms(least, 12_000);
            self.pair("for", span);
        }
        self.whom(kind, instant, cast);
    }

    fn anchor(&mut self, cast: &Cast) -> Option<String> {
        if !self.once_in(3) {
            return None;
        }
        let sentence = match self.below(4) {
            0 if cast.nodes > 0 => format!(
                "n{} {}",
                self.between(1, cast.nodes),
                self.one_of(&["becomes leader", "grants", "expires"])
            ),
            1 => format!("S{} {}", self.between(1, cast.stores), self.one_of(&["accepts", "refuses"])),
            2 => format!("anyone {}", self.one_of(&WORKERS_DO)),
            _ => format!("W{} {}", self.between(1, cast.workers), self.one_of(&WORKERS_DO)),
        };
        let (nth, plus) = (self.between(1, 3), self.ms(0, 500));
        Some(format!("{{ after = \"{sentence}\", nth = {nth}, plus = {plus} }}"))
    }

    fn whom(&mut self, kind: &str, instant: u64, cast: &Cast) {
        match kind {
            "pause" => {
                let on =
                    if self.kind == Kind::Unfenced { self.worker_name(cast) } else { self.anybody(cast) };
                self.pair("on", on);
                if self.once_in(2) {
                    self.pair("gap", "\"before-send\"");
                }
            }
            "power-off" => {
                let on = self.anybody(cast);
                self.pair("on", on);
            }
            "suspend" => {
                let on = self.anybody(cast);
                self.pair("on", on);
                if self.once_in(2) {
                    self.pair("wall", "\"keeps\"");
                }
            }
            "crash" => {
                let on = self.anybody(cast);
                self.pair("on", on);
                if self.once_in(2) {
                    self.pair("manner", "\"silent\"");
                }
            }
            "wall-step" => {
                let (on, by) = (self.anybody(cast), self.between(0, 10_000) as i64 - 5_000);
                self.pair("on", on);
                self.pair("by", format!("\"{by}ms\""));
            }
            "clock-rate" => {
                let (on, ppm) = (self.anybody(cast), self.between(0, 1_400_000) as i64 - 700_000);
                self.pair("on", on);
                self.pair("ppm", ppm);
            }
            "disk-stall" => {
                let on = self.with_disk(cast);
                self.pair("on", on);
            }
            "disk-loss" => {
                self.disks_keep = false;
                let on = self.with_disk(cast);
                self.pair("on", on);
            }
            "restore" => {
                self.disks_keep = false;
                let on = self.with_disk(cast);
                self.pair("on", on);
                let taken = self.between(0, instant - 1);
                self.pair("taken", format!("\"{taken}ms\""));
            }
            _ => self.links(kind, cast),
        }
    }

    fn links(&mut self, kind: &str, cast: &Cast) {
        let (from, to) = match self.below(3) {
            0 => (self.anybody(cast), "\"others\"".to_owned()),
            1 => {
                let there =
                    if cast.nodes > 0 { ["\"lock\"", "\"stores\""].as_slice() } else { &["\"stores\""] };
                ("\"workers\"".to_owned(), self.one_of(there).to_owned())
            }
            _ => (self.anybody(cast), self.anybody(cast)),
        };
        self.pair("from", from);
        self.pair("to", to);
        if self.once_in(3) {
            self.pair("both_ways", "false");
        }
        match kind {
            "cut" if self.once_in(2) => self.pair("manner", "\"refused\""),
            "cut" => {}
            "delay" => {
                let extra = self.ms(1, 4_000);
                self.pair("extra", extra);
            }
            _ => {
                let chance = self.one_of(&["10%", "1/2", "100%"]);
                self.pair("chance", format!("\"{chance}\""));
            }
        }
    }

    fn anybody(&mut self, cast: &Cast) -> String {
        match self.below(8) {
            0 if cast.nodes > 0 => "\"leader\"".to_owned(),
            1 if cast.nodes > 0 => "\"follower\"".to_owned(),
            2..=4 => "\"holder\"".to_owned(),
            5 => self.with_disk(cast),
            _ => self.worker_name(cast),
        }
    }

    fn worker_name(&mut self, cast: &Cast) -> String {
        format!("\"W{}\"", self.between(1, cast.workers))
    }

    fn with_disk(&mut self, cast: &Cast) -> String {
        match self.below(4) {
            _ if cast.nodes == 0 => format!("\"S{}\"", self.between(1, cast.stores)),
            0 => format!("\"S{}\"", self.between(1, cast.stores)),
            _ => format!("\"n{}\"", self.between(1, cast.nodes)),
        }
    }
}
