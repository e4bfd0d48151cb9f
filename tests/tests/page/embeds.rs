//! Figures in other people's pages: the examples of `npm/examples`, opened from a plain server, and what can go wrong in one.

use std::env;
use std::path::PathBuf;

use fencepost_tests::played;
use serde_json::{Value, json};

use crate::driver::{in_browser, workspace};
use crate::everyone::findings;
use crate::hand::Pointer;
use crate::page::{Page, Place};
use crate::site::Site;

/// Nothing but what a figure needs: no inline script, no inline style.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self'";

/// An example, built, with the package beside it.
fn example(name: &str) -> Site {
    let built =
        env::var_os("FENCEPOST_EXAMPLES").map_or_else(|| workspace().join("target/examples"), PathBuf::from);
    Site::of(built.join(name))
}

/// The plain page, under the strictest policy.
fn html() -> Site {
    Site { policy: Some(POLICY), ..example("html") }
}

/// Goes to a page of the site.
async fn go(page: &Page, path: &str) {
    page.resize(1000, 900).await;
    page.client.goto(&format!("{}{path}", page.address)).await.expect("the page is served");
}

/// The text of a part of a figure, once it is live.
async fn text_in(page: &Page, nth: usize, css: &str) -> String {
    let script = "const figure = document.querySelectorAll('fence-post')[arguments[0]];
        return figure?.shadowRoot?.querySelector(arguments[1])?.textContent.trim() ?? ''";
    page.run(script, vec![nth.into(), css.into()]).await.as_str().unwrap_or_default().to_owned()
}

/// Waits until a figure says what a native play of the same document says.
async fn tells(page: &Page, nth: usize, story: &str, variant: Option<&str>, edits: &[(&str, &str)]) {
    let play = played(story, variant, edits);
    let expected = [play.headline.sentence, play.headline.because];
    let what = format!("figure {nth}, {story} {variant:?} {edits:?}");
    page.becomes(&what, &expected, async || {
        [text_in(page, nth, ".verdict-sentence").await, text_in(page, nth, ".verdict-because").await]
    })
    .await;
}

/// Where a part of a figure is in the window.
async fn place_in(page: &Page, nth: usize, css: &str) -> Place {
    let script = "const e = document.querySelectorAll('fence-post')[arguments[0]].shadowRoot.querySelector(arguments[1]);
        e.scrollIntoView({ block: 'center', behavior: 'instant' });
        const r = e.getBoundingClientRect();
        return [r.x, r.y, r.width, r.height]";
    let answer = page.run(script, vec![nth.into(), css.into()]).await;
    let [x, y, w, h] = serde_json::from_value(answer).expect("a rectangle has four figures");
    Place { x, y, w, h }
}

/// How often a file was loaded.
async fn loads(page: &Page, name: &str) -> f64 {
    let script =
        "return performance.getEntriesByType('resource').filter(e => e.name.endsWith(arguments[0])).length";
    page.run(script, vec![name.into()]).await.as_f64().expect("a number")
}

/// Two figures under the strictest policy, an element and a block of code: one program for both, and a drag in one is its own
/// affair.
#[test]
fn two_figures_of_a_page_share_a_program_and_nothing_else() {
    in_browser("embeds", html(), async |page| {
        go(&page, "").await;
        tells(&page, 0, "billing", None, &[]).await;
        // The second comes into view as the first grows and the page is scrolled.
        page.run("document.querySelectorAll('fence-post')[1].scrollIntoView()", vec![]).await;
        tells(&page, 1, "billing", Some("unfenced"), &[]).await;
        assert_eq!(loads(&page, "figure_bg.wasm").await, 1.0);

        let pause = place_in(&page, 1, "[data-fault='a-pause']").await;
        let (from, second) = (pause.middle(), pause.w / 15.0);
        page.press(Pointer::Mouse, from).await;
        page.pull(Pointer::Mouse, from, (from.0 - 0.6 * second, from.1), 6).await;
        let moved = "return document.querySelectorAll('fence-post')[1].link";
        let link = page.run(moved, vec![]).await.as_str().unwrap_or_default().to_owned();
        page.lift(Pointer::Mouse).await;
        let (_, at) = link.split_once("=fault.a-pause.at=").unwrap_or_else(|| panic!("{link}"));
        let at = at.split('&').next().unwrap_or_default();
        tells(&page, 1, "billing", Some("unfenced"), &[("fault.a-pause.at", at)]).await;
        tells(&page, 0, "billing", None, &[]).await;

        // The keyboard reaches a fault of the first; its keys are not the page's.
        let press = "const fault = document.querySelector('fence-post').shadowRoot.querySelector('[data-fault=a-pause]');
            fault.focus();
            fault.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, composed: true }));
            return document.activeElement.localName";
        assert_eq!(page.run(press, vec![]).await, "fence-post");
        tells(&page, 0, "billing", None, &[("fault.a-pause.at", "4.1s")]).await;

        // Nothing of a figure's style is the page's, and nothing of the page's is a figure's.
        let leaks = "const style = (e) => getComputedStyle(e);
            const figure = document.querySelector('fence-post').shadowRoot;
            return [document.adoptedStyleSheets.length, document.querySelectorAll('style, link[rel=stylesheet]').length,
                style(document.querySelector('p')).fontFamily.includes('Georgia'),
                style(figure.querySelector('.verdict-sentence')).fontFamily.includes('Georgia'),
                style(figure.querySelector('.verdict-sentence')).letterSpacing,
                style(figure.querySelector('#refusal .refusal')).display]";
        let seen = page.run(leaks, vec![]).await;
        assert_eq!(seen, json!([0, 1, true, false, "-0.19px", "none"]));
        page.shot("embeds").await;
    });
}

/// A figure that is not in view loads nothing; one that is taken out lets go, and comes back as it was asked for.
#[test]
fn a_figure_waits_until_it_is_seen() {
    in_browser("lazy", html(), async |page| {
        go(&page, "").await;
        tells(&page, 0, "billing", None, &[]).await;
        let add = "const space = document.createElement('div');
            space.style.height = '4000px';
            const figure = document.createElement('fence-post');
            figure.setAttribute('story', 'redis');
            document.body.append(space, figure);
            await new Promise((after) => setTimeout(after, 500));
            return figure.isLive";
        let waits = format!("return (async () => {{ {add} }})()");
        assert_eq!(page.run(&waits, vec![]).await, Value::Bool(false));
        page.run("document.querySelectorAll('fence-post')[2].scrollIntoView()", vec![]).await;
        tells(&page, 2, "redis", None, &[]).await;
        // Taken out while it plays, it stops, and takes nothing along.
        let plays = "document.querySelectorAll('fence-post')[2].play(1); return new Promise((after) => setTimeout(after, 100))";
        page.run(plays, vec![]).await;
        let gone = "const figure = document.querySelectorAll('fence-post')[2];
            figure.remove();
            return new Promise((after) => setTimeout(() => after([figure.isLive, figure.shadowRoot.querySelector('.fence-post')]), 0))";
        assert_eq!(page.run(gone, vec![]).await, json!([false, null]));
        let others = "return new Promise((after) => setTimeout(() => after(document.querySelector('fence-post').isLive), 200))";
        assert_eq!(page.run(others, vec![]).await, Value::Bool(true));
        // What it listened to in the window it listens to no more.
        let listening = "const [add, remove] = [window.addEventListener, window.removeEventListener];
            let left = 0;
            window.addEventListener = function (type, ...rest) { left += type === 'resize'; return add.call(this, type, ...rest); };
            window.removeEventListener = function (type, ...rest) { left -= type === 'resize'; return remove.call(this, type, ...rest); };
            const figure = document.createElement('fence-post');
            figure.setAttribute('story', 'billing');
            document.body.append(figure);
            return (async () => {
                await Promise.all([figure.load(), figure.load()]);
                const live = [figure.isLive, figure.verdict !== undefined, left > 0];
                figure.remove();
                await new Promise((after) => setTimeout(after, 50));
                Object.assign(window, { addEventListener: add, removeEventListener: remove });
                return [...live, figure.verdict === undefined, left];
            })()";
        assert_eq!(page.run(listening, vec![]).await, json!([true, true, true, true, 0]));
        page.run("document.body.append(document.createElement('fence-post')); const last = document.querySelectorAll('fence-post')[2]; last.setAttribute('story', 'redis'); last.scrollIntoView()", vec![]).await;
        tells(&page, 2, "redis", None, &[]).await;
    });
}

/// Light and dark are those of what lies behind the figure, and change with it; an attribute has the last word.
#[test]
fn light_and_dark_follow_the_page() {
    in_browser("colours", html(), async |page| {
        let theme = async || {
            let script = "return document.querySelector('fence-post').shadowRoot.querySelector('.fence-post')?.dataset.theme";
            page.run(script, vec![]).await
        };
        page.prefer("dark").await;
        go(&page, "").await;
        page.becomes("dark as the system", &json!("dark"), &theme).await;
        tells(&page, 0, "billing", None, &[]).await;
        assert_eq!(findings(&page).await, [""; 0], "dark");
        page.shot("embeds-dark").await;
        page.prefer("light").await;
        page.becomes("light as the system", &json!("light"), &theme).await;
        assert_eq!(findings(&page).await, [""; 0], "light");
        let oklch = "document.body.style.background = 'oklch(0.3 0.02 247)'; document.documentElement.className = 'dusk'";
        page.run(oklch, vec![]).await;
        page.becomes("dark in any notation", &json!("dark"), &theme).await;
        let oklch = "document.body.style.background = 'oklch(0.985 0.002 247)'; document.documentElement.className = 'day'";
        page.run(oklch, vec![]).await;
        page.becomes("light in any notation", &json!("light"), &theme).await;
        page.run(
            "document.body.style.background = '#101820'; document.documentElement.className = 'night'",
            vec![],
        )
        .await;
        page.becomes("dark as the page", &json!("dark"), &theme).await;
        page.run("document.querySelector('fence-post').setAttribute('theme', 'light')", vec![]).await;
        page.becomes("light as it is told", &json!("light"), &theme).await;
    });
}

/// Without script the page's own words stand where the figure would be.
#[test]
fn without_script_the_static_figure_stands() {
    in_browser("no-script", html(), async |page| {
        page.scripts(false).await;
        go(&page, "").await;
        let tree = page.read_out().await;
        assert!(tree.contains("A's stale chunk was refused at 19.05 s"), "{tree}");
        assert!(tree.contains("The billing job's timeline"), "the picture has words: {tree}");
        assert!(tree.contains("variant=unfenced"), "the block is its own source: {tree}");
        page.shot("embeds-no-script").await;
    });
}

/// A figure in a frame is asked and tells by messages, as the example's page does it.
#[test]
fn a_frame_speaks_by_messages() {
    in_browser("frame", html(), async |page| {
        go(&page, "frame.html").await;
        let says = async |story: &str, variant: Option<&str>| {
            let play = played(story, variant, &[]);
            let expected = format!("{} {}", play.headline.sentence, play.headline.because);
            page.becomes("the host's words", &expected, async || page.text("#verdict").await).await;
        };
        says("billing", None).await;
        page.becomes("as high as the figure", &true, async || {
            let script =
                "const figure = document.querySelector('iframe').contentDocument.querySelector('fence-post');
                return Math.ceil(figure.getBoundingClientRect().height)";
            let height = page.number(script).await;
            height > 400.0 && page.attr("iframe", "height").await == height.to_string()
        })
        .await;
        // What the figure tells from here on, by type: heard beside the host's own script.
        let hear = "window.told = {}; addEventListener('message', ({ data }) => { window.told[data.type] = data; });";
        page.run(hear, vec![]).await;
        let told =
            async |what: &str| page.run("return window.told[arguments[0]] ?? {}", vec![what.into()]).await;
        let ask = async |what: &str, particulars: Value| {
            let script = "const [type, particulars] = arguments;
                document.querySelector('iframe').contentWindow.postMessage({ fencepost: 1, type, ...particulars }, '*');";
            page.run(script, vec![what.into(), particulars]).await;
        };
        page.click("#unfence").await;
        says("billing", Some("unfenced")).await;
        assert_eq!(told("verdict").await["numbers"]["duplicates"], 5000);
        // It opens on the instant that the host's button leads to.
        ask("seek", json!({ "at_us": 7_000_000 })).await;
        page.becomes("another instant", &json!(7_000_000), async || told("playhead").await["at_us"].clone())
            .await;
        page.click("#moment").await;
        page.becomes("the playhead", &json!(19_050_000), async || told("playhead").await["at_us"].clone())
            .await;

        ask("show", json!({ "story": "billing" })).await;
        says("billing", None).await;
        assert_eq!(told("verdict").await["numbers"]["stale_rejected"], 1);
        // The same once more goes back to where it began.
        let at_5_s = json!({ "story": "billing", "variant": "unfenced", "at": "5s" });
        for at_us in [5_000_000, 7_000_000, 5_000_000] {
            match at_us {
                5_000_000 => ask("show", at_5_s.clone()).await,
                _ => ask("seek", json!({ "at_us": at_us })).await,
            }
            page.becomes("the playhead", &json!(at_us), async || told("playhead").await["at_us"].clone())
                .await;
        }
        ask("play", json!({ "speed": 60 })).await;
        page.becomes("the end", &json!(60_000_000), async || told("playhead").await["at_us"].clone()).await;
        let document = played("redis", None, &[]);
        ask("show", json!({ "document": fencepost_tests::case("redis", None).document.to_toml() })).await;
        let expected = format!("{} {}", document.headline.sentence, document.headline.because);
        page.becomes("a whole document", &expected, async || page.text("#verdict").await).await;
        for (what, particulars, why) in [
            ("show", json!({ "story": "biling" }), "did you mean `billing`?"),
            ("show", json!({ "link": "v=2&story=billing" }), "version 2"),
            ("dance", json!({}), "the message asks for `dance`"),
        ] {
            ask(what, particulars).await;
            page.becomes(why, &true, async || {
                told("refused").await["why"].as_str().is_some_and(|told| told.contains(why))
            })
            .await;
        }
    });
}

/// What cannot be shown is said in its place; what the page has there stays, and the page around it is unharmed.
#[test]
fn a_figure_that_cannot_be_shown_says_why() {
    in_browser("refusals", html(), async |page| {
        go(&page, "").await;
        let fill = "document.body.innerHTML = '<p id=around>around</p>';
            for (const [name, value] of arguments[0]) {
                const figure = document.createElement('fence-post');
                figure.setAttribute('loading', 'eager');
                figure.setAttribute(name, value === 'large' ? 'title = \"' + 'x'.repeat(10_000_000) + '\"' : value);
                figure.textContent = 'as it stands';
                document.body.append(figure);
            }";
        let bad = [
            ("story", "biling", "did you mean `billing`?"),
            ("link", "v=1&story=billing&=fault.a-pa", "is broken at"),
            ("link", "https://example.org/page#v=7&story=billing", "version"),
            ("document", "large", "longer than 256 kB"),
            ("document", "title = \"half", "line 1"),
        ];
        let pairs: Vec<[&str; 2]> = bad.map(|(name, value, _)| [name, value]).to_vec();
        page.run(fill, vec![json!(pairs)]).await;
        for (nth, (_, _, why)) in bad.iter().enumerate() {
            page.becomes(why, &true, async || {
                let note = text_in(&page, nth, ".note").await;
                note.starts_with("This figure cannot be shown: ") && note.contains(why)
            })
            .await;
            let stands = format!(
                "return document.querySelectorAll('fence-post')[{nth}].shadowRoot.querySelector('slot').hidden"
            );
            assert_eq!(page.run(&stands, vec![]).await, Value::Bool(false));
        }
        assert_eq!(page.text("#around").await, "around");
        // Told another story, the same element shows it.
        page.run("document.querySelector('fence-post').setAttribute('story', 'billing')", vec![]).await;
        tells(&page, 0, "billing", None, &[]).await;
    });
}

/// A book and a site made by other tools have the same figures; the book has a picture and the verdict before any script.
#[test]
fn a_book_and_a_site_have_live_figures() {
    in_browser("book-example", example("mdbook"), async |page| {
        page.scripts(false).await;
        go(&page, "check.html").await;
        let tree = page.read_out().await;
        let said = played("billing", None, &[]).headline.sentence;
        assert!(tree.contains(&said), "the verdict stands without script");
        page.shot("book-no-script").await;
        page.scripts(true).await;
        go(&page, "check.html").await;
        tells(&page, 0, "billing", None, &[]).await;
        page.run("document.querySelectorAll('fence-post')[1].scrollIntoView()", vec![]).await;
        let own = "1 stale write accepted: 1 effect applied twice.".to_owned();
        page.becomes("a document of one's own", &own, async || text_in(&page, 1, ".verdict-sentence").await)
            .await;
        page.shot("book").await;
    });
    in_browser("site-example", example("eleventy"), async |page| {
        go(&page, "").await;
        tells(&page, 0, "billing", Some("unfenced"), &[]).await;
        page.shot("eleventy").await;
    });
}

/// The project's own book: its first figure is live, and every link within it leads somewhere.
#[test]
fn the_book_is_live_and_whole() {
    let book = env::var_os("FENCEPOST_BOOK").map_or_else(|| workspace().join("target/book"), PathBuf::from);
    let mut pages = vec![book.clone()];
    let mut links = 0;
    while let Some(path) = pages.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("the book is built");
            pages.extend(entries.map(|entry| entry.expect("it can be listed").path()));
            continue;
        }
        // The page for what is not there has a base of its own; that for print is all pages in one place.
        if path.extension().is_none_or(|end| end != "html")
            || path.ends_with("404.html")
            || path.ends_with("print.html")
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("pages are text");
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split(['"', '#']).next()) {
            if link.is_empty() || link.contains(':') {
                continue;
            }
            let target = path.parent().expect("pages are in folders").join(link);
            assert!(target.exists(), "{} leads to {link}, which is not there", path.display());
            links += 1;
        }
    }
    assert!(links > 100, "{links} links");
    in_browser("own-book", Site::of(book), async |page| {
        go(&page, "").await;
        tells(&page, 0, "billing", None, &[]).await;
        go(&page, "locks/redis.html").await;
        page.run("document.querySelector('fence-post').scrollIntoView()", vec![]).await;
        tells(&page, 0, "redis", None, &[]).await;
        page.shot("own-book").await;
        // Its words are found, and not only on the page where one is.
        go(&page, "locks/redis.html?search=idempotency").await;
        page.becomes("what is found", &true, async || {
            page.attrs("#mdbook-searchresults a", "href")
                .await
                .iter()
                .any(|link| link.contains("external-api"))
        })
        .await;
    });
}
