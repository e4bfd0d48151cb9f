//! Failover: when a replica is promoted, and when a primary of old gives way.

use kernel::{Mono, Now, Span};

use super::RedisReplicated;
use super::copies::{Other, PING_EVERY};
use crate::Note;
use crate::service::Outcome;

impl RedisReplicated {
    /// How long it lets a silent primary be: those further back in the list let those before them go first.
    pub(super) fn patience(&self) -> Span {
        let behind = self.place(self.config.me).unwrap_or(0).saturating_sub(1) as u64;
        self.config.down_after + PING_EVERY.times(2 * behind)
    }

    /// When it last heard of its primary.
    pub(super) fn heard_of_primary(&self) -> Mono {
        self.others.iter().filter_map(|other| other.heard).max().unwrap_or_default()
    }

    /// It is the primary from now on, with what it has.
    pub(super) fn promote(&mut self, now: Now, out: &mut Outcome) {
        self.epoch += 1;
        self.is_primary = true;
        self.primary = self.place(self.config.me).unwrap_or_default();
        self.run = now.mono;
        self.others.fill(Other { heard: None, offset: 0 });
        self.announce(out);
        self.redis.expire(now, out); // A replica leaves that to its primary.
        out.note(Note::CameUp { knows: self.redis.keys().leases() });
        self.send_state(now.mono, out);
        out.changed = true;
    }

    pub(super) fn announce(&self, out: &mut Outcome) {
        out.note(raft::Note::BecameLeader { term: self.epoch });
    }

    /// Whether it gives way to a newer primary that it has just heard of. Sentinel reconfigures a primary of old only when
    /// that has been there, as one, for four of its publish periods.
    pub(super) fn gives_way(&mut self, now: Mono) -> bool {
        let is_recent = |&(_, last): &(Mono, Mono)| now.since(last) <= self.config.down_after;
        let since = self.deposed.filter(is_recent).map_or(now, |(since, _)| since);
        self.deposed = Some((since, now));
        now.since(since) >= self.config.demoted_after
    }

    /// It copies the primary of this epoch from now on. Whether it was primary itself.
    pub(super) fn demote(&mut self, epoch: u64, out: &mut Outcome) -> bool {
        let was_primary = self.is_primary;
        if was_primary {
            self.is_primary = false;
            self.next_send = None;
            self.waiting.clear();
            self.deposed = None;
            let why = raft::StepDown::HigherTerm { term: epoch };
            out.note(raft::Note::SteppedDown { term: self.epoch, why });
        }
        self.epoch = epoch;
        was_primary
    }
}
