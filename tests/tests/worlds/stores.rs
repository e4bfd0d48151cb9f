//! Random stores: every kind, with what it can have.

use crate::draw::{Draw, Kind};

/// Kinds that compare tokens, in one step with the write.
const FENCED: [&str; 3] = ["fenced-row", "sql", "dynamodb"];
const OTHERS: [&str; 7] =
    ["unfenced", "versioned-row", "s3-manifest", "external-api", "stream", "id-generator", "kafka"];

impl Draw {
    pub(crate) fn store(&mut self, number: u64) {
        self.line("[[store]]");
        self.pair("name", format!("\"S{number}\""));
        self.pair("lock", format!("\"L{number}\""));
        let kind = match self.kind {
            Kind::Unfenced => "unfenced",
            Kind::Protected => self.one_of(&FENCED),
            Kind::Any => {
                let of: &[&str] = if self.once_in(2) { &OTHERS } else { &FENCED };
                let of = self.one_of(of);
                // Only some services can be asked about a grant.
                match of {
                    "unfenced" if self.tells_grants && self.once_in(2) => "session-checked",
                    // The first is the sweeper's, and a journal has no index.
                    "unfenced" if number > 1 && self.once_in(2) => "journal",
                    _ => of,
                }
            }
        };
        self.pair("kind", format!("\"{kind}\""));
        if self.once_in(3) {
            let disk = self.ms(0, 20);
            self.pair("disk", disk);
        }
        let start = self.text.len();
        if self.kind == Kind::Any && self.once_in(2) {
            self.option(kind);
        }
        // A transaction that holds the row lock takes as long as it takes.
        let holds_lock = self.text.get(start..).is_some_and(|said| said.contains("row-lock"));
        if !holds_lock && self.once_in(2) {
            self.time_taken(kind);
        }
    }

    fn claim(&mut self, claim: &str) {
        self.pair("claim", format!("\"{claim}\""));
        if claim == "row-lock" && self.once_in(2) {
            let idle = self.ms(500, 5_000);
            self.pair("idle_timeout", idle);
        }
    }

    /// How long what a kind does takes.
    fn time_taken(&mut self, kind: &str) {
        let key = match kind {
            "sql" | "dynamodb" | "kafka" => "transaction",
            "s3-manifest" => "upload",
            "external-api" => "call",
            _ => return,
        };
        let time = self.ms(0, 300);
        self.pair(key, time);
    }

    /// What a kind can do less well, or better, than by default.
    fn option(&mut self, kind: &str) {
        match kind {
            "fenced-row" if self.once_in(3) => {
                let lifetime = self.ms(100, 5_000);
                self.pair("fence_lifetime", lifetime);
            }
            "fenced-row" | "versioned-row" | "session-checked" if self.once_in(2) => {
                let gap = self.ms(1, 500);
                self.pair("check_gap", gap);
            }
            "fenced-row" | "sql" if self.once_in(2) => self.pair("equal", "\"rejected\""),
            "sql" => {
                let claim = self.one_of(&["row-lock", "conditional-update", "unique-key"]);
                self.claim(claim);
            }
            "dynamodb" => self.pair("puts", "\"if-absent\""),
            "s3-manifest" => self.pair("nonce", "false"),
            "external-api" => {
                let (keep, marker) = (self.ms(1_000, 30_000), self.ms(100, 5_000));
                self.pair("idempotency", format!("{{ keep = {keep}, marker = {marker} }}"));
            }
            "id-generator" => self.pair("last_timestamp", "false"),
            "kafka" => {
                let partitions = self.between(1, 5);
                self.pair("partitions", partitions);
                self.pair("verify", "true");
            }
            _ => {}
        }
    }
}
