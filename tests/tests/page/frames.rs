//! A long drag, measured for whoever reads the output: nothing here fails because a machine is slow.

use std::time::Duration;

use fencepost_tests::cases;
use scenario::cast::CastFault;
use serde_json::{Value, json};

use crate::driver::on_page;
use crate::hand::{PAUSE, Pointer};
use crate::page::Page;

const MOVES: u32 = 120;

/// The pause is dragged through 120 places; after every tenth the page says what a native play says. Prints how long
/// the page's own parts of a frame took.
#[test]
fn a_drag_of_120_moves_plays_every_one() {
    on_page("frames", async |page| {
        page.open("?measure").await;
        let (block, second) = page.pause_block().await;
        let from = block.middle();
        let end = (from.0 + 12.0 * second, from.1);
        let place = |done: u32| (from.0 + (end.0 - from.0) * f64::from(done) / f64::from(MOVES), from.1);
        page.press(Pointer::Mouse, from).await;
        for done in (0..MOVES).step_by(10) {
            page.pull(Pointer::Mouse, place(done), place(done + 10), 10).await;
            let at = page.value("[data-field='a-pause.at']").await;
            page.tells("billing", None, &[("fault.a-pause.at", &at)]).await;
        }
        page.lift(Pointer::Mouse).await;
        let script = "const parts = {};
            for (const { name, duration } of performance.getEntriesByType('measure'))
                (parts[name] ??= []).push(duration);
            return Object.entries(parts).map(([name, all]) => {
                all.sort((a, b) => a - b);
                const of = part => all[Math.min(all.length - 1, Math.floor(all.length * part))].toFixed(2);
                return `${name}: ${all.length} times, median ${of(0.5)} ms, 95th percentile ${of(0.95)} ms, longest ${of(1)} ms`;
            })";
        for line in page.strings(script, vec![]).await {
            println!("{line}");
        }
    });
}

/// How long the drag is that `cargo xtask bench` reports, and how many moves it has: one a frame.
const DRAG: Duration = Duration::from_secs(5);
const FRAMES: u32 = 300;
/// So many edits, one after the other, in one page.
const EDITS: u32 = 10_000;

/// The story in which most happens, and a fault in it that can be dragged.
fn heaviest() -> (String, CastFault) {
    let plain = cases().into_iter().filter(|case| case.variant.is_none());
    let play = plain
        .map(|case| (case.story.to_string(), case.play()))
        .filter(|(_, play)| play.cast.faults.iter().any(|fault| fault.span.is_some()))
        .max_by_key(|(_, play)| play.inputs_taken);
    let (story, play) = play.expect("there are stories with faults");
    let fault = play.cast.faults.iter().find(|fault| fault.span.is_some()).cloned();
    (story, fault.expect("it has one that lasts"))
}

/// What the browser counts: seconds spent in tasks, and bytes of JavaScript's heap.
async fn counted(page: &Page) -> (f64, f64) {
    let script = "return [performance.now(), performance.memory?.usedJSHeapSize ?? 0]";
    let answer = page.run(script, vec![]).await;
    let [_, heap]: [f64; 2] = serde_json::from_value(answer).expect("two figures");
    let metrics = page.asked("Performance.getMetrics", json!({})).await;
    let tasks =
        metrics["metrics"].as_array().into_iter().flatten().find(|metric| metric["name"] == "TaskDuration");
    (tasks.and_then(|metric| metric["value"].as_f64()).unwrap_or_default(), heap)
}

/// The sums of play, layout and paint for each frame, in milliseconds, in order of size.
const FRAMES_OF: &str = "const frames = []; let sum = 0; const parts = { play: [], layout: [], paint: [] };
    for (const { name, duration } of performance.getEntriesByType('measure')) {
        sum += duration;
        parts[name]?.push(duration);
        if (name === 'paint') { frames.push(sum); sum = 0; }
    }
    const sorted = all => all.sort((a, b) => a - b);
    return [frames, parts.play, parts.layout, parts.paint].map(sorted)";

/// Run by `cargo xtask bench`, alone on its machine: it says what it saw and holds nothing against a clock.
#[test]
#[ignore = "a measure: cargo xtask bench"]
fn a_drag_over_the_heaviest_story_is_measured() {
    on_page("frames-measured", async |page| {
        let (story, fault) = heaviest();
        page.open(&format!("?measure#v=1&story={story}")).await;
        page.devtools("Performance.enable", json!({})).await;
        let css = format!("[data-fault='{}']", fault.id);
        let block = page.place(&css).await;
        page.run("performance.clearMeasures()", vec![]).await;
        let (before, _) = counted(&page).await;
        let (from, step) = (block.middle(), DRAG / FRAMES);
        page.press(Pointer::Mouse, from).await;
        // To and fro over a fifth of the timeline.
        for turn in 0..10 {
            let (there, back) = ((from.0 + 160.0, from.1), from);
            let (a, b) = if turn % 2 == 0 { (back, there) } else { (there, back) };
            page.pull_at(a, b, FRAMES / 10, step).await;
        }
        page.lift(Pointer::Mouse).await;
        let (after, _) = counted(&page).await;
        let parts: [Vec<f64>; 4] =
            serde_json::from_value(page.run(FRAMES_OF, vec![]).await).expect("four lists");
        let of = |all: &[f64], part: f64| all[((all.len() as f64 * part) as usize).min(all.len() - 1)];
        println!("measured: {story}, {} frames of a drag of 5 s", parts[0].len());
        for (name, all) in ["play, layout and paint", "play", "layout", "paint"].iter().zip(&parts) {
            println!(
                "measured: {name}: median {:.2} ms, 95th percentile {:.2} ms",
                of(all, 0.5),
                of(all, 0.95)
            );
        }
        let whole = (after - before) * 1e3 / parts[0].len() as f64;
        println!(
            "measured: all that the browser did for a frame, with styles and its own layout: {whole:.2} ms on average"
        );

        // Nothing moves: nothing is done.
        page.run("performance.clearMeasures()", vec![]).await;
        let (before, _) = counted(&page).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let (after, _) = counted(&page).await;
        let frames = page.number("return performance.getEntriesByType('measure').length").await;
        assert_eq!(frames, 0.0, "nothing is played, laid out or painted while nothing moves");
        println!("measured: idle for 3 s: {:.1} ms of tasks", (after - before) * 1e3);
    });
}

/// What is kept of ten thousand edits is bounded.
#[test]
#[ignore = "a measure: cargo xtask bench"]
fn the_memory_of_ten_thousand_edits_is_measured() {
    on_page("memory-measured", async |page| {
        page.open("?measure").await;
        page.devtools("Performance.enable", json!({})).await;
        let memory = "return Number(document.documentElement.dataset.memory)";
        let edit = "const fault = document.querySelector(arguments[0]);
            for (let nth = 0; nth < arguments[1]; nth++) {
                const key = nth % 20 < 10 ? 'ArrowRight' : 'ArrowLeft';
                fault.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
            }
            performance.clearMeasures();";
        let mut seen = Vec::new();
        for done in (0..EDITS).step_by(1_000) {
            page.run(edit, vec![PAUSE.into(), Value::from(1_000)]).await;
            let (_, heap) = counted(&page).await;
            seen.push(page.number(memory).await);
            println!(
                "measured: after {} edits {:.1} MB of wasm's memory, {:.1} MB of JavaScript's",
                done + 1_000,
                seen[seen.len() - 1] / 1e6,
                heap / 1e6
            );
        }
        let grown = seen[seen.len() - 1] - seen[4];
        assert!(grown <= 4e6, "the second half of the edits took {:.1} MB", grown / 1e6);
    });
}
