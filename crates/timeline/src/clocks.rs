//! What a host's clocks read at an instant, for whoever points there.

use kernel::{HostId, SimTime};
use scenario::Play;
use scenario::document::text::{instant, reading, whose};

/// True time, and beside it the clocks of a host: "12.4 s; B's wall clock reads 9.4 s".
pub fn clocks(play: &Play, host: HostId, at: SimTime) -> String {
    let truth = instant(at);
    let Some(line) = play.trace.clock(host, at) else { return truth };
    let (mono, wall) = (line.mono_at(at).as_micros() as i64, line.wall_at(at).as_micros());
    let whose = whose(play.cast.hosts.get(usize::from(host.0)).map_or("", |name| name));
    let is_true = |micros: i64| micros.abs_diff(at.as_micros() as i64) < 1_000;
    match (is_true(mono), is_true(wall)) {
        (true, true) => format!("{truth}; {whose} clocks are right"),
        (true, false) => format!("{truth}; {whose} wall clock reads {}", reading(wall)),
        (false, true) => format!("{truth}; {whose} monotonic clock reads {}", reading(mono)),
        (false, false) if mono == wall => format!("{truth}; {whose} clocks read {}", reading(mono)),
        (false, false) => {
            format!("{truth}; {whose} clocks read {}, and {} on the wall", reading(mono), reading(wall))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B's wall clock is stepped by −3 s at 16 s; its monotonic clock runs on.
    #[test]
    fn a_stepped_wall_clock_is_told_beside_true_time() {
        let story = scenario::story("billing").expect("it is built in");
        let scenario = scenario::Document::parse(story.text).and_then(|document| document.scenario());
        let play = scenario::play(&scenario.expect("it is good"));
        let said = |name: &str, millis| {
            let host = play.cast.host(name).expect("there is such a host");
            clocks(&play, host, SimTime::from_millis(millis))
        };
        assert_eq!(said("B", 15_000), "15 s; B's clocks are right");
        assert_eq!(said("B", 20_500), "20.5 s; B's wall clock reads 17.5 s");
        assert_eq!(said("A", 20_500), "20.5 s; A's clocks are right");
    }
}
