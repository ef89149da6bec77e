//! Tells in plain words in which ways a value is not as its schema says.
//!
//! An engine tells everything that it came upon. Of a union that is what each alternative misses, which
//! is noise, unless only one of them can be meant; of a condition it is what follows from a member
//! that is not given yet.

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind as Kind};
use serde_json::Value;
use sightglass_area_core::view::SchemaProblem;
use sightglass_model::brief;

use super::{
    conditions::{BranchCondition, conditions},
    wording::{
        MAX_MESSAGE_CHARACTERS, REQUIRED, message, missing_sentence, required_because, sentence,
        unknown_field,
    },
};

/// No more violations than this are told.
const MAX_PROBLEMS: usize = 50;

/// Errors that are gone through; further ones are left out.
const MAX_ERRORS: usize = 500;

/// Bytes of places and names in them, which are a stranger's and repeated in each.
const MAX_ERROR_BYTES: usize = 1024 * 1024;

/// One error of the engine, in words.
struct Failing {
    /// JSON pointer to the part of the value that was judged.
    pointer: String,
    /// The keywords that led to the error, references among them.
    way: String,
    /// Name of the member that the part has to have.
    missing: Option<String>,
    message: String,
}

/// Returns the violations of a schema, missing members first: they say what to do next. `text` is the
/// schema as it is written.
pub(super) fn problems(
    text: &str,
    schema: &Value,
    value: &Value,
    validator: &Validator,
) -> Vec<SchemaProblem> {
    let mut failing = Vec::new();
    for error in validator.iter_errors(value) {
        if is_full(&failing) {
            break;
        }
        collect(&error, text, &mut failing);
    }
    let mut told = tell(&failing, schema, value, true);
    if told.is_empty() {
        // Conditions that wait for one another.
        told = tell(&failing, schema, value, false);
    }
    told.sort_by_key(|problem| !problem.missing);
    told
}

/// Returns true when no further errors are gone through.
fn is_full(failing: &[Failing]) -> bool {
    let bytes = failing.iter().map(|one| {
        let name = one.missing.as_deref().unwrap_or_default();
        one.pointer.len() + one.way.len() + name.len()
    });
    failing.len() >= MAX_ERRORS || bytes.sum::<usize>() > MAX_ERROR_BYTES
}

fn collect(error: &ValidationError<'_>, schema: &str, failing: &mut Vec<Failing>) {
    if is_full(failing) {
        return;
    }
    if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind()
        && let Some(errors) = meant_alternative(context)
    {
        for error in errors {
            collect(error, schema, failing);
        }
        return;
    }
    let mut add = |message: String, missing: Option<String>| {
        if !is_full(failing) {
            failing.push(Failing {
                pointer: error.instance_path().to_string(),
                way: error.evaluation_path().to_string(),
                missing,
                message: shortened(&message),
            });
        }
    };
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected.iter().take(MAX_PROBLEMS) {
                add(unknown_field(name), None);
            }
        }
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default().to_owned();
            add(REQUIRED.to_owned(), Some(name));
        }
        _ => add(message(error, schema), None),
    }
}

/// The errors of the one alternative that a value can be meant to be.
fn meant_alternative<'a>(
    alternatives: &'a [Vec<ValidationError<'static>>],
) -> Option<&'a [ValidationError<'static>]> {
    let mut plausible = alternatives
        .iter()
        .filter(|errors| !errors.is_empty() && !errors.iter().any(is_mismatch));
    match (plausible.next(), plausible.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Returns true when an error says that a value is of another shape altogether.
fn is_mismatch(error: &ValidationError<'static>) -> bool {
    match error.kind() {
        Kind::Constant { .. } | Kind::Enum { .. } | Kind::Type { .. } => true,
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context.iter().flatten().any(is_mismatch)
        }
        _ => false,
    }
}

/// Turns errors into violations, each once. What follows from a condition is left out with
/// `decided_only` while a member that decides it is missing.
fn tell(
    failing: &[Failing],
    schema: &Value,
    value: &Value,
    decided_only: bool,
) -> Vec<SchemaProblem> {
    let mut told: Vec<SchemaProblem> = Vec::new();
    for one in failing {
        let conditions = conditions(schema, value, &one.way, &one.pointer);
        if decided_only
            && conditions
                .iter()
                .any(|condition| is_undecided(condition, failing))
        {
            continue;
        }
        let innermost = conditions.iter().rfind(|condition| condition.holds);
        let reason = innermost.and_then(BranchCondition::reason);
        let problem = one.told(reason.as_deref());
        let is_known = told
            .iter()
            .any(|known| known.pointer == problem.pointer && known.message == problem.message);
        if !is_known {
            told.push(problem);
        }
        if told.len() >= MAX_PROBLEMS {
            break;
        }
    }
    told
}

/// Returns true when a condition speaks of a member that is missing, as another error says: what it
/// asks for is known once that is given.
fn is_undecided(condition: &BranchCondition<'_>, failing: &[Failing]) -> bool {
    failing.iter().any(|other| {
        let follows = other.way.strip_prefix(condition.branch);
        other
            .missing
            .as_deref()
            .is_some_and(|name| condition.absent.contains(&name))
            && other.pointer == condition.pointer
            && !follows.is_some_and(|rest| rest.starts_with('/'))
    })
}

impl Failing {
    /// Returns the violation. `reason` says why a member is required that is not always.
    fn told(&self, reason: Option<&str>) -> SchemaProblem {
        let Some(name) = &self.missing else {
            return SchemaProblem {
                pointer: self.pointer.clone(),
                sentence: shortened(&sentence(&self.pointer, &self.message)),
                message: shortened(&self.message),
                missing: false,
            };
        };
        let escaped = name.replace('~', "~0").replace('/', "~1");
        let pointer = format!("{}/{escaped}", self.pointer);
        let message = reason.map_or_else(|| self.message.clone(), required_because);
        SchemaProblem {
            sentence: shortened(&missing_sentence(&pointer, reason)),
            message: shortened(&message),
            pointer,
            missing: true,
        }
    }
}

fn shortened(text: &str) -> String {
    brief(text, MAX_MESSAGE_CHARACTERS).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::{Formats, validator_for};

    fn problems_of(schema: &str, value: &str) -> Vec<SchemaProblem> {
        let tree: Value = serde_json::from_str(schema).expect("JSON");
        let value: Value = serde_json::from_str(value).expect("JSON");
        let validator = validator_for(&tree, Formats::Checked).expect("a schema");
        problems(schema, &tree, &value, &validator)
    }

    fn check(schema: &Value, value: &str) -> Vec<String> {
        problems_of(&schema.to_string(), value)
            .into_iter()
            .map(|problem| problem.sentence)
            .collect()
    }

    /// Says the first violation of a member `a`.
    fn told(schema: &Value, value: &str) -> String {
        check(&json!({ "properties": { "a": schema } }), value).remove(0)
    }

    #[test]
    fn a_violation_is_told_once_where_it_is() {
        let schema = json!({
            "type": "object",
            "properties": { "list": { "type": "array", "items": { "$ref": "#/$defs/name" } } },
            "required": ["list", "other"],
            "$defs": { "name": { "type": "string" } },
        });
        assert_eq!(
            check(&schema, r#"{"list":["a",2]}"#),
            ["`other` is missing.", "`list/1`: Must be text."]
        );
    }

    fn shapes() -> Value {
        json!({ "properties": { "shape": { "oneOf": [
            {
                "type": "object",
                "properties": { "kind": { "const": "circle" } },
                "required": ["kind", "radius"],
            },
            {
                "type": "object",
                "properties": { "kind": { "const": "square" } },
                "required": ["kind", "side"],
            },
        ] } } })
    }

    #[test]
    fn of_a_union_it_is_told_what_the_meant_alternative_misses() {
        assert_eq!(
            check(&shapes(), r#"{"shape":{"kind":"square"}}"#),
            ["`shape/side` is missing."]
        );
    }

    #[test]
    fn a_value_that_is_no_alternative_fits_none_of_them() {
        assert_eq!(
            check(&shapes(), r#"{"shape":7}"#),
            ["`shape`: None of the alternatives fits."]
        );
    }

    #[test]
    fn a_violation_says_what_has_to_be_digit_by_digit() {
        assert_eq!(
            told(&json!({ "type": "integer" }), r#"{"a":"x"}"#),
            "`a`: Must be a whole number."
        );
        assert_eq!(
            told(&json!({ "type": ["string", "null"] }), r#"{"a":1}"#),
            "`a`: Must be string or null, not number."
        );
        assert_eq!(
            told(&json!({ "type": "array", "minItems": 1 }), r#"{"a":[]}"#),
            "`a`: Must have at least one item."
        );
        assert_eq!(
            told(&json!({ "type": "array", "minItems": 4 }), r#"{"a":[]}"#),
            "`a`: Must have at least 4 items."
        );
        assert_eq!(
            told(
                &json!({ "type": "string", "maxLength": 1 }),
                r#"{"a":"xy"}"#
            ),
            "`a`: Must have at most one character."
        );
        assert_eq!(
            told(&json!({ "const": "circle" }), r#"{"a":"x"}"#),
            r#"`a`: Must be "circle"."#
        );
        assert_eq!(
            told(&json!({ "enum": ["fast", "exact"] }), r#"{"a":"x"}"#),
            r#"`a`: Must be one of "fast", "exact"."#
        );
        assert_eq!(
            told(&json!({ "format": "email" }), r#"{"a":"x"}"#),
            "`a`: Must be an email address."
        );
        assert_eq!(
            told(&json!({ "uniqueItems": true }), r#"{"a":[1,2,1]}"#),
            "`a`: Items 1 and 3 are the same."
        );
        for (limit, sentence) in [
            (
                "9223372036854775807",
                "Must be 9223372036854775807 or more.",
            ),
            (
                "92233720368547758070",
                "Must be 92233720368547758070 or more.",
            ),
            ("7.10", "Must be 7.10 or more."),
        ] {
            let schema =
                format!(r##"{{"$ref":"#/$defs/l","$defs":{{"l":{{"minimum":{limit}}}}}}}"##);
            assert_eq!(problems_of(&schema, "5")[0].sentence, sentence);
        }
    }

    #[test]
    fn each_member_that_is_not_known_is_told() {
        let schema = json!({ "properties": { "a": {} }, "additionalProperties": false });
        assert_eq!(
            check(&schema, r#"{"a":1,"b":2,"c":3}"#),
            ["`b` is not a known field.", "`c` is not a known field."]
        );
    }

    #[test]
    fn a_condition_is_told_as_the_reason_of_what_it_requires() {
        let schema = json!({
            "properties": { "delivery": { "enum": ["courier", "pickup"] } },
            "if": { "properties": { "delivery": { "const": "courier" } }, "required": ["delivery"] },
            "then": { "required": ["address"] },
        });
        let problems = problems_of(&schema.to_string(), r#"{"delivery":"courier"}"#);
        assert_eq!(
            problems[0].sentence,
            r#"Because `delivery` is "courier", `address` is required."#
        );
        assert_eq!(
            problems[0].message,
            r#"Required, because `delivery` is "courier"."#
        );
        assert_eq!(
            (problems[0].pointer.as_str(), problems[0].missing),
            ("/address", true)
        );
    }

    #[test]
    fn a_condition_on_a_member_that_is_not_given_is_no_reason() {
        let schema = json!({
            "if": { "properties": { "delivery": { "const": "post" } } },
            "then": { "required": ["address"] },
        });
        let mut needed = schema.clone();
        needed["required"] = json!(["delivery"]);
        assert_eq!(check(&needed, "{}"), ["`delivery` is missing."]);
        assert_eq!(
            check(&needed, r#"{"delivery":"post"}"#),
            [r#"Because `delivery` is "post", `address` is required."#]
        );
        assert!(check(&needed, r#"{"delivery":"pickup"}"#).is_empty());
        // The schema does require it then, for this reason and no other.
        assert_eq!(
            check(&schema, "{}"),
            ["Because `delivery` is missing, `address` is required."]
        );
    }

    #[test]
    fn what_is_asked_for_otherwise_waits_for_the_member_that_decides() {
        let schema = json!({
            "required": ["delivery"],
            "if": { "properties": { "delivery": { "const": "post" } }, "required": ["delivery"] },
            "then": { "required": ["address"] },
            "else": { "required": ["shop"] },
        });
        assert_eq!(check(&schema, "{}"), ["`delivery` is missing."]);
        assert_eq!(
            check(&schema, r#"{"delivery":"pickup"}"#),
            ["`shop` is missing."]
        );
        let within = json!({ "properties": { "order": schema } });
        assert_eq!(
            check(&within, r#"{"order":{}}"#),
            ["`order/delivery` is missing."]
        );
        assert_eq!(
            check(&within, r#"{"order":{"delivery":"post"}}"#),
            [r#"Because `delivery` is "post", `order/address` is required."#]
        );
    }

    #[test]
    fn a_condition_on_very_many_members_is_no_reason() {
        let members: serde_json::Map<String, Value> = (0..50_000)
            .map(|number| (format!("m{number}"), json!(true)))
            .collect();
        let schema = json!({ "if": { "properties": members }, "then": { "required": ["a"] } });
        assert_eq!(check(&schema, "{}"), ["`a` is missing."]);
    }

    #[test]
    fn conditions_that_wait_for_one_another_are_told() {
        let schema = json!({ "allOf": [
            { "if": { "properties": { "a": { "const": 1 } } }, "then": { "required": ["b"] } },
            { "if": { "properties": { "b": { "const": 1 } } }, "then": { "required": ["a"] } },
        ] });
        assert_eq!(
            check(&schema, "{}"),
            [
                "Because `a` is missing, `b` is required.",
                "Because `b` is missing, `a` is required.",
            ]
        );
    }
}
