//! Builds what other pages embed: the figure's program, its style, and the scripts of `npm/` beside them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::process::Output;
use crate::project::Project;
use crate::say::{self, Stopwatch};
use crate::setup::{Need, Toolbox};

const BIN: &str = "fencepost-figure";
/// The style's parts, in their order.
const STYLES: [&str; 4] = ["figure.css", "tokens.css", "page.css", "parts.css"];
/// What of `npm/` goes along as it is.
const SCRIPTS: [&str; 5] = ["fence-post.js", "blocks.js", "frame.html", "frame.css", "frame.js"];
/// What the compiler makes use of, and wasm-opt may; the same as for the page (`index.html`).
const FEATURES: [&str; 6] = [
    "bulk-memory",
    "mutable-globals",
    "multivalue",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
];

/// Builds it into a folder.
pub(crate) fn build(project: &Project, toolbox: &Toolbox, into: &Path) -> Result<()> {
    say::line("Building the figure that other pages embed (about a minute, less when little has changed)");
    let watch = Stopwatch::start();
    fs::create_dir_all(into).with_context(|| format!("{} cannot be made", into.display()))?;
    program(project, toolbox, into)?;
    let style: Result<Vec<String>> =
        STYLES.iter().map(|name| read(&project.root.join("assets").join(name))).collect();
    write(&into.join("figure.css"), &in_pixels(&style?.concat()))?;
    for name in SCRIPTS {
        write(&into.join(name), &read(&project.root.join("npm").join(name))?)?;
    }
    say::line(format!("      built in {}", say::duration(watch.elapsed())));
    Ok(())
}

fn program(project: &Project, toolbox: &Toolbox, into: &Path) -> Result<()> {
    toolbox
        .program(project, "cargo")
        .args(["build", "--profile", "web", "--target", "wasm32-unknown-unknown"])
        .args(["--package", "fencepost-web", "--bin", BIN])
        .deadline_secs(3600)
        .output(Output::Heartbeat)
        .succeed()
        .context("the figure's program could not be built")?;
    let built = project.wasm_target().join(format!("wasm32-unknown-unknown/web/{BIN}.wasm"));
    toolbox
        .program(project, "wasm-bindgen")
        .args(["--target", "web", "--no-typescript", "--out-name", "figure", "--out-dir"])
        .arg(into)
        .arg(built)
        .deadline_secs(300)
        .succeed()
        .context("wasm-bindgen could not make the figure's program callable")?;
    if !toolbox.has(Need::WasmOpt) {
        say::line("      without wasm-opt: the figure works, but is larger");
        return Ok(());
    }
    let file = into.join("figure_bg.wasm");
    toolbox
        .program(project, "wasm-opt")
        .arg("-Oz")
        .args(FEATURES.map(|feature| format!("--enable-{feature}")))
        .arg(&file)
        .arg("-o")
        .arg(&file)
        .deadline_secs(600)
        .output(Output::Heartbeat)
        .succeed()
        .context("wasm-opt could not make the figure's program smaller")?;
    Ok(())
}

/// The same style in pixels: a page around a figure may have made its `rem` anything.
fn in_pixels(style: &str) -> String {
    const UNIT: &str = "rem";
    let mut out = String::new();
    let mut rest = style;
    while let Some((before, after)) = rest.split_once(UNIT) {
        let number = before.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').len();
        let is_unit = !after.starts_with(|letter: char| letter.is_alphanumeric() || letter == '-');
        match before[number..].parse::<f64>() {
            Ok(rem) if is_unit => out.push_str(&format!("{}{}px", &before[..number], rem * 16.0)),
            Ok(_) | Err(_) => out.extend([before, UNIT]),
        }
        rest = after;
    }
    out + rest
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::in_pixels;

    #[test]
    fn a_figure_has_sizes_of_its_own() {
        let style = "/* remote */ a { margin: 1.5rem -0.25rem .5rem; width: 3px }";
        assert_eq!(in_pixels(style), "/* remote */ a { margin: 24px -4px 8px; width: 3px }");
    }
}
