//! Redis with replicas: what a failover keeps, and what it forgets.

use std::rc::Rc;

use kernel::{ProcessId, Span};
use locks::claim::{self, Reply, Request};
use locks::redis::Redis;
use locks::redis_replicated::{Config, RedisReplicated};
use locks::service;
use locks::{AnyService, ClientKind, Freed, Note, Policy, Server, ServerConfig, Token};

use crate::cast::Do;
use crate::lab::{Lab, MEMBERS, N1, N2, N3, POLICY, Run, Setup, crash, cut, isolate, ms, pause, s};

/// The figures of the story: 14 tokens were counted, replicas are 100 ms behind, and patient for 5 s.
#[derive(Clone, Copy)]
struct Replicated {
    lag: Span,
    min_replicas: usize,
    wait: usize,
    durability: service::Durability,
    demoted_after: Span,
    jitter: Span,
}
const STORY: Replicated = Replicated {
    lag: ms(100),
    min_replicas: 0,
    wait: 0,
    durability: service::Durability::Never,
    demoted_after: Span::ZERO,
    jitter: Span::ZERO,
};

impl Replicated {
    fn lab(self) -> Lab {
        let mut setup = Setup::default();
        setup.link.jitter = self.jitter;
        setup.servers(ClientKind::Claim(claim::Recipe::default()), |me| {
            let config = Config {
                me,
                servers: MEMBERS.into(),
                lag: self.lag,
                down_after: s(5),
                min_replicas: self.min_replicas,
                max_lag: s(3),
                wait: self.wait,
                wait_for: s(1),
                demoted_after: self.demoted_after,
            };
            let service = RedisReplicated::new(Rc::new(config), Redis::new(true, Token(14)));
            let service = AnyService::RedisReplicated(service);
            ServerConfig::Single(Rc::new(service::ServerConfig { service, durability: self.durability }))
        })
    }
}

fn ask(request: Request) -> locks::Request {
    locks::Request::Claim(Rc::new(request))
}
fn claim_for(value: u64, ttl: u64) -> locks::Request {
    ask(Request::Claim { lock: "job".into(), value, ttl: ms(ttl), at: Default::default() })
}
fn claim(value: u64) -> locks::Request {
    claim_for(value, 10_000)
}
fn renew(value: u64) -> locks::Request {
    ask(Request::Renew { lock: "job".into(), value, ttl: s(10), at: Default::default() })
}
fn release(value: u64) -> locks::Request {
    ask(Request::Release { lock: "job".into(), value })
}
fn look() -> locks::Request {
    ask(Request::Look { lock: "job".into(), at: Default::default() })
}

fn redis(run: &Run, server: ProcessId) -> &RedisReplicated {
    let Server::Single(server) = run.server(server) else { panic!("this keeps no log") };
    match server.service() {
        AnyService::RedisReplicated(redis) => redis,
        other => panic!("{other:?}"),
    }
}
fn answer(run: &Run, asker: ProcessId, id: u64) -> Option<Reply> {
    run.asker(asker).answer(id).map(|reply| match reply {
        locks::Reply::Claim(reply) => **reply,
        other => panic!("{other:?}"),
    })
}
fn token(run: &Run, asker: ProcessId, id: u64) -> u64 {
    match answer(run, asker, id) {
        Some(Reply::Granted { token: Some(token), .. }) => token.0,
        other => panic!("request {id}: {other:?}"),
    }
}
const A_REPLICA: Option<Reply> = Some(Reply::Failed("this is a replica"));

// --- The servers, by short scripts. ---

#[test]
fn a_replica_is_as_far_behind_as_the_lag_and_takes_nothing_itself() {
    let mut lab = STORY.lab();
    let asker = lab.asker(vec![(1_500, N1, claim(1)), (1_510, N2, claim(2)), (1_520, N3, look())]);
    let mut run = lab.begin();
    run.until(1_590);
    assert_eq!(redis(&run, N1).offset(), 1);
    assert_eq!((redis(&run, N2).offset(), redis(&run, N3).offset()), (0, 0));
    run.until(1_603);
    assert_eq!((redis(&run, N2).offset(), redis(&run, N3).offset()), (1, 1));
    assert_eq!(redis(&run, N2).redis().keys().iter().count(), 1);
    assert_eq!(token(&run, asker, 1), 15);
    assert_eq!((answer(&run, asker, 2), answer(&run, asker, 3)), (A_REPLICA, A_REPLICA));
}

#[test]
fn keys_go_a_millisecond_behind_their_deadline_on_the_primary_and_its_replicas_hear_of_it() {
    let mut lab = STORY.lab();
    lab.asker(vec![(1_500, N1, claim_for(1, 300))]);
    let mut run = lab.begin();
    run.until(1_900);
    assert_eq!(run.freed(), [(1_802, Freed::Expired)]);
    assert_eq!(redis(&run, N2).redis().keys().iter().count(), 1, "a replica waits to be told");
    run.until(1_904);
    assert_eq!(redis(&run, N2).redis().keys().iter().count(), 0);
}

#[test]
fn wait_holds_the_answer_back_until_replicas_have_it() {
    let mut lab = Replicated { wait: 2, ..STORY }.lab();
    let asker = lab.asker(vec![(1_500, N1, claim(1)), (1_700, N1, renew(1)), (1_800, N1, claim(2))]);
    let run = lab.run(3_000);
    assert_eq!(token(&run, asker, 1), 15);
    // Sent on at 1,601, there and back, and to the client.
    assert_eq!(run.asker(asker).answered_at(1), Some(1_604));
    assert_eq!(
        (answer(&run, asker, 2), run.asker(asker).answered_at(2)),
        (Some(Reply::Renewed(true)), Some(1_702))
    );
    assert_eq!(answer(&run, asker, 3), Some(Reply::Taken));
}

#[test]
fn wait_takes_nothing_back() {
    let mut lab = Replicated { wait: 2, ..STORY }.lab();
    let asker = lab.asker(vec![(1_500, N1, claim(1)), (3_000, N1, look())]);
    lab.fault(1_000, None, isolate(&[N3]));
    let run = lab.run(4_000);
    assert_eq!(answer(&run, asker, 1), Some(Reply::TooFewHave));
    assert_eq!(run.asker(asker).answered_at(1), Some(2_502));
    assert_eq!(answer(&run, asker, 2), Some(Reply::Looked(true)));
    assert_eq!(redis(&run, N2).redis().keys().iter().count(), 1);
}

#[test]
fn min_replicas_refuses_writes_when_too_few_were_heard_of_lately() {
    let mut lab = Replicated { min_replicas: 2, ..STORY }.lab();
    let asker = lab.asker(vec![
        (1_500, N1, claim(1)),
        (4_000, N1, renew(1)), // n3 was heard of at 2 s: that is lately.
        (6_000, N1, renew(1)),
        (6_000, N1, look()),
        (10_000, N1, renew(1)),
    ]);
    lab.fault(2_500, Some(8_000), isolate(&[N3]));
    let run = lab.run(11_000);
    assert_eq!(token(&run, asker, 1), 15);
    assert_eq!(answer(&run, asker, 2), Some(Reply::Renewed(true)));
    assert_eq!(answer(&run, asker, 3), Some(Reply::Failed("too few replicas are there")));
    assert_eq!(answer(&run, asker, 4), Some(Reply::Looked(true)), "that is no write");
    assert_eq!(answer(&run, asker, 5), Some(Reply::Renewed(true)));
}

// --- With faults. ---

#[test]
fn a_failover_within_the_lag_forgets_the_lock_and_its_number() {
    for (dies, second, known) in [(1_550, 15, 0), (1_650, 16, 1)] {
        let mut lab = STORY.lab();
        let asker = lab.asker(vec![
            (1_500, N1, claim(1)),
            (6_900, N2, look()),
            (7_000, N2, renew(1)),
            (18_000, N2, claim(2)),
        ]);
        lab.fault(dies, None, crash(N1));
        let run = lab.run(19_000);
        assert_eq!(token(&run, asker, 1), 15);
        assert_eq!(token(&run, asker, 4), second, "the primary died at {dies}");
        assert_eq!(answer(&run, asker, 2), Some(Reply::Looked(known == 1)));
        assert_eq!(answer(&run, asker, 3), Some(Reply::Renewed(known == 1)));
        let knows: Vec<(u64, ProcessId, usize)> = run
            .notes()
            .filter_map(|(at, by, note)| match note {
                Note::CameUp { knows } => Some((at, by, knows.len())),
                _ => None,
            })
            .collect();
        // It heard of its primary at 1,001 or, of the change, at 1,602.
        assert_eq!(knows, [(if known == 0 { 6_001 } else { 6_602 }, N2, known)]);
    }
}

#[test]
fn the_next_in_the_list_waits_for_those_before_it() {
    let mut lab = STORY.lab();
    lab.fault(1_500, None, crash(N1));
    lab.fault(1_500, None, crash(N2));
    let mut run = lab.begin();
    run.until(7_900);
    assert!(!redis(&run, N3).is_primary());
    run.until(8_100);
    assert!(redis(&run, N3).is_primary(), "5 s and two pings behind 1,001");
}

#[test]
fn an_old_primary_serves_until_it_hears_of_the_new_one_and_then_forgets() {
    let mut lab = Replicated { durability: service::Durability::BeforeAnswer, ..STORY }.lab();
    let asker = lab.asker(vec![
        (1_500, N1, claim(1)),
        (7_000, N2, claim(2)),
        // Cut off from the others it renews what it alone knows, and counts on.
        (8_000, N1, renew(1)),
        (8_010, N1, release(1)),
        (8_020, N1, claim(3)),
        (12_000, N1, renew(3)),
        (12_000, N2, renew(2)),
    ]);
    lab.fault(1_550, Some(10_000), cut(&[N1], &[N2, N3]));
    let mut run = lab.begin();
    run.until(9_000);
    assert_eq!((token(&run, asker, 1), token(&run, asker, 2)), (15, 15));
    assert_eq!(answer(&run, asker, 3), Some(Reply::Renewed(true)));
    assert_eq!(token(&run, asker, 5), 16);
    assert_eq!([N1, N2, N3].map(|server| redis(&run, server).is_primary()), [true, true, false]);
    run.until(13_000);
    assert_eq!([N1, N2, N3].map(|server| redis(&run, server).is_primary()), [false, true, false]);
    assert_eq!(answer(&run, asker, 6), A_REPLICA);
    assert_eq!(answer(&run, asker, 7), Some(Reply::Renewed(true)));
    let keys =
        |server| redis(&run, server).redis().keys().iter().map(|(_, claim)| claim.value).collect::<Vec<_>>();
    assert_eq!((keys(N1), keys(N2), keys(N3)), (vec![2], vec![2], vec![2]));
    assert_eq!(run.count(N1, |note| matches!(note, Note::CameUp { knows } if knows.len() == 1)), 1);
}

#[test]
fn an_old_primary_that_is_back_goes_on_until_sentinel_has_seen_it_for_long_enough() {
    let mut lab = Replicated { demoted_after: s(8), ..STORY }.lab();
    let asker = lab.asker(vec![
        (1_500, N1, claim(1)),
        (12_500, N1, claim(2)), // n1 has expired the first; n2 never knew it.
        (12_500, N2, claim(3)),
        (19_500, N1, claim(4)),
    ]);
    lab.fault(1_550, Some(12_000), cut(&[N1], &[N2, N3]));
    let mut run = lab.begin();
    run.until(19_000);
    assert_eq!([N1, N2, N3].map(|server| redis(&run, server).is_primary()), [true, true, false]);
    assert_eq!((token(&run, asker, 2), token(&run, asker, 3)), (16, 15), "both grant");
    run.until(22_000);
    assert_eq!([N1, N2, N3].map(|server| redis(&run, server).is_primary()), [false, true, false]);
}

#[test]
fn a_cut_in_between_begins_the_old_primarys_time_anew() {
    let mut lab = Replicated { demoted_after: s(8), ..STORY }.lab();
    lab.fault(1_550, Some(12_000), cut(&[N1], &[N2, N3]));
    lab.fault(17_000, Some(24_000), cut(&[N1], &[N2, N3]));
    let mut run = lab.begin();
    run.until(31_500);
    assert!(redis(&run, N1).is_primary(), "it was away for longer than a server may be silent");
    run.until(34_500);
    assert!(!redis(&run, N1).is_primary());
}

#[test]
fn a_primary_that_restarts_empty_wipes_its_replicas() {
    let mut lab = STORY.lab();
    let asker = lab.asker(vec![(1_500, N1, claim(1)), (6_000, N1, claim(2))]);
    lab.fault(3_000, Some(4_000), crash(N1));
    let mut run = lab.begin();
    run.until(3_500);
    assert_eq!(redis(&run, N2).redis().keys().iter().count(), 1);
    run.until(5_500);
    assert_eq!(redis(&run, N1).redis().keys().iter().count(), 0);
    assert_eq!(redis(&run, N2).redis().keys().iter().count(), 0);
    assert_eq!(redis(&run, N3).redis().keys().iter().count(), 0);
    run.until(7_000);
    assert_eq!((token(&run, asker, 1), token(&run, asker, 2)), (15, 15), "the count is gone as well");
}

#[test]
fn a_primary_that_keeps_what_it_answered_restarts_with_it() {
    let mut lab = Replicated { durability: service::Durability::BeforeAnswer, ..STORY }.lab();
    let asker = lab.asker(vec![(1_500, N1, claim(1)), (6_000, N1, renew(1)), (17_000, N1, claim(2))]);
    lab.fault(1_550, Some(4_000), crash(N1));
    let run = lab.run(18_000);
    assert_eq!(answer(&run, asker, 2), Some(Reply::Renewed(true)));
    assert_eq!(token(&run, asker, 3), 16);
    assert_eq!(redis(&run, N2).offset(), redis(&run, N1).offset());
}

#[test]
fn a_state_that_was_overtaken_is_no_news() {
    // Every change is sent on at once, and takes up to half a second.
    let mut lab = Replicated { lag: Span::ZERO, jitter: ms(500), ..STORY }.lab();
    let asks = (0..200).map(|k| (2_000 + 10 * k, N1, claim_for(k, 5)));
    lab.asker(asks.collect());
    let mut run = lab.begin();
    let mut last = 0;
    for at in 2_000..5_000 {
        run.until(at);
        let offset = redis(&run, N2).offset();
        assert!(offset >= last, "back from {last} to {offset} at {at}");
        last = offset;
    }
    assert_eq!(last, redis(&run, N1).offset());
    assert!(last > 100);
}

#[test]
fn of_two_that_were_promoted_apart_the_first_in_the_list_stays() {
    let mut lab = STORY.lab();
    lab.fault(1_500, None, crash(N1));
    lab.fault(1_500, Some(12_000), cut(&[N2], &[N3]));
    let mut run = lab.begin();
    run.until(11_000);
    assert_eq!([N2, N3].map(|server| redis(&run, server).is_primary()), [true, true]);
    let sent = run.trace.records().len();
    run.until(15_000);
    assert_eq!([N2, N3].map(|server| redis(&run, server).is_primary()), [true, false]);
    assert!(run.trace.records().len() - sent < 200, "they do not answer each other for ever");
}

// --- Workers. ---

#[test]
fn who_is_told_that_too_few_have_its_key_deletes_it_and_tries_again() {
    let mut lab = Replicated { wait: 2, ..STORY }.lab();
    let patient = Policy { timeout: ms(1_500), ..POLICY };
    let worker = lab.worker(patient, &[(1_500, Do::Acquire)]);
    lab.fault(1_000, Some(4_000), isolate(&[N3]));
    let run = lab.run(8_000);
    let [(at, _)] = run.holds(worker)[..] else { panic!("{:?}", run.holds(worker)) };
    assert!((4_000..6_000).contains(&at), "{at}: its first key would have lived until 11.5 s");
    assert_eq!(run.freed().first(), Some(&(2_503, Freed::Released)));
}

#[test]
fn who_hears_nothing_has_its_claim_taken_back_by_whichever_server_has_it() {
    let mut lab = Replicated { wait: 2, ..STORY }.lab();
    // It gives up before WAIT does, and asks n2 and n3 before it comes back to n1.
    lab.worker(POLICY, &[(1_500, Do::Acquire)]);
    lab.fault(1_000, Some(4_000), isolate(&[N3]));
    let run = lab.run(8_000);
    assert!(matches!(run.freed().first(), Some((at, Freed::Released)) if *at < 3_000), "{:?}", run.freed());
}

#[test]
fn a_worker_holds_over_a_failover_that_loses_nothing() {
    let mut lab = STORY.lab();
    let first = lab.worker(POLICY, &[(500, Do::Acquire)]);
    lab.fault(3_700, None, crash(N1)); // Renewed at 3.5 s, which is sent on at 3.6.
    let run = lab.run(20_000);
    // From 8.6 s on n2 is the primary; its stop time is 3.5 + 8.
    assert_eq!(run.let_go(first), []);
    assert_eq!(run.holds(first).len(), 1);
}

#[test]
fn two_hold_when_a_failover_forgets_the_first() {
    let mut lab = STORY.lab();
    let first = lab.worker(POLICY, &[(1_500, Do::Acquire)]);
    let second = lab.worker(POLICY, &[(2_000, Do::Acquire)]);
    lab.fault(1_550, None, crash(N1));
    lab.fault(1_600, Some(9_000), pause(first));
    let run = lab.run(9_000);
    assert_eq!(run.holds(first), [(1_502, 15)]);
    let [(at, 15)] = run.holds(second)[..] else { panic!("{:?}", run.holds(second)) };
    assert!((6_000..9_000).contains(&at), "{at}: the first one's stop time is 9.5 s");
}
