use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use serde_json::Value;
use sightglass_model::{ConnectionId, ExchangeId, FrameId, Millis, Timestamp};
use sightglass_traffic::{
    Direction, ExchangeKind, HttpFacts, Outcome, RecordedExchange, RecordedHttp,
};

use super::{OtlpWriter, SpanOptions, Spans, rejected};
use crate::sample::exchange;

/// The spans, as they are written.
fn written(
    options: SpanOptions,
    exchanges: &[(RecordedExchange, Option<RecordedHttp>)],
) -> Vec<Value> {
    let mut spans = Spans::new(options);
    let mut writer = OtlpWriter::new(Vec::new(), "1.0").expect("memory");
    for (exchange, http) in exchanges {
        for span in spans.of(exchange, http.as_ref()) {
            writer.span(&span).expect("memory");
        }
    }
    let written = writer.finish().expect("memory");
    let decoded: ExportTraceServiceRequest =
        serde_json::from_slice(&written).expect("accepted by the decoder of OpenTelemetry");
    let decoded = &decoded.resource_spans[0].scope_spans[0].spans;
    let request: Value = serde_json::from_slice(&written).expect("JSON");
    let spans = &request["resourceSpans"][0]["scopeSpans"][0]["spans"];
    let spans = spans.as_array().expect("a list").clone();
    assert_eq!(decoded.len(), spans.len());
    spans
}

fn attribute<'a>(span: &'a Value, key: &str) -> Option<&'a str> {
    let attributes = span["attributes"].as_array().expect("a list");
    let found = attributes.iter().find(|one| one["key"] == key)?;
    let value = &found["value"];
    value["stringValue"].as_str().or(value["intValue"].as_str())
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":"a7","method":"tools/call","params":{"name":"echo",
    "arguments":{"secret":1.50},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;

#[test]
fn a_call_is_a_span_by_the_conventions() {
    let call = exchange(5, CALL, Some(r#"{"id":"a7","result":{"content":[]}}"#));
    let spans = written(SpanOptions::default(), &[(call, None)]);
    let [span] = &spans[..] else {
        panic!("one span: {spans:?}");
    };
    assert_eq!(span["name"], "tools/call echo");
    // Enums are integers and 64-bit integers are texts (OTLP, section "JSON Protobuf Encoding").
    assert_eq!(span["kind"], 3);
    assert_eq!(span["startTimeUnixNano"], "1700000000000250000");
    assert_eq!(span["endTimeUnixNano"], "1700000000001750000");
    for (id, length) in [("traceId", 32), ("spanId", 16)] {
        let id = span[id].as_str().expect("a text");
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        assert!(id.len() == length && id.bytes().all(is_digit), "{id}");
    }
    assert_eq!((span.get("parentSpanId"), span.get("status")), (None, None));
    for (key, value) in [
        ("mcp.method.name", "tools/call"),
        ("mcp.protocol.version", "2026-07-28"),
        ("jsonrpc.request.id", "a7"),
        ("gen_ai.tool.name", "echo"),
        ("gen_ai.operation.name", "execute_tool"),
        ("network.transport", "pipe"),
    ] {
        assert_eq!(attribute(span, key), Some(value), "{key}");
    }
    assert_eq!(attribute(span, "gen_ai.tool.call.arguments"), None);
}

#[test]
fn arguments_and_results_come_only_when_asked_for() {
    let call = exchange(5, CALL, Some(r#"{"id":"a7","result":{"n":1.0}}"#));
    let options = SpanOptions {
        arguments_and_results: true,
        ..SpanOptions::default()
    };
    let spans = written(options, &[(call, None)]);
    assert_eq!(
        attribute(&spans[0], "gen_ai.tool.call.arguments"),
        Some(r#"{"secret":1.50}"#)
    );
    assert_eq!(
        attribute(&spans[0], "gen_ai.tool.call.result"),
        Some(r#"{"n":1.0}"#)
    );
}

#[test]
fn an_error_gives_its_code_and_its_message() {
    let response = r#"{"id":"a7","error":{"code":-32602,"message":"no such tool"}}"#;
    let mut call = exchange(5, CALL, Some(response));
    call.row.outcome = Outcome::Error;
    call.row.code = Some(-32602);
    let mut failed = exchange(7, CALL, Some(r#"{"id":"a7","result":{"isError":true}}"#));
    failed.row.outcome = Outcome::Error;
    let spans = written(
        SpanOptions::default(),
        &[(call.clone(), None), (failed, None)],
    );
    assert_eq!(spans[0]["status"]["code"], 2);
    assert_eq!(spans[0]["status"]["message"], "no such tool");
    assert_eq!(attribute(&spans[0], "error.type"), Some("-32602"));
    assert_eq!(attribute(&spans[1], "error.type"), Some("tool_error"));
    let options = SpanOptions {
        without_texts: true,
        ..SpanOptions::default()
    };
    let spans = written(options, &[(call, None)]);
    assert_eq!(spans[0]["status"], serde_json::json!({ "code": 2 }));
}

#[test]
fn a_trace_that_the_request_names_is_gone_on_with() {
    let request = r#"{"id":1,"method":"tools/call","params":{"_meta":{
        "traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=b"}}}"#;
    let call = exchange(5, request, Some(r#"{"id":1,"result":{}}"#));
    let mut question = exchange(6, r#"{"id":9,"method":"roots/list"}"#, Some("{}"));
    question.row.direction = Direction::Received;
    question.row.method = "roots/list".to_owned();
    question.row.parent = Some(ExchangeId(5));
    let spans = written(SpanOptions::default(), &[(call, None), (question, None)]);
    assert_eq!(spans[0]["traceState"], "a=b");
    assert_eq!(spans[0]["traceId"], "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(spans[0]["parentSpanId"], "b7ad6b7169203331");
    assert_eq!(spans[1]["kind"], 2);
    assert_eq!(spans[1]["traceId"], spans[0]["traceId"]);
    assert_eq!(spans[1]["parentSpanId"], spans[0]["spanId"]);
}

#[test]
fn the_http_request_is_a_child_and_ids_are_the_same_each_time() {
    let call = exchange(5, CALL, Some(r#"{"id":"a7","result":{}}"#));
    let http = RecordedHttp {
        frame: FrameId(4),
        connection: ConnectionId(3),
        kind: ExchangeKind::Http,
        at: Timestamp::from_millis(1_700_000_000_000.0),
        redacted: false,
        facts: HttpFacts {
            method: "POST".to_owned(),
            url: "http://[::1]:8080/mcp".to_owned(),
            status: Some(200),
            time_to_headers: Some(Millis::from_f64(1.0)),
            ..HttpFacts::default()
        },
        request_body: None,
        response_body: None,
    };
    let both = [(call.clone(), Some(http.clone()))];
    let spans = written(SpanOptions::default(), &both);
    let [call_span, http_span] = &spans[..] else {
        panic!("two spans");
    };
    assert_eq!(http_span["name"], "POST");
    assert_eq!(http_span["parentSpanId"], call_span["spanId"]);
    assert_eq!(attribute(call_span, "server.port"), Some("8080"));
    assert_eq!(attribute(call_span, "server.address"), Some("::1"));
    assert_eq!(written(SpanOptions::default(), &both), spans);
    let mut elsewhere = call;
    elsewhere.row.at = Timestamp::from_millis(1.0);
    let other = written(SpanOptions::default(), &[(elsewhere, None)]);
    assert_ne!(other[0]["spanId"], spans[0]["spanId"]);
}

#[test]
fn what_has_no_answer_has_no_span() {
    let mut call = exchange(5, CALL, None);
    call.row.outcome = Outcome::Pending;
    call.row.duration = None;
    assert!(written(SpanOptions::default(), &[(call, None)]).is_empty());
}

#[test]
fn a_collector_says_what_it_refused() {
    let refused = r#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#;
    assert_eq!(rejected(refused), Some((3, "too old".to_owned())));
    for taken in ["", "{}", r#"{"partialSuccess":{}}"#, "not JSON"] {
        assert_eq!(rejected(taken), None, "{taken}");
    }
}
