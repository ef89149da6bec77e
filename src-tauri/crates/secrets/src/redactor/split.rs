//! Finds secrets that an output breaks in two: a wrapped line, or a piece of a line that is too
//! long to be kept whole.

use std::ops::Range;

/// This much of a secret at the end of a line is masked before it is known how the next one
/// begins. Less of it could be any word.
const MIN_PART_LENGTH: usize = 8;

/// The secrets that the lines of one output have begun so far.
#[derive(Debug, Clone, Default)]
pub struct SplitSecrets {
    /// The number of a value, and how many of its bytes have been seen.
    begun: Vec<(usize, usize)>,
}

impl SplitSecrets {
    /// The bytes of a line that belong to a value which began on the line before, or which may
    /// go on after it.
    pub(super) fn places(&mut self, values: &[Vec<u8>], line: &[u8]) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut begun = Vec::new();
        for (number, seen) in std::mem::take(&mut self.begun) {
            // The values may have become others meanwhile.
            let Some(rest) = values.get(number).and_then(|value| value.get(seen..)) else {
                continue;
            };
            if rest.is_empty() {
                continue;
            }
            if line.starts_with(rest) {
                places.push(0..rest.len());
            } else if rest.starts_with(line) && !line.is_empty() {
                places.push(0..line.len());
                begun.push((number, seen + line.len()));
            }
        }
        for (number, value) in values.iter().enumerate() {
            let longest = (value.len() - 1).min(line.len());
            for length in (1..=longest).rev() {
                if line.ends_with(&value[..length]) {
                    begun.push((number, length));
                    if length >= MIN_PART_LENGTH.min(value.len() / 2) {
                        places.push(line.len() - length..line.len());
                        break;
                    }
                }
            }
        }
        self.begun = begun;
        places
    }
}
