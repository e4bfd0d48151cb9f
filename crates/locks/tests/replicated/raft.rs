//! Raft's leadership as the lock: what a member says to whoever asks it, with each way of making sure that it leads, and
//! workers beside their members.

use std::rc::Rc;

use kernel::{ProcessId, Span, Wall};
use locks::claim::{self, Reply, Request};
use locks::raft_lock::RaftLock;
use locks::{AnyReplica, ClientKind, Freed, Gone, Policy, Wait};
use raft::Reads;

use crate::cast::Do;
use crate::lab::{Lab, N1, N2, N3, POLICY, Run, Setup, crash, cut, isolate, ms};

/// A worker goes on for half a second after each answer.
const WORKER: Policy = Policy {
    ttl: ms(500),
    margin: Span::ZERO,
    renew_every: ms(200),
    timeout: ms(400),
    wait: Wait::Poll(ms(200)),
    ..POLICY
};

fn lab_with(reads: Reads) -> Lab {
    let kind = ClientKind::Claim(claim::Recipe::default());
    Setup { reads, ..Setup::default() }.log(&AnyReplica::Raft(RaftLock::default()), kind)
}
/// An election timeout of 1 s, and a lease that is one heartbeat shorter.
const LEASE: Reads = Reads::Lease { span: ms(900) };
fn lab() -> Lab {
    lab_with(Reads::ReadIndex)
}

fn ask(request: Request) -> locks::Request {
    locks::Request::Claim(Rc::new(request))
}
fn claim(value: u64) -> locks::Request {
    ask(Request::Claim { lock: "job".into(), value, ttl: ms(500), at: Wall::default() })
}
fn renew(value: u64) -> locks::Request {
    ask(Request::Renew { lock: "job".into(), value, ttl: ms(500), at: Wall::default() })
}
fn release(value: u64) -> locks::Request {
    ask(Request::Release { lock: "job".into(), value })
}
fn look() -> locks::Request {
    ask(Request::Look { lock: "job".into(), at: Wall::default() })
}

/// What a request was answered, in a word: `1 by 2` is the token and the grant.
fn said(run: &Run, asker: ProcessId, id: u64) -> String {
    match run.asker(asker).answer(id) {
        Some(locks::Reply::Claim(reply)) => match **reply {
            Reply::Granted { grant, token } => format!("{} by {}", token.expect("a term").0, grant.0),
            Reply::Taken => "taken".into(),
            Reply::TooFewHave => "too few have it".into(),
            Reply::Renewed(done) => if done { "renewed" } else { "not its own" }.into(),
            Reply::Released(done) => if done { "released" } else { "not its own" }.into(),
            Reply::Looked(held) => if held { "held" } else { "free" }.into(),
            Reply::Failed(why) => why.into(),
        },
        Some(locks::Reply::NoLeader) => "no leader".into(),
        Some(other) => panic!("{other:?}"),
        None => "no answer".into(),
    }
}
fn all_said(run: &Run, asker: ProcessId, count: u64) -> Vec<String> {
    (1..=count).map(|id| said(run, asker, id)).collect()
}

#[test]
fn the_leader_alone_takes_the_lock_and_its_term_is_the_token() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N2, look()),
        (10, N2, claim(2)),
        (20, N1, claim(1)),
        (30, N2, look()),
        (40, N3, claim(3)),
        (50, N1, renew(1)),
        (60, N2, renew(1)),
        (70, N1, renew(2)),
    ]);
    let run = lab.run(1_000);
    // Entry 1 is the term's own.
    let expected = ["free", "taken", "1 by 2", "held", "taken", "renewed", "not its own", "not its own"];
    assert_eq!(all_said(&run, asker, 8), expected);
    assert_eq!(run.granted(), [(23, 1)]);
}

/// Two grants of one leadership have one token: what compares tokens cannot tell them apart.
#[test]
fn a_second_claim_of_one_term_has_the_same_token_and_ends_the_first() {
    let mut lab = lab();
    let asker = lab.asker(vec![
        (0, N1, claim(1)),
        (10, N1, release(9)),
        (20, N1, claim(2)),
        (30, N1, renew(1)),
        (40, N1, release(1)),
        // What goes through the log can be asked of any member.
        (50, N2, release(2)),
        (60, N1, look()),
        (70, N1, claim(3)),
    ]);
    let run = lab.run(1_000);
    let expected =
        ["1 by 2", "not its own", "1 by 4", "not its own", "not its own", "released", "free", "1 by 7"];
    assert_eq!(all_said(&run, asker, 8), expected);
    let freed: Vec<Freed> = run.freed().into_iter().map(|(_, how)| how).collect();
    assert_eq!(freed, [Freed::Replaced, Freed::Released]);
}

/// Two workers beside one member: its leadership is one worker's, until that gives it back or must have stopped.
#[test]
fn of_two_workers_beside_one_leader_one_holds() {
    for (a_ends, from) in [(Do::Release, 3_000), (Do::Acquire, 3_200)] {
        let mut lab = lab();
        let a = lab.worker_beside(N1, WORKER, &[(100, Do::Acquire), (3_000, a_ends)]);
        let b = lab.worker_beside(N1, WORKER, &[(150, Do::Acquire)]);
        if a_ends == Do::Acquire {
            lab.fault(3_000, None, crash(a));
        }
        let run = lab.run(6_000);
        assert_eq!(run.holds(a).len(), 1, "{a_ends:?}");
        let holds = run.holds(b);
        // It asks every 200 ms; a worker that is dead has 500 ms from when it asked last.
        assert!(matches!(holds[..], [(at, 1)] if (from..from + 500).contains(&at)), "{a_ends:?}: {holds:?}");
    }
}

#[test]
fn another_leader_has_a_higher_term_and_learns_from_the_log_who_had_it() {
    let mut lab = lab();
    let asker = lab.asker(vec![(0, N1, claim(1)), (10_000, N2, look()), (10_010, N3, look())]);
    let (b, c) = (
        lab.worker_beside(N2, WORKER, &[(5_000, Do::Acquire)]),
        lab.worker_beside(N3, WORKER, &[(5_000, Do::Acquire)]),
    );
    lab.fault(1_000, None, crash(N1));
    let run = lab.run(11_000);
    assert_eq!(all_said(&run, asker, 3), ["1 by 2", "held", "held"]);
    let held = [run.holds(b), run.holds(c)].concat();
    assert!(matches!(held[..], [(_, term)] if term > 1), "{held:?}");
    assert_eq!(run.freed().into_iter().map(|(_, how)| how).collect::<Vec<_>>(), [Freed::Replaced]);
}

/// Asks a leader that is cut off from the others at 1,000 whether it still leads, every 100 ms: when it last says so.
fn last_said_so(reads: Reads) -> u64 {
    let mut lab = lab_with(reads);
    let asks = (1..60).map(|turn| (turn * 100, N1, renew(1)));
    let asker = lab.asker(std::iter::once((0, N1, claim(1))).chain(asks).collect());
    lab.fault(1_000, None, cut(&[N1], &[N2, N3]));
    let run = lab.run(10_000);
    let said_so = (2..=60).filter(|id| said(&run, asker, *id) == "renewed");
    said_so.filter_map(|id| run.asker(asker).answered_at(id)).max().expect("it led once")
}

/// The last heartbeat that a majority answered was sent at 900.
#[test]
fn how_long_a_leader_without_a_majority_says_that_it_leads_is_a_matter_of_its_reads() {
    assert_eq!(last_said_so(Reads::ReadIndex), 904, "not once after it is cut off");
    assert_eq!(last_said_so(LEASE), 1_702, "for a lease from the heartbeat's sending");
    let late = last_said_so(Reads::CheckQuorum);
    assert!((1_900..=3_000).contains(&late), "for up to two election timeouts: {late}");
}

#[test]
fn a_worker_holds_for_as_long_as_its_member_leads() {
    let mut lab = lab();
    let a = lab.worker_beside(N1, WORKER, &[(100, Do::Acquire)]);
    let b = lab.worker_beside(N2, WORKER, &[(100, Do::Acquire)]);
    let c = lab.worker_beside(N3, WORKER, &[(100, Do::Acquire)]);
    lab.fault(5_000, Some(12_000), isolate(&[N1]));
    let run = lab.run(20_000);
    assert_eq!(run.holds(a), [(104, 1)]);
    let lost = run.let_go(a);
    assert!(matches!(lost[..], [(at, Gone::StopTime)] if (5_300..=5_510).contains(&at)), "{lost:?}");
    let next = [run.holds(b), run.holds(c)].concat();
    assert!(matches!(next[..], [(at, term)] if at > 6_000 && term > 1), "{next:?}");
    assert_eq!([run.let_go(b), run.let_go(c)].concat(), [], "the old leader comes back and follows");
}
