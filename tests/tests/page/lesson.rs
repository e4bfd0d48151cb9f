//! Lessons: a step after the other with a sentence each, a prediction before what comes of it is shown, and the way back.

use fantoccini::key::Key;
use fencepost_tests::{case, played};
use scenario::document::model::LessonStep;
use scenario::lesson::instant;

use crate::driver::on_page;
use crate::gallery;
use crate::page::{Page, SENTENCE};

const WAITS: &str = "What comes of it?";

fn steps(story: &str) -> Vec<LessonStep> {
    case(story, None).play().scenario.step
}

/// Waits until the page is at this step: its sentence, its number, the instant, the variant and the fault that it speaks of.
async fn at_step(page: &Page, story: &str, nth: usize) {
    let all = steps(story);
    let step = &all[nth];
    page.becomes("the sentence", &step.say, async || page.text("#lesson-say").await).await;
    assert_eq!(page.text("#lesson-progress").await, format!("{} of {}", nth + 1, all.len()));
    let play = case(story, step.variant.as_deref()).play();
    let at = (instant(&play, &step.at).unwrap().as_micros() + 500) / 1_000;
    page.becomes("the playhead", &at.to_string(), async || page.attr("#playhead", "aria-valuenow").await)
        .await;
    assert_eq!(page.value("#variant").await, step.variant.clone().unwrap_or_default());
    let selected = page.attrs(".fault-row[aria-current] [type=checkbox]", "data-field").await;
    let spoken_of: Vec<String> = step.fault.iter().map(|fault| format!("{fault}.enabled")).collect();
    assert_eq!(selected, spoken_of);
}

/// Goes on to a step, having every answer shown on the way.
async fn go_to(page: &Page, story: &str, nth: usize) {
    loop {
        let progress = page.text("#lesson-progress").await;
        let now: usize = progress.split(' ').next().unwrap().parse().unwrap();
        if now == nth + 1 {
            return at_step(page, story, nth).await;
        }
        if now < nth + 1 {
            if !page.attrs("[data-do='show']", "type").await.is_empty() {
                page.click("[data-do='show']").await;
            }
            page.click("#lesson-on").await;
        } else {
            page.click("#lesson-back").await;
        }
    }
}

/// What is hidden: the events after the playhead, and the picture to its right.
async fn hidden_events(page: &Page) -> usize {
    let script = "return [...document.querySelectorAll('#events tbody tr')]
        .filter(row => getComputedStyle(row).visibility === 'hidden').length";
    page.number(script).await as usize
}

/// The billing lesson from its first step: a question hides what comes next, a prediction shows it, and the way back is as
/// easy as the way on.
#[test]
fn a_lesson_asks_before_it_shows_and_goes_back_as_it_goes_on() {
    on_page("lesson", async |page| {
        assert_eq!(page.attr("#lesson-open", "aria-expanded").await, "false");
        page.click("#lesson-open").await;
        at_step(&page, "billing", 0).await;
        assert_eq!(page.attr("#lesson-open", "aria-expanded").await, "true");
        assert_eq!(page.prop("#lesson-back", "disabled").await, "true");
        assert_eq!(hidden_events(&page).await, 0);
        page.click("#lesson-on").await;
        at_step(&page, "billing", 1).await;

        // The question: nothing gives it away.
        let ask = steps("billing")[1].ask.clone().unwrap();
        page.says(WAITS).await;
        assert_eq!(page.text("#lesson-ask legend").await, ask.question);
        assert_eq!(page.texts(".lesson-option").await, ask.options);
        let play = played("billing", None, &[]);
        let later = play.tale.iter().filter(|event| event.at.as_micros() > 4_000_499).count();
        assert_eq!(hidden_events(&page).await, later);
        let veil = "return getComputedStyle(document.querySelector('.playhead'), '::after').content";
        assert_ne!(page.run(veil, vec![]).await, "none");
        // On does not go past it; nor does a prediction without a choice.
        page.click("#lesson-on").await;
        page.click("[data-do='predict']").await;
        at_step(&page, "billing", 1).await;
        page.says(WAITS).await;

        // A wrong prediction, made with the keyboard.
        page.keys(".lesson-option input", " ").await;
        page.keys("[data-do='predict']", &Key::Enter.to_string()).await;
        page.says(&play.headline.sentence).await;
        let outcome = page.text(".lesson-outcome").await;
        assert!(outcome.contains("Not as you expected.") && outcome.contains(&ask.because), "{outcome}");
        assert_eq!(page.texts(".lesson-outcome .right").await, [format!("{} (right)", ask.answer)]);
        assert_eq!(hidden_events(&page).await, 0);
        page.shown(
            "the focus on what came of it",
            "return document.activeElement.matches('.lesson-outcome')",
        )
        .await;

        // On, a right one, and back: what was answered stays answered.
        page.click("#lesson-on").await;
        at_step(&page, "billing", 2).await;
        page.click("#lesson-on").await;
        at_step(&page, "billing", 3).await;
        let ask = steps("billing")[3].ask.clone().unwrap();
        let right = ask.options.iter().position(|option| *option == ask.answer).unwrap();
        page.click(&format!(".lesson-option input[value='{right}']")).await;
        page.click("[data-do='predict']").await;
        page.becomes("the answer", &"As you expected.".to_owned(), async || {
            page.text(".lesson-outcome b").await
        })
        .await;
        page.click("#lesson-back").await;
        at_step(&page, "billing", 2).await;
        page.click("#lesson-back").await;
        at_step(&page, "billing", 1).await;
        assert!(page.text(".lesson-outcome").await.contains("Not as you expected."));
        page.says(&play.headline.sentence).await;

        // The step that shows a variant opens it; the one after goes back to the story.
        go_to(&page, "billing", 5).await;
        page.says(WAITS).await;
        page.click("[data-do='show']").await;
        page.tells("billing", Some("unfenced"), &[]).await;
        page.click("#lesson-on").await;
        at_step(&page, "billing", 6).await;
        page.tells("billing", None, &[]).await;
        // After the last one it begins anew.
        go_to(&page, "billing", 8).await;
        assert_eq!(page.text("#lesson-on").await, "Begin anew");
        page.click("#lesson-on").await;
        at_step(&page, "billing", 0).await;
        page.click("#lesson-on").await;
        page.says(WAITS).await;
    });
}

/// A lesson is left and entered again where one was: after a look at another story, and after the page was closed.
#[test]
fn a_lesson_is_left_and_entered_again_where_one_was() {
    on_page("lesson-again", async |page| {
        gallery::open(&page).await;
        page.click("[data-do='lesson dynamodb-item']").await;
        at_step(&page, "dynamodb-item", 0).await;
        go_to(&page, "dynamodb-item", 4).await;
        page.click("#lesson-leave").await;
        page.becomes("the panel", &"true".to_owned(), async || page.prop("#lesson", "hidden").await).await;
        let margin = played("dynamodb-item", Some("margin"), &[]);
        page.says(&margin.headline.sentence).await;
        page.choose("#story", "redis-failover").await;
        page.tells("redis-failover", None, &[]).await;
        page.click("#lesson-open").await;
        at_step(&page, "redis-failover", 0).await;
        go_to(&page, "redis-failover", 2).await;
        page.says(WAITS).await;

        // The page is closed in the middle of a question.
        page.client.refresh().await.unwrap();
        page.shown("the page", "return document.querySelector('#lesson-say') !== null").await;
        at_step(&page, "redis-failover", 2).await;
        page.says(WAITS).await;
        page.click("#lesson-back").await;
        at_step(&page, "redis-failover", 1).await;
        assert_eq!(page.attrs(".lesson-outcome", "tabindex").await, ["-1"], "it was answered before");
        page.choose("#story", "dynamodb-item").await;
        at_step(&page, "dynamodb-item", 4).await;
        // A story without steps has no lesson.
        page.choose("#story", "kleppmann-gc-pause").await;
        page.tells("kleppmann-gc-pause", None, &[]).await;
        page.becomes("the button", &"true".to_owned(), async || page.prop("#lesson-open", "hidden").await)
            .await;
        assert_eq!(page.prop("#lesson", "hidden").await, "true");
    });
}

/// An edit does not break the lesson: it says that it speaks of something else, keeps the edit, and leads back.
#[test]
fn an_edit_does_not_break_a_lesson() {
    on_page("lesson-edit", async |page| {
        page.click("#lesson-open").await;
        go_to(&page, "billing", 3).await;
        page.says(WAITS).await;
        let astray = async || page.prop(".lesson-astray", "hidden").await;
        assert_eq!(astray().await, "true");
        page.click("#fence-switch").await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        assert_eq!(astray().await, "false");
        page.click("#lesson-back").await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        assert_eq!(page.text("#lesson-say").await, steps("billing")[2].say);
        page.click("#lesson-on").await;
        page.click("#lesson-return").await;
        at_step(&page, "billing", 3).await;
        page.says(WAITS).await;
        assert_eq!(astray().await, "true");
        // The way back to the edit is undo.
        page.click("#undo").await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        page.click("#lesson-return").await;
        // The fault that the step speaks of can be taken out.
        page.keys("[data-fault='a-pause']", &Key::Delete.to_string()).await;
        page.becomes("the pause", &0, async || page.attrs("[data-fault='a-pause']", "role").await.len())
            .await;
        assert_eq!(astray().await, "false");
        assert_eq!(page.prop("#refusal p", "hidden").await, "true", "it was not refused");
        // Another variant is another story.
        page.click("#lesson-return").await;
        page.choose("#variant", "unfenced").await;
        page.tells("billing", Some("unfenced"), &[]).await;
        assert_eq!(astray().await, "false");
        page.click("#lesson-return").await;
        at_step(&page, "billing", 3).await;
        assert_ne!(page.text(SENTENCE).await, played("billing", None, &[]).headline.sentence);
    });
}
