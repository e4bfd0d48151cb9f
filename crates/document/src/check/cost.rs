//! About how much a play will take, so that one that would never end is refused before it begins.

use kernel::Span;

use super::super::duration::Dur;
use super::super::limits::{EVENTS_MAX, PUTS_PER_TRANSACTION};
use super::super::model::{Fault, Lock, Step, Store, StoreKind, Wait, Worker, Write, visit};
use super::super::place::Place;
use super::Check;
use super::lock::{EXPIRY_CHECK, HEARTBEAT};
use crate::text::count;

/// Steps of the simulation that one round trip takes, roughly: a timer, two messages, two answers.
const ROUND_TRIP: u64 = 5;
/// Defaults of clients and of the network, as the model gives them.
const TIMEOUT: Dur = Dur(Span::from_secs(1));
const RETRY: Dur = Dur(Span::from_millis(500));
const DELAY: Dur = Dur(Span::from_millis(1));

impl Check<'_> {
    pub(super) fn cost(&mut self) {
        let mut costs = self.costs();
        let total = costs.iter().fold(0_u64, |sum, (_, cost)| sum.saturating_add(*cost));
        if total <= EVENTS_MAX {
            return;
        }
        kernel::order::by_key(&mut costs, |(_, cost)| std::cmp::Reverse(*cost));
        if let Some((place, cost)) = costs.into_iter().next() {
            let message = format!(
                "the play would take about {} steps, of at most {}, and this makes most of them ({})",
                count(total),
                count(EVENTS_MAX),
                count(cost)
            );
            let horizon = self.raw.horizon;
            let hint = format!("do it less often, or play less than {horizon} (`horizon`)");
            self.hint(place, message, Some(hint));
        }
    }

    fn costs(&self) -> Vec<(Place, u64)> {
        let clock = self.longest_clock();
        let lock = Place::root().key("lock");
        let nodes = self.resolved.lock.nodes().len() as u64;
        let mut costs = Vec::new();
        let heartbeat = match &self.resolved.lock {
            Lock::Etcd(etcd) => Some(etcd.heartbeat.unwrap_or(HEARTBEAT)),
            Lock::Zookeeper(zookeeper) => Some(zookeeper.heartbeat),
            Lock::Consul(consul) => Some(consul.heartbeat),
            Lock::Hazelcast(group) => Some(group.heartbeat),
            Lock::Chubby(cell) => Some(cell.heartbeat),
            Lock::Raft(raft) => Some(raft.heartbeat),
            Lock::Felix(felix) => Some(felix.heartbeat),
            Lock::Redis(_)
            | Lock::RedisReplicated(_)
            | Lock::Redlock(_)
            | Lock::PostgresAdvisory(_)
            | Lock::PostgresRow(_)
            | Lock::DynamodbItem(_)
            | Lock::DynamodbLockClient(_)
            | Lock::Kubernetes(_)
            | Lock::Handover(_)
            | Lock::Lab(_)
            | Lock::None(_) => None,
        };
        if let Some(heartbeat) = heartbeat {
            let heartbeats = times(clock, heartbeat);
            costs.push((lock.key("heartbeat"), heartbeats.saturating_mul(nodes * ROUND_TRIP)));
        }
        if let Lock::Zookeeper(zookeeper) = &self.resolved.lock {
            costs.push((lock.key("tick"), times(clock, zookeeper.tick).saturating_mul(nodes * 4)));
        }
        if let Lock::Etcd(etcd) = &self.resolved.lock {
            let expiry_check = Some(etcd.expiry_check.unwrap_or(EXPIRY_CHECK));
            if let Some(every) = expiry_check.filter(|every| every.0 > Span::ZERO) {
                costs.push((lock.key("expiry_check"), times(clock, every)));
            }
            if let Some(checkpoint) = &etcd.checkpoint {
                let cost = times(clock, checkpoint.every).saturating_mul(nodes * ROUND_TRIP);
                costs.push((lock.key("checkpoint").key("every"), cost));
            }
        }
        for (index, sweeper) in self.resolved.sweeper.iter().enumerate() {
            let place = Place::root().key("sweeper").item(index, Some(&sweeper.name));
            costs.push((
                place.key("every"),
                times(clock, sweeper.every)
                    .saturating_mul(3 * ROUND_TRIP * sweeper.store.iter().count() as u64),
            ));
        }
        for (index, worker) in self.resolved.worker.iter().enumerate() {
            let place = Place::root().key("worker").item(index, Some(&worker.name));
            self.worker_costs(&place, worker, nodes, &mut costs);
        }
        costs
    }

    fn worker_costs(&self, place: &Place, worker: &Worker, nodes: u64, costs: &mut Vec<(Place, u64)>) {
        let clock = self.longest_clock();
        let mut add = |place: Place, every: Dur, each: u64| {
            costs.push((place, times(clock, every).saturating_mul(each)));
        };
        let renew = worker.renew.clone().unwrap_or_default();
        if let Some(every) = renew.every {
            add(place.key("renew").key("every"), every, ROUND_TRIP);
        }
        // At worst, nothing that it asks of the service is ever answered.
        let round = renew.timeout.unwrap_or(TIMEOUT).0 + renew.retry.unwrap_or(RETRY).0;
        add(place.key("renew").key("retry"), Dur(round), 2 * nodes);
        add(place.key("store_timeout"), worker.store_timeout.unwrap_or(TIMEOUT), 2);
        if let Wait::Poll(every) = self.resolved.wait(worker) {
            // A try is a round of the log.
            add(place.key("wait").key("poll"), every, nodes * 2 * ROUND_TRIP);
        }
        let program = worker.program.as_deref().unwrap_or_default();
        let mut takes: Option<Dur> = None;
        visit(program, &mut |step| {
            if let Step::Take(step) = step {
                takes = Some(takes.map_or(step.every, |least| least.min(step.every)));
            }
        });
        // It looks at one row at a time, however many of these steps there are.
        if let Some(every) = takes {
            add(place.key("program"), every, ROUND_TRIP);
        }
        let pace = Pace { clock, round_trip: self.shortest_round_trip(), stores: &self.resolved.store };
        costs.push((place.key("program"), pace.steps(program).0));
    }

    /// How much time goes by on the fastest clock.
    fn longest_clock(&self) -> Span {
        let horizon = self.resolved.horizon.0;
        let faster = |ppm: i32, span: Span| {
            let more = u128::from(span.as_micros()) * u128::from(ppm.max(0).unsigned_abs()) / 1_000_000;
            Span::from_micros(u64::try_from(more).unwrap_or(u64::MAX))
        };
        let drift = self.resolved.host.iter().map(|host| host.drift_ppm).max().unwrap_or(0);
        self.resolved.fault.iter().filter(|fault| fault.enabled()).fold(
            horizon + faster(drift, horizon),
            |clock, fault| {
                let Fault::ClockRate(rate) = fault else { return clock };
                clock + faster(rate.ppm, rate.span.map_or(horizon, |span| span.0.min(horizon)))
            },
        )
    }

    /// What a request and its answer take at least; nothing when somebody asks a process on its own host.
    fn shortest_round_trip(&self) -> Span {
        let people = &self.people.0;
        let is_shared = people
            .iter()
            .enumerate()
            .any(|(index, person)| people.iter().take(index).any(|other| other.host() == person.host()));
        if is_shared {
            return Span::ZERO;
        }
        let network = &self.resolved.network;
        let links = network.link.iter().filter_map(|link| link.delay);
        let delay = links.chain([network.delay.unwrap_or(DELAY)]).min().unwrap_or_default();
        delay.0.times(2)
    }
}

/// How fast a program can go.
struct Pace<'a> {
    clock: Span,
    round_trip: Span,
    stores: &'a [Store],
}

impl Pace<'_> {
    /// What steps cost, and how long they take at least.
    fn steps(&self, steps: &[Step]) -> (u64, Span) {
        steps.iter().fold((0, Span::ZERO), |(cost, span), step| {
            let (more, longer) = self.step(step);
            (cost.saturating_add(more), span + longer)
        })
    }

    fn step(&self, step: &Step) -> (u64, Span) {
        match step {
            Step::Prepare(step) => (1, step.prepare.0),
            Step::Until(_) | Step::Check(_) => (1, Span::ZERO),
            Step::Raise(step) => (self.each(&step.raise), self.round_trip),
            Step::Read(step) => (self.each(&step.read), self.round_trip),
            Step::Finish(step) => (self.each(&step.finish), self.round_trip),
            Step::Take(step) => (self.each(&step.take), self.round_trip),
            Step::Write(step) => self.times(self.requests(step), (self.each(&step.write), self.round_trip)),
            Step::Acquire(_) | Step::Release(_) | Step::Put(_) => (4 * ROUND_TRIP, self.round_trip),
            Step::Repeat(step) => self.rounds(step.repeat, &step.steps),
            Step::Items(step) => self.rounds(step.items, &step.steps),
        }
    }

    /// A loop goes round as often as it says, or as often as there is time.
    fn rounds(&self, rounds: u32, steps: &[Step]) -> (u64, Span) {
        self.times(rounds, self.steps(steps))
    }

    /// What a request costs: of a journal all nodes are asked, up to four times.
    fn each(&self, store: &str) -> u64 {
        let journal = self.stores.iter().find(|of| of.name == store && of.kind == StoreKind::Journal);
        ROUND_TRIP * journal.map_or(1, |journal| 4 * (journal.journal_nodes().len() as u64 + 1))
    }

    /// How many requests a write takes.
    fn requests(&self, step: &Write) -> u32 {
        let is_split =
            self.stores.iter().any(|store| store.name == step.write && store.kind == StoreKind::Dynamodb);
        if is_split { step.effects.div_ceil(PUTS_PER_TRANSACTION).max(1) } else { 1 }
    }

    fn times(&self, rounds: u32, (cost, span): (u64, Span)) -> (u64, Span) {
        let rounds = u64::from(rounds);
        let possible = if span == Span::ZERO { rounds } else { rounds.min(times(self.clock, Dur(span))) };
        (cost.saturating_mul(possible), span.times(rounds))
    }
}

/// How often something happens, and once more.
fn times(clock: Span, every: Dur) -> u64 {
    clock.as_micros() / every.as_micros().max(1) + 1
}
