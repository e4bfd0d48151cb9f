//! Whatever the reader lets through plays to its end, or is broken off, without a panic; and twice alike.

use scenario::document::Document;
use scenario::{expect, play, report};

/// Draws that anybody can repeat: the seed is in every failure's message.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        // The multiplier is Knuth's, for MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
    fn one<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.below(among.len())]
    }
    fn maybe(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }
}

/// How many scenarios are composed.
const PLAYS: u64 = 200;

const SPANS: [&str; 10] = ["0s", "1us", "1ms", "20ms", "300ms", "1s", "2.5s", "7s", "15s", "1h"];
const SHORT: [&str; 5] = ["1ms", "20ms", "300ms", "1s", "2.5s"];
const WORKERS: [&str; 3] = ["A", "B", "C"];
const NODES: [&str; 5] = ["n1", "n2", "n3", "n4", "n5"];

const KINDS: [&str; 11] = [
    "unfenced",
    "fenced-row",
    "versioned-row",
    "s3-manifest",
    "external-api",
    "dynamodb",
    "stream",
    "id-generator",
    "kafka",
    "sql",
    "session-checked",
];

/// What a kind of store has, said in any way.
fn keys(draws: &mut Draws, kind: &str) -> String {
    let span = draws.one(&["0s", "1us", "300ms", "1h"]);
    match kind {
        "unfenced" | "fenced-row" => format!(
            "equal = \"{}\"\ncheck_gap = \"{}\"\nfence_lifetime = \"{}\"\n",
            draws.one(&["accepted", "rejected"]),
            draws.one(&["0s", "0s", "300ms"]),
            draws.one(&["1us", "1s", "1h"]),
        ),
        "s3-manifest" => format!("upload = \"{span}\"\nnonce = {}\n", draws.maybe(1, 2)),
        "external-api" => format!(
            "call = \"{span}\"\nidempotency = {{ keep = \"{}\", marker = \"{}\" }}\n",
            draws.one(&["1us", "5s", "10000h"]),
            draws.one(&["1us", "1s", "60s"]),
        ),
        "dynamodb" => {
            format!("transaction = \"{span}\"\nputs = \"{}\"\n", draws.one(&["overwrite", "if-absent"]))
        }
        "kafka" => format!(
            "transaction = \"{span}\"\npartitions = {}\nverify = {}\n",
            1 + draws.below(100),
            draws.maybe(1, 2)
        ),
        "sql" => format!("transaction = \"{span}\"\n"),
        "id-generator" => format!("last_timestamp = {}\n", draws.maybe(1, 2)),
        "versioned-row" | "session-checked" => format!("check_gap = \"{span}\"\n"),
        _ => String::new(),
    }
}

/// A scenario as somebody might compose it who tries everything.
fn compose(draws: &mut Draws) -> String {
    let nodes = 1 + draws.below(5);
    let quoted: Vec<String> = NODES[..nodes].iter().map(|node| format!("\"{node}\"")).collect();
    let mut text = format!(
        "version = 1\ntitle = \"Composed\"\nhorizon = \"{}\"\nseed = {}\n[network]\ndelay = \"{}\"\njitter = \"{}\"\nloss = \"{}\"\nduplicate = \"{}\"\n",
        draws.one(&["1ms", "5s", "20s", "30s"]),
        draws.below(1_000),
        draws.one(&["0s", "20us", "1ms", "50ms", "700ms"]),
        draws.one(&["0s", "1ms", "400ms"]),
        draws.one(&["0", "0", "5%", "1/2", "100%"]),
        draws.one(&["0", "0", "10%", "1"]),
    );
    text += &format!(
        "[lock]\nkind = \"etcd\"\nnodes = [{}]\nttl = \"{}\"\nleader = \"{}\"\ndisk = \"{}\"\nexpiry_check = \"{}\"\nsnapshot_every = {}\nreads = \"{}\"\npre_vote = {}\ncheck_quorum = {}\n",
        quoted.join(", "),
        draws.one(&["2s", "5s", "10s"]),
        draws.one(&["none", "n1"]),
        draws.one(&["0s", "1ms", "200ms", "3s"]),
        draws.one(&["0s", "500ms"]),
        draws.one(&["1", "7", "10000"]),
        draws.one(&["read-index", "lease", "check-quorum"]),
        draws.maybe(1, 2),
        draws.maybe(3, 4),
    );
    if draws.maybe(1, 3) {
        text += "checkpoint = { every = \"1s\" }\n";
    }
    for store in ["disk", "tape"] {
        let kind = draws.one(&KINDS);
        text += &format!(
            "[[store]]\nname = \"{store}\"\nkind = \"{kind}\"\ndisk = \"{}\"\nlock = \"job\"\n{}",
            draws.one(&["0s", "1ms", "2.5s"]),
            keys(draws, kind),
        );
    }
    // All stand in line, or none does.
    let waits: &[&str] =
        if draws.maybe(1, 2) { &["\"queue\""] } else { &["\"watch\"", "{ poll = \"300ms\" }"] };
    for worker in WORKERS {
        text += &format!(
            "[[worker]]\nname = \"{worker}\"\nhost = \"{}\"\nstart = \"{}\"\nmargin = \"{}\"\nwait = {}\nattach_token = {}\nwhen_unanswered = \"{}\"\nwhen_refused = \"{}\"\nwhen_lost = \"{}\"\nrenew = {{ every = \"{}\", timeout = \"{}\", retry = \"{}\", anchor = \"{}\", clock = \"{}\", give_up = \"{}\" }}\nprogram = [{}]\n",
            draws.one(&["A", "B", "C", "n1", "box"]),
            draws.one(&SPANS),
            draws.one(&["0s", "1ms", "1.5s"]),
            draws.one(waits),
            draws.maybe(4, 5),
            draws.one(&["resend", "look"]),
            draws.one(&["stop", "restart", "ignore"]),
            draws.one(&["stop", "restart", "ignore"]),
            draws.one(&["300ms", "1s"]),
            draws.one(&SHORT),
            draws.one(&SHORT),
            draws.one(&["sent", "received"]),
            draws.one(&["monotonic", "wall"]),
            draws.one(&["stop-time", "deadline", "first-error", "never"]),
            program(draws),
        );
    }
    text += &format!(
        "[[sweeper]]\nname = \"broom\"\nstore = \"disk\"\nlock = \"job\"\nevery = \"{}\"\n",
        draws.one(&["300ms", "2.5s"])
    );
    for id in 0..draws.below(5) {
        text += &fault(draws, id, nodes);
    }
    text
}

fn program(draws: &mut Draws) -> String {
    let mut steps = vec!["{ acquire = \"job\" }".to_owned()];
    for _ in 0..draws.below(8) {
        steps.push(step(draws, 0));
    }
    if draws.maybe(1, 2) {
        steps.push("{ release = \"job\" }".to_owned());
    }
    steps.join(", ")
}

fn step(draws: &mut Draws, depth: usize) -> String {
    let store = draws.one(&["disk", "tape"]);
    let span = draws.one(&SPANS);
    match draws.below(if depth < 2 { 14 } else { 12 }) {
        0 => "{ acquire = \"job\" }".to_owned(),
        1 => "{ release = \"job\" }".to_owned(),
        2 => "{ acquire = \"other\" }".to_owned(),
        3 => format!("{{ raise = \"{store}\" }}"),
        4 => format!("{{ read = \"{store}\" }}"),
        5 => format!("{{ take = \"{store}\", every = \"{}\" }}", draws.one(&SHORT)),
        6 => format!("{{ prepare = \"{span}\" }}"),
        7 => format!("{{ until = \"{span}\" }}"),
        8 => "{ check = \"stop-time\" }".to_owned(),
        9 => format!("{{ write = \"{store}\", effects = {} }}", draws.one(&["0", "1", "5000", "1000000000"])),
        10 => format!("{{ finish = \"{store}\" }}"),
        11 => "{ put = \"key\" }".to_owned(),
        12 => format!("{{ repeat = {}, steps = [{}] }}", 1 + draws.below(4), step(draws, depth + 1)),
        _ => format!(
            "{{ items = {}, steps = [{}, {{ write = \"{store}\" }}] }}",
            1 + draws.below(4),
            step(draws, depth + 1)
        ),
    }
}

fn fault(draws: &mut Draws, id: usize, nodes: usize) -> String {
    let kind = draws.one(&[
        "pause",
        "suspend",
        "crash",
        "wall-step",
        "clock-rate",
        "cut",
        "loss",
        "delay",
        "duplicate",
        "disk-stall",
        "disk-loss",
        "restore",
    ]);
    let at = match draws.below(3) {
        0 => format!(
            "{{ after = \"{}\", nth = {}, plus = \"{}\" }}",
            draws.one(&[
                "anyone acquires",
                "A checks",
                "disk accepts",
                "n1 grants",
                "anyone renews",
                "broom sees an orphan"
            ]),
            1 + draws.below(3),
            draws.one(&["0s", "1us", "300ms"]),
        ),
        _ => format!("\"{}\"", draws.one(&["0s", "1us", "300ms", "1s", "2.5s", "7s", "15s"])),
    };
    let mut text = format!("[[fault]]\nid = \"f{id}\"\nkind = \"{kind}\"\nat = {at}\n");
    if kind != "wall-step" && draws.maybe(3, 4) {
        text += &format!("for = \"{}\"\n", draws.one(&SPANS[1..]));
    }
    let node = NODES[draws.below(nodes)];
    let anybody = draws.one(&["A", "B", "C", "disk", "tape", "broom", "leader", "follower", "holder", node]);
    let keeper = draws.one(&["disk", "tape", "leader", "follower", node]);
    text + &match kind {
        "pause" => format!("on = \"{anybody}\"\ngap = \"{}\"\n", draws.one(&["before-input", "before-send"])),
        "suspend" => format!("on = \"{anybody}\"\nwall = \"{}\"\n", draws.one(&["catches-up", "keeps"])),
        "crash" => format!("on = \"{anybody}\"\nmanner = \"{}\"\n", draws.one(&["refused", "silent"])),
        "wall-step" => {
            format!("on = \"{anybody}\"\nby = \"{}\"\n", draws.one(&["-3s", "1us", "10000h", "-10000h"]))
        }
        "clock-rate" => {
            format!(
                "on = \"{anybody}\"\nppm = {}\n",
                draws.one(&["-900000", "-1", "0", "200", "1000000", "99000000"])
            )
        }
        "disk-stall" | "disk-loss" => format!("on = \"{keeper}\"\n"),
        "restore" => format!("on = [\"{keeper}\"]\ntaken = \"0s\"\n"),
        _ => {
            let to = draws.one(&["others", "lock", "stores", "workers", "n1", "holder"]);
            let more = match kind {
                "cut" => format!("manner = \"{}\"\n", draws.one(&["refused", "silent"])),
                "delay" => format!("extra = \"{}\"\n", draws.one(&SPANS)),
                _ => format!("chance = \"{}\"\n", draws.one(&["0", "1/3", "100%"])),
            };
            format!("from = \"{anybody}\"\nto = \"{to}\"\nboth_ways = {}\n{more}", draws.maybe(1, 2))
        }
    }
}

#[test]
fn composed_scenarios_play() {
    let (mut played, mut broken_off, mut panics) = (0, 0, Vec::new());
    for seed in 0..PLAYS {
        let text = compose(&mut Draws(seed * 1_000_003));
        let document =
            Document::parse(&text).unwrap_or_else(|problems| panic!("seed {seed}: {problems}\n{text}"));
        let Ok(scenario) = document.scenario() else { continue };
        let outcome = std::panic::catch_unwind(|| {
            let one = play(&scenario);
            // Whatever is said of a play can be said.
            let told =
                (report::table(&one).len(), report::markdown(&one, &[]).len(), expect::hold(&one).len());
            let view = one.view(one.horizon());
            assert_eq!(view.processes.len(), one.cast.members.len());
            (report::json(&one, &[], false), told, one.broken_off)
        });
        let Ok((json, _, broken)) = outcome else {
            panics.push((seed, text));
            continue;
        };
        played += 1;
        broken_off += u64::from(broken.is_some());
        if seed % 10 == 0 {
            assert_eq!(
                report::json(&play(&scenario), &[], false),
                json,
                "seed {seed} differs the second time\n{text}"
            );
        }
    }
    if let Some((seed, text)) = panics.first() {
        let seeds: Vec<u64> = panics.iter().map(|(seed, _)| *seed).collect();
        panic!("seeds {seeds:?} panic; seed {seed} is\n{text}");
    }
    assert!(played > PLAYS / 2, "too many are refused: {played} of {PLAYS} played");
    assert!(broken_off < played / 10, "{broken_off} of {played} were broken off");
}
