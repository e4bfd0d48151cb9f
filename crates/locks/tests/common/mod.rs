//! A small world for tests: servers of any kind, scripted clients and plain askers on the real kernel.
//!
//! `cast` is who can be in it, `lab` sets it up and runs it; `script` drives an etcd alone, `ops` a server that keeps its
//! service by itself.

pub(crate) mod cast;
pub(crate) mod lab;
pub(crate) mod ops;
pub(crate) mod script;

use kernel::{FaultKind, Gap, Manner, Mono, ProcessId, Rate, Ratio, Side, Span, Target, Wall};
use locks::etcd::{Request, Txn};
use locks::{Anchor, GiveUp, HolderClock, Policy, Reading, Wait};

#[allow(unused_imports, reason = "not every test of a kind names all of them")]
pub(crate) use cast::{Actor, Asked, Asker, Cycle, Do, Due, Note, Prober, Role, Talk, Timer, Worker};
#[allow(unused_imports, reason = "likewise")]
pub(crate) use lab::{Lab, Run, Setup, any_client_timer};

/// So many milliseconds.
pub(crate) const fn ms(millis: u64) -> Span {
    Span::from_millis(millis)
}
/// So many seconds.
pub(crate) const fn s(secs: u64) -> Span {
    Span::from_secs(secs)
}
/// A monotonic reading in milliseconds.
pub(crate) const fn mono(millis: u64) -> Mono {
    Mono::from_micros(millis * 1_000)
}
/// A stop time on the monotonic clock, in milliseconds.
pub(crate) const fn stop_mono(millis: u64) -> Option<Reading> {
    Some(Reading::Mono(mono(millis)))
}
/// A stop time on the wall clock, in milliseconds.
pub(crate) const fn stop_wall(millis: i64) -> Option<Reading> {
    Some(Reading::Wall(Wall::from_micros(millis * 1_000)))
}

/// A careful client: lease 10 s, margin 2 s, renewed every 3 s, in line.
pub(crate) const POLICY: Policy = Policy {
    ttl: s(10),
    margin: s(2),
    renew_every: s(3),
    timeout: ms(500),
    retry: ms(200),
    anchor: Anchor::Sent,
    clock: HolderClock::Monotonic,
    give_up: GiveUp::StopTime,
    wait: Wait::Queue,
};

/// A grant of a lease.
pub(crate) fn grant(ttl: Span) -> Request {
    Request::Grant(ttl)
}
/// A key bound to a lease, if it is not there.
pub(crate) fn create(key: &str, client: ProcessId, lease: locks::LeaseId) -> Request {
    Request::Txn(Txn::create(key.into(), u64::from(client.0), lease))
}
/// A plain key.
pub(crate) fn put(key: &str, value: u64) -> Request {
    Request::Txn(Txn::put_always(key.into(), value))
}
/// A linearizable read.
pub(crate) fn get(key: &str) -> Request {
    Request::Get { key: key.into(), serializable: false }
}
/// A read of a server's own state.
pub(crate) fn get_local(key: &str) -> Request {
    Request::Get { key: key.into(), serializable: true }
}
/// To be told of a deletion at `from` or later.
pub(crate) fn watch(key: &str, from: u64) -> Request {
    Request::WatchDelete { key: key.into(), from }
}

/// A process stops.
pub(crate) fn pause(process: ProcessId) -> FaultKind<Role> {
    FaultKind::Pause { target: Target::Process(process), gap: Gap::BeforeInput }
}
/// A process crashes, and its host refuses connections.
pub(crate) fn crash(process: ProcessId) -> FaultKind<Role> {
    FaultKind::Crash { target: Target::Process(process), manner: Manner::Refused }
}
/// A process and its host vanish: nobody answers.
pub(crate) fn vanish(process: ProcessId) -> FaultKind<Role> {
    FaultKind::Crash { target: Target::Process(process), manner: Manner::Silent }
}
/// A wall clock steps.
pub(crate) fn wall_step(process: ProcessId, by_millis: i64) -> FaultKind<Role> {
    FaultKind::WallStep { target: Target::Process(process), by_micros: by_millis * 1_000 }
}
/// A host's clocks run at another rate.
pub(crate) fn rate(process: ProcessId, millionths: u32) -> FaultKind<Role> {
    FaultKind::ClockRate { target: Target::Process(process), rate: Rate::from_millionths(millionths) }
}
fn side(processes: &[ProcessId]) -> Side<Role> {
    Side::These(processes.iter().map(|process| Target::Process(*process)).collect())
}
/// Nothing passes between these and everybody else.
pub(crate) fn isolate(processes: &[ProcessId]) -> FaultKind<Role> {
    FaultKind::Cut { from: side(processes), to: Side::Others, both_ways: true, manner: Manner::Silent }
}
/// Nothing passes between these and those.
pub(crate) fn cut(these: &[ProcessId], those: &[ProcessId]) -> FaultKind<Role> {
    FaultKind::Cut { from: side(these), to: side(those), both_ways: true, manner: Manner::Silent }
}
/// Nothing passes from these to those.
pub(crate) fn cut_one_way(these: &[ProcessId], those: &[ProcessId]) -> FaultKind<Role> {
    FaultKind::Cut { from: side(these), to: side(those), both_ways: false, manner: Manner::Silent }
}
/// Connections from these to those are refused.
pub(crate) fn refuse(these: &[ProcessId], those: &[ProcessId]) -> FaultKind<Role> {
    FaultKind::Cut { from: side(these), to: side(those), both_ways: true, manner: Manner::Refused }
}
/// What these say to those takes so much longer.
pub(crate) fn delay(these: &[ProcessId], those: &[ProcessId], extra: Span) -> FaultKind<Role> {
    FaultKind::Delay { from: side(these), to: side(those), both_ways: false, extra }
}
/// What these say to those arrives twice.
pub(crate) fn twice(these: &[ProcessId], those: &[ProcessId]) -> FaultKind<Role> {
    let ratio = Ratio::new(1, 1);
    FaultKind::Duplicate { from: side(these), to: side(those), both_ways: false, ratio }
}
