//! Curator's `InterProcessMutex`: a node of one's own in line, and a watch on the one just ahead.

use std::rc::Rc;

use kernel::{Mono, Span};

use super::{Number, Reply, Request};
use crate::client::{Context, Part, Purpose, Step};
use crate::{GrantId, Key, Token, Wait};

/// A client's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    token: Number,
    session: Option<u64>,
    /// The session's timeout, as negotiated.
    timeout: Span,
    /// When a server answered last.
    heard: Mono,
    /// Its node: its number, and the transaction that created it.
    node: Option<(u64, u64)>,
}

fn request(request: Request) -> crate::Request {
    crate::Request::ZooKeeper(Rc::new(request))
}

impl Recipe {
    /// This number stands for a fencing token.
    pub fn new(token: Number) -> Self {
        Self { token, session: None, timeout: Span::ZERO, heard: Mono::default(), node: None }
    }

    fn look_ahead(&self, cx: Context<'_>) -> Step {
        let (lock, session) = (cx.lock.clone(), self.session);
        Step::Ask(Part::LookAhead, request(Request::Children { lock, session }))
    }

    fn found(&self, nodes: &[(u64, u64)], cx: Context<'_>) -> Step {
        let Some((own, czxid)) = self.node else { return Step::Again };
        match nodes.iter().rposition(|(number, _)| *number < own) {
            // The server may not have come as far as the one that created it, or the session has expired: a ping tells.
            _ if !nodes.iter().any(|(number, _)| *number == own) => self.verify(),
            None => {
                let token = match self.token {
                    Number::Czxid => czxid,
                    Number::Sequence => own,
                };
                Step::Hold { grant: GrantId(czxid), token: Some(Token(token)), lease: None }
            }
            Some(ahead) => match cx.policy.wait {
                Wait::Poll(every) => Step::RestFor(every),
                Wait::Watch | Wait::Queue => {
                    let (lock, sequence) = (cx.lock.clone(), nodes[ahead].0);
                    let session = self.session;
                    Step::Watch(request(Request::Watch { lock, sequence, session }))
                }
            },
        }
    }

    fn verify(&self) -> Step {
        self.session
            .map_or(Step::Again, |session| Step::Ask(Part::Verify, request(Request::Ping { session })))
    }
}

impl crate::client::Recipe for Recipe {
    /// A node that is in line already stays there.
    fn begin(&mut self, cx: Context<'_>) -> Step {
        match (self.session, self.node) {
            (Some(_), Some(_)) => self.look_ahead(cx),
            (Some(_), None) | (None, _) => {
                Step::Ask(Part::Open, request(Request::Connect { timeout: cx.policy.ttl }))
            }
        }
    }

    fn answered(&mut self, purpose: Purpose, msg: &crate::Msg, cx: Context<'_>) -> Step {
        let crate::Msg::Reply { reply: crate::Reply::ZooKeeper(reply), .. } = msg else {
            return Step::Nothing;
        };
        self.heard = cx.now.mono;
        match (purpose, &**reply) {
            (Purpose::Try(_), &Reply::Connected { session, timeout }) => {
                (self.session, self.timeout) = (Some(session), timeout);
                let create = Request::Create { lock: cx.lock.clone(), session };
                Step::Opened(timeout, Part::Enqueue, request(create))
            }
            (Purpose::Try(_), &Reply::Created { sequence, czxid }) => {
                self.node = Some((sequence, czxid));
                self.look_ahead(cx)
            }
            (Purpose::Try(_), Reply::Children(nodes)) => self.found(nodes, cx),
            (Purpose::Try(_), Reply::Pong) => self.look_ahead(cx),
            (Purpose::KeepAlive, Reply::Pong) => Step::Renewed(self.timeout),
            (Purpose::Try(_) | Purpose::KeepAlive, Reply::Expired) => Step::Gone,
            (Purpose::Release, Reply::Deleted) => match self.session.take() {
                Some(session) => Step::ReleasedAnd(request(Request::Close { session, expired: false })),
                None => Step::Released,
            },
            (Purpose::Release, Reply::Closed) => Step::Released,
            (
                _,
                Reply::Connected { .. }
                | Reply::Pong
                | Reply::Expired
                | Reply::Created { .. }
                | Reply::Deleted
                | Reply::Closed
                | Reply::Children(_),
            ) => Step::Nothing,
        }
    }

    fn told(&mut self, cx: Context<'_>) -> Step {
        self.look_ahead(cx)
    }

    /// A connection over which nothing was heard for two thirds of the timeout is given up (`readTimeout`), and a new one
    /// counts when the leader knows the session.
    fn keep_alive(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let silent = cx.now.mono.since(self.heard);
        self.session.map(|session| {
            request(if silent.times(3) >= self.timeout.times(2) {
                Request::Reconnect { session }
            } else {
                Request::Ping { session }
            })
        })
    }

    fn again(&mut self, purpose: Purpose, request: crate::Request, cx: Context<'_>) -> crate::Request {
        if purpose == Purpose::KeepAlive { self.keep_alive(cx).unwrap_or(request) } else { request }
    }

    /// The node is deleted, and the session closed behind it.
    fn give_back(&mut self, cx: Context<'_>) -> Option<crate::Request> {
        let session = self.session?;
        Some(request(match self.node.take() {
            Some((sequence, _)) => Request::Delete { lock: cx.lock.clone(), sequence },
            None => {
                self.session = None;
                Request::Close { session, expired: false }
            }
        }))
    }

    fn put(&self, _key: Key, _value: u64) -> Option<crate::Request> {
        None
    }

    fn forget(&mut self) {
        self.session = None;
        self.node = None;
    }
}
