//! Programs: that they name what there is, and come to an end.

use super::super::anchor::Part;
use super::super::limits::{
    EFFECTS_MAX, LOCKS_PER_WORKER_MAX, NAME_CHARS_MAX, NESTING_MAX, REPEAT_MAX, STEPS_MAX,
};
use super::super::model::{Lock, Step, visit, within};
use super::super::nearest::hint;
use super::super::place::Place;
use super::Check;
use super::names::fault_of;

impl Check<'_> {
    pub(super) fn programs(&mut self) {
        // What is wrong with a program is told of the worker that it is written for.
        let raw = self.raw;
        for (index, worker) in raw.worker.iter().enumerate() {
            let Some(program) = worker.program.as_deref() else { continue };
            let place = Place::root().key("worker").item(index, Some(&worker.name)).key("program");
            let locks = worker.locks();
            let mut count = 0;
            visit(program, &mut |_| count += 1);
            if count > STEPS_MAX {
                self.say(place.clone(), format!("{count} steps are too many: at most {STEPS_MAX}"));
            }
            if locks.len() > LOCKS_PER_WORKER_MAX {
                let message = format!("it acquires {} locks: at most {LOCKS_PER_WORKER_MAX}", locks.len());
                self.say(place.clone(), message);
            }
            self.steps(&place, program, &locks, 0);
        }
    }

    fn steps(&mut self, place: &Place, steps: &[Step], locks: &[&str], depth: usize) {
        if steps.is_empty() {
            self.say(place.clone(), "there is no step in it");
        }
        if depth > NESTING_MAX {
            return self.say(place.clone(), format!("repetitions are nested deeper than {NESTING_MAX}"));
        }
        for (index, step) in steps.iter().enumerate() {
            let place = place.item(index, None);
            self.step(&place, step, locks);
            if let Some(within) = within(step) {
                self.steps(&place.key("steps"), within, locks, depth + 1);
            }
        }
    }

    fn step(&mut self, place: &Place, step: &Step, locks: &[&str]) {
        match step {
            Step::Acquire(step) => {
                // The names of reserved words are free for locks: nothing else is named where locks are.
                if let Some(why) = fault_of(&step.acquire).filter(|_| step.acquire != "lock") {
                    self.say(place.key("acquire"), why);
                }
            }
            Step::Release(step) => {
                if !locks.contains(&step.release.as_str()) {
                    let hint = hint(&step.release, locks.iter().copied());
                    self.hint(place.key("release"), format!("it acquires no lock `{}`", step.release), hint);
                }
            }
            Step::Raise(step) => {
                self.part(place.key("raise"), &step.raise, Part::Store);
                let mut stores = self.raw.store.iter();
                if stores.any(|store| store.name == step.raise && store.is_claimed_without_token()) {
                    return;
                }
                self.needs_lock(place.key("raise"), "raises a fence to the token of", locks);
            }
            Step::Read(step) => self.part(place.key("read"), &step.read, Part::Store),
            Step::Take(step) => {
                self.part(place.key("take"), &step.take, Part::Store);
                self.interval(place.key("every"), Some(step.every));
            }
            Step::Prepare(_) | Step::Until(_) => {}
            Step::Check(_) => {
                self.needs_lock(place.key("check"), "compares its clock with the stop time of", locks)
            }
            Step::Write(step) => {
                self.part(place.key("write"), &step.write, Part::Store);
                if step.effects > EFFECTS_MAX {
                    self.say(
                        place.key("effects"),
                        format!("{} are too many: at most {EFFECTS_MAX}", step.effects),
                    );
                }
            }
            Step::Finish(step) => self.part(place.key("finish"), &step.finish, Part::Store),
            Step::Put(step) => {
                let length = step.put.chars().count();
                if length == 0 || length > NAME_CHARS_MAX {
                    self.say(place.key("put"), format!("a key has 1 to {NAME_CHARS_MAX} characters"));
                }
                if !matches!(self.raw.lock, Lock::Etcd(_)) {
                    let kind = self.raw.lock.kind().name;
                    let hint = "leave this step out, or take `lock.kind = \"etcd\"`".to_owned();
                    let message = format!("plain keys are played for etcd and not for {kind}");
                    self.hint(place.key("put"), message, Some(hint));
                }
            }
            Step::Repeat(step) => self.times(place.key("repeat"), step.repeat),
            Step::Items(step) => {
                self.times(place.key("items"), step.items);
                let mut writes = false;
                visit(&step.steps, &mut |step| writes |= matches!(step, Step::Write(_)));
                if !writes {
                    self.say(
                        place.key("steps"),
                        "none of these steps writes an item, so that they would never end",
                    );
                }
            }
        }
    }

    fn times(&mut self, place: Place, times: u32) {
        if times == 0 || times > REPEAT_MAX {
            self.say(place, format!("{times} is out of range: from 1 to {REPEAT_MAX}"));
        }
    }

    fn needs_lock(&mut self, place: Place, what: &str, locks: &[&str]) {
        if locks.is_empty() {
            self.say(place, format!("this {what} a lock, and the program acquires none"));
        }
    }
}
