//! Kafka's partitions, written to by a producer with a transactional id.
//!
//! Whoever calls `InitProducerId` gets the id's next epoch from the coordinator. A partition learns of an epoch when
//! something arrives there under it, and until then accepts the one before: a zombie is fenced partition by partition, and
//! late. Since KIP-890 a partition asks the coordinator before it begins a transaction.
//!
//! A producer numbers its batches, and a partition that has a batch under this epoch already answers without appending it
//! again (`ProducerStateEntry.findDuplicateBatch`): a repetition behind a lost answer is no second batch.

use kernel::Span;

use crate::{Admission, Course, Guard, Item, Key, Op, Refusal, Remember, Seen, Shelf, Token};

/// What a partition knows of the id's producers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProducerState {
    /// The newest epoch that it has seen (the real one has 15 bits).
    epoch: u32,
    /// What it appended last under that, in the number's lower half: of a producer that waits for each answer nothing else
    /// comes twice.
    last: Option<u32>,
}

impl ProducerState {
    /// An abort's marker: nothing was appended under its epoch.
    pub(crate) fn marked(epoch: u32) -> Self {
        Self { epoch, last: None }
    }
    /// Behind this item, under this epoch.
    fn appended(epoch: u32, item: Item) -> Self {
        Self { epoch, last: Some(item.number) }
    }
    /// As it is kept on the shelf.
    pub(crate) fn kept(self) -> u32 {
        self.epoch << 16 | self.last.map_or(0, |number| number % 0xffff + 1)
    }
    fn newest(kept: u32) -> u32 {
        kept >> 16
    }
}

/// A topic's partitions and the coordinator of one transactional id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kafka {
    /// How many partitions there are. Item n goes to partition n modulo these.
    pub partitions: u32,
    /// Whether a partition asks the coordinator first (KIP-890).
    pub verifies: bool,
    /// How long after it was produced an item's transaction is committed.
    pub transaction: Span,
}

impl Kafka {
    fn partition_of(self, item: Item) -> u32 {
        item.number % self.partitions.max(1)
    }
    /// The epoch that `InitProducerId` gives out next.
    pub(crate) fn next_epoch(shelf: &Shelf) -> u32 {
        shelf.recall(Key::Epoch).map_or(0, |epoch| epoch + 1)
    }
    /// The epoch that a producer was given, if it asked for one.
    fn epoch(seen: Seen) -> Option<u32> {
        seen.0.checked_sub(1)
    }

    /// With the newest that the coordinator gave out, or, of a partition, that came there.
    fn compare(epoch: u32, newest: Option<u32>, partition: Option<u32>) -> Result<(), Refusal> {
        match newest {
            Some(newest) if epoch < newest => Err(Refusal::ProducerFenced { epoch, newest, partition }),
            Some(_) | None => Ok(()),
        }
    }

    fn produce(self, shelf: &Shelf, seen: Seen, item: Item) -> Result<Admission, Refusal> {
        // A producer without a transactional id has an id of its own, which nobody takes over.
        let Some(epoch) = Self::epoch(seen) else { return Ok(Admission::ACCEPT) };
        let partition = self.partition_of(item);
        let kept = shelf.recall(Key::EpochAt(partition));
        if self.verifies {
            Self::compare(epoch, shelf.recall(Key::Epoch), None)?;
        }
        Self::compare(epoch, kept.map(ProducerState::newest), Some(partition))?;
        let appended = ProducerState::appended(epoch, item).kept();
        if kept == Some(appended) {
            return Ok(Admission::Replay);
        }
        let remember = Some(Remember::for_good(Key::EpochAt(partition), appended));
        Ok(Admission::Accept { fence: None, remember })
    }
}

impl Guard for Kafka {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        let decided = match op {
            Op::Raise(_) => {
                let remember = Some(Remember::for_good(Key::Epoch, Self::next_epoch(shelf)));
                Ok(Admission::Accept { fence: None, remember })
            }
            Op::Write(stamp, item) | Op::Part(stamp, item) => self.produce(shelf, stamp.seen(), item),
            // The end is told to the coordinator.
            Op::Finish(stamp) => match Self::epoch(stamp.seen()) {
                Some(epoch) => {
                    Self::compare(epoch, shelf.recall(Key::Epoch), None).map(|()| Admission::ACCEPT)
                }
                None => Ok(Admission::ACCEPT),
            },
            Op::Read | Op::Scan | Op::Requeue(_) => Ok(Admission::ACCEPT),
        };
        decided.unwrap_or_else(Admission::Refuse)
    }
    /// Only who asked for an epoch is told one.
    fn seen(&self, shelf: &Shelf, op: Op) -> Option<Seen> {
        match op {
            Op::Raise(_) => shelf.recall(Key::Epoch).map(|epoch| Seen(epoch + 1)),
            Op::Write(..) | Op::Part(..) | Op::Finish(_) | Op::Read | Op::Scan | Op::Requeue(_) => None,
        }
    }
    fn course(&self) -> Option<Course> {
        Some(Course::Transaction(self.transaction))
    }
    fn partition(&self, item: Item) -> Option<u32> {
        Some(self.partition_of(item))
    }
    fn carries(&self, op: Op) -> Option<String> {
        match op {
            Op::Write(stamp, _) | Op::Part(stamp, _) | Op::Finish(stamp) => {
                Self::epoch(stamp.seen()).map(|epoch| format!("epoch {epoch}"))
            }
            Op::Raise(_) | Op::Read | Op::Scan | Op::Requeue(_) => None,
        }
    }
    fn grounds(&self, op: Op, _fence: Option<Token>) -> String {
        match (self.carries(op), op.item()) {
            (Some(epoch), Some(item)) => {
                format!("{epoch} is not below what partition {} has seen", self.partition_of(item))
            }
            (Some(epoch), None) => format!("{epoch} is the last that the coordinator gave out"),
            (None, Some(_)) => "a producer without a transactional id is not fenced".into(),
            (None, None) => "InitProducerId gives out the next epoch".into(),
        }
    }
    fn shows(&self, shelf: &Shelf) -> Vec<(String, String)> {
        let memories = shelf.memories();
        memories
            .filter_map(|memory| match memory.key {
                Key::Epoch => Some(("coordinator".into(), format!("epoch {}", memory.value))),
                Key::EpochAt(partition) => {
                    let epoch = ProducerState::newest(memory.value);
                    Some((format!("partition {partition}"), format!("epoch {epoch}")))
                }
                Key::Fence | Key::Item(_) | Key::Puts(_) | Key::Tail | Key::Timestamp => None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;
    use crate::bench::{claim, row_with_version, write};

    const KAFKA: Kafka = Kafka { partitions: 3, verifies: false, transaction: Span::ZERO };

    /// A coordinator that gave out this epoch, and what the first partition has seen.
    fn shelf(epoch: u32, at_partition: Option<u32>) -> Shelf {
        let mut shelf = row_with_version(1);
        shelf.remember(Memory { key: Key::Epoch, value: epoch, lapses: None });
        if let Some(epoch) = at_partition {
            let value = ProducerState::marked(epoch).kept();
            shelf.remember(Memory { key: Key::EpochAt(0), value, lapses: None });
        }
        shelf
    }

    #[test]
    fn init_producer_id_gives_out_the_next_epoch() {
        let remembers = |shelf: &Shelf| match KAFKA.admit(shelf, claim(None)) {
            Admission::Accept { remember, .. } => remember.map(|remember| remember.value),
            Admission::Replay | Admission::Again(_) | Admission::Refuse(_) => None,
        };
        assert_eq!(remembers(&row_with_version(0)), Some(0));
        assert_eq!(remembers(&shelf(0, None)), Some(1));
    }

    #[test]
    fn a_partition_that_has_not_seen_the_new_epoch_accepts_the_zombie() {
        let zombie = write(None, 1); // epoch 0
        let refused =
            |guard: Kafka, shelf: &Shelf| matches!(guard.admit(shelf, zombie), Admission::Refuse(_));
        assert!(!refused(KAFKA, &shelf(1, None)));
        assert!(!refused(KAFKA, &shelf(1, Some(0))));
        assert!(refused(KAFKA, &shelf(1, Some(1))));
        let verifies = Kafka { verifies: true, ..KAFKA };
        assert!(refused(verifies, &shelf(1, None)), "the coordinator knows");
    }

    #[test]
    fn a_repetition_is_not_appended_again_and_the_next_producer_is_no_repetition() {
        let mut shelf = shelf(1, None);
        let under = |epoch: u32| KAFKA.admit(&shelf, write(None, epoch + 1));
        let Admission::Accept { remember: Some(state), .. } = under(0) else { panic!("{:?}", under(0)) };
        shelf.remember(Memory { key: state.key, value: state.value, lapses: None });
        let under = |epoch: u32| KAFKA.admit(&shelf, write(None, epoch + 1));
        assert_eq!(under(0), Admission::Replay);
        assert!(matches!(under(1), Admission::Accept { .. }), "its epoch begins at sequence 0");
    }

    #[test]
    fn another_item_of_the_partition_is_appended() {
        let item = |number| Item { number, effects: 5, first: 0 };
        let (first, next) = (ProducerState::appended(1, item(0)), ProducerState::appended(1, item(3)));
        assert_ne!(first.kept(), next.kept());
        assert_ne!(first.kept(), ProducerState::marked(1).kept());
        assert_eq!(ProducerState::newest(next.kept()), 1);
    }

    #[test]
    fn only_who_takes_the_id_over_learns_its_epoch() {
        assert_eq!(KAFKA.seen(&shelf(1, None), claim(None)), Some(Seen(2)));
        assert_eq!(KAFKA.seen(&shelf(1, None), write(None, 1)), None);
    }
}
