//! Chance as a pure function of (seed, who draws, how many draws so far), so that an edit in one place does not
//! reshuffle the rest of the history. Ours, because a library may change its values in a minor version and
//! with that break every link that people have shared; the tests hold known answers.

use crate::Span;

/// Who draws: one stream never disturbs another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream(u64);

impl Stream {
    /// The stream of `who` for `purpose`, in the world with this seed.
    #[inline]
    pub const fn new(seed: u64, purpose: u64, who: u64) -> Self {
        Self(mix(mix(seed ^ 0x9e37_79b9_7f4a_7c15) ^ mix(purpose.wrapping_mul(0xd1b5_4a32_d192_ed03) ^ who)))
    }

    /// The draw with number `count` of this stream.
    #[inline]
    pub const fn draw(self, count: u64) -> u64 {
        mix(self.0 ^ mix(count.wrapping_add(0x9e37_79b9_7f4a_7c15)))
    }

    /// Draw number `count` as a length of time from nothing up to and including `most`.
    #[inline]
    pub fn span(self, count: u64, most: Span) -> Span {
        Span::from_micros(below(self.draw(count), most.as_micros() + 1))
    }

    /// Whether draw number `count` falls within `ratio`.
    #[inline]
    pub fn hits(self, count: u64, ratio: Ratio) -> bool {
        below(self.draw(count), u64::from(ratio.of)) < u64::from(ratio.times)
    }
}

/// A probability as `times` in `of`, so that it is exact everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio {
    /// How many times.
    pub times: u32,
    /// In so many.
    pub of: u32,
}

impl Ratio {
    /// Never.
    pub const NEVER: Self = Self { times: 0, of: 1 };

    /// `times` in `of`. Panics when `of` is zero or `times` is more than `of`.
    pub const fn new(times: u32, of: u32) -> Self {
        assert!(of > 0 && times <= of, "a probability lies between 0 and 1");
        Self { times, of }
    }
}

/// A machine's own source of chance: a stream and how many draws were made.
#[derive(Clone, Copy, Debug)]
pub struct Rng {
    stream: Stream,
    count: u64,
}

impl Rng {
    /// A source that begins with the first draw of `stream`.
    pub const fn new(stream: Stream) -> Self {
        Self { stream, count: 0 }
    }

    /// The next draw as a number below `bound`. Panics when `bound` is zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "nothing is below zero");
        let draw = self.stream.draw(self.count);
        self.count += 1;
        below(draw, bound)
    }
}

/// Scales a draw to `0..bound` by its upper half; exact enough for bounds below 2^32, which every span here is.
#[inline]
fn below(draw: u64, bound: u64) -> u64 {
    if bound <= u64::from(u32::MAX) { ((draw >> 32) * bound) >> 32 } else { draw % bound }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These numbers are in every link that was ever shared: they must never change.
    #[test]
    fn known_answers() {
        assert_eq!(mix(1), 0x5692_161d_100b_05e5);
        let stream = Stream::new(1, 2, 3);
        let drawn: Vec<u64> = (0..4).map(|count| stream.draw(count)).collect();
        assert_eq!(drawn, [0x02a09bdf6a4056f2, 0x4f5a78025abcae6e, 0xbc76020b456b201a, 0xd8363f52b290460b]);
    }

    #[test]
    fn ratios_come_out_as_they_say() {
        let stream = Stream::new(7, 1, 1);
        let hits = (0..100_000).filter(|&k| stream.hits(k, Ratio::new(3, 10))).count();
        assert!((29_500..30_500).contains(&hits), "3 in 10 hit {hits} times in 100,000");
        assert!((0..1000).all(|k| !stream.hits(k, Ratio::NEVER)));
        assert!((0..1000).all(|k| stream.hits(k, Ratio::new(5, 5))));
    }

    #[test]
    fn spans_reach_both_ends() {
        let stream = Stream::new(7, 1, 2);
        let drawn: std::collections::BTreeSet<u64> =
            (0..1000).map(|k| stream.span(k, Span::from_micros(3)).as_micros()).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}
