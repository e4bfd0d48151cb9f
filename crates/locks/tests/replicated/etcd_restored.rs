//! An etcd that is restored from a backup, without a bump of its revision and with one.

use std::rc::Rc;

use kernel::{FaultKind, ProcessId, SimTime, Span, Target};
use locks::etcd::{self, LeaseTimes, Opening};
use locks::{ClientKind, Server, ServerConfig};

use crate::cast::Do;
use crate::lab::{Lab, MEMBERS, N1, N2, N3, POLICY, Run, Setup, crash, cut, s};

/// A cluster at revision 14, which is bumped so far when it is restored.
fn lab(restore_bump: u64) -> Lab {
    lab_with(restore_bump, 10_000)
}
fn lab_with(restore_bump: u64, snapshot_every: u64) -> Lab {
    let setup = Setup::default();
    setup.servers(ClientKind::Etcd(etcd::Recipe::new(true)), |me| {
        ServerConfig::Etcd(Rc::new(etcd::ServerConfig {
            raft: raft::Config { entries_kept_behind: 0, ..setup.raft(me) },
            leases: LeaseTimes {
                expiry_every: Span::ZERO,
                promote_extend: Span::ZERO,
                min_ttl: Span::ZERO,
                checkpoints: None,
                revoke_retry: s(7),
            },
            opening: Opening { revision: 14, leader: Some((N1, 1)) },
            restore_bump,
            snapshot_every,
        }))
    })
}

/// All get the first one's backup of the beginning, and are down for a second.
fn restored(lab: &mut Lab, at: u64, taken: u64) {
    let targets = MEMBERS.map(Target::Process).to_vec();
    let taken = SimTime::from_millis(taken);
    lab.fault(at, Some(at + 1_000), FaultKind::Restore { targets, taken, from: Some(Target::Process(N1)) });
}

fn revisions(run: &Run) -> [u64; 3] {
    MEMBERS.map(|server: ProcessId| match run.server(server) {
        Server::Etcd(server) => server.state().revision,
        Server::Single(_) | Server::Member(_) => panic!("this is an etcd"),
    })
}

/// The first takes the lock before the restore, the second after it.
fn two_workers(lab: &mut Lab) -> (ProcessId, ProcessId) {
    (lab.worker(POLICY, &[(2_000, Do::Acquire)]), lab.worker(POLICY, &[(12_000, Do::Acquire)]))
}

#[test]
fn a_restored_cluster_hands_out_a_token_again_unless_its_revision_is_bumped() {
    for (bump, token) in [(0, 15), (1_000_000, 1_000_015)] {
        let mut lab = lab(bump);
        let (first, second) = two_workers(&mut lab);
        restored(&mut lab, 5_000, 1_000);
        lab.fault(5_000, None, crash(first));
        let run = lab.run(20_000);
        assert_eq!(run.holds(first)[0].1, 15);
        assert_eq!(run.holds(second)[0].1, token);
        assert_eq!(revisions(&run), [token; 3]);
    }
}

#[test]
fn the_bump_survives_a_later_restart_of_the_members() {
    let mut lab = lab(1_000_000);
    let (_, second) = two_workers(&mut lab);
    restored(&mut lab, 5_000, 1_000);
    for member in MEMBERS {
        lab.fault(9_000, Some(10_000), crash(member));
    }
    let run = lab.run(25_000);
    assert!(run.holds(second)[0].1 > 1_000_014, "{:?}", run.holds(second));
    let [one, two, three] = revisions(&run);
    assert_eq!((one, one), (two, three));
}

/// Before a leader is elected nobody knows how much of the backup is committed, and so the bump has not been made.
#[test]
fn the_bump_survives_a_restart_before_it_was_made() {
    for again in [MEMBERS.to_vec(), vec![N2], vec![N3]] {
        let mut lab = lab(1_000_000);
        let (_, second) = two_workers(&mut lab);
        restored(&mut lab, 5_000, 1_000);
        for member in &again {
            lab.fault(6_050, Some(6_500), crash(*member));
        }
        let run = lab.run(25_000);
        assert!(run.holds(second)[0].1 > 1_000_014, "{again:?}: {:?}", run.holds(second));
        let [one, two, three] = revisions(&run);
        assert_eq!((one, one), (two, three), "{again:?}");
    }
}

#[test]
fn a_second_restore_bumps_once_more() {
    let mut lab = lab(1_000_000);
    let (_, second) = two_workers(&mut lab);
    restored(&mut lab, 5_000, 1_000);
    restored(&mut lab, 9_000, 8_500);
    let run = lab.run(25_000);
    assert!(run.holds(second)[0].1 > 2_000_014, "{:?}", run.holds(second));
}

/// A member that was away meanwhile is sent what the others have made of the backup: the bump is in that.
#[test]
fn the_leaders_snapshot_has_the_bump_in_it() {
    let mut lab = lab_with(1_000_000, 5);
    restored(&mut lab, 5_000, 1_000);
    lab.fault(5_000, Some(15_000), cut(&[N3], &[N1, N2]));
    let put = || locks::Request::Etcd(Rc::new(etcd::Request::Txn(etcd::Txn::put_always("other".into(), 1))));
    // Some of them it is sent one by one, after the snapshot.
    let puts = (0..20).map(|k| 10_000 + 10 * k).chain([17_000, 17_010, 17_020]);
    lab.asker(puts.map(|at| (at, N1, put())).collect());
    let run = lab.run(20_000);
    let installed = |record: &kernel::Record<_>| {
        matches!(
            record.what,
            kernel::What::Noted(crate::cast::Note::Raft(raft::Note::InstalledSnapshot { .. }))
        )
    };
    assert!(run.trace.records().iter().any(installed), "else this shows nothing");
    assert_eq!(revisions(&run), [1_000_037; 3]);
}
