//! Finds the value at a JSON Pointer in the bytes of a text.

use std::ops::Range;

use memchr::memchr2;

use crate::scan::{NotJson, closing_end, lossy, skip_space, string_end, value_end};

/// The most parts of a pointer: each takes some of the stack. JSON that was parsed is less deep.
const MAX_PARTS: usize = 1000;

/// Returns the text of the value at a JSON Pointer (RFC 6901).
pub fn value_at<'a>(text: &'a [u8], pointer: &str) -> Option<&'a [u8]> {
    value_range(text, pointer).map(|range| &text[range])
}

/// Returns the place of the value at a JSON Pointer (RFC 6901). Of members of the same name the
/// last counts, as it does for most parsers. A pointer of more than 1,000 parts leads nowhere.
pub fn value_range(text: &[u8], pointer: &str) -> Option<Range<usize>> {
    let parts: Vec<String> = match pointer {
        "" => Vec::new(),
        _ => {
            let parts = pointer.strip_prefix('/')?.split('/');
            let named = parts.map(|part| part.replace("~1", "/").replace("~0", "~"));
            named.collect()
        }
    };
    let found = || find(text, skip_space(text, 0), &parts).0;
    (parts.len() <= MAX_PARTS).then(found).flatten()
}

/// A place that was looked for within a value, and the end of that value.
type Found = (Option<Range<usize>>, Result<usize, NotJson>);

/// Finds where `parts` lead to from the value at `at`. The text is passed over once: a value that
/// is searched is not skipped besides.
fn find(text: &[u8], at: usize, parts: &[String]) -> Found {
    let Some((part, rest)) = parts.split_first() else {
        let end = value_end(text, at);
        return (end.ok().map(|end| at..end), end);
    };
    let (found, read) = match text.get(at) {
        Some(b'{') => find_in_object(text, at, part, rest),
        Some(b'[') => find_in_array(text, at, part, rest),
        _ => return (None, value_end(text, at)),
    };
    (found, closing_end(text, read, 1))
}

/// Finds a place in a member of an object. Returns too how far the object was read.
fn find_in_object(
    text: &[u8],
    object: usize,
    name: &str,
    rest: &[String],
) -> (Option<Range<usize>>, usize) {
    let mut at = skip_space(text, object + 1);
    let mut found = None;
    while text.get(at) == Some(&b'"') {
        let Ok(end) = string_end(text, at) else {
            return (None, at);
        };
        let colon = skip_space(text, end);
        if text.get(colon) != Some(&b':') {
            return (None, colon);
        }
        let value = skip_space(text, colon + 1);
        let end = if unescaped(&text[at..end]) == name {
            let (place, end) = find(text, value, rest);
            found = place;
            end
        } else {
            value_end(text, value)
        };
        let Ok(end) = end else {
            return (None, value);
        };
        at = skip_space(text, end);
        if text.get(at) != Some(&b',') {
            break;
        }
        at = skip_space(text, at + 1);
    }
    (found.filter(|_| at < text.len()), at)
}

/// Finds a place in an element of an array. Returns too how far the array was read.
fn find_in_array(
    text: &[u8],
    array: usize,
    index: &str,
    rest: &[String],
) -> (Option<Range<usize>>, usize) {
    let mut at = skip_space(text, array + 1);
    let is_canonical = index.len() == 1 || !index.starts_with('0');
    let Some(index) = index.parse::<usize>().ok().filter(|_| is_canonical) else {
        return (None, at);
    };
    for _ in 0..index {
        let Ok(end) = value_end(text, at) else {
            return (None, at);
        };
        at = skip_space(text, end);
        if text.get(at) != Some(&b',') {
            return (None, at);
        }
        at = skip_space(text, at + 1);
    }
    if matches!(text.get(at), None | Some(b']')) {
        return (None, at);
    }
    let (found, end) = find(text, at, rest);
    (found, end.unwrap_or(at))
}

/// Returns the content of a string with its quotation marks. Broken escapes stay as they are.
pub fn unescaped(string: &[u8]) -> String {
    let inner = string
        .strip_prefix(b"\"")
        .and_then(|string| string.strip_suffix(b"\""));
    if let Some(content) = inner.and_then(simply_unescaped) {
        return content;
    }
    let inner = inner.unwrap_or(string);
    if memchr::memchr(b'\\', inner).is_none() {
        return lossy(inner).into_owned();
    }
    match serde_json::from_slice::<String>(string) {
        Ok(content) => content,
        Err(_) => lossy(inner).into_owned(),
    }
}

/// Returns the content of a string of which this stands between the quotation marks, made in the
/// room that it ends up in: one of many megabytes is copied once. `None` where it has an escape of
/// more than two characters, or is no string of JSON.
fn simply_unescaped(inner: &[u8]) -> Option<String> {
    let mut content = Vec::with_capacity(inner.len());
    let mut rest = inner;
    loop {
        let (piece, escape) = rest.split_at(memchr2(b'\\', b'"', rest).unwrap_or(rest.len()));
        // Looked at whole, since that is quicker than to stop at the first.
        if piece.iter().fold(false, |any, byte| any | (*byte < b' ')) {
            return None;
        }
        content.extend_from_slice(piece);
        let (character, after) = match escape {
            [] => return String::from_utf8(content).ok(),
            [b'\\', character @ (b'"' | b'\\' | b'/'), after @ ..] => (*character, after),
            [b'\\', b'n', after @ ..] => (b'\n', after),
            [b'\\', b't', after @ ..] => (b'\t', after),
            [b'\\', b'r', after @ ..] => (b'\r', after),
            [b'\\', b'b', after @ ..] => (8, after),
            [b'\\', b'f', after @ ..] => (12, after),
            _ => return None,
        };
        content.push(character);
        rest = after;
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
    }

    #[test]
    fn a_pointer_of_many_parts_takes_no_stack_for_each() {
        let nested = |depth: usize| format!("{}7{}", "[".repeat(depth), "]".repeat(depth));
        let led_to = |depth: usize| {
            let pointer = "/0".repeat(depth);
            value_at(nested(depth).as_bytes(), &pointer).map(<[u8]>::to_vec)
        };
        assert_eq!(led_to(MAX_PARTS).as_deref(), Some(&b"7"[..]));
        assert_eq!(led_to(MAX_PARTS + 1), None);
        assert_eq!(led_to(1_000_000), None);
    }

    #[test]
    fn a_place_is_found_in_the_last_of_members_with_one_name() {
        for (text, pointer, found) in [
            (r#"{"a":{"b":1},"a":{"b":2},"c":[]}"#, "/a/b", Some("2")),
            (r#"{"a":{"b":1},"a":{"c":2}}"#, "/a/b", None),
            (r#"{"a":{"b" 1},"a":{"b":2}}"#, "/a/b", Some("2")),
            (r#"{"a":[{"b":1} 2],"c":3}"#, "/a/0/b", Some("1")),
            (r#"{"a":[{"b":1} 2],"c":3}"#, "/c", Some("3")),
            (r#"{"a":[{"b":1}x],"c":3}"#, "/a/0/b", None),
            (r#"[{"b":1 x"#, "/0/b", Some("1")),
            (r#"[[1,2],[3,[4]]]"#, "/1/1/0", Some("4")),
            (r#"{"a":"b"}"#, "/a/b", None),
        ] {
            let value = value_at(text.as_bytes(), pointer);
            assert_eq!(value, found.map(str::as_bytes), "{pointer} of {text}");
        }
    }

    #[test]
    fn content_is_that_of_a_parser_and_what_is_broken_stays() {
        for string in [
            r#""""#,
            r#""é""#,
            r#""a\n\t\r\b\f\/\\\"é""#,
            r#""\u00e9\"\ud83d\ude00\n""#,
        ] {
            let parsed: String = serde_json::from_str(string).expect("a string");
            assert_eq!(unescaped(string.as_bytes()), parsed);
        }
        for broken in [r"\q", r"\ud83d\n", r"\", "\n\\n", r#"a"\n"#, "\u{1}"] {
            assert_eq!(unescaped(format!("\"{broken}\"").as_bytes()), broken);
        }
        assert_eq!(unescaped(br"a\n"), r"a\n");
        assert_eq!(unescaped(b"\"a\xff\\n\""), "a\u{fffd}\\n");
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
