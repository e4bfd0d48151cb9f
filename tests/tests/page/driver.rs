//! Starts chromedriver and, through it, a browser of its own for each test; clears both away whatever happens.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::LocalSet;
use tokio::time::timeout;

use crate::page::Page;
use crate::site::{self, Site};

/// How long a driver or a browser may take to be there: on a busy machine, long.
const STARTS_WITHIN: Duration = Duration::from_secs(60);
/// How often a browser is started before that counts as a failure.
const TRIES: u32 = 3;
/// How long a test may take.
const TEST_WITHIN: Duration = Duration::from_secs(300);

/// Runs a test on the page, freshly opened in a browser of its own. Whatever the test looked at, the browser's console
/// must have stayed free of errors. A test that fails leaves a screenshot behind.
pub(crate) fn on_page<Done: Future<Output = ()> + 'static>(
    name: &'static str,
    test: impl FnOnce(Page) -> Done + 'static,
) {
    in_browser(name, Site::of(dist()), async move |page| {
        page.open("").await;
        test(page).await;
    });
}

/// The same on any site, whose page the test opens itself.
pub(crate) fn in_browser<Done: Future<Output = ()> + 'static>(
    name: &'static str,
    site: Site,
    test: impl FnOnce(Page) -> Done + 'static,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    LocalSet::new().block_on(&runtime, async {
        let address = site::serve(site).await;
        let driver = Driver::start().await;
        let page = Page { client: driver.browser().await, address };
        let steps = page.clone();
        let run = tokio::task::spawn_local(async move {
            timeout(TEST_WITHIN, test(steps.clone())).await.expect("the test ends in time");
            assert_eq!(steps.console_errors().await, [""; 0], "the console stays free of errors");
        });
        let ended = run.await;
        if ended.is_err() {
            let shot = page.shot(&format!("failed-{name}")).await;
            eprintln!("{name}: the browser showed {}", shot.display());
        }
        // Closing takes the browser along; killing the driver alone would leave it behind.
        timeout(STARTS_WITHIN, page.client.close()).await.ok();
        drop(driver);
        if let Err(failure) = ended {
            std::panic::resume_unwind(failure.into_panic());
        }
    });
}

/// The workspace, whose `target/e2e` takes the pictures.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_path_buf()
}

/// Where the built page is.
fn dist() -> PathBuf {
    env::var_os("FENCEPOST_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from)
}

/// A chromedriver on a port that it chose; killed when dropped.
struct Driver {
    port: u16,
    _process: Child,
    /// Kept open, so that the driver has somewhere to say what it has to say.
    _says: Lines<BufReader<ChildStdout>>,
}

impl Driver {
    async fn start() -> Self {
        let program = env::var_os("FENCEPOST_CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let mut process = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{} cannot be started: {error}", program.display()));
        let stdout = process.stdout.take().expect("it is piped");
        let mut says = BufReader::new(stdout).lines();
        let port = timeout(STARTS_WITHIN, async {
            while let Some(line) = says.next_line().await.expect("what the driver says is text") {
                if let Some((_, port)) = line.split_once("started successfully on port ") {
                    return port.trim_end_matches('.').parse().expect("a port is a number");
                }
            }
            panic!("chromedriver ended without having started");
        });
        let port = port.await.expect("chromedriver starts in time");
        Self { port, _process: process, _says: says }
    }

    /// A browser with nothing of anybody's in it.
    async fn browser(&self) -> Client {
        // The driver makes a fresh user-data-dir of its own for each session, and removes it.
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
        let wishes = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let Value::Object(wishes) = wishes else { unreachable!("it was written as an object") };
        let address = format!("http://127.0.0.1:{}", self.port);
        // On a machine that is very busy the driver gives up on a browser now and then that would have started.
        let mut left = TRIES;
        loop {
            left -= 1;
            let mut builder = ClientBuilder::new(HttpConnector::new());
            match timeout(STARTS_WITHIN, builder.capabilities(wishes.clone()).connect(&address)).await {
                Ok(Ok(client)) => return client,
                Ok(Err(error)) if left == 0 => panic!("the browser does not start: {error}"),
                Ok(Err(error)) => eprintln!("once more, since the browser did not start: {error}"),
                Err(_) => panic!("the browser did not start within {STARTS_WITHIN:?}"),
            }
        }
    }
}
