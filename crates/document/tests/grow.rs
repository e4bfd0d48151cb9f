//! What the page adds and leaves out.

use document::{Document, Dur};
use kernel::Span;

const BILLING: &str = include_str!("../../scenario/stories/billing.toml");

fn billing() -> Document {
    Document::parse(BILLING).unwrap()
}
fn secs(secs: u64) -> Dur {
    Dur(Span::from_secs(secs))
}

#[test]
fn every_kind_of_fault_is_right_from_the_start() {
    let document = billing();
    let kinds = document.words("fault.a-pause.kind");
    assert_eq!(kinds.len(), 15);
    for kind in kinds {
        for on in ["A", "n1", "billing", "sweeper"] {
            let mut document = document.clone();
            let id = document.add_fault(kind, on, secs(20), secs(5)).unwrap();
            match document.scenario() {
                Ok(scenario) => {
                    let fault = scenario.fault.iter().find(|fault| fault.id() == id).unwrap();
                    assert_eq!(fault.span(), (kind != "wall-step").then_some(secs(5)), "{kind} on {on}");
                }
                // A worker has no disk, and nothing of it is in a backup; only a replica of Redis is promoted, and only a
                // store has a fence.
                Err(problems) => assert!(
                    matches!(
                        (kind, on),
                        ("disk-stall" | "disk-loss" | "restore", "A" | "sweeper")
                            | ("promote", _)
                            | ("fence-off", "A" | "n1" | "sweeper")
                    ),
                    "{kind} on {on}: {problems}"
                ),
            }
        }
    }
}

#[test]
fn a_fault_is_duplicated_under_a_name_of_its_own() {
    let mut document = billing();
    assert_eq!(document.duplicate_fault("a-pause", secs(20)).unwrap(), "a-pause-2");
    assert_eq!(document.duplicate_fault("a-pause", secs(30)).unwrap(), "a-pause-3");
    assert_eq!(document.get("fault.a-pause-2.at").as_deref(), Some("24s"));
    assert!(document.scenario().is_ok());
    assert!(document.duplicate_fault("nothing", secs(1)).is_err());
}

/// The lesson goes on with what is left of it; a document that speaks of what is gone would be refused.
#[test]
fn a_fault_and_a_member_take_along_what_is_told_of_them() {
    let told = |document: &Document| {
        let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
        scenario.step.iter().map(|step| step.say.clone()).collect::<Vec<_>>()
    };
    let mut document = Document::parse(
        r#"
        version = 1
        title = "A lesson"
        horizon = "30s"
        lock = { kind = "etcd", nodes = ["n1"], ttl = "10s" }
        worker = [{ name = "A", program = [{ acquire = "job" }] }, { name = "B", like = "A" }]
        fault = [{ id = "gc", kind = "pause", on = "A", at = "4s" }, { id = "end", kind = "crash", on = "B", at = "9s" }]
        step = [
          { at = "1s", say = "nobody in particular" },
          { at = "4s", say = "the pause", fault = "gc" },
          { at = "9s", say = "B's end", fault = "end" },
          { at = { after = "B acquires" }, say = "B's lock" },
          { at = "2s", say = "who?", ask = { question = "Who?", options = ["The one", "The other"], answer = "The one", because = "It asked first.", expect = [{ grant = { worker = "A" } }] } },
        ]"#,
    )
    .unwrap();
    assert_eq!(told(&document).len(), 5);
    document.remove_fault("gc").unwrap();
    assert_eq!(told(&document), ["nobody in particular", "B's end", "B's lock", "who?"]);
    document.remove_member("worker", "B").unwrap();
    assert_eq!(told(&document), ["nobody in particular", "who?"]);
    assert!(document.remove_fault("gc").is_err());
    document.set("lock.kind", "redis").unwrap();
    assert_eq!(told(&document), [""; 0], "it was told of the old kind");
}

/// With one server in place of three, a restore of all of them is one of the one that is left; what strikes or waits for another
/// would not be a scenario any more.
#[test]
fn another_lock_service_leaves_out_what_strikes_servers_that_are_gone() {
    let mut document = Document::parse(
        r#"
        version = 1
        title = "Three, and then one"
        horizon = "30s"
        lock = { kind = "etcd", nodes = ["n1", "n2", "n3"], ttl = "10s" }
        worker = [{ name = "A", program = [{ acquire = "job" }, { release = "job" }] }]
        fault = [
          { id = "every", kind = "restore", on = ["n1", "n2", "n3"], at = "9s", for = "1s", taken = "2s", backup_of = "n1" },
          { id = "two", kind = "restore", on = ["n2", "n3"], at = "15s", for = "1s", taken = "2s" },
          { id = "late", kind = "pause", on = "A", at = { after = "n2 becomes leader" }, for = "1s" },
          { id = "third", kind = "crash", on = "n3", at = "20s" },
          { id = "cut", kind = "cut", from = ["A", "n2"], to = "others", at = "25s", for = "1s" },
        ]"#,
    )
    .unwrap();
    document.set("lock.kind", "redis").unwrap();
    let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
    let faults: Vec<&str> = scenario.fault.iter().map(|fault| fault.id()).collect();
    assert_eq!(faults, ["every", "cut"]);
    assert_eq!(document.get("fault.every.on").as_deref(), Some("[\"n1\"]"));
    assert_eq!(document.get("fault.cut.from").as_deref(), Some("[\"A\"]"));
}

/// What is told of a fault stays with it.
#[test]
fn a_fault_that_strikes_several_goes_on_striking_those_that_are_left() {
    let mut document = Document::parse(
        r#"
        version = 1
        title = "Three, and then two"
        horizon = "30s"
        lock = { kind = "etcd", nodes = ["n1", "n2", "n3"], ttl = "10s" }
        worker = [{ name = "A", program = [{ acquire = "job" }, { release = "job" }] }]
        fault = [{ id = "back", kind = "restore", on = ["n1", "n2", "n3"], at = "9s", for = "1s", taken = "2s" }]
        step = [{ at = "9s", say = "The backup.", fault = "back" }]"#,
    )
    .unwrap();
    document.remove_node(&["n1", "n2", "n3"].map(str::to_owned)).unwrap();
    assert_eq!(document.get("fault.back.on").as_deref(), Some("[\"n1\", \"n2\"]"));
    let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((scenario.fault.len(), scenario.step.len()), (1, 1));
}

/// A host with nobody on it, and a link of nobody, would not be a scenario.
#[test]
fn who_goes_takes_along_what_is_said_of_its_host_and_its_links() {
    let mut document = Document::parse(
        r#"
        version = 1
        title = "Places"
        horizon = "30s"
        lock = { kind = "etcd", nodes = ["n1", "n2", "n3"], ttl = "10s" }
        network = { link = [{ from = "A", to = ["n1", "n3"], delay = "5ms" }, { from = "D", to = "n2", delay = "7ms" }] }
        host = [{ name = "n1", wall_offset = "1s" }, { name = "n3", wall_offset = "1s" }, { name = "box", wall_offset = "1s" }, { name = "D", wall_offset = "1s" }]
        worker = [
          { name = "A", host = "box", program = [{ acquire = "job" }, { release = "job" }] },
          { name = "B", host = "box", like = "A" },
          { name = "D", like = "A", sidecar = "D-agent" },
        ]
        fault = [
          { id = "night", kind = "suspend", on = "box", at = "9s", for = "1s" },
          { id = "hangs", kind = "pause", on = "D-agent", at = "9s", for = "1s" },
        ]"#,
    )
    .unwrap();
    let is_fine = |document: &Document| {
        let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
        let hosts: Vec<&str> = scenario.host.iter().map(|host| host.name.as_str()).collect();
        (hosts.join(" "), scenario.fault.len())
    };
    assert_eq!(is_fine(&document), ("n1 n3 box D".to_owned(), 2));
    let mut other = document.clone();
    other.set("lock.kind", "redis").unwrap();
    assert_eq!(is_fine(&other), ("n1 box D".to_owned(), 2));
    assert_eq!(
        other.get("network.link").as_deref(),
        Some("[{ from = \"A\", to = [\"n1\"], delay = \"5ms\" }]")
    );

    document.remove_node(&["n1", "n2", "n3"].map(str::to_owned)).unwrap();
    document.remove_member("worker", "D").unwrap();
    document.remove_member("worker", "B").unwrap();
    assert_eq!(is_fine(&document), ("n1 box".to_owned(), 1), "A still runs on the box");
    document.remove_member("worker", "A").unwrap();
    assert_eq!((document.get("host.box"), document.get("fault.night")), (None, None), "nobody does now");
}

#[test]
fn members_come_and_go() {
    let mut document = billing();
    assert_eq!(document.add_worker().unwrap(), "D");
    assert_eq!(document.get("worker.D.like").as_deref(), Some("A"));
    assert_eq!(document.add_store("unfenced").unwrap(), "unfenced");
    assert_eq!(document.add_store("unfenced").unwrap(), "unfenced-2");
    let nodes = document.scenario().unwrap().lock.nodes().to_vec();
    assert_eq!(document.add_node(&nodes).unwrap(), "n4");
    let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((scenario.worker.len(), scenario.store.len(), scenario.lock.nodes().len()), (4, 3, 4));

    document.remove_node(scenario.lock.nodes()).unwrap();
    document.remove_member("store", "unfenced-2").unwrap();
    document.remove_member("worker", "B").unwrap();
    let scenario = document.scenario().unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((scenario.worker.len(), scenario.store.len(), scenario.lock.nodes().len()), (3, 2, 3));
    let faults: Vec<&str> = scenario.fault.iter().map(|fault| fault.id()).collect();
    assert_eq!(faults, ["a-pause", "n1-dies", "c-dies"], "B's went with it");
    assert!(document.remove_member("worker", "B").is_err());
    let text = document.to_toml();
    assert!(text.contains("# C takes jobs from the queue"), "comments stay");
    assert!(!text.contains("B got token 12") && text.contains("C has finished the row"), "{text}");
}
