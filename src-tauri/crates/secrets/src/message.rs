//! Masks the secrets of messages by the names and the forms that they have.
//!
//! Known secrets are masked wherever they occur, by the [`Redactor`](crate::Redactor).
//! This finds what nobody knew before: values of members that are named as passwords are, values
//! of a form that only secrets have, and the secret parts of URLs. For what is handed on to others.

use std::borrow::Cow;

use sightglass_json_text::{quoted, string_end};

use crate::{MASK, mask_urls, name_suggests_password, value_suggests_secret};

/// Longer texts are no secrets, but may have URLs in them.
const MAX_SECRET_BYTES: usize = 16 * 1024;

/// Masks the secrets in a JSON text, which stays as it was written otherwise, or in any other
/// text. Returns nothing when there are none.
pub fn mask_message(text: &str) -> Option<String> {
    if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        return mask_json(text);
    }
    mask_plain(text)
}

/// Masks the words of a text that are secrets by their form, and the secret parts of URLs.
fn mask_plain(text: &str) -> Option<String> {
    let urls = mask_urls(text);
    let mut masked = String::with_capacity(urls.len());
    for word in urls.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let core = bare.trim_matches(['"', '\'', ',', ';', '(', ')', '<', '>']);
        if !core.is_empty() && !core.contains(MASK) && value_suggests_secret(core) {
            masked.push_str(&word.replacen(core, MASK, 1));
        } else {
            masked.push_str(word);
        }
    }
    (masked != text).then_some(masked)
}

/// Masks the strings of a valid JSON text.
fn mask_json(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut masked = String::new();
    let mut copied = 0;
    let mut at = 0;
    // A name counts for all strings until the next: those of a list have the name of the list.
    let mut is_password = false;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'"') {
        let start = at + found;
        let Ok(end) = string_end(bytes, start) else {
            break;
        };
        at = end;
        let written = &text[start..end];
        let Ok(value) = serde_json::from_str::<Cow<'_, str>>(written) else {
            continue;
        };
        let next = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
        if next == Some(&b':') {
            is_password = name_suggests_password(&value);
            continue;
        }
        let Some(value) = masked_value(&value, is_password) else {
            continue;
        };
        masked.push_str(&text[copied..start]);
        masked.push_str(&quoted(&value));
        copied = end;
    }
    if copied == 0 {
        return None;
    }
    masked.push_str(&text[copied..]);
    Some(masked)
}

/// Returns what stands in place of a value; nothing where it stays.
fn masked_value(value: &str, is_password: bool) -> Option<String> {
    if value.is_empty() || value == MASK {
        return None;
    }
    let is_short = value.len() <= MAX_SECRET_BYTES;
    if is_password || (is_short && !value.contains(MASK) && value_suggests_secret(value)) {
        // A URL with a password is one with its password masked.
        let urls = mask_urls(value);
        return Some(match !is_password && urls != value {
            true => urls,
            false => MASK.to_owned(),
        });
    }
    // JSON within a text, as tools like to answer.
    let begins = value.trim_start().as_bytes().first();
    if matches!(begins, Some(b'{' | b'[')) {
        return mask_message(value);
    }
    mask_plain(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_by_name_and_form_and_the_rest_stays_as_written() {
        for (text, masked) in [
            (
                r#"{ "password" : "hunter2", "n": 1.50, "key":"kept" }"#,
                r#"{ "password" : "•••", "n": 1.50, "key":"kept" }"#,
            ),
            (
                r#"{"apiKeys":["one","two"],"after":"kept"}"#,
                r#"{"apiKeys":["•••","•••"],"after":"kept"}"#,
            ),
            (r#"{"p\u0061ssword":"a\"b"}"#, r#"{"p\u0061ssword":"•••"}"#),
            (
                r#"{"url":"https:\/\/host.test\/?token=abc&x=1"}"#,
                r#"{"url":"https://host.test/?token=•••&x=1"}"#,
            ),
            (
                r#"{"text":"{\"password\": \"hunter2\"}"}"#,
                r#"{"text":"{\"password\": \"•••\"}"}"#,
            ),
            (
                r#"["see ghp_0123456789abcdefABCDEF0123456789abcd, please"]"#,
                r#"["see •••, please"]"#,
            ),
            ("went to https://a:b@c.test/", "went to https://•••@c.test/"),
        ] {
            assert_eq!(mask_message(text).as_deref(), Some(masked), "{text}");
            assert_eq!(mask_message(masked), None, "{masked}");
        }
    }

    #[test]
    fn ordinary_messages_stay() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"params":{"_meta":{"progressToken":"7"},"cursor":"a"}}"#,
            r#"{"properties":{"password":{"type":"string","description":"your password"}}}"#,
            r#"{"required":["password","token"]}"#,
            "plain text\n with lines",
            r#"{"broken": "password"#,
            "",
        ] {
            assert_eq!(mask_message(text), None, "{text}");
        }
    }
}
