//! Writes a session as lines of JSON: the format of our own, complete.
//!
//! Every line is a JSON object, in the order of the wire. A line with `seq` is a frame; one
//! without says something about the file. Readers ignore members that they do not know.
//!
//! Lines about the file, all with `"dir": "meta"`:
//!
//! | members | meaning |
//! |---|---|
//! | `v`, `format`, `application`, `ts` | the first line: version of the format, `sightglass-session`, the program that wrote it, when |
//! | `conn`, `server` | a connection and its server, `{"id", "name"}`; stands before its first frame |
//! | `missing_frames` | so many frames were not recorded at this place |
//! | `end` | the last line, `{"frames"}`: the number of frames in the file; without it the file was cut off |
//!
//! Members of a frame:
//!
//! | member | meaning |
//! |---|---|
//! | `v` | version of the format, 2 |
//! | `seq` | number of the frame; they only count up |
//! | `conn` | number of the connection |
//! | `ts` | milliseconds since 1970 |
//! | `dir` | `c2s` or `s2c` for what crossed the wire, `stderr` for what a server printed, `meta` for phases and remarks |
//! | `kind` | kind of the row: `request`, `notification`, `log`, `http`, `oauth`, `stderr`, `phase` |
//! | `carrier` | frame of the HTTP request that carried it; without HTTP, that of the call during which it came |
//! | `method` | JSON-RPC method, `stderr` or `stdout`, phase, or first line of the HTTP request |
//! | `size` | bytes on the wire, before secrets were masked |
//! | `masked` | true when secrets were masked |
//! | `truncated` | true when the text is shorter than what crossed the wire, for another reason |
//! | `bookmark` | note of the bookmark that a person put on the row that the frame starts; may be empty |
//! | `http` | of a request `{"method", "url", "headers"}`, of a response `{"status", "error", "headers"}`; headers are pairs; `raw` then has the body, where it was recorded |
//! | `raw` | the text as it was, but for secrets; absent where it was not recorded |
//! | `raw_base64` | the same, where it is not UTF-8 |
//!
//! Version 1 had no `size`, `truncated`, `http`, `raw_base64`, connections and end: the first line
//! named the one server, and `raw` of an HTTP request was the whole of it.

use std::{
    borrow::Cow,
    collections::HashSet,
    io::{self, Write},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::json;
use sightglass_model::Timestamp;
use sightglass_traffic::{Direction, ExchangeKind, HttpFacts, HttpText, RecordedFrame};

/// Version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 2;

/// Name of the format, in the first line.
pub(crate) const FORMAT: &str = "sightglass-session";

/// Server of a connection, as a session file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionServer {
    /// The server's id where the session was recorded.
    pub id: String,
    pub name: String,
}

/// Writes a session file frame by frame.
pub struct SessionWriter<W> {
    file: W,
    connections: HashSet<u32>,
    frames: u32,
}

#[derive(Serialize)]
struct FrameLine<'a> {
    v: u32,
    seq: u32,
    conn: u32,
    ts: f64,
    dir: &'static str,
    kind: ExchangeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    carrier: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    method: &'a str,
    size: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    masked: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bookmark: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<HttpLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_base64: Option<String>,
}

/// One half of an HTTP exchange.
#[derive(Serialize)]
#[serde(untagged)]
enum HttpLine {
    Request {
        method: String,
        url: String,
        headers: Vec<(String, String)>,
    },
    Response {
        status: Option<u16>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        headers: Vec<(String, String)>,
    },
}

impl HttpLine {
    fn new(direction: Direction, facts: HttpFacts) -> Self {
        match direction {
            Direction::Sent => Self::Request {
                method: facts.method,
                url: facts.url,
                headers: facts.request_headers,
            },
            Direction::Received => Self::Response {
                status: facts.status,
                error: facts.error,
                headers: facts.response_headers,
            },
        }
    }
}

impl<W: Write> SessionWriter<W> {
    /// Writes the first line. `application` names the program and its version.
    pub fn new(mut file: W, application: &str, at: Timestamp) -> io::Result<Self> {
        let head = json!({
            "v": VERSION,
            "dir": "meta",
            "format": FORMAT,
            "application": application,
            "ts": at.as_millis(),
        });
        writeln!(file, "{head}")?;
        Ok(Self {
            file,
            connections: HashSet::new(),
            frames: 0,
        })
    }

    /// Writes a frame of a connection to `server`.
    pub fn frame(&mut self, frame: &RecordedFrame, server: &SessionServer) -> io::Result<()> {
        if self.connections.insert(frame.connection.0) {
            let connection = json!({
                "v": VERSION,
                "dir": "meta",
                "conn": frame.connection.0,
                "server": { "id": server.id, "name": server.name },
            });
            writeln!(self.file, "{connection}")?;
        }
        serde_json::to_writer(&mut self.file, &FrameLine::from(frame))?;
        self.file.write_all(b"\n")?;
        self.frames = self.frames.saturating_add(1);
        Ok(())
    }

    /// Remarks that frames were not recorded at this place.
    pub fn missing_frames(&mut self, count: u32) -> io::Result<()> {
        let remark = json!({ "v": VERSION, "dir": "meta", "missing_frames": count });
        writeln!(self.file, "{remark}")
    }

    /// Writes the last line. Returns the file and the number of frames in it.
    pub fn finish(mut self) -> io::Result<(W, u32)> {
        let end = json!({ "v": VERSION, "dir": "meta", "end": { "frames": self.frames } });
        writeln!(self.file, "{end}")?;
        self.file.flush()?;
        Ok((self.file, self.frames))
    }
}

impl<'a> From<&'a RecordedFrame> for FrameLine<'a> {
    fn from(frame: &'a RecordedFrame) -> Self {
        let dir = match (frame.kind, frame.direction) {
            (ExchangeKind::Phase, _) => "meta",
            (ExchangeKind::Stderr, _) => "stderr",
            (_, Direction::Sent) => "c2s",
            (_, Direction::Received) => "s2c",
        };
        let payload = frame.payload.as_deref();
        let size = frame.size.as_u64();
        let mut line = Self {
            v: VERSION,
            seq: frame.frame.0,
            conn: frame.connection.0,
            ts: frame.at.as_millis(),
            dir,
            kind: frame.kind,
            carrier: frame.carrier.map(|carrier| carrier.0),
            method: &frame.method,
            size,
            masked: frame.redacted,
            truncated: !frame.redacted
                && payload.is_some_and(|payload| (payload.len() as u64) < size),
            bookmark: frame.bookmark.as_deref(),
            http: None,
            raw: None,
            raw_base64: None,
        };
        match payload.map(str::from_utf8) {
            Some(Ok(text)) => {
                let http = matches!(frame.kind, ExchangeKind::Http | ExchangeKind::Oauth)
                    .then(|| HttpText::parse(frame.direction, text))
                    .filter(|http| http.text(frame.direction) == text);
                match http {
                    Some(http) => {
                        line.http = Some(HttpLine::new(frame.direction, http.facts));
                        line.raw = http.body.map(Cow::Owned);
                    }
                    None => line.raw = Some(Cow::Borrowed(text)),
                }
            }
            Some(Err(_)) => line.raw_base64 = payload.map(|payload| STANDARD.encode(payload)),
            None => {}
        }
        line
    }
}
