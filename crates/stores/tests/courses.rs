//! Requests that take their time: how they stand to each other, by the instants at which they are answered.

use kernel::{Effect, Effects, Input, Mono, Now, ProcessId, Span, Wall};
use stores::{
    Answer, Claiming, Dynamodb, ExternalApi, FencedRow, Idempotency, Item, Kafka, Kind, Msg, Op, S3Manifest,
    Seen, Shelf, Speech, Sql, Stamp, Store, Timer, Token,
};

const A: ProcessId = ProcessId(1);
const B: ProcessId = ProcessId(2);

/// A store on a bench: asked by hand, with a clock that is moved by hand.
struct Bench {
    store: Store,
    disk: Option<Shelf>,
    millis: u64,
    timer: Option<(Timer, Mono)>,
    told: Vec<String>,
}

impl Bench {
    fn new(kind: Kind) -> Self {
        let store = Store::new(kind, Span::ZERO);
        Self { store, disk: None, millis: 0, timer: None, told: Vec::new() }
    }

    fn now(&self) -> Now {
        let micros = self.millis * 1_000;
        Now { mono: Mono::from_micros(micros), wall: Wall::from_micros(micros as i64) }
    }

    fn give(&mut self, input: Input<'_, Speech>) {
        let mut out = Effects::<Speech>::default();
        self.store.on(input, self.now(), &mut out);
        for effect in out.0 {
            match effect {
                Effect::Arm { timer, due } => self.timer = Some((timer, due)),
                Effect::Disarm(_) => self.timer = None,
                Effect::Persist(change) => kernel::Keep::keep(&mut self.disk, &change),
                Effect::Send { to, msg: Msg::Reply { answer, .. } } => {
                    let who = if to == A { "A" } else { "B" };
                    let how = match &*answer {
                        Answer::Accepted(_) => "accepted".to_owned(),
                        Answer::Replayed(_) => "replayed".to_owned(),
                        Answer::Refused(why) => format!("refused: {why}"),
                        Answer::Again(why) => format!("again: {why}"),
                        Answer::Row(_) | Answer::Index(_) => "read".to_owned(),
                    };
                    self.told.push(format!("{} {who} {how}", self.millis));
                }
                Effect::Send { msg: Msg::Request { .. } | Msg::Journal(_) | Msg::Fence(_), .. }
                | Effect::Note(_)
                | Effect::Connect { .. }
                | Effect::Disconnect { .. } => {}
            }
        }
    }

    /// Lets time go by until then.
    fn until(&mut self, millis: u64) {
        while let Some((timer, due)) = self.timer.filter(|(_, due)| due.as_micros() <= millis * 1_000) {
            self.timer = None;
            self.millis = due.as_micros() / 1_000;
            self.give(Input::Timer(timer));
        }
        self.millis = millis;
    }

    fn ask(&mut self, millis: u64, from: ProcessId, op: Op) {
        self.until(millis);
        self.give(Input::Message { from, msg: &Msg::Request { id: 1, op } });
    }

    /// The process dies, and comes up with what its disk kept.
    fn crash(&mut self) {
        self.timer = None;
        self.store = self.store.start(&self.disk);
    }

    #[track_caller]
    fn check(&mut self, until: u64, expected: &[&str]) {
        self.until(until);
        assert_eq!(self.told, expected);
    }
}

fn raise(token: u64) -> Op {
    Op::Raise(Stamp::new(Some(Token(token)), Seen::NOTHING))
}

fn write(token: u64, seen: u32, number: u32) -> Op {
    Op::Write(Stamp::new(Some(Token(token)), Seen(seen)), Item { number, effects: 10, first: 0 })
}

#[test]
fn a_row_lock_makes_a_late_write_wait_and_then_see_the_new_fence() {
    let fence = FencedRow::default();
    let sql = Sql { claiming: Claiming::Fence, fence, transaction: Span::from_millis(200) };
    let mut bench = Bench::new(Kind::Sql(sql));
    bench.ask(0, A, raise(7));
    bench.ask(1_000, B, raise(12));
    bench.ask(1_050, A, write(7, 0, 0));
    bench.ask(1_060, B, write(12, 0, 0));
    bench.check(
        2_000,
        &[
            "200 A accepted",
            "1200 B accepted",
            "1200 A refused: token 7 is below the fence 12",
            "1400 B accepted",
        ],
    );
}

#[test]
fn two_transactions_that_use_the_fence_item_at_once_conflict() {
    let kind = Dynamodb { transaction: Span::from_millis(5), ..Dynamodb::default() };
    let mut bench = Bench::new(Kind::Dynamodb(kind));
    bench.ask(0, A, write(7, 0, 0));
    bench.ask(3, B, raise(12));
    bench.ask(10, B, raise(12));
    bench.ask(20, A, write(7, 0, 1));
    bench.check(
        30,
        &[
            "3 B again: another transaction is using the fence item (TransactionConflict)",
            "5 A accepted",
            "15 B accepted",
            "20 A refused: token 7 is below the fence 12",
        ],
    );
}

#[test]
fn of_two_uploads_the_first_to_finish_wins_and_the_other_is_to_try_again() {
    let mut bench = Bench::new(Kind::S3Manifest(S3Manifest { nonce: true, upload: Span::from_millis(200) }));
    bench.ask(0, B, write(12, 0, 0));
    bench.ask(50, A, write(7, 0, 0));
    bench.until(250);
    let last = bench.told.last().cloned();
    assert_eq!(
        last.as_deref(),
        Some("250 A again: another upload finished meanwhile (409 ConditionalRequestConflict)")
    );
    bench.ask(300, A, write(7, 0, 0));
    let last = bench.told.last().cloned().unwrap_or_default();
    assert!(last.starts_with("300 A refused: it was to be created, and is there"), "{last}");
}

fn api(marker: Span) -> Kind {
    let idempotency = Some(Idempotency { keep: Span::from_secs(60), marker });
    Kind::ExternalApi(ExternalApi { idempotency, call: Span::from_secs(2) })
}

#[test]
fn a_repeat_is_put_off_while_the_call_is_in_progress_and_then_answered_with_its_result() {
    let mut bench = Bench::new(api(Span::from_secs(5)));
    bench.ask(0, A, write(7, 0, 0));
    bench.ask(1_000, B, write(12, 0, 0));
    bench.ask(2_500, B, write(12, 0, 0));
    bench.ask(3_000, B, write(12, 0, 1));
    bench.check(
        6_000,
        &[
            "1000 B again: a request with the same key is in progress (409)",
            "2000 A accepted",
            "2500 B replayed",
            "5000 B accepted",
        ],
    );
    // A result is kept for a while, and no longer.
    bench.ask(62_500, B, write(12, 0, 0));
    bench.check(
        65_000,
        &[
            "1000 B again: a request with the same key is in progress (409)",
            "2000 A accepted",
            "2500 B replayed",
            "5000 B accepted",
            "64500 B accepted",
        ],
    );
}

#[test]
fn a_call_that_died_after_its_effect_is_made_again_when_its_marker_has_lapsed() {
    let mut bench = Bench::new(api(Span::from_secs(5)));
    bench.ask(0, A, write(7, 0, 0));
    bench.until(1_000);
    bench.crash();
    bench.ask(4_999, A, write(7, 0, 0));
    bench.ask(5_000, A, write(7, 0, 0));
    bench
        .check(8_000, &["4999 A again: a request with the same key is in progress (409)", "7000 A accepted"]);
}

#[test]
fn taking_a_producers_id_over_aborts_its_transaction_and_fences_the_partition() {
    let kafka = Kafka { partitions: 3, verifies: false, transaction: Span::from_millis(100) };
    let mut bench = Bench::new(Kind::Kafka(kafka));
    bench.ask(0, A, raise(7)); // epoch 0
    bench.ask(10, A, write(7, 1, 0));
    bench.ask(20, B, raise(12)); // epoch 1, for the abort
    bench.ask(30, B, raise(12)); // epoch 2
    bench.ask(40, A, write(7, 1, 0));
    bench.ask(50, A, write(7, 1, 1)); // another partition, which has seen nothing
    bench.check(
        1_000,
        &[
            "0 A accepted",
            "20 A refused: its transaction was aborted: another producer took over its id",
            "20 B again: a transaction of this id was going on and is aborted (CONCURRENT_TRANSACTIONS)",
            "30 B accepted",
            "40 A refused: epoch 0 is below 1, the newest that partition 0 has seen",
            "150 A accepted",
        ],
    );
}

#[test]
fn what_a_producer_sends_again_is_committed_once() {
    let kafka = Kafka { partitions: 3, verifies: false, transaction: Span::from_millis(100) };
    let mut bench = Bench::new(Kind::Kafka(kafka));
    bench.ask(0, A, raise(7));
    bench.ask(10, A, write(7, 1, 0));
    bench.ask(60, A, write(7, 1, 0)); // while it is going on
    bench.ask(200, A, write(7, 1, 0)); // behind a lost answer
    bench.check(1_000, &["0 A accepted", "110 A accepted", "200 A replayed"]);
}

#[test]
fn a_fence_that_has_lapsed_lets_a_stale_token_in() {
    let fence = FencedRow { lifetime: Some(Span::from_secs(5)), ..FencedRow::default() };
    let mut bench = Bench::new(Kind::FencedRow(fence));
    bench.ask(0, B, raise(12));
    bench.ask(4_999, A, write(7, 0, 0));
    bench.crash();
    bench.ask(5_000, A, write(7, 0, 0));
    bench.check(5_001, &["0 B accepted", "4999 A refused: token 7 is below the fence 12", "5000 A accepted"]);
}

/// On its first connection.
fn begin() -> Op {
    Op::Raise(Stamp::new(None, Seen(1)))
}

fn item(number: u32, connection: u32) -> Op {
    Op::Write(Stamp::new(None, Seen(connection)), Item { number, effects: 10, first: 0 })
}

fn row_lock(idle: Option<Span>) -> Bench {
    let claiming = Claiming::RowLock { idle };
    Bench::new(Kind::Sql(Sql { claiming, ..Sql::default() }))
}

#[test]
fn a_row_lock_is_the_connections_and_goes_with_it() {
    let mut bench = row_lock(None);
    bench.ask(0, A, begin());
    bench.ask(10, A, item(0, 1));
    bench.ask(20, B, begin());
    bench.ask(30, A, Op::Read);
    assert_eq!(bench.store.row().done, 0, "nobody sees what is not committed");
    bench.until(40);
    bench.give(Input::Closed { peer: A, number: 2 }); // Another connection of A's.
    bench.until(50);
    bench.give(Input::Closed { peer: A, number: 1 });
    assert_eq!(bench.store.transaction().map(|open| open.owner), Some(B));
    bench.ask(60, A, item(1, 1));
    bench.ask(70, B, item(0, 1));
    bench.ask(80, B, Op::Finish(Stamp::new(None, Seen(1))));
    bench.check(
        90,
        &[
            "0 A accepted",
            "10 A accepted",
            "30 A read",
            "50 B accepted",
            "60 A refused: it has no transaction (any more) that holds the row lock",
            "70 B accepted",
            "80 B accepted",
        ],
    );
    assert_eq!((bench.store.row().done, bench.store.transaction()), (1, None));
}

#[test]
fn a_next_life_waits_for_what_its_own_earlier_one_left_open() {
    let mut bench = row_lock(None);
    bench.ask(0, A, begin());
    bench.ask(10, A, Op::Raise(Stamp::new(None, Seen(2))));
    bench.check(20, &["0 A accepted"]);
    bench.give(Input::Closed { peer: A, number: 1 });
    bench.check(20, &["0 A accepted", "20 A accepted"]);
}

#[test]
fn a_statement_that_comes_twice_is_carried_out_once() {
    let mut bench = row_lock(None);
    bench.ask(0, A, begin());
    bench.ask(10, A, item(0, 1));
    bench.ask(20, A, item(0, 1));
    assert_eq!(bench.store.transaction().map(|open| open.statements), Some(2));
}

#[test]
fn a_transaction_that_is_idle_for_too_long_is_rolled_back() {
    let mut bench = row_lock(Some(Span::from_secs(5)));
    bench.ask(0, A, begin());
    bench.ask(4_000, A, item(0, 1));
    bench.ask(5_000, B, begin());
    bench.check(8_999, &["0 A accepted", "4000 A accepted"]);
    bench.ask(9_500, A, item(1, 1));
    bench.check(
        9_600,
        &[
            "0 A accepted",
            "4000 A accepted",
            "9000 B accepted",
            "9500 A refused: it has no transaction (any more) that holds the row lock",
        ],
    );
}

#[test]
fn a_crash_of_the_server_leaves_nothing_of_a_transaction() {
    let mut bench = row_lock(None);
    bench.ask(0, A, begin());
    bench.ask(10, A, item(0, 1));
    bench.crash();
    assert_eq!((bench.store.row().done, bench.store.transaction()), (0, None));
}
