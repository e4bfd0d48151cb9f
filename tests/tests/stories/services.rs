//! What the stories of the other lock services have to show, read from the facts and independent of their own documents:
//! the figures of the billing story with D in B's place, and what each kind loses.

use scenario::facts::{Ending, Loss, Struck};

use crate::told::{Told, deadline_set, ms, one, rounded, stop_sent};

fn granted(told: &Told, worker: &str) -> (u64, Option<u64>) {
    let lease = told.lease(worker);
    (ms(lease.granted), lease.token)
}

/// When a worker's belief ended, and why.
fn stopped(told: &Told, worker: &str) -> Option<(u64, Loss)> {
    told.belief(worker).ended.map(|(at, why)| (ms(at), why))
}

#[test]
fn with_an_item_and_a_clock_3_s_fast_d_claims_at_10_5_while_a_may_act_until_11() {
    let told = Told::of("dynamodb-item", None);
    let (lease, belief) = (told.lease("A"), told.belief("A"));
    assert_eq!((ms(lease.granted), lease.token), (0, Some(1)));
    assert_eq!(ms(lease.deadlines[0].until), 10_000);
    assert_eq!(ms(deadline_set(lease, 3_000).until), 13_000);
    assert_eq!(ms(stop_sent(belief, 3_000).at), 11_000, "its right to act ends");
    assert_eq!(granted(&told, "D"), (10_500, Some(2)));
    assert_eq!(lease.ended.map(|(at, how)| (ms(at), how)), Some((10_500, Ending::Replaced)));
    let late = told.chunk("A", 2);
    assert_eq!((ms(late.at), late.token, late.stale, late.accepted), (19_050, Some(1), true, false));
}

#[test]
fn the_overlap_of_half_a_second_needs_no_pause() {
    let told = Told::of("dynamodb-item", Some("no-pause"));
    assert_eq!(granted(&told, "D").0, 10_500);
    assert_eq!(stopped(&told, "A"), Some((11_000, Loss::StopTime)));
    assert_eq!(rounded(told.verdict().overlap), 500);
}

#[test]
fn a_margin_above_the_offset_or_the_observed_version_let_d_in_at_13_5() {
    for (variant, token) in [("margin", Some(2)), ("observed", None)] {
        let told = Told::of("dynamodb-item", Some(variant));
        assert_eq!(granted(&told, "D"), (13_500, token), "{variant}");
        assert_eq!(stopped(&told, "A"), Some((11_000, Loss::StopTime)), "{variant}");
        assert_eq!(rounded(told.verdict().overlap), 0, "{variant}");
    }
}

/// Up to the offset a margin is not enough: D's claim is so much too early.
#[test]
fn a_margin_counts_off_the_offset() {
    let margins = [("0s", 10_500), ("1s", 11_500), ("2s", 12_500), ("3s", 13_500), ("4s", 14_500)];
    for (margin, claims) in margins {
        let edits = [("lock.clock_margin", margin)];
        let told = Told(fencepost_tests::played("dynamodb-item", None, &edits));
        assert_eq!(granted(&told, "D").0, claims, "{margin}");
    }
}

#[test]
fn epochs_are_1_2_kept_by_a_release_3_and_1_again_after_a_ttl_deletion() {
    for (variant, last) in [(None, 4), (Some("ttl-deletion"), 1)] {
        let told = Told::of("dynamodb-item", variant);
        let epochs: Vec<_> = ["A", "D", "E", "F"].map(|worker| granted(&told, worker).1).into();
        assert_eq!(epochs, [Some(1), Some(2), Some(3), Some(last)]);
        let released = told.lease("D").ended.map(|(at, how)| (ms(at), how));
        assert_eq!(released, Some((17_000, Ending::Released)));
        assert_eq!(told.verdict().token_regressions, u64::from(variant.is_some()));
    }
}

#[test]
fn with_kubernetes_defaults_a_dead_leader_is_replaced_in_about_15_s() {
    for seed in 1..=20 {
        let seed = seed.to_string();
        let told = Told(fencepost_tests::played("kubernetes", None, &[("seed", &seed)]));
        let leases = &told.0.facts.leases;
        // The record last changed at 8.003. Each looks every 2 to 4.4 s: 15 s after it saw that change, at the next look.
        let second = ms(leases[1].granted);
        assert!((23_003..8_003 + 4_406 + 15_000 + 4_406).contains(&second), "seed {seed}: {second}");
        assert!(leases.len() == 2 && leases[1].token == Some(1), "the other candidate sees a new name");
    }
}

#[test]
fn without_a_token_an_unfenced_store_charges_twice_and_a_fenced_one_refuses_everybody() {
    let told = Told::of("redis", None);
    assert_eq!((told.chunk("A", 2).accepted, told.chunk("A", 2).stale), (true, true));
    assert_eq!(told.verdict().duplicates, 5_000);
    let told = Told::of("redis", Some("fenced"));
    assert!(told.0.facts.writes.len() == 2 && told.0.facts.writes.iter().all(|write| !write.accepted));
    assert_eq!(told.verdict().valid_rejected, 2);
    let told = Told::of("redis", Some("counter"));
    assert_eq!((told.chunk("A", 2).accepted, told.chunk("A", 2).token), (false, Some(7)));
}

/// A service that forgets, or deletes, hands out a token again, and the fence lets both of its holders in.
#[test]
fn a_repeated_token_is_one_that_the_store_cannot_tell() {
    for (story, variant, workers) in [
        ("redis", Some("crash"), ["A", "B"]),
        ("lab", Some("restart"), ["A", "B"]),
        ("postgres-row", None, ["A", "C"]),
    ] {
        let told = Told::of(story, variant);
        let [one, other] = workers.map(|worker| granted(&told, worker).1);
        assert!(one.is_some() && one == other, "{story}: {one:?}, {other:?}");
        let verdict = told.verdict();
        assert_eq!((verdict.token_regressions, verdict.stale_rejected), (1, 0), "{story}");
        assert!(verdict.stale_accepted == 1 && verdict.duplicates == 5_000, "{story}");
    }
    for (story, variant) in [("redis", "always"), ("postgres-row", "keep")] {
        let told = Told::of(story, Some(variant));
        assert_eq!((told.verdict().token_regressions, told.verdict().stale_accepted), (0, 0), "{story}");
    }
}

#[test]
fn redlock_holds_twice_by_stepped_clocks_or_a_restart_and_not_by_fewer_or_a_late_one() {
    let overlaps = [
        (None, true),
        (Some("minority"), false),
        (Some("restart"), true),
        (Some("restart-with-persistence"), false),
        (Some("delayed-restart"), false),
    ];
    for (variant, two) in overlaps {
        let told = Told::of("redlock", variant);
        assert_eq!(told.verdict().overlap > kernel::Span::ZERO, two, "{variant:?}");
        assert_eq!(told.verdict().stale_accepted > 0, two, "{variant:?}");
    }
}

#[test]
fn a_heartbeat_whose_answer_is_lost_loses_the_lock_to_nobody() {
    let told = Told::of("dynamodb-lock-client", None);
    assert_eq!(stopped(&told, "A"), Some((11_504, Loss::ToldGone)));
    let next = one(told.0.facts.leases.iter().filter(|lease| lease.worker == told.process("B")));
    // B saw A's last version, written at 10.003, with the answer that came at 10.520.
    assert!(ms(next.granted) > 30_003 && ms(next.granted) < 32_000);
}

/// What is to be written in jeopardy waits until the session is safe, and goes out then.
#[test]
fn a_chubbys_holder_writes_nothing_in_jeopardy() {
    let told = Told::of("chubby", Some("jeopardy"));
    let (store, a) = (told.process("billing"), told.process("A"));
    let beliefs: Vec<_> = told.0.facts.beliefs.iter().filter(|belief| belief.worker == a).collect();
    let [first, again] = beliefs[..] else { panic!("{beliefs:?}") };
    let Some((since, Loss::Jeopardy)) = first.ended else { panic!("{first:?}") };
    assert_eq!((first.grant, first.token), (again.grant, again.token), "it is the same lock still");
    assert!(again.from.since(since) > kernel::Span::from_secs(5), "{since} to {}", again.from);
    let sent: Vec<_> =
        told.0.facts.writes.iter().filter(|write| write.worker == a && write.store == store).collect();
    assert!(sent.iter().all(|write| write.sent <= since || write.sent >= again.from), "{sent:?}");
    assert!(sent.iter().any(|write| write.sent == again.from), "what waited goes out at once: {sent:?}");
}

/// The client stops those who ask it. A holder that was paused, and whose next step is a write, does not.
#[test]
fn a_chubbys_holder_that_looks_at_no_clock_writes_when_its_session_is_over() {
    for (check, stale) in [("", 1), ("{ check = \"stop-time\" },", 0)] {
        let program = format!(
            "[{{ acquire = \"job\" }}, {{ raise = \"billing\" }}, {{ items = 4, steps = [{{ prepare = \"8s\" }}, {check} {{ write = \"billing\" }}] }}]"
        );
        let edits = [
            ("worker.A.program", program.as_str()),
            ("fault.late.enabled", "false"),
            // The step that is due at 16 s comes at 35; A's own count was over at 20.8 s and its session at 30 s.
            (
                "fault.a-dies",
                "{ id = \"a-dies\", kind = \"pause\", on = \"A\", at = \"9.5s\", for = \"25.5s\" }",
            ),
        ];
        let told = Told(fencepost_tests::played("chubby", Some("no-delay"), &edits));
        assert_eq!(told.verdict().stale_accepted, stale, "{check}");
    }
}

/// Who is in jeopardy believes in nothing, and plays no holder: a fault that strikes whoever holds strikes nobody.
#[test]
fn a_chubbys_holder_in_jeopardy_is_no_holder() {
    let pause = "{ id = \"late\", kind = \"pause\", on = \"holder\", at = \"AT\", for = \"1ms\" }";
    let told = Told::of("chubby", Some("jeopardy"));
    let since = ms(told.0.facts.beliefs[0].ended.expect("it is in jeopardy").0);
    for (at, struck) in
        [(since - 100, Struck::Processes(vec![told.process("A")])), (since + 100, Struck::Nobody)]
    {
        let edits = [("fault.late", &*pause.replace("AT", &format!("{at}ms")))];
        let told = Told(fencepost_tests::played("chubby", Some("jeopardy"), &edits));
        assert_eq!(told.block("late").struck, struck, "at {at}");
    }
}

/// Whether a session that a new master knows ends before its client gives it up is the grace period's matter.
#[test]
fn without_a_grace_period_a_chubbys_holder_loses_what_it_would_have_kept() {
    let told = Told::of("chubby", Some("no-grace"));
    let a = told.process("A");
    let belief = one(told.0.facts.beliefs.iter().filter(|belief| belief.worker == a));
    let Some((since, Loss::Expired)) = belief.ended else { panic!("{belief:?}") };
    let lease = one(told.0.facts.leases.iter().filter(|lease| lease.worker == a));
    let ended = lease.ended.map(|(at, _)| at);
    assert!(ended.is_some_and(|at| at.since(since) > kernel::Span::from_secs(12)), "{lease:?}");
}

/// `RenewPeriodic`: at half the time to live, and a second after a renewal that failed.
#[test]
fn consuls_client_tries_a_failed_renewal_again_after_a_second() {
    let text = r#"
        version = 1
        title = "A's session cannot be renewed for a while"
        horizon = "20s"
        lock = { kind = "consul" }
        worker = [{ name = "A", program = [{ acquire = "job" }, { prepare = "15s" }, { release = "job" }] }]
        fault = [{ id = "down", kind = "cut", from = "A", to = "lock", manner = "refused", at = "7s", for = "3s" }]
    "#;
    let play = fencepost_tests::played_text(text);
    // Tried in vain at 7.5, 8.5 and 9.5.
    let renewed = play.tale.iter().find(|event| event.text.starts_with("A renews")).map(|event| ms(event.at));
    assert!(matches!(renewed, Some(10_500..10_530)), "{renewed:?}");
}
