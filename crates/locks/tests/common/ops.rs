//! A server that keeps a service by itself, driven by a short script: one operation after the other, each with its answer,
//! and waits between. No workers, no faults, nothing of the simulation in the script, so that a real server can be given the
//! same. Operations take no time: the script's instants are the sums of its waits.
//!
//! ```text
//! claim job a 10s      -> token 1
//! claim job b 10s      -> taken
//! wait 3s
//! renew job a 10s      -> renewed
//! down 2s                                 the server is killed, and started again 2 s later
//! look job b           -> held
//! release job b        -> not its own
//! ```
//! A client's name can say how far its own wall clock is off: `d+3s`. Services that keep records have words of their own:
//!
//! ```text
//! get job              -> nothing
//! take job a 15s none  -> v1, token 0     a record in a's name, on condition that there is none
//! keep job a 15s v1    -> v2, token 0     a writes again as holder, if the record still has version v1
//! free job 1s v1       -> conflict        a record in nobody's name
//! delete job v2        -> deleted
//! ```
//! Advisory locks have theirs, each client with a connection of its own:
//!
//! ```text
//! try job a            -> granted
//! ping job a           -> stands
//! unlock job b         -> not its own
//! locked job           -> held
//! ```
//! So do copies of a flag that says who writes:
//!
//! ```text
//! set job a 1          -> done            the flag is a's, with epoch 1
//! confirm job a 10s    -> done            a may write for 10 s
//! clear job b          -> refused
//! says job             -> epoch 1, taken
//! ```
//! Versions are numbered as they come up; what they really are is the server's business.

use std::rc::Rc;

use kernel::{Fault, FaultKind, Manner, ProcessId, SimTime, Span, Target, Wall, When};
use locks::service::Durability;
use locks::{AnyService, ClientKind, Token, claim, handover, no_lock, postgres_advisory, record};

use super::Lab;

/// A client in a script: whose it is, and how far its wall clock is off.
#[derive(Clone, PartialEq, Debug)]
struct Who {
    name: String,
    off_micros: i64,
}

#[derive(Clone, PartialEq, Debug)]
enum Op {
    Claim(Who, Span),
    Renew(Who, Span),
    Release(Who),
    Look(Who),
    Get,
    Put { holder: Option<Who>, duration: Span, version: Option<u64>, anew: bool },
    Delete(u64),
    Try(Who),
    Unlock(Who),
    Ping(Who),
    Locked,
    Set(Who, u64),
    Confirm(Who, Span),
    Clear(Who),
    Says,
    Wait(Span),
    Down(Span),
}

/// Reads a length of time such as `10s`, `2.5s`, `300ms` or `1us`.
fn span(word: &str) -> Span {
    let units = [("us", 1.0), ("ms", 1_000.0), ("s", 1_000_000.0)];
    let (number, micros) = units
        .into_iter()
        .find_map(|(unit, micros)| Some((word.strip_suffix(unit)?, micros)))
        .unwrap_or_else(|| panic!("no length of time: {word}"));
    let number: f64 = number.parse().unwrap_or_else(|_| panic!("no number: {word}"));
    Span::from_micros((number * micros).round() as u64)
}

fn who(word: &str) -> Who {
    let Some(place) = word.find(['+', '-']) else { return Who { name: word.to_owned(), off_micros: 0 } };
    let off = span(&word[place + 1..]).as_micros() as i64;
    let off_micros = if word[place..].starts_with('-') { -off } else { off };
    Who { name: word[..place].to_owned(), off_micros }
}

fn version(word: &str) -> Option<u64> {
    (word != "none")
        .then(|| word.trim_start_matches('v').parse().unwrap_or_else(|_| panic!("no version: {word}")))
}

/// One line: the operation, on which lock, and the answer that it is to have.
fn read(line: &str) -> (Op, String, String) {
    let (op, answer) = line.split_once("->").unwrap_or((line, ""));
    let words: Vec<&str> = op.split_whitespace().collect();
    let word = |place: usize| *words.get(place).unwrap_or_else(|| panic!("a word is missing: {line}"));
    let op = match words[0] {
        "claim" => Op::Claim(who(word(2)), span(word(3))),
        "renew" => Op::Renew(who(word(2)), span(word(3))),
        "release" => Op::Release(who(word(2))),
        "look" => Op::Look(who(word(2))),
        "get" => Op::Get,
        "try" => Op::Try(who(word(2))),
        "unlock" => Op::Unlock(who(word(2))),
        "ping" => Op::Ping(who(word(2))),
        "locked" => Op::Locked,
        "set" => Op::Set(who(word(2)), word(3).parse().unwrap_or_else(|_| panic!("no epoch: {line}"))),
        "confirm" => Op::Confirm(who(word(2)), span(word(3))),
        "clear" => Op::Clear(who(word(2))),
        "says" => Op::Says,
        verb @ ("take" | "keep") => Op::Put {
            holder: Some(who(word(2))),
            duration: span(word(3)),
            version: version(word(4)),
            anew: verb == "take",
        },
        "free" => Op::Put { holder: None, duration: span(word(2)), version: version(word(3)), anew: false },
        "delete" => Op::Delete(version(word(2)).expect("a version")),
        "wait" => return (Op::Wait(span(word(1))), String::new(), String::new()),
        "down" => return (Op::Down(span(word(1))), String::new(), String::new()),
        other => panic!("no such operation: {other}"),
    };
    (op, word(1).to_owned(), answer.trim().to_owned())
}

/// Names of clients, by number.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    /// A number that is no process's in the test's world.
    fn number(&mut self, who: &Who) -> u16 {
        let place = self.0.iter().position(|name| *name == who.name).unwrap_or_else(|| {
            self.0.push(who.name.clone());
            self.0.len() - 1
        });
        100 + place as u16
    }

    fn name(&self, process: ProcessId) -> &str {
        &self.0[usize::from(process.0) - 100]
    }
}

fn request(op: &Op, lock: &str, now: SimTime, names: &mut Names) -> locks::Request {
    let lock: locks::Key = lock.into();
    let at = |who: &Who| Wall::from_micros(now.as_micros() as i64 + who.off_micros);
    let mut value = |who: &Who| u64::from(names.number(who));
    match op {
        Op::Claim(who, ttl) => {
            claim(claim::Request::Claim { lock, value: value(who), ttl: *ttl, at: at(who) })
        }
        Op::Renew(who, ttl) => {
            claim(claim::Request::Renew { lock, value: value(who), ttl: *ttl, at: at(who) })
        }
        Op::Release(who) => claim(claim::Request::Release { lock, value: value(who) }),
        Op::Look(who) => claim(claim::Request::Look { lock, at: at(who) }),
        Op::Try(who) => {
            let value = value(who);
            advisory(postgres_advisory::Request::Lock { lock, session: value, value, waits: false })
        }
        Op::Unlock(who) => {
            let value = value(who);
            advisory(postgres_advisory::Request::Unlock { lock, session: value, value })
        }
        Op::Ping(who) => {
            let value = value(who);
            advisory(postgres_advisory::Request::Ping { lock, session: value, value })
        }
        Op::Locked => advisory(postgres_advisory::Request::Look { lock }),
        Op::Set(who, epoch) => {
            handover(handover::Request::Set { lock, value: value(who), epoch: Token(*epoch) })
        }
        Op::Confirm(who, lease) => {
            handover(handover::Request::Confirm { lock, value: value(who), lease: *lease })
        }
        Op::Clear(who) => handover(handover::Request::Clear { lock, value: value(who) }),
        Op::Says => handover(handover::Request::Look { lock }),
        Op::Get => record(record::Request::Get { lock }),
        Op::Put { holder, duration, version, anew } => {
            let holder = holder.as_ref().map(|who| ProcessId(names.number(who)));
            let written = record::Record { holder, duration: *duration };
            record(record::Request::Put(record::Put {
                lock,
                version: *version,
                record: written,
                anew: *anew,
            }))
        }
        Op::Delete(version) => record(record::Request::Delete { lock, version: *version }),
        Op::Wait(_) | Op::Down(_) => unreachable!("it is not asked for"),
    }
}

fn claim(request: claim::Request) -> locks::Request {
    locks::Request::Claim(Rc::new(request))
}
fn advisory(request: postgres_advisory::Request) -> locks::Request {
    locks::Request::Advisory(Rc::new(request))
}
fn handover(request: handover::Request) -> locks::Request {
    locks::Request::Handover(Rc::new(request))
}
fn record(request: record::Request) -> locks::Request {
    locks::Request::Record(Rc::new(request))
}

fn text(reply: &locks::Reply, names: &Names) -> String {
    let either = |done: bool, yes: &str, no: &str| if done { yes } else { no }.to_owned();
    let with_token = |text: String, token: Option<locks::Token>| match token {
        Some(token) => format!("{text}token {token}"),
        None => text,
    };
    match reply {
        locks::Reply::Claim(reply) => match **reply {
            claim::Reply::Granted { token: None, .. } => "granted".to_owned(),
            claim::Reply::Granted { token, .. } => with_token(String::new(), token),
            claim::Reply::Taken => "taken".to_owned(),
            claim::Reply::TooFewHave => "too few have it".to_owned(),
            claim::Reply::Renewed(done) => either(done, "renewed", "not its own"),
            claim::Reply::Released(done) => either(done, "released", "not its own"),
            claim::Reply::Looked(held) => either(held, "held", "free"),
            claim::Reply::Failed(why) => format!("failed: {why}"),
        },
        locks::Reply::Advisory(reply) => match **reply {
            postgres_advisory::Reply::Granted(_) => "granted".to_owned(),
            postgres_advisory::Reply::Taken => "taken".to_owned(),
            postgres_advisory::Reply::Unlocked(done) => either(done, "unlocked", "not its own"),
            postgres_advisory::Reply::Stands(stands) => either(stands, "stands", "gone"),
            postgres_advisory::Reply::Looked(held) => either(held, "held", "free"),
        },
        locks::Reply::Record(reply) => match &**reply {
            record::Reply::Got(None) => "nothing".to_owned(),
            record::Reply::Got(Some(kept)) => {
                let holder = kept.record.holder.map_or("nobody", |holder| names.name(holder));
                let duration = kept.record.duration.to_string().replace(' ', "");
                format!("v{}, {holder} for {duration}, {} transitions", kept.version, kept.transitions)
            }
            record::Reply::Written { version, token, .. } => match token {
                Some(token) => format!("v{version}, token {token}"),
                None => format!("v{version}"),
            },
            record::Reply::Deleted => "deleted".to_owned(),
            record::Reply::Conflict => "conflict".to_owned(),
        },
        locks::Reply::Handover(reply) => match **reply {
            handover::Reply::Says { epoch, taken } => {
                format!("epoch {epoch}, {}", either(taken, "taken", "nobody's"))
            }
            handover::Reply::Done(done) => either(done, "done", "refused"),
        },
        locks::Reply::Consul(_)
        | locks::Reply::Hazelcast(_)
        | locks::Reply::Chubby(_)
        | locks::Reply::ZooKeeper(_)
        | locks::Reply::Felix(_)
        | locks::Reply::NoLeader => panic!("this service has no words here"),
    }
}

/// Gives a script to a server that keeps this service, and compares the answers with those that the script names.
#[track_caller]
pub(crate) fn check(service: &AnyService, durability: Durability, script: &str) {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<&str> = lines.collect();
    let mut lab = Lab::of(1, service, durability, ClientKind::NoLock(no_lock::Recipe), Span::ZERO);
    let (mut names, mut asks, mut asked) = (Names::default(), Vec::new(), Vec::new());
    let (mut now, mut wait) = (SimTime::ZERO, Span::ZERO);
    for line in &lines {
        let (op, lock, answer) = read(line);
        match op {
            Op::Wait(span) | Op::Down(span) => {
                if matches!(op, Op::Down(_)) {
                    // After what is asked at its first instant, and over before what is asked at its last.
                    let micro = Span::from_micros(1);
                    let target = Target::Process(ProcessId(0));
                    let kind = FaultKind::Crash { target, manner: Manner::Refused };
                    let at = When::At(now + micro);
                    lab.plan.fault(Fault { at, span: Some(span.less(micro).less(micro)), kind });
                }
                now = now + span;
                wait += span;
            }
            _ => {
                asks.push((std::mem::take(&mut wait), request(&op, &lock, now, &mut names)));
                asked.push((line.split("->").next().unwrap_or(line).trim(), answer));
            }
        }
    }
    let prober = lab.prober(asks);
    let run = lab.run(600_000);
    let answers = &run.prober(prober).answers;
    let got: Vec<String> = asked
        .iter()
        .enumerate()
        .map(|(place, (line, _))| {
            let answer = answers.get(place).map_or("no answer".to_owned(), |(_, reply)| text(reply, &names));
            format!("{line} -> {answer}")
        })
        .collect();
    let wanted: Vec<String> = asked.iter().map(|(line, answer)| format!("{line} -> {answer}")).collect();
    assert_eq!(got.join("\n"), wanted.join("\n"));
}
