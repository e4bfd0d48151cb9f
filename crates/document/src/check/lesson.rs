//! The lesson: that it stops within the play, speaks of what there is, and asks what can be answered.

use super::super::anchor;
use super::super::limits::OPTIONS_MAX;
use super::super::model::{Ask, At, LessonStep};
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;
use super::people::ROLES;

impl Check<'_> {
    pub(super) fn lesson(&mut self) {
        let raw = self.raw;
        for (index, step) in raw.step.iter().enumerate() {
            let place = Place::root().key("step").item(index, None);
            self.stop(&place.key("at"), &step.at);
            self.spoken_of(&place, step);
            if let Some(ask) = &step.ask {
                self.ask(&place.key("ask"), ask);
            }
        }
    }

    fn stop(&mut self, place: &Place, at: &At) {
        let horizon = self.raw.horizon;
        match at {
            At::Instant(at) if *at > horizon => {
                self.say(place.clone(), format!("{at} is after the end: the play ends at {horizon}"));
            }
            At::Instant(_) => {}
            At::After(after) => {
                self.anchor(place, after);
                if let Ok(sentence) = anchor::parse(&after.after)
                    && ROLES.contains(&sentence.who)
                {
                    let hint = Some("name somebody, or \"anyone\"".to_owned());
                    let message = format!("a lesson cannot wait for whoever is {} then", sentence.who);
                    self.hint(place.key("after"), message, hint);
                }
            }
        }
    }

    fn spoken_of(&mut self, place: &Place, step: &LessonStep) {
        let raw = self.raw;
        if let Some(name) = &step.variant
            && !raw.variant.contains_key(name)
        {
            let hint = hint(name, raw.variant.keys().map(String::as_str));
            self.hint(place.key("variant"), format!("there is no variant `{name}`"), hint);
        }
        if let Some(id) = &step.fault
            && !raw.fault.iter().any(|fault| fault.id() == id)
        {
            let hint = hint(id, raw.fault.iter().map(|fault| fault.id()));
            self.hint(place.key("fault"), format!("there is no fault `{id}`"), hint);
        }
    }

    fn ask(&mut self, place: &Place, ask: &Ask) {
        let Ask { question: _, options, answer, because: _, expect } = ask;
        match options.len() {
            0 | 1 => self.say(place.key("options"), "a choice has at least two options"),
            count => self.count(place.key("options"), count, OPTIONS_MAX),
        }
        for (index, option) in options.iter().enumerate() {
            if options.iter().take(index).any(|other| other == option) {
                let place = place.key("options").item(index, None);
                self.say(place, format!("{option:?} is among the options twice"));
            }
        }
        if !options.contains(answer) {
            let hint = hint(answer, options.iter().map(String::as_str));
            self.hint(place.key("answer"), "this is none of the options", hint);
        }
        if expect.is_empty() {
            self.say(
                place.key("expect"),
                "nothing bears the answer out: name what must come out for it to be right",
            );
        }
        for (index, expect) in expect.iter().enumerate() {
            self.expectation(&place.key("expect").item(index, None), expect);
        }
    }
}
