//! Which lane is where.

use kernel::ProcessId;
use scenario::facts::Struck;
use scenario::{Group, Member};

use crate::layout::{Heading, HostBracket, Hue, Lane};
use crate::options::{Captions, Options, Sizes};
use crate::{Rect, Scale, Scene};

/// The lanes with their headings, and the room that they take.
pub(crate) struct Lanes {
    pub(crate) lanes: Vec<Lane>,
    pub(crate) headings: Vec<Heading>,
    pub(crate) hosts: Vec<HostBracket>,
    /// The lane of each process, by its number.
    pub(crate) of_process: Vec<usize>,
    pub(crate) height: f64,
}

const GROUPS: [Group; 5] =
    [Group::LockService, Group::Workers, Group::Stores, Group::Sweepers, Group::Others];

pub(crate) fn lanes(scene: &Scene<'_>, options: &Options, sizes: &Sizes, scale: &Scale) -> Lanes {
    let cast = scene.cast;
    let mut lanes = Lanes {
        lanes: Vec::with_capacity(cast.members.len()),
        headings: Vec::new(),
        hosts: Vec::new(),
        of_process: vec![0; cast.members.len()],
        height: 0.0,
    };
    let mut y = sizes.axis;
    let mut workers = 0;
    for group in GROUPS {
        let members = in_order(scene, group);
        if members.is_empty() {
            continue;
        }
        let below_stores =
            group == Group::Sweepers && lanes.headings.last().is_some_and(|last| last.group == Group::Stores);
        if !below_stores {
            y += sizes.heading_gap;
            lanes.headings.push(Heading {
                group,
                lanes: members.len(),
                rect: strip(options, y, sizes.heading),
            });
            y += sizes.heading;
        }
        for member in members {
            let hue = match group {
                Group::Workers => {
                    workers += 1;
                    Hue::Worker(workers - 1)
                }
                Group::LockService => Hue::Service,
                Group::Stores | Group::Sweepers | Group::Others => Hue::Plain,
            };
            y = push(&mut lanes, member, hue, y, options, sizes, scale);
        }
    }
    lanes.hosts = brackets(&lanes.lanes);
    lanes.height = y + 4.0;
    lanes
}

/// The members of a group in the cast's order, but those of one host together. Bystanders are there only when a fault
/// strikes them: nothing else is told of them.
fn in_order<'a>(scene: &Scene<'a>, group: Group) -> Vec<&'a Member> {
    let mut members: Vec<&Member> = Vec::new();
    for member in scene.cast.group(group) {
        if group == Group::Others && !is_struck(scene, member) {
            continue;
        }
        match members.iter().rposition(|other| other.host == member.host) {
            Some(place) => members.insert(place + 1, member),
            None => members.push(member),
        }
    }
    members
}

fn is_struck(scene: &Scene<'_>, member: &Member) -> bool {
    scene.facts.blocks.iter().any(|block| match &block.struck {
        Struck::Processes(processes) => processes.contains(&member.process),
        Struck::Host(host) => *host == member.host,
        // A cut between whole sides touches everybody: that says nothing about a bystander.
        Struck::Links(_) | Struck::Nobody => false,
    })
}

/// A strip over the whole width.
fn strip(options: &Options, y: f64, height: f64) -> Rect {
    Rect { x: 0.0, y, w: options.width, h: height }
}

fn push(
    lanes: &mut Lanes,
    member: &Member,
    hue: Hue,
    y: f64,
    options: &Options,
    sizes: &Sizes,
    scale: &Scale,
) -> f64 {
    let height = match member.group {
        Group::LockService => sizes.server,
        Group::Workers => sizes.worker,
        Group::Stores => sizes.store,
        Group::Sweepers | Group::Others => sizes.small,
    };
    let top = y + sizes.caption;
    let rect = Rect::span(scale.left(), top, scale.right(), top + height);
    let caption = match options.captions {
        Captions::Beside(width) => Rect { x: 0.0, y: top, w: width - 12.0, h: height },
        Captions::Above => Rect { x: scale.left(), y, w: rect.w, h: sizes.caption },
    };
    if let Some(place) = lanes.of_process.get_mut(usize::from(member.process.0)) {
        *place = lanes.lanes.len();
    }
    lanes.lanes.push(Lane {
        process: member.process,
        host: member.host,
        group: member.group,
        hue,
        rect,
        caption,
    });
    top + height + sizes.gap
}

/// Hosts whose neighbouring lanes are more than one.
fn brackets(lanes: &[Lane]) -> Vec<HostBracket> {
    let mut brackets: Vec<HostBracket> = Vec::new();
    for pair in lanes.windows(2).filter(|pair| pair[0].host == pair[1].host && pair[0].group == pair[1].group)
    {
        match brackets.last_mut().filter(|last| last.host == pair[0].host) {
            Some(last) => last.rect = last.rect.with(&pair[1].rect),
            None => brackets.push(HostBracket { host: pair[0].host, rect: pair[0].rect.with(&pair[1].rect) }),
        }
    }
    brackets
}

impl Lanes {
    /// The lane of a process; `None` for nobody.
    pub(crate) fn of(&self, process: ProcessId) -> Option<(usize, &Lane)> {
        let place = *self.of_process.get(usize::from(process.0))?;
        self.lanes.get(place).filter(|lane| lane.process == process).map(|lane| (place, lane))
    }
}
