//! The server half: one copy of the flags.

use std::collections::BTreeMap;

use kernel::{Mono, Now, ProcessId, Start};

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
    /// Whether the writer has begun.
    pub begun: bool,
}

/// A copy of the flags.
#[derive(Clone, Debug)]
pub struct Copy {
    flags: BTreeMap<Key, Flag>,
    first: Token,
}

impl Copy {
    /// Flags that nobody has set; the last epoch was this one.
    pub fn new(first: Token) -> Self {
        Self { flags: BTreeMap::new(), first }
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
    fn starts(&mut self, start: Start, _now: Now, out: &mut Outcome) {
        if start != Start::First {
            let knows = self.flags.values().filter(|flag| flag.begun).filter_map(|flag| flag.writer);
            out.note(Note::CameUp { knows: knows.map(|(value, _)| LeaseId(value)).collect() });
        }
    }

    fn asked(&mut self, asker: Asker, request: &crate::Request, now: Now, out: &mut Outcome) {
        let crate::Request::Handover(request) = request else { return };
        let reply = match **request {
            Request::Look { ref lock } => {
                let flag = self.flag(lock);
                Reply::Says { epoch: flag.epoch, taken: flag.writer.is_some() }
            }
            Request::Set { ref lock, value, epoch } => {
                let flag = self.flag(lock);
                let done = epoch > flag.epoch;
                if done {
                    if let Some((old, _)) = flag.writer.filter(|_| flag.begun) {
                        out.note(freed(lock, old, Freed::Replaced));
                    }
                    *flag = Flag { writer: Some((value, asker.client)), epoch, begun: false };
                    out.changed = true;
                }
                Reply::Done(done)
            }
            Request::Confirm { ref lock, value, lease } => {
                let flag = self.flag(lock);
                let is_own = flag.writer.is_some_and(|(writer, _)| writer == value);
                if is_own {
                    let deadline = Reading::Mono(now.mono + lease);
                    if flag.begun {
                        out.note(Note::Renewed { lease: LeaseId(value), deadline });
                    } else {
                        flag.begun = true;
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
                    if flag.begun {
                        out.note(freed(lock, value, Freed::Released));
                    }
                    (flag.writer, flag.begun) = (None, false);
                    out.changed = true;
                }
                Reply::Done(is_own)
            }
        };
        out.reply(asker, reply);
    }

    fn wakes_at(&self, _now: Now) -> Option<Mono> {
        None
    }

    fn woken(&mut self, _now: Now, _out: &mut Outcome) {}
}
