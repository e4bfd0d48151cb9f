//! The server half: one copy of the flags.

use kernel::{Map, Mono, Now, ProcessId, Span, Start};

use super::{Reply, Request};
use crate::service::{Asker, Outcome, Service};
use crate::{Freed, GrantId, Granted, Key, LeaseId, Note, Reading, Token};

/// What a copy says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flag {
    /// The writer's claim and who that is, if anybody.
    pub writer: Option<(u64, ProcessId)>,
    /// The epoch of whoever set it last.
    pub epoch: Token,
    /// Until when the writer may go on, on this copy's clock, if it has begun.
    pub until: Option<Mono>,
    /// For how long each confirmation lets it go on.
    pub lease: Span,
}

/// A copy of the flags.
#[derive(Clone, Debug)]
pub struct Copy {
    flags: Map<Key, Flag>,
    first: Token,
    /// Writers in whose place the flag names another, each until its right is over.
    leaving: Vec<(Key, u64, Mono)>,
}

impl Copy {
    /// Flags that nobody has set; the last epoch was this one.
    pub fn new(first: Token) -> Self {
        Self { flags: Map::new(), first, leaving: Vec::new() }
    }

    /// The flags.
    pub fn flags(&self) -> impl Iterator<Item = (&Key, &Flag)> {
        self.flags.iter()
    }

    fn flag(&mut self, lock: &Key) -> &mut Flag {
        let first = self.first;
        self.flags.entry(lock.clone()).or_insert(Flag { epoch: first, ..Flag::default() })
    }
}

fn freed(lock: &Key, value: u64, how: Freed) -> Note {
    Note::Freed { lock: lock.clone(), grant: GrantId(value), how, revision: None }
}

impl Service for Copy {
    fn starts(&mut self, start: Start, now: Now, out: &mut Outcome) {
        if start != Start::First {
            // The disk knows who writes, not when it confirmed that last: at the latest just before the crash.
            for (_, flag) in self.flags.iter_mut() {
                flag.until = flag.until.map(|_| now.mono + flag.lease);
            }
            let knows =
                self.flags.values().filter(|flag| flag.until.is_some()).filter_map(|flag| flag.writer);
            out.note(Note::CameUp { knows: knows.map(|(value, _)| LeaseId(value)).collect() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Handover(request) = request else { return };
        let reply = match **request {
            Request::Look { ref lock } => {
                // Whoever was put out by a claim that came to nothing may still be writing.
                let leaving = self.leaving.iter().any(|(of, ..)| of == lock);
                let flag = self.flag(lock);
                Reply::Says { epoch: flag.epoch, taken: leaving || flag.writer.is_some() }
            }
            Request::Set { ref lock, value, epoch } => {
                let flag = self.flag(lock);
                let done = epoch > flag.epoch;
                if done {
                    let old = std::mem::replace(
                        flag,
                        Flag { writer: Some((value, asker.client)), epoch, ..Flag::default() },
                    );
                    // It may not have heard so, and goes on for as long as it was told.
                    if let (Some((old, _)), Some(until)) = (old.writer, old.until) {
                        self.leaving.push((lock.clone(), old, until));
                    }
                    out.changed = true;
                }
                Reply::Done(done)
            }
            Request::Confirm { ref lock, value, lease } => {
                let flag = self.flag(lock);
                let is_own = flag.writer.is_some_and(|(writer, _)| writer == value);
                if is_own {
                    let (until, deadline) = (now.mono + lease, Reading::Mono(now.mono + lease));
                    flag.lease = lease;
                    if flag.until.replace(until).is_some() {
                        out.note(Note::Renewed { lease: LeaseId(value), deadline });
                    } else {
                        out.changed = true;
                        out.note(Note::Granted(Box::new(Granted {
                            lock: lock.clone(),
                            holder: asker.client,
                            grant: GrantId(value),
                            lease: LeaseId(value),
                            token: Some(flag.epoch),
                            deadline: Some(deadline),
                        })));
                    }
                }
                Reply::Done(is_own)
            }
            Request::Clear { ref lock, value } => {
                let flag = self.flag(lock);
                let is_own = flag.writer.is_some_and(|(writer, _)| writer == value);
                if is_own {
                    if flag.until.is_some() {
                        out.note(freed(lock, value, Freed::Released));
                    }
                    (flag.writer, flag.until) = (None, None);
                    out.changed = true;
                }
                Reply::Done(is_own)
            }
        };
        out.reply(asker, reply);
    }

    fn wakes_at(&self, _now: Now) -> Option<Mono> {
        self.leaving.iter().map(|(.., until)| *until).min()
    }

    /// The right of those that the flag names no more is over, whether they have heard so or not.
    fn woken(&mut self, now: Now, out: &mut Outcome) {
        self.leaving.retain(|(lock, value, until)| {
            let over = now.mono >= *until;
            if over {
                out.note(freed(lock, *value, Freed::Expired));
            }
            !over
        });
    }
}
