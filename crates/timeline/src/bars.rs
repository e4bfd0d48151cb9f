//! Reigns, leases, beliefs and waits.

use kernel::SimTime;
use scenario::document::text::{instant, token};
use scenario::facts::{Belief, DeadlineBy, Lease};

use crate::draft::Draft;
use crate::labels::LabelStyle;
use crate::layout::{BeliefPiece, Hue, Lane, LeaseBar, Notch, NotchKind, ReignBand, Standing, WaitLine};
use crate::{Point, Rect};

pub(crate) fn add(draft: &mut Draft<'_>) {
    reigns(draft);
    let facts = draft.scene.facts;
    for lease in &facts.leases {
        self::lease(draft, lease);
    }
    for belief in &facts.beliefs {
        self::belief(draft, belief);
    }
    waits(draft);
}

/// Room for a label within a bar, from its left.
const INSET: f64 = 6.0;

fn reigns(draft: &mut Draft<'_>) {
    for reign in &draft.scene.facts.reigns {
        let until = reign.until.unwrap_or(draft.scene.horizon);
        let (Some((place, lane)), Some((x0, x1))) =
            (draft.lane(reign.process), draft.stretch(reign.from, until))
        else {
            continue;
        };
        let height = (lane.rect.h * 0.57).round();
        let top = lane.rect.y + (lane.rect.h - height) / 2.0;
        let rect = Rect::span(x0, top, x1, top + height);
        draft.layout.reigns.push(ReignBand { lane: place, rect, term: reign.term });
        let y = rect.centre().y;
        for text in [format!("leads, term {}", reign.term), format!("term {}", reign.term)] {
            if draft.text_width(&text, LabelStyle::Reign) + 2.0 * INSET <= rect.w {
                let at = Some(Point { x: x0 + INSET, y });
                draft.wish(place, text, LabelStyle::Reign, Hue::Service, [at, None, None], 3);
                break;
            }
        }
    }
}

/// A row of a lane: its top and bottom.
fn row(lane: &Lane, (from_top, height): (f64, f64)) -> (f64, f64) {
    (lane.rect.y + from_top, lane.rect.y + from_top + height)
}

fn lease(draft: &mut Draft<'_>, lease: &Lease) {
    let until = lease.ended.map_or(draft.scene.horizon, |(at, _)| at);
    let (Some((place, lane)), Some((x0, x1))) =
        (draft.lane(lease.worker), draft.stretch(lease.granted, until))
    else {
        return;
    };
    let (top, bottom) = row(&lane, draft.sizes.worker_rows.lease);
    draft.layout.leases.push(LeaseBar {
        lane: place,
        rect: Rect::span(x0, top, x1, bottom),
        hue: lane.hue,
        token: lease.token,
        open: lease.ended.is_none(),
    });
    for (nth, deadline) in lease.deadlines.iter().enumerate() {
        let came = match deadline.by {
            DeadlineBy::Grant => None,
            DeadlineBy::Renewal => Some(NotchKind::Renewal),
            DeadlineBy::NewLeader | DeadlineBy::Checkpoint | DeadlineBy::Added | DeadlineBy::Date => {
                Some(NotchKind::Restart)
            }
        };
        let moved = nth + 1 < lease.deadlines.len();
        let notches = [
            came.map(|kind| (kind, deadline.set)),
            (moved && deadline.until < until).then_some((NotchKind::Deadline, deadline.until)),
        ];
        for (kind, at) in notches.into_iter().flatten() {
            if let Some(x) = draft.x(at) {
                draft.layout.notches.push(Notch { lane: place, kind, x, top, bottom, hue: lane.hue });
            }
        }
    }
}

/// When the authority ended the lease that a belief is about; `None`: not in this play, or it grants none.
fn record_end(draft: &Draft<'_>, belief: &Belief) -> Option<SimTime> {
    let leases = &draft.scene.facts.leases;
    let before = |lease: &&Lease| lease.lock == belief.lock && lease.granted <= belief.from;
    match leases.iter().rfind(|lease| before(lease) && belief.is_in(lease)) {
        Some(lease) => lease.ended.map(|(at, _)| at),
        // The authority has granted the lock to others, and never so.
        None => leases.iter().any(|lease| before(&lease)).then_some(belief.from),
    }
}

fn belief(draft: &mut Draft<'_>, belief: &Belief) {
    let Some((place, lane)) = draft.lane(belief.worker) else { return };
    let until = belief.ended.map_or(draft.scene.horizon, |(at, _)| at);
    let gone = record_end(draft, belief);
    let (top, bottom) = row(&lane, draft.sizes.worker_rows.belief);
    let pieces = pieces(belief, until, gone);
    let last = pieces.len().saturating_sub(1);
    for (nth, (standing, from, to)) in pieces.into_iter().enumerate() {
        let Some((x0, x1)) = draft.stretch(from, to) else { continue };
        draft.layout.beliefs.push(BeliefPiece {
            lane: place,
            rect: Rect::span(x0, top, x1, bottom),
            hue: lane.hue,
            token: belief.token,
            standing,
            first: nth == 0,
            last: nth == last,
        });
        if standing == Standing::Outlived {
            outlived_label(draft, place, x0, x1, (top + bottom) / 2.0);
        }
    }
    token_label(draft, place, &lane, belief, until);
    stop_notch(draft, place, &lane, belief, until);
}

/// The stretches of a belief by how they stand, in order, without empty ones.
fn pieces(belief: &Belief, until: SimTime, gone: Option<SimTime>) -> Vec<(Standing, SimTime, SimTime)> {
    let mut pieces: Vec<(Standing, SimTime, SimTime)> = Vec::with_capacity(4);
    let mut push = |standing, from: SimTime, to: SimTime| {
        if to <= from {
            return;
        }
        match pieces.last_mut().filter(|(last, _, end)| *last == standing && *end == from) {
            Some((_, _, end)) => *end = to,
            None => pieces.push((standing, from, to)),
        }
    };
    let gone = gone.unwrap_or(SimTime::NEVER).max(belief.from);
    let on_record = until.min(gone);
    let mut from = belief.from;
    for (nth, stop) in belief.stops.iter().enumerate() {
        let next = belief.stops.get(nth + 1).map_or(on_record, |next| next.set.min(on_record));
        let acts_until = stop.at.clamp(from.min(next), next);
        push(Standing::Sound, from, acts_until);
        push(Standing::PastStop, acts_until, next);
        from = next.max(from);
    }
    push(Standing::Sound, from, on_record);
    push(Standing::Outlived, on_record, until);
    pieces
}

fn token_label(draft: &mut Draft<'_>, place: usize, lane: &Lane, belief: &Belief, until: SimTime) {
    let Some((x0, x1)) = draft.stretch(belief.from, until) else { return };
    let (top, bottom) = row(lane, draft.sizes.worker_rows.belief);
    let y = (top + bottom) / 2.0;
    for text in [token(belief.token), belief.token.map_or_else(|| "none".into(), |token| token.to_string())] {
        if draft.text_width(&text, LabelStyle::OnBar) + 2.0 * INSET <= x1 - x0 {
            let at = Some(Point { x: x0 + INSET, y });
            draft.wish(place, text, LabelStyle::OnBar, lane.hue, [at, None, None], 1);
            return;
        }
    }
    let text = token(belief.token);
    let width = draft.text_width(&text, LabelStyle::ByBar);
    let places = [Some(Point { x: x1 + 4.0, y }), Some(Point { x: x0 - 4.0 - width, y }), None];
    draft.wish(place, text, LabelStyle::ByBar, lane.hue, places, 4);
}

/// Says of a stretch of outlived belief what it is, where there is room.
fn outlived_label(draft: &mut Draft<'_>, place: usize, x0: f64, x1: f64, y: f64) {
    for text in ["still thinks it holds the lock", "thinks it holds", "stale"] {
        let width = draft.text_width(text, LabelStyle::OnBar);
        if width + 2.0 * INSET <= x1 - x0 {
            let at = Some(Point { x: x0 + (x1 - x0 - width) / 2.0, y });
            draft.wish(place, text.to_string(), LabelStyle::OnBar, Hue::Plain, [at, None, None], 2);
            return;
        }
    }
}

/// The last stop time that the holder set itself, when it came while the holder still believed.
fn stop_notch(draft: &mut Draft<'_>, place: usize, lane: &Lane, belief: &Belief, until: SimTime) {
    let Some(stop) = belief.stops.last().filter(|stop| stop.at <= until) else { return };
    let Some(x) = draft.x(stop.at) else { return };
    let (top, _) = row(lane, draft.sizes.worker_rows.lease);
    let (_, bottom) = row(lane, draft.sizes.worker_rows.belief);
    let kind = NotchKind::Stop;
    draft.layout.notches.push(Notch {
        lane: place,
        kind,
        x,
        top: top - 2.0,
        bottom: bottom + 2.0,
        hue: lane.hue,
    });
    let text = format!("stop {}", instant(stop.at));
    let width = draft.text_width(&text, LabelStyle::Stop);
    let y = lane.rect.y + draft.sizes.worker_rows.lease.0 / 2.0 + 1.0;
    let places = [
        Some(Point { x: x - width / 2.0, y }),
        Some(Point { x: x + 4.0, y }),
        Some(Point { x: x - width - 4.0, y }),
    ];
    draft.wish(place, text, LabelStyle::Stop, lane.hue, places, 5);
}

fn waits(draft: &mut Draft<'_>) {
    for want in &draft.scene.facts.wants {
        let until = want.until.unwrap_or(draft.scene.horizon);
        let (Some((place, lane)), Some((x0, x1))) =
            (draft.lane(want.worker), draft.stretch(want.from, until))
        else {
            continue;
        };
        let (top, bottom) = row(&lane, draft.sizes.worker_rows.belief);
        let y = (top + bottom) / 2.0;
        draft.layout.waits.push(WaitLine { lane: place, x0, x1, y, hue: lane.hue });
        let at = Some(Point { x: x0 + INSET, y: y - 8.0 });
        if x1 - x0 >= draft.text_width("waits", LabelStyle::Mark) + 2.0 * INSET {
            draft.wish(place, "waits".to_string(), LabelStyle::Mark, lane.hue, [at, None, None], 7);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    const fn ms(millis: u64) -> SimTime {
        SimTime::from_millis(millis)
    }

    #[test]
    fn a_belief_is_cut_at_its_stop_time_and_where_the_record_ends() {
        let belief = fixture::belief(fixture::A, 7, ms(0), &[(0, 8_000), (3_000, 11_000)], Some(ms(19_050)));
        let cut = pieces(&belief, ms(19_050), Some(ms(13_000)));
        assert_eq!(
            cut,
            [
                (Standing::Sound, ms(0), ms(11_000)),
                (Standing::PastStop, ms(11_000), ms(13_000)),
                (Standing::Outlived, ms(13_000), ms(19_050)),
            ]
        );
    }

    #[test]
    fn a_late_renewal_leaves_a_gap_past_the_first_stop_time() {
        let belief = fixture::belief(fixture::A, 7, ms(0), &[(0, 8_000), (9_000, 17_000)], None);
        let cut = pieces(&belief, ms(12_000), None);
        assert_eq!(
            cut,
            [
                (Standing::Sound, ms(0), ms(8_000)),
                (Standing::PastStop, ms(8_000), ms(9_000)),
                (Standing::Sound, ms(9_000), ms(12_000)),
            ]
        );
    }

    #[test]
    fn a_stop_time_on_a_stepped_clock_lies_past_the_record() {
        let belief = fixture::belief(fixture::B, 12, ms(13_500), &[(13_500, 24_500)], None);
        let cut = pieces(&belief, ms(30_000), Some(ms(23_500)));
        assert_eq!(
            cut,
            [(Standing::Sound, ms(13_500), ms(23_500)), (Standing::Outlived, ms(23_500), ms(30_000))]
        );
    }

    #[test]
    fn a_belief_that_ended_in_its_first_instant_has_no_piece() {
        let belief = fixture::belief(fixture::A, 7, ms(5), &[(5, 8_000)], Some(ms(5)));
        assert_eq!(pieces(&belief, ms(5), Some(ms(2))), []);
    }
}
