//! A's pause under the mouse: every move plays the history again.

use crate::driver::on_page;
use crate::hand::{PAUSE, Pointer};

const MOUSE: Pointer = Pointer::Mouse;
const NOT_SENT: &str = "No invoice was charged twice. No stale write was sent.";

/// A's last check of its stop time is at 3.9 s. A pause that begins before it cannot hide the lease's end from A: it
/// wakes, looks, and lets go. The verdict turns while the pointer is still down, and turns back with it.
#[test]
fn a_pause_dragged_before_the_check_leaves_no_stale_write() {
    on_page("drag", async |page| {
        let (block, second) = page.pause_block().await;
        let from = block.middle();
        let end = (from.0 - 0.6 * second, from.1 + 3.0);
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, end, 6).await;
        page.says(NOT_SENT).await;
        let began: f64 = page.attr(PAUSE, "aria-valuenow").await.parse().unwrap();
        assert!((3_200.0..3_900.0).contains(&began), "the pause begins at {began} ms");
        let at = page.value("[data-field='a-pause.at']").await;
        assert_eq!(page.value("[data-field='a-pause.for']").await, "15s", "moved, not stretched");
        page.tells("billing", None, &[("fault.a-pause.at", &at)]).await;

        page.pull(MOUSE, end, from, 6).await;
        page.tells("billing", None, &[]).await;
        page.lift(MOUSE).await;
        assert_eq!(page.attr(PAUSE, "aria-valuetext").await, "pause of A from 4 s to 19 s");
    });
}

/// A drag is one thing that was done, however many moves it had: one undo takes it back, one redo does it again.
#[test]
fn a_drag_is_undone_at_once() {
    on_page("undo", async |page| {
        let (block, second) = page.pause_block().await;
        let (from, end) = (block.middle(), (block.middle().0 - 0.8 * second, block.middle().1));
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, end, 8).await;
        page.lift(MOUSE).await;
        page.says(NOT_SENT).await;
        let at = page.value("[data-field='a-pause.at']").await;

        page.click("#undo").await;
        page.tells("billing", None, &[]).await;
        page.becomes("undo", &"true".into(), async || page.prop("#undo", "disabled").await).await;
        page.click("#redo").await;
        page.tells("billing", None, &[("fault.a-pause.at", &at)]).await;
        page.click("#reset").await;
        page.tells("billing", None, &[]).await;
    });
}

/// Undone in the middle, a drag lets go: what the pointer does then is nothing any more.
#[test]
fn undo_in_the_middle_of_a_drag_lets_go() {
    on_page("undo-held", async |page| {
        let (block, second) = page.pause_block().await;
        let (from, end) = (block.middle(), (block.middle().0 - 0.8 * second, block.middle().1));
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, end, 4).await;
        page.says(NOT_SENT).await;
        let undo = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))";
        page.run(undo, vec![]).await;
        page.tells("billing", None, &[]).await;
        page.pull(MOUSE, end, (end.0 - second, end.1), 4).await;
        page.tells("billing", None, &[]).await;
        page.lift(MOUSE).await;
        assert_eq!(page.prop("#undo", "disabled").await, "true");
        page.click("#redo").await;
        page.says(NOT_SENT).await;
    });
}

/// A pause whose end is dragged to the left is shorter: A wakes while its lease still holds, and its chunk is not stale.
#[test]
fn the_end_of_a_pause_is_dragged_by_its_edge() {
    on_page("stretch", async |page| {
        let (block, second) = page.pause_block().await;
        let from = (block.x + block.w - 2.0, block.middle().1);
        let end = (from.0 - 10.0 * second, from.1);
        page.press(MOUSE, from).await;
        page.pull(MOUSE, from, end, 20).await;
        page.lift(MOUSE).await;
        page.says(NOT_SENT).await;
        assert_eq!(page.value("[data-field='a-pause.at']").await, "4s", "stretched, not moved");
        let length = page.value("[data-field='a-pause.for']").await;
        let seconds: f64 = length.trim_end_matches("ms").trim_end_matches('s').parse().unwrap();
        assert!((4.0..6.0).contains(&seconds) || (4_000.0..6_000.0).contains(&seconds), "{length}");
        page.tells("billing", None, &[("fault.a-pause.for", &length)]).await;
    });
}
