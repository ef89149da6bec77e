//! The HTTP request to an endpoint.

use std::{net::IpAddr, time::Duration};

use serde_json::Value;
use sightglass_http::{
    HttpClient, HttpError, HttpOptions, HttpRequest, Method, Proxies,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use sightglass_secrets::{MASK, Secret};
use url::{Host, Url};

use crate::{Endpoint, EndpointKind};

/// Time for the whole answer: a model thinks.
const TIMEOUT: Duration = Duration::from_secs(180);
/// Largest answer, in bytes.
const MAX_ANSWER_BYTES: usize = 8 << 20;
/// Characters of an error of the endpoint that are shown.
const MAX_SHOWN: usize = 300;
/// Version of Anthropic's interface (<https://platform.claude.com/docs/en/api/versioning>).
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Reason why there is no answer. No text of it holds the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    #[error("{0}")]
    Address(String),
    #[error("{0}")]
    Unsupported(String),
    /// The certificates to trust cannot be read.
    #[error("{0}")]
    Certificates(String),
    #[error("The model cannot be reached: {0}.")]
    Unreachable(String),
    #[error("The model did not answer in time.")]
    TimedOut,
    /// The endpoint's own words, shortened.
    #[error("The model refused with the status {status}. {message}")]
    Refused { status: u16, message: String },
    #[error("The answer of the model cannot be read: {0}.")]
    Answer(String),
}

impl EndpointError {
    pub(crate) fn answer(reason: &str) -> Self {
        Self::Answer(reason.to_owned())
    }
}

/// Returns the host of an address.
pub(crate) fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

/// Returns the address of `path` below `base`.
///
/// # Errors
/// When a key would go over a line that others can read.
pub(crate) fn address(base: &str, path: &str) -> Result<Url, EndpointError> {
    let wrong = |reason: &str| EndpointError::Address(reason.to_owned());
    let url = Url::parse(base.trim()).map_err(|_| wrong("The address is not a URL."))?;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => return Err(wrong("The address has no host.")),
    };
    match url.scheme() {
        "https" => {}
        "http" if is_here => {}
        _ => {
            return Err(wrong(
                "The address has to be https://, or http:// on this machine.",
            ));
        }
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(
            "The address may not hold a password; the key has its own field.",
        ));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("The address may not have a query or a fragment."));
    }
    let mut url = url;
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty();
        segments.extend(path.split('/').filter(|part| !part.is_empty()));
    }
    Ok(url)
}

fn headers(endpoint: &Endpoint) -> Result<HeaderMap, EndpointError> {
    let mut headers = HeaderMap::new();
    if endpoint.kind == EndpointKind::Anthropic {
        headers.insert(
            HeaderName::from_static("anthropic-version"),
            HeaderValue::from_static(ANTHROPIC_VERSION),
        );
    }
    let Some(key) = &endpoint.key else {
        return Ok(headers);
    };
    let (name, value) = match endpoint.kind {
        EndpointKind::Anthropic => (
            HeaderName::from_static("x-api-key"),
            key.expose().trim().to_owned(),
        ),
        EndpointKind::OpenaiChat => (AUTHORIZATION, format!("Bearer {}", key.expose().trim())),
    };
    let mut value = HeaderValue::from_str(&value).map_err(|_| {
        EndpointError::Address("The key holds characters that no header can.".to_owned())
    })?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}

/// Sends a body and reads the JSON that comes back.
pub(crate) async fn post(
    http: HttpOptions,
    endpoint: &Endpoint,
    path: &str,
    body: &Value,
) -> Result<Value, EndpointError> {
    let url = address(&endpoint.url, path)?;
    let unreachable = |error: HttpError| match error {
        HttpError::TooLarge { .. } => EndpointError::answer("it is larger than 8 MiB"),
        error if error.is_timeout() => EndpointError::TimedOut,
        error => EndpointError::Unreachable(masked(endpoint, &error.to_string())),
    };
    let mut headers = headers(endpoint)?;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let client = HttpClient::new(HttpOptions {
        proxies: match url.scheme() {
            // A proxy could read what goes to this machine without TLS.
            "http" => Proxies::default(),
            _ => http.proxies.clone(),
        },
        timeout: Some(TIMEOUT),
        ..http
    })
    .map_err(|error| EndpointError::Certificates(error.sentence()))?;
    // The key is for this address: redirects are not followed.
    let request = HttpRequest {
        method: Method::POST,
        url,
        headers,
        body: Some(body.to_string().into()),
    };
    let mut answer = client.send(request).await.map_err(unreachable)?;
    let status = answer.status();
    let text = answer.read(MAX_ANSWER_BYTES).await.map_err(unreachable)?;
    if status.is_redirection() {
        return Err(EndpointError::Refused {
            status: status.as_u16(),
            message: "It leads to another address, where the key does not go.".to_owned(),
        });
    }
    let parsed = serde_json::from_slice::<Value>(&text);
    if !status.is_success() {
        let told = parsed.as_ref().ok().and_then(|value| {
            let message = value.pointer("/error/message").or(value.get("error"))?;
            message.as_str().map(str::to_owned)
        });
        let told = told.unwrap_or_else(|| String::from_utf8_lossy(&text).into_owned());
        return Err(EndpointError::Refused {
            status: status.as_u16(),
            message: masked(endpoint, &told),
        });
    }
    let mut value = parsed.map_err(|_| EndpointError::answer("it is not JSON"))?;
    if let Some(key) = &endpoint.key {
        mask(&mut value, key);
    }
    Ok(value)
}

/// Masks the key in every text of a value: an endpoint that echoes it would hand it on to a server.
fn mask(value: &mut Value, key: &Secret<String>) {
    match value {
        Value::String(text) => {
            *text = without(text, key);
            // Arguments of calls are JSON as a text, in which characters can be escaped.
            if let Ok(mut inner @ (Value::Object(_) | Value::Array(_))) =
                serde_json::from_str::<Value>(text)
            {
                let before = inner.clone();
                mask(&mut inner, key);
                if inner != before {
                    *text = inner.to_string();
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| mask(item, key)),
        Value::Object(members) => members.values_mut().for_each(|member| mask(member, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The text with the mask in place of the key.
fn without(text: &str, key: &Secret<String>) -> String {
    match key.expose().trim() {
        "" => text.to_owned(),
        key => text.replace(key, MASK),
    }
}

/// The beginning of a text of the endpoint's, without the key and on one line.
fn masked(endpoint: &Endpoint, text: &str) -> String {
    let text = match &endpoint.key {
        Some(key) => without(text, key),
        None => text.to_owned(),
    };
    let line: String = text
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .take(MAX_SHOWN)
        .collect();
    line.trim().to_owned()
}
