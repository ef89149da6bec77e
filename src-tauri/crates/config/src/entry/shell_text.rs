//! Prepares a text that a shell reads.
//!
//! A value that is put into such a text is read as part of the command: a folder named `x;id` would
//! run `id`. So values go into the environment of the shell, and the text refers to them there.
//!
//! - `${NAME}` and `${NAME:-default}` are the shell's own syntax. They stay, and the variable is
//!   set.
//! - A name that no shell knows (`${secret:KEY}`, `${input:key}`) becomes a variable with a name of
//!   Sightglass's own, quoted so that its value stays one word. Its default is no shell text.
//! - `cmd` of Windows knows neither. Every reference becomes such a variable, as `%NAME%`, which
//!   `cmd` puts in before it reads the line: a value that could be read as anything but text is
//!   refused.

use std::collections::BTreeMap;

use sightglass_secrets::Secret;

use crate::entry::expand::{
    Expansion, ExpansionError, TextReference, as_written, expand_with, literal_text, references,
};

/// Stands before the number in the names of variables that are Sightglass's own.
const OWN_VARIABLE: &str = "SIGHTGLASS_VALUE_";

/// Characters that a POSIX shell reads as more than text.
const POSIX_SYNTAX: [char; 12] = [
    ';', '&', '|', '<', '>', '$', '`', '"', '\'', '\\', '\r', '\n',
];

/// Characters that `cmd` reads as more than text.
const CMD_SYNTAX: [char; 10] = ['&', '|', '<', '>', '^', '%', '!', '"', '\r', '\n'];

/// Shell that reads a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shell {
    Posix,
    Cmd,
}

impl Shell {
    /// Returns the shell of this system.
    pub fn of_system() -> Self {
        match cfg!(windows) {
            true => Self::Cmd,
            false => Self::Posix,
        }
    }

    /// Returns the characters that it reads as more than text, where a value becomes text of a
    /// command. A backslash is none on Windows, where it stands in every path.
    pub fn syntax(self) -> &'static [char] {
        match self {
            Self::Posix => &POSIX_SYNTAX,
            Self::Cmd => &CMD_SYNTAX,
        }
    }
}

/// Text for a shell, and the variables that it refers to.
#[derive(Debug, Default)]
pub(crate) struct ShellText {
    pub text: String,
    pub variables: BTreeMap<String, Secret<String>>,
}

/// Prepares a text for a shell, by the rules of a client and with an environment that may note what
/// it is asked for.
pub(crate) fn shell_text(
    shell: Shell,
    rules: Expansion,
    text: &str,
    environment: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<ShellText, Vec<ExpansionError>> {
    let mut writer = ShellWriter {
        shell,
        rules,
        environment,
        quote: Quote::None,
        written: ShellText::default(),
        own: 0,
        errors: Vec::new(),
    };
    if rules.applies_to(text) {
        writer.write(text, 0);
    } else {
        writer.written.text = as_written(text).into_owned();
    }
    if !writer.errors.is_empty() {
        return Err(writer.errors);
    }
    Ok(writer.written)
}

struct ShellWriter<'a> {
    shell: Shell,
    rules: Expansion,
    environment: &'a mut dyn FnMut(&str) -> Option<String>,
    quote: Quote,
    written: ShellText,
    /// Number of variables of our own so far.
    own: usize,
    errors: Vec<ExpansionError>,
}

/// Quotation marks that a place of a shell's text stands in. Where a text is nested too deep to
/// tell, a value may be split into words. This shell never reads one as a command; another one that
/// it starts may, so that the name of a folder must hold none of its
/// [syntax](Shell::syntax).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quote {
    None,
    Single,
    Double,
}

impl Quote {
    /// Returns the quotation marks after a text that begins within these.
    fn after(self, text: &str) -> Self {
        let mut quote = self;
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            quote = match (quote, character) {
                (Self::None, '\'') => Self::Single,
                (Self::None, '"') => Self::Double,
                (Self::Single, '\'') | (Self::Double, '"') => Self::None,
                (Self::None | Self::Double, '\\') => {
                    characters.next();
                    quote
                }
                _ => quote,
            };
        }
        quote
    }
}

impl ShellWriter<'_> {
    fn push(&mut self, text: &str) {
        self.quote = self.quote.after(text);
        self.written.text.push_str(text);
    }

    fn write(&mut self, text: &str, depth: usize) {
        for part in references(text, depth) {
            match part {
                Err(error) => return self.errors.push(error),
                Ok(TextReference::Text(text)) => self.push(text),
                // Left to the shell.
                Ok(TextReference::Variable { name, default })
                    if self.rules.literal(name).is_some() =>
                {
                    let literal = self.rules.literal(name).unwrap_or(name);
                    self.push(&literal_text(literal, default));
                }
                Ok(TextReference::Variable { name, .. }) if !self.rules.accepts(name) => self
                    .errors
                    .push(ExpansionError::NotAVariable(name.to_owned())),
                Ok(TextReference::Variable { name, default }) => match self.shell {
                    Shell::Posix if is_shell_name(name) => self.leave(name, default, depth),
                    _ => self.refer(name, default),
                },
            }
        }
    }

    /// Leaves a reference to the shell, and sets its variable.
    fn leave(&mut self, name: &str, default: Option<&str>, depth: usize) {
        let value = (self.environment)(name);
        self.written.text.push_str("${");
        self.written.text.push_str(name);
        if let Some(default) = default {
            self.written.text.push_str(":-");
            let errors = self.errors.len();
            self.write(default, depth + 1);
            if value.is_some() {
                // The default is not used.
                self.errors.truncate(errors);
            }
        } else if value.is_none() {
            self.errors.push(ExpansionError::Unset(name.to_owned()));
        }
        self.written.text.push('}');
        if let Some(value) = value {
            self.written
                .variables
                .insert(name.to_owned(), Secret::new(value));
        }
    }

    /// Writes a reference to a variable of our own that holds the value.
    fn refer(&mut self, name: &str, default: Option<&str>) {
        let value = match ((self.environment)(name), default) {
            (Some(value), _) => value,
            (None, None) => return self.errors.push(ExpansionError::Unset(name.to_owned())),
            (None, Some(default)) => match expand_with(self.rules, default, self.environment) {
                Ok(value) => value,
                Err(errors) => return self.errors.extend(errors),
            },
        };
        if self.shell == Shell::Cmd && value.contains(self.shell.syntax()) {
            return self
                .errors
                .push(ExpansionError::ShellSyntax(name.to_owned()));
        }
        self.own += 1;
        let variable = format!("{OWN_VARIABLE}{}", self.own);
        let reference = match (self.shell, self.quote) {
            (Shell::Cmd, _) => format!("%{variable}%"),
            (Shell::Posix, Quote::None) => format!("\"${{{variable}}}\""),
            (Shell::Posix, Quote::Double) => format!("${{{variable}}}"),
            (Shell::Posix, Quote::Single) => format!("'\"${{{variable}}}\"'"),
        };
        self.written.text.push_str(&reference);
        self.written.variables.insert(variable, Secret::new(value));
    }
}

/// Returns true for the name of a variable of a POSIX shell (POSIX.1-2024, XBD 3.216).
pub(crate) fn is_shell_name(name: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    name.chars().all(is_part) && name.starts_with(|first: char| !first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "NAME" => Some("x;touch mark".to_owned()),
            "secret:KEY" => Some("a $(touch mark)".to_owned()),
            "PLAIN" => Some(r"C:\Program Files (x86)\a".to_owned()),
            _ => None,
        }
    }

    fn prepared(shell: Shell, text: &str) -> Result<ShellText, Vec<ExpansionError>> {
        let rules = Expansion::VariablesAndSecrets;
        shell_text(shell, rules, text, &mut |name| environment(name))
    }

    fn posix(text: &str) -> (String, Vec<(String, String)>) {
        let found = prepared(Shell::Posix, text).expect("a text");
        let variables = found.variables.into_iter();
        let variables = variables.map(|(name, value)| (name, value.expose().clone()));
        (found.text, variables.collect())
    }

    #[test]
    fn what_is_the_shells_own_syntax_is_left_to_it_with_its_variables_set() {
        for text in [
            "sh ${NAME}/token.sh",
            "printf '${NAME}' \"${NAME}\"",
            "echo ${OTHER:-none}",
            "echo ${OTHER:-${NAME}} $HOME $$",
        ] {
            let (written, variables) = posix(text);
            assert_eq!(written, text);
            let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_str()).collect();
            let is_named = text.contains("${NAME}");
            assert_eq!(names, ["NAME"].repeat(usize::from(is_named)), "{text}");
        }
    }

    #[test]
    fn a_name_that_no_shell_knows_becomes_a_quoted_variable() {
        for (text, expected) in [
            ("a ${secret:KEY}b", r#"a "${SIGHTGLASS_VALUE_1}"b"#),
            (r#"a "b ${secret:KEY}""#, r#"a "b ${SIGHTGLASS_VALUE_1}""#),
            ("a 'b ${secret:KEY}'", r#"a 'b '"${SIGHTGLASS_VALUE_1}"''"#),
            (r#"\"${secret:KEY}"#, r#"\""${SIGHTGLASS_VALUE_1}""#),
            (
                "${OTHER:-${secret:KEY}}",
                r#"${OTHER:-"${SIGHTGLASS_VALUE_1}"}"#,
            ),
        ] {
            let (written, variables) = posix(text);
            assert_eq!(written, expected);
            assert_eq!(variables.len(), 1, "{text}");
            assert_eq!(variables[0].1, "a $(touch mark)", "{text}");
        }
        let (written, variables) = posix("${secret:NONE:-$(id)}");
        assert_eq!(written, r#""${SIGHTGLASS_VALUE_1}""#);
        assert_eq!(variables[0].1, "$(id)");
    }

    #[test]
    fn what_has_no_value_or_is_no_reference_is_a_fault() {
        let errors = |text: &str| prepared(Shell::Posix, text).expect_err("a fault");
        assert_eq!(errors("${NONE}"), [ExpansionError::Unset("NONE".into())]);
        assert_eq!(
            errors("${secret:NONE}"),
            [ExpansionError::Unset("secret:NONE".into())]
        );
        assert_eq!(
            errors("${a b}"),
            [ExpansionError::NotAVariable("a b".into())]
        );
        assert_eq!(errors("a ${NAME"), [ExpansionError::Unclosed]);
        let deep = "${A:-".repeat(100) + &"}".repeat(100);
        assert_eq!(errors(&deep), [ExpansionError::TooDeep]);
        // As in every text: the default of a variable that is set does not count.
        assert!(prepared(Shell::Posix, "${NAME:-${NONE}}").is_ok());
    }

    #[test]
    fn cmd_gets_variables_of_our_own_and_no_value_that_it_would_read_as_syntax() {
        let found = prepared(Shell::Cmd, "type ${PLAIN} ${NONE:-b}").expect("a text");
        assert_eq!(found.text, "type %SIGHTGLASS_VALUE_1% %SIGHTGLASS_VALUE_2%");
        let refused = |text: &str| prepared(Shell::Cmd, text).expect_err("refused");
        assert_eq!(
            refused("type ${NONE:-a&calc}"),
            [ExpansionError::ShellSyntax("NONE".into())]
        );
        assert!(prepared(Shell::Cmd, "type ${NAME}").is_ok());
    }
}
