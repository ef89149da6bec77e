//! Reads messages from a server's standard output: one per line (MCP, stdio transport).

use std::sync::{Arc, Mutex};

use bytes::{Buf, Bytes, BytesMut};
use sightglass_traffic::{MessageKind, envelope};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::stderr::Tail;
use crate::{
    json::id_of_fragment,
    sync::lock,
    transport::{Origin, TransportEvents},
};

/// The smallest space of a new buffer.
const BUFFER_BYTES: usize = 64 * 1024;
/// The smallest free space to read into. Messages share a buffer until it has less: to make one for
/// each, which whoever holds the message gives back, takes the allocator longer than the message.
const READ_BYTES: usize = BUFFER_BYTES / 2;
/// Bytes of the beginning and of the end of a discarded line that are kept, to find its id.
const FRAGMENT_BYTES: usize = 4096;
/// Bytes of a line that is no message that a failure shows.
const SHOWN_BYTES: usize = 4096;

/// UTF-8 byte order mark, which some programs put before everything they write, most of them on
/// Windows.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads messages until the output ends. There is no limit on lines but that of the connection; a
/// longer line fails the one request that it answers, and reading goes on after it.
/// The end of what is no message is kept in `stray`, for the explanation of a failure.
pub(super) async fn read_messages(
    events: &Arc<impl TransportEvents>,
    mut output: impl AsyncRead + Unpin,
    stray: &Mutex<Tail>,
) {
    let mut buffer = BytesMut::with_capacity(BUFFER_BYTES);
    let mut searched = 0;
    let mut discarded: Option<Discarded> = None;
    let mut is_at_start = true;
    let mut has_grown = false;
    loop {
        if buffer.capacity() - buffer.len() < READ_BYTES {
            // Grows with the line, so that the bytes of a long one are moved a few times only.
            buffer.reserve(BUFFER_BYTES.max(buffer.len()));
        }
        let ended = !matches!(output.read_buf(&mut buffer).await, Ok(read) if read > 0);
        if is_at_start && (ended || buffer.len() >= BYTE_ORDER_MARK.len()) {
            is_at_start = false;
            without_mark(events, &mut buffer);
        }
        while let Some(position) = memchr::memchr(b'\n', &buffer[searched..]) {
            let mut line = buffer.split_to(searched + position + 1).freeze();
            searched = 0;
            line.truncate(line.len() - 1);
            has_grown |= line.len() > BUFFER_BYTES;
            match discarded.take() {
                Some(mut rest) => {
                    rest.push(&line);
                    rest.report(events);
                }
                None if line.len() > events.connection().limit => {
                    Discarded::beginning_with(&line).report(events)
                }
                None => one_line(events, line, stray).await,
            }
        }
        // The buffer of a long line would be kept for as long as the connection, with all its bytes.
        if has_grown && buffer.is_empty() {
            buffer = BytesMut::with_capacity(BUFFER_BYTES);
            has_grown = false;
        }
        searched = buffer.len();
        if let Some(rest) = &mut discarded {
            rest.push(&buffer);
            buffer.clear();
            searched = 0;
        } else if buffer.len() > events.connection().limit {
            discarded = Some(Discarded::beginning_with(&buffer));
            buffer = BytesMut::with_capacity(BUFFER_BYTES);
            searched = 0;
        }
        if ended {
            if let Some(rest) = discarded {
                rest.report(events);
            } else if !buffer.is_empty() {
                one_line(events, buffer.freeze(), stray).await;
            }
            return;
        }
    }
}

/// Takes a byte order mark off the beginning. RFC 8259, section 8.1, lets a reader ignore it;
/// most other clients do not understand the first message then, so it is told.
fn without_mark(events: &Arc<impl TransportEvents>, buffer: &mut BytesMut) {
    if buffer.starts_with(BYTE_ORDER_MARK) {
        buffer.advance(BYTE_ORDER_MARK.len());
        events.connection().recorder.note(
            "byte order mark",
            "The server's output begins with a byte order mark, which is not part of a message. \
             It is ignored here; other clients may not understand the first message.",
        );
    }
}

async fn one_line(events: &Arc<impl TransportEvents>, mut line: Bytes, stray: &Mutex<Tail>) {
    if line.last() == Some(&b'\r') {
        line.truncate(line.len() - 1);
    }
    if line.is_empty() {
        return;
    }
    // Objects that a program prints for its user are no messages either.
    if memchr::memmem::find(&line, b"\"jsonrpc\"").is_none() {
        let beginning = &line[..line.len().min(SHOWN_BYTES)];
        let shown = events
            .connection()
            .recorder
            .masked(&String::from_utf8_lossy(beginning));
        lock(stray).push(shown);
    }
    if could_be_message(&line) {
        events.received(line, Origin::default()).await;
    } else if !events.connection().is_silenced() {
        events.connection().diagnostics.stray(&line);
        events.connection().wrote_text.notify_one();
        events.connection().recorder.stray(line).await;
    }
}

/// Returns true when a line is JSON of a shape that messages have, well-formed or not. A line in
/// brackets is more often a log line (`[info] listening`) than a batch, so that one is
/// looked at closely.
fn could_be_message(line: &Bytes) -> bool {
    match line.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => true,
        Some(b'[') => envelope(line).kind != MessageKind::Invalid,
        _ => false,
    }
}

/// A line that is too long to keep.
struct Discarded {
    beginning: Vec<u8>,
    end: Vec<u8>,
    size: usize,
}

impl Discarded {
    fn beginning_with(bytes: &[u8]) -> Self {
        let beginning = bytes[..bytes.len().min(FRAGMENT_BYTES)].to_vec();
        let mut discarded = Self {
            beginning,
            end: Vec::new(),
            size: 0,
        };
        discarded.push(bytes);
        discarded
    }

    fn push(&mut self, bytes: &[u8]) {
        self.size += bytes.len();
        self.end
            .extend_from_slice(&bytes[bytes.len().saturating_sub(FRAGMENT_BYTES)..]);
        let surplus = self.end.len().saturating_sub(FRAGMENT_BYTES);
        self.end.drain(..surplus);
    }

    fn report(self, events: &Arc<impl TransportEvents>) {
        events.too_large(id_of_fragment(&self.beginning, &self.end), self.size);
    }
}
