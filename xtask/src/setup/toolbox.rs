//! What set-up found, as the environment in which the tools find each other.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use super::Need;
use crate::process::Program;
use crate::project::Project;

/// A need that is met.
pub(crate) struct Found {
    /// Where it came from, for a person.
    pub(super) told: String,
    /// Goes in front of `PATH`.
    pub(super) path: Option<PathBuf>,
    pub(super) env: Vec<(&'static str, OsString)>,
}

impl Found {
    pub(super) fn new(told: impl Into<String>) -> Self {
        Self { told: told.into(), path: None, env: Vec::new() }
    }

    pub(super) fn on_path(mut self, dir: PathBuf) -> Self {
        self.path = Some(dir);
        self
    }

    pub(super) fn with_env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.env.push((name, value.into()));
        self
    }
}

/// The environment for builds and tests of the page.
pub(crate) struct Toolbox {
    found: BTreeMap<Need, Found>,
    vars: Vec<(OsString, Option<OsString>)>,
}

impl Toolbox {
    pub(super) fn new(project: &Project, found: BTreeMap<Need, Found>) -> Self {
        let dirs = found.values().filter_map(|tool| tool.path.clone());
        let old = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(dirs.chain(env::split_paths(&old))).unwrap_or(old);
        let mut vars = vec![
            ("PATH".into(), Some(path)),
            ("CARGO_TARGET_DIR".into(), Some(project.wasm_target().into())),
        ];
        for tool in found.values() {
            for (name, value) in &tool.env {
                vars.push(((*name).into(), Some(value.clone())));
            }
        }
        Self { found, vars }
    }

    pub(crate) fn has(&self, need: Need) -> bool {
        self.found.contains_key(&need)
    }

    /// A variable that a tool is known by.
    pub(crate) fn var(&self, name: &str) -> Option<&OsString> {
        let (_, value) = self.vars.iter().rev().find(|(known, _)| known == name)?;
        value.as_ref()
    }

    /// Where a program is, of the toolbox or of the system.
    pub(crate) fn path(&self, project: &Project, name: &str) -> Option<PathBuf> {
        which::which_in(name, self.var("PATH"), &project.root).ok()
    }

    /// A program that finds the tools.
    pub(crate) fn program(&self, project: &Project, name: &str) -> Program {
        // The name is looked up in the toolbox's PATH, not in ours: so it has to be resolved here.
        let found = self.path(project, name).unwrap_or_else(|| name.into());
        Program::new(found).dir(&project.root).envs(self.vars.iter().cloned())
    }

    /// Where each tool came from.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.found.iter().map(|(need, tool)| format!("{}: {}", need.subject(), tool.told)).collect()
    }
}
