//! Workers that are like others, and what else is filled in.

use super::model::{Renew, Scenario, StoreKind, Worker};
use super::nearest::hint;
use super::place::{Finding, Place};

/// Fills in each worker what it has from the one it is like, and the names of a journal's nodes.
pub(crate) fn resolve(mut scenario: Scenario) -> Result<Scenario, Vec<Finding>> {
    let outcomes: Vec<Result<Worker, Finding>> =
        (0..scenario.worker.len()).map(|index| resolved(&scenario.worker, index)).collect();
    let mut findings = Vec::new();
    let mut workers = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(worker) => workers.push(worker),
            Err(finding) => findings.push(finding),
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    scenario.worker = workers;
    for store in scenario.store.iter_mut().filter(|store| store.kind == StoreKind::Journal) {
        let usual = ['b', 'c'].map(|letter| format!("{}-{letter}", store.name));
        store.nodes.get_or_insert_with(|| usual.to_vec());
    }
    Ok(scenario)
}

fn resolved(workers: &[Worker], index: usize) -> Result<Worker, Finding> {
    let mut worker = workers[index].clone();
    let place = Place::root().key("worker").item(index, Some(&worker.name)).key("like");
    let mut seen = vec![worker.name.clone()];
    let mut next = worker.like.clone();
    while let Some(name) = next.take() {
        let Some(model) = workers.iter().find(|other| other.name == name) else {
            let names = workers
                .iter()
                .map(|other| other.name.as_str())
                .filter(|other| !seen.iter().any(|s| s == other));
            return Err(place.finding(format!("there is no worker `{name}`")).hint(hint(&name, names)));
        };
        if seen.contains(&name) {
            let way = seen.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" is like ");
            return Err(place.finding(format!("in the end it is like itself: {way} is like `{name}`")));
        }
        fill(&mut worker, model);
        next = model.like.clone();
        seen.push(name);
    }
    Ok(worker)
}

/// Takes from `model` what `worker` does not say. Its name, its host, its sidecar and whom it is like are its own.
fn fill(worker: &mut Worker, model: &Worker) {
    let Worker { name: _, like: _, host: _, sidecar: _, start, margin, renew, wait, .. } = model;
    let Worker { attach_token, store_timeout, when_unanswered, when_refused, when_lost, program, .. } = model;
    worker.start = worker.start.or(*start);
    worker.margin = worker.margin.or(*margin);
    worker.renew = renewed(worker.renew.take(), renew.clone());
    worker.wait = worker.wait.or(*wait);
    worker.attach_token = worker.attach_token.or(*attach_token);
    worker.store_timeout = worker.store_timeout.or(*store_timeout);
    worker.when_unanswered = worker.when_unanswered.or(*when_unanswered);
    worker.when_refused = worker.when_refused.or(*when_refused);
    worker.when_lost = worker.when_lost.or(*when_lost);
    if worker.program.is_none() {
        worker.program.clone_from(program);
    }
}

fn renewed(own: Option<Renew>, model: Option<Renew>) -> Option<Renew> {
    let (Some(own), Some(model)) = (&own, &model) else { return own.or(model) };
    let Renew { every, timeout, retry, anchor, clock, give_up } = own;
    Some(Renew {
        every: every.or(model.every),
        timeout: timeout.or(model.timeout),
        retry: retry.or(model.retry),
        anchor: anchor.or(model.anchor),
        clock: clock.or(model.clock),
        give_up: give_up.or(model.give_up),
    })
}
