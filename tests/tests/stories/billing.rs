//! The billing story: each of its 24 events at its instant, read from the facts and from the replayed processes, and
//! independent of what the story's own document expects.

use kernel::Health;
use scenario::facts::{DeadlineBy, Ending, Loss, MomentKind, RowState, Struck, SweepKind, WriteKind};

use crate::told::{Told, at, deadline_set, ms, one, rounded, stop_sent};

fn story() -> Told {
    Told::of("billing", None)
}

fn checked(what: &MomentKind) -> bool {
    matches!(what, MomentKind::Checked { .. })
}

#[test]
fn event_1_a_acquires() {
    let told = story();
    let (lease, belief) = (told.lease("A"), told.belief("A"));
    assert_eq!((ms(lease.granted), lease.token, &*lease.lock), (0, Some(7), "job"));
    assert_eq!(ms(lease.deadlines[0].until), 10_000);
    assert_eq!((ms(belief.from), belief.token, ms(belief.stops[0].at)), (0, Some(7), 8_000));
    assert!(!belief.stops[0].on_wall);
}

#[test]
fn event_2_a_raises_the_fence_and_claims_the_row_in_one_write() {
    let told = story();
    let raise = told.raise("A");
    assert_eq!((ms(raise.at), raise.token, raise.accepted), (500, Some(7), true));
    let (before, after) = (told.row("billing", 499), told.row("billing", 500));
    assert_eq!((before.fence, before.state), (Some(0), RowState::Queued));
    assert_eq!((after.fence, after.state, after.owner), (Some(7), RowState::Running, Some(7)));
    assert_eq!(told.state(499, "billing", "in the index").as_deref(), Some("no"));
    assert_eq!(told.state(500, "billing", "in the index").as_deref(), Some("yes"));
}

#[test]
fn event_3_a_writes_chunk_1() {
    let told = story();
    let write = told.chunk("A", 1);
    assert_eq!((ms(write.at), write.token, write.accepted, write.stale), (1_000, Some(7), true, false));
    assert_eq!(write.kind, WriteKind::Item { item: 0, effects: 5_000 });
}

#[test]
fn event_4_a_renews_and_snapshot_1() {
    let told = story();
    assert_eq!(ms(deadline_set(told.lease("A"), 3_000).until), 13_000);
    assert_eq!(ms(stop_sent(told.belief("A"), 3_000).at), 11_000);
    assert_eq!(told.lease("A").deadlines.len(), 2, "the grant and one renewal");
    // S1, read from the processes themselves.
    assert_eq!(told.state(3_001, "A", "believes").as_deref(), Some("holds job with token 7"));
    assert_eq!(told.state(3_001, "billing", "fence").as_deref(), Some("7"));
    assert_eq!(told.state(3_001, "billing", "items done").as_deref(), Some("1"));
}

#[test]
fn event_5_a_checks_its_stop_time_and_passes() {
    let told = story();
    let checks = told.moments("A", checked);
    let last = checks.last().expect("A checks");
    assert_eq!(ms(last.at), 3_900);
    let MomentKind::Checked { passed: true, stop: Some(stop) } = last.what else { panic!("{:?}", last.what) };
    assert_eq!(stop / 1_000, 11_000);
}

#[test]
fn event_6_a_pauses_with_chunk_2_in_its_buffer() {
    let told = story();
    let pause = told.block("a-pause");
    assert_eq!((ms(pause.from), pause.until.map(ms)), (4_000, Some(19_000)));
    assert_eq!(pause.struck, Struck::Processes(vec![told.process("A")]));
    assert_eq!(told.state(4_000, "A", "next item").as_deref(), Some("2"));
    assert_eq!(told.0.view(at(4_000)).processes[told.process("A").index()].health, Health::Stopped);
}

#[test]
fn event_7_the_lease_runs_out() {
    let told = story();
    let (ended, how) = told.lease("A").ended.expect("it ended");
    assert_eq!((ms(ended), how), (13_000, Ending::Expired));
    assert_eq!(told.state(12_999, "n1", "lease").as_deref(), Some("A's until 13 s"));
    assert_eq!(told.state(13_001, "n1", "lease"), None);
}

#[test]
fn event_8_b_acquires() {
    let told = story();
    let lease = told.lease("B");
    assert_eq!((ms(lease.granted), lease.token, ms(lease.deadlines[0].until)), (13_500, Some(12), 23_500));
    assert_eq!(ms(told.belief("B").stops[0].at), 21_500);
}

#[test]
fn event_9_b_raises_the_fence_before_it_reads_anything_and_gets_the_old_row_back() {
    let told = story();
    let writes = told.writes("B");
    assert_eq!(writes[0].kind, WriteKind::Raise, "its first word to the store");
    assert_eq!((ms(writes[0].at), writes[0].token, writes[0].fence), (13_600, Some(12), Some(7)));
    let store = told.process("billing");
    let reads = told.moments("B", |what| matches!(what, MomentKind::Read { .. }));
    assert!(!reads.iter().any(|read| matches!(read.what, MomentKind::Read { from, .. } if from == store)));
    assert_eq!(told.row("billing", 13_600).fence, Some(12));
    // The row said that one chunk was done, so B goes on with the second.
    assert_eq!(writes[1].kind, WriteKind::Item { item: 1, effects: 5_000 });
}

#[test]
fn event_10_b_writes_chunk_2_and_snapshot_2() {
    let told = story();
    let write = told.chunk("B", 2);
    assert_eq!((ms(write.at), write.token, write.accepted, write.stale), (14_000, Some(12), true, false));
    let view = told.0.view(at(14_000));
    assert_eq!(view.processes[told.process("A").index()].health, Health::Stopped);
    assert_eq!(told.state(14_000, "B", "believes").as_deref(), Some("holds job with token 12"));
    assert_eq!(told.state(14_000, "billing", "fence").as_deref(), Some("12"));
}

#[test]
fn event_11_bs_wall_clock_steps_back_and_a_wakes() {
    let told = story();
    assert_eq!(ms(told.block("b-clock").from), 16_000);
    let host = told.0.cast.host("B").expect("B has a host");
    let (mono, wall) = told.0.clocks_at(host, at(16_000));
    assert_eq!((mono.as_micros(), wall.as_micros()), (16_000_000, 13_000_000));
    let woke = one(told.moments("A", |what| *what == MomentKind::Woke).into_iter());
    assert_eq!(ms(woke.at), 19_000);
}

#[test]
fn event_12_chunk_2_of_a_is_refused_and_snapshot_3() {
    let told = story();
    let write = told.chunk("A", 2);
    assert_eq!((ms(write.sent), ms(write.at)), (19_000, 19_050));
    assert_eq!((write.token, write.fence), (Some(7), Some(12)));
    assert!(!write.accepted && write.stale);
    let (ended, loss) = told.belief("A").ended.expect("A lets go");
    // It lets go before the answer is back: it wakes, and finds its stop time long past.
    assert_eq!((ms(ended), loss), (19_000, Loss::StopTime));
    assert_eq!(told.row("billing", 19_500), told.row("billing", 14_000), "the row is exactly as B left it");
}

#[test]
fn event_13_bs_last_renewal_that_the_service_applied() {
    let told = story();
    let last = told.lease("B").deadlines.last().expect("it was granted");
    assert_eq!((ms(last.set), ms(last.until), last.by), (19_500, 29_500, DeadlineBy::Renewal));
}

#[test]
fn event_14_b_writes_again() {
    let told = story();
    let write = told.chunk("B", 3);
    assert_eq!((ms(write.at), write.token, write.accepted), (20_000, Some(12), true));
}

#[test]
fn event_15_b_dies_holding_the_job() {
    let told = story();
    let death = told.block("b-dies");
    assert!(ms(death.from) > 20_000, "after its last write");
    assert!(ms(death.from) < 22_500, "before its next renewal");
    assert_eq!(death.until, None);
    assert_eq!(told.belief("B").ended, Some((death.from, Loss::Crashed)));
}

#[test]
fn event_16_bs_key_is_deleted_and_snapshot_4() {
    let told = story();
    let (ended, how) = told.lease("B").ended.expect("it ended");
    assert_eq!((ms(ended), how), (29_500, Ending::Expired));
    assert_eq!(told.state(29_499, "n1", "key").as_deref(), Some("job of B, created at 12"));
    assert_eq!(told.state(29_501, "n1", "lease"), None, "the lock is free");
    let row = told.row("billing", 29_999);
    assert_eq!((row.state, row.owner), (RowState::Running, Some(12)));
}

#[test]
fn events_17_and_18_the_sweeper_sees_the_orphan_twice_and_requeues_it() {
    let told = story();
    let found: Vec<_> = told
        .sweeps()
        .iter()
        .filter(|sweep| sweep.kind != SweepKind::Skipped)
        .map(|s| (ms(s.at), s.kind))
        .collect();
    assert_eq!(found, [(30_000, SweepKind::OrphanSeen), (40_000, SweepKind::OrphanConfirmed)]);
    let requeue = one(told.writes("sweeper").into_iter());
    assert_eq!((requeue.kind, requeue.accepted), (WriteKind::Requeue, true));
    let row = told.row("billing", ms(requeue.at));
    assert_eq!((row.state, row.fence), (RowState::Queued, Some(12)));
}

#[test]
fn event_19_c_acquires_and_is_the_third_to_raise_the_fence() {
    let told = story();
    let lease = told.lease("C");
    assert_eq!((ms(lease.granted), lease.token), (40_200, Some(15)));
    let is_raise = |write: &&scenario::facts::Write| write.kind == WriteKind::Raise;
    let raises: Vec<_> =
        told.0.facts.writes.iter().filter(is_raise).map(|w| (w.fence, w.token, w.accepted)).collect();
    assert_eq!(
        raises,
        [(Some(0), Some(7), true), (Some(7), Some(12), true), (Some(12), Some(15), true)],
        "three writes raise it, and nothing else does"
    );
}

#[test]
fn event_20_cs_last_renewal_with_n1() {
    let told = story();
    let n1 = told.process("n1");
    let last =
        told.lease("C").deadlines.iter().rfind(|deadline| deadline.server == n1).expect("n1 granted it");
    assert_eq!((ms(last.set), ms(last.until), last.by), (46_200, 56_200, DeadlineBy::Renewal));
    assert_eq!(ms(stop_sent(told.belief("C"), 46_200).at), 54_200);
}

#[test]
fn event_21_n1_dies() {
    let told = story();
    assert_eq!(ms(told.block("n1-dies").from), 47_000);
    assert_eq!(told.reigns("n1").last().and_then(|reign| reign.until).map(ms), Some(47_000));
    // Grants and tokens are in every member's log.
    assert_eq!(told.state(47_000, "n2", "key").as_deref(), Some("job of C, created at 15"));
    assert_eq!(told.state(47_000, "n3", "key").as_deref(), Some("job of C, created at 15"));
    assert_eq!(told.state(47_000, "n2", "lease"), None, "the deadline lived in n1's memory");
}

#[test]
fn event_22_the_new_leader_restarts_the_lease_and_cs_retry_finds_it_snapshot_5() {
    let told = story();
    assert_eq!(ms(one(told.reigns("n2").into_iter()).from), 49_100);
    let restart = deadline_set(told.lease("C"), 49_100);
    assert_eq!((ms(restart.until), restart.by), (59_100, DeadlineBy::NewLeader));
    let failed = told.moments("C", |what| matches!(what, MomentKind::RenewalFailed { .. }));
    let failed = one(failed.into_iter());
    assert_eq!(ms(failed.at), 49_200);
    assert!(matches!(failed.what, MomentKind::RenewalFailed { server, .. } if server == told.process("n1")));
    let retried = told.lease("C").deadlines.iter().find(|deadline| deadline.set >= failed.at);
    let retried = retried.expect("its retry is applied");
    assert_eq!((retried.server, retried.by), (told.process("n2"), DeadlineBy::Renewal));
    assert!(ms(retried.set) - ms(failed.at) <= 1, "at once");
}

#[test]
fn event_23_c_finishes() {
    let told = story();
    let finish = one(told.0.facts.writes.iter().filter(|write| write.kind == WriteKind::Finish));
    assert_eq!((finish.worker, finish.token, finish.accepted), (told.process("C"), Some(15), true));
    assert!(ms(finish.at) < 52_000);
    let row = told.row("billing", ms(finish.at));
    assert_eq!((row.state, row.done), (RowState::Done, 10));
    assert_eq!(told.state(ms(finish.at), "billing", "in the index").as_deref(), Some("no"));
}

#[test]
fn event_24_c_releases_and_snapshot_6() {
    let told = story();
    let lease = told.lease("C");
    let (ended, how) = lease.ended.expect("it was given back");
    assert_eq!((ms(ended), how, lease.end_revision), (52_000, Ending::Released, Some(16)));
    assert!(told.0.facts.leases.iter().all(|lease| lease.ended.is_some()), "no holder");
    assert!(told.0.facts.beliefs.iter().all(|belief| belief.ended.is_some()));
    let row = told.row("billing", 60_000);
    assert_eq!((row.fence, row.state), (Some(15), RowState::Done));
    assert_eq!(told.state(52_001, "n2", "key").as_deref(), Some("of-others, created at 8"));
}

/// 50,000 invoices, each charged once.
#[test]
fn every_chunk_is_charged_once() {
    let told = story();
    let verdict = told.verdict();
    assert_eq!((verdict.stale_accepted, verdict.stale_rejected, verdict.duplicates), (0, 1, 0));
    assert_eq!((verdict.corrupting, verdict.valid_rejected, verdict.token_regressions), (0, 0, 0));
    assert_eq!((verdict.lost_acks, verdict.stale_reads, verdict.orphans), (0, 0, 0));
    let charged: u64 = told
        .0
        .facts
        .writes
        .iter()
        .filter(|write| write.accepted)
        .map(|write| match write.kind {
            WriteKind::Item { effects, .. } => u64::from(effects),
            WriteKind::Raise | WriteKind::Finish | WriteKind::Requeue => 0,
        })
        .sum();
    assert_eq!(charged, 50_000);
    // A believed from 0.0 to 19.0, B from 13.5.
    assert_eq!(rounded(verdict.overlap), 5_500);
}

/// About 4,000 steps are what a page can play again at every move of a pointer.
#[test]
fn it_takes_few_enough_steps_to_be_played_at_every_move_of_a_pointer() {
    assert!(story().0.inputs_taken <= 5_000, "{} inputs", story().0.inputs_taken);
}
