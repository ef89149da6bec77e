//! JSON values whose numbers are as they were written.
//!
//! `serde_json` reads a number into 64 bits. One that they do not hold becomes a string here, with
//! a mark before its text, so that it can be compared and shown exactly.

use std::borrow::Cow;

use serde_json::Value;
use sightglass_json_text::string_end;

use crate::decimal::Decimal;

/// Stands before the text of a number that 64 bits do not hold. A private use character, which
/// ordinary text does not begin with; a stranger's can, and is not taken for more than a number.
const MARK: char = '\u{f8ff}';

/// Every decimal number of so many digits survives reading as a 64-bit float.
const SAFE_DIGITS: usize = 15;

/// Reads JSON text with its numbers as they are written. [`shown`] gives their text back.
pub fn read(text: &str) -> Result<Value, serde_json::Error> {
    let marked = marked(text);
    serde_json::from_str(&marked)
}

/// Replaces the numbers that 64 bits do not hold by marked strings.
fn marked(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut result = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at).unwrap_or(bytes.len()),
            b'-' | b'0'..=b'9' => {
                let end = at
                    + bytes[at..]
                        .iter()
                        .take_while(|byte| {
                            matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
                        })
                        .count();
                if !is_held(&text[at..end]) {
                    result.push_str(&text[copied..at]);
                    result.push('"');
                    result.push(MARK);
                    result.push_str(&text[at..end]);
                    result.push('"');
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(&text[copied..]);
    Cow::Owned(result)
}

/// Tells whether reading a number into 64 bits and writing it again gives the same number. What is
/// no number is left to the reader to refuse.
fn is_held(literal: &str) -> bool {
    if literal.parse::<i64>().is_ok() || literal.parse::<u64>().is_ok() {
        return true;
    }
    let Some(decimal) = Decimal::parse(literal) else {
        // JSON, only with an exponent beyond every limit.
        return serde_json::from_str::<&serde_json::value::RawValue>(literal).is_err();
    };
    let is_finite = literal
        .parse::<f64>()
        .is_ok_and(|float| float.is_finite() && (float != 0.0 || decimal.precision() == 0));
    is_finite && decimal.precision() <= SAFE_DIGITS
}

/// The number that a marked string stands for. A text that is none stays a text: it must not become
/// JSON of its own when it is shown or sent.
fn marked_number(text: &str) -> Option<&str> {
    let number = text.strip_prefix(MARK)?;
    let is_number = number
        .bytes()
        .all(|byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'))
        && serde_json::from_str::<&serde_json::value::RawValue>(number).is_ok();
    is_number.then_some(number)
}

/// The text of a number.
pub(crate) fn number_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::String(text) => marked_number(text).map(Cow::Borrowed),
        _ => None,
    }
}

/// Returns whether two values are equal as JSON: numbers by their size, objects in any order.
pub fn is_same(one: &Value, other: &Value) -> bool {
    if let (Some(one), Some(other)) = (number_text(one), number_text(other)) {
        return match (Decimal::parse(&one), Decimal::parse(&other)) {
            (Some(one), Some(other)) => one == other,
            _ => one == other,
        };
    }
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

/// The JSON text of a value, with its numbers as they were written.
pub fn shown(value: &Value) -> String {
    unmarked(&value.to_string())
}

/// The JSON text of a value over several lines.
pub(crate) fn shown_indented(value: &Value) -> String {
    unmarked(&format!("{value:#}"))
}

/// Replaces the marked strings of a JSON text by their numbers.
fn unmarked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    let mut at = 0;
    while let Some(begin) = text[at..].find('"').map(|found| at + found) {
        let end = string_end(bytes, begin).unwrap_or(bytes.len());
        let number = text.get(begin + 1..end - 1).and_then(marked_number);
        let is_name = bytes.get(end) == Some(&b':');
        if let Some(number) = number.filter(|_| !is_name) {
            result.push_str(&text[copied..begin]);
            result.push_str(number);
            copied = end;
        }
        at = end;
    }
    result.push_str(&text[copied..]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_survive() {
        for text in [
            r#"{"a":9007199254740993,"b":1e400,"c":0.1234567890123456789,"d":[-123456789012345678901234567890]}"#,
            r#"["12","-","1e5\"",{"1":1}]"#,
        ] {
            let value = read(text).expect(text);
            assert_eq!(shown(&value), text);
        }
    }

    #[test]
    fn a_text_with_the_mark_becomes_no_json() {
        for text in [
            "\u{f8ff}1}, \"name\": \"delete\"",
            "\u{f8ff}true",
            "\u{f8ff}",
            "a\"\u{f8ff}12",
            "\u{f8ff}1 ",
        ] {
            let value = serde_json::json!({ "a": [text, text], text: 1, "\u{f8ff}12": 2 });
            assert_eq!(number_text(&value["a"][0]), None, "{text}");
            for shown in [shown(&value), shown_indented(&value)] {
                assert_eq!(read(&shown).expect(&shown), value, "{shown}");
            }
        }
    }

    #[test]
    fn values_are_compared_by_what_they_mean() {
        let same =
            |one: &str, other: &str| is_same(&read(one).expect(one), &read(other).expect(other));
        assert!(same("1.50", "1.5"));
        assert!(same(r#"{"a":1,"b":[2.0]}"#, r#"{"b":[2],"a":1}"#));
        assert!(!same("9007199254740993", "9007199254740992"));
        assert!(!same("123456789012345678901", "123456789012345678902"));
        assert!(!same(r#""1""#, "1"));
        assert!(!same("[1]", "[1,2]"));
    }
}
