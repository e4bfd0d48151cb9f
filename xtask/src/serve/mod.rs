//! Serves the built page on this computer.

mod files;

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::say;
use files::Answer;

/// A browser asks for several files at once, and keeps connections that it does not use.
const WORKERS: usize = 4;
/// How many ports are tried from the wished one on.
const PORTS: u16 = 50;

/// Serves `dist` until it is interrupted.
pub(crate) fn serve(dist: &Path, port: u16) -> Result<()> {
    let listener = listen(port)?;
    let got = listener.local_addr()?.port();
    if port != 0 && got != port {
        say::line(format!("Port {port} is taken; using {got}."));
    }
    let server = Server::from_listener(listener, None).map_err(|error| anyhow::anyhow!("{error}"))?;
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                for request in server.incoming_requests() {
                    // A visitor who left before the answer is no concern.
                    let _ = answer(request, dist);
                }
            });
        }
        if answers(got) {
            say::line(format!("Fencepost is at http://127.0.0.1:{got}/ (Ctrl-C stops it)"));
            Ok(())
        } else {
            server.unblock();
            bail!("the server does not answer on port {got}")
        }
    })
}

/// The wished port, or the next free one.
fn listen(wished: u16) -> Result<TcpListener> {
    let last = if wished == 0 { 0 } else { wished.saturating_add(PORTS) };
    let mut error = None;
    for port in wished..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return Ok(listener),
            Err(taken) if taken.kind() == io::ErrorKind::AddrInUse => error = Some(taken),
            Err(other) => return Err(other).with_context(|| format!("port {port} cannot be used")),
        }
    }
    Err(error.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()))
        .with_context(|| format!("no port from {wished} to {last} is free; choose one with --port"))
}

/// Asks for the page as a browser would.
fn answers(port: u16) -> bool {
    let ask = || -> io::Result<bool> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n")?;
        let mut start = [0; 12];
        stream.read_exact(&mut start)?;
        Ok(start.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}

fn answer(request: Request, dist: &Path) -> io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(text(405, "this server only reads\n"));
    }
    match files::look_up(dist, request.url()) {
        Answer::File { bytes, mime } => {
            let response =
                Response::from_data(bytes).with_header(header("Content-Type", mime)).with_header(fresh());
            request.respond(response)
        }
        Answer::Missing => request.respond(text(404, "there is no such file\n")),
    }
}

fn text(status: u16, words: &str) -> Response<io::Cursor<Vec<u8>>> {
    Response::from_string(words).with_status_code(status).with_header(fresh())
}

/// A page that was built again must be seen at once.
fn fresh() -> Header {
    header("Cache-Control", "no-store")
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).unwrap_or_else(|()| panic!("{name}: {value} is no valid header"))
}
