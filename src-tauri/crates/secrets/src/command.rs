//! Masks the arguments of programs and whole commands, and finds the secrets in them.
//!
//! A quote in a command may be left open, or be an apostrophe in a path. So a command is read in each
//! way that its quotes can be meant, and what one of them finds counts: in the words of a shell, in the
//! words between blanks, and in what stands behind each quote. The work grows with the length of the
//! text alone, however many quotes it has.

use std::ops::Range;

use crate::{
    MASK, Secret,
    argument::secret_argument_part,
    header::secrets_of,
    location::{mask_url, masked_url_parts, url_secrets},
};

const QUOTES: [char; 2] = ['"', '\''];

/// Characters that end a word of a shell (POSIX.1-2024, Shell Command Language, 2.3).
const OPERATORS: [char; 7] = [';', '&', '|', '(', ')', '<', '>'];

/// Place of what is not in a text, or is not looked at.
const NOWHERE: usize = usize::MAX;

/// Bytes of the longest flag that a quoted text may be the value of.
const MAX_FLAG: usize = 100;

/// Returns the secrets in the arguments of a program: what follows a flag whose name suggests
/// one (`--api-key X`, `--token=X`, `TOKEN=X`), headers (`-H "Authorization: Bearer X"`), URLs
/// with credentials, tokens of well-known services, and all that in a command that is an argument
/// (`sh -c "…"`).
pub fn argument_secrets(arguments: &[String]) -> Vec<Secret<String>> {
    let mut secrets = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        match secret_argument_part(arguments, index) {
            Some((name, place)) => secrets.extend(secrets_of(name, &argument[place])),
            None => {
                secrets.extend(url_secrets(argument));
                if may_be_command(argument) {
                    secrets.extend(Reading::of_command(argument).0.secrets);
                }
            }
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
                None if may_be_command(argument) => {
                    let whole = Word::of(argument, 0..argument.len());
                    let (mut reading, _) = Reading::of_command(argument);
                    reading.read(std::slice::from_ref(&whole));
                    reading.masked(&whole).text
                }
                None => mask_url(argument),
            },
        )
        .collect()
}

/// Returns the words of a command as a shell takes them apart at its blanks. A backslash stays, so
/// that Windows paths survive, and so does a quote that never closes, as an apostrophe.
pub fn command_words(command: &str) -> Vec<String> {
    let words = shell_words(command).into_iter();
    words.map(|word| word.text).collect()
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

/// Returns the secrets in a command that holds more than the program: variables in front of it, or
/// arguments.
pub fn command_secrets(command: &str) -> Vec<Secret<String>> {
    Reading::of_command(command).0.secrets
}

/// Masks the secrets in the [words of a command](command_words).
pub fn mask_command_words(command: &str) -> Vec<String> {
    let words = shell_words(command);
    let reading = Reading::of(command, &words, 0..0);
    let masked = words.iter().map(|word| reading.masked(word).text);
    masked.collect()
}

/// Masks the secrets in a command that holds more than the program. Any other stays as it is.
pub fn mask_command(command: &str) -> String {
    let (reading, line) = Reading::of_command(command);
    if !reading.is_secret.contains(&true) {
        return command.to_owned();
    }
    let words = line.words.iter().map(|word| reading.masked(word).text);
    let mut masked: Vec<String> = words.collect();
    if let Some(program) = line.program {
        masked[program.index].insert_str(0, &program.text);
    }
    masked.join(" ")
}

/// A text of which each byte has a place in another one.
#[derive(Default)]
struct Word {
    text: String,
    places: Vec<usize>,
}

impl Word {
    fn of(text: &str, part: Range<usize>) -> Self {
        let mut word = Self::default();
        word.push(text, part);
        word
    }

    /// A text that is looked at for what follows it alone.
    fn nowhere(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            places: vec![NOWHERE; text.len()],
        }
    }

    fn push(&mut self, text: &str, part: Range<usize>) {
        self.text.push_str(&text[part.clone()]);
        self.places.extend(part);
    }
}

/// Words of a command without its program.
struct CommandLine {
    words: Vec<Word>,
    program: Option<ProgramWord>,
}

/// Program of a command, up to its first blank.
struct ProgramWord {
    /// Index of the word that it was taken out of.
    index: usize,
    text: String,
    /// Place in the command, in bytes.
    place: Range<usize>,
}

/// Secrets found in a text, and their places.
struct Reading<'a> {
    text: &'a str,
    /// Tells of each byte if it belongs to a secret.
    is_secret: Vec<bool>,
    secrets: Vec<Secret<String>>,
}

impl<'a> Reading<'a> {
    /// Reads a command, but for its program.
    fn of_command(text: &'a str) -> (Self, CommandLine) {
        let mut words = shell_words(text);
        let program = take_program(&mut words);
        let skipped = program
            .as_ref()
            .map_or(0..0, |program| program.place.clone());
        let reading = Self::of(text, &words, skipped);
        (reading, CommandLine { words, program })
    }

    /// Reads a text by these words of it and in the other ways, without a part that is skipped.
    fn of(text: &'a str, words: &[Word], skipped: Range<usize>) -> Self {
        let mut reading = Self {
            text,
            is_secret: vec![false; text.len()],
            secrets: Vec::new(),
        };
        reading.read(words);
        let parts = reading.parts(&skipped);
        reading.read(&parts);
        for quoted in reading.quoted(&skipped) {
            reading.read(&quoted);
        }
        reading
    }

    /// Reads words as the arguments of a program.
    fn read(&mut self, words: &[Word]) {
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        for (text, (index, word)) in texts.iter().zip(words.iter().enumerate()) {
            if word.places.iter().all(|place| *place == NOWHERE) {
                continue;
            }
            match secret_argument_part(&texts, index) {
                Some((name, part)) => {
                    let part = without_quotes(text, part);
                    let value = &text[part.clone()];
                    self.learn(secrets_of(name, value));
                    // A shell ends a word there, and hands on what stands before it.
                    if let Some(end) = value.find(OPERATORS) {
                        self.learn(secrets_of(name, &value[..end]));
                    }
                    self.mark(&word.places[part]);
                }
                None => {
                    self.learn(url_secrets(text));
                    for part in masked_url_parts(text) {
                        self.mark(&word.places[part.place]);
                    }
                }
            }
        }
    }

    fn learn(&mut self, secrets: Vec<Secret<String>>) {
        let new = secrets.into_iter();
        self.secrets
            .extend(new.filter(|secret| !secret.expose().contains(MASK)));
    }

    fn mark(&mut self, places: &[usize]) {
        for place in places {
            if let Some(is_secret) = self.is_secret.get_mut(*place) {
                *is_secret = true;
            }
        }
    }

    /// Returns a word with a mask for each secret that was found.
    fn masked(&self, word: &Word) -> Word {
        let mut masked = Word::default();
        let mut is_behind_secret = false;
        for (at, character) in word.text.char_indices() {
            let is_secret = self.is_secret.get(word.places[at]) == Some(&true);
            if !is_secret {
                let end = at + character.len_utf8();
                masked.text.push(character);
                masked.places.extend(&word.places[at..end]);
            } else if !is_behind_secret {
                masked.text.push_str(MASK);
                masked.places.extend([NOWHERE; MASK.len()]);
            }
            is_behind_secret = is_secret;
        }
        masked
    }

    /// Returns what blanks separate, without the quotes around it.
    fn parts(&self, skipped: &Range<usize>) -> Vec<Word> {
        blank_separated(self.text)
            .filter(|part| !overlap(part, skipped))
            .map(|part| self.masked(&Word::of(self.text, without_quotes(self.text, part))))
            .collect()
    }

    /// Returns what stands behind each quote that may open, up to the next one or the end of the text,
    /// each behind the flag that it may be the value of.
    fn quoted(&self, skipped: &Range<usize>) -> Vec<[Word; 2]> {
        let mut found = Vec::new();
        let mut before = 0..0;
        for part in blank_separated(self.text) {
            let mut start = part.start;
            for (offset, quote) in self.text[part.clone()].match_indices(QUOTES) {
                let open = part.start + offset;
                let prefix = self.text[start..open].trim_end_matches('\\');
                let name = start..start + prefix.len();
                start = open + 1;
                let rest = &self.text[start..];
                // One behind a letter closes, or is an apostrophe.
                if rest.chars().next().is_none_or(char::is_whitespace)
                    || prefix.ends_with(char::is_alphanumeric)
                {
                    continue;
                }
                let length = rest.find(quote).unwrap_or(rest.len());
                let inner = rest[..length].trim_end_matches('\\').trim_end();
                let inner = start..start + inner.len();
                if inner.is_empty() || overlap(&inner, skipped) {
                    continue;
                }
                let mut word = Word::default();
                if prefix.ends_with(['=', ':']) {
                    word.push(self.text, name);
                }
                word.push(self.text, inner);
                let is_value = prefix.is_empty() && before.len() <= MAX_FLAG;
                let flag = match is_value {
                    true => &self.text[without_quotes(self.text, before.clone())],
                    false => "",
                };
                // As it stands: of a value with blanks, a word may have been found before.
                found.push([Word::nowhere(flag), word]);
            }
            before = part;
        }
        found
    }
}

/// Tells if an argument may be a command by itself, as that of `sh -c`.
fn may_be_command(argument: &str) -> bool {
    argument.trim().contains(char::is_whitespace)
}

/// The words as a shell takes a command apart.
fn shell_words(command: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut quotes = QUOTES.to_vec();
    let mut at = 0;
    while let Some(character) = command[at..].chars().next() {
        let start = at;
        at += character.len_utf8();
        if quotes.contains(&character) {
            if let Some(length) = end_of_quoted(&command[at..], character) {
                let end = at + length;
                word.get_or_insert_default().push(command, at..end);
                at = end + 1;
                continue;
            }
            // No later one closes either.
            quotes.retain(|quote| *quote != character);
        }
        if character.is_whitespace() {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(command, start..at);
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

/// Takes the program out of the words of a command, up to its first blank: behind that, what looks
/// quoted may be arguments between two apostrophes.
fn take_program(words: &mut [Word]) -> Option<ProgramWord> {
    let index = words.iter().position(|word| !is_assignment(&word.text))?;
    let word = &mut words[index];
    let first = word.text.split_inclusive(char::is_whitespace).next();
    let length = first.map_or(0, str::len);
    let places: Vec<usize> = word.places.drain(..length).collect();
    let place = match (places.first(), places.last()) {
        (Some(first), Some(last)) => *first..last + 1,
        _ => 0..0,
    };
    Some(ProgramWord {
        index,
        text: word.text.drain(..length).collect(),
        place,
    })
}

/// The places of what blanks separate.
fn blank_separated(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    text.split_inclusive(char::is_whitespace)
        .filter_map(move |piece| {
            let start = end;
            end += piece.len();
            let length = piece.trim_end().len();
            (length > 0).then_some(start..start + length)
        })
}

/// A part of a text without the quotes at its ends.
fn without_quotes(text: &str, part: Range<usize>) -> Range<usize> {
    let inner = &text[part.clone()];
    let start = part.end - inner.trim_start_matches(QUOTES).len();
    let end = part.start + inner.trim_end_matches(QUOTES).len();
    if start < end { start..end } else { part }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
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

    #[test]
    fn a_quote_that_stays_open_hides_no_secret() {
        for (command, expected) in [
            (
                r#"sh -c "curl -H 'Authorization: Bearer abc"#,
                r#"sh -c "curl -H 'Authorization: ••• •••"#,
            ),
            (
                r#"sh -c "curl -H 'Authorization: Bearer abc' https://h/"#,
                r#"sh -c "curl -H Authorization: ••• https://h/"#,
            ),
            (
                r#"sh -c "curl -H \"Authorization: Bearer abc\" https://h/""#,
                r#"sh -c curl -H \"Authorization: •••\" https://h/"#,
            ),
            (
                "ada's -H 'Authorization: Bearer abc'",
                "adas -H Authorization: ••• •••'",
            ),
            (
                r#"sh -c "server --token 'abc def"#,
                r#"sh -c "server --token '••• •••"#,
            ),
            (r#"sh -c 'TOKEN="abc def"#, r#"sh -c 'TOKEN="••• •••"#),
            ("sh -c '--token abc", "sh -c '--token •••"),
            (
                r#"/opt/ada's/run --name "x y"#,
                r#"/opt/ada's/run --name "x y"#,
            ),
        ] {
            assert_eq!(mask_command(command), expected);
        }
        let found = command_secrets(r#"sh -c "curl -H 'Authorization: Bearer abc"#);
        assert!(found.contains(&Secret::new("abc".to_owned())));
        let words = mask_command_words(r#"a='b c' sh -c "run --token 'abc'""#);
        assert_eq!(words, ["a=b c", "sh", "-c", "run --token '•••'"]);
    }

    #[test]
    fn a_value_is_found_whole_and_without_what_a_shell_ends_it_with() {
        for (command, secret) in [
            (
                r#"sh -c "run --password 'correct horse battery'""#,
                "correct horse battery",
            ),
            (r#"sh -c "TOKEN='abcdef ghijkl' run""#, "abcdef ghijkl"),
            (
                r#"sh -c "export API_KEY=abcdef123; exec npx x""#,
                "abcdef123",
            ),
            (r#"sh -c "run --api-key abcdef123&& npx x""#, "abcdef123"),
            (r#"sh -c "(TOKEN=abcdef123)""#, "abcdef123"),
        ] {
            let found = command_secrets(command);
            assert!(found.contains(&Secret::new(secret.to_owned())), "{command}");
        }
    }

    #[test]
    fn secrets_in_a_command_that_is_an_argument_are_masked() {
        for (line, expected) in [
            (
                "-c|curl -H 'Authorization: Bearer abc' https://h/",
                "-c|curl -H 'Authorization: •••' https://h/",
            ),
            (
                "-c|curl -H 'Authorization: Bearer abc",
                "-c|curl -H 'Authorization: •••",
            ),
            (
                "-c|exec run --token \"a b\" --name 'x y'",
                "-c|exec run --token \"•••\" --name 'x y'",
            ),
            ("-c|cd '/a b' && exec run", "-c|cd '/a b' && exec run"),
            ("-H|Authorization: abc  ", "-H|Authorization: •••  "),
        ] {
            assert_eq!(masked(line), expected);
        }
        let script = "curl -H 'Authorization: Bearer abcdef";
        let found = argument_secrets(&["-c".to_owned(), script.to_owned()]);
        assert!(found.contains(&Secret::new("abcdef".to_owned())));
    }

    /// Work that grows faster than the text would not come to an end here.
    #[test]
    fn a_long_command_of_quotes_is_read_to_its_end() {
        for piece in ["'", "\"", "\"'", "a'", "--x='", "' ", "\\\"", "='\"a "] {
            let command = format!("run {} --token abc", piece.repeat(50_000 / piece.len()));
            assert!(!mask_command(&command).ends_with("abc"), "{piece}");
        }
    }
}
