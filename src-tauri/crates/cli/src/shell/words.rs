//! Splits a line of the shell into words.

use serde::de::IgnoredAny;

/// Splits a line as a POSIX shell does, but for JSON: an object or an array that begins a word, or
/// the value after `:=`, is taken as it is written. Nothing while a quote, an object or an array is
/// open.
pub(super) fn words(line: &str) -> Option<Vec<String>> {
    shlex::split(&with_json_quoted(line)?)
}

fn with_json_quoted(line: &str) -> Option<String> {
    let mut quoted = String::with_capacity(line.len());
    let mut open = None;
    let mut begins_value = true;
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        if begins_value && matches!(next, '{' | '[') {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
            match values.next() {
                Some(Ok(IgnoredAny)) => {
                    let (json, after) = rest.split_at(values.byte_offset());
                    // Only a zero byte cannot be quoted, and JSON has none.
                    quoted.push_str(&shlex::try_quote(json).unwrap_or_default());
                    (rest, begins_value) = (after, false);
                    continue;
                }
                Some(Err(error)) if error.is_eof() => return None,
                // No JSON, so it is a word like any other.
                _ => {}
            }
        }
        let mut taken = next.len_utf8();
        match (open, next) {
            (None | Some('"'), '\\') => {
                taken += rest[taken..].chars().next().map_or(0, char::len_utf8);
            }
            (None, '\'' | '"') => open = Some(next),
            (Some(quote), _) if quote == next => open = None,
            _ => {}
        }
        let (part, after) = rest.split_at(taken);
        quoted.push_str(part);
        rest = after;
        begins_value = open.is_none() && (next.is_whitespace() || quoted.ends_with(":="));
    }
    Some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(
            words(r#"tools call echo message:="a b" 'c d' e\ f"#),
            Some(
                ["tools", "call", "echo", "message:=a b", "c d", "e f"]
                    .map(String::from)
                    .into()
            )
        );
    }

    #[test]
    fn json_needs_no_quotes() {
        assert_eq!(
            words(r#"tools call echo {"message": "it's {here}"}"#),
            Some(
                ["tools", "call", "echo", r#"{"message": "it's {here}"}"#]
                    .map(String::from)
                    .into()
            )
        );
        assert_eq!(
            words("tools call sum numbers:=[1, 2] unit:=m"),
            Some(
                ["tools", "call", "sum", "numbers:=[1, 2]", "unit:=m"]
                    .map(String::from)
                    .into()
            )
        );
    }

    #[test]
    fn what_is_open_goes_on_in_the_next_line() {
        for line in [r#"a "b"#, "a 'b", "a {", r#"a {"b": "#, "a b:=[1,"] {
            assert_eq!(words(line), None, "{line}");
        }
        assert_eq!(
            words("a {\n\"b\": 1\n}"),
            Some(["a", "{\n\"b\": 1\n}"].map(String::from).into())
        );
    }

    #[test]
    fn a_brace_that_begins_no_json_is_a_word() {
        assert_eq!(
            words("a {b c}"),
            Some(["a", "{b", "c}"].map(String::from).into())
        );
    }
}
