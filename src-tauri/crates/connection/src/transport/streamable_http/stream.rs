//! Event streams: resumes them (`Last-Event-ID`), and keeps the GET stream open on which the
//! server sends messages outside any request.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sightglass_http::{
    HttpResponse, Method, StatusCode,
    header::{ACCEPT, HeaderValue},
};
use sightglass_traffic::CarrierId;

use super::{LAST_EVENT_ID, SESSION_ID, StreamableHttpTransport, end_if_fatal};
use crate::{
    transport::error::TransportError,
    transport::event_stream::{Event, EventStreamError, ResponseEvents},
    transport::http_client::{Content, RemoteRequest, content_type},
    transport::{Origin, TransportEvents},
};

const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
/// Time to wait before a stream is opened again, unless the server said.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// Shortest wait that a server may ask for. One that says 0 would be asked again without a pause.
const MIN_REQUESTED_RETRY: Duration = Duration::from_millis(100);
const MAX_REQUESTED_RETRY: Duration = Duration::from_secs(300);
/// The longest wait after repeated failures, unless the server wants a longer one.
const MAX_RETRY_INTERVAL: Duration = Duration::from_secs(30);
/// Attempts in a row to reach the server, before a response is given up.
const MAX_FAILURES: u32 = 5;
/// Streams in a row that ended at once and brought no message, before no other is asked for.
const MAX_EMPTY_STREAMS: u32 = 20;
/// A stream that stays open for this long was worth opening, whatever it brought.
const MIN_STREAM_LIFE: Duration = Duration::from_secs(1);

/// Position up to which a stream has been read, and the success of the last attempts.
pub(super) struct StreamPosition {
    last_event: Option<HeaderValue>,
    retry: Option<Duration>,
    opened: Instant,
    brought_message: bool,
    /// Attempts in a row that reached no server.
    failures: u32,
    /// Streams in a row that ended at once. The wait doubles with each.
    short: u32,
    /// Those among them that brought no message.
    fruitless: u32,
}

impl Default for StreamPosition {
    fn default() -> Self {
        Self {
            last_event: None,
            retry: None,
            opened: Instant::now(),
            brought_message: false,
            failures: 0,
            short: 0,
            fruitless: 0,
        }
    }
}

impl StreamPosition {
    /// A stream is open.
    fn opened(&mut self) {
        self.opened = Instant::now();
        self.brought_message = false;
        self.failures = 0;
    }

    /// The stream ended after `lived`.
    fn ended(&mut self, lived: Duration) {
        if lived >= MIN_STREAM_LIFE {
            self.short = 0;
            self.fruitless = 0;
            return;
        }
        self.short = self.short.saturating_add(1);
        self.fruitless = if self.brought_message {
            0
        } else {
            self.fruitless.saturating_add(1)
        };
    }

    pub(super) fn note(&mut self, event: &Event) {
        self.brought_message |= !event.data.is_empty();
        if let Some(id) = &event.id {
            // An empty one takes back the last (WHATWG HTML, section 9.2.6).
            self.last_event = HeaderValue::from_bytes(id).ok().filter(|id| !id.is_empty());
        }
        if let Some(retry) = event.retry {
            self.retry = Some(retry.clamp(MIN_REQUESTED_RETRY, MAX_REQUESTED_RETRY));
        }
    }

    /// The wait before the next attempt: what the server said, and twice as long for each
    /// attempt in a row after the first that came to nothing much.
    fn wait(&self) -> Duration {
        let base = self.retry.unwrap_or(RETRY_INTERVAL);
        let again = self.failures.max(self.short.saturating_sub(1));
        base.saturating_mul(1 << again.min(10))
            .min(MAX_RETRY_INTERVAL.max(base))
    }

    /// Takes the stream of a request up again behind the last event.
    pub(super) async fn resume(
        &mut self,
        link: &StreamableHttpTransport,
        events: &Arc<impl TransportEvents>,
    ) -> Result<(HttpResponse, CarrierId), TransportError> {
        let interrupted = |message: &str| TransportError::Interrupted {
            url: link.client.url().to_string(),
            message: message.to_owned(),
        };
        if self.last_event.is_none() {
            return Err(interrupted("the stream ended before the answer came"));
        }
        self.ended(self.opened.elapsed());
        if self.fruitless >= MAX_EMPTY_STREAMS {
            return Err(interrupted(&format!(
                "the stream ended before the answer came, and {MAX_EMPTY_STREAMS} times in a row \
                 nothing came when it was taken up again"
            )));
        }
        while self.failures < MAX_FAILURES {
            tokio::time::sleep(self.wait()).await;
            self.failures += 1;
            match open(link, events, self.last_event.clone(), StreamPurpose::Answer).await {
                Ok(Some(opened)) => {
                    self.opened();
                    return Ok(opened);
                }
                Ok(None) => break,
                Err(TransportError::Network { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(interrupted(
            "the stream ended before the answer came, and could not be taken up again",
        ))
    }
}

/// Purpose of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StreamPurpose {
    /// It goes on with the answer to a request.
    Answer,
    /// It brings what the server says by itself, which a connection does without.
    Listening,
}

/// Opens a stream with GET. Nothing when the server has none to offer.
async fn open(
    link: &StreamableHttpTransport,
    events: &Arc<impl TransportEvents>,
    last_event: Option<HeaderValue>,
    purpose: StreamPurpose,
) -> Result<Option<(HttpResponse, CarrierId)>, TransportError> {
    let mut headers = link.session_headers();
    headers.insert(ACCEPT, EVENTS);
    if let Some(last_event) = last_event {
        headers.insert(LAST_EVENT_ID, last_event);
    }
    let with_session = headers.contains_key(SESSION_ID);
    let fetch = RemoteRequest::new(Method::GET, headers);
    let (response, carrier) = match purpose {
        StreamPurpose::Answer => link.client.fetch(events, fetch).await?,
        StreamPurpose::Listening => link.client.fetch_optional(events, fetch).await?,
    };
    let status = response.status();
    if status == StatusCode::METHOD_NOT_ALLOWED {
        return Ok(None);
    }
    if !status.is_success() {
        return Err(link.refused(response, with_session).await);
    }
    Ok(matches!(content_type(&response), Content::Events).then_some((response, carrier)))
}

/// Listens to the server for as long as the session lasts (`initialize` era). Servers need
/// not offer this, and one that refuses it may well answer requests: what comes of them decides.
pub(super) async fn listen(link: &StreamableHttpTransport, events: &Arc<impl TransportEvents>) {
    let mut position = StreamPosition::default();
    let mut was_open = false;
    loop {
        let last_event = position.last_event.clone();
        let opened = open(link, events, last_event, StreamPurpose::Listening).await;
        link.is_opening_stream.send_replace(false);
        match opened {
            Ok(Some((response, carrier))) => {
                was_open = true;
                let origin = Origin {
                    carrier: Some(carrier),
                    request: None,
                };
                position.opened();
                let mut stream = ResponseEvents::new(response, link.limit);
                loop {
                    match stream.next().await {
                        Ok(Some(event)) => {
                            position.note(&event);
                            if !event.data.is_empty() {
                                events.received(event.data, origin).await;
                            }
                        }
                        Err(EventStreamError::TooLarge(size)) => {
                            events.too_large(None, size);
                            break;
                        }
                        Ok(None) | Err(EventStreamError::Off) => break,
                    }
                }
                position.ended(position.opened.elapsed());
                if position.fruitless >= MAX_EMPTY_STREAMS {
                    let message = format!(
                        "The server ended its stream of events {MAX_EMPTY_STREAMS} times in a row at \
                         once and without a message. It is not asked for another one, so what it \
                         says by itself is not heard before you connect again."
                    );
                    events.connection().recorder.note("stream", &message);
                    return;
                }
            }
            Ok(None) => return,
            Err(error @ TransportError::Network { .. }) if !error.never_arrived() => {
                position.failures = position.failures.saturating_add(1);
            }
            Err(TransportError::Status { status, .. }) if status >= 500 || status == 429 => {
                position.failures = position.failures.saturating_add(1);
            }
            Err(error) if is_about_the_stream(&error, was_open) => {
                let message = format!(
                    "The server refuses its stream of events: {error}. Requests go on; what the \
                     server says by itself is not heard before you connect again."
                );
                events.connection().recorder.note("stream", &message);
                return;
            }
            Err(error) => {
                end_if_fatal(link, events, &error);
                return;
            }
        }
        tokio::time::sleep(position.wait()).await;
    }
}

/// Returns true when an error says something of the stream alone. Of one that was open a 401 means
/// that the token is over, and a 404 that the session is; from the first a server may want more for
/// the stream than for requests, or have none.
fn is_about_the_stream(error: &TransportError, was_open: bool) -> bool {
    match error {
        TransportError::SignInRequired { .. } | TransportError::SessionExpired { .. } => !was_open,
        TransportError::Status { .. } | TransportError::Unexpected { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    const MOMENT: Duration = Duration::from_millis(5);

    fn event(data: &'static str, retry: Option<u64>) -> Event {
        Event {
            name: None,
            data: Bytes::from_static(data.as_bytes()),
            id: Some(Bytes::from_static(b"1")),
            retry: retry.map(Duration::from_millis),
        }
    }

    #[test]
    fn what_a_server_wants_as_a_wait_has_limits() {
        let mut position = StreamPosition::default();
        assert_eq!(position.wait(), RETRY_INTERVAL);
        position.note(&event("", Some(0)));
        assert_eq!(position.wait(), MIN_REQUESTED_RETRY);
        position.note(&event("", Some(u64::MAX)));
        assert_eq!(position.wait(), MAX_REQUESTED_RETRY);
    }

    #[test]
    fn streams_that_end_at_once_are_asked_for_less_and_less_often() {
        let mut position = StreamPosition::default();
        position.note(&event("{}", Some(0)));
        let mut waited = Duration::ZERO;
        for _ in 0..20 {
            position.note(&event("{}", None));
            position.ended(MOMENT);
            waited += position.wait();
            position.opened();
        }
        assert!(waited > Duration::from_secs(300), "{waited:?}");
        assert_eq!(position.fruitless, 0, "each brought a message");
        position.ended(MIN_STREAM_LIFE);
        assert_eq!(position.wait(), MIN_REQUESTED_RETRY);
    }

    #[test]
    fn streams_that_bring_nothing_are_counted() {
        let mut position = StreamPosition::default();
        for _ in 0..MAX_EMPTY_STREAMS {
            position.opened();
            position.note(&event("", None));
            position.ended(MOMENT);
        }
        assert_eq!(position.fruitless, MAX_EMPTY_STREAMS);
    }
}
