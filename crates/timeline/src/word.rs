//! Kinds of faults, as the picture tells them apart.

/// What a fault does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultWord {
    /// A process stops and goes on.
    Pause,
    /// A host stops, its monotonic clock as well.
    Suspend,
    /// A process loses its memory.
    Crash,
    /// A wall clock is set.
    WallStep,
    /// Clocks run at another rate.
    ClockRate,
    /// Links carry nothing.
    Cut,
    /// Links lose messages.
    Loss,
    /// Links are slower.
    Delay,
    /// Links deliver twice.
    Duplicate,
    /// A disk does not answer.
    DiskStall,
    /// A disk answers and does not keep.
    DiskLoss,
    /// Disks are replaced by a backup.
    Restore,
    /// A host loses its power.
    PowerOff,
    /// A replica is promoted.
    Promote,
    /// A store's fence is off.
    FenceOff,
}

impl FaultWord {
    /// The kind that a document calls so; `None` for one that the picture does not know.
    pub fn of(kind: &str) -> Option<Self> {
        Some(match kind {
            "pause" => Self::Pause,
            "suspend" => Self::Suspend,
            "crash" => Self::Crash,
            "wall-step" => Self::WallStep,
            "clock-rate" => Self::ClockRate,
            "cut" => Self::Cut,
            "loss" => Self::Loss,
            "delay" => Self::Delay,
            "duplicate" => Self::Duplicate,
            "disk-stall" => Self::DiskStall,
            "disk-loss" => Self::DiskLoss,
            "restore" => Self::Restore,
            "power-off" => Self::PowerOff,
            "promote" => Self::Promote,
            "fence-off" => Self::FenceOff,
            _ => return None,
        })
    }

    /// Whether it is over at once, and has no length to change.
    pub fn is_instant(self) -> bool {
        matches!(self, Self::WallStep | Self::Promote)
    }
}
