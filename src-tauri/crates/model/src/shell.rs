//! Writes words and commands for a shell, to be pasted into a terminal.
//!
//! Quotation marks keep a text from being split and expanded, and nothing more: a terminal acts on
//! a control character wherever it stands. An ESC begins the sequence that ends a bracketed paste, a
//! line feed ends a line that the editor was given, Ctrl+C throws the line away. So a word that holds
//! such a character, or one that is not seen, is written as `$'…'` with escapes. `shell-quote` (0.8)
//! leaves what is not seen as it is, and writes `\'` between the marks.

use crate::is_invisible;

/// Quotes a word for a POSIX shell where it would be split or expanded.
pub fn shell_quoted(word: &str) -> String {
    if word.contains(is_invisible) {
        return escaped(word);
    }
    let plain = |character: char| character.is_alphanumeric() || "-_./:=@%+,•".contains(character);
    // zsh replaces `=name` by the path of the program.
    if !word.is_empty() && !word.starts_with('=') && word.chars().all(plain) {
        return word.to_owned();
    }
    match shlex::try_quote(word) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => escaped(word),
    }
}

/// Writes a word as `$'…'`, which bash, zsh and other shells of today read.
///
/// Between the marks there is never a `'`, not even an escaped one: to a shell without this form
/// (dash, fish), it is a text in single quotes, which has to end in the same place.
fn escaped(word: &str) -> String {
    let mut text = String::from("$'");
    for character in word.chars() {
        let code = u32::from(character);
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\\' => text.push_str("\\\\"),
            // Three digits each time, since a digit may follow. Shells differ in how many `\x` takes.
            _ if character == '\'' || character.is_ascii_control() => {
                text.push_str(&format!("\\{code:03o}"));
            }
            _ if !is_invisible(character) => text.push(character),
            _ if code <= 0xffff => text.push_str(&format!("\\u{code:04x}")),
            _ => text.push_str(&format!("\\U{code:08x}")),
        }
    }
    text.push('\'');
    text
}

/// Writes the words of a command with a space between each.
pub fn command_line<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> String {
    let words = words.into_iter().map(|word| shell_quoted(word.as_ref()));
    words.collect::<Vec<_>>().join(" ")
}

/// Writes the curl command that sends an HTTP request, each header as `name: value`.
pub fn curl_command<'a>(
    method: &str,
    url: &str,
    headers: impl IntoIterator<Item = &'a str>,
    body: Option<&str>,
) -> String {
    let mut command = format!("curl -X {} {}", shell_quoted(method), shell_quoted(url));
    // curl would make several requests of one such address.
    if url.contains(['[', ']', '{', '}']) {
        command.push_str(" --globoff");
    }
    for header in headers {
        let name = header.split(':').next().unwrap_or_default();
        // curl computes these itself, and a stale length breaks the request.
        if name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("host") {
            continue;
        }
        command.push_str(" \\\n  -H ");
        command.push_str(&shell_quoted(header));
    }
    if let Some(body) = body {
        command.push_str(" \\\n  --data-raw ");
        command.push_str(&shell_quoted(body));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_split_or_expand_it() {
        for (word, quoted) in [
            ("@scope/server@1.2", "@scope/server@1.2"),
            ("größe", "größe"),
            ("•••", "•••"),
            ("", "''"),
            ("two words", "'two words'"),
            ("it's", "\"it's\""),
            ("{\"a\":\"$HOME\"}", "'{\"a\":\"$HOME\"}'"),
            ("~/x", "'~/x'"),
            ("=ls", "'=ls'"),
            ("a!b", "'a!b'"),
        ] {
            assert_eq!(shell_quoted(word), quoted);
        }
    }

    #[test]
    fn a_character_that_a_terminal_acts_on_or_nobody_sees_is_an_escape() {
        for (word, quoted) in [
            ("a\u{1b}[201~b", r"$'a\033[201~b'"),
            ("a\nb\r\tc", r"$'a\nb\r\tc'"),
            ("\u{3}1\u{7f}", r"$'\0031\177'"),
            ("\u{9b}2J", r"$'\u009b2J'"),
            ("cod\u{202e}gpj", r"$'cod\u202egpj'"),
            ("a\u{e0041}", r"$'a\U000e0041'"),
            ("it's\\\n", r"$'it\047s\\\n'"),
        ] {
            assert_eq!(shell_quoted(word), quoted);
        }
    }

    /// fish reads a backslash in single quotes as an escape.
    #[test]
    fn no_backslash_stands_in_plain_single_quotes() {
        assert_eq!(shell_quoted(r"\'; touch x; '"), r#""\\'; touch x; '""#);
    }

    #[test]
    fn a_request_becomes_a_command() {
        let command = curl_command(
            "POST",
            "https://host.test/mcp?a=b&c",
            ["authorization: Bearer •••", "Content-Length: 7", "Host: h"],
            Some("{\"a\":\"it's\"}"),
        );
        assert_eq!(
            command,
            "curl -X POST 'https://host.test/mcp?a=b&c' \\\n  \
             -H 'authorization: Bearer •••' \\\n  --data-raw \"{\\\"a\\\":\\\"it's\\\"}\""
        );
        assert_eq!(
            curl_command("GET", "http://[::1]/", [], None),
            "curl -X GET 'http://[::1]/' --globoff"
        );
    }
}
