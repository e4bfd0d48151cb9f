//! The page as a bench: what is set up, added, taken out and typed is played as a native play of the same document is.

use fantoccini::key::Key;
use fencepost_tests::case;
use kernel::Span;
use scenario::document::Dur;
use scenario::why::otherwise;
use scenario::{Document, play};

use crate::driver::on_page;
use crate::hand::{PAUSE, Pointer};
use crate::page::Page;

const DOCUMENT: &str = "#document";

/// Waits until the page shows what this document plays.
async fn plays(page: &Page, what: &str, document: &Document) {
    let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
    page.shows(what, &play(&scenario)).await;
}

fn billing() -> Document {
    case("billing", None).document
}

/// Puts a text into the editor, as typing does at its end.
async fn type_document(page: &Page, text: &str) {
    let script = "const area = document.querySelector(arguments[0]);
        area.focus();
        area.value = arguments[1];
        area.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run(script, vec![DOCUMENT.into(), text.into()]).await;
}

/// Lock service and store are chosen from lists with a line about each; the same faults strike, and undo comes back.
#[test]
fn another_lock_service_and_store_are_chosen_from_lists() {
    on_page("kinds", async |page| {
        page.click("#tab-setup").await;
        let kinds = page.attrs("[data-path='lock.kind'] option", "value").await;
        let mut known = billing().words("lock.kind");
        known.sort_unstable();
        let mut listed = kinds.clone();
        listed.sort_unstable();
        assert_eq!(listed, known, "every kind is in the list");
        page.choose("[data-path='lock.kind']", "zookeeper").await;
        page.tells("billing", None, &[("lock.kind", "zookeeper")]).await;
        let about = page.text("[data-section='lock'] .about-kind").await;
        assert!(about.starts_with("Sessions and ephemeral"), "{about}");
        // By the keyboard, as far as it takes: geckodriver takes the focus away from a list in which it has chosen.
        page.keys("[data-path='store.billing.kind']", "v").await;
        page.tells("billing", None, &[("lock.kind", "zookeeper"), ("store.billing.kind", "versioned-row")])
            .await;
        let focused = "return document.activeElement.dataset.path";
        assert_eq!(page.run(focused, vec![]).await, "store.billing.kind", "the focus stays where it was");
        page.click("#undo").await;
        page.click("#undo").await;
        page.tells("billing", None, &[]).await;
        // A quantity in a field, and what cannot be.
        page.fill("[data-path='worker.A.margin']", "4s").await;
        page.tells("billing", None, &[("worker.A.margin", "4s")]).await;
        page.fill("[data-path='lock.ttl']", "soon").await;
        let refusal = page.text("#refusal span").await;
        assert!(refusal.contains("lock.ttl: \"soon\" is not a duration"), "{refusal}");
        assert_eq!(page.value("[data-path='lock.ttl']").await, "10s");
    });
}

/// A fault is dragged from the palette onto a lane, doubled and taken out by keys, and added by a press.
#[test]
fn faults_are_added_doubled_and_taken_out() {
    on_page("palette", async |page| {
        page.run("document.querySelector('.palette').open = true", vec![]).await;
        let (_, second) = page.pause_block().await;
        // Both are in view at once, the palette below the timeline.
        let chip = page.place("[data-kind='crash']").await;
        let pause = page.seen(PAUSE).await;
        // Twenty seconds after A's pause began, in its lane: the grain may move it a little.
        let target = (pause.x + 20.0 * second, pause.middle().1);
        page.press(Pointer::Mouse, chip.middle()).await;
        page.pull(Pointer::Mouse, chip.middle(), target, 12).await;
        page.becomes("the aim", &"A".to_owned(), async || {
            page.text(".aim").await.split(',').next().unwrap_or_default().to_owned()
        })
        .await;
        page.lift(Pointer::Mouse).await;
        let at: Dur = page.value("[data-field='a-crash.at']").await.parse().unwrap();
        assert!(at.0.as_micros().abs_diff(24_000_000) < 500_000, "{at}");
        let mut document = billing();
        document.add_fault("crash", "A", at, Dur(Span::from_secs(6))).unwrap();
        plays(&page, "a crash of A", &document).await;

        // Keys on the pause: doubled six seconds later, then taken out.
        page.keys(PAUSE, "d").await;
        document.duplicate_fault("a-pause", Dur(Span::from_secs(6))).unwrap();
        plays(&page, "a second pause", &document).await;
        page.keys(PAUSE, &Key::Delete.to_string()).await;
        document.remove_fault("a-pause").unwrap();
        plays(&page, "without the first pause", &document).await;
        page.click("#undo").await;
        page.click("#undo").await;
        page.click("#undo").await;
        page.tells("billing", None, &[]).await;

        // By a press: whom the list says, at the playhead.
        page.choose("#add-whom", "B").await;
        page.click("#to-start").await;
        page.click("[data-kind='clock-rate']").await;
        let mut document = billing();
        document.add_fault("clock-rate", "B", Dur(Span::ZERO), Dur(Span::from_secs(6))).unwrap();
        plays(&page, "B's clocks run fast", &document).await;
    });
}

/// A good text is played as it is typed, with its comments; a bad one waits with what is wrong, and nothing is lost by a
/// reload.
#[test]
fn the_document_is_edited_as_text_and_survives_a_reload() {
    on_page("document", async |page| {
        page.click("#tab-words").await;
        let text = billing().to_toml();
        page.becomes("the text", &text, async || page.value(DOCUMENT).await).await;
        let shorter = text.replace("for  = \"15s\"", "for  = \"2s\"");
        type_document(&page, &shorter).await;
        page.tells("billing", None, &[("fault.a-pause.for", "2s")]).await;

        let wrong = shorter.replace("ttl              = \"10s\"", "ttl = \"ten\"");
        type_document(&page, &wrong).await;
        let line = text.lines().position(|line| line.starts_with("ttl ")).unwrap() + 1;
        let problems = page.texts(".problems li").await;
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(
            problems[0].starts_with(&format!("line {line}, lock.ttl: \"ten\" is not a duration")),
            "{problems:?}"
        );
        page.tells("billing", None, &[("fault.a-pause.for", "2s")]).await;
        page.click(".problems button").await;
        let selected = "const a = document.querySelector('#document'); return a.value.slice(a.selectionStart, a.selectionEnd)";
        assert_eq!(page.run(selected, vec![]).await, "ttl = \"ten\"");

        // Leaving the page keeps both: what is good, and what is not yet.
        page.client.refresh().await.unwrap();
        page.tells("billing", None, &[("fault.a-pause.for", "2s")]).await;
        page.click("#tab-words").await;
        page.becomes("the draft", &wrong, async || page.value(DOCUMENT).await).await;
        page.click("#document-problems .chip").await;
        page.becomes("the last good text", &shorter, async || page.value(DOCUMENT).await).await;

        // A drag writes into the text and leaves its comments.
        page.keys(PAUSE, &Key::Right.to_string()).await;
        let dragged = shorter.replacen("at   = \"4s\"", "at   = \"4.1s\"", 1);
        page.becomes("the dragged text", &dragged, async || page.value(DOCUMENT).await).await;
        page.click("#reset").await;
        page.tells("billing", None, &[]).await;
    });
}

/// Why is a chain of events, and each alternative on the page is what a native play of it says; pressed, it is taken up.
#[test]
fn why_leads_to_the_timeline_and_to_alternatives() {
    on_page("why", async |page| {
        page.click("#tab-why").await;
        let chain = page.texts("#why .chain:first-of-type li").await;
        assert!(
            chain.iter().any(|link| link.contains("13.50") && link.contains("which it could not know")),
            "{chain:?}"
        );
        page.click("#why .chain li:nth-child(4) button").await;
        page.becomes("the playhead", &"4000".to_owned(), async || {
            page.attr("#playhead", "aria-valuenow").await
        })
        .await;

        let document = billing();
        let expected = otherwise(&document, &play(&document.scenario().unwrap()));
        let heads: Vec<String> = expected.iter().map(|other| other.what.clone()).collect();
        page.becomes("the alternatives", &heads, async || page.texts("#why .otherwise b").await).await;
        let off = heads.iter().position(|what| what == "with the fence of billing off").unwrap();
        page.click(&format!("#why .otherwise li:nth-child({}) button", off + 1)).await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        page.click("#undo").await;
        page.tells("billing", None, &[]).await;
    });
}
