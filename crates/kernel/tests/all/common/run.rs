//! A played world whose trace reads as lines.

use kernel::*;

use super::{Actor, Toy};

/// A world that was played, and what happened in it.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) world: World<Actor>,
    pub(crate) trace: Trace<Toy>,
}

impl Run {
    pub(crate) fn go_on(&mut self, until: SimTime) {
        self.world.run_until(until, &mut self.trace);
    }

    pub(crate) fn actor(&self, process: u16) -> &Actor {
        self.world.machine(ProcessId(process))
    }

    pub(crate) fn disk(&self, process: u16) -> &[u32] {
        &self.world.disk(ProcessId(process)).0
    }

    pub(crate) fn health(&self, process: u16) -> Health {
        self.world.health(ProcessId(process))
    }

    /// Lines of all that happened to the processes named (`"ab"`), with `-` for faults of links.
    pub(crate) fn lines(&self, who: &str) -> Vec<String> {
        let named = |record: &&Record<Toy>| who.contains(letter(record.process));
        self.trace.records().iter().filter(named).map(|record| line(&self.trace, record)).collect()
    }

    /// Holds what happened to the processes named to the lines expected, one a record, in order.
    #[track_caller]
    pub(crate) fn check(&self, who: &str, expected: &str) {
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let lines = self.lines(who);
        assert!(lines == expected, "expected\n{}\nbut it was\n{}\n", expected.join("\n"), lines.join("\n"));
    }
}

impl Run {
    /// What faults did, in order.
    pub(crate) fn struck(&self) -> Vec<&Struck> {
        let mut all = Vec::new();
        for record in self.trace.records() {
            if let What::Struck(struck) = &record.what {
                all.push(struck);
            }
        }
        all
    }
}

fn letter(process: ProcessId) -> char {
    if process == ProcessId::NOBODY { '-' } else { char::from(b'a' + process.0 as u8) }
}

/// Milliseconds, with a fraction when there is one.
fn millis(at: SimTime) -> String {
    let micros = at.as_micros();
    let whole = (micros / 1_000).to_string();
    if micros.is_multiple_of(1_000) { whole } else { format!("{whole}.{:03}", micros % 1_000) }
}

/// A record as a line: when in milliseconds, who, what.
pub(crate) fn line(trace: &Trace<Toy>, record: &Record<Toy>) -> String {
    let said = || match trace.get(record.cause).map(|cause| &cause.what) {
        Some(What::Sent { msg, .. }) => msg.to_string(),
        Some(What::Struck(_)) => "an order".to_owned(),
        other => format!("what nobody sent ({other:?})"),
    };
    let what = match &record.what {
        What::Took(Took::Boot) => "boots".into(),
        What::Took(Took::Message) => format!("takes {}", said()),
        What::Took(Took::Refused) => format!("refused {}", said()),
        What::Took(Took::Closed) => "closed".into(),
        What::Took(Took::Timer(timer)) => format!("timer {timer}"),
        What::Sent { to, msg, fate } => {
            let fate = match fate {
                Fate::Arrives(at) => millis(*at),
                Fate::ArrivesTwice(at, again) => format!("{} and {}", millis(*at), millis(*again)),
                Fate::Lost => "lost".into(),
                Fate::Cut => "cut".into(),
                Fate::Refused(at) => format!("refused {}", millis(*at)),
            };
            format!("sends {msg} to {} ({fate})", letter(*to))
        }
        What::Dropped => format!("drops {}", said()),
        What::Kept(page) => format!("keeps {page}"),
        What::Noted(word) => format!("notes {word}"),
        What::Struck(Struck { fault, phase, .. }) => format!("fault {} {phase:?}", fault.0).to_lowercase(),
    };
    format!("{} {} {what}", millis(record.at), letter(record.process))
}
