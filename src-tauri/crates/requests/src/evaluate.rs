//! Evaluates expectations.

use std::{cmp::Ordering, time::Duration};

use serde_json::{Number, Value};
use sightglass_llm_tools::tokens::tokens_of;
use similar::TextDiff;

use crate::{
    decimal::Decimal,
    exact::{self, is_same, number_text},
    expectation::{Argument, Expectation, Predicate, Source, duration, pattern},
    observation::Observation,
    path::Path,
    report::CheckReport,
    snapshot::{self, Snapshot},
};

/// Bytes of an actual value that a report shows.
const MAX_SHOWN_BYTES: usize = 4096;

/// Time in which the smallest difference of two values is looked for.
const DIFFERENCE_TIMEOUT: Duration = Duration::from_millis(500);

/// Lines of context around each difference.
const CONTEXT_LINES: usize = 2;

/// Message of a snapshot that is to be compared with and does not exist.
pub const NO_SNAPSHOT: &str = "There is no snapshot of it yet. Look at the value, and update the \
                               snapshots to keep it.";

/// What expectations are evaluated with besides the answer.
pub struct Evaluation<'a> {
    pub observation: &'a Observation,
    /// The snapshot beside the file; values are added to it where `update` says so.
    pub snapshot: &'a mut Snapshot,
    /// True when snapshots are written instead of compared.
    pub update: bool,
    /// Places of values that differ from run to run.
    pub masks: &'a [Path],
    /// Applies a JSON Schema to a value. The reason why the value does not conform is a sentence.
    pub conforms: &'a dyn Fn(&Value, &Value) -> Result<(), String>,
    /// Masks secrets in a text before it is cut off: of one that is cut in two neither part is
    /// recognised afterwards.
    pub mask: &'a dyn Fn(&str) -> String,
}

/// Evaluates an expectation whose references are filled in.
pub fn evaluate(expectation: &Expectation, with: &mut Evaluation<'_>) -> CheckReport {
    let value = value_of(&expectation.source, with.observation);
    let report = |passed: bool, actual: Option<String>, message: Option<String>| CheckReport {
        label: expectation.to_string(),
        line: expectation.line,
        passed,
        expected: match expectation.predicate.takes() {
            Argument::None => None,
            _ => Some(exact::shown_indented(&expectation.argument)),
        },
        actual,
        message,
        difference: None,
    };
    let value = match value {
        Ok(value) => value,
        Err(reason) => return report(false, None, Some(reason)),
    };
    if expectation.predicate == Predicate::Snapshot {
        return snapshot_report(expectation, value, with, report);
    }
    let (holds, reason) = holds(expectation, value.as_ref(), with.conforms);
    // What cannot be decided does not hold, turned round or not.
    let passed = match holds {
        Some(holds) => holds != expectation.is_negated,
        None => false,
    };
    if passed {
        return report(true, None, None);
    }
    let actual = value.as_ref().map(|value| shortened(value, with.mask));
    let message = match (&value, with.observation.error.as_ref()) {
        (None, Some(error)) => Some(format!(
            "The server answered with an error: {} (code {}).",
            error.message,
            exact::shown(&error.code)
        )),
        (None, None) => Some("There is no such value in the answer.".to_owned()),
        (Some(_), _) => reason,
    };
    let mut failed = report(false, actual, message);
    if expectation.predicate == Predicate::Equals
        && let Some(value) = &value
        && (value.is_array() || value.is_object() || is_long_text(value))
    {
        failed.difference = Some(difference(&expectation.argument, value, with.mask));
    }
    failed
}

fn snapshot_report(
    expectation: &Expectation,
    value: Option<Value>,
    with: &mut Evaluation<'_>,
    report: impl Fn(bool, Option<String>, Option<String>) -> CheckReport,
) -> CheckReport {
    let name = expectation.source.to_string();
    let Some(value) = value else {
        let message = "There is no such value in the answer.".to_owned();
        return report(false, None, Some(message));
    };
    let value = match snapshot::masked(&value, with.masks) {
        Ok(value) => value,
        Err(reason) => return report(false, None, Some(reason)),
    };
    if with.update {
        with.snapshot.set(&name, value);
        return report(true, None, None);
    }
    let Some(stored) = with.snapshot.get(&name) else {
        let actual = shortened(&value, with.mask);
        return report(false, Some(actual), Some(NO_SNAPSHOT.to_owned()));
    };
    if is_same(stored, &value) != expectation.is_negated {
        return report(true, None, None);
    }
    let mut failed = report(
        false,
        Some(shortened(&value, with.mask)),
        Some("It is not as the snapshot has it.".to_owned()),
    );
    failed.expected = Some(shortened(stored, with.mask));
    failed.difference = Some(difference(stored, &value, with.mask));
    failed
}

/// Reads a value of an answer for `[capture]`.
///
/// # Errors
/// When the answer has no such value, as a sentence.
pub fn captured(source: &Source, observation: &Observation) -> Result<Value, String> {
    value_of(source, observation)?
        .ok_or_else(|| format!("There is no {source} in the answer to capture."))
}

/// Returns a value of an answer; none where the answer does not have it.
///
/// # Errors
/// When a path would visit too much of the answer, as a sentence.
fn value_of(source: &Source, observation: &Observation) -> Result<Option<Value>, String> {
    let result = observation.result.as_ref();
    let error = observation.error.as_ref();
    let below = |path: &Option<Path>, value: Option<&Value>| match (path, value) {
        (_, None) => Ok(None),
        (Some(path), Some(value)) => path.value(value),
        (None, Some(value)) => Ok(Some(value.clone())),
    };
    let value = match source {
        Source::Result(path) => return result.map_or(Ok(None), |result| path.value(result)),
        Source::ErrorData(path) => {
            return below(path, error.and_then(|error| error.data.as_ref()));
        }
        Source::Json(path) => {
            let structured = result.and_then(|result| result.get("structuredContent"));
            return match structured {
                Some(value) => below(path, Some(value)),
                None => {
                    let text = result.map(text_of).unwrap_or_default();
                    below(path, exact::read(&text).ok().as_ref())
                }
            };
        }
        Source::Notifications(path) => {
            let all = Value::Array(observation.notifications.clone());
            return below(path, Some(&all));
        }
        Source::ErrorCode => error.map(|error| error.code.clone()),
        Source::ErrorMessage => error.map(|error| error.message.clone().into()),
        Source::IsError => Some(
            (error.is_some()
                || result.is_some_and(|result| result.get("isError") == Some(&Value::Bool(true))))
            .into(),
        ),
        Source::Text => result.map(|result| text_of(result).into()),
        Source::Structured => result.and_then(|result| result.get("structuredContent").cloned()),
        Source::ContentType(index) => result
            .and_then(|result| result.get("content")?.get(index)?.get("type"))
            .cloned(),
        Source::Duration => Number::from_f64(milliseconds(observation.duration)).map(Value::Number),
        Source::Rounds => Some(observation.rounds.into()),
        Source::Progress => Some(observation.progress.len().into()),
        Source::Stderr => Some(observation.stderr.as_str().into()),
        Source::HttpStatus => observation.http_status.map(Value::from),
        Source::Size => Some(observation.size.into()),
        Source::Tokens => {
            return result
                .map(|result| tokens_of(&text_of(result)).map(Value::from))
                .transpose()
                .map_err(|error| error.to_string());
        }
        Source::OutputSchema => observation
            .output_schema
            .as_ref()
            .map(|check| check.is_valid.into()),
    };
    Ok(value)
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// The texts of a tool's result, of a resource, or of a prompt's messages.
fn text_of(result: &Value) -> String {
    let list = |name: &str| result.get(name).and_then(Value::as_array);
    let texts: Vec<&str> = list("content")
        .or_else(|| list("contents"))
        .or_else(|| list("messages"))
        .into_iter()
        .flatten()
        .filter_map(|block| {
            let block = block.get("content").unwrap_or(block);
            block.get("text").and_then(Value::as_str)
        })
        .collect();
    texts.join("\n")
}

/// Tells whether a predicate holds for a value, and why not where that says more than the value.
/// Nothing where it cannot be decided.
fn holds(
    expectation: &Expectation,
    value: Option<&Value>,
    conforms: &dyn Fn(&Value, &Value) -> Result<(), String>,
) -> (Option<bool>, Option<String>) {
    let argument = &expectation.argument;
    let predicate = expectation.predicate;
    let undecided = |reason: String| (None, Some(reason));
    match (predicate, value) {
        (Predicate::Exists, value) => return (Some(value.is_some()), None),
        (Predicate::Absent, value) => return (Some(value.is_none()), None),
        _ => {}
    }
    let Some(value) = value else {
        // Nothing is in order with what is not there; `not` holds for it too.
        return (Some(false), None);
    };
    let ordered = |is: fn(Ordering) -> bool| match compared(expectation, value) {
        Ok(ordering) => (Some(is(ordering)), None),
        Err(reason) => undecided(reason),
    };
    let is = match predicate {
        Predicate::Equals => is_same(value, argument),
        Predicate::NotEquals => !is_same(value, argument),
        Predicate::Contains => contains(value, argument),
        Predicate::Matches => match pattern(&plain(argument)) {
            Ok(pattern) => pattern.is_match(&plain(value)),
            Err(reason) => return undecided(reason),
        },
        Predicate::AtLeast => return ordered(Ordering::is_ge),
        Predicate::AtMost => return ordered(Ordering::is_le),
        Predicate::Above => return ordered(Ordering::is_gt),
        Predicate::Below => return ordered(Ordering::is_lt),
        Predicate::Count => {
            let Some(count) = count(value) else {
                return undecided("It is no list, object or text, and has no count.".to_owned());
            };
            let is = is_same(&count.into(), argument);
            return (Some(is), (!is).then(|| format!("It has {count}.")));
        }
        Predicate::Empty => count(value) == Some(0) || value.is_null(),
        Predicate::Type => argument
            .as_str()
            .is_some_and(|wanted| has_type(value, wanted)),
        Predicate::OneOf => argument
            .as_array()
            .is_some_and(|options| options.iter().any(|option| is_same(value, option))),
        Predicate::Schema => {
            // A schema knows the numbers of 64 bits alone.
            let value = serde_json::from_str(&exact::shown(value)).unwrap_or_default();
            let conforms = conforms(argument, &value);
            return (Some(conforms.is_ok()), conforms.err());
        }
        Predicate::Exists | Predicate::Absent | Predicate::Snapshot => false,
    };
    (Some(is), None)
}

fn contains(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::Array(elements), part) => elements.iter().any(|element| is_same(element, part)),
        (Value::Object(members), Value::Object(wanted)) => wanted.iter().all(|(name, wanted)| {
            members
                .get(name)
                .is_some_and(|value| is_same(value, wanted))
        }),
        (Value::Object(members), Value::String(name)) => members.contains_key(name),
        (value, part) => plain(value).contains(&plain(part)),
    }
}

fn compared(expectation: &Expectation, value: &Value) -> Result<Ordering, String> {
    let argument = match (&expectation.source, expectation.argument.as_str()) {
        (Source::Duration, Some(text)) if number_text(&expectation.argument).is_none() => {
            let limit = duration(text).ok_or_else(|| format!("{text} is no duration."))?;
            Value::from(milliseconds(limit))
        }
        _ => expectation.argument.clone(),
    };
    let number = |value: &Value| {
        let number = number_text(value).and_then(|text| Decimal::parse(&text));
        number.ok_or_else(|| "It is no number, and has no order.".to_owned())
    };
    Ok(number(value)?.cmp(&number(&argument)?))
}

fn count(value: &Value) -> Option<usize> {
    match value {
        Value::Array(elements) => Some(elements.len()),
        Value::Object(members) => Some(members.len()),
        Value::String(text) if number_text(value).is_none() => Some(text.chars().count()),
        _ => None,
    }
}

fn has_type(value: &Value, wanted: &str) -> bool {
    let number = number_text(value);
    let actual = match value {
        _ if number.is_some() => "number",
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        _ => "null",
    };
    // JSON Schema 2020-12, section 4.2.3: 1.0 is an integer.
    let is_integer = || {
        let number = number.and_then(|text| Decimal::parse(&text));
        number.is_some_and(|number| number.is_integer())
    };
    actual == wanted || (wanted == "integer" && is_integer())
}

/// A value as text: a string's own, any other as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) if number_text(value).is_none() => text.clone(),
        value => exact::shown(value),
    }
}

fn is_long_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains('\n'))
}

/// Compares two JSON texts but for what differs from run to run. Returns the lines by which they
/// differ, as a unified diff.
///
/// # Errors
/// When one of them is no JSON.
pub fn difference_of(expected: &str, actual: &str) -> Result<Option<String>, String> {
    let stable = |text: &str| {
        let value = exact::read(text).map_err(|error| error.to_string())?;
        snapshot::masked(&value, &[])
    };
    let (expected, actual) = (stable(expected)?, stable(actual)?);
    // Both are as they are on record, where secrets are masked.
    Ok((expected != actual).then(|| difference(&expected, &actual, &str::to_owned)))
}

/// The lines by which a value differs from the expected one, as a unified diff.
fn difference(expected: &Value, actual: &Value, mask: &dyn Fn(&str) -> String) -> String {
    let lines = |value: &Value| match value {
        Value::String(text) if text.contains('\n') => text.clone(),
        value => exact::shown_indented(value),
    };
    let (expected, actual) = (lines(expected), lines(actual));
    // What it has found by then is shown; the rest counts as changed.
    let diff = TextDiff::configure()
        .timeout(DIFFERENCE_TIMEOUT)
        .diff_lines(expected.as_str(), actual.as_str());
    let mut diff = diff.unified_diff();
    let text = diff
        .context_radius(CONTEXT_LINES)
        .missing_newline_hint(false)
        .header("expected", "actual")
        .to_string();
    shorten(mask(&text))
}

fn shortened(value: &Value, mask: &dyn Fn(&str) -> String) -> String {
    shorten(mask(&exact::shown_indented(value)))
}

fn shorten(mut text: String) -> String {
    if text.len() > MAX_SHOWN_BYTES {
        let end = (0..=MAX_SHOWN_BYTES)
            .rev()
            .find(|at| text.is_char_boundary(*at));
        let left = text.len() - end.unwrap_or(0);
        text.truncate(end.unwrap_or(0));
        text.push_str(&format!("… ({left} bytes more)"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::read;

    fn conforms(schema: &Value, value: &Value) -> Result<(), String> {
        match jsonschema::is_valid(schema, value) {
            true => Ok(()),
            false => Err("The value is not as the schema says.".to_owned()),
        }
    }

    fn observation() -> Observation {
        let mut observation = Observation::of_response(
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"two\nlines"},{"type":"image"}],"structuredContent":{"items":[{"id":1},{"id":2}],"price":1.50,"big":12345678901234567890123,"none":null,"empty":[]},"isError":false}}"#,
        )
        .expect("JSON");
        observation.duration = Duration::from_millis(120);
        observation.http_status = Some(200);
        observation.stderr = "warning: x".into();
        observation.add_notification(
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
        );
        observation.output_schema = Some(crate::OutputSchemaResult {
            is_valid: true,
            problems: Vec::new(),
        });
        observation
    }

    fn check(source: &str, predicate: &str, argument: &str) -> CheckReport {
        check_of(&observation(), source, predicate, argument)
    }

    fn check_of(
        observation: &Observation,
        source: &str,
        predicate: &str,
        argument: &str,
    ) -> CheckReport {
        let (is_negated, predicate) = match predicate.strip_prefix("not ") {
            Some(predicate) => (true, predicate),
            None => (false, predicate),
        };
        let expectation = Expectation {
            source: Source::parse(source).expect(source),
            predicate: Predicate::parse(predicate).expect(predicate),
            is_negated,
            argument: read(argument).expect(argument),
            line: 1,
        };
        evaluate(
            &expectation,
            &mut Evaluation {
                observation,
                snapshot: &mut Snapshot::default(),
                update: false,
                masks: &[],
                conforms: &conforms,
                mask: &|text| text.replace("hunter2", "***"),
            },
        )
    }

    #[test]
    fn a_secret_at_the_end_of_what_is_shown_is_masked_whole() {
        // The difference has lines before the value.
        for left in 0..80 {
            let before = "x".repeat(MAX_SHOWN_BYTES - left);
            let text = format!("{before}hunter2\nz");
            let result = serde_json::json!({ "result": { "structuredContent": text } });
            let observation = Observation::of_response(&result.to_string()).expect("JSON");
            let failed = check_of(&observation, "structured", "equals", "\"y\\nz\"");
            assert!(!failed.passed && failed.difference.is_some());
            for shown in failed.actual.iter().chain(&failed.difference) {
                assert!(!shown.contains("hun"), "{shown}");
            }
        }
    }

    #[test]
    fn every_predicate_holds_and_fails() {
        for (source, predicate, holds, fails) in [
            ("$.structuredContent.price", "equals", "1.5", "1.51"),
            (
                "$.structuredContent.big",
                "equals",
                "12345678901234567890123",
                "12345678901234567890124",
            ),
            (
                "$.structuredContent.items[*].id",
                "equals",
                "[1,2]",
                "[2,1]",
            ),
            ("$.structuredContent.price", "not_equals", "2", "1.50"),
            ("text", "contains", "\"two\"", "\"three\""),
            ("tokens", "equals", "3", "2"),
            ("tokens", "at_most", "10000", "2"),
            ("$.structuredContent.items[*].id", "contains", "2", "3"),
            ("structured", "contains", "{\"price\":1.5}", "{\"price\":2}"),
            ("structured", "contains", "\"price\"", "\"prize\""),
            ("text", "matches", "\"(?m)^lines$\"", "\"^lines$\""),
            (
                "$.structuredContent.big",
                "at_least",
                "12345678901234567890123",
                "12345678901234567890124",
            ),
            ("duration", "at_most", "\"500ms\"", "\"0.1s\""),
            ("duration", "below", "121", "120"),
            ("rounds", "above", "0", "1"),
            ("structured", "count", "5", "4"),
            ("progress", "equals", "1", "0"),
            (
                "notifications$[*].method",
                "contains",
                "\"notifications/progress\"",
                "\"other\"",
            ),
            ("content[1].type", "equals", "\"image\"", "\"text\""),
            ("is_error", "equals", "false", "true"),
            ("http.status", "one_of", "[200, 202]", "[404]"),
            ("stderr", "contains", "\"warning\"", "\"error\""),
            ("output_schema", "equals", "true", "false"),
            ("$.structuredContent.none", "type", "\"null\"", "\"string\""),
            (
                "$.structuredContent.big",
                "type",
                "\"integer\"",
                "\"string\"",
            ),
            (
                "$.structuredContent.price",
                "type",
                "\"number\"",
                "\"integer\"",
            ),
            (
                "$.structuredContent.items",
                "schema",
                "{\"type\":\"array\",\"maxItems\":2}",
                "{\"type\":\"array\",\"maxItems\":1}",
            ),
            ("size", "above", "100", "1000"),
        ] {
            let passed = check(source, predicate, holds);
            assert!(passed.passed, "{passed:?}");
            let failed = check(source, predicate, fails);
            assert!(!failed.passed, "{failed:?}");
            assert!(failed.actual.is_some(), "{failed:?}");
            assert!(
                !check(source, &format!("not {predicate}"), holds).passed,
                "{source} {predicate}"
            );
        }
        for (source, predicate, passes) in [
            ("$.structuredContent.none", "exists", true),
            ("$.structuredContent.other", "exists", false),
            ("$.structuredContent.other", "absent", true),
            ("$.structuredContent.empty", "empty", true),
            ("$.structuredContent.items", "empty", false),
            ("error.code", "exists", false),
            ("$.structuredContent.other", "not equals", true),
        ] {
            let argument = if predicate.ends_with("equals") {
                "1"
            } else {
                "null"
            };
            assert_eq!(
                check(source, predicate, argument).passed,
                passes,
                "{source} {predicate}"
            );
        }
    }

    #[test]
    fn what_cannot_be_decided_does_not_hold_either_way() {
        for (source, predicate, argument, says) in [
            ("text", "at_least", "1", "no number"),
            ("duration", "at_most", "\"soon\"", "no duration"),
            ("is_error", "count", "1", "no count"),
            ("text", "matches", "\"(\"", "not a regular expression"),
            (
                "text",
                "matches",
                "\"(a{1000}){1000}\"",
                "not a regular expression",
            ),
        ] {
            for predicate in [predicate.to_owned(), format!("not {predicate}")] {
                let report = check(source, &predicate, argument);
                assert!(!report.passed, "{report:?}");
                let message = report.message.unwrap_or_default();
                assert!(message.contains(says), "{source} {predicate}: {message}");
            }
        }
    }

    #[test]
    fn a_failure_says_what_was_there() {
        let failed = check("$.structuredContent.items", "count", "3");
        assert_eq!(failed.message.as_deref(), Some("It has 2."));
        let failed = check("structured", "equals", r#"{"items":[],"price":1.5}"#);
        let difference = failed.difference.expect("a difference");
        assert!(
            difference.contains("+  \"price\": 1.50") || difference.contains("-  \"items\": []"),
            "{difference}"
        );
        let refused = Observation::of_response(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool","data":{"retry":false}}}"#,
        )
        .expect("JSON");
        let failed = check_of(&refused, "text", "contains", "\"x\"");
        assert_eq!(
            failed.message.as_deref(),
            Some("The server answered with an error: no such tool (code -32602).")
        );
        for (source, argument) in [
            ("error.code", "-32602"),
            ("error.message", "\"no such tool\""),
            ("error.data.retry", "false"),
            ("is_error", "true"),
        ] {
            assert!(
                check_of(&refused, source, "equals", argument).passed,
                "{source}"
            );
        }
    }

    #[test]
    fn a_snapshot_is_only_written_when_that_is_said() {
        let observation = observation();
        let expectation = Expectation {
            source: Source::parse("structured").expect("a value"),
            predicate: Predicate::Snapshot,
            is_negated: false,
            argument: Value::Null,
            line: 1,
        };
        let mut snapshot = Snapshot::default();
        let run = |snapshot: &mut Snapshot, update: bool, observation: &Observation| {
            evaluate(
                &expectation,
                &mut Evaluation {
                    observation,
                    snapshot,
                    update,
                    masks: &[],
                    conforms: &conforms,
                    mask: &str::to_owned,
                },
            )
        };
        assert!(!run(&mut snapshot, false, &observation).passed);
        assert!(snapshot.is_empty());
        assert!(run(&mut snapshot, true, &observation).passed);
        assert!(run(&mut snapshot, false, &observation).passed);
        let other = Observation::of_response(r#"{"result":{"structuredContent":{"items":[]}}}"#)
            .expect("JSON");
        let failed = run(&mut snapshot, false, &other);
        assert!(!failed.passed && failed.difference.is_some(), "{failed:?}");
    }
}
