//! Of writes, fences, rows and sweepers.

use super::words::{claim, some, words};
use super::{Teller, Tone};
use crate::facts::{MomentKind, RowState, SweepKind, Write, WriteKind};
use document::model::EventKind;
use document::text::whose;
use stores::Kind;

fn is_bad(write: &Write) -> bool {
    write.stale || write.duplicates > 0
}

/// Whether two writes are of the same item, by the same worker under the same grant.
fn are_of_one_item(write: &Write, other: &Write) -> bool {
    let item = |write: &Write| match write.kind {
        WriteKind::Item { item, .. } => Some(item),
        WriteKind::Raise | WriteKind::Finish | WriteKind::Requeue => None,
    };
    (write.store, write.worker, write.under, item(write))
        == (other.store, other.worker, other.under, item(other))
}

/// What a write carries; nothing when that is not to be told.
fn with(write: &Write, is_told: bool) -> String {
    match (write.carried.as_str(), write.token) {
        ("", None) => " without a token".into(),
        ("", Some(_)) => String::new(),
        (carried, _) if is_told => format!(" with {carried}"),
        (_, _) => String::new(),
    }
}

impl Teller<'_> {
    pub(super) fn writes(&mut self) {
        let facts = self.facts;
        for (index, write) in facts.writes.iter().enumerate() {
            match write.kind {
                _ if self.is_told_with_another(index) => {}
                WriteKind::Raise if write.accepted => self.raise(write),
                WriteKind::Item { item, effects }
                    if write.accepted && !write.stale && write.duplicates == 0 =>
                {
                    self.plain_write(index, item, effects);
                }
                WriteKind::Item { item, .. } if write.accepted => self.bad_write(index, item),
                WriteKind::Finish if write.accepted && !write.stale => self.finish(write),
                WriteKind::Finish if write.accepted => {
                    let text = format!(
                        "{} marks the work as done under an old grant, and the store accepts",
                        self.name(write.worker)
                    );
                    self.tell(
                        write.at,
                        write.worker,
                        EventKind::AcceptedStale,
                        Tone::Bad,
                        write.record,
                        text,
                    );
                }
                // A re-queue that was accepted is told as the sweeper's act.
                WriteKind::Requeue if write.accepted => {}
                WriteKind::Requeue => {
                    let text =
                        format!("{} re-queue is refused: {}", whose(self.name(write.worker)), write.reason);
                    self.tell(write.at, write.worker, EventKind::Refused, Tone::Good, write.record, text);
                }
                WriteKind::Raise | WriteKind::Item { .. } | WriteKind::Finish => self.refusal(write),
            }
        }
    }

    /// The parts of an item are told as one: a plain item with its last part, a bad one with the first that is bad.
    fn is_told_with_another(&self, index: usize) -> bool {
        let write = &self.facts.writes[index];
        let Some(part) = write.part.filter(|_| write.accepted) else { return false };
        if is_bad(write) {
            self.facts.writes[..index].iter().any(|other| is_bad(other) && are_of_one_item(write, other))
        } else {
            !part.is_last
        }
    }

    /// Writes of the same item by the same worker under the same grant, this one among them.
    fn parts(&self, write: &Write) -> impl Iterator<Item = &Write> {
        self.facts.writes.iter().filter(move |other| other.accepted && are_of_one_item(write, other))
    }

    fn raise(&mut self, write: &Write) {
        let name = self.name(write.worker);
        let store = self.name(write.store);
        let row = self.facts.rows.iter().rfind(|row| row.store == write.store && row.at < write.at);
        let done = row.is_some_and(|row| row.state == RowState::Done);
        let text = match (write.token, write.fence) {
            _ if done => format!("{name} reads the row at {store}: the work is done"),
            (Some(token), Some(fence)) if token > fence => {
                format!("{name} raises the fence at {store} from {fence} to {token} and claims the row")
            }
            (Some(_), Some(_)) => format!("{name} claims the row at {store}; the fence stays"),
            (_, None) if matches!(self.cast.kind_of(write.store), Some(Kind::Unfenced(_))) => {
                format!("{name} claims the row at {store}, which has no fence")
            }
            (_, None) | (None, _) => format!("{name} claims the row at {store}: {}", write.reason),
        };
        let tone = if write.stale { Tone::Bad } else { Tone::Plain };
        self.tell(write.at, write.worker, EventKind::FenceRaised, tone, write.record, text);
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
                    && !is_bad(other)
                    && other.part.is_none_or(|part| part.is_last) =>
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
        let what = if is_last && let [_, second, ..] = before[..] {
            // What changes from write to write is not the run's.
            let alike = facts.writes[..index].iter().rfind(|other| item_of_run(other).is_some());
            let with = with(write, alike.is_some_and(|other| other.carried == write.carried));
            // Items that are written again without effects count up anew.
            if item.checked_sub(second) == Some(before.len() as u32 - 1) {
                format!("{name} has written {}s {} to {}{with}", words.item, second + 1, item + 1)
            } else {
                format!("{name} has written {} more {}s{with}", before.len(), words.item)
            }
        } else {
            let with = with(write, true);
            let done = some(u64::from(write.part.map_or(0, |part| part.first) + effects), words.many);
            let parts = match write.part {
                Some(_) => format!(", in {} transactions", self.parts(write).count()),
                None => String::new(),
            };
            format!("{name} writes {} {}{with}: {done} {}{parts}", words.item, item + 1, words.done)
        };
        self.tell(write.at, write.worker, EventKind::Wrote, Tone::Plain, write.record, what);
    }

    fn bad_write(&mut self, index: usize, item: u32) {
        let write = &self.facts.writes[index];
        let words = words(self.scenario, self.cast, write.store);
        let mut text = format!("{} {} {} ", whose(self.name(write.worker)), words.item, item + 1);
        let makes_ids = matches!(self.cast.kind_of(write.store), Some(Kind::IdGenerator(_)));
        text.push_str(match (write.stale, makes_ids) {
            (true, _) => "is stale and accepted",
            (false, true) => "is of ids that there are already",
            (false, false) => "is written again",
        });
        if !write.carried.is_empty() {
            text = format!("{text}, with {}", write.carried);
        }
        text = format!("{text}: {}", write.reason);
        // A repetition is told by itself: the transactions of one item are not.
        let duplicates = match write.part {
            Some(_) => self.parts(write).map(|part| part.duplicates).sum(),
            None => write.duplicates,
        };
        if duplicates > 0 {
            text = format!("{text}; {} {} twice", some(duplicates, words.many), words.done);
        }
        let kind = if write.stale { EventKind::AcceptedStale } else { EventKind::Repeated };
        self.tell(write.at, write.worker, kind, Tone::Bad, write.record, text);
    }

    fn refusal(&mut self, write: &Write) {
        let words = words(self.scenario, self.cast, write.store);
        let what = match write.kind {
            WriteKind::Item { item, .. } => format!("{} {}", words.item, item + 1),
            WriteKind::Raise => claim(self.cast, write.store).into(),
            WriteKind::Finish => "finish".into(),
            WriteKind::Requeue => "re-queue".into(),
        };
        let name = whose(self.name(write.worker));
        let (tone, stale) = if write.stale { (Tone::Good, "stale ") } else { (Tone::Bad, "") };
        let mut text = format!("{name} {stale}{what} is refused: {}", write.reason);
        if let Some(part) = write.part.filter(|part| part.first > 0) {
            let before = some(part.first.into(), words.many);
            text = format!("{text}; {before} of it were {} before", words.done);
        }
        self.tell(write.at, write.worker, EventKind::Refused, tone, write.record, text);
    }

    /// Answers that decided nothing: results of earlier writes, and words to try again.
    pub(super) fn answers(&mut self) {
        let facts = self.facts;
        let before = |index: usize| {
            let process = facts.moments[index].process;
            facts.moments[..index].iter().rfind(|other| other.process == process)
        };
        for (index, moment) in facts.moments.iter().enumerate() {
            // Of a run of the same the first is told.
            if before(index).is_some_and(|before| before.what == moment.what) {
                continue;
            }
            if let Some((kind, tone, text)) = self.answer(self.name(moment.process), &moment.what) {
                self.tell(moment.at, moment.process, kind, tone, moment.record, text);
            }
        }
    }

    /// What somebody was answered, if that is what a moment is about.
    fn answer(&self, name: &str, what: &MomentKind) -> Option<(EventKind, Tone, String)> {
        Some(match what {
            MomentKind::Replayed { store, item, stale } => {
                let words = words(self.scenario, self.cast, *store);
                let how = match self.cast.kind_of(*store) {
                    Some(Kind::Dynamodb(_)) => "finds its items there, and puts none",
                    Some(Kind::Kafka(_)) => "knows its sequence number, and appends nothing",
                    Some(
                        Kind::ExternalApi(_)
                        | Kind::Unfenced(_)
                        | Kind::FencedRow(_)
                        | Kind::VersionedRow(_)
                        | Kind::S3Manifest(_)
                        | Kind::Stream(_)
                        | Kind::IdGenerator(_)
                        | Kind::Sql(_)
                        | Kind::SessionChecked(_)
                        | Kind::Journal(_),
                    )
                    | None => "answers with the stored result",
                };
                let stale = if *stale { "stale " } else { "" };
                let (item, store) = (format!("{} {}", words.item, item + 1), self.name(*store));
                let text = format!("{} {stale}{item} was {} before: {store} {how}", whose(name), words.done);
                (EventKind::Replayed, Tone::Good, text)
            }
            MomentKind::PutOff { store, why } => {
                let text = format!("{name} is to try again at {}: {why}", self.name(*store));
                (EventKind::PutOff, Tone::Plain, text)
            }
            MomentKind::RowLocked { store } => {
                let text = format!("{name} locks the row at {} in a transaction", self.name(*store));
                (EventKind::RowLocked, Tone::Plain, text)
            }
            MomentKind::RowAwaited { store, owner } => {
                let (store, owner) = (self.name(*store), whose(self.name(*owner)));
                let text =
                    format!("{name} waits for the row at {store}, which is locked by {owner} transaction");
                (EventKind::RowAwaited, Tone::Plain, text)
            }
            MomentKind::RolledBack { store, items, why } => {
                let words = words(self.scenario, self.cast, *store);
                let lost = match items {
                    0 => "it had written nothing".to_owned(),
                    _ => format!(
                        "{} that it had written never were",
                        some(u64::from(*items), &format!("{}s", words.item))
                    ),
                };
                let (name, store) = (whose(name), self.name(*store));
                let text = format!("{name} transaction at {store} is rolled back, for {why}: {lost}");
                (EventKind::RolledBack, Tone::Fault, text)
            }
            MomentKind::RecoveredEntry { store, writer, item } => {
                let words = words(self.scenario, self.cast, *store);
                let what = match item {
                    Some(item) => format!("{} {}", words.item, item + 1),
                    None => "an entry".to_owned(),
                };
                let (writer, store) = (self.name(*writer), self.name(*store));
                let text = format!(
                    "{name} finds {what} at {store}, which {writer} left unfinished, and finishes it"
                );
                (EventKind::Recovered, Tone::Plain, text)
            }
            MomentKind::TookBehind { writer, epoch, newest } => {
                let writer = whose(self.name(*writer));
                let text = format!(
                    "{name} takes {writer} entry under epoch {epoch}: it has not heard of epoch {newest}, and alone it is no majority"
                );
                (EventKind::TookAlone, Tone::Plain, text)
            }
            MomentKind::Checked { .. }
            | MomentKind::HeldBack { .. }
            | MomentKind::RenewalFailed { .. }
            | MomentKind::Stopped { .. }
            | MomentKind::Restarts { .. }
            | MomentKind::Finished
            | MomentKind::Woken { .. }
            | MomentKind::Read { .. }
            | MomentKind::Restored
            | MomentKind::StartedAgain
            | MomentKind::Woke => return None,
        })
    }

    fn finish(&mut self, write: &Write) {
        let with = if write.carried.is_empty() { String::new() } else { format!(" with {}", write.carried) };
        let text =
            format!("{} marks the work as done{with}: the row leaves the index", self.name(write.worker));
        self.tell(write.at, write.worker, EventKind::FinishedWork, Tone::Good, write.record, text);
    }

    pub(super) fn sweeps(&mut self) {
        let facts = self.facts;
        for sweep in &facts.sweeps {
            let (name, store) = (self.name(sweep.sweeper), self.name(sweep.store));
            let (kind, text) = match sweep.kind {
                SweepKind::Skipped => continue,
                SweepKind::OrphanSeen => {
                    let with =
                        sweep.owner.map_or("without a token".into(), |owner| format!("with token {owner}"));
                    let text = format!(
                        "{name} sees an orphan at {store}: claimed {with}, and nobody holds the lock"
                    );
                    (EventKind::OrphanSeen, text)
                }
                SweepKind::OrphanConfirmed => {
                    let still = match sweep.owner {
                        Some(owner) => format!("the claim is still {owner}"),
                        None => "the row has not changed".into(),
                    };
                    let text =
                        format!("{name} sees the orphan at {store} again and re-queues it, if {still}");
                    (EventKind::ReQueued, text)
                }
            };
            self.tell(sweep.at, sweep.sweeper, kind, Tone::Plain, sweep.record, text);
        }
    }
}
