//! Documents of the right shape that make no sense: each case sets something in one that does, and holds the complaint.

use document::Document;

const TEXT: &str = r#"
version = 1
title = "Checks"
horizon = "30s"
lock = { kind = "etcd", nodes = ["n1", "n2", "n3"], ttl = "10s" }
store = [{ name = "disk", kind = "fenced-row" }]
sweeper = [{ name = "broom", store = "disk", every = "10s", host = "box" }]
worker = [
  { name = "A", margin = "2s", renew = { every = "3s" }, program = [{ acquire = "job" }, { raise = "disk" }, { repeat = 3, steps = [{ check = "stop-time" }, { write = "disk" }] }, { release = "job" }] },
  { name = "B", like = "A" },
]
fault = [
  { id = "gc", kind = "pause", on = "A", at = "4s", for = "1s" },
  { id = "split", kind = "cut", from = "leader", to = "others", at = "5s" },
  { id = "back", kind = "restore", on = ["n1", "n2"], at = "6s", for = "1s", taken = "2s" },
  { id = "step", kind = "wall-step", on = "box", at = "7s", by = "-3s" },
  { id = "fast", kind = "clock-rate", on = "follower", at = { after = "anyone acquires" }, ppm = 200 },
]
expect = [{ write = { store = "disk", worker = "A" } }, { event = { process = "n1" } }]
"#;

fn with(sets: &[(&str, &str)]) -> Document {
    let mut document = Document::parse(TEXT).unwrap_or_else(|problems| panic!("{problems}"));
    for (path, value) in sets {
        document.set(path, value).unwrap_or_else(|problem| panic!("{problem}"));
    }
    document
}

/// Holds that after the changes this, and nothing else, is wrong.
fn check(sets: &[(&str, &str)], expected: &str) {
    let problems = with(sets).scenario().expect_err(expected).0;
    let told: Vec<String> =
        problems.into_iter().map(|problem| document::Problem { line: None, ..problem }.to_string()).collect();
    assert_eq!(told.join("\n"), expected, "{sets:?}");
}

fn fine(sets: &[(&str, &str)]) {
    if let Err(problems) = with(sets).scenario() {
        panic!("{problems} after {sets:?}");
    }
}

#[test]
fn a_look_at_a_journal_is_refused_where_it_would_be_one() {
    let two = (
        "store",
        "[{ name = \"disk\", kind = \"fenced-row\", lock = \"job\" }, { name = \"log\", kind = \"journal\", lock = \"job\" }]",
    );
    let logs = ("worker.B.program", "[{ acquire = \"job\" }, { raise = \"log\" }]");
    let looks = |worker: &str| (format!("worker.{worker}.when_unanswered"), "\"look\"");
    let (a, b) = (looks("A"), looks("B"));
    let (a, b) = ((a.0.as_str(), a.1), (b.0.as_str(), b.1));
    // A writes no journal; B does, and is like A in what it does when nobody answers.
    fine(&[two, a]);
    fine(&[two, logs]);
    for looks in [a, b] {
        check(
            &[two, logs, looks],
            "worker.B.when_unanswered: a look at the journal `log` does not tell whether a majority has an entry; leave it out: a journal's writer sends the same entry again",
        );
    }
}

#[test]
fn plain_keys_are_etcds() {
    let puts = ("worker.B.program", "[{ acquire = \"job\" }, { put = \"a\" }]");
    fine(&[puts]);
    check(
        &[puts, ("lock.kind", "consul")],
        "worker.B.program.1.put: plain keys are played for etcd and not for consul; leave this step out, or take `lock.kind = \"etcd\"`",
    );
}

#[test]
fn what_makes_sense_is_fine() {
    fine(&[]);
    fine(&[("lock.leader", "none")]);
    fine(&[("lock.expiry_check", "0s"), ("lock.disk", "3ms"), ("lock.checkpoint", "{ every = \"1s\" }")]);
    fine(&[("worker.A.renew", "{ every = \"20s\", give_up = \"never\" }")]);
    fine(&[("fault.gc.at", "40s"), ("fault.gc.enabled", "false")]);
    fine(&[("fault.gc.at", "{ after = \"broom sees an orphan\", nth = 3 }")]);
    fine(&[
        ("fault.gc.at", "{ after = \"holder writes\" }"),
        ("fault.split.at", "{ after = \"leader grants\" }"),
    ]);
    fine(&[("worker.B.host", "A"), ("host.A.drift_ppm", "50"), ("host.box.wall_offset", "-3s")]);
}

/// Each kind of lock service has its own ranges, and says them; another kind drops what was said of the old one.
#[test]
fn a_lock_service_takes_what_its_kind_takes() {
    for kind in document::model::KINDS {
        if kind.name != "none" {
            fine(&[("lock.kind", kind.name), ("fault.back.on", "[\"n1\"]")]);
        }
    }
    let kind = |kind: &'static str| [("lock.kind", kind), ("fault.back.on", "[\"n1\"]")];
    let refused = |name: &'static str, set: (&'static str, &'static str), expected: &str| {
        let [kind, back] = kind(name);
        check(&[kind, back, ("worker.A.margin", "0"), ("worker.A.renew", "{}"), set], expected);
    };
    refused("consul", ("lock.ttl", "5s"), "lock.ttl: consul takes from 10s to 86400s, not 5s");
    refused(
        "hazelcast",
        ("lock.ttl", "900ms"),
        "lock.ttl: hazelcast takes 1s or more, not 900ms\nlock.session_heartbeat: hazelcast wants less than the ttl, 900ms, not 5s",
    );
    refused(
        "hazelcast",
        ("lock.session_heartbeat", "10s"),
        "lock.session_heartbeat: hazelcast wants less than the ttl, 10s, not 10s",
    );
    refused("consul", ("lock.lock_delay", "61s"), "lock.lock_delay: consul takes at most 60s, not 61s");
    refused("chubby", ("lock.lock_delay", "61s"), "lock.lock_delay: chubby takes at most 60s, not 61s");
    refused("chubby", ("lock.ttl", "61s"), "lock.ttl: chubby takes from 1s to 60s, not 61s");
    refused("chubby", ("lock.ttl", "900ms"), "lock.ttl: chubby takes from 1s to 60s, not 900ms");
    refused(
        "chubby",
        ("lock.answer_before", "10s"),
        "lock.answer_before: chubby wants less than the ttl, 10s, not 10s",
    );
    refused("chubby", ("lock.grace", "2h"), "lock.grace: 7200s is too long: at most 3600s");
    refused("chubby", ("lock.epoch", "0"), "lock.epoch: 0 is out of range: from 1 to below 9007199254740992");
    refused("chubby", ("lock.leader", "n9"), "lock.leader: there is no node `n9`; did you mean `n1`?");
    refused(
        "chubby",
        ("worker.A.margin", "3s"),
        "worker.A.margin: a margin of 3s puts its session in jeopardy before each extension: the master answers 2.5s before a lease ends (`lock.answer_before`); make the margin shorter, or let the master answer earlier",
    );
    refused(
        "chubby",
        ("worker.A.wait", "queue"),
        "worker.A.wait: chubby has no line to stand in; watch: `wait = \"watch\"`, which is usual with it",
    );
    refused(
        "kubernetes",
        ("lock.ttl", "500ms"),
        "lock.ttl: kubernetes takes 1s or more, not 500ms\nlock.ttl: 500ms is no whole number of seconds: `leaseDurationSeconds` is one",
    );
    refused(
        "kubernetes",
        ("lock.retry", "9s"),
        "lock.retry: client-go wants RenewDeadline above 1.2 times RetryPeriod, 10.8s: of a lease of 10s it has 1s; make the lease longer (`lock.ttl`) or this shorter",
    );
    refused("redis", ("lock.nodes", "[\"n1\", \"n2\"]"), "lock.nodes: redis has one node, not 2");
    refused("redis-replicated", ("lock.wait", "9"), "lock.wait: 9 replicas are wanted, and there are 2");
    refused(
        "redis",
        ("worker.A.wait", "queue"),
        "worker.A.wait: redis has no line to stand in and nothing to watch; try again and again: `wait = { poll = \"200ms\" }`, which is usual with it",
    );
    refused(
        "consul",
        ("worker.A.wait", "queue"),
        "worker.A.wait: consul has no line to stand in; watch: `wait = \"watch\"`, which is usual with it",
    );
    let felix = |sets: &[(&'static str, &'static str)], expected: &str| {
        let [kind, back] = kind("felix");
        check(
            &[[kind, back, ("worker.A.margin", "0"), ("worker.A.renew", "{}")].as_slice(), sets].concat(),
            expected,
        );
    };
    let memory = ("lock.consistency", "memory");
    felix(&[memory], "lock.nodes: felix has one node, not 3");
    felix(
        &[memory, ("lock.nodes", "[\"n1\"]"), ("worker.A.wait", "watch")],
        "worker.A.wait: felix has no line to stand in and nothing to watch; try again and again: `wait = { poll = \"1s\" }`, which is usual with it",
    );
    felix(
        &[("lock.consistency", "leader"), ("lock.lease_free_reads", "true")],
        "lock.lease_free_reads: only a quorum's reads ask a majority: `consistency = \"quorum\"`",
    );
    felix(
        &[("lock.consistency", "majority")],
        "lock.consistency: there is no `majority` here; there are `quorum`, `leader` and `memory`",
    );
    // A ZooKeeper refuses no timeout: it gives from 2 to 20 ticks of 2 s.
    let [zookeeper, back] = kind("zookeeper");
    fine(&[zookeeper, back, ("lock.ttl", "100ms"), ("worker.A.margin", "3s")]);
    check(
        &[zookeeper, back, ("lock.ttl", "100ms"), ("worker.A.margin", "4s")],
        "worker.A.margin: a margin of 4s leaves nothing of a lease of 4s (what zookeeper makes of `lock.ttl`); make the margin shorter or the lease longer",
    );
}

#[test]
fn numbers_have_limits() {
    check(&[("version", "2")], "version: there is no version 2 of this format: write 1");
    check(&[("title", "")], "title: a title is wanted here");
    check(&[("seed", "9007199254740992")], "seed: 9007199254740992 is too large: below 9007199254740992");
    let ten: Vec<String> = (1..11).map(|i| format!("\"n{i}\"")).collect();
    check(&[("lock.nodes", &format!("[{}]", ten.join(",")))], "lock.nodes: etcd has 1 to 9 nodes, not 10");
    check(&[("lock.term", "0")], "lock.term: 0 is out of range: from 1 to below 9007199254740992");
    check(
        &[("lock.ttl", "10us"), ("worker.A.margin", "0")],
        "lock.ttl: 10us is too short: at least 1ms\nworker.A.renew.every: a renewal every 3s comes too late for a lease of 2s (what etcd makes of `lock.ttl`)",
    );
    check(&[("lock.heartbeat", "1us")], "lock.heartbeat: 1us is too short: at least 1ms");
    check(
        &[("network.delay", "2h")],
        "network.delay: 2h is too long: at most 3600s".replace("2h", "7200s").as_str(),
    );
    check(
        &[("worker.A.program.2.repeat", "0")],
        "worker.A.program.2.repeat: 0 is out of range: from 1 to 10000",
    );
    check(
        &[("worker.A.program.2.repeat", "10001")],
        "worker.A.program.2.repeat: 10001 is out of range: from 1 to 10000",
    );
    check(
        &[("worker.A.program.2.steps.1.effects", "1000000001")],
        "worker.A.program.2.steps.1.effects: 1000000001 are too many: at most 1000000000",
    );
    check(
        &[("fault.fast.ppm", "-900001")],
        "fault.fast.ppm: a clock's rate is off by -900000 to 99000000 parts per million, not -900001",
    );
    check(
        &[("host.A.drift_ppm", "99000001")],
        "host.A.drift_ppm: a clock's rate is off by -900000 to 99000000 parts per million, not 99000001",
    );
    check(&[("fault.fast.at.nth", "0")], "fault.fast.at.nth: 0 is out of range: from 1 to 1000000");
    let many: Vec<String> = (0..33).map(|i| format!("{{ name = \"w{i}\", like = \"A\" }}")).collect();
    let all = format!("[{{ name = \"A\", program = [{{ acquire = \"job\" }}] }}, {}]", many.join(", "));
    check(&[("worker", &all)], "worker: 34 are too many: at most 32");
}

#[test]
fn settings_do_not_contradict_each_other() {
    check(
        &[("lock.ttl", "2s"), ("worker.A.renew.every", "1s")],
        "worker.A.margin: a margin of 2s leaves nothing of a lease of 2s (`lock.ttl`); \
         make the margin shorter or the lease longer",
    );
    check(
        &[("worker.A.renew.every", "10s")],
        "worker.A.renew.every: a renewal every 10s comes too late for a lease of 10s (`lock.ttl`)",
    );
    check(
        &[("lock.heartbeat", "600ms")],
        "lock.heartbeat: an election timeout of 1s is shorter than two heartbeats of 600ms: nobody would lead for long",
    );
    check(&[("fault.gc.at", "31s")], "fault.gc.at: it never strikes at 31s: the play ends at 30s");
    check(&[("fault.gc.for", "0s")], "fault.gc.for: it lasts no time; leave `for` out for one that lasts");
    check(&[("fault.step.for", "1s")], "fault.step.for: a wall step is an instant: leave `for` out");
    check(&[("fault.back.taken", "6s")], "fault.back.taken: a backup taken at 6s is not there yet at 6s");
    check(&[("fault.split.from", "others")], "fault.split.to: \"others\" at both ends names nobody");
}

#[test]
fn names_are_names_and_belong_to_one() {
    check(
        &[("worker.B.name", "A")],
        "worker.A.name: two are called `A`, and each is a worker; every process has a name of its own",
    );
    check(
        &[("worker.B.name", "n2")],
        "worker.n2.name: `n2` is already a member of the lock service, and this is a worker; \
         every process has a name of its own",
    );
    check(
        &[("lock.nodes", "[\"n1\", \"n2\", \"n2\"]")],
        "lock.nodes.2: two are called `n2`, and each is a member of the lock service; every process has a name of its own",
    );
    check(
        &[("worker.B.name", "leader")],
        "worker.leader.name: `leader` means something else in a document: take another name",
    );
    check(
        &[("worker.B.name", "B B")],
        "worker.B B.name: \"B B\" is no name: a name has letters, digits, `-`, `_` and `.`",
    );
    check(&[("worker.B.name", "")], "worker.1.name: a name is wanted here");
    let long = "b".repeat(33);
    check(&[("worker.B.name", &long)], &format!("worker.{long}.name: a name has at most 32 characters"));
    check(&[("fault.split.id", "gc")], "fault.gc.id: there are two faults `gc`");
}

#[test]
fn everybody_who_is_named_is_there() {
    check(&[("lock.leader", "n4")], "lock.leader: there is no node `n4`; did you mean `n1`?");
    check(&[("worker.B.like", "C")], "worker.B.like: there is no worker `C`; there is only `A`");
    check(
        &[("worker.A.program.0.acquire", "jbo")],
        "worker.A.program.3.release: it acquires no lock `job`; did you mean `jbo`?",
    );
    check(
        &[("worker.A.program.1.raise", "dsik")],
        "worker.A.program.1.raise: there is no store `dsik`; did you mean `disk`?",
    );
    check(
        &[("worker.A.program.1.raise", "n1")],
        "worker.A.program.1.raise: `n1` is a member of the lock service, and a store is wanted here; there is only `disk`",
    );
    check(
        &[("sweeper.broom.store", "disc")],
        "sweeper.broom.store: there is no store `disc`; did you mean `disk`?",
    );
    check(
        &[("sweeper.broom.lock", "jobs")],
        "sweeper.broom.lock: no worker acquires a lock `jobs`; did you mean `job`?",
    );
    check(
        &[("store.disk.lock", "jobs")],
        "store.disk.lock: no worker acquires a lock `jobs`; did you mean `job`?",
    );
    check(
        &[("host.C.wall_offset", "3s")],
        "host.C.name: nothing runs on a host `C`; there are `n1`, `n2`, `n3`, `disk`, `A`, `B` and `box`",
    );
    check(
        &[("host.broom.wall_offset", "3s")],
        "host.broom.name: `broom` runs on the host `box`; name that: `box`",
    );
    check(&[("fault.gc.on", "n11")], "fault.gc.on: there is no `n11` to strike; did you mean `n1`?");
    check(
        &[("fault.gc.on", "box")],
        "fault.gc.on: `box` is a host, and a process is wanted here; a `suspend` strikes all of `box`",
    );
    check(
        &[("fault.back.on", "[\"n1\", \"A\"]")],
        "fault.back.on.1: `A` is a worker, and keeps nothing on a disk",
    );
    check(
        &[("fault.split.from", "laeder")],
        "fault.split.from: there is no process or host `laeder`; did you mean `leader`?",
    );
    check(
        &[("network.link", "[{ from = \"leader\", to = \"A\" }]")],
        "network.link.0.from: `leader` is found when a fault strikes; a link names a process or a host",
    );
    check(
        &[("fault.fast.at", "{ after = \"anyone aquires\" }")],
        "fault.fast.at.after: nothing waits for \"aquires\"; did you mean `acquires`?",
    );
    check(
        &[("fault.fast.at", "{ after = \"n1 acquires\" }")],
        "fault.fast.at.after: `n1` is a member of the lock service, and \"acquires\" is what a worker does",
    );
    check(
        &[("fault.fast.at", "{ after = \"n7 campaigns\" }")],
        "fault.fast.at.after: there is no process `n7` to wait for; did you mean `n1`?",
    );
    check(
        &[("fault.fast.at", "{ after = \"holder campaigns\" }")],
        "fault.fast.at.after: a holder is a worker, and \"campaigns\" is what a member of the lock service does",
    );
    check(
        &[("expect.0.write.worker", "disk")],
        "expect.0.write.worker: `disk` is a store, and a worker is wanted here; there are `A` and `B`",
    );
    check(
        &[("expect.1.event", "{ process = \"n9\" }")],
        "expect.1.event.process: there is no process `n9`; did you mean `n1`?",
    );
    check(
        &[("expect.1.event", "{ kind = \"acquried\" }")],
        "expect.1.event.kind: there is no `acquried` here; did you mean `acquired`?",
    );
    check(
        &[("expect", "[{}]")],
        "expect.0: it expects nothing: name a `verdict`, `grant`, `write` or `event`",
    );
}

#[test]
fn programs_come_to_an_end() {
    check(&[("worker.B", "{ name = \"B\", program = [] }")], "worker.B.program: there is no step in it");
    check(
        &[("worker.B", "{ name = \"B\" }")],
        "worker.B: it has nothing to do; give it a `program`, or say whom it is `like`",
    );
    check(
        &[("worker.B", "{ name = \"B\", program = [{ items = 3, steps = [{ read = \"disk\" }] }] }")],
        "worker.B.program.0.steps: none of these steps writes an item, so that they would never end",
    );
    check(
        &[("worker.B", "{ name = \"B\", program = [{ check = \"stop-time\" }] }")],
        "worker.B.program.0.check: this compares its clock with the stop time of a lock, and the program acquires none",
    );
    let mut nested = "{ prepare = \"1s\" }".to_owned();
    for _ in 0..9 {
        nested = format!("{{ repeat = 1, steps = [{nested}] }}");
    }
    let worker = format!("{{ name = \"B\", program = [{nested}] }}");
    let path = format!("worker.B.program{}", ".0.steps".repeat(9));
    check(&[("worker.B", &worker)], &format!("{path}: repetitions are nested deeper than 8"));
    let locks: Vec<String> = (0..5).map(|i| format!("{{ acquire = \"l{i}\" }}")).collect();
    let worker = format!("{{ name = \"B\", program = [{}] }}", locks.join(", "));
    check(
        &[("worker.B", &worker), ("store.disk.lock", "job"), ("sweeper.broom.lock", "job")],
        "worker.B.program: it acquires 5 locks: at most 4",
    );
    check(
        &[("worker.B", "{ name = \"B\", program = [{ acquire = \"other\" }] }")],
        "store.disk: workers acquire `job` and `other`, and one of them protects this store; say which with `lock`",
    );
    let steps = vec!["{ prepare = \"1ms\" }"; 257].join(", ");
    let worker = format!("{{ name = \"B\", program = [{steps}] }}");
    check(&[("worker.B", &worker)], "worker.B.program: 257 steps are too many: at most 256");
}

#[test]
fn enormous_plays_are_refused_before_they_begin() {
    let refused = |sets: &[(&str, &str)], path: &str| {
        let problems = with(sets).scenario().expect_err(path);
        let told = problems.to_string();
        assert!(problems.0[0].path == path && told.contains("the play would take about"), "{told}");
    };
    refused(&[("horizon", "1h"), ("lock.heartbeat", "1ms")], "lock.heartbeat");
    refused(&[("horizon", "1h"), ("worker.A.wait", "{ poll = \"1ms\" }")], "worker.A.wait.poll");
    refused(&[("horizon", "1h"), ("worker.A.store_timeout", "1ms")], "worker.A.store_timeout");
    refused(&[("fault.fast.ppm", "99000000"), ("lock.heartbeat", "3ms")], "lock.heartbeat");
    let work = |step: &str| {
        format!(
            "{{ name = \"B\", program = [{{ repeat = 10000, steps = [{{ repeat = 10000, steps = [{step}] }}] }}] }}"
        )
    };
    let write = work("{ write = \"disk\" }");
    refused(&[("worker.B", &write), ("network.delay", "0s")], "worker.B.program");
    refused(
        &[("worker.B", &work("{ check = \"stop-time\" }, { acquire = \"job\" }")), ("network.delay", "10us")],
        "worker.B.program",
    );
    // What takes its time goes on for as long as the play does, and no longer.
    fine(&[("worker.B", &write)]);
    fine(&[("worker.B", &work("{ prepare = \"10ms\" }, { write = \"disk\" }")), ("network.delay", "0s")]);
    fine(&[("worker.B", &work("{ take = \"disk\", every = \"100ms\" }"))]);
    fine(&[("horizon", "1h")]);

    check(&[("horizon", "2h")], "horizon: 7200s is too long: at most 3600s");
    check(&[("horizon", "0s"), ("fault", "[]")], "horizon: a play of no length shows nothing");
}

/// A line and a lock's own key are two recipes: on a real etcd, each of the two workers would hold the lock.
#[test]
fn those_who_take_a_lock_wait_alike() {
    check(
        &[("worker.B.wait", "\"watch\"")],
        "worker.B.wait: A stands in line for `job` and B does not: two recipes, which do not see each other; let all that \
         take a lock wait by `queue`, or none",
    );
    fine(&[("worker.A.wait", "{ poll = \"1s\" }"), ("worker.B.wait", "\"watch\"")]);
    fine(&[("worker.B.wait", "\"queue\"")]);
}

/// A key that a store's kind does not have would do nothing, and whoever wrote it expects something of it.
#[test]
fn a_store_has_only_what_its_kind_has() {
    check(
        &[("store.disk.nonce", "true")],
        "store.disk.nonce: a store of kind `fenced-row` has no `nonce`; only `s3-manifest` has it",
    );
    check(
        &[("store.disk.kind", "stream"), ("store.disk.equal", "rejected")],
        "store.disk.equal: a store of kind `stream` has no `equal`; `fenced-row`, `sql`, `dynamodb` and `unfenced` have it",
    );
    check(
        &[("store.disk.kind", "external-api"), ("store.disk.transaction", "5ms")],
        "store.disk.transaction: a store of kind `external-api` has no `transaction`; `sql`, `dynamodb` and `kafka` have it",
    );
    for (kind, key, value) in [
        ("sql", "check_gap", "5ms"),
        ("dynamodb", "fence_lifetime", "5s"),
        ("fenced-row", "upload", "5ms"),
        ("kafka", "idempotency", "{ keep = \"24h\" }"),
        ("s3-manifest", "call", "5ms"),
        ("sql", "puts", "if-absent"),
        ("unfenced", "last_timestamp", "true"),
        ("stream", "partitions", "3"),
        ("versioned-row", "verify", "true"),
        ("session-checked", "equal", "rejected"),
    ] {
        let problems = with(&[("store.disk.kind", kind), (&format!("store.disk.{key}"), value)]).scenario();
        let problems = problems.expect_err("it is refused").to_string();
        assert!(problems.contains(&format!("a store of kind `{kind}` has no `{key}`")), "{problems}");
    }
    for (kind, key, value) in [
        ("unfenced", "equal", "rejected"),
        ("unfenced", "check_gap", "5ms"),
        ("unfenced", "fence_lifetime", "5s"),
        ("versioned-row", "check_gap", "5ms"),
        ("session-checked", "check_gap", "5ms"),
        ("external-api", "idempotency", "{ keep = \"24h\", marker = \"60s\" }"),
        ("kafka", "partitions", "100"),
    ] {
        fine(&[("store.disk.kind", kind), (&format!("store.disk.{key}"), value)]);
    }
    check(
        &[("store.disk.kind", "external-api"), ("store.disk.idempotency", "{ keep = \"0s\" }")],
        "store.disk.idempotency.keep: what is forgotten at once was never kept",
    );
    check(
        &[("store.disk.kind", "kafka"), ("store.disk.partitions", "0")],
        "store.disk.partitions: 0 is out of range: from 1 to 100",
    );
    check(
        &[("store.disk.kind", "s3-manifst")],
        "store.disk.kind: there is no `s3-manifst` here; did you mean `s3-manifest`?",
    );
}

/// A store can only ask a service that can tell grants apart.
#[test]
fn a_session_is_checked_with_services_that_know_grants_by_their_tokens() {
    let nodes = "[\"n1\", \"n2\", \"n3\"]";
    for kind in ["etcd", "zookeeper", "consul"] {
        fine(&[("store.disk.kind", "session-checked"), ("lock.kind", kind), ("lock.nodes", nodes)]);
    }
    for kind in ["raft", "redlock", "redis-replicated"] {
        check(
            &[("store.disk.kind", "session-checked"), ("lock.kind", kind), ("lock.nodes", nodes)],
            &format!(
                "store.disk.kind: a lock of kind `{kind}` cannot be asked whether a grant is still there; `etcd`, `zookeeper`, `consul` and `chubby` can"
            ),
        );
    }
}

/// A write that is split is as many requests.
#[test]
fn a_write_in_many_transactions_costs_as_much() {
    let work =
        "{ name = \"B\", program = [{ repeat = 10, steps = [{ write = \"disk\", effects = 1000000000 }] }] }";
    fine(&[("worker.B", work), ("network.delay", "0s")]);
    let problems =
        with(&[("worker.B", work), ("network.delay", "0s"), ("store.disk.kind", "dynamodb")]).scenario();
    let problems = problems.expect_err("it would never end").to_string();
    assert!(problems.contains("worker.B.program"), "{problems}");
}

#[test]
fn what_a_database_an_operator_and_a_sweeper_cannot_do() {
    let sql = ("store.disk.kind", "sql");
    check(
        &[sql, ("store.disk.idle_timeout", "5s")],
        "store.disk.idle_timeout: no transaction is held while its worker works; `claim = \"row-lock\"` does",
    );
    check(
        &[sql, ("store.disk.claim", "row-lock"), ("store.disk.transaction", "5ms")],
        "store.disk.transaction: a transaction that holds the row lock lasts until its worker finishes: leave it out",
    );
    check(
        &[("store.disk.claim", "row-lock")],
        "store.disk.claim: a store of kind `fenced-row` has no `claim`; only `sql` has it",
    );
    check(
        &[("sweeper.broom.requeues_max", "0")],
        "sweeper.broom.requeues_max: 0 is out of range: from 1 to 1000",
    );
    check(
        &[("store.disk.kind", "journal")],
        "sweeper.broom.store: a journal has no index of claims to look through",
    );
    check(
        &[("fault.gc", "{ id = \"gc\", kind = \"promote\", on = \"n1\", at = \"4s\" }")],
        "fault.gc.on: a lock of kind `etcd` has no replica to promote; `redis-replicated` has",
    );
    check(
        &[
            ("store.disk.kind", "stream"),
            ("fault.gc", "{ id = \"gc\", kind = \"fence-off\", on = \"disk\", at = \"4s\" }"),
        ],
        "fault.gc.on: `disk` has no fence to turn off",
    );
}
