//! A member among others: what it passes on, reads, watches; leaders that are cut off; disks and snapshots.

use kernel::ProcessId;
use locks::etcd::{Fault, Found, KvOp, Reply, Request, Txn};
use locks::{Freed, Granted, Note};

use crate::common::{
    Asker, Run, Setup, crash, create, cut, get, get_local, grant, isolate, mono, ms, put, s, stop_mono,
    twice, vanish, watch,
};

const N1: ProcessId = ProcessId(0);
const N2: ProcessId = ProcessId(1);
const N3: ProcessId = ProcessId(2);

/// The revision that an answer is as of.
fn revision(reply: Option<&Reply>) -> Option<u64> {
    match reply? {
        Reply::Got(Found { revision, .. }) => Some(*revision),
        Reply::Txn(reply) => Some(reply.revision),
        Reply::Granted { .. }
        | Reply::KeptAlive(_)
        | Reply::Revoked(_)
        | Reply::Watching
        | Reply::Failed(_) => None,
    }
}

fn states_agree(run: &Run) {
    assert_eq!(run.server(0).state(), run.server(1).state());
    assert_eq!(run.server(0).state(), run.server(2).state());
}

#[test]
fn a_follower_passes_on_what_only_the_leader_can_do() {
    let mut lab = Setup::default().lab();
    let (me, lease) = (lab.next(), Asker::lease(lab.next(), 1));
    let asker = lab.asker(vec![
        (0, 1, grant(s(10))),
        (100, 2, create("job", me, lease)),
        (200, 1, Request::KeepAlive(lease)),
        (300, 2, get("job")),
        (400, 1, Request::Revoke(lease)),
    ]);
    let run = lab.run(1_000);
    let answers = run.asker(asker);
    assert_eq!(answers.answer(1), Some(&Reply::Granted { lease, ttl: s(10) }));
    assert_eq!(
        answers.answered_at(1),
        Some(mono(6)),
        "there, to the leader, to the others and back, down, back"
    );
    assert_eq!(revision(answers.answer(2)), Some(2));
    assert_eq!(answers.answer(3), Some(&Reply::KeptAlive(Some(s(10)))));
    assert_eq!(answers.answered_at(3), Some(mono(204)), "there, to the leader and back, and back");
    assert_eq!(run.when(|note| matches!(note, Note::Renewed { .. })), [(202, N1)]);
    assert_eq!(revision(answers.answer(4)), Some(2));
    assert_eq!(answers.answer(5), Some(&Reply::Revoked(true)));
    states_agree(&run);
}

#[test]
fn a_follower_says_when_the_leader_is_gone() {
    let mut lab = Setup::default().lab();
    let lease = Asker::lease(lab.next(), 1);
    let asker = lab.asker(vec![
        (0, 0, grant(s(10))),
        (550, 1, Request::KeepAlive(lease)),
        // By now it knows itself; no vote is possible.
        (6_000, 1, Request::KeepAlive(lease)),
        (6_000, 1, put("other", 1)),
        (6_000, 1, get("other")),
    ]);
    lab.fault(500, None, crash(N1));
    lab.fault(500, None, isolate(&[N3]));
    let run = lab.run(10_000);
    let answers = run.asker(asker);
    assert_eq!(answers.answer(2), Some(&Reply::Failed(Fault::NoLeader)));
    assert_eq!(answers.answered_at(2), Some(mono(554)), "the connection was refused");
    for (id, answered) in [(3, 6_002), (4, 6_002), (5, 6_002)] {
        assert_eq!(answers.answer(id), Some(&Reply::Failed(Fault::NoLeader)));
        assert_eq!(answers.answered_at(id), Some(mono(answered)));
    }
}

#[test]
fn on_a_member_that_is_cut_off_only_a_serializable_read_is_answered_and_it_is_old() {
    for alone in [N1, N2] {
        let mut lab = Setup::default().lab();
        let others: Vec<ProcessId> = [N1, N2, N3].into_iter().filter(|member| *member != alone).collect();
        let asker = lab.asker(vec![
            (0, 0, put("key", 1)),
            (1_000, alone.0, get("key")),
            (6_000, 2, put("key", 2)),
            (6_500, 2, get("key")),
            (7_000, alone.0, get_local("key")),
            (7_000, alone.0, get("key")),
        ]);
        lab.fault(500, None, cut(&[alone], &others));
        let run = lab.run(8_000);
        let answers = run.asker(asker);
        assert_eq!(answers.answer(2), None, "{alone:?}");
        assert_eq!(revision(answers.answer(4)), Some(3), "{alone:?}");
        assert_eq!(revision(answers.answer(5)), Some(2), "{alone:?}");
        assert_eq!(answers.answer(6), Some(&Reply::Failed(Fault::NoLeader)), "{alone:?}");
        let served = run.notes().filter_map(|(at, by, note)| match note {
            Note::ReadServed { revision, .. } => Some((at.as_micros() / 1_000, by, *revision)),
            _ => None,
        });
        let served: Vec<_> = served.filter(|(_, by, _)| *by == alone).collect();
        assert_eq!(served, [(7_001, alone, 2)]);
    }
}

#[test]
fn a_read_that_the_old_leader_took_with_it_fails_when_a_new_one_is_known() {
    let mut lab = Setup::default().lab();
    let asker = lab.asker(vec![(0, 0, put("key", 1)), (600, 1, get("key")), (600, 2, get("key"))]);
    lab.fault(500, None, vanish(N1));
    let run = lab.run(10_000);
    let leads = run.when(|note| matches!(note, Note::TookOver { .. }))[1].0;
    for id in [2, 3] {
        let answered = run.asker(asker).answered_at(id).unwrap().as_micros() / 1_000;
        assert_eq!(run.asker(asker).answer(id), Some(&Reply::Failed(Fault::NoLeader)));
        assert!((leads - 2..leads + 3).contains(&answered), "{answered}, and {leads}");
    }
}

#[test]
fn a_watch_hears_of_a_deletion_before_it_and_after_it() {
    let mut lab = Setup::default().lab();
    let delete =
        || Request::Txn(Txn { then: vec![KvOp::Delete("key".into())], ..Txn::put_always("key".into(), 0) });
    let asker = lab.asker(vec![
        (0, 0, put("key", 1)),      // revision 2
        (10, 0, delete()),          // 3
        (20, 1, watch("key", 3)),   // heard at once
        (30, 1, watch("key", 4)),   // of the next one
        (100, 0, put("key", 1)),    // 4
        (110, 2, watch("key", 3)),  // it is there again, and was deleted all the same
        (120, 2, watch("key", 5)),  // of the next one
        (130, 2, watch("else", 1)), // never
        (200, 0, delete()),         // 5
        (300, 0, put("key", 1)),    // 6
        (400, 0, delete()),         // 7: nobody watches any more
    ]);
    let run = lab.run(1_000);
    let heard: Vec<_> =
        run.asker(asker).deletions.iter().map(|(id, at, rev)| (*id, at.as_micros(), *rev)).collect();
    assert_eq!(heard, [(3, 22_000, 3), (6, 112_000, 3), (4, 205_000, 5), (7, 205_000, 5)]);
}

#[test]
fn a_watch_survives_a_snapshot_that_skips_the_deletion() {
    let setup = Setup { snapshot_every: 5, entries_kept_behind: 0, ..Setup::default() };
    let mut lab = setup.lab();
    let mut asks = vec![(0, 0, put("key", 1)), (100, 2, watch("key", 3))];
    let delete = Txn { then: vec![KvOp::Delete("key".into())], ..Txn::put_always("key".into(), 0) };
    asks.push((600, 0, Request::Txn(delete)));
    asks.extend((0..20).map(|k| (700 + 10 * k, 0, put("other", k))));
    let asker = lab.asker(asks);
    lab.fault(500, Some(3_000), cut(&[N3], &[N1, N2]));
    let run = lab.run(6_000);
    let installed = run.trace.records().iter().any(|record| {
        matches!(
            record.what,
            kernel::What::Noted(crate::common::Note::Raft(raft::Note::InstalledSnapshot { .. }))
        )
    });
    assert!(installed, "else this shows nothing");
    let [(2, at, 3)] = run.asker(asker).deletions[..] else { panic!("{:?}", run.asker(asker).deletions) };
    assert!((mono(3_000)..mono(4_000)).contains(&at), "{at}");
    states_agree(&run);
}

#[test]
fn members_come_back_from_their_disks_with_keys_and_leases() {
    for (snapshot_every, disk) in [(10_000, 0), (3, 5)] {
        let mut lab = Setup { snapshot_every, disk: ms(disk), ..Setup::default() }.lab();
        let (me, lease) = (lab.next(), Asker::lease(lab.next(), 1));
        let mut asks = vec![(0, 0, grant(s(20))), (100, 0, create("job", me, lease))];
        asks.extend((0..8).map(|k| (200 + 10 * k, 0, put("other", k))));
        asks.push((8_000, 0, get("job")));
        let asker = lab.asker(asks);
        for member in [N1, N2, N3] {
            lab.fault(3_000, Some(4_000), crash(member));
        }
        let mut run = lab.begin();
        run.until(2_900);
        let before = run.server(0).state().clone();
        run.until(9_000);
        states_agree(&run);
        assert_eq!(*run.server(0).state(), before);
        assert_eq!(revision(run.asker(asker).answer(11)), Some(10));
        run.until(60_000);
        let takes = run.when(|note| matches!(note, Note::TookOver { .. }));
        let gone: Vec<_> = run.freed().into_iter().map(|(at, token, how)| (at / 100, token, how)).collect();
        assert_eq!(
            gone.last(),
            Some(&((takes[1].0 + 20_000) / 100, 2, Freed::Expired)),
            "full length once more"
        );
        assert_eq!(run.server(0).state().revision, 11);
        states_agree(&run);
    }
}

#[test]
fn a_member_that_was_away_catches_up_by_a_snapshot() {
    let mut lab = Setup { snapshot_every: 4, entries_kept_behind: 0, ..Setup::default() }.lab();
    let (me, lease) = (lab.next(), Asker::lease(lab.next(), 1));
    let mut asks = vec![(0, 0, grant(s(30))), (100, 0, create("job", me, lease))];
    asks.extend((0..30).map(|k| (1_000 + 10 * k, 0, put("other", k))));
    asks.extend((0..10).map(|k| (8_000 + 10 * k, 2, put("more", k))));
    lab.asker(asks);
    lab.fault(500, Some(5_000), crash(N3));
    let run = lab.run(10_000);
    states_agree(&run);
    assert_eq!(run.server(2).state().revision, 42);
    assert_eq!(run.server(2).state().leases[&lease].keys, ["job".into()]);
    assert!(run.server(0).raft().log().before().index > 30, "the log was cut");
}

#[test]
fn a_leader_that_is_cut_off_can_neither_grant_nor_expire_and_what_it_wrote_vanishes() {
    let mut lab = Setup::default().lab();
    let (me, lease) = (lab.next(), Asker::lease(lab.next(), 1));
    let asker = lab.asker(vec![
        (0, 0, grant(s(1))),
        (10, 0, create("job", me, lease)),
        (700, 0, grant(s(1))),
        (700, 0, put("vanishes", 1)),
        (700, 0, Request::Revoke(lease)),
        // The lease runs out at 1,003 ms, while it still believes that it leads.
        (1_100, 0, get_local("job")),
        (1_050, 0, Request::KeepAlive(lease)),
        (6_000, 0, get("vanishes")),
    ]);
    lab.fault(600, Some(4_000), cut(&[N1], &[N2, N3]));
    let mut run = lab.begin();
    run.until(1_150);
    assert!(run.server(0).raft().is_leader(), "else this shows nothing");
    assert_eq!(run.server(0).state().revision, 2);
    run.until(3_500);
    assert_eq!(run.server(0).deadlines().count(), 0, "it has stepped down and times nothing");
    run.until(8_000);
    let answers = run.asker(asker);
    for id in [3, 4, 5] {
        assert_eq!(answers.answer(id), None, "request {id}");
    }
    assert!(matches!(answers.answer(6), Some(Reply::Got(Found { revision: 2, key: Some(_) }))));
    assert_eq!(answers.answer(7), Some(&Reply::Failed(Fault::NoLeader)), "when it steps down");
    assert!(matches!(answers.answer(8), Some(Reply::Got(Found { revision: 3, key: None }))));
    let freed = run.freed();
    let takes = run.when(|note| matches!(note, Note::TookOver { .. }));
    assert!(matches!(freed[..], [(_, 2, Freed::Expired)]), "{freed:?}");
    assert!(freed[0].0 >= takes[1].0 + 1_000, "by the new leader, at full length: {freed:?}, {takes:?}");
    states_agree(&run);
    assert_eq!(run.server(0).state().leases.len(), 0);
}

/// Measured on the real one: keep-alives were acknowledged for 1.0 to 1.4 s after the quorum was gone.
#[test]
fn a_leader_that_is_cut_off_acknowledges_keep_alives_until_it_steps_down() {
    let mut lab = Setup::default().lab();
    let lease = Asker::lease(lab.next(), 1);
    let mut asks = vec![(0, 0, grant(s(30)))];
    asks.extend((0..40).map(|k| (2_050 + 100 * k, 0, Request::KeepAlive(lease))));
    let asker = lab.asker(asks);
    lab.fault(2_000, None, cut(&[N1], &[N2, N3]));
    let run = lab.run(8_000);
    let acked = |reply: &Reply| matches!(reply, Reply::KeptAlive(Some(_)));
    let answers = &run.asker(asker).answers[1..];
    let last = answers.iter().rposition(|(.., reply)| acked(reply)).unwrap();
    assert!(answers[..=last].iter().all(|(.., reply)| acked(reply)));
    let since = answers[last].1.since(mono(2_000));
    assert!((ms(900)..ms(2_000)).contains(&since), "{since}");
    assert!(answers.len() == 40 && last < 39);
}

#[test]
fn a_request_that_arrives_twice_grants_one_lease_that_keeps_its_key() {
    let mut lab = Setup::default().lab();
    let (me, lease) = (lab.next(), Asker::lease(lab.next(), 1));
    let asker =
        lab.asker(vec![(0, 0, grant(s(3))), (1, 0, create("job", me, lease)), (2_000, 0, get("job"))]);
    lab.fault(0, Some(100), twice(&[me], &[N1]));
    let run = lab.run(10_000);
    assert_eq!(run.asker(asker).answer(1), Some(&Reply::Granted { lease, ttl: s(3) }));
    assert!(matches!(run.asker(asker).answer(3), Some(Reply::Got(Found { key: Some(_), .. }))));
    let freed = run.freed();
    assert!(matches!(freed[..], [(3_005, 2, Freed::Expired)]), "{freed:?}");
}

#[test]
fn a_transaction_that_puts_a_key_twice_is_refused_before_the_log() {
    let mut lab = Setup::default().lab();
    let mut txn = Txn::put_always("key".into(), 1);
    txn.then.push(KvOp::Put { key: "key".into(), value: 2, lease: None });
    let asker = lab.asker(vec![(0, 0, Request::Txn(txn))]);
    let run = lab.run(1_000);
    assert_eq!(run.asker(asker).answer(1), Some(&Reply::Failed(Fault::DuplicateKey)));
    assert_eq!(run.asker(asker).answered_at(1), Some(mono(2)));
    assert_eq!(run.server(0).raft().last_index(), 1);
}

// --- the record ---

fn record(run: &Run) -> Vec<String> {
    run.notes()
        .filter_map(|(_, by, note)| match note {
            Note::Granted(granted) => Some(format!("{} grants {} {}", by.0, granted.lock, granted.grant.0)),
            Note::Freed { lock, grant, how, .. } => {
                Some(format!("{} frees {lock} {} {how:?}", by.0, grant.0))
            }
            Note::Wrote { revision, .. } => Some(format!("{} writes {revision}", by.0)),
            _ => None,
        })
        .collect()
}

#[test]
fn the_leader_alone_records_what_a_lock_goes_through() {
    let mut lab = Setup::default().lab();
    let me = lab.next();
    let lease = |id: u64| Asker::lease(me, id);
    let place = |id: u64| format!("job/{:x}", lease(id).0);
    lab.asker(vec![
        (0, 1, grant(s(9))),
        (1, 1, grant(s(9))),
        (2, 1, grant(s(9))),
        (10, 1, create(&place(1), me, lease(1))), // 2
        (20, 1, create(&place(2), me, lease(2))), // 3
        (30, 1, create(&place(3), me, lease(3))), // 4
        (40, 1, put("other", 1)),                 // 5
        (50, 1, Request::Revoke(lease(2))),       // it was only waiting
        (60, 1, Request::Revoke(lease(1))),
    ]);
    let run = lab.run(30_000);
    let expected =
        ["0 grants job 2", "0 writes 5", "0 frees job 2 Released", "0 grants job 4", "0 frees job 4 Expired"];
    assert_eq!(record(&run), expected);
    let Some((.., Note::Granted(granted))) =
        run.notes().find(|(.., note)| matches!(note, Note::Granted(granted) if granted.grant.0 == 4))
    else {
        panic!("nobody got it")
    };
    let Granted { holder, lease: of, deadline, .. } = **granted;
    assert_eq!(
        (holder, of, deadline),
        (me, lease(3), stop_mono(9_006)),
        "the lease runs since it was granted"
    );
}

#[test]
fn locks_with_a_slash_in_their_names_are_different_locks() {
    let mut lab = Setup::default().lab();
    let me = lab.next();
    let lease = |id: u64| Asker::lease(me, id);
    lab.asker(vec![
        (0, 0, grant(s(9))),
        (1, 0, grant(s(9))),
        (10, 0, create("jobs/a", me, lease(1))),
        (20, 0, create("jobs/b", me, lease(2))),
        (30, 0, create(&format!("jobs/c/{:x}", lease(1).0), me, lease(1))),
        (40, 0, Request::Revoke(lease(2))),
    ]);
    let run = lab.run(1_000);
    let expected =
        ["0 grants jobs/a 2", "0 grants jobs/b 3", "0 grants jobs/c 4", "0 frees jobs/b 3 Released"];
    assert_eq!(record(&run), expected);
}
