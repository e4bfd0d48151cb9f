//! The figure that other pages embed: its program, its style, and the scripts of `npm/` that need them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::wasm::Wasm;
use crate::project::Project;
use crate::setup::Toolbox;

const PROGRAM: Wasm = Wasm {
    of: &["--package", "fencepost-web", "--bin", "fencepost-figure"],
    profile: "web",
    built: "fencepost-figure.wasm",
    name: "figure",
    bindgen: &[],
    opt: &["-Oz"],
};

/// The style's parts, in their order.
const STYLES: [&str; 5] = ["figure.css", "tokens.css", "page.css", "parts.css", "legend.css"];
/// What of `npm/` a page with figures asks for.
const SCRIPTS: [&str; 5] = ["fence-post.js", "blocks.js", "frame.html", "frame.css", "frame.js"];

/// Builds it into a folder, with all that a page asks for.
pub(super) fn build(project: &Project, toolbox: &Toolbox, into: &Path) -> Result<()> {
    fs::create_dir_all(into).with_context(|| format!("{} cannot be made", into.display()))?;
    PROGRAM.build(project, toolbox, into)?;
    let style: Result<Vec<String>> =
        STYLES.iter().map(|name| read(&project.root.join("assets").join(name))).collect();
    write(&into.join("figure.css"), &in_pixels(&style?.concat()))?;
    for name in SCRIPTS {
        write(&into.join(name), &read(&project.root.join("npm").join(name))?)?;
    }
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
