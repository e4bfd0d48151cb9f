//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The clone that is worked on, and the cache that it shares with other clones.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    cache: PathBuf,
}

impl Project {
    pub(crate) fn here() -> Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.parent().context("xtask is not inside the workspace")?.to_owned();
        let cache = match env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty()) {
            Some(dir) => PathBuf::from(dir),
            None => env::home_dir().context("no home directory: set HOME or XDG_CACHE_HOME")?.join(".cache"),
        };
        Ok(Self { root, cache: cache.join("fencepost") })
    }

    /// Tools of exact versions: a second clone finds them there, and nothing of the user's is changed.
    pub(crate) fn tools(&self) -> PathBuf {
        self.cache.join("tools")
    }

    /// What set-up builds on its way to a tool.
    pub(crate) fn setup_target(&self) -> PathBuf {
        self.root.join("target/setup")
    }

    /// Builds for wasm have a directory of their own: they may come from another compiler, and
    /// should not wait for the native build's lock.
    pub(crate) fn wasm_target(&self) -> PathBuf {
        self.root.join("target/wasm")
    }

    /// The npm package, put together and packed.
    pub(crate) fn npm(&self) -> PathBuf {
        self.root.join("target/npm")
    }

    /// The same as it would be published.
    pub(crate) fn package(&self) -> PathBuf {
        self.npm().join("fencepost")
    }

    /// What other pages embed.
    pub(crate) fn figure(&self) -> PathBuf {
        self.root.join("target/figure")
    }

    /// The project's book.
    pub(crate) fn book(&self) -> PathBuf {
        self.root.join("target/book")
    }

    /// The examples of figures in other people's pages, built.
    pub(crate) fn examples(&self) -> PathBuf {
        self.root.join("target/examples")
    }

    /// The built page.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }
}
