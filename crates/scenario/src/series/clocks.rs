//! Every host's two clocks.

use std::rc::Rc;

use kernel::{HostId, SimTime};

use super::{Corner, readings};
use crate::facts::Clocks;
use crate::play::Play;

/// A host's clocks over a play.
#[derive(Clone, Debug, PartialEq)]
pub struct HostClocks {
    /// Which host.
    pub host: HostId,
    /// Its name.
    pub name: Rc<str>,
    /// The readings of its monotonic clock.
    pub mono: Vec<Corner>,
    /// The readings of its wall clock.
    pub wall: Vec<Corner>,
}

impl HostClocks {
    /// Whether both clocks read true time all along.
    pub fn are_true(&self) -> bool {
        self.mono.iter().chain(&self.wall).all(|corner| corner.off_true().micros == 0)
    }
}

/// The clocks of all hosts, in order of the hosts' numbers, from the beginning to the end of the play.
pub fn clocks(play: &Play) -> Vec<HostClocks> {
    let clocks = Clocks::new(&play.trace);
    let host = |(index, name): (usize, &Rc<str>)| {
        let host = HostId(index as u16);
        let of = |on_wall| readings(clocks.lines(host), on_wall, SimTime::ZERO, play.end());
        HostClocks { host, name: name.clone(), mono: of(false), wall: of(true) }
    };
    play.cast.hosts.iter().enumerate().map(host).collect()
}
