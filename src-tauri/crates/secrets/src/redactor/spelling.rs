//! The spellings of a value: what a peer makes of it when it echoes it.

use std::fmt::Write as _;

use base64::{
    Engine,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use memchr::{memchr_iter, memchr2_iter};
use regex::bytes::{Regex, RegexBuilder};

/// The largest automaton for the escaped spellings, in bytes.
const MAX_SEARCH_SIZE: usize = 64 * 1024 * 1024;

/// The most that the automaton may keep of what it has worked out, in bytes.
const MAX_CACHE_SIZE: usize = 16 * 1024 * 1024;

/// The base64 forms of a value, alone or within other bytes (RFC 4648, sections 4 and 5): of
/// each alignment the characters that depend on the value alone.
pub(super) fn base64(value: &[u8]) -> Vec<String> {
    let mut forms = Vec::new();
    for before in 0..3 {
        let bytes = [&[0; 3][..before], value].concat();
        let (first, last) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            forms.push(engine.encode(&bytes)[first..last].to_owned());
        }
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// The escaped spellings that common libraries write.
pub(super) fn usual(value: &str) -> Vec<Vec<u8>> {
    let json = |must_escape: &dyn Fn(char) -> bool, upper: bool| {
        let mut text = String::with_capacity(value.len());
        for character in value.chars() {
            match short_escape(character) {
                Some(letter) if character != '/' && character != '\'' => {
                    text.extend(['\\', letter]);
                }
                _ if character.is_control() || must_escape(character) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        // Writing to a string does not fail.
                        let _ = match upper {
                            true => write!(text, "\\u{unit:04X}"),
                            false => write!(text, "\\u{unit:04x}"),
                        };
                    }
                }
                _ => text.push(character),
            }
        }
        text
    };
    let mut texts = vec![json(&|_| false, false)];
    for upper in [false, true] {
        texts.push(json(&|character| !character.is_ascii(), upper));
        texts.push(json(
            &|character| !character.is_ascii() || "<>&'+`".contains(character),
            upper,
        ));
        texts.push(json(&|character| "<>&".contains(character), upper));
    }
    let slashes: Vec<String> = texts.iter().map(|text| text.replace('/', "\\/")).collect();
    texts.extend(slashes);
    let doubled: Vec<String> = texts
        .iter()
        .map(|text| text.replace('\\', "\\\\").replace('"', "\\\""))
        .collect();
    texts.extend(doubled);
    for upper in [false, true] {
        let mut percent = String::with_capacity(value.len());
        for byte in value.bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    percent.push(char::from(byte));
                }
                _ => {
                    let _ = match upper {
                        true => write!(percent, "%{byte:02X}"),
                        false => write!(percent, "%{byte:02x}"),
                    };
                }
            }
        }
        // Form bodies write a space as `+` (URL standard, application/x-www-form-urlencoded).
        texts.push(percent.replace("%20", "+"));
        texts.push(percent);
    }
    texts.into_iter().map(String::into_bytes).collect()
}

/// The letter that stands for a character after a backslash (RFC 8259, section 7).
fn short_escape(character: char) -> Option<char> {
    Some(match character {
        '"' | '\\' | '/' | '\'' => character,
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        _ => return None,
    })
}

/// Values in any mixture of escapes, and the characters that they consist of.
pub(super) struct Escapes {
    values: Vec<String>,
    ascii: [bool; 128],
    beyond_ascii: bool,
}

impl Escapes {
    pub fn of(values: Vec<String>) -> Self {
        let mut ascii = [false; 128];
        let mut beyond_ascii = false;
        for byte in values.iter().flat_map(|value| value.bytes()) {
            match ascii.get_mut(usize::from(byte)) {
                Some(known) => *known = true,
                None => beyond_ascii = true,
            }
        }
        Self {
            values,
            ascii,
            beyond_ascii,
        }
    }

    /// Tells whether a text holds an escape for a character of one of the values. Without one, they
    /// can only stand there as they are.
    pub fn occur_in(&self, text: &[u8]) -> bool {
        let escape = memchr2_iter(b'\\', b'%', text).any(|at| match text[at] {
            b'\\' => self.is_backslash_escape(&text[at + 1..]),
            _ => self.is_percent_escape(&text[at + 1..]),
        });
        escape || (self.ascii[usize::from(b' ')] && memchr_iter(b'+', text).next().is_some())
    }

    fn has(&self, code: u32) -> bool {
        match usize::try_from(code)
            .ok()
            .and_then(|code| self.ascii.get(code))
        {
            Some(known) => *known,
            None => self.beyond_ascii,
        }
    }

    /// Judges what follows a backslash.
    fn is_backslash_escape(&self, after: &[u8]) -> bool {
        if self.ascii[usize::from(b'\\')] {
            return true;
        }
        let code = match after.first() {
            Some(b'u') => return hexadecimal(after.get(1..5)).is_some_and(|code| self.has(code)),
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'b') => 0x8,
            Some(b'f') => 0xc,
            Some(quoted @ (b'"' | b'/' | b'\'')) => *quoted,
            _ => return false,
        };
        self.has(u32::from(code))
    }

    /// Judges what follows a percent sign, which may itself be encoded as `%25`.
    fn is_percent_escape(&self, mut after: &[u8]) -> bool {
        loop {
            if hexadecimal(after.get(..2)).is_some_and(|code| self.has(code)) {
                return true;
            }
            match after.strip_prefix(b"25") {
                Some(rest) => after = rest,
                None => return false,
            }
        }
    }

    /// Finds the values in any mixture of spellings; nothing when there are too many.
    pub fn search(&self) -> Option<Regex> {
        // Of several that begin at one place the first one is found, and should be the longest.
        let longest_first = self.values.iter().rev().map(|value| pattern(value));
        RegexBuilder::new(&longest_first.collect::<Vec<_>>().join("|"))
            .unicode(false)
            .size_limit(MAX_SEARCH_SIZE)
            .dfa_size_limit(MAX_CACHE_SIZE)
            .build()
            .ok()
    }
}

fn hexadecimal(digits: Option<&[u8]>) -> Option<u32> {
    digits?.iter().try_fold(0, |number, digit| {
        Some(number * 16 + char::from(*digit).to_digit(16)?)
    })
}

/// A regular expression for a value, each of whose characters is spelt in any way.
fn pattern(value: &str) -> String {
    let mut pattern = String::new();
    for character in value.chars() {
        pattern.push_str("(?:");
        let mut bytes = [0; 4];
        let bytes = character.encode_utf8(&mut bytes).as_bytes();
        // Each level of quoting adds backslashes, so any number may come before an escape. The
        // escapes come first: those of `%` and of a backslash begin with the character itself.
        for unit in character.encode_utf16(&mut [0; 2]) {
            pattern.push_str(r"\\+u");
            push_digits(&mut pattern, &format!("{unit:04x}"));
        }
        pattern.push('|');
        for byte in bytes {
            pattern.push_str("%(?:25)*");
            push_digits(&mut pattern, &format!("{byte:02x}"));
        }
        if character == ' ' {
            pattern.push_str(r"|\+");
        }
        pattern.push('|');
        match short_escape(character) {
            Some('\\') => pattern.push_str(r"\\+"),
            Some(letter) if letter == character => {
                pattern.push_str(r"\\*");
                push_bytes(&mut pattern, bytes);
            }
            letter => {
                push_bytes(&mut pattern, bytes);
                if let Some(letter) = letter {
                    pattern.push_str(r"|\\+");
                    pattern.push(letter);
                }
            }
        }
        pattern.push(')');
    }
    pattern
}

fn push_bytes(pattern: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(pattern, "\\x{byte:02x}");
    }
}

/// Hexadecimal digits in either case.
fn push_digits(pattern: &mut String, digits: &str) {
    for digit in digits.chars() {
        if digit.is_ascii_digit() {
            pattern.push(digit);
        } else {
            pattern.extend(['[', digit, digit.to_ascii_uppercase(), ']']);
        }
    }
}
