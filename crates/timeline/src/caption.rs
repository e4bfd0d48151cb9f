//! What stands beside a lane: its process's name, and in a few words how it was at an instant.

use kernel::{ProcessId, SimTime};
use scenario::Group;
use scenario::document::text::token;
use scenario::facts::{Facts, RowState, Struck};

use crate::stores::row_at;
use crate::{FaultWord, Scene};

/// How a process was at an instant, in a few words; empty when there is nothing to say.
pub fn caption(scene: &Scene<'_>, process: ProcessId, at: SimTime) -> String {
    let Some(member) = scene.cast.members.iter().find(|member| member.process == process) else {
        return String::new();
    };
    if let Some(label) = struck(scene, process, at) {
        return label.to_string();
    }
    let facts = scene.facts;
    match member.group {
        Group::LockService => reign(facts, process, at),
        Group::Workers => worker(facts, process, at),
        Group::Stores => store(facts, process, at),
        Group::Sweepers | Group::Others => String::new(),
    }
}

/// The fault that stops a process at an instant.
fn struck<'a>(scene: &Scene<'a>, process: ProcessId, at: SimTime) -> Option<&'a str> {
    let in_force = scene.facts.blocks.iter().filter(|block| {
        let hits = match &block.struck {
            Struck::Processes(processes) => processes.contains(&process),
            Struck::Host(host) => scene.cast.members.iter().any(|m| m.process == process && m.host == *host),
            Struck::Links(_) | Struck::Nobody => false,
        };
        hits && block.from <= at && block.until.is_none_or(|until| at < until)
    });
    let cards = in_force.filter_map(|block| scene.cast.faults.get(usize::from(block.fault.0)));
    let mut words = cards.filter_map(|card| match FaultWord::of(card.kind)? {
        FaultWord::Pause => Some("paused"),
        FaultWord::Suspend => Some("suspended"),
        FaultWord::Crash | FaultWord::PowerOff => Some("down"),
        FaultWord::FenceOff => Some("fence off"),
        FaultWord::Restore => Some("restoring"),
        FaultWord::WallStep
        | FaultWord::Promote
        | FaultWord::ClockRate
        | FaultWord::Cut
        | FaultWord::Loss
        | FaultWord::Delay
        | FaultWord::Duplicate
        | FaultWord::DiskStall
        | FaultWord::DiskLoss => None,
    });
    words.next()
}

fn reign(facts: &Facts, process: ProcessId, at: SimTime) -> String {
    let now = |reign: &&scenario::facts::Reign| {
        reign.process == process && reign.from <= at && reign.until.is_none_or(|until| at < until)
    };
    match facts.reigns.iter().rfind(now) {
        Some(reign) => format!("leader · term {}", reign.term),
        None if facts.reigns.is_empty() => String::new(),
        None => "follower".to_string(),
    }
}

fn worker(facts: &Facts, process: ProcessId, at: SimTime) -> String {
    let held = facts.beliefs.iter().rfind(|belief| {
        belief.worker == process && belief.from <= at && belief.ended.is_none_or(|(until, _)| at < until)
    });
    if let Some(belief) = held {
        return format!("holds · {}", token(belief.token));
    }
    let waits = facts
        .wants
        .iter()
        .any(|want| want.worker == process && want.from <= at && want.until.is_none_or(|until| at < until));
    if waits { "waits".to_string() } else { String::new() }
}

fn store(facts: &Facts, process: ProcessId, at: SimTime) -> String {
    let row = row_at(&facts.rows, process, at);
    let state = match row.map_or(RowState::Queued, |row| row.state) {
        RowState::Queued => "queued",
        RowState::Running => "running",
        RowState::Done => "done",
    };
    match row.and_then(|row| row.fence) {
        Some(fence) => format!("fence {fence} · {state}"),
        None => state.to_string(),
    }
}
