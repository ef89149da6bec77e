use std::fmt::Display;

/// Writes a message as a sentence: with a capital letter and an end.
pub fn sentence(message: impl Display) -> String {
    let message = message.to_string();
    let mut characters = message.chars();
    let Some(first) = characters.next() else {
        return message;
    };
    let end = if message.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    format!("{}{}{end}", first.to_uppercase(), characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_sentence_has_a_capital_letter_and_one_end() {
        for (message, wanted) in [
            ("no such file", "No such file."),
            ("It is locked.", "It is locked."),
            ("état: ready?", "État: ready?"),
            ("", ""),
        ] {
            assert_eq!(sentence(message), wanted);
        }
    }
}
