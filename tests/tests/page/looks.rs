//! How the page looks: light and dark, wide and narrow. Pictures go to `target/e2e`, two of Chromium's to `docs/images`.

use std::path::PathBuf;

use crate::browser::Browser;
use crate::driver::{on_page, workspace};
use crate::page::Page;

pub(crate) const SIZES: [(u32, u32); 3] = [(1400, 900), (1024, 768), (390, 844)];

/// What sticks out of the window, is too small to be hit, or cannot show the whole of its text: one line each.
pub(crate) const MISPLACED: &str = "
    const wide = document.documentElement.clientWidth, found = [];
    const root = document.scrollingElement;
    if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide, of ${wide}`);
    for (const e of document.querySelectorAll('button, select, input, #playhead, .fault, .verdict-sentence, h2')) {
        // A card of the gallery is its button as a whole.
        const r = (e.closest('.story-card h4')?.parentElement ?? e).getBoundingClientRect();
        const scrolls = e.closest('.scroller, .playhead');
        if (r.width === 0 || !e.checkVisibility() || e.closest('[hidden], .visually-hidden, .absent')) continue;
        const name = e.id || e.dataset.fault || e.dataset.field || e.getAttribute('aria-label') || e.textContent.trim();
        if (!scrolls && (r.left < -0.5 || r.right > wide + 0.5))
            found.push(`${name} reaches from ${r.left} to ${r.right}, of ${wide}`);
        if (e.matches('button, select, .fault') && !scrolls && (r.width < 24 || r.height < 24))
            found.push(`${name} is only ${r.width} by ${r.height}`);
        if (wide < 500 && e.matches('button, select, [type=text]') && !scrolls && r.height < 40)
            found.push(`${name} is only ${r.height} high, for a finger`);
        const text = e.matches('select') ? e.selectedOptions[0]?.text : e.placeholder;
        if (text && e.matches('select, :placeholder-shown')) {
            const style = getComputedStyle(e), pen = document.createElement('canvas').getContext('2d');
            const as = e.matches('select') ? style : getComputedStyle(e, '::placeholder');
            pen.font = `${as.fontWeight} ${as.fontSize} ${as.fontFamily}`;
            const arrow = e.matches('select') ? 16 : 0;
            // Not by clientWidth: with the padding of a field in it or without, as browsers go.
            const sides = ['borderLeftWidth', 'borderRightWidth', 'paddingLeft', 'paddingRight'];
            const room = sides.reduce((left, side) => left - parseFloat(style[side]), e.offsetWidth) - arrow;
            if (pen.measureText(text).width > room + 1) found.push(`${name} has ${room} for: ${text}`);
        }
    }
    return found";

pub(crate) async fn settles(page: &Page) {
    // Two frames: one for the new size, one for what is painted because of it.
    let script =
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))";
    page.client.execute_async(script, vec![]).await.expect("frames come");
}

/// The page fits wide, middling and narrow windows: nothing sticks out sideways, and what can be used can be hit. Its
/// colours follow the system until the switch is used.
#[test]
fn it_fits_every_window_in_light_and_dark() {
    on_page("looks", async |page| {
        for scheme in ["light", "dark"] {
            page.prefer(scheme).await;
            page.becomes("the theme", &scheme.into(), async || page.attr("html", "data-theme").await).await;
            for (width, height) in SIZES {
                page.resize(width, height).await;
                page.shown("the size", &format!("return innerWidth === {width}")).await;
                let shot = fits(&page, &format!("{scheme}-{width}x{height}")).await;
                let is_wanted = page.browser == Browser::Chromium && std::env::var_os("UPDATE").is_some();
                if width == 1400 && is_wanted {
                    let images = workspace().join("docs/images");
                    std::fs::create_dir_all(&images).expect("the folder can be made");
                    std::fs::copy(&shot, images.join(format!("page-{scheme}.png")))
                        .expect("it can be copied");
                }
                page.run("document.querySelector('#export').open = true", vec![]).await;
                fits(&page, &format!("{scheme}-export-{width}x{height}")).await;
                page.run("document.querySelector('#export').open = false", vec![]).await;
                if width == 390 {
                    let whole = page.number("return document.documentElement.scrollHeight").await;
                    page.resize(width, whole as u32).await;
                    settles(&page).await;
                    page.shot(&format!("{scheme}-{width}-whole")).await;
                }
            }
        }
    });
}

/// The gallery and a question of a lesson fit every window as well.
#[test]
fn the_gallery_and_a_lesson_fit_every_window() {
    on_page("looks-lessons", async |page| {
        for scheme in ["light", "dark"] {
            page.prefer(scheme).await;
            page.becomes("the theme", &scheme.into(), async || page.attr("html", "data-theme").await).await;
            for (width, height) in SIZES {
                page.resize(width, height).await;
                page.shown("the size", &format!("return innerWidth === {width}")).await;
                page.click("#gallery-open").await;
                page.shown(
                    "a verdict on each card",
                    "const all = [...document.querySelectorAll('.story-verdict')]; return all.length > 0 && all.every(e => e.textContent)",
                )
                .await;
                fits(&page, &format!("{scheme}-gallery-{width}x{height}")).await;
                page.click("[data-do='lesson billing']").await;
                page.click("#lesson-on").await;
                fits(&page, &format!("{scheme}-question-{width}x{height}")).await;
                page.click("[data-do='show']").await;
                fits(&page, &format!("{scheme}-answer-{width}x{height}")).await;
                page.run("localStorage.removeItem('fencepost-lessons')", vec![]).await;
                page.client.refresh().await.expect("the page loads again");
                page.shown("the page", "return document.querySelector('#verdict') !== null").await;
            }
        }
    });
}

/// Holds that nothing is misplaced as the page is now, and takes a picture of it.
async fn fits(page: &Page, name: &str) -> PathBuf {
    settles(page).await;
    let misplaced = page.strings(MISPLACED, vec![]).await;
    let shot = page.shot(name).await;
    assert_eq!(misplaced, [""; 0], "see {}", shot.display());
    shot
}

/// On a phone the whole story is on the first screen, down to the store where it is decided; and the playback is at hand
/// wherever the page is scrolled to.
#[test]
fn a_phone_shows_the_store_and_the_playback_at_once() {
    on_page("phone", async |page| {
        page.resize(390, 844).await;
        page.shown("the size", "return innerWidth === 390").await;
        settles(&page).await;
        let top_of = async |css: &str| {
            page.number(&format!("return document.querySelector('{css}').getBoundingClientRect().top")).await
        };
        let lane =
            "return [...document.querySelectorAll('.caption')].find(e => e.textContent.startsWith('billing'))
            .getBoundingClientRect().bottom + 68";
        let (lane, bar) = (page.number(lane).await, top_of(".transport").await);
        assert!(lane <= bar, "the store's lane reaches down to {lane}, the playback begins at {bar}");
        for scrolled in ["0", "600", "document.body.scrollHeight"] {
            page.run(&format!("scrollTo(0, {scrolled})"), vec![]).await;
            settles(&page).await;
            let bar = top_of(".transport").await;
            assert!((700.0..844.0).contains(&bar), "scrolled to {scrolled}, the playback is at {bar}");
        }
        let (last, bar) = (
            page.number("return document.querySelector('#state').getBoundingClientRect().bottom").await,
            top_of(".transport").await,
        );
        assert!(last <= bar, "the end of the page, at {last}, is covered from {bar} on");
    });
}

/// The switch chooses colours against the system, for this visit and the next.
#[test]
fn the_switch_chooses_colours_and_they_are_kept() {
    on_page("theme", async |page| {
        page.prefer("light").await;
        page.becomes("light", &"light".into(), async || page.attr("html", "data-theme").await).await;
        let ground = "return getComputedStyle(document.body).backgroundColor";
        let light = page.run(ground, vec![]).await;
        page.click("#theme").await;
        page.becomes("dark", &"dark".into(), async || page.attr("html", "data-theme").await).await;
        assert_ne!(page.run(ground, vec![]).await, light);
        page.open("").await;
        assert_eq!(page.attr("html", "data-theme").await, "dark");
    });
}
