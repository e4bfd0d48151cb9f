//! Who is there, and how each can be named.

use super::super::anchor::Part;
use super::super::model::Scenario;
use super::super::place::Place;

/// Roles, found when a fault strikes.
pub(super) const ROLES: [&str; 3] = ["leader", "follower", "holder"];
/// Words for groups, in what names the ends of links.
pub(super) const GROUPS: [&str; 4] = ["workers", "stores", "lock", "others"];
/// Words that mean something by themselves, so that nobody can be called so.
pub(super) const RESERVED: [&str; 12] = [
    "leader", "follower", "holder", "workers", "stores", "sweepers", "lock", "others", "anyone", "nobody",
    "none", "all",
];

/// A process of the scenario.
pub(super) struct Person<'a> {
    pub(super) name: &'a str,
    pub(super) part: Part,
    /// The host that it says it runs on.
    pub(super) host: Option<&'a str>,
    /// Where it is named.
    pub(super) place: Place,
}

impl<'a> Person<'a> {
    /// The host that it runs on.
    pub(super) fn host(&self) -> &'a str {
        self.host.unwrap_or(self.name)
    }
}

/// All processes.
pub(super) struct People<'a>(pub(super) Vec<Person<'a>>);

impl<'a> People<'a> {
    pub(super) fn of(scenario: &'a Scenario) -> Self {
        let nodes = Place::root().key("lock").key("nodes");
        let item = |list: &str, index, name: &str| Place::root().key(list).item(index, Some(name));
        let mut people = Vec::new();
        for (index, name) in scenario.lock.nodes().iter().enumerate() {
            people.push(Person { name, part: Part::Server, host: None, place: nodes.item(index, None) });
        }
        for (index, store) in scenario.store.iter().enumerate() {
            let place = item("store", index, &store.name);
            let nodes = place.key("nodes");
            people.push(Person { name: &store.name, part: Part::Store, host: store.host.as_deref(), place });
            for (index, name) in store.journal_nodes().iter().enumerate() {
                people.push(Person { name, part: Part::Node, host: None, place: nodes.item(index, None) });
            }
        }
        for (index, worker) in scenario.worker.iter().enumerate() {
            let place = item("worker", index, &worker.name);
            people.push(Person {
                name: &worker.name,
                part: Part::Worker,
                host: worker.host.as_deref(),
                place,
            });
        }
        for (index, worker) in scenario.worker.iter().enumerate() {
            if let Some(name) = &worker.sidecar {
                let place = item("worker", index, &worker.name).key("sidecar");
                let host = Some(worker.host.as_deref().unwrap_or(&worker.name));
                people.push(Person { name, part: Part::Sidecar, host, place });
            }
        }
        for (index, sweeper) in scenario.sweeper.iter().enumerate() {
            let place = item("sweeper", index, &sweeper.name);
            people.push(Person {
                name: &sweeper.name,
                part: Part::Sweeper,
                host: sweeper.host.as_deref(),
                place,
            });
        }
        Self(people)
    }

    /// The process of this name.
    pub(super) fn get(&self, name: &str) -> Option<&Person<'a>> {
        self.0.iter().find(|person| person.name == name)
    }

    /// The names of those that play this part.
    pub(super) fn names_of(&self, part: Part) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |person| person.part == part).map(|person| person.name)
    }

    /// All names of processes.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|person| person.name)
    }

    /// The names of hosts that are not names of processes as well.
    pub(super) fn bare_hosts(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(|person| person.host).filter(|host| self.get(host).is_none())
    }

    /// Whether something runs on a host of this name.
    pub(super) fn is_host(&self, name: &str) -> bool {
        self.0.iter().any(|person| person.host() == name)
    }
}
