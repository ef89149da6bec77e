//! Fields whose names a client does not know where they stand: misspelt ones, and those that stand
//! within another.

use std::collections::HashSet;

use crate::{
    entry::dialect::{Dialect, behaviour::ADDRESSES},
    text::{
        json::{Member, NodeValue, Object},
        limits::shortened,
        problem::{Problem, ProblemKind},
        source::Source,
    },
};

/// Largest number of warnings of one entry.
const MAX_WARNINGS: usize = 20;

/// Largest number of unknown fields of one entry that are looked at.
const MAX_UNKNOWN: usize = 100;

/// Longest name that is compared with those of fields, in bytes.
const MAX_LENGTH: usize = 40;

/// Fields of the common form that hold texts by name, so that no field can stand in them.
const NAMED_TEXTS: [&str; 2] = ["env", "headers"];

/// Returns the name of each unknown field of an entry that is nearly that of one that its client has,
/// and a warning.
pub(crate) fn misspelt_fields(
    dialect: &Dialect,
    source: &Source<'_>,
    entry: &Object,
    unknown: &[String],
) -> Vec<(String, Problem)> {
    let title = dialect.client.title();
    let mut left: HashSet<&str> = unknown.iter().map(String::as_str).collect();
    // Of a name that stands there twice the last one counts.
    let members = entry.members.iter().rev();
    let mut members: Vec<&Member> = members
        .filter(|member| left.remove(member.key.as_str()))
        .collect();
    members.reverse();
    let warnings = members.into_iter().take(MAX_UNKNOWN).filter_map(|member| {
        let name = member.key.as_str();
        let meant = meant_field(dialect, name).filter(|meant| entry.get(meant).is_none())?;
        let space = match name.trim() == name {
            true => "",
            false => ", which begins or ends with a space",
        };
        let warning = Problem::warning(
            ProblemKind::InvalidValue,
            source.position(member.key_range.start),
            format!("{title} does not know the field {name:?}{space}. Did you mean {meant}?"),
        );
        Some((name.to_owned(), warning))
    });
    warnings.take(MAX_WARNINGS).collect()
}

/// Returns the field that a name may stand for: that for the same of another client, the same in
/// another spelling, or the nearest.
fn meant_field(dialect: &Dialect, name: &str) -> Option<&'static str> {
    if ADDRESSES.contains(&name) {
        return dialect
            .field_names()
            .find(|field| ADDRESSES.contains(field));
    }
    if name.len() > MAX_LENGTH {
        return None;
    }
    if let Some(field) = dialect.field_of_another(name) {
        return Some(field);
    }
    let letters = letters_of(name);
    let near = dialect.field_names().filter_map(|field| {
        let edits = match letters_of(field) == letters {
            true => 0,
            false => strsim::osa_distance(field, name),
        };
        // Of a short name nearly nothing would be left.
        let accepted = match field.len().max(name.len()) {
            0..=3 => 0,
            4..=8 => 1,
            _ => 2,
        };
        (edits <= accepted).then_some((edits, field))
    });
    near.min_by_key(|(edits, _)| *edits).map(|(_, field)| field)
}

/// Returns what tells a name from others however it is spelt: `http_url` and ` httpUrl` are the
/// same.
fn letters_of(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns an error for each field of the client that stands within one for texts by name, with a
/// value that is none.
pub(crate) fn fields_within(
    dialect: &Dialect,
    source: &Source<'_>,
    entry: &Object,
) -> Vec<Problem> {
    let mut errors = Vec::new();
    for outer in &entry.members {
        let NodeValue::Object(texts) = &outer.value.value else {
            continue;
        };
        if !NAMED_TEXTS.contains(&dialect.common_name(&outer.key)) {
            continue;
        }
        for member in &texts.members {
            if errors.len() >= MAX_WARNINGS {
                return errors;
            }
            let is_text = matches!(member.value.value, NodeValue::String(_));
            if is_text || !dialect.field_names().any(|field| field == member.key) {
                continue;
            }
            errors.push(Problem::error(
                ProblemKind::WrongType,
                source.position(member.value.range.start),
                format!(
                    "{0} is a field of its own in {1}. Write it beside {2}, not in it.",
                    shortened(&member.key),
                    dialect.client.title(),
                    outer.key
                ),
            ));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Client;

    #[test]
    fn a_name_that_is_nearly_a_field_s_stands_for_it() {
        for (client, name, meant) in [
            (Client::Gemini, "httpUrl ", Some("httpUrl")),
            (Client::Gemini, "http_url", Some("httpUrl")),
            (Client::Cursor, "header", Some("headers")),
            (Client::Cursor, "Args", Some("args")),
            (Client::Cursor, "comandd", None),
            (Client::Cursor, "comand", Some("command")),
            (Client::Cursor, "cmd", Some("command")),
            (Client::Cursor, "comment", None),
            (Client::Cursor, "x-unknown", None),
            (Client::McpJson, "comand", None),
            (Client::ClaudeCode, "serverUrl", Some("url")),
            (Client::Gemini, "serverUrl", Some("httpUrl")),
            (Client::ClaudeDesktop, "serverUrl", None),
            (Client::ClaudeCode, "environment", Some("env")),
            (Client::Opencode, "env", Some("environment")),
            (Client::Codex, "headers", Some("http_headers")),
            (Client::ClaudeCode, "transport", None),
        ] {
            let found = meant_field(Dialect::of(client), name);
            assert_eq!(found, meant, "{name}");
        }
    }
}
