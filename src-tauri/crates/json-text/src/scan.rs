//! JSON read as bytes: no tree is built, so that text stays exactly as it came and a
//! payload of 50 MB costs no more than looking at it.

use std::borrow::Cow;

/// Marks a text that is not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotJson;

#[inline]
pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}

/// Returns a text with U+FFFD for what is no UTF-8. Nearly every text is: that is found out many bytes
/// at a time here, and byte by byte by [`String::from_utf8_lossy`].
pub fn lossy(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(text),
    }
}

/// Returns the end of the value at `at`.
pub(crate) fn value_end(text: &[u8], at: usize) -> Result<usize, NotJson> {
    closing_end(text, skip_space(text, at), 0)
}

/// Returns the end of what is open at `at`, so many levels deep; of the value there, where none is.
pub(crate) fn closing_end(text: &[u8], mut at: usize, mut depth: usize) -> Result<usize, NotJson> {
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

/// Strings are looked at eight bytes at a time up to this length; most are shorter than it
/// takes to start a faster search.
const SHORT: usize = 64;

/// Returns the end of the string that begins at the quotation mark at `at`: the offset after its
/// closing one.
#[inline]
pub fn string_end(text: &[u8], at: usize) -> Result<usize, NotJson> {
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

/// Returns the end of the number, `true`, `false` or `null` at `at`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_utf_8_is_replaced_and_the_rest_is_not_copied() {
        assert!(matches!(lossy("é".as_bytes()), Cow::Borrowed("é")));
        assert_eq!(lossy(b"a\xffb"), "a\u{fffd}b");
    }

    #[test]
    fn a_string_of_any_length_ends_at_the_first_quotation_mark_without_a_backslash() {
        for length in 0..100 {
            for escape in ["", r#"\""#, r"\\"] {
                let string = format!("\"{}{escape}\"", "é".repeat(length));
                let text = format!("[{string}\"");
                assert_eq!(string_end(text.as_bytes(), 1), Ok(1 + string.len()));
                let open = &string.as_bytes()[..string.len() - 1];
                assert_eq!(string_end(open, 0), Err(NotJson), "{string}");
            }
        }
        assert_eq!(string_end(br#""\"#, 0), Err(NotJson));
    }
}
