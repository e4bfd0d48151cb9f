//! Serves the built page to the browser, on a port of its own.

use std::path::{Component, Path, PathBuf};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Serves a folder for as long as the runtime lives. Answers with the address of its page.
pub(crate) async fn serve(root: PathBuf) -> String {
    assert!(
        root.join("index.html").exists(),
        "there is no built page in {}: `cargo xtask build` makes one",
        root.display()
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("some port is free");
    let port = listener.local_addr().expect("it is bound").port();
    tokio::task::spawn_local(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let root = root.clone();
            // A browser that goes away in the middle of an answer is no concern.
            tokio::task::spawn_local(async move { answer(stream, &root).await.ok() });
        }
    });
    format!("http://127.0.0.1:{port}/")
}

async fn answer(mut stream: TcpStream, root: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(&mut stream).lines();
    let asked = lines.next_line().await?.unwrap_or_default();
    while lines.next_line().await?.is_some_and(|line| !line.is_empty()) {}
    let path = asked.split(' ').nth(1).and_then(|path| path.split('?').next()).unwrap_or("/");
    let (status, kind, body) = match file(root, path).await {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", Vec::new()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    stream.shutdown().await
}

async fn file(root: &Path, path: &str) -> Option<(&'static str, Vec<u8>)> {
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
    Some((kind, tokio::fs::read(root.join(path)).await.ok()?))
}
