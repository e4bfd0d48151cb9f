//! Clients of every kind.

use crate::client::Recipe;
use crate::etcd;

/// For what kind of service a client is.
#[derive(Clone, Debug)]
pub enum ClientKind {
    /// An etcd.
    Etcd(etcd::Recipe),
}

impl ClientKind {
    pub(crate) fn recipe(&mut self) -> &mut dyn Recipe {
        match self {
            Self::Etcd(recipe) => recipe,
        }
    }
}
