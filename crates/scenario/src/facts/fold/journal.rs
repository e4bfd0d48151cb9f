//! A journal on several nodes: an entry is written when a majority has it, and refused when no majority can have it.

use kernel::{Map, ProcessId, Record, RecordId};
use stores::journal::{Entry, Note, Tail, majority};
use stores::{Decided, Refusal, Row, Seen, Stamp};

use super::Fold;
use crate::facts::MomentKind;
use crate::story::Story;

type Nodes = Map<ProcessId, ()>;

/// What the nodes of one journal have said.
#[derive(Default)]
pub(super) struct Journal {
    /// Who has promised each epoch.
    promised: Map<u32, Nodes>,
    /// Who has taken each entry, by epoch and number.
    taken: Map<(u32, u32), Nodes>,
    /// Who has taken what a recovery of this epoch found.
    recovered: Map<u32, Nodes>,
    /// Who has refused each request, by its writer and number there.
    refused: Map<(ProcessId, u32), Nodes>,
    /// The entries that a majority has had: number and the epoch that they were first written under.
    written: Map<(u32, u32), ()>,
}

impl Journal {
    /// The newest epoch that a majority has promised.
    fn epoch(&self, enough: usize) -> u32 {
        let raised = self.promised.iter().filter(|(_, nodes)| nodes.len() >= enough);
        raised.map(|(epoch, _)| *epoch).max().unwrap_or(0)
    }
}

impl Fold<'_> {
    pub(super) fn journal(&mut self, id: RecordId, record: &Record<Story>, note: &Note) {
        let Some((store, nodes)) = self.cast.journal_of(record.process) else { return };
        let (node, enough) = (record.process, majority(nodes.len()));
        let spare = nodes.len() - enough;
        let journal = self.journals.entry(store).or_default();
        match *note {
            Note::Promised(epoch) => {
                journal.promised.entry(epoch).or_default().insert(node, ());
            }
            Note::Took { epoch, txid, entry, row } => {
                let newest = journal.epoch(enough);
                let taken = journal.taken.entry((epoch, txid)).or_default();
                if taken.insert(node, ()).is_none()
                    && taken.len() == enough
                    && journal.written.insert((txid, epoch), ()).is_none()
                {
                    self.entry(id, record, store, (entry, row, None));
                } else if epoch < newest {
                    let what = MomentKind::TookBehind { writer: entry.writer, epoch, newest };
                    self.moment(id, record.at, node, what);
                }
            }
            Note::Recovered { by, ask, epoch, tail } => {
                let recovered = journal.recovered.entry(epoch).or_default();
                if recovered.insert(node, ()).is_none() && recovered.len() == enough {
                    self.recovered(id, record, store, (by, ask), &Tail { epoch, ..tail });
                }
            }
            Note::Refused { entry, why } => {
                let refused = journal.refused.entry((entry.writer, entry.ask)).or_default();
                if refused.insert(node, ()).is_none() && refused.len() == spare + 1 {
                    self.entry(id, record, store, (entry, Row::default(), Some(why)));
                }
            }
        }
    }

    /// A majority has what a recovery found: what an earlier writer left unfinished is written now, by whoever recovers.
    fn recovered(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        store: ProcessId,
        (by, ask): (ProcessId, u32),
        tail: &Tail,
    ) {
        let journal = self.journals.entry(store).or_default();
        let before = journal.written.last().map_or(0, |((txid, _), ())| *txid);
        self.lost_writes += u64::from(before.saturating_sub(tail.txid));
        journal.written.retain(|(txid, _), ()| *txid <= tail.txid);
        let Some(last) =
            tail.last.filter(|_| journal.written.insert((tail.txid, tail.written), ()).is_none())
        else {
            return;
        };
        let what = MomentKind::RecoveredEntry {
            store,
            writer: last.writer,
            item: last.op.item().map(|item| item.number),
        };
        self.moment(id, record.at, by, what);
        let token = last.op.stamp().and_then(Stamp::token);
        let op = last.op.stamped(Stamp::new(token, Seen(tail.epoch)));
        let entry = Entry { writer: by, ask, op };
        self.entry(id, record, store, (entry, tail.row, None));
    }

    fn entry(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        store: ProcessId,
        (entry, row, refusal): (Entry, Row, Option<Refusal>),
    ) {
        let Entry { writer: from, ask, op } = entry;
        self.decided(id, record.at, store, &Decided { from, id: ask, op, fence: None, refusal, row });
    }
}
