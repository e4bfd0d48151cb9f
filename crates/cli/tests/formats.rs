//! `fencepost run --format ..`: each of the formats, and where it goes.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{bad, good, root};

/// What is written with `--output`; nothing is printed then.
fn written(args: &[&str]) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("out");
    let told = good(&[&["run"], args, &["--output", file.to_str().expect("a text")]].concat());
    assert_eq!(told, "", "{args:?}");
    fs::read(file).expect("it is written")
}

/// Width and height of a PNG, as its header says.
fn size_of(png: &[u8]) -> (u32, u32) {
    assert_eq!(png.get(..8), Some(b"\x89PNG\r\n\x1a\n".as_slice()), "it is a PNG");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn an_svg_is_as_wide_and_in_the_colours_that_are_asked_for() {
    let picture = good(&["run", "billing", "--format", "svg"]);
    assert!(
        picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && picture.ends_with("</svg>\n")
    );
    assert!(picture.contains(" width=\"1000\" ") && picture.contains("@media (prefers-color-scheme: dark)"));
    let dark = good(&["run", "billing", "--format", "svg", "--theme", "dark", "--width", "700"]);
    assert!(dark.contains(" width=\"700\" ") && dark.contains("fill: #11151b") && !dark.contains("@media"));
    let unfenced = good(&["run", "billing", "--format", "svg", "--variant", "unfenced"]);
    assert!(unfenced.contains("1 stale write accepted: 5,000 invoices charged twice."), "{unfenced}");
    assert_eq!(written(&["billing", "--format", "svg"]), picture.as_bytes());
}

#[test]
fn mermaid_is_a_sequence_diagram() {
    let diagram = good(&["run", "billing", "--format", "mermaid"]);
    assert!(diagram.starts_with("sequenceDiagram\n    title The billing job changes hands\n"), "{diagram}");
    assert!(diagram.contains("-xp6: 19.05 s: A's stale chunk 2 is refused: "), "{diagram}");
}

/// The scenario comes with what was changed, and plays like it.
#[test]
fn toml_is_the_scenario_as_it_was_changed() {
    let changes = ["--variant", "unfenced", "--set", "fault.a-pause.for=8s", "--seed", "7"];
    let text = good(&[&["run", "billing", "--format", "toml"], changes.as_slice()].concat());
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("changed.toml");
    fs::write(&file, &text).expect("it is written");
    let again = good(&["run", file.to_str().expect("a text"), "--format", "json"]);
    assert_eq!(again, good(&[&["run", "billing", "--format", "json"], changes.as_slice()].concat()));
    assert!(again.contains("\"seed\": 7"), "{again}");
}

#[test]
fn every_format_goes_to_a_file_as_it_goes_to_standard_output() {
    for format in ["table", "json", "markdown", "mermaid", "svg", "toml"] {
        let printed = good(&["run", "row-lock", "--format", format]);
        assert_eq!(written(&["row-lock", "--format", format]), printed.as_bytes(), "{format}");
    }
    let told = bad(&["run", "billing", "-o", "no/such/folder/out"]);
    assert!(told.starts_with("error: no/such/folder/out cannot be written: "), "{told}");
}

#[test]
fn what_does_not_go_together_is_told() {
    let cases: [(&[&str], &str); 7] = [
        (&["--theme", "dark"], "error: --theme is for pictures: --format svg or --format png\n"),
        (
            &["--format", "toml", "--width", "700"],
            "error: --width is for pictures: --format svg or --format png\n",
        ),
        (
            &["--format", "svg", "--trace"],
            "error: --trace is for reports: --format table, json or markdown\n",
        ),
        (
            &["--format", "mermaid", "--trace"],
            "error: --trace is for reports: --format table, json or markdown\n",
        ),
        (
            &["--format", "png", "--theme", "both"],
            "error: --theme both: a PNG has one set of colours, light or dark; an SVG can have both\n",
        ),
        (&["--format", "svg", "--width", "319"], "319 is not in 320..=4000"),
        (&["--format", "svg", "--width", "wide"], "invalid value 'wide'"),
    ];
    for (args, told) in cases {
        let found = bad(&[&["run", "billing"], args].concat());
        assert!(found.contains(told), "{args:?}: {found}");
    }
}

/// Two pixels for each of the picture's, and something on them.
#[cfg(feature = "png")]
#[test]
fn a_png_is_the_picture_in_pixels() {
    let height = |svg: String| -> u32 {
        let (_, rest) = svg.split_once(" height=\"").expect("it has a height");
        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    for width in ["1000", "700"] {
        let tall = height(good(&["run", "billing", "--format", "svg", "--width", width]));
        let light = written(&["billing", "--format", "png", "--width", width]);
        assert_eq!(size_of(&light), (2 * width.parse::<u32>().expect("a number"), 2 * tall));
        let dark = written(&["billing", "--format", "png", "--width", width, "--theme", "dark"]);
        assert_eq!(size_of(&dark), size_of(&light));
        // An empty picture of this size compresses to a few kB.
        assert!(light.len() > 30_000 && dark.len() > 30_000 && light != dark);
    }
}

/// Pixels are kept off a terminal, which `script` makes one of.
#[cfg(all(unix, feature = "png"))]
#[test]
fn a_png_is_not_for_a_terminal() {
    if !Path::new("/usr/bin/script").exists() {
        eprintln!("without `script` there is no terminal to try");
        return;
    }
    let command = format!("{} run billing --format png", env!("CARGO_BIN_EXE_fencepost"));
    let ran = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(root())
        .output()
        .expect("`script` can be run");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(
        told.contains("error: a PNG is nothing to read in a terminal: name a file with --output"),
        "{told}"
    );
    assert_eq!(ran.status.code(), Some(2));
}
