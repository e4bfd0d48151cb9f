//! What a sweeper makes of one look at all of its stores.

use kernel::{Now, Outbox, ProcessId, Span};
use stores::{Claim, Op};

use super::{Found, HeldBack, SweepNote, Sweeper};
use crate::story::Story;

impl Sweeper {
    /// The lock service has answered. If it had not before, holders get time to come back.
    pub(super) fn heard(&mut self, now: Now) {
        if std::mem::take(&mut self.unheard) && self.config.grace > Span::ZERO {
            self.grace_until = Some(now.mono + self.config.grace);
        }
    }

    /// When every store that answers has been judged, what is due is re-queued.
    pub(super) fn conclude(&mut self, now: Now, out: &mut impl Outbox<Story>) {
        if self.watches.iter().any(|watch| watch.scan.is_some() || watch.question.is_some()) {
            return;
        }
        let due: Vec<(usize, Claim)> = self.watches.iter().enumerate().filter_map(due).collect();
        let may = match self.held_back(now) {
            _ if due.is_empty() => return,
            Some(why) => {
                out.note(SweepNote::HeldBack(why));
                0
            }
            None => self.config.requeues_max.map_or(due.len(), |most| due.len().min(most as usize)),
        };
        for (place, claim) in due.iter().take(may) {
            let store = self.config.stores[*place].0;
            self.watches[*place].seen = None;
            self.requeue(store, *claim, out);
        }
        let left = (due.len() - may) as u32;
        if may > 0 && left > 0 {
            out.note(SweepNote::HeldBack(HeldBack::Limit { left }));
        }
    }

    fn held_back(&self, now: Now) -> Option<HeldBack> {
        if self.grace_until.is_some_and(|until| now.mono < until) {
            return Some(HeldBack::Grace);
        }
        let found = || self.watches.iter().filter_map(|watch| watch.found);
        let claims = found().count() as u32;
        let orphans = found().filter(|found| *found != Found::Held).count() as u32;
        let brake = self.config.brake?;
        let is_too_much =
            u64::from(orphans) * u64::from(brake.of) > u64::from(claims) * u64::from(brake.times);
        (claims > 1 && is_too_much).then_some(HeldBack::Brake { orphans, claims })
    }

    fn requeue(&mut self, store: ProcessId, claim: Claim, out: &mut impl Outbox<Story>) {
        let id = self.next_id();
        out.note(SweepNote::OrphanConfirmed(store, claim.owner()));
        out.send(store, stores::Msg::Request { id: id as u32, op: Op::Requeue(claim) });
    }
}

fn due((place, watch): (usize, &super::Watch)) -> Option<(usize, Claim)> {
    match watch.found? {
        Found::Due(claim) => Some((place, claim)),
        Found::Held | Found::Orphan => None,
    }
}
