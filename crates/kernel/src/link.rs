//! Links: directed, each with a delay, a jitter and a draw counter of its own.

use std::rc::Rc;

use crate::chance::{Ratio, Stream};
use crate::plan::HostId;
use crate::{Fate, FaultId, Manner, SimTime, Span};

/// What one direction between two hosts is like when no fault strikes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkSpec {
    /// How long every message takes.
    pub delay: Span,
    /// And up to so much longer, drawn for each.
    pub jitter: Span,
    /// How many messages are lost.
    pub loss: Ratio,
    /// How many are delivered twice.
    pub duplicate: Ratio,
}

impl Default for LinkSpec {
    fn default() -> Self {
        Self { delay: Span::ZERO, jitter: Span::ZERO, loss: Ratio::NEVER, duplicate: Ratio::NEVER }
    }
}

/// What a fault asks of the links that it strikes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    Cut(Manner),
    Loss(Ratio),
    Delay(Span),
    Duplicate(Ratio),
}

#[derive(Clone, Debug)]
struct Active {
    fault: FaultId,
    rule: Rule,
    /// Directed pairs of hosts.
    pairs: Rc<[(HostId, HostId)]>,
}

/// One message's way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// It arrives, once: most do.
    Clear { after: Span },
    /// Links that lose or duplicate, or faults, have a say ([`Links::fate`]).
    Troubled { after: Span, count: u64 },
}

#[derive(Clone, Debug)]
pub(crate) struct Links {
    hosts: usize,
    seed: u64,
    /// Of each link what it is like, and its stream of jitter: the one draw that most messages take.
    specs: Rc<[(LinkSpec, Stream)]>,
    sent: Vec<u64>,
    active: Vec<Active>,
}

/// Purposes of a link's draws: each has a stream of its own, so that one setting does not move another's draws.
#[derive(Clone, Copy)]
enum Purpose {
    Jitter = 1,
    Loss = 2,
    Duplicate = 3,
    TwinJitter = 4,
    FaultLoss = 5,
    FaultDuplicate = 6,
}

impl Links {
    pub(crate) fn new(hosts: usize, seed: u64, all: LinkSpec, links: &[(HostId, HostId, LinkSpec)]) -> Self {
        let mut specs = vec![all; hosts * hosts];
        for &(from, to, spec) in links {
            specs[from.index() * hosts + to.index()] = spec;
        }
        let ids = || (0..hosts as u16).map(HostId);
        let jitters = ids().flat_map(|from| ids().map(move |to| stream(seed, from, to, Purpose::Jitter)));
        Self {
            hosts,
            seed,
            specs: specs.into_iter().zip(jitters).collect(),
            sent: vec![0; hosts * hosts],
            active: Vec::new(),
        }
    }

    pub(crate) fn strike(&mut self, fault: FaultId, rule: Rule, pairs: Rc<[(HostId, HostId)]>) {
        self.active.push(Active { fault, rule, pairs });
    }

    pub(crate) fn lift(&mut self, fault: FaultId) {
        self.active.retain(|active| active.fault != fault);
    }

    fn stream(&self, from: HostId, to: HostId, purpose: Purpose) -> Stream {
        stream(self.seed, from, to, purpose)
    }

    /// Sends one message; a host reaches itself without a network.
    #[inline]
    pub(crate) fn send(&mut self, from: HostId, to: HostId) -> Way {
        if from == to {
            return Way::Clear { after: Span::ZERO };
        }
        let link = from.index() * self.hosts + to.index();
        let (spec, jitter) = &self.specs[link];
        let count = self.sent[link];
        self.sent[link] += 1;
        let mut after = spec.delay;
        if spec.jitter > Span::ZERO {
            after += jitter.span(count, spec.jitter);
        }
        if spec.loss.times == 0 && spec.duplicate.times == 0 && self.active.is_empty() {
            Way::Clear { after }
        } else {
            Way::Troubled { after, count }
        }
    }

    /// Decides what becomes of message number `count`, sent at `now`, that would take so long. Cuts decide first (of
    /// several the one that struck first), then losses (of several on one link the greatest counts); delays add up.
    #[cold]
    pub(crate) fn fate(&self, from: HostId, to: HostId, count: u64, mut after: Span, now: SimTime) -> Fate {
        let spec = self.specs[from.index() * self.hosts + to.index()].0;
        let (mut lose, mut twice) = (false, false);
        if spec.loss.times > 0 {
            lose = self.stream(from, to, Purpose::Loss).hits(count, spec.loss);
        }
        if spec.duplicate.times > 0 {
            twice = self.stream(from, to, Purpose::Duplicate).hits(count, spec.duplicate);
        }
        let mut cut = None;
        for active in self.active.iter().filter(|active| active.pairs.contains(&(from, to))) {
            match active.rule {
                Rule::Cut(manner) => cut = cut.or(Some(manner)),
                Rule::Loss(ratio) => lose |= self.stream(from, to, Purpose::FaultLoss).hits(count, ratio),
                Rule::Delay(extra) => after += extra,
                Rule::Duplicate(ratio) => {
                    twice |= self.stream(from, to, Purpose::FaultDuplicate).hits(count, ratio);
                }
            }
        }
        match cut {
            Some(Manner::Silent) => return Fate::Cut,
            Some(Manner::Refused) => return Fate::Refused(now + spec.delay + self.back(from, to)),
            None => {}
        }
        if lose {
            return Fate::Lost;
        }
        let at = now + after;
        if !twice {
            return Fate::Arrives(at);
        }
        // A twin is late by at least the link's own delay, so that it is seen as one.
        let late = spec.delay + self.stream(from, to, Purpose::TwinJitter).span(count, spec.jitter);
        Fate::ArrivesTwice(at, at + late)
    }

    /// How long the answer of a host that refuses takes to come back, from nobody's decision: it is never lost.
    pub(crate) fn back(&self, from: HostId, to: HostId) -> Span {
        if from == to { Span::ZERO } else { self.specs[to.index() * self.hosts + from.index()].0.delay }
    }

    /// Whether anything at all gets through: a network stack sends again what was lost, and a cut outlasts it.
    #[cold]
    pub(crate) fn carries(&self, from: HostId, to: HostId) -> bool {
        let always = |ratio: Ratio| ratio.times > 0 && ratio.times >= ratio.of;
        let loses = |active: &Active| matches!(active.rule, Rule::Loss(ratio) if always(ratio));
        from == to
            || !(self.is_cut(from, to)
                || always(self.specs[from.index() * self.hosts + to.index()].0.loss)
                || self.active.iter().any(|active| loses(active) && active.pairs.contains(&(from, to))))
    }

    /// How long it takes until all that was sent before has arrived, as links now are.
    #[cold]
    pub(crate) fn behind_all(&self, from: HostId, to: HostId) -> Span {
        if from == to {
            return Span::ZERO;
        }
        let spec = self.specs[from.index() * self.hosts + to.index()].0;
        let mut after = spec.delay + spec.jitter;
        for active in self.active.iter().filter(|active| active.pairs.contains(&(from, to))) {
            if let Rule::Delay(extra) = active.rule {
                after += extra;
            }
        }
        after
    }

    /// Whether nothing sent from one host to the other now can arrive.
    pub(crate) fn is_cut(&self, from: HostId, to: HostId) -> bool {
        self.active
            .iter()
            .any(|active| matches!(active.rule, Rule::Cut(_)) && active.pairs.contains(&(from, to)))
    }
}

/// A link's stream is named by the two hosts alone, so that one host more does not move the draws of the others.
fn stream(seed: u64, from: HostId, to: HostId, purpose: Purpose) -> Stream {
    Stream::new(seed, purpose as u64, u64::from(from.0) << 16 | u64::from(to.0))
}

/// The directed pairs between two sets of hosts.
pub(crate) fn pairs(from: &[HostId], to: &[HostId], both_ways: bool) -> Rc<[(HostId, HostId)]> {
    let mut pairs = Vec::new();
    for &a in from {
        for &b in to {
            let back = both_ways.then_some((b, a));
            for pair in [Some((a, b)), back].into_iter().flatten() {
                if a != b && !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
    }
    pairs.into()
}
