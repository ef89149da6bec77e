//! The text that a server wrote is what is shown and kept, however odd it is.

use serde_json::{Value, json};
use sightglass_inspector::{
    ExchangeKind, ListKind, PayloadForm, PayloadQuery, RequestEnd,
    view::{BlockBody, CallReport},
};
use sightglass_tests::{
    TestHost,
    programs::{scripted, scripted_in_bytes},
    text_of,
    wiretap::Wiretap,
};

const TOOLS: &str = r#"{"tools":[{"name":"odd","inputSchema":{"type":"object"}}]}"#;

/// Calls the one tool of the server.
async fn called(entry: Value) -> (TestHost, CallReport) {
    let host = TestHost::with_servers(json!({ "odd": entry }));
    let odd = TestHost::id("odd");
    host.connect(&odd).await;
    let report = host.call(&odd, "odd", "{}").await;
    (host, report)
}

/// The answer as it was recorded.
async fn recorded(host: &TestHost, report: &CallReport) -> Vec<u8> {
    let frame = report.request.response_frame.expect("an answer");
    let payload = host.inspector.core.record().payload(frame).await;
    payload.expect("readable").to_vec()
}

/// The beginning that programs on Windows give their output, line ends of that system, and empty
/// lines between messages.
#[tokio::test(flavor = "multi_thread")]
async fn a_byte_order_mark_foreign_line_ends_and_empty_lines_are_no_obstacle() {
    let tap = Wiretap::new();
    let answer = r#"{"content":[{"type":"text","text":"clear"}]}"#;
    let entry = scripted(
        &tap,
        &[
            ("(begin)", r#""\u00ef\u00bb\u00bf""#),
            ("(end)", r#""\r\n\r\n \r\n""#),
            ("tools/list", TOOLS),
            ("tools/call", answer),
        ],
    );
    let (host, report) = called(entry).await;
    assert_eq!(text_of(&report), "clear");
    let notes = host
        .traffic("byte order mark", &[ExchangeKind::Phase])
        .await;
    assert_eq!(notes.len(), 1, "other clients would stumble over it");
    let kept = String::from_utf8(recorded(&host, &report).await).expect("UTF-8");
    assert!(kept.ends_with(&format!("{answer}}}")), "{kept:?}");
}

/// Deeper than any reader of trees goes.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_nested_ten_thousand_deep_is_kept_shown_and_found() {
    const DEPTH: usize = 10_000;
    let deep = format!(
        "{}\"the needle\"{}",
        r#"{"a":["#.repeat(DEPTH / 2),
        "]}".repeat(DEPTH / 2)
    );
    let answer = format!(
        r#"{{"content":[{{"type":"text","text":"deep"}},{{"type":"odd","x":{deep}}}],"structuredContent":{deep}}}"#
    );
    let tools = r#"{"tools":[{"name":"odd","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]}"#;
    let tap = Wiretap::new();
    let entry = scripted(&tap, &[("tools/list", tools), ("tools/call", &answer)]);
    let (host, report) = called(entry).await;
    assert_eq!(report.request.end, RequestEnd::Result);
    assert_eq!(text_of(&report), "deep");
    let kept = String::from_utf8(recorded(&host, &report).await).expect("UTF-8");
    assert!(kept.contains(&answer));

    let result = report.result.expect("a result");
    assert!(matches!(result.blocks[1].body, BlockBody::Unknown { .. }));
    let structured = result.structured.expect("structured content");
    assert_eq!(structured.text.as_deref(), Some(deep.as_str()));
    let check = result.schema_check.expect("there is a schema");
    let reason = check.not_checked.as_deref().unwrap_or_default();
    assert!(reason.contains("nested too deeply"), "{check:?}");
    let query = PayloadQuery {
        frame: report.request.response_frame.expect("an answer"),
        pointer: structured.pointer,
        form: PayloadForm::Pretty,
    };
    let middle = u32::try_from(DEPTH).expect("small");
    let window = host
        .inspector
        .record
        .reader
        .payload_lines(None, query, middle, 1)
        .await;
    let window = window.expect("readable");
    assert!(window.total_lines > 2 * middle, "{}", window.total_lines);
    assert_eq!(host.traffic("needle", &[]).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_are_kept_as_they_came_and_told() {
    let tap = Wiretap::new();
    let answer = b"{\"content\":[{\"type\":\"text\",\"text\":\"caf\xe9\"}]}";
    let entry = scripted_in_bytes(
        &tap,
        &[("tools/list", TOOLS.as_bytes()), ("tools/call", answer)],
    );
    let (host, report) = called(entry).await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    assert_eq!(text_of(&report), "caf\u{fffd}");
    let problems = &report.result.as_ref().expect("a result").problems;
    assert!(problems[0].contains("not valid UTF-8"), "{problems:?}");
    let kept = recorded(&host, &report).await;
    assert!(kept.windows(answer.len()).any(|part| part == answer));
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_spoil_one_item_of_a_list_and_no_other() {
    let tap = Wiretap::new();
    let tools = b"{\"tools\":[{\"name\":\"odd\",\"inputSchema\":{}},\
        {\"name\":\"latin\",\"description\":\"caf\xe9\",\"inputSchema\":{}}]}";
    let answer = br#"{"content":[{"type":"text","text":"called"}]}"#;
    let entry = scripted_in_bytes(&tap, &[("tools/list", tools), ("tools/call", answer)]);
    let (host, report) = called(entry).await;
    assert_eq!(text_of(&report), "called");
    let window = host
        .inspector
        .calls
        .lists
        .items(&TestHost::id("odd"), ListKind::Tools, "", 0, 2);
    let rows = window.expect("connected").rows;
    assert_eq!(rows[0].problem, None);
    assert_eq!(rows[1].description.as_deref(), Some("caf\u{fffd}"));
    let problem = rows[1].problem.as_deref().expect("it is told");
    assert!(problem.contains("not valid UTF-8"), "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_that_is_there_twice_is_shown_once_told_and_kept() {
    let tap = Wiretap::new();
    let answer = r#"{"content":[],"content":[{"type":"text","text":"first","text":"last"}],"isError":true,"isError":false}"#;
    let entry = scripted(&tap, &[("tools/list", TOOLS), ("tools/call", answer)]);
    let (host, report) = called(entry).await;
    assert_eq!(text_of(&report), "last");
    let result = report.result.as_ref().expect("a result");
    assert!(!result.is_error);
    for name in ["content", "isError", "text"] {
        let told = result
            .problems
            .iter()
            .any(|problem| problem.contains(&format!("the member {name} more than once")));
        assert!(told, "{name}: {:?}", result.problems);
    }
    let kept = String::from_utf8(recorded(&host, &report).await).expect("UTF-8");
    assert!(kept.contains(answer));
}
