//! HTTP client of the remote transports: sends, redirects, records, and classifies failures.
//!
//! Every request of every remote transport passes [`HttpClient::fetch`]: the POST, GET and DELETE
//! of Streamable HTTP, both legs of HTTP with Server-Sent Events, and the upgrade to
//! WebSocket. So there is one place where the entry's headers are put on, where redirects
//! are followed, where a request is recorded with what came back, and where a refusal for
//! want of a token becomes [`TransportError::SignInRequired`].

mod address;
mod content;
mod failure;
mod proxies;
mod tls;

use std::{net::IpAddr, sync::Arc, time::Instant};

use reqwest::{
    Client, Method, Response, StatusCode, Url,
    header::{
        ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION,
        RETRY_AFTER, USER_AGENT, WWW_AUTHENTICATE,
    },
    redirect,
};
use sightglass_auth::{
    Authorization, Authorizer, Challenge, Decision, HttpSettings, SystemNames, possible_faults,
};
use sightglass_model::{
    Failure, FrameId, HttpFault, NetworkStage, ProxyUsed, RemoteEndpoint, TokenFault, Trust,
};
use sightglass_traffic::{CarrierId, Direction, HttpFacts, HttpKind};

pub(crate) use address::Address;
pub(crate) use content::{Content, content_type};
pub(crate) use failure::{Refused, excerpt, excerpt_of};
pub use proxies::{CurrentProxies, Proxies};
use tls::CertificateObserver;

use crate::{
    status::diagnostics::RequestNote,
    transport::error::TransportError,
    transport::{Outbound, TransportEvents},
};

/// Name of the program in every request. Gateways refuse requests without one.
const PROGRAM: HeaderValue =
    HeaderValue::from_static(concat!("Sightglass/", env!("CARGO_PKG_VERSION")));

/// Redirects followed, within one origin.
const MAX_REDIRECTS: usize = 5;

/// Versions of HTTP that may be spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HttpVersions {
    Any,
    /// Requests that upgrade a connection (RFC 9110, section 7.8) exist in HTTP/1.1 only.
    One,
}

pub(crate) struct HttpClient {
    client: Client,
    address: Address,
    proxies: Proxies,
    /// Headers that the entry adds to each request.
    headers: HeaderMap,
    observer: Arc<CertificateObserver>,
    /// Source of the token, which gets a new one when it is refused.
    authorizer: Option<Authorizer>,
}

/// Returns the settings for requests that are about a server and not part of a connection to it, as
/// those of signing in are: with the same certificates and the same proxies.
///
/// # Errors
/// When the certificate authorities of the entry cannot be read, in words.
pub fn http_settings(trust: &Trust, proxies: &Proxies) -> Result<HttpSettings, String> {
    let on_the_way = proxies.clone();
    let (tls, _) = tls::client_config(trust, true, HttpVersions::Any).map_err(|failure| {
        let Failure::Configuration { message } = failure else {
            return "TLS cannot be set up.".to_owned();
        };
        format!("It cannot be asked: {message}.")
    })?;
    let builder = Client::builder()
        .user_agent(PROGRAM)
        .tls_backend_preconfigured(tls);
    Ok(HttpSettings {
        builder: proxies.apply(builder),
        proxies: proxies.hosts(),
        names: Arc::new(SystemNames),
        peer: Arc::new(move |response| peer(&on_the_way, response)),
    })
}

/// The address that a response came from; nothing where a proxy stands between.
fn peer(proxies: &Proxies, response: &Response) -> Option<IpAddr> {
    match proxies.of(response.url()) {
        None => response.remote_addr().map(|address| address.ip()),
        Some(_) => None,
    }
}

/// State of a request while it is tried.
#[derive(Default)]
struct Attempts {
    /// The message on record.
    sent: Option<FrameId>,
    /// The address that the last answer came from.
    peer: Option<IpAddr>,
}

/// One HTTP request to be made.
pub(crate) struct HttpRequest {
    pub method: Method,
    /// Target, when it is not the address of the entry.
    pub url: Option<Url>,
    /// Headers that the transport needs; they win over the entry's headers of the same name.
    pub headers: HeaderMap,
    pub body: Option<Outbound>,
}

/// Need of a connection for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    /// The connection does without: that it is refused says nothing of other requests.
    Optional,
}

impl HttpClient {
    /// Prepares the way; nothing is sent yet.
    pub(crate) fn open(
        remote: &RemoteEndpoint,
        proxies: &Proxies,
        versions: HttpVersions,
    ) -> Result<Self, Failure> {
        let configuration = |message: String| Failure::Configuration { message };
        let address = Address::parse(&remote.url).map_err(configuration)?;
        let is_tls = address.url.scheme() == "https";
        let (tls, observer) = tls::client_config(&remote.trust, is_tls, versions)?;
        let mut builder = Client::builder()
            // Of the requests that open a way through a proxy; all others get theirs below.
            .user_agent(PROGRAM)
            .redirect(redirect::Policy::none())
            .tcp_nodelay(true)
            .tls_backend_preconfigured(tls);
        if versions == HttpVersions::One {
            builder = builder.http1_only();
        }
        builder = match &address.socket {
            Some(socket) => on_socket(builder, socket)?,
            None => proxies.apply(builder),
        };
        Ok(Self {
            client: builder
                .build()
                .map_err(|error| configuration(format!("HTTP cannot be set up: {error}")))?,
            address,
            proxies: proxies.clone(),
            headers: entry_headers(remote).map_err(configuration)?,
            observer,
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
        fetch: HttpRequest,
    ) -> Result<(Response, CarrierId), TransportError> {
        self.perform(events, fetch, Need::Required).await
    }

    /// Makes a request that the connection does without. The user is not asked to sign in for it.
    pub(crate) async fn fetch_optional(
        &self,
        events: &Arc<impl TransportEvents>,
        fetch: HttpRequest,
    ) -> Result<(Response, CarrierId), TransportError> {
        self.perform(events, fetch, Need::Optional).await
    }

    async fn perform(
        &self,
        events: &Arc<impl TransportEvents>,
        fetch: HttpRequest,
        need: Need,
    ) -> Result<(Response, CarrierId), TransportError> {
        let mut tries = Attempts::default();
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
                        Need::Required => authorizer.refused(refusal, used).await,
                        Need::Optional => authorizer.refused_optional(refusal, used).await,
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
                    let is_let_in = |(response, _): &(Response, CarrierId)| {
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
        fetch: &HttpRequest,
        authorization: HeaderMap,
        tries: &mut Attempts,
    ) -> Result<(Response, CarrierId), TransportError> {
        let mut url = fetch.url.clone().unwrap_or_else(|| self.url().clone());
        let mut headers = self.dressed(&fetch.headers);
        // The entry's own header of that name stands: it was written by hand.
        for (name, value) in &authorization {
            headers.entry(name).or_insert_with(|| value.clone());
        }
        for _ in 0..=MAX_REDIRECTS {
            let carrier = self.started(events, &fetch.method, &url, &headers);
            if let (Some(outbound), None) = (&fetch.body, &tries.sent) {
                let recorded = events
                    .connection()
                    .recorder
                    .message(Direction::Sent, &outbound.text, Some(carrier.id))
                    .await;
                if let Some(request) = &outbound.request {
                    events.sent(request.id, recorded.frame);
                }
                tries.sent = Some(recorded.frame);
            }
            let mut request = self
                .client
                .request(fetch.method.clone(), url.clone())
                .headers(headers.clone());
            if let Some(outbound) = &fetch.body {
                request = request.body(outbound.text.clone());
            }
            let id = carrier.id;
            let response = self.answered(events, carrier, &url, request).await?;
            tries.peer = peer(&self.proxies, &response);
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
                    return Ok((admitted?, id));
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

    /// Returns the proxy that requests to an address go through.
    fn proxy(&self, url: &Url) -> Option<ProxyUsed> {
        let (source, address) = self
            .proxies
            .of(url)
            .filter(|_| self.address.socket.is_none())?;
        Some(ProxyUsed {
            address,
            source: source.to_owned(),
        })
    }

    /// Returns the error of an answer that is the proxy's own: only a proxy asks for its password
    /// (RFC 9110, section 15.5.8). What comes through a tunnel is the server's.
    fn refused_by_proxy(&self, response: &Response, url: &Url) -> Option<TransportError> {
        let status = response.status();
        let proxy = self
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

    fn started(
        &self,
        events: &Arc<impl TransportEvents>,
        method: &Method,
        url: &Url,
        headers: &HeaderMap,
    ) -> RecordedRequest {
        let facts = HttpFacts {
            method: method.to_string(),
            url: self.address.shown(url),
            request_headers: shown(headers),
            ..HttpFacts::default()
        };
        RecordedRequest {
            id: events
                .connection()
                .recorder
                .http_started(facts.clone(), HttpKind::Mcp),
            facts,
            since: Instant::now(),
        }
    }

    async fn answered(
        &self,
        events: &Arc<impl TransportEvents>,
        mut carrier: RecordedRequest,
        url: &Url,
        request: reqwest::RequestBuilder,
    ) -> Result<Response, TransportError> {
        let outcome = request.send().await;
        let note = |status, headers: &HeaderMap, error| {
            let header = |name| {
                let value: Option<&HeaderValue> = headers.get(name);
                value.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            };
            let note = RequestNote {
                method: carrier.facts.method.clone(),
                url: carrier.facts.url.clone(),
                status,
                content_type: header(CONTENT_TYPE),
                location: header(LOCATION),
                retry_after: header(RETRY_AFTER).and_then(|value| failure::wait(&value)),
                error,
                duration: carrier.since.elapsed(),
            };
            events
                .connection()
                .diagnostics
                .request(note, self.observer.shown());
        };
        match outcome {
            Ok(response) => {
                note(Some(response.status().as_u16()), response.headers(), None);
                carrier.facts.status = Some(response.status().as_u16());
                carrier.facts.response_headers = shown(response.headers());
                carrier.facts.time_to_headers = Some(carrier.since.elapsed().into());
                events
                    .connection()
                    .recorder
                    .http_finished(carrier.id, carrier.facts);
                Ok(response)
            }
            Err(error) => {
                let error = failure::network(
                    &self.address.shown(url),
                    &error,
                    &self.observer,
                    self.proxy(url),
                );
                note(None, &HeaderMap::new(), Some(error.to_string()));
                carrier.facts.error = Some(error.to_string());
                events
                    .connection()
                    .recorder
                    .http_finished(carrier.id, carrier.facts);
                Err(error)
            }
        }
    }
}

/// A request on record that waits for its answer.
struct RecordedRequest {
    id: CarrierId,
    facts: HttpFacts,
    since: Instant,
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
    response: Response,
    url: &Url,
    carried_token: bool,
    sent_password: bool,
) -> Result<Response, TransportError> {
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
fn redirection(response: &Response, url: &Url) -> Result<Option<Url>, TransportError> {
    let redirects = matches!(response.status().as_u16(), 301 | 302 | 307 | 308);
    let Some(location) = response.headers().get(LOCATION).filter(|_| redirects) else {
        return Ok(None);
    };
    let location = String::from_utf8_lossy(location.as_bytes());
    let refused = |message: String, fault| TransportError::Unexpected {
        url: url.to_string(),
        status: response.status().as_u16(),
        message,
        body: None,
        fault,
    };
    match url.join(&location) {
        Ok(next) if next.origin() == url.origin() => Ok(Some(next)),
        Ok(next) if url.scheme() == "https" && next.scheme() == "http" => Err(refused(
            format!(
                "the server redirects to {next}, which is plain http and not encrypted. It is not \
                 followed, because headers may hold a token"
            ),
            Some(HttpFault::UnencryptedRedirect),
        )),
        Ok(next) => Err(refused(
            format!(
                "the server redirects to {next}, which is another origin. It is not followed, \
                 because headers may hold a token; if the address is right, use it in the entry"
            ),
            None,
        )),
        Err(_) => Err(refused(
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

#[cfg(unix)]
fn on_socket(
    builder: reqwest::ClientBuilder,
    socket: &std::path::Path,
) -> Result<reqwest::ClientBuilder, Failure> {
    Ok(builder.unix_socket(socket))
}

#[cfg(not(unix))]
fn on_socket(
    _builder: reqwest::ClientBuilder,
    _socket: &std::path::Path,
) -> Result<reqwest::ClientBuilder, Failure> {
    Err(Failure::Configuration {
        message: "Unix sockets cannot be used on this system".to_owned(),
    })
}

/// Headers as they are recorded; the recorder masks the secret ones.
fn shown(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect()
}
