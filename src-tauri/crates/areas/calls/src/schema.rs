//! Checks structured content against a tool's output schema.
//!
//! Both come from the server, and a validator can be kept busy for hours by a few of its bytes.
//! So a check is counted before it begins, runs where it holds up nothing else, and is waited
//! for only so long; what is not checked is said not to be.

mod budget;

use std::{
    fmt::{self, Write as _},
    time::Duration,
};

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sightglass_area_core::view::{SchemaCheck, SchemaProblem};
use tokio::sync::Semaphore;

/// No more violations than this are told.
const MAX_PROBLEMS: usize = 20;

/// Bytes of one violation's message: the validator repeats the value in it.
const MAX_MESSAGE_CHARACTERS: usize = 500;

/// Bytes of an output schema that is applied.
const MAX_SCHEMA_BYTES: usize = 1024 * 1024;

/// Bytes of structured content that is checked: as a tree it takes many times as much.
const MAX_VALUE_BYTES: usize = 16 * 1024 * 1024;

/// Time that a result waits for its check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// Steps back in one match of a pattern that only an engine with backtracking understands.
const MAX_BACKTRACKING: usize = 10_000;

/// Checks that run at the same time.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

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
        let work = async {
            let slot = AT_ONCE.acquire().await;
            tokio::task::spawn_blocking(move || {
                let check = self.check();
                drop(slot);
                check
            })
            .await
        };
        match tokio::time::timeout(CHECK_TIMEOUT, work).await {
            Ok(Ok(check)) => check,
            Ok(Err(_)) => not_checked("the check itself failed"),
            Err(_) => not_checked("the check takes too long"),
        }
    }

    /// References to other documents are not followed.
    fn check(&self) -> SchemaCheck {
        let Some(structured) = &self.structured else {
            return violated(
                "The tool has an output schema, but the result has no structuredContent.",
            );
        };
        if self.schema.len() > MAX_SCHEMA_BYTES {
            return not_checked(TOO_LARGE);
        }
        if structured.len() > MAX_VALUE_BYTES {
            return not_checked("structuredContent is too large to check here");
        }
        // Both are JSON, since they are parts of a message; the reader of trees has a limit.
        let Ok(schema) = serde_json::from_str::<Value>(&self.schema) else {
            return not_checked("the output schema is nested too deeply to be applied");
        };
        let Ok(value) = serde_json::from_str::<Value>(structured) else {
            return not_checked("structuredContent is nested too deeply to be checked");
        };
        if !budget::suffices(&schema, &value) {
            return not_checked(TOO_LARGE);
        }
        let validator = match validator_for(&schema) {
            Ok(validator) => validator,
            Err(error) => {
                return violated(&format!(
                    "The output schema itself is invalid: {}.",
                    message_of(&error)
                ));
            }
        };
        let problems = validator
            .iter_errors(&value)
            .take(MAX_PROBLEMS)
            .map(|error| SchemaProblem {
                pointer: error.instance_path().to_string(),
                message: message_of(&error),
            })
            .collect::<Vec<_>>();
        SchemaCheck {
            valid: problems.is_empty(),
            problems,
            not_checked: None,
        }
    }
}

/// Says what is wrong with structured content by an output schema; `None` when it conforms or cannot
/// be checked here. Both are JSON of a stranger.
pub fn problem(schema: &str, structured: &str) -> Option<String> {
    let check = OutputCheck {
        schema: schema.into(),
        structured: Some(structured.into()),
    };
    let outcome = check.check();
    let problem = outcome.problems.first()?;
    Some(match problem.pointer.as_str() {
        "" => problem.message.clone(),
        pointer => format!("{pointer}: {}", problem.message),
    })
}

/// Returns what is wrong with a schema as JSON Schema, if anything is found within the limits of a
/// check.
pub async fn problem_of(schema: Value) -> Option<String> {
    let work = tokio::task::spawn_blocking(move || {
        if !budget::suffices(&schema, &Value::Null) {
            return None;
        }
        let problem = validator_for(&schema).err();
        problem.map(|error| message_of(&error))
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
    let validator = validator_for(schema)
        .map_err(|error| format!("The schema cannot be used: {}.", message_of(&error)))?;
    match validator.iter_errors(value).next() {
        None => Ok(()),
        Some(error) => Err(match error.instance_path().to_string().as_str() {
            "" => format!("{}.", message_of(&error)),
            place => format!("{place}: {}.", message_of(&error)),
        }),
    }
}

const TOO_LARGE: &str = "the output schema is too large to check here";

/// Compiles a schema. Patterns run on an engine whose time is linear; where it does not
/// understand one (ECMA-262 has look-around), on one that gives up.
fn validator_for(schema: &Value) -> Result<Validator, ValidationError<'static>> {
    jsonschema::options()
        .with_pattern_options(PatternOptions::regex())
        .build(schema)
        .or_else(|_| {
            let bounded = PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKING);
            jsonschema::options()
                .with_pattern_options(bounded)
                .build(schema)
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
        }],
        not_checked: None,
    }
}

/// The error in words, of which only the beginning is written out.
fn message_of(error: &ValidationError<'_>) -> String {
    let mut message = Beginning(String::new());
    if write!(message, "{error}").is_err() {
        message.0.push('…');
    }
    message.0
}

/// Takes text up to a limit, and fails from there on.
struct Beginning(String);

impl fmt::Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MAX_MESSAGE_CHARACTERS.saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
        Err(fmt::Error)
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
    fn a_schema_that_is_wrong_itself_is_said_to_be() {
        let check = check_output(r#"{"outputSchema":{"type":7}}"#, Some("{}")).expect("a schema");
        assert!(
            check.problems[0]
                .message
                .contains("schema itself is invalid")
        );
    }

    #[test]
    fn a_message_that_repeats_a_long_value_is_cut() {
        let tool = r#"{"outputSchema":{"properties":{"n":{"type":"integer"}}}}"#;
        let value = format!(r#"{{"n":"{}"}}"#, "ä".repeat(10_000));
        let check = check_output(tool, Some(&value)).expect("a schema");
        assert!(check.problems[0].message.len() < 2 * MAX_MESSAGE_CHARACTERS);
        assert!(check.problems[0].message.ends_with('…'));
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
