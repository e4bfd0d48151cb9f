//! A toy dialect whose machines do what a table says, a stage to put them on, and a trace that reads as lines.

mod actor;
pub(crate) mod random;
mod run;
mod stage;

use kernel::*;

pub(crate) use actor::{Act, Actor, On, Part, Toy};
pub(crate) use run::{Run, line};
pub(crate) use stage::Stage;

/// So many milliseconds of true time after the beginning.
pub(crate) const fn ms(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

/// So many milliseconds.
pub(crate) const fn len(millis: u64) -> Span {
    Span::from_millis(millis)
}

/// A monotonic reading in milliseconds.
pub(crate) const fn mono(millis: u64) -> Mono {
    Mono::from_micros(millis * 1_000)
}

/// A wall reading in milliseconds.
pub(crate) const fn wall(millis: i64) -> Wall {
    Wall::from_micros(millis * 1_000)
}

/// A pause.
pub(crate) fn pause(process: u16, gap: Gap) -> FaultKind<Part> {
    FaultKind::Pause { target: Target::Process(ProcessId(process)), gap }
}

/// A crash whose host refuses connections.
pub(crate) fn crash(process: u16) -> FaultKind<Part> {
    FaultKind::Crash { target: Target::Process(ProcessId(process)), manner: Manner::Refused }
}

/// A crash of the whole machine: nobody answers.
pub(crate) fn vanish(process: u16) -> FaultKind<Part> {
    FaultKind::Crash { target: Target::Process(ProcessId(process)), manner: Manner::Silent }
}

pub(crate) fn suspend(host: u16, wall: WallAfter) -> FaultKind<Part> {
    FaultKind::Suspend { target: Target::Host(HostId(host)), wall }
}

pub(crate) fn rate(host: u16, millionths: u32) -> FaultKind<Part> {
    FaultKind::ClockRate { target: Target::Host(HostId(host)), rate: Rate::from_millionths(millionths) }
}

pub(crate) fn wall_step(host: u16, by_millis: i64) -> FaultKind<Part> {
    FaultKind::WallStep { target: Target::Host(HostId(host)), by_micros: by_millis * 1_000 }
}

pub(crate) fn disk_stall(process: u16) -> FaultKind<Part> {
    FaultKind::DiskStall { target: Target::Process(ProcessId(process)) }
}

pub(crate) fn disk_loss(process: u16) -> FaultKind<Part> {
    FaultKind::DiskLoss { target: Target::Process(ProcessId(process)) }
}

/// Some hosts as one side of a link fault.
pub(crate) fn these(hosts: &[u16]) -> Side<Part> {
    Side::These(hosts.iter().map(|host| Target::Host(HostId(*host))).collect())
}

/// A cut of one direction.
pub(crate) fn cut(from: Side<Part>, to: Side<Part>, manner: Manner) -> FaultKind<Part> {
    FaultKind::Cut { from, to, both_ways: false, manner }
}

/// A restore of processes, each from its own backup.
pub(crate) fn restore(processes: &[u16], taken: u64) -> FaultKind<Part> {
    let targets = processes.iter().map(|process| Target::Process(ProcessId(*process))).collect();
    FaultKind::Restore { targets, taken: ms(taken), from: None }
}

/// An anchor on a note.
pub(crate) fn after(process: Option<u16>, word: &'static str, nth: u32, plus: u64) -> When<Part> {
    When::After(Anchor {
        who: process.map(|process| Target::Process(ProcessId(process))),
        topic: Topic(word),
        nth,
        plus: len(plus),
    })
}
