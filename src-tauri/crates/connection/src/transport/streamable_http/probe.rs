//! Sends single HTTP requests that test how a server keeps the rules of the transport.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use sightglass_http::{
    Method,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use sightglass_model::FrameId;
use sightglass_traffic::Direction;

use super::{StreamableHttpTransport, exchange};
use crate::{
    transport::error::TransportError,
    transport::http_client::{Refused, RemoteRequest},
    transport::{Outbound, TransportEvents},
};

/// Time limit for the answer.
const PROBE_TIMEOUT: Duration = Duration::from_secs(10);

/// An HTTP request that tests a server. It has the headers of a message of its session, and those
/// that are said here in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HttpProbe {
    /// The body of a POST; a GET without one.
    pub body: Option<String>,
    /// Headers by name; those without a value are left out.
    pub headers: Vec<(&'static str, Option<String>)>,
}

/// Answer to an [`HttpProbe`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpProbeAnswer {
    pub status: u16,
    pub content_type: Option<String>,
    /// The beginning of the body; empty for an event stream that was opened by GET.
    pub body: String,
    /// The HTTP request on record.
    pub frame: FrameId,
}

impl StreamableHttpTransport {
    /// Sends a probe, which is on record like any other request.
    pub(crate) async fn probe(
        &self,
        events: &Arc<impl TransportEvents>,
        probe: &HttpProbe,
    ) -> Result<HttpProbeAnswer, TransportError> {
        let request = RemoteRequest {
            method: match probe.body {
                Some(_) => Method::POST,
                None => Method::GET,
            },
            url: None,
            headers: self.probe_headers(probe),
            body: probe.body.clone().map(|text| Outbound {
                text: Bytes::from(text),
                request: None,
            }),
        };
        let sending = async {
            let (response, carrier) = self.client.fetch(events, request).await?;
            let header = response.headers().get(CONTENT_TYPE);
            let content_type =
                header.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
            let status = response.status();
            // A stream that listens does not end.
            let is_stream = probe.body.is_none() && status.is_success();
            let body = match is_stream {
                true => Bytes::new(),
                false => Bytes::from(Refused::read(response).await.body),
            };
            if serde_json::from_slice::<serde_json::Value>(&body).is_ok() {
                let recorder = &events.connection().recorder;
                recorder
                    .message(Direction::Received, &body, Some(carrier))
                    .await;
            }
            Ok(HttpProbeAnswer {
                status: status.as_u16(),
                content_type,
                body: String::from_utf8_lossy(&body).into_owned(),
                frame: carrier.frame(),
            })
        };
        tokio::time::timeout(PROBE_TIMEOUT, sending)
            .await
            .unwrap_or(Err(TransportError::Closed))
    }

    fn probe_headers(&self, probe: &HttpProbe) -> HeaderMap {
        let mut headers = self.session_headers();
        headers.insert(ACCEPT, exchange::ACCEPTED);
        if probe.body.is_some() {
            headers.insert(CONTENT_TYPE, exchange::JSON);
        }
        for (name, value) in &probe.headers {
            let name = HeaderName::from_static(name);
            match value.as_deref().map(HeaderValue::from_str) {
                Some(Ok(value)) => {
                    headers.insert(name, value);
                }
                _ => {
                    headers.remove(name);
                }
            }
        }
        headers
    }

    /// Returns whether the server gave this connection a session.
    pub(crate) fn has_session(&self) -> bool {
        crate::sync::lock(&self.session).id.is_some()
    }
}
