//! A play as one JSON object. Others read this: fields and their order are a contract: `npm/core.d.ts` has their types.

use serde_json::{Map, Value, json};

use super::numbers::{Number, numbers};
use super::writes;
use crate::play::Play;
use crate::why::{Link, Otherwise, Why, why};

/// `scenario`, `seed`, `verdict`, `grants`, `writes`, `events`, `load`, `why`, `otherwise`; with the trace also `digest` and `trace`,
/// a line a record. Times are in microseconds of true time. A play that was broken off says when, in `broken_off_us`.
pub fn json(play: &Play, otherwise: &[Otherwise], with_trace: bool) -> Value {
    let mut out = Map::new();
    let mut add = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    add("scenario", play.scenario.title.as_str().into());
    add("seed", play.scenario.seed.into());
    if let Some(at) = play.broken_off {
        add("broken_off_us", at.as_micros().into());
    }
    add("verdict", verdict(play));
    add("grants", grants(play));
    add("writes", writes(play).map(|write| self::write(play, write)).collect());
    add("events", events(play));
    add("load", load(play));
    add("why", why(play).iter().map(|why| of_why(play, why)).collect());
    add("otherwise", otherwise.iter().map(of_otherwise).collect());
    if with_trace {
        add("digest", play.digest().into());
        add("trace", play.trace_lines().map(Value::from).collect());
    }
    Value::Object(out)
}

/// The same as text, indented.
pub fn json_text(play: &Play, otherwise: &[Otherwise], with_trace: bool) -> String {
    format!("{:#}\n", json(play, otherwise, with_trace))
}

fn verdict(play: &Play) -> Value {
    Value::Object(numbers(&play.verdict).into_iter().map(|(name, value)| number(name, value)).collect())
}

/// A number of the verdict: its name, with its unit where it has one, and its value.
fn number(name: &str, number: Number) -> (String, Value) {
    match number {
        Number::Count(count) => (name.to_owned(), Value::from(count)),
        Number::Time(span) => (format!("{name}_us"), Value::from(span.as_micros())),
    }
}

fn of_why(play: &Play, why: &Why) -> Value {
    let link = |link: &Link| {
        let event = link.told_in(play)?;
        Some(json!({
            "n": event.n,
            "at_us": event.at.as_micros(),
            "process": play.name(event.process),
            "text": event.text,
            "known": link.known,
        }))
    };
    json!({ "lines": why.lines, "others": why.others, "chain": why.chain.iter().filter_map(link).collect::<Value>() })
}

fn of_otherwise(otherwise: &Otherwise) -> Value {
    let set: Map<String, Value> =
        otherwise.edits.iter().map(|(path, value)| (path.clone(), value.as_str().into())).collect();
    let verdict: Map<String, Value> =
        otherwise.differs.iter().map(|differs| number(differs.name, differs.then)).collect();
    json!({ "what": otherwise.what, "set": set, "sentence": otherwise.headline.sentence, "verdict": verdict })
}

fn load(play: &Play) -> Value {
    let load = super::load(play);
    json!({
        "woken_at_most": load.woken_at_most,
        "renewals": load.renewals,
        "renewals_per_second": load.renewals_per_ks as f64 / 1_000.0,
    })
}

fn grants(play: &Play) -> Value {
    let grant = |lease: &crate::facts::Lease| {
        json!({
            "at_us": lease.granted.as_micros(),
            "worker": play.name(lease.worker),
            "token": lease.token,
            "until_us": lease.deadlines.first().map(|deadline| deadline.until.as_micros()),
        })
    };
    play.facts.leases.iter().map(grant).collect()
}

fn write(play: &Play, write: &crate::facts::Write) -> Value {
    json!({
        "at_us": write.at.as_micros(),
        "store": play.name(write.store),
        "worker": play.name(write.worker),
        "token": write.token,
        "accepted": write.accepted,
        "stale": write.stale,
        "reason": write.reason,
    })
}

fn events(play: &Play) -> Value {
    let event = |event: &crate::tale::Event| {
        json!({
            "n": event.n,
            "at_us": event.at.as_micros(),
            "process": play.name(event.process),
            "kind": event.kind.name(),
            "text": event.text,
        })
    };
    play.tale.iter().map(event).collect()
}
