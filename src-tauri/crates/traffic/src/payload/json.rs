//! JSON read as bytes: no tree is built, so that text stays exactly as it came and a
//! payload of 50 MB costs no more than looking at it.

use std::ops::Range;

/// Marks a text that is not JSON. It is then shown as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotJson;

pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}

/// Strings are looked at eight bytes at a time up to this length; most are shorter than it
/// takes to start a faster search.
const SHORT: usize = 64;

/// The end of the string that begins at the quotation mark at `at`.
#[inline]
pub(crate) fn string_end(text: &[u8], at: usize) -> Result<usize, NotJson> {
    let mut from = at + 1;
    loop {
        let rest = text.get(from..).ok_or(NotJson)?;
        let found = quote_or_backslash(rest).ok_or(NotJson)?;
        match rest[found] {
            b'"' => return Ok(from + found + 1),
            _ => from += found + 2,
        }
    }
}

#[inline]
fn quote_or_backslash(text: &[u8]) -> Option<usize> {
    /// Sets the high bit of every byte that is zero, and of none before the first such.
    const fn zeros(word: u64) -> u64 {
        word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
    }
    const QUOTES: u64 = 0x2222_2222_2222_2222;
    const BACKSLASHES: u64 = 0x5c5c_5c5c_5c5c_5c5c;
    let near = &text[..text.len().min(SHORT)];
    let (words, rest) = near.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if found != 0 {
            return Some(8 * index + found.trailing_zeros() as usize / 8);
        }
    }
    if near.len() < SHORT {
        let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        return Some(8 * words.len() + found);
    }
    memchr::memchr2(b'"', b'\\', &text[SHORT..]).map(|found| SHORT + found)
}

/// The end of the number, `true`, `false` or `null` at `at`.
#[inline]
pub(crate) fn scalar_end(text: &[u8], at: usize) -> Result<usize, NotJson> {
    let rest = text.get(at..).ok_or(NotJson)?;
    let length = match rest.first() {
        Some(b'-' | b'0'..=b'9') => rest
            .iter()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
            .unwrap_or(rest.len()),
        Some(b't') if rest.starts_with(b"true") => 4,
        Some(b'f') if rest.starts_with(b"false") => 5,
        Some(b'n') if rest.starts_with(b"null") => 4,
        _ => return Err(NotJson),
    };
    Ok(at + length)
}

/// The end of the value at `at`.
fn value_end(text: &[u8], at: usize) -> Result<usize, NotJson> {
    let mut depth = 0_usize;
    let mut at = skip_space(text, at);
    loop {
        match text.get(at).ok_or(NotJson)? {
            b'"' => at = string_end(text, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1).ok_or(NotJson)?;
                at += 1;
            }
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' if depth > 0 => at += 1,
            _ => at = scalar_end(text, at)?,
        }
        if depth == 0 {
            return Ok(at);
        }
    }
}

/// Finds the value at a JSON pointer (RFC 6901). Of members of the same name the
/// last counts, as it does for most parsers.
pub(crate) fn find(text: &[u8], pointer: &str) -> Option<Range<usize>> {
    let mut at = skip_space(text, 0);
    if !pointer.is_empty() {
        for part in pointer.strip_prefix('/')?.split('/') {
            let part = part.replace("~1", "/").replace("~0", "~");
            at = match text.get(at)? {
                b'{' => member(text, at, &part)?,
                b'[' => element(text, at, &part)?,
                _ => return None,
            };
        }
    }
    let end = value_end(text, at).ok()?;
    Some(at..end)
}

fn member(text: &[u8], object: usize, name: &str) -> Option<usize> {
    let mut at = skip_space(text, object + 1);
    let mut found = None;
    while *text.get(at)? == b'"' {
        let end = string_end(text, at).ok()?;
        let is_it = unescaped(&text[at..end]) == name;
        let colon = skip_space(text, end);
        if *text.get(colon)? != b':' {
            return None;
        }
        let value = skip_space(text, colon + 1);
        if is_it {
            found = Some(value);
        }
        at = skip_space(text, value_end(text, value).ok()?);
        if *text.get(at)? == b',' {
            at = skip_space(text, at + 1);
        } else {
            break;
        }
    }
    found
}

fn element(text: &[u8], array: usize, index: &str) -> Option<usize> {
    if index.len() > 1 && index.starts_with('0') {
        return None;
    }
    let index: usize = index.parse().ok()?;
    let mut at = skip_space(text, array + 1);
    for _ in 0..index {
        at = skip_space(text, value_end(text, at).ok()?);
        if *text.get(at)? != b',' {
            return None;
        }
        at = skip_space(text, at + 1);
    }
    (*text.get(at)? != b']').then_some(at)
}

/// The content of a string with its quotation marks. Broken escapes stay as they are.
pub(crate) fn unescaped(string: &[u8]) -> String {
    let inner = string
        .strip_prefix(b"\"")
        .and_then(|string| string.strip_suffix(b"\""))
        .unwrap_or(string);
    if memchr::memchr(b'\\', inner).is_none() {
        return String::from_utf8_lossy(inner).into_owned();
    }
    match serde_json::from_slice::<String>(string) {
        Ok(content) => content,
        Err(_) => String::from_utf8_lossy(inner).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_find_values_and_leave_their_text_alone() {
        let text = br#" {"a/b": [1.0, {"x~y": 1e400}], "s": "\u00e9\"", "e": {}, "s": 2} "#;
        let at = |pointer: &str| {
            find(text, pointer).map(|range| String::from_utf8_lossy(&text[range]).into_owned())
        };
        assert_eq!(at("/a~1b/0").as_deref(), Some("1.0"));
        assert_eq!(at("/a~1b/1/x~0y").as_deref(), Some("1e400"));
        assert_eq!(at("/s").as_deref(), Some("2"));
        assert_eq!(at("/e").as_deref(), Some("{}"));
        for absent in ["/a~1b/2", "/a~1b/01", "/e/x", "/s/0", "s", "/zz"] {
            assert_eq!(at(absent), None, "{absent}");
        }
        assert_eq!(unescaped(br#""\u00e9\"""#), "é\"");
    }

    #[test]
    fn broken_text_finds_nothing_and_does_not_panic() {
        let text = br#"{"a":[1,{"b":"c\"d"}],"e":tru"#;
        for end in 0..text.len() {
            assert_eq!(find(&text[..end], "/zz"), None);
            let _ = find(&text[..end], "/a/1/b");
        }
    }
}
