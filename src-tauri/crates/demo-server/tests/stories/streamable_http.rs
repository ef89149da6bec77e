//! Streamable HTTP in both eras.

use std::io::BufRead;

use crate::support::{Http, read_head, read_until, text_of};
use serde_json::{Value, json};

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

fn request(id: u64, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} })
}

#[test]
fn a_session_is_opened_used_and_deleted() {
    let server = Http::start(&[]);
    let session = server.session();
    let headers = [
        ("Mcp-Session-Id", session.as_str()),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let accepted = server.post(&headers, &initialized);
    assert_eq!((accepted.status, accepted.body.as_str()), (202, ""));
    let answer = server.post(&headers, &call(1, "echo", json!({ "message": "hi" })));
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(text_of(&answer.last()), "hi");
    assert_eq!(server.send("DELETE", &headers, "").status, 204);
    assert_eq!(server.post(&headers, &request(2, "ping")).status, 404);
}

#[test]
fn requests_that_do_not_fit_are_refused_with_the_status_that_says_why() {
    let server = Http::start(&[]);
    let session = server.session();
    let with_session = [("Mcp-Session-Id", session.as_str())];
    let ping = request(1, "ping");
    assert_eq!(server.post(&[], &ping).status, 400, "no session id");
    assert_eq!(
        server.post(&[("Mcp-Session-Id", "nonsense")], &ping).status,
        404
    );
    let unknown = [
        ("Mcp-Session-Id", session.as_str()),
        ("MCP-Protocol-Version", "2001-01-01"),
    ];
    assert_eq!(server.post(&unknown, &ping).status, 400);
    assert_eq!(
        server
            .post(&[("Origin", "https://example.com")], &ping)
            .status,
        403
    );
    assert_eq!(
        server.post(&[("Host", "rebound.example")], &ping).status,
        403
    );
    let body = ping.to_string();
    let accept = ("Accept", "application/json, text/event-stream");
    assert_eq!(
        server
            .send("POST", &[accept, ("Content-Type", "text/plain")], &body)
            .status,
        415
    );
    let json_only = [
        ("Accept", "application/json"),
        ("Content-Type", "application/json"),
    ];
    assert_eq!(server.send("POST", &json_only, &body).status, 406);
    let broken = server.send(
        "POST",
        &[accept, ("Content-Type", "application/json")],
        "{oops",
    );
    assert_eq!(
        (broken.status, broken.last()["error"]["code"].clone()),
        (400, json!(-32700))
    );
    let put = server.send("PUT", &with_session, "");
    assert_eq!(
        (put.status, put.header("allow")),
        (405, Some("GET, POST, DELETE"))
    );
    assert_eq!(server.send("GET", &with_session, "").status, 406);
}

#[test]
fn json_answers_are_one_body() {
    let server = Http::start(&["--json"]);
    let session = server.session();
    let answer = server.post(
        &[("Mcp-Session-Id", &session)],
        &call(1, "sleep", json!({ "ms": 1 })),
    );
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.last()["result"]["structuredContent"]["sleptMs"], 1);
    let big = server.post(
        &[("Mcp-Session-Id", &session)],
        &call(2, "big_result", json!({ "mb": 2 })),
    );
    assert_eq!(text_of(&big.last()).len(), 2 * 1024 * 1024);
}

#[test]
fn what_happens_during_a_call_comes_on_its_stream() {
    let server = Http::start(&[]);
    let session = server.session();
    let reply = server.post(
        &[("Mcp-Session-Id", &session)],
        &call(1, "log_burst", json!({ "count": 5000 })),
    );
    let messages = reply.messages();
    assert_eq!(messages.len(), 5001);
    let ordered = messages[..5000]
        .iter()
        .enumerate()
        .all(|(index, message)| message["params"]["data"]["seq"] == json!(index));
    assert!(ordered);
}

#[test]
fn changes_come_on_the_get_stream_of_which_there_is_one() {
    let server = Http::start(&[]);
    let session = server.session();
    let headers = [
        ("Mcp-Session-Id", session.as_str()),
        ("Accept", "text/event-stream"),
    ];
    let mut stream = server.open("GET", &headers, "");
    assert_eq!(read_head(&mut stream).0, 200);
    assert_eq!(server.send("GET", &headers, "").status, 409);
    server.post(
        &[("Mcp-Session-Id", &session)],
        &call(1, "change_tools", json!({})),
    );
    assert!(read_until(&mut stream, "list_changed").contains("id: 0-0"));
}

#[test]
fn the_client_answers_a_question_with_a_post_of_its_own() {
    let server = Http::start(&[]);
    let session = server.session();
    let headers = [
        ("Mcp-Session-Id", session.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let mut stream = server.open(
        "POST",
        &headers,
        &call(1, "ask_elicitation", json!({})).to_string(),
    );
    assert_eq!(read_head(&mut stream).0, 200);
    let asked = read_until(&mut stream, "elicitation/create");
    let data = asked
        .lines()
        .find_map(|line| line.strip_prefix("data: {"))
        .unwrap();
    let question: Value = serde_json::from_str(&format!("{{{data}")).unwrap();
    let answer =
        json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    assert_eq!(server.post(&headers[..1], &answer).status, 202);
    assert!(read_until(&mut stream, "structuredContent").contains("decline"));
}

#[test]
fn an_answer_whose_stream_was_dropped_is_there_when_the_client_comes_back() {
    let server = Http::start(&[]);
    let session = server.session();
    let cut = server.post(
        &[("Mcp-Session-Id", &session)],
        &call(1, "drop_stream", json!({ "ms": 1 })),
    );
    assert!(!cut.body.contains("You came back"), "{}", cut.body);
    let last = cut
        .body
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("id: "))
        .unwrap();
    let headers = [
        ("Mcp-Session-Id", session.as_str()),
        ("Accept", "text/event-stream"),
        ("Last-Event-ID", last),
    ];
    let resumed = server.send("GET", &headers, "");
    assert_eq!(text_of(&resumed.last()), "You came back for this.");
    let foreign = [headers[0], headers[1], ("Last-Event-ID", "99-0")];
    assert_eq!(server.send("GET", &foreign, "").status, 400);
}

#[test]
fn an_expired_session_is_unknown_afterwards() {
    let server = Http::start(&[]);
    let session = server.session();
    let headers = [("Mcp-Session-Id", session.as_str())];
    assert_eq!(
        server
            .post(&headers, &call(1, "expire_session", json!({})))
            .status,
        200
    );
    assert_eq!(server.post(&headers, &request(2, "ping")).status, 404);
}

#[test]
fn modern_requests_need_no_session_and_have_no_get_or_delete() {
    let server = Http::start(&[]);
    let found = server.modern("server/discover", json!({}), json!({}));
    assert_eq!((found.status, found.header("mcp-session-id")), (200, None));
    // The era has no handshake: its metadata make that a method that there is not.
    let initialize = server.modern("initialize", json!({}), json!({}));
    assert_eq!(initialize.status, 404, "{}", initialize.body);
    assert!(
        !found.body.contains("id: "),
        "modern streams cannot be resumed"
    );
    let called = server.modern(
        "tools/call",
        json!({ "name": "echo", "arguments": { "message": "hi" } }),
        json!({}),
    );
    assert_eq!(text_of(&called.last()), "hi");
    let version = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Accept", "text/event-stream"),
    ];
    for method in ["GET", "DELETE"] {
        let refused = server.send(method, &version, "");
        assert_eq!(
            (refused.status, refused.header("allow")),
            (405, Some("POST"))
        );
    }
}

#[test]
fn modern_errors_have_the_status_that_goes_with_them() {
    let server = Http::start(&[]);
    assert_eq!(server.modern("ping", json!({}), json!({})).status, 404);
    let sampling = json!({ "name": "ask_for_sampling", "arguments": {} });
    let missing = Http::start(&["--json"]).modern("tools/call", sampling, json!({}));
    assert_eq!(
        (missing.status, missing.last()["error"]["code"].clone()),
        (400, json!(-32021))
    );
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2099-01-01",
        "io.modelcontextprotocol/clientCapabilities": {}
    } } });
    let headers = [
        ("MCP-Protocol-Version", "2099-01-01"),
        ("Mcp-Method", "tools/list"),
    ];
    let unsupported = server.post(&headers, &body);
    assert_eq!(
        (
            unsupported.status,
            unsupported.last()["error"]["code"].clone()
        ),
        (400, json!(-32022))
    );
}

#[test]
fn headers_that_contradict_the_body_are_refused() {
    let server = Http::start(&[]);
    let params = crate::support::modern_params(
        json!({ "name": "route_by_header", "arguments": { "region": "eu" } }),
        json!({}),
    );
    let body = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params });
    let right = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "route_by_header"),
        ("Mcp-Param-Region", "eu"),
    ];
    assert_eq!(text_of(&server.post(&right, &body).last()), "Routed to eu.");
    for index in 0..right.len() {
        let mut wrong = right;
        wrong[index].1 = "other";
        let mut absent = right.to_vec();
        absent.remove(index);
        for headers in [wrong.to_vec(), absent] {
            // "other" sorts after the modern version, so it is a modern request still.
            let refused = server.post(&headers, &body);
            assert_eq!(refused.status, 400, "{headers:?}");
            let answer = refused.last();
            assert_eq!(
                (&answer["error"]["code"], &answer["id"]),
                (&json!(-32020), &json!(5))
            );
        }
    }
}

#[test]
fn a_modern_subscription_is_a_stream_and_closing_it_ends_it() {
    let server = Http::start(&["--json"]);
    let params = crate::support::modern_params(
        json!({ "notifications": { "resourceSubscriptions": ["demo://counter"] } }),
        json!({}),
    );
    let body =
        json!({ "jsonrpc": "2.0", "id": "s", "method": "subscriptions/listen", "params": params });
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "subscriptions/listen"),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let mut stream = server.open("POST", &headers, &body.to_string());
    assert_eq!(read_head(&mut stream).0, 200);
    read_until(&mut stream, "notifications/subscriptions/acknowledged");
    let touch = || {
        let params = json!({ "name": "touch_resource", "arguments": {} });
        text_of(&server.modern("tools/call", params, json!({})).last()).to_owned()
    };
    assert!(touch().ends_with("told: 1."));
    assert!(
        read_until(&mut stream, "resources/updated")
            .contains(r#""io.modelcontextprotocol/subscriptionId":"s""#)
    );
    drop(stream);
    // The server notices the closed connection on its own; asking until it has is no race.
    while !touch().ends_with("told: 0.") {}
}

#[test]
fn a_server_of_one_era_refuses_the_other() {
    let legacy = Http::start(&["--era", "legacy"]);
    let refused = legacy.modern("server/discover", json!({}), json!({}));
    assert_eq!(refused.status, 400);
    let modern = Http::start(&["--era", "modern"]);
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-11-25" } });
    let refused = modern.post(&[], &initialize);
    assert_eq!(
        (refused.status, refused.last()["error"]["code"].clone()),
        (400, json!(-32022))
    );
    let mut stream = modern.open("GET", &[("Accept", "text/event-stream")], "");
    assert_eq!(read_head(&mut stream).0, 405);
    assert!(stream.fill_buf().is_ok());
}
