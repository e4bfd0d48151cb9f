//! What WebDriver has no word for: each browser is asked in its own way.

use std::path::Path;

use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::page::Page;

/// What fingers do.
#[derive(Clone, Copy)]
pub(crate) enum Touch {
    Down,
    Moves,
    Up,
}

impl Page {
    /// Errors that the browser's console took since it was last asked.
    pub(crate) async fn console_errors(&self) -> Vec<String> {
        match self.browser {
            Browser::Chromium => {
                let entries = self.ask("se/log", json!({ "type": "browser" })).await;
                let entries = entries.as_array().cloned().unwrap_or_default();
                let severe = entries.into_iter().filter(|entry| entry["level"] == "SEVERE");
                severe.map(|entry| entry["message"].to_string()).collect()
            }
            Browser::Firefox => {
                let errors = self.firefox(CONSOLE, vec![]).await;
                serde_json::from_value(errors).expect("the script answers with texts")
            }
        }
    }

    /// Gives the page a window of exactly this size, in CSS pixels.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        match self.browser {
            Browser::Chromium => {
                let size =
                    json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
                self.devtools("Emulation.setDeviceMetricsOverride", size).await;
            }
            // Its window is never as narrow as a phone; what shows the page in it can be.
            Browser::Firefox => {
                let script = "const shows = window.gBrowser.selectedBrowser;
                    shows.style.setProperty('width', `${arguments[0]}px`);
                    shows.style.setProperty('height', `${arguments[1]}px`);";
                self.firefox(script, vec![width.into(), height.into()]).await;
            }
        }
    }

    /// Has the system prefer light or dark.
    pub(crate) async fn prefer(&self, scheme: &str) {
        match self.browser {
            Browser::Chromium => self.emulate("prefers-color-scheme", scheme).await,
            Browser::Firefox => {
                let number = if scheme == "dark" { 0 } else { 1 };
                self.set("layout.css.prefers-color-scheme.content-override", number.into()).await;
            }
        }
    }

    /// Has the system ask for less motion.
    pub(crate) async fn prefer_less_motion(&self) {
        match self.browser {
            Browser::Chromium => self.emulate("prefers-reduced-motion", "reduce").await,
            Browser::Firefox => self.set("ui.prefersReducedMotion", 1.into()).await,
        }
        // A page hears of it by and by.
        let heard = "return matchMedia('(prefers-reduced-motion: reduce)').matches";
        self.shown("the wish for less motion", heard).await;
    }

    /// Has the browser save into a folder, without asking.
    pub(crate) async fn save_to(&self, folder: &Path) {
        let folder = folder.to_str().expect("the folder's name is text");
        match self.browser {
            Browser::Chromium => {
                let to = json!({ "behavior": "allow", "downloadPath": folder });
                self.devtools("Browser.setDownloadBehavior", to).await;
            }
            Browser::Firefox => self.set("browser.download.dir", folder.into()).await,
        }
    }

    /// Lets the page run its scripts, or not, from when it is loaded next.
    pub(crate) async fn scripts(&self, run: bool) {
        match self.browser {
            Browser::Chromium => {
                self.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": !run })).await;
            }
            Browser::Firefox => self.set("javascript.enabled", run.into()).await,
        }
    }

    /// All that the browser tells a screen reader of the page.
    pub(crate) async fn read_out(&self) -> String {
        match self.browser {
            Browser::Chromium => self.asked("Accessibility.getFullAXTree", json!({})).await.to_string(),
            Browser::Firefox => {
                // What tells is started by the first who asks.
                let read = async || self.firefox(READ_OUT, vec![]).await;
                self.becomes("what is read out", &true, async || !read().await.is_null()).await;
                read().await.as_str().unwrap_or_default().to_owned()
            }
        }
    }

    /// What these fingers do, all of those that are down.
    pub(crate) async fn fingers(&self, what: Touch, at: &[(f64, f64)]) {
        match self.browser {
            // Of WebDriver's touch actions chromedriver 156 delivers only the first.
            Browser::Chromium => {
                let (what, at) = match what {
                    Touch::Down => ("touchStart", at),
                    Touch::Moves => ("touchMove", at),
                    Touch::Up => ("touchEnd", &[][..]),
                };
                let points: Vec<_> =
                    at.iter().map(|(x, y)| json!({ "x": x.round(), "y": y.round() })).collect();
                self.devtools("Input.dispatchTouchEvent", json!({ "type": what, "touchPoints": points }))
                    .await;
            }
            // WebDriver's touch actions come to the page, but never scroll it.
            Browser::Firefox => {
                let down = match what {
                    Touch::Down | Touch::Moves => true,
                    Touch::Up => false,
                };
                self.firefox(FINGERS, vec![down.into(), json!(at)]).await;
            }
        }
    }

    /// Speaks Chromium's own protocol.
    pub(crate) async fn devtools(&self, command: &str, params: Value) {
        self.asked(command, params).await;
    }

    /// The same with its answer.
    pub(crate) async fn asked(&self, command: &str, params: Value) -> Value {
        assert_eq!(self.browser, Browser::Chromium, "{command} is of Chromium's own protocol");
        self.ask("goog/cdp/execute", json!({ "cmd": command, "params": params })).await
    }

    async fn emulate(&self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", features).await;
    }

    /// Sets a preference of Firefox's.
    async fn set(&self, name: &str, value: Value) {
        let script = "const [name, value] = arguments;
            const kinds = { number: 'setIntPref', boolean: 'setBoolPref', string: 'setStringPref' };
            Services.prefs[kinds[typeof value]](name, value);";
        self.firefox(script, vec![name.into(), value]).await;
    }

    /// Runs a script in Firefox itself, around the page.
    async fn firefox(&self, script: &str, with: Vec<Value>) -> Value {
        self.ask("moz/context", json!({ "context": "chrome" })).await;
        let answer = self.run(script, with).await;
        self.ask("moz/context", json!({ "context": "content" })).await;
        answer
    }

    /// Gives the driver a command that the standard does not have.
    async fn ask(&self, path: &'static str, body: Value) -> Value {
        self.client.issue_cmd(OfDriver { path, body }).await.expect("the driver knows the command")
    }
}

/// Firefox' errors about the page: what was thrown or refused, and what the page itself put into its console. The latter is
/// kept by the page's process.
const CONSOLE: &str = "const thrown = Services.console.getMessageArray().filter(each => each instanceof Ci.nsIScriptError
        && !/^(chrome|resource):/.test(each.sourceName) && (each.flags & (each.warningFlag | each.infoFlag)) === 0);
    Services.console.reset();
    const of_page = window.gBrowser.selectedBrowser.browsingContext.currentWindowGlobal.getActor('MarionetteCommands');
    const script = `const kept = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
        const said = kept.getEvents().filter(each => each.level === 'error').map(each => String(each.arguments[0]));
        kept.clearEvents();
        return said`;
    return of_page.executeScript(script, [], { sandboxName: 'system', timeout: 10000 })
        .then(said => [...thrown.map(each => each.message), ...said])";

/// The names of all that is accessible in Firefox' page, or nothing while there is no page to be read.
const READ_OUT: &str =
    "const service = Cc['@mozilla.org/accessibilityService;1'].getService(Ci.nsIAccessibilityService);
    const page = service.getAccessibleFor(window.gBrowser.selectedBrowser);
    if (!page?.firstChild?.firstChild) return null;
    const names = [];
    const walk = each => {
        names.push(each.name);
        for (let child = each.firstChild; child; child = child.nextSibling) walk(child);
    };
    walk(page);
    return names.join('\\n')";

/// Fingers on Firefox' window, as its system would report them. Those that lift do so where they were.
const FINGERS: &str = "const [down, at] = arguments;
    if (down) window.fingers = at;
    const shows = window.gBrowser.selectedBrowser.getBoundingClientRect();
    const place = (inner, side, within) => Math.round(inner + side + within) * window.devicePixelRatio;
    const TOUCHES = 2, IS_LIFTED = 4;
    window.fingers.forEach(([x, y], nth) => window.windowUtils.sendNativeTouchPoint(
        nth, down ? TOUCHES : IS_LIFTED,
        place(window.mozInnerScreenX, shows.x, x), place(window.mozInnerScreenY, shows.y, y), 1, 0, null));";

/// A command of one driver's own.
#[derive(Debug)]
struct OfDriver {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for OfDriver {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
