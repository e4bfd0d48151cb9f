//! A play as a page of text that people read and golden files keep.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::{Fate, SimTime, Took, What};
use scenario::Play;
use scenario::story::Story;

/// The play's moral, its verdict in words and numbers, its tale, and what its trace is made of.
pub fn summary(play: &Play) -> String {
    let mut page = Page(String::new());
    page.line(&play.scenario.moral);
    page.heading(&play.scenario.title);
    page.line(&play.headline.sentence);
    page.line(&play.headline.because);
    page.heading("Verdict");
    page.verdict(play);
    page.heading("Tale");
    for event in &play.tale {
        let (at, name) = (secs(event.at), play.name(event.process));
        page.line(&format!("{:>2} {at:>10}  {name:<8} {:<14} {}", event.n, event.kind.name(), event.text));
    }
    page.heading("Trace");
    for (kind, count) in counts(play) {
        page.line(&format!("{count:>6} {kind}"));
    }
    page.line(&format!("SHA-256 {}", play.digest()));
    page.0
}

struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        self.0.push_str(text.trim_end());
        self.0.push('\n');
    }

    fn heading(&mut self, text: &str) {
        writeln!(self.0, "\n# {text}").expect("a string takes all that is written to it");
    }

    /// A number a line, whatever numbers there are.
    fn verdict(&mut self, play: &Play) {
        let numbers = format!("{:?}", play.verdict);
        let numbers = numbers.trim_start_matches("Verdict { ").trim_end_matches(" }");
        for number in numbers.split(", ") {
            self.line(&number.replace("Span(", "").replace(')', " us"));
        }
    }
}

/// To the microsecond: a golden file hides no difference.
fn secs(at: SimTime) -> String {
    format!("{}.{:06}", at.as_micros() / 1_000_000, at.as_micros() % 1_000_000)
}

fn counts(play: &Play) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for record in play.trace.records() {
        *counts.entry(kind(&record.what)).or_default() += 1;
    }
    counts
}

fn kind(what: &What<Story>) -> &'static str {
    match what {
        What::Took(Took::Boot) => "took: boot",
        What::Took(Took::Message) => "took: message",
        What::Took(Took::Refused) => "took: refusal",
        What::Took(Took::Closed) => "took: closed",
        What::Took(Took::Timer(_)) => "took: timer",
        What::Sent { fate: Fate::Arrives(_) | Fate::ArrivesTwice(..), .. } => "sent: arrives",
        What::Sent { fate: Fate::Lost, .. } => "sent: lost",
        What::Sent { fate: Fate::Cut, .. } => "sent: cut",
        What::Sent { fate: Fate::Refused(_), .. } => "sent: refused",
        What::Dropped => "dropped",
        What::Kept(_) => "kept",
        What::Noted(_) => "noted",
        What::Struck(_) => "struck",
    }
}
