//! Servers whose schemas keep a validator busy for hours. The call returns its result all the
//! same, and what was not checked is said not to be.

use std::time::Duration;

use serde_json::{Map, Value, json};
use sightglass_inspector::{RequestEnd, view::SchemaCheck};
use sightglass_tests::{TestHost, programs::scripted, text_of, wiretap::Wiretap};

/// Far less than the hours that the schemas ask for, far more than a busy machine needs.
const CHECK_TIMEOUT: Duration = Duration::from_secs(120);

/// `a0` applies `a1` twice, that `a2` twice, and so on.
fn doubling(levels: usize) -> Value {
    let mut definitions = Map::new();
    for level in 0..levels {
        let next = json!({ "$ref": format!("#/$defs/a{}", level + 1) });
        definitions.insert(format!("a{level}"), json!({ "allOf": [next, next] }));
    }
    definitions.insert(format!("a{levels}"), json!({ "type": "object" }));
    json!({ "type": "object", "$ref": "#/$defs/a0", "$defs": definitions })
}

/// Calls a tool with these schemas, and gives back what became of the check.
async fn checked(input: &Value, output: &Value, structured: &Value) -> Option<SchemaCheck> {
    let tools =
        json!({ "tools": [{ "name": "odd", "inputSchema": input, "outputSchema": output }] });
    let answer = json!({
        "content": [{ "type": "text", "text": "done" }],
        "structuredContent": structured,
    });
    let tap = Wiretap::new();
    let entry = scripted(
        &tap,
        &[
            ("tools/list", &tools.to_string()),
            ("tools/call", &answer.to_string()),
        ],
    );
    let host = TestHost::with_servers(json!({ "odd": entry }));
    let odd = TestHost::id("odd");
    host.connect(&odd).await;
    let report = tokio::time::timeout(CHECK_TIMEOUT, host.call(&odd, "odd", "{}"))
        .await
        .expect("the result does not wait for the check");
    assert_eq!(report.request.end, RequestEnd::Result);
    assert_eq!(text_of(&report), "done");
    report.result.expect("a result").schema_check
}

/// The count says so, or on a very busy machine the end of the wait for it.
fn assert_too_much(reason: Option<String>) {
    let reason = reason.expect("it was not checked");
    assert!(
        reason.contains("too large") || reason.contains("too long"),
        "{reason}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_schema_that_doubles_with_each_level_is_said_to_be_too_large() {
    let check = checked(&doubling(40), &doubling(40), &json!({})).await;
    let check = check.expect("there is an output schema");
    assert!(!check.valid && check.problems.is_empty());
    assert_too_much(check.not_checked);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_schema_that_doubles_with_the_depth_of_the_result_is_said_to_be_too_large() {
    let inner = json!({ "properties": { "a": { "$ref": "#" } } });
    let output = json!({ "type": "object", "allOf": [inner, inner] });
    let deep = (0..60).fold(json!({}), |value, _| json!({ "a": value }));
    let check = checked(&json!({ "type": "object" }), &output, &deep).await;
    assert_too_much(check.and_then(|check| check.not_checked));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_that_backtracks_is_matched_and_told() {
    let output = json!({ "type": "object", "properties": { "s": { "pattern": "^(a+)+$" } } });
    let text = format!("{}!", "a".repeat(10_000));
    let check = checked(&json!({ "type": "object" }), &output, &json!({ "s": text })).await;
    let check = check.expect("there is an output schema");
    assert_eq!(check.not_checked, None);
    assert_eq!(check.problems[0].pointer, "/s");
    assert!(
        check.problems[0].message.len() < 1_000,
        "the value is not repeated"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_in_a_circle_and_one_without_end_do_no_harm() {
    for output in [
        json!({ "type": "object", "$ref": "#" }),
        json!({ "type": "object", "$ref": "https://unknown.example/schema.json" }),
    ] {
        let check = checked(&json!({ "type": "object" }), &output, &json!({})).await;
        let check = check.expect("there is an output schema");
        assert!(!check.valid, "{check:?}");
    }
}
