//! Of writes, fences, rows and sweepers.

use super::words::{some, words};
use super::{Teller, Tone};
use crate::facts::{RowState, SweepKind, Write, WriteKind};
use document::text::whose;

impl Teller<'_> {
    pub(super) fn writes(&mut self) {
        let facts = self.facts;
        for (index, write) in facts.writes.iter().enumerate() {
            match write.kind {
                WriteKind::Raise if write.accepted => self.raise(write),
                WriteKind::Item { item, effects }
                    if write.accepted && !write.stale && write.duplicates == 0 =>
                {
                    self.plain_write(index, item, effects);
                }
                WriteKind::Item { item, .. } if write.accepted => self.bad_write(write, item),
                WriteKind::Finish if write.accepted && !write.stale => self.finish(write),
                WriteKind::Finish if write.accepted => {
                    let text = format!(
                        "{} marks the work as done under an old grant, and the store accepts",
                        self.name(write.worker)
                    );
                    self.tell(write.at, write.worker, "accepted-stale", Tone::Bad, write.record, text);
                }
                // A re-queue that was accepted is told as the sweeper's act.
                WriteKind::Requeue if write.accepted => {}
                WriteKind::Requeue => {
                    let text =
                        format!("{} re-queue is refused: {}", whose(self.name(write.worker)), write.reason);
                    self.tell(write.at, write.worker, "refused", Tone::Good, write.record, text);
                }
                WriteKind::Raise | WriteKind::Item { .. } | WriteKind::Finish => self.refusal(write),
            }
        }
    }

    fn raise(&mut self, write: &Write) {
        let name = self.name(write.worker);
        let store = self.name(write.store);
        let row = self.facts.rows.iter().rfind(|row| row.store == write.store && row.at <= write.at);
        let done = row.is_some_and(|row| row.state == RowState::Done);
        let text = match (write.token, write.fence) {
            _ if done => format!("{name} reads the row at {store}: the work is done"),
            (Some(token), Some(fence)) if token > fence => {
                format!("{name} raises the fence at {store} from {fence} to {token} and claims the row")
            }
            (Some(_), Some(_)) => format!("{name} claims the row at {store}; the fence stays"),
            (_, None) | (None, _) => format!("{name} claims the row at {store}, which has no fence"),
        };
        let tone = if write.stale { Tone::Bad } else { Tone::Plain };
        self.tell(write.at, write.worker, "fence-raised", tone, write.record, text);
    }

    /// Of a run of like writes the first and the last are told.
    fn plain_write(&mut self, index: usize, item: u32, effects: u32) {
        let facts = self.facts;
        let write = &facts.writes[index];
        let item_of_run = |other: &Write| match other.kind {
            WriteKind::Item { item, .. }
                if other.worker == write.worker
                    && other.store == write.store
                    && other.under == write.under
                    && other.accepted
                    && !other.stale
                    && other.duplicates == 0 =>
            {
                Some(item)
            }
            WriteKind::Item { .. } | WriteKind::Raise | WriteKind::Finish | WriteKind::Requeue => None,
        };
        let before: Vec<u32> = facts.writes[..index].iter().filter_map(item_of_run).collect();
        let is_last = !facts.writes[index + 1..].iter().any(|other| item_of_run(other).is_some());
        if !before.is_empty() && !is_last {
            return;
        }
        let words = words(self.scenario, self.cast, write.store);
        let name = self.name(write.worker);
        let with =
            write.token.map_or(String::from(" without a token"), |token| format!(" with token {token}"));
        let what = if is_last && let [_, second, ..] = before[..] {
            // Items that are written again without effects count up anew.
            if item.checked_sub(second) == Some(before.len() as u32 - 1) {
                format!("{name} has written {}s {} to {}{with}", words.item, second + 1, item + 1)
            } else {
                format!("{name} has written {} more {}s{with}", before.len(), words.item)
            }
        } else {
            format!(
                "{name} writes {} {}{with}: {} {}",
                words.item,
                item + 1,
                some(effects.into(), words.many),
                words.done
            )
        };
        self.tell(write.at, write.worker, "wrote", Tone::Plain, write.record, what);
    }

    fn bad_write(&mut self, write: &Write, item: u32) {
        let words = words(self.scenario, self.cast, write.store);
        let mut text = format!("{} {} {} ", whose(self.name(write.worker)), words.item, item + 1);
        text.push_str(if write.stale { "is stale and accepted" } else { "is written again" });
        if let Some(token) = write.token {
            text = format!("{text}, with token {token}");
        }
        text = format!("{text}: {}", write.reason);
        if write.duplicates > 0 {
            text = format!("{text}; {} {} twice", some(write.duplicates, words.many), words.done);
        }
        let kind = if write.stale { "accepted-stale" } else { "repeated" };
        self.tell(write.at, write.worker, kind, Tone::Bad, write.record, text);
    }

    fn refusal(&mut self, write: &Write) {
        let words = words(self.scenario, self.cast, write.store);
        let what = match write.kind {
            WriteKind::Item { item, .. } => format!("{} {}", words.item, item + 1),
            WriteKind::Raise => "raise of the fence".into(),
            WriteKind::Finish => "finish".into(),
            WriteKind::Requeue => "re-queue".into(),
        };
        let name = whose(self.name(write.worker));
        let (tone, stale) = if write.stale { (Tone::Good, "stale ") } else { (Tone::Bad, "") };
        let text = format!("{name} {stale}{what} is refused: {}", write.reason);
        self.tell(write.at, write.worker, "refused", tone, write.record, text);
    }

    fn finish(&mut self, write: &Write) {
        let with = write.token.map_or(String::new(), |token| format!(" with token {token}"));
        let text =
            format!("{} marks the work as done{with}: the row leaves the index", self.name(write.worker));
        self.tell(write.at, write.worker, "finished-work", Tone::Good, write.record, text);
    }

    pub(super) fn sweeps(&mut self) {
        let facts = self.facts;
        for sweep in &facts.sweeps {
            let (name, store, owner) = (self.name(sweep.sweeper), self.name(sweep.store), sweep.owner);
            let (kind, text) = match sweep.kind {
                SweepKind::Skipped => continue,
                SweepKind::OrphanSeen => {
                    let text = format!(
                        "{name} sees an orphan at {store}: claimed with token {owner}, and nobody holds the lock"
                    );
                    ("orphan-seen", text)
                }
                SweepKind::OrphanConfirmed => (
                    "re-queued",
                    format!(
                        "{name} sees the orphan at {store} again and re-queues it, if the claim is still {owner}"
                    ),
                ),
            };
            self.tell(sweep.at, sweep.sweeper, kind, Tone::Plain, sweep.record, text);
        }
    }
}
