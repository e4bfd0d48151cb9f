//! Which browser the tests steer, and how its driver starts one.

use std::env;

use serde_json::{Map, Value, json};
use tokio::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Browser {
    Chromium,
    Firefox,
}

impl Browser {
    /// The one that `FENCEPOST_BROWSER` names, else Chromium.
    pub(crate) fn chosen() -> Self {
        match env::var("FENCEPOST_BROWSER").as_deref() {
            Err(_) | Ok("chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok(other) => panic!("FENCEPOST_BROWSER is `{other}`; it can be `chromium` or `firefox`"),
        }
    }

    /// The folder of `target` that takes its pictures.
    pub(crate) fn pictures(self) -> &'static str {
        match self {
            Self::Chromium => "e2e",
            Self::Firefox => "e2e-firefox",
        }
    }

    /// Its driver, which is to choose a port for itself.
    pub(crate) fn driver(self) -> Command {
        let of = |variable: &str, name: &str| env::var_os(variable).unwrap_or_else(|| name.into());
        match self {
            Self::Chromium => {
                let mut driver = Command::new(of("FENCEPOST_CHROMEDRIVER", "chromedriver"));
                driver.arg("--port=0");
                driver
            }
            Self::Firefox => {
                let mut driver = Command::new(of("FENCEPOST_GECKODRIVER", "geckodriver"));
                // Its preferences and its window are the browser's own, beyond the page.
                driver.args(["--port=0", "--allow-system-access"]);
                if let Some(binary) = env::var_os("FENCEPOST_FIREFOX") {
                    driver.arg("--binary").arg(binary);
                }
                driver
            }
        }
    }

    /// The port on which the driver says that it listens, where this line says so.
    pub(crate) fn port_in(self, line: &str) -> Option<u16> {
        let told = match self {
            Self::Chromium => "started successfully on port ",
            Self::Firefox => "Listening on 127.0.0.1:",
        };
        let (_, port) = line.split_once(told)?;
        Some(port.trim_end_matches('.').parse().expect("a port is a number"))
    }

    /// What is asked of a session: a browser with nothing of anybody's in it.
    pub(crate) fn wishes(self) -> Map<String, Value> {
        let wishes = match self {
            Self::Chromium => chromium(),
            Self::Firefox => firefox(),
        };
        let Value::Object(wishes) = wishes else { unreachable!("it was written as an object") };
        wishes
    }
}

/// The driver makes a fresh user-data-dir of its own for each session, and removes it.
fn chromium() -> Value {
    let mut options = json!({
        "args": [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--force-device-scale-factor=1",
            "--window-size=1400,900",
        ],
    });
    if let Ok(browser) = env::var("FENCEPOST_CHROMIUM") {
        options["binary"] = Value::String(browser);
    }
    json!({
        "goog:chromeOptions": options,
        "goog:loggingPrefs": { "browser": "ALL" },
    })
}

/// The driver makes a fresh profile for each session, and removes it.
fn firefox() -> Value {
    json!({
        "moz:firefoxOptions": {
            // Larger than any page that is touched in it, with its own bars.
            "args": ["-headless", "--width=1500", "--height=1100"],
            "prefs": {
                "layout.css.devPixelsPerPx": "1.0",
                // As on a computer that has a screen for fingers.
                "dom.w3c_touch_events.enabled": 1,
                "browser.chrome.site_icons": false,
                // No process ahead of need: a test opens one page.
                "dom.ipc.processPrelaunch.enabled": false,
                "browser.download.folderList": 2,
                "browser.download.alwaysOpenPanel": false,
                "browser.download.always_ask_before_handling_new_types": false,
            },
        },
    })
}
