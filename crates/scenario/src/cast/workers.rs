//! Workers with their programs, and sweepers.

use std::rc::Rc;

use kernel::{ProcessId, Span};
use locks::{Policy, Question};

use super::service::Service;
use super::{Cast, Member, named};
use crate::actors::{
    Actor, Op, Sidecar, SidecarConfig, Sweeper, SweeperConfig, Then, Unanswered, Worker, WorkerConfig,
};
use document::model::{self, Scenario, Step};

fn policy(scenario: &Scenario, worker: &model::Worker, ttl: Span) -> Policy {
    let renew = worker.renew.clone().unwrap_or_default();
    let usual = scenario.lock.usual();
    Policy {
        ttl,
        margin: worker.margin.map_or_else(|| usual.margin, |margin| margin.0),
        renew_every: renew.every.map_or_else(|| usual.renew_every, |every| every.0),
        timeout: renew.timeout.map_or(Span::from_secs(1), |timeout| timeout.0),
        retry: renew.retry.map_or_else(|| usual.retry, |retry| retry.0),
        anchor: match renew.anchor {
            Some(model::Anchor::Received) => locks::Anchor::Received,
            Some(model::Anchor::Sent) | None => locks::Anchor::Sent,
        },
        clock: match renew.clock {
            Some(model::HolderClock::Wall) => locks::HolderClock::Wall,
            Some(model::HolderClock::Monotonic) | None => locks::HolderClock::Monotonic,
        },
        give_up: match renew.give_up {
            Some(model::GiveUp::Deadline) => locks::GiveUp::Deadline,
            Some(model::GiveUp::FirstError) => locks::GiveUp::FirstError,
            Some(model::GiveUp::Never) => locks::GiveUp::Never,
            Some(model::GiveUp::StopTime) | None => locks::GiveUp::StopTime,
        },
        wait: match scenario.wait(worker) {
            model::Wait::Poll(every) => locks::Wait::Poll(every.0),
            model::Wait::Watch => locks::Wait::Watch,
            model::Wait::Queue => locks::Wait::Queue,
        },
    }
}

fn then(word: Option<model::Then>) -> Then {
    match word {
        Some(model::Then::Restart) => Then::Restart,
        Some(model::Then::Ignore) => Then::Ignore,
        Some(model::Then::Stop) | None => Then::Stop,
    }
}

pub(super) fn worker(scenario: &Scenario, cast: &Cast, member: &Member, service: &Service<'_>) -> Actor {
    let worker = named(&scenario.worker, |worker| &worker.name, &member.name);
    let program = worker.program.as_deref().unwrap_or_default();
    let mut locks: Vec<String> = worker.locks().into_iter().map(String::from).collect();
    let mut compiler = Compiler { cast, locks: &mut locks, ops: Vec::new(), counters: 0 };
    compiler.steps(program);
    let ops = compiler.ops;
    let sidecar = cast.sidecar_of(member.process);
    let clients = clients(scenario, worker, sidecar.unwrap_or(member.process), &locks, service);
    let protected_by = cast
        .protects
        .iter()
        .filter_map(|(store, lock)| Some((*store, locks.iter().position(|name| **name == **lock)?)))
        .collect();
    Actor::Worker(Worker::new(Rc::new(WorkerConfig {
        start: worker.start.map_or(Span::ZERO, |start| start.0),
        attach_token: worker.attach_token.unwrap_or(true),
        store_timeout: worker.store_timeout.map_or(Span::from_secs(1), |timeout| timeout.0),
        when_unanswered: match worker.when_unanswered {
            Some(model::Unanswered::Look) => Unanswered::Look,
            Some(model::Unanswered::Resend) | None => Unanswered::Resend,
        },
        when_refused: then(worker.when_refused),
        when_lost: then(worker.when_lost),
        clients,
        sidecar,
        protected_by,
        stores: cast.stores.clone(),
        journals: cast.journals.clone(),
        program: ops.into(),
    })))
}

/// Clients for these locks of a worker's, in a process.
fn clients(
    scenario: &Scenario,
    worker: &model::Worker,
    process: ProcessId,
    locks: &[String],
    service: &Service<'_>,
) -> Vec<Rc<locks::ClientConfig>> {
    let policy = policy(scenario, worker, service.ttl());
    locks.iter().map(|lock| service.client(process, lock.as_str().into(), policy)).collect()
}

pub(super) fn sidecar(scenario: &Scenario, cast: &Cast, me: ProcessId, service: &Service<'_>) -> Actor {
    let process = cast.holds_for(me);
    let worker = named(&scenario.worker, |worker| &worker.name, cast.name(process));
    let locks: Vec<String> = worker.locks().into_iter().map(String::from).collect();
    let clients = clients(scenario, worker, me, &locks, service);
    Actor::Sidecar(Sidecar::new(Rc::new(SidecarConfig { worker: process, clients })))
}

/// Lays a program's steps in a row.
struct Compiler<'a> {
    cast: &'a Cast,
    locks: &'a mut Vec<String>,
    ops: Vec<Op>,
    counters: usize,
}

impl Compiler<'_> {
    fn place(&self, lock: &str) -> usize {
        self.locks.iter().position(|name| name == lock).expect("a checked document releases what it acquires")
    }

    /// A client to write plain keys with: any will do, and a worker without locks gets one.
    fn any_place(&mut self) -> usize {
        if self.locks.is_empty() {
            self.locks.push(String::from("none"));
        }
        0
    }

    fn store(&self, name: &str) -> ProcessId {
        self.cast.process(name).expect("a checked document names stores that there are")
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &Step) {
        let op = match step {
            Step::Acquire(step) => Op::Acquire(self.place(&step.acquire)),
            Step::Release(step) => Op::Release(self.place(&step.release)),
            Step::Raise(step) => Op::Raise(self.store(&step.raise)),
            Step::Read(step) => Op::Read(self.store(&step.read)),
            Step::Take(step) => Op::Take(self.store(&step.take), step.every.0),
            Step::Prepare(step) => Op::Prepare(step.prepare.0),
            Step::Until(step) => Op::Until(step.until.0),
            Step::Check(_) => Op::Check,
            Step::Write(step) => Op::Write(self.store(&step.write), step.effects),
            Step::Finish(step) => Op::Finish(self.store(&step.finish)),
            Step::Put(step) => Op::Put(self.any_place(), step.put.as_str().into()),
            Step::Repeat(step) => return self.repeat(step),
            Step::Items(step) => return self.items(step),
        };
        self.ops.push(op);
    }

    fn repeat(&mut self, step: &model::Repeat) {
        if step.repeat == 0 {
            return;
        }
        let counter = self.counters;
        self.counters += 1;
        self.ops.push(Op::Enter { counter });
        let to = self.ops.len();
        self.steps(&step.steps);
        self.ops.push(Op::Again { counter, times: step.repeat, to });
    }

    fn items(&mut self, step: &model::Items) {
        let begin = self.ops.len();
        self.ops.push(Op::WhileItems { items: step.items, exit: 0 });
        self.steps(&step.steps);
        self.ops.push(Op::Jump(begin));
        self.ops[begin] = Op::WhileItems { items: step.items, exit: self.ops.len() };
    }
}

/// How somebody asks about this lock who does not want it.
pub(super) fn question(scenario: &Scenario, lock: &str, service: &Service<'_>) -> Question {
    let queues = scenario
        .worker
        .iter()
        .any(|worker| scenario.stands_in_line(worker) && worker.locks().contains(&lock));
    service.question(&lock.into(), queues)
}

pub(super) fn sweeper(scenario: &Scenario, cast: &Cast, member: &Member, service: &Service<'_>) -> Actor {
    let sweeper = named(&scenario.sweeper, |sweeper| &sweeper.name, &member.name);
    let stores = sweeper.store.iter().map(|store| {
        let store = cast.process(store).expect("a checked document names stores that there are");
        let lock = sweeper.lock.as_deref().or_else(|| cast.lock_of(store).map(|lock| &**lock));
        (store, question(scenario, lock.unwrap_or_default(), service))
    });
    Actor::Sweeper(Sweeper::new(Rc::new(SweeperConfig {
        members: service.members(),
        stores: stores.collect(),
        every: sweeper.every.0,
        again_after: sweeper.again_after.0,
        grace: sweeper.grace.0,
        requeues_max: sweeper.requeues_max,
        brake: sweeper.brake.map(|share| share.0),
    })))
}
