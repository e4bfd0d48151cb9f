//! What was tried is kept: beside one another, and when another story is opened.

use fencepost_tests::played;

use crate::driver::on_page;
use crate::hand::PAUSE;

/// What was tried stays: going back and changing something else keeps both ways.
#[test]
fn tries_are_kept_beside_one_another() {
    on_page("tries", async |page| {
        page.choose("#compare", "").await;
        page.click("#fence-switch").await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        page.click("#undo").await;
        page.keys(PAUSE, "\u{e017}").await; // Delete
        let without = played("billing", None, &[("fault.a-pause.enabled", "false")]);
        page.says(&without.headline.sentence).await;
        page.click("#tab-tries").await;
        let rows = async || page.texts("#tries .tries b").await;
        page.becomes(
            "the tries",
            &[
                "as the story tells it",
                "without fault.a-pause, and one change more",
                "store.billing.kind: fenced-row, now unfenced",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows,
        )
        .await;
        page.click("[data-do='open 1']").await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        page.becomes(
            "the open one",
            &"store.billing.kind: fenced-row, now unfenced".to_owned(),
            async || page.text("#tries [aria-current] b").await,
        )
        .await;
        assert_eq!(
            page.run("return document.activeElement.dataset.do", vec![]).await,
            "open 1",
            "the focus stays"
        );
        page.click("[data-do='beside 2']").await;
        page.becomes("compared", &without.headline.sentence, async || {
            page.text(".compared-verdict span").await
        })
        .await;
        page.shot("look-tries").await;
    });
}

/// Another story takes nothing away: what was edited, and a text that was no good yet, can be gone back to.
#[test]
fn what_is_left_for_another_story_stays() {
    on_page("left", async |page| {
        page.click("#fence-switch").await;
        let unfenced = [("store.billing.kind", "unfenced")];
        page.tells("billing", None, &unfenced).await;
        page.click("#tab-words").await;
        page.keys("#document", "~~").await;
        page.choose("#story", "redis-failover").await;
        page.tells("redis-failover", None, &[]).await;
        page.becomes("no step to undo", &"true".to_owned(), async || page.prop("#undo", "disabled").await)
            .await;
        assert!(!page.value("#document").await.contains("~~"), "the text is that of the story");

        page.click("#tab-tries").await;
        page.click("[data-do='back 0']").await;
        page.tells("billing", None, &unfenced).await;
        page.click("#tab-words").await;
        assert!(page.value("#document").await.contains("~~"), "what was typed is there again");

        // Chosen from the list it is as the story tells it, with the other way beside it.
        page.choose("#story", "redis-failover").await;
        page.tells("redis-failover", None, &[]).await;
        page.choose("#story", "billing").await;
        page.tells("billing", None, &[]).await;
        assert!(page.text(".notice").await.contains("Tries"));
        page.click("#redo").await;
        page.tells("billing", None, &unfenced).await;
    });
}
