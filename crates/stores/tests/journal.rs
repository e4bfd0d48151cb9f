//! A journal's nodes and its writers, whose messages are carried by hand.

use kernel::{Effect, Effects, Input, Keep, ProcessId, Rng, Stream};
use stores::journal::{Client, Kept, Msg, Node, Note, Speech};
use stores::{Answer, Item, Op, Seen, Stamp};

const NODES: [ProcessId; 3] = [ProcessId(0), ProcessId(1), ProcessId(2)];

/// Three nodes and two writers.
struct Bench {
    nodes: [Node; 3],
    disks: [Option<Kept>; 3],
    writers: [Client; 2],
    notes: Vec<(usize, Note)>,
    asks: u32,
}

impl Bench {
    fn new() -> Self {
        Self {
            nodes: [0, 1, 2].map(|_| Node::start(&None)),
            disks: [None; 3],
            writers: [0, 1].map(|_| Client::new(NODES.into(), 0)),
            notes: Vec::new(),
            asks: 0,
        }
    }

    /// A writer asks, and every message for a node, and every answer of one, is carried if `carries` says so.
    fn ask(&mut self, writer: usize, op: Op, carries: &mut impl FnMut(usize) -> bool) -> Option<Answer> {
        self.asks += 1;
        let mut letters = Vec::new();
        if let Some(answer) = self.writers[writer].ask(self.asks, op, &mut letters) {
            return Some(answer);
        }
        let from = ProcessId(10 + writer as u16);
        let mut answered = None;
        while !letters.is_empty() {
            let (to, msg) = letters.remove(0);
            let node = to.index();
            if !carries(node) {
                continue;
            }
            let mut out = Effects::<Speech>::default();
            self.nodes[node].on(Input::Message { from, msg: &msg }, &mut out);
            for effect in out.0 {
                match effect {
                    Effect::Persist(kept) => self.disks[node].keep(&kept),
                    Effect::Note(stores::Note::Journal(note)) => self.notes.push((node, *note)),
                    Effect::Send { msg: stores::Msg::Journal(msg), .. } if carries(node) => {
                        let heard = self.writers[writer].heard(to, &msg, &mut letters);
                        answered = answered.or(heard.map(|(_, answer)| answer));
                    }
                    Effect::Send { .. }
                    | Effect::Arm { .. }
                    | Effect::Disarm(_)
                    | Effect::Note(_)
                    | Effect::Connect { .. }
                    | Effect::Disconnect { .. } => {}
                }
            }
        }
        answered
    }

    fn raise(&mut self, writer: usize) -> Option<Answer> {
        self.ask(writer, Op::Raise(Stamp::new(None, Seen::NOTHING)), &mut |_| true)
    }

    fn crash(&mut self, node: usize) {
        self.nodes[node] = Node::start(&self.disks[node]);
    }
}

fn write(number: u32) -> Op {
    Op::Write(Stamp::new(None, Seen::NOTHING), Item { number, effects: 10, first: 0 })
}

#[track_caller]
fn accepted(answer: Option<Answer>) -> u32 {
    match answer {
        Some(Answer::Accepted(before)) => before.done,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(answer: Option<Answer>) -> String {
    match answer {
        Some(Answer::Refused(why)) => why.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_writer_that_has_raised_nothing_is_refused_and_the_last_to_raise_is_in() {
    let mut bench = Bench::new();
    assert_eq!(refused(bench.ask(0, write(0), &mut |_| true)), "it has raised no epoch");
    accepted(bench.raise(0));
    accepted(bench.ask(0, write(0), &mut |_| true));
    assert_eq!(accepted(bench.raise(1)), 1);
    let why = refused(bench.ask(0, write(1), &mut |_| true));
    assert_eq!(why, "epoch 1 is below 2, which a majority has promised");
}

#[test]
fn one_node_that_was_away_takes_the_old_writers_entry_and_is_no_majority() {
    let mut bench = Bench::new();
    accepted(bench.raise(0));
    accepted(bench.ask(1, Op::Raise(Stamp::new(None, Seen::NOTHING)), &mut |node| node != 2));
    refused(bench.ask(0, write(0), &mut |_| true));
    let alone =
        |(node, note): &(usize, Note)| *node == 2 && matches!(note, Note::Took { epoch: 1, txid: 2, .. });
    assert!(bench.notes.iter().any(alone));
    // And what it took is gone when the next writer comes.
    assert_eq!(accepted(bench.raise(0)), 0);
    assert_eq!(bench.nodes[2].kept().tail.epoch, 3);
}

#[test]
fn what_one_node_has_alone_is_finished_or_forgotten_and_never_both() {
    for (heard, items) in [([1, 2], 0), ([0, 1], 1)] {
        let mut bench = Bench::new();
        accepted(bench.raise(0));
        assert_eq!(bench.ask(0, write(0), &mut |node| node == 0), None, "nobody knows");
        let op = Op::Raise(Stamp::new(None, Seen::NOTHING));
        assert_eq!(accepted(bench.ask(1, op, &mut |node| heard.contains(&node))), items);
    }
}

#[test]
fn a_node_that_has_missed_an_entry_takes_no_later_one() {
    let mut bench = Bench::new();
    accepted(bench.raise(0));
    accepted(bench.ask(0, write(0), &mut |node| node != 2));
    accepted(bench.ask(0, write(1), &mut |_| true));
    assert_eq!(bench.nodes[2].kept().tail.txid, 1);
    accepted(bench.raise(1));
    assert_eq!(bench.nodes[2].kept().tail.row.done, 2);
}

#[test]
fn a_promise_survives_a_crash() {
    let mut bench = Bench::new();
    accepted(bench.raise(0));
    accepted(bench.raise(1));
    (0..3).for_each(|node| bench.crash(node));
    refused(bench.ask(0, write(0), &mut |_| true));
    accepted(bench.ask(1, write(0), &mut |_| true));
}

/// Whatever is lost on the way and whoever crashes: what was acknowledged is there for the next writer, and a writer that
/// another has followed writes no more.
#[test]
fn nothing_that_was_acknowledged_is_lost_and_nobody_writes_beside_another() {
    for seed in 0..2_000 {
        let mut rng = Rng::new(Stream::new(seed, 0, 0));
        let mut bench = Bench::new();
        let mut acked = 0;
        let mut newest = None;
        let mut unanswered = [None; 2];
        for number in 0..30 {
            let writer = rng.below(2) as usize;
            let raises = rng.below(3) == 0;
            let op = if raises { Op::Raise(Stamp::new(None, Seen::NOTHING)) } else { write(number) };
            let op = unanswered[writer].filter(|_| rng.below(3) > 0).unwrap_or(op);
            if rng.below(4) == 0 {
                bench.crash(rng.below(3) as usize);
            }
            let answer = bench.ask(writer, op, &mut |_| rng.below(5) > 0);
            unanswered[writer] = answer.is_none().then_some(op);
            let Some(Answer::Accepted(before)) = answer else { continue };
            assert!(before.version >= acked, "seed {seed}, request {number}: {before:?} after {acked}");
            acked = before.version + 1;
            if matches!(op, Op::Raise(_)) {
                newest = Some(writer);
            }
            assert_eq!(newest, Some(writer), "seed {seed}, request {number}");
        }
    }
}

#[test]
fn an_answer_of_an_earlier_round_does_not_count() {
    let mut writer = Client::new(NODES.into(), 0);
    let mut letters = Vec::new();
    assert_eq!(writer.ask(1, Op::Raise(Stamp::new(None, Seen::NOTHING)), &mut letters), None);
    let late = Msg::Reply { call: 0, reply: stores::journal::Reply::Done };
    for node in NODES {
        assert_eq!(writer.heard(node, &late, &mut letters), None);
    }
}
