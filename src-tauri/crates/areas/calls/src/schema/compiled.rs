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

/// The schemas that were compiled last, the newest at the end.
static KEPT: Mutex<Vec<Arc<CompiledSchema>>> = Mutex::new(Vec::new());

/// A schema that is compiled when it is first applied.
pub(super) struct CompiledSchema {
    text: Box<str>,
    formats: Formats,
    pub tree: Value,
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
        Ok(Arc::new(Self {
            text: text.into(),
            formats,
            tree: serde_json::from_str(text)?,
            validator: OnceLock::new(),
        }))
    }

    /// Returns the validator, and keeps it for the next time. What can be too much to compile is
    /// judged before.
    pub fn validator(self: &Arc<Self>) -> Result<&Validator, String> {
        let validator = self.validator.get_or_init(|| {
            validator_for(&self.tree, self.formats).map_err(|error| engine_message(&error))
        });
        if self.text.len() <= MAX_KEPT_BYTES {
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

#[cfg(test)]
mod tests {
    use super::*;

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
