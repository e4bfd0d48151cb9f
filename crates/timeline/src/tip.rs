//! One sentence on a mark, for whoever points at it, and the record behind it.

use kernel::{ProcessId, RecordId, SimTime};
use scenario::document::text::instant;
use scenario::facts::{Facts, MomentKind, SweepKind, Write, WriteKind};

use crate::layout::{Mark, Source};
use crate::stores::{thousands, verdict};
use crate::{Scene, layout::MarkTone};

/// What a mark shows, in a sentence that begins with when.
pub fn tip(scene: &Scene<'_>, mark: &Mark) -> String {
    let facts = scene.facts;
    match mark.source {
        Source::Write(nth) => facts.writes.get(nth).map(|write| self::write(scene, write, mark.tone)),
        Source::Sweep(nth) => facts.sweeps.get(nth).map(|sweep| {
            let what = match sweep.kind {
                SweepKind::OrphanSeen => "sees a claim that nobody holds the lock for",
                SweepKind::OrphanConfirmed => "sees it again and puts the row back in the queue",
                SweepKind::Skipped => "passes by: the claim's holder is alive",
            };
            line(sweep.at, name(scene, sweep.sweeper), what)
        }),
        Source::Moment(nth) => facts
            .moments
            .get(nth)
            .map(|moment| line(moment.at, name(scene, moment.process), &self::moment(scene, &moment.what))),
    }
    .unwrap_or_default()
}

/// The record that a mark stands for.
pub fn record(facts: &Facts, mark: &Mark) -> Option<RecordId> {
    match mark.source {
        Source::Write(nth) => facts.writes.get(nth).map(|write| write.record),
        Source::Sweep(nth) => facts.sweeps.get(nth).map(|sweep| sweep.record),
        Source::Moment(nth) => facts.moments.get(nth).map(|moment| moment.record),
    }
}

fn line(at: SimTime, who: &str, what: &str) -> String {
    format!("{}: {who} {what}", instant(at))
}

fn name<'a>(scene: &Scene<'a>, process: ProcessId) -> &'a str {
    scene.cast.name(process)
}

fn write(scene: &Scene<'_>, write: &Write, tone: MarkTone) -> String {
    let what = match write.kind {
        WriteKind::Raise => "raises the fence".to_string(),
        WriteKind::Item { item, effects: 0 | 1 } => format!("writes item {}", item + 1),
        WriteKind::Item { item, effects } => {
            format!("writes chunk {} ({} effects)", item + 1, thousands(effects.into()))
        }
        WriteKind::Finish => "marks the work as done".to_string(),
        WriteKind::Requeue => "puts the row back in the queue".to_string(),
    };
    let with = match write.token {
        _ if !write.carried.is_empty() => format!(" with {}", write.carried),
        Some(token) => format!(" with token {token}"),
        None => " without a token".to_string(),
    };
    let end = match tone {
        MarkTone::Usual => String::new(),
        MarkTone::Stopped | MarkTone::Wrong => format!(": {}", verdict(write)),
    };
    line(write.at, name(scene, write.worker), &format!("{what}{with}{end}"))
}

fn moment(scene: &Scene<'_>, what: &MomentKind) -> String {
    match what {
        MomentKind::Checked { passed: true, .. } => "checks its stop time, and goes on".to_string(),
        MomentKind::Checked { passed: false, .. } => "checks its stop time, and stops".to_string(),
        MomentKind::RenewalFailed { server, why } => {
            format!("could not renew with {}: {why}", name(scene, *server))
        }
        MomentKind::Stopped { why } => format!("gives up: {why}"),
        MomentKind::Finished => "has finished".to_string(),
        MomentKind::Woken { .. } => "wakes: the key ahead of it is gone".to_string(),
        MomentKind::Read { from, stale } => {
            format!("is answered {} value by {}", if *stale { "an old" } else { "a" }, name(scene, *from))
        }
        MomentKind::Replayed { store, item, .. } => {
            format!("is answered with the stored result of item {} by {}", item + 1, name(scene, *store))
        }
        MomentKind::PutOff { store, why } => {
            format!("is told by {} to try again: {why}", name(scene, *store))
        }
        MomentKind::RowLocked { store } => format!("locks the row at {}", name(scene, *store)),
        MomentKind::RowAwaited { store, owner } => {
            format!("waits for the row at {}, which {} has locked", name(scene, *store), name(scene, *owner))
        }
        MomentKind::RolledBack { store, why, .. } => {
            format!("is rolled back at {}, for {why}", name(scene, *store))
        }
        MomentKind::RecoveredEntry { writer, .. } => {
            format!("finishes what {} left unfinished", name(scene, *writer))
        }
        MomentKind::TookBehind { writer, epoch, newest } => {
            format!(
                "takes an entry of {} under epoch {epoch}, and has not heard of {newest}",
                name(scene, *writer)
            )
        }
        MomentKind::HeldBack { why } => format!("holds back: {why}"),
        MomentKind::Restored => "starts from a backup".to_string(),
        MomentKind::Restarts { why } => format!("begins its program again: {why}"),
        MomentKind::StartedAgain => "has started again".to_string(),
        MomentKind::Woke => "runs again".to_string(),
    }
}
