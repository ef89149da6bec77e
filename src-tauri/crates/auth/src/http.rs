//! HTTP client of sign-ins, their one way to the network: every request is recorded, bounded in time
//! and size, never follows a redirect to another origin, and never goes from the metadata of a
//! public server to a private address.

mod guarded;
mod request;
pub(crate) mod ssrf;

use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::{
    Client, ClientBuilder, Method,
    dns::Resolve,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
    redirect,
};
use sightglass_model::{Millis, Trust};
use sightglass_secrets::{Secret, mask_header, mask_oauth_body, url_secrets};
use sightglass_traffic::{ConnectionRecorder, HttpFacts, HttpKind};
use url::Url;

use crate::{StepExchange, clause};
pub use guarded::{DownloadError, GuardedClient};
use request::request_text;
pub(crate) use request::{HttpError, HttpRequest, HttpResponse};
use ssrf::{
    AddressPolicy, DecidedPolicy, GuardedNames, RefusedAddress, moved_message, private_message,
};

/// HTTP settings, as connections use them.
pub struct HttpSettings {
    /// Client builder with the proxies, the certificates and the name of the program that count.
    pub builder: ClientBuilder,
    /// The names of the hosts that are proxies.
    pub proxies: Vec<String>,
    /// Resolver. The hosts that metadata names are looked up here before they are visited.
    pub names: Arc<dyn Resolve>,
    /// Answers from which address a response came.
    pub peer: Arc<PeerAddress>,
}

/// Answers from which address a response came; nothing where a proxy stands between, whose
/// address says nothing about the server's.
pub type PeerAddress = dyn Fn(&reqwest::Response) -> Option<IpAddr> + Send + Sync;

/// Prepares HTTP with what a server is trusted by, or says why it cannot.
pub type HttpSetup = dyn Fn(&Trust) -> Result<HttpSettings, String> + Send + Sync;

/// Answers of an authorization server are small; a larger one is not read to its end.
const MAX_RESPONSE_SIZE: usize = 256 * 1024;

/// The most bytes of a response that are shown.
const MAX_SHOWN_SIZE: usize = 64 * 1024;

/// The whole of one request, from the name to the last byte.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Redirects followed, within one origin.
const MAX_REDIRECTS: usize = 3;

/// Sends the requests of one sign-in.
pub(crate) struct HttpClient {
    /// Client for the MCP server's own address, which the user chose: it may lead anywhere.
    to_server: Client,
    /// Client for the host of the server itself.
    own: Client,
    others: Client,
    server: Url,
    policy: DecidedPolicy,
    names: Arc<dyn Resolve>,
    peer: Arc<PeerAddress>,
    recorder: ConnectionRecorder,
}

impl HttpClient {
    /// `server` is the MCP server on whose word addresses are visited, and `known` how it was
    /// reached, if it was. Its accepted certificate counts on its own host alone, its authorities
    /// wherever it leads.
    pub fn new(
        server: Url,
        known: Option<AddressPolicy>,
        trust: &Trust,
        setup: &HttpSetup,
        recorder: ConnectionRecorder,
    ) -> Result<Self, String> {
        let settings = setup(trust)?;
        let names = Arc::clone(&settings.names);
        let peer = Arc::clone(&settings.peer);
        let policy = DecidedPolicy::default();
        if let Some(known) = AddressPolicy::of_url(&server).or(known) {
            policy.decide(known);
        }
        let client = |builder: ClientBuilder| {
            builder
                .redirect(redirect::Policy::none())
                .timeout(REQUEST_TIMEOUT)
                .build()
                .map_err(|error| format!("HTTP cannot be set up: {error}"))
        };
        let guarded = |settings: HttpSettings| {
            let names =
                GuardedNames::new(settings.names, settings.proxies, policy.clone(), &server);
            client(settings.builder.dns_resolver(Arc::new(names)))
        };
        let own = guarded(settings)?;
        // Others get neither the exceptions nor the client's certificate, which are the server's.
        let elsewhere = Trust {
            fingerprint: None,
            accepts_any: false,
            client_certificate: None,
            ..trust.clone()
        };
        let others = match elsewhere == *trust {
            true => own.clone(),
            false => guarded(setup(&elsewhere)?)?,
        };
        Ok(Self {
            to_server: client(setup(trust)?.builder)?,
            own,
            others,
            server,
            policy,
            names,
            peer,
            recorder,
        })
    }

    /// The MCP server on whose behalf requests are sent.
    pub fn server(&self) -> &Url {
        &self.server
    }

    /// The policy that holds now.
    pub fn policy(&self) -> AddressPolicy {
        self.policy.get()
    }

    /// Secrets that must not appear in the record from now on.
    pub fn learn(&self, secrets: &[Secret<String>]) {
        self.recorder.learn(secrets);
    }

    /// An exchange with everything masked that is known to be secret: a server may repeat it
    /// under any name.
    fn masked(&self, mut exchange: StepExchange) -> StepExchange {
        let text = |text: &mut String| *text = self.recorder.masked(text);
        text(&mut exchange.url);
        text(&mut exchange.request);
        exchange.remark.iter_mut().for_each(text);
        exchange.response.iter_mut().for_each(text);
        exchange
    }

    /// A remark in the record.
    pub fn note(&self, text: &str) {
        self.recorder.note("sign-in", text);
    }

    /// Sends a request, following redirects within its origin. Each hop is an exchange,
    /// handed to `record` twice: when it is sent and when it ended.
    pub async fn send(
        &self,
        outgoing: HttpRequest,
        remark: &str,
        mut record: impl FnMut(StepExchange),
    ) -> Result<HttpResponse, HttpError> {
        let mut outgoing = outgoing;
        for _ in 0..=MAX_REDIRECTS {
            let answer = self.send_once(&outgoing, remark, &mut record).await?;
            if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
                return Ok(answer);
            }
            let Some(location) = answer.header("location") else {
                return Ok(answer);
            };
            let next = outgoing.url.join(&location).map_err(|error| {
                HttpError::refused(
                    format!("It redirects to an invalid address: {error}."),
                    clause::redirects(),
                )
            })?;
            if next.origin() != outgoing.url.origin() {
                return Err(HttpError::refused(
                    format!(
                        "It redirects to another host, {}. Redirects to other hosts are not \
                         followed.",
                        next.host_str().unwrap_or("none")
                    ),
                    clause::redirects(),
                ));
            }
            if outgoing.method != Method::GET && !matches!(answer.status, 307 | 308) {
                return Ok(answer);
            }
            outgoing.url = next;
        }
        Err(HttpError::refused(
            "It redirects again and again.".to_owned(),
            clause::redirects(),
        ))
    }

    async fn send_once(
        &self,
        outgoing: &HttpRequest,
        remark: &str,
        record: &mut impl FnMut(StepExchange),
    ) -> Result<HttpResponse, HttpError> {
        if !outgoing.is_to_server {
            self.may_visit(&outgoing.url)?;
            self.policy
                .get()
                .check_name(&outgoing.url, &*self.names)
                .await?;
        }
        let shown = outgoing.draft();
        if let Some(body) = &outgoing.body {
            self.learn(&mask_oauth_body(body).secrets);
        }
        self.learn(&url_secrets(outgoing.url.as_str()));
        let mut facts = HttpFacts {
            method: shown.method.clone(),
            url: shown.url.clone(),
            request_headers: shown.headers.clone(),
            ..HttpFacts::default()
        };
        let carrier =
            self.recorder
                .http_started_with(facts.clone(), HttpKind::Oauth, shown.body.as_deref());
        let mut exchange = StepExchange {
            exchange: carrier.exchange(),
            method: shown.method.clone(),
            url: shown.url.clone(),
            status: None,
            duration: None,
            chosen: false,
            remark: Some(remark.to_owned()).filter(|remark| !remark.is_empty()),
            request: request_text(&shown),
            response: None,
        };
        record(self.masked(exchange.clone()));
        let started = Instant::now();
        let answered = self.fetch(outgoing).await;
        let duration = Millis::from(started.elapsed());
        exchange.duration = Some(duration);
        facts.time_to_headers = Some(duration);
        match &answered {
            Ok(answer) => {
                let masked = mask_oauth_body(&answer.body);
                self.learn(&masked.secrets);
                facts.status = Some(answer.status);
                facts.response_headers = answer
                    .headers
                    .iter()
                    .map(|(name, value)| (name.clone(), mask_header(name, value)))
                    .collect();
                exchange.status = Some(answer.status);
                exchange.response = Some(response_text(&facts, &masked.text));
                self.recorder
                    .http_finished_with(carrier, facts, Some(&masked.text));
            }
            Err(unanswered) => {
                facts.error = Some(unanswered.message.clone());
                exchange.remark = Some(match exchange.remark.take() {
                    Some(remark) => format!("{remark}: {}", unanswered.message),
                    None => unanswered.message.clone(),
                });
                self.recorder.http_finished(carrier, facts);
            }
        }
        record(self.masked(exchange));
        answered
    }

    async fn fetch(&self, outgoing: &HttpRequest) -> Result<HttpResponse, HttpError> {
        let failed = |message: String| HttpError {
            message,
            clause: None,
            refused: false,
        };
        let is_own = outgoing.url.host() == self.server.host();
        let client = match is_own {
            _ if outgoing.is_to_server => &self.to_server,
            true => &self.own,
            false => &self.others,
        };
        let mut request = client.request(outgoing.method.clone(), outgoing.url.clone());
        for (name, value) in &outgoing.headers {
            let (Ok(name), Ok(value)) = (
                HeaderName::try_from(name.as_str()),
                HeaderValue::try_from(value.as_str()),
            ) else {
                return Err(failed(format!("The header {name} is not valid in HTTP.")));
            };
            request = request.header(name, value);
        }
        if let Some(body) = &outgoing.body {
            request = request.body(body.clone());
        }
        let host = outgoing.url.host_str().unwrap_or_default().to_owned();
        let mut response = request
            .send()
            .await
            .map_err(|error| http_error(&host, &error))?;
        let peer = (self.peer)(&response);
        if outgoing.is_to_server
            && let Some(peer) = peer
        {
            self.policy.decide(AddressPolicy::of_peer(peer));
        }
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                (name.to_string(), value)
            })
            .collect();
        let status = response.status().as_u16();
        let kind = response.headers().get(CONTENT_TYPE);
        let is_stream = outgoing.method == Method::GET
            && kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        // A stream has no end; that it opened is all there is to know.
        let body = if is_stream {
            Vec::new()
        } else {
            read_body(&mut response, &host).await?
        };
        Ok(HttpResponse {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
            peer,
        })
    }

    /// Refuses an address that must not be visited.
    pub fn may_visit(&self, url: &Url) -> Result<(), RefusedAddress> {
        self.policy.get().check_url(url)
    }
}

/// Reads a response to its end, unless it is too large.
async fn read_body(response: &mut reqwest::Response, host: &str) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > MAX_RESPONSE_SIZE => {
                return Err(HttpError::refused(
                    format!(
                        "The answer is larger than {} KiB and was not read to the end.",
                        MAX_RESPONSE_SIZE / 1024
                    ),
                    clause::size(),
                ));
            }
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(body),
            Err(error) => return Err(http_error(host, &error)),
        }
    }
}

/// The cause under all others. It says most: those around it, that a request was to be sent.
pub fn innermost_cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

fn http_error(host: &str, error: &reqwest::Error) -> HttpError {
    let words = innermost_cause(error);
    if words == private_message(host) || words == moved_message(host) {
        return HttpError::refused(words, clause::private_addresses());
    }
    let message = if error.is_timeout() {
        format!(
            "{host} did not answer within {} seconds.",
            REQUEST_TIMEOUT.as_secs()
        )
    } else {
        format!(
            "{host} could not be reached: {}.",
            words.trim_end_matches('.')
        )
    };
    HttpError {
        message,
        clause: None,
        refused: false,
    }
}

fn response_text(facts: &HttpFacts, body: &str) -> String {
    let mut text = format!("{}\n", facts.status.unwrap_or_default());
    for (name, value) in &facts.response_headers {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if !body.is_empty() {
        let shown = &body[..body.floor_char_boundary(MAX_SHOWN_SIZE)];
        text.push_str(&format!("\n{shown}"));
    }
    text
}
