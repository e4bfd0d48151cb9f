//! The charts: drawn while their tab is open, of the clocks and leases of a native play of the same document.

use fencepost_tests::played;
use scenario::Play;
use scenario::series::{clocks, leases, said_of_clocks, said_of_lease};
use serde_json::json;

use crate::driver::on_page;
use crate::hand::Pointer;
use crate::looks::{MISPLACED, SIZES, settles};
use crate::page::Page;

const CLOCKS: &str = "#chart-clocks";
const LEASES: &str = "#chart-leases";

/// How many of a canvas's pixels have a colour.
async fn painted(page: &Page, chart: &str) -> u64 {
    let script = "const c = document.querySelector(arguments[0] + ' canvas');
        if (!c.width || !c.height) return 0;
        const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        let painted = 0;
        for (let i = 3; i < data.length; i += 4) painted += data[i] > 0;
        return painted";
    page.run(script, vec![chart.into()]).await.as_u64().expect("a count")
}

async fn is_drawn(page: &Page, chart: &str) {
    page.becomes(&format!("{chart} drawn"), &true, async || painted(page, chart).await > 2_000).await;
}

/// All of a canvas.
async fn image(page: &Page, chart: &str) -> String {
    let script = "return document.querySelector(arguments[0] + ' canvas').toDataURL()";
    page.run(script, vec![chart.into()]).await.as_str().expect("an address").to_owned()
}

/// Where an instant of the billing story's minute is in the window.
async fn x_of(page: &Page, chart: &str, second: f64) -> f64 {
    let place = page.place(chart).await;
    // The margins that the plot keeps for its labels.
    place.x + 64.0 + second / 60.0 * (place.w - 64.0 - 14.0)
}

/// Red, green, blue and opacity of a column of the lease chart, where nothing but a shade can be.
async fn shade(page: &Page, second: f64) -> [u64; 4] {
    let (place, x) = (page.place(LEASES).await, x_of(page, LEASES, second).await);
    let script = "const c = document.querySelector(arguments[0] + ' canvas');
        return [...c.getContext('2d').getImageData(arguments[1], 10, 1, 1).data]";
    let at = (x - place.x).round();
    serde_json::from_value(page.run(script, vec![LEASES.into(), json!(at)]).await).expect("four numbers")
}

/// What the list below the clocks says of these hosts.
fn clocks_said(play: &Play, hosts: &[&str]) -> Vec<String> {
    let all = clocks(play);
    let said = |host: &&str| {
        let clocks = all.iter().find(|clocks| &*clocks.name == *host).expect("it is in the story");
        format!("{host} {}", said_of_clocks(clocks))
    };
    hosts.iter().map(said).collect()
}

fn leases_said(play: &Play) -> Vec<String> {
    let said = |lines: &scenario::series::LeaseLines| {
        format!("{} {}", play.name(lines.worker), said_of_lease(lines, &play.cast))
    };
    leases(play).iter().map(said).collect()
}

async fn says_clocks(page: &Page, play: &Play, hosts: &[&str]) {
    let expected = clocks_said(play, hosts);
    page.becomes("the clocks in words", &expected, async || page.texts("#clocks-said li").await).await;
}

async fn says_leases(page: &Page, play: &Play) {
    let expected = leases_said(play);
    page.becomes("the leases in words", &expected, async || page.texts("#leases-said li").await).await;
}

/// The tab shows both charts with their figures in words; hosts are chosen; a drag draws them anew.
#[test]
fn charts_show_clocks_and_leases_and_say_them_in_words() {
    on_page("charts", async |page| {
        page.click("#tab-charts").await;
        is_drawn(&page, CLOCKS).await;
        is_drawn(&page, LEASES).await;
        let play = played("billing", None, &[]);
        says_clocks(&page, &play, &["A", "B", "C"]).await;
        says_leases(&page, &play).await;
        let a = page.text("#leases-said li").await;
        assert!(a.contains("believed in but not on record for 6 s, from 13 s to 19 s"), "{a}");
        let described = page.attr("#chart-leases canvas", "aria-describedby").await;
        assert_eq!(described, "leases-said", "the canvas is told by the list");

        // A alone believes at 16 s, B's lease is on record alone at 26 s, nobody has one at 36 s.
        let [red, green, _, opacity] = shade(&page, 16.0).await;
        assert!(opacity > 20 && red > green + 60, "red {red}, green {green}, opacity {opacity}");
        let [red, green, _, opacity] = shade(&page, 26.0).await;
        assert!(opacity > 20 && red.abs_diff(green) < 40, "red {red}, green {green}, opacity {opacity}");
        assert_eq!(shade(&page, 36.0).await[3], 0);

        let before = image(&page, CLOCKS).await;
        page.click("[data-do='host n1']").await;
        says_clocks(&page, &play, &["n1", "A", "B", "C"]).await;
        page.click("[data-do='host B']").await;
        says_clocks(&page, &play, &["n1", "A", "C"]).await;
        settles(&page).await;
        let without = image(&page, CLOCKS).await;
        assert_ne!(without, before, "B's stepped clock is gone");
        page.click("[data-do='readings']").await;
        settles(&page).await;
        assert_ne!(image(&page, CLOCKS).await, without, "readings rise as time goes on");

        let before = image(&page, LEASES).await;
        page.choose("#variant", "wall-clock").await;
        let play = page.tells("billing", Some("wall-clock"), &[]).await;
        says_leases(&page, &play).await;
        settles(&page).await;
        assert_ne!(image(&page, LEASES).await, before);
    });
}

/// A click moves the playhead, and a line over the charts goes with it; the charts are not drawn for that.
#[test]
fn a_click_on_a_chart_moves_the_playhead_and_draws_nothing() {
    on_page("charts-seek", async |page| {
        page.click("#tab-charts").await;
        for (chart, second) in [(CLOCKS, 30.0), (LEASES, 13.0)] {
            is_drawn(&page, chart).await;
            let before = image(&page, chart).await;
            let (place, x) = (page.place(chart).await, x_of(&page, chart, second).await);
            page.press(Pointer::Mouse, (x, place.middle().1)).await;
            page.lift(Pointer::Mouse).await;
            let near = async || {
                let at: f64 = page.attr("#playhead", "aria-valuenow").await.parse().expect("a number");
                (at / 1_000.0 - second).abs() < 0.15
            };
            page.becomes("the playhead", &true, near).await;
            for chart in [CLOCKS, LEASES] {
                let line = page.place(&format!("{chart} .chart-playhead")).await.middle().0;
                let x = x_of(&page, chart, second).await;
                assert!((line - x).abs() < 3.0, "the line over {chart} is at {line}, not at {x}");
            }
            assert_eq!(image(&page, chart).await, before, "only the line moved");
        }
    });
}

/// Notes every word that is written on a chart, with where it is, until the chart is drawn anew.
const WRITTEN: &str = "
    window.written = new Map();
    const pen = CanvasRenderingContext2D.prototype, { fillText, clearRect } = pen;
    pen.clearRect = function (x, y, w, h) {
        if (w >= this.canvas.width && h >= this.canvas.height) window.written.set(this.canvas.parentElement.id, []);
        return clearRect.call(this, x, y, w, h);
    };
    pen.fillText = function (text, x, y) {
        const m = this.measureText(text), all = window.written.get(this.canvas.parentElement.id);
        all?.push({ text, left: x - m.actualBoundingBoxLeft, right: x + m.actualBoundingBoxRight, end: this.canvas.width,
            top: y - m.actualBoundingBoxAscent, bottom: y + m.actualBoundingBoxDescent });
        return fillText.call(this, text, x, y);
    }";

/// What of it cannot be read.
const UNREADABLE: &str = "
    const found = [], of = ['chart-clocks', 'chart-leases'];
    for (const all of of.map(chart => window.written.get(chart))) {
        all.forEach((a, nth) => {
            if (a.left < -0.5 || a.right > a.end + 0.5) found.push(`${a.text} is cut off`);
            for (const b of all.slice(nth + 1))
                if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                    found.push(`${a.text} and ${b.text} lie over each other`);
        });
    }
    return found";

/// Whatever the width: no word on a chart is cut off or lies over another. Many leases that end at once are said once.
#[test]
fn words_on_charts_can_be_read() {
    on_page("charts-words", async |page| {
        page.run(WRITTEN, vec![]).await;
        page.click("#tab-charts").await;
        for (width, height) in SIZES {
            page.resize(width, height).await;
            page.shown("the size", &format!("return innerWidth === {width}")).await;
            for story in ["felix", "sweeper-storm", "billing"] {
                page.choose("#story", story).await;
                page.tells(story, None, &[]).await;
                settles(&page).await;
                let shot = page.shot(&format!("charts-words-{story}-{width}")).await;
                let unreadable = page.strings(UNREADABLE, vec![]).await;
                assert_eq!(unreadable, [""; 0], "{story} at {width}, see {}", shot.display());
            }
            let words = "return window.written.get('chart-clocks').map(word => word.text).filter(text => /[a-z]{4}/.test(text))";
            assert_eq!(page.strings(words, vec![]).await, ["deadline 13 s", "deadline 29.5 s", "stop 11 s"]);
        }
    });
}

/// Nothing is drawn while the tab is closed, and each chart once for what changes while it is open.
#[test]
fn charts_are_drawn_only_while_they_are_looked_at() {
    on_page("charts-closed", async |page| {
        page.open("?measure").await;
        let drawn = async || {
            settles(&page).await;
            page.number("return performance.getEntriesByName('chart', 'measure').length").await
        };
        page.click("#fence-switch").await;
        assert_eq!(drawn().await, 0.0, "nobody looks");
        page.click("#tab-charts").await;
        is_drawn(&page, LEASES).await;
        let opened = drawn().await;
        page.click("#step-on").await;
        page.click("#step-on").await;
        assert_eq!(drawn().await, opened, "scrubbing draws nothing");
        let light = image(&page, LEASES).await;
        page.click("#theme").await;
        assert_eq!(drawn().await, opened + 2.0, "another theme: each once");
        assert_ne!(image(&page, LEASES).await, light);
        page.click("#tab-state").await;
        page.click("#theme").await;
        page.click("#fence-switch").await;
        page.resize(1024, 768).await;
        page.shown("the size", "return innerWidth === 1024").await;
        assert_eq!(drawn().await, opened + 2.0, "nobody looks any more");
    });
}

/// The charts fit wide and narrow windows in light and dark, and use every pixel of the screen.
#[test]
fn charts_fit_every_window() {
    on_page("charts-looks", async |page| {
        page.click("#tab-charts").await;
        for scheme in ["light", "dark"] {
            page.prefer(scheme).await;
            page.becomes("the theme", &scheme.into(), async || page.attr("html", "data-theme").await).await;
            for (width, height) in SIZES {
                page.resize(width, height).await;
                page.shown("the size", &format!("return innerWidth === {width}")).await;
                settles(&page).await;
                is_drawn(&page, LEASES).await;
                page.run("document.querySelector('#tab-charts').scrollIntoView()", vec![]).await;
                let misplaced = page.strings(MISPLACED, vec![]).await;
                let shot = page.shot(&format!("charts-{scheme}-{width}x{height}")).await;
                assert_eq!(misplaced, [""; 0], "at {width}x{height}, see {}", shot.display());
                for chart in [CLOCKS, LEASES] {
                    let canvas = page.seen(&format!("{chart} canvas")).await;
                    let pixels =
                        page.number(&format!("return document.querySelector('{chart} canvas').width")).await;
                    assert_eq!(canvas.w.round(), pixels, "{chart} at {width}");
                }
            }
        }
    });
}
