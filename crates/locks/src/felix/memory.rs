//! A cache in the memory of one process: no log, nothing to watch, nothing left after a restart.

use kernel::{Mono, Now, Span, Start};

use super::Cache;
use crate::Note;
use crate::service::{Asker, Outcome, Service};

const PASS_EVERY: Span = Span::from_secs(1);

/// What a run's versions start from when the wall clock reads zero, so that a clock that is set back has where to go. The
/// real one counts from 1970; its unit the source does not name, milliseconds are chosen here.
const AT_ZERO: i64 = 1_000_000;

/// A cache in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    cache: Cache,
    next_pass: Option<Mono>,
}

impl Memory {
    /// Its keys.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    fn plan(&mut self, now: Mono) {
        self.next_pass = (!self.cache.is_empty()).then_some(now + PASS_EVERY);
    }
}

impl Service for Memory {
    fn starts(&mut self, start: Start, now: Now, out: &mut Outcome) {
        let clock = AT_ZERO + now.wall.as_micros().div_euclid(1_000);
        *self = Self { cache: Cache::after(clock.max(0) as u64), next_pass: None };
        if start != Start::First {
            out.note(Note::CameUp { knows: Vec::new() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Felix(request) = request else { return };
        let reply = match self.cache.judge(asker.client, request, now) {
            Ok(write) => self.cache.apply(&self.cache.next(write), true, out),
            Err(reply) => reply,
        };
        out.reply(asker, reply);
        if self.next_pass.is_none() {
            self.plan(now.mono);
        }
    }

    fn wakes_at(&self, _now: Now) -> Option<Mono> {
        self.next_pass
    }

    fn woken(&mut self, now: Now, out: &mut Outcome) {
        for write in self.cache.lapsed(now.wall) {
            self.cache.apply(&self.cache.next(write), true, out);
        }
        self.plan(now.mono);
    }
}
