//! What is open travels in the address; a link that cannot be read and a play that breaks off lose nothing.

use fencepost_tests::{case, played};
use scenario::link::Link;

use crate::driver::on_page;
use crate::hand::PAUSE;
use crate::page::Page;

/// Goes to another address of the page, with everything loaded anew.
async fn load(page: &Page, address: &str) {
    page.client.goto("about:blank").await.expect("nothing is always there");
    page.open(address).await;
}

async fn fragment(page: &Page) -> String {
    page.run("return location.hash.slice(1)", vec![]).await.as_str().unwrap_or_default().to_owned()
}

/// Every change is soon in the address; what was copied opens as it was, elsewhere and in the open page.
#[test]
fn an_address_takes_everything_along() {
    on_page("links", async |page| {
        assert_eq!(fragment(&page).await, "", "an address that nobody asked for stays as it is");
        page.click("#fence-switch").await;
        page.keys(PAUSE, "\u{e014}").await; // arrow right
        page.click("#tab-why").await;
        page.click("#to-end").await;
        let expected = "v=1&story=billing&at=60s&fault=a-pause&tab=why&=store.billing.kind=unfenced&=fault.a-pause.at=4.1s";
        page.becomes("the address", &expected.to_owned(), async || fragment(&page).await).await;
        let edits = [("store.billing.kind", "unfenced"), ("fault.a-pause.at", "4.1s")];

        // Elsewhere: nothing of this browser's own is needed.
        page.run("localStorage.clear()", vec![]).await;
        load(&page, &format!("#{expected}")).await;
        page.tells("billing", None, &edits).await;
        assert_eq!(page.attr("#playhead", "aria-valuenow").await, "60000");
        assert_eq!(page.attr("#tab-why", "aria-selected").await, "true");
        page.click("#undo").await;
        page.tells("billing", None, &[]).await;
        page.click("#redo").await;

        // Pasted into the address of the open page.
        page.run(
            "location.hash = '#v=1&story=redis&variant=' + arguments[0]",
            vec![case_variant("redis").into()],
        )
        .await;
        page.tells("redis", Some(&case_variant("redis")), &[]).await;
        assert_eq!(page.value("#story").await, "redis");
    });
}

fn case_variant(story: &str) -> String {
    case(story, None).document.variants().first().expect("it has variants").0.clone()
}

/// Links that cannot be opened say why, and what is open stays.
#[test]
fn a_bad_link_is_refused_and_nothing_is_lost() {
    on_page("bad-links", async |page| {
        page.click("#fence-switch").await;
        let edits = [("store.billing.kind", "unfenced")];
        page.tells("billing", None, &edits).await;
        for (link, why) in [
            ("v=1&story=biling", "did you mean `billing`?"),
            ("v=7&story=billing", "the link is of version 7"),
            ("v=1&story=billing&=lock.ttl=never", "lock.ttl"),
            ("v=1&story=billing&-fault.nobody", "there is nothing to remove"),
        ] {
            page.run("location.hash = arguments[0]", vec![link.into()]).await;
            page.becomes(link, &true, async || page.text("#refusal span").await.contains(why)).await;
            page.tells("billing", None, &edits).await;
            page.click("#refusal button").await;
        }
        // On a fresh load as well: what was being edited is there.
        load(&page, "#v=1&story=biling").await;
        page.becomes("why", &true, async || {
            page.text("#refusal span").await.contains("did you mean `billing`?")
        })
        .await;
        page.tells("billing", None, &edits).await;
        // Somebody else's link does not drop what was being edited: it is a try beside it.
        load(&page, "#v=1&story=billing&=fault.a-pause.for=8s").await;
        page.tells("billing", None, &[("fault.a-pause.for", "8s")]).await;
        page.click("#tab-tries").await;
        page.becomes("both", &true, async || {
            page.texts("#tries .tries b")
                .await
                .contains(&"store.billing.kind: fenced-row, now unfenced".to_owned())
        })
        .await;
        page.click("[data-do='open 1']").await;
        page.tells("billing", None, &edits).await;
    });
}

/// A mistake of our own in a play: the page says so, with a link that does it again, and goes on with what was good.
#[test]
fn a_play_that_panics_is_told_and_lost_is_nothing() {
    on_page("mishap", async |page| {
        load(&page, "?mishap").await;
        page.click("#fence-switch").await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        page.click("#tab-words").await;
        let script = "const area = document.querySelector('#document');
            area.value = area.value.replace(/title += .*/, 'title = \"mishap\"');
            area.dispatchEvent(new Event('input', { bubbles: true }));";
        // The panic ends the handler that played.
        let _ = page.client.execute(script, vec![]).await;
        page.becomes("the message", &true, async || {
            page.texts(".mishap pre")
                .await
                .first()
                .is_some_and(|said| said.contains("a mishap was asked for"))
        })
        .await;
        page.shot("look-mishap").await;
        let again = page.attr(".mishap a", "href").await;
        let link = Link::parse(&again).expect("the link can be read");
        assert_eq!(link.document().expect("it leads to a document").get("title").as_deref(), Some("mishap"));
        page.click("#go-on").await;
        page.shown("the page again", "return document.querySelector('.mishap') === null && document.querySelector('#verdict .verdict-sentence') !== null").await;
        let other = played("billing", None, &[("store.billing.kind", "unfenced")]);
        page.shows("what was good", &other).await;
        let _ = page.console_errors().await;
    });
}
