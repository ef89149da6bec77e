//! HTTP client of sign-ins, their one way to the network: every request is recorded, bounded in time
//! and size, never follows a redirect to another origin, and never goes from the metadata of a
//! public server to a private address.

mod request;

use std::time::Duration;

use sightglass_http::{
    AddressGuard, AddressPolicy, DecidedPolicy, HttpClient, HttpError, HttpOptions, HttpRequest,
    Method, RecordedRequest, RedirectTarget, RefusedAddress,
    header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    header_texts,
};
use sightglass_model::{Millis, Trust};
use sightglass_secrets::{Secret, mask_header, mask_oauth_body, url_secrets};
use sightglass_traffic::{ConnectionRecorder, HttpFacts, HttpKind};
use url::Url;

use crate::{StepExchange, clause};
use request::request_text;
pub(crate) use request::{ExchangeError, OauthRequest, OauthResponse};

/// Returns the options of a client that trusts this.
pub type HttpSetup = dyn Fn(&Trust) -> HttpOptions + Send + Sync;

/// Answers of an authorization server are small; a larger one is not read to its end.
const MAX_RESPONSE_SIZE: usize = 256 * 1024;

/// The most bytes of a response that are shown.
const MAX_SHOWN_SIZE: usize = 64 * 1024;

/// The whole of one request, from the name to the last byte.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Redirects followed, within one origin.
const MAX_REDIRECTS: usize = 3;

/// Sends the requests of one sign-in.
pub(crate) struct SignInClient {
    /// Client for the MCP server's own address, which the user chose: it may lead anywhere.
    to_server: HttpClient,
    /// Client for the host of the server itself.
    own: HttpClient,
    others: HttpClient,
    server: Url,
    policy: DecidedPolicy,
    recorder: ConnectionRecorder,
}

impl SignInClient {
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
        let policy = DecidedPolicy::default();
        if let Some(known) = AddressPolicy::of_url(&server).or(known) {
            policy.decide(known);
        }
        let guard = AddressGuard {
            policy: policy.clone(),
            server: server.clone(),
            is_server_exempt: false,
        };
        let client = |trust: &Trust, guard: Option<AddressGuard>| {
            let options = HttpOptions {
                guard,
                timeout: Some(REQUEST_TIMEOUT),
                ..setup(trust)
            };
            HttpClient::new(options).map_err(|error| error.sentence())
        };
        let own = client(trust, Some(guard.clone()))?;
        // Others get neither the exceptions nor the client's certificate, which are the server's.
        let elsewhere = Trust {
            fingerprint: None,
            accepts_any: false,
            client_certificate: None,
            ..trust.clone()
        };
        let others = match elsewhere == *trust {
            true => own.clone(),
            false => client(&elsewhere, Some(guard))?,
        };
        Ok(Self {
            to_server: client(trust, None)?,
            own,
            others,
            server,
            policy,
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
        outgoing: OauthRequest,
        remark: &str,
        mut record: impl FnMut(StepExchange),
    ) -> Result<OauthResponse, ExchangeError> {
        let mut outgoing = outgoing;
        for _ in 0..=MAX_REDIRECTS {
            let answer = self.send_once(&outgoing, remark, &mut record).await?;
            let location = answer.header("location");
            let target = RedirectTarget::read(answer.status, location.as_deref(), &outgoing.url);
            let next = match target {
                None => return Ok(answer),
                Some(RedirectTarget::SameOrigin(next)) => next,
                Some(RedirectTarget::OtherOrigin(next)) => {
                    return Err(ExchangeError::refused(
                        format!(
                            "It redirects to another host, {}. Redirects to other hosts are not \
                             followed.",
                            next.host_str().unwrap_or("none")
                        ),
                        clause::redirects(),
                    ));
                }
                Some(RedirectTarget::Invalid { error, .. }) => {
                    return Err(ExchangeError::refused(
                        format!("It redirects to an invalid address: {error}."),
                        clause::redirects(),
                    ));
                }
            };
            if outgoing.method != Method::GET && !matches!(answer.status, 307 | 308) {
                return Ok(answer);
            }
            outgoing.url = next;
        }
        Err(ExchangeError::refused(
            "It redirects again and again.".to_owned(),
            clause::redirects(),
        ))
    }

    async fn send_once(
        &self,
        outgoing: &OauthRequest,
        remark: &str,
        record: &mut impl FnMut(StepExchange),
    ) -> Result<OauthResponse, ExchangeError> {
        let client = self.client_for(outgoing);
        client.check(&outgoing.url).await?;
        let shown = outgoing.draft();
        if let Some(body) = &outgoing.body {
            self.learn(&mask_oauth_body(body).secrets);
        }
        self.learn(&url_secrets(outgoing.url.as_str()));
        let facts = HttpFacts {
            method: shown.method.clone(),
            url: shown.url.clone(),
            request_headers: shown.headers.clone(),
            ..HttpFacts::default()
        };
        let body = shown.body.as_deref();
        let request = RecordedRequest::start(&self.recorder, HttpKind::Oauth, facts, body);
        let mut exchange = StepExchange {
            exchange: request.carrier().exchange(),
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
        let answered = self.fetch(client, outgoing).await;
        exchange.duration = Some(Millis::from(request.elapsed()));
        match &answered {
            Ok(answer) => {
                let masked = mask_oauth_body(&answer.body);
                self.learn(&masked.secrets);
                let headers: Vec<_> = answer
                    .headers
                    .iter()
                    .map(|(name, value)| (name.clone(), mask_header(name, value)))
                    .collect();
                exchange.status = Some(answer.status);
                exchange.response = Some(response_text(answer.status, &headers, &masked.text));
                request.answered(answer.status, headers, Some(&masked.text));
            }
            Err(unanswered) => {
                exchange.remark = Some(match exchange.remark.take() {
                    Some(remark) => format!("{remark}: {}", unanswered.message),
                    None => unanswered.message.clone(),
                });
                request.failed(unanswered.message.clone());
            }
        }
        record(self.masked(exchange));
        answered
    }

    /// Returns the client for the host that a request goes to.
    fn client_for(&self, outgoing: &OauthRequest) -> &HttpClient {
        let is_own = outgoing.url.host() == self.server.host();
        match is_own {
            _ if outgoing.is_to_server => &self.to_server,
            true => &self.own,
            false => &self.others,
        }
    }

    async fn fetch(
        &self,
        client: &HttpClient,
        outgoing: &OauthRequest,
    ) -> Result<OauthResponse, ExchangeError> {
        let host = outgoing.url.host_str().unwrap_or_default();
        let request = HttpRequest {
            method: outgoing.method.clone(),
            url: outgoing.url.clone(),
            headers: header_map(&outgoing.headers)?,
            body: outgoing.body.clone().map(Into::into),
        };
        let sent = client.send(request).await;
        let mut response = sent.map_err(|error| exchange_error(host, error))?;
        if outgoing.is_to_server
            && let Some(peer) = response.peer()
        {
            self.policy.decide(AddressPolicy::of_peer(peer));
        }
        let kind = response.headers().get(CONTENT_TYPE);
        let is_stream = outgoing.method == Method::GET
            && kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        // A stream has no end; that it opened is all there is to know.
        let body = if is_stream {
            Vec::new()
        } else {
            let read = response.read(MAX_RESPONSE_SIZE).await;
            read.map_err(|error| exchange_error(host, error))?
        };
        Ok(OauthResponse {
            status: response.status().as_u16(),
            headers: header_texts(response.headers()),
            body: String::from_utf8_lossy(&body).into_owned(),
            peer: response.peer(),
        })
    }

    /// Refuses an address that must not be visited.
    pub fn may_visit(&self, url: &Url) -> Result<(), RefusedAddress> {
        self.policy.get().check_url(url)
    }
}

fn header_map(headers: &[(String, String)]) -> Result<HeaderMap, ExchangeError> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let (Ok(parsed), Ok(value)) = (
            HeaderName::try_from(name.as_str()),
            HeaderValue::try_from(value.as_str()),
        ) else {
            let message = format!("The header {name} is not valid in HTTP.");
            return Err(ExchangeError::failed(message));
        };
        map.append(parsed, value);
    }
    Ok(map)
}

fn exchange_error(host: &str, error: HttpError) -> ExchangeError {
    match error {
        HttpError::Refused(refused) => refused.into(),
        HttpError::TooLarge { limit } => ExchangeError::refused(
            format!(
                "The answer is larger than {} KiB and was not read to the end.",
                limit / 1024
            ),
            clause::size(),
        ),
        error if error.is_timeout() => ExchangeError::failed(format!(
            "{host} did not answer within {} seconds.",
            REQUEST_TIMEOUT.as_secs()
        )),
        error => ExchangeError::failed(format!(
            "{host} could not be reached: {}.",
            error.to_string().trim_end_matches('.')
        )),
    }
}

fn response_text(status: u16, headers: &[(String, String)], body: &str) -> String {
    let mut text = format!("{status}\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if !body.is_empty() {
        let shown = &body[..body.floor_char_boundary(MAX_SHOWN_SIZE)];
        text.push_str(&format!("\n{shown}"));
    }
    text
}
