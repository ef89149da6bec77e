use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::any_value::Value as ProtoValue,
    trace::v1::{Span as ProtoSpan, span::SpanKind, status::StatusCode},
};
use sightglass_model::{ConnectionId, ExchangeId, FrameId, Millis, Timestamp};
use sightglass_traffic::{
    Direction, ExchangeKind, HttpFacts, Outcome, RecordedExchange, RecordedHttp,
};

use super::{OtlpWriter, SpanOptions, Spans, rejected};
use crate::sample::exchange;

/// The spans, as the protocol's own decoder reads them.
fn decoded(
    options: SpanOptions,
    exchanges: &[(RecordedExchange, Option<RecordedHttp>)],
) -> Vec<ProtoSpan> {
    let mut spans = Spans::new(options);
    let mut writer = OtlpWriter::new(Vec::new(), "1.0").expect("memory");
    for (exchange, http) in exchanges {
        for span in spans.of(exchange, http.as_ref()) {
            writer.span(&span).expect("memory");
        }
    }
    let written = writer.finish().expect("memory");
    let request: ExportTraceServiceRequest =
        serde_json::from_slice(&written).expect("the protocol's decoder reads it");
    let [resource] = &request.resource_spans[..] else {
        panic!("one resource");
    };
    resource.scope_spans[0].spans.clone()
}

fn attribute(span: &ProtoSpan, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|one| one.key == key)?;
    match found.value.clone()?.value? {
        ProtoValue::StringValue(text) => Some(text),
        ProtoValue::IntValue(number) => Some(number.to_string()),
        other => panic!("{other:?}"),
    }
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":"a7","method":"tools/call","params":{"name":"echo",
    "arguments":{"secret":1.50},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;

#[test]
fn a_call_is_a_span_by_the_conventions() {
    let call = exchange(5, CALL, Some(r#"{"id":"a7","result":{"content":[]}}"#));
    let spans = decoded(SpanOptions::default(), &[(call, None)]);
    let [span] = &spans[..] else {
        panic!("one span: {spans:?}");
    };
    assert_eq!(span.name, "tools/call echo");
    assert_eq!(span.kind, SpanKind::Client as i32);
    assert_eq!(span.start_time_unix_nano, 1_700_000_000_000_250_000);
    assert_eq!(span.end_time_unix_nano, 1_700_000_000_001_750_000);
    assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8));
    assert!(span.parent_span_id.is_empty());
    assert!(span.status.is_none());
    for (key, value) in [
        ("mcp.method.name", "tools/call"),
        ("mcp.protocol.version", "2026-07-28"),
        ("jsonrpc.request.id", "a7"),
        ("gen_ai.tool.name", "echo"),
        ("gen_ai.operation.name", "execute_tool"),
        ("network.transport", "pipe"),
    ] {
        assert_eq!(attribute(span, key).as_deref(), Some(value), "{key}");
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
    let spans = decoded(options, &[(call, None)]);
    assert_eq!(
        attribute(&spans[0], "gen_ai.tool.call.arguments").as_deref(),
        Some(r#"{"secret":1.50}"#)
    );
    assert_eq!(
        attribute(&spans[0], "gen_ai.tool.call.result").as_deref(),
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
    let spans = decoded(
        SpanOptions::default(),
        &[(call.clone(), None), (failed, None)],
    );
    let status = spans[0].status.clone().expect("a status");
    assert_eq!(status.code, StatusCode::Error as i32);
    assert_eq!(status.message, "no such tool");
    assert_eq!(
        attribute(&spans[0], "error.type").as_deref(),
        Some("-32602")
    );
    assert_eq!(
        attribute(&spans[1], "error.type").as_deref(),
        Some("tool_error")
    );
    let options = SpanOptions {
        without_texts: true,
        ..SpanOptions::default()
    };
    let spans = decoded(options, &[(call, None)]);
    assert_eq!(spans[0].status.clone().expect("a status").message, "");
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
    let spans = decoded(SpanOptions::default(), &[(call, None), (question, None)]);
    assert_eq!(spans[0].trace_state, "a=b");
    assert_eq!(spans[0].trace_id[0], 0x0a);
    assert_eq!(spans[0].parent_span_id[0], 0xb7);
    assert_eq!(spans[1].kind, SpanKind::Server as i32);
    assert_eq!(spans[1].trace_id, spans[0].trace_id);
    assert_eq!(spans[1].parent_span_id, spans[0].span_id);
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
    let spans = decoded(SpanOptions::default(), &both);
    let [call_span, http_span] = &spans[..] else {
        panic!("two spans");
    };
    assert_eq!(http_span.name, "POST");
    assert_eq!(http_span.parent_span_id, call_span.span_id);
    assert_eq!(attribute(call_span, "server.port").as_deref(), Some("8080"));
    assert_eq!(
        attribute(call_span, "server.address").as_deref(),
        Some("::1")
    );
    assert_eq!(decoded(SpanOptions::default(), &both), spans);
    let mut elsewhere = call;
    elsewhere.row.at = Timestamp::from_millis(1.0);
    let other = decoded(SpanOptions::default(), &[(elsewhere, None)]);
    assert_ne!(other[0].span_id, spans[0].span_id);
}

#[test]
fn what_has_no_answer_has_no_span() {
    let mut call = exchange(5, CALL, None);
    call.row.outcome = Outcome::Pending;
    call.row.duration = None;
    assert!(decoded(SpanOptions::default(), &[(call, None)]).is_empty());
}

#[test]
fn a_collector_says_what_it_refused() {
    let refused = r#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#;
    assert_eq!(rejected(refused), Some((3, "too old".to_owned())));
    for taken in ["", "{}", r#"{"partialSuccess":{}}"#, "not JSON"] {
        assert_eq!(rejected(taken), None, "{taken}");
    }
}
