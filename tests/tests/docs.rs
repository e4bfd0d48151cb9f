//! Each kind of lock service has a page, which begins with one table of the same rows; README.md's table is made from
//! these, and the diagram in docs/exports.md from its story. `UPDATE=1 cargo test -p fencepost-tests --test docs` writes it anew.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::PathBuf;

use scenario::document::model::KINDS;

const ROWS: [&str; 6] = ["who decides", "clock", "token", "lost on failover", "client waits", "defaults"];
const BEGIN: &str =
    "<!-- locks: made from docs/locks by `UPDATE=1 cargo test -p fencepost-tests --test docs` -->";
const END: &str = "<!-- end of locks -->";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page(kind: &str) -> String {
    let path = root().join("docs/locks").join(format!("{kind}.md"));
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{kind} has no page, {}: {error}", path.display()))
}

/// The cells of a page's table, in the order of [`ROWS`]; panics where the page does not begin so.
fn cells(kind: &str) -> Vec<String> {
    let text = page(kind);
    let lines: Vec<&str> = text.lines().collect();
    let heading = lines.first().copied().unwrap_or_default();
    assert!(
        heading.starts_with("# ") && heading.ends_with(&format!("`lock.kind = \"{kind}\"`")),
        "docs/locks/{kind}.md: its heading is {heading:?}"
    );
    assert_eq!(lines.get(1..4), Some(["", "| | |", "|---|---|"].as_slice()), "docs/locks/{kind}.md");
    let table: Vec<&str> = lines[4..].iter().take_while(|line| line.starts_with('|')).copied().collect();
    assert_eq!(table.len(), ROWS.len(), "docs/locks/{kind}.md: the rows of its table");
    let cell = |(line, row): (&&str, &str)| {
        let of_row = line.strip_prefix(&format!("| {row} | ")).and_then(|rest| rest.strip_suffix(" |"));
        let cell = of_row.unwrap_or_else(|| panic!("docs/locks/{kind}.md: a row {row:?}, not {line:?}"));
        assert!(!cell.is_empty() && !cell.contains('|'), "docs/locks/{kind}.md: {line:?}");
        cell.to_owned()
    };
    table.iter().zip(ROWS).map(cell).collect()
}

fn table() -> String {
    let mut table = format!("| kind | {} |\n|---|{}\n", ROWS.join(" | "), "---|".repeat(ROWS.len()));
    for kind in KINDS {
        let name = kind.name;
        table.push_str(&format!("| [{name}](docs/locks/{name}.md) | {} |\n", cells(name).join(" | ")));
    }
    table
}

/// Holds what stands in a file between two marks to what it is made of; with `UPDATE=1` makes it anew.
fn made(file: &str, [begin, end]: [&str; 2], wanted: &str) {
    let path = root().join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let (before, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{file} has no {begin}"));
    let (found, after) = rest.split_once(end).unwrap_or_else(|| panic!("{file} has no {end}"));
    let wanted = format!("\n{wanted}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, format!("{before}{begin}{wanted}{end}{after}")).expect("it can be written");
        return;
    }
    assert_eq!(found, wanted, "if that is meant: UPDATE=1 cargo test -p fencepost-tests --test docs");
}

#[test]
fn the_table_in_the_readme_is_that_of_the_pages() {
    made("README.md", [BEGIN, END], &table());
}

/// The page on exports shows the diagram that the command makes.
#[test]
fn the_diagram_in_the_docs_is_the_story_s() {
    let diagram = scenario::report::mermaid(&fencepost_tests::played("kleppmann-gc-pause", None, &[]));
    let marks = [
        "<!-- mermaid: made by `UPDATE=1 cargo test -p fencepost-tests --test docs` -->",
        "<!-- end of mermaid -->",
    ];
    made("docs/exports.md", marks, &format!("```mermaid\n{diagram}```\n"));
}

#[test]
fn every_page_is_of_a_kind() {
    for entry in fs::read_dir(root().join("docs/locks")).expect("the folder is there") {
        let name =
            entry.expect("it can be listed").file_name().into_string().expect("pages have plain names");
        let kind = name.strip_suffix(".md").unwrap_or(&name);
        assert!(KINDS.iter().any(|known| known.name == kind), "docs/locks/{name} belongs to no kind");
    }
}

#[test]
fn every_page_answers_the_same_questions() {
    for kind in KINDS {
        let text = page(kind.name);
        for question in [
            "**Which clock decides.**",
            "**Where the token comes from.**",
            "**What is lost on failover.**",
            "**What the client library does.**",
            "**What is left out.**",
            "**Stories.**",
            "**Sources.**",
        ] {
            assert!(text.contains(question), "docs/locks/{}.md does not say: {question}", kind.name);
        }
    }
}

/// The stories that a page names are there, and their variants.
#[test]
fn every_story_that_a_page_names_is_there() {
    let cases = fencepost_tests::cases();
    for kind in KINDS {
        let text = page(kind.name);
        let (_, stories) = text.split_once("**Stories.** ").expect("a page names its stories");
        let stories = stories.split("\n\n").next().unwrap_or_default();
        let names: Vec<&str> = stories.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "docs/locks/{}.md names no story", kind.name);
        for name in names {
            let is_known =
                cases.iter().any(|case| case.story == name || case.variant.as_deref() == Some(name));
            assert!(is_known, "docs/locks/{}.md: there is no story or variant `{name}`", kind.name);
        }
    }
}

/// The pages of the format and of the model link to every kind's.
#[test]
fn the_pages_are_linked() {
    for file in ["docs/scenario.md", "docs/model.md"] {
        let text = fs::read_to_string(root().join(file)).expect("it is there");
        for kind in KINDS {
            let link = format!("(locks/{}.md)", kind.name);
            assert!(text.contains(&link), "{file} does not link to {link}");
        }
    }
}

/// The files of a folder and of those in it, by the end of their names.
fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Every figure in the book and in the examples shows a document that is good.
#[test]
fn every_figure_opens() {
    const FENCE: &str = "```fencepost\n";
    let mut figures = 0;
    for path in files("docs", ".md").into_iter().chain(files("npm/examples", ".md")) {
        let text = fs::read_to_string(&path).expect("it can be read");
        for block in text.split(FENCE).skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            let opened = scenario::link::Link::of_block(block).and_then(|link| link.document());
            let played = opened.and_then(|document| document.scenario().map_err(|why| why.to_string()));
            assert!(played.is_ok(), "{}: {block}\n{}", path.display(), played.err().unwrap_or_default());
            figures += 1;
        }
    }
    assert!(figures > KINDS.len(), "each lock service has one at least, and there are {figures}");
}

/// Every page of the book is in its contents.
#[test]
fn the_book_has_every_page() {
    let contents = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the book has contents");
    for path in files("docs", ".md") {
        let path = path.strip_prefix(root().join("docs")).expect("it is in there");
        let link = format!("({})", path.display());
        assert!(path.ends_with("SUMMARY.md") || contents.contains(&link), "docs/SUMMARY.md lacks {link}");
    }
}
