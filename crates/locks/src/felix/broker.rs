//! The brokers that keep a shard of a cache in a log: an owner, and its replicas.

use std::rc::Rc;

use kernel::{Mono, Now, Span};

use super::{Cache, Record, Reply, Request, Write};
use crate::Note;
use crate::replicated::{self, Replica, Route};
use crate::service::{Asker, Outcome};

/// How often the owner deletes what has run out.
const PASS_EVERY: Span = Span::from_secs(1);

/// When the owner answers a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consistency {
    /// When a majority has it.
    Quorum,
    /// At once. Its replicas are sent it so long afterwards.
    Leader {
        /// How long.
        lag: Span,
    },
}

/// What an owner has besides what is in the log.
#[derive(Clone, Debug)]
struct Owner {
    /// The keys with all that it has written, whoever else has that by now: it judges by these.
    ahead: Cache,
    /// From when its passes count.
    since: Mono,
    /// The next one; none while there is nothing that can run out.
    next_pass: Option<Mono>,
    /// Records that its replicas were not sent yet, each with when they are.
    unsent: Vec<(Mono, Record)>,
    /// Reads that wait until a majority holds what they show, each with the offset up to which that is.
    reads: Vec<(u64, Asker, Rc<Request>)>,
}

/// A broker.
#[derive(Clone, Debug)]
pub struct Broker {
    consistency: Consistency,
    /// The keys as the log says.
    cache: Cache,
    owner: Option<Owner>,
}

impl Owner {
    /// There is something that can run out: the next of its passes is due.
    fn plan(&mut self, now: Mono) {
        if self.next_pass.is_none() && !self.ahead.is_empty() {
            let passes = now.since(self.since).as_micros() / PASS_EVERY.as_micros();
            self.next_pass = Some(self.since + PASS_EVERY.times(passes + 1));
        }
    }
}

fn logged(record: Record) -> crate::Request {
    crate::Request::Felix(Request::Record(record).into())
}

impl Broker {
    /// Nothing yet.
    pub fn new(consistency: Consistency) -> Self {
        Self { consistency, cache: Cache::default(), owner: None }
    }

    /// The keys as it knows them: an owner with all that it has written.
    pub fn cache(&self) -> &Cache {
        self.owner.as_ref().map_or(&self.cache, |owner| &owner.ahead)
    }

    /// The owner writes a record.
    fn write(&mut self, asker: Option<Asker>, write: Write, now: Mono, out: &mut Outcome) {
        let Some(owner) = &mut self.owner else { return };
        let record = owner.ahead.next(write);
        match self.consistency {
            Consistency::Quorum => {
                owner.ahead.apply(&record, false, &mut Outcome::default());
                match asker {
                    Some(asker) => out.logged.push((asker, logged(record))),
                    None => out.proposals.push(logged(record)),
                }
            }
            Consistency::Leader { lag } => {
                let reply = owner.ahead.apply(&record, true, out);
                if let Some(asker) = asker {
                    out.reply(asker, reply);
                }
                if lag == Span::ZERO {
                    out.proposals.push(logged(record));
                } else {
                    owner.unsent.push((now + lag, record));
                }
            }
        }
        owner.plan(now);
    }
}

impl Replica for Broker {
    fn route(&self, request: &crate::Request) -> Route {
        let crate::Request::Felix(request) = request else { return Route::Here };
        match (&**request, self.consistency) {
            (Request::Record(_), _) => Route::Log,
            // Only who has made sure that it leads answers what it has not shown to a majority.
            (Request::Get { .. }, _)
            | (Request::PutIf { .. } | Request::DeleteIf { .. }, Consistency::Leader { .. }) => {
                Route::Confirmed
            }
            (Request::PutIf { .. } | Request::DeleteIf { .. } | Request::Watch { .. }, _) => Route::Leader,
        }
    }

    fn apply(&mut self, entry: replicated::Entry<'_>, now: Now, out: &mut Outcome) {
        let crate::Request::Felix(request) = entry.request else { return };
        let Request::Record(record) = &**request else { return };
        let reply = self.cache.apply(record, self.consistency == Consistency::Quorum, out);
        out.reply(entry.asker, reply);
        let Some(owner) = &mut self.owner else { return };
        let (cache, tail) = (&self.cache, self.cache.tail());
        owner.reads.retain(|(offset, asker, request)| {
            let waits = *offset > tail;
            if let (false, Err(reply)) = (waits, cache.judge(asker.client, request, now)) {
                out.reply(*asker, reply);
            }
            waits
        });
    }

    fn asked(
        &mut self,
        asker: Asker,
        request: &crate::Request,
        _leads: bool,
        now: Now,
        out: &mut Outcome,
    ) -> bool {
        let crate::Request::Felix(request) = request else { return true };
        let Some(owner) = &mut self.owner else {
            out.reply(asker, crate::Reply::NoLeader);
            return true;
        };
        let keys = &owner.ahead;
        match (keys.judge(asker.client, request, now), &**request) {
            (Err(_), Request::Get { .. })
                if self.consistency == Consistency::Quorum && self.cache.tail() < keys.tail() =>
            {
                owner.reads.push((keys.tail(), asker, request.clone()));
            }
            (Ok(write), _) => self.write(Some(asker), write, now.mono, out),
            // The delete of one that has run out is still to come.
            (Err(_), Request::Watch { lock }) if keys.iter().any(|(key, _)| key == lock) => {
                out.watches.push((asker, lock.clone()));
            }
            (Err(_), Request::Watch { .. }) => out.told.push(asker),
            (Err(reply), _) => out.reply(asker, reply),
        }
        true
    }

    /// A new owner begins with a record that says so.
    fn leads(&mut self, term: u64, now: Now, out: &mut Outcome) {
        let ahead = self.cache.clone();
        out.note(Note::TookOver { term, leases: ahead.leases() });
        self.owner =
            Some(Owner { ahead, since: now.mono, next_pass: None, unsent: Vec::new(), reads: Vec::new() });
        self.write(None, Write::Generation, now.mono, out);
    }

    fn follows(&mut self) {
        self.owner = None;
    }

    fn forgets(&mut self) {
        self.owner = None;
    }

    fn wakes_at(&self) -> Option<Mono> {
        let owner = self.owner.as_ref()?;
        owner.unsent.first().map(|(at, _)| *at).into_iter().chain(owner.next_pass).min()
    }

    fn woken(&mut self, leads: bool, now: Now, out: &mut Outcome) {
        let Some(owner) = self.owner.as_mut().filter(|_| leads) else { return self.follows() };
        let due = owner.unsent.iter().take_while(|(at, _)| *at <= now.mono).count();
        out.proposals.extend(owner.unsent.drain(..due).map(|(_, record)| logged(record)));
        if owner.next_pass.is_some_and(|at| at <= now.mono) {
            owner.next_pass = None;
            for write in owner.ahead.lapsed(now.wall) {
                self.write(None, write, now.mono, out);
            }
            if let Some(owner) = &mut self.owner {
                owner.plan(now.mono);
            }
        }
    }
}

impl From<Reply> for crate::Reply {
    fn from(reply: Reply) -> Self {
        Self::Felix(reply.into())
    }
}
