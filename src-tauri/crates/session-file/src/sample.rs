//! Rows for the tests.

use bytes::Bytes;
use sightglass_model::{ConnectionId, ExchangeId, FrameId, Millis, ServerId, Timestamp};
use sightglass_traffic::{
    Direction, ExchangeKind, ExchangeRow, Outcome, RecordedExchange, RecordedText,
};

/// A call of `echo` that went well.
pub(crate) fn exchange(id: u32, request: &str, response: Option<&str>) -> RecordedExchange {
    let text = |frame: u32, text: &str| RecordedText {
        frame: FrameId(frame),
        direction: Direction::Sent,
        at: Timestamp::from_millis(1_700_000_000_000.25),
        carrier: None,
        redacted: false,
        payload: Some(Bytes::from(text.to_owned())),
    };
    RecordedExchange {
        row: ExchangeRow {
            id: ExchangeId(id),
            kind: ExchangeKind::Request,
            direction: Direction::Sent,
            connection: ConnectionId(3),
            server_id: ServerId::demo(),
            server: "Demo".to_owned(),
            project: String::new(),
            project_label: None,
            at: Timestamp::from_millis(1_700_000_000_000.25),
            method: "tools/call".to_owned(),
            target: "echo".to_owned(),
            outcome: Outcome::Ok,
            code: None,
            duration: Some(Millis::from_f64(1.5)),
            size: 1500u32.into(),
            request_frame: FrameId(id),
            response_frame: response.map(|_| FrameId(id + 1)),
            parent: None,
            folded_before: Vec::new(),
            folded_rows: 0,
            bookmark: None,
            is_heartbeat: false,
        },
        request: text(id, request),
        response: response.map(|response| text(id + 1, response)),
    }
}

/// A call that failed, of a tool and with an answer as a hostile server could have them.
pub(crate) fn call(id: u32, target: &str, response: &str) -> RecordedExchange {
    let mut call = exchange(id, r#"{"id":1,"method":"tools/call"}"#, Some(response));
    call.row.target = target.to_owned();
    call.row.outcome = Outcome::Error;
    call.row.code = Some(-32603);
    call
}

/// Texts with which a server would break out of its place.
pub(crate) const ATTACKS: [&str; 6] = [
    "</pre></script><script>alert(1)</script><img src=x onerror=alert(2)>",
    "```\n# Title\n````\n</details>\n<script>alert(3)</script>",
    "\u{1b}[31mred\u{1b}[0m \u{202e}gpj.exe \u{200b}",
    "' onmouseover='alert(4) \" autofocus onfocus=\"alert(5)",
    "]]> --> <!-- {{ &lt;script&gt; &#x3c;",
    "| a | b |\n[link](javascript:alert(6)) ![](https://evil.test/pixel)",
];
