//! Finds the secrets that stand in an entry themselves rather than behind a `${VARIABLE}`, and
//! where: in a file that git tracks they are shared with everybody who has the repository.

use std::{collections::HashMap, fmt};

use serde_json::{Map, Value};
use sightglass_secrets::{mask_url, secret_argument_part};

use crate::{
    entry::value::is_secret,
    text::{
        json::{NodeValue, Object},
        problem::{Problem, ProblemKind},
        source::{Position, Source},
    },
};

/// The member of an entry that holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum SecretPlace {
    /// A member of `env`, `headers` or `oauth`.
    Member(&'static str, String),
    /// An element of `args`.
    Argument(usize),
    Url,
}

impl fmt::Display for SecretPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretPlace::Member(field, name) => write!(formatter, "{field}.{name}"),
            SecretPlace::Argument(index) => write!(formatter, "args[{index}]"),
            SecretPlace::Url => formatter.write_str("url"),
        }
    }
}

/// A secret in an entry, and where in the file it stands. The value itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExposedSecret {
    /// `env.TOKEN`, `args[1]`, `url`, …
    pub field: String,
    pub(crate) at: Position,
}

impl ExposedSecret {
    /// The problem that it is in a file which git tracks.
    pub(crate) fn problem(&self, server: &str) -> Problem {
        let field = &self.field;
        let message = format!(
            "{server}: {field} looks like a secret, and git tracks this file. Write a variable \
             instead, and replace the secret where it was issued."
        );
        Problem::warning(ProblemKind::ExposedSecret, self.at, message)
    }
}

/// Tells if an entry of the common form holds a secret.
pub(crate) fn entry_holds_secret(entry: &Map<String, Value>) -> bool {
    !places(entry).is_empty()
}

/// The secrets of an entry, which the file has as `object`, in the order of the file. `entry` is
/// the same as plain JSON.
pub(crate) fn exposed_secrets(
    source: &Source<'_>,
    object: &Object,
    entry: &Map<String, Value>,
) -> Vec<ExposedSecret> {
    let starts = starts(object);
    let found = places(entry).into_iter().filter_map(|place| {
        Some(ExposedSecret {
            at: source.position(*starts.get(&place)?),
            field: place.to_string(),
        })
    });
    let mut found: Vec<ExposedSecret> = found.collect();
    found.sort_by_key(|secret| secret.at);
    found
}

/// The offsets of all places of an entry that can hold a secret.
fn starts(object: &Object) -> HashMap<SecretPlace, usize> {
    let mut starts = HashMap::new();
    for field in ["env", "headers", "oauth"] {
        if let Some(NodeValue::Object(inner)) = object.get(field).map(|member| &member.value.value)
        {
            starts.extend(inner.members.iter().map(|member| {
                let place = SecretPlace::Member(field, member.key.clone());
                (place, member.key_range.start)
            }));
        }
    }
    if let Some(NodeValue::Array(elements)) = object.get("args").map(|member| &member.value.value) {
        let elements = elements.iter().enumerate();
        starts.extend(
            elements.map(|(index, element)| (SecretPlace::Argument(index), element.range.start)),
        );
    }
    if let Some(url) = object.get("url") {
        starts.insert(SecretPlace::Url, url.value.range.start);
    }
    starts
}

fn places(entry: &Map<String, Value>) -> Vec<SecretPlace> {
    let mut places = Vec::new();
    for field in ["env", "headers", "oauth"] {
        let members = entry.get(field).and_then(Value::as_object);
        for (name, value) in members.into_iter().flatten() {
            if value.as_str().is_some_and(|text| is_secret(name, text)) {
                places.push(SecretPlace::Member(field, name.clone()));
            }
        }
    }
    let arguments = entry.get("args").and_then(Value::as_array);
    let arguments: Vec<String> = arguments
        .into_iter()
        .flatten()
        .map(|argument| argument.as_str().unwrap_or_default().to_owned())
        .collect();
    places.extend(
        (0..arguments.len())
            .filter(|index| {
                secret_argument_part(&arguments, *index).is_some()
                    || address_holds_secret(&arguments[*index])
            })
            .map(SecretPlace::Argument),
    );
    let url = entry.get("url").and_then(Value::as_str);
    if url.is_some_and(address_holds_secret) {
        places.push(SecretPlace::Url);
    }
    places
}

/// Tells if a URL holds a password, a `?token=x` or a secret in its path.
fn address_holds_secret(address: &str) -> bool {
    mask_url(address) != address
}
