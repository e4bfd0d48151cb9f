//! The nearest right word.

/// How many words a hint lists when none is near.
const LISTED_MAX: usize = 16;

/// What real systems and people call things, without dashes, and what they are called here.
const ALSO_CALLED: [(&str, &str); 14] = [
    ("k8s", "kubernetes"),
    ("zk", "zookeeper"),
    ("leaseduration", "ttl"),
    ("leasedurationseconds", "ttl"),
    ("leasettl", "ttl"),
    ("sessionttl", "ttl"),
    ("sessiontimeout", "ttl"),
    ("sessiontimetoliveseconds", "ttl"),
    ("retryperiod", "retry"),
    ("servers", "nodes"),
    ("members", "nodes"),
    ("replicas", "nodes"),
    ("brokers", "nodes"),
    ("heartbeatinterval", "heartbeat"),
];

/// The word among `known` that somebody who wrote `word` most likely meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = plain(word);
    let known: Vec<&str> = known.into_iter().collect();
    let also = ALSO_CALLED.iter().find(|(other, _)| *other == plain).map(|(_, here)| *here);
    if let Some(meant) = known.iter().find(|candidate| also == Some(**candidate)) {
        return Some(meant);
    }
    known
        .into_iter()
        .filter_map(|candidate| Some((distance(&plain, &self::plain(candidate))?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "did you mean `margin`?" — or, when nothing is near, the whole list, unless that is long.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(word, known.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    match known.len() {
        0 => None,
        1 => Some(format!("there is only `{}`", known[0])),
        2..=LISTED_MAX => Some(format!("there are {}", list(&known, "and"))),
        _ => None,
    }
}

/// "`a`, `b` and `c`".
pub(crate) fn list(words: &[&str], join: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {join} {last}", rest.join(", ")),
    }
}

/// Case, dashes and underscores are not what people get wrong on purpose.
fn plain(word: &str) -> String {
    word.chars().take(64).filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How far two words are apart; `None` when they are not alike.
fn distance(word: &str, candidate: &str) -> Option<usize> {
    let (length, other) = (word.chars().count(), candidate.chars().count());
    let distance = strsim::osa_distance(word, candidate);
    let longest = length.max(other);
    // "fenced" is the beginning of "fenced-row", and not a slip for "unfenced".
    if length >= 3 && candidate.starts_with(word) {
        return Some(distance.min(1));
    }
    if distance <= (longest / 3).max(1) && distance < longest {
        return Some(distance);
    }
    (length >= 4 && candidate.contains(word) || other >= 4 && word.contains(candidate)).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_their_word() {
        let words = ["acquire", "release", "fenced-row", "stop-time", "margin"];
        for (slip, meant) in [
            ("aquire", "acquire"),
            ("realese", "release"),
            ("fenced", "fenced-row"),
            ("FencedRow", "fenced-row"),
            ("stop_time", "stop-time"),
            ("marjin", "margin"),
        ] {
            assert_eq!(nearest(slip, words), Some(meant), "{slip}");
        }
        assert_eq!(nearest("banana", words), None);
    }

    #[test]
    fn the_words_of_real_systems_find_those_of_here() {
        let words = ["nodes", "ttl", "tick", "election_timeout"];
        assert_eq!(nearest("session_timeout", words), Some("ttl"), "and not election_timeout");
        assert_eq!(nearest("leaseDuration", words), Some("ttl"));
        assert_eq!(nearest("session_timeout", ["election_timeout"]), Some("election_timeout"));
        assert_eq!(nearest("k8s", ["etcd", "kubernetes"]), Some("kubernetes"));
    }

    #[test]
    fn one_letter_is_not_like_another() {
        assert_eq!(nearest("Z", ["A", "B"]), None);
        assert_eq!(nearest("a", ["A", "B"]), Some("A"));
        assert_eq!(hint("Z", ["A", "B", "C"]).as_deref(), Some("there are `A`, `B` and `C`"));
        assert_eq!(hint("Z", []), None);
    }
}
