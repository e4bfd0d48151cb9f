//! Faults as they struck.

use kernel::{FaultId, HostId, ProcessId, RecordId, SimTime};

/// What a fault struck.
#[derive(Clone, Debug, PartialEq)]
pub enum Struck {
    /// Processes: pauses, crashes, disks, restores.
    Processes(Vec<ProcessId>),
    /// A host's clocks, or a whole host.
    Host(HostId),
    /// Directed links.
    Links(Vec<(HostId, HostId)>),
    /// Nobody: no process played the role that it asks for.
    Nobody,
}

/// A fault as it struck: what the page draws as a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Which fault of the document: its place in the list of faults in force.
    pub fault: FaultId,
    /// Whom.
    pub struck: Struck,
    /// From when.
    pub from: SimTime,
    /// Until when; `None`: to the end. Equal to `from` for an instant.
    pub until: Option<SimTime>,
    /// The record of the strike.
    pub record: RecordId,
}

impl Block {
    /// Whether it struck a process, that one's host, or a link of that.
    pub fn strikes(&self, process: ProcessId, host: HostId) -> bool {
        match &self.struck {
            Struck::Processes(processes) => processes.contains(&process),
            Struck::Host(struck) => *struck == host,
            Struck::Links(links) => links.iter().any(|(from, to)| *from == host || *to == host),
            Struck::Nobody => false,
        }
    }
}
