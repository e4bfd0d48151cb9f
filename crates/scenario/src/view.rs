//! A process's real state at an instant, in words: read from the replayed world, not from a summary.

use kernel::{Health, Mono, Now, ProcessId, SimTime, World};
use locks::Reading;

use crate::cast::{Cast, Member};
use crate::story::Actor;
use document::text::{instant, reading, whose};

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
        (Health::Down, Actor::Lock(..) | Actor::Store(_)) => lines.add("kept", "what its disk has".into()),
        (Health::Down, Actor::Worker(_) | Actor::Sweeper(_) | Actor::Bystander(_)) => {
            lines.add("kept", "nothing".into());
        }
        (Health::Runs | Health::Stopped, actor) => describe(actor, world, process, cast, &mut lines),
    }
    ProcessView { process, health, mono, wall_micros: wall.as_micros(), lines: lines.0 }
}

struct Lines(Vec<(String, String)>);

impl Lines {
    fn add(&mut self, name: &str, value: String) {
        self.0.push((name.into(), value));
    }
}

fn describe(actor: &Actor, world: &World<Actor>, process: ProcessId, cast: &Cast, lines: &mut Lines) {
    match actor {
        Actor::Lock(locks::Server::Etcd(server), _) => describe_etcd(server, world, process, cast, lines),
        Actor::Worker(worker) => {
            lines.add("does", worker.doing());
            for client in worker.clients() {
                match (client.token(), client.stop()) {
                    (Some(token), Some(stop)) => {
                        lines.add("believes", format!("holds {} with token {token}", client.lock()));
                        lines.add("stops itself at", reading_text(stop));
                    }
                    (_, None) | (None, _) => lines.add("lock client", client.doing().into()),
                }
            }
            lines.add("next item", (worker.item() + 1).to_string());
        }
        Actor::Store(store) => {
            let row = store.row();
            lines.add("row", format!("{:?}", row.state).to_uppercase());
            if let Some(fence) = row.fence {
                lines.add("fence", fence.to_string());
            }
            if let Some(owner) = row.owner {
                lines.add("owner", format!("token {owner}"));
            }
            for (name, value) in store.shows() {
                lines.add(&name, value);
            }
            lines.add("items done", row.done.to_string());
            lines.add("in the index", if row.indexed { "yes" } else { "no" }.into());
        }
        Actor::Sweeper(sweeper) => match sweeper.seen() {
            Some(owner) => lines.add("remembers", format!("an orphan of token {owner}")),
            None => lines.add("remembers", "no orphan".into()),
        },
        Actor::Bystander(bystander) => lines.add("writes so far", bystander.begun().to_string()),
    }
}

fn describe_etcd(
    server: &locks::etcd::Server,
    world: &World<Actor>,
    process: ProcessId,
    cast: &Cast,
    lines: &mut Lines,
) {
    let raft = server.raft();
    let role = match (raft.is_leader(), raft.leader()) {
        (true, _) => "leads".to_owned(),
        (false, Some(leader)) => format!("follows {}", cast.name(leader)),
        (false, None) => "knows no leader".to_owned(),
    };
    lines.add("role", role);
    lines.add("term", raft.term().to_string());
    lines.add("log", format!("{} entries committed", raft.commit_index()));
    lines.add("revision", server.state().revision.to_string());
    for (key, value) in &server.state().keys {
        let holder = value.lease.map(|_| cast.name(ProcessId(value.value as u16)));
        let of = holder.map_or(String::new(), |holder| format!(" of {holder}"));
        lines.add("key", format!("{key}{of}, created at {}", value.create_revision));
    }
    let line = *world.clock(world.host_of(process)).line();
    for (lease, deadline) in server.deadlines() {
        let at = line.when_mono(deadline);
        let holder = cast.name(ProcessId((lease.0 >> 48) as u16));
        let left =
            if at == SimTime::NEVER { "stands still".into() } else { format!("until {}", instant(at)) };
        lines.add("lease", format!("{} {left}", whose(holder)));
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
