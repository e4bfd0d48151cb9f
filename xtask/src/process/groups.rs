//! A program and all that it starts form a process group, so that they can be ended together:
//! a compiler driver killed alone would leave its compilers running.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context as _, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Every group that is running now. A group of its own does not hear the terminal's Ctrl-C, so it is passed on from here.
static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// On Ctrl-C (or a polite kill) every running group is ended, then this program.
pub(crate) fn end_all_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        if let Ok(running) = RUNNING.lock() {
            for group in running.iter() {
                signal(*group, Signal::SIGTERM);
            }
        }
        std::process::exit(130);
    })
    .context("Ctrl-C cannot be handled")
}

pub(super) struct Group {
    pub(super) leader: Child,
    id: i32,
}

impl Group {
    pub(super) fn start(command: &mut Command) -> Result<Self> {
        let leader = command.process_group(0).spawn()?;
        let id = i32::try_from(leader.id()).context("a process id too large for this system")?;
        if let Ok(mut running) = RUNNING.lock() {
            running.insert(id);
        }
        Ok(Self { leader, id })
    }

    /// Asks the whole group to end, and makes it end a second later.
    pub(super) fn end(&mut self) {
        signal(self.id, Signal::SIGTERM);
        for _ in 0..20 {
            if matches!(self.leader.try_wait(), Ok(Some(_))) {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        self.sweep();
        // The leader is dead by now; waiting only collects it.
        let _ = self.leader.wait();
    }

    /// Ends what the leader left behind.
    pub(super) fn sweep(&self) {
        signal(self.id, Signal::SIGKILL);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Ok(mut running) = RUNNING.lock() {
            running.remove(&self.id);
        }
    }
}

fn signal(group: i32, signal: Signal) {
    // A group that has already ended is what was wanted.
    let _ = killpg(Pid::from_raw(group), signal);
}
