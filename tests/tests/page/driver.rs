//! Starts a driver and, through it, a browser of its own for each test; clears both away whatever happens.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;
use tokio::task::LocalSet;
use tokio::time::timeout;

use crate::browser::Browser;
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
        let browser = Browser::chosen();
        let driver = Driver::start(browser).await;
        let page = Page { client: driver.client().await, browser, address };
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

/// The workspace, whose `target` takes the pictures.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace").to_path_buf()
}

/// Where the built page is.
pub(crate) fn dist() -> PathBuf {
    env::var_os("FENCEPOST_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from)
}

/// A driver on a port that it chose; killed when dropped.
struct Driver {
    browser: Browser,
    port: u16,
    _process: Child,
}

impl Driver {
    async fn start(browser: Browser) -> Self {
        let mut process = browser
            .driver()
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("the driver of {browser:?} cannot be started: {error}"));
        let stdout = process.stdout.take().expect("it is piped");
        let mut says = BufReader::new(stdout).lines();
        let port = timeout(STARTS_WITHIN, async {
            while let Some(line) = says.next_line().await.expect("what the driver says is text") {
                if let Some(port) = browser.port_in(&line) {
                    return port;
                }
            }
            panic!("the driver of {browser:?} ended without having started");
        });
        let port = port.await.expect("the driver starts in time");
        // What it says later is heard as well: a pipe that is full would stop it.
        tokio::task::spawn_local(async move { while let Ok(Some(_)) = says.next_line().await {} });
        Self { browser, port, _process: process }
    }

    /// A browser of its own.
    async fn client(&self) -> Client {
        let address = format!("http://127.0.0.1:{}", self.port);
        // On a machine that is very busy the driver gives up on a browser now and then that would have started.
        let mut left = TRIES;
        loop {
            left -= 1;
            let mut builder = ClientBuilder::new(HttpConnector::new());
            let connects = builder.capabilities(self.browser.wishes()).connect(&address);
            match timeout(STARTS_WITHIN, connects).await {
                Ok(Ok(client)) => return client,
                Ok(Err(error)) if left == 0 => panic!("the browser does not start: {error}"),
                Ok(Err(error)) => eprintln!("once more, since the browser did not start: {error}"),
                Err(_) => panic!("the browser did not start within {STARTS_WITHIN:?}"),
            }
        }
    }
}
