//! Expectations: that they expect something, of somebody that there is.

use super::super::anchor::Part;
use super::super::model::Expect;
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;

impl Check<'_> {
    pub(super) fn expectations(&mut self) {
        let raw = self.raw;
        for (index, expect) in raw.expect.iter().enumerate() {
            self.expectation(&Place::root().key("expect").item(index, None), expect);
        }
    }

    pub(super) fn expectation(&mut self, place: &Place, expect: &Expect) {
        let Expect { verdict, grant, write, event } = expect;
        if verdict.is_none() && grant.is_none() && write.is_none() && event.is_none() {
            self.say(place.clone(), "it expects nothing: name a `verdict`, `grant`, `write` or `event`");
        }
        if let Some(name) = grant.as_ref().and_then(|grant| grant.worker.as_deref()) {
            self.part(place.key("grant").key("worker"), name, Part::Worker);
        }
        if let Some(write) = write {
            let place = place.key("write");
            if let Some(name) = &write.store {
                self.part(place.key("store"), name, Part::Store);
            }
            if let Some(name) = &write.worker {
                self.part(place.key("worker"), name, Part::Worker);
            }
        }
        if let Some(name) = event.as_ref().and_then(|event| event.process.as_deref())
            && self.people.get(name).is_none()
        {
            let hint = hint(name, self.people.names());
            self.hint(place.key("event").key("process"), format!("there is no process `{name}`"), hint);
        }
    }
}
