//! Tells whether JSON is written as `serde_json` writes it.

use std::ops::Range;

use memchr::memchr;

use crate::scan::{scalar_end, string_end};

/// Depth up to which a text is looked at. `serde_json` reads a little deeper ones into values.
const MAX_DEPTH: usize = 100;

/// Number of members up to which an object is looked at: names are compared with those before them.
const MAX_MEMBERS: usize = 64;

/// Returns true for JSON that stays as it is when `serde_json` reads it into a value and writes that:
/// without blanks, with the escapes and numbers that it writes itself, and without a repeated member.
/// False for what is no JSON, and for what is too deep or too wide to be looked at.
pub fn is_compact(text: &str) -> bool {
    let mut compact = Compact {
        text: text.as_bytes(),
        at: 0,
        names: Vec::new(),
    };
    compact.value(MAX_DEPTH).is_some() && compact.at == text.len()
}

/// A text, read up to a place. The methods answer `None` for what is not compact.
struct Compact<'a> {
    text: &'a [u8],
    at: usize,
    /// Places of the names in the objects that are open.
    names: Vec<Range<usize>>,
}

impl<'a> Compact<'a> {
    fn value(&mut self, depth: usize) -> Option<()> {
        match self.text.get(self.at)? {
            b'{' => self.object(depth.checked_sub(1)?),
            b'[' => self.array(depth.checked_sub(1)?),
            b'"' => self.string().map(|_| ()),
            _ => self.scalar(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<()> {
        self.at += 1;
        if self.takes(b'}') {
            return Some(());
        }
        let first = self.names.len();
        loop {
            let name = self.string()?;
            let before = self.names.get(first..)?;
            let is_repeated = |other: &Range<usize>| self.slice(other) == self.slice(&name);
            if before.len() >= MAX_MEMBERS || before.iter().any(is_repeated) {
                return None;
            }
            self.names.push(name);
            if !self.takes(b':') {
                return None;
            }
            self.value(depth)?;
            if self.takes(b'}') {
                self.names.truncate(first);
                return Some(());
            }
            if !self.takes(b',') {
                return None;
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<()> {
        self.at += 1;
        if self.takes(b']') {
            return Some(());
        }
        loop {
            self.value(depth)?;
            if self.takes(b']') {
                return Some(());
            }
            if !self.takes(b',') {
                return None;
            }
        }
    }

    /// Reads a string, and returns the place of what is between its quotation marks.
    fn string(&mut self) -> Option<Range<usize>> {
        if self.text.get(self.at) != Some(&b'"') {
            return None;
        }
        let end = string_end(self.text, self.at).ok()?;
        let inner = self.at + 1..end - 1;
        let text = self.slice(&inner)?;
        // Looked at to its end, which is quicker than to stop: several bytes are compared at once.
        let has_control = text
            .iter()
            .fold(false, |found, byte| found | (*byte < b' '));
        if has_control {
            return None;
        }
        let mut rest = text;
        while let Some(found) = memchr(b'\\', rest) {
            let escaped = rest.get(found + 1)?;
            if !matches!(escaped, b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't') {
                return None;
            }
            rest = rest.get(found + 2..)?;
        }
        self.at = end;
        Some(inner)
    }

    fn scalar(&mut self) -> Option<()> {
        let end = scalar_end(self.text, self.at).ok()?;
        let written = std::str::from_utf8(self.slice(&(self.at..end))?).ok()?;
        let is_plain = || {
            let has_digits = written.bytes().all(|byte| byte.is_ascii_digit());
            has_digits && written.len() < 19 && (written == "0" || !written.starts_with('0'))
        };
        let is_word = || matches!(written, "true" | "false" | "null");
        let is_own = || {
            let number = serde_json::from_str::<serde_json::Number>(written);
            number.is_ok_and(|number| number.to_string() == written)
        };
        self.at = end;
        (is_plain() || is_word() || is_own()).then_some(())
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn slice(&self, place: &Range<usize>) -> Option<&'a [u8]> {
        self.text.get(place.clone())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::is_compact;

    #[test]
    fn what_serde_json_writes_is_compact() {
        for text in [
            r#"{"a":[1,-2,2.5,1e100,true,false,null,"x\"\\\n\b\f\t\r/é\u007f"],"":{},"b":[[]]}"#,
            "0",
            "-1",
            "18446744073709551615",
            r#""text""#,
            "[]",
        ] {
            let written = serde_json::from_str::<Value>(text)
                .expect("JSON")
                .to_string();
            assert!(is_compact(&written), "{written}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_not_compact() {
        for text in [
            "",
            " 1",
            "1 ",
            r#"{"a": 1}"#,
            r#"{ }"#,
            "[1, 2]",
            r#"{"a":1,"a":2}"#,
            r#"{"a":{"b":1,"b":1}}"#,
            r#""\u00e9""#,
            r#""\/""#,
            "\"\n\"",
            "1.50",
            "1.0e5",
            "-0",
            "01",
            "1e400",
            "12345678901234567890123",
            r#"{"a":}"#,
            r#"{"a"}"#,
            r#"{"a":1,}"#,
            "[1,]",
            "[",
            "nul",
            "tru",
            r#"{"a":1}}"#,
        ] {
            assert!(!is_compact(text), "{text}");
        }
        assert!(!is_compact(&format!(
            "{}{}",
            "[".repeat(200),
            "]".repeat(200)
        )));
    }

    #[test]
    fn members_of_different_objects_may_have_one_name() {
        assert!(is_compact(
            r#"{"a":{"a":1},"b":{"a":1},"c":[{"a":1},{"a":1}]}"#
        ));
    }
}
