//! How leases are timed: in the leader's memory, ended through the log, restarted by a new leader.

use kernel::{Mono, ProcessId, Span};
use locks::etcd::{Checkpoints, Fault, Reply, Request};
use locks::{Freed, LeaseId, Note, Reading, Restart};

use crate::common::script::{Simulated, check};
use crate::common::{
    Asker, Lab, Run, Setup, create, cut, get_local, grant, isolate, mono, ms, put, s, vanish,
};

/// An asker's first request is granted this lease.
fn first_lease(lab: &Lab) -> LeaseId {
    Asker::lease(lab.next(), 1)
}

/// A lease of 10 s with a key from the first millisecond on, and what else is asked of whom when.
fn with_lease(lab: &mut Lab, mut asks: Vec<(u64, u16, Request)>) -> (ProcessId, LeaseId) {
    let (me, lease) = (lab.next(), first_lease(lab));
    asks.insert(0, (0, 0, grant(s(10))));
    asks.insert(1, (10, 0, create("job", me, lease)));
    (lab.asker(asks), lease)
}

/// When each new leader took over, who, and until when it set the lease.
fn took_over(run: &Run, lease: LeaseId) -> Vec<(u64, u16, Mono, Restart)> {
    run.notes()
        .filter_map(|(at, by, note)| match note {
            Note::TookOver { leases, .. } => {
                let (_, deadline, from) = leases.iter().find(|(known, ..)| *known == lease)?;
                let Reading::Mono(deadline) = *deadline else {
                    panic!("an etcd times leases on its monotonic clock")
                };
                Some((at.as_micros() / 1_000, by.0, deadline, *from))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn a_keep_alive_moves_the_deadline_and_never_touches_the_log() {
    let mut lab = Setup::default().lab();
    let lease = first_lease(&lab);
    let (asker, _) =
        with_lease(&mut lab, (1..6).map(|k| (k * 1_000, 0, Request::KeepAlive(lease))).collect());
    let mut run = lab.begin();
    run.until(900);
    let logs = |run: &Run| [0, 1, 2].map(|member| run.server(member).raft().last_index());
    let before = logs(&run);
    assert_eq!(
        run.server(0).deadlines().collect::<Vec<_>>(),
        [(lease, mono(10_003))],
        "from when it was applied"
    );
    run.until(5_900);
    assert_eq!(logs(&run), before);
    assert_eq!(
        run.server(0).deadlines().collect::<Vec<_>>(),
        [(lease, mono(15_001))],
        "from when it was heard"
    );
    assert_eq!(run.server(1).deadlines().count(), 0, "the others do not time it");
    assert_eq!(run.asker(asker).answer(7), Some(&Reply::KeptAlive(Some(s(10)))));
    assert_eq!(run.when(|note| matches!(note, Note::Renewed { .. })).len(), 5);
    run.until(20_000);
    assert_eq!(run.freed(), [(15_003, 2, Freed::Expired)]);
    assert_eq!(logs(&run), before.map(|last| last + 1), "the end is an entry of the log");
}

#[test]
fn a_lease_ends_at_the_very_instant_or_at_the_next_look() {
    // Applied after 3 ms, and the end takes 2 ms through the log.
    for (every, gone) in [(0, 10_005), (500, 10_502), (3_000, 12_002), (20_000, 20_002)] {
        let mut lab = Setup::leases(|times| times.expiry_every = ms(every)).lab();
        with_lease(&mut lab, vec![]);
        assert_eq!(lab.run(30_000).freed(), [(gone, 2, Freed::Expired)], "looks every {every} ms");
    }
}

#[test]
fn looks_keep_their_rhythm_over_a_time_without_leases() {
    let mut lab = Setup::leases(|times| times.expiry_every = ms(500)).lab();
    let lease = Asker::lease(lab.next(), 1);
    let asks = vec![(60_120, 0, grant(s(2))), (60_130, 0, create("job", lab.next(), lease))];
    lab.asker(asks);
    assert_eq!(lab.run(70_000).freed(), [(62_502, 2, Freed::Expired)]);
}

#[test]
fn a_renewal_of_a_lease_whose_end_is_on_its_way_waits_for_it() {
    let mut lab = Setup::leases(|times| times.expiry_every = ms(500)).lab();
    let lease = first_lease(&lab);
    let late = (10_100, 1, Request::KeepAlive(lease));
    let later = (10_700, 0, Request::KeepAlive(lease));
    let (asker, _) = with_lease(&mut lab, vec![late, later, (10_800, 0, get_local("job"))]);
    let run = lab.run(12_000);
    let answers = run.asker(asker);
    assert_eq!(answers.answer(3), Some(&Reply::KeptAlive(None)));
    // Ended at 10,502; the follower that was asked passes the answer on.
    assert_eq!(answers.answered_at(3), Some(mono(10_504)));
    assert_eq!(answers.answer(4), Some(&Reply::KeptAlive(None)));
    assert_eq!(answers.answered_at(4), Some(mono(10_702)), "one that is gone is not waited for");
}

#[test]
fn a_put_onto_a_lease_that_has_run_out_succeeds_and_vanishes_with_it() {
    let setup = Setup::leases(|times| times.expiry_every = s(2));
    check(
        &mut Simulated::with(setup),
        "grant a 3s    -> 3s
         wait 3.5s
         create late a -> created 2
         get late      -> created 2, changed 2, version 1; revision 2
         wait 1s
         get late      -> nothing; revision 3",
    );
}

#[test]
fn a_new_leader_restarts_every_lease_at_full_length_and_adds_what_it_is_told_to() {
    for extend in [0, 1_000] {
        let mut lab = Setup::leases(|times| times.promote_extend = ms(extend)).lab();
        let (_, lease) = with_lease(&mut lab, vec![(3_000, 0, put("other", 1))]);
        lab.fault(9_000, None, vanish(ProcessId(0)));
        let run = lab.run(40_000);
        let takes = took_over(&run, lease);
        let [(at, by, deadline, Restart::Full)] = takes[..] else { panic!("{takes:?}") };
        // A second at least after the last heartbeat, which came in the second's last tenth.
        assert!((9_900..11_500).contains(&at) && by != 0, "{takes:?}");
        assert_eq!(deadline.as_micros() / 1_000, at + 10_000 + extend);
        let freed = run.freed();
        let [(gone, 2, Freed::Expired)] = freed[..] else { panic!("{freed:?}") };
        assert!((at + 10_000 + extend..=at + 10_003 + extend).contains(&gone), "{freed:?}");
    }
}

#[test]
fn a_leader_that_is_not_primary_yet_says_so() {
    let setup = Setup { link: kernel::LinkSpec { delay: ms(20), ..Default::default() }, ..Setup::default() };
    let mut lab = setup.lab();
    let lease = first_lease(&lab);
    let asks: Vec<_> = (0..300).map(|k| (1_000 + k * 10, 1, Request::KeepAlive(lease))).collect();
    let mut asks = [vec![(0, 0, grant(s(10)))], asks].concat();
    asks.sort_by_key(|(at, ..)| *at);
    // The third cannot win, so it is the second that will lead.
    lab.fault(900, None, isolate(&[ProcessId(2)]));
    lab.fault(1_000, Some(1_001), vanish(ProcessId(0)));
    let asker = lab.asker(asks);
    let run = lab.run(5_000);
    let leads = run.trace.records().iter().find_map(|record| match &record.what {
        kernel::What::Noted(crate::common::Note::Raft(raft::Note::BecameLeader { .. })) => Some(record.at),
        _ => None,
    });
    let (leads, takes_over) = (leads.unwrap().as_micros() / 1_000, took_over(&run, lease)[0].0);
    assert_eq!(takes_over, leads + 40, "when the first entry of its term is committed");
    let mut seen = 0;
    for (id, answered, reply) in &run.asker(asker).answers[1..] {
        let asked = answered.as_micros() / 1_000 - 40;
        // It was asked 20 ms later than the asker sent, and answered at once.
        let heard = asked + 20;
        if heard > takes_over {
            assert_eq!(reply, &Reply::KeptAlive(Some(s(10))), "request {id}");
        } else if heard > leads && heard < takes_over {
            assert_eq!(reply, &Reply::Failed(Fault::NotPrimary), "request {id}");
            seen += 1;
        }
    }
    assert!(seen >= 3, "{seen}");
}

fn checkpoints(every: u64, unit: u64) -> Setup {
    Setup::leases(|times| times.checkpoints = Some(Checkpoints { every: ms(every), unit: ms(unit) }))
}

fn left(run: &Run, member: u16, lease: LeaseId) -> Option<Span> {
    run.server(member).state().leases[&lease].remaining
}

#[test]
fn with_checkpoints_a_new_leader_goes_on_with_what_was_left_rounded_up() {
    // The last checkpoint before the leader dies at 6 s is at 5.003 s.
    for (unit, remaining) in [(1, 5_000), (1_000, 5_000), (3_000, 6_000)] {
        let mut lab = checkpoints(2_500, unit).lab();
        let (_, lease) = with_lease(&mut lab, vec![]);
        lab.fault(6_000, None, vanish(ProcessId(0)));
        let mut run = lab.begin();
        run.until(4_000);
        let first = ms(7_500).rounded_up_to(ms(unit));
        assert_eq!([0, 1, 2].map(|member| left(&run, member, lease)), [Some(first); 3]);
        run.until(20_000);
        let takes = took_over(&run, lease);
        let [(at, _, deadline, Restart::Remaining)] = takes[..] else { panic!("{takes:?}") };
        assert_eq!(deadline.as_micros() / 1_000, at + remaining, "unit {unit} ms");
    }
}

#[test]
fn a_renewal_takes_a_checkpoint_back_before_it_counts() {
    let mut lab = checkpoints(2_000, 1_000).lab();
    let lease = first_lease(&lab);
    let asks = vec![(3_000, 0, Request::KeepAlive(lease)), (3_500, 0, Request::KeepAlive(lease))];
    let (asker, _) = with_lease(&mut lab, asks);
    lab.fault(3_800, None, vanish(ProcessId(0)));
    let mut run = lab.begin();
    run.until(2_900);
    assert_eq!(left(&run, 1, lease), Some(s(8)));
    let logged = run.server(0).raft().last_index();
    run.until(3_700);
    assert_eq!(left(&run, 1, lease), None);
    assert_eq!(run.asker(asker).answered_at(3), Some(mono(3_004)), "it went through the log");
    assert_eq!(run.asker(asker).answered_at(4), Some(mono(3_502)), "and the next did not");
    assert_eq!(run.server(0).raft().last_index(), logged + 1);
    run.until(30_000);
    let takes = took_over(&run, lease);
    assert!(matches!(takes[..], [(.., Restart::Full)]), "{takes:?}");
}

/// A leader that answers a renewal and dies must not leave less than it promised: otherwise the next one frees the lock
/// under its holder.
#[test]
fn what_a_renewal_promised_survives_the_leader() {
    for dies in 3_000..3_012 {
        let mut lab = checkpoints(2_000, 1_000).lab();
        let lease = first_lease(&lab);
        let (asker, _) = with_lease(&mut lab, vec![(3_000, 0, Request::KeepAlive(lease))]);
        lab.fault(dies, None, vanish(ProcessId(0)));
        let run = lab.run(30_000);
        let freed = run.freed();
        let [(gone, 2, Freed::Expired)] = freed[..] else { panic!("{freed:?}") };
        if let Some(Reply::KeptAlive(Some(ttl))) = run.asker(asker).answer(3) {
            assert!(gone >= 3_000 + ttl.as_micros() / 1_000, "dies at {dies}: gone at {gone}");
        }
    }
}

#[test]
fn a_leader_without_followers_cannot_take_a_checkpoint_back_and_so_not_renew() {
    let mut lab = checkpoints(2_000, 1_000).lab();
    let lease = first_lease(&lab);
    let (asker, _) = with_lease(&mut lab, vec![(3_000, 0, Request::KeepAlive(lease))]);
    lab.fault(2_900, None, cut(&[ProcessId(0)], &[ProcessId(1), ProcessId(2)]));
    let run = lab.run(20_000);
    let answers = run.asker(asker);
    assert_eq!(answers.answer(3), Some(&Reply::Failed(Fault::NoLeader)), "when it steps down");
    assert!(answers.answered_at(3) > Some(mono(3_800)));
}

#[test]
fn renewals_do_not_shift_checkpoints_and_short_leases_have_none() {
    let mut lab = checkpoints(4_000, 1_000).lab();
    let lease = first_lease(&lab);
    let asks = (1..6).map(|k| (k * 3_000, 0, Request::KeepAlive(lease))).collect();
    let (_, lease) = with_lease(&mut lab, asks);
    let mut run = lab.begin();
    let mut seen = Vec::new();
    for at in [3_500, 4_500, 6_500, 8_500, 9_500, 12_500] {
        run.until(at);
        seen.push(left(&run, 1, lease));
    }
    // At 4.003 s, 8.003 s and 12.003 s; taken back by the renewals at 6 s, 9 s and 15 s.
    assert_eq!(seen, [None, Some(s(9)), None, Some(s(8)), None, None]);
    run.until(16_500);
    assert_eq!(left(&run, 1, lease), Some(s(9)), "what is as good as full is not worth an entry");

    let mut lab = checkpoints(20_000, 1_000).lab();
    let lease = first_lease(&lab);
    let (_, lease) =
        with_lease(&mut lab, (1..20).map(|k| (k * 3_000, 0, Request::KeepAlive(lease))).collect());
    let mut run = lab.begin();
    run.until(1_000);
    let logged = run.server(0).raft().last_index();
    run.until(60_000);
    assert_eq!((run.server(0).raft().last_index(), left(&run, 1, lease)), (logged, None));
}
