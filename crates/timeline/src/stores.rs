//! Stores: the step line of the fence, and every write as a mark at the height of its token.

use kernel::{ProcessId, SimTime};
use scenario::Group;
use scenario::facts::{RowStep, Write, WriteKind};

use crate::draft::{Draft, insert};
use crate::labels::LabelStyle;
use crate::layout::{FenceLine, Hue, Lane, Mark, MarkKind, MarkTone, Source};
use crate::{Point, Rect};

pub(crate) fn add(draft: &mut Draft<'_>) {
    for place in 0..draft.lanes.lanes.len() {
        let lane = draft.lanes.lanes[place];
        if lane.group == Group::Stores {
            let levels = Levels::of(draft, lane.process, lane.rect);
            fence(draft, place, &lane, &levels);
            writes(draft, place, &lane, &levels);
        }
    }
}

/// The height of each token on a store's lane: in order, evenly apart.
struct Levels {
    tokens: Vec<u64>,
    bottom: f64,
    step: f64,
}

/// Room above the highest level, for a label, and below the lowest, for half a mark.
const ABOVE: f64 = 20.0;
const BELOW: f64 = 10.0;

impl Levels {
    fn of(draft: &Draft<'_>, store: ProcessId, rect: Rect) -> Self {
        let facts = draft.scene.facts;
        let written =
            facts.writes.iter().filter(|write| write.store == store).filter_map(|write| write.token);
        let raised = facts.rows.iter().filter(|row| row.store == store).filter_map(|row| row.fence);
        let mut tokens: Vec<u64> = vec![0];
        for token in written.chain(raised) {
            insert(&mut tokens, token);
        }
        let steps = tokens.len().saturating_sub(1).max(1);
        let step = ((rect.h - ABOVE - BELOW) / steps as f64).min(16.0);
        Self { tokens, bottom: rect.bottom() - BELOW, step }
    }
    fn y(&self, token: u64) -> f64 {
        self.bottom - self.tokens.partition_point(|other| *other < token) as f64 * self.step
    }
}

fn fence(draft: &mut Draft<'_>, place: usize, lane: &Lane, levels: &Levels) {
    let facts = draft.scene.facts;
    let steps = facts.rows.iter().filter(|row| row.store == lane.process);
    let mut stands: Option<u64> = None;
    let mut corners: Vec<Point> = Vec::new();
    let scale = draft.layout.scale;
    for RowStep { at, fence, .. } in steps {
        let (Some(now), true) = (*fence, *fence != stands) else { continue };
        let x = scale.x_within(*at);
        let before = levels.y(stands.unwrap_or(0));
        if corners.is_empty() {
            corners.push(Point { x: scale.left(), y: before });
        }
        corners.push(Point { x, y: before });
        corners.push(Point { x, y: levels.y(now) });
        stands = Some(now);
        if now > 0 && *at >= scale.from() && *at <= scale.to() {
            fence_label(draft, place, now, Point { x, y: levels.y(now) });
        }
    }
    if let Some(last) = corners.last().copied() {
        corners.push(Point { x: scale.right(), y: last.y });
        draft.layout.fences.push(FenceLine { lane: place, corners });
    }
}

fn fence_label(draft: &mut Draft<'_>, place: usize, fence: u64, corner: Point) {
    let text = format!("fence {fence}");
    let width = draft.text_width(&text, LabelStyle::Fence);
    let (x, y) = (corner.x, corner.y - draft.sizes.mark - 8.0);
    let places = [
        Some(Point { x: x + 1.0, y }),
        Some(Point { x: x - width / 2.0, y }),
        Some(Point { x: x - width - 4.0, y: corner.y }),
    ];
    draft.wish(place, text, LabelStyle::Fence, Hue::Plain, places, 6);
}

fn writes(draft: &mut Draft<'_>, place: usize, lane: &Lane, levels: &Levels) {
    let facts = draft.scene.facts;
    let middle = lane.rect.y + (lane.rect.h + ABOVE - BELOW) / 2.0;
    for (nth, write) in facts.writes.iter().enumerate().filter(|(_, write)| write.store == lane.process) {
        let Some(x) = draft.x(write.at) else { continue };
        let y = write.token.or(write.fence).map_or(middle, |token| levels.y(token));
        let tone = tone(write);
        let kind = match write.kind {
            WriteKind::Raise => MarkKind::Raise,
            WriteKind::Item { .. } => MarkKind::Item,
            WriteKind::Finish => MarkKind::Finish,
            WriteKind::Requeue => MarkKind::Requeue,
        };
        let small = if kind == MarkKind::Item { 1.0 } else { 0.8 };
        let radius = draft.sizes.mark * if tone == MarkTone::Usual { small } else { 1.45 };
        let mark = Mark {
            lane: place,
            kind,
            tone,
            at: write.at,
            centre: Point { x, y },
            radius,
            hue: draft.hue(write.worker),
            origin: origin(draft, write),
            source: Source::Write(nth),
        };
        draft.mark(mark);
        if tone != MarkTone::Usual {
            verdict_label(draft, &mark, write);
        }
    }
}

fn tone(write: &Write) -> MarkTone {
    match (write.accepted, write.stale) {
        (true, true) => MarkTone::Wrong,
        (false, false) if write.kind != WriteKind::Requeue => MarkTone::Wrong,
        (false, _) => MarkTone::Stopped,
        (true, false) if write.duplicates > 0 => MarkTone::Wrong,
        (true, false) => MarkTone::Usual,
    }
}

/// Where the request left its worker's lane.
fn origin(draft: &Draft<'_>, write: &Write) -> Option<Point> {
    let x = draft.x(write.sent)?;
    let (_, lane) = draft.lanes.of(write.worker)?;
    let row = match lane.group {
        Group::Workers => draft.sizes.worker_rows.belief.0 + draft.sizes.worker_rows.belief.1,
        Group::LockService | Group::Stores | Group::Sweepers | Group::Others => lane.rect.h / 2.0,
    };
    Some(Point { x, y: lane.rect.y + row })
}

/// What happened to a write that is worth a word.
pub(crate) fn verdict(write: &Write) -> String {
    match (write.accepted, write.token, write.fence) {
        (false, Some(token), Some(fence)) if token < fence => format!("{token} < {fence}, refused"),
        (false, Some(token), Some(fence)) if token == fence => format!("{token} = {fence}, refused"),
        (false, _, _) => "refused".to_string(),
        (true, _, _) if write.duplicates > 0 => format!("accepted: {} twice", thousands(write.duplicates)),
        (true, Some(token), _) if write.stale => format!("stale token {token} accepted"),
        (true, None, _) if write.stale => "stale, accepted".to_string(),
        (true, _, _) => "accepted".to_string(),
    }
}

fn verdict_label(draft: &mut Draft<'_>, mark: &Mark, write: &Write) {
    let style = if mark.tone == MarkTone::Wrong { LabelStyle::MarkWrong } else { LabelStyle::MarkStopped };
    let text = verdict(write);
    let width = draft.text_width(&text, style);
    let Point { x, y } = mark.centre;
    let (beside, r) = (mark.radius + 6.0, mark.radius + 9.0);
    let places = [
        Some(Point { x: x + beside, y }),
        Some(Point { x: x - beside - width, y }),
        Some(Point { x: x - width / 2.0, y: y + r }),
    ];
    draft.wish(mark.lane, text, style, Hue::Plain, places, 0);
}

/// A number with commas between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How a store's row stood at an instant.
pub(crate) fn row_at(rows: &[RowStep], store: ProcessId, at: SimTime) -> Option<&RowStep> {
    rows.iter().rfind(|row| row.store == store && row.at <= at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (5_000, "5,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn a_verdict_says_the_comparison_that_was_made() {
        let refused = fixture::write(19_050, fixture::A, Some(7), Some(12), false);
        assert_eq!(verdict(&refused), "7 < 12, refused");
        let equal = fixture::write(1_000, fixture::A, Some(7), Some(7), false);
        assert_eq!(verdict(&equal), "7 = 7, refused");
        let twice = Write { duplicates: 5_000, ..fixture::write(19_050, fixture::A, Some(7), None, true) };
        assert_eq!(verdict(&twice), "accepted: 5,000 twice");
    }
}
