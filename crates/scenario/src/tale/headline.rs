//! The verdict in words.

use kernel::SimTime;

use super::words::{Words, claim, some, words};
use super::{Headline, Tone};
use crate::cast::{Cast, Group};
use crate::claimant::Claimant;
use crate::facts::{Ending, Facts, Lease, Loss, Moment, MomentKind, RowStep, Write, WriteKind};
use crate::verdict::{Verdict, left, orphaned, valid_rejections};
use document::model::Scenario;
use document::text::{count, instant, length, whose};
use stores::Kind;

/// Says what came out.
pub fn headline(
    facts: &Facts,
    verdict: &Verdict,
    cast: &Cast,
    scenario: &Scenario,
    broken_off: Option<SimTime>,
) -> Headline {
    let speaker = Speaker { facts, verdict, cast, scenario };
    if let Some(at) = broken_off {
        return Headline {
            tone: Tone::Bad,
            sentence: format!("Broken off at {}: too much happens.", instant(at)),
            because: "Some loop of the scenario goes round without letting time pass, or far too often."
                .into(),
        };
    }
    let (tone, sentence) = speaker.sentence();
    Headline { tone, sentence, because: speaker.because() }
}

struct Speaker<'a> {
    facts: &'a Facts,
    verdict: &'a Verdict,
    cast: &'a Cast,
    scenario: &'a Scenario,
}

fn plural(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", count(number)) }
}

impl Speaker<'_> {
    fn sentence(&self) -> (Tone, String) {
        let bad = self.bad_parts();
        if bad.is_empty() {
            (Tone::Good, self.good_sentence())
        } else {
            (Tone::Bad, format!("{}.", capitalised(&bad.join("; "))))
        }
    }

    /// What went wrong, worst first.
    fn bad_parts(&self) -> Vec<String> {
        let verdict = self.verdict;
        let mut bad = Vec::new();
        if verdict.stale_accepted > 0 {
            let mut text =
                format!("{} accepted", plural(verdict.stale_accepted, "stale write", "stale writes"));
            if verdict.duplicates > 0 {
                text = format!("{text}: {}", self.twice());
            } else if let Some(write) = self.stale_writes().find(|write| write.accepted) {
                text = format!("{text}: {}", self.acceptance(write));
            }
            bad.push(text);
        } else if verdict.duplicates > 0 {
            bad.push(self.twice());
        }
        if verdict.valid_rejected > 0 {
            bad.push(format!(
                "{} refused",
                plural(
                    verdict.valid_rejected,
                    "write of the rightful holder",
                    "writes of the rightful holder"
                )
            ));
        }
        if verdict.token_regressions > 0 {
            bad.push(format!(
                "{} no higher than an earlier one",
                plural(verdict.token_regressions, "token", "tokens")
            ));
        }
        if verdict.lost_acks > 0 {
            bad.push(format!(
                "{} forgotten",
                plural(verdict.lost_acks, "acknowledgement", "acknowledgements")
            ));
        }
        if verdict.stale_reads > 0 {
            bad.push(plural(verdict.stale_reads, "stale read", "stale reads"));
        }
        if verdict.orphans > 0 {
            bad.push(format!("{} left with nobody to finish", plural(verdict.orphans, "claim", "claims")));
        }
        bad
    }

    fn acceptance(&self, write: &Write) -> String {
        let name = self.cast.name(write.worker);
        let newest =
            self.facts.leases.iter().rfind(|lease| {
                lease.granted <= write.at && Some(&lease.lock) == self.cast.lock_of(write.store)
            });
        let of = |grant: &Lease| Some(grant.grant) == write.under && grant.worker == write.worker;
        let under = self.facts.leases.iter().rfind(|lease| of(lease));
        let at = instant(write.at);
        match (under, newest) {
            (Some(Lease { token: Some(under), .. }), Some(Lease { token: Some(newer), .. })) => {
                format!("{name} wrote at {at} under token {under}, after {newer} had been granted")
            }
            (Some(_), Some(newer)) => {
                let (holder, granted) = (self.cast.name(newer.worker), instant(newer.granted));
                format!("{name} wrote at {at} under its old grant, after {holder} had the lock at {granted}")
            }
            (_, _) => format!("{name} wrote at {at}"),
        }
    }

    fn twice(&self) -> String {
        let store = self.facts.writes.iter().find(|write| write.duplicates > 0).map(|write| write.store);
        match store.map(|store| words(self.scenario, self.cast, store)) {
            Some(words) => format!("{} {} twice", some(self.verdict.duplicates, words.many), words.done),
            None => format!("{} effects applied twice", count(self.verdict.duplicates)),
        }
    }

    fn good_sentence(&self) -> String {
        let Some(store) = self.cast.group(Group::Stores).next().map(|member| member.process) else {
            return match self.verdict.overlap.as_micros() {
                0 => "Never did two workers believe that they held the same lock.".into(),
                _ => format!("Two workers believed at once for {}.", length(self.verdict.overlap)),
            };
        };
        let words: Words<'_> = words(self.scenario, self.cast, store);
        let one = words.many.strip_suffix('s').unwrap_or(words.many);
        let none_twice = format!("No {one} was {} twice.", words.done);
        match self.stale_writes().next() {
            Some(write) if self.verdict.stale_rejected == 1 => {
                format!("{none_twice} {}", self.refusal(write, &words))
            }
            Some(_) => format!("{none_twice} {} stale writes were refused.", self.verdict.stale_rejected),
            None => match self.stale_replay() {
                Some(moment) => format!(
                    "{none_twice} {} stale {} had been {} before, and was answered at {} without being done again.",
                    whose(self.cast.name(moment.process)),
                    words.item,
                    words.done,
                    instant(moment.at)
                ),
                None => format!("{none_twice} No stale write was sent."),
            },
        }
    }

    fn refusal(&self, write: &Write, words: &Words<'_>) -> String {
        let what = match write.kind {
            WriteKind::Item { .. } => words.item,
            WriteKind::Raise => claim(self.cast, write.store),
            WriteKind::Finish => "finish",
            WriteKind::Requeue => "re-queue",
        };
        let text = format!(
            "{} stale {what} was refused at {}",
            whose(self.cast.name(write.worker)),
            instant(write.at)
        );
        match (write.token, write.fence) {
            (Some(token), Some(fence)) => {
                format!("{text}: it carried token {token}, the fence stood at {fence}.")
            }
            (_, _) => format!("{text}: {}.", write.reason),
        }
    }

    fn stale_replay(&self) -> Option<&Moment> {
        let moments = &self.facts.moments;
        moments.iter().find(|moment| matches!(moment.what, MomentKind::Replayed { stale: true, .. }))
    }

    fn stale_writes(&self) -> impl Iterator<Item = &Write> {
        self.facts.writes.iter().filter(|write| write.stale)
    }

    /// What led to the first stale write; where there is none, how far the holder was from one.
    fn because(&self) -> String {
        let mut parts = Vec::new();
        let orphans_alone = self.verdict.orphans > 0 && self.bad_parts().len() == 1;
        if orphans_alone && let Some(row) = orphaned(self.facts, self.cast).next() {
            parts.extend(self.orphan(row));
        } else if let Some(write) = self.stale_writes().next() {
            parts.extend(self.stop_of(write));
            parts.extend(self.check_of(write));
            parts.extend(self.ending_of(write));
            parts.extend(self.raise_before(write));
        } else if let Some(write) = valid_rejections(self.facts, self.cast).next() {
            parts.push(format!(
                "{} write at {}: {}",
                whose(self.cast.name(write.worker)),
                instant(write.at),
                write.reason
            ));
        } else if let Some(text) = self.stop_noticed() {
            parts.push(text);
        } else if self.verdict.overlap.as_micros() > 0 {
            parts.push(format!(
                "two workers believed for {} that they held the lock",
                length(self.verdict.overlap)
            ));
        }
        if parts.is_empty() { String::new() } else { format!("{}.", capitalised(&parts.join("; "))) }
    }

    /// Who left a claim behind, and how.
    fn orphan(&self, row: &RowStep) -> Option<String> {
        let store = self.cast.name(row.store);
        let Some(claimant) = Claimant::of(self.facts, self.cast, row) else {
            let (claim, at) = left(self.facts, self.cast, row)?;
            let (name, at) = (self.cast.name(claim.worker), instant(at));
            return Some(format!("{name} was gone at {at}; the row at {store} still says RUNNING"));
        };
        let belief = self.facts.beliefs.iter().rfind(|belief| claimant.believes(belief))?;
        let name = self.cast.name(belief.worker);
        let (at, loss) = belief.ended?;
        let how = match loss {
            Loss::Crashed => "died",
            Loss::Released => "gave the lock back",
            Loss::StopTime
            | Loss::ToldGone
            | Loss::WriteRefused
            | Loss::RenewalFailed
            | Loss::Jeopardy
            | Loss::Expired => "let the lock go",
        };
        let owned = row.owner.map_or(String::new(), |owner| format!(", owned by {owner}"));
        Some(format!("{name} {how} at {}; the row at {store} still says RUNNING{owned}", instant(at)))
    }

    /// The pause, suspension or cut that the stale writer was under.
    fn stop_of(&self, write: &Write) -> Option<String> {
        let (worker, host) = (write.worker, self.cast.host_of(write.worker));
        let mut blocks = self.facts.blocks.iter();
        let block = blocks.rfind(|block| block.strikes(worker, host) && block.from <= write.at)?;
        let fault = &self.cast.faults[usize::from(block.fault.0)];
        let until = block.until.map_or(String::from("to the end"), |until| format!("to {}", instant(until)));
        let name = self.cast.name(write.worker);
        let what = match fault.kind {
            "pause" => format!("{name} was paused"),
            "suspend" => format!("the host of {name} was suspended"),
            "crash" | "power-off" => format!("{name} was down"),
            "wall-step" => return Some(format!("{} at {}", fault.text, instant(block.from))),
            _ => format!("there was a {}", fault.text),
        };
        Some(format!("{what} from {} {until}", instant(block.from)))
    }

    fn check_of(&self, write: &Write) -> Option<String> {
        let checked = self.facts.moments.iter().rfind(|moment| {
            moment.process == write.worker
                && moment.at <= write.sent
                && matches!(moment.what, MomentKind::Checked { .. })
        })?;
        let passed = matches!(checked.what, MomentKind::Checked { passed: true, .. });
        passed.then(|| format!("its last check, at {}, had passed", instant(checked.at)))
    }

    fn ending_of(&self, write: &Write) -> Option<String> {
        let under = write.under?;
        let lease =
            self.facts.leases.iter().find(|lease| lease.worker == write.worker && lease.grant == under)?;
        match lease.ended? {
            (at, Ending::Expired) => Some(format!("its lease ran out at {}", instant(at))),
            (at, Ending::Released) => Some(format!("it had released the lock at {}", instant(at))),
            (at, Ending::Replaced) => Some(format!("its grant was replaced at {}", instant(at))),
            (at, Ending::Disconnected) => Some(format!("its connection was closed at {}", instant(at))),
            (at, Ending::Forgotten) => Some(format!("the service forgot its grant at {}", instant(at))),
        }
    }

    fn raise_before(&self, write: &Write) -> Option<String> {
        let raise = self.facts.writes.iter().rfind(|raise| {
            raise.store == write.store
                && raise.kind == WriteKind::Raise
                && raise.accepted
                && !raise.stale
                && raise.at <= write.at
                && raise.worker != write.worker
        })?;
        let name = self.cast.name(raise.worker);
        Some(match raise.token.filter(|_| raise.fence.is_some()) {
            Some(token) => {
                format!(
                    "{name} raised the fence to {token} at {}, before it read anything",
                    instant(raise.at)
                )
            }
            None => {
                let what = match self.cast.kind_of(write.store) {
                    Some(Kind::Unfenced(_) | Kind::ExternalApi(_)) | None => {
                        "had claimed the row at {}, and nothing at the store told the two apart"
                    }
                    Some(Kind::SessionChecked(_)) => "had claimed the row at {}, under a grant of its own",
                    Some(Kind::IdGenerator(_)) => "had taken the machine number over at {}",
                    Some(Kind::Kafka(_)) => "had taken the producer's id over at {}",
                    Some(Kind::Journal(_)) => "had raised its epoch at {}",
                    Some(Kind::Stream(_)) => "had appended its claim at {}",
                    Some(
                        Kind::FencedRow(_)
                        | Kind::VersionedRow(_)
                        | Kind::S3Manifest(_)
                        | Kind::Dynamodb(_)
                        | Kind::Sql(_),
                    ) => "had claimed the row at {}, and so changed it",
                };
                format!("{name} {}", what.replace("{}", &instant(raise.at)))
            }
        })
    }

    /// A holder that noticed in time.
    fn stop_noticed(&self) -> Option<String> {
        let failed = self
            .facts
            .moments
            .iter()
            .find(|moment| matches!(moment.what, MomentKind::Checked { passed: false, .. }))?;
        let name = self.cast.name(failed.process);
        Some(format!(
            "{name} checked its stop time at {}, found it past, and did not write",
            instant(failed.at)
        ))
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
