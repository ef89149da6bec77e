use sightglass_model::Timestamp;

use super::*;

/// One line of a recording: `>` sent, `<` received, `H>` and `H<` HTTP, `!` stray.
fn frames(lines: &[&str]) -> Vec<RecordedFrame> {
    let mut carrier = None;
    lines
        .iter()
        .zip(1..)
        .map(|(line, number)| {
            let (mark, text) = line.split_once(' ').expect("a mark");
            let frame = FrameId(number);
            let (kind, direction, method, carried) = match mark {
                ">" => (ExchangeKind::Request, Direction::Sent, "", carrier),
                "<" => (ExchangeKind::Request, Direction::Received, "", carrier),
                "H>" => {
                    carrier = Some(frame);
                    (ExchangeKind::Http, Direction::Sent, "", None)
                }
                "H<" => (ExchangeKind::Http, Direction::Received, "", carrier.take()),
                _ => (ExchangeKind::Stderr, Direction::Received, "stdout", None),
            };
            RecordedFrame {
                frame,
                connection: ConnectionId(1),
                carrier: carried,
                at: Timestamp::from_millis(f64::from(number)),
                kind,
                direction,
                method: method.to_owned(),
                redacted: false,
                size: text.len().into(),
                payload: Some(text.as_bytes().to_vec().into()),
                bookmark: None,
            }
        })
        .collect()
}

fn report(lines: &[&str]) -> SessionReport {
    let mut checker = Checker::new(|schema, value| {
        (schema.contains("integer") && value.contains('"')).then(|| "not an integer".to_owned())
    });
    for frame in frames(lines) {
        checker.frame(&frame);
    }
    checker.finish()
}

/// The checks that found something, with the rows.
fn found(lines: &[&str]) -> Vec<(&'static str, u32)> {
    let findings = report(lines).findings;
    findings
        .iter()
        .map(|finding| {
            let of = |check: &SessionCheck| finding.rule == check.name();
            let check = SessionCheck::ALL.into_iter().find(of);
            (
                check.expect("a check").name(),
                finding.exchanges.first().map_or(0, |row| row.0),
            )
        })
        .collect()
}

const LIST: &str = r#"> {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const TOOLS: &str = r#"< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"n","inputSchema":{"properties":{"city":{"type":"string","x-mcp-header":"City"}}},"outputSchema":{"type":"integer"}}]}}"#;

#[test]
fn each_check_finds_what_it_looks_for_and_nothing_else() {
    let call =
        r#"> {"id":2,"method":"tools/call","params":{"name":"n","arguments":{"city":"Köln"}}}"#;
    let answer = r#"< {"id":2,"result":{"structuredContent":7}}"#;
    let modern = r#"> {"id":2,"method":"tools/call","params":{"name":"n","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    let asks = r#"< {"id":2,"result":{"resultType":"input_required","requestState":"s1","inputRequests":{"a":{"method":"elicitation/create"}}}}"#;
    /// A name, the lines of a recording, and what is found in them how often.
    type Row<'a> = (&'a str, Vec<&'a str>, Vec<(&'a str, u32)>);
    let table: Vec<Row<'_>> = vec![
        ("nothing", vec![LIST, TOOLS, call, answer], vec![]),
        ("stray", vec!["! Listening on port 80"], vec![("stray", 1)]),
        ("no JSON", vec!["< {"], vec![("invalid", 1)]),
        (
            "JSON of another kind",
            vec!["< {\"id\":1}"],
            vec![("invalid", 1)],
        ),
        (
            "an answer to nothing",
            vec!["< {\"id\":1,\"result\":{}}"],
            vec![("invalid", 1)],
        ),
        ("pending", vec![LIST], vec![("pending", 1)]),
        (
            "a subscription is meant to stay open",
            vec![r#"> {"id":1,"method":"subscriptions/listen"}"#],
            vec![],
        ),
        (
            "cancelled",
            vec![
                LIST,
                r#"> {"method":"notifications/cancelled","params":{"requestId":1}}"#,
            ],
            vec![],
        ),
        (
            "late",
            vec![
                LIST,
                r#"> {"method":"notifications/cancelled","params":{"requestId":1}}"#,
                TOOLS,
            ],
            vec![("late-result", 1)],
        ),
        (
            "an error",
            vec![LIST, r#"< {"id":1,"error":{"code":-32603,"message":"no"}}"#],
            vec![("error", 1)],
        ),
        (
            "a failed tool",
            vec![call, r#"< {"id":2,"result":{"isError":true}}"#],
            vec![("error", 1)],
        ),
        (
            "a refused HTTP request",
            vec!["H> POST http://a/\n", "H< 500\n"],
            vec![("error", 1)],
        ),
        (
            "an id of both directions",
            vec![
                LIST,
                r#"< {"id":1,"method":"ping"}"#,
                TOOLS,
                r#"> {"id":1,"result":{}}"#,
            ],
            vec![],
        ),
        (
            "an id used again",
            vec![LIST, TOOLS, LIST, TOOLS],
            vec![("id-reuse", 3)],
        ),
        (
            "an id used again while it is open",
            vec![LIST, LIST, TOOLS],
            vec![("pending", 1), ("id-reuse", 2)],
        ),
        (
            "a result that its schema does not allow",
            vec![
                LIST,
                TOOLS,
                call,
                r#"< {"id":2,"result":{"structuredContent":"7"}}"#,
            ],
            vec![("schema", 3)],
        ),
        (
            "a result without its content",
            vec![LIST, TOOLS, call, r#"< {"id":2,"result":{"content":[]}}"#],
            vec![("schema", 3)],
        ),
        (
            "sampling",
            vec![
                r#"< {"id":9,"method":"sampling/createMessage"}"#,
                r#"> {"id":9,"result":{}}"#,
            ],
            vec![("deprecated", 1)],
        ),
        (
            "a deprecated feature is told once",
            vec![
                r#"< {"method":"notifications/message"}"#,
                r#"< {"method":"notifications/message"}"#,
            ],
            vec![("deprecated", 1)],
        ),
        (
            "roots inside of a question",
            vec![
                call,
                r#"< {"id":2,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}"#,
            ],
            vec![("deprecated", 1)],
        ),
        (
            "headers that agree, wrapped",
            vec![
                LIST,
                TOOLS,
                "H> POST http://a/\nmcp-method: tools/call\nMcp-Name: n\nmcp-param-city: =?base64?S8O2bG4=?=\n",
                call,
                answer,
                "H< 200\n",
            ],
            vec![],
        ),
        (
            "headers that contradict",
            vec![
                "H> POST http://a/\nmcp-method: tools/list\nmcp-name: other\n",
                call,
                "H< 200\n",
                answer,
            ],
            vec![("mismatch", 2), ("mismatch", 2)],
        ),
        (
            "a header that is no Base64",
            vec![
                "H> POST http://a/\nmcp-name: =?base64?***?=\n",
                call,
                "H< 200\n",
                answer,
            ],
            vec![("mismatch", 2)],
        ),
        (
            "missing headers count in the modern era alone",
            vec!["H> POST http://a/\n", call, "H< 200\n", answer],
            vec![],
        ),
        (
            "missing headers of the modern era",
            vec!["H> POST http://a/\n", modern, "H< 200\n", answer],
            vec![("mismatch", 2), ("mismatch", 2)],
        ),
        (
            "a state that comes back",
            vec![
                call,
                asks,
                r#"> {"id":3,"method":"tools/call","params":{"name":"n","requestState":"s1","inputResponses":{}}}"#,
                r#"< {"id":3,"result":{}}"#,
            ],
            vec![],
        ),
        (
            "a state that was changed",
            vec![
                call,
                asks,
                r#"> {"id":3,"method":"tools/call","params":{"name":"n","requestState":"s2","inputResponses":{}}}"#,
                r#"< {"id":3,"result":{}}"#,
            ],
            vec![("request-state", 3)],
        ),
        (
            "a state that was dropped",
            vec![
                call,
                asks,
                r#"> {"id":3,"method":"tools/call","params":{"name":"n","inputResponses":{"a":{}}}}"#,
                r#"< {"id":3,"result":{}}"#,
            ],
            vec![("request-state", 3)],
        ),
        (
            "a state that was invented",
            vec![
                r#"> {"id":3,"method":"tools/call","params":{"name":"n","requestState":"s1"}}"#,
                r#"< {"id":3,"result":{}}"#,
            ],
            vec![("request-state", 1)],
        ),
    ];
    for (name, lines, expected) in table {
        assert_eq!(found(&lines), expected, "{name}");
    }
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut checker = Checker::new(|_, _| None);
    let mut frame = frames(&["< no JSON"]).remove(0);
    for _ in 0..MAX_FINDINGS + 5 {
        checker.frame(&frame);
    }
    frame.payload = Some(vec![b'['; 1 << 20].into());
    checker.frame(&frame);
    let report = checker.finish();
    assert_eq!(report.findings.len(), MAX_FINDINGS);
    assert_eq!(report.left_out, 6);
}

#[test]
fn what_is_missing_is_told_last() {
    let mut checker = Checker::new(|_, _| None);
    checker.incomplete("The file was cut off.".to_owned());
    for frame in frames(&["! stray"]) {
        checker.frame(&frame);
    }
    let checks: Vec<_> = checker
        .finish()
        .findings
        .into_iter()
        .map(|finding| finding.rule)
        .collect();
    assert_eq!(checks, ["stray", "incomplete"]);
}
