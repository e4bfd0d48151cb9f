//! Serves the built page, or a page that embeds figures, to the browser, on a port of its own.

use std::path::{Component, Path, PathBuf};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What is served.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) root: PathBuf,
    /// The content security policy that every answer comes with.
    pub(crate) policy: Option<&'static str>,
}

impl Site {
    pub(crate) fn of(root: PathBuf) -> Self {
        Self { root, policy: None }
    }
}

/// Serves for as long as the runtime lives. Answers with the address of the site.
pub(crate) async fn serve(site: Site) -> String {
    assert!(
        site.root.is_dir(),
        "there is no built page in {}: `cargo xtask test page book` builds all that is opened here",
        site.root.display()
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("some port is free");
    let port = listener.local_addr().expect("it is bound").port();
    tokio::task::spawn_local(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let site = site.clone();
            // A browser that goes away in the middle of an answer is no concern.
            tokio::task::spawn_local(async move { answer(stream, &site).await.ok() });
        }
    });
    format!("http://127.0.0.1:{port}/")
}

async fn answer(mut stream: TcpStream, site: &Site) -> std::io::Result<()> {
    let mut lines = BufReader::new(&mut stream).lines();
    let asked = lines.next_line().await?.unwrap_or_default();
    while lines.next_line().await?.is_some_and(|line| !line.is_empty()) {}
    let path = asked.split(' ').nth(1).and_then(|path| path.split('?').next()).unwrap_or("/");
    let (status, kind, body) = match file(site, path).await {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", Vec::new()),
    };
    let length = body.len();
    let policy =
        site.policy.map_or_else(String::new, |policy| format!("content-security-policy: {policy}\r\n"));
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n{policy}connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    stream.shutdown().await
}

async fn file(site: &Site, path: &str) -> Option<(&'static str, Vec<u8>)> {
    // Browsers ask for it by themselves; a page that has none is no error.
    if path == "/favicon.ico" {
        return Some(("image/x-icon", Vec::new()));
    }
    let path = Path::new(match path.trim_start_matches('/') {
        "" => "index.html",
        path => path,
    });
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let kind = match path.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "wasm" => "application/wasm",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    Some((kind, tokio::fs::read(site.root.join(path)).await.ok()?))
}
