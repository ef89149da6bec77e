//! How far an HTTP request got, and what its status means.

use std::error::Error;

use reqwest::{Response, StatusCode, Url, header::WWW_AUTHENTICATE};
use sightglass_model::NetworkStage;

use crate::link_error::LinkError;

/// Bytes of a body that are kept to explain a status.
const BODY_BYTES: usize = 64 * 1024;
/// Characters of it that a failure shows.
const BODY_CHARACTERS: usize = 2000;

/// No answer: names the stage that failed.
pub(super) fn network(url: &Url, error: &reqwest::Error) -> LinkError {
    let mut words = Vec::new();
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    let mut stage = if error.is_connect() {
        NetworkStage::Tcp
    } else {
        NetworkStage::Http
    };
    while let Some(current) = cause {
        let text = current.to_string();
        if error.is_connect() {
            let lower = text.to_lowercase();
            if lower.contains("dns error") || lower.contains("failed to lookup address") {
                stage = NetworkStage::Dns;
            } else if ["certificate", "tls", "handshake", "invalidcontenttype"]
                .iter()
                .any(|word| lower.contains(word))
            {
                stage = NetworkStage::Tls;
            }
        }
        // Each layer repeats the one below it; the innermost says it in full.
        if words.last() != Some(&text) {
            words.push(text);
        }
        cause = current.source();
    }
    LinkError::Network {
        stage,
        url: url.to_string(),
        message: words.pop().unwrap_or_else(|| error.to_string()),
    }
}

/// A status that is not a success, with the body as far as it is needed.
pub(super) struct Refused {
    pub status: StatusCode,
    pub body: Vec<u8>,
    challenge: Option<String>,
    with_session: bool,
}

impl Refused {
    pub(super) async fn read(mut response: Response, with_session: bool) -> Self {
        let status = response.status();
        let challenge = response
            .headers()
            .get(WWW_AUTHENTICATE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let mut body = Vec::new();
        // A body that breaks off explains as much as it can.
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = BODY_BYTES - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if body.len() == BODY_BYTES {
                break;
            }
        }
        Self {
            status,
            body,
            challenge,
            with_session,
        }
    }

    pub(super) fn into_error(self, url: &Url) -> LinkError {
        let status = self.status.as_u16();
        let url = url.to_string();
        match status {
            401 => LinkError::SignInRequired {
                status,
                url,
                challenge: self.challenge,
            },
            // RFC 6750, section 3.1: a 403 for want of a scope says so in the challenge.
            403 if self.challenge.is_some() => LinkError::SignInRequired {
                status,
                url,
                challenge: self.challenge,
            },
            404 if self.with_session => LinkError::SessionExpired { url },
            _ => LinkError::Status {
                status,
                url,
                body: excerpt(&self.body),
            },
        }
    }
}

/// The beginning of a body as text.
pub(super) fn excerpt(body: &[u8]) -> Option<String> {
    let text: String = String::from_utf8_lossy(body)
        .chars()
        .take(BODY_CHARACTERS)
        .collect();
    (!text.trim().is_empty()).then_some(text)
}
