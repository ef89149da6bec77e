//! Puts right what has one meaning in a JSON text: commas too many, and commas that are missing.

use super::{SyntaxErrorKind, parse};

/// The number of times that a text is read: what a mistake hid shows once it is gone.
const PASSES: usize = 4;

/// Returns a text with its commas put right; every other byte stays, and so does what else is
/// wrong. `keeps_trailing` leaves those after a last entry, which some files may have.
pub(crate) fn with_commas(text: &str, keeps_trailing: bool) -> String {
    let mut text = text.to_owned();
    for _ in 0..PASSES {
        let errors = parse(&text).errors;
        let before = text.len();
        for error in errors.iter().rev() {
            match error.kind {
                SyntaxErrorKind::TrailingComma if keeps_trailing => {}
                SyntaxErrorKind::TrailingComma | SyntaxErrorKind::StrayComma => {
                    text.remove(error.at);
                }
                SyntaxErrorKind::MissingComma => text.insert(error.at, ','),
                _ => {}
            }
        }
        if text.len() == before {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_are_put_right_and_nothing_else() {
        for (text, wanted) in [
            ("{\"a\": 1,}", "{\"a\": 1}"),
            ("[1, /* two */ 2, ]\n", "[1, /* two */ 2 ]\n"),
            ("{\"ö\": {}\n \"b\": [1 2]}", "{\"ö\": {},\n \"b\": [1, 2]}"),
            ("[,1,,]", "[1]"),
            ("{\"a\" 1}", "{\"a\" 1}"),
            ("{\"a\": 1}", "{\"a\": 1}"),
        ] {
            assert_eq!(with_commas(text, false), wanted, "{text}");
        }
        assert_eq!(with_commas("{\"a\": [1 2],}", true), "{\"a\": [1, 2],}");
    }
}
