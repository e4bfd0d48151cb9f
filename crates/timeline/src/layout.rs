//! A played history as a picture: lanes, bars, blocks, marks and labels, all of it plain numbers.

use std::ops::Range;

use kernel::{FaultId, HostId, ProcessId, SimTime};
use scenario::Group;

use crate::labels::Label;
use crate::{FaultWord, Grip, Options, Point, Rect, Scale, Tick};

/// The picture. What has a place in it says which lane it is on, by its index in `lanes`.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// What it was made for.
    pub options: Options,
    /// Time against pixels.
    pub scale: Scale,
    /// The height that all of it takes.
    pub height: f64,
    /// The strip of the axis, at the top.
    pub axis: Rect,
    /// Where the lanes' histories are: right of the captions, below the axis.
    pub plot: Rect,
    /// The axis.
    pub ticks: Vec<Tick>,
    /// Headings over groups of lanes.
    pub headings: Vec<Heading>,
    /// A lane for each process, from the top.
    pub lanes: Vec<Lane>,
    /// Hosts on which more than one process runs.
    pub hosts: Vec<HostBracket>,
    /// Who led.
    pub reigns: Vec<ReignBand>,
    /// Leases as the authority recorded them.
    pub leases: Vec<LeaseBar>,
    /// What holders believed, in pieces.
    pub beliefs: Vec<BeliefPiece>,
    /// Who waited for a lock.
    pub waits: Vec<WaitLine>,
    /// Renewals, deadlines and stop times.
    pub notches: Vec<Notch>,
    /// Where lengths of leases can be taken hold of.
    pub grips: Vec<Grip>,
    /// The fences of stores.
    pub fences: Vec<FenceLine>,
    /// Faults, from the back to the front.
    pub blocks: Vec<Block>,
    /// What the blocks are drawn as; each block has a range of these.
    pub pieces: Vec<Piece>,
    /// Writes, sweeps and other moments.
    pub marks: Vec<Mark>,
    /// All text within the lanes.
    pub labels: Vec<Label>,
}

/// A heading over a group of lanes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Heading {
    /// Which group.
    pub group: Group,
    /// How many lanes it has.
    pub lanes: usize,
    /// Where.
    pub rect: Rect,
}

/// A process's lane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lane {
    /// Which process.
    pub process: ProcessId,
    /// Its host.
    pub host: HostId,
    /// What it is.
    pub group: Group,
    /// In which colour what it does is drawn.
    pub hue: Hue,
    /// Where its history is drawn.
    pub rect: Rect,
    /// Where its name and state are written.
    pub caption: Rect,
}

/// Neighbouring lanes whose processes share a host.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HostBracket {
    /// Which host.
    pub host: HostId,
    /// From the top of the first lane to the bottom of the last.
    pub rect: Rect,
}

/// Whose colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hue {
    /// The colour of this worker, counted from 0.
    Worker(u16),
    /// Of the lock service.
    Service,
    /// Of nobody in particular.
    Plain,
}

/// A stretch for which a server led.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReignBand {
    /// Which lane.
    pub lane: usize,
    /// Where.
    pub rect: Rect,
    /// In which term.
    pub term: u64,
}

/// A lease as the authority recorded it: pale, above what its holder believed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LeaseBar {
    /// Which lane: its holder's.
    pub lane: usize,
    /// Where.
    pub rect: Rect,
    /// In which colour.
    pub hue: Hue,
    /// The token.
    pub token: Option<u64>,
    /// Whether it still ran at the end of the view or of the play.
    pub open: bool,
}

/// How a piece of belief stands against the record and the holder's own stop time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Before its stop time, and the authority's record agrees.
    Sound,
    /// Past its own stop time: it may not act any more.
    PastStop,
    /// The authority has ended the lease, and the holder does not know: the dangerous stretch.
    Outlived,
}

/// A piece of what a holder believed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeliefPiece {
    /// Which lane.
    pub lane: usize,
    /// Where.
    pub rect: Rect,
    /// In which colour.
    pub hue: Hue,
    /// The token.
    pub token: Option<u64>,
    /// How it stands.
    pub standing: Standing,
    /// Whether it is the first piece of its belief.
    pub first: bool,
    /// Whether it is the last.
    pub last: bool,
}

/// A stretch for which a worker waited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WaitLine {
    /// Which lane.
    pub lane: usize,
    /// From the left.
    pub x0: f64,
    /// To the right.
    pub x1: f64,
    /// At this height.
    pub y: f64,
    /// In which colour.
    pub hue: Hue,
}

/// What a notch stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotchKind {
    /// A renewal came in at the authority.
    Renewal,
    /// A deadline that the authority once set and has moved since.
    Deadline,
    /// A new leader restarted the lease.
    Restart,
    /// The holder's own stop time, the last that it set.
    Stop,
}

/// A thin upright line on a bar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Notch {
    /// Which lane.
    pub lane: usize,
    /// What it stands for.
    pub kind: NotchKind,
    /// Where.
    pub x: f64,
    /// Its top.
    pub top: f64,
    /// Its bottom.
    pub bottom: f64,
    /// In which colour.
    pub hue: Hue,
}

/// A store's fence, as a line that steps upwards.
#[derive(Clone, PartialEq, Debug)]
pub struct FenceLine {
    /// Which lane.
    pub lane: usize,
    /// Its corners, from the left.
    pub corners: Vec<Point>,
}

/// A fault that can be taken hold of.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Which fault of the document.
    pub fault: FaultId,
    /// What it does.
    pub word: FaultWord,
    /// From when.
    pub from: SimTime,
    /// Until when; `None`: to the end.
    pub until: Option<SimTime>,
    /// What it is drawn as.
    pub pieces: Range<usize>,
    /// The piece that speaks for it: here is its handle and its name.
    pub main: Rect,
    /// Whether it has a length that a hand can change.
    pub stretches: bool,
    /// Where that is which it waits for, when its instant is anchored.
    pub anchor: Option<f64>,
}

/// How a piece of a block is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceForm {
    /// Over the whole lane.
    Full,
    /// A strip along the lane: a host that a link fault touches, or a clock that runs wrong.
    Strip,
    /// A mark at an instant.
    Point,
    /// An upright line that ties the pieces of one fault together.
    Tie,
}

/// A piece of a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Piece {
    /// Where.
    pub rect: Rect,
    /// How.
    pub form: PieceForm,
}

/// What a mark shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// A write that raised the fence or claimed the row.
    Raise,
    /// A write of work.
    Item,
    /// A write that finished the work.
    Finish,
    /// A sweeper's re-queue.
    Requeue,
    /// A sweeper saw an orphan.
    Orphan,
    /// A sweeper had another look, and was sure.
    Confirmed,
    /// A sweeper passed by.
    Skipped,
    /// A worker checked its stop time, and went on.
    CheckPassed,
    /// A worker checked its stop time, and did not go on.
    CheckFailed,
    /// A renewal failed.
    RenewalFailed,
    /// A worker gave up.
    Stopped,
    /// A worker came to the end of its program.
    Done,
    /// A waiting worker was woken by the key ahead of it going.
    Woken,
    /// A read that was answered with an old value.
    StaleRead,
    /// A server started from a backup.
    Restored,
}

/// Whether something is as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkTone {
    /// As usual.
    Usual,
    /// A danger that was kept out.
    Stopped,
    /// Something went wrong.
    Wrong,
}

/// What a mark came from: an index in one of the lists of the facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// `facts.writes`.
    Write(usize),
    /// `facts.sweeps`.
    Sweep(usize),
    /// `facts.moments`.
    Moment(usize),
}

/// A mark at an instant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    /// Which lane.
    pub lane: usize,
    /// What it shows.
    pub kind: MarkKind,
    /// Whether that is as it should be.
    pub tone: MarkTone,
    /// When.
    pub at: SimTime,
    /// Where its middle is.
    pub centre: Point,
    /// How large it is.
    pub radius: f64,
    /// In which colour.
    pub hue: Hue,
    /// Where the request for it was sent from; the start of its arrow.
    pub origin: Option<Point>,
    /// What it came from.
    pub source: Source,
}

impl Heading {
    /// What it says.
    pub fn title(&self) -> &'static str {
        match (self.group, self.lanes) {
            (Group::LockService, _) => "Lock service",
            (Group::Workers, 1) => "Worker",
            (Group::Workers, _) => "Workers",
            (Group::Stores, 1) => "Store",
            (Group::Stores, _) => "Stores",
            (Group::Sweepers, 1) => "Sweeper",
            (Group::Sweepers, _) => "Sweepers",
            (Group::Others, _) => "Others",
        }
    }
}

impl Layout {
    /// The block of a fault, if it struck within the view.
    pub fn block(&self, fault: FaultId) -> Option<&Block> {
        self.blocks.iter().find(|block| block.fault == fault)
    }
    /// The lane of a process.
    pub fn lane_of(&self, process: ProcessId) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.process == process)
    }
}
