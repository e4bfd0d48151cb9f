//! PostgreSQL's advisory locks: bound to a connection. There is no lease, no time to live and no token.
//!
//! A session's lock (`pg_try_advisory_lock`, `pg_advisory_lock`) is the backend's: it is counted, survives a rollback, and
//! is freed by as many unlocks or by the end of the backend; one of scope `transaction` (`pg_advisory_xact_lock`) by commit
//! or rollback. Locks are in the server's memory only: a restart or a failover frees them all, whatever holders believe.
//!
//! Nobody's clock decides. The server learns that a client is gone when the connection is closed: at once when the process
//! dies and its host lives, by TCP's keepalive (`tcp_keepalives_idle`, two hours) when its host is gone or cut off. A paused
//! process keeps its connection, and with it the lock, for as long as the pause lasts.
//!
//! Behind a pooler in transaction mode (PgBouncer's `pool_mode = transaction`) the backend is the pooler's: a session's
//! lock belongs to whichever connection the statement came on. The unlock may come on another and answers false, the lock
//! stays behind; the next client on the same connection is granted it as well; and a client's death frees nothing.
//! With `pool_mode = session` a client has a backend of its own, and `DISCARD ALL` at its end frees what it held.
//!
//! Left out: deadlocks and their timeout, shared locks, lock and statement timeouts, the two-integer key space,
//! `client_connection_check_interval` (a waiter that is gone leaves the line at once here; there it is granted the lock and
//! freed when the answer cannot be sent), `server_idle_timeout`, the pooler as a process that can die alone.
//!
//! Sources: `src/backend/utils/adt/lockfuncs.c`, `src/backend/storage/lmgr/lock.c`, `src/backend/libpq/pqcomm.c`, the
//! documentation's "Advisory Locks" and "Connections and Authentication"; PgBouncer's `objects.c`, `janitor.c` and its
//! documentation of `server_lifetime` and `server_round_robin`.

mod pool;
mod recipe;
mod server;

pub use pool::Pool;
pub use recipe::Recipe;
pub use server::{Config, Hold, Postgres, Scope};

use crate::{GrantId, Key};

/// What a client asks. `session` is the number of its connection, `value` its own name for one lock or try.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The lock.
    Lock {
        /// Which lock.
        lock: Key,
        /// On which connection.
        session: u64,
        /// The name.
        value: u64,
        /// Whether it stands in line when somebody has it (`pg_advisory_lock`); it is told so at once otherwise
        /// (`pg_try_advisory_lock`).
        waits: bool,
    },
    /// `pg_advisory_unlock`, or the end of the transaction, or the end of waiting.
    Unlock {
        /// Which lock.
        lock: Key,
        /// On which connection.
        session: u64,
        /// The name.
        value: u64,
    },
    /// Any statement, to see whether the connection stands.
    Ping {
        /// Which lock it holds on it.
        lock: Key,
        /// On which connection.
        session: u64,
        /// The name.
        value: u64,
    },
    /// Whether anybody has it (`pg_locks`).
    Look {
        /// Which lock.
        lock: Key,
    },
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It has the lock.
    Granted(GrantId),
    /// Another backend has it.
    Taken,
    /// What `pg_advisory_unlock` returns: whether the backend had it.
    Unlocked(bool),
    /// Whether the connection stands, and what was held on it, as far as a statement shows.
    Stands(bool),
    /// Whether anybody has it.
    Looked(bool),
}
