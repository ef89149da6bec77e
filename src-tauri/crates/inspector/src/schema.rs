//! Checks structured content against a tool's output schema.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::view::{SchemaCheck, SchemaProblem};

/// No more violations than this are told.
const MOST_PROBLEMS: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OutputSchema<'a> {
    #[serde(borrow)]
    output_schema: Option<&'a RawValue>,
}

/// Checks a result as the MCP specification asks of clients (Tools, Output Schema): a tool
/// that declares an output schema has to return structured content that conforms to it.
/// `None` when the tool declares none.
///
/// `tool` is the tool's verbatim JSON. References to other documents are not followed.
pub(crate) fn check_output(tool: &str, structured: Option<&str>) -> Option<SchemaCheck> {
    let schema = serde_json::from_str::<OutputSchema<'_>>(tool)
        .ok()?
        .output_schema?;
    let problems = match structured {
        None => vec![whole(
            "The tool has an output schema, but the result has no structuredContent.",
        )],
        Some(structured) => violations(schema.get(), structured),
    };
    Some(SchemaCheck {
        valid: problems.is_empty(),
        problems,
    })
}

fn violations(schema: &str, value: &str) -> Vec<SchemaProblem> {
    // Both are JSON, since they are parts of a message; the reader of trees has a limit.
    let Ok(schema) = serde_json::from_str::<Value>(schema) else {
        return vec![whole(
            "The output schema is nested too deeply to be applied.",
        )];
    };
    let validator = match jsonschema::validator_for(&schema) {
        Ok(validator) => validator,
        Err(error) => {
            return vec![whole(&format!(
                "The output schema itself is invalid: {error}."
            ))];
        }
    };
    let Ok(value) = serde_json::from_str::<Value>(value) else {
        return vec![whole(
            "structuredContent is nested too deeply to be checked.",
        )];
    };
    validator
        .iter_errors(&value)
        .take(MOST_PROBLEMS)
        .map(|error| SchemaProblem {
            pointer: error.instance_path().to_string(),
            message: error.to_string(),
        })
        .collect()
}

fn whole(message: &str) -> SchemaProblem {
    SchemaProblem {
        pointer: String::new(),
        message: message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: &str = r#"{"name":"t","outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}"#;

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
}
