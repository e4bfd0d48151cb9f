//! Of faults as they strike and end, and of what else is worth telling.

use kernel::ProcessId;

use super::{Teller, Tone};
use crate::facts::{Block, MomentKind, Struck};
use document::model::EventKind;
use document::text::{length, reading};

impl Teller<'_> {
    pub(super) fn faults(&mut self) {
        let facts = self.facts;
        for block in &facts.blocks {
            let fault = self.cast.faults[usize::from(block.fault.0)].clone();
            let process = self.one_of(block);
            let whom = match &block.struck {
                Struck::Processes(processes) => {
                    processes.iter().map(|process| self.name(*process)).collect::<Vec<_>>().join(", ")
                }
                Struck::Host(host) => self.cast.hosts[usize::from(host.0)].to_string(),
                Struck::Links(_) | Struck::Nobody => String::new(),
            };
            let span = fault.span.map_or(String::new(), |span| format!(" for {}", length(span)));
            let (kind, text) = match (&block.struck, fault.kind) {
                (Struck::Nobody, _) => (EventKind::FaultMissed, format!("{} strikes nobody", fault.text)),
                (_, "pause") => (EventKind::Paused, format!("{whom} is paused{span}")),
                (_, "suspend") => (EventKind::Suspended, format!("host {whom} is suspended{span}")),
                (_, "power-off") => {
                    (EventKind::PoweredOff, format!("{}{span}: {whom} dies, and nothing answers", fault.text))
                }
                (_, "promote") => (EventKind::Promoted, format!("an operator promotes {whom}")),
                (_, "fence-off") => {
                    (EventKind::FenceOff, format!("an operator turns the fence of {whom} off{span}"))
                }
                (_, "crash") => (EventKind::Crashed, format!("{whom} dies{span}")),
                (_, "wall-step") => {
                    (EventKind::WallStep, format!("{}: its monotonic clock runs on", fault.text))
                }
                (_, "restore") => (EventKind::Restored, format!("{} begins", fault.text)),
                (_, _) => (EventKind::Fault, format!("{} begins{span}", fault.text)),
            };
            self.tell(block.from, process, kind, Tone::Fault, block.record, text);
            let told_otherwise = matches!(
                fault.kind,
                "pause" | "suspend" | "crash" | "power-off" | "promote" | "restore" | "wall-step"
            );
            if let Some(until) = block.until
                && !told_otherwise
                && block.struck != Struck::Nobody
            {
                let text = format!("{} is over", fault.text);
                self.tell(until, process, EventKind::FaultOver, Tone::Fault, block.record, text);
            }
        }
    }

    fn one_of(&self, block: &Block) -> ProcessId {
        let on_host = |host| self.cast.members.iter().find(|member| member.host == host);
        match &block.struck {
            Struck::Processes(processes) => processes.first().copied(),
            Struck::Host(host) => on_host(*host).map(|member| member.process),
            Struck::Links(links) => {
                links.first().and_then(|(from, _)| on_host(*from)).map(|member| member.process)
            }
            Struck::Nobody => None,
        }
        .unwrap_or(ProcessId::NOBODY)
    }

    pub(super) fn moments(&mut self) {
        let facts = self.facts;
        for (index, moment) in facts.moments.iter().enumerate() {
            let name = self.name(moment.process);
            let (kind, tone, text) = match &moment.what {
                MomentKind::Checked { passed, stop } => {
                    if *passed && !self.check_mattered(moment.process, moment.at) {
                        continue;
                    }
                    let stop = stop.map_or(String::new(), |stop| format!(" {}", reading(stop)));
                    let outcome = if *passed { "passes" } else { "it is past: the work stops here" };
                    (EventKind::Checked, Tone::Plain, format!("{name} checks its stop time{stop}: {outcome}"))
                }
                MomentKind::RenewalFailed { server, why } => {
                    let again =
                        facts.moments[..index].iter().rfind(|before| before.process == moment.process);
                    if again.is_some_and(|before| matches!(before.what, MomentKind::RenewalFailed { .. })) {
                        continue; // Of a row of failures the first is told.
                    }
                    let server = self.name(*server);
                    (
                        EventKind::RenewalFailed,
                        Tone::Fault,
                        format!("{name} cannot renew with {server}: {why}"),
                    )
                }
                MomentKind::Stopped { why } => {
                    (EventKind::Stopped, Tone::Plain, format!("{name} stops: {why}"))
                }
                MomentKind::Restarts { why } => {
                    (EventKind::Restarts, Tone::Plain, format!("{name} begins again: {why}"))
                }
                MomentKind::HeldBack { why } => {
                    let again =
                        facts.moments[..index].iter().rfind(|before| before.process == moment.process);
                    if again.is_some_and(|before| before.what == moment.what) {
                        continue; // Of a row of the same the first is told.
                    }
                    (EventKind::HeldBack, Tone::Good, format!("{name} holds back: {why}"))
                }
                MomentKind::Woken { .. } => (
                    EventKind::Woken,
                    Tone::Plain,
                    format!("{name} wakes: {}", self.scenario.lock.kind().keeps.told),
                ),
                MomentKind::Read { from, stale: true } => {
                    let from = self.name(*from);
                    (
                        EventKind::StaleRead,
                        Tone::Bad,
                        format!("{name} reads from {from} what is older than what was acknowledged"),
                    )
                }
                MomentKind::Restored => {
                    (EventKind::Started, Tone::Fault, format!("{name} starts from the older backup"))
                }
                MomentKind::StartedAgain => (EventKind::Started, Tone::Fault, format!("{name} starts again")),
                MomentKind::Woke => (EventKind::Woke, Tone::Fault, format!("{name} runs again")),
                MomentKind::Finished
                | MomentKind::Read { stale: false, .. }
                | MomentKind::Replayed { .. }
                | MomentKind::PutOff { .. }
                | MomentKind::RowLocked { .. }
                | MomentKind::RowAwaited { .. }
                | MomentKind::RolledBack { .. }
                | MomentKind::RecoveredEntry { .. }
                | MomentKind::TookBehind { .. } => continue,
            };
            self.tell(moment.at, moment.process, kind, tone, moment.record, text);
        }
    }

    /// A check that passed is worth telling when the process was stopped before it acted on it.
    fn check_mattered(&self, process: ProcessId, at: kernel::SimTime) -> bool {
        let next_check = self.facts.moments.iter().find(|moment| {
            moment.process == process && moment.at > at && matches!(moment.what, MomentKind::Checked { .. })
        });
        let next_write = self.facts.writes.iter().filter(|write| write.worker == process && write.sent >= at);
        let acted = next_write.map(|write| write.sent).min();
        let until =
            [acted, next_check.map(|moment| moment.at)].into_iter().flatten().min().unwrap_or(self.end);
        acted == Some(until) && self.was_stopped(process, at, until)
    }
}
