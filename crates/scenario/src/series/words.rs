//! The same lines in words, for whoever cannot see them: the figures that matter.

use std::fmt::Write as _;

use document::text::{instant, length, offset, reading, token};
use kernel::Span;

use super::{Apart, Corner, HostClocks, LeaseLines, Limit, Side};
use crate::cast::Cast;

/// Messages take their time: what they alone keep apart for less than this is drawn and not told.
const TOLD_FROM: Span = Span::from_millis(10);

/// How far a host's clocks were off true time: "monotonic clock true; wall clock −3 s off at the end, from −3 s to 0 s on the way".
pub fn said_of_clocks(clocks: &HostClocks) -> String {
    if clocks.are_true() {
        return "both clocks true".into();
    }
    format!("monotonic clock {}; wall clock {}", off(&clocks.mono), off(&clocks.wall))
}

fn off(readings: &[Corner]) -> String {
    let offsets = || readings.iter().map(|corner| corner.off_true().micros);
    match (offsets().min(), offsets().max(), offsets().next_back()) {
        (Some(0), Some(0), _) => "true".into(),
        (Some(least), Some(most), _) if least == most => format!("{} off all along", offset(least)),
        (Some(least), Some(most), Some(last)) => {
            format!("{} off at the end, from {} to {} on the way", offset(last), offset(least), offset(most))
        }
        (..) => "unknown".into(),
    }
}

/// What each side had of a lease: "token 7, believed in from 0 s to 19 s, to stop at 11 s on its own monotonic clock; on
/// record from 0 s to 13 s, with its deadline at 13 s on the monotonic clock of n1; believed in but not on record for 6 s,
/// from 13 s to 19 s".
pub fn said_of_lease(lines: &LeaseLines, cast: &Cast) -> String {
    let mut said = token(lines.token);
    if lines.beliefs.is_empty() {
        said.push_str(", never believed in");
    }
    for (nth, side) in lines.beliefs.iter().enumerate() {
        let again = if nth == 0 { "" } else { "again " };
        let _ = write!(said, ", {again}believed in {}", stretch(side));
        if let Some(limit) = side.limits.last() {
            let Limit { reading: stop, on_wall, .. } = *limit;
            let _ = write!(said, ", to stop at {} on its own {}", reading(stop), clock(on_wall));
        }
    }
    match &lines.record {
        None => said.push_str("; never on record"),
        Some(side) => {
            let _ = write!(said, "; on record {}", stretch(side));
            if let Some(limit) = side.limits.last() {
                let host = cast.hosts.get(usize::from(limit.host.0)).map_or("the network", |name| name);
                let clock = clock(limit.on_wall);
                let _ = write!(
                    said,
                    ", with its deadline at {} on the {clock} of {host}",
                    reading(limit.reading)
                );
            }
        }
    }
    for Apart { from, until, believed } in &lines.apart {
        let span = until.since(*from);
        if span >= TOLD_FROM {
            let side =
                if *believed { "believed in but not on record" } else { "on record but not believed in" };
            let (span, from, until) = (length(span), instant(*from), instant(*until));
            let _ = write!(said, "; {side} for {span}, from {from} to {until}");
        }
    }
    said
}

fn stretch(side: &Side) -> String {
    let end = if side.ended { instant(side.until) } else { "the end".into() };
    format!("from {} to {end}", instant(side.from))
}

fn clock(on_wall: bool) -> &'static str {
    if on_wall { "wall clock" } else { "monotonic clock" }
}
