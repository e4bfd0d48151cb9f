//! Random scenarios: documents that nobody here wrote, put together from the schema's words by a seed. Each is played;
//! what must hold of any play is checked, its verdict is told again by a simple twin, and its states are reached in two
//! ways. A seed that fails is printed; `WORLD_SEED=n cargo test -p fencepost-tests --test worlds` replays it alone and
//! prints its document and its tale, and with `WORLD_TRACE=1` its trace.
#![cfg(not(target_arch = "wasm32"))]

mod draw;
mod faults;
mod locks;
mod promises;
mod sane;
mod scrub;
mod stores;
mod twin;
mod workers;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use scenario::facts::MomentKind;
use scenario::{Document, Play, Scenario, play};

use crate::draw::{Kind, World, draw};

#[test]
fn any_world_is_sane() {
    for_seeds(Kind::Any, 240, check);
}

#[test]
fn a_world_that_does_everything_right_is_never_corrupted() {
    for_seeds(Kind::Protected, 160, check);
}

/// The checks above would prove little if worlds were so tame that nothing could go wrong in them.
#[test]
fn without_a_fence_pauses_let_stale_writes_in() {
    let mut harmed = 0;
    for_seeds(Kind::Unfenced, 60, |_, world| {
        let play = play(&scenario(world));
        show(&play);
        harmed += u32::from(play.verdict.stale_accepted > 0);
    });
    assert!(harmed >= 5, "stale writes got in in {harmed} of 60 worlds only");
}

#[test]
fn played_twice_a_world_is_the_same() {
    for_seeds(Kind::Any, 40, |_, world| {
        let scenario = scenario(world);
        assert_eq!(play(&scenario).digest(), play(&scenario).digest());
    });
}

/// What the worlds are made of, in all: each of these things has to happen somewhere.
#[test]
fn worlds_are_rich() {
    let mut totals = scenario::Verdict::default();
    let (mut grants, mut writes, mut replays, mut put_offs) = (0, 0, 0, 0);
    let mut kinds = BTreeSet::new();
    let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
    // Eighteen kinds of lock service, of which each has its turn.
    for_seeds(Kind::Any, 600, |_, world| {
        let scenario = scenario(world);
        let play = play(&scenario);
        let verdict = play.verdict;
        kinds.extend(play.scenario.store.iter().map(|store| store.kind.name()));
        for moment in &play.facts.moments {
            replays += u32::from(matches!(moment.what, MomentKind::Replayed { .. }));
            put_offs += u32::from(matches!(moment.what, MomentKind::PutOff { .. }));
        }
        *by_kind.entry(scenario.lock.kind().name).or_default() += play.facts.beliefs.len();
        grants += play.facts.leases.len();
        writes += play.facts.writes.len();
        totals.stale_accepted += verdict.stale_accepted;
        totals.stale_rejected += verdict.stale_rejected;
        totals.valid_rejected += verdict.valid_rejected;
        totals.duplicates += verdict.duplicates;
        totals.orphans += verdict.orphans;
        totals.spurious_losses += verdict.spurious_losses;
        totals.overlap += verdict.overlap;
        totals.gap += verdict.gap;
    });
    println!(
        "{grants} grants, {writes} writes, {replays} replays, {put_offs} put off, {totals:?}; holders: {by_kind:?}"
    );
    assert_eq!(kinds.len(), 12, "{kinds:?}");
    assert!(replays > 0 && put_offs > 0);
    for kind in scenario::document::model::KINDS {
        assert!(by_kind.get(kind.name).is_some_and(|holders| *holders > 40), "{}: {by_kind:?}", kind.name);
    }
    assert!(grants > 200 && writes > 1_000);
    assert!(totals.stale_accepted > 0 && totals.stale_rejected > 0 && totals.valid_rejected > 0);
    assert!(totals.duplicates > 0 && totals.orphans > 0 && totals.overlap > kernel::Span::ZERO);
}

fn scenario(world: &World) -> Scenario {
    let document = Document::parse(&world.text).unwrap_or_else(|problems| panic!("{problems}"));
    document.scenario().unwrap_or_else(|problems| panic!("{problems}"))
}

fn check(seed: u64, world: &World) {
    let scenario = scenario(world);
    let play: Play = play(&scenario);
    show(&play);
    assert_eq!(play.broken_off, None, "it comes to its end");
    sane::check(world, &scenario, &play);
    assert_eq!(play.verdict, twin::verdict(&play), "the verdict against its twin's");
    scrub::check(seed, &scenario, &play);
}

/// For whoever looks at one world alone.
fn show(play: &Play) {
    if std::env::var_os("WORLD_SEED").is_some() {
        println!("{}", fencepost_tests::summary::summary(play));
    }
    if std::env::var_os("WORLD_TRACE").is_some() {
        play.trace_lines().for_each(|line| println!("{line}"));
    }
}

/// Does something with the worlds of the first so many seeds; says which seed fails, and how to see it again.
fn for_seeds(kind: Kind, count: u64, mut act: impl FnMut(u64, &World)) {
    let only =
        std::env::var("WORLD_SEED").ok().map(|seed| seed.parse::<u64>().expect("WORLD_SEED is a number"));
    let seeds = match only {
        Some(seed) => seed..seed + 1,
        None => 0..count,
    };
    for seed in seeds {
        let world = draw(seed, kind);
        if only.is_some() {
            println!("{}", world.text);
        }
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| act(seed, &world))) {
            eprintln!("{kind:?} world {seed} fails; WORLD_SEED={seed} replays it and prints its document");
            std::panic::resume_unwind(panic);
        }
    }
}
