//! What somebody does from outside: a host's power is cut, and a process is given an order.

use crate::common::*;
use kernel::*;

fn power_off(host: u16) -> FaultKind<Part> {
    FaultKind::PowerOff { target: Target::Host(HostId(host)) }
}

fn order(process: u16, at_end: Option<usize>) -> FaultKind<Part> {
    FaultKind::Order { target: Target::Process(ProcessId(process)), order: 0, at_end }
}

#[test]
fn without_power_nothing_runs_on_a_host_and_nothing_answers_for_it() {
    let mut stage = Stage::new(2);
    stage.beside(1);
    stage.sends(0, &[(10, 1, 1), (30, 1, 2)]);
    stage.fault(20, 40, power_off(1));
    let run = stage.run_until(ms(35));
    assert_eq!((run.health(1), run.health(2)), (Health::Down, Health::Down));
    let run = stage.run();
    run.check("a", "0 a boots\n10 a timer 1\n10 a sends 1 to b (11)\n30 a timer 2\n30 a sends 2 to b (31)");
    assert_eq!(run.lines("c"), ["0 c boots", "40 c boots"]);
}

#[test]
fn an_order_is_taken_like_a_message_and_another_when_it_is_over() {
    let mut stage = Stage::new(1);
    stage.orders = vec![5, 6];
    stage.on(0, On::Message(5), &[Act::Note("off")]);
    stage.on(0, On::Message(6), &[Act::Note("on")]);
    stage.fault(20, 40, order(0, Some(1)));
    let noted =
        |run: &Run| run.lines("a").into_iter().filter(|line| line.contains("notes")).collect::<Vec<_>>();
    assert_eq!(noted(&stage.run()), ["20 a notes off", "40 a notes on"]);
    stage.fault(15, 30, pause(0, Gap::BeforeInput));
    assert_eq!(noted(&stage.run()), ["30 a notes off", "40 a notes on"]);
}

#[test]
fn who_is_down_never_hears_of_an_order() {
    let mut stage = Stage::new(1);
    stage.orders = vec![5];
    stage.fault_forever(20, order(0, None));
    stage.fault(10, 30, crash(0));
    stage.run().check(
        "a",
        "0 a boots
        10 a fault 1 begins
        20 a fault 0 begins
        20 a drops an order
        30 a fault 1 ends
        30 a boots",
    );
}
