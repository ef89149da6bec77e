use serde_json::Value;
use sightglass_model::{ConnectionId, FrameId, Timestamp};
use sightglass_traffic::{Direction, ExchangeKind, HttpFacts, RecordedHttp, RecordedText};

use super::HarWriter;

fn http(status: Option<u16>, content_type: &str) -> RecordedHttp {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    RecordedHttp {
        frame: FrameId(7),
        connection: ConnectionId(2),
        kind: ExchangeKind::Http,
        at: Timestamp::from_millis(1_700_000_000_000.5),
        redacted: true,
        facts: HttpFacts {
            method: "POST".to_owned(),
            url: "https://host.test/mcp?token=…&a=b c".to_owned(),
            request_headers: vec![header("Content-Type", "application/json")],
            status,
            response_headers: vec![header("content-type", content_type)],
            error: status.is_none().then(|| "connection refused".to_owned()),
            time_to_headers: None,
        },
        request_body: None,
        response_body: None,
    }
}

fn message(direction: Direction, frame: u32, text: &str) -> RecordedText {
    RecordedText {
        frame: FrameId(frame),
        direction,
        at: Timestamp::from_millis(1_700_000_000_250.0),
        carrier: Some(FrameId(7)),
        redacted: false,
        payload: Some(bytes::Bytes::from(text.to_owned())),
    }
}

fn entry(http: &RecordedHttp, messages: &[RecordedText]) -> Value {
    let mut har = HarWriter::new(Vec::new(), "1.0").expect("memory");
    let mut entry = har.entry(http, "Docs").expect("memory");
    for message in messages {
        entry.message(message).expect("memory");
    }
    entry.end().expect("memory");
    let written = har.finish().expect("memory");
    let whole: Value = serde_json::from_slice(&written).expect("JSON");
    assert_eq!(whole["log"]["version"], "1.2");
    whole["log"]["entries"][0].clone()
}

#[test]
fn messages_are_the_bodies_of_the_request_that_carried_them() {
    let entry = entry(
        &http(Some(200), "application/json"),
        &[
            message(Direction::Sent, 8, r#"{"id":1,"text":"</script>"}"#),
            message(Direction::Received, 9, r#"{"id":1,"result":{}}"#),
        ],
    );
    assert_eq!(
        entry["request"]["postData"]["text"],
        r#"{"id":1,"text":"</script>"}"#
    );
    assert_eq!(
        entry["response"]["content"]["text"],
        r#"{"id":1,"result":{}}"#
    );
    assert_eq!(entry["response"]["content"]["size"], 20);
    assert_eq!(entry["startedDateTime"], "2023-11-14T22:13:20.000Z");
    assert_eq!(entry["timings"]["receive"], 249.5);
    assert_eq!(entry["_mcp"]["server"], "Docs");
    let parameters = entry["request"]["queryString"].as_array().expect("a list");
    assert_eq!(parameters[1]["value"], "b c");
    let url = entry["request"]["url"].as_str().expect("a text");
    assert!(url.is_ascii() && !url.contains(' '), "{url}");
}

#[test]
fn the_messages_of_a_stream_stand_one_a_line() {
    let entry = entry(
        &http(Some(200), "text/event-stream"),
        &[
            message(Direction::Received, 9, "{\"a\":1}"),
            message(Direction::Received, 10, "{\"b\":2}"),
        ],
    );
    assert_eq!(entry["response"]["content"]["text"], "{\"a\":1}\n{\"b\":2}");
    assert!(entry["response"]["content"]["comment"].is_string());
    assert!(entry["request"].get("postData").is_none());
}

#[test]
fn what_was_not_answered_has_no_status_and_says_why() {
    let entry = entry(&http(None, ""), &[]);
    assert_eq!(entry["response"]["status"], 0);
    assert_eq!(entry["response"]["_error"], "connection refused");
    assert!(entry["response"]["content"].get("text").is_none());
}

#[test]
fn messages_of_a_web_socket_have_their_own_list() {
    let entry = entry(
        &http(Some(101), ""),
        &[
            message(Direction::Sent, 8, "{\"a\":1}"),
            message(Direction::Received, 9, "{\"b\":2}"),
            message(Direction::Sent, 10, "{\"c\":3}"),
        ],
    );
    let messages = entry["_webSocketMessages"].as_array().expect("a list");
    let kinds: Vec<&str> = messages
        .iter()
        .filter_map(|message| message["type"].as_str())
        .collect();
    assert_eq!(kinds, ["send", "receive", "send"]);
    assert_eq!(messages[2]["data"], "{\"c\":3}");
}
