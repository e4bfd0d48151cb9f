//! Links and hosts.

use derive::Read;
#[cfg(feature = "schema")]
use schemars::JsonSchema;

use super::yes;
use crate::chance::Chance;
use crate::duration::{Dur, SignedDur};

/// What links between hosts are like. A host reaches itself at once.
#[derive(Clone, Debug, Default, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Network {
    /// How long a message takes, one way (default "1ms").
    pub delay: Option<Dur>,
    /// And up to so much longer, drawn for each message (default "0s").
    pub jitter: Dur,
    /// How many messages are lost: "1/100", "1%" (default none).
    pub loss: Chance,
    /// How many messages are delivered twice (default none).
    pub duplicate: Chance,
    /// Links that are not like the others; where several fit, the last counts.
    pub link: Vec<Link>,
}

/// A link that is not like the others. What it does not say is as in `network`.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// From the hosts of these (process or host names, or "workers", "stores", "lock"; "others": all the rest).
    pub from: Names,
    /// To the hosts of these.
    pub to: Names,
    /// And back (default true).
    #[serde(default = "yes")]
    pub both_ways: bool,
    /// How long a message takes, one way.
    #[serde(default)]
    pub delay: Option<Dur>,
    /// And up to so much longer.
    #[serde(default)]
    pub jitter: Option<Dur>,
    /// How many messages are lost.
    #[serde(default)]
    pub loss: Option<Chance>,
    /// How many messages are delivered twice.
    #[serde(default)]
    pub duplicate: Option<Chance>,
}

/// One name or several.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema), schemars(untagged))]
#[serde(rename_all = "kebab-case")]
pub enum Names {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Names {
    /// The names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names.as_slice(),
        }
        .iter()
        .map(String::as_str)
    }
}

/// A host whose clocks are off from the beginning.
#[derive(Clone, Debug, PartialEq, Read)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Its name: that of a process that runs on it, or one that processes name in `host`.
    pub name: String,
    /// How far its wall clock is ahead of true time ("3s"), or behind ("-3s").
    #[serde(default)]
    pub wall_offset: SignedDur,
    /// How much faster than true time both of its clocks run, in parts per million (negative: slower).
    #[serde(default)]
    pub drift_ppm: i32,
}
