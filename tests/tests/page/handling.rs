//! What a hand does on the timeline beside moving faults: coming closer, snapping, looking at a happening,
//! and putting another play below.

use fantoccini::key::Key;
use fencepost_tests::played;
use scenario::compare::parting;
use scenario::document::model::EventKind;

use crate::driver::on_page;
use crate::hand::{PAUSE, Pointer};

const MOUSE: Pointer = Pointer::Mouse;

/// With Ctrl the wheel comes closer to where the pointer is; the whole play is below in small, and its window moves.
#[test]
fn the_wheel_and_the_window_below_show_a_part() {
    on_page("zoom", async |page| {
        assert_eq!(page.prop(".minimap", "hidden").await, "true");
        let (block, before) = page.pause_block().await;
        let at = (block.x, block.middle().1);
        for _ in 0..4 {
            page.wheel(at, (0, -100), Some(Key::Control)).await;
        }
        page.becomes("the strip below", &"false".to_owned(), async || page.prop(".minimap", "hidden").await)
            .await;
        page.becomes("closer", &true, async || page.seen(PAUSE).await.w > 1.5 * before * 15.0).await;
        let near = page.seen(PAUSE).await;
        assert!((near.x - block.x).abs() < 2.0, "what is pointed at stays: {} and {}", near.x, block.x);
        // The pause is dragged at that scale.
        let second = near.w / 15.0;
        let from = (near.x + 5.0 * second, near.middle().1);
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, (from.0 - 0.6 * second, from.1), 6).await;
        page.lift(MOUSE).await;
        page.says("No invoice was charged twice. No stale write was sent.").await;
        page.click("#undo").await;

        // The window is dragged to the end; what is in view is said.
        let window = page.place("#in-view").await;
        page.press(MOUSE, window.middle()).await;
        page.pull(MOUSE, window.middle(), (window.middle().0 + 600.0, window.middle().1), 6).await;
        page.lift(MOUSE).await;
        page.becomes("the end", &true, async || {
            page.attr("#in-view", "aria-valuetext").await.ends_with("to 60.00 s")
        })
        .await;
        // A step back to the playhead's events brings the playhead into view again.
        page.click("#to-start").await;
        page.becomes("the start", &"0".to_owned(), async || page.attr("#in-view", "aria-valuenow").await)
            .await;
        page.keys("#in-view", "\u{e014}\u{e014}").await;
        assert_ne!(page.attr("#in-view", "aria-valuenow").await, "0", "arrows move the window");
        page.click("#whole").await;
        page.becomes("all of it", &"true".to_owned(), async || page.prop(".minimap", "hidden").await).await;
    });
}

/// Two fingers come closer; without Ctrl the wheel scrolls the page and nothing else.
#[test]
fn two_fingers_come_closer_and_a_plain_wheel_does_not() {
    on_page("pinch", async |page| {
        let (block, _) = page.pause_block().await;
        page.wheel(block.middle(), (0, 30), None).await;
        let y = page.seen(PAUSE).await.middle().1 + 70.0;
        page.pinch((page.x_of(30.0).await, y), (page.x_of(36.0).await, y), 3.0).await;
        page.becomes("a third of it", &true, async || {
            let said = page.attr("#in-view", "aria-valuetext").await;
            let instants: Vec<f64> =
                said.split(" to ").filter_map(|at| at.trim_end_matches(" s").parse().ok()).collect();
            matches!(instants[..], [from, to] if (to - from - 20.0).abs() < 1.0 && from < 33.0 && to > 33.0)
        })
        .await;
        page.click("#whole").await;
        page.becomes("all of it", &true, async || (page.seen(PAUSE).await.w - block.w).abs() < 1.0).await;
    });
}

/// With Shift what is dragged snaps to what happens: A's last check is at 3.9 s.
#[test]
fn a_fault_snaps_to_what_happens() {
    on_page("snap", async |page| {
        let play = played("billing", None, &[]);
        let before =
            play.tale.iter().rfind(|event| event.at.as_micros() < 3_990_000).expect("something happens");
        let millis = (before.at.as_micros() as f64 / 1e3).round() / 1e3;
        let (block, second) = page.pause_block().await;
        let from = block.middle();
        let to = (from.0 - (4.0 - millis) * second - 4.0, from.1);
        page.drag_with(Key::Shift, from, to).await;
        let at = page.value("[data-field='a-pause.at']").await;
        assert_eq!(at.trim_end_matches('s').parse::<f64>().expect("an instant"), millis);
    });
}

/// An event that is looked at: what can have led to it and what can follow from it are told apart as the trace tells them
/// apart, not as the clock does.
#[test]
fn a_happening_shows_what_led_to_it() {
    on_page("cone", async |page| {
        let play = played("billing", None, &[]);
        let refused =
            play.tale.iter().find(|event| event.kind == EventKind::Refused).expect("a write is refused");
        page.click(&format!("[data-event='{}'] button", refused.n)).await;
        let expected: Vec<&str> = play
            .tale
            .iter()
            .map(|event| match event.record {
                record if record == refused.record => "here",
                record if play.trace.happened_before(record, refused.record) => "before",
                record if play.trace.happened_before(refused.record, record) => "after",
                _ => "beside",
            })
            .collect();
        for word in ["before", "beside", "after"] {
            assert!(expected.contains(&word), "the story has something {word} it");
        }
        page.becomes("the events", &expected, async || {
            Vec::leak(page.attrs("#events tr[data-event]", "data-reach").await)
                .iter()
                .map(String::as_str)
                .collect()
        })
        .await;
        page.shot("look-cone").await;
        page.keys("body", "\u{e00c}").await;
        page.becomes("nothing is looked at", &true, async || {
            page.attrs("#events tr[data-event]", "data-reach").await.iter().all(String::is_empty)
        })
        .await;
        page.click("#messages").await;
        page.shot("look-messages").await;
    });
}

/// Another play below the first: an edit is made to both, and where they part is marked.
#[test]
fn two_plays_are_compared_under_the_same_faults() {
    on_page("compare", async |page| {
        let without = ("store.billing.kind", "unfenced");
        page.choose("#compare", "store.billing.kind=unfenced").await;
        let below = async || page.text(".compared-verdict span").await;
        let one = played("billing", None, &[]);
        let other = played("billing", None, &[without]);
        page.becomes("the other verdict", &other.headline.sentence, below).await;
        let marked: Vec<String> =
            parting(&one, &other).one.iter().map(|place| (place + 1).to_string()).collect();
        assert!(!marked.is_empty());
        assert_eq!(page.attrs("#events tr[data-differs]", "data-event").await, marked);
        page.shot("look-compare").await;

        // A's pause is dragged above; the play below follows.
        let (block, second) = page.pause_block().await;
        let from = block.middle();
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, (from.0 - 0.6 * second, from.1), 6).await;
        page.lift(MOUSE).await;
        let at = page.value("[data-field='a-pause.at']").await;
        page.tells("billing", None, &[("fault.a-pause.at", &at)]).await;
        let other = played("billing", None, &[("fault.a-pause.at", &at), without]);
        page.becomes("the other verdict", &other.headline.sentence, below).await;
        assert!(
            page.text("#parting").await.starts_with("They part at")
                || page.text("#parting").await == "Nothing else happens"
        );

        // Another lock service, and one that cannot serve is said why.
        page.choose("#compare", "lock.kind=redis").await;
        let other = played("billing", None, &[("fault.a-pause.at", &at), ("lock.kind", "redis")]);
        page.becomes("the other verdict", &other.headline.sentence, below).await;
        page.click("#compare-close").await;
        page.becomes("closed", &0, async || page.texts(".compared-verdict").await.len()).await;
    });
}
