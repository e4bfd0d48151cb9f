//! Faults: from words to the kernel's.

use std::rc::Rc;

use kernel::{
    Anchor, Fault, FaultKind, Gap, Manner, Plan, Rate, Side, SimTime, Span, Target, Topic, WallAfter, When,
};

use super::{Cast, group_word};
use crate::actors::Actor;
use crate::story::{Role, Story};
use document::anchor;
use document::model::{self, At, Names, Scenario};
use document::text::{length, offset, seconds};

/// A fault as a reader knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct CastFault {
    /// Its name in the document.
    pub id: Rc<str>,
    /// What kind it is, as the document says.
    pub kind: &'static str,
    /// When it strikes, where that is a plain instant.
    pub at: Option<SimTime>,
    /// What it waits for, where its instant is anchored, in words, and how long after that it strikes.
    pub after: Option<(String, Span)>,
    /// For how long; `None`: to the end.
    pub span: Option<Span>,
    /// In two or three words, for a block on a timeline: "pause", "wall −3 s".
    pub label: String,
    /// As a name: "pause of A".
    pub text: String,
}

/// Plans the faults that are switched on, and tells what they are.
pub(super) fn plan_faults(scenario: &Scenario, cast: &Cast, plan: &mut Plan<Actor>) -> Vec<CastFault> {
    let mut told = Vec::new();
    for fault in scenario.fault.iter().filter(|fault| fault.enabled()) {
        let at = when(fault.at(), cast);
        let span = fault.span().map(|span| span.0);
        let (kind, word, text) = what(fault, cast, plan);
        told.push(CastFault {
            id: fault.id().into(),
            kind: word,
            at: match &at {
                When::At(at) => Some(*at),
                When::After(_) => None,
            },
            after: waits_for(fault.at()),
            span,
            label: label(fault),
            text,
        });
        plan.fault(Fault::<Story> { at, span, kind });
    }
    told
}

/// "A checks for the 2nd time", and how long after that.
fn waits_for(at: &At) -> Option<(String, Span)> {
    let At::After(after) = at else { return None };
    let words = match after.nth {
        1 => after.after.clone(),
        nth => format!("{} for the {}", after.after, nth_time(nth)),
    };
    Some((words, after.plus.0))
}

/// "2nd time".
fn nth_time(nth: u32) -> String {
    let ending = match (nth % 10, nth % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{nth}{ending} time")
}

fn when(at: &At, cast: &Cast) -> When<Role> {
    match at {
        At::Instant(at) => When::At(SimTime::ZERO + at.0),
        At::After(after) => {
            let sentence = anchor::parse(&after.after).expect("a checked document's anchors can be read");
            let who = (sentence.who != "anyone")
                .then(|| who_tells(target(sentence.who, cast), sentence.verb, cast));
            When::After(Anchor { who, topic: Topic(sentence.verb), nth: after.nth, plus: after.plus.0 })
        }
    }
}

fn role(name: &str) -> Option<Role> {
    match name {
        "leader" => Some(Role::Leader),
        "follower" => Some(Role::Follower),
        "holder" => Some(Role::Holder),
        _ => None,
    }
}

fn target(name: &str, cast: &Cast) -> Target<Role> {
    match (role(name), cast.process(name), cast.host(name)) {
        (Some(role), _, _) => Target::Role(role),
        (None, Some(process), _) => Target::Process(process),
        (None, None, Some(host)) => Target::Host(host),
        (None, None, None) => unreachable!("a checked document strikes somebody that there is: {name}"),
    }
}

fn who_tells(target: Target<Role>, verb: &str, cast: &Cast) -> Target<Role> {
    match target {
        Target::Process(process) => Target::Process(cast.teller(process, verb)),
        Target::Host(_) | Target::Role(_) => target,
    }
}

fn side(names: &Names, cast: &Cast) -> Side<Role> {
    let mut targets = Vec::new();
    for name in names.iter() {
        match group_word(name) {
            Some(group) => targets.extend(cast.group(group).map(|member| Target::Process(member.process))),
            None if name == "others" => return Side::Others,
            None => targets.push(target(name, cast)),
        }
    }
    Side::These(targets)
}

fn manner(manner: model::Manner) -> Manner {
    match manner {
        model::Manner::Silent => Manner::Silent,
        model::Manner::Refused => Manner::Refused,
    }
}

fn list(names: &Names) -> String {
    names.iter().collect::<Vec<_>>().join(", ")
}

fn between(from: &Names, to: &Names, both_ways: bool) -> String {
    format!("{} {} {}", list(from), if both_ways { "↔" } else { "→" }, list(to))
}

/// How much faster or slower a clock runs: "−50 %", "+200 ppm".
fn pace(ppm: i32) -> String {
    let (sign, size) = (if ppm < 0 { "−" } else { "+" }, ppm.unsigned_abs());
    match size {
        ..1_000 => format!("{sign}{size} ppm"),
        _ => format!("{sign}{} %", seconds(i64::from(size) * 100, 0)),
    }
}

fn label(fault: &model::Fault) -> String {
    use model::Fault as F;
    match fault {
        F::Pause(_) => "pause".into(),
        F::Suspend(_) => "suspended".into(),
        F::Crash(_) => "crash".into(),
        F::WallStep(f) => format!("wall {}", offset(f.by.0)),
        F::ClockRate(f) => format!("clock {}", pace(f.ppm)),
        F::Cut(_) => "cut".into(),
        F::Loss(f) => format!("loss {}", f.chance),
        F::Delay(f) => format!("delay +{}", length(f.extra.0)),
        F::Duplicate(f) => format!("twice {}", f.chance),
        F::DiskStall(_) => "disk stalls".into(),
        F::DiskLoss(_) => "disk loses".into(),
        F::Restore(_) => "restore".into(),
        F::PowerOff(_) => "power off".into(),
        F::Promote(_) => "promoted".into(),
        F::FenceOff(_) => "fence off".into(),
    }
}

fn what(
    fault: &model::Fault,
    cast: &Cast,
    plan: &mut Plan<Actor>,
) -> (FaultKind<Role>, &'static str, String) {
    use model::Fault as F;
    match fault {
        F::Pause(f) => {
            let gap = match f.gap {
                model::Gap::BeforeInput => Gap::BeforeInput,
                model::Gap::BeforeSend => Gap::BeforeSend,
            };
            (FaultKind::Pause { target: target(&f.on, cast), gap }, "pause", format!("pause of {}", f.on))
        }
        F::Suspend(f) => {
            let wall = match f.wall {
                model::WallAfter::CatchesUp => WallAfter::CatchesUp,
                model::WallAfter::Keeps => WallAfter::Keeps,
            };
            let kind = FaultKind::Suspend { target: target(&f.on, cast), wall };
            (kind, "suspend", format!("suspension of {}", f.on))
        }
        F::Crash(f) => {
            let kind = FaultKind::Crash { target: target(&f.on, cast), manner: manner(f.manner) };
            (kind, "crash", format!("crash of {}", f.on))
        }
        F::WallStep(f) => {
            let kind = FaultKind::WallStep { target: target(&f.on, cast), by_micros: f.by.0 };
            (kind, "wall-step", format!("wall clock of {} stepped by {}", f.on, offset(f.by.0)))
        }
        F::ClockRate(f) => {
            let kind = FaultKind::ClockRate { target: target(&f.on, cast), rate: Rate::from_ppm(f.ppm) };
            (kind, "clock-rate", format!("clocks of {} off by {}", f.on, pace(f.ppm)))
        }
        F::Cut(f) => {
            let (from, to, both_ways) = (side(&f.from, cast), side(&f.to, cast), f.both_ways);
            let kind = FaultKind::Cut { from, to, both_ways, manner: manner(f.manner) };
            (kind, "cut", format!("cut {}", between(&f.from, &f.to, both_ways)))
        }
        F::Loss(f) => {
            let (from, to, both_ways) = (side(&f.from, cast), side(&f.to, cast), f.both_ways);
            let kind = FaultKind::Loss { from, to, both_ways, ratio: f.chance.0 };
            (kind, "loss", format!("loss of {} {}", f.chance, between(&f.from, &f.to, both_ways)))
        }
        F::Delay(f) => {
            let (from, to, both_ways) = (side(&f.from, cast), side(&f.to, cast), f.both_ways);
            let kind = FaultKind::Delay { from, to, both_ways, extra: f.extra.0 };
            (kind, "delay", format!("delay of {} {}", length(f.extra.0), between(&f.from, &f.to, both_ways)))
        }
        F::Duplicate(f) => {
            let (from, to, both_ways) = (side(&f.from, cast), side(&f.to, cast), f.both_ways);
            let kind = FaultKind::Duplicate { from, to, both_ways, ratio: f.chance.0 };
            (kind, "duplicate", format!("duplication of {} {}", f.chance, between(&f.from, &f.to, both_ways)))
        }
        F::DiskStall(f) => {
            let kind = FaultKind::DiskStall { target: target(&f.on, cast) };
            (kind, "disk-stall", format!("disk of {} stalls", f.on))
        }
        F::DiskLoss(f) => {
            let kind = FaultKind::DiskLoss { target: target(&f.on, cast) };
            (kind, "disk-loss", format!("disk of {} answers without keeping", f.on))
        }
        F::PowerOff(f) => {
            let kind = FaultKind::PowerOff { target: target(&f.on, cast) };
            (kind, "power-off", format!("power cut at the host of {}", f.on))
        }
        F::Promote(f) => {
            let order = plan.order(locks::Msg::promote().into());
            let kind = FaultKind::Order { target: target(&f.on, cast), order, at_end: None };
            (kind, "promote", format!("promotion of {}", f.on))
        }
        F::FenceOff(f) => {
            let (off, on) = (stores::Msg::Fence(false), stores::Msg::Fence(true));
            let (order, at_end) = (plan.order(off.into()), Some(plan.order(on.into())));
            let kind = FaultKind::Order { target: target(&f.on, cast), order, at_end };
            (kind, "fence-off", format!("fence of {} off", f.on))
        }
        F::Restore(f) => {
            let kind = FaultKind::Restore {
                targets: f.on.iter().map(|name| target(name, cast)).collect(),
                taken: SimTime::ZERO + f.taken.0,
                from: f.backup_of.as_deref().map(|name| target(name, cast)),
            };
            (kind, "restore", format!("{} restored from a backup of {}", list(&f.on), length(f.taken.0)))
        }
    }
}
