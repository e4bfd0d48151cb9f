//! Sweeps, checks and other moments as small marks.

use scenario::facts::{MomentKind, SweepKind};

use crate::Point;
use crate::draft::Draft;
use crate::labels::LabelStyle;
use crate::layout::{Hue, Mark, MarkKind, MarkTone, Source};

pub(crate) fn add(draft: &mut Draft<'_>) {
    sweeps(draft);
    moments(draft);
}

fn sweeps(draft: &mut Draft<'_>) {
    for (nth, sweep) in draft.scene.facts.sweeps.iter().enumerate() {
        let (Some((place, lane)), Some(x)) = (draft.lane(sweep.sweeper), draft.x(sweep.at)) else { continue };
        let (kind, text) = match sweep.kind {
            SweepKind::OrphanSeen => (MarkKind::Orphan, "orphan seen"),
            SweepKind::OrphanConfirmed => (MarkKind::Confirmed, "re-queued"),
            SweepKind::Skipped => (MarkKind::Skipped, ""),
        };
        let centre = Point { x, y: lane.rect.centre().y };
        let radius = draft.sizes.mark * if kind == MarkKind::Skipped { 0.6 } else { 0.9 };
        let tone = MarkTone::Usual;
        let source = Source::Sweep(nth);
        let hue = Hue::Plain;
        draft.mark(Mark { lane: place, kind, tone, at: sweep.at, centre, radius, hue, origin: None, source });
        beside(draft, place, text, centre, radius, LabelStyle::Mark);
    }
}

fn moments(draft: &mut Draft<'_>) {
    for (nth, moment) in draft.scene.facts.moments.iter().enumerate() {
        let (Some((place, lane)), Some(x)) = (draft.lane(moment.process), draft.x(moment.at)) else {
            continue;
        };
        let Some((kind, tone, text)) = look(&moment.what) else { continue };
        let rows = draft.sizes.worker_rows;
        let y = match kind {
            MarkKind::CheckPassed | MarkKind::CheckFailed | MarkKind::RenewalFailed => {
                lane.rect.y + rows.lease.0 - 5.0
            }
            MarkKind::Stopped | MarkKind::Done => lane.rect.y + rows.belief.0 + rows.belief.1 / 2.0,
            MarkKind::Raise
            | MarkKind::Item
            | MarkKind::Finish
            | MarkKind::Requeue
            | MarkKind::Orphan
            | MarkKind::Confirmed
            | MarkKind::Skipped
            | MarkKind::Woken
            | MarkKind::StaleRead
            | MarkKind::Restored => lane.rect.centre().y,
        };
        let y = y.min(lane.rect.bottom() - 5.0);
        let (centre, radius) = (Point { x, y }, draft.sizes.mark * 0.8);
        let (source, hue) = (Source::Moment(nth), lane.hue);
        draft.mark(Mark {
            lane: place,
            kind,
            tone,
            at: moment.at,
            centre,
            radius,
            hue,
            origin: None,
            source,
        });
        let style = if tone == MarkTone::Wrong { LabelStyle::MarkWrong } else { LabelStyle::Mark };
        beside(draft, place, text, centre, radius, style);
    }
}

/// How a moment is shown, and in which word; `None` for those that other parts of the picture show already.
fn look(what: &MomentKind) -> Option<(MarkKind, MarkTone, &'static str)> {
    Some(match what {
        MomentKind::Checked { passed: true, .. } => (MarkKind::CheckPassed, MarkTone::Usual, ""),
        MomentKind::Checked { passed: false, .. } => {
            (MarkKind::CheckFailed, MarkTone::Stopped, "stops itself")
        }
        MomentKind::RenewalFailed { .. } => (MarkKind::RenewalFailed, MarkTone::Stopped, ""),
        MomentKind::Stopped { .. } => (MarkKind::Stopped, MarkTone::Usual, "gives up"),
        MomentKind::Finished => (MarkKind::Done, MarkTone::Usual, "done"),
        MomentKind::Woken { .. } => (MarkKind::Woken, MarkTone::Usual, ""),
        MomentKind::Read { stale: true, .. } => (MarkKind::StaleRead, MarkTone::Wrong, "old value read"),
        MomentKind::Restored => (MarkKind::Restored, MarkTone::Usual, "restored"),
        MomentKind::RowLocked { .. } => (MarkKind::Woken, MarkTone::Usual, "locks the row"),
        MomentKind::RowAwaited { .. } => (MarkKind::Skipped, MarkTone::Usual, "waits"),
        MomentKind::RolledBack { .. } => (MarkKind::Stopped, MarkTone::Stopped, "rolled back"),
        MomentKind::RecoveredEntry { .. } => (MarkKind::Confirmed, MarkTone::Usual, "recovers"),
        MomentKind::TookBehind { .. } => (MarkKind::Skipped, MarkTone::Usual, "takes it alone"),
        MomentKind::HeldBack { .. } => (MarkKind::Skipped, MarkTone::Usual, "holds back"),
        MomentKind::Restarts { .. } => (MarkKind::Stopped, MarkTone::Usual, "begins again"),
        MomentKind::Read { stale: false, .. }
        | MomentKind::Replayed { .. }
        | MomentKind::PutOff { .. }
        | MomentKind::Woke
        | MomentKind::StartedAgain => return None,
    })
}

fn beside(draft: &mut Draft<'_>, lane: usize, text: &str, centre: Point, radius: f64, style: LabelStyle) {
    if text.is_empty() {
        return;
    }
    let width = draft.text_width(text, style);
    let Point { x, y } = centre;
    let places = [
        Some(Point { x: x + radius + 5.0, y }),
        Some(Point { x: x - radius - 5.0 - width, y }),
        Some(Point { x: x - width / 2.0, y: y - radius - 8.0 }),
    ];
    draft.wish(lane, text.to_string(), style, Hue::Plain, places, 7);
}
