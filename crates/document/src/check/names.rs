//! Names: that they can be names, and that nobody has another's.

use super::super::limits::NAME_CHARS_MAX;
use super::super::nearest::hint;
use super::super::place::{Place, Step};
use super::Check;
use super::people::RESERVED;

/// What is wrong with a name; `None` when it is one.
pub(super) fn fault_of(name: &str) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match name {
        "" => Some("a name is wanted here".to_owned()),
        _ if name.chars().count() > NAME_CHARS_MAX => {
            Some(format!("a name has at most {NAME_CHARS_MAX} characters"))
        }
        _ if !name.chars().all(is_name) => {
            Some(format!("{name:?} is no name: a name has letters, digits, `-`, `_` and `.`"))
        }
        _ if RESERVED.contains(&name) => {
            Some(format!("`{name}` means something else in a document: take another name"))
        }
        _ => None,
    }
}

impl Check<'_> {
    pub(super) fn names(&mut self) {
        self.processes();
        self.hosts();
        for (index, fault) in self.raw.fault.iter().enumerate() {
            let is_second = self.raw.fault.iter().take(index).any(|other| other.id() == fault.id());
            let place = Place::root().key("fault").item(index, Some(fault.id())).key("id");
            if let Some(why) = fault_of(fault.id()) {
                self.say(place, why);
            } else if is_second {
                self.say(place, format!("there are two faults `{}`", fault.id()));
            }
        }
    }

    fn processes(&mut self) {
        let mut findings = Vec::new();
        let people = &self.people.0;
        for (index, person) in people.iter().enumerate() {
            // A member of the lock service is nothing but its name.
            let is_table =
                matches!(person.place.0.last(), Some(Step::Item { .. })) && person.place.0.len() == 2;
            let place = if is_table { person.place.key("name") } else { person.place.clone() };
            let earlier = people.iter().take(index).find(|other| other.name == person.name);
            if let Some(why) = fault_of(person.name) {
                findings.push(place.finding(why));
            } else if let Some(earlier) = earlier {
                let both = match (earlier.part == person.part, person.part.words()) {
                    (true, part) => format!("two are called `{}`, and each is {part}", person.name),
                    (false, part) => {
                        format!("`{}` is already {}, and this is {part}", person.name, earlier.part.words())
                    }
                };
                findings
                    .push(place.finding(both).hint(Some("every process has a name of its own".to_owned())));
            }
            if let Some(host) = person.host
                && let Some(why) = fault_of(host)
            {
                findings.push(person.place.key("host").finding(why));
            }
        }
        self.findings.extend(findings);
    }

    fn hosts(&mut self) {
        for (index, host) in self.raw.host.iter().enumerate() {
            let place = Place::root().key("host").item(index, Some(&host.name));
            let is_second = self.raw.host.iter().take(index).any(|other| other.name == host.name);
            if is_second {
                self.say(place.key("name"), format!("there are two entries for the host `{}`", host.name));
            } else if !self.people.is_host(&host.name) {
                let (message, hint) = self.no_host(&host.name);
                self.hint(place.key("name"), message, hint);
            }
            let ppm = host.drift_ppm;
            self.rate(place.key("drift_ppm"), ppm);
        }
    }

    fn no_host(&self, name: &str) -> (String, Option<String>) {
        match self.people.get(name) {
            Some(person) => {
                let host = person.host();
                (format!("`{name}` runs on the host `{host}`"), Some(format!("name that: `{host}`")))
            }
            None => {
                let hosts = self.people.0.iter().map(super::people::Person::host);
                (format!("nothing runs on a host `{name}`"), hint(name, hosts))
            }
        }
    }
}
