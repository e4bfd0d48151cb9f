//! What follows from the billing story when one thing is changed: its variants, and what a hand on the page does.

use scenario::facts::{DeadlineBy, Ending, Loss, MomentKind, RowState, WriteKind};
use scenario::report;

use crate::told::{Told, deadline_set, ms, one, rounded};

#[test]
fn without_a_fence_the_late_chunk_charges_5000_invoices_twice() {
    for told in [Told::of("billing", Some("unfenced")), Told::billing(&[("store.billing.kind", "unfenced")])]
    {
        let write = told.chunk("A", 2);
        assert_eq!((ms(write.at), write.accepted, write.stale, write.corrupting), (19_050, true, true, true));
        assert_eq!(write.duplicates, 5_000);
        let verdict = told.verdict();
        assert_eq!((verdict.stale_accepted, verdict.stale_rejected, verdict.duplicates), (1, 0, 5_000));
    }
}

#[test]
fn c_dead_with_n1_keeps_its_lock_until_59_1_instead_of_56_2() {
    let told = Told::of("billing", Some("c-dies"));
    let lease = told.lease("C");
    assert_eq!(ms(deadline_set(lease, 46_200).until), 56_200);
    assert_eq!(ms(deadline_set(lease, 49_100).until), 59_100);
    assert_eq!(lease.ended.map(|(at, how)| (ms(at), how)), Some((59_100, Ending::Expired)));
    assert_eq!(told.verdict().orphans, 1);
    assert_eq!(told.row("billing", 60_000).state, RowState::Running);
}

#[test]
fn with_checkpoints_the_new_leader_goes_on_with_what_was_left() {
    let told = Told::of("billing", Some("checkpoints"));
    let restart = deadline_set(told.lease("C"), 49_100);
    assert_eq!(restart.by, DeadlineBy::Checkpoint);
    // 9.5 s were left at the last checkpoint, at 46.7 s.
    assert_eq!(ms(restart.until), 58_600);
    assert!(ms(restart.until) < 59_100, "sooner than at full length");
}

#[test]
fn on_the_monotonic_clock_b_stops_at_21_5_and_on_the_wall_clock_a_second_too_late() {
    for (variant, stopped, on_wall) in [("cut-off", 21_500, false), ("wall-clock", 24_500, true)] {
        let told = Told::of("billing", Some(variant));
        let belief = told.belief("B");
        let stop = belief.stops.last().expect("it was granted");
        assert_eq!(
            (stop.reading / 1_000, stop.on_wall, ms(stop.at)),
            (21_500, on_wall, stopped),
            "{variant}"
        );
        assert_eq!(belief.ended.map(|(at, why)| (ms(at), why)), Some((stopped, Loss::StopTime)), "{variant}");
        assert_eq!(told.lease("B").ended.map(|(at, _)| ms(at)), Some(23_500), "{variant}");
    }
}

#[test]
fn in_an_election_exactly_one_candidate_wakes_and_leads_with_epoch_13() {
    let told = Told::of("billing", Some("election"));
    let woken = told.0.facts.moments.iter().filter(|moment| matches!(moment.what, MomentKind::Woken { .. }));
    let woken: Vec<_> = woken.filter(|moment| ms(moment.at) >= 29_500).collect();
    assert_eq!(woken.len(), 1);
    assert_eq!((woken[0].process, ms(woken[0].at)), (told.process("C"), 29_500));
    let lease = told.lease("C");
    assert_eq!((ms(lease.granted), lease.token), (29_500, Some(13)));
}

/// A's pause begins before its check at 3.9, wherever exactly: when it wakes it looks at its clock, and stops.
#[test]
fn a_pause_that_begins_before_the_check_leaves_the_stale_chunk_unsent() {
    for begins in ["1.1s", "2s", "3s", "3.5s", "3.899s"] {
        let told = Told::billing(&[("fault.a-pause.at", begins)]);
        assert!(told.0.facts.writes.iter().all(|write| !write.stale), "{begins}");
        let chunk_2 = |write: &&scenario::facts::Write| matches!(write.kind, WriteKind::Item { item: 1, .. });
        assert_eq!(told.writes("A").into_iter().filter(chunk_2).count(), 0, "{begins}");
        let verdict = told.verdict();
        assert_eq!(
            (verdict.stale_rejected, verdict.stale_accepted, verdict.duplicates),
            (0, 0, 0),
            "{begins}"
        );
        let ended = told.belief("A").ended.map(|(_, why)| why);
        assert!(matches!(ended, Some(Loss::StopTime | Loss::ToldGone)), "{begins}: {ended:?}");
    }
}

/// The same gap is between chunk 1's check at 0.8 and its sending at 0.95: a pause there holds a stale chunk, too.
#[test]
fn a_pause_between_any_check_and_its_write_makes_a_stale_write() {
    let told = Told::billing(&[("fault.a-pause.at", "900ms")]);
    let write = told.chunk("A", 1);
    assert!(write.stale && !write.accepted);
    assert_eq!(ms(write.sent), 15_900);
}

/// A renews in time when it wakes before its lease is over.
#[test]
fn a_shorter_pause_makes_nothing_stale() {
    for lasts in ["500ms", "2s", "4s", "6s", "8s", "8.9s"] {
        let told = Told::billing(&[("fault.a-pause.for", lasts)]);
        let verdict = told.verdict();
        assert_eq!(
            (verdict.stale_rejected, verdict.stale_accepted, verdict.duplicates),
            (0, 0, 0),
            "{lasts}"
        );
        assert!(told.chunk("A", 2).accepted, "{lasts}");
        assert!(told.0.facts.leases[0].deadlines.len() > 2, "{lasts}: it renews");
    }
}

#[test]
fn a_fence_that_rejects_an_equal_token_refuses_its_rightful_holder() {
    let told = Told::billing(&[("store.billing.equal", "rejected")]);
    assert!(told.verdict().valid_rejected > 0);
    let write = told.chunk("A", 1);
    assert_eq!((write.accepted, write.stale, write.token, write.fence), (false, false, Some(7), Some(7)));
}

/// A wakes at 13.6, just as B's raise comes to the store; A's chunk comes 50 ms behind it.
#[test]
fn a_fence_whose_check_and_write_are_two_steps_lets_a_stale_write_in() {
    let one_step = Told::billing(&[("fault.a-pause.for", "9.6s")]);
    let write = one_step.chunk("A", 2);
    assert_eq!((ms(write.at), write.stale, write.accepted), (13_650, true, false));

    // Two steps take longer, so that A's check is later, and the pause that catches what it checked. The raise is checked
    // at 13.6 and written at 13.8: in between the fence still stands at 7.
    let two_steps = Told::billing(&[
        ("store.billing.check_gap", "200ms"),
        ("fault.a-pause.at", "4.35s"),
        ("fault.a-pause.for", "9.25s"),
    ]);
    let (raise, write) = (two_steps.raise("B"), two_steps.chunk("A", 2));
    assert_eq!((ms(write.sent), ms(raise.at), ms(write.at)), (13_600, 13_800, 13_850));
    assert!(
        write.stale && write.accepted && write.corrupting,
        "though the fence was raised before it was written"
    );
    assert_eq!((two_steps.verdict().stale_accepted, two_steps.verdict().corrupting), (1, 1));
    assert_eq!(
        two_steps.row("billing", ms(write.at)).fence,
        Some(12),
        "though the fence itself does not fall"
    );
}

/// M. Kleppmann's pause: a write of a client whose lease ran out while it was paused.
#[test]
fn kleppmanns_client_overwrites_unless_the_storage_checks_the_token() {
    for (variant, accepted) in [(None, true), (Some("fenced"), false)] {
        let told = Told::of("kleppmann-gc-pause", variant);
        let (first, second) = (told.lease("W1"), told.lease("W2"));
        assert_eq!((first.token, second.token), (Some(33), Some(34)));
        let late = one(told.writes("W1").into_iter());
        assert_eq!((late.token, late.stale, late.accepted), (Some(33), true, accepted), "{variant:?}");
        assert!(late.at > second.granted);
        // The fence does not mend beliefs: both believe from 10 s, when W2 acquires, until W1 wakes at 16 s.
        assert_eq!(rounded(told.verdict().overlap), 6_000);
        assert_eq!(told.verdict().stale_accepted, u64::from(accepted));
        assert_eq!(told.verdict().stale_rejected, u64::from(!accepted));
    }
}

/// How many wake when a holder's key goes: all who watch it, one of those in line, nobody who polls.
#[test]
fn a_release_wakes_all_who_watch_one_of_a_queue_and_nobody_who_polls() {
    let told = Told::of("billing", Some("election"));
    assert_eq!(report::load(&told.0).woken_at_most, 1);
    for (wait, woken) in [("\"queue\"", 1), ("\"watch\"", 3), ("{ poll = \"1s\" }", 0)] {
        let worker = |name: &str, start: &str| {
            format!(
                "[[worker]]\nname = \"{name}\"\nstart = \"{start}\"\nwait = {wait}\nprogram = [{{ acquire = \"job\" }}, {{ prepare = \"4s\" }}, {{ release = \"job\" }}]\n"
            )
        };
        let workers: String = [("A", "0s"), ("B", "1s"), ("C", "1.1s"), ("D", "1.2s")]
            .map(|(name, start)| worker(name, start))
            .concat();
        let text = format!(
            "version = 1\ntitle = \"Herd\"\nhorizon = \"30s\"\n[lock]\nkind = \"etcd\"\nttl = \"9s\"\n[[store]]\nname = \"S\"\nkind = \"unfenced\"\nlock = \"job\"\n{workers}"
        );
        let play = fencepost_tests::played_text(&text);
        assert_eq!(report::load(&play).woken_at_most, woken, "{wait}");
        // Each holds for 4 s and renews once, after 3.
        assert_eq!(report::load(&play).renewals, 4, "{wait}");
        assert_eq!(report::load(&play).renewals_per_ks, 133, "{wait}");
    }
}
