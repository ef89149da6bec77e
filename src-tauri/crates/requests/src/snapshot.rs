//! Snapshots: values of answers that were accepted before, beside the request that they are of.

use std::{
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::Regex;
use serde_json::{Map, Value};

use crate::{exact, path::Path as ValuePath};

/// Values that differ from run to run, and what stands for them.
static VOLATILE: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    [
        (
            r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
            "<uuid>",
        ),
        (
            r"\b\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})?",
            "<time>",
        ),
        // Seconds and milliseconds since the Unix epoch, from 2001 to 2286.
        (r"\b[1-9]\d{9}(\d{3})?\b", "<epoch>"),
        (r"\b\d+(\.\d+)?\s?(ns|µs|us|ms)\b", "<duration>"),
    ]
    .into_iter()
    // The patterns are constants, and a test reads them all.
    .filter_map(|(pattern, name)| Some((Regex::new(pattern).ok()?, name)))
    .collect()
});

/// The snapshot of one request: canonical JSON of each value, by the name of the value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot(Map<String, Value>);

impl Snapshot {
    /// Reads a snapshot file.
    ///
    /// # Errors
    /// When it is not a JSON object.
    pub fn parse(text: &str) -> Result<Self, String> {
        match exact::read(text) {
            Ok(Value::Object(values)) => Ok(Self(values)),
            Ok(_) => Err("it is not a JSON object".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
        self.0.sort_keys();
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text of the file: sorted keys, two spaces.
    pub fn text(&self) -> String {
        let mut text = exact::shown_indented(&sorted(&Value::Object(self.0.clone())));
        text.push('\n');
        text
    }
}

/// The path of the snapshot of a request's file: `a/b.toml` has `a/b.snap.json`.
pub fn snapshot_path(request: &Path) -> PathBuf {
    request.with_extension("snap.json")
}

/// A value with what differs from run to run replaced, and its members sorted.
///
/// # Errors
/// When a mask would visit too much of it, as a sentence.
pub(crate) fn masked(value: &Value, masks: &[ValuePath]) -> Result<Value, String> {
    let mut value = sorted(value);
    for mask in masks {
        for pointer in mask.places(&value)? {
            if let Some(place) = value.pointer_mut(&pointer) {
                *place = Value::String("<masked>".to_owned());
            }
        }
    }
    without_volatile(&mut value);
    Ok(value)
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(sorted).collect(),
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let members = members
                .into_iter()
                .map(|(name, value)| (name.clone(), sorted(value)));
            Value::Object(members.collect())
        }
        value => value.clone(),
    }
}

fn without_volatile(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(without_volatile),
        Value::Object(members) => members.values_mut().for_each(without_volatile),
        Value::String(text) if exact::number_text(&Value::String(text.clone())).is_none() => {
            for (pattern, name) in VOLATILE.iter() {
                if pattern.is_match(text) {
                    *text = pattern.replace_all(text, *name).into_owned();
                }
            }
        }
        Value::Number(number) => {
            let text = number.to_string();
            let is_epoch = VOLATILE.iter().any(|(pattern, name)| {
                *name == "<epoch>"
                    && pattern
                        .find(&text)
                        .is_some_and(|found| found.len() == text.len())
            });
            if is_epoch {
                *value = Value::String("<epoch>".to_owned());
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_from_run_to_run_is_replaced() {
        assert_eq!(VOLATILE.len(), 4);
        let value = json!({
            "b": "at 2026-11-23T10:11:12.5Z by 0190a6d2-7c51-7e3f-8a01-0123456789ab in 12.5 ms",
            "a": 1_795_000_000,
            "c": [{"secret": 1, "count": 42}],
        });
        let path = ValuePath::parse("$.c[*].secret").expect("a path");
        assert_eq!(
            masked(&value, &[path]),
            Ok(json!({
                "a": "<epoch>",
                "b": "at <time> by <uuid> in <duration>",
                "c": [{"count": 42, "secret": "<masked>"}],
            }))
        );
    }

    #[test]
    fn a_file_is_canonical_and_read_again() {
        let mut snapshot = Snapshot::default();
        snapshot.set("text", json!("x"));
        snapshot.set("$", exact::read(r#"{"z":1e400,"a":[1]}"#).expect("JSON"));
        let text = snapshot.text();
        assert_eq!(
            text,
            "{\n  \"$\": {\n    \"a\": [\n      1\n    ],\n    \"z\": 1e400\n  },\n  \"text\": \"x\"\n}\n"
        );
        assert_eq!(Snapshot::parse(&text).map(|read| read.text()), Ok(text));
        assert!(Snapshot::parse("[]").is_err());
    }
}
