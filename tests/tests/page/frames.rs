//! A long drag, measured for whoever reads the output: nothing here fails because a machine is slow.

use crate::driver::on_page;
use crate::hand::Pointer;

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
