//! Masks the arguments of programs, and finds the secrets in them.

use std::ops::Range;

use crate::{
    MASK, Secret,
    header::secrets_of,
    location::{mask_url, url_secrets},
    reference::is_mere_reference,
    suggestion::{header_line, name_suggests_secret, value_suggests_secret},
};

/// The flags with which programs take headers.
const HEADER_FLAGS: [&str; 3] = ["-H", "--header", "--headers"];

/// Returns the secrets in the arguments of a program: what follows a flag whose name suggests
/// one (`--api-key X`, `--token=X`, `TOKEN=X`), headers (`-H "Authorization: Bearer X"`), URLs
/// with credentials, and tokens of well-known services.
pub fn argument_secrets(arguments: &[String]) -> Vec<Secret<String>> {
    let mut secrets = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        match secret_argument_part(arguments, index) {
            Some((name, place)) => secrets.extend(secrets_of(name, &argument[place])),
            None => secrets.extend(url_secrets(argument)),
        }
    }
    secrets
}

/// Masks the secrets in the arguments of a program. What was not recognised stays.
pub fn mask_arguments(arguments: &[String]) -> Vec<String> {
    arguments
        .iter()
        .enumerate()
        .map(
            |(index, argument)| match secret_argument_part(arguments, index) {
                Some((_, place)) => format!(
                    "{}{MASK}{}",
                    &argument[..place.start],
                    &argument[place.end..]
                ),
                None => mask_url(argument),
            },
        )
        .collect()
}

/// Returns the words of a command as a shell takes them apart at its blanks. A backslash stays, so
/// that Windows paths survive, and so does a quote that never closes, as an apostrophe.
pub fn command_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quotes = vec!['"', '\''];
    let mut rest = command;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        if quotes.contains(&character) {
            if let Some(end) = end_of_quoted(rest, character) {
                word.get_or_insert_default().push_str(&rest[..end]);
                rest = &rest[end + 1..];
                continue;
            }
            // No later one closes either.
            quotes.retain(|quote| *quote != character);
        }
        if character.is_whitespace() {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(character);
        }
    }
    words.extend(word);
    words
}

/// Finds the end of a quoted text. A double quote behind a backslash is none.
fn end_of_quoted(text: &str, quote: char) -> Option<usize> {
    let mut ends = text.match_indices(quote).map(|(end, _)| end);
    ends.find(|end| quote == '\'' || !text[..*end].ends_with('\\'))
}

/// Returns true for `NAME=value`, which a shell takes for a variable where it stands in front of the
/// program.
pub fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || one == '_')
    })
}

/// Takes the program out of the words of a command, up to its first blank: behind that, what looks
/// quoted may be arguments between two apostrophes. Returns the place of its word as well.
fn take_program(words: &mut [String]) -> Option<(usize, String)> {
    let place = words.iter().position(|word| !is_assignment(word))?;
    let word = &mut words[place];
    let first = word.split_inclusive(char::is_whitespace).next();
    let length = first.map_or(0, str::len);
    Some((place, word.drain(..length).collect()))
}

/// Takes words apart at the blanks that a quote held together.
fn parts_of(words: &[String]) -> Vec<String> {
    let parts = words.iter().flat_map(|word| word.split_whitespace());
    parts.map(str::to_owned).collect()
}

/// Returns the secrets in a command that holds more than the program: variables in front of it, or
/// arguments. A quote may be an apostrophe, so they are looked for in the parts of words as well.
pub fn command_secrets(command: &str) -> Vec<Secret<String>> {
    let mut words = command_words(command);
    take_program(&mut words);
    let mut secrets = argument_secrets(&words);
    let in_parts = argument_secrets(&parts_of(&mask_arguments(&words)));
    secrets.extend(
        in_parts
            .into_iter()
            .filter(|secret| secret.expose() != MASK),
    );
    secrets
}

/// Masks the secrets in the words of a command, and in the parts of words, as [`command_secrets`]
/// finds them.
pub fn mask_command_words(words: &[String]) -> Vec<String> {
    let masked = mask_arguments(words);
    let mut parts = mask_arguments(&parts_of(&masked)).into_iter();
    let in_parts = masked.into_iter().map(|word| {
        let count = word.split_whitespace().count();
        let shown: Vec<String> = parts.by_ref().take(count).collect();
        match word.split_whitespace().eq(shown.iter().map(String::as_str)) {
            true => word,
            false => shown.join(" "),
        }
    });
    in_parts.collect()
}

/// Masks the secrets in a command that holds more than the program. Any other stays as it is.
pub fn mask_command(command: &str) -> String {
    let mut words = command_words(command);
    let program = take_program(&mut words);
    let mut masked = mask_command_words(&words);
    if masked == words {
        return command.to_owned();
    }
    if let Some((place, program)) = program {
        masked[place].insert_str(0, &program);
    }
    masked.join(" ")
}

/// Returns the part of an argument that is a secret, and the name that it has. A reference to
/// a variable is none, unless it has a default.
pub fn secret_argument_part(arguments: &[String], index: usize) -> Option<(&str, Range<usize>)> {
    recognised(arguments, index)
        .filter(|(_, place)| !is_mere_reference(&arguments[index][place.clone()]))
}

fn recognised(arguments: &[String], index: usize) -> Option<(&str, Range<usize>)> {
    let argument = arguments[index].as_str();
    let whole = 0..argument.len();
    let part = |value: &str| argument.len() - value.len()..argument.len();
    let before = index
        .checked_sub(1)
        .map(|before| arguments[before].as_str());
    if let Some((name, value)) = argument.split_once('=')
        && !name.contains(['/', ':', ' ', '?'])
        && !value.is_empty()
    {
        if HEADER_FLAGS.contains(&name) {
            return secret_header(value).map(|(name, value)| (name, part(value)));
        }
        if name_suggests_secret(name) || value_suggests_secret(value) {
            return Some((name, part(value)));
        }
    }
    if let Some(flag) = before
        && flag.starts_with('-')
        && !flag.contains('=')
        && !argument.starts_with("--")
        && !argument.is_empty()
    {
        if HEADER_FLAGS.contains(&flag) {
            return secret_header(argument).map(|(name, value)| (name, part(value)));
        }
        if name_suggests_secret(flag) {
            return Some((flag, whole));
        }
    }
    if let Some((name, value)) = secret_header(argument)
        && name_suggests_secret(name)
    {
        return Some((name, part(value)));
    }
    (value_suggests_secret(argument) && !argument.contains("://")).then_some(("secret", whole))
}

/// A header in one text, where its value may be a secret.
fn secret_header(text: &str) -> Option<(&str, &str)> {
    let (name, value) = header_line(text)?;
    (!secrets_of(name, value).is_empty()).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(line: &str) -> String {
        let arguments: Vec<String> = line.split('|').map(str::to_owned).collect();
        mask_arguments(&arguments).join("|")
    }

    #[test]
    fn secrets_in_arguments_are_masked() {
        for (line, expected) in [
            ("--api-key|abc|-v", "--api-key|•••|-v"),
            ("--token=abc", "--token=•••"),
            ("--token=${T:-abc}", "--token=•••"),
            ("--token=${T}", "--token=${T}"),
            ("https://h/?token=${T:-abc}", "https://h/?token=•••"),
            ("API_KEY=abc", "API_KEY=•••"),
            (
                "--header|Authorization: Bearer x",
                "--header|Authorization: •••",
            ),
            ("-H|X-Tenant: hunter22hunter", "-H|X-Tenant: •••"),
            ("-H|Accept: text/plain", "-H|Accept: text/plain"),
            ("Authorization: Bearer x", "Authorization: •••"),
            ("ghp_0123456789abcdefghij0123456789abcdef", "•••"),
            ("postgres://u:p@h/db", "postgres://•••@h/db"),
            ("--url=https://h/?key=abc", "--url=https://h/?key=•••"),
            (
                "-y|@scope/server@1.2|/srv/data",
                "-y|@scope/server@1.2|/srv/data",
            ),
            ("--token|--verbose", "--token|--verbose"),
        ] {
            assert_eq!(masked(line), expected);
        }
    }

    #[test]
    fn secrets_in_a_command_that_holds_more_than_the_program_are_masked() {
        for (command, expected) in [
            ("API_KEY=abcdef npx x", "API_KEY=••• npx x"),
            ("API_KEY='ab cd' npx x", "API_KEY=••• npx x"),
            ("API_KEY=abcdef", "API_KEY=•••"),
            (
                "server  --api-key abcdef --port 1",
                "server --api-key ••• --port 1",
            ),
            ("uv  run server.py", "uv  run server.py"),
            ("/opt/My Server/run", "/opt/My Server/run"),
            ("/opt/ada's tools/run", "/opt/ada's tools/run"),
            (
                r"C:\Users\O'Brien\srv.exe --api-key hunter22",
                r"C:\Users\O'Brien\srv.exe --api-key •••",
            ),
            (
                "ada's-server --api-key hunter22",
                "ada's-server --api-key •••",
            ),
            ("ada's --api-key hunter22 bob's", "adas --api-key ••• bobs"),
            (
                r#"server --api-key "hunter\" 22" -v"#,
                "server --api-key ••• -v",
            ),
            (
                r#""C:\My Tools\" --api-key hunter22 "x""#,
                r#"C:\My Tools\" --api-key ••• x""#,
            ),
        ] {
            assert_eq!(mask_command(command), expected);
        }
        let secrets = command_secrets("API_KEY=abcdef npx x");
        assert!(secrets.contains(&Secret::new("abcdef".to_owned())));
        for command in [
            "ada's-server --api-key hunter22",
            "ada's --api-key hunter22 bob's",
        ] {
            let secrets = command_secrets(command);
            assert_eq!(secrets, [Secret::new("hunter22".to_owned())], "{command}");
        }
        let mask = Secret::new(MASK.to_owned());
        assert!(!command_secrets("API_KEY='ab cd' npx").contains(&mask));
        assert!(command_secrets("/opt/My Server/run").is_empty());
        assert!(!is_assignment("1=2") && !is_assignment("--a=b") && !is_assignment("npx"));
    }

    #[test]
    fn a_header_in_an_argument_is_a_secret_with_and_without_its_scheme() {
        let arguments = [
            "--header".to_owned(),
            "Authorization: Bearer abc".to_owned(),
        ];
        let secrets = argument_secrets(&arguments);
        assert!(secrets.contains(&Secret::new("abc".to_owned())));
    }
}
