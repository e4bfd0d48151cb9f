//! What a person is told while it works, and the true time it takes.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// Who speaks, where several do at once.
    static VOICE: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Measures how long something took.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "the true time that a person waits; nothing is simulated here"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// From now on every line of this thread begins with a name.
pub(crate) fn speak_as(name: &'static str) {
    VOICE.set(Some(name));
}

/// A line of its own.
pub(crate) fn line(text: impl AsRef<str>) {
    match VOICE.get() {
        Some(name) => text.as_ref().lines().for_each(|line| println!("{name} | {line}")),
        None => println!("{}", text.as_ref()),
    }
}

/// A sign of life during a long step: the seconds, and what the program said last.
pub(crate) fn beat(label: &str, elapsed: Duration, doing: &str) {
    let doing: String = doing.chars().take(80).collect();
    line(format!("      {label}: {} s ... {doing}", elapsed.as_secs()));
}

/// `75 s` as a person says it.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds < 10 {
        format!("{:.1} s", duration.as_secs_f64())
    } else if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// A count of bytes in the decimal units that payload budgets are written in.
pub(crate) fn bytes(count: usize) -> String {
    format!("{}.{} kB", count / 1000, count % 1000 / 100)
}
