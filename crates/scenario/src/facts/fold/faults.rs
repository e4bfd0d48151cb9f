//! Faults as they struck, and what died with them.

use kernel::{Phase, ProcessId, Record, RecordId, SimTime};

use super::Fold;
use crate::facts::{Block, Loss, MomentKind, Struck};
use crate::story::Story;

impl Fold<'_> {
    pub(super) fn struck(&mut self, id: RecordId, record: &Record<Story>, struck: &kernel::Struck) {
        let at = record.at;
        let whom = if struck.phase == Phase::Misses {
            Struck::Nobody
        } else if !struck.processes.is_empty() {
            Struck::Processes(struck.processes.to_vec())
        } else if let Some(host) = struck.host {
            Struck::Host(host)
        } else {
            Struck::Links(struck.links.to_vec())
        };
        let kind = self.cast.faults[usize::from(struck.fault.0)].kind;
        match struck.phase {
            Phase::Begins | Phase::Misses => {
                let instant = matches!(kind, "wall-step" | "promote") || struck.phase == Phase::Misses;
                let until = instant.then_some(at);
                self.facts.blocks.push(Block {
                    fault: struck.fault,
                    struck: whom,
                    from: at,
                    until,
                    record: id,
                });
                if matches!(kind, "crash" | "power-off" | "restore") {
                    for &process in struck.processes.iter() {
                        self.died(id, at, process);
                    }
                }
            }
            Phase::Ends => {
                let open = |block: &&mut Block| block.fault == struck.fault && block.until.is_none();
                if let Some(block) = self.facts.blocks.iter_mut().find(open) {
                    block.until = Some(at);
                }
                for &process in struck.processes.iter() {
                    match kind {
                        "pause" => self.moment(id, at, process, MomentKind::Woke),
                        "restore" => self.moment(id, at, process, MomentKind::Restored),
                        "crash" | "power-off" => self.moment(id, at, process, MomentKind::StartedAgain),
                        _ => {}
                    }
                }
                if let ("suspend", Some(host)) = (kind, struck.host) {
                    let on_it = self.cast.members.iter().filter(|member| member.host == host);
                    let woke: Vec<ProcessId> = on_it.map(|member| member.process).collect();
                    for process in woke {
                        self.moment(id, at, process, MomentKind::Woke);
                    }
                }
            }
        }
    }

    pub(super) fn died(&mut self, id: RecordId, at: SimTime, process: ProcessId) {
        self.reign_ends(process, at);
        if self.cast.sidecar_of(process).is_some() {
            return; // What it held its sidecar holds on.
        }
        let process = self.cast.holds_for(process);
        self.wants_end(process, at);
        for belief in &mut self.facts.beliefs {
            if belief.worker == process && belief.ended.is_none() {
                belief.ended = Some((at, Loss::Crashed));
                belief.end_record = id;
            }
        }
    }
}
