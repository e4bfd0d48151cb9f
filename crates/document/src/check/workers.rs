//! Workers and sweepers: how long things take, and what they name.

use kernel::Span;

use super::super::anchor::Part;
use super::super::duration::Dur;
use super::super::limits::REQUEUES_MAX;
use super::super::model::{
    GiveUp, Lock, Names, Renew, Store, StoreKind, Unanswered, Wait, Waits, Worker, visit, written,
};
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;

impl Check<'_> {
    pub(super) fn sweepers(&mut self) {
        for (index, sweeper) in self.raw.sweeper.iter().enumerate() {
            let place = Place::root().key("sweeper").item(index, Some(&sweeper.name));
            self.interval(place.key("every"), Some(sweeper.every));
            self.delay(place.key("again_after"), Some(sweeper.again_after));
            self.delay(place.key("grace"), Some(sweeper.grace));
            if let Some(most) = sweeper.requeues_max.filter(|most| !(1..=REQUEUES_MAX).contains(most)) {
                self.say(
                    place.key("requeues_max"),
                    format!("{most} is out of range: from 1 to {REQUEUES_MAX}"),
                );
            }
            self.swept(&place.key("store"), &sweeper.store);
            match sweeper.lock.as_deref() {
                Some(lock) => self.acquired_lock(place.key("lock"), lock),
                None if self.locks.is_empty() => {
                    self.say(place, "it asks who holds a lock, and no worker acquires any");
                }
                None => {}
            }
        }
    }

    /// The stores that a sweeper looks through.
    fn swept(&mut self, place: &Place, stores: &Names) {
        if stores.iter().next().is_none() {
            self.say(place.clone(), "some store has to be named here");
        }
        for (index, name) in stores.iter().enumerate() {
            let is_list = matches!(stores, Names::Several(_));
            let place = if is_list { place.item(index, None) } else { place.clone() };
            let is_journal = |store: &Store| store.name == name && store.kind == StoreKind::Journal;
            if self.raw.store.iter().any(is_journal) {
                self.say(place.clone(), "a journal has no index of claims to look through");
            }
            if stores.iter().take(index).any(|earlier| earlier == name) {
                self.say(place.clone(), format!("it looks through `{name}` already"));
            }
            self.part(place, name, Part::Store);
        }
    }

    pub(super) fn workers(&mut self) {
        let workers: Vec<(&Worker, &Worker)> = self.raw.worker.iter().zip(&self.resolved.worker).collect();
        for (index, (raw, resolved)) in workers.into_iter().enumerate() {
            let place = Place::root().key("worker").item(index, Some(&raw.name));
            self.margin(place.key("margin"), raw);
            if let Some(own) = &raw.renew {
                self.renew(&place.key("renew"), own, resolved.renew.as_ref().unwrap_or(own));
            }
            self.wait(place.key("wait"), raw.wait);
            self.interval(place.key("store_timeout"), raw.store_timeout);
            if raw.when_unanswered.is_some() || raw.program.is_some() {
                self.look(place.key("when_unanswered"), resolved);
            }
            if resolved.program.is_none() {
                let hint = Some("give it a `program`, or say whom it is `like`".to_owned());
                self.hint(place, "it has nothing to do", hint);
            }
        }
    }

    /// A journal shows entries that no majority may have. Whether one was accepted is found out by a claim, which recovers it.
    fn look(&mut self, place: Place, worker: &Worker) {
        if worker.when_unanswered != Some(Unanswered::Look) {
            return;
        }
        let is_journal = |name: &str| {
            let mut stores = self.raw.store.iter();
            stores.any(|store| store.name == name && store.kind == StoreKind::Journal)
        };
        let mut journal = None;
        visit(worker.program.as_deref().unwrap_or_default(), &mut |step| {
            journal = journal.or_else(|| written(step).filter(|name| is_journal(name)));
        });
        if let Some(name) = journal {
            let message =
                format!("a look at the journal `{name}` does not tell whether a majority has an entry");
            let hint = "leave it out: a journal's writer sends the same entry again".to_owned();
            self.hint(place, message, Some(hint));
        }
    }

    fn wait(&mut self, place: Place, wait: Option<Wait>) {
        match wait {
            Some(Wait::Poll(every)) => self.interval(place.key("poll"), Some(every)),
            Some(Wait::Queue) if self.raw.lock.kind().waits == Waits::Watching => {
                let message = format!("{} has no line to stand in", self.raw.lock.kind().name);
                self.hint(
                    place,
                    message,
                    Some("watch: `wait = \"watch\"`, which is usual with it".to_owned()),
                );
            }
            Some(Wait::Queue | Wait::Watch) => {
                let kind = self.raw.lock.kind();
                if let Waits::ByTrying(every) = kind.waits {
                    let message = format!("{} has no line to stand in and nothing to watch", kind.name);
                    let hint = format!(
                        "try again and again: `wait = {{ poll = \"{every}\" }}`, which is usual with it"
                    );
                    self.hint(place, message, Some(hint));
                }
            }
            None => {}
        }
    }

    /// Who stands in line has a key of their own, who polls or watches wants the lock's own key: neither would see the other.
    pub(super) fn waits(&mut self) {
        if !matches!(self.raw.lock, Lock::Etcd(_)) {
            return; // Nobody else has two recipes.
        }
        let workers: Vec<&Worker> = self.resolved.worker.iter().collect();
        for lock in self.locks.clone() {
            let mut takers = workers.iter().enumerate().filter(|(_, worker)| worker.locks().contains(&lock));
            let Some((_, first)) = takers.next() else { continue };
            if let Some((index, other)) = takers
                .find(|(_, other)| self.resolved.stands_in_line(other) != self.resolved.stands_in_line(first))
            {
                let place = Place::root().key("worker").item(index, Some(&other.name)).key("wait");
                let (one, another) =
                    if self.resolved.stands_in_line(first) { (first, other) } else { (other, first) };
                let (one, another) = (&one.name, &another.name);
                let message = format!(
                    "{one} stands in line for `{lock}` and {another} does not: two recipes, which do not see each other"
                );
                let hint = "let all that take a lock wait by `queue`, or none".to_owned();
                self.hint(place, message, Some(hint));
            }
        }
    }

    fn ttl(&self) -> Dur {
        self.raw.lock.granted_ttl()
    }

    /// A lease as it is granted, and where that comes from.
    fn lease_text(&self) -> String {
        let (lock, granted) = (&self.raw.lock, self.ttl());
        let of = if granted == lock.ttl() {
            String::new()
        } else {
            format!("what {} makes of ", lock.kind().name)
        };
        format!("a lease of {granted} ({of}`lock.ttl`)")
    }

    fn margin(&mut self, place: Place, worker: &Worker) {
        let ttl = self.ttl();
        if let Some(margin) = worker.margin.filter(|margin| *margin >= ttl && ttl.0 > Span::ZERO) {
            let message = format!("a margin of {margin} leaves nothing of {}", self.lease_text());
            self.hint(place, message, Some("make the margin shorter or the lease longer".to_owned()));
            return;
        }
        if let Lock::Chubby(cell) = &self.raw.lock
            && let Some(margin) = worker.margin.filter(|margin| *margin >= cell.answers_before())
        {
            let before = cell.answers_before();
            let message = format!(
                "a margin of {margin} puts its session in jeopardy before each extension: the master answers {before} before a lease ends (`lock.answer_before`)"
            );
            self.hint(
                place,
                message,
                Some("make the margin shorter, or let the master answer earlier".to_owned()),
            );
        }
    }

    fn renew(&mut self, place: &Place, own: &Renew, resolved: &Renew) {
        self.interval(place.key("every"), own.every);
        self.interval(place.key("timeout"), own.timeout);
        self.interval(place.key("retry"), own.retry);
        let ttl = self.ttl();
        let gives_up_in_time = match resolved.give_up {
            None | Some(GiveUp::StopTime | GiveUp::Deadline) => true,
            Some(GiveUp::FirstError | GiveUp::Never) => false,
        };
        if let Some(every) = own.every.filter(|every| gives_up_in_time && *every >= ttl && ttl.0 > Span::ZERO)
        {
            let message = format!("a renewal every {every} comes too late for {}", self.lease_text());
            self.say(place.key("every"), message);
        }
    }

    /// A name that must be that of one who plays this part.
    pub(super) fn part(&mut self, place: Place, name: &str, part: Part) {
        match self.people.get(name) {
            Some(person) if person.part == part => {}
            Some(person) => {
                let (is, wanted) = (person.part.words(), part.words());
                let hint = hint(name, self.people.names_of(part));
                self.hint(place, format!("`{name}` is {is}, and {wanted} is wanted here"), hint);
            }
            None => {
                let noun = part.words().split_once(' ').map_or("process", |(_, noun)| noun);
                let names: Vec<&str> = self.people.names_of(part).collect();
                let message = match names.as_slice() {
                    [] => format!("there is no {noun} `{name}`: there is none at all"),
                    _ => format!("there is no {noun} `{name}`"),
                };
                self.hint(place, message, hint(name, names));
            }
        }
    }

    /// A lock that must be one that some worker acquires.
    pub(super) fn acquired_lock(&mut self, place: Place, lock: &str) {
        if !self.locks.contains(&lock) {
            let hint = hint(lock, self.locks.iter().copied());
            self.hint(place, format!("no worker acquires a lock `{lock}`"), hint);
        }
    }
}
