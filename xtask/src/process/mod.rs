//! Outside programs, none of which may hang: each has a deadline, and is ended with its children when it expires.

mod groups;
mod inherited;
mod output;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

pub(crate) use groups::end_all_on_interrupt;

/// What becomes of a program's output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// Straight to the terminal: the person (or the log) reads all of it.
    Shown,
    /// Shown line by line as it comes, and kept.
    Echoed,
    /// Kept; a heartbeat line now and then shows that work goes on, and the end of it is told on failure.
    Heartbeat,
    /// Kept and never shown.
    Kept,
}

/// A program about to be run.
pub(crate) struct Program {
    name: OsString,
    /// Tells heartbeats of programs that run side by side apart.
    label: String,
    args: Vec<OsString>,
    dir: Option<PathBuf>,
    env: Vec<(OsString, Option<OsString>)>,
    deadline: Duration,
    output: Output,
}

/// What came of a program that could be started.
pub(crate) struct Ended {
    /// How it ended; `None` when its deadline passed and it was ended with its children.
    pub(crate) status: Option<ExitStatus>,
    /// Both of its streams, as they came (empty when they were shown).
    pub(crate) text: String,
}

impl Ended {
    pub(crate) fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

impl Program {
    pub(crate) fn new(name: impl AsRef<OsStr>) -> Self {
        Self {
            label: base_name(name.as_ref()),
            name: name.as_ref().to_owned(),
            args: Vec::new(),
            dir: None,
            env: Vec::new(),
            deadline: Duration::from_secs(60),
            output: Output::Kept,
        }
    }

    pub(crate) fn label(mut self, label: &str) -> Self {
        label.clone_into(&mut self.label);
        self
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    pub(crate) fn args<T: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = T>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.dir = Some(dir.to_owned());
        self
    }

    pub(crate) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Several variables at once; `None` takes one away.
    pub(crate) fn envs(mut self, vars: impl IntoIterator<Item = (OsString, Option<OsString>)>) -> Self {
        self.env.extend(vars);
        self
    }

    pub(crate) fn deadline_secs(mut self, seconds: u64) -> Self {
        self.deadline = Duration::from_secs(seconds);
        self
    }

    pub(crate) fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// As a person would type it, without the directory of the program.
    pub(crate) fn line(&self) -> String {
        std::iter::once(base_name(&self.name))
            .chain(self.args.iter().map(|arg| arg.to_string_lossy().into_owned()))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Runs it to its end, or to its deadline.
    ///
    /// # Errors
    /// When it cannot be started at all.
    pub(crate) fn run(&self) -> Result<Ended> {
        let mut command = Command::new(&self.name);
        command.args(&self.args).stdin(Stdio::null());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        for (name, value) in inherited::corrections().iter().chain(&self.env) {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if self.output != Output::Shown {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        let mut group = groups::Group::start(&mut command)
            .with_context(|| format!("`{}` could not be started", self.line()))?;
        output::follow(&mut group, self.deadline, self.output, &self.label)
    }

    /// Runs it, and takes anything but success for an error that says what failed and how its output ended.
    pub(crate) fn succeed(&self) -> Result<String> {
        let ended = self.run()?;
        if ended.success() {
            return Ok(ended.text);
        }
        let how = match ended.status {
            Some(status) => format!("ended with {status}"),
            None => format!("did not end within {} s and was stopped", self.deadline.as_secs()),
        };
        let tail = output::tail(&ended.text, 40);
        if tail.is_empty() || self.output == Output::Echoed {
            bail!("`{}` {how}", self.line());
        }
        bail!("`{}` {how}; its output ended:\n{tail}", self.line());
    }
}

fn base_name(program: &OsStr) -> String {
    Path::new(program).file_name().unwrap_or(program).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
