//! Streams of events: reading them, taking them up again, and the one that the server
//! uses when it has something to say outside any request.

use std::time::Duration;

use reqwest::{
    Method, Response, StatusCode,
    header::{ACCEPT, HeaderValue},
};
use sightglass_traffic::CarrierId;

use super::{
    Fetch, HttpLink, LAST_EVENT_ID, SESSION_ID, end_if_fatal,
    exchange::{Content, content_type},
    failure::Refused,
    sse::{Event, Parser},
};
use crate::{
    link_error::LinkError,
    wire::{Origin, Wire},
};

const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
/// How long to wait before a stream is opened again, unless the server said.
const RETRY: Duration = Duration::from_secs(1);
/// The longest wait after repeated failures.
const LONGEST_RETRY: Duration = Duration::from_secs(30);
/// Attempts to take a response up again that bring nothing new, before it is given up.
const MOST_FRUITLESS: u32 = 5;

/// Why a stream stopped.
pub(super) enum Broken {
    /// An event of at least this size.
    TooLarge(usize),
    /// The connection broke off.
    Off,
}

/// The events of one response.
pub(super) struct EventStream {
    response: Response,
    parser: Parser,
}

impl EventStream {
    pub(super) fn new(response: Response, limit: usize) -> Self {
        Self {
            response,
            parser: Parser::new(limit),
        }
    }

    /// The next event, or nothing at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, Broken> {
        loop {
            match self.parser.next() {
                Ok(Some(event)) => return Ok(Some(event)),
                Ok(None) => {}
                Err(too_large) => return Err(Broken::TooLarge(too_large.0)),
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.parser.push(&chunk),
                Ok(None) => return Ok(None),
                Err(_) => return Err(Broken::Off),
            }
        }
    }
}

/// How far a stream has been read.
#[derive(Default)]
pub(super) struct Position {
    last_event: Option<HeaderValue>,
    retry: Option<Duration>,
    fruitless: u32,
}

impl Position {
    pub(super) fn note(&mut self, event: &Event) {
        if let Some(id) = &event.id {
            self.last_event = HeaderValue::from_bytes(id).ok();
            self.fruitless = 0;
        }
        if let Some(retry) = event.retry {
            self.retry = Some(retry);
        }
    }

    /// The wait before the next attempt: what the server said, longer after each failure.
    fn wait(&self) -> Duration {
        let base = self.retry.unwrap_or(RETRY);
        base.saturating_mul(1 << self.fruitless.min(5))
            .min(LONGEST_RETRY.max(base))
    }

    /// Takes the stream of a request up again behind the last event.
    pub(super) async fn resume(
        &mut self,
        link: &HttpLink,
        wire: &Wire,
    ) -> Result<(Response, CarrierId), LinkError> {
        let interrupted = |message: &str| LinkError::Interrupted {
            url: link.url.to_string(),
            message: message.to_owned(),
        };
        if self.last_event.is_none() {
            return Err(interrupted("the stream ended before the answer came"));
        }
        while self.fruitless < MOST_FRUITLESS {
            tokio::time::sleep(self.wait()).await;
            self.fruitless += 1;
            match open(link, wire, self.last_event.clone()).await {
                Ok(Some(opened)) => return Ok(opened),
                Ok(None) => break,
                Err(LinkError::Network { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(interrupted(
            "the stream ended before the answer came, and could not be taken up again",
        ))
    }
}

/// Opens a stream with GET. Nothing when the server has none to offer.
async fn open(
    link: &HttpLink,
    wire: &Wire,
    last_event: Option<HeaderValue>,
) -> Result<Option<(Response, CarrierId)>, LinkError> {
    let mut headers = link.session_headers();
    headers.insert(ACCEPT, EVENTS);
    if let Some(last_event) = last_event {
        headers.insert(LAST_EVENT_ID, last_event);
    }
    let with_session = headers.contains_key(SESSION_ID);
    let (response, carrier) = link
        .fetch(
            wire,
            Fetch {
                method: Method::GET,
                headers,
                body: None,
            },
        )
        .await?;
    let status = response.status();
    if status == StatusCode::METHOD_NOT_ALLOWED {
        return Ok(None);
    }
    if !status.is_success() {
        return Err(Refused::read(response, with_session)
            .await
            .into_error(&link.url));
    }
    Ok(matches!(content_type(&response), Content::Events).then_some((response, carrier)))
}

/// Listens to the server for as long as the session lasts (`initialize` era). Servers need
/// not offer this.
pub(super) async fn listen(link: &HttpLink, wire: &std::sync::Arc<Wire>) {
    let mut position = Position::default();
    loop {
        match open(link, wire, position.last_event.clone()).await {
            Ok(Some((response, carrier))) => {
                let origin = Origin {
                    carrier: Some(carrier),
                    request: None,
                };
                let mut events = EventStream::new(response, link.limit);
                loop {
                    match events.next().await {
                        Ok(Some(event)) => {
                            position.note(&event);
                            position.fruitless = 0;
                            if !event.data.is_empty() {
                                wire.received(event.data, origin).await;
                            }
                        }
                        Err(Broken::TooLarge(size)) => {
                            wire.too_large(None, size);
                            break;
                        }
                        Ok(None) | Err(Broken::Off) => break,
                    }
                }
            }
            Ok(None) => return,
            Err(LinkError::Network { .. }) => {}
            Err(LinkError::Status { status, .. }) if status >= 500 || status == 429 => {}
            Err(error) => {
                end_if_fatal(wire, &error);
                return;
            }
        }
        tokio::time::sleep(position.wait()).await;
        position.fruitless = position.fruitless.saturating_add(1);
    }
}
