//! The gallery: every story as a card with its picture and what came of it; found, opened and left by keyboard.

use fantoccini::key::Key;
use fencepost_tests::played;
use scenario::{Document, stories};

use crate::driver::on_page;
use crate::page::{Page, SENTENCE};

const OPEN: &str = "return document.querySelector('#gallery').open";
const FOCUS: &str = "return document.activeElement.id || document.activeElement.dataset.do || ''";

pub(crate) async fn open(page: &Page) {
    page.click("#gallery-open").await;
    page.shown("the gallery", OPEN).await;
}

/// Waits until every card says what came of its story.
pub(crate) async fn played_through(page: &Page) {
    let silent = "const all = [...document.querySelectorAll('.story-verdict')]; return all.length > 0 && all.every(e => e.textContent !== '')";
    page.shown("a verdict on each card", silent).await;
}

async fn shown_cards(page: &Page) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.story-card')].filter(e => e.offsetParent).map(e => e.dataset.story)";
    page.strings(script, vec![]).await
}

/// Each card has the story's title, its kinds, what a native play of it comes to, and a picture that is not empty.
#[test]
fn every_story_is_a_card_with_its_picture_and_what_came_of_it() {
    on_page("gallery", async |page| {
        open(&page).await;
        played_through(&page).await;
        let mut cards = page.attrs(".story-card", "data-story").await;
        for story in &cards {
            let play = played(story, None, &[]);
            let card = format!("[data-story='{story}']");
            assert_eq!(page.text(&format!("{card} h4")).await, play.scenario.title);
            assert_eq!(page.text(&format!("{card} .story-verdict")).await, play.headline.sentence);
            let kinds = page.text(&format!("{card} .hint")).await;
            let document = Document::parse(scenario::story(story).unwrap().text).unwrap();
            assert!(kinds.starts_with(&document.get("lock.kind").unwrap().replace('-', " ")), "{kinds}");
        }
        cards.sort_unstable();
        let mut known: Vec<String> = stories().iter().map(|story| story.name.to_owned()).collect();
        known.sort_unstable();
        assert_eq!(cards, known);

        // Nothing had to move for a verdict to come in.
        let moved = "const list = document.querySelector('.gallery-list'), verdicts = [...document.querySelectorAll('.story-verdict')];
            const height = list.scrollHeight, texts = verdicts.map(e => e.textContent);
            verdicts.forEach(e => { e.textContent = ''; });
            const moved = height - list.scrollHeight;
            verdicts.forEach((e, i) => { e.textContent = texts[i]; });
            return moved";
        assert!(page.number(moved).await.abs() < 1.0);

        // A picture has the colours of several things.
        let pictures = "return [...document.querySelectorAll('.story-card canvas')].map(canvas => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const seen = new Map();
            for (let i = 0; i < data.length; i += 4)
                if (data[i + 3] > 250) {
                    const colour = `${data[i]},${data[i + 1]},${data[i + 2]}`;
                    seen.set(colour, (seen.get(colour) ?? 0) + 1);
                }
            const often = [...seen.entries()].filter(([, count]) => count > 20);
            return often.length > 2 ? JSON.stringify([...seen.entries()]) : '';
        })";
        let pictures = page.strings(pictures, vec![]).await;
        assert!(pictures.iter().all(|picture| !picture.is_empty()), "a picture shows nothing");
    });
}

/// Never all in one frame, and each once: opened again, the gallery plays nothing.
#[test]
fn stories_are_played_one_a_frame_and_only_once() {
    on_page("gallery-frames", async |page| {
        page.open("?measure").await;
        let count = "return performance.getEntriesByName('face').length";
        assert_eq!(page.number(count).await, 0.0, "nothing is played before it is opened");
        // Two faces within a frame would be found at the same frame's count.
        page.run(
            "window.perFrame = []; let before = 0;
             const look = () => {
                 const now = performance.getEntriesByName('face').length;
                 window.perFrame.push(now - before); before = now;
                 requestAnimationFrame(look);
             };
             requestAnimationFrame(look);",
            vec![],
        )
        .await;
        open(&page).await;
        played_through(&page).await;
        assert_eq!(page.number(count).await as usize, stories().len());
        assert_eq!(page.number("return Math.max(...window.perFrame)").await, 1.0);
        page.click("#gallery-close").await;
        open(&page).await;
        let painted =
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))";
        page.client.execute_async(painted, vec![]).await.expect("frames come");
        assert_eq!(page.number(count).await as usize, stories().len());
    });
}

#[test]
fn words_leave_those_stories_that_have_them() {
    on_page("gallery-filter", async |page| {
        open(&page).await;
        assert_eq!(shown_cards(&page).await.len(), stories().len());
        page.keys("#gallery-filter", "redis").await;
        let found = shown_cards(&page).await;
        assert!(
            found.contains(&"redis-failover".to_owned()) && !found.contains(&"billing".to_owned()),
            "{found:?}"
        );
        page.keys("#gallery-filter", " FAILOVER").await;
        assert_eq!(shown_cards(&page).await, ["redis-failover"]);
        let headings =
            "return [...document.querySelectorAll('#gallery h3')].filter(e => e.offsetParent).length";
        assert_eq!(page.number(headings).await, 1.0, "a heading without cards is not shown");
        page.keys("#gallery-filter", " nowhere").await;
        assert!(shown_cards(&page).await.is_empty());
        assert_eq!(page.text("#gallery-none").await, "No story has all these words.");
    });
}

/// From the keyboard alone: opened, looked through, left with Escape, and a story chosen; the focus comes back.
#[test]
fn the_keyboard_opens_it_chooses_and_leaves() {
    on_page("gallery-keys", async |page| {
        page.keys("#gallery-open", &Key::Enter.to_string()).await;
        page.shown("the gallery", OPEN).await;
        assert_eq!(page.run(FOCUS, vec![]).await, "gallery-title");
        let keys = async |key: &str| {
            let focused = page.client.active_element().await.expect("something has the focus");
            focused.send_keys(key).await.expect("it takes keys");
        };
        keys(&Key::Tab.to_string()).await;
        assert_eq!(page.run(FOCUS, vec![]).await, "gallery-filter");
        keys(&Key::Escape.to_string()).await;
        page.shown("the page", "return !document.querySelector('#gallery').open").await;
        assert_eq!(page.run(FOCUS, vec![]).await, "gallery-open");

        // An edit of the story that is open is not thrown away by choosing it again.
        page.click("#fence-switch").await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        open(&page).await;
        assert_eq!(page.attrs(".story-card[aria-current]", "data-story").await, ["billing"]);
        page.keys("[data-do='open billing']", &Key::Enter.to_string()).await;
        page.tells("billing", None, &[("store.billing.kind", "unfenced")]).await;
        open(&page).await;
        page.keys("[data-do='open redlock']", &Key::Enter.to_string()).await;
        page.tells("redlock", None, &[]).await;
        assert_eq!(page.run(OPEN, vec![]).await, false);
        assert_eq!(page.value("#story").await, "redlock");
        assert_eq!(page.run(FOCUS, vec![]).await, "gallery-open");
        assert_eq!(page.text(SENTENCE).await, played("redlock", None, &[]).headline.sentence);
    });
}
