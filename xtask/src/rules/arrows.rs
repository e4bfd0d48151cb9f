//! The arrows between our crates run one way. Tests and xtask may use everything, and so may
//! dev-dependencies: they are not in what is shipped.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

use super::Breach;

/// A crate, where it is, and the crates of ours that it may depend on.
struct Layer {
    name: &'static str,
    dir: &'static str,
    below: &'static [&'static str],
}

const LAYERS: [Layer; 12] = [
    Layer { name: "kernel", dir: "crates/kernel", below: &[] },
    Layer { name: "raft", dir: "crates/raft", below: &["kernel"] },
    Layer { name: "locks", dir: "crates/locks", below: &["kernel", "raft"] },
    Layer { name: "stores", dir: "crates/stores", below: &["kernel"] },
    Layer { name: "actors", dir: "crates/actors", below: &["kernel", "raft", "locks", "stores"] },
    Layer { name: "derive", dir: "crates/derive", below: &[] },
    Layer { name: "document", dir: "crates/document", below: &["derive", "kernel"] },
    Layer {
        name: "scenario",
        dir: "crates/scenario",
        below: &["kernel", "raft", "locks", "stores", "actors", "document"],
    },
    Layer { name: "timeline", dir: "crates/timeline", below: &["kernel", "scenario"] },
    Layer { name: "cli", dir: "crates/cli", below: &["kernel", "scenario", "timeline"] },
    Layer { name: "headless", dir: "crates/headless", below: &["scenario"] },
    Layer { name: "web", dir: "web", below: &["kernel", "scenario", "timeline"] },
];

pub(super) fn check(root: &Path) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for layer in &LAYERS {
        let file = format!("{}/Cargo.toml", layer.dir);
        // A layer that is not built yet breaks nothing.
        let Ok(text) = fs::read_to_string(root.join(&file)) else {
            continue;
        };
        breaches.extend(judge(layer, &file, &text).with_context(|| format!("in {file}"))?);
    }
    breaches.extend(strangers(root)?);
    Ok(breaches)
}

fn judge(layer: &Layer, file: &str, text: &str) -> Result<Vec<Breach>> {
    let manifest: Table = text.parse()?;
    let ours = dependencies(&manifest).into_iter().filter_map(|name| our_crate(&name));
    Ok(ours
        .filter(|name| !layer.below.contains(name))
        .map(|name| Breach {
            file: file.to_owned(),
            line: None,
            what: format!("`{}` must not depend on `{name}`", layer.name),
        })
        .collect())
}

/// The names under `[dependencies]` and under `[target.*.dependencies]`; a renamed one counts by its package.
fn dependencies(manifest: &Table) -> Vec<String> {
    let of_targets = manifest
        .get("target")
        .and_then(Value::as_table)
        .into_iter()
        .flat_map(Table::values)
        .filter_map(Value::as_table);
    std::iter::once(manifest)
        .chain(of_targets)
        .filter_map(|table| table.get("dependencies")?.as_table())
        .flatten()
        .map(|(key, value)| match value.get("package").and_then(Value::as_str) {
            Some(package) => package.to_owned(),
            None => key.clone(),
        })
        .collect()
}

/// `fencepost-kernel` is `kernel` (which is also its name in the workspace's table).
fn our_crate(name: &str) -> Option<&'static str> {
    let short = name.strip_prefix("fencepost-").unwrap_or(name);
    LAYERS.iter().map(|layer| layer.name).find(|known| *known == short)
}

/// A crate that no rule knows would be a hole in the rule.
fn strangers(root: &Path) -> Result<Vec<Breach>> {
    let mut breaches = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !LAYERS.iter().any(|layer| layer.dir == format!("crates/{name}")) {
            breaches.push(Breach {
                file: format!("crates/{name}"),
                line: None,
                what: "no arrow is drawn for this crate; give it a place in xtask/src/rules/arrows.rs".into(),
            });
        }
    }
    Ok(breaches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(layer: &Layer, text: &str) -> Vec<String> {
        judge(layer, "Cargo.toml", text).unwrap().into_iter().map(|breach| breach.what).collect()
    }

    #[test]
    fn arrows_run_one_way() {
        let kernel = &LAYERS[0];
        assert_eq!(
            names(kernel, "[dependencies]\nlocks.workspace = true"),
            ["`kernel` must not depend on `locks`"]
        );
        assert_eq!(
            names(kernel, "[dependencies]\nx = { package = \"fencepost-raft\", path = \"../raft\" }").len(),
            1
        );
        assert_eq!(names(kernel, "[target.'cfg(unix)'.dependencies]\nstores.workspace = true").len(), 1);
        assert_eq!(
            names(kernel, "[dependencies]\nserde = \"1\"\n[dev-dependencies]\nlocks.workspace = true").len(),
            0
        );
    }

    #[test]
    fn what_is_below_may_be_used() {
        let raft = &LAYERS[1];
        assert_eq!(names(raft, "[dependencies]\nkernel.workspace = true").len(), 0);
    }
}
