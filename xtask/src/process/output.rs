//! Follows a running program: gathers its output, shows a heartbeat, keeps its deadline.

use std::io::{BufRead as _, BufReader, Read};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::Result;

use super::groups::Group;
use super::{Ended, Output};
use crate::say;

/// Silence longer than this makes a person wonder.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How often the deadline is looked at.
const TURN: Duration = Duration::from_millis(50);

/// Waits for the end of the group's leader, or for the deadline.
pub(super) fn follow(group: &mut Group, deadline: Duration, output: Output, label: &str) -> Result<Ended> {
    let (sender, lines) = mpsc::channel();
    if let Some(stdout) = group.leader.stdout.take() {
        gather(stdout, sender.clone());
    }
    if let Some(stderr) = group.leader.stderr.take() {
        gather(stderr, sender.clone());
    }
    drop(sender);

    let watch = say::Stopwatch::start();
    let mut text = Text { kept: String::new(), echo: output == Output::Echoed };
    let mut next_beat = HEARTBEAT;
    let status = loop {
        take(&lines, &mut text, TURN);
        if let Some(status) = group.leader.try_wait()? {
            break Some(status);
        }
        let elapsed = watch.elapsed();
        if elapsed >= deadline {
            group.end();
            break None;
        }
        if output == Output::Heartbeat && elapsed >= next_beat {
            say::beat(label, elapsed, last_line(&text.kept));
            next_beat = elapsed + HEARTBEAT;
        }
    };
    // What it left behind holds its streams open; then the readers come to their end, within two seconds at the latest.
    group.sweep();
    for _ in 0..40 {
        if take(&lines, &mut text, TURN) == Lines::Over {
            break;
        }
    }
    Ok(Ended { status, text: text.kept })
}

/// What has come so far.
struct Text {
    kept: String,
    echo: bool,
}

impl Text {
    fn push(&mut self, line: &str) {
        if self.echo {
            say::line(line.trim_end_matches('\n'));
        }
        self.kept.push_str(line);
    }
}

#[derive(PartialEq, Eq)]
enum Lines {
    Open,
    Over,
}

/// Moves lines that have come (waiting `patience` for the first) into `text`.
fn take(lines: &mpsc::Receiver<String>, text: &mut Text, patience: Duration) -> Lines {
    match lines.recv_timeout(patience) {
        Ok(line) => text.push(&line),
        Err(RecvTimeoutError::Timeout) => return Lines::Open,
        Err(RecvTimeoutError::Disconnected) => {
            // Nothing more will come, and the caller still has a process to wait for.
            std::thread::sleep(TURN);
            return Lines::Over;
        }
    }
    lines.try_iter().for_each(|line| text.push(&line));
    Lines::Open
}

fn gather(stream: impl Read + Send + 'static, lines: Sender<String>) {
    #[expect(
        clippy::disallowed_methods,
        reason = "two streams of a program are read at once; nothing is simulated here"
    )]
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        while stream.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
            if lines.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                return;
            }
            bytes.clear();
        }
    });
}

fn last_line(text: &str) -> &str {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim()
}

/// The last lines of a text, for an error.
pub(crate) fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..]
        .iter()
        .map(|line| format!("    {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
