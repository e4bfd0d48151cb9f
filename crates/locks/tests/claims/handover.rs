//! Handover: what one copy of the flag says, and a writer and its successor over three of them.

use kernel::ProcessId;
use locks::service::Durability;
use locks::{AnyService, ClientKind, Freed, Gone, Policy, Token, handover};

use crate::common::ops;
use crate::common::{Do, Lab, POLICY, Run, crash, isolate, ms, pause, s, vanish};

/// A lease of 10 s without a margin, refreshed every second.
const WRITER: Policy = Policy { margin: ms(0), renew_every: s(1), ..POLICY };
const N: [ProcessId; 3] = [ProcessId(0), ProcessId(1), ProcessId(2)];

fn copy(epoch: u64) -> AnyService {
    AnyService::Handover(handover::Copy::new(Token(epoch)))
}

/// A copy has on disk what it has answered.
#[track_caller]
fn check(epoch: u64, script: &str) {
    ops::check(&copy(epoch), Durability::BeforeAnswer, script);
}

/// Three copies, and whoever is next waits 15 s.
fn lab() -> Lab {
    let kind = ClientKind::Handover(handover::Recipe::new(3, s(15)));
    Lab::of(3, &copy(40), Durability::BeforeAnswer, kind, ms(1))
}

fn flags(run: &Run) -> Vec<(u64, bool)> {
    let flag = |server| match run.service(server) {
        AnyService::Handover(copy) => {
            let (_, flag) = copy.flags().next().expect("a flag");
            (flag.epoch.0, flag.writer.is_some())
        }
        other => panic!("{other:?} is no copy"),
    };
    (0..3).map(flag).collect()
}

#[test]
fn a_flag_is_set_with_a_higher_epoch_alone() {
    check(
        40,
        "says job           -> epoch 40, nobody's
         set job a 40       -> refused
         set job a 41       -> done
         set job b 41       -> refused
         set job b 43       -> done
         set job a 42       -> refused
         says job           -> epoch 43, taken
         says other         -> epoch 40, nobody's",
    );
}

#[test]
fn only_the_writer_goes_on_and_only_until_another_is_named() {
    check(
        0,
        "confirm job a 10s  -> refused
         set job a 1        -> done
         confirm job b 10s  -> refused
         confirm job a 10s  -> done
         wait 1s
         confirm job a 10s  -> done
         set job b 2        -> done
         confirm job a 10s  -> refused
         confirm job b 10s  -> done",
    );
}

/// A copy has no clock for this: it is the writer that stops, and the next one that waits.
#[test]
fn a_flag_does_not_lapse() {
    check(
        0,
        "set job a 1        -> done
         confirm job a 10s  -> done
         wait 300s
         says job           -> epoch 1, taken
         confirm job a 10s  -> done",
    );
}

#[test]
fn a_cleared_flag_keeps_its_epoch_and_nobody_has_to_be_waited_out() {
    check(
        0,
        "set job a 1        -> done
         confirm job a 10s  -> done
         clear job b        -> refused
         clear job a        -> done
         says job           -> epoch 1, nobody's
         clear job a        -> refused
         confirm job a 10s  -> refused
         set job a 1        -> refused
         set job a 2        -> done",
    );
}

/// The writer may not have heard that it was put out, and goes on for as long as it was told.
#[test]
fn a_claim_that_came_to_nothing_does_not_hide_who_wrote_before() {
    check(
        0,
        "set job a 1        -> done
         confirm job a 10s  -> done
         wait 4s
         set job b 2        -> done
         clear job b        -> done
         says job           -> epoch 2, taken
         wait 5.999999s
         says job           -> epoch 2, taken
         wait 1us
         says job           -> epoch 2, nobody's",
    );
}

#[test]
fn a_claim_that_never_began_hides_nobody() {
    check(
        0,
        "set job a 1        -> done
         set job b 2        -> done
         clear job b        -> done
         says job           -> epoch 2, nobody's",
    );
}

#[test]
fn a_copy_comes_up_with_what_it_has_answered() {
    check(
        0,
        "set job a 1        -> done
         confirm job a 10s  -> done
         wait 1s
         down 1s
         says job           -> epoch 1, taken
         set job b 1        -> refused
         confirm job a 10s  -> done",
    );
}

/// Refreshing is not written down: who comes up again knows who wrote, not how long ago it said so.
#[test]
fn a_copy_that_comes_up_again_takes_a_writer_to_have_refreshed_just_before() {
    check(
        0,
        "set job a 1        -> done
         confirm job a 10s  -> done
         wait 9s
         confirm job a 10s  -> done
         wait 5s
         down 1s
         set job b 2        -> done
         clear job b        -> done
         says job           -> epoch 2, taken
         wait 10s
         says job           -> epoch 2, nobody's",
    );
}

#[test]
fn who_finds_nobody_writes_at_once_with_an_epoch_above_the_last() {
    let mut lab = lab();
    let a = lab.worker(WRITER, vec![(ms(100), Do::Acquire), (s(5), Do::Release), (s(6), Do::Acquire)]);
    let run = lab.run(7_000);
    // It looks, sets, and looks once more.
    assert_eq!(run.holds(a), [(106, 41), (6_006, 42)]);
    assert_eq!(flags(&run), [(42, true); 3]);
}

#[test]
fn who_is_next_waits_on_its_own_clock_from_when_a_majority_has_its_flag() {
    let mut lab = lab();
    let a = lab.worker(WRITER, vec![(ms(0), Do::Acquire)]);
    let b = lab.worker(WRITER, vec![(ms(20_000), Do::Acquire)]);
    let run = lab.run(40_000);
    assert_eq!(run.holds(a), [(6, 41)]);
    // It looks and sets until 20.004, waits 15 s, and looks once more.
    assert_eq!(run.holds(b), [(35_006, 42)]);
    // A majority that names another ends its right at once.
    assert_eq!(run.let_go(a), [(20_006, Gone::ToldGone)]);
}

#[test]
fn a_writer_that_hears_nothing_stops_by_its_own_clock_before_the_next_begins() {
    let mut lab = lab();
    let a = lab.worker(WRITER, vec![(ms(0), Do::Acquire)]);
    let b = lab.worker(WRITER, vec![(ms(20_000), Do::Acquire)]);
    // It refreshes every second from 0.004 on, and is cut off before it does so again.
    lab.fault(20_003, None, isolate(&[a]));
    let run = lab.run(40_000);
    let stop = run.let_go(a);
    assert!(matches!(stop[..], [(at, Gone::StopTime)] if at == 29_004), "{stop:?}");
    assert_eq!(run.holds(b), [(35_006, 42)]);
}

#[test]
fn a_minority_of_copies_can_be_missing_and_no_more() {
    for (missing, holds) in [(0, true), (1, true), (2, false)] {
        let mut lab = lab();
        let a = lab.worker(WRITER, vec![(ms(100), Do::Acquire)]);
        for copy in &N[..missing] {
            lab.fault(0, None, vanish(*copy));
        }
        let run = lab.run(20_000);
        assert_eq!(!run.holds(a).is_empty(), holds, "{missing} missing");
        assert_eq!(run.let_go(a), [], "{missing} missing: a majority refreshes its right");
    }
}

/// The epoch is above the highest of a majority, and so above that of every writer there was.
#[test]
fn a_copy_that_was_away_is_no_reason_for_an_old_epoch() {
    let mut lab = lab();
    let a = lab.worker(WRITER, vec![(ms(0), Do::Acquire), (s(3), Do::Release)]);
    let b = lab.worker(WRITER, vec![(s(10), Do::Acquire)]);
    lab.fault(0, Some(9_000), crash(N[0]));
    lab.fault(9_000, None, crash(N[2]));
    let run = lab.run(20_000);
    assert_eq!(run.holds(a), [(6, 41)]);
    let held = run.holds(b);
    assert!(matches!(held[..], [(_, 42)]), "{held:?}");
}

#[test]
fn of_two_that_want_to_be_next_one_begins_and_each_with_an_epoch_of_its_own() {
    for apart in [0, 1, 2, 3, 5, 8, 1_000] {
        let mut lab = lab();
        let a = lab.worker(WRITER, vec![(ms(0), Do::Acquire)]);
        let b = lab.worker(WRITER, vec![(ms(20_000), Do::Acquire)]);
        let c = lab.worker(WRITER, vec![(ms(20_000 + apart), Do::Acquire)]);
        let run = lab.run(36_050);
        let next = [run.holds(b), run.holds(c)].concat();
        assert!(next.len() <= 1, "{apart} ms apart: {next:?}");
        let mut epochs: Vec<u64> = next.into_iter().chain(run.holds(a)).map(|(_, epoch)| epoch).collect();
        epochs.sort_unstable();
        epochs.dedup();
        assert!(epochs[0] == 41 && epochs.iter().skip(1).all(|epoch| *epoch > 41), "{epochs:?}");
    }
}

/// A writer that was stopped, and comes back when its successor writes, is told so by its own clock before anything else.
#[test]
fn a_paused_writer_comes_back_too_late() {
    let mut lab = lab();
    let a = lab.worker(WRITER, vec![(ms(0), Do::Acquire)]);
    let b = lab.worker(WRITER, vec![(ms(20_000), Do::Acquire)]);
    lab.fault(19_500, Some(50_000), pause(a));
    let run = lab.run(60_000);
    assert_eq!(run.holds(b), [(35_006, 42)]);
    assert_eq!(run.let_go(a), [(50_000, Gone::StopTime)]);
}

/// The record says until when it may have written, whether it heard that it was put out or not.
#[test]
fn the_record_of_who_was_put_out_ends_with_its_right() {
    let mut lab = lab();
    let a = lab.worker(WRITER, vec![(ms(0), Do::Acquire)]);
    lab.worker(WRITER, vec![(ms(20_000), Do::Acquire)]);
    lab.fault(20_006, None, isolate(&[a]));
    let run = lab.run(34_000);
    let freed: Vec<_> = run.freed().into_iter().map(|(at, _, how)| (at, how)).collect();
    // Each copy by itself: one lease after the request of 19.004 that it answered last at 19.005.
    assert_eq!(freed, [(29_005, Freed::Expired); 3]);
}
