//! The pickers: every story and every variant, each as a native play of it says.

use fencepost_tests::{case, cases};

use crate::driver::on_page;
use crate::page::{Page, SENTENCE};

async fn open(page: &Page, story: &str, variant: Option<&str>) {
    page.choose("#story", story).await;
    page.choose("#variant", variant.unwrap_or_default()).await;
    page.tells(story, variant, &[]).await;
}

/// The article's client: without a fence its late write is accepted, in the fenced variant it is refused, and back.
#[test]
fn the_picker_turns_to_another_story_its_variant_and_back() {
    on_page("picker", async |page| {
        open(&page, "kleppmann-gc-pause", None).await;
        let harm = page.text(SENTENCE).await;
        assert!(harm.starts_with("1 stale write accepted"), "{harm}");
        assert_eq!(page.attr("#fence-switch", "aria-checked").await, "false");
        let names: Vec<String> =
            case("kleppmann-gc-pause", None).document.variants().into_iter().map(|(name, _)| name).collect();
        assert_eq!(page.attrs("#variant option", "value").await[1..], names);

        open(&page, "kleppmann-gc-pause", Some("fenced")).await;
        let held = page.text(SENTENCE).await;
        assert!(held.contains("refused"), "{held}");
        assert_eq!(page.attr("#fence-switch", "aria-checked").await, "true");
        // The fence switch is the other way to the same document.
        page.click("#fence-switch").await;
        page.says(&harm).await;

        open(&page, "kleppmann-gc-pause", None).await;
        open(&page, "billing", None).await;
    });
}

/// Every built-in story and every variant opens, and says in the browser what it says natively.
#[test]
fn every_story_and_variant_is_told_as_it_is_natively() {
    on_page("cases", async |page| {
        for case in cases() {
            open(&page, case.story, case.variant.as_deref()).await;
        }
    });
}
