//! What a test sees of the page, and the plain things that it does with it.

use std::path::PathBuf;
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use fencepost_tests::played;
use scenario::Play;
use serde_json::Value;

use crate::browser::Browser;
use crate::driver::workspace;

/// How long the page may take until it shows what it should.
const SHOWS_WITHIN: Duration = Duration::from_secs(30);
const LOOKS_EVERY: Duration = Duration::from_millis(15);

/// The verdict's sentence.
pub(crate) const SENTENCE: &str = "#verdict .verdict-sentence";

/// The page in its browser.
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) client: Client,
    pub(crate) browser: Browser,
    pub(crate) address: String,
}

/// Where something is in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) w: f64,
    pub(crate) h: f64,
}

impl Place {
    pub(crate) fn middle(self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }
}

impl Page {
    /// Opens the page anew, with this query, and waits until it has played its story.
    pub(crate) async fn open(&self, query: &str) {
        // A window as large as it says: that of a headless browser loses some of its height to a frame.
        self.resize(1400, 900).await;
        self.client.goto(&format!("{}{query}", self.address)).await.expect("the page is served");
        self.shown("the verdict", &format!("return document.querySelector('{SENTENCE}') !== null")).await;
    }

    /// Runs a script in the page.
    pub(crate) async fn run(&self, script: &str, with: Vec<Value>) -> Value {
        self.client.execute(script, with).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script answers with `true`.
    pub(crate) async fn shown(&self, what: &str, script: &str) {
        self.becomes(what, &Value::Bool(true), async || self.run(script, vec![]).await).await;
    }

    /// Waits until something is as it should be; panics with what it is instead.
    pub(crate) async fn becomes<T: PartialEq + std::fmt::Debug>(
        &self,
        what: &str,
        expected: &T,
        look: impl AsyncFn() -> T,
    ) {
        let mut seen = look().await;
        let wait = async {
            while seen != *expected {
                tokio::time::sleep(LOOKS_EVERY).await;
                seen = look().await;
            }
        };
        if tokio::time::timeout(SHOWS_WITHIN, wait).await.is_err() {
            panic!("{what}: it should have become\n  {expected:?}\nbut is\n  {seen:?}");
        }
    }

    pub(crate) async fn element(&self, css: &str) -> Element {
        let waits = self.client.wait().at_most(SHOWS_WITHIN).every(LOOKS_EVERY);
        waits.for_element(Locator::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// An element's text, whether it is in view or not, once it is there.
    pub(crate) async fn text(&self, css: &str) -> String {
        self.first(css, async || self.texts(css).await).await
    }

    /// The texts of all elements.
    pub(crate) async fn texts(&self, css: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent.trim())";
        self.strings(script, vec![css.into()]).await
    }

    /// The values of an attribute of all elements; absent ones as nothing.
    pub(crate) async fn attrs(&self, css: &str, name: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0])].map(e => e.getAttribute(arguments[1]) ?? '')";
        self.strings(script, vec![css.into(), name.into()]).await
    }

    pub(crate) async fn attr(&self, css: &str, name: &str) -> String {
        self.first(css, async || self.attrs(css, name).await).await
    }

    /// The first of what is looked for, once there is one: a page that is loading again has none yet.
    async fn first(&self, css: &str, look: impl AsyncFn() -> Vec<String>) -> String {
        let wait = async {
            loop {
                match look().await.into_iter().next() {
                    Some(first) => return first,
                    None => tokio::time::sleep(LOOKS_EVERY).await,
                }
            }
        };
        tokio::time::timeout(SHOWS_WITHIN, wait).await.unwrap_or_else(|_| panic!("there is no {css}"))
    }

    /// What a field holds.
    pub(crate) async fn value(&self, css: &str) -> String {
        self.element(css).await.prop("value").await.expect("it is there").unwrap_or_default()
    }

    /// A property of an element, as text.
    pub(crate) async fn prop(&self, css: &str, name: &str) -> String {
        self.element(css).await.prop(name).await.expect("it is there").unwrap_or_default()
    }

    pub(crate) async fn strings(&self, script: &str, with: Vec<Value>) -> Vec<String> {
        serde_json::from_value(self.run(script, with).await).expect("the script answers with texts")
    }

    pub(crate) async fn number(&self, script: &str) -> f64 {
        self.run(script, vec![]).await.as_f64().unwrap_or_else(|| panic!("{script}: no number"))
    }

    /// Where an element is, after it was brought into view.
    pub(crate) async fn place(&self, css: &str) -> Place {
        let script = "const e = document.querySelector(arguments[0]);
            e.scrollIntoView({ block: 'nearest', behavior: 'instant' });
            const r = e.getBoundingClientRect();
            return [r.x, r.y, r.width, r.height]";
        let answer = self.run(script, vec![css.into()]).await;
        let [x, y, w, h] = serde_json::from_value(answer).expect("a rectangle has four figures");
        Place { x, y, w, h }
    }

    /// Where an element is as the page is scrolled.
    pub(crate) async fn seen(&self, css: &str) -> Place {
        let script = "const r = document.querySelector(arguments[0]).getBoundingClientRect();
            return [r.x, r.y, r.width, r.height]";
        let answer = self.run(script, vec![css.into()]).await;
        let [x, y, w, h] = serde_json::from_value(answer).expect("a rectangle has four figures");
        Place { x, y, w, h }
    }

    pub(crate) async fn click(&self, css: &str) {
        self.element(css).await.click().await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Presses keys while an element has the focus.
    pub(crate) async fn keys(&self, css: &str, keys: &str) {
        self.element(css).await.send_keys(keys).await.unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Types into a field over what it has, and is done with it.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        // The end of the first lets go of Ctrl: geckodriver does not, for a key that only says so.
        self.keys(css, &format!("{}a", Key::Control)).await;
        self.keys(css, &format!("{text}{}", Key::Enter)).await;
    }

    /// Chooses from a list.
    pub(crate) async fn choose(&self, css: &str, value: &str) {
        let list = self.element(css).await;
        list.select_by_value(value).await.unwrap_or_else(|error| panic!("{css}, {value}: {error}"));
    }

    /// Waits until the page says what a native play of the same document says: verdict, reasons and the whole tale.
    pub(crate) async fn tells(&self, story: &str, variant: Option<&str>, edits: &[(&str, &str)]) -> Play {
        let play = played(story, variant, edits);
        self.shows(&format!("the verdict on {story} {variant:?} {edits:?}"), &play).await;
        play
    }

    /// Waits until the page says what this play says: verdict, reasons and the whole tale.
    pub(crate) async fn shows(&self, what: &str, play: &Play) {
        let expected = [play.headline.sentence.clone(), play.headline.because.clone()];
        self.becomes(what, &expected, async || {
            [self.text(SENTENCE).await, self.text("#verdict .verdict-because").await]
        })
        .await;
        let tale: Vec<String> = play.tale.iter().map(|event| event.text.clone()).collect();
        self.becomes("the tale", &tale, async || self.texts("#events tbody td:last-child").await).await;
    }

    /// Waits until the verdict begins with this.
    pub(crate) async fn says(&self, sentence: &str) {
        self.becomes("the verdict", &sentence.to_owned(), async || self.text(SENTENCE).await).await;
    }

    /// Takes a picture of the window, to the browser's folder.
    pub(crate) async fn shot(&self, name: &str) -> PathBuf {
        let folder = workspace().join("target").join(self.browser.pictures());
        let file = folder.join(format!("{name}.png"));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        match self.client.screenshot().await {
            Ok(picture) => std::fs::write(&file, picture).expect("the picture can be written"),
            Err(error) => eprintln!("no picture of {name}: {error}"),
        }
        file
    }
}
