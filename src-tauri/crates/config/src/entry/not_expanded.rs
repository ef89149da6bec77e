//! Warnings of references that a client takes as they stand: what is meant as a variable is sent as a
//! text.
//!
//! A program and its arguments may hold such a text on purpose, for a shell, so nothing is said of
//! those.

use crate::{
    client::Client,
    entry::dialect::{Dialect, TEXT_FIELDS, VariableSyntax, map_references},
    text::{
        json::{Node, NodeValue, Object},
        limits::shortened,
        problem::{Problem, ProblemKind},
        source::Source,
    },
};

/// Largest number of warnings of one entry.
const MAX_WARNINGS: usize = 20;

/// Fields of the common form in which a reference is meant as one.
const MEANT: [&str; 4] = ["env", "url", "headers", "envFile"];

/// Stands before the name of a variable in the form of VS Code and Cursor. Where that is the client's
/// own form, an entry in the common form has none.
const FOREIGN_PREFIX: &str = "env:";

/// Returns a warning for each reference of an entry in the common form that its client does not
/// expand, with how it would be written.
pub(crate) fn not_expanded(
    dialect: &Dialect,
    source: &Source<'_>,
    common: &Object,
) -> Vec<Problem> {
    let rules = dialect.expansion();
    let mut warnings = Vec::new();
    for_each_text(common, &mut |field, node, text| {
        let top = field.split('.').next().unwrap_or(field);
        if !MEANT.contains(&top) {
            return;
        }
        let is_text = !rules.of_field(field).applies_to(text);
        map_references(text, |_, name, _| {
            let (name, is_foreign) = match rules.literal(name) {
                Some(name) => (name, name.starts_with(FOREIGN_PREFIX)),
                None if is_text => (name, false),
                None if name.starts_with(FOREIGN_PREFIX) => (name, true),
                None => return String::new(),
            };
            if warnings.len() < MAX_WARNINGS {
                let reader = dialect.client.reader();
                let reference = format!("${{{name}}}");
                let reference = shortened(&reference);
                let place = shortened(field);
                let advice = advice(dialect, field, name);
                let message = if is_foreign {
                    format!(
                        "{reference} in {place} is a variable in the form of other clients, not in \
                         that of {reader}. {advice}"
                    )
                } else {
                    format!(
                        "{reader} does not expand {reference} in {place}, and uses the text as it \
                         stands. {advice}"
                    )
                };
                warnings.push(Problem::warning(
                    ProblemKind::NotExpanded,
                    source.position(node.range.start),
                    message,
                ));
            }
            String::new()
        });
    });
    warnings
}

/// Says what to write instead.
fn advice(dialect: &Dialect, field: &str, name: &str) -> String {
    let name = name.strip_prefix(FOREIGN_PREFIX).unwrap_or(name);
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|part| part.is_ascii_alphanumeric() || part == '_');
    if dialect.variables == VariableSyntax::Codex {
        let instead = match field.split_once('.') {
            Some(("headers", header)) if header.eq_ignore_ascii_case("authorization") => {
                "Name the variable in bearer_token_env_var."
            }
            Some(("headers", _)) => "Name the variable in env_http_headers.",
            Some(("env", _)) => "Name the variable in env_vars.",
            _ => "Write the value itself.",
        };
        return instead.to_owned();
    }
    match dialect.variables.variable(name).filter(|_| is_name) {
        Some(written) => format!("Write {written}."),
        None if dialect.client == Client::Goose => {
            "Name the variable in env_keys, or write the value itself.".to_owned()
        }
        None => "Write the value itself.".to_owned(),
    }
}

/// Hands every text of an entry in the common form to `visit`, with its field.
pub(crate) fn for_each_text(common: &Object, visit: &mut dyn FnMut(&str, &Node, &str)) {
    for member in &common.members {
        if TEXT_FIELDS.contains(&member.key.as_str()) {
            texts_of(&member.key, &member.value, visit);
        }
    }
}

fn texts_of(field: &str, node: &Node, visit: &mut dyn FnMut(&str, &Node, &str)) {
    match &node.value {
        NodeValue::String(text) => visit(field, node, text),
        NodeValue::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                texts_of(&format!("{field}[{index}]"), element, visit);
            }
        }
        NodeValue::Object(object) => {
            for member in &object.members {
                texts_of(&format!("{field}.{}", member.key), &member.value, visit);
            }
        }
        NodeValue::Null | NodeValue::Bool(_) | NodeValue::Number(_) => {}
    }
}
