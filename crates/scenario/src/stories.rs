//! The stories that come with Fencepost.

/// A built-in story: a scenario document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its name, on the command line and in links.
    pub name: &'static str,
    /// The document.
    pub text: &'static str,
}

macro_rules! stories {
    ($($name:literal),* $(,)?) => {
        &[$(Story { name: $name, text: include_str!(concat!("../stories/", $name, ".toml")) }),*]
    };
}

/// The built-in stories, in the order in which they are offered.
pub const fn stories() -> &'static [Story] {
    stories![
        "billing",
        "kleppmann-gc-pause",
        "restored-backup",
        "etcd-line",
        "zookeeper",
        "consul",
        "hazelcast",
        "chubby",
        "raft",
        "redis",
        "redis-failover",
        "operator",
        "redlock",
        "kubernetes",
        "dynamodb-item",
        "dynamodb-lock-client",
        "postgres-row",
        "felix",
        "postgres-advisory",
        "handover",
        "lab",
        "none",
        "sweeper-storm",
        "sidecar",
        "fence-options",
        "versioned-row",
        "session-checked",
        "s3-manifest",
        "external-api",
        "dynamodb",
        "stream",
        "id-generator",
        "kafka",
        "journal",
        "sql",
        "row-lock",
    ]
}

/// The story of this name.
pub fn story(name: &str) -> Option<&'static Story> {
    stories().iter().find(|story| story.name == name)
}
