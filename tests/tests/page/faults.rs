//! A fault without a mouse: by keyboard, by touch, and through its fields.

use fantoccini::key::Key;

use crate::driver::on_page;
use crate::hand::{PAUSE, Pointer};
use crate::looks::settles;

const AT: &str = "[data-field='a-pause.at']";
const FOR: &str = "[data-field='a-pause.for']";
const NOT_SENT: &str = "No invoice was charged twice. No stale write was sent.";

/// Arrow keys move the fault that has the focus by 0.1 s, with Shift by 1 s, and with Alt they move its end.
#[test]
fn arrow_keys_move_and_stretch_a_fault() {
    on_page("arrows", async |page| {
        page.keys(PAUSE, &format!("{}{}", Key::Left, Key::Left)).await;
        page.says(NOT_SENT).await;
        assert_eq!(page.attr(PAUSE, "aria-valuetext").await, "pause of A from 3.8 s to 18.8 s");
        page.tells("billing", None, &[("fault.a-pause.at", "3.8s")]).await;
        page.keys(PAUSE, &format!("{}{}", Key::Right, Key::Right)).await;
        page.tells("billing", None, &[]).await;
        page.keys(PAUSE, &format!("{}{}", Key::Shift, Key::Right)).await;
        page.tells("billing", None, &[("fault.a-pause.at", "5s")]).await;
        page.keys(PAUSE, &format!("{}{}", Key::Shift, Key::Left)).await;
        page.keys(PAUSE, &format!("{}{}", Key::Alt, Key::Left)).await;
        page.tells("billing", None, &[("fault.a-pause.for", "14.9s")]).await;
        assert_eq!(page.attr(PAUSE, "aria-valuetext").await, "pause of A from 4 s to 18.9 s");
        // The focus stayed where it was, though everything around it was played and laid out again.
        let focused = "return document.activeElement.dataset.fault";
        assert_eq!(page.run(focused, vec![]).await, "a-pause");
    });
}

/// A finger that comes down on a fault moves it, as the mouse does, and does not scroll the page. On a phone.
#[test]
fn a_finger_drags_a_fault() {
    on_page("finger", async |page| {
        page.resize(390, 844).await;
        page.shown("the narrow page", "return innerWidth === 390").await;
        settles(&page).await;
        let (block, second) = page.pause_block().await;
        let scrolled = page.number("return scrollY").await;
        let from = block.middle();
        // Slanted, as fingers move: the page must not take it for a scroll.
        let end = (from.0 - 1.5 * second, from.1 + 30.0);
        page.press(Pointer::Finger, from).await;
        page.pull(Pointer::Finger, from, end, 10).await;
        page.says(NOT_SENT).await;
        page.lift(Pointer::Finger).await;
        assert_eq!(page.number("return scrollY").await, scrolled);
        let at = page.value(AT).await;
        page.tells("billing", None, &[("fault.a-pause.at", &at)]).await;
    });
}

/// Elsewhere on the timeline a finger scrolls the page, as everywhere: a picture that fills a phone must not trap it.
#[test]
fn a_finger_beside_the_faults_scrolls_the_page() {
    on_page("scroll", async |page| {
        page.resize(390, 844).await;
        page.shown("the narrow page", "return innerWidth === 390").await;
        settles(&page).await;
        let (block, second) = page.pause_block().await;
        let from = (block.x + 35.0 * second, block.middle().1);
        page.press(Pointer::Finger, from).await;
        page.pull(Pointer::Finger, from, (from.0, from.1 - 200.0), 20).await;
        page.lift(Pointer::Finger).await;
        page.shown("the page further down", "return scrollY > 50").await;
        page.tells("billing", None, &[]).await;
    });
}

/// The fields take exact figures; a bare number counts as seconds.
#[test]
fn a_field_takes_an_exact_instant() {
    on_page("field", async |page| {
        page.fill(AT, "2s").await;
        page.tells("billing", None, &[("fault.a-pause.at", "2s")]).await;
        assert_eq!(page.attr(PAUSE, "aria-valuetext").await, "pause of A from 2 s to 17 s");
        page.fill(AT, "3950ms").await;
        page.tells("billing", None, &[("fault.a-pause.at", "3950ms")]).await;
        page.fill(AT, "4").await;
        page.tells("billing", None, &[]).await;
        page.fill(FOR, "5.5").await;
        page.tells("billing", None, &[("fault.a-pause.for", "5.5s")]).await;
    });
}

/// What cannot be read is refused with a message; the page keeps the last good document, and the field shows it.
#[test]
fn nonsense_in_a_field_is_refused_and_changes_nothing() {
    on_page("nonsense", async |page| {
        page.fill(AT, "2s").await;
        let good = page.tells("billing", None, &[("fault.a-pause.at", "2s")]).await;
        for (nonsense, told) in [("soon", "soon"), ("-3s", "-3s"), ("99999h", "h"), ("1s'", "1s'")] {
            page.fill(AT, nonsense).await;
            page.shown("the message", "return document.querySelector('#refusal p').hidden === false").await;
            let message = page.text("#refusal").await;
            assert!(message.contains("Not done") && message.contains(told), "{nonsense}: {message}");
            assert_eq!(page.value(AT).await, "2s", "{nonsense}: the field shows what the document has");
            page.says(&good.headline.sentence).await;
            page.click("#refusal button").await;
            page.shown("no message", "return document.querySelector('#refusal p').hidden").await;
        }
        page.tells("billing", None, &[("fault.a-pause.at", "2s")]).await;
    });
}

/// A fault that is switched off does not strike, and comes back when it is switched on.
#[test]
fn a_fault_is_switched_off_and_on() {
    on_page("switched", async |page| {
        page.click("[data-field='a-pause.enabled']").await;
        page.tells("billing", None, &[("fault.a-pause.enabled", "false")]).await;
        page.click("[data-field='a-pause.enabled']").await;
        page.tells("billing", None, &[]).await;
    });
}
