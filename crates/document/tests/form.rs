//! What can stand at a place, asked of the model.

use document::Document;

const TEXT: &str = r#"
version = 1
title = "One worker"
horizon = "10s"
lock = { kind = "etcd", nodes = ["n1"] }
store = [{ name = "rows", kind = "unfenced" }]
worker = [{ name = "A", program = [{ acquire = "lock" }] }]
fault = [{ id = "p", kind = "pause", on = "A", at = "1s" }]
"#;

#[test]
fn a_table_has_the_keys_of_its_kind() {
    let mut document = Document::parse(TEXT).unwrap();
    assert_eq!(document.keys("network")[..2], ["delay", "jitter"]);
    assert_eq!(document.keys("fault.p"), ["id", "at", "for", "enabled", "on", "gap"]);
    assert!(document.keys("lock").contains(&"promote_extend"));
    assert!(document.keys("worker.A.renew").contains(&"every"), "it need not be there yet");
    document.set("lock.kind", "consul").unwrap();
    assert!(document.keys("lock").contains(&"lock_delay"));
    assert!(!document.keys("lock").contains(&"promote_extend"));
    assert_eq!(document.keys("title"), [""; 0]);
    assert_eq!(document.keys("no.such.place"), [""; 0]);
}

#[test]
fn a_choice_has_its_words() {
    let document = Document::parse(TEXT).unwrap();
    assert!(document.words("lock.kind").contains(&"zookeeper"));
    assert!(document.words("store.rows.kind").contains(&"fenced-row"));
    assert_eq!(document.words("lock.reads"), ["read-index", "lease", "check-quorum"]);
    assert_eq!(document.words("lock.pre_vote"), ["true", "false"]);
    assert_eq!(document.words("fault.p.gap"), ["before-input", "before-send"]);
    assert_eq!(document.words("fault.p.enabled"), ["true", "false"]);
    for free in ["lock.ttl", "title", "seed", "worker.A.name", "no.such.place", "", "lock..x"] {
        assert_eq!(document.words(free), [""; 0], "{free}");
    }
}
