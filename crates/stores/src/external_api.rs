//! Somebody else's API: a call has its effect there, and nothing there can compare tokens.
//!
//! With idempotency keys the API keeps what it has answered under a key of the work itself, the same for every worker,
//! and answers a repeat with that. While a call is in progress a marker stands under its key; a marker must lapse, or a
//! call that died would block its key for good, and when it lapses before the result is stored the effect happens twice.

use kernel::Span;

use crate::{Admission, Conflict, Course, Guard, Item, Key, Op, Remember, Shelf, Token};

/// Does what it is asked; with keys, once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExternalApi {
    /// How it keeps idempotency keys; `None`: it has none.
    pub idempotency: Option<Idempotency>,
    /// How long after its effect a call is answered.
    pub call: Span,
}

/// How an API keeps idempotency keys. Lifetimes are on its own wall clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Idempotency {
    /// How long a result is kept.
    pub keep: Span,
    /// How long a call counts as in progress.
    pub marker: Span,
}

const IN_PROGRESS: u32 = 0;
const STORED: u32 = 1;

impl Guard for ExternalApi {
    fn admit(&self, shelf: &Shelf, op: Op) -> Admission {
        let (Some(item), Some(idempotency)) = (op.item(), self.idempotency) else { return Admission::ACCEPT };
        match shelf.recall(Key::Item(item.number)) {
            Some(IN_PROGRESS) => Admission::Again(Conflict::InProgress),
            Some(_) => Admission::Replay,
            None => {
                let marker = Remember {
                    key: Key::Item(item.number),
                    value: IN_PROGRESS,
                    lifetime: Some(idempotency.marker),
                };
                let remember = if self.call == Span::ZERO { self.result(item) } else { Some(marker) };
                Admission::Accept { fence: None, remember }
            }
        }
    }
    fn course(&self) -> Option<Course> {
        Some(Course::Call(self.call))
    }
    fn result(&self, item: Item) -> Option<Remember> {
        let keep = self.idempotency?.keep;
        Some(Remember { key: Key::Item(item.number), value: STORED, lifetime: Some(keep) })
    }
    fn carries(&self, op: Op) -> Option<String> {
        let item = op.item().filter(|_| self.idempotency.is_some())?;
        Some(format!("key {}", item.number + 1))
    }
    fn grounds(&self, op: Op, _fence: Option<Token>) -> String {
        match self.carries(op) {
            Some(key) => format!("nothing is stored under {key}"),
            None => "this API checks nothing".into(),
        }
    }
    fn shows(&self, shelf: &Shelf) -> Vec<(String, String)> {
        let count = |wanted| shelf.memories().filter(|memory| memory.value == wanted).count().to_string();
        match self.idempotency {
            Some(_) => vec![
                ("keys in progress".into(), count(IN_PROGRESS)),
                ("results stored".into(), count(STORED)),
            ],
            None => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::Wall;

    use super::*;
    use crate::Memory;
    use crate::bench::{row_with_version, write};

    fn with_keys(call: Span) -> ExternalApi {
        let idempotency = Idempotency { keep: Span::from_secs(3_600), marker: Span::from_secs(60) };
        ExternalApi { idempotency: Some(idempotency), call }
    }

    #[test]
    fn without_keys_a_repeat_is_done_again() {
        let shelf = row_with_version(1);
        assert_eq!(ExternalApi::default().admit(&shelf, write(None, 0)), Admission::ACCEPT);
    }

    #[test]
    fn a_repeat_waits_while_the_call_is_in_progress_and_then_gets_its_result() {
        let api = with_keys(Span::from_secs(2));
        let mut shelf = row_with_version(1);
        let Admission::Accept { remember: Some(marker), .. } = api.admit(&shelf, write(None, 0)) else {
            panic!("a new key is accepted")
        };
        assert_eq!((marker.value, marker.lifetime), (IN_PROGRESS, Some(Span::from_secs(60))));
        let remember = |shelf: &mut Shelf, remember: Remember| {
            let lapses = remember.lifetime.map(|_| Wall::from_micros(60_000_000));
            shelf.remember(Memory { key: remember.key, value: remember.value, lapses });
        };
        remember(&mut shelf, marker);
        assert_eq!(api.admit(&shelf, write(None, 0)), Admission::Again(Conflict::InProgress));
        let mut died = shelf.clone();
        let item = write(None, 0).item().expect("a write has an item");
        remember(&mut shelf, api.result(item).expect("it has keys"));
        assert_eq!(api.admit(&shelf, write(None, 0)), Admission::Replay);
        // A call that died leaves a marker, and when that lapses nothing is known of the call.
        died.lapse(Wall::from_micros(60_000_000));
        assert!(matches!(api.admit(&died, write(None, 0)), Admission::Accept { .. }));
    }
}
