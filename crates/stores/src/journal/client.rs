//! A writer's library: it asks all nodes at once and goes by a majority of their answers.

use std::rc::Rc;

use kernel::ProcessId;

use super::{Msg, Reply, Request, Tail, majority};
use crate::{Answer, Conflict, Op, Refusal, Seen, Stamp};

/// What a round is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Which epochs have been promised, before a claim.
    Asking,
    /// To have the next one promised.
    Promising,
    /// To bring a majority to one journal.
    Recovering(Tail),
    /// An entry.
    Writing,
    /// How far the journal is.
    Reading,
}

/// A writer's side of one journal.
#[derive(Clone, Debug)]
pub struct Client {
    nodes: Rc<[ProcessId]>,
    /// The epoch that a majority has promised it; 0: none.
    epoch: u32,
    /// The end of the journal as it has it.
    tail: Tail,
    call: u32,
    /// What it was asked, under which number.
    asked: Option<(u32, Op)>,
    stage: Stage,
    heard: Vec<(ProcessId, Reply)>,
}

/// Something to send to a node.
pub type Letter = (ProcessId, crate::Msg);

impl Client {
    /// One that nobody has promised anything. Rounds are numbered from `call` on.
    pub fn new(nodes: Rc<[ProcessId]>, call: u32) -> Self {
        let tail = Tail::default();
        Self { nodes, epoch: 0, tail, call, asked: None, stage: Stage::Reading, heard: Vec::new() }
    }

    /// Whether this is one of its nodes.
    pub fn knows(&self, node: ProcessId) -> bool {
        self.nodes.contains(&node)
    }

    /// What is asked of the store begins, or begins again. An answer when there is one at once.
    pub fn ask(&mut self, ask: u32, op: Op, letters: &mut Vec<Letter>) -> Option<Answer> {
        let bare = |op: Op| op.stamped(Stamp::new(None, Seen::NOTHING));
        // An entry that nobody knows of may be there under the number of the next one: it has to be recovered first.
        if self.asked.is_some_and(|(_, unknown)| bare(unknown) != bare(op)) {
            self.epoch = 0;
        }
        self.asked = Some((ask, op));
        match op {
            Op::Raise(_) => self.round(Stage::Asking, Request::State, letters),
            Op::Read | Op::Scan | Op::Requeue(_) => self.round(Stage::Reading, Request::State, letters),
            Op::Write(..) | Op::Part(..) | Op::Finish(_) if self.epoch == 0 => {
                self.asked = None;
                return Some(Answer::Refused(Refusal::NoEpoch));
            }
            Op::Write(..) | Op::Part(..) | Op::Finish(_) => self.write(op, letters),
        }
        None
    }

    fn round(&mut self, stage: Stage, request: Request, letters: &mut Vec<Letter>) {
        let Some((ask, _)) = self.asked else { return };
        self.stage = stage;
        self.heard.clear();
        self.call = self.call.wrapping_add(1);
        let msg = crate::Msg::from(Msg::Request { call: self.call, ask, request });
        letters.extend(self.nodes.iter().map(|node| (*node, msg.clone())));
    }

    /// As the next entry, under its epoch.
    fn write(&mut self, op: Op, letters: &mut Vec<Letter>) {
        let token = op.stamp().and_then(Stamp::token);
        let op = op.stamped(Stamp::new(token, Seen(self.epoch)));
        let (epoch, txid) = (self.epoch, self.tail.txid + 1);
        self.round(Stage::Writing, Request::Append { epoch, txid, op }, letters);
    }

    /// A node has answered. The number that was asked under, and the answer, when a majority has made one.
    pub fn heard(&mut self, from: ProcessId, msg: &Msg, letters: &mut Vec<Letter>) -> Option<(u32, Answer)> {
        let Msg::Reply { call, reply } = *msg else { return None };
        let (ask, op) = self.asked?;
        if call != self.call || self.heard.iter().any(|(node, _)| *node == from) {
            return None;
        }
        self.heard.push((from, reply));
        let answer = self.settled(op, letters)?;
        self.asked = None;
        Some((ask, answer))
    }

    fn settled(&mut self, op: Op, letters: &mut Vec<Letter>) -> Option<Answer> {
        let enough = majority(self.nodes.len());
        let refusals: Vec<Refusal> = self.heard.iter().filter_map(|(_, reply)| refusal(reply)).collect();
        if refusals.len() > self.nodes.len() - enough {
            return Some(self.refused(&refusals));
        }
        if self.heard.len() - refusals.len() < enough {
            return None;
        }
        match self.stage {
            Stage::Reading => Some(Answer::Row(self.longest().row)),
            Stage::Asking => {
                let promised = self.heard.iter().filter_map(|(_, reply)| match reply {
                    Reply::State { promised, .. } => Some(*promised),
                    Reply::Promised(_) | Reply::Done | Reply::Refused(_) => None,
                });
                self.epoch = promised.max().unwrap_or(0) + 1;
                self.round(Stage::Promising, Request::NewEpoch(self.epoch), letters);
                None
            }
            Stage::Promising => {
                let (epoch, tail) = (self.epoch, self.longest());
                self.round(Stage::Recovering(tail), Request::Recover { epoch, tail }, letters);
                None
            }
            Stage::Recovering(tail) => {
                self.tail = tail;
                self.write(op, letters);
                None
            }
            Stage::Writing => {
                let before = self.tail.row;
                self.tail.txid += 1;
                self.tail.row.apply(op);
                Some(Answer::Accepted(before))
            }
        }
    }

    /// Of several ends the one that was written under the highest epoch, and of those the last: nothing that a majority has
    /// is behind it.
    fn longest(&self) -> Tail {
        let tails = self.heard.iter().filter_map(|(_, reply)| match reply {
            Reply::State { tail, .. } | Reply::Promised(tail) => Some(*tail),
            Reply::Done | Reply::Refused(_) => None,
        });
        tails.max_by_key(|tail| (tail.epoch, tail.txid)).unwrap_or_default()
    }

    fn refused(&self, refusals: &[Refusal]) -> Answer {
        let fenced = refusals.iter().find(|why| matches!(why, Refusal::Epoch { .. }));
        match (self.stage, fenced.or(refusals.first())) {
            // Somebody else raises at the same time: it begins again.
            (Stage::Promising | Stage::Recovering(_), _) | (_, None) => Answer::Again(Conflict::Epoch),
            (Stage::Asking | Stage::Reading | Stage::Writing, Some(why)) => Answer::Refused(*why),
        }
    }
}

fn refusal(reply: &Reply) -> Option<Refusal> {
    match reply {
        Reply::Refused(why) => Some(*why),
        Reply::State { .. } | Reply::Promised(_) | Reply::Done => None,
    }
}
