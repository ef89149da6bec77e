//! Keeps the schemas that were applied last, compiled: a tool is called again and again, and an
//! argument is checked at each letter.

use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::Validator;
use serde_json::Value;
use sightglass_model::lock;

use super::{Formats, validator_for, wording::engine_message};

/// Schemas that are kept.
const MAX_KEPT: usize = 16;

/// Bytes of a schema that is kept: compiled it takes many times as much.
const MAX_KEPT_BYTES: usize = 16 * 1024;

/// Patterns of a schema that is kept: each may take megabytes.
const MAX_KEPT_PATTERNS: usize = 4;

/// The schemas that were compiled last, the newest at the end.
static KEPT: Mutex<Vec<Arc<CompiledSchema>>> = Mutex::new(Vec::new());

/// A schema that is compiled when it is first applied.
pub(super) struct CompiledSchema {
    text: Box<str>,
    formats: Formats,
    pub tree: Value,
    /// True where it is small enough to be kept.
    is_kept: bool,
    /// The validator, or why there is none.
    validator: OnceLock<Result<Validator, String>>,
}

impl CompiledSchema {
    /// Reads a schema, unless it is kept.
    pub fn of(text: &str, formats: Formats) -> Result<Arc<Self>, serde_json::Error> {
        let is_same = |one: &&Arc<Self>| *one.text == *text && one.formats == formats;
        if let Some(kept) = lock(&KEPT).iter().find(is_same) {
            return Ok(Arc::clone(kept));
        }
        let tree: Value = serde_json::from_str(text)?;
        Ok(Arc::new(Self {
            text: text.into(),
            formats,
            is_kept: text.len() <= MAX_KEPT_BYTES && patterns(&tree) <= MAX_KEPT_PATTERNS,
            tree,
            validator: OnceLock::new(),
        }))
    }

    /// Returns the validator, and keeps it for the next time where it is small. What can be too much
    /// to compile is judged before.
    pub fn validator(self: &Arc<Self>) -> Result<&Validator, String> {
        let validator = self.validator.get_or_init(|| {
            validator_for(&self.tree, self.formats).map_err(|error| engine_message(&error))
        });
        if self.is_kept {
            let mut kept = lock(&KEPT);
            // Another check may have compiled the same.
            kept.retain(|one| one.text != self.text || one.formats != self.formats);
            kept.push(Arc::clone(self));
            let surplus = kept.len().saturating_sub(MAX_KEPT);
            kept.drain(..surplus);
        }
        validator.as_ref().map_err(String::clone)
    }
}

/// Returns the number of regular expressions in a schema.
fn patterns(schema: &Value) -> usize {
    match schema {
        Value::Array(items) => items.iter().map(patterns).sum(),
        Value::Object(members) => {
            let own = |name: &str, member: &Value| match (name, member) {
                ("pattern", Value::String(_)) => 1,
                ("patternProperties", Value::Object(schemas)) => schemas.len(),
                _ => 0,
            };
            let counts = members.iter();
            counts
                .map(|(name, member)| own(name, member) + patterns(member))
                .sum()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_of_many_patterns_is_not_kept() {
        for (count, is_kept) in [(3, true), (4, false)] {
            let members: Vec<String> = (0..count)
                .map(|number| format!(r#""^{number}":{{}}"#))
                .collect();
            let members = members.join(",");
            let text = format!(r#"{{"pattern":"^a","patternProperties":{{{members}}}}}"#);
            let one = CompiledSchema::of(&text, Formats::ByDialect).expect("JSON");
            assert!(one.validator().is_ok());
            let again = CompiledSchema::of(&text, Formats::ByDialect).expect("JSON");
            assert_eq!(Arc::ptr_eq(&one, &again), is_kept, "{text}");
        }
    }

    #[test]
    fn a_schema_is_compiled_once_and_the_newest_are_kept() {
        let schema = |number: usize| format!(r#"{{"title":"kept {number}"}}"#);
        let first = CompiledSchema::of(&schema(0), Formats::ByDialect).expect("JSON");
        assert!(first.validator().is_ok());
        for number in 1..MAX_KEPT {
            let other = CompiledSchema::of(&schema(number), Formats::ByDialect).expect("JSON");
            assert!(other.validator().is_ok());
            let again = CompiledSchema::of(&schema(0), Formats::ByDialect).expect("JSON");
            assert!(again.validator().is_ok());
            assert!(Arc::ptr_eq(&first, &again), "it is used again and again");
        }
        let checked = CompiledSchema::of(&schema(0), Formats::Checked).expect("JSON");
        assert!(!Arc::ptr_eq(&first, &checked));
        for number in 0..2 * MAX_KEPT {
            let newer = CompiledSchema::of(&schema(100 + number), Formats::ByDialect);
            assert!(newer.expect("JSON").validator().is_ok());
            assert!(lock(&KEPT).len() <= MAX_KEPT);
        }
        let anew = CompiledSchema::of(&schema(0), Formats::ByDialect).expect("JSON");
        assert!(!Arc::ptr_eq(&first, &anew), "it was forgotten meanwhile");
    }
}
