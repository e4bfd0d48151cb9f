//! The playhead: scrubbing, stepping, playing, and the state of each process where it stands.

use std::time::Duration;

use fantoccini::key::Key;
use fencepost_tests::played;
use kernel::{SimTime, Span};

use crate::driver::on_page;
use crate::hand::Pointer;
use crate::page::Page;

const PLAYHEAD: &str = "#playhead";

/// Where the playhead stands, in milliseconds.
async fn at(page: &Page) -> u64 {
    page.attr(PLAYHEAD, "aria-valuenow").await.parse().expect("an instant is a number")
}

/// What the page shows of an instant: its milliseconds.
fn shown(at: SimTime) -> u64 {
    (at.as_micros() + 500) / 1_000
}

async fn comes_to(page: &Page, millis: u64) {
    page.becomes("the playhead", &millis, async || at(page).await).await;
}

/// What the page says of a process.
async fn state_of(page: &Page, process: &str) -> Vec<String> {
    let script = "return [...document.querySelectorAll(`[data-process='${arguments[0]}'] :is(dt, dd)`)]
        .map(e => e.textContent.trim())";
    page.strings(script, vec![process.into()]).await
}

/// Waits until every process is shown in the state that the native world is in at that instant.
async fn shows_the_world_at(page: &Page, at: SimTime) {
    comes_to(page, shown(at)).await;
    let play = played("billing", None, &[]);
    for process in play.view(at).processes {
        let name = play.name(process.process).to_owned();
        let lines: Vec<String> = process.lines.into_iter().flat_map(|(name, value)| [name, value]).collect();
        page.becomes(&format!("{name} at {at:?}"), &lines, async || state_of(page, &name).await).await;
    }
}

/// Moves the playhead to the first event of this millisecond, by its row. Answers with its very instant.
async fn go_to_event(page: &Page, millis: u64) -> SimTime {
    let tale = played("billing", None, &[]).tale;
    let place = tale.iter().position(|event| shown(event.at) == millis);
    let place = place.unwrap_or_else(|| panic!("nothing happens at {millis} ms"));
    page.click(&format!("[data-event='{}'] button", place + 1)).await;
    comes_to(page, millis).await;
    tale[place].at
}

/// At 14 s A is frozen and still believes; n1 leads until it dies at 47 s, n2 from 49.1 s on. The states shown are those
/// of the simulated processes, not those of a summary.
#[test]
fn each_process_is_shown_as_it_is_at_the_playhead() {
    on_page("state", async |page| {
        let at = go_to_event(&page, 14_000).await;
        shows_the_world_at(&page, at).await;
        assert!(state_of(&page, "A").await.contains(&"holds job with token 7".into()));
        assert!(state_of(&page, "B").await.contains(&"holds job with token 12".into()));
        assert_eq!(page.text("[data-process='A'] .health").await, "stopped");
        let at = go_to_event(&page, 46_200).await;
        shows_the_world_at(&page, at).await;
        assert!(state_of(&page, "n1").await.contains(&"leads".into()));
        let at = go_to_event(&page, 49_100).await;
        page.keys(PLAYHEAD, &Key::Right).await;
        shows_the_world_at(&page, at + Span::from_millis(100)).await;
        assert!(state_of(&page, "n2").await.contains(&"leads".into()));
        assert_eq!(page.text("[data-process='n1'] .health").await, "down");
    });
}

/// Scrubbing: the mouse drags the playhead along the axis, and the state follows it.
#[test]
fn the_playhead_is_scrubbed_along_the_axis() {
    on_page("scrub", async |page| {
        let (block, second) = page.pause_block().await;
        let x = |seconds: f64| block.x + (seconds - 4.0) * second;
        let handle = page.place(PLAYHEAD).await;
        let axis = handle.middle().1;
        let from = (x(19.05), axis);
        page.press(Pointer::Mouse, from).await;
        page.pull(Pointer::Mouse, from, (x(30.0), axis), 10).await;
        page.pull(Pointer::Mouse, (x(30.0), axis), (x(14.0), axis), 20).await;
        page.lift(Pointer::Mouse).await;
        page.becomes("near 14 s", &true, async || at(&page).await.abs_diff(14_000) <= 100).await;
        let now = at(&page).await;
        shows_the_world_at(&page, SimTime::from_millis(now)).await;
        // What was scrubbed is the playhead and nothing else.
        page.tells("billing", None, &[]).await;
    });
}

/// Steps go from event to event, forwards and backwards, by buttons and by keys. Events of the same millisecond, as the
/// first and the beginning, are one step: each changes what the page shows.
#[test]
fn steps_go_from_event_to_event() {
    on_page("steps", async |page| {
        let tale = played("billing", None, &[]).tale;
        let mut instants = vec![0];
        instants.extend(tale.iter().map(|event| shown(event.at)));
        instants.dedup();
        page.click("#to-start").await;
        comes_to(&page, 0).await;
        for next in &instants[1..4] {
            let before = page.text(PLAYHEAD).await;
            page.click("#step-on").await;
            comes_to(&page, *next).await;
            assert_ne!(page.text(PLAYHEAD).await, before, "a step can be seen");
        }
        page.click("#step-back").await;
        comes_to(&page, instants[2]).await;
        page.keys("#events .scroller", ".").await;
        comes_to(&page, instants[3]).await;
        page.keys("#events .scroller", ",").await;
        comes_to(&page, instants[2]).await;
        page.keys(PLAYHEAD, &Key::Home).await;
        page.keys(PLAYHEAD, &format!("{}{}", Key::Right, Key::Right)).await;
        comes_to(&page, 200).await;
        page.click("#to-end").await;
        comes_to(&page, 60_000).await;
    });
}

/// Playing moves the playhead by itself until it is stopped, or at the end. When it stands, nothing runs: no frame is
/// asked for.
#[test]
fn playing_moves_the_playhead_and_stopping_stops_everything() {
    on_page("playing", async |page| {
        page.click("#to-start").await;
        page.click("#play").await;
        assert_eq!(page.attr("#play", "aria-label").await, "Stop playing");
        page.becomes("past 1 s", &true, async || at(&page).await > 1_000).await;
        page.click("#play").await;
        page.becomes("the button", &"Play".into(), async || page.attr("#play", "aria-label").await).await;
        let stopped = at(&page).await;
        // Ten frames of the browser's later, nobody else has asked for one.
        let watch = "const done = arguments[0], ask = requestAnimationFrame.bind(window);
            let others = 0, left = 10;
            window.requestAnimationFrame = then => { others += 1; return ask(then) };
            const next = () => left-- > 0 ? ask(next) : done(others);
            next();";
        let asked = self::deadline(page.client.execute_async(watch, vec![])).await.unwrap();
        assert_eq!(asked, 0, "frames asked for while nothing moves");
        assert_eq!(at(&page).await, stopped);

        page.choose("#speed", "8").await;
        page.click("#to-end").await;
        page.keys(PLAYHEAD, &format!("{}{}", Key::Shift, Key::Left)).await;
        page.click("#play").await;
        comes_to(&page, 60_000).await;
        page.becomes("the button", &"Play".into(), async || page.attr("#play", "aria-label").await).await;
    });
}

async fn deadline<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), what).await.expect("in time")
}
