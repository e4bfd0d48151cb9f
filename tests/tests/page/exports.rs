//! The menu that takes what is open elsewhere: each file is what the native code makes of the same document.

use std::fs;
use std::path::PathBuf;

use fantoccini::key::Key;
use fencepost_tests::case;
use kernel::SimTime;
use scenario::why::otherwise;
use scenario::{Document, Play, play, report};
use serde_json::json;
use timeline::View;
use timeline::svg::{Picture, svg};

use crate::driver::{on_page, workspace};
use crate::page::Page;

const MENU: &str = "#export";

/// A folder that the browser saves to, empty at first.
struct Downloads(PathBuf);

impl Downloads {
    async fn of(page: &Page, name: &str) -> Self {
        let folder = workspace().join("target/e2e").join(format!("downloads-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder can be made");
        let folder = fs::canonicalize(folder).expect("it is there");
        page.save_to(&folder).await;
        Self(folder)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_default()
    }

    /// Presses, and waits until the file of this name is this text.
    async fn holds(&self, page: &Page, word: &str, name: &str, expected: &str) {
        press(page, &format!("save {word}")).await;
        // In full a difference would be pages long.
        page.becomes(&format!("{name}, in {}", self.0.display()), &true, async || {
            self.read(name) == expected.as_bytes()
        })
        .await;
    }
}

impl Drop for Downloads {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Opens the menu and presses one of its buttons, which closes it.
async fn press(page: &Page, what: &str) {
    page.click(&format!("{MENU} summary")).await;
    page.click(&format!("{MENU} [data-do='{what}']")).await;
    assert_eq!(page.prop(MENU, "open").await, "false", "{what}");
}

/// A document's files by their extensions, as the command line makes them.
fn files(document: &Document, play: &Play) -> [(&'static str, String); 5] {
    [
        ("svg", svg(play, &Picture::default())),
        ("md", report::markdown(play, &otherwise(document, play))),
        ("mmd", report::mermaid(play)),
        ("json", report::json_text(play, &otherwise(document, play), false)),
        ("toml", document.to_toml()),
    ]
}

/// Each file, under a name that says what it is of: a story, its variant, and that it was changed.
#[test]
fn every_file_is_what_the_command_line_makes() {
    on_page("exports", async |page| {
        let downloads = Downloads::of(&page, "files").await;
        let story = case("billing", None);
        for (word, expected) in files(&story.document, &story.play()) {
            downloads.holds(&page, word, &format!("billing.{word}"), &expected).await;
        }
        page.choose("#variant", "unfenced").await;
        page.tells("billing", Some("unfenced"), &[]).await;
        let variant = case("billing", Some("unfenced"));
        for (word, expected) in files(&variant.document, &variant.play()) {
            downloads.holds(&page, word, &format!("billing-unfenced.{word}"), &expected).await;
        }
        page.choose("#variant", "").await;
        page.click("#fence-switch").await;
        let mut edited = story.document.clone();
        edited.set("store.billing.kind", "unfenced").expect("it can be switched off");
        let scenario = edited.scenario().expect("it is good");
        let expected = svg(&play(&scenario), &Picture::default());
        downloads.holds(&page, "svg", "billing-edited.svg", &expected).await;
    });
}

/// The picture has what is in view, and as a PNG two pixels for each of its own, in the page's colours.
#[test]
fn the_picture_is_what_is_in_view_and_a_png_is_not_blank() {
    on_page("export-png", async |page| {
        let downloads = Downloads::of(&page, "png").await;
        let play = case("billing", None).play();
        let tall = |svg: &str| -> u32 {
            let (_, rest) = svg.split_once(" height=\"").expect("it has a height");
            rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
        };
        let size = |png: &[u8]| {
            let number = |at: usize| {
                png.get(at..at + 4).map(|bytes| u32::from_be_bytes(bytes.try_into().expect("four")))
            };
            (png.starts_with(b"\x89PNG\r\n\x1a\n"), number(16), number(20))
        };
        let expected = (true, Some(2_000), Some(2 * tall(&svg(&play, &Picture::default()))));
        let mut pictures = Vec::new();
        for scheme in ["light", "dark"] {
            page.prefer(scheme).await;
            page.becomes("the theme", &scheme.to_owned(), async || page.attr("html", "data-theme").await)
                .await;
            press(&page, "save png").await;
            page.becomes("the PNG", &expected, async || size(&downloads.read("billing.png"))).await;
            let picture = downloads.read("billing.png");
            fs::remove_file(downloads.0.join("billing.png")).expect("it is there");
            // The corner above the title is paper, and there are many other colours.
            let seen = pixels(&page, &picture).await;
            let paper = if scheme == "light" { [0xfb, 0xfa, 0xf7] } else { [0x11, 0x15, 0x1b] };
            assert_eq!(seen.0, paper, "{scheme}");
            assert!(seen.1 > 50, "{scheme}: {} colours", seen.1);
            pictures.push(picture);
        }
        assert_ne!(pictures.first(), pictures.last());

        page.click("#closer").await;
        let from: u64 = page.attr("#in-view", "aria-valuenow").await.parse().expect("milliseconds");
        let view = View { from: SimTime::from_millis(from), to: SimTime::from_millis(from + 30_000) };
        let closer = svg(&play, &Picture { view: Some(view), ..Picture::default() });
        assert_ne!(closer, svg(&play, &Picture::default()));
        downloads.holds(&page, "svg", "billing.svg", &closer).await;
    });
}

/// The colour near the upper left corner, and how many colours there are, as the browser reads a PNG.
async fn pixels(page: &Page, png: &[u8]) -> ([u8; 3], u64) {
    let script = "const [bytes, done] = [new Uint8Array(arguments[0]), arguments[arguments.length - 1]];
        createImageBitmap(new Blob([bytes], { type: 'image/png' })).then(image => {
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            const all = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
            done([[...context.getImageData(40, 12, 1, 1).data].slice(0, 3), new Set(all).size]);
        }, error => done(String(error)))";
    let seen = page.client.execute_async(script, vec![json!(png)]).await.expect("it can be read");
    serde_json::from_value(seen.clone()).unwrap_or_else(|_| panic!("no picture: {seen}"))
}

/// By keyboard in and out; what can be copied is copied.
#[test]
fn the_menu_works_by_keyboard_and_copies() {
    on_page("export-keys", async |page| {
        let focus = "return document.activeElement.closest('summary') ? 'summary' : document.activeElement.dataset.do";
        let open = async || page.prop(MENU, "open").await;
        page.keys(&format!("{MENU} summary"), &Key::Enter.to_string()).await;
        assert_eq!(open().await, "true");
        page.keys(&format!("{MENU} summary"), &Key::Tab.to_string()).await;
        assert_eq!(page.run(focus, vec![]).await, "save svg");
        page.keys(&format!("{MENU} [data-do='save svg']"), &Key::Escape.to_string()).await;
        assert_eq!((open().await.as_str(), page.run(focus, vec![]).await), ("false", json!("summary")));
        // A press elsewhere closes it as well.
        page.click(&format!("{MENU} summary")).await;
        page.click("#verdict").await;
        assert_eq!(open().await, "false");

        let take = "window.taken = []; navigator.clipboard.writeText = text => (window.taken.push(text), Promise.resolve())";
        page.run(take, vec![]).await;
        let story = case("billing", None);
        for (word, expected) in files(&story.document, &story.play()) {
            press(&page, &format!("copy {word}")).await;
            let last = "return window.taken.pop() === arguments[0]";
            page.becomes(word, &json!(true), async || page.run(last, vec![expected.as_str().into()]).await)
                .await;
        }
        page.becomes("what is said", &"Scenario is copied.".to_owned(), async || page.text(".notice").await)
            .await;
    });
}

/// Nothing is made before it is asked for, and the menu alone makes nothing.
#[test]
fn an_open_menu_costs_nothing() {
    on_page("export-lazy", async |page| {
        let watch = "window.made = 0; const make = URL.createObjectURL; URL.createObjectURL = blob => (window.made++, make(blob));
            window.fetched = performance.getEntriesByType('resource').length";
        page.run(watch, vec![]).await;
        page.click(&format!("{MENU} summary")).await;
        page.shot("look-export").await;
        let counts = "return [window.made, performance.getEntriesByType('resource').length - window.fetched]";
        assert_eq!(page.run(counts, vec![]).await, json!([0, 0]));
        page.click(&format!("{MENU} [data-do='save toml']")).await;
        page.becomes("what was made", &json!([1, 0]), async || page.run(counts, vec![]).await).await;
    });
}

/// Open, it lies within the window, on a phone as well.
#[test]
fn the_menu_fits_every_window() {
    on_page("export-fits", async |page| {
        for (width, height) in [(1_400, 900), (1_024, 768), (390, 844), (320, 700)] {
            page.resize(width, height).await;
            page.shown("the size", &format!("return innerWidth === {width}")).await;
            // Clear of what sticks to the window's edge.
            page.run("document.querySelector('#export').scrollIntoView({ block: 'center' })", vec![]).await;
            page.click(&format!("{MENU} summary")).await;
            let beyond = "const wide = document.documentElement.clientWidth;
                return [...document.querySelectorAll('.export-menu, .export-menu *')].filter(e => {
                    const at = e.getBoundingClientRect();
                    return at.width === 0 || at.left < 0 || at.right > wide;
                }).map(e => `${e.className} ${e.textContent} ${JSON.stringify(e.getBoundingClientRect())}`)";
            let shot = page.shot(&format!("look-export-{width}")).await;
            assert_eq!(
                page.strings(beyond, vec![]).await,
                [""; 0],
                "at {width}x{height}, see {}",
                shot.display()
            );
            page.click(&format!("{MENU} summary")).await;
        }
    });
}
