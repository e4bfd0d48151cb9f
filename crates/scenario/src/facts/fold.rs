//! One pass over the trace.

use std::collections::BTreeMap;

use kernel::{HostId, Phase, ProcessId, Record, RecordId, SimTime, Took, Trace, What};
use locks::{Freed, Gone, LeaseId, Reading, Restart, etcd};
use stores::Op;

use super::clocks::Clocks;
use super::{
    Belief, Block, Deadline, DeadlineBy, Ending, Facts, Lease, Loss, Moment, MomentKind, Reign, RowState,
    RowStep, Stop, Struck, Sweep, SweepKind, Want, Write, WriteKind,
};
use crate::actors::{Halt, SweepNote, WorkNote};
use crate::cast::Cast;
use crate::story::{Msg, Note, Story};

/// Folds the trace of a play.
pub fn fold(trace: &Trace<Story>, cast: &Cast) -> Facts {
    let mut fold = Fold {
        trace,
        cast,
        clocks: Clocks::new(trace),
        facts: Facts::default(),
        lease_ids: BTreeMap::new(),
        asked: BTreeMap::new(),
        written: BTreeMap::new(),
        touched: BTreeMap::new(),
        acked: BTreeMap::new(),
        acked_at_ask: BTreeMap::new(),
        lost_writes: 0,
    };
    for (index, record) in trace.records().iter().enumerate() {
        fold.take(RecordId(index as u32), record);
    }
    fold.facts.lost_writes = fold.lost_writes;
    fold.facts
}

/// A worker's request to a store, as it was sent.
struct Asked {
    sent: SimTime,
    under: Option<u64>,
}

struct Fold<'a> {
    trace: &'a Trace<Story>,
    cast: &'a Cast,
    clocks: Clocks<'a>,
    facts: Facts,
    /// The place in the facts of the lease with this number.
    lease_ids: BTreeMap<LeaseId, usize>,
    asked: BTreeMap<(ProcessId, u32), Asked>,
    /// How often an item was written, for each store.
    written: BTreeMap<(ProcessId, u32), u64>,
    /// The youngest grant under which a store was touched: its place among the leases.
    touched: BTreeMap<ProcessId, usize>,
    /// The highest version of each store's row, or revision of the lock service, that somebody was told of.
    acked: BTreeMap<ProcessId, u64>,
    /// The same, when a read was asked for: by who asked and its number.
    acked_at_ask: BTreeMap<(ProcessId, u64), u64>,
    lost_writes: u64,
}

/// Stands for the lock service as a whole where stores stand by themselves.
const SERVICE: ProcessId = ProcessId::NOBODY;

impl Fold<'_> {
    fn take(&mut self, id: RecordId, record: &Record<Story>) {
        match &record.what {
            What::Noted(Note::Raft(note)) => self.raft(id, record, note),
            What::Noted(Note::Lock(note)) => self.lock(id, record, note),
            What::Noted(Note::Store(note)) => self.store(id, record, note),
            What::Noted(Note::Work(note)) => self.work(id, record, note),
            What::Noted(Note::Sweep(note)) => self.sweep(id, record, *note),
            What::Struck(struck) => self.struck(id, record, struck),
            What::Took(Took::Message) => self.took_message(record),
            What::Sent { msg: Msg::Etcd(etcd::Msg::Request { id, .. }), .. } => {
                let acked = self.acked.get(&SERVICE).copied().unwrap_or(0);
                self.acked_at_ask.insert((record.process, *id), acked);
            }
            What::Sent { .. } | What::Took(_) | What::Dropped | What::Kept(_) => {}
        }
    }

    fn moment(&mut self, record: RecordId, at: SimTime, process: ProcessId, what: MomentKind) {
        self.facts.moments.push(Moment { at, process, what, record });
    }

    fn host(&self, process: ProcessId) -> HostId {
        self.cast.members[process.index()].host
    }

    /// What somebody was told counts as acknowledged.
    fn took_message(&mut self, record: &Record<Story>) {
        let Some(Record { what: What::Sent { msg, .. }, process: from, .. }) = self.trace.get(record.cause)
        else {
            return;
        };
        match msg {
            Msg::Etcd(etcd::Msg::Reply { reply, .. }) => {
                if let etcd::Reply::Txn(done) = &**reply {
                    let acked = self.acked.entry(SERVICE).or_default();
                    *acked = (*acked).max(done.revision);
                }
            }
            Msg::Store(stores::Msg::Reply { answer, .. }) => {
                if let stores::Answer::Accepted(before) = &**answer {
                    let acked = self.acked.entry(*from).or_default();
                    *acked = (*acked).max(u64::from(before.version) + 1);
                }
            }
            Msg::Etcd(_) | Msg::Store(stores::Msg::Request { .. }) => {}
        }
    }

    fn raft(&mut self, id: RecordId, record: &Record<Story>, note: &raft::Note) {
        match note {
            raft::Note::BecameLeader { term } => self.reign(id, record, *term),
            raft::Note::SteppedDown { .. } => self.reign_ends(record.process, record.at),
            raft::Note::BecameFollower { .. }
            | raft::Note::Campaigns { .. }
            | raft::Note::Voted { .. }
            | raft::Note::TransferBegan { .. }
            | raft::Note::TransferAborted { .. }
            | raft::Note::SentSnapshot { .. }
            | raft::Note::InstalledSnapshot { .. } => {}
            raft::Note::Halted(_) => {
                self.reign_ends(record.process, record.at);
                let why = "its disk does not hold what it had promised to keep".to_owned();
                self.moment(id, record.at, record.process, MomentKind::Stopped { why });
            }
        }
    }

    fn reign(&mut self, id: RecordId, record: &Record<Story>, term: u64) {
        let Record { at, process, .. } = *record;
        let known = self.facts.reigns.iter().any(|reign| reign.process == process && reign.term == term);
        if !known {
            self.facts.reigns.push(Reign { process, term, from: at, until: None, record: id });
        }
    }

    fn reign_ends(&mut self, process: ProcessId, at: SimTime) {
        for reign in &mut self.facts.reigns {
            if reign.process == process && reign.until.is_none() {
                reign.until = Some(at);
            }
        }
    }

    fn lock(&mut self, id: RecordId, record: &Record<Story>, note: &locks::Note) {
        use locks::Note as N;
        let Record { at, process, .. } = *record;
        match note {
            N::Granted { lock, holder, lease, token, deadline } => {
                let deadline = self.deadline(id, record, *deadline, DeadlineBy::Grant);
                self.granted(id, at, lock, *holder, *lease, token.0, deadline);
            }
            N::Renewed { lease, deadline } => {
                let deadline = self.deadline(id, record, *deadline, DeadlineBy::Renewal);
                self.set_deadline(*lease, deadline);
            }
            N::TookOver { term, leases } => self.took_over(id, record, *term, leases),
            N::Freed { lock, token, how, revision, .. } => {
                let ending = match how {
                    Freed::Expired => Ending::Expired,
                    Freed::Released => Ending::Released,
                };
                self.freed(id, at, lock, token.0, ending, *revision);
            }
            N::Wrote { .. } => {}
            N::ReadServed { to, id: asked, revision } => {
                let acked = self.acked_at_ask.get(&(*to, *asked)).copied().unwrap_or(0);
                self.moment(id, at, *to, MomentKind::Read { from: process, stale: *revision < acked });
            }
            N::Wants { lock } => {
                self.facts.wants.push(Want { lock: lock.clone(), worker: process, from: at, until: None });
            }
            N::StopsWanting { .. } => self.wants_end(process, at),
            N::Holds { lock, token, sent, stop } => {
                self.wants_end(process, at);
                let stop = self.stop(id, record, *sent, *stop);
                self.facts.beliefs.push(Belief {
                    lock: lock.clone(),
                    worker: process,
                    token: token.0,
                    from: at,
                    stops: vec![stop],
                    ended: None,
                    record: id,
                    end_record: RecordId::NONE,
                });
            }
            N::Extended { token, sent, stop, .. } => {
                let stop = self.stop(id, record, *sent, *stop);
                if let Some(belief) = self.open_belief(process, token.0) {
                    belief.stops.push(stop);
                }
            }
            N::RenewalFailed { server, why, .. } => {
                let why = (*why).to_owned();
                self.moment(id, at, process, MomentKind::RenewalFailed { server: *server, why });
            }
            N::LetGo { token, why, .. } => {
                let loss = match why {
                    Gone::StopTime => Loss::StopTime,
                    Gone::ToldGone => Loss::ToldGone,
                    Gone::RenewalFailed => Loss::RenewalFailed,
                    Gone::Released => Loss::Released,
                    Gone::WriteRefused => Loss::WriteRefused,
                };
                if let Some(belief) = self.open_belief(process, token.0) {
                    belief.ended = Some((at, loss));
                    belief.end_record = id;
                }
            }
            N::Woken { .. } => self.moment(id, at, process, MomentKind::Woken),
        }
    }

    fn deadline(
        &self,
        id: RecordId,
        record: &Record<Story>,
        deadline: kernel::Mono,
        by: DeadlineBy,
    ) -> Deadline {
        let host = self.host(record.process);
        let until = self.clocks.when(host, record.at, Reading::Mono(deadline));
        Deadline { set: record.at, until, by, server: record.process, record: id }
    }

    fn stop(&self, id: RecordId, record: &Record<Story>, sent: kernel::Mono, stop: Reading) -> Stop {
        let host = self.host(record.process);
        let (reading, on_wall) = match stop {
            Reading::Mono(mono) => (mono.as_micros() as i64, false),
            Reading::Wall(wall) => (wall.as_micros(), true),
        };
        Stop {
            set: record.at,
            sent: self.clocks.when(host, SimTime::ZERO, Reading::Mono(sent)),
            reading,
            on_wall,
            at: self.clocks.when(host, record.at, stop),
            record: id,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one note, spelled out")]
    fn granted(
        &mut self,
        id: RecordId,
        at: SimTime,
        lock: &locks::Key,
        worker: ProcessId,
        lease: LeaseId,
        token: u64,
        deadline: Deadline,
    ) {
        // A new leader tells again what an old one told: the log is the same.
        if self.lease_ids.contains_key(&lease) {
            return;
        }
        self.lease_ids.insert(lease, self.facts.leases.len());
        self.facts.leases.push(Lease {
            lock: lock.clone(),
            worker,
            token,
            granted: at,
            deadlines: vec![deadline],
            ended: None,
            end_revision: None,
            record: id,
            end_record: RecordId::NONE,
        });
    }

    fn set_deadline(&mut self, lease: LeaseId, deadline: Deadline) {
        if let Some(&place) = self.lease_ids.get(&lease) {
            self.facts.leases[place].deadlines.push(deadline);
        }
    }

    fn took_over(
        &mut self,
        id: RecordId,
        record: &Record<Story>,
        term: u64,
        leases: &[(LeaseId, kernel::Mono, Restart)],
    ) {
        self.reign(id, record, term);
        for &(lease, deadline, from) in leases {
            let by = match from {
                Restart::Full => DeadlineBy::NewLeader,
                Restart::Remaining => DeadlineBy::Checkpoint,
            };
            let deadline = self.deadline(id, record, deadline, by);
            self.set_deadline(lease, deadline);
        }
        let known: Vec<usize> =
            leases.iter().filter_map(|(lease, ..)| self.lease_ids.get(lease).copied()).collect();
        for (place, lease) in self.facts.leases.iter_mut().enumerate() {
            if lease.ended.is_none() && !known.contains(&place) {
                lease.ended = Some((record.at, Ending::Forgotten));
                lease.end_record = id;
            }
        }
    }

    fn freed(
        &mut self,
        id: RecordId,
        at: SimTime,
        lock: &locks::Key,
        token: u64,
        ending: Ending,
        revision: u64,
    ) {
        let open = |lease: &&mut Lease| lease.lock == *lock && lease.token == token && lease.ended.is_none();
        if let Some(lease) = self.facts.leases.iter_mut().rev().find(open) {
            lease.ended = Some((at, ending));
            lease.end_revision = Some(revision);
            lease.end_record = id;
        }
    }

    fn open_belief(&mut self, worker: ProcessId, token: u64) -> Option<&mut Belief> {
        self.facts
            .beliefs
            .iter_mut()
            .rev()
            .find(|belief| belief.worker == worker && belief.token == token && belief.ended.is_none())
    }

    fn wants_end(&mut self, worker: ProcessId, at: SimTime) {
        for want in self.facts.wants.iter_mut().rev().filter(|want| want.worker == worker) {
            want.until.get_or_insert(at);
        }
    }

    fn work(&mut self, id: RecordId, record: &Record<Story>, note: &WorkNote) {
        let Record { at, process, .. } = *record;
        match note {
            WorkNote::Checked { passed, stop } => {
                let stop = stop.map(|stop| match stop {
                    Reading::Mono(mono) => mono.as_micros() as i64,
                    Reading::Wall(wall) => wall.as_micros(),
                });
                self.moment(id, at, process, MomentKind::Checked { passed: *passed, stop });
            }
            WorkNote::Asks { store, id: asked, op, under } => {
                let under = under.map(|token| token.0);
                self.asked.insert((process, *asked), Asked { sent: at, under });
                if matches!(op, Op::Read) {
                    let acked = self.acked.get(store).copied().unwrap_or(0);
                    self.acked_at_ask.insert((process, u64::from(*asked)), acked);
                }
            }
            WorkNote::Stopped { why } => {
                self.wants_end(process, at);
                self.moment(id, at, process, MomentKind::Stopped { why: halt_text(why) });
            }
            WorkNote::Restarts { why } => {
                self.moment(id, at, process, MomentKind::Restarts { why: halt_text(why) });
            }
            WorkNote::Finished => self.moment(id, at, process, MomentKind::Finished),
        }
    }

    fn store(&mut self, id: RecordId, record: &Record<Story>, note: &stores::Note) {
        let Record { at, process: store, .. } = *record;
        match note {
            stores::Note::Decided(decided) => self.decided(id, at, store, decided),
            stores::Note::Answered { to, id: asked, version } => {
                if let Some(asked) = self.asked.get(&(*to, *asked))
                    && let Some(grant) = self.grant_of(store, *to, asked.under)
                {
                    self.touch(store, grant);
                }
                let acked = self.acked_at_ask.get(&(*to, u64::from(*asked))).copied().unwrap_or(0);
                let stale = u64::from(*version) < acked;
                self.moment(id, at, *to, MomentKind::Read { from: store, stale });
            }
            stores::Note::Opened(row) => {
                let acked = self.acked.get(&store).copied().unwrap_or(0);
                self.lost_writes += acked.saturating_sub(u64::from(row.version));
                self.row(at, store, row);
            }
        }
    }

    fn row(&mut self, at: SimTime, store: ProcessId, row: &stores::Row) {
        self.facts.rows.push(RowStep {
            at,
            store,
            fence: row.fence.map(|token| token.0),
            state: match row.state {
                stores::RowState::Queued => RowState::Queued,
                stores::RowState::Running => RowState::Running,
                stores::RowState::Done => RowState::Done,
            },
            owner: row.owner.map(|token| token.0),
            done: row.done,
        });
    }

    /// The place among the leases of the grant under which a worker acts on a store.
    fn grant_of(&self, store: ProcessId, worker: ProcessId, under: Option<u64>) -> Option<usize> {
        let (lock, token) = (self.cast.lock_of(store)?, under?);
        self.facts
            .leases
            .iter()
            .rposition(|lease| lease.worker == worker && lease.token == token && lease.lock == *lock)
    }

    fn touch(&mut self, store: ProcessId, grant: usize) {
        let touched = self.touched.entry(store).or_insert(grant);
        *touched = (*touched).max(grant);
    }

    fn decided(&mut self, id: RecordId, at: SimTime, store: ProcessId, decided: &stores::Decided) {
        let (kind, token) = match decided.op {
            Op::Raise(token) => (WriteKind::Raise, token),
            Op::Write(token, item) => (WriteKind::Item { item: item.number, effects: item.effects }, token),
            Op::Finish(token) => (WriteKind::Finish, token),
            Op::Requeue(_) => (WriteKind::Requeue, None),
            Op::Read | Op::Scan => return,
        };
        let worker = decided.from;
        let asked = self.asked.get(&(worker, decided.id));
        let (sent, under) = asked.map_or((at, None), |asked| (asked.sent, asked.under));
        let accepted = decided.refusal.is_none();
        let grant = self.grant_of(store, worker, under);
        let newest = self
            .cast
            .lock_of(store)
            .and_then(|lock| self.facts.leases.iter().rposition(|lease| lease.lock == *lock));
        let stale = grant.is_some_and(|grant| newest.is_some_and(|newest| newest > grant));
        let corrupting = stale
            && accepted
            && grant.is_some_and(|grant| self.touched.get(&store).is_some_and(|&touched| touched > grant));
        let mut duplicates = 0;
        if let (WriteKind::Item { item, effects }, true) = (kind, accepted) {
            let times = self.written.entry((store, item)).or_default();
            if *times > 0 {
                duplicates = u64::from(effects);
            }
            *times += 1;
        }
        if let Some(grant) = grant {
            self.touch(store, grant);
        }
        if accepted {
            self.row(at, store, &decided.row);
        }
        let fence = decided.fence.map(|token| token.0);
        let reason = reason(decided, token);
        let (token, under) = (token.map(|token| token.0), under);
        self.facts.writes.push(Write {
            at,
            sent,
            store,
            worker,
            kind,
            token,
            under,
            accepted,
            stale,
            corrupting,
            duplicates,
            fence,
            reason,
            record: id,
        });
    }

    fn sweep(&mut self, id: RecordId, record: &Record<Story>, note: SweepNote) {
        let (kind, store, owner) = match note {
            SweepNote::OrphanSeen(store, owner) => (SweepKind::OrphanSeen, store, owner),
            SweepNote::OrphanConfirmed(store, owner) => (SweepKind::OrphanConfirmed, store, owner),
            SweepNote::Skipped(store, owner) => (SweepKind::Skipped, store, owner),
        };
        let Record { at, process: sweeper, .. } = *record;
        self.facts.sweeps.push(Sweep { at, sweeper, store, owner: owner.0, kind, record: id });
    }

    fn struck(&mut self, id: RecordId, record: &Record<Story>, struck: &kernel::Struck) {
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
                let instant = kind == "wall-step" || struck.phase == Phase::Misses;
                let until = instant.then_some(at);
                self.facts.blocks.push(Block {
                    fault: struck.fault,
                    struck: whom,
                    from: at,
                    until,
                    record: id,
                });
                if matches!(kind, "crash" | "restore") {
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
                        "crash" => self.moment(id, at, process, MomentKind::StartedAgain),
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

    fn died(&mut self, id: RecordId, at: SimTime, process: ProcessId) {
        self.reign_ends(process, at);
        self.wants_end(process, at);
        for belief in &mut self.facts.beliefs {
            if belief.worker == process && belief.ended.is_none() {
                belief.ended = Some((at, Loss::Crashed));
                belief.end_record = id;
            }
        }
    }
}

fn halt_text(why: &Halt) -> String {
    match why {
        Halt::LostLock(Gone::StopTime) => "its own stop time has come".into(),
        Halt::LostLock(Gone::ToldGone) => "the service says that its lease is gone".into(),
        Halt::LostLock(Gone::RenewalFailed) => "a renewal failed".into(),
        Halt::LostLock(Gone::Released | Gone::WriteRefused) => "it has let the lock go".into(),
        Halt::Refused(_) => "its write was refused".into(),
        Halt::StopTime => "its check found its stop time past".into(),
    }
}

fn reason(decided: &stores::Decided, token: Option<stores::Token>) -> String {
    match (&decided.refusal, token, decided.fence) {
        (Some(refusal), ..) => refusal.to_string(),
        (None, Some(token), Some(fence)) if token > fence => {
            format!("token {token} is above the fence {fence}")
        }
        (None, Some(token), Some(fence)) if token == fence => format!("token {token} equals the fence"),
        (None, Some(_), Some(_)) => "the check came before the fence was raised".into(),
        (None, None, Some(_)) => "the claim is still the one that was seen".into(),
        (None, _, None) => "this store checks nothing".into(),
    }
}
