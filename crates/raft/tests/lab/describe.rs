//! Messages and notes in the words of the scripts.

use raft::{Entry, Halt, LogId, Message, Note, Payload, StepDown};

use super::Letters;

pub(super) fn id(id: LogId) -> String {
    format!("{}/{}", id.term, id.index)
}

pub(super) fn entry(entry: &Entry<Letters>) -> String {
    match &entry.payload {
        Payload::Empty => format!("{} empty", id(entry.id)),
        Payload::Command(command) => format!("{} {command}", id(entry.id)),
    }
}

/// The message's name, and what it says.
pub(super) fn message(message: &Message<Letters>) -> (&'static str, String) {
    match message {
        Message::PreVote { term, last } => ("PreVote", format!("term {term}, last {}", id(*last))),
        Message::PreVoteAnswer { term, granted } => {
            ("PreVoteAnswer", format!("term {term}, {}", yes(*granted)))
        }
        Message::Vote { term, last, forced } => {
            ("Vote", format!("term {term}, last {}{}", id(*last), if *forced { ", forced" } else { "" }))
        }
        Message::VoteAnswer { term, granted } => ("VoteAnswer", format!("term {term}, {}", yes(*granted))),
        Message::Append { term, append } => {
            let entries: Vec<String> = append.entries.iter().map(entry).collect();
            let says = format!("term {term}, after {}, commit {}", id(append.prev), append.commit);
            ("Append", format!("{says}: {}", entries.join(", ")).trim_end_matches([':', ' ']).to_string())
        }
        Message::Accepted { term, through } => ("Accepted", format!("term {term}, through {through}")),
        Message::Rejected { term, rejection } => {
            let says = format!("term {term}, after {}, hint {}", rejection.rejected, id(rejection.hint));
            ("Rejected", says)
        }
        Message::Heartbeat { term, commit, round } => {
            ("Heartbeat", format!("term {term}, commit {commit}, round {round}"))
        }
        Message::HeartbeatAnswer { term, round } => {
            ("HeartbeatAnswer", format!("term {term}, round {round}"))
        }
        Message::Snapshot { term, snapshot } => {
            ("Snapshot", format!("term {term}, [{}] {}", id(snapshot.last), snapshot.state.join(" ")))
        }
        Message::TimeoutNow { term } => ("TimeoutNow", format!("term {term}")),
        Message::Outdated { term } => ("Outdated", format!("term {term}")),
        Message::Propose(command) => ("Propose", command.to_string()),
        Message::Read { ctx, .. } => ("Read", format!("{ctx}")),
        Message::ReadAnswer { ctx, index, .. } => ("ReadAnswer", format!("{ctx} at {index}")),
        Message::Transfer { to } => ("Transfer", format!("to {}", to.0)),
    }
}

fn yes(granted: bool) -> &'static str {
    if granted { "granted" } else { "refused" }
}

pub(super) fn note(note: &Note) -> String {
    match note {
        Note::Campaigns { term, pre: true } => format!("asks for pre-votes for term {term}"),
        Note::Campaigns { term, pre: false } => format!("campaigns in term {term}"),
        Note::Voted { term, candidate } => format!("votes for {} in term {term}", candidate.0),
        Note::BecameLeader { term } => format!("leads term {term}"),
        Note::BecameFollower { term, leader: Some(leader) } => format!("follows {} in term {term}", leader.0),
        Note::BecameFollower { term, leader: None } => format!("waits for a leader in term {term}"),
        Note::SteppedDown { term, why: StepDown::LostQuorum } => {
            format!("steps down from term {term}: no majority answers")
        }
        Note::SteppedDown { term, why: StepDown::HigherTerm { term: higher } } => {
            format!("steps down from term {term}: there is a term {higher}")
        }
        Note::TransferBegan { to } => format!("makes way for {}", to.0),
        Note::TransferAborted { to } => format!("no longer makes way for {}", to.0),
        Note::SentSnapshot { to, last } => format!("sends [{}] to {}", id(*last), to.0),
        Note::InstalledSnapshot { last } => format!("installs [{}]", id(*last)),
        Note::Halted(Halt::CommitBeyondLog { commit, last }) => {
            format!("halts: {commit} is committed, its log ends at {last}")
        }
        Note::Halted(Halt::CommittedConflict { index }) => {
            format!("halts: another entry than the committed one at {index}")
        }
    }
}
