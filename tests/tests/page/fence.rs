//! The fence switch.

use fantoccini::key::Key;

use crate::driver::on_page;

const SWITCH: &str = "#fence-switch";

/// Without the fence the store charges what it gets: the same history, and 5,000 invoices are charged twice.
#[test]
fn without_the_fence_5000_invoices_are_charged_twice() {
    on_page("fence", async |page| {
        assert_eq!(page.attr(SWITCH, "aria-checked").await, "true");
        page.click(SWITCH).await;
        page.says("1 stale write accepted: 5,000 invoices charged twice.").await;
        assert_eq!(page.attr(SWITCH, "aria-checked").await, "false");
        assert_eq!(page.attr("#verdict svg", "aria-label").await, "Harm:");
        page.tells("billing", Some("unfenced"), &[]).await;
        page.click(SWITCH).await;
        page.tells("billing", None, &[]).await;
        assert_eq!(page.attr(SWITCH, "aria-checked").await, "true");
    });
}

/// The switch is a button, so the space bar turns it too, and does not set the story playing.
#[test]
fn the_space_bar_turns_the_switch() {
    on_page("space", async |page| {
        page.keys(SWITCH, " ").await;
        page.tells("billing", Some("unfenced"), &[]).await;
        assert_eq!(page.attr("#play", "aria-label").await, "Play");
        page.keys(SWITCH, &Key::Enter).await;
        page.tells("billing", None, &[]).await;
    });
}
