//! Messages that a sound leader sends only when several things go wrong at once, handed to a follower by hand.

use std::rc::Rc;

use kernel::{Effect, Effects, Input, Mono, ProcessId, Rng, Span, Stream};
use raft::{
    App, Append, Config, Disk, ElectionTimeout, Entry, LogId, Message, Payload, Raft, Rejection, Speech,
};

#[derive(Clone, Debug)]
struct Nothing;
impl App for Nothing {
    type Command = ();
    type Snapshot = ();
}

fn entries(terms: &[u64], from: u64) -> Rc<[Entry<Nothing>]> {
    let ids = terms.iter().zip(from..).map(|(&term, index)| LogId { term, index });
    ids.map(|id| Entry { id, payload: Payload::Empty }).collect()
}

/// Server 0 of three, with entries of these terms.
fn follower(terms: &[u64]) -> Raft<Nothing> {
    let election = ElectionTimeout::uniform(Span::from_millis(100), Span::from_millis(200));
    let peers = [ProcessId(0), ProcessId(1), ProcessId(2)];
    let config = Config::new(ProcessId(0), peers, Span::from_millis(30), election);
    let mut disk = Disk { term: 2, ..Disk::default() };
    disk.log.graft(&entries(terms, 1));
    Raft::start(config, &disk, Rng::new(Stream::new(1, 1, 1)))
}

/// What it sends when server 1, the leader of term 3, says this.
fn hears(raft: &mut Raft<Nothing>, msg: Message<Nothing>) -> Vec<Message<Nothing>> {
    let mut out = Effects::<Speech<Nothing>>::default();
    raft.on(Input::Message { from: ProcessId(1), msg: &msg }, Mono::default(), &mut out);
    let sent = out.0.into_iter().filter_map(|effect| match effect {
        Effect::Send { msg, .. } => Some(msg),
        Effect::Arm { .. }
        | Effect::Disarm(_)
        | Effect::Persist(_)
        | Effect::Note(_)
        | Effect::Connect { .. }
        | Effect::Disconnect { .. } => None,
    });
    sent.collect()
}

fn append(prev: LogId, commit: u64, terms: &[u64]) -> Message<Nothing> {
    let append = Append { number: 1, prev, commit, entries: entries(terms, prev.index + 1) };
    Message::Append { term: 3, append: Rc::new(append) }
}

/// The leader has committed four entries and sends the second again. The follower's third and fourth are leftovers of
/// another term: it has not compared them, and may not commit them.
#[test]
fn a_follower_commits_no_further_than_it_has_compared() {
    let mut raft = follower(&[1, 1, 2, 2]);
    let answers = hears(&mut raft, append(LogId { term: 1, index: 1 }, 4, &[1]));
    assert!(matches!(answers[..], [Message::Accepted { term: 3, through: 2 }]), "{answers:?}");
    assert_eq!(raft.commit_index(), 2);
    assert_eq!(raft.last_index(), 4, "nothing is known to be wrong with them either");
}

/// What comes late from the same leader is answered with what is committed since.
#[test]
fn a_late_append_is_answered_with_what_is_committed() {
    let mut raft = follower(&[1, 1, 2]);
    hears(&mut raft, append(LogId { term: 2, index: 3 }, 3, &[3, 3]));
    let answers = hears(&mut raft, append(LogId { term: 1, index: 1 }, 0, &[1]));
    assert!(matches!(answers[..], [Message::Accepted { term: 3, through: 3 }]), "{answers:?}");
    assert_eq!((raft.commit_index(), raft.last_index()), (3, 5));
}

/// A heartbeat makes no server follow the leader of a term that is over, and no server answer for one that is not its own.
#[test]
fn terms_are_compared_before_anything_else() {
    let mut raft = follower(&[1]);
    let answers = hears(&mut raft, Message::Heartbeat { term: 1, commit: 1, round: 9 });
    assert!(matches!(answers[..], [Message::Outdated { term: 2 }]), "{answers:?}");
    assert_eq!((raft.leader(), raft.commit_index()), (None, 0));
    for late in [
        Message::Accepted { term: 1, through: 1 },
        Message::HeartbeatAnswer { term: 1, round: 1 },
        Message::Rejected {
            term: 1,
            rejection: Rc::new(Rejection { number: 1, rejected: 1, hint: LogId::default() }),
        },
        Message::VoteAnswer { term: 1, granted: true },
        Message::PreVoteAnswer { term: 3, granted: true },
        Message::TimeoutNow { term: 1 },
        Message::Outdated { term: 2 },
    ] {
        let said = format!("{late:?}");
        assert!(hears(&mut raft, late).is_empty(), "it has nothing to say to {said}");
        assert_eq!(raft.term(), 2, "after {said}");
    }
}

/// A stranger is not counted, whatever it says.
#[test]
fn only_peers_count() {
    let mut raft = follower(&[]);
    let mut out = Effects::<Speech<Nothing>>::default();
    raft.on(Input::Boot, Mono::default(), &mut out);
    raft.on(Input::Timer(raft::Timer::Election), Mono::from_micros(200_000), &mut out);
    for stranger in 7..10 {
        let msg = Message::PreVoteAnswer { term: 3, granted: true };
        raft.on(Input::Message { from: ProcessId(stranger), msg: &msg }, Mono::default(), &mut out);
    }
    assert_eq!((raft.role(), raft.term()), (raft::Role::PreCandidate, 2));
}

/// An append comes late: the follower has its entry already, and two behind it that are not committed yet. It keeps them.
#[test]
fn a_late_append_takes_nothing_back() {
    let mut raft = follower(&[1, 2, 2, 2]);
    let said = hears(&mut raft, append(LogId { term: 1, index: 1 }, 1, &[2]));
    assert!(matches!(said[..], [Message::Accepted { term: 3, through: 2 }]), "{said:?}");
    assert_eq!(raft.last_index(), 4);
}
