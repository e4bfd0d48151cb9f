//! Timers are lazy inside: one that is armed anew leaves its old entry in the queue, which looks again when it comes
//! up. Here that cleverness is held to a dumb twin, which looks at every armed timer whenever anything happens.

use std::collections::VecDeque;

use crate::common::*;
use kernel::*;
use proptest::prelude::{Just, ProptestConfig, Strategy, prop, prop_assert_eq, prop_oneof, proptest};

/// What the process does at its k-th input: which timers it arms, and in how many microseconds, or disarms.
type Script = Vec<Vec<(u8, Option<u64>)>>;

#[derive(Clone, Debug)]
struct Scripted {
    script: Script,
    taken: usize,
}

#[derive(Clone, Debug)]
struct Plain;

impl Dialect for Plain {
    type Msg = ();
    type Timer = u8;
    type Write = ();
    type Disk = ();
    type Note = ();
    type Role = ();
}

impl Machine for Scripted {
    type Dialect = Plain;
    fn on(&mut self, _input: Input<'_, Plain>, now: Now, out: &mut impl Outbox<Plain>) {
        for &(timer, after) in self.script.get(self.taken).into_iter().flatten() {
            match after {
                Some(after) => out.arm(timer, now.mono + Span::from_micros(after)),
                None => out.disarm(timer),
            }
        }
        self.taken += 1;
    }
    fn start(&self, _disk: &(), _start: Start, _rng: Rng) -> Self {
        self.clone()
    }
}

/// Pauses, suspensions and rates of the process's one host, in microseconds: when, how long.
#[derive(Clone, Debug)]
enum Bend {
    Pause,
    Suspend,
    Rate(u32),
}

const HORIZON: u64 = 300;

/// An input, and when it was taken: no timer for the boot.
type Taken = (u64, Option<u8>);

fn played(script: &Script, bends: &[(u64, u64, Bend)]) -> (Vec<Taken>, Trace<Plain>) {
    let mut plan = Plan::new(1, SimTime::from_micros(HORIZON));
    let host = plan.host(HostSpec::new("h"));
    plan.process(ProcessSpec::new("p", host), Scripted { script: script.clone(), taken: 0 });
    for (at, length, bend) in bends {
        let target = Target::Host(host);
        let kind = match bend {
            Bend::Pause => FaultKind::Pause { target, gap: Gap::BeforeInput },
            Bend::Suspend => FaultKind::Suspend { target, wall: WallAfter::Keeps },
            Bend::Rate(rate) => FaultKind::ClockRate { target, rate: Rate::from_millionths(*rate) },
        };
        let at = When::At(SimTime::from_micros(*at));
        plan.fault(Fault { at, span: Some(Span::from_micros(*length)), kind });
    }
    let mut trace = Trace::recording();
    World::new(plan).run_until(SimTime::from_micros(HORIZON), &mut trace);
    let mut taken = Vec::new();
    for record in trace.records() {
        if let What::Took(took) = record.what {
            let timer = if let Took::Timer(timer) = took { Some(timer) } else { None };
            taken.push((record.at.as_micros(), timer));
        }
    }
    (taken, trace)
}

struct Armed {
    timer: u8,
    due: Mono,
    order: usize,
}

/// The dumb twin. It takes the clock's lines from the trace (they have tests of their own) and does the rest by
/// looking at everything, every time.
fn expected(script: &Script, bends: &[(u64, u64, Bend)], clocks: &Trace<Plain>) -> Vec<Taken> {
    let mut instants: Vec<u64> = bends.iter().flat_map(|(at, length, _)| [*at, at + length]).collect();
    instants.sort();
    let stopped = |now: u64| {
        let stops = |bend: &Bend| matches!(bend, Bend::Pause | Bend::Suspend);
        bends.iter().any(|(at, length, bend)| stops(bend) && (*at..at + length).contains(&now))
    };
    let (mut now, mut order, mut taken): (u64, usize, Vec<Taken>) = (0, 0, Vec::new());
    let mut waiting: VecDeque<Option<u8>> = VecDeque::from([None]);
    let mut armed: Vec<Armed> = Vec::new();
    loop {
        let line = clocks.clock(HostId(0), SimTime::from_micros(now)).expect("it always has a clock");
        if !stopped(now)
            && let Some(input) = waiting.pop_front()
        {
            for &(timer, after) in script.get(taken.len()).into_iter().flatten() {
                armed.retain(|armed| armed.timer != timer);
                waiting.retain(|waits| *waits != Some(timer));
                if let Some(after) = after {
                    let due = line.mono_at(SimTime::from_micros(now)) + Span::from_micros(after);
                    order += 1;
                    armed.push(Armed { timer, due, order });
                }
            }
            taken.push((now, input));
            continue;
        }
        let at = |armed: &Armed| (line.when_mono(armed.due).as_micros().max(now), armed.order);
        let next = armed.iter().map(at).min();
        let fault = instants.iter().copied().find(|instant| *instant > now);
        match (next, fault) {
            (Some((due, order)), fault) if due <= HORIZON && fault.is_none_or(|fault| due < fault) => {
                now = due;
                let place = armed.iter().position(|armed| armed.order == order).expect("it was just found");
                waiting.push_back(Some(armed.remove(place).timer));
            }
            (_, Some(fault)) if fault <= HORIZON => now = fault,
            _ => return taken,
        }
    }
}

fn a_script() -> impl Strategy<Value = Script> {
    let span = prop_oneof![1 => Just(None), 8 => (0..40_u64).prop_map(Some), 1 => Just(Some(u64::MAX))];
    prop::collection::vec(prop::collection::vec((0..4_u8, span), 0..5), 1..40)
}

fn some_bends() -> impl Strategy<Value = Vec<(u64, u64, Bend)>> {
    let bend = prop_oneof![
        Just(Bend::Pause),
        Just(Bend::Suspend),
        prop_oneof![1..=4_000_000_u32, Just(500_000), Just(2_000_000)].prop_map(Bend::Rate),
    ];
    prop::collection::vec((0..HORIZON, 0..60_u64, bend), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_lazy_timers_do_what_the_dumb_twin_does(script in a_script(), bends in some_bends()) {
        let (taken, trace) = played(&script, &bends);
        prop_assert_eq!(taken, expected(&script, &bends, &trace));
    }
}

#[test]
fn a_timer_armed_anew_comes_up_once_and_when_it_was_last_armed_for() {
    let mut stage = Stage::new(1);
    stage.on(0, On::Boot, &[Act::Arm(1, 50), Act::Arm(1, 10), Act::Arm(2, 20), Act::Arm(3, 30)]);
    stage.on(0, On::Timer(2), &[Act::Arm(3, 15)]);
    stage.run().check("a", "0 a boots\n 10 a timer 1\n 20 a timer 2\n 35 a timer 3");
}

#[test]
fn timers_due_at_one_instant_come_in_the_order_in_which_they_were_last_armed() {
    let mut stage = Stage::new(1);
    stage.on(0, On::Boot, &[Act::Arm(1, 20), Act::Arm(2, 20), Act::Arm(3, 20), Act::Arm(4, 5)]);
    stage.on(0, On::Timer(4), &[Act::Arm(1, 15), Act::Disarm(2)]);
    stage.run().check("a", "0 a boots\n 5 a timer 4\n 20 a timer 3\n 20 a timer 1");
}

#[test]
fn a_timer_due_in_the_past_comes_up_at_once() {
    let mut stage = Stage::new(1);
    stage.on(0, On::Boot, &[Act::Arm(1, 10)]);
    stage.on(0, On::Timer(1), &[Act::Arm(2, 0), Act::Arm(3, 0)]);
    stage.run().check("a", "0 a boots\n 10 a timer 1\n 10 a timer 2\n 10 a timer 3");
}

/// A server with a timer for each of its clients' leases, say: names come and go by the thousand, few at a time.
#[test]
fn names_of_timers_come_and_go_without_end() {
    #[derive(Clone, Debug)]
    struct Leases(u32);
    #[derive(Clone, Debug)]
    struct Numbers;
    impl Dialect for Numbers {
        type Msg = ();
        type Timer = u32;
        type Write = ();
        type Disk = ();
        type Note = ();
        type Role = ();
    }
    impl Machine for Leases {
        type Dialect = Numbers;
        fn on(&mut self, _input: Input<'_, Numbers>, now: Now, out: &mut impl Outbox<Numbers>) {
            for ahead in [1, 2, 3] {
                out.arm(self.0 + ahead, now.mono + Span::from_micros(u64::from(ahead)));
            }
            self.0 += 1;
        }
        fn start(&self, _disk: &(), _start: Start, _rng: Rng) -> Self {
            self.clone()
        }
    }
    let mut plan = Plan::new(1, SimTime::from_millis(100));
    let host = plan.host(HostSpec::new("h"));
    let server = plan.process(ProcessSpec::new("p", host), Leases(0));
    let mut world = World::new(plan);
    world.run_until(SimTime::from_millis(100), &mut Trace::off());
    assert!(world.machine(server).0 > 100_000);
}

#[test]
fn a_process_can_have_many_timers_at_once() {
    let mut stage = Stage::new(1);
    let boot: Vec<Act> = (0..=255).map(|timer| Act::Arm(timer, 10)).collect();
    stage.on(0, On::Boot, &boot);
    assert_eq!(stage.run().world.inputs_taken(), 257);
}
