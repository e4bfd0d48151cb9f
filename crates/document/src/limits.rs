//! How large a scenario may be. Each limit is there so that a play ends soon, so that nothing overflows, or so that a
//! slip of the pen is told from an intention.

use kernel::Span;

/// A document's text: a thousand times what stories need, and quick to read in a browser.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;
/// The only version of the format so far.
pub const VERSION: u32 = 1;
/// How long a play may be: people look at minutes.
pub const HORIZON_MAX: Span = Span::from_secs(3_600);
/// Seeds, terms and revisions stay below this, where JavaScript's numbers stop being exact.
pub const EXACT_MAX: u64 = 1 << 53;
/// How long a name may be: it has to fit beside a lane.
pub const NAME_CHARS_MAX: usize = 32;
/// How long a title may be.
pub const TITLE_CHARS_MAX: usize = 200;
/// Members of a lock service. More than nine vote nowhere.
pub const NODES_MAX: usize = 9;
/// Workers.
pub const WORKERS_MAX: usize = 32;
/// Stores.
pub const STORES_MAX: usize = 16;
/// Sweepers.
pub const SWEEPERS_MAX: usize = 8;
/// Faults.
pub const FAULTS_MAX: usize = 64;
/// Entries of any other list: hosts, links, expectations, stops of a guided walk, variants.
pub const LIST_MAX: usize = 256;
/// Steps of a program, those within repetitions counted.
pub const STEPS_MAX: usize = 256;
/// How deep repetitions may be within each other.
pub const NESTING_MAX: usize = 8;
/// How often steps may be repeated, and how many items a work may have.
pub const REPEAT_MAX: u32 = 10_000;
/// Effects of one write.
pub const EFFECTS_MAX: u32 = 1_000_000_000;
/// Locks that one worker acquires.
pub const LOCKS_PER_WORKER_MAX: usize = 4;
/// Puts that DynamoDB has room for in a transaction, beside the condition check.
pub const PUTS_PER_TRANSACTION: u32 = 99;
/// Partitions of a topic.
pub const PARTITIONS_MAX: u32 = 100;
/// Nodes that a journal has beside the first.
pub const JOURNAL_NODES_MAX: usize = 8;
/// Rows that a sweeper may be let re-queue in one look.
pub const REQUEUES_MAX: u32 = 1_000;
/// Keys that other users of the lock service write.
pub const OTHER_WRITES_MAX: usize = 1_000;
/// Whatever is done again and again is done at most a thousand times a second.
pub const INTERVAL_MIN: Span = Span::from_millis(1);
/// Delays, jitter and disk times: longer than the longest play they would say nothing.
pub const DELAY_MAX: Span = Span::from_secs(3_600);
/// The longest lock-delay that Consul takes (`agent/consul/session_endpoint.go`), and Chubby (OSDI 2006, section 2.4).
pub const LOCK_DELAY_MAX: Span = Span::from_secs(60);
/// How much slower a clock may run, in parts per million: a tenth of true time.
pub const PPM_MIN: i32 = -900_000;
/// How much faster a clock may run, in parts per million: a hundred times true time.
pub const PPM_MAX: i32 = 99_000_000;
/// Which occurrence an anchored instant may wait for.
pub const NTH_MAX: u32 = 1_000_000;
/// How many steps of the simulation a scenario may take by a rough estimate: about a second of computing.
pub const EVENTS_MAX: u64 = 1_000_000;
/// Options of a question.
pub const OPTIONS_MAX: usize = 6;
