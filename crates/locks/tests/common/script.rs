//! A server half driven by a short script: one operation after the other, each with its answer, and waits between. No
//! workers, no faults, nothing of the simulation in the script, so that a real etcd can be given the same.
//!
//! ```text
//! grant a 10s      -> 10s
//! create lock a    -> created 2
//! wait 3s
//! keepalive a      -> 10s
//! get lock         -> created 2, changed 2, version 1; revision 2
//! revoke a         -> revoked
//! get lock         -> nothing; revision 3
//! ```
//! Leases have names in a script; what numbers they get is the server's business.

use std::fmt;
use std::rc::Rc;

use kernel::{ProcessId, Span};
use locks::LeaseId;
use locks::etcd::{Compare, Fault, Field, Found, KvOp, Relation, Reply, Request, Txn, TxnReply};

use super::{Asked, Due, Setup};

/// One operation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Op {
    /// A lease with this name.
    Grant { lease: String, ttl: Span },
    /// A key bound to a lease, if it is not there.
    Create { key: String, lease: String },
    /// A key, whatever it holds, bound to a lease or to none.
    Put { key: String, lease: Option<String> },
    /// A key goes.
    Delete { key: String },
    /// A lease goes, with its keys.
    Revoke { lease: String },
    /// More time for a lease.
    KeepAlive { lease: String },
    /// A key is read, linearizably.
    Get { key: String },
    /// Time passes.
    Wait(Span),
}

/// What came back.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    /// A lease is, or runs from now, this long.
    Lasts(Span),
    /// A key was created at this revision.
    Created(u64),
    /// A key is there, created at this revision.
    ThereSince(u64),
    /// The store is at this revision.
    Revision(u64),
    /// A lease is gone.
    Revoked,
    /// There is no such lease.
    NoLease,
    /// A key as it is, and the store's revision.
    Key { created: u64, changed: u64, version: u64, revision: u64 },
    /// There is no such key; the store's revision.
    Nothing { revision: u64 },
    /// Time passed.
    Waited,
    /// It could not be done.
    Failed(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lasts(span) => write!(f, "{}", span.to_string().replace(' ', "")),
            Self::Created(revision) => write!(f, "created {revision}"),
            Self::ThereSince(revision) => write!(f, "there since {revision}"),
            Self::Revision(revision) => write!(f, "revision {revision}"),
            Self::Revoked => write!(f, "revoked"),
            Self::NoLease => write!(f, "no such lease"),
            Self::Key { created, changed, version, revision } => {
                write!(f, "created {created}, changed {changed}, version {version}; revision {revision}")
            }
            Self::Nothing { revision } => write!(f, "nothing; revision {revision}"),
            Self::Waited => Ok(()),
            Self::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// Reads a length of time such as `10s` or `2.5s` or `300ms`.
fn span(word: &str) -> Span {
    let (number, micros) = match word.strip_suffix("ms") {
        Some(number) => (number, 1_000.0),
        None => (word.strip_suffix('s').expect("a length of time ends with s or ms"), 1_000_000.0),
    };
    let number: f64 = number.parse().expect("a number");
    Span::from_micros((number * micros).round() as u64)
}

/// Reads a script: its operations, and what each is to be answered.
pub(crate) fn parse(text: &str) -> Vec<(Op, String)> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (op, answer) = line.split_once("->").unwrap_or((line, ""));
            let words: Vec<&str> = op.split_whitespace().collect();
            let word = |place: usize| words.get(place).map(|word| (*word).to_owned());
            let must = |place: usize| word(place).unwrap_or_else(|| panic!("a word is missing: {line}"));
            let op = match words[0] {
                "grant" => Op::Grant { lease: must(1), ttl: span(&must(2)) },
                "create" => Op::Create { key: must(1), lease: must(2) },
                "put" => Op::Put { key: must(1), lease: word(2) },
                "delete" => Op::Delete { key: must(1) },
                "revoke" => Op::Revoke { lease: must(1) },
                "keepalive" => Op::KeepAlive { lease: must(1) },
                "get" => Op::Get { key: must(1) },
                "wait" => Op::Wait(span(&must(1))),
                other => panic!("no such operation: {other}"),
            };
            (op, answer.trim().to_owned())
        })
        .collect()
}

/// Whatever can be given a script.
pub(crate) trait Service {
    /// Carries out operations in order.
    fn play(&mut self, ops: &[Op]) -> Vec<Answer>;
}

/// Gives a script to a service and compares the answers with those that it names.
pub(crate) fn check(service: &mut impl Service, text: &str) {
    let script = parse(text);
    let ops: Vec<Op> = script.iter().map(|(op, _)| op.clone()).collect();
    let answers = service.play(&ops);
    let line = |(op, answer): (&Op, String)| format!("{op:?} -> {answer}");
    let expected: Vec<String> = script.iter().map(|(op, answer)| line((op, answer.clone()))).collect();
    let got: Vec<String> =
        ops.iter().zip(&answers).map(|(op, answer)| line((op, answer.to_string()))).collect();
    assert_eq!(got.join("\n"), expected.join("\n"));
}

/// The server half, simulated: one member is asked, each time after it has answered.
pub(crate) struct Simulated {
    pub(crate) setup: Setup,
    pub(crate) member: u16,
}

impl Simulated {
    /// The first of three members, which leads.
    pub(crate) fn new() -> Self {
        Self::with(Setup::default())
    }
    /// The same, set up otherwise.
    pub(crate) fn with(setup: Setup) -> Self {
        Self { setup, member: 0 }
    }
}

impl Service for Simulated {
    fn play(&mut self, ops: &[Op]) -> Vec<Answer> {
        let mut lab = self.setup.clone().lab();
        let me = lab.next();
        let (mut leases, mut asks, mut wait) = (Vec::<(&str, LeaseId)>::new(), Vec::new(), Span::ZERO);
        for op in ops {
            if let Op::Wait(span) = op {
                wait += *span;
                continue;
            }
            if let Op::Grant { lease, .. } = op {
                leases.push((lease, super::Asker::lease(me, asks.len() as u64 + 1)));
            }
            let number = |name: &str| {
                let known = leases.iter().rev().find(|(known, _)| *known == name);
                known.map_or(LeaseId(u64::MAX), |(_, lease)| *lease) // One that nobody was granted.
            };
            let due = Due::Then(std::mem::take(&mut wait));
            asks.push(Asked { due, member: ProcessId(self.member), request: Rc::new(request(op, number)) });
        }
        let asker = lab.any_asker(asks);
        let run = lab.run(600_000);
        let mut answers = run.asker(asker).answers.iter();
        let mut answer = |op: &Op| match op {
            Op::Wait(_) => Answer::Waited,
            _ => answers.next().map_or(Answer::Failed("no answer".into()), |(.., reply)| read(op, reply)),
        };
        ops.iter().map(&mut answer).collect()
    }
}

fn request(op: &Op, lease: impl Fn(&str) -> LeaseId) -> Request {
    let always = |key: &str, then: KvOp| Txn {
        compare: Compare {
            key: key.into(),
            field: Field::Version,
            relation: Relation::NotEqual,
            with: u64::MAX,
        },
        then: vec![then],
        otherwise: Vec::new(),
    };
    match op {
        Op::Grant { ttl, .. } => Request::Grant(*ttl),
        Op::Create { key, lease: name } => Request::Txn(Txn::create(key.as_str().into(), 1, lease(name))),
        Op::Put { key, lease: name } => {
            let lease = name.as_deref().map(lease);
            Request::Txn(always(key, KvOp::Put { key: key.as_str().into(), value: 1, lease }))
        }
        Op::Delete { key } => Request::Txn(always(key, KvOp::Delete(key.as_str().into()))),
        Op::Revoke { lease: name } => Request::Revoke(lease(name)),
        Op::KeepAlive { lease: name } => Request::KeepAlive(lease(name)),
        Op::Get { key } => Request::Get { key: key.as_str().into(), serializable: false },
        Op::Wait(_) => unreachable!("a wait is not asked for"),
    }
}

fn read(op: &Op, reply: &Reply) -> Answer {
    match reply {
        Reply::Granted { ttl, .. } => Answer::Lasts(*ttl),
        Reply::KeptAlive(left) => left.map_or(Answer::NoLease, Answer::Lasts),
        Reply::Revoked(there) => {
            if *there {
                Answer::Revoked
            } else {
                Answer::NoLease
            }
        }
        Reply::Txn(TxnReply { succeeded, revision, found }) => match (op, found.first()) {
            (Op::Create { .. }, _) if *succeeded => Answer::Created(*revision),
            (Op::Create { .. }, Some(Some((_, there)))) => Answer::ThereSince(there.create_revision),
            _ => Answer::Revision(*revision),
        },
        Reply::Got(Found { revision, key }) => match key {
            Some((_, key)) => Answer::Key {
                created: key.create_revision,
                changed: key.mod_revision,
                version: key.version,
                revision: *revision,
            },
            None => Answer::Nothing { revision: *revision },
        },
        Reply::Failed(Fault::LeaseNotFound) => Answer::NoLease,
        Reply::Failed(fault) => Answer::Failed(fault.text().into()),
        Reply::Watching => Answer::Failed("this was no watch".into()),
    }
}
