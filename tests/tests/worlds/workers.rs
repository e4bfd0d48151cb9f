//! Random workers: their client libraries' policies, and what they do.

use crate::draw::{Draw, Kind};
use crate::locks::Waits;

impl Draw {
    /// A worker that takes these locks, each for the store of the same number.
    pub(crate) fn worker(&mut self, number: u64, locks: &[u64]) {
        self.line("[[worker]]");
        self.pair("name", format!("\"W{number}\""));
        let start = self.ms(0, 5_000);
        self.pair("start", start);
        if self.once_in(2) {
            let margin = self.ms(0, 1_500);
            self.pair("margin", margin);
        }
        self.renewal();
        let wait = match (self.waits, self.below(2)) {
            (Waits::InLine, _) => "\"queue\"".to_owned(),
            (Waits::ByTryingOrWatching, 1) => "\"watch\"".to_owned(),
            (Waits::ByTryingOrWatching | Waits::ByTrying, _) => {
                format!("{{ poll = {} }}", self.ms(200, 2_000))
            }
        };
        self.pair("wait", wait);
        if self.kind == Kind::Any && self.once_in(4) {
            self.pair("attach_token", "false");
        }
        if self.once_in(3) {
            let timeout = self.ms(100, 2_000);
            self.pair("store_timeout", timeout);
        }
        // A look at a journal tells nothing.
        if self.once_in(3) && !self.text.contains("kind = \"journal\"") {
            self.pair("when_unanswered", "\"look\"");
        }
        for key in ["when_refused", "when_lost"] {
            if self.once_in(2) {
                let then = self.one_of(&["stop", "restart", "ignore"]);
                self.pair(key, format!("\"{then}\""));
            }
        }
        self.program(locks);
    }

    fn renewal(&mut self) {
        let mut renew = Vec::new();
        if self.once_in(2) {
            renew.push(format!("every = {}", self.ms(300, 1_900)));
        }
        if self.once_in(2) {
            renew.push(format!("timeout = {}", self.ms(50, 1_500)));
        }
        if self.once_in(3) {
            renew.push("anchor = \"received\"".to_owned());
        }
        if self.once_in(3) {
            renew.push("clock = \"wall\"".to_owned());
        }
        if self.once_in(2) {
            let give_up = self.one_of(&["stop-time", "deadline", "first-error", "never"]);
            renew.push(format!("give_up = \"{give_up}\""));
        }
        self.pair("renew", format!("{{ {} }}", renew.join(", ")));
    }

    fn program(&mut self, locks: &[u64]) {
        let mut steps = Vec::new();
        if self.once_in(5) {
            steps.push(format!("{{ take = \"S{}\", every = {} }}", locks[0], self.ms(200, 1_000)));
        }
        for lock in locks {
            steps.push(format!("{{ acquire = \"L{lock}\" }}"));
        }
        for store in locks {
            steps.extend(self.work(*store));
        }
        for lock in locks.iter().rev() {
            if !self.once_in(4) {
                steps.push(format!("{{ release = \"L{lock}\" }}"));
            }
        }
        let times = self.between(1, 3);
        let steps = steps.join(", ");
        let program = if times == 1 { steps } else { format!("{{ repeat = {times}, steps = [{steps}] }}") };
        self.pair("program", format!("[{program}]"));
    }

    /// What is done to one store under its lock.
    fn work(&mut self, store: u64) -> Vec<String> {
        let raises_first = self.kind == Kind::Protected;
        let mut steps = Vec::new();
        if !raises_first && self.once_in(4) {
            steps.push(format!("{{ read = \"S{store}\" }}"));
        }
        if raises_first || !self.once_in(3) {
            steps.push(format!("{{ raise = \"S{store}\" }}"));
        }
        let mut round = vec![format!("{{ prepare = {} }}", self.ms(10, 1_500))];
        if self.once_in(2) {
            round.push("{ check = \"stop-time\" }".to_owned());
            round.push(format!("{{ prepare = {} }}", self.ms(0, 300)));
        }
        if self.once_in(6) {
            round.push(format!("{{ read = \"S{store}\" }}"));
        }
        let effects = self.between(0, 100);
        round.push(format!("{{ write = \"S{store}\", effects = {effects} }}"));
        let count = self.between(1, 12);
        let verb = self.one_of(&["items", "repeat"]);
        steps.push(format!("{{ {verb} = {count}, steps = [{}] }}", round.join(", ")));
        if self.once_in(2) {
            steps.push(format!("{{ finish = \"S{store}\" }}"));
        }
        if self.once_in(8) && self.has_plain_keys {
            steps.push("{ put = \"beside\" }".to_owned());
        }
        steps
    }
}
