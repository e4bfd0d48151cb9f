//! What a person is told while it works, and the true time it takes.

use std::time::{Duration, Instant};

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

/// A line of its own.
pub(crate) fn line(text: impl AsRef<str>) {
    println!("{}", text.as_ref());
}

/// A sign of life during a long step: the seconds, and what the program said last.
pub(crate) fn beat(label: &str, elapsed: Duration, doing: &str) {
    let doing: String = doing.chars().take(80).collect();
    println!("      {label}: {} s ... {doing}", elapsed.as_secs());
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
