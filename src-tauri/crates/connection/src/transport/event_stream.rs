//! Parses server-sent events (WHATWG HTML, section 9.2), without copying large ones twice and
//! without looking at any byte twice.

use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use sightglass_http::HttpResponse;

use crate::status::diagnostics::SilentStream;

/// One event. Comments mean nothing in MCP and are left out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The `event` field. It means something in HTTP with Server-Sent Events only.
    pub name: Option<Bytes>,
    pub data: Bytes,
    pub id: Option<Bytes>,
    pub retry: Option<Duration>,
}

/// An event of at least this size is larger than the limit.
#[derive(Debug, PartialEq, Eq)]
struct TooLarge(pub usize);

struct EventParser {
    limit: usize,
    buffer: BytesMut,
    /// Length of the part of the buffer that holds no end of a line.
    searched: usize,
    /// The line before ended in CR; an LF that follows belongs to it.
    after_carriage_return: bool,
    at_start: bool,
    name: Option<Bytes>,
    data: EventData,
    id: Option<Bytes>,
    retry: Option<Duration>,
}

/// The data of the event so far. One line, which is all that MCP needs, is not copied.
#[derive(Default)]
enum EventData {
    #[default]
    None,
    Line(Bytes),
    Lines(BytesMut),
}

/// Reason why a stream stopped.
pub(crate) enum EventStreamError {
    /// An event of at least this size.
    TooLarge(usize),
    /// The connection broke off.
    Off,
}

/// The events of one response.
pub(crate) struct ResponseEvents {
    response: HttpResponse,
    parser: EventParser,
    /// Noted until the first bytes come.
    silence: Option<SilentStream>,
}

impl ResponseEvents {
    pub(crate) fn new(response: HttpResponse, limit: usize) -> Self {
        Self {
            response,
            parser: EventParser::new(limit),
            silence: None,
        }
    }

    /// Takes the note that nothing has come yet, which goes with the first bytes.
    pub(crate) fn silent(mut self, note: Option<SilentStream>) -> Self {
        self.silence = note;
        self
    }

    /// The next event, or nothing at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, EventStreamError> {
        loop {
            match self.parser.next() {
                Ok(Some(event)) => return Ok(Some(event)),
                Ok(None) => {}
                Err(too_large) => return Err(EventStreamError::TooLarge(too_large.0)),
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => {
                    self.silence = None;
                    self.parser.push(&chunk);
                }
                Ok(None) => return Ok(None),
                Err(_) => return Err(EventStreamError::Off),
            }
        }
    }
}

impl EventParser {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            buffer: BytesMut::new(),
            searched: 0,
            after_carriage_return: false,
            at_start: true,
            name: None,
            data: EventData::None,
            id: None,
            retry: None,
        }
    }

    fn push(&mut self, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
    }

    /// The next complete event, or nothing until more is pushed.
    fn next(&mut self) -> Result<Option<Event>, TooLarge> {
        while let Some(line) = self.line() {
            if line.is_empty() {
                let data = std::mem::take(&mut self.data).into_bytes();
                let (name, id, retry) = (self.name.take(), self.id.take(), self.retry.take());
                if data.is_some() || id.is_some() || retry.is_some() {
                    return Ok(Some(Event {
                        name,
                        data: data.unwrap_or_default(),
                        id,
                        retry,
                    }));
                }
            } else {
                self.field(line);
            }
            self.check(0)?;
        }
        self.check(self.buffer.len())?;
        Ok(None)
    }

    fn check(&self, more: usize) -> Result<(), TooLarge> {
        let size = self.data.len() + more;
        if size > self.limit {
            Err(TooLarge(size))
        } else {
            Ok(())
        }
    }

    /// Takes one line off the buffer, without its end.
    fn line(&mut self) -> Option<Bytes> {
        if self.after_carriage_return && !self.buffer.is_empty() {
            self.after_carriage_return = false;
            if self.buffer[0] == b'\n' {
                self.buffer.advance(1);
                self.searched = self.searched.saturating_sub(1);
            }
        }
        let Some(found) = memchr::memchr2(b'\n', b'\r', &self.buffer[self.searched..]) else {
            self.searched = self.buffer.len();
            return None;
        };
        let end = self.searched + found;
        self.after_carriage_return = self.buffer[end] == b'\r';
        let mut line = self.buffer.split_to(end + 1).freeze();
        line.truncate(end);
        self.searched = 0;
        if self.at_start {
            self.at_start = false;
            if line.starts_with(b"\xEF\xBB\xBF") {
                line.advance(3);
            }
        }
        Some(line)
    }

    fn field(&mut self, line: Bytes) {
        let (name_end, value_start) = match memchr::memchr(b':', &line) {
            Some(colon) if line.get(colon + 1) == Some(&b' ') => (colon, colon + 2),
            Some(colon) => (colon, colon + 1),
            None => (line.len(), line.len()),
        };
        let value = line.slice(value_start..);
        match &line[..name_end] {
            b"data" => self.data.push(value),
            b"event" => self.name = Some(value),
            b"id" if !value.contains(&0) => self.id = Some(value),
            b"retry" => {
                let milliseconds = std::str::from_utf8(&value)
                    .ok()
                    .and_then(|text| text.parse().ok());
                self.retry = milliseconds.map(Duration::from_millis).or(self.retry);
            }
            _ => {}
        }
    }
}

impl EventData {
    fn push(&mut self, value: Bytes) {
        *self = match std::mem::take(self) {
            EventData::None => EventData::Line(value),
            EventData::Line(first) => {
                let mut lines = BytesMut::from(&first[..]);
                lines.extend_from_slice(b"\n");
                lines.extend_from_slice(&value);
                EventData::Lines(lines)
            }
            EventData::Lines(mut lines) => {
                lines.extend_from_slice(b"\n");
                lines.extend_from_slice(&value);
                EventData::Lines(lines)
            }
        };
    }

    fn len(&self) -> usize {
        match self {
            EventData::None => 0,
            EventData::Line(line) => line.len(),
            EventData::Lines(lines) => lines.len(),
        }
    }

    fn into_bytes(self) -> Option<Bytes> {
        match self {
            EventData::None => None,
            EventData::Line(line) => Some(line),
            EventData::Lines(lines) => Some(lines.freeze()),
        }
    }
}

/// The events of a stream that arrives in pieces of so many bytes, up to one that is too
/// large.
#[cfg(any(test, fuzzing))]
pub(crate) fn events_in_chunks(stream: &[u8], size: usize, limit: usize) -> Vec<Event> {
    let mut parser = EventParser::new(limit);
    let mut events = Vec::new();
    for chunk in stream.chunks(size) {
        parser.push(chunk);
        loop {
            match parser.next() {
                Ok(Some(event)) => events.push(event),
                Ok(None) => break,
                Err(_) => return events,
            }
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str, size: usize) -> Vec<Event> {
        events_in_chunks(text.as_bytes(), size, 1000)
    }

    fn data(text: &'static str) -> Event {
        Event {
            name: None,
            data: Bytes::from_static(text.as_bytes()),
            id: None,
            retry: None,
        }
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        let text = "\u{feff}: hello\r\nevent: message\r\nid: 7\ndata: {\"a\":\ndata: 1}\r\n\r\nretry: 20\rid\r\rdata:é🙂\n\n\n";
        let expected = [
            Event {
                name: Some(Bytes::from_static(b"message")),
                data: Bytes::from_static(b"{\"a\":\n1}"),
                id: Some(Bytes::from_static(b"7")),
                retry: None,
            },
            Event {
                name: None,
                data: Bytes::new(),
                id: Some(Bytes::new()),
                retry: Some(Duration::from_millis(20)),
            },
            data("é🙂"),
        ];
        for size in [1, 2, 3, 7, 1000] {
            assert_eq!(events(text, size), expected, "chunks of {size}");
        }
    }

    #[test]
    fn an_event_that_is_cut_off_is_none() {
        assert_eq!(events("data: a\n\ndata: b\n", 100), [data("a")]);
    }

    #[test]
    fn an_event_larger_than_the_limit_is_refused_before_it_is_complete() {
        let mut parser = EventParser::new(10);
        parser.push(b"data: 0123456789012345");
        assert_eq!(parser.next(), Err(TooLarge(22)));
    }
}
