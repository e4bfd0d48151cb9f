//! What each kind of lock service promises holds in every one of many worlds that try to break it; what it does not promise
//! is found broken in some of as many. In all of them workers do everything right: they are never paused, count from before
//! they ask on a monotonic clock that runs true, and stop at their stop time.

use std::fmt::Write as _;

use kernel::{Rng, Span, Stream};
use scenario::{Document, Play, play};

const WORLDS: u64 = 60;

/// What is drawn beside the links' troubles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trouble {
    /// Nothing.
    Nothing,
    /// Servers crash and start again.
    Crashes,
    /// Servers' wall clocks are set.
    ServersClocks,
    /// Workers' wall clocks are off by up to 1.5 s, and are set by as much.
    WorkersClocks,
    /// Workers' clocks run at 0.6 to 2 times the rate.
    WorkersRates,
    /// Workers die, so that nobody releases.
    Deaths,
}

struct Draw {
    rng: Rng,
    text: String,
}

impl Draw {
    fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.rng.below(most - least + 1)
    }
    /// So many milliseconds around zero, at most.
    fn around(&mut self, most: u64) -> i64 {
        self.between(0, 2 * most) as i64 - most as i64
    }
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
    fn fault(&mut self, kind: &str, number: u64, more: &str) {
        let at = self.between(500, 25_000);
        self.line(&format!(
            "[[fault]]\nid = \"{kind}-{number}\"\nkind = \"{kind}\"\nat = \"{at}ms\"\n{more}"
        ));
    }

    fn trouble(&mut self, trouble: Trouble, nodes: u64, workers: u64) {
        // Five servers bear more than one does.
        for number in 0..self.between(1, 4) * if nodes > 1 { 5 } else { 1 } {
            let (node, worker) = (self.between(1, nodes), self.between(1, workers));
            let (span, step, clock) = (self.between(50, 1_500), self.around(8_000), self.around(1_500));
            let ppm = self.between(0, 1_400_000) as i64 - 400_000;
            match trouble {
                Trouble::Nothing => {}
                Trouble::Crashes => {
                    self.fault("crash", number, &format!("on = \"n{node}\"\nfor = \"{span}ms\""));
                }
                Trouble::ServersClocks => {
                    self.fault("wall-step", number, &format!("on = \"n{node}\"\nby = \"{step}ms\""));
                }
                Trouble::WorkersClocks => {
                    self.fault("wall-step", number, &format!("on = \"W{worker}\"\nby = \"{clock}ms\""));
                }
                Trouble::WorkersRates => {
                    self.fault("clock-rate", number, &format!("on = \"W{worker}\"\nppm = {ppm}"));
                }
                Trouble::Deaths => {
                    self.fault("crash", number, &format!("on = \"W{worker}\"\nfor = \"{span}ms\""));
                }
            }
        }
    }

    fn world(&mut self, seed: u64, lock: &str, trouble: Trouble) {
        let nodes = match lock {
            _ if lock.contains("redlock") => 5,
            _ if lock.contains("handover") || lock.contains("n3") => 3,
            _ => 1,
        };
        let workers = self.between(2, 4);
        let (delay, jitter) = (self.between(100, 20_000), self.between(0, 30));
        self.line(&format!("version = 1\ntitle = \"A promise\"\nhorizon = \"30s\"\nseed = {seed}"));
        self.line(&format!("[network]\ndelay = \"{delay}us\"\njitter = \"{jitter}ms\"\nloss = \"2%\""));
        if trouble == Trouble::WorkersClocks {
            for worker in 1..=workers {
                let offset = self.around(1_500);
                self.line(&format!("[[host]]\nname = \"W{worker}\"\nwall_offset = \"{offset}ms\""));
            }
        }
        self.line(&format!("[lock]\n{lock}"));
        for worker in 1..=workers {
            let (start, hold, rest) =
                (self.between(0, 3_000), self.between(200, 9_000), self.between(0, 2_000));
            let mut program = String::new();
            write!(
                program,
                "{{ repeat = 10, steps = [{{ acquire = \"job\" }}, {{ prepare = \"{hold}ms\" }}, \
                 {{ release = \"job\" }}, {{ prepare = \"{rest}ms\" }}] }}"
            )
            .expect("a string takes all that is written to it");
            self.line(&format!("[[worker]]\nname = \"W{worker}\"\nstart = \"{start}ms\""));
            self.line("renew = { timeout = \"300ms\" }\nwhen_lost = \"restart\"");
            self.line(&format!("program = [{program}]"));
        }
        // Every kind has to bear it that workers cannot reach the service.
        for number in 0..self.between(0, 6) {
            let (worker, span) = (self.between(1, workers), self.between(500, 8_000));
            let whom = format!("from = \"W{worker}\"\nto = \"lock\"\nfor = \"{span}ms\"");
            self.fault("cut", number, &whom);
        }
        self.trouble(trouble, nodes, workers);
    }
}

/// In how many of so many worlds with this lock and this trouble it is so.
fn count(lock: &str, trouble: Trouble, is_so: impl Fn(&Play) -> bool) -> u64 {
    let (mut found, mut held) = (0, 0);
    for seed in 0..WORLDS {
        let rng = Rng::new(Stream::new(seed, 7_003, trouble as u64));
        let mut draw = Draw { rng, text: String::new() };
        draw.world(seed, lock, trouble);
        let document =
            Document::parse(&draw.text).unwrap_or_else(|problems| panic!("{problems}\n{}", draw.text));
        let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}\n{}", draw.text));
        let play = play(&scenario);
        held += play.facts.beliefs.len();
        found += u64::from(is_so(&play));
    }
    assert!(held as u64 > WORLDS * 4, "{held} holders in all: hardly anybody, {trouble:?} with\n{lock}");
    found
}

fn two_hold(play: &Play) -> bool {
    play.verdict.overlap > Span::ZERO
}
fn a_token_comes_again(play: &Play) -> bool {
    play.verdict.token_regressions > 0
}
fn a_grant_is_forgotten(play: &Play) -> bool {
    play.verdict.lost_acks > 0
}

#[track_caller]
fn never(lock: &str, troubles: &[Trouble], is_so: impl Fn(&Play) -> bool + Copy) {
    for trouble in troubles {
        assert_eq!(count(lock, *trouble, is_so), 0, "{trouble:?} with\n{lock}");
    }
}

#[track_caller]
fn found(lock: &str, trouble: Trouble, is_so: impl Fn(&Play) -> bool) {
    let worlds = count(lock, trouble, is_so);
    println!("in {worlds} of {WORLDS} worlds: {trouble:?} with {lock:?}");
    assert!(worlds > 0, "not in {WORLDS} worlds: {trouble:?} with\n{lock}");
}

use Trouble::{Crashes, Deaths, Nothing, ServersClocks, WorkersClocks, WorkersRates};

#[test]
fn a_redis_grants_once_unless_its_clock_is_set_or_it_forgets() {
    let redis = |persistence: &str| {
        format!("kind = \"redis\"\nttl = \"4s\"\ntoken = \"counter\"\npersistence = \"{persistence}\"")
    };
    for kept in ["none", "everysec", "always"] {
        never(&redis(kept), &[Nothing, WorkersClocks, Deaths], two_hold);
        never(&redis(kept), &[Nothing, WorkersClocks, Deaths], a_token_comes_again);
    }
    never(&redis("always"), &[Crashes], two_hold);
    never(&redis("always"), &[Crashes, ServersClocks], a_token_comes_again);
    never(&redis("always"), &[Crashes], a_grant_is_forgotten);
    for forgets in ["none", "everysec"] {
        found(&redis(forgets), Crashes, two_hold);
        found(&redis(forgets), Crashes, a_token_comes_again);
        found(&redis(forgets), Crashes, a_grant_is_forgotten);
    }
    found(&redis("always"), ServersClocks, two_hold);
}

#[test]
fn redlock_grants_once_unless_clocks_are_set_or_servers_forget() {
    let redlock = |persistence: &str| {
        format!(
            "kind = \"redlock\"\nnodes = [\"n1\", \"n2\", \"n3\", \"n4\", \"n5\"]\nttl = \"4s\"\npersistence = \"{persistence}\""
        )
    };
    never(&redlock("none"), &[Nothing, WorkersClocks, Deaths], two_hold);
    never(&redlock("always"), &[Crashes], two_hold);
    found(&redlock("none"), Crashes, two_hold);
    found(&redlock("always"), ServersClocks, two_hold);
}

#[test]
fn a_row_grants_once_unless_the_servers_clock_is_set_and_counts_unless_it_is_deleted() {
    let row = |release: &str| format!("kind = \"postgres-row\"\nttl = \"4s\"\nrelease = \"{release}\"");
    for release in ["keep", "delete"] {
        never(&row(release), &[Nothing, Crashes, WorkersClocks, Deaths], two_hold);
        never(&row(release), &[Crashes], a_grant_is_forgotten);
        found(&row(release), ServersClocks, two_hold);
    }
    never(&row("keep"), &[Nothing, Crashes, ServersClocks, WorkersClocks, Deaths], a_token_comes_again);
    found(&row("delete"), Nothing, a_token_comes_again);
}

/// Clocks are off by 1.5 s at most, and are set by at most that four times: two of them differ by less than 15 s.
#[test]
fn an_item_grants_once_with_a_margin_above_the_offset_of_clocks() {
    let item = |more: &str| format!("kind = \"dynamodb-item\"\nttl = \"4s\"\n{more}");
    never(&item(""), &[Nothing, Crashes, ServersClocks, Deaths], two_hold);
    never(&item("clock_margin = \"15s\""), &[WorkersClocks], two_hold);
    found(&item(""), WorkersClocks, two_hold);
    found(&item("clock_margin = \"500ms\""), WorkersClocks, two_hold);
    never(&item(""), &[Nothing, Crashes, ServersClocks, WorkersClocks, Deaths], a_token_comes_again);
    found(&item("deleted_after = \"100ms\""), Deaths, a_token_comes_again);
}

#[test]
fn records_that_are_watched_grant_once_however_clocks_are_set_unless_they_run_wrong() {
    let kubernetes = "kind = \"kubernetes\"\nttl = \"4s\"\nretry = \"500ms\"";
    let lock_client = "kind = \"dynamodb-lock-client\"\nttl = \"4s\"";
    for lock in [kubernetes, lock_client] {
        let kept = [Nothing, Crashes, ServersClocks, WorkersClocks, Deaths];
        never(lock, &kept, two_hold);
        never(lock, &kept, a_token_comes_again);
        never(lock, &kept, a_grant_is_forgotten);
        found(lock, WorkersRates, two_hold);
    }
}

#[test]
fn a_lab_grants_once_until_its_process_ends() {
    let lab = "kind = \"lab\"\nttl = \"4s\"";
    let kept = [Nothing, ServersClocks, WorkersClocks, Deaths];
    never(lab, &kept, two_hold);
    never(lab, &kept, a_token_comes_again);
    found(lab, Crashes, two_hold);
    found(lab, Crashes, a_token_comes_again);
}

#[test]
fn a_connection_grants_once_until_it_is_thought_dead_or_is_the_poolers() {
    let advisory = |more: &str| format!("kind = \"postgres-advisory\"\n{more}");
    // Links lose messages and are cut for 8 s at most: keepalive that bears more than that ends no holder's connection.
    let patient = "keepalives_idle = \"2s\"\nkeepalives_interval = \"4s\"\nkeepalives_count = 3";
    let pooled = format!("{patient}\npooler = \"transaction\"");
    let kept = [Nothing, ServersClocks, WorkersClocks, WorkersRates, Deaths];
    for safe in [patient.to_owned(), format!("{pooled}\nscope = \"transaction\"")] {
        never(&advisory(&safe), &kept, two_hold);
        never(&advisory(&safe), &kept, a_grant_is_forgotten);
        found(&advisory(&safe), Crashes, two_hold);
        found(&advisory(&safe), Crashes, a_grant_is_forgotten);
    }
    found(&advisory(&pooled), Nothing, two_hold);
    let impatient = "keepalives_idle = \"500ms\"\nkeepalives_interval = \"200ms\"\nkeepalives_count = 3";
    found(&advisory(impatient), Nothing, two_hold);
}

#[test]
fn without_a_lock_two_hold_in_every_world() {
    let worlds = (0..WORLDS).filter(|seed| {
        let text = format!(
            "version = 1\ntitle = \"None\"\nhorizon = \"20s\"\nseed = {seed}\n[lock]\nkind = \"none\"\n\
             [[worker]]\nname = \"W1\"\nprogram = [{{ acquire = \"job\" }}, {{ prepare = \"5s\" }}, {{ release = \"job\" }}]\n\
             [[worker]]\nname = \"W2\"\nlike = \"W1\"\nstart = \"{}ms\"",
            seed * 80
        );
        let document = Document::parse(&text).unwrap_or_else(|problems| panic!("{problems}"));
        two_hold(&play(&document.scenario().unwrap_or_else(|problems| panic!("{problems}"))))
    });
    assert_eq!(worlds.count() as u64, WORLDS);
}

#[test]
fn a_single_writer_is_handed_over_without_overlap_unless_the_wait_is_too_short() {
    let patient =
        "kind = \"handover\"\nnodes = [\"n1\", \"n2\", \"n3\"]\nttl = \"1500ms\"\nwait = \"1600ms\"";
    let impatient =
        "kind = \"handover\"\nnodes = [\"n1\", \"n2\", \"n3\"]\nttl = \"1500ms\"\nwait = \"700ms\"";
    never(patient, &[Nothing, Crashes, ServersClocks, WorkersClocks, Deaths], two_hold);
    never(patient, &[Nothing, Crashes, ServersClocks, WorkersClocks, Deaths], a_token_comes_again);
    found(impatient, Nothing, two_hold);
}

#[test]
fn a_felix_grants_once_on_a_quorum_loses_claims_with_a_leader_and_repeats_versions_in_memory() {
    let felix = |more: &str| format!("kind = \"felix\"\nttl = \"4s\"\n{more}");
    let quorum = felix("nodes = [\"n1\", \"n2\", \"n3\"]");
    never(&quorum, &[Nothing, Crashes, WorkersClocks, Deaths], two_hold);
    never(&quorum, &[Nothing, Crashes, ServersClocks, Deaths], a_token_comes_again);
    never(&quorum, &[Crashes], a_grant_is_forgotten);
    let leader = felix("nodes = [\"n1\", \"n2\", \"n3\"]\nconsistency = \"leader\"\nlag = \"500ms\"");
    never(&leader, &[Nothing, Deaths], two_hold);
    found(&leader, Crashes, two_hold);
    found(&leader, Crashes, a_grant_is_forgotten);
    let memory = felix("nodes = [\"n1\"]\nconsistency = \"memory\"");
    never(&memory, &[Nothing, Crashes, ServersClocks, Deaths], a_token_comes_again);
    found(&memory, Crashes, two_hold);
}
