//! What came out, for machines and for people: as JSON, as Markdown, as a sequence
//! diagram, and as plain text for a terminal.

mod json;
mod load;
mod markdown;
mod mermaid;
mod numbers;
mod table;

use kernel::SimTime;

use crate::facts::{Write, WriteKind};
use crate::play::Play;
use document::text::seconds;

pub use self::json::{json, json_text};
pub use self::load::{Load, load};
pub use self::markdown::markdown;
pub use self::mermaid::mermaid;
pub use self::numbers::{Number, numbers};
pub use self::table::table;

/// An instant in a column of instants, all with as many decimals: "19.050".
fn column(at: SimTime) -> String {
    if at == SimTime::NEVER { "never".to_owned() } else { seconds(at.as_micros() as i64, 3) }
}

/// The writes that are reported: those of workers. A sweeper's re-queue is an event.
pub fn writes(play: &Play) -> impl Iterator<Item = &Write> {
    play.facts.writes.iter().filter(|write| match write.kind {
        WriteKind::Raise | WriteKind::Item { .. } | WriteKind::Finish => true,
        WriteKind::Requeue => false,
    })
}
