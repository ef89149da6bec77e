//! HTTP client of the remote transports: sends, redirects, records, and classifies failures.
//!
//! Every request of every remote transport passes [`RemoteClient::fetch`]: the POST, GET and DELETE
//! of Streamable HTTP, both legs of HTTP with Server-Sent Events, and the upgrade to
//! WebSocket. So there is one place where the entry's headers are put on, where redirects
//! are followed, where a request is recorded with what came back, and where a refusal for
//! want of a token becomes [`TransportError::SignInRequired`].

mod address;
mod content;
mod failure;

use std::{net::IpAddr, sync::Arc};

use sightglass_auth::{Authorization, Authorizer, Challenge, Decision, possible_faults};
use sightglass_http::{
    HttpClient, HttpError, HttpOptions, HttpRequest, HttpResponse, HttpVersions, Method, PROGRAM,
    Proxies, RecordedRequest, RedirectTarget, StatusCode,
    header::{
        ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION,
        RETRY_AFTER, USER_AGENT, WWW_AUTHENTICATE,
    },
    header_texts,
};
use sightglass_model::{Failure, FrameId, HttpFault, NetworkStage, RemoteEndpoint, TokenFault};
use sightglass_traffic::{CarrierId, Direction, HttpFacts, HttpKind};
use url::Url;

pub(crate) use address::Address;
pub(crate) use content::{Content, content_type};
pub(crate) use failure::{Refused, excerpt, excerpt_of};

use crate::{
    status::diagnostics::RequestNote,
    transport::error::TransportError,
    transport::{Outbound, TransportEvents},
};

/// Redirects followed, within one origin.
const MAX_REDIRECTS: usize = 5;

pub(crate) struct RemoteClient {
    client: HttpClient,
    address: Address,
    /// Headers that the entry adds to each request.
    headers: HeaderMap,
    /// Source of the token, which gets a new one when it is refused.
    authorizer: Option<Authorizer>,
}

/// State of a request while it is tried.
#[derive(Default)]
struct RequestAttempts {
    /// The message on record.
    sent: Option<FrameId>,
    /// The address that the last answer came from.
    peer: Option<IpAddr>,
}

/// One request to be made of the server.
pub(crate) struct RemoteRequest {
    pub method: Method,
    /// Target, when it is not the address of the entry.
    pub url: Option<Url>,
    /// Headers that the transport needs; they win over the entry's headers of the same name.
    pub headers: HeaderMap,
    pub body: Option<Outbound>,
}

impl RemoteRequest {
    /// Makes a request without a body to the address of the entry.
    pub(crate) fn new(method: Method, headers: HeaderMap) -> Self {
        Self {
            method,
            url: None,
            headers,
            body: None,
        }
    }
}

/// Need of a connection for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConnectionNeed {
    Required,
    /// The connection does without: that it is refused says nothing of other requests.
    Optional,
}

impl RemoteClient {
    /// Prepares the way; nothing is sent yet.
    pub(crate) fn open(
        remote: &RemoteEndpoint,
        proxies: &Proxies,
        versions: HttpVersions,
    ) -> Result<Self, Failure> {
        let configuration = |message: String| Failure::Configuration { message };
        let address = Address::parse(&remote.url).map_err(configuration)?;
        let options = HttpOptions {
            versions,
            is_tls: address.url.scheme() == "https",
            socket: address.socket.clone(),
            ..HttpOptions::new(&remote.trust, proxies)
        };
        let client = HttpClient::new(options).map_err(|error| configuration(error.to_string()))?;
        Ok(Self {
            client,
            address,
            headers: entry_headers(remote).map_err(configuration)?,
            authorizer: None,
        })
    }

    /// Every request carries the token that `authorizer` gives.
    pub(crate) fn authorized_by(mut self, authorizer: Option<Authorizer>) -> Self {
        self.authorizer = authorizer;
        self
    }

    /// Returns the URL that requests go to by default.
    pub(crate) fn url(&self) -> &Url {
        &self.address.url
    }

    /// The same as the user knows it: with the scheme of the entry.
    pub(crate) fn shown(&self) -> String {
        self.address.shown(self.url())
    }

    /// Makes one request and records it, with the message that it carries. Redirects within
    /// the origin are followed, each on record. An answer that is about access is an error;
    /// every other is for the transport to judge.
    ///
    /// # Errors
    ///
    /// [`TransportError::SignInRequired`] for a 401, and for a 403 with a challenge;
    /// [`TransportError::Network`] and [`TransportError::Certificate`] when there is no answer;
    /// [`TransportError::Unexpected`] for a redirect that is not followed.
    pub(crate) async fn fetch(
        &self,
        events: &Arc<impl TransportEvents>,
        fetch: RemoteRequest,
    ) -> Result<(HttpResponse, CarrierId), TransportError> {
        self.perform(events, fetch, ConnectionNeed::Required).await
    }

    /// Makes a request that the connection does without. The user is not asked to sign in for it.
    pub(crate) async fn fetch_optional(
        &self,
        events: &Arc<impl TransportEvents>,
        fetch: RemoteRequest,
    ) -> Result<(HttpResponse, CarrierId), TransportError> {
        self.perform(events, fetch, ConnectionNeed::Optional).await
    }

    async fn perform(
        &self,
        events: &Arc<impl TransportEvents>,
        fetch: RemoteRequest,
        need: ConnectionNeed,
    ) -> Result<(HttpResponse, CarrierId), TransportError> {
        let mut tries = RequestAttempts::default();
        let Some(authorizer) = &self.authorizer else {
            return self
                .send(events, &fetch, HeaderMap::new(), &mut tries)
                .await;
        };
        let mut tried_again = false;
        loop {
            let authorization =
                authorizer
                    .authorize()
                    .await
                    .map_err(|error| TransportError::TokenUnreadable {
                        message: error.to_string(),
                    })?;
            let headers = secret_headers(events, &authorization)?;
            match self.send(events, &fetch, headers, &mut tries).await {
                Err(TransportError::SignInRequired {
                    status,
                    url,
                    challenge,
                    scopes,
                    body,
                    token,
                    sent_password,
                }) => {
                    let refusal = Challenge {
                        url: url.clone(),
                        status,
                        header: challenge.clone(),
                        peer: tries.peer,
                    };
                    let used = authorization.token.as_ref();
                    let decision = match need {
                        ConnectionNeed::Required => authorizer.refused(refusal, used).await,
                        ConnectionNeed::Optional => {
                            authorizer.refused_optional(refusal, used).await
                        }
                    };
                    if decision == Decision::Retry && !tried_again {
                        tried_again = true;
                        continue;
                    }
                    return Err(TransportError::SignInRequired {
                        status,
                        url,
                        challenge,
                        scopes,
                        body,
                        token,
                        sent_password,
                    });
                }
                answered => {
                    // An error is no word about the token.
                    let is_let_in = |(response, _): &(HttpResponse, CarrierId)| {
                        let status = response.status();
                        status.is_success() || status == StatusCode::SWITCHING_PROTOCOLS
                    };
                    if answered.as_ref().is_ok_and(is_let_in) {
                        authorizer.accepted(&authorization);
                    }
                    return answered;
                }
            }
        }
    }

    /// One try. The message is on record once, however often it is sent.
    async fn send(
        &self,
        events: &Arc<impl TransportEvents>,
        fetch: &RemoteRequest,
        authorization: HeaderMap,
        tries: &mut RequestAttempts,
    ) -> Result<(HttpResponse, CarrierId), TransportError> {
        let mut url = fetch.url.clone().unwrap_or_else(|| self.url().clone());
        let mut headers = self.dressed(&fetch.headers);
        // The entry's own header of that name stands: it was written by hand.
        for (name, value) in &authorization {
            headers.entry(name).or_insert_with(|| value.clone());
        }
        for _ in 0..=MAX_REDIRECTS {
            let started = self.started(events, &fetch.method, &url, &headers);
            let carrier = started.carrier();
            if let (Some(outbound), None) = (&fetch.body, &tries.sent) {
                let recorded = events
                    .connection()
                    .recorder
                    .message(Direction::Sent, &outbound.text, Some(carrier))
                    .await;
                if let Some(request) = &outbound.request {
                    events.sent(request.id, recorded.frame);
                }
                tries.sent = Some(recorded.frame);
            }
            let request = HttpRequest {
                method: fetch.method.clone(),
                url: url.clone(),
                headers: headers.clone(),
                body: fetch.body.as_ref().map(|outbound| outbound.text.clone()),
            };
            let answered = self.client.send(request).await;
            let response = self.answered(events, started, &url, answered)?;
            tries.peer = response.peer();
            if let Some(refusal) = self.refused_by_proxy(&response, &url) {
                return Err(refusal);
            }
            match redirection(&response, &url)? {
                Some(next) => url = next,
                None => {
                    let token = token(&headers);
                    let sent_password = sends_password(&url, &headers);
                    let admitted = admitted(response, &url, token.is_some(), sent_password).await;
                    if let (Err(_), Some(token)) = (&admitted, token) {
                        let faults = possible_faults(token, &without_query(&url));
                        events.connection().diagnostics.refused_token(faults);
                    }
                    return Ok((admitted?, carrier));
                }
            }
        }
        Err(TransportError::Unexpected {
            url: self.url().to_string(),
            status: StatusCode::TEMPORARY_REDIRECT.as_u16(),
            message: format!(
                "the server redirects in a circle: {MAX_REDIRECTS} redirects led back to {url}"
            ),
            body: None,
            fault: None,
        })
    }

    /// Returns the error of an answer that is the proxy's own: only a proxy asks for its password
    /// (RFC 9110, section 15.5.8). What comes through a tunnel is the server's.
    fn refused_by_proxy(&self, response: &HttpResponse, url: &Url) -> Option<TransportError> {
        let status = response.status();
        let proxy = self
            .client
            .proxy(url)
            .filter(|_| url.scheme() == "http")
            .filter(|_| status == StatusCode::PROXY_AUTHENTICATION_REQUIRED)?;
        Some(TransportError::Proxy {
            stage: NetworkStage::Http,
            url: self.address.shown(url),
            status: Some(status.as_u16()),
            message: "it asks for a password".to_owned(),
            proxy,
        })
    }

    /// The headers of a request: the entry's, and over them those of the transport.
    fn dressed(&self, headers: &HeaderMap) -> HeaderMap {
        let mut all = self.headers.clone();
        all.entry(USER_AGENT).or_insert(PROGRAM);
        // Answers are read as they come, also compressed ones; none is asked for, so that
        // what is on record is what the server chose to say.
        all.entry(ACCEPT_ENCODING)
            .or_insert(HeaderValue::from_static("identity"));
        for (name, value) in headers {
            all.insert(name, value.clone());
        }
        all
    }

    fn started<'e>(
        &self,
        events: &'e Arc<impl TransportEvents>,
        method: &Method,
        url: &Url,
        headers: &HeaderMap,
    ) -> RecordedRequest<'e> {
        let facts = HttpFacts {
            method: method.to_string(),
            url: self.address.shown(url),
            request_headers: header_texts(headers),
            ..HttpFacts::default()
        };
        let recorder = &events.connection().recorder;
        RecordedRequest::start(recorder, HttpKind::Mcp, facts, None)
    }

    /// Records what came of a request, and notes it for the doctor.
    fn answered(
        &self,
        events: &Arc<impl TransportEvents>,
        request: RecordedRequest<'_>,
        url: &Url,
        outcome: Result<HttpResponse, HttpError>,
    ) -> Result<HttpResponse, TransportError> {
        let note = |status, headers: &HeaderMap, error| {
            let header = |name| {
                let value: Option<&HeaderValue> = headers.get(name);
                value.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            };
            let note = RequestNote {
                method: request.facts().method.clone(),
                url: request.facts().url.clone(),
                status,
                content_type: header(CONTENT_TYPE),
                location: header(LOCATION),
                retry_after: header(RETRY_AFTER).and_then(|value| failure::wait(&value)),
                error,
                duration: request.elapsed(),
            };
            events
                .connection()
                .diagnostics
                .request(note, self.client.shown_certificate());
        };
        match outcome {
            Ok(response) => {
                let status = response.status().as_u16();
                note(Some(status), response.headers(), None);
                request.answered(status, header_texts(response.headers()), None);
                Ok(response)
            }
            Err(error) => {
                let error = failure::network(self.address.shown(url), error);
                note(None, &HeaderMap::new(), Some(error.to_string()));
                request.failed(error.to_string());
                Err(error)
            }
        }
    }
}

/// The headers that carry the token and other secrets. The record masks their values from
/// now on, wherever they stand.
fn secret_headers(
    events: &Arc<impl TransportEvents>,
    authorization: &Authorization,
) -> Result<HeaderMap, TransportError> {
    let secrets: Vec<_> = authorization
        .headers
        .iter()
        .map(|(_, value)| value.clone())
        .chain(authorization.token.clone())
        .collect();
    events.connection().recorder.learn(&secrets);
    let mut map = HeaderMap::new();
    for (name, value) in &authorization.headers {
        let parsed = HeaderName::try_from(name.as_str())
            .ok()
            .zip(HeaderValue::try_from(value.expose().as_str()).ok());
        let Some((name, mut value)) = parsed else {
            return Err(TransportError::TokenUnreadable {
                message: format!("the value kept for the header {name} is not valid in HTTP"),
            });
        };
        value.set_sensitive(true);
        map.insert(name, value);
    }
    Ok(map)
}

/// Returns an error for a response that asks for a sign-in, and any other response as it is. A 403
/// for want of a scope has a challenge (RFC 6750, section 3.1).
async fn admitted(
    response: HttpResponse,
    url: &Url,
    carried_token: bool,
    sent_password: bool,
) -> Result<HttpResponse, TransportError> {
    let challenges: Vec<String> = response
        .headers()
        .get_all(WWW_AUTHENTICATE)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect();
    let challenge = (!challenges.is_empty()).then(|| challenges.join(", "));
    let about_access = match response.status() {
        StatusCode::UNAUTHORIZED => true,
        StatusCode::FORBIDDEN => challenge.is_some(),
        _ => false,
    };
    if about_access {
        let refusal = Challenge {
            url: url.to_string(),
            status: response.status().as_u16(),
            header: challenge,
            peer: None,
        };
        let body = excerpt_of(response).await;
        let token = carried_token.then(|| {
            let plain = body
                .clone()
                .filter(|body| !body.trim_start().starts_with('<'));
            let words = refusal.error_description().or(plain);
            TokenFault::told_in(&words.unwrap_or_default())
        });
        return Err(TransportError::SignInRequired {
            scopes: refusal.scopes().unwrap_or_default(),
            status: refusal.status,
            url: refusal.url,
            challenge: refusal.header,
            body,
            token,
            sent_password,
        });
    }
    Ok(response)
}

/// Returns the token that a request carries (RFC 6750, section 2.1).
fn token(headers: &HeaderMap) -> Option<&str> {
    credentials(headers, "bearer")
}

/// Tells if a request carries a user name and a password (RFC 7617): in its header, or in the
/// address, from which the header is made.
fn sends_password(url: &Url, headers: &HeaderMap) -> bool {
    match headers.contains_key(AUTHORIZATION) {
        true => credentials(headers, "basic").is_some(),
        false => !url.username().is_empty() || url.password().is_some(),
    }
}

/// Returns the credentials of a scheme that a request carries.
fn credentials<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (sent, credentials) = value.trim().split_once(' ')?;
    sent.eq_ignore_ascii_case(scheme)
        .then(|| credentials.trim())
}

/// Returns an address without what may be secret in it.
fn without_query(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

/// Returns the target of a redirect, if there is one. The request goes there as it is, with its
/// method and body. It never leaves the origin, since its headers can hold a token.
fn redirection(response: &HttpResponse, url: &Url) -> Result<Option<Url>, TransportError> {
    let refused = |message: String, fault| TransportError::Unexpected {
        url: url.to_string(),
        status: response.status().as_u16(),
        message,
        body: None,
        fault,
    };
    // A 303 names another resource (RFC 9110, section 15.4.4), and no place for the message.
    let target = response
        .redirect(url)
        .filter(|_| response.status() != StatusCode::SEE_OTHER);
    match target {
        None => Ok(None),
        Some(RedirectTarget::SameOrigin(next)) => Ok(Some(next)),
        Some(RedirectTarget::OtherOrigin(next))
            if url.scheme() == "https" && next.scheme() == "http" =>
        {
            Err(refused(
                format!(
                    "the server redirects to {next}, which is plain http and not encrypted. It is \
                     not followed, because headers may hold a token"
                ),
                Some(HttpFault::UnencryptedRedirect),
            ))
        }
        Some(RedirectTarget::OtherOrigin(next)) => Err(refused(
            format!(
                "the server redirects to {next}, which is another origin. It is not followed, \
                 because headers may hold a token; if the address is right, use it in the entry"
            ),
            None,
        )),
        Some(RedirectTarget::Invalid { location, .. }) => Err(refused(
            format!("the server redirects to {location}, which is not a valid address"),
            None,
        )),
    }
}

/// The headers of the entry.
fn entry_headers(remote: &RemoteEndpoint) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::new();
    for (name, value) in &remote.headers {
        let parsed = HeaderName::try_from(name.as_str())
            .ok()
            .zip(HeaderValue::try_from(value.expose().as_str()).ok());
        let Some((parsed_name, mut parsed_value)) = parsed else {
            return Err(format!(
                "the header {name} or its value is not valid in HTTP"
            ));
        };
        parsed_value.set_sensitive(sightglass_secrets::is_secret_header(name));
        map.insert(parsed_name, parsed_value);
    }
    Ok(map)
}
