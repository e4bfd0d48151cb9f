//! What each kind of store makes of the billing job and of its own story, in the figures of its real one.

use kernel::ProcessId;
use scenario::facts::{MomentKind, Write, WriteKind};

use crate::told::{Told, ms, one};

/// All but `journal`: billing has a sweeper, and a journal no index for one.
const KINDS: [&str; 11] = [
    "unfenced",
    "fenced-row",
    "versioned-row",
    "s3-manifest",
    "external-api",
    "dynamodb",
    "stream",
    "id-generator",
    "kafka",
    "sql",
    "session-checked",
];

fn effects(write: &Write) -> u64 {
    match write.kind {
        WriteKind::Item { effects, .. } => u64::from(effects),
        WriteKind::Raise | WriteKind::Finish | WriteKind::Requeue => 0,
    }
}

fn items(told: &Told) -> impl Iterator<Item = &Write> {
    told.0.facts.writes.iter().filter(|write| matches!(write.kind, WriteKind::Item { .. }))
}

#[test]
fn the_billing_job_plays_with_every_kind_of_store() {
    for kind in KINDS {
        let told = Told::billing(&[("store.billing.kind", kind)]);
        assert_eq!(told.0.broken_off, None, "{kind}");
        assert!(items(&told).filter(|write| write.accepted).count() >= 10, "{kind}");
        // Whatever a store compares, the locks are the same.
        assert_eq!(told.lease("A").token, Some(7), "{kind}");
        assert_eq!(told.lease("B").token, Some(12), "{kind}");
        assert_eq!(told.lease("C").token, Some(15), "{kind}");
    }
}

/// Who compares something refuses A's late chunk at 19.05; who compares nothing charges it twice.
#[test]
fn as_late_chunk_is_refused_by_what_each_kind_compares() {
    for (kind, reason) in [
        ("fenced-row", "token 7 is below the fence 12"),
        ("versioned-row", "it carries version 2, and the row has version 4"),
        ("s3-manifest", "412"),
        ("stream", "it expected offset 5001, and the tail is 10002"),
        ("kafka", "epoch 0 is below 1, the newest that partition 1 has seen"),
        ("sql", "token 7 is below the fence 12"),
        ("session-checked", "the lock service has no grant with token 7 any more"),
    ] {
        let told = Told::billing(&[("store.billing.kind", kind)]);
        let write = told.chunk("A", 2);
        assert_eq!((ms(write.at), write.stale, write.accepted), (19_050, true, false), "{kind}");
        assert!(write.reason.contains(reason), "{kind}: {}", write.reason);
        assert_eq!(told.verdict().duplicates, 0, "{kind}");
    }
    let told = Told::billing(&[("store.billing.kind", "external-api")]);
    assert_eq!((told.verdict().stale_accepted, told.verdict().duplicates), (1, 5_000));
}

#[test]
fn as_commit_of_the_manifest_carries_the_etag_that_it_saw_last() {
    let told = Told::of("s3-manifest", None);
    // What A saw last is what its own first commit made: nobody else has seen that ETag.
    let carried = |worker, number| told.chunk(worker, number).carried.clone();
    let (last, current) = (carried("A", 2), carried("B", 3));
    assert!(last.starts_with("If-Match"), "{last}");
    let refusal = &told.chunk("A", 2).reason;
    let etag = |carried: &str| carried.trim_start_matches("If-Match ").to_owned();
    assert_eq!(refusal, &format!("If-Match {}, and the ETag is {}: 412", etag(&last), etag(&current)));
}

#[test]
fn a_chunk_of_5000_invoices_is_51_transactions_and_the_job_510() {
    let told = Told::of("dynamodb", Some("alone"));
    assert_eq!(items(&told).count(), 510);
    for chunk in 0..10 {
        let of_it = |write: &&Write| matches!(write.kind, WriteKind::Item { item, .. } if item == chunk);
        let parts: Vec<&Write> = items(&told).filter(of_it).collect();
        assert_eq!(parts.len(), 51);
        assert!(parts.iter().all(|part| effects(part) <= 99));
        assert_eq!(parts.iter().map(|part| effects(part)).sum::<u64>(), 5_000);
    }
}

/// What is counted is what was applied: the part of A's chunk that got in, and then B's whole one.
#[test]
fn of_a_chunk_that_is_cut_off_the_effects_that_were_applied_are_counted() {
    let told = Told::of("dynamodb", None);
    let b = told.process("B");
    let of = |worker: ProcessId| {
        let written = items(&told).filter(move |write| {
            matches!(write.kind, WriteKind::Item { item: 6, .. }) && write.worker == worker && write.accepted
        });
        written.map(effects).sum::<u64>()
    };
    let (cut_off, whole) = (of(told.process("A")), of(b));
    assert_eq!((cut_off, whole), (24 * 99, 5_000));
    assert_eq!(told.verdict().duplicates, cut_off);
    let once = Told::of("dynamodb", Some("if-absent"));
    let applied: u64 = items(&once).filter(|write| write.accepted).map(effects).sum();
    assert_eq!((applied, once.verdict().duplicates), (50_000, 0), "each invoice once");
}

#[test]
fn the_key_is_the_items_own_so_that_a_repeat_by_another_worker_charges_once() {
    let told = Told::of("external-api", Some("keys"));
    let replayed = |what: &MomentKind| matches!(what, MomentKind::Replayed { item: 1, stale: true, .. });
    assert_eq!(ms(one(told.moments("A", replayed).into_iter()).at), 19_050);
    assert!(items(&told).all(|write| write.duplicates == 0));
}

/// The kinds that can be named by a document are those that there are.
#[test]
fn every_kind_says_its_name() {
    for kind in KINDS {
        let told = Told::billing(&[("store.billing.kind", kind)]);
        assert_eq!(told.0.scenario.store[0].kind.name(), kind);
    }
}

/// Where holders stand in line, the youngest key is a waiter's: the store asks about the writer's own.
#[test]
fn a_session_is_checked_by_the_writers_own_key_in_line() {
    let queue = [
        ("store.billing.kind", "session-checked"),
        ("worker.A.wait", "queue"),
        ("worker.C.start", "13.7s"),
        ("worker.C.program", "[{ acquire = \"job\" }]"),
    ];
    let told = Told::billing(&queue);
    let lease = told.lease("B");
    assert!(lease.token.is_some());
    let writes: Vec<&Write> = items(&told).filter(|write| write.token == lease.token).collect();
    assert!(!writes.is_empty() && writes.iter().all(|write| write.accepted), "{writes:?}");
    assert_eq!(told.verdict().valid_rejected, 0);
}

/// A repetition is told with what it did itself, not with what the request did that it repeats.
#[test]
fn each_repetition_is_told_with_its_own_effects() {
    let text = r#"
        version = 1
        title = "A is caught before it sends, and sends twice when it runs again"
        horizon = "40s"
        lock = { kind = "postgres-row" }
        store = [{ name = "api", kind = "external-api" }]
        worker = [
          { name = "A", program = [{ acquire = "job" }, { raise = "api" }, { items = 2, steps = [{ prepare = "1s" }, { write = "api", effects = 1 }] }, { release = "job" }] },
          { name = "B", like = "A", start = "1s" },
        ]
        fault = [{ id = "gc", kind = "pause", on = "A", gap = "before-send", at = "1500ms", for = "20s" }]
    "#;
    let told = Told(fencepost_tests::played_text(text));
    assert_eq!(told.verdict().duplicates, 2);
    let repeated = told.0.tale.iter().filter(|event| event.text.ends_with("; 1 effect applied twice"));
    assert_eq!(repeated.count(), 2, "{:#?}", told.0.tale);
}
