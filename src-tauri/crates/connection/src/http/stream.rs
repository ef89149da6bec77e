//! Streams of events: taking them up again, and the one that the server uses when it has
//! something to say outside any request.

use std::time::Duration;

use reqwest::{
    Method, Response, StatusCode,
    header::{ACCEPT, HeaderValue},
};
use sightglass_traffic::CarrierId;

use super::{HttpLink, LAST_EVENT_ID, SESSION_ID, end_if_fatal};
use crate::{
    event_stream::{Broken, Event, EventStream},
    gate::{Content, Fetch, content_type},
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
            // An empty one takes back the last (WHATWG HTML, section 9.2.6).
            self.last_event = HeaderValue::from_bytes(id).ok().filter(|id| !id.is_empty());
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
            url: link.gate.url().to_string(),
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
        .gate
        .fetch(
            wire,
            Fetch {
                method: Method::GET,
                url: None,
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
        return Err(link.refused(response, with_session).await);
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
            Err(error @ LinkError::Network { .. }) if !error.never_arrived() => {}
            Err(LinkError::Status { status, .. }) if status >= 500 || status == 429 => {}
            Err(error) => {
                end_if_fatal(link, wire, &error);
                return;
            }
        }
        tokio::time::sleep(position.wait()).await;
        position.fruitless = position.fruitless.saturating_add(1);
    }
}
