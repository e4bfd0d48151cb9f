//! Taking a lock: in line, by watching, by polling; and tries that come to nothing.

use kernel::ProcessId;
use locks::etcd::{self, Reply, Request};
use locks::{ClientKind, Freed, GiveUp, Gone, Note, Policy, Wait, Word};

use crate::common::{Do, Lab, POLICY, Run, Setup, cut_one_way, isolate, ms, pause, refuse, s, twice, vanish};

const N1: ProcessId = ProcessId(0);
const N2: ProcessId = ProcessId(1);
const N3: ProcessId = ProcessId(2);
const ALL: [ProcessId; 3] = [N1, N2, N3];

const WATCH: Policy = Policy { wait: Wait::Watch, ..POLICY };
const POLL: Policy = Policy { wait: Wait::Poll(s(1)), ..POLICY };

/// A worker that takes the lock and gives it back.
fn from_to(lab: &mut Lab, policy: Policy, from: u64, to: u64) -> ProcessId {
    lab.worker(policy, vec![(ms(from), Do::Acquire), (ms(to), Do::Release)])
}

fn woken(run: &Run) -> Vec<(u64, ProcessId)> {
    run.when(|note| matches!(note, Note::Woken { .. }))
}

fn is_get(request: &Request) -> bool {
    matches!(request, Request::Get { .. })
}

#[test]
fn alone_in_line_two_requests_are_enough() {
    let mut lab = Setup::default().lab();
    let a = from_to(&mut lab, POLICY, 0, 20_000);
    let run = lab.run(2_000);
    assert_eq!(run.holds(a), [(8, 2)]);
    assert_eq!(run.requests(a, |_| true), [(0, 0), (4, 0)]);
    assert!(run.requests(a, |request| matches!(request, Request::Grant(_) | Request::Txn(_))).len() == 2);
    assert_eq!(
        run.words(a),
        [(8, Word::Acquired { grant: locks::GrantId(2), token: Some(locks::Token(2)) })]
    );
}

#[test]
fn a_line_is_served_in_order_and_each_release_wakes_one() {
    let mut lab = Setup::default().lab();
    let a = from_to(&mut lab, POLICY, 0, 5_000);
    let b = from_to(&mut lab, POLICY, 100, 7_000);
    let c = from_to(&mut lab, POLICY, 200, 9_000);
    let d = from_to(&mut lab, POLICY, 300, 6_000); // gives up its place before its turn
    let run = lab.run(12_000);
    assert_eq!([run.holds(a), run.holds(b), run.holds(c)].concat(), [(8, 2), (5_012, 3), (7_012, 4)]);
    assert_eq!(run.holds(d), []);
    assert_eq!(woken(&run), [(5_004, b), (7_004, c)]);
    let freed: Vec<_> = run.freed().into_iter().map(|(_, token, how)| (token, how)).collect();
    assert_eq!(freed, [(2, Freed::Released), (3, Freed::Released), (4, Freed::Released)]);
    assert_eq!(run.server(0).state().keys.len(), 0, "and so is the key of the one that only waited");
}

#[test]
fn watchers_wake_together_and_one_of_them_has_it() {
    let mut lab = Setup::default().lab();
    let a = from_to(&mut lab, WATCH, 0, 5_000);
    let b = from_to(&mut lab, WATCH, 100, 7_000);
    let c = from_to(&mut lab, WATCH, 200, 20_000);
    let run = lab.run(12_000);
    assert_eq!(run.holds(a), [(12, 2)]);
    assert_eq!(woken(&run), [(5_004, b), (5_004, c), (7_004, c)]);
    assert_eq!([run.holds(b), run.holds(c)].concat(), [(5_016, 4), (7_016, 6)]);
    assert_eq!(run.server(0).state().leases.len(), 1, "the loser's lease of that try is gone");
}

#[test]
fn a_poller_looks_at_its_pace_and_has_it_with_the_next_look() {
    let mut lab = Setup::default().lab();
    let a = from_to(&mut lab, POLL, 0, 3_500);
    let b = from_to(&mut lab, POLL, 250, 20_000);
    let run = lab.run(12_000);
    assert_eq!(run.holds(a), [(12, 2)]);
    let looks: Vec<u64> = run.requests(b, is_get).into_iter().map(|(at, _)| at).collect();
    assert_eq!(looks, [250, 1_250, 2_250, 3_250, 4_250]);
    assert_eq!(run.holds(b), [(4_262, 4)]);
}

#[test]
fn a_plain_write_that_fails_does_not_disturb_the_pace() {
    let mut lab = Setup::default().lab();
    from_to(&mut lab, POLL, 0, 60_000);
    let b = lab.worker(POLL, vec![(ms(0), Do::Acquire), (ms(4_500), Do::Put("other".into()))]);
    lab.fault(4_400, Some(4_600), refuse(&[b], &ALL));
    let run = lab.run(9_000);
    assert_eq!(run.words(b), [(4_710, Word::PutDone)], "tried again after a rest");
    let looks: Vec<u64> = run.requests(b, is_get).into_iter().map(|(at, _)| at).collect();
    assert_eq!(looks, [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000]);
}

#[test]
fn a_claim_without_an_answer_is_abandoned_by_ending_its_lease() {
    for policy in [POLICY, WATCH, POLL] {
        let mut lab = Setup::default().lab();
        let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
        // The claim is on its way when answers begin to be lost.
        let (from, claim) = if policy.wait == Wait::Queue { (6, 4) } else { (10, 8) };
        lab.fault(from, Some(400), cut_one_way(&ALL, &[a]));
        let run = lab.run(5_000);
        let revokes = run.requests(a, |request| matches!(request, Request::Revoke(_)));
        assert_eq!(revokes, [(claim + 500, 1)], "{:?}", policy.wait);
        let freed = run.freed();
        assert!(matches!(freed[..], [(_, 2, Freed::Released)]), "{freed:?}");
        let holds = run.holds(a);
        assert!(matches!(holds[..], [(700..1_800, 4)]), "{:?}: {holds:?}", policy.wait);
        assert_eq!(run.let_go(a), []);
        assert_eq!(run.server(0).state().leases.len(), 1);
    }
}

/// The renewal of a lease that was given up must neither count for the next one nor end it.
#[test]
fn nothing_of_an_abandoned_try_reaches_into_the_next() {
    let mut lab = Setup::default().lab();
    let policy = Policy { renew_every: ms(300), timeout: s(1), ..POLICY };
    let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
    lab.fault(6, Some(1_100), cut_one_way(&ALL, &[a]));
    let run = lab.run(5_000);
    let holds = run.holds(a);
    assert!(matches!(holds[..], [(1_200..1_300, 4)]), "{holds:?}");
    assert_eq!(run.let_go(a), []);
    let kept = run.requests(a, |request| matches!(request, Request::KeepAlive(_)));
    assert_eq!(kept[0].0, 300, "of the first lease");
    assert!(kept[1].0 > 1_400, "of the second: {kept:?}");
}

#[test]
fn a_candidate_whose_lease_ran_out_while_it_waited_does_not_hold() {
    let mut lab = Setup::default().lab();
    let a = from_to(&mut lab, POLICY, 0, 15_000);
    // It does not renew while it waits, and would believe anything.
    let careless = Policy { renew_every: s(60), give_up: GiveUp::Never, ..POLICY };
    let b = lab.worker(careless, vec![(ms(100), Do::Acquire)]);
    let run = lab.run(20_000);
    assert_eq!(run.holds(a), [(8, 2)]);
    assert_eq!(woken(&run), [(15_004, b)]);
    assert_eq!(run.holds(b), [(15_020, 6)], "with a key of a new lease, not with 3");
}

#[test]
fn a_candidate_that_was_paused_past_its_lease_gets_in_line_anew() {
    for give_up in [GiveUp::StopTime, GiveUp::Never] {
        let mut lab = Setup::default().lab();
        from_to(&mut lab, POLICY, 0, 15_000);
        let b = lab.worker(Policy { give_up, ..POLICY }, vec![(ms(100), Do::Acquire)]);
        let c = lab.worker(POLICY, vec![(ms(16_000), Do::Acquire)]);
        lab.fault(1_000, Some(20_000), pause(b));
        let run = lab.run(24_000);
        assert_eq!(run.holds(b), [], "{give_up:?}");
        assert_eq!(run.holds(c), [(16_008, 6)]);
        assert!(run.worker(b).client.wants());
    }
}

/// `Election.Campaign`, and `Mutex` before 3.5, look whether anybody is ahead, and not whether their own key is still there
/// (etcd-io/etcd#11456). What such a candidate holds was granted to nobody, and the service grants the lock to the next.
#[test]
fn a_candidate_that_does_not_look_takes_its_turn_when_its_lease_is_over() {
    for rechecks in [true, false] {
        let mut lab = Setup::default().lab();
        lab.kind = ClientKind::Etcd(etcd::Recipe::new(rechecks));
        from_to(&mut lab, POLICY, 0, 20_000);
        // It renews nothing, and never stops by itself.
        let forgotten = Policy { give_up: GiveUp::Never, renew_every: s(100), ..POLICY };
        let b = lab.worker(forgotten, vec![(ms(1_000), Do::Acquire)]);
        let c = lab.worker(POLICY, vec![(ms(21_000), Do::Acquire)]);
        let run = lab.run(25_000);
        let holds = if rechecks { (20_020, 6) } else { (20_008, 3) };
        assert_eq!(run.holds(b), [holds], "{rechecks}");
        let granted = run.when(|note| matches!(note, Note::Granted(granted) if granted.holder == b)).len();
        assert_eq!((granted, run.holds(c).len()), if rechecks { (1, 0) } else { (0, 1) });
    }
}

/// The answer says that the lock is its own, and is older than the lease.
#[test]
fn an_answer_that_was_read_too_late_is_not_believed() {
    for policy in [POLICY, WATCH, POLL] {
        let mut lab = Setup::default().lab();
        let a = lab.worker(policy, vec![(ms(0), Do::Acquire)]);
        lab.fault(if policy.wait == Wait::Queue { 6 } else { 10 }, Some(20_000), pause(a));
        let run = lab.run(25_000);
        let first = run.holds(a).first().copied();
        assert!(matches!(first, Some((20_000.., 4..))), "{:?}: {first:?}", policy.wait);
        let told = run.words(a);
        assert!(matches!(told[..], [(20_000.., Word::Acquired { .. })]), "{told:?}");
    }
}

#[test]
fn a_watch_is_renewed_elsewhere_when_its_member_dies() {
    for policy in [POLICY, WATCH] {
        let mut lab = Setup::default().lab();
        let a = from_to(&mut lab, policy, 0, 9_000);
        let b = lab.worker(policy, vec![(ms(100), Do::Acquire)]);
        lab.fault(2_000, None, vanish(N1));
        let run = lab.run(12_000);
        assert_eq!(run.holds(a).len(), 1);
        let holds = run.holds(b);
        assert!(matches!(holds[..], [(9_000..9_040, 3..)]), "{:?}: {holds:?}", policy.wait);
    }
}

#[test]
fn a_watch_that_is_confirmed_twice_is_on_all_the_same() {
    for policy in [POLICY, WATCH] {
        let mut lab = Setup::default().lab();
        from_to(&mut lab, policy, 0, 1_000);
        let b = lab.worker(policy, vec![(ms(100), Do::Acquire)]);
        lab.fault(0, Some(500), twice(&[N1], &[b]));
        let run = lab.run(3_000);
        let holds = run.holds(b);
        assert!(matches!(holds[..], [(1_000..1_040, _)]), "{:?}: {holds:?}", policy.wait);
    }
}

#[test]
fn a_deletion_between_the_look_and_the_watch_is_heard() {
    for policy in [POLICY, WATCH] {
        for released in 100..140 {
            let mut lab = Setup::default().lab();
            from_to(&mut lab, policy, 0, released);
            let b = lab.worker(policy, vec![(ms(100), Do::Acquire)]);
            let run = lab.run(1_000);
            let holds = run.holds(b);
            assert!(matches!(holds[..], [(100..180, _)]), "{:?}, {released}: {holds:?}", policy.wait);
        }
    }
}

#[test]
fn wanting_ends_at_any_moment_and_leaves_nothing_behind() {
    for policy in [POLICY, WATCH, POLL] {
        for released in 0..40 {
            let mut lab = Setup::default().lab();
            from_to(&mut lab, policy, 0, 30_000);
            let b = from_to(&mut lab, policy, 1_000, 1_000 + released);
            let mut run = lab.begin();
            run.until(5_000);
            let about = format!("{:?}, released after {released} ms", policy.wait);
            assert_eq!(run.worker(b).client.doing(), "wants no lock", "{about}");
            assert!(!run.any_client_timer(b), "{about}");
            assert_eq!(run.words(b).len(), 1, "{about}");
            run.until(25_000);
            assert_eq!(run.server(0).state().leases.len(), 1, "{about}");
            assert_eq!(run.holds(b), [], "{about}");
        }
    }
}

#[test]
fn what_is_asked_twice_is_done_once() {
    let mut lab = Setup::default().lab();
    let twice_each = vec![
        (ms(0), Do::Acquire),
        (ms(2), Do::Acquire),
        (ms(100), Do::Acquire),
        (ms(200), Do::Release),
        (ms(201), Do::Release),
        (ms(300), Do::Release),
    ];
    let a = lab.worker(POLICY, twice_each);
    let run = lab.run(1_000);
    assert_eq!(run.holds(a), [(8, 2)]);
    assert_eq!(run.let_go(a), [(200, Gone::Released)]);
    let words: Vec<Word> = run.words(a).into_iter().map(|(_, word)| word).collect();
    // The last release finds nothing to give back, and says so.
    assert_eq!(
        words,
        [
            Word::Acquired { grant: locks::GrantId(2), token: Some(locks::Token(2)) },
            Word::Released,
            Word::Released
        ]
    );
}

#[test]
fn a_lock_can_be_wanted_again_while_it_is_being_given_back() {
    for policy in [POLICY, WATCH, POLL] {
        let mut lab = Setup::default().lab();
        let again = vec![(ms(0), Do::Acquire), (ms(1_000), Do::Release), (ms(1_001), Do::Acquire)];
        let a = lab.worker(policy, again);
        let run = lab.run(4_000);
        let tokens: Vec<u64> = run.holds(a).into_iter().map(|(_, token)| token).collect();
        assert_eq!(tokens.len(), 2, "{:?}", policy.wait);
        assert!(tokens[1] > tokens[0]);
        assert!(run.words(a).iter().all(|(_, word)| matches!(word, Word::Acquired { .. })));
    }
}

#[test]
fn without_anybody_to_ask_a_lock_is_given_back_after_two_rounds() {
    let mut lab = Setup::default().lab();
    let a = from_to(&mut lab, POLICY, 0, 1_000);
    lab.fault(900, None, isolate(&[a]));
    let run = lab.run(20_000);
    assert_eq!(run.let_go(a), [(1_000, Gone::Released)]);
    // Three members, 500 ms each; a rest of 200 ms; three members again.
    assert_eq!(run.words(a).last(), Some(&(4_200, Word::Released)));
    assert!(!run.any_client_timer(a));
    assert!(
        matches!(run.freed()[..], [(10_000..10_020, 2, Freed::Expired)]),
        "by its lease: {:?}",
        run.freed()
    );
}

#[test]
fn an_answer_to_nobody_changes_nothing() {
    // Every answer comes twice, from every member.
    for policy in [POLICY, WATCH, POLL] {
        let mut lab = Setup::default().lab();
        let a = from_to(&mut lab, policy, 0, 5_000);
        let b = from_to(&mut lab, policy, 100, 9_000);
        lab.fault(0, None, twice(&ALL, &[a, b]));
        let run = lab.run(12_000);
        assert_eq!([run.holds(a).len(), run.holds(b).len()], [1, 1], "{:?}", policy.wait);
        assert_eq!(run.let_go(a), [(5_000, Gone::Released)]);
        assert_eq!(run.server(0).state().keys.len(), 0);
        let refused = |reply: &Reply| matches!(reply, Reply::Failed(_));
        let failed = ALL
            .iter()
            .flat_map(|member| run.sent(*member))
            .filter(|(.., msg)| matches!(msg, locks::etcd::Msg::Reply { reply, .. } if refused(reply)));
        assert_eq!(failed.count(), 0);
    }
}
