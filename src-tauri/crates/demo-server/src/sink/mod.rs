//! Destinations of messages to the client: the line writer of stdio, an event stream of
//! HTTP, or none.

mod event_stream;
mod line_writer;

use std::sync::Arc;

use bytes::Bytes;

use crate::message::Message;

pub use event_stream::{EventStream, Resumption};
pub use line_writer::LineWriter;

/// Text that a [`MessageBatch`] gathers before it hands it on.
const BATCH_BYTES: usize = 64 * 1024;

/// Destination of the messages to one client.
#[derive(Clone)]
pub enum Sink {
    /// The lines of stdout.
    Lines(LineWriter),
    /// A server-sent event stream.
    Events(Arc<EventStream>),
    /// None: an HTTP answer that is one JSON body has no room for more.
    Nowhere,
}

impl Sink {
    /// Sends one message; waits when the client reads more slowly than this.
    pub async fn send(&self, message: Message) {
        match self {
            Sink::Lines(writer) => writer.message(message).await,
            Sink::Events(stream) => stream.send(message).await,
            Sink::Nowhere => {}
        }
    }

    /// Sends one message without letting a slow HTTP client hold up the others:
    /// an event stream drops its oldest events when nobody reads it.
    pub async fn broadcast(&self, message: Message) {
        match self {
            Sink::Events(stream) => stream.push(message),
            Sink::Lines(_) | Sink::Nowhere => self.send(message).await,
        }
    }

    /// Writes bytes to stdout that are no message at all. Over HTTP there is no
    /// such place, and the answer is `false`.
    pub async fn stray(&self, bytes: Bytes) -> bool {
        match self {
            Sink::Lines(writer) => {
                writer.raw(bytes).await;
                true
            }
            Sink::Events(_) | Sink::Nowhere => false,
        }
    }

    /// Starts a run of many small messages.
    pub fn batch(&self) -> MessageBatch<'_> {
        MessageBatch {
            sink: self,
            buffer: Vec::with_capacity(BATCH_BYTES + 4096),
            ends: Vec::new(),
        }
    }
}

/// Many small messages written into one buffer, so that none costs an allocation
/// or a system call of its own.
pub struct MessageBatch<'a> {
    sink: &'a Sink,
    buffer: Vec<u8>,
    ends: Vec<usize>,
}

impl MessageBatch<'_> {
    /// Adds the message that `write` appends to the buffer, and passes the buffer
    /// on when it is full.
    pub async fn add(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.buffer);
        match self.sink {
            Sink::Lines(_) => self.buffer.push(b'\n'),
            Sink::Events(_) => self.ends.push(self.buffer.len()),
            Sink::Nowhere => self.buffer.clear(),
        }
        if self.buffer.len() >= BATCH_BYTES {
            self.flush().await;
        }
    }

    /// Passes on what has been gathered.
    pub async fn flush(&mut self) {
        if self.buffer.is_empty() {
            return;
        }
        let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(BATCH_BYTES + 4096));
        let mut bytes = Bytes::from(full);
        match self.sink {
            Sink::Lines(writer) => writer.raw(bytes).await,
            Sink::Events(stream) => {
                let mut start = 0;
                for end in self.ends.drain(..) {
                    let message = bytes.split_to(end - start);
                    start = end;
                    stream.send(Message::Whole(message)).await;
                }
            }
            Sink::Nowhere => {}
        }
    }
}
