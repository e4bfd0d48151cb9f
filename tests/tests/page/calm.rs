//! What is under a hand stays there: the page does not jump when a sentence, a tab, a question or the window becomes larger or smaller.

use crate::driver::on_page;
use crate::looks::{MISPLACED, SIZES, settles};
use crate::page::Page;

const NOT_SENT: &str = "No invoice was charged twice. No stale write was sent.";

async fn becomes(page: &Page, (width, height): (u32, u32)) {
    page.resize(width, height).await;
    page.shown("the size", &format!("return innerWidth === {width}")).await;
    settles(page).await;
}

/// A shorter verdict, as while a fault is dragged, moves nothing.
#[test]
fn the_timeline_stays_when_the_verdict_turns() {
    on_page("calm-verdict", async |page| {
        for size in SIZES {
            becomes(&page, size).await;
            let long = page.seen(".stage").await.y;
            page.run("document.querySelector(\"[data-field='a-pause.enabled']\").click()", vec![]).await;
            page.says(NOT_SENT).await;
            let short = page.seen(".stage").await.y;
            assert!((short - long).abs() < 1.0, "at {size:?} the timeline went from {long} to {short}");
            page.run("document.querySelector('#undo').click()", vec![]).await;
            page.tells("billing", None, &[]).await;
        }
    });
}

/// The current event is in view in every window, whole.
#[test]
fn the_current_event_stays_in_view_when_the_window_changes() {
    on_page("calm-events", async |page| {
        for nth in [6, 14, 22] {
            page.run(&format!("document.querySelector(\"[data-event='{nth}'] button\").click()"), vec![])
                .await;
            for size in SIZES.into_iter().chain([(700, 900), (1152, 700), (1400, 900)]) {
                becomes(&page, size).await;
                let hidden =
                    "const of = css => document.querySelector(`#events ${css}`).getBoundingClientRect();
                    const row = of('[aria-current]');
                    return Math.max(of('thead').bottom - row.top, row.bottom - of('.scroller').bottom)";
                page.becomes(&format!("event {nth} in view at {size:?}"), &true, async || {
                    page.number(hidden).await <= 1.0
                })
                .await;
            }
        }
    });
}

/// Another tab, however short, leaves the tabs where they are.
#[test]
fn tabs_stay_where_they_are() {
    on_page("calm-tabs", async |page| {
        for size in SIZES {
            becomes(&page, size).await;
            page.run("document.querySelector('.tabs').scrollIntoView()", vec![]).await;
            page.click("#tab-why").await;
            let before = page.seen(".tabs").await.y;
            page.click("#tab-tries").await;
            settles(&page).await;
            let after = page.seen(".tabs").await.y;
            assert!((after - before).abs() < 1.0, "at {size:?} the tabs went from {before} to {after}");
        }
    });
}

/// A question beside the timeline is longer than what is said: the controls stay.
#[test]
fn the_controls_stay_when_a_lesson_asks() {
    on_page("calm-lesson", async |page| {
        page.click("#lesson-open").await;
        let said = page.seen(".controls").await.y;
        page.click("#lesson-on").await;
        page.says("What comes of it?").await;
        let asked = page.seen(".controls").await.y;
        assert!((asked - said).abs() < 1.0, "the controls went from {said} to {asked}");
        page.click("[data-do='show']").await;
        settles(&page).await;
        let told = page.seen(".controls").await.y;
        assert!((told - said).abs() < 1.0, "the controls went from {said} to {told}");
    });
}

/// Two plays fit every window as one does.
#[test]
fn two_plays_fit_every_window() {
    on_page("calm-compared", async |page| {
        page.choose("#compare", "lock.ttl=20s").await;
        for size in SIZES {
            becomes(&page, size).await;
            let shot = page.shot(&format!("compared-{}", size.0)).await;
            let misplaced = page.strings(MISPLACED, vec![]).await;
            assert_eq!(misplaced, [""; 0], "at {size:?}, see {}", shot.display());
        }
    });
}

/// What was refused is said where the field is, however far down; and nothing that is in view goes anywhere.
#[test]
fn a_refusal_is_in_view_and_moves_nothing() {
    on_page("calm-refusal", async |page| {
        let ttl = "[data-path='lock.ttl']";
        page.click("#tab-setup").await;
        for size in SIZES {
            becomes(&page, size).await;
            page.run(
                &format!("document.querySelector(\"{ttl}\").scrollIntoView({{ block: 'center' }})"),
                vec![],
            )
            .await;
            let before = page.seen(ttl).await.y;
            page.fill(ttl, "soon").await;
            page.shown("the message", "return document.querySelector('#refusal p').hidden === false").await;
            settles(&page).await;
            let said = page.seen("#refusal p").await;
            assert!(said.y >= 0.0 && said.y + said.h < 300.0, "at {size:?} it is said at {said:?}");
            let after = page.seen(ttl).await.y;
            assert!((after - before).abs() < 1.0, "at {size:?} the field went from {before} to {after}");
            page.click("#refusal button").await;
        }
    });
}

/// The button that comes closer is there for a second press, though more buttons come with the first.
#[test]
fn the_zoom_is_not_pushed_aside() {
    on_page("calm-zoom", async |page| {
        let before = page.seen("#closer").await.x;
        page.click("#closer").await;
        page.shown("all of it", "return document.querySelector('#whole').checkVisibility()").await;
        let after = page.seen("#closer").await.x;
        assert!((after - before).abs() < 1.0, "it went from {before} to {after}");
    });
}
