//! What charts are drawn of: the billing story's figures, and clocks that are bent in every way.

use scenario::series::{Corner, LeaseLines, Side, clocks, leases, said_of_clocks, said_of_lease};
use scenario::{Document, Play, play, story};

fn billing(variant: Option<&str>) -> Play {
    let document = Document::parse(story("billing").unwrap().text).unwrap();
    let document = variant.map_or(document.clone(), |variant| document.with_variant(variant).unwrap());
    play(&document.scenario().unwrap())
}

/// To the millisecond: instants and values.
fn ms(corners: &[Corner]) -> Vec<(u64, i64)> {
    let round = |micros: i64| (micros + 500).div_euclid(1_000);
    corners.iter().map(|corner| (round(corner.at.as_micros() as i64) as u64, round(corner.micros))).collect()
}

fn of<'a>(all: &'a [LeaseLines], play: &Play, worker: &str) -> &'a LeaseLines {
    all.iter().find(|lines| play.name(lines.worker) == worker).unwrap()
}

fn left(side: &Side) -> Vec<(u64, i64)> {
    ms(&side.left)
}

fn apart(lines: &LeaseLines) -> Vec<(u64, u64, bool)> {
    let millis = |at: kernel::SimTime| (at.as_micros() + 500) / 1_000;
    let all = lines.apart.iter().map(|apart| (millis(apart.from), millis(apart.until), apart.believed));
    all.filter(|(from, until, _)| until > from).collect()
}

fn offsets(corners: &[Corner]) -> Vec<(u64, i64)> {
    let off: Vec<Corner> = corners.iter().map(|corner| corner.off_true()).collect();
    ms(&off)
}

#[test]
fn a_paused_holder_believes_on_and_its_own_clock_says_that_it_is_past_its_stop_time() {
    let play = billing(None);
    let all = leases(&play);
    let a = of(&all, &play, "A");
    assert_eq!(left(&a.beliefs[0]), [(0, 8_000), (3_000, 5_000), (3_000, 8_000), (19_000, -8_000)]);
    let record = a.record.as_ref().unwrap();
    assert_eq!(left(record), [(0, 10_000), (3_000, 7_000), (3_000, 10_000), (13_000, 0)]);
    assert_eq!(apart(a), [(13_000, 19_000, true)]);
    let stop = a.beliefs[0].limits.last().unwrap();
    assert_eq!((stop.reading + 500) / 1_000, 11_000);
    assert_eq!((stop.came.unwrap().as_micros() + 500) / 1_000, 11_000);
    assert_eq!(a.beliefs[0].limits[0].came, None, "the first stop time was put off before it came");
}

#[test]
fn a_dead_holder_s_lease_stays_on_record_until_it_runs_out() {
    let play = billing(None);
    let all = leases(&play);
    let b = of(&all, &play, "B");
    assert_eq!(left(b.record.as_ref().unwrap()).last(), Some(&(29_500, 0)));
    assert_eq!(left(&b.beliefs[0]).last(), Some(&(21_500, 6_000)));
    assert_eq!(apart(b), [(21_500, 29_500, false)]);
}

#[test]
fn a_new_leader_gives_a_lease_its_full_length_again_on_its_own_clock() {
    let play = billing(Some("c-dies"));
    let all = leases(&play);
    let c = of(&all, &play, "C");
    let record = c.record.as_ref().unwrap();
    assert_eq!(left(record)[left(record).len() - 3..], [(49_100, 7_100), (49_100, 10_000), (59_100, 0)]);
    let host = |limit: &scenario::series::Limit| play.cast.hosts[usize::from(limit.host.0)].to_string();
    let hosts: Vec<String> = record.limits.iter().map(host).collect();
    assert_eq!(hosts, ["n1", "n1", "n1", "n2"]);
    assert_eq!(apart(c), [(47_000, 59_100, false)]);
}

#[test]
fn a_step_of_the_wall_clock_moves_what_is_timed_on_it_and_nothing_else() {
    let play = billing(None);
    let b = &clocks(&play)[4];
    assert_eq!(&*b.name, "B");
    assert_eq!(offsets(&b.mono), [(0, 0), (16_000, 0), (60_000, 0)]);
    assert_eq!(offsets(&b.wall), [(0, 0), (16_000, 0), (16_000, -3_000), (60_000, -3_000)]);
    assert!(clocks(&play).iter().all(|host| host.are_true() == (host.name != b.name)));

    let play = billing(Some("wall-clock"));
    let all = leases(&play);
    let b = of(&all, &play, "B");
    let belief = &b.beliefs[0];
    assert_eq!(left(belief), [(13_500, 8_000), (16_000, 5_500), (16_000, 8_500), (24_500, 0)]);
    assert_eq!(left(b.record.as_ref().unwrap()), [(13_500, 10_000), (23_500, 0)]);
    assert_eq!(apart(b), [(23_500, 24_500, true)], "a second past the service's deadline");
}

const BENT: &str = r#"
version = 1
title   = "Clocks that are bent"
horizon = "20s"

[network]
delay = "20us"

[lock]
kind = "lab"
ttl  = "10s"

[[store]]
name = "disk"
kind = "unfenced"

[[host]]
name        = "W"
wall_offset = "2s"

[[worker]]
name    = "W"
program = [{ acquire = "job" }, { prepare = "15s" }, { release = "job" }]
renew   = { every = "9s" }

[[fault]]
id   = "sleep"
kind = "suspend"
on   = "W"
at   = "2s"
for  = "3s"

[[fault]]
id   = "fast"
kind = "clock-rate"
on   = "W"
at   = "8s"
for  = "2s"
ppm  = 500000
"#;

#[test]
fn suspension_stops_what_is_left_and_a_fast_clock_eats_it() {
    let play = play(&Document::parse(BENT).unwrap().scenario().unwrap());
    let w = clocks(&play).into_iter().find(|host| &*host.name == "W").unwrap();
    let behind = [(0, 0), (2_000, 0), (5_000, -3_000), (8_000, -3_000), (10_000, -2_000), (20_000, -2_000)];
    assert_eq!(offsets(&w.mono), behind);
    let all = leases(&play);
    let lines = of(&all, &play, "W");
    let belief = &lines.beliefs[0];
    let first = belief.left[0].micros;
    let spent = belief.left.iter().map(|corner| Corner { at: corner.at, micros: first - corner.micros });
    let spent = ms(&spent.collect::<Vec<_>>());
    assert_eq!(spent[..5], [(0, 0), (2_000, 2_000), (5_000, 2_000), (8_000, 5_000), (10_000, 8_000)]);
    // The authority's own clock is true: for it the lease is over at 10 s.
    assert_eq!(left(lines.record.as_ref().unwrap()).last(), Some(&(10_000, 0)));
    let said = said_of_clocks(&w);
    assert!(
        said.starts_with("monotonic clock −2 s off at the end, from −3 s to 0 s on the way; wall"),
        "{said}"
    );
}

#[test]
fn the_same_in_words() {
    let play = billing(None);
    let all = leases(&play);
    assert_eq!(
        said_of_lease(of(&all, &play, "A"), &play.cast),
        "token 7, believed in from 0 s to 19 s, to stop at 11 s on its own monotonic clock; on record from 0 s to 13 s, \
         with its deadline at 13 s on the monotonic clock of n1; believed in but not on record for 6 s, from 13 s to 19 s"
    );
    let said: Vec<String> = clocks(&play).iter().map(said_of_clocks).collect();
    assert_eq!(said[3], "both clocks true");
    assert_eq!(said[4], "monotonic clock true; wall clock −3 s off at the end, from −3 s to 0 s on the way");
}
