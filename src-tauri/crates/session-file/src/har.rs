//! Writes HTTP requests as an HTTP Archive (HAR 1.2).
//!
//! An entry is an HTTP request that was on the wire: of MCP over HTTP, of WebSockets, or of a
//! sign-in. A message over stdio has none, and none is made up for it. What the record does not
//! know is left open in the words of the format: the version of HTTP is `unknown`, sizes of
//! headers are -1, cookies stand among the headers. Bodies are the messages that the request
//! carried; the framing of an event stream is not recorded, so that its messages stand one a line.
//!
//! Entries are written as they come, with one message in memory at a time. That is why the format
//! is written here and not by the `har` crate, which takes a whole archive.

use std::io;

use serde::Serialize;
use serde_json::json;
use sightglass_traffic::{Direction, ExchangeKind, RecordedHttp, RecordedText};
use url::Url;

use crate::text::{iso_time, lossy, write_json, write_json_piece};

/// Writes an archive, entry by entry.
pub struct HarWriter<W> {
    out: W,
    is_first: bool,
}

/// An entry that is being written. Its messages come in the order of the wire; but for a
/// WebSocket, those that were sent come before those that were received.
pub struct HarEntry<'a, W> {
    out: &'a mut W,
    http: &'a RecordedHttp,
    part: EntryPart,
    /// Bytes of the body that is open.
    size: u64,
    /// Milliseconds since 1970 of the last message that was received.
    last_received: f64,
    messages: u32,
}

/// The part of an entry that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryPart {
    Request,
    RequestBody,
    Response,
    ResponseBody,
    /// The messages of a WebSocket, and whether there is one.
    Frames(bool),
}

#[derive(Serialize)]
struct NameValue<'a> {
    name: &'a str,
    value: &'a str,
}

impl<W: io::Write> HarWriter<W> {
    /// Begins an archive.
    pub fn new(mut out: W, version: &str) -> io::Result<Self> {
        let creator = json!({ "name": "Sightglass", "version": version });
        write!(
            out,
            r#"{{"log":{{"version":"1.2","creator":{creator},"entries":["#
        )?;
        Ok(Self {
            out,
            is_first: true,
        })
    }

    /// Begins an entry. `server` is the server's name.
    pub fn entry<'a>(
        &'a mut self,
        http: &'a RecordedHttp,
        server: &str,
    ) -> io::Result<HarEntry<'a, W>> {
        let out = &mut self.out;
        out.write_all(if self.is_first { b"\n" } else { b",\n" })?;
        self.is_first = false;
        let facts = &http.facts;
        out.write_all(br#"{"startedDateTime":"#)?;
        write_json(out, &iso_time(http.at))?;
        write!(
            out,
            r#","_mcp":{}"#,
            json!({
                "row": http.frame.0,
                "connection": http.connection.0,
                "server": server,
                "purpose": match http.kind {
                    ExchangeKind::Oauth => "sign-in",
                    _ => "messages",
                },
                "masked": http.redacted,
            })
        )?;
        out.write_all(br#","request":{"method":"#)?;
        write_json(out, &facts.method)?;
        out.write_all(br#","url":"#)?;
        write_json(out, &valid_url(&facts.url))?;
        out.write_all(br#","httpVersion":"unknown","cookies":[],"headers":"#)?;
        write_headers(out, &facts.request_headers)?;
        out.write_all(br#","queryString":"#)?;
        write_json(out, &query_of(&facts.url))?;
        out.write_all(br#","headersSize":-1"#)?;
        Ok(HarEntry {
            out,
            http,
            part: EntryPart::Request,
            size: 0,
            last_received: 0.0,
            messages: 0,
        })
    }

    /// Ends the archive.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(b"\n]}}\n")?;
        Ok(self.out)
    }
}

impl<W: io::Write> HarEntry<'_, W> {
    /// Adds a message that the request carried.
    pub fn message(&mut self, message: &RecordedText) -> io::Result<()> {
        self.messages += 1;
        if message.direction == Direction::Received {
            self.last_received = self.last_received.max(message.at.as_millis());
        }
        let text = message.payload.as_deref().map(lossy);
        if self.http.facts.status == Some(101) {
            return self.frame(message, text.as_deref().unwrap_or_default());
        }
        match text {
            Some(text) => self.body(message.direction, &text),
            None => Ok(()),
        }
    }

    /// Adds to a body.
    fn body(&mut self, direction: Direction, text: &str) -> io::Result<()> {
        match (direction, self.part) {
            (Direction::Sent, EntryPart::Request) => {
                let kind = header(&self.http.facts.request_headers, "content-type");
                self.out.write_all(br#","postData":{"mimeType":"#)?;
                write_json(self.out, kind.unwrap_or_default())?;
                self.out.write_all(br#","text":""#)?;
                self.part = EntryPart::RequestBody;
            }
            (Direction::Received, EntryPart::Request | EntryPart::RequestBody) => {
                self.end_request()?;
                self.begin_response()?;
                self.out.write_all(br#","text":""#)?;
                self.part = EntryPart::ResponseBody;
            }
            (Direction::Sent, EntryPart::RequestBody)
            | (Direction::Received, EntryPart::ResponseBody) => {
                self.piece("\n")?;
            }
            // What was sent later than an answer has no place of its own in the format.
            _ => return Ok(()),
        }
        self.piece(text)
    }

    fn piece(&mut self, text: &str) -> io::Result<()> {
        self.size += text.len() as u64;
        write_json_piece(self.out, text)
    }

    /// Adds a message of a WebSocket, in the form that Chromium writes and reads.
    fn frame(&mut self, message: &RecordedText, text: &str) -> io::Result<()> {
        let is_first = match self.part {
            EntryPart::Frames(has_one) => !has_one,
            _ => {
                self.end_request()?;
                self.begin_response()?;
                self.end_response()?;
                self.out.write_all(br#","_webSocketMessages":["#)?;
                true
            }
        };
        self.part = EntryPart::Frames(true);
        if !is_first {
            self.out.write_all(b",")?;
        }
        let kind = match message.direction {
            Direction::Sent => "send",
            Direction::Received => "receive",
        };
        let time = message.at.as_seconds();
        write_json(
            self.out,
            &json!({ "type": kind, "time": time, "opcode": 1, "data": text }),
        )
    }

    fn end_request(&mut self) -> io::Result<()> {
        let size = match self.part {
            EntryPart::RequestBody => {
                self.out.write_all(br#""}"#)?;
                self.size
            }
            _ => 0,
        };
        self.size = 0;
        self.part = EntryPart::Response;
        write!(self.out, r#","bodySize":{size}}}"#)
    }

    /// Begins the response, up to the text of its content.
    fn begin_response(&mut self) -> io::Result<()> {
        let facts = &self.http.facts;
        let redirect = header(&facts.response_headers, "location").unwrap_or_default();
        write!(
            self.out,
            r#","response":{{"status":{},"statusText":"","httpVersion":"unknown","cookies":[]"#,
            facts.status.unwrap_or(0)
        )?;
        if let Some(error) = &facts.error {
            self.out.write_all(br#","_error":"#)?;
            write_json(self.out, error)?;
        }
        self.out.write_all(br#","headers":"#)?;
        write_headers(self.out, &facts.response_headers)?;
        self.out.write_all(br#","redirectURL":"#)?;
        write_json(self.out, redirect)?;
        let kind = header(&facts.response_headers, "content-type").unwrap_or_default();
        self.out
            .write_all(br#","headersSize":-1,"bodySize":-1,"content":{"mimeType":"#)?;
        write_json(self.out, kind)?;
        if kind.starts_with("text/event-stream") {
            self.out.write_all(
                br#","comment":"The messages of the stream, one a line; how they were framed is not recorded.""#,
            )?;
        }
        Ok(())
    }

    fn end_response(&mut self) -> io::Result<()> {
        if self.part == EntryPart::ResponseBody {
            self.out.write_all(b"\"")?;
        }
        write!(self.out, r#","size":{}}}}}"#, self.size)
    }

    /// Ends the entry.
    pub fn end(mut self) -> io::Result<()> {
        if let Some(body) = &self.http.request_body {
            self.body(Direction::Sent, body)?;
        }
        if let Some(body) = &self.http.response_body {
            self.body(Direction::Received, body)?;
        }
        match self.part {
            EntryPart::Frames(_) => self.out.write_all(b"]")?,
            EntryPart::Request | EntryPart::RequestBody => {
                self.end_request()?;
                self.begin_response()?;
                self.end_response()?;
            }
            EntryPart::Response | EntryPart::ResponseBody => self.end_response()?,
        }
        let facts = &self.http.facts;
        let wait = facts.time_to_headers.map_or(0.0, |time| time.as_f64());
        let headers_at = self.http.at.as_millis() + wait;
        let receive = (self.last_received - headers_at).max(0.0);
        write!(
            self.out,
            r#","cache":{{}},"timings":{{"send":0,"wait":{wait:.3},"receive":{receive:.3},"comment":"Connecting and sending are part of the wait; they are not measured apart."}},"time":{:.3}}}"#,
            wait + receive
        )
    }
}

fn write_headers(out: &mut impl io::Write, headers: &[(String, String)]) -> io::Result<()> {
    let headers: Vec<NameValue<'_>> = headers
        .iter()
        .map(|(name, value)| NameValue { name, value })
        .collect();
    write_json(out, &headers)
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// The address in the characters that addresses have (RFC 3986), which a mask has not.
fn valid_url(url: &str) -> String {
    Url::parse(url).map_or_else(|_| url.to_owned(), String::from)
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    value: String,
}

fn query_of(url: &str) -> Vec<Parameter> {
    let Ok(url) = Url::parse(url) else {
        return Vec::new();
    };
    url.query_pairs()
        .map(|(name, value)| Parameter {
            name: name.into_owned(),
            value: value.into_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests;
