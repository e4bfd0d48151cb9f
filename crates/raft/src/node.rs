//! A server's Raft part: its state, and where each input goes.

use std::collections::VecDeque;
use std::rc::Rc;

use kernel::{Input, Mono, Outbox, ProcessId, Rng, Span};

use crate::leader::{Leader, State};
use crate::{
    App, Config, Disk, Entry, Halt, Log, Message, Progress, ReadState, Reads, Snapshot, Speech, Write,
};

/// A server's timers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Timer {
    /// A follower's and a candidate's patience; for a leader, when it looks whether it still has a majority.
    Election,
    /// A leader's next round of heartbeats.
    Heartbeat,
}

/// The part that a server plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It follows, or waits for somebody to follow.
    Follower,
    /// It asks whether it could win.
    PreCandidate,
    /// It asks for votes.
    Candidate,
    /// It leads.
    Leader,
}

/// One server's part in the cluster. See the [crate] for how it is embedded.
#[derive(Clone, Debug)]
pub struct Raft<A: App> {
    pub(crate) config: Config,
    /// Its own place among the peers.
    pub(crate) position: usize,
    pub(crate) rng: Rng,
    /// Which of this server's lives this is, by chance.
    pub(crate) life: u64,

    pub(crate) term: u64,
    pub(crate) vote: Option<ProcessId>,
    /// Term or vote have changed since they were last put on disk.
    pub(crate) unsaved: bool,
    pub(crate) log: Log<A>,
    pub(crate) snapshot: Option<Rc<Snapshot<A>>>,
    /// The state machine has yet to load the snapshot.
    pub(crate) unloaded: bool,
    /// The snapshot was given to an established cluster and is on no disk yet.
    founded: bool,

    pub(crate) commit: u64,
    pub(crate) applied: u64,
    pub(crate) state: State,
    pub(crate) leader: Option<ProcessId>,
    /// The election timeout as last drawn.
    pub(crate) timeout: Span,
    /// Votes are withheld until then: voters protect a leader.
    pub(crate) protects_until: Mono,
    /// Reads that can be served once enough is applied.
    pub(crate) reads_ready: VecDeque<ReadState>,
    pub(crate) halted: Option<Halt>,
}

impl<A: App> Raft<A> {
    /// A server as it comes up from its disk: a follower that knows no leader and nothing of what is committed beyond
    /// its snapshot. Its timers run from [`Input::Boot`] on.
    ///
    /// Panics when the peers are none, too many, repeated or without this server, or when there is no election
    /// timeout to draw ([`Config::check`] tells).
    pub fn start(config: Config, disk: &Disk<A>, mut rng: Rng) -> Self {
        if let Err(error) = config.check_shape() {
            panic!("a server cannot start: {error}");
        }
        let position = config.position(config.me).expect("checked just now");
        let life = rng.below(1 << 32);
        let timeout = config.election.draw(&mut rng);
        // Under a lease it may have promised protection in an earlier life: nobody gets a vote before it has booted, and
        // then not at once.
        let protects_until = match config.reads {
            Reads::Lease { .. } => Mono::from_micros(u64::MAX),
            Reads::ReadIndex | Reads::CheckQuorum => Mono::default(),
        };
        let committed = disk.snapshot.as_ref().map_or(0, |snapshot| snapshot.last.index);
        Self {
            config,
            position,
            rng,
            life,
            term: disk.term,
            vote: disk.vote,
            unsaved: false,
            log: disk.log.clone(),
            snapshot: disk.snapshot.clone(),
            unloaded: disk.snapshot.is_some(),
            founded: false,
            commit: committed,
            applied: committed,
            state: State::Follower,
            leader: None,
            timeout,
            protects_until,
            reads_ready: VecDeque::new(),
            halted: None,
        }
    }

    /// A server of a cluster that has been running: `leader` was elected in the term of the snapshot's last entry by
    /// all votes, that entry is the empty one of its term, and all hold and have committed it. An election
    /// can end like this. The first thing that it does is to put all that on disk.
    ///
    /// Panics as [`Raft::start`] does, and when `leader` is not a peer or the snapshot has no term or index.
    pub fn established(config: Config, leader: ProcessId, snapshot: Snapshot<A>, rng: Rng) -> Self {
        let last = snapshot.last;
        assert!(last.term > 0 && last.index > 0, "terms and indices begin with 1");
        assert!(config.position(leader).is_some(), "only a peer can lead");
        let disk = Disk {
            term: last.term,
            vote: Some(leader),
            snapshot: Some(Rc::new(snapshot)),
            log: Log::after(last),
        };
        let mut raft = Self::start(config, &disk, rng);
        raft.founded = true;
        raft.leader = Some(leader);
        if leader == raft.config.me {
            let progress = vec![Progress::caught_up(last.index); raft.config.peers.len()];
            raft.state = State::Leader(Box::new(Leader::new(progress, Mono::default())));
        }
        raft
    }

    /// Takes one input at the reading `now` of its host's monotonic clock.
    pub fn on(&mut self, input: Input<'_, Speech<A>>, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        if self.halted.is_some() {
            return;
        }
        match input {
            Input::Message { from, msg } => self.receive(from, msg, now, out),
            Input::Timer(Timer::Heartbeat) => self.heartbeat_due(now, out),
            Input::Timer(Timer::Election) => self.election_due(now, out),
            Input::Refused { to, msg } => self.refused(to, msg),
            Input::Boot => self.boot(now, out),
            Input::Closed { .. } => {}
        }
        self.save(out);
    }

    fn receive(&mut self, from: ProcessId, msg: &Message<A>, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        match *msg {
            Message::Heartbeat { term, commit, round } => {
                if self.follows(from, term, now, out) {
                    self.on_heartbeat(from, commit, round, out);
                }
            }
            Message::HeartbeatAnswer { term, round } => {
                if self.is_of_this_term(term, now, out) {
                    self.on_heartbeat_answer(from, round, now, out);
                }
            }
            Message::Append { term, ref append } => {
                if self.follows(from, term, now, out) {
                    self.on_append(from, append, out);
                }
            }
            Message::Accepted { term, through } => {
                if self.is_of_this_term(term, now, out) {
                    self.on_accepted(from, through, now, out);
                }
            }
            Message::Rejected { term, ref rejection } => {
                if self.is_of_this_term(term, now, out) {
                    self.on_rejected(from, **rejection, now, out);
                }
            }
            Message::Snapshot { term, ref snapshot } => {
                if self.follows(from, term, now, out) {
                    self.on_snapshot(from, snapshot.clone(), out);
                }
            }
            Message::PreVote { term, last } => self.on_pre_vote(from, term, last, now, out),
            Message::PreVoteAnswer { term, granted } => {
                self.on_pre_vote_answer(from, term, granted, now, out);
            }
            Message::Vote { term, last, forced } => self.on_vote(from, term, last, forced, now, out),
            Message::VoteAnswer { term, granted } => {
                if self.is_of_this_term(term, now, out) {
                    self.on_vote_answer(from, granted, now, out);
                }
            }
            Message::TimeoutNow { term } => {
                if self.is_of_this_term(term, now, out) {
                    self.on_timeout_now(now, out);
                }
            }
            Message::Outdated { term } => {
                self.is_of_this_term(term, now, out);
            }
            Message::Propose(ref command) => {
                // Whoever proposed it learns of a refusal as of a loss: nothing comes of it.
                let _ = self.propose(A::Command::clone(command), now, out);
            }
            Message::Read { life, ctx } => self.on_read(from, life, ctx, now, out),
            Message::ReadAnswer { life, ctx, index } => self.on_read_answer(life, ctx, index),
            Message::Transfer { to } => self.transfer_leadership(to, now, out),
        }
    }

    fn boot(&mut self, now: Mono, out: &mut impl Outbox<Speech<A>>) {
        if self.founded {
            self.founded = false;
            let snapshot = self.snapshot.clone().expect("an established cluster has one");
            out.persist(Write::Install { snapshot });
            self.unsaved = true;
            self.save(out);
        }
        if let Reads::Lease { .. } = self.config.reads {
            self.protects_until = now + self.config.election.min;
        }
        if let State::Leader(leader) = &mut self.state {
            // It has been leading: the others have just been heard of.
            leader.window_began = now;
            leader.progress.iter_mut().for_each(|progress| progress.heard = Some(now));
            self.heartbeat_due(now, out);
            out.arm(Timer::Election, now + self.config.election.min);
        } else {
            out.arm(Timer::Election, now + self.timeout);
        }
    }

    /// Sends a message, after what it promises is on its way to the disk.
    #[inline]
    pub(crate) fn send(&mut self, to: ProcessId, msg: Message<A>, out: &mut impl Outbox<Speech<A>>) {
        self.save(out);
        out.send(to, msg);
    }

    /// Puts term and vote on disk when they have changed.
    #[inline]
    pub(crate) fn save(&mut self, out: &mut impl Outbox<Speech<A>>) {
        if self.unsaved {
            self.unsaved = false;
            out.persist(Write::HardState { term: self.term, vote: self.vote });
        }
    }

    /// The next committed entry for the state machine, in order, each once; it counts as applied from here on.
    /// `None` as well while there is a snapshot to load first ([`Raft::take_snapshot`]).
    pub fn next_committed(&mut self) -> Option<Entry<A>> {
        if self.unloaded || self.applied >= self.commit {
            return None;
        }
        let entry = self.log.get(self.applied + 1).expect("what is committed and not applied is held");
        self.applied += 1;
        Some(entry.clone())
    }

    /// The part that it plays.
    pub fn role(&self) -> Role {
        match self.state {
            State::Follower => Role::Follower,
            State::PreCandidate(_) => Role::PreCandidate,
            State::Candidate(_) => Role::Candidate,
            State::Leader(_) => Role::Leader,
        }
    }
    /// Whether it believes that it leads.
    pub fn is_leader(&self) -> bool {
        matches!(self.state, State::Leader(_))
    }
    /// Who leads, as far as it knows.
    pub fn leader(&self) -> Option<ProcessId> {
        self.leader
    }
    /// The latest term that it has seen.
    pub fn term(&self) -> u64 {
        self.term
    }
    /// Whom it voted for in that term.
    pub fn vote(&self) -> Option<ProcessId> {
        self.vote
    }
    /// The last entry that it knows to be committed.
    pub fn commit_index(&self) -> u64 {
        self.commit
    }
    /// The last entry that its state machine was given.
    pub fn applied(&self) -> u64 {
        self.applied
    }
    /// The last entry of its log.
    pub fn last_index(&self) -> u64 {
        self.log.last().index
    }
    /// Its log.
    pub fn log(&self) -> &Log<A> {
        &self.log
    }
    /// Its newest snapshot.
    pub fn snapshot(&self) -> Option<&Snapshot<A>> {
        self.snapshot.as_deref()
    }
    /// How it is set up.
    pub fn config(&self) -> &Config {
        &self.config
    }
    /// Why it has stopped for good, if it has.
    pub fn halted(&self) -> Option<Halt> {
        self.halted
    }
    /// What it knows of each peer, in their order; `None` when it does not lead.
    pub fn progress(&self) -> Option<&[Progress]> {
        match &self.state {
            State::Leader(leader) => Some(&leader.progress),
            State::Follower | State::PreCandidate(_) | State::Candidate(_) => None,
        }
    }
    /// Whether it leads and has heard from a majority less than the shortest election timeout ago.
    pub fn has_quorum_contact(&self, now: Mono) -> bool {
        match &self.state {
            State::Leader(leader) => {
                leader.heard_majority_within(self.position, self.config.election.min, now)
            }
            State::Follower | State::PreCandidate(_) | State::Candidate(_) => false,
        }
    }
    /// Until when it may answer reads by its lease; `None` without one ([`Reads::Lease`]).
    pub fn lease_until(&self) -> Option<Mono> {
        match (&self.state, self.config.reads) {
            (State::Leader(leader), Reads::Lease { span }) => leader.lease_end(&self.config, span),
            (State::Leader(_), Reads::ReadIndex | Reads::CheckQuorum)
            | (State::Follower | State::PreCandidate(_) | State::Candidate(_), _) => None,
        }
    }
}
