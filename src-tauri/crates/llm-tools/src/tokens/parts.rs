//! Counts texts of JSON part by part, each different part once.
//!
//! o200k never joins a letter with the two marks before it, so that a text counts the same in parts when
//! it is cut between `,"` or `{"` and a letter. The parts of tool lists are names of members with short
//! values, `type":"string","` for instance: of ten thousand tools most are there many times, and twice
//! where a tool is counted as it is listed and as it is sent.

use std::collections::HashMap;

use super::{MAX_COUNTED_BYTES, TokenError, tokens_of};

/// Longest part whose count is kept, in bytes.
const MAX_KEPT_PART: usize = 1024;

/// Bytes of the parts whose counts are kept.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// Counts of parts.
#[derive(Default)]
pub(super) struct PartCounter {
    kept: HashMap<Box<str>, u32>,
    kept_bytes: usize,
    /// Number of parts that were looked up in the vocabulary.
    #[cfg(test)]
    counted: usize,
}

impl PartCounter {
    /// Counts the tokens of a text in o200k.
    pub fn tokens(&mut self, text: &str) -> Result<u32, TokenError> {
        if text.len() > MAX_COUNTED_BYTES {
            return Err(TokenError::TooLong);
        }
        let mut tokens = 0_u32;
        let mut rest = text;
        while !rest.is_empty() {
            let (part, behind) = rest.split_at(part_end(rest));
            tokens = tokens.saturating_add(self.part(part)?);
            rest = behind;
        }
        Ok(tokens)
    }

    fn part(&mut self, part: &str) -> Result<u32, TokenError> {
        if let Some(tokens) = self.kept.get(part) {
            return Ok(*tokens);
        }
        let tokens = tokens_of(part)?;
        if part.len() <= MAX_KEPT_PART && self.kept_bytes < MAX_KEPT_BYTES {
            self.kept_bytes += part.len();
            self.kept.insert(part.into(), tokens);
        }
        #[cfg(test)]
        {
            self.counted += 1;
        }
        Ok(tokens)
    }
}

/// Returns the end of the part that a text begins with.
fn part_end(text: &str) -> usize {
    // Quotation marks are sought alone: half of the time that a list takes was to look at each byte
    // with those around it.
    let bytes = text.as_bytes();
    let mut from = 1;
    while let Some(rest) = bytes.get(from..)
        && let Some(found) = rest.iter().position(|byte| *byte == b'"')
    {
        let mark = from + found;
        let is_behind_mark = matches!(bytes[mark - 1], b',' | b'{');
        if is_behind_mark && bytes.get(mark + 1).is_some_and(u8::is_ascii_alphabetic) {
            return mark + 1;
        }
        from = mark + 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_counts_the_same_in_parts() {
        let mut random = fastrand::Rng::with_seed(23);
        let alphabet: Vec<&str> = vec![
            ",\"", "{\"", "\":", "a", "B", "s", "'", "'s", " ", "\n", ",", "{", "\"", "}", "é",
            "1", "/", "漢", "😀", "type", "\\", "\t", "-",
        ];
        let mut counter = PartCounter::default();
        for _ in 0..3_000 {
            let text: String = (0..random.usize(0..24))
                .map(|_| alphabet[random.usize(0..alphabet.len())])
                .collect();
            assert_eq!(counter.tokens(&text), tokens_of(&text), "{text:?}");
        }
    }

    #[test]
    fn a_part_is_counted_once() {
        let mut counter = PartCounter::default();
        let text = r#"{"a":{"type":"string","minLength":1},"b":{"type":"string","minLength":1}}"#;
        let once = counter.tokens(text);
        let counted = counter.counted;
        // `{"`, `a":{"`, `type":"string","`, `minLength":1},"`, `b":{"` and the end.
        assert_eq!(counted, 6);
        assert_eq!(counter.tokens(text), once);
        assert_eq!(counter.counted, counted);
    }

    #[test]
    fn a_text_beyond_the_limit_is_not_counted() {
        let text = "a".repeat(MAX_COUNTED_BYTES + 1);
        let counted = PartCounter::default().tokens(&text);
        assert_eq!(counted, Err(TokenError::TooLong));
    }
}
