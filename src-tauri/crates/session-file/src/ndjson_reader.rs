//! Reads a session file line by line. Its writer is a stranger: a line that cannot be read is told
//! and passed over, and no line takes more memory than [`MAX_LINE_BYTES`].

use std::{
    borrow::Cow,
    io::{self, BufRead},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use serde::Deserialize;
use sightglass_model::{ConnectionId, FrameId, Timestamp, brief, visible};
use sightglass_traffic::{Direction, ExchangeKind, HttpFacts, HttpText, RecordedFrame};
use thiserror::Error;

use crate::ndjson::{FORMAT, SessionServer, VERSION};

/// The longest line. A message may have 256 MiB, and its quotes are escaped.
pub const MAX_LINE_BYTES: usize = 320 << 20;

/// The longest name that is taken over, in characters.
const MAX_NAME_CHARACTERS: usize = 200;

/// The farthest moment from 1970, in milliseconds, that a calendar shows (ECMA-262, 21.4.1.1).
const MAX_MILLISECONDS: f64 = 8.64e15;

/// Reason why a file cannot be read as a session.
#[derive(Debug, Error)]
pub enum SessionError {
    #[error("the file could not be read: {0}")]
    Io(#[from] io::Error),
    /// The first line is not that of a session file.
    #[error("this is not a session file: {0}")]
    NotASession(String),
    #[error(
        "this session was written by {application} in version {version} of the format, and this \
         program reads versions up to {VERSION}. Open it with a newer Sightglass"
    )]
    Newer { version: u32, application: String },
}

/// First line of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionHead {
    pub version: u32,
    /// The program that wrote it.
    pub application: String,
    pub written_at: Option<Timestamp>,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Number of the line, from 1.
    pub line: u64,
    pub reason: String,
}

/// Content of one line.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionEntry {
    /// Another session begins, as where two files were joined: numbers start anew.
    Head(SessionHead),
    Connection {
        connection: ConnectionId,
        server: SessionServer,
    },
    /// A frame, with the numbers of the file.
    Frame(RecordedFrame),
    MissingFrames(u32),
    /// The end of a session that has so many frames.
    End {
        frames: u32,
    },
    Unreadable(Unreadable),
}

/// Reads a session.
pub struct SessionReader<R> {
    file: R,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    head: SessionHead,
    /// The server that a first line of version 1 names.
    only_server: Option<SessionServer>,
    last_at: Timestamp,
    max_line_bytes: usize,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NdjsonLine<'a> {
    v: Option<u32>,
    format: Option<String>,
    application: Option<String>,
    server: Option<ServerLine>,
    missing_frames: Option<u32>,
    end: Option<EndLine>,
    seq: Option<u32>,
    conn: Option<u32>,
    ts: Option<f64>,
    #[serde(borrow)]
    dir: Option<Cow<'a, str>>,
    kind: Option<ExchangeKind>,
    carrier: Option<u32>,
    method: String,
    size: Option<u64>,
    masked: bool,
    bookmark: Option<String>,
    http: Option<HttpFields>,
    raw: Option<String>,
    raw_base64: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ServerLine {
    id: String,
    name: String,
}

#[derive(Deserialize)]
struct EndLine {
    frames: u32,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HttpFields {
    method: String,
    url: String,
    status: Option<u16>,
    error: Option<String>,
    headers: Vec<(String, String)>,
}

/// One line, as far as it was read.
enum LineRead {
    Whole,
    TooLong,
    EndOfFile,
}

impl<R: BufRead> SessionReader<R> {
    /// Reads the first line.
    pub fn new(file: R) -> Result<Self, SessionError> {
        Self::with_limit(file, MAX_LINE_BYTES)
    }

    fn with_limit(file: R, max_line_bytes: usize) -> Result<Self, SessionError> {
        let mut reader = Self {
            file,
            line: Vec::new(),
            number: 0,
            bytes: 0,
            head: SessionHead {
                version: VERSION,
                application: String::new(),
                written_at: None,
            },
            only_server: None,
            last_at: Timestamp::from_millis(0.0),
            max_line_bytes,
        };
        let not_a_session = |reason: &str| SessionError::NotASession(reason.to_owned());
        match reader.read_line()? {
            LineRead::Whole => {}
            LineRead::EndOfFile => return Err(not_a_session("it is empty")),
            LineRead::TooLong => return Err(not_a_session("its first line is too long")),
        }
        let text = reader.text()?;
        let line: NdjsonLine<'_> = serde_json::from_str(text)
            .map_err(|_| not_a_session("its first line is not the one that Sightglass writes"))?;
        let Some(head) = head_of(&line)? else {
            return Err(not_a_session(
                "its first line is not the one that Sightglass writes",
            ));
        };
        let only_server = line.server.map(ServerLine::server);
        reader.begin(head, only_server);
        Ok(reader)
    }

    /// The first line of the session that is being read.
    pub fn head(&self) -> &SessionHead {
        &self.head
    }

    /// Bytes that were read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }

    /// Number of the line that was read last, from 1.
    pub fn line_number(&self) -> u64 {
        self.number
    }

    fn begin(&mut self, head: SessionHead, only_server: Option<SessionServer>) {
        if let Some(at) = head.written_at {
            self.last_at = at;
        }
        self.head = head;
        self.only_server = only_server;
    }

    fn text(&self) -> Result<&str, SessionError> {
        str::from_utf8(&self.line)
            .map_err(|_| SessionError::NotASession("its first line is not UTF-8".to_owned()))
    }

    /// Reads what the next line says; `None` at the end of the file.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator goes on after an error, and this ends with one"
    )]
    pub fn next(&mut self) -> Result<Option<SessionEntry>, SessionError> {
        loop {
            match self.read_line()? {
                LineRead::EndOfFile => return Ok(None),
                LineRead::TooLong => {
                    let limit = self.max_line_bytes >> 20;
                    return Ok(Some(
                        self.unreadable(format!("it is longer than {limit} MiB")),
                    ));
                }
                LineRead::Whole if self.line.iter().all(u8::is_ascii_whitespace) => {}
                LineRead::Whole => return self.entry().map(Some),
            }
        }
    }

    fn entry(&mut self) -> Result<SessionEntry, SessionError> {
        let line = std::mem::take(&mut self.line);
        let entry = self.entry_of(&line);
        // A large line is not kept for the sake of its capacity.
        if line.capacity() <= 1 << 20 {
            self.line = line;
        }
        entry
    }

    fn entry_of(&mut self, text: &[u8]) -> Result<SessionEntry, SessionError> {
        let line: NdjsonLine<'_> = match serde_json::from_slice(text) {
            Ok(line) => line,
            Err(error) => return Ok(self.unreadable(error.to_string())),
        };
        if line.seq.is_some() {
            return Ok(match self.frame(line) {
                Ok(frame) => SessionEntry::Frame(frame),
                Err(reason) => self.unreadable(reason),
            });
        }
        if let Some(head) = head_of(&line)? {
            let only_server = line.server.map(ServerLine::server);
            self.begin(head.clone(), only_server);
            return Ok(SessionEntry::Head(head));
        }
        if let (Some(connection), Some(server)) = (line.conn, line.server) {
            return Ok(SessionEntry::Connection {
                connection: ConnectionId(connection),
                server: server.server(),
            });
        }
        Ok(match (line.missing_frames, line.end) {
            (Some(count), _) => SessionEntry::MissingFrames(count),
            (None, Some(end)) => SessionEntry::End { frames: end.frames },
            (None, None) => self.unreadable("it has no known member".to_owned()),
        })
    }

    fn frame(&mut self, line: NdjsonLine<'_>) -> Result<RecordedFrame, String> {
        let (Some(seq), Some(connection), Some(kind)) = (line.seq, line.conn, line.kind) else {
            return Err("a frame needs seq, conn and kind".to_owned());
        };
        let direction = match line.dir.as_deref() {
            Some("c2s") => Direction::Sent,
            Some("s2c" | "stderr" | "meta") => Direction::Received,
            _ => return Err("dir is none of c2s, s2c, stderr and meta".to_owned()),
        };
        match line.ts {
            Some(ts) if ts.abs() <= MAX_MILLISECONDS => self.last_at = Timestamp::from_millis(ts),
            _ => return Err("ts is not a moment".to_owned()),
        }
        let payload = match (line.http, line.raw, line.raw_base64) {
            (Some(http), body, _) => Some(http.text(direction, body).into_bytes()),
            (None, Some(raw), _) => Some(raw.into_bytes()),
            (None, None, Some(encoded)) => {
                let decoded = STANDARD.decode(encoded);
                Some(decoded.map_err(|_| "raw_base64 is not base64".to_owned())?)
            }
            (None, None, None) => None,
        };
        let length = payload.as_ref().map_or(0, Vec::len) as u64;
        Ok(RecordedFrame {
            frame: FrameId(seq),
            connection: ConnectionId(connection),
            carrier: line.carrier.map(FrameId),
            at: self.last_at,
            kind,
            direction,
            method: line.method,
            redacted: line.masked,
            size: line.size.unwrap_or(length).into(),
            payload: payload.map(Bytes::from),
            bookmark: line.bookmark,
        })
    }

    /// The server of a connection that no line has named.
    pub fn only_server(&self) -> Option<&SessionServer> {
        self.only_server.as_ref()
    }

    fn unreadable(&self, reason: String) -> SessionEntry {
        SessionEntry::Unreadable(Unreadable {
            line: self.number,
            reason: shortened(&reason),
        })
    }

    /// Reads a line into `self.line`, at most the limit of it.
    fn read_line(&mut self) -> Result<LineRead, SessionError> {
        self.line.clear();
        self.number += 1;
        let mut is_too_long = false;
        let mut has_any = false;
        loop {
            let read = match self.file.fill_buf() {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if read.is_empty() {
                return Ok(match (has_any, is_too_long) {
                    (_, true) => LineRead::TooLong,
                    (true, false) => LineRead::Whole,
                    (false, false) => LineRead::EndOfFile,
                });
            }
            has_any = true;
            let end = memchr::memchr(b'\n', read);
            let part = &read[..end.unwrap_or(read.len())];
            let taken = part.len() + usize::from(end.is_some());
            if self.line.len() + part.len() > self.max_line_bytes {
                is_too_long = true;
                self.line = Vec::new();
            }
            if !is_too_long {
                self.line.extend_from_slice(part);
            }
            self.file.consume(taken);
            self.bytes += taken as u64;
            if end.is_some() {
                return Ok(match is_too_long {
                    true => LineRead::TooLong,
                    false => LineRead::Whole,
                });
            }
        }
    }
}

impl ServerLine {
    fn server(self) -> SessionServer {
        SessionServer {
            id: shortened(&self.id),
            name: shortened(&self.name),
        }
    }
}

impl HttpFields {
    fn text(self, direction: Direction, body: Option<String>) -> String {
        let facts = match direction {
            Direction::Sent => HttpFacts {
                method: self.method,
                url: self.url,
                request_headers: self.headers,
                ..HttpFacts::default()
            },
            Direction::Received => HttpFacts {
                status: self.status,
                error: self.error,
                response_headers: self.headers,
                ..HttpFacts::default()
            },
        };
        HttpText { facts, body }.text(direction)
    }
}

/// The head that a line is, if it is one.
fn head_of(line: &NdjsonLine<'_>) -> Result<Option<SessionHead>, SessionError> {
    let is_ours = match &line.format {
        Some(format) => format == FORMAT,
        None => line.v == Some(1) && line.application.is_some(),
    };
    let (true, Some(version), None) = (is_ours, line.v, line.seq) else {
        return Ok(None);
    };
    let application = line.application.as_deref().unwrap_or("another program");
    let application = shortened(application);
    if version > VERSION {
        return Err(SessionError::Newer {
            version,
            application,
        });
    }
    let written_at = line.ts.filter(|ts| ts.abs() <= MAX_MILLISECONDS);
    Ok(Some(SessionHead {
        version,
        application,
        written_at: written_at.map(Timestamp::from_millis),
    }))
}

/// A text of a stranger as one short line, with nothing invisible in it.
fn shortened(text: &str) -> String {
    visible(&brief(text, MAX_NAME_CHARACTERS)).into_owned()
}

#[cfg(test)]
mod tests;
