//! Golden tales: each built-in story and each variant as a page that opens with its moral. A diff that nobody can
//! explain is not committed. `UPDATE=1 cargo test -p fencepost-tests --test golden` writes them anew.
#![cfg(not(target_arch = "wasm32"))]

use fencepost_tests::{cases, golden, summary::summary};

#[test]
fn tales() {
    let mut differences = Vec::new();
    for case in cases() {
        let file = format!("{}.txt", case.name().replace('/', "."));
        differences.extend(golden::check(&file, &summary(&case.play())).err());
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A story that is gone leaves no golden file behind.
#[test]
fn no_golden_file_is_without_its_story() {
    let mut known: Vec<String> =
        cases().iter().map(|case| format!("{}.txt", case.name().replace('/', "."))).collect();
    known.push("digests.txt".to_owned());
    for entry in std::fs::read_dir(golden::path("")).expect("the folder of golden files is there") {
        let name = entry
            .expect("it can be listed")
            .file_name()
            .into_string()
            .expect("golden files have plain names");
        assert!(known.contains(&name), "golden/{name} belongs to no story");
    }
}

#[test]
fn each_tale_opens_with_its_moral() {
    for case in cases() {
        let page = summary(&case.play());
        let first = page.lines().next().unwrap_or_default();
        assert!(first.len() > 20 && first.ends_with('.'), "{}: {first:?} is no moral", case.name());
    }
}
