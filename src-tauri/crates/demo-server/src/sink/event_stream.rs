//! One server-sent event stream, apart from the connection that carries it.
//!
//! In the initialize era a stream outlives its HTTP response: what was sent is
//! kept for a while, and a client that lost the response asks for the rest with
//! `Last-Event-ID` (Streamable HTTP, "Resumability and redelivery"). In the modern
//! era a stream is its response: no ids, and closing it cancels the request.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::{BufMut, Bytes, BytesMut};
use futures::{Stream, stream};
use tokio::sync::Notify;

use crate::message::Message;

/// A sender waits while more than this is on its way to a reader.
const MAX_UNSENT_BYTES: usize = 4 * 1024 * 1024;
/// Delivered bytes that are kept for a client that comes back.
const MAX_REPLAY_BYTES: usize = 8 * 1024 * 1024;
/// Small events are gathered up to this size into one HTTP chunk.
const MAX_CHUNK_BYTES: usize = 64 * 1024;

/// Behaviour when a client comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumption {
    /// Events carry ids and are kept.
    Offered,
    /// Events have no ids and are gone once sent.
    None,
}

/// One event: a message, or a notice about the stream itself.
struct SentEvent {
    sequence: u64,
    content: EventContent,
}

enum EventContent {
    Message(Message),
    /// An event with an id and no data, and how long to wait before coming back.
    Priming {
        retry_milliseconds: u64,
    },
}

impl SentEvent {
    fn len(&self) -> usize {
        match &self.content {
            EventContent::Message(message) => message.len(),
            EventContent::Priming { .. } => 0,
        }
    }
}

#[derive(Default)]
struct StreamState {
    events: VecDeque<SentEvent>,
    next: u64,
    /// The sequence number of the next event to deliver.
    cursor: u64,
    undelivered: usize,
    kept: usize,
    /// Number of the attached reader; a new one ends the older one.
    reader: Option<u64>,
    readers: u64,
    finished: bool,
    /// The present response ends when it has delivered everything so far.
    leaving: bool,
}

/// A stream of events. See the module's description.
pub struct EventStream {
    name: String,
    resumption: Resumption,
    state: Mutex<StreamState>,
    readable: Notify,
    writable: Notify,
}

impl EventStream {
    /// An empty stream. `name` is the first half of its event ids.
    pub fn new(name: impl Into<String>, resumption: Resumption) -> Arc<EventStream> {
        Arc::new(EventStream {
            name: name.into(),
            resumption,
            state: Mutex::default(),
            readable: Notify::new(),
            writable: Notify::new(),
        })
    }

    /// The first half of the stream's event ids.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a message; waits while the reader is far behind.
    pub async fn send(&self, message: Message) {
        loop {
            let writable = self.writable.notified();
            {
                let state = self.lock();
                if state.reader.is_none() || state.undelivered <= MAX_UNSENT_BYTES {
                    break;
                }
            }
            writable.await;
        }
        self.push(message);
    }

    /// Adds a message at once.
    pub fn push(&self, message: Message) {
        self.append(EventContent::Message(message));
    }

    /// Gives the client an id to come back with before there is anything to say
    /// (2025-11-25: a server may close a stream and be polled).
    pub fn prime(&self, retry_milliseconds: u64) {
        self.append(EventContent::Priming { retry_milliseconds });
    }

    /// No more messages will come: the reader ends after the last one.
    pub fn finish(&self) {
        self.lock().finished = true;
        self.readable.notify_waiters();
    }

    /// Ends the response that carries the stream once everything so far has been
    /// delivered; the stream goes on.
    pub fn end_response(&self) {
        self.lock().leaving = true;
        self.readable.notify_waiters();
    }

    /// Returns true when a client may come back for what it missed.
    pub fn offers_resumption(&self) -> bool {
        self.resumption == Resumption::Offered
    }

    /// Returns true while a response carries the stream.
    pub fn is_attached(&self) -> bool {
        self.lock().reader.is_some()
    }

    /// Starts delivering, after the event numbered `after` when the client names
    /// one. An older reader is ended. `on_close` is dropped with the reader.
    pub fn attach<G: Send + Sync + 'static>(
        self: &Arc<Self>,
        after: Option<u64>,
        on_close: G,
    ) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> + Send + use<G> {
        let number = {
            let mut state = self.lock();
            if let Some(after) = after {
                state.cursor = (after + 1).min(state.next);
                let cursor = state.cursor;
                state.undelivered = state
                    .events
                    .iter()
                    .filter(|event| event.sequence >= cursor)
                    .map(SentEvent::len)
                    .sum();
            }
            state.readers += 1;
            let number = state.readers;
            state.reader = Some(number);
            state.leaving = false;
            number
        };
        self.readable.notify_waiters();
        let reader = StreamReader {
            stream: self.clone(),
            number,
            _on_close: on_close,
        };
        stream::unfold(
            (reader, Vec::<Bytes>::new()),
            |(reader, mut ready)| async move {
                if ready.is_empty() {
                    ready = reader.next_chunks().await?;
                    ready.reverse();
                }
                let chunk = ready.pop()?;
                Some((Ok(chunk), (reader, ready)))
            },
        )
    }

    fn append(&self, content: EventContent) {
        let mut state = self.lock();
        let event = SentEvent {
            sequence: state.next,
            content,
        };
        state.next += 1;
        state.undelivered += event.len();
        state.kept += event.len();
        state.events.push_back(event);
        // Without a reader the oldest go, delivered or not: memory is bounded even
        // when nobody ever comes back.
        while state.kept > MAX_REPLAY_BYTES && state.events.len() > 1 {
            let Some(front) = state.events.front() else {
                break;
            };
            let delivered = front.sequence < state.cursor;
            if !delivered && state.reader.is_some() {
                break;
            }
            let (size, sequence) = (front.len(), front.sequence);
            state.kept -= size;
            if !delivered {
                state.undelivered -= size;
                state.cursor = sequence + 1;
            }
            state.events.pop_front();
        }
        drop(state);
        self.readable.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, StreamState> {
        // The state is consistent between any two statements that can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what is ready, framed; `None` when this reader has been replaced or
    /// detached, or everything was delivered.
    fn take(&self, number: u64) -> Option<Vec<Bytes>> {
        let mut state = self.lock();
        if state.reader != Some(number) {
            return None;
        }
        let mut chunks = Vec::new();
        let mut gathered = BytesMut::new();
        let first = state
            .events
            .front()
            .map_or(state.next, |event| event.sequence);
        let mut index = (state.cursor.max(first) - first) as usize;
        while chunks.is_empty() && gathered.len() < MAX_CHUNK_BYTES {
            let Some(event) = state.events.get(index) else {
                break;
            };
            self.frame(event, &mut gathered, &mut chunks);
            let (sequence, size) = (event.sequence, event.len());
            state.cursor = sequence + 1;
            state.undelivered -= size;
            match self.resumption {
                Resumption::Offered => index += 1,
                Resumption::None => {
                    state.kept -= size;
                    state.events.pop_front();
                }
            }
        }
        if !gathered.is_empty() {
            chunks.push(gathered.freeze());
        }
        if chunks.is_empty() && (state.finished || state.leaving) {
            return None;
        }
        drop(state);
        self.writable.notify_waiters();
        Some(chunks)
    }

    /// Writes an event in the format of the HTML standard, section 9.2.
    fn frame(&self, event: &SentEvent, gathered: &mut BytesMut, chunks: &mut Vec<Bytes>) {
        if self.resumption == Resumption::Offered {
            gathered.put_slice(format!("id: {}-{}\n", self.name, event.sequence).as_bytes());
        }
        match &event.content {
            EventContent::Priming { retry_milliseconds } => {
                gathered.put_slice(format!("retry: {retry_milliseconds}\ndata: \n\n").as_bytes());
            }
            EventContent::Message(message) => {
                gathered.put_slice(b"data: ");
                if message.len() < MAX_CHUNK_BYTES {
                    for piece in message.pieces() {
                        gathered.put_slice(piece);
                    }
                } else {
                    chunks.push(gathered.split().freeze());
                    chunks.extend(message.pieces().iter().cloned());
                }
                gathered.put_slice(b"\n\n");
            }
        }
    }
}

/// The HTTP response that carries a stream.
struct StreamReader<G> {
    stream: Arc<EventStream>,
    number: u64,
    _on_close: G,
}

impl<G> StreamReader<G> {
    async fn next_chunks(&self) -> Option<Vec<Bytes>> {
        loop {
            let readable = self.stream.readable.notified();
            tokio::pin!(readable);
            // Registered before looking, so that nothing added meanwhile is missed.
            readable.as_mut().enable();
            let chunks = self.stream.take(self.number)?;
            if !chunks.is_empty() {
                return Some(chunks);
            }
            readable.await;
        }
    }
}

impl<G> Drop for StreamReader<G> {
    fn drop(&mut self) {
        let mut state = self.stream.lock();
        if state.reader == Some(self.number) {
            state.reader = None;
        }
        drop(state);
        self.stream.writable.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;

    use super::*;

    fn message(text: &str) -> Message {
        Message::from(text.to_owned())
    }

    async fn read_all(stream: &Arc<EventStream>, after: Option<u64>) -> String {
        let chunks: Vec<_> = stream.attach(after, ()).collect().await;
        chunks
            .into_iter()
            .map(|chunk| String::from_utf8(chunk.unwrap().to_vec()).unwrap())
            .collect()
    }

    #[tokio::test]
    async fn a_client_that_comes_back_gets_what_it_missed() {
        let stream = EventStream::new("7", Resumption::Offered);
        for text in ["1", "2", "3"] {
            stream.push(message(text));
        }
        stream.finish();
        assert_eq!(
            read_all(&stream, None).await,
            "id: 7-0\ndata: 1\n\nid: 7-1\ndata: 2\n\nid: 7-2\ndata: 3\n\n"
        );
        assert_eq!(read_all(&stream, Some(1)).await, "id: 7-2\ndata: 3\n\n");
        assert_eq!(read_all(&stream, Some(99)).await, "");
    }

    #[tokio::test]
    async fn a_modern_stream_has_no_ids_and_keeps_nothing() {
        let stream = EventStream::new("7", Resumption::None);
        stream.push(message("1"));
        stream.finish();
        assert_eq!(read_all(&stream, None).await, "data: 1\n\n");
        assert_eq!(read_all(&stream, None).await, "");
    }

    #[tokio::test]
    async fn a_large_message_is_passed_on_without_being_copied() {
        let stream = EventStream::new("7", Resumption::None);
        let big = Bytes::from(vec![b'x'; MAX_CHUNK_BYTES * 2]);
        stream.push(Message::Pieces(vec![big.clone(), Bytes::from_static(b"y")]));
        stream.finish();
        let chunks: Vec<_> = stream
            .attach(None, ())
            .map(|chunk| chunk.unwrap())
            .collect()
            .await;
        assert!(chunks.iter().any(|chunk| chunk.as_ptr() == big.as_ptr()));
        let sizes: usize = chunks.iter().map(Bytes::len).sum();
        assert_eq!(sizes, "data: ".len() + big.len() + 1 + "\n\n".len());
    }

    #[tokio::test]
    async fn without_a_reader_memory_stays_bounded_and_the_newest_are_kept() {
        let stream = EventStream::new("7", Resumption::Offered);
        for _ in 0..20 {
            stream.push(Message::Whole(Bytes::from(vec![b'x'; 1024 * 1024])));
        }
        assert!(stream.lock().kept <= MAX_REPLAY_BYTES);
        stream.push(message("last"));
        stream.finish();
        assert!(
            read_all(&stream, None)
                .await
                .ends_with("id: 7-20\ndata: last\n\n")
        );
    }
}
