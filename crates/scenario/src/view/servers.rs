//! A lock server's state, in words.

use kernel::{Mono, ProcessId, SimTime, World};
use locks::chubby::{Chubby, Standing};
use locks::claim::Book;
use locks::consul::Consul;
use locks::felix::Cache;
use locks::hazelcast::Hazelcast;
use locks::postgres_advisory::{Pool, Postgres};
use locks::record::Records;
use locks::zookeeper::ZooKeeper;
use locks::{AnyReplica, AnyService, Reading, Server};

use super::{Lines, reading_text};
use crate::actors::Actor;
use crate::cast::Cast;
use document::text::{instant, length, token, whose};

pub(super) fn describe(
    server: &Server,
    world: &World<Actor>,
    process: ProcessId,
    cast: &Cast,
    lines: &mut Lines,
) {
    match server {
        Server::Etcd(server) => etcd(server, world, process, cast, lines),
        Server::Member(member) => {
            log(member.raft(), cast, lines);
            let line = *world.clock(world.host_of(process)).line();
            let until = |deadline| until_text(line.when_mono(deadline));
            match member.service() {
                AnyReplica::Consul(service) => consul(service, &until, cast, lines),
                AnyReplica::Hazelcast(service) => hazelcast(service, cast, lines),
                AnyReplica::Chubby(service) => chubby(service, &until, cast, lines),
                AnyReplica::Raft(service) => {
                    for (lock, taken) in service.taken() {
                        let holder = whose(cast.name(taken.holder));
                        lines.add("lock", format!("{lock} is {holder} in term {}", taken.term));
                    }
                }
                AnyReplica::Felix(broker) => felix(broker.cache(), cast, lines),
                AnyReplica::ZooKeeper(service) => zookeeper(service, &until, cast, lines),
            }
        }
        Server::Single(server) => match server.service() {
            AnyService::Redis(redis) => claims(redis.keys(), cast, lines),
            AnyService::RedisReplicated(redis) => {
                let role = if redis.is_primary() { "primary" } else { "replica" };
                lines.add("role", role.into());
                lines.add("changes", redis.offset().to_string());
                claims(redis.redis().keys(), cast, lines);
            }
            AnyService::PostgresAdvisory(postgres) => advisory(postgres, cast, lines),
            AnyService::PostgresRow(rows) => claims(rows.held(), cast, lines),
            AnyService::DynamodbItem(items) => claims(items.held(), cast, lines),
            AnyService::Records(kept) => records(kept, cast, lines),
            AnyService::Handover(copy) => {
                for (lock, flag) in copy.flags() {
                    let writer = flag.writer.map_or("nobody", |(_, writer)| cast.name(writer));
                    let verb = if flag.until.is_some() { "writes" } else { "is to write" };
                    lines.add("flag", format!("{lock}: {writer} {verb}, epoch {}", flag.epoch));
                }
            }
            AnyService::Lab(lab) => claims(lab.held(), cast, lines),
            AnyService::Felix(memory) => felix(memory.cache(), cast, lines),
        },
    }
}

fn claims(book: &Book, cast: &Cast, lines: &mut Lines) {
    for (lock, claim) in book.iter() {
        let with = token(claim.token.map(|token| token.0));
        let (holder, until) = (cast.name(claim.holder), reading_text(claim.deadline));
        lines.add("lock", format!("{lock} is {} with {with}, until {until}", whose(holder)));
    }
    if book.iter().next().is_none() {
        lines.add("locks", "all free".into());
    }
}

fn felix(cache: &Cache, cast: &Cast, lines: &mut Lines) {
    lines.add("tail", format!("offset {}", cache.tail()));
    for (lock, entry) in cache.iter() {
        let (of, until) = (whose(cast.name(entry.holder)), reading_text(Reading::Wall(entry.expiry)));
        lines.add("key", format!("{lock} is {of}, version {}, until {until}", entry.version));
    }
}

fn advisory(postgres: &Postgres, cast: &Cast, lines: &mut Lines) {
    let pooled = postgres.pool().is_some();
    for (lock, backend, holds, waiting) in postgres.locks() {
        let names: Vec<&str> = holds.iter().map(|hold| cast.name(hold.client)).collect();
        let on = if pooled { format!(" on connection {backend}") } else { String::new() };
        lines.add("lock", format!("{lock} is held{on} by {}", names.join(" and ")));
        if waiting > 0 {
            lines.add("in line", waiting.to_string());
        }
    }
    for (number, lent) in postgres.pool().into_iter().flat_map(Pool::connections) {
        lines.add("connection", format!("{number} is {}", if lent { "lent" } else { "free" }));
    }
    if postgres.locks().next().is_none() {
        lines.add("locks", "all free".into());
    }
}

fn records(kept: &Records, cast: &Cast, lines: &mut Lines) {
    for (lock, kept) in kept.iter() {
        let holder = kept.record.holder.map_or("nobody", |holder| cast.name(holder));
        let (version, duration) = (kept.version, length(kept.record.duration));
        lines.add("record", format!("{lock} is {} for {duration}, version {version}", whose(holder)));
        lines.add("changed hands", kept.transitions.to_string());
    }
    if kept.iter().next().is_none() {
        lines.add("records", "none".into());
    }
}

fn etcd(
    server: &locks::etcd::Server,
    world: &World<Actor>,
    process: ProcessId,
    cast: &Cast,
    lines: &mut Lines,
) {
    log(server.raft(), cast, lines);
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
        lines.add("lease", format!("{} {}", whose(holder), until_text(at)));
    }
}

/// What a member knows of its log.
fn log<A: raft::App>(raft: &raft::Raft<A>, cast: &Cast, lines: &mut Lines) {
    let role = match (raft.is_leader(), raft.leader()) {
        (true, _) => "leads".to_owned(),
        (false, Some(leader)) => format!("follows {}", cast.name(leader)),
        (false, None) => "knows no leader".to_owned(),
    };
    lines.add("role", role);
    lines.add("term", raft.term().to_string());
    lines.add("log", format!("{} entries committed", raft.commit_index()));
}

fn until_text(at: SimTime) -> String {
    if at == SimTime::NEVER { "stands still".into() } else { format!("until {}", instant(at)) }
}

fn consul(consul: &Consul, until: &dyn Fn(Mono) -> String, cast: &Cast, lines: &mut Lines) {
    let whose_session =
        |session| whose(consul.client_of(session).map_or("nobody", |client| cast.name(client)));
    for (key, entry) in consul.keys() {
        let of = entry.session.map_or_else(|| "nobody's".to_owned(), whose_session);
        let (lock, modify) = (entry.lock_index, entry.modify_index);
        lines.add("key", format!("{key} is {of}, LockIndex {lock}, ModifyIndex {modify}"));
    }
    for (session, deadline) in consul.timers() {
        lines.add("session", format!("{} {}", whose_session(session), until(deadline)));
    }
    for (key, deadline) in consul.delays() {
        lines.add("lock-delay", format!("on {key} {}", until(deadline)));
    }
}

fn chubby(cell: &Chubby, until: &dyn Fn(Mono) -> String, cast: &Cast, lines: &mut Lines) {
    let whose_session = |session| whose(cell.client_of(session).map_or("nobody", |client| cast.name(client)));
    for (key, lock) in cell.locks() {
        let of = lock.holder.map_or_else(|| "nobody's".to_owned(), |holder| whose_session(holder.session));
        let delayed = if lock.delayed.is_some() { ", delayed" } else { "" };
        lines.add("lock", format!("{key} is {of}, generation {}{delayed}", lock.generation));
    }
    for (session, lease) in cell.leases() {
        let stands = match lease.standing {
            Standing::Runs => until(lease.until),
            Standing::Extending => "is being extended".to_owned(),
            Standing::Ends => "is over".to_owned(),
        };
        lines.add("session", format!("{} {stands}", whose_session(session)));
    }
    for (key, deadline) in cell.delays() {
        lines.add("lock-delay", format!("on {key} {}", until(deadline)));
    }
    if cell.unheard() > 0 {
        lines.add("sessions not heard of yet", cell.unheard().to_string());
    }
}

fn hazelcast(group: &Hazelcast, cast: &Cast, lines: &mut Lines) {
    let whose_session =
        |session| whose(group.client_of(session).map_or("nobody", |client| cast.name(client)));
    for (key, lock) in group.locks() {
        if let Some((owner, _)) = lock.owner {
            lines.add("lock", format!("{key} is {}, fence {}", whose_session(owner.session), owner.index));
        }
        for wait in &lock.waiting {
            lines.add("waits", format!("{}, request {}", whose_session(wait.session), wait.index));
        }
    }
    for (number, session) in group.sessions() {
        let until = reading_text(locks::Reading::Wall(session.expires));
        lines.add("session", format!("{} version {}, {until}", whose_session(number), session.version));
    }
}

fn zookeeper(zookeeper: &ZooKeeper, until: &dyn Fn(Mono) -> String, cast: &Cast, lines: &mut Lines) {
    let whose_session =
        |session| whose(zookeeper.client_of(session).map_or("nobody", |client| cast.name(client)));
    lines.add("last zxid", format!("{:#x}", zookeeper.last_zxid()));
    for (lock, nodes) in zookeeper.locks() {
        for (number, node) in nodes {
            let of = whose_session(node.session);
            lines.add("node", format!("{lock}/{number:010} is {of}, czxid {:#x}", node.czxid));
        }
    }
    for (session, deadline) in zookeeper.buckets() {
        lines.add("session", format!("{} {}", whose_session(session), until(deadline)));
    }
}
