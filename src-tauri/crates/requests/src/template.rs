//! `{{name}}` in the texts of a request.

use serde_json::Value;
use thiserror::Error;

use crate::exact;

/// Reference of a text to a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    /// `{{name}}`: captured by an earlier request, or of the chosen environment.
    Variable(String),
    /// `{{env.NAME}}`: a variable of the process's environment.
    Process(String),
    /// `{{secret.NAME}}`: kept in the keychain under this name.
    Secret(String),
    /// `{{$uuid}}`: a random UUID (RFC 9562, version 4).
    Uuid,
    /// `{{$now}}`: the time, as RFC 3339 has it.
    Now,
}

impl Reference {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "$uuid" => return Some(Self::Uuid),
            "$now" => return Some(Self::Now),
            _ => {}
        }
        let is_name = |name: &str| {
            let mut characters = name.chars();
            characters
                .next()
                .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
                && characters.all(|next| next.is_ascii_alphanumeric() || "_-".contains(next))
        };
        let (kind, plain): (fn(String) -> Self, &str) = match name.split_once('.') {
            Some(("env", name)) => (Self::Process, name),
            Some(("secret", name)) => (Self::Secret, name),
            _ => (Self::Variable, name),
        };
        is_name(plain).then(|| kind(plain.to_owned()))
    }

    /// Returns whether the value comes from outside of the project's files, and is masked in
    /// every report.
    pub fn is_private(&self) -> bool {
        matches!(self, Self::Process(_) | Self::Secret(_))
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Variable(name) => formatter.write_str(name),
            Self::Process(name) => write!(formatter, "env.{name}"),
            Self::Secret(name) => write!(formatter, "secret.{name}"),
            Self::Uuid => formatter.write_str("$uuid"),
            Self::Now => formatter.write_str("$now"),
        }
    }
}

/// A variable that has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingVariable {
    /// Reason, as a sentence.
    pub reason: String,
}

/// Reason why a text could not be filled in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TemplateError {
    #[error("{reason}")]
    Missing {
        reference: Reference,
        reason: String,
    },
    #[error("{{{{{reference}}}}} stands outside of a JSON string, and its value is not JSON.")]
    NotJson { reference: Reference },
}

/// Text with references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Reference {
        reference: Reference,
        /// True within a string of a JSON text.
        in_string: bool,
    },
}

impl Template {
    /// Reads a text that is JSON once it is filled in.
    pub fn json(text: &str) -> Self {
        Self::read(text, true)
    }

    /// Reads any other text.
    pub fn plain(text: &str) -> Self {
        Self::read(text, false)
    }

    fn read(text: &str, is_json: bool) -> Self {
        let mut in_string = !is_json;
        let pieces = template_pieces(text, Reference::parse);
        let pieces = pieces.into_iter().map(|piece| match piece {
            TemplatePiece::Text(text) => {
                in_string = !is_json || ends_in_string(text, in_string);
                Piece::Text(text.to_owned())
            }
            TemplatePiece::Reference(reference, _) => Piece::Reference {
                reference,
                in_string,
            },
        });
        Self {
            pieces: pieces.collect(),
        }
    }

    /// The references, in their order.
    pub fn references(&self) -> impl Iterator<Item = &Reference> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Reference { reference, .. } => Some(reference),
            Piece::Text(_) => None,
        })
    }

    /// The only reference of a text that is nothing else.
    pub fn sole_reference(&self) -> Option<&Reference> {
        match self.pieces.as_slice() {
            [Piece::Reference { reference, .. }] => Some(reference),
            _ => None,
        }
    }

    /// Fills in a JSON text: within a string a value's text is escaped, outside of one a value
    /// is written as JSON.
    pub fn fill_json(
        &self,
        value_of: &mut dyn FnMut(&Reference) -> Result<Value, MissingVariable>,
    ) -> Result<String, TemplateError> {
        self.fill(value_of, |reference, in_string, value| {
            if in_string {
                let quoted = Value::String(plain_text(&value)).to_string();
                return Ok(quoted[1..quoted.len() - 1].to_owned());
            }
            match &value {
                // Text of the environment: a number, a list, whatever it is written as.
                Value::String(text)
                    if exact::number_text(&value).is_none() && reference.is_private() =>
                {
                    exact::read(text)
                        .map(|_| text.clone())
                        .map_err(|_| TemplateError::NotJson {
                            reference: reference.clone(),
                        })
                }
                value => Ok(exact::shown(value)),
            }
        })
    }

    /// Fills in any other text.
    pub fn fill_plain(
        &self,
        value_of: &mut dyn FnMut(&Reference) -> Result<Value, MissingVariable>,
    ) -> Result<String, TemplateError> {
        self.fill(value_of, |_, _, value| Ok(plain_text(&value)))
    }

    fn fill(
        &self,
        value_of: &mut dyn FnMut(&Reference) -> Result<Value, MissingVariable>,
        written: impl Fn(&Reference, bool, Value) -> Result<String, TemplateError>,
    ) -> Result<String, TemplateError> {
        let mut result = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => result.push_str(text),
                Piece::Reference {
                    reference,
                    in_string,
                } => {
                    let value = value_of(reference).map_err(|missing| TemplateError::Missing {
                        reference: reference.clone(),
                        reason: missing.reason,
                    })?;
                    result.push_str(&written(reference, *in_string, value)?);
                }
            }
        }
        Ok(result)
    }

    /// The text with something harmless for each reference, to see whether it is JSON. Every
    /// byte keeps its place.
    pub(crate) fn sample(text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut in_string = false;
        for piece in template_pieces(text, Reference::parse) {
            match piece {
                TemplatePiece::Text(text) => {
                    in_string = ends_in_string(text, in_string);
                    result.push_str(text);
                }
                TemplatePiece::Reference(_, source) => {
                    let (first, padding) = if in_string { ("x", "x") } else { ("0", " ") };
                    result.push_str(first);
                    result.push_str(&padding.repeat(source.len() - first.len()));
                }
            }
        }
        result
    }
}

/// Part of a text with names in double braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplatePiece<'a, R> {
    Text(&'a str),
    /// A name, as it was parsed, and the braces with what they hold.
    Reference(R, &'a str),
}

/// Splits a text at each `{{name}}` whose name `parse` knows. Other braces are text.
pub fn template_pieces<'a, R>(
    text: &'a str,
    parse: impl Fn(&'a str) -> Option<R>,
) -> Vec<TemplatePiece<'a, R>> {
    let mut pieces = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while let Some(found) = text[at..].find("{{") {
        at += found;
        let name = text[at + 2..].split_once("}}").map(|(name, _)| name);
        match name.and_then(|name| Some((parse(name.trim())?, at + name.len() + 4))) {
            Some((reference, end)) => {
                if begin < at {
                    pieces.push(TemplatePiece::Text(&text[begin..at]));
                }
                pieces.push(TemplatePiece::Reference(reference, &text[at..end]));
                (begin, at) = (end, end);
            }
            None => at += 1,
        }
    }
    if begin < text.len() {
        pieces.push(TemplatePiece::Text(&text[begin..]));
    }
    pieces
}

/// Returns true when a string of a JSON text is open after `text`, by whether one is before it.
fn ends_in_string(text: &str, mut in_string: bool) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => {
                bytes.next();
            }
            _ => {}
        }
    }
    in_string
}

/// A value as it stands within a text.
fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) if exact::number_text(value).is_none() => text.clone(),
        value => exact::shown(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Result<String, TemplateError> {
        Template::json(text).fill_json(&mut |reference| match reference {
            Reference::Variable(name) if name == "text" => Ok("a \"b\"\n{{id}}".into()),
            Reference::Variable(name) if name == "id" => {
                Ok(exact::read("12345678901234567890123").expect("a number"))
            }
            Reference::Variable(name) if name == "list" => Ok(serde_json::json!([1, {"a": null}])),
            Reference::Process(_) => Ok("5".into()),
            Reference::Secret(_) => Ok("not json".into()),
            _ => Err(MissingVariable {
                reason: "It is not set.".into(),
            }),
        })
    }

    #[test]
    fn a_value_is_escaped_within_a_string_and_json_outside() {
        assert_eq!(
            filled(r#"{"a": "say {{text}}", "b": {{list}}, "c":{{ id }}, "d":"{{id}}", "e":{{env.N}}}"#),
            Ok(r#"{"a": "say a \"b\"\n{{id}}", "b": [1,{"a":null}], "c":12345678901234567890123, "d":"12345678901234567890123", "e":5}"#.into())
        );
        assert_eq!(
            filled(r#"{"a":{{text}}}"#),
            Ok(r#"{"a":"a \"b\"\n{{id}}"}"#.into())
        );
        assert!(matches!(
            filled(r#"{"a":{{secret.K}}}"#),
            Err(TemplateError::NotJson { .. })
        ));
        assert!(matches!(
            filled("{{other}}"),
            Err(TemplateError::Missing { .. })
        ));
    }

    #[test]
    fn a_text_is_split_at_names_in_braces() {
        let known = |name: &'static str| (name != "other").then_some(name);
        assert_eq!(
            template_pieces("{{ a }}{{{b}}ä{{other}} {{c", known),
            [
                TemplatePiece::Reference("a", "{{ a }}"),
                TemplatePiece::Reference("{b", "{{{b}}"),
                TemplatePiece::Text("ä{{other}} {{c"),
            ]
        );
    }

    #[test]
    fn braces_that_name_nothing_stay() {
        for text in [
            "{{}}", "{{ 1 }}", "{{a b}}", "{{a.b}}", "{{#if}}", "{{", "}}",
        ] {
            assert_eq!(Template::json(text).references().count(), 0, "{text}");
        }
        assert_eq!(
            filled(r#"{"a":"\"{{id}}"}"#),
            Ok(r#"{"a":"\"12345678901234567890123"}"#.into())
        );
    }

    #[test]
    fn a_sample_keeps_every_place() {
        let text = r#"{"a": "{{text}}", "b": {{list}} }"#;
        let sample = Template::sample(text);
        assert_eq!(sample.len(), text.len());
        assert!(serde_json::from_str::<Value>(&sample).is_ok(), "{sample}");
    }
}
