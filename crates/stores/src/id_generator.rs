//! Ids made of a timestamp, a machine number and a sequence number (Snowflake). The machine number is leased, and its
//! record keeps the timestamp that was used last.
//!
//! Two holders of one number whose clocks show the same millisecond make the same ids. What keeps them apart is no token
//! but the timestamp: it has to be above the last one.

use kernel::Wall;

use crate::{Admission, Conflict, Effects, Guard, Key, Op, Refusal, Remember, Seen, Shelf, Token};

/// Makes ids of whoever holds its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdGenerator {
    /// Whether the number's record keeps the last timestamp.
    pub keeps_timestamp: bool,
}

impl IdGenerator {
    /// The timestamp of ids that are made while a wall clock shows this: its milliseconds, in order also below zero.
    pub fn timestamp(wall: Wall) -> Seen {
        let millis = wall.as_micros().div_euclid(1_000);
        let millis = i32::try_from(millis).unwrap_or(if millis < 0 { i32::MIN } else { i32::MAX });
        Seen(millis.cast_unsigned() ^ (1 << 31))
    }
}

/// As a clock shows it.
fn millis(timestamp: u32) -> i32 {
    (timestamp ^ (1 << 31)).cast_signed()
}

impl Guard for IdGenerator {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        let (true, Some(_), Some(stamp)) = (self.keeps_timestamp, op.item(), op.stamp()) else {
            return Admission::ACCEPT;
        };
        let timestamp = stamp.seen().0;
        match shelf.recall(Key::Timestamp) {
            Some(last) if timestamp < last => {
                let (timestamp, last) = (millis(timestamp), millis(last));
                Admission::Refuse(Refusal::ClockBehind { timestamp, last })
            }
            Some(last) if timestamp == last => Admission::Again(Conflict::SameMillisecond),
            Some(_) | None => Admission::Accept {
                fence: None,
                remember: Some(Remember::for_good(Key::Timestamp, timestamp)),
            },
        }
    }
    fn is_stamped_by_clock(&self) -> bool {
        true
    }
    /// Ids are known by their timestamp and their place in its sequence.
    fn effects(&self, op: Op) -> Option<Effects> {
        let (stamp, item) = (op.stamp()?, op.item()?);
        Some(Effects { of: stamp.seen().0, first: 0, count: item.effects })
    }
    fn carries(&self, op: Op) -> Option<String> {
        op.item()?;
        Some(format!("timestamp {} ms", millis(op.stamp()?.seen().0)))
    }
    fn grounds(&self, op: Op, _fence: Option<Token>) -> String {
        match self.carries(op) {
            Some(timestamp) if self.keeps_timestamp => format!("{timestamp} is above the last one"),
            Some(_) => "no timestamp is kept".into(),
            None => "a claim compares nothing".into(),
        }
    }
    fn shows(&self, shelf: &Shelf) -> Vec<(String, String)> {
        let last = shelf.recall(Key::Timestamp);
        let text = last.map_or("none".into(), |last| format!("{} ms", millis(last)));
        if self.keeps_timestamp { vec![("last timestamp".into(), text)] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;
    use crate::bench::{row_with_version, write};

    fn at(micros: i64) -> u32 {
        IdGenerator::timestamp(Wall::from_micros(micros)).0
    }

    fn admit(keeps_timestamp: bool, last: i64, now: i64) -> Admission {
        let mut shelf = row_with_version(1);
        shelf.remember(Memory { key: Key::Timestamp, value: at(last), lapses: None });
        IdGenerator { keeps_timestamp }.admit(&shelf, write(None, at(now)))
    }

    #[test]
    fn timestamps_are_milliseconds_and_grow_also_below_zero() {
        assert_eq!(at(5_000), at(5_999));
        assert!(at(-5_000) < at(-1) && at(-1) < at(0) && at(0) < at(1_000));
        assert_eq!(millis(at(-3_000_000)), -3_000);
    }

    #[test]
    fn only_a_timestamp_above_the_last_one_makes_ids() {
        assert!(matches!(admit(true, 5_000, 6_000), Admission::Accept { .. }));
        assert_eq!(admit(true, 5_000, 5_999), Admission::Again(Conflict::SameMillisecond));
        let behind = Refusal::ClockBehind { timestamp: 4, last: 5 };
        assert_eq!(admit(true, 5_000, 4_999), Admission::Refuse(behind));
        assert_eq!(admit(false, 5_000, 4_999), Admission::ACCEPT);
    }

    #[test]
    fn ids_of_one_millisecond_are_the_same() {
        let ids =
            |token, micros| IdGenerator { keeps_timestamp: true }.effects(write(Some(token), at(micros)));
        assert_eq!(ids(7, 5_000), ids(12, 5_400));
        assert_ne!(ids(7, 5_000), ids(7, 6_000));
    }
}
