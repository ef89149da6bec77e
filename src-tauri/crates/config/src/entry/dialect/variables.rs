//! Spellings of variables in each client.

use serde_json::Value;

use super::behaviour::Behaviour;
use crate::entry::{
    expand::{FILE_PREFIX, LITERAL_PREFIX, as_literal, as_written, escaped, is_variable_name},
    shell_text::is_shell_name,
};

/// A way of writing references. The common form is `${NAME}` and `${NAME:-default}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VariableSyntax {
    /// `${NAME}` and `${NAME:-default}`.
    Braces,
    /// The same, where the name is one that a shell knows; all else in braces is a text.
    ShellNames,
    /// `${env:NAME}`, and references of the client's own such as `${workspaceFolder}` and
    /// `${input:name}`.
    EnvPrefix,
    /// `{env:NAME}`, and `{file:path}`.
    OpenCode,
    /// `$NAME`, `${NAME}` and `${NAME:-default}`; what names no variable is a text.
    Dollar,
    /// `${{ secrets.NAME }}`.
    Secrets,
    /// Texts are taken as they are, but an environment variable or a header that is one
    /// reference and nothing else can be said in fields for that.
    Codex,
    /// Texts are taken as they are.
    None,
}

impl VariableSyntax {
    /// Returns the spelling of a variable for display; `None` where none are expanded.
    pub(crate) fn sample(self) -> Option<&'static str> {
        match self {
            VariableSyntax::Braces | VariableSyntax::ShellNames | VariableSyntax::Dollar => {
                Some("${NAME}")
            }
            VariableSyntax::EnvPrefix => Some("${env:NAME}"),
            VariableSyntax::OpenCode => Some("{env:NAME}"),
            VariableSyntax::Secrets => Some("${{ secrets.NAME }}"),
            VariableSyntax::Codex | VariableSyntax::None => None,
        }
    }

    /// Returns how the client writes a variable; `None` where it expands none in a text.
    pub(crate) fn variable(self, name: &str) -> Option<String> {
        self.reference(&format!("${{{name}}}"), name, None)
    }

    /// A text with its references in the common form. Those that the client takes as they stand are
    /// marked as that, and so is what the file itself has in the form of a mark.
    pub(super) fn to_common(self, text: &str, behaviour: &Behaviour) -> String {
        let escaped = escaped(text);
        let text: &str = &escaped;
        match self {
            VariableSyntax::Braces | VariableSyntax::Codex | VariableSyntax::None => {
                text.to_owned()
            }
            VariableSyntax::ShellNames => with_texts(text, is_shell_name),
            VariableSyntax::EnvPrefix => map_references(text, |reference, name, default| {
                match (name.strip_prefix("env:"), default) {
                    (Some(name), Some(default)) => {
                        format!("${{{name}:-{}}}", default.replace("${env:", "${"))
                    }
                    (Some(name), None) => format!("${{{name}}}"),
                    (None, _) if behaviour.knows(name) => reference.to_owned(),
                    (None, _) => as_literal(reference),
                }
            }),
            VariableSyntax::OpenCode => {
                // `{env:NAME}` within braces is a variable all the same.
                let text = map_references(text, |reference, name, _| {
                    match name.starts_with("env:") || name.starts_with(FILE_PREFIX) {
                        true => reference.to_owned(),
                        false => as_literal(reference),
                    }
                });
                let text = replace_all(&text, "{env:", |name| format!("${{{name}}}"));
                replace_all(&text, "{file:", file_reference)
            }
            VariableSyntax::Dollar => with_texts(&with_braces(text), is_variable_name),
            VariableSyntax::Secrets => {
                let text = map_references(text, |reference, name, _| match name.starts_with('{') {
                    true => reference.to_owned(),
                    false => as_literal(reference),
                });
                from_secrets(&text)
            }
        }
    }

    /// Writes the references of a field's value as the client has them. Those that it does
    /// not expand are told, with the field they stand in.
    pub(super) fn write(self, field: &str, value: &mut Value, lose: &mut dyn FnMut(String, &str)) {
        match value {
            Value::String(text) if self == VariableSyntax::Codex && has_own_field(field, text) => {}
            Value::String(text) => {
                let mut unsaid = Vec::new();
                let written = map_references(text, |reference, name, default| {
                    let translated = self.reference(reference, name, default);
                    if translated.is_none() {
                        unsaid.push(reference.to_owned());
                    }
                    translated.unwrap_or_else(|| reference.to_owned())
                });
                *text = match self {
                    // The dialect has fields for what is expanded, and takes out the other marks.
                    VariableSyntax::Codex => written,
                    _ => as_written(&written).into_owned(),
                };
                for reference in unsaid {
                    lose(field.to_owned(), &reference);
                }
            }
            Value::Array(elements) => {
                for (index, element) in elements.iter_mut().enumerate() {
                    self.write(&format!("{field}[{index}]"), element, lose);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    self.write(&format!("{field}.{name}"), member, lose);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// One reference as the client writes it, still with its marks; `None` when it cannot.
    fn reference(self, reference: &str, name: &str, default: Option<&str>) -> Option<String> {
        let is_special = name.contains(':') || name == "workspaceFolder" || name == "userHome";
        if let Some(literal) = name.strip_prefix(LITERAL_PREFIX) {
            let is_expanded = match self {
                // No client knows a variable of this name.
                _ if literal.starts_with(LITERAL_PREFIX) => false,
                VariableSyntax::EnvPrefix => literal.contains(':'),
                VariableSyntax::ShellNames => is_shell_name(literal),
                VariableSyntax::Dollar => is_variable_name(literal),
                VariableSyntax::Braces => true,
                VariableSyntax::Codex
                | VariableSyntax::OpenCode
                | VariableSyntax::Secrets
                | VariableSyntax::None => false,
            };
            return (!is_expanded).then(|| reference.to_owned());
        }
        match self {
            VariableSyntax::OpenCode if name.starts_with(FILE_PREFIX) && default.is_none() => {
                Some(format!("{{{name}}}"))
            }
            _ if name.starts_with(FILE_PREFIX) => None,
            VariableSyntax::Braces if name.contains(':') => None,
            VariableSyntax::Braces => Some(reference.to_owned()),
            VariableSyntax::ShellNames if is_shell_name(name) => Some(reference.to_owned()),
            VariableSyntax::EnvPrefix if is_special => Some(reference.to_owned()),
            VariableSyntax::EnvPrefix if default.is_none() => Some(format!("${{env:{name}}}")),
            VariableSyntax::OpenCode if default.is_none() && !is_special => {
                Some(format!("{{env:{name}}}"))
            }
            VariableSyntax::Dollar if !is_special => Some(reference.to_owned()),
            VariableSyntax::Secrets if default.is_none() && !is_special => {
                Some(format!("${{{{ secrets.{name} }}}}"))
            }
            VariableSyntax::ShellNames
            | VariableSyntax::EnvPrefix
            | VariableSyntax::OpenCode
            | VariableSyntax::Dollar
            | VariableSyntax::Secrets
            | VariableSyntax::Codex
            | VariableSyntax::None => None,
        }
    }
}

/// A text with those references marked as texts whose names the client does not take.
fn with_texts(text: &str, is_name: impl Fn(&str) -> bool) -> String {
    map_references(text, |reference, name, _| match is_name(name) {
        true => reference.to_owned(),
        false => as_literal(reference),
    })
}

/// A text of which the client expands nothing, with its references marked as that.
pub(super) fn all_literal(text: &str) -> String {
    map_references(&escaped(text), |reference, _, _| as_literal(reference))
}

/// Returns true when Codex names the variable of this text in a field of its own.
fn has_own_field(field: &str, text: &str) -> bool {
    let Some(name) = text
        .strip_prefix("Bearer ")
        .filter(|_| field.eq_ignore_ascii_case("headers.authorization"))
        .unwrap_or(text)
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
    else {
        return false;
    };
    if name.is_empty() || name.contains([':', '$', '{', '}']) {
        return false;
    }
    field.starts_with("headers.") || field.strip_prefix("env.") == Some(name)
}

/// Replaces every `${…}` of a text. The parts of one are given: the whole of it, the name,
/// the default.
pub(crate) fn map_references(
    text: &str,
    mut replace: impl FnMut(&str, &str, Option<&str>) -> String,
) -> String {
    let mut mapped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        mapped.push_str(&rest[..start]);
        let Some(end) = crate::entry::expand::closing_brace(&rest[start + 2..]) else {
            rest = &rest[start..];
            break;
        };
        let reference = &rest[start..start + 2 + end + 1];
        let inside = &rest[start + 2..start + 2 + end];
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        mapped.push_str(&replace(reference, name, default));
        rest = &rest[start + reference.len()..];
    }
    mapped + rest
}

/// `{file:PATH}` as `${file:PATH}`, where the path leaves no doubt about its end.
fn file_reference(path: &str) -> String {
    if path.is_empty() || path.contains(['{', '$']) || path.contains(":-") {
        format!("{{{FILE_PREFIX}{path}}}")
    } else {
        format!("${{{FILE_PREFIX}{path}}}")
    }
}

fn replace_all(text: &str, open: &str, replace: impl Fn(&str) -> String) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(open)
        && let Some(length) = rest[start + open.len()..].find('}')
    {
        replaced.push_str(&rest[..start]);
        let name = &rest[start + open.len()..start + open.len() + length];
        replaced.push_str(&replace(name));
        rest = &rest[start + open.len() + length + 1..];
    }
    replaced + rest
}

/// `${{ secrets.NAME }}` and `${{ inputs.NAME }}` as `${NAME}`.
fn from_secrets(text: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${{")
        && let Some(length) = rest[start..].find("}}")
    {
        let reference = &rest[start..start + length + 2];
        let inside = rest[start + 3..start + length].trim();
        let name = ["secrets.", "inputs."]
            .iter()
            .find_map(|kind| inside.strip_prefix(kind));
        replaced.push_str(&rest[..start]);
        match name.filter(|name| !name.is_empty() && !name.contains([' ', '{', '}', '$'])) {
            Some(name) => replaced.push_str(&format!("${{{name}}}")),
            None => replaced.push_str(reference),
        }
        rest = &rest[start + reference.len()..];
    }
    replaced + rest
}

/// `$NAME` as `${NAME}`.
fn with_braces(text: &str) -> String {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut braced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('$') {
        let (before, after) = rest.split_at(start);
        braced.push_str(before);
        let name = &after[1..];
        let length = name
            .find(|character| !is_part(character))
            .unwrap_or(name.len());
        let begins_name =
            name.starts_with(|character: char| is_part(character) && !character.is_ascii_digit());
        if begins_name {
            braced.push_str(&format!("${{{}}}", &name[..length]));
            rest = &name[length..];
        } else {
            braced.push('$');
            rest = name;
        }
    }
    braced + rest
}
