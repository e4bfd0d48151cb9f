//! What workers and sweepers do.

use kernel::{Record, RecordId};
use locks::Gone;
use stores::Op;

use super::locks::micros;
use super::{Asked, Fold};
use crate::actors::{Halt, HeldBack, SweepNote, WorkNote};
use crate::facts::{MomentKind, Sweep, SweepKind};
use crate::story::Story;

impl Fold<'_> {
    pub(super) fn work(&mut self, id: RecordId, record: &Record<Story>, note: &WorkNote) {
        let Record { at, process, .. } = *record;
        match note {
            WorkNote::Checked { passed, stop } => {
                let stop = stop.map(|stop| micros(stop).0);
                self.moment(id, at, process, MomentKind::Checked { passed: *passed, stop });
            }
            WorkNote::Asks { store, id: asked, op, under } => {
                let under = under.map(|grant| grant.0);
                self.asked.insert(process, u64::from(*asked), Asked { sent: at, under });
                if matches!(op, Op::Read) {
                    let acked = self.acked.get(store).copied().unwrap_or(0);
                    self.acked_at_ask.insert(process, u64::from(*asked), acked);
                }
            }
            WorkNote::Stopped { why } => {
                self.wants_end(process, at);
                self.moment(id, at, process, MomentKind::Stopped { why: halt_text(why) });
            }
            WorkNote::Restarts { why } => {
                self.moment(id, at, process, MomentKind::Restarts { why: halt_text(why) });
            }
            WorkNote::Finished => self.moment(id, at, process, MomentKind::Finished),
        }
    }

    pub(super) fn sweep(&mut self, id: RecordId, record: &Record<Story>, note: SweepNote) {
        let Record { at, process: sweeper, .. } = *record;
        let (kind, store, owner) = match note {
            SweepNote::HeldBack(why) => {
                return self.moment(id, at, sweeper, MomentKind::HeldBack { why: held_back_text(why) });
            }
            SweepNote::OrphanSeen(store, owner) => (SweepKind::OrphanSeen, store, owner),
            SweepNote::OrphanConfirmed(store, owner) => (SweepKind::OrphanConfirmed, store, owner),
            SweepNote::Skipped(store, owner) => (SweepKind::Skipped, store, owner),
        };
        self.facts.sweeps.push(Sweep {
            at,
            sweeper,
            store,
            owner: owner.0.map(|token| token.0),
            kind,
            record: id,
        });
    }
}

fn held_back_text(why: HeldBack) -> String {
    match why {
        HeldBack::Grace => "the lock service has only just answered again".into(),
        HeldBack::Brake { orphans, claims } => format!("{orphans} of {claims} claims look orphaned"),
        HeldBack::Limit { left } => {
            format!("it has re-queued as many as it may in one look, and leaves {left}")
        }
    }
}

fn halt_text(why: &Halt) -> String {
    match why {
        Halt::LostLock(Gone::StopTime) => "its own stop time has come".into(),
        Halt::LostLock(Gone::ToldGone) => "the service says that its lease is gone".into(),
        Halt::LostLock(Gone::RenewalFailed) => "a renewal failed".into(),
        Halt::LostLock(Gone::GraceOver) => "its grace period is over: its session has expired".into(),
        Halt::LostLock(Gone::Released | Gone::WriteRefused | Gone::Jeopardy) => {
            "it has let the lock go".into()
        }
        Halt::Refused(_) => "its write was refused".into(),
        Halt::StopTime => "its check found its stop time past".into(),
    }
}
