//! `${VARIABLE}` and `${VARIABLE:-default}`.
//!
//! - `${VARIABLE}` becomes the variable's value, also when that is empty. A variable that
//!   is not set is a problem.
//! - `${VARIABLE:-default}` becomes the default when the variable is not set. The default
//!   ends at the brace that closes the reference; braces in it pair up, and references in it
//!   are expanded: `${A:-${B:-{}}}`, to a depth that no file needs and a stack bears.
//! - A value that was put in is not expanded again.
//! - A `$` that is not followed by `{` stands for itself, and so does each of `$$`: there is
//!   no escape, and `$HOME` is not expanded.
//! - Clients differ in what they expand. In an entry that was translated from the form of one,
//!   `${literal:=…}` is the text `${…}` that this client takes as it stands.

use std::{borrow::Cow, fmt};

/// Defaults within defaults. A file may come from a stranger's project.
pub(crate) const MAX_DEPTH: usize = 32;

/// The environment that references are looked up in.
pub type Environment<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Rules by which the references of an entry's texts are expanded: those of its client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Expansion {
    /// Every `${NAME}` and `${NAME:-default}`.
    #[default]
    Variables,
    /// The same, and `${secret:NAME}`, a value that Sightglass keeps for the entry.
    VariablesAndSecrets,
    /// Variables, and `${input:NAME}`, a value that the client asks its user for.
    VariablesAndInputs,
    /// The same as [`Expansion::Variables`], and `${file:PATH}`, the content of a file.
    VariablesAndFiles,
    /// In environment variables and headers a text that is one reference and nothing else, alone
    /// or behind `Bearer `. All others are taken as they are.
    WholeText,
    /// Texts are taken as they are.
    Never,
}

/// Stands before the path of a file in a reference.
pub(crate) const FILE_PREFIX: &str = "file:";

/// Stands before the name of an input in a reference.
pub(crate) const INPUT_PREFIX: &str = "input:";

/// Stands before the name of a secret in a reference.
pub const SECRET_PREFIX: &str = "secret:";

/// Stands before what its client takes as it stands, in an entry that was translated.
///
/// Its sign of equality is in no name of a variable, and keeps what follows from becoming the `:-`
/// of a default.
pub(crate) const LITERAL_PREFIX: &str = "literal:=";

/// The beginning of such a reference.
const LITERAL: &str = "${literal:=";

/// The beginning of one that the client's own file has.
pub(crate) const OWN_LITERAL: &str = "${literal:=literal:=";

/// References that one text may hold, and that all texts of an entry may hold together.
pub(crate) const MAX_REFERENCES: usize = 10_000;

/// Bytes of values that are put into one text, and into all texts of an entry together.
pub(crate) const MAX_EXPANDED: usize = 4 << 20;

impl Expansion {
    /// Returns a word for the rules, which hashes hold: it stays as it is.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Expansion::Variables => "variables",
            Expansion::VariablesAndSecrets => "variables and secrets",
            Expansion::VariablesAndInputs => "variables and inputs",
            Expansion::VariablesAndFiles => "variables and files",
            Expansion::WholeText => "whole text",
            Expansion::Never => "never",
        }
    }

    /// The rules for one field: `args[0]`, `env.NAME`.
    pub(crate) fn of_field(self, field: &str) -> Self {
        match self {
            Expansion::WholeText
                if !field.starts_with("env.") && !field.starts_with("headers.") =>
            {
                Expansion::Never
            }
            rules => rules,
        }
    }

    /// Returns true when references in this text are expanded.
    pub(crate) fn applies_to(self, text: &str) -> bool {
        match self {
            Expansion::Variables
            | Expansion::VariablesAndSecrets
            | Expansion::VariablesAndInputs
            | Expansion::VariablesAndFiles => true,
            Expansion::WholeText => {
                let reference = text.strip_prefix("Bearer ").unwrap_or(text);
                reference
                    .strip_prefix("${")
                    .is_some_and(|inside| closing_brace(inside) == Some(inside.len() - 1))
            }
            Expansion::Never => false,
        }
    }

    /// Returns the variable that a whole environment variable or header is taken from, where the
    /// client leaves that out when the variable is not set.
    pub(crate) fn taken_from(self, text: &str) -> Option<&str> {
        let name = text.strip_prefix("${")?.strip_suffix('}')?;
        (self == Expansion::WholeText && is_variable_name(name)).then_some(name)
    }

    /// Returns what stands within the braces of a reference that the client takes as it stands.
    pub(crate) fn literal(self, name: &str) -> Option<&str> {
        name.strip_prefix(LITERAL_PREFIX)
            .filter(|_| self != Expansion::VariablesAndSecrets)
    }

    pub(crate) fn accepts(self, name: &str) -> bool {
        let name = match self {
            Expansion::VariablesAndInputs => name.strip_prefix(INPUT_PREFIX).unwrap_or(name),
            Expansion::VariablesAndSecrets => name.strip_prefix(SECRET_PREFIX).unwrap_or(name),
            Expansion::VariablesAndFiles if name.starts_with(FILE_PREFIX) => {
                return name.len() > FILE_PREFIX.len();
            }
            _ => name,
        };
        is_variable_name(name)
    }
}

/// A text of a client's file in which nothing passes for a mark of ours: [`as_written`] gives the
/// text of the file again.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    match text.contains(LITERAL) {
        true => text.replace(LITERAL, OWN_LITERAL).into(),
        false => text.into(),
    }
}

/// A reference of an [`escaped`] text as one that stands for itself.
pub(crate) fn as_literal(reference: &str) -> String {
    if reference.starts_with(LITERAL) {
        return reference.to_owned();
    }
    let inside = reference.strip_prefix("${").unwrap_or(reference);
    format!("{LITERAL}{inside}")
}

/// The text that a marked reference stands for, without its mark.
pub(crate) fn literal_text(name: &str, default: Option<&str>) -> String {
    let name = as_written(name);
    match default {
        Some(default) => format!("${{{name}:-{}}}", as_written(default)),
        None => format!("${{{name}}}"),
    }
}

/// A text of a translated entry as its file has it, as far as it stands for itself.
pub(crate) fn as_written(text: &str) -> Cow<'_, str> {
    match text.contains(LITERAL) {
        true => text.replace(LITERAL, "${").into(),
        false => text.into(),
    }
}

/// Error of expanding a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpansionError {
    Unset(String),
    NotAVariable(String),
    Unclosed,
    TooDeep,
    /// The value would be read as part of a command.
    ShellSyntax(String),
    /// More than [`MAX_REFERENCES`], or values of more than [`MAX_EXPANDED`] bytes.
    TooMany,
}

impl fmt::Display for ExpansionError {
    /// A clause that goes on after the field's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpansionError::Unset(name) if name.starts_with(INPUT_PREFIX) => write!(
                formatter,
                "needs the input {}, which its client asks for. Enter it for this session.",
                &name[INPUT_PREFIX.len()..]
            ),
            ExpansionError::Unset(name) if name.starts_with(SECRET_PREFIX) => write!(
                formatter,
                "needs the secret {}, which is not kept for this entry. Enter it.",
                &name[SECRET_PREFIX.len()..]
            ),
            ExpansionError::Unset(name) if name.starts_with(FILE_PREFIX) => write!(
                formatter,
                "needs the file {}, which cannot be read. It has to be a file of text of at most \
                 1 MiB, and no link that leads out of the project.",
                &name[FILE_PREFIX.len()..]
            ),
            ExpansionError::Unset(name) => write!(
                formatter,
                "needs the variable {name}, which is not set. Set it, or write \
                 ${{{name}:-default}}."
            ),
            ExpansionError::NotAVariable(name) => write!(
                formatter,
                "holds {}, which does not name an environment variable.",
                as_written(&format!("${{{name}}}"))
            ),
            ExpansionError::Unclosed => {
                formatter.write_str("holds a ${ that is not closed with }.")
            }
            ExpansionError::ShellSyntax(name) => write!(
                formatter,
                "holds ${{{name}}}, whose value has a character that a shell may read as syntax, \
                 such as & | < > ; $ % ` \" ' or a line break. Rename what it names, or write the \
                 value itself, quoted for the shell."
            ),
            ExpansionError::TooMany => write!(
                formatter,
                "holds more than {MAX_REFERENCES} references, or values of more than {} MiB. Write \
                 fewer.",
                MAX_EXPANDED >> 20
            ),
            ExpansionError::TooDeep => write!(
                formatter,
                "holds defaults within defaults more than {MAX_DEPTH} deep. Write fewer."
            ),
        }
    }
}

/// Expands a text. Faults are reported all together, each once.
pub(crate) fn expand(
    text: &str,
    environment: &Environment<'_>,
) -> Result<String, Vec<ExpansionError>> {
    expand_with(Expansion::Variables, text, &mut |name| environment(name))
}

/// Like [`expand`], by the rules of a client and with an environment that may note what it is
/// asked for.
pub(crate) fn expand_with(
    rules: Expansion,
    text: &str,
    environment: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<String, Vec<ExpansionError>> {
    if !rules.applies_to(text) {
        return Ok(as_written(text).into_owned());
    }
    let mut expanded = String::with_capacity(text.len());
    let mut errors = Vec::new();
    let mut budget = Budget::default();
    let mut environment = |name: &str| budget.charge(|| environment(name));
    expand_into(rules, text, &mut environment, 0, &mut expanded, &mut errors);
    if budget.is_spent() {
        return Err(vec![ExpansionError::TooMany]);
    }
    if errors.is_empty() {
        Ok(expanded)
    } else {
        errors.dedup();
        Err(errors)
    }
}

/// References and bytes of values that were put in: what a file holds is bounded, and what becomes
/// of it is, too.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    references: usize,
    bytes: usize,
}

impl Budget {
    /// Counts one reference and its value. Nothing has a value any more once the budget is spent.
    pub(crate) fn charge(&mut self, value: impl FnOnce() -> Option<String>) -> Option<String> {
        self.references += 1;
        if self.is_spent() {
            return None;
        }
        let value = value()?;
        self.bytes += value.len();
        (!self.is_spent()).then_some(value)
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.references > MAX_REFERENCES || self.bytes > MAX_EXPANDED
    }
}

fn expand_into(
    rules: Expansion,
    text: &str,
    environment: &mut dyn FnMut(&str) -> Option<String>,
    depth: usize,
    expanded: &mut String,
    errors: &mut Vec<ExpansionError>,
) {
    for part in references(text, depth) {
        match part {
            Err(error) => errors.push(error),
            Ok(TextReference::Text(text)) => expanded.push_str(text),
            Ok(TextReference::Variable { name, default }) => {
                if let Some(literal) = rules.literal(name) {
                    expanded.push_str(&literal_text(literal, default));
                } else if !rules.accepts(name) {
                    errors.push(ExpansionError::NotAVariable(name.to_owned()));
                } else if let Some(value) = environment(name) {
                    expanded.push_str(&value);
                } else if let Some(default) = default {
                    expand_into(rules, default, environment, depth + 1, expanded, errors);
                } else {
                    errors.push(ExpansionError::Unset(name.to_owned()));
                }
            }
        }
    }
}

/// Part of a text with references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextReference<'a> {
    Text(&'a str),
    Variable {
        name: &'a str,
        default: Option<&'a str>,
    },
}

/// The parts of a text that stands within `depth` defaults. A fault is the last of them.
pub(crate) fn references(
    text: &str,
    depth: usize,
) -> impl Iterator<Item = Result<TextReference<'_>, ExpansionError>> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take().filter(|text| !text.is_empty())?;
        if depth > MAX_DEPTH {
            return Some(Err(ExpansionError::TooDeep));
        }
        match text.find("${") {
            None => Some(Ok(TextReference::Text(text))),
            Some(0) => {
                let inside = &text[2..];
                let Some(end) = closing_brace(inside) else {
                    return Some(Err(ExpansionError::Unclosed));
                };
                rest = Some(&inside[end + 1..]);
                let (name, default) = match inside[..end].split_once(":-") {
                    Some((name, default)) => (name, Some(default)),
                    None => (&inside[..end], None),
                };
                Some(Ok(TextReference::Variable { name, default }))
            }
            Some(start) => {
                let (before, after) = text.split_at(start);
                rest = Some(after);
                Some(Ok(TextReference::Text(before)))
            }
        }
    })
}

/// Returns the offset of the brace that closes a reference whose inside begins here.
pub(crate) fn closing_brace(inside: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, byte) in inside.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(index),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Names of variables differ between systems (`ProgramFiles(x86)`), so only what cannot be
/// one is refused, among it the references of other clients such as `${input:token}`.
pub(crate) fn is_variable_name(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(|character: char| {
            character.is_whitespace() || matches!(character, ':' | '{' | '}' | '$' | '=')
        })
}

/// Makes a name that a variable can have: `API_KEY` of `--api-key`.
pub(crate) fn variable_name(text: &str) -> String {
    let name: String = text
        .trim_matches('-')
        .chars()
        .map(|character| match character.to_ascii_uppercase() {
            plain if plain.is_ascii_alphanumeric() => plain,
            _ => '_',
        })
        .collect();
    if name.is_empty() {
        "VALUE".into()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str) -> Option<String> {
        match name {
            "HOST" => Some("example.org".into()),
            "EMPTY" => Some(String::new()),
            "TRICKY" => Some("${HOST}".into()),
            "ProgramFiles(x86)" => Some(r"C:\Program Files (x86)".into()),
            _ => None,
        }
    }

    fn expanded(text: &str) -> String {
        expand(text, &environment).expect("the text expands")
    }

    #[test]
    fn defaults_that_never_end_are_a_fault_and_no_crash() {
        let deep = 100_000;
        let text = "${A:-".repeat(deep) + &"}".repeat(deep);
        assert_eq!(
            expand(&text, &environment),
            Err(vec![ExpansionError::TooDeep])
        );
        let fine = "${A:-".repeat(32) + "x" + &"}".repeat(32);
        assert_eq!(expand(&fine, &environment).as_deref(), Ok("x"));
    }

    #[test]
    fn a_set_variable_is_put_in() {
        assert_eq!(expanded("https://${HOST}/mcp"), "https://example.org/mcp");
        assert_eq!(expanded("${HOST}${HOST}"), "example.orgexample.org");
        assert_eq!(expanded("${ProgramFiles(x86)}"), r"C:\Program Files (x86)");
    }

    #[test]
    fn a_default_stands_in_for_an_unset_variable_alone() {
        assert_eq!(expanded("${NOPE:-8080}"), "8080");
        assert_eq!(expanded("${NOPE:-}"), "");
        assert_eq!(expanded("${HOST:-8080}"), "example.org");
        assert_eq!(expanded("[${EMPTY:-8080}]"), "[]");
    }

    #[test]
    fn braces_in_a_default_pair_up() {
        assert_eq!(expanded(r#"${NOPE:-{"a":{"b":1}}}!"#), r#"{"a":{"b":1}}!"#);
        assert_eq!(expanded("${NOPE:-${ALSO:-${HOST}}}"), "example.org");
        assert_eq!(expanded("${NOPE:-a:-b}"), "a:-b");
    }

    #[test]
    fn a_dollar_without_a_brace_is_a_dollar() {
        assert_eq!(expanded("$HOST $$ $"), "$HOST $$ $");
        assert_eq!(expanded("$${HOST}"), "$example.org");
    }

    #[test]
    fn a_value_is_not_expanded_again() {
        assert_eq!(expanded("${TRICKY}"), "${HOST}");
    }

    #[test]
    fn an_unset_variable_without_a_default_is_named() {
        let errors = expand("${A} ${HOST} ${B:-${C}}", &environment).unwrap_err();
        assert_eq!(
            errors,
            [
                ExpansionError::Unset("A".into()),
                ExpansionError::Unset("C".into())
            ]
        );
    }

    #[test]
    fn a_secret_is_a_reference_by_the_rules_that_have_secrets_alone() {
        let text = "Bearer ${secret:API_KEY}";
        let mut known = |name: &str| (name == "secret:API_KEY").then(|| "k".to_owned());
        let expanded = expand_with(Expansion::VariablesAndSecrets, text, &mut known);
        assert_eq!(expanded.as_deref(), Ok("Bearer k"));
        for rules in [Expansion::Variables, Expansion::VariablesAndInputs] {
            assert!(expand_with(rules, text, &mut known).is_err(), "{rules:?}");
        }
    }

    /// Of a client that expands nothing, that which starts is what its file has and what is shown.
    #[test]
    fn what_looks_like_a_mark_is_a_text_of_the_file() {
        for text in [
            "run ${literal:+--x}",
            "${literal:=x}",
            "${literal:=literal:=x} ${literal:=",
            "${A:-${literal:=B}}",
            "${literal:-x} ${-x}",
        ] {
            assert_eq!(as_written(&escaped(text)), text);
            let mut none = |_: &str| None;
            let expanded = expand_with(Expansion::Never, &escaped(text), &mut none);
            assert_eq!(expanded.as_deref(), Ok(text));
        }
        for reference in ["${-x}", "${literal:=x}", "${a b:-${literal:=B}}"] {
            let marked = as_literal(&escaped(reference));
            assert_eq!(as_written(&marked), reference);
            assert_eq!(expanded(&marked), reference);
        }
        // A variable of this name is one.
        assert_eq!(as_written("${literal:-x}"), "${literal:-x}");
        assert_eq!(expanded("${literal:-x}"), "x");
    }

    #[test]
    fn what_is_not_a_reference_to_a_variable_is_refused() {
        for (text, name) in [
            ("${}", ""),
            ("${input:token}", "input:token"),
            ("${a b}", "a b"),
        ] {
            assert_eq!(
                expand(text, &environment).unwrap_err(),
                [ExpansionError::NotAVariable(name.into())]
            );
        }
        for text in ["${", "${HOST", "${NOPE:-{}"] {
            assert_eq!(
                expand(text, &environment).unwrap_err(),
                [ExpansionError::Unclosed]
            );
        }
    }

    #[test]
    fn what_becomes_of_one_text_is_bounded() {
        let many = "${A}".repeat(MAX_REFERENCES + 1);
        let error = expand(&many, &|_| None).unwrap_err();
        assert_eq!(error, [ExpansionError::TooMany]);
        let large = "x".repeat(MAX_EXPANDED / 2);
        let error = expand("${A}${A}${A}", &|_| Some(large.clone())).unwrap_err();
        assert_eq!(error, [ExpansionError::TooMany]);
        let most = "${A}".repeat(MAX_REFERENCES);
        assert_eq!(expand(&most, &|_| Some(String::new())).as_deref(), Ok(""));
    }
}
