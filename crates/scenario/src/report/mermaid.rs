//! A play as a Mermaid sequence diagram, for docs that draw those from text.
//!
//! What is in it are the events of the tale, each once: between two processes as an arrow, at one as a note. Heartbeats, replication,
//! renewals that nothing hangs on and runs of like writes are not told there, and so not drawn here. A diagram has an order and no
//! scale: true time stands in front of each text.

use std::fmt::Write as _;

use kernel::{HostId, ProcessId};

use crate::cast::{Group, Member};
use crate::facts::MomentKind;
use crate::play::Play;
use crate::tale::Event;
use document::model::EventKind;
use document::text::{instant, words};

/// How many characters a line of text has before it is broken.
const LINE: usize = 44;

/// How an arrow is drawn.
#[derive(Clone, Copy)]
enum Head {
    /// It was done.
    Done,
    /// It was an answer.
    Answer,
    /// It was refused, or did not arrive.
    Refused,
}

/// An arrow, from whom to whom.
type Arrow = (ProcessId, Head, ProcessId);

/// Who takes part, host by host, then the events in order, at the end the verdict.
pub fn mermaid(play: &Play) -> String {
    let told: Vec<(&Event, Option<Arrow>)> =
        play.tale.iter().map(|event| (event, arrow(play, event))).collect();
    let parts = |process: ProcessId| {
        told.iter().any(|(event, arrow)| {
            event.process == process || arrow.is_some_and(|(from, _, to)| from == process || to == process)
        })
    };
    let hosts = by_host(play, parts);
    let all: Vec<&Member> = hosts.iter().flat_map(|(_, members)| members).copied().collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        let everybody = play.cast.members.first();
        let name = everybody.map_or("nobody", |member| &*member.name);
        return format!(
            "sequenceDiagram\n    participant p0 as {}\n    Note over p0: {}\n",
            escaped(name),
            escaped(&play.headline.sentence)
        );
    };
    let everybody = format!("{},{}", id(first.process), id(last.process));
    let mut out = format!("sequenceDiagram\n    title {}\n", escaped(&play.scenario.title));
    participants(&mut out, play, &hosts);
    for (event, arrow) in &told {
        let text = broken(&format!("{}: {}", instant(event.at), event.text));
        let _ = match arrow {
            Some((from, head, to)) => {
                let head = match head {
                    Head::Done => "->>",
                    Head::Answer => "-->>",
                    Head::Refused => "-x",
                };
                writeln!(out, "    {}{head}{}: {text}", id(*from), id(*to))
            }
            None if play.cast.members.get(event.process.index()).is_none() => {
                writeln!(out, "    Note over {everybody}: {text}")
            }
            None => writeln!(out, "    Note over {}: {text}", id(event.process)),
        };
    }
    let headline = &play.headline;
    let verdict = broken(format!("{} {}", headline.sentence, headline.because).trim_end());
    let _ = writeln!(out, "    Note over {everybody}: {verdict}");
    out
}

/// The processes that take part, those of one host together, in the cast's order.
fn by_host(play: &Play, parts: impl Fn(ProcessId) -> bool) -> Vec<(HostId, Vec<&Member>)> {
    let mut hosts: Vec<(HostId, Vec<&Member>)> = Vec::new();
    for member in play.cast.members.iter().filter(|member| parts(member.process)) {
        match hosts.iter_mut().find(|(host, _)| *host == member.host) {
            Some((_, members)) => members.push(member),
            None => hosts.push((member.host, vec![member])),
        }
    }
    hosts
}

/// A host with several processes is a box around them; one that is nothing but its process is that.
fn participants(out: &mut String, play: &Play, hosts: &[(HostId, Vec<&Member>)]) {
    for (host, members) in hosts {
        let is_box = members.len() > 1;
        if is_box {
            let name = play.cast.hosts.get(usize::from(host.0)).map_or("", |name| name);
            // Without a colour a name that is one would be taken for it.
            let _ = writeln!(out, "    box transparent host {}", escaped(name));
        }
        for member in members {
            let _ = writeln!(out, "    participant {} as {}", id(member.process), escaped(&member.name));
        }
        if is_box {
            out.push_str("    end\n");
        }
    }
}

/// A participant's name in the diagram's text: nothing that a name can be is a word of the language.
fn id(process: ProcessId) -> String {
    format!("p{}", process.0)
}

/// Whom an event is between, by the fact that it tells of.
#[expect(clippy::wildcard_enum_match_arm, reason = "of whatever else is told, its moment says")]
fn arrow(play: &Play, event: &Event) -> Option<Arrow> {
    let (facts, of, who) = (&play.facts, event.record, event.process);
    match event.kind {
        EventKind::Acquired => {
            let lease = facts.leases.iter().find(|lease| lease.record == of && lease.worker == who)?;
            let server = lease.deadlines.first().map(|deadline| deadline.server);
            Some((server.or_else(|| only_server(play))?, Head::Answer, who))
        }
        EventKind::Renewed => {
            let mut deadlines = facts.leases.iter().flat_map(|lease| &lease.deadlines);
            deadlines
                .find(|deadline| deadline.record == of)
                .map(|deadline| (who, Head::Done, deadline.server))
        }
        EventKind::Released => {
            let lease = facts.leases.iter().find(|lease| lease.end_record == of && lease.worker == who)?;
            let server = lease.deadlines.last().map(|deadline| deadline.server);
            Some((who, Head::Done, server.or_else(|| only_server(play))?))
        }
        EventKind::FenceRaised
        | EventKind::Wrote
        | EventKind::AcceptedStale
        | EventKind::Repeated
        | EventKind::Refused
        | EventKind::FinishedWork => {
            let write = facts.writes.iter().find(|write| write.record == of && write.worker == who)?;
            Some((who, if write.accepted { Head::Done } else { Head::Refused }, write.store))
        }
        EventKind::OrphanSeen | EventKind::ReQueued => {
            let sweep = facts.sweeps.iter().find(|sweep| sweep.record == of && sweep.sweeper == who)?;
            Some((who, Head::Done, sweep.store))
        }
        _ => {
            let mut moments = facts.moments.iter().filter(|moment| moment.record == of);
            moments.find(|moment| moment.process == who).and_then(|moment| of_moment(who, &moment.what))
        }
    }
    .filter(|(from, _, to)| from != to)
}

fn of_moment(who: ProcessId, what: &MomentKind) -> Option<Arrow> {
    match what {
        MomentKind::RenewalFailed { server, .. } => Some((who, Head::Refused, *server)),
        MomentKind::Read { from, .. } => Some((*from, Head::Answer, who)),
        MomentKind::Replayed { store, .. }
        | MomentKind::PutOff { store, .. }
        | MomentKind::RolledBack { store, .. } => Some((*store, Head::Answer, who)),
        MomentKind::RowLocked { store }
        | MomentKind::RowAwaited { store, .. }
        | MomentKind::RecoveredEntry { store, .. } => Some((who, Head::Done, *store)),
        MomentKind::Checked { .. }
        | MomentKind::Stopped { .. }
        | MomentKind::Restarts { .. }
        | MomentKind::Finished
        | MomentKind::Woken { .. }
        | MomentKind::TookBehind { .. }
        | MomentKind::HeldBack { .. }
        | MomentKind::Restored
        | MomentKind::StartedAgain
        | MomentKind::Woke => None,
    }
}

/// The lock service, where that is one process.
fn only_server(play: &Play) -> Option<ProcessId> {
    let mut servers = play.cast.group(Group::LockService);
    servers.next().filter(|_| servers.next().is_none()).map(|member| member.process)
}

/// A text in lines that a diagram has room for.
fn broken(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in words(text) {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > LINE {
            out.push_str("<br/>");
            length = 0;
        } else if length > 0 {
            out.push(' ');
            length += 1;
        }
        out.push_str(&escaped(word));
        length += letters;
    }
    out
}

/// Text that stays text: what ends a statement, begins an entity, a directive, a formula or a tag is written as an entity.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' | ';' | '%' | '$' | '<' | '>' | '&' | '"' | '`' | '\\' | '{' | '}' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_syntax_is_written_as_entities() {
        assert_eq!(escaped("a;b #1 <i> %%{x}"), "a#59;b #35;1 #60;i#62; #37;#37;#123;x#125;");
    }

    #[test]
    fn lines_are_broken_between_words() {
        let text = broken("a word and another word and one more word that is too much; so");
        assert_eq!(text, "a word and another word and one more word<br/>that is too much#59; so");
    }
}
