//! What happens around the stories: each a short scenario of its own, in figures that follow from what the real system does.

use fencepost_tests::played_text;
use scenario::Play;
use scenario::facts::{SweepKind, WriteKind};

use crate::told::ms;

/// Two workers with one job of five items, a second each; B begins when it is told to.
fn job(lock: &str, store: &str, b_starts: &str, rest: &str) -> Play {
    played_text(&format!(
        r#"
version = 1
title   = "A job"
horizon = "60s"
[lock]
{lock}
[[store]]
name = "db"
{store}
[[worker]]
name    = "A"
program = [
  {{ acquire = "job" }},
  {{ raise = "db" }},
  {{ items = 5, steps = [ {{ prepare = "1s" }}, {{ write = "db", effects = 10 }} ] }},
  {{ finish = "db" }},
  {{ release = "job" }},
]
[[worker]]
name  = "B"
like  = "A"
start = "{b_starts}"
{rest}
"#
    ))
}

fn told(play: &Play, kind: &str) -> Vec<(u64, String)> {
    let of_kind = play.tale.iter().filter(|event| event.kind.name() == kind);
    of_kind.map(|event| (ms(event.at), event.text.clone())).collect()
}

const REPLICATED: &str = r#"kind = "redis-replicated"
ttl = "10s"
down_after = "5s"
token = "counter""#;

/// Redisson unlocks when too few replicas have the key; who did not would be kept out by it for a whole lease.
#[test]
fn a_key_that_too_few_replicas_have_keeps_nobody_out() {
    let lock = format!("{REPLICATED}\nwait = 2\nwait_for = \"500ms\"");
    let cut = r#"[[fault]]
id = "cut"
kind = "cut"
from = "n3"
to = "lock"
at = "0s"
for = "2s""#;
    let play = job(&lock, "kind = \"unfenced\"", "30s", cut);
    let first = play.facts.leases.first().expect("a first grant");
    assert!(told(&play, "acquired")[0].1.starts_with("job is granted to A, which never holds it: token 1"));
    assert_eq!(first.ended.map(|(at, _)| ms(at)), Some(503), "answered at 502, and taken back");
    let a = play.facts.beliefs.first().expect("A holds at last");
    assert!((2_000..3_000).contains(&ms(a.from)), "{:?}", a.from);
}

/// What a server that was deposed comes up with is not what the service knows.
#[test]
fn an_old_primary_that_comes_up_empty_has_forgotten_nothing_that_the_new_one_keeps() {
    let crash = r#"[[fault]]
id = "crash"
kind = "crash"
on = "n1"
at = "1s"
for = "8s""#;
    // n2 is promoted at 6 s, and has A's lock: A renews with it.
    let lock = REPLICATED.replace("5s", "4s");
    let play = job(&lock, "kind = \"unfenced\"\ndisk = \"1s\"", "30s", crash);
    assert_eq!(told(&play, "forgotten"), []);
    assert_eq!((play.verdict.lost_acks, play.verdict.stale_accepted), (0, 0));
    let renewed = told(&play, "renewed");
    assert!(renewed.iter().any(|(_, text)| text.starts_with("A renews with n2")), "{renewed:?}");
}

/// It ends where it is ended: at the new primary, which heard nothing of the renewal at the old one.
#[test]
fn a_lease_that_two_primaries_keep_is_ended_by_the_one_that_ends_it() {
    let cut = r#"[[fault]]
id = "cut"
kind = "cut"
from = ["n1", "A"]
to = ["n2", "n3", "B"]
at = "1s"
for = "30s""#;
    let play = job(REPLICATED, "kind = \"unfenced\"\ndisk = \"1s\"", "500ms", cut);
    let expired = play.tale.iter().find(|event| event.kind.name() == "expired").expect("n2 lets it run out");
    assert_eq!(Some(expired.process), play.cast.process("n2"));
}

/// A producer's own repetition has the sequence number of what it repeats (idempotence, which a transactional id implies).
#[test]
fn a_lost_answer_makes_no_duplicates_at_kafka() {
    let cut = r#"[[fault]]
id = "cut"
kind = "cut"
from = "db"
to = "A"
both_ways = false
at = { after = "A writes", nth = 2, plus = "100us" }
for = "1200ms""#;
    let duplicates = |store| job("kind = \"etcd\"\nttl = \"10s\"", store, "30s", cut).verdict.duplicates;
    assert_eq!(duplicates("kind = \"kafka\""), 0);
    assert_eq!(duplicates("kind = \"unfenced\""), 20, "sent three times where nothing is compared");
}

/// No statement of a transaction is acknowledged before its commit.
#[test]
fn a_transaction_that_a_crash_of_the_server_rolls_back_loses_no_acknowledged_write() {
    let play = played_text(
        r#"
version = 1
title   = "A row lock"
horizon = "30s"
[lock]
kind = "none"
[[store]]
name  = "db"
kind  = "sql"
claim = "row-lock"
[[worker]]
name    = "A"
program = [
  { raise = "db" },
  { items = 4, steps = [ { prepare = "1s" }, { write = "db", effects = 10 } ] },
  { finish = "db" },
]
[[fault]]
id   = "crash"
kind = "crash"
on   = "db"
at   = "2500ms"
for  = "1s"
"#,
    );
    assert_eq!(play.verdict.lost_acks, 0);
    assert_eq!(play.facts.writes.iter().filter(|write| write.accepted).count(), 0);
}

/// A disk that kept nothing loses what was acknowledged, once: the next restart loses no more.
#[test]
fn what_a_restart_has_lost_the_next_does_not_lose_again() {
    let faults = r#"[[fault]]
id = "loss"
kind = "disk-loss"
on = "db"
at = "1500ms"
for = "1900ms"
[[fault]]
id = "crash"
kind = "crash"
on = "db"
at = "3300ms"
for = "100ms"
[[fault]]
id = "again"
kind = "crash"
on = "db"
at = "3800ms"
for = "100ms""#;
    let lost = |faults: &str| {
        job("kind = \"etcd\"\nttl = \"10s\"", "kind = \"unfenced\"", "30s", faults).verdict.lost_acks
    };
    let (once, _) = faults.split_once("[[fault]]\nid = \"again\"").expect("three faults");
    assert_eq!((lost(once), lost(faults)), (2, 2));
}

const DIES: &str = r#"[[sweeper]]
name = "sweeper"
store = "db"
every = "2s"
[[fault]]
id = "dies"
kind = "crash"
on = "A"
at = "2500ms""#;

/// A claim without a token is one all the same, and as easily left behind.
#[test]
fn a_sweeper_puts_back_what_was_claimed_without_a_token() {
    for lock in [
        "kind = \"redis\"\nttl = \"5s\"",
        "kind = \"redlock\"\nttl = \"5s\"",
        "kind = \"dynamodb-lock-client\"\nttl = \"5s\"",
        "kind = \"postgres-advisory\"",
    ] {
        let play = job(lock, "kind = \"unfenced\"", "40s", DIES);
        let found: Vec<_> = play.facts.sweeps.iter().map(|sweep| (sweep.owner, sweep.kind)).collect();
        let twice = [(None, SweepKind::OrphanSeen), (None, SweepKind::OrphanConfirmed)];
        assert!(found.windows(2).any(|pair| pair == twice), "{lock}: {found:?}");
        let requeued = play.facts.writes.iter().find(|write| write.kind == WriteKind::Requeue);
        assert!(requeued.is_some_and(|write| write.accepted), "{lock}");
    }
}

/// B has claimed the row between the sweeper's look and its word: the row has changed.
#[test]
fn a_claim_without_a_token_is_not_put_back_when_another_has_taken_it_over() {
    let slow = r#"[[fault]]
id = "slow"
kind = "pause"
on = "sweeper"
gap = "before-send"
at = "10003ms"
for = "1500ms""#;
    let rest = format!("{DIES}\n{slow}");
    // The key is over at 6.667 s; the sweeper sees that at 8 s, and again at 10.004 s.
    let play = job("kind = \"redis\"\nttl = \"5s\"", "kind = \"unfenced\"", "10500ms", &rest);
    let requeued = play.facts.writes.iter().find(|write| write.kind == WriteKind::Requeue);
    assert!(requeued.is_some_and(|write| !write.accepted), "{:?}", play.tale);
}

#[test]
fn a_claim_without_a_token_that_nobody_finishes_is_an_orphan() {
    let dies = DIES.split_once("[[fault]]").map_or("", |(_, fault)| fault);
    let play =
        job("kind = \"redis\"\nttl = \"5s\"", "kind = \"unfenced\"", "59s", &format!("[[fault]]{dies}"));
    let before =
        job("kind = \"redis\"\nttl = \"5s\"", "kind = \"unfenced\"", "30s", &format!("[[fault]]{dies}"));
    assert_eq!((play.verdict.orphans, before.verdict.orphans), (0, 0), "B holds the job, or has done it");
    let alone = format!("[[fault]]{dies}\n[[fault]]\nid = \"b\"\nkind = \"crash\"\non = \"B\"\nat = \"0s\"");
    let play = job("kind = \"redis\"\nttl = \"5s\"", "kind = \"unfenced\"", "30s", &alone);
    assert_eq!(play.verdict.orphans, 1);
}

/// Its lease was over long before: what ends then is the item, and with it the epoch.
#[test]
fn an_item_that_dynamodb_deletes_is_told_as_that() {
    let lock = "kind = \"dynamodb-item\"\nttl = \"5s\"\ndeleted_after = \"3s\"\nepoch = 41";
    let dies = DIES.split_once("[[fault]]").map_or("", |(_, fault)| fault);
    let play = job(lock, "kind = \"unfenced\"", "20s", &format!("[[fault]]{dies}"));
    let (_, text) = &told(&play, "expired")[0];
    assert_eq!(text, "A's item is deleted by its TTL: the next epoch of job is 1");
}
