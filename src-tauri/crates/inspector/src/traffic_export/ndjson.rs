//! Writes frames as lines of JSON.
//!
//! The first line says what the file is. Each other line is one frame, in the order of the wire:
//!
//! | member | meaning |
//! |---|---|
//! | `v` | version of the format, 1 |
//! | `seq` | number of the frame; they only count up |
//! | `conn` | number of the connection |
//! | `ts` | milliseconds since 1970 |
//! | `dir` | `c2s` or `s2c` for what crossed the wire, `stderr`, `meta` for phases and remarks |
//! | `kind` | kind of the row: `request`, `notification`, `log`, `http`, `oauth`, `stderr`, `phase` |
//! | `carrier` | frame of the HTTP request that carried it |
//! | `method` | JSON-RPC method, phase, or first line of the HTTP request |
//! | `masked` | true when secrets were masked |
//! | `raw` | the text as it was, but for secrets; absent where it was not recorded |

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;
use sightglass_model::{ServerId, Timestamp};
use sightglass_traffic::{Direction, ExchangeKind, RecordedFrame};

/// Version of the format.
const VERSION: u8 = 1;

#[derive(Serialize)]
struct Line {
    v: u8,
    seq: u32,
    conn: u32,
    ts: f64,
    dir: &'static str,
    kind: ExchangeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    carrier: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    method: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    masked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
}

impl From<RecordedFrame> for Line {
    fn from(frame: RecordedFrame) -> Self {
        let dir = match (frame.kind, frame.direction) {
            (ExchangeKind::Phase, _) => "meta",
            (ExchangeKind::Stderr, _) => "stderr",
            (_, Direction::Sent) => "c2s",
            (_, Direction::Received) => "s2c",
        };
        Self {
            v: VERSION,
            seq: frame.frame.0,
            conn: frame.connection.0,
            ts: frame.at.as_millis(),
            dir,
            kind: frame.kind,
            carrier: frame.carrier.map(|carrier| carrier.0),
            method: frame.method,
            masked: frame.redacted,
            raw: frame
                .payload
                .map(|payload| String::from_utf8_lossy(&payload).into_owned()),
        }
    }
}

/// Writes the first line.
pub(super) fn begin(out: &mut impl Write, server: Option<(&ServerId, &str)>) -> io::Result<()> {
    let mut head = json!({
        "v": VERSION,
        "dir": "meta",
        "application": format!("sightglass {}", env!("CARGO_PKG_VERSION")),
        "ts": Timestamp::now().as_millis().floor(),
    });
    if let Some((id, name)) = server {
        head["server"] = json!({ "id": id, "name": name });
    }
    writeln!(out, "{head}")
}

/// Writes a frame.
pub(super) fn write(out: &mut impl Write, frame: RecordedFrame) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Line::from(frame))?;
    out.write_all(b"\n")
}
