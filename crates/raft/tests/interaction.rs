//! Scripts in `tests/interaction/*.txt`: each opens with what it shows, then says what is done and what comes of it.
//!
//! `REWRITE=1 cargo test -p fencepost-raft --test interaction` writes what comes of it anew; `RUN=name.txt` plays one.
//!
//! A server is a number from 1. An entry is written `term/index`, in a log by its term alone; `[3/5]` is a snapshot.
//! Time is one clock for all servers and moves in `timeout`, `heartbeat` and `elapse` alone. What is sent
//! waits until it is delivered.

mod lab;

use datadriven::TestCase;
use kernel::Span;
use lab::{Filter, Lab, Setup};
use raft::Reads;

#[test]
fn interactions() {
    let mut scripts = 0;
    datadriven::walk(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interaction"), |file| {
        scripts += 1;
        let mut lab = Lab::new(Setup::default());
        file.run(|case| run(&mut lab, case));
    });
    assert!(scripts > 0, "there are scripts");
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn run(lab: &mut Lab, case: &mut TestCase) -> Result<String, Failure> {
    let quiet = case.take_flag("quiet")?;
    lab.quiet = quiet;
    match case.directive.as_str() {
        "cluster" => *lab = Lab::new(setup(case)?),
        "disk" => {
            let (server, term) = (case.take_arg("server")?, case.take_arg("term")?);
            let (vote, log) = (case.try_take_arg("vote")?, case.take_args("log")?);
            lab.restart_with(server, term, vote, &log);
        }
        "timeout" => lab.timeout(case.take_arg("server")?),
        "heartbeat" => lab.heartbeat(case.take_arg("server")?),
        "elapse" => lab.elapse(Span::from_millis(case.take_arg("ms")?)),
        "propose" => lab.propose(case.take_arg("server")?, case.take_arg("command")?),
        "read" => lab.read(case.take_arg("server")?, case.take_arg("ctx")?),
        "transfer" => lab.transfer(case.take_arg("server")?, case.take_arg("to")?),
        "compact" => lab.compact(case.take_arg("server")?),
        "deliver" => {
            let (reversed, twice) = (case.take_flag("reversed")?, case.take_flag("twice")?);
            lab.deliver(&filter(case)?, reversed, twice);
        }
        "hold" => {
            let copy = case.take_flag("copy")?;
            lab.hold(&filter(case)?, copy);
        }
        "release" => lab.release(),
        "drop" => lab.drop(&filter(case)?),
        "settle" => lab.settle(),
        "isolate" => lab.isolate(case.take_arg("server")?),
        "cut" => lab.cut(case.take_arg("from")?, case.take_arg("to")?),
        "heal" => lab.heal(),
        "slow-disk" => lab.slow_disk(case.take_arg("server")?),
        "disk-done" => lab.disk_done(case.take_arg("server")?),
        "crash" => lab.crash(case.take_arg("server")?),
        "restart" => lab.restart(case.take_arg("server")?),
        "refuse" => lab.refuse(&filter(case)?),
        "status" => lab.status(),
        "progress" => lab.progress(case.take_arg("server")?),
        other => return Err(format!("no such command: {other}").into()),
    }
    case.expect_empty()?;
    Ok(lab.take_output())
}

fn setup(case: &mut TestCase) -> Result<Setup, Failure> {
    let usual = Setup::default();
    let reads = match case.try_take_arg::<String>("reads")?.as_deref() {
        None | Some("read-index") => Reads::ReadIndex,
        Some("check-quorum") => Reads::CheckQuorum,
        Some("lease") => Reads::Lease { span: Span::from_millis(90) },
        Some(other) => return Err(format!("no such way to read: {other}").into()),
    };
    Ok(Setup {
        servers: case.try_take_arg("servers")?.unwrap_or(usual.servers),
        pre_vote: !case.take_flag("no-pre-vote")?,
        check_quorum: !case.take_flag("no-check-quorum")?,
        reads,
        entries_per_append_max: case.try_take_arg("per-append")?.unwrap_or(usual.entries_per_append_max),
        entries_kept_behind: case.try_take_arg("kept-behind")?.unwrap_or(usual.entries_kept_behind),
        established: case.try_take_arg("leader")?,
    })
}

fn filter(case: &mut TestCase) -> Result<Filter, Failure> {
    Ok(Filter {
        from: case.try_take_arg("from")?,
        to: case.try_take_arg("to")?,
        kind: case.try_take_arg("kind")?,
    })
}
