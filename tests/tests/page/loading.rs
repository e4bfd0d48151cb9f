//! What is there when the page has loaded.

use fencepost_tests::played;

use crate::driver::{dist, in_browser, on_page};
use crate::page::SENTENCE;
use crate::site::Site;

/// A newcomer opens the page: it has played the billing story and says what came of it, before anything is touched.
#[test]
fn the_page_opens_on_the_billing_story_and_its_verdict() {
    on_page("opens", async |page| {
        assert_eq!(page.client.title().await.unwrap(), "Fencepost: leases, locks and fencing tokens");
        let sentence = page.text(SENTENCE).await;
        assert!(sentence.starts_with("No invoice was charged twice."), "{sentence}");
        assert!(sentence.contains("stale chunk was refused at 19.05 s"), "{sentence}");
        assert_eq!(page.attr("#verdict svg", "aria-label").await, "Held:");
        page.tells("billing", None, &[]).await;
        // It opens on the instant on which the story turns.
        assert_eq!(page.attr("#playhead", "aria-valuenow").await, "19050");
        assert!(page.text("[data-event][aria-current]").await.contains("19.05"));
    });
}

/// The event table is a real table: a head, and a row for each event with its instant and a sentence; each row knows
/// who it is about.
#[test]
fn every_event_of_the_story_is_a_row_of_a_table() {
    on_page("events", async |page| {
        assert_eq!(page.attrs("#events thead th", "scope").await, ["col"; 2]);
        let tale = played("billing", None, &[]).tale;
        assert!(tale.len() >= 24, "the story has 24 numbered events");
        let instants: Vec<f64> = page
            .texts("#events tbody td:first-child")
            .await
            .iter()
            .map(|text| text.parse().expect("an instant is a number of seconds"))
            .collect();
        let true_instants: Vec<f64> =
            tale.iter().map(|event| (event.at.as_micros() as f64 / 1_000.0).round() / 1_000.0).collect();
        assert_eq!(instants, true_instants);
        let play = played("billing", None, &[]);
        let names: Vec<&str> = play.tale.iter().map(|event| play.name(event.process)).collect();
        assert_eq!(page.attrs("#events tbody tr", "data-process").await, names);
    });
}

/// The picture is painted on a canvas, which tells nothing to whoever cannot see it: so each fault is a control with a
/// name and a value, each lane has its caption as text, and nothing that can be used is without a name.
#[test]
fn what_the_canvas_shows_is_there_as_elements_too() {
    on_page("elements", async |page| {
        let play = played("billing", None, &[]);
        let ids: Vec<&str> = play.cast.faults.iter().map(|fault| &*fault.id).collect();
        let names: Vec<&str> = play.cast.faults.iter().map(|fault| fault.text.as_str()).collect();
        assert_eq!(page.attrs("[data-fault]", "data-fault").await, ids);
        assert_eq!(page.attrs("[data-fault]", "aria-label").await, names);
        assert!(page.attrs("[data-fault]", "role").await.iter().all(|role| role == "slider"));
        assert_eq!(
            page.attr("[data-fault='a-pause']", "aria-valuetext").await,
            "pause of A from 4 s to 19 s"
        );
        assert_eq!(page.attr("[data-fault='a-pause']", "aria-valuenow").await, "4000");
        let captions = page.texts(".caption b").await;
        let members: Vec<&str> = play.cast.members.iter().map(|member| &*member.name).collect();
        assert_eq!(captions, members);
        let nameless = "return [...document.querySelectorAll(
                'button, select, input, [role=slider], [role=switch], [tabindex=\"0\"]')]
            .filter(e => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')
                || e.closest('label')?.textContent.trim() || e.textContent.trim()))
            .map(e => e.outerHTML)";
        assert_eq!(page.strings(nameless, vec![]).await, [""; 0], "everything that can be used has a name");
    });
}

/// The page is complete in itself: it loads nothing from anywhere else, and nothing that it asks for is missing.
#[test]
fn nothing_is_loaded_from_elsewhere() {
    on_page("alone", async |page| {
        let loaded = "return performance.getEntriesByType('resource').map(entry => entry.name)";
        let loaded = page.strings(loaded, vec![]).await;
        assert!(loaded.iter().any(|name| name.ends_with(".wasm")), "{loaded:?}");
        let foreign: Vec<_> = loaded.iter().filter(|name| !name.starts_with(&page.address)).collect();
        assert!(foreign.is_empty(), "{foreign:?}");
    });
}

/// A browser that does not run the program says so, where the verdict would be.
#[test]
fn a_program_that_does_not_start_is_told() {
    let no_wasm = Site { policy: Some("script-src 'self' 'unsafe-inline'"), ..Site::of(dist()) };
    in_browser("no-start", no_wasm, async |page| {
        page.client.goto(&page.address).await.expect("the page is served");
        page.shown(
            "why there is nothing",
            "return document.querySelector('.shell').textContent.includes('Fencepost could not start.')",
        )
        .await;
        page.shot("look-no-start").await;
        assert!(!page.console_errors().await.is_empty(), "the browser has told it too");
    });
}
