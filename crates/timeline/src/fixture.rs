//! The billing story's facts by hand, for tests of the picture that need no play.

use std::rc::Rc;

use kernel::{FaultId, HostId, ProcessId, RecordId, SimTime, Span};
use scenario::facts::{
    Belief, Block, Deadline, DeadlineBy, Ending, Facts, Lease, Loss, Moment, MomentKind, Reign, RowState,
    RowStep, Stop, Struck, Sweep, SweepKind, Write, WriteKind,
};
use scenario::{Cast, CastFault, Group, Member};

use crate::Scene;

pub(crate) const N1: ProcessId = ProcessId(0);
pub(crate) const N2: ProcessId = ProcessId(1);
pub(crate) const A: ProcessId = ProcessId(3);
pub(crate) const B: ProcessId = ProcessId(4);
pub(crate) const C: ProcessId = ProcessId(5);
pub(crate) const BILLING: ProcessId = ProcessId(6);
pub(crate) const SWEEPER: ProcessId = ProcessId(7);

pub(crate) const HORIZON: SimTime = SimTime::from_secs(60);

const fn ms(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

/// A cast with a host for each process.
pub(crate) fn cast() -> Cast {
    let roles = [
        ("n1", Group::LockService),
        ("n2", Group::LockService),
        ("n3", Group::LockService),
        ("A", Group::Workers),
        ("B", Group::Workers),
        ("C", Group::Workers),
        ("billing", Group::Stores),
        ("sweeper", Group::Sweepers),
    ];
    let member = |(nth, (name, group)): (usize, &(&str, Group))| Member {
        process: ProcessId(nth as u16),
        name: (*name).into(),
        host: HostId(nth as u16),
        group: *group,
    };
    Cast {
        copies: 1,
        members: roles.iter().enumerate().map(member).collect(),
        hosts: roles.iter().map(|(name, _)| (*name).into()).collect(),
        faults: vec![
            fault("a-pause", "pause", "pause", 4_000, Some(15_000)),
            fault("b-step", "wall-step", "wall −3 s", 16_000, None),
            fault("b-crash", "crash", "crash", 20_300, None),
            fault("n1-crash", "crash", "crash", 47_000, None),
        ],
        protects: Vec::new(),
        stores: Vec::new(),
        sidecars: Vec::new(),
        journals: Vec::new(),
    }
}

pub(crate) fn fault(id: &str, kind: &'static str, label: &str, at: u64, span: Option<u64>) -> CastFault {
    CastFault {
        after: None,
        id: id.into(),
        kind,
        label: label.to_string(),
        at: Some(ms(at)),
        span: span.map(Span::from_millis),
        text: format!("{label} ({id})"),
    }
}

pub(crate) fn belief(
    worker: ProcessId,
    token: u64,
    from: SimTime,
    stops: &[(u64, u64)],
    until: Option<SimTime>,
) -> Belief {
    let stop = |(set, at): &(u64, u64)| Stop {
        set: ms(*set),
        sent: ms(*set),
        reading: *at as i64 * 1_000,
        on_wall: false,
        at: ms(*at),
        put_off: None,
        record: RecordId::NONE,
    };
    Belief {
        lock: Rc::from("billing-job"),
        worker,
        grant: token,
        token: Some(token),
        from,
        stops: stops.iter().map(stop).collect(),
        ended: until.map(|at| (at, Loss::WriteRefused)),
        record: RecordId::NONE,
        end_record: RecordId::NONE,
    }
}

fn lease(worker: ProcessId, token: u64, deadlines: &[(u64, u64)], ended: Option<(u64, Ending)>) -> Lease {
    let deadline = |(nth, (set, until)): (usize, &(u64, u64))| Deadline {
        set: ms(*set),
        reading: *until as i64 * 1_000,
        on_wall: false,
        until: ms(*until),
        by: if nth == 0 { DeadlineBy::Grant } else { DeadlineBy::Renewal },
        server: N1,
        record: RecordId::NONE,
    };
    Lease {
        lock: Rc::from("billing-job"),
        worker,
        grant: token,
        token: Some(token),
        granted: ms(deadlines[0].0),
        deadlines: deadlines.iter().enumerate().map(deadline).collect(),
        ended: ended.map(|(at, how)| (ms(at), how)),
        record: RecordId::NONE,
        end_record: RecordId::NONE,
        ended_by: N1,
        end_revision: None,
    }
}

pub(crate) fn write(
    at: u64,
    worker: ProcessId,
    token: Option<u64>,
    fence: Option<u64>,
    accepted: bool,
) -> Write {
    Write {
        at: ms(at),
        sent: ms(at.saturating_sub(10)),
        store: BILLING,
        worker,
        kind: WriteKind::Item { item: 1, effects: 5_000 },
        part: None,
        token,
        carried: String::new(),
        under: token,
        accepted,
        stale: !accepted,
        corrupting: false,
        duplicates: 0,
        fence,
        reason: String::new(),
        record: RecordId::NONE,
    }
}

fn raise(at: u64, worker: ProcessId, token: u64) -> Write {
    Write { kind: WriteKind::Raise, ..write(at, worker, Some(token), Some(token), true) }
}

fn row(at: u64, fence: u64, state: RowState) -> RowStep {
    RowStep { at: ms(at), store: BILLING, fence: Some(fence), state, owner: Some(fence), done: 1 }
}

fn block(fault: u16, struck: Struck, from: u64, until: Option<u64>) -> Block {
    Block { fault: FaultId(fault), struck, from: ms(from), until: until.map(ms), record: RecordId::NONE }
}

/// What happened, as the reference story has it.
pub(crate) fn facts() -> Facts {
    Facts {
        reigns: vec![
            Reign { process: N1, term: 4, from: ms(0), until: Some(ms(47_000)), record: RecordId::NONE },
            Reign { process: N2, term: 5, from: ms(49_100), until: None, record: RecordId::NONE },
        ],
        leases: vec![
            lease(A, 7, &[(0, 10_000), (3_000, 13_000)], Some((13_000, Ending::Expired))),
            lease(
                B,
                12,
                &[(13_500, 23_500), (16_500, 26_500), (19_500, 29_500)],
                Some((29_500, Ending::Expired)),
            ),
            lease(
                C,
                15,
                &[(40_200, 50_200), (43_200, 53_200), (46_200, 56_200)],
                Some((52_000, Ending::Released)),
            ),
        ],
        beliefs: vec![
            belief(A, 7, ms(0), &[(0, 8_000), (3_000, 11_000)], Some(ms(19_060))),
            belief(B, 12, ms(13_500), &[(13_500, 21_500), (19_500, 27_500)], Some(ms(20_300))),
            belief(C, 15, ms(40_200), &[(40_200, 48_200), (46_200, 54_200)], Some(ms(52_000))),
        ],
        wants: Vec::new(),
        writes: vec![
            raise(500, A, 7),
            write(1_000, A, Some(7), Some(7), true),
            raise(13_600, B, 12),
            write(14_000, B, Some(12), Some(12), true),
            write(19_050, A, Some(7), Some(12), false),
            write(20_000, B, Some(12), Some(12), true),
        ],
        rows: vec![
            row(500, 7, RowState::Running),
            row(13_600, 12, RowState::Running),
            row(40_300, 15, RowState::Running),
            row(51_900, 15, RowState::Done),
        ],
        blocks: vec![
            block(0, Struck::Processes(vec![A]), 4_000, Some(19_000)),
            block(1, Struck::Host(HostId(4)), 16_000, Some(16_000)),
            block(2, Struck::Processes(vec![B]), 20_300, None),
            block(3, Struck::Processes(vec![N1]), 47_000, None),
        ],
        sweeps: vec![
            Sweep {
                at: ms(30_000),
                sweeper: SWEEPER,
                store: BILLING,
                owner: Some(12),
                kind: SweepKind::OrphanSeen,
                record: RecordId::NONE,
            },
            Sweep {
                at: ms(40_000),
                sweeper: SWEEPER,
                store: BILLING,
                owner: Some(12),
                kind: SweepKind::OrphanConfirmed,
                record: RecordId::NONE,
            },
        ],
        moments: vec![Moment {
            at: ms(3_900),
            process: A,
            what: MomentKind::Checked { passed: true, stop: Some(11_000_000) },
            record: RecordId::NONE,
        }],
        ..Facts::default()
    }
}

/// Does something with the scene by hand.
pub(crate) fn with_scene<T>(then: impl FnOnce(&Scene<'_>) -> T) -> T {
    let (cast, facts) = (cast(), facts());
    then(&Scene { cast: &cast, facts: &facts, horizon: HORIZON })
}
