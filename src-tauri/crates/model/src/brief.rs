//! Shortens a text that is shown.

use std::borrow::Cow;

/// Returns a text of at most this many characters, or its beginning with an ellipsis.
pub fn brief(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipsis_stands_where_something_is_left_out() {
        for (text, wanted) in [("", ""), ("äöü", "äöü"), ("äöüß", "äöü…")] {
            assert_eq!(brief(text, 3), wanted);
        }
        assert_eq!(brief("a", 0), "…");
    }
}
