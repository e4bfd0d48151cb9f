//! Links and clocks.

use super::super::limits::{PPM_MAX, PPM_MIN};
use super::super::model::Names;
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;
use super::people::{GROUPS, ROLES};

impl Check<'_> {
    pub(super) fn network(&mut self) {
        let network = &self.raw.network;
        let place = Place::root().key("network");
        self.delay(place.key("delay"), network.delay);
        self.delay(place.key("jitter"), Some(network.jitter));
        for (index, link) in network.link.iter().enumerate() {
            let place = place.key("link").item(index, None);
            self.delay(place.key("delay"), link.delay);
            self.delay(place.key("jitter"), link.jitter);
            self.ends(&place, &link.from, &link.to, &[]);
        }
    }

    /// Both ends of links; roles make sense only for faults.
    pub(super) fn ends(&mut self, place: &Place, from: &Names, to: &Names, roles: &[&str]) {
        for (key, names) in [("from", from), ("to", to)] {
            self.end(&place.key(key), names, roles);
        }
        let all_others = |names: &Names| names.iter().any(|name| name == "others");
        if all_others(from) && all_others(to) {
            self.say(place.key("to"), "\"others\" at both ends names nobody");
        }
    }

    fn end(&mut self, place: &Place, names: &Names, roles: &[&str]) {
        if names.iter().next().is_none() {
            self.say(place.clone(), "somebody has to be named here");
        }
        if names.iter().count() > 1 && names.iter().any(|name| name == "others") {
            self.say(place.clone(), "\"others\" are all the rest: it stands alone");
        }
        for (index, name) in names.iter().enumerate() {
            let is_known = self.people.get(name).is_some()
                || self.people.is_host(name)
                || GROUPS.contains(&name)
                || roles.contains(&name);
            if is_known {
                continue;
            }
            let place =
                if matches!(names, Names::Several(_)) { place.item(index, None) } else { place.clone() };
            if ROLES.contains(&name) {
                self.say(
                    place,
                    format!("`{name}` is found when a fault strikes; a link names a process or a host"),
                );
                continue;
            }
            let known = self
                .people
                .names()
                .chain(self.people.bare_hosts())
                .chain(GROUPS)
                .chain(roles.iter().copied());
            let hint = hint(name, known);
            self.hint(place, format!("there is no process or host `{name}`"), hint);
        }
    }

    /// How fast a clock may run.
    pub(super) fn rate(&mut self, place: Place, ppm: i32) {
        if !(PPM_MIN..=PPM_MAX).contains(&ppm) {
            self.say(
                place,
                format!("a clock's rate is off by {PPM_MIN} to {PPM_MAX} parts per million, not {ppm}"),
            );
        }
    }
}
