//! Puts JSON text together from its parts.

/// Returns a string as JSON text.
pub fn quoted(text: &str) -> String {
    // A string can always be written; to format a value of it takes twice as long.
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns an object of these members, whose values are JSON texts.
pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::from("{");
    for (name, value) in members {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&quoted(name));
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_quoted_as_serde_json_writes_it() {
        for text in [
            "",
            "plain / é 漢 😀 \u{7f}",
            "a\"b",
            "a\\b",
            "a\nb",
            "\u{1}",
        ] {
            assert_eq!(quoted(text), serde_json::Value::from(text).to_string());
        }
    }

    #[test]
    fn values_stay_as_they_were_written() {
        assert_eq!(object([]), "{}");
        assert_eq!(
            object([("a\"b", "1.50"), ("", "{ }")]),
            r#"{"a\"b":1.50,"":{ }}"#
        );
    }
}
