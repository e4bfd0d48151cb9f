//! A process's real state at an instant, in words: read from the replayed world, not from a summary.

mod servers;

use kernel::{Health, Mono, Now, ProcessId, World};
use locks::Reading;

use crate::actors::Actor;
use crate::cast::{Cast, Member};
use document::text::{reading, token, whose};

/// A process's state.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessView {
    /// Which process.
    pub process: ProcessId,
    /// Whether it runs.
    pub health: Health,
    /// What its host's monotonic clock reads.
    pub mono: Mono,
    /// What its host's wall clock reads, in microseconds.
    pub wall_micros: i64,
    /// What it knows and does: names and values.
    pub lines: Vec<(String, String)>,
}

pub(crate) fn process_view(world: &World<Actor>, member: &Member, cast: &Cast) -> ProcessView {
    let process = member.process;
    let Now { mono, wall } = world.readings(process);
    let health = world.health(process);
    let mut lines = Lines(Vec::new());
    let waiting = world.inputs_waiting(process);
    if waiting > 0 {
        lines.add("inputs that wait", waiting.to_string());
    }
    match (health, world.machine(process)) {
        (Health::Down, Actor::Lock(..) | Actor::Store(..) | Actor::Journal(_)) => {
            lines.add("kept", "what its disk has".into())
        }
        (Health::Down, Actor::Worker(_) | Actor::Sweeper(_) | Actor::Sidecar(_) | Actor::Bystander(_)) => {
            lines.add("kept", "nothing".into());
        }
        (Health::Runs | Health::Stopped, actor) => describe(actor, world, process, cast, &mut lines),
    }
    ProcessView { process, health, mono, wall_micros: wall.as_micros(), lines: lines.0 }
}

pub(super) struct Lines(Vec<(String, String)>);

impl Lines {
    pub(super) fn add(&mut self, name: &str, value: String) {
        self.0.push((name.into(), value));
    }
}

fn describe(actor: &Actor, world: &World<Actor>, process: ProcessId, cast: &Cast, lines: &mut Lines) {
    match actor {
        Actor::Lock(server, _) => servers::describe(server, world, process, cast, lines),
        Actor::Worker(worker) => {
            lines.add("does", worker.doing());
            for client in worker.clients() {
                if client.holds().is_some() && !client.is_in_jeopardy() {
                    let token = token(client.token().map(|token| token.0));
                    lines.add("believes", format!("holds {} with {token}", client.lock()));
                } else {
                    lines.add("lock client", client.doing().into());
                }
                if let Some(stop) = client.stop() {
                    lines.add("stops itself at", reading_text(stop));
                }
            }
            lines.add("next item", (worker.item() + 1).to_string());
        }
        Actor::Store(store, doorman) => {
            let row = store.row();
            lines.add("row", format!("{:?}", row.state).to_uppercase());
            if let Some(fence) = row.fence {
                lines.add("fence", fence.to_string());
            }
            if let Some(owner) = row.owner {
                lines.add("owner", format!("token {owner}"));
            }
            if let Some(transaction) = store.transaction() {
                let (of, waiting) = (whose(cast.name(transaction.owner)), transaction.waiting);
                lines.add("row lock", format!("{of}, {} statements, {waiting} wait", transaction.statements));
            }
            for (name, value) in store.shows() {
                lines.add(&name, value);
            }
            if let Some(doorman) = doorman {
                lines.add("asks the lock service about", doorman.waiting().to_string());
            }
            lines.add("items done", row.done.to_string());
            lines.add("in the index", if row.indexed { "yes" } else { "no" }.into());
        }
        Actor::Journal(node) => {
            let kept = node.kept();
            lines.add("epoch promised", kept.promised.to_string());
            lines.add("last entry", format!("{} under epoch {}", kept.tail.txid, kept.tail.written));
            if kept.tail.epoch < kept.promised {
                lines.add("out of sync", "until the next recovery".into());
            }
            lines.add("items done", kept.tail.row.done.to_string());
        }
        Actor::Sweeper(sweeper) => {
            for owner in sweeper.seen() {
                lines.add("remembers", format!("an orphan, claimed {owner}"));
            }
            if sweeper.seen().next().is_none() {
                lines.add("remembers", "no orphan".into());
            }
        }
        Actor::Sidecar(sidecar) => {
            for client in sidecar.clients() {
                lines.add("lock client", format!("{}: {}", client.lock(), client.doing()));
            }
        }
        Actor::Bystander(bystander) => lines.add("writes so far", bystander.begun().to_string()),
    }
}

fn reading_text(stop: Reading) -> String {
    match stop {
        Reading::Mono(mono) => {
            format!("{} on its monotonic clock", reading(mono.as_micros() as i64))
        }
        Reading::Wall(wall) => format!("{} on its wall clock", reading(wall.as_micros())),
    }
}
