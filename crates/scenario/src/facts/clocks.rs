//! From the readings of a host's clocks back to true time.

use kernel::{ClockLine, HostId, Map, SimTime, Trace};
use locks::Reading;

use crate::story::Story;

/// The clocks of all hosts over a play.
#[derive(Clone, Debug)]
pub struct Clocks<'a> {
    lines: Map<HostId, Vec<&'a ClockLine>>,
}

impl<'a> Clocks<'a> {
    /// As the trace has them.
    pub fn new(trace: &'a Trace<Story>) -> Self {
        let mut lines: Map<HostId, Vec<&ClockLine>> = Map::new();
        for (host, line) in trace.clocks() {
            lines.entry(*host).or_default().push(line);
        }
        Self { lines }
    }

    /// The stretches that a host's clocks were on, in order.
    pub fn lines(&self, host: HostId) -> &[&'a ClockLine] {
        self.lines.get(&host).map(Vec::as_slice).unwrap_or_default()
    }

    /// The first instant from `from` on at which a host's clock reads `reading` or more; where the play ends before, as
    /// the clock would run on.
    pub fn when(&self, host: HostId, from: SimTime, reading: Reading) -> SimTime {
        let lines = self.lines(host);
        for (index, line) in lines.iter().enumerate() {
            let end = lines.get(index + 1).map_or(SimTime::NEVER, |next| next.from);
            if end <= from {
                continue;
            }
            let at = match reading {
                Reading::Mono(mono) => line.when_mono(mono),
                Reading::Wall(wall) => line.when_wall(wall),
            };
            let at = at.max(from).max(line.from);
            if at < end {
                return at;
            }
        }
        SimTime::NEVER
    }
}
