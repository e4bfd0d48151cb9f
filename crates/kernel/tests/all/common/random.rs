//! Random stages: any cast, any network, any faults.

use kernel::*;
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};

use crate::common::*;

/// Long enough for a dozen beats and for faults to overlap.
const HORIZON_MS: u64 = 120;

/// Any stage.
pub(crate) fn a_stage() -> impl Strategy<Value = Stage> {
    let size = (1..5_u16, 0..3_u16);
    (size, any::<u8>(), a_link(), prop::collection::vec(a_link(), 0..3)).prop_flat_map(
        |(size, seed, link, links)| {
            let (hosts, sidecars) = size;
            let processes = hosts + sidecars;
            let casting = prop::collection::vec(
                (a_table(processes), prop_oneof![Just(0), 0..9_u64]),
                usize::from(processes),
            );
            let faults = prop::collection::vec(a_fault(processes, hosts), 0..9);
            (casting, faults).prop_map(move |(casting, faults)| {
                let mut stage = Stage::new(hosts);
                stage.seed = u64::from(seed);
                stage.horizon = ms(HORIZON_MS);
                stage.link = link;
                for (number, link) in links.iter().enumerate() {
                    stage.links.push((number as u16 % hosts, (number as u16 + 1) % hosts, *link));
                }
                for sidecar in 0..sidecars {
                    stage.beside(sidecar % hosts);
                }
                for (process, (table, latency)) in (0..).zip(casting) {
                    stage.disk_latency(process, len(latency));
                    table.iter().for_each(|(on, acts)| stage.on(process, *on, acts));
                }
                stage.faults = faults;
                stage
            })
        },
    )
}

fn a_ratio() -> impl Strategy<Value = Ratio> {
    prop_oneof![Just(Ratio::NEVER), (0..=4_u32).prop_map(|times| Ratio::new(times, 4))]
}

fn a_link() -> impl Strategy<Value = LinkSpec> {
    (0..4_u64, 0..2_000_u64, a_ratio(), a_ratio()).prop_map(|(delay, jitter, loss, duplicate)| LinkSpec {
        delay: len(delay),
        jitter: Span::from_micros(jitter / 1_000 * (jitter % 1_000)),
        loss,
        duplicate,
    })
}

/// Acts with at most as many sends and arms as keep a world finite: a beat goes on, an answer is not answered.
fn some_acts(processes: u16) -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        3 => (0..processes, 1..3_u32).prop_map(|(to, msg)| Act::Send(to, msg)),
        2 => Just(Act::Count),
        2 => prop_oneof![Just("red"), Just("green")].prop_map(Act::Note),
        1 => (2..5_u8, 1..30_u64).prop_map(|(timer, after)| Act::Arm(timer, after)),
        1 => (2..5_u8).prop_map(Act::Disarm),
        2 => (0..processes, 0..2_u64, 1..40_u64)
            .prop_map(|(to, number, idle)| Act::Connect(to, number, idle)),
        1 => (0..processes, 0..2_u64).prop_map(|(to, number)| Act::Disconnect(to, number)),
        1 => (a_part(), 0..4_u64).prop_map(|(part, rank)| Act::Play(part, rank)),
        1 => Just(Act::Draw),
    ];
    prop::collection::vec(act, 0..4)
}

fn a_table(processes: u16) -> impl Strategy<Value = Vec<(On, Vec<Act>)>> {
    let acts = || some_acts(processes);
    let quiet =
        |acts: Vec<Act>| acts.into_iter().filter(|act| !matches!(act, Act::Send(..))).collect::<Vec<_>>();
    (acts(), acts(), acts(), acts(), acts(), 5..15_u64).prop_map(
        move |(boot, beat, one, other, refused, every)| {
            let beats = |mut acts: Vec<Act>| {
                acts.push(Act::Arm(1, every));
                acts
            };
            vec![
                (On::Boot, beats(boot)),
                (On::Timer(1), beats(beat)),
                (On::Timer(2), other.clone()),
                (On::Message(1), [quiet(one), vec![Act::Echo]].concat()),
                (On::AnyMessage, quiet(other)),
                (On::Refused, quiet(refused)),
                // Who opens again at once what is closed at once never comes to an end.
                (On::Closed(0), vec![Act::Note("red"), Act::Count]),
            ]
        },
    )
}

fn a_part() -> impl Strategy<Value = Part> {
    prop_oneof![Just(Part::Leader), Just(Part::Follower)]
}

fn a_target(processes: u16, hosts: u16) -> impl Strategy<Value = Target<Part>> {
    prop_oneof![
        3 => (0..processes).prop_map(|process| Target::Process(ProcessId(process))),
        1 => (0..hosts).prop_map(|host| Target::Host(HostId(host))),
        1 => a_part().prop_map(Target::Role),
    ]
}

fn a_side(processes: u16, hosts: u16) -> impl Strategy<Value = Side<Part>> {
    let these = prop::collection::vec(a_target(processes, hosts), 1..3).prop_map(Side::These);
    prop_oneof![2 => these, 1 => Just(Side::Others)]
}

fn a_manner() -> impl Strategy<Value = Manner> {
    prop_oneof![Just(Manner::Silent), Just(Manner::Refused)]
}

fn a_fault(processes: u16, hosts: u16) -> impl Strategy<Value = Fault<Toy>> {
    let instant = (0..HORIZON_MS + 5).prop_map(|at| When::At(ms(at)));
    let word = prop_oneof![Just("red"), Just("green")];
    let anchor = (prop::option::of(0..processes), word, 1..4_u32, 0..10_u64)
        .prop_map(|(process, word, nth, plus)| after(process, word, nth, plus));
    let span = prop_oneof![1 => Just(None), 8 => (0..60_u64).prop_map(|span| Some(len(span)))];
    let kind =
        prop_oneof![3 => a_fault_of_a_process(processes, hosts), 1 => a_fault_of_links(processes, hosts)];
    (prop_oneof![3 => instant, 1 => anchor], span, kind).prop_map(|(at, span, kind)| Fault { at, span, kind })
}

fn a_fault_of_a_process(processes: u16, hosts: u16) -> impl Strategy<Value = FaultKind<Part>> {
    let target = move || a_target(processes, hosts);
    let gap = prop_oneof![Just(Gap::BeforeInput), Just(Gap::BeforeSend)];
    let wall = prop_oneof![Just(WallAfter::CatchesUp), Just(WallAfter::Keeps)];
    let rate = prop_oneof![1..100_000_000_u32, 500_000..2_000_000_u32];
    let restored = (prop::collection::vec(target(), 1..3), 0..HORIZON_MS, prop::option::of(target()));
    prop_oneof![
        3 => (target(), gap).prop_map(|(target, gap)| FaultKind::Pause { target, gap }),
        2 => (target(), wall).prop_map(|(target, wall)| FaultKind::Suspend { target, wall }),
        3 => (target(), a_manner()).prop_map(|(target, manner)| FaultKind::Crash { target, manner }),
        1 => (target(), any::<i32>())
            .prop_map(|(target, by)| FaultKind::WallStep { target, by_micros: i64::from(by) }),
        2 => (target(), rate)
            .prop_map(|(target, rate)| FaultKind::ClockRate { target, rate: Rate::from_millionths(rate) }),
        2 => target().prop_map(|target| FaultKind::DiskStall { target }),
        2 => target().prop_map(|target| FaultKind::DiskLoss { target }),
        1 => target().prop_map(|target| FaultKind::PowerOff { target }),
        1 => (target(), any::<bool>()).prop_map(|(target, back)| FaultKind::Order {
            target,
            order: 0,
            at_end: back.then_some(0),
        }),
        2 => restored.prop_map(|(targets, taken, from)| FaultKind::Restore { targets, taken: ms(taken), from }),
    ]
}

fn a_fault_of_links(processes: u16, hosts: u16) -> impl Strategy<Value = FaultKind<Part>> {
    let sides = (a_side(processes, hosts), a_side(processes, hosts), any::<bool>());
    (sides, a_manner(), a_ratio(), 0..20_u64, 0..4_u8).prop_map(
        |((from, to, both_ways), manner, ratio, extra, kind)| match kind {
            0 => FaultKind::Cut { from, to, both_ways, manner },
            1 => FaultKind::Loss { from, to, both_ways, ratio },
            2 => FaultKind::Duplicate { from, to, both_ways, ratio },
            _ => FaultKind::Delay { from, to, both_ways, extra: len(extra) },
        },
    )
}
