//! Checks values against JSON Schemas: the answers of tools, and what a user is about to send.
//!
//! The schema comes from a stranger, often the value too, and a validator can be kept busy for hours
//! by a few of their bytes. So a check is counted before it begins, runs where it holds up nothing
//! else, and is waited for only so long; what is not checked is said not to be.

mod budget;
mod compiled;
mod conditions;
mod violations;
mod wording;

use std::time::Duration;

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sightglass_area_core::view::{SchemaCheck, SchemaProblem};
use tokio::sync::Semaphore;

use compiled::CompiledSchema;
use violations::problems;
use wording::engine_message;

/// Bytes of a schema that is applied.
const MAX_SCHEMA_BYTES: usize = 1024 * 1024;

/// Bytes of a value that is checked: as a tree it takes many times as much.
const MAX_VALUE_BYTES: usize = 16 * 1024 * 1024;

/// Time that is waited for a check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// Steps back in one match of a pattern that only an engine with backtracking understands.
const MAX_BACKTRACKING: usize = 10_000;

/// Checks of answers that run at the same time.
static ANSWERS_AT_ONCE: Semaphore = Semaphore::const_new(2);

/// Checks of what is being written that run at the same time: answers do not hold them up.
static INPUTS_AT_ONCE: Semaphore = Semaphore::const_new(2);

const TOO_LARGE: &str = "the schema is too large to check here";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OutputSchema<'a> {
    #[serde(borrow)]
    output_schema: Option<&'a RawValue>,
}

/// A check that is still to be made, as the MCP specification asks of clients (Tools, Output
/// Schema): a tool that declares an output schema has to return structured content that
/// conforms to it.
pub struct OutputCheck {
    schema: Box<str>,
    structured: Option<Box<str>>,
}

impl OutputCheck {
    /// The check of a result, or nothing when the tool declares no output schema. `tool` is the
    /// tool's verbatim JSON, `structured` that of the result's `structuredContent`.
    pub fn of(tool: &str, structured: Option<&str>) -> Option<Self> {
        // A definition can be long, and any character can be written with an escape.
        if !tool.contains("outputSchema") && !tool.contains('\\') {
            return None;
        }
        let schema = serde_json::from_str::<OutputSchema<'_>>(tool)
            .ok()?
            .output_schema?;
        Some(Self {
            schema: schema.get().into(),
            structured: structured.map(Into::into),
        })
    }

    /// Checks on a thread that may block, and gives up on it after a while.
    pub async fn run(self) -> SchemaCheck {
        bounded(&ANSWERS_AT_ONCE, move || self.check()).await
    }

    fn check(&self) -> SchemaCheck {
        let Some(structured) = &self.structured else {
            return violated(
                "The tool has an output schema, but the result has no structuredContent.",
            );
        };
        match check(&self.schema, structured, Formats::ByDialect) {
            Err(Uncheckable::InvalidSchema(reason)) => {
                violated(&format!("The output schema itself is invalid: {reason}."))
            }
            outcome => outcome_of(outcome),
        }
    }
}

/// Checks a value that is being written against the schema of who asks for it, both JSON. Formats
/// are checked in every dialect, as a slip in one is worth a hint.
pub async fn check_value(schema: String, value: String) -> SchemaCheck {
    let check = move || outcome_of(check(&schema, &value, Formats::Checked));
    bounded(&INPUTS_AT_ONCE, check).await
}

/// Says what is wrong with structured content by an output schema; `None` when it conforms or cannot
/// be checked here. Both are JSON of a stranger.
pub fn problem(schema: &str, structured: &str) -> Option<String> {
    let check = OutputCheck {
        schema: schema.into(),
        structured: Some(structured.into()),
    };
    let problem = check.check().problems.into_iter().next();
    problem.map(|problem| problem.sentence)
}

/// Returns what is wrong with a schema as JSON Schema, if anything is found within the limits of a
/// check.
pub async fn problem_of(schema: Value) -> Option<String> {
    let work = tokio::task::spawn_blocking(move || {
        if !budget::suffices(&schema, &Value::Null) {
            return None;
        }
        let problem = validator_for(&schema, Formats::ByDialect).err();
        problem.map(|error| engine_message(&error))
    });
    match tokio::time::timeout(CHECK_TIMEOUT, work).await {
        Ok(Ok(problem)) => problem,
        // What cannot be decided is not held against the server.
        Ok(Err(_)) | Err(_) => None,
    }
}

/// Applies a schema that a user wrote to a value, as far as that is harmless. Blocks.
///
/// # Errors
/// The first reason why the value does not conform, or why that cannot be told, as a sentence.
pub fn conforms(schema: &Value, value: &Value) -> Result<(), String> {
    if !budget::suffices(schema, value) {
        return Err("The schema takes too long to be applied to this value.".to_owned());
    }
    let validator = validator_for(schema, Formats::ByDialect)
        .map_err(|error| format!("The schema cannot be used: {}.", engine_message(&error)))?;
    if validator.is_valid(value) {
        return Ok(());
    }
    let found = problems(&schema.to_string(), schema, value, &validator);
    match found.into_iter().next() {
        None => Ok(()),
        Some(problem) => Err(problem.sentence),
    }
}

/// Treatment of the keyword `format`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Formats {
    /// Since draft 2019-09 it only describes a value, before it was checked.
    ByDialect,
    Checked,
}

/// Reason why a value was not checked.
enum Uncheckable {
    /// The schema is none, for this reason.
    InvalidSchema(String),
    /// A limit is exceeded, in words that begin small.
    Limit(&'static str),
}

fn outcome_of(outcome: Result<Vec<SchemaProblem>, Uncheckable>) -> SchemaCheck {
    match outcome {
        Ok(problems) => SchemaCheck {
            valid: problems.is_empty(),
            problems,
            not_checked: None,
        },
        Err(Uncheckable::InvalidSchema(reason)) => {
            not_checked(&format!("the schema cannot be used: {reason}"))
        }
        Err(Uncheckable::Limit(reason)) => not_checked(reason),
    }
}

/// Checks a value against a schema, both JSON. References to other documents are not followed.
fn check(schema: &str, value: &str, formats: Formats) -> Result<Vec<SchemaProblem>, Uncheckable> {
    if schema.len() > MAX_SCHEMA_BYTES {
        return Err(Uncheckable::Limit(TOO_LARGE));
    }
    if value.len() > MAX_VALUE_BYTES {
        return Err(Uncheckable::Limit("the value is too large to check here"));
    }
    // Both are JSON, as parts of a message or since the window says so; the reader of trees has a
    // limit.
    let known = CompiledSchema::of(schema, formats)
        .map_err(|_| Uncheckable::Limit("the schema is nested too deeply to be applied"))?;
    let value: Value = serde_json::from_str(value)
        .map_err(|_| Uncheckable::Limit("the value is nested too deeply to be checked"))?;
    if !budget::suffices(&known.tree, &value) {
        return Err(Uncheckable::Limit(TOO_LARGE));
    }
    let validator = known.validator().map_err(Uncheckable::InvalidSchema)?;
    Ok(problems(schema, &known.tree, &value, validator))
}

/// Makes a check on a thread that may block, and gives up on it after a while.
async fn bounded(
    slots: &'static Semaphore,
    check: impl FnOnce() -> SchemaCheck + Send + 'static,
) -> SchemaCheck {
    let work = async {
        let slot = slots.acquire().await;
        tokio::task::spawn_blocking(move || {
            let outcome = check();
            drop(slot);
            outcome
        })
        .await
    };
    match tokio::time::timeout(CHECK_TIMEOUT, work).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => not_checked("the check itself failed"),
        Err(_) => not_checked("the check takes too long"),
    }
}

/// Compiles a schema. Patterns run on an engine whose time is linear; where it does not
/// understand one (ECMA-262 has look-around), on one that gives up.
fn validator_for(schema: &Value, formats: Formats) -> Result<Validator, ValidationError<'static>> {
    let options = || match formats {
        Formats::ByDialect => jsonschema::options(),
        Formats::Checked => jsonschema::options().should_validate_formats(true),
    };
    options()
        .with_pattern_options(PatternOptions::regex())
        .build(schema)
        .or_else(|_| {
            let bounded = PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKING);
            options().with_pattern_options(bounded).build(schema)
        })
}

fn not_checked(reason: &str) -> SchemaCheck {
    SchemaCheck {
        valid: false,
        problems: Vec::new(),
        not_checked: Some(reason.to_owned()),
    }
}

fn violated(message: &str) -> SchemaCheck {
    SchemaCheck {
        valid: false,
        problems: vec![SchemaProblem {
            pointer: String::new(),
            message: message.to_owned(),
            sentence: message.to_owned(),
            missing: false,
        }],
        not_checked: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: &str = r#"{"name":"t","outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}"#;

    fn check_output(tool: &str, structured: Option<&str>) -> Option<SchemaCheck> {
        OutputCheck::of(tool, structured).map(|check| check.check())
    }

    #[test]
    fn a_result_that_conforms_is_valid() {
        assert!(
            check_output(TOOL, Some(r#"{"n":1}"#))
                .expect("a schema")
                .valid
        );
    }

    #[test]
    fn a_violation_is_told_with_its_place() {
        let check = check_output(TOOL, Some(r#"{"n":"one"}"#)).expect("a schema");
        assert!(!check.valid);
        assert_eq!(check.problems[0].pointer, "/n");
    }

    #[test]
    fn structured_content_that_is_missing_is_a_violation() {
        assert!(!check_output(TOOL, None).expect("a schema").valid);
    }

    #[test]
    fn a_tool_without_a_schema_is_not_checked() {
        assert_eq!(check_output(r#"{"name":"t"}"#, Some("{}")), None);
    }

    #[test]
    fn a_name_that_is_written_with_an_escape_is_read() {
        let check = check_output(r#"{"output\u0053chema":{"type":"object"}}"#, Some("{}"));
        assert!(check.expect("a schema").valid);
    }

    #[test]
    fn a_schema_that_is_wrong_itself_is_said_to_be() {
        let check = check_output(r#"{"outputSchema":{"type":7}}"#, Some("{}")).expect("a schema");
        assert!(
            check.problems[0]
                .message
                .contains("schema itself is invalid")
        );
    }

    #[test]
    fn a_message_that_repeats_a_long_name_is_cut() {
        let tool = r#"{"outputSchema":{"properties":{"a":{}},"additionalProperties":false}}"#;
        let value = format!(r#"{{"{}":1}}"#, "ä".repeat(10_000));
        let check = check_output(tool, Some(&value)).expect("a schema");
        for text in [&check.problems[0].message, &check.problems[0].sentence] {
            assert!(text.chars().count() <= wording::MAX_MESSAGE_CHARACTERS + 1);
            assert!(text.ends_with('…'));
        }
    }

    #[test]
    fn the_engines_own_words_are_cut() {
        let tool = r#"{"outputSchema":{"contains":{"type":"integer"}}}"#;
        let value = format!(r#"["{}"]"#, "ä".repeat(10_000));
        let check = check_output(tool, Some(&value)).expect("a schema");
        assert!(check.problems[0].message.len() < 2 * wording::MAX_MESSAGE_CHARACTERS);
    }

    #[test]
    fn formats_are_checked_of_what_is_being_written_alone() {
        let schema = r#"{"properties":{"to":{"type":"string","format":"email"}}}"#;
        let value = r#"{"to":"nobody"}"#;
        let written = outcome_of(check(schema, value, Formats::Checked));
        assert_eq!(
            written.problems[0].sentence,
            "`to`: Must be an email address."
        );
        assert!(outcome_of(check(schema, value, Formats::ByDialect)).valid);
    }

    #[test]
    fn what_is_being_written_is_not_held_to_a_schema_that_cannot_be_used() {
        let written = outcome_of(check(r##"{"$ref":"#/nowhere"}"##, "{}", Formats::Checked));
        let reason = written.not_checked.expect("it was not checked");
        assert!(reason.contains("the schema cannot be used"), "{reason}");
        assert!(written.problems.is_empty());
    }

    #[test]
    fn a_value_that_does_not_conform_is_told_in_a_sentence() {
        let schema = serde_json::json!({ "required": ["n"] });
        assert_eq!(conforms(&schema, &serde_json::json!({ "n": 1 })), Ok(()));
        assert_eq!(
            conforms(&schema, &serde_json::json!({})),
            Err("`n` is missing.".to_owned())
        );
        assert_eq!(
            problem(r#"{"type":"object"}"#, "7").as_deref(),
            Some("Must be an object.")
        );
    }

    #[test]
    fn a_pattern_is_matched_in_linear_time() {
        let tool = r#"{"outputSchema":{"properties":{"s":{"pattern":"^(a+)+$"}}}}"#;
        let value = format!(r#"{{"s":"{}!"}}"#, "a".repeat(10_000));
        let check = check_output(tool, Some(&value)).expect("a schema");
        assert_eq!(check.problems.len(), 1, "{check:?}");
    }

    #[test]
    fn a_pattern_with_look_around_is_still_applied() {
        let tool = r#"{"outputSchema":{"properties":{"s":{"pattern":"^(?!tmp).+$"}}}}"#;
        assert!(
            check_output(tool, Some(r#"{"s":"ok"}"#))
                .expect("a schema")
                .valid
        );
        let check = check_output(tool, Some(r#"{"s":"tmp"}"#)).expect("a schema");
        assert_eq!(check.problems[0].pointer, "/s");
    }

    #[test]
    fn a_schema_over_the_budget_is_not_applied() {
        let tool = r##"{"outputSchema":{"$ref":"#"}}"##;
        let check = check_output(tool, Some("{}")).expect("a schema");
        assert_eq!(check.not_checked.as_deref(), Some(TOO_LARGE));
        assert!(!check.valid && check.problems.is_empty());
    }
}
