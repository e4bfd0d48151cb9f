//! About how much a play will take, so that one that would never end is refused before it begins.

use kernel::Span;

use super::super::limits::EVENTS_MAX;
use super::super::model::{Lock, Step, Wait};
use super::super::place::Place;
use super::Check;
use super::lock::{EXPIRY_CHECK, HEARTBEAT};
use crate::text::count;

/// Steps of the simulation that one round trip takes, roughly: a timer, two messages, two answers.
const ROUND_TRIP: u64 = 5;

impl Check<'_> {
    pub(super) fn cost(&mut self) {
        let mut costs = self.costs();
        let total = costs.iter().fold(0_u64, |sum, (_, cost)| sum.saturating_add(*cost));
        if total <= EVENTS_MAX {
            return;
        }
        costs.sort_by_key(|(_, cost)| std::cmp::Reverse(*cost));
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
        let scenario = self.resolved;
        let horizon = scenario.horizon.0;
        let Lock::Etcd(etcd) = &scenario.lock;
        let lock = Place::root().key("lock");
        let nodes = etcd.nodes.len() as u64;
        let mut costs = Vec::new();
        let heartbeats = times(horizon, etcd.heartbeat.unwrap_or(HEARTBEAT).0);
        costs.push((lock.key("heartbeat"), heartbeats.saturating_mul(nodes * ROUND_TRIP)));
        if let Some(every) =
            Some(etcd.expiry_check.unwrap_or(EXPIRY_CHECK)).filter(|every| every.0 > Span::ZERO)
        {
            costs.push((lock.key("expiry_check"), times(horizon, every.0)));
        }
        if let Some(checkpoint) = &etcd.checkpoint {
            let cost = times(horizon, checkpoint.every.0).saturating_mul(nodes * ROUND_TRIP);
            costs.push((lock.key("checkpoint").key("every"), cost));
        }
        for (index, sweeper) in scenario.sweeper.iter().enumerate() {
            let place = Place::root().key("sweeper").item(index, Some(&sweeper.name));
            costs.push((place.key("every"), times(horizon, sweeper.every.0).saturating_mul(3 * ROUND_TRIP)));
        }
        for (index, worker) in scenario.worker.iter().enumerate() {
            let place = Place::root().key("worker").item(index, Some(&worker.name));
            if let Some(every) = worker.renew.as_ref().and_then(|renew| renew.every) {
                costs.push((
                    place.key("renew").key("every"),
                    times(horizon, every.0).saturating_mul(ROUND_TRIP),
                ));
            }
            if let Some(Wait::Poll(every)) = worker.wait {
                // A try is a round of the log.
                let cost = times(horizon, every.0).saturating_mul(nodes * 2 * ROUND_TRIP);
                costs.push((place.key("wait").key("poll"), cost));
            }
            let program = worker.program.as_deref().unwrap_or_default();
            costs.push((place.key("program"), self.steps_cost(program).0));
        }
        costs
    }

    /// What steps cost, and how long they take at least.
    fn steps_cost(&self, steps: &[Step]) -> (u64, Span) {
        steps.iter().fold((0, Span::ZERO), |(cost, span), step| {
            let (more, longer) = self.step_cost(step);
            (cost.saturating_add(more), span + longer)
        })
    }

    fn step_cost(&self, step: &Step) -> (u64, Span) {
        let horizon = self.resolved.horizon.0;
        match step {
            Step::Prepare(step) => (1, step.prepare.0),
            Step::Until(_) | Step::Check(_) => (1, Span::ZERO),
            Step::Take(step) => (times(horizon, step.every.0).saturating_mul(ROUND_TRIP), Span::ZERO),
            Step::Raise(_) | Step::Read(_) | Step::Write(_) | Step::Finish(_) => (ROUND_TRIP, Span::ZERO),
            Step::Acquire(_) | Step::Release(_) | Step::Put(_) => (4 * ROUND_TRIP, Span::ZERO),
            Step::Repeat(step) => self.loop_cost(step.repeat, &step.steps),
            Step::Items(step) => self.loop_cost(step.items, &step.steps),
        }
    }

    /// A loop goes round as often as it says, or as often as there is time.
    fn loop_cost(&self, rounds: u32, steps: &[Step]) -> (u64, Span) {
        let (cost, span) = self.steps_cost(steps);
        let rounds = u64::from(rounds);
        let possible =
            if span == Span::ZERO { rounds } else { rounds.min(times(self.resolved.horizon.0, span)) };
        (cost.saturating_mul(possible), span.times(rounds))
    }
}

/// How often something happens, and once more.
fn times(horizon: Span, every: Span) -> u64 {
    horizon.as_micros() / every.as_micros().max(1) + 1
}
