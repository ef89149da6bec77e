//! Finds the value at a JSON Pointer in the bytes of a text.

use std::ops::Range;

use crate::scan::{NotJson, scalar_end, skip_space, string_end};

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

/// Returns the text of the value at a JSON Pointer (RFC 6901).
pub fn value_at<'a>(text: &'a [u8], pointer: &str) -> Option<&'a [u8]> {
    value_range(text, pointer).map(|range| &text[range])
}

/// Returns the place of the value at a JSON Pointer (RFC 6901). Of members of the same name the
/// last counts, as it does for most parsers.
pub fn value_range(text: &[u8], pointer: &str) -> Option<Range<usize>> {
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

/// Returns the content of a string with its quotation marks. Broken escapes stay as they are.
pub fn unescaped(string: &[u8]) -> String {
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
            value_at(text, pointer).map(|value| String::from_utf8_lossy(value).into_owned())
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
            assert_eq!(value_at(&text[..end], "/zz"), None);
            let _ = value_at(&text[..end], "/a/1/b");
        }
    }
}
