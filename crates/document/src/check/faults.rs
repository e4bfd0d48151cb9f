//! Faults: whom they strike, and when.

use kernel::Span;

use super::super::anchor::{self, Part};
use super::super::limits::NTH_MAX;
use super::super::model::{After, At, Fault, Lock, Names, Store, StoreKind};
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;
use super::people::ROLES;

/// What a fault strikes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strikes {
    /// A process.
    Process,
    /// A process's disk.
    Disk,
    /// A host.
    Host,
}

impl Check<'_> {
    pub(super) fn faults(&mut self) {
        let raw = self.raw;
        for (index, fault) in raw.fault.iter().enumerate() {
            let place = Place::root().key("fault").item(index, Some(fault.id()));
            self.when(&place, fault);
            self.whom(&place, fault);
        }
    }

    fn when(&mut self, place: &Place, fault: &Fault) {
        let horizon = self.raw.horizon;
        match fault.at() {
            At::Instant(at) if *at > horizon && fault.enabled() => {
                self.say(place.key("at"), format!("it never strikes at {at}: the play ends at {horizon}"));
            }
            At::Instant(_) => {}
            At::After(after) => self.anchor(&place.key("at"), after),
        }
        match (fault, fault.span()) {
            (Fault::Promote(_), Some(_)) => {
                self.say(place.key("for"), "a promotion is an instant: leave `for` out");
            }
            (Fault::WallStep(_), Some(_)) => {
                self.say(place.key("for"), "a wall step is an instant: leave `for` out")
            }
            (_, Some(span)) if span.0 == Span::ZERO => {
                self.hint(
                    place.key("for"),
                    "it lasts no time",
                    Some("leave `for` out for one that lasts".to_owned()),
                );
            }
            _ => {}
        }
    }

    pub(super) fn anchor(&mut self, place: &Place, after: &After) {
        if after.nth == 0 || after.nth > NTH_MAX {
            self.say(place.key("nth"), format!("{} is out of range: from 1 to {NTH_MAX}", after.nth));
        }
        let place = place.key("after");
        match anchor::parse(&after.after) {
            Err((message, hint)) => self.hint(place, message, hint),
            Ok(sentence) if sentence.who == "anyone" => {}
            Ok(sentence) if ROLES.contains(&sentence.who) => {
                let part = if sentence.who == "holder" { Part::Worker } else { Part::Server };
                if part != sentence.part {
                    let (is, verb, whose) = (part.words(), sentence.verb, sentence.part.words());
                    self.say(
                        place,
                        format!("a {} is {is}, and \"{verb}\" is what {whose} does", sentence.who),
                    );
                }
            }
            Ok(sentence) => match self.people.get(sentence.who) {
                Some(person) if person.part == sentence.part => {}
                Some(person) => {
                    let (is, verb, whose) = (person.part.words(), sentence.verb, sentence.part.words());
                    self.say(
                        place,
                        format!("`{}` is {is}, and \"{verb}\" is what {whose} does", sentence.who),
                    );
                }
                None => {
                    let hint = hint(
                        sentence.who,
                        self.people.names_of(sentence.part).chain(ROLES).chain(["anyone"]),
                    );
                    self.hint(place, format!("there is no process `{}` to wait for", sentence.who), hint);
                }
            },
        }
    }

    fn whom(&mut self, place: &Place, fault: &Fault) {
        let on = place.key("on");
        match fault {
            Fault::Pause(fault) => self.target(on, &fault.on, Strikes::Process),
            Fault::Crash(fault) => self.target(on, &fault.on, Strikes::Process),
            Fault::Suspend(fault) => self.target(on, &fault.on, Strikes::Host),
            Fault::PowerOff(fault) => self.target(on, &fault.on, Strikes::Host),
            Fault::Promote(fault) => self.promoted(on, &fault.on),
            Fault::FenceOff(fault) => self.fence_off(on, &fault.on),
            Fault::WallStep(fault) => self.target(on, &fault.on, Strikes::Host),
            Fault::ClockRate(fault) => {
                self.target(on, &fault.on, Strikes::Host);
                self.rate(place.key("ppm"), fault.ppm);
            }
            Fault::DiskStall(fault) => self.target(on, &fault.on, Strikes::Disk),
            Fault::DiskLoss(fault) => self.target(on, &fault.on, Strikes::Disk),
            Fault::Cut(fault) => self.ends(place, &fault.from, &fault.to, &ROLES),
            Fault::Loss(fault) => self.ends(place, &fault.from, &fault.to, &ROLES),
            Fault::Duplicate(fault) => self.ends(place, &fault.from, &fault.to, &ROLES),
            Fault::Delay(fault) => {
                self.ends(place, &fault.from, &fault.to, &ROLES);
                self.delay(place.key("extra"), Some(fault.extra));
            }
            Fault::Restore(fault) => {
                if fault.on.iter().next().is_none() {
                    self.say(on.clone(), "somebody has to be named here");
                }
                for (index, name) in fault.on.iter().enumerate() {
                    let is_list = matches!(fault.on, Names::Several(_));
                    let place = if is_list { on.item(index, None) } else { on.clone() };
                    self.target(place, name, Strikes::Disk);
                }
                if let Some(name) = &fault.backup_of {
                    self.target(place.key("backup_of"), name, Strikes::Disk);
                }
                if let At::Instant(at) = &fault.at
                    && fault.taken >= *at
                {
                    let message = format!("a backup taken at {} is not there yet at {at}", fault.taken);
                    self.say(place.key("taken"), message);
                }
            }
        }
    }

    fn promoted(&mut self, place: Place, name: &str) {
        if !matches!(self.raw.lock, Lock::RedisReplicated(_)) {
            let message = format!("a lock of kind `{}` has no replica to promote", self.raw.lock.kind().name);
            self.hint(place, message, Some("`redis-replicated` has".to_owned()));
        } else if name != "follower" {
            self.part(place, name, Part::Server);
        }
    }

    fn fence_off(&mut self, place: Place, name: &str) {
        let store = self.raw.store.iter().find(|store| store.name == name);
        let has_fence = |store: &Store| match store.kind {
            StoreKind::FencedRow | StoreKind::Dynamodb => true,
            StoreKind::Sql => !store.is_claimed_without_token(),
            StoreKind::Unfenced
            | StoreKind::VersionedRow
            | StoreKind::S3Manifest
            | StoreKind::ExternalApi
            | StoreKind::Stream
            | StoreKind::IdGenerator
            | StoreKind::Kafka
            | StoreKind::SessionChecked
            | StoreKind::Journal => false,
        };
        match store {
            Some(store) if !has_fence(store) => self.say(place, format!("`{name}` has no fence to turn off")),
            Some(_) | None => self.part(place, name, Part::Store),
        }
    }

    fn target(&mut self, place: Place, name: &str, strikes: Strikes) {
        if ROLES.contains(&name) {
            if strikes == Strikes::Disk && name == "holder" {
                self.say(place, "a holder is a worker, and workers keep nothing on a disk");
            }
            return;
        }
        match (self.people.get(name), strikes) {
            (Some(person), Strikes::Disk)
                if matches!(person.part, Part::Worker | Part::Sweeper | Part::Sidecar) =>
            {
                self.say(place, format!("`{name}` is {}, and keeps nothing on a disk", person.part.words()));
            }
            (Some(_), _) => {}
            (None, Strikes::Host) if self.people.is_host(name) => {}
            (None, _) if self.people.is_host(name) => {
                let hint = Some(format!("a `suspend` strikes all of `{name}`"));
                self.hint(place, format!("`{name}` is a host, and a process is wanted here"), hint);
            }
            (None, _) => {
                let hosts = self.people.bare_hosts().filter(|_| strikes == Strikes::Host);
                let hint = hint(name, self.people.names().chain(hosts).chain(ROLES));
                self.hint(place, format!("there is no `{name}` to strike"), hint);
            }
        }
    }
}
