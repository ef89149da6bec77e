//! Finds many patterns in a text, and skips most of a text that holds none.
//!
//! An automaton reads every byte, and each value brings seven patterns. Here the last bytes of a
//! window as long as the shortest pattern tell how far it may move at the least (Wu and Manber, "A
//! fast algorithm for multi-pattern searching", 1994). Only where a pattern may begin an automaton
//! looks.

use std::ops::Range;

use aho_corasick::{
    AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, Anchored, Input, MatchKind, StartKind,
};
use memchr::{memchr2, memchr2_iter};

/// The bytes that are looked at together.
const BLOCK: usize = 3;

/// The slots for blocks; several blocks may share one.
const SLOTS: usize = 1 << 15;

/// Finds patterns wherever they begin, also within one another.
pub(super) struct Finder {
    /// The length of the window.
    shortest: usize,
    /// The way that the window may move when it ends with a block of this slot.
    shifts: Vec<u8>,
    /// Tells the longest pattern that begins at a place.
    automaton: AhoCorasick,
}

impl Finder {
    /// Prepares to look for these patterns, which hold no line breaks. Nothing when one is shorter
    /// than a block, or there are too many.
    pub fn of(patterns: &[Vec<u8>]) -> Option<Self> {
        let shortest = patterns
            .iter()
            .map(Vec::len)
            .min()?
            .min(usize::from(u8::MAX));
        let farthest = u8::try_from(shortest.checked_sub(BLOCK)? + 1).ok()?;
        let mut shifts = vec![farthest; SLOTS];
        for pattern in patterns {
            // The last blocks come last, so that the shortest way remains.
            for (block, shift) in pattern[..shortest].windows(BLOCK).zip((0..farthest).rev()) {
                let known = &mut shifts[slot(block)];
                *known = shift.min(*known);
            }
        }
        let automaton = AhoCorasickBuilder::new()
            .match_kind(MatchKind::LeftmostLongest)
            .start_kind(StartKind::Anchored)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .prefilter(false)
            .build(patterns)
            .ok()?;
        Some(Self {
            shortest,
            shifts,
            automaton,
        })
    }

    /// Returns where patterns stand in a text, also where line breaks divide them.
    pub fn find_in(&self, text: &[u8]) -> Vec<Range<usize>> {
        if memchr2(b'\n', b'\r', text).is_none() {
            return self.find_in_line(text);
        }
        let mut joined = Vec::with_capacity(text.len());
        // Where each line begins in the joined text, and in the text.
        let mut lines: Vec<(usize, usize)> = Vec::new();
        let mut beginning = 0;
        let ends = memchr2_iter(b'\n', b'\r', text).chain(std::iter::once(text.len()));
        for end in ends {
            if beginning < end {
                lines.push((joined.len(), beginning));
                joined.extend_from_slice(&text[beginning..end]);
            }
            beginning = end + 1;
        }
        let in_text = |at: usize| {
            let after = lines.partition_point(|(joined, _)| *joined <= at);
            let (joined, text) = lines[after - 1];
            text + (at - joined)
        };
        self.find_in_line(&joined)
            .into_iter()
            .map(|found| in_text(found.start)..in_text(found.end - 1) + 1)
            .collect()
    }

    fn find_in_line(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut end = self.shortest;
        while let Some(window) = text.get(..end) {
            let shift = self.shifts[slot(&window[end - BLOCK..])];
            if shift > 0 {
                end += usize::from(shift);
                continue;
            }
            let place = Input::new(text)
                .range(end - self.shortest..)
                .anchored(Anchored::Yes);
            found.extend(self.automaton.find(place).map(|pattern| pattern.range()));
            end += 1;
        }
        found
    }
}

/// The slot of a block. Letters differ in their lower five bits.
fn slot(block: &[u8]) -> usize {
    let bits = block.iter().enumerate().fold(0, |bits, (index, byte)| {
        bits ^ (usize::from(*byte) << (5 * index))
    });
    bits % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(patterns: &[&str], text: &str) -> Vec<String> {
        let patterns: Vec<Vec<u8>> = patterns.iter().map(|one| one.as_bytes().to_vec()).collect();
        let finder = Finder::of(&patterns).expect("long enough");
        let places = finder.find_in(text.as_bytes());
        places
            .into_iter()
            .map(|place| text[place].to_owned())
            .collect()
    }

    #[test]
    fn patterns_are_found_at_both_ends_and_within_one_another() {
        assert_eq!(found(&["abcdef"], "abcdef-abcdef"), ["abcdef", "abcdef"]);
        assert_eq!(
            found(
                &["abcdef", "abcdef-123456", "123456-xyz"],
                "_abcdef-123456-xyz"
            ),
            ["abcdef-123456", "123456-xyz"]
        );
        assert!(found(&["abcdef"], "abcde").is_empty());
        assert!(found(&["abcdef"], "").is_empty());
    }

    #[test]
    fn line_breaks_within_patterns_are_passed_over() {
        assert_eq!(found(&["abcdef"], "\n\nabc\r\ndef\n"), ["abc\r\ndef"]);
        assert_eq!(found(&["abcdef"], "abcdef\n"), ["abcdef"]);
        assert!(found(&["abcdef"], "\r\n").is_empty());
    }

    #[test]
    fn what_is_too_short_is_not_looked_for() {
        assert!(Finder::of(&[b"ab".to_vec()]).is_none());
    }

    proptest::proptest! {
        #[test]
        fn everything_is_found_that_is_there(
            patterns in proptest::collection::vec("[abc+]{6,9}", 1..12),
            text in "[abc+]{0,120}",
        ) {
            let bytes: Vec<Vec<u8>> = patterns.iter().map(|one| one.as_bytes().to_vec()).collect();
            let finder = Finder::of(&bytes).expect("long enough");
            let covered: Vec<usize> =
                finder.find_in(text.as_bytes()).into_iter().flatten().collect();
            for pattern in &patterns {
                for (at, _) in text.match_indices(pattern.as_str()) {
                    proptest::prop_assert!((at..at + pattern.len()).all(|at| covered.contains(&at)));
                }
            }
        }
    }
}
