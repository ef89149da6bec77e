//! The one way in which sign-ins reach the network: every request is recorded, bounded in
//! time and size, never follows a redirect to another origin, and never goes from the
//! metadata of a public server to a private address.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::{
    Client, Method,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{HeaderName, HeaderValue},
    redirect,
};
use sightglass_secrets::Secret;
use sightglass_traffic::{HttpFacts, HttpKind, Tape};
use url::{Host, Url};

use crate::{Clause, RequestDraft, StepExchange, clause, mask};

/// Answers of an authorization server are small; a larger one is not read to its end.
const LARGEST_ANSWER: usize = 256 * 1024;

/// As much of an answer is shown.
const SHOWN: usize = 64 * 1024;

/// The whole of one request, from the name to the last byte.
const PATIENCE: Duration = Duration::from_secs(20);

/// Redirects followed, within one origin.
const MOST_REDIRECTS: usize = 3;

/// A request that is about to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    pub method: Method,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
    /// It goes to the MCP server itself, whose address a person chose.
    pub is_to_server: bool,
}

impl Outgoing {
    pub fn get(url: Url) -> Self {
        Self {
            method: Method::GET,
            url,
            headers: vec![("accept".into(), "application/json".into())],
            body: None,
            is_to_server: false,
        }
    }

    pub fn post_form(url: Url, body: String) -> Self {
        Self::post(url, "application/x-www-form-urlencoded", body)
    }

    pub fn post_json(url: Url, body: String) -> Self {
        Self::post(url, "application/json", body)
    }

    fn post(url: Url, content_type: &str, body: String) -> Self {
        Self {
            method: Method::POST,
            url,
            headers: vec![
                ("accept".into(), "application/json".into()),
                ("content-type".into(), content_type.into()),
            ],
            body: Some(body),
            is_to_server: false,
        }
    }

    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// What a person made of it.
    pub fn edited(&self, draft: RequestDraft) -> Result<Self, String> {
        let draft = mask::restore(draft, self);
        Ok(Self {
            method: Method::from_bytes(draft.method.as_bytes())
                .map_err(|_| format!("{} is not an HTTP method.", draft.method))?,
            url: Url::parse(&draft.url)
                .map_err(|error| format!("The address is not one: {error}."))?,
            headers: draft.headers,
            body: draft.body,
            is_to_server: self.is_to_server,
        })
    }
}

/// An answer, whatever its status.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// All headers of this name, joined as one list.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }
}

/// Why there is no answer, or none that may be used.
#[derive(Debug, Clone)]
pub(crate) struct Unanswered {
    pub message: String,
    pub clause: Option<Clause>,
    /// Whether it was refused here rather than by the network.
    pub refused: bool,
}

impl Unanswered {
    fn refused(message: String, clause: Clause) -> Self {
        Self {
            message,
            clause: Some(clause),
            refused: true,
        }
    }
}

/// Whether metadata may lead to private addresses: only those of a server that has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Anywhere,
    PublicOnly,
}

/// Sends the requests of one sign-in.
pub(crate) struct Web {
    client: Client,
    reach: Reach,
    tape: Tape,
}

impl Web {
    /// `server` is the MCP server on whose word addresses are visited.
    pub async fn on_behalf_of(server: &Url, tape: Tape) -> Result<Self, String> {
        let reach = if is_public(server).await {
            Reach::PublicOnly
        } else {
            Reach::Anywhere
        };
        let mut builder = Client::builder()
            .redirect(redirect::Policy::none())
            .timeout(PATIENCE)
            .user_agent(concat!("Sightglass/", env!("CARGO_PKG_VERSION")));
        if reach == Reach::PublicOnly {
            builder = builder.dns_resolver(Arc::new(PublicNames));
        }
        let client = builder
            .build()
            .map_err(|error| format!("HTTP cannot be set up: {error}"))?;
        Ok(Self {
            client,
            reach,
            tape,
        })
    }

    /// Secrets that must not appear in the record from now on.
    pub fn learn(&self, secrets: &[Secret<String>]) {
        self.tape.learn(secrets);
    }

    /// A remark in the record.
    pub fn note(&self, text: &str) {
        self.tape.note("sign-in", text);
    }

    /// Sends a request, following redirects within its origin. Each hop is an exchange,
    /// handed to `record` twice: when it is sent and when it ended.
    pub async fn send(
        &self,
        outgoing: Outgoing,
        remark: &str,
        mut record: impl FnMut(StepExchange),
    ) -> Result<Answer, Unanswered> {
        let mut outgoing = outgoing;
        for _ in 0..=MOST_REDIRECTS {
            let answer = self.send_once(&outgoing, remark, &mut record).await?;
            if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
                return Ok(answer);
            }
            let Some(location) = answer.header("location") else {
                return Ok(answer);
            };
            let next = outgoing.url.join(&location).map_err(|error| {
                Unanswered::refused(
                    format!("It redirects to something that is not an address: {error}."),
                    clause::redirects(),
                )
            })?;
            if next.origin() != outgoing.url.origin() {
                return Err(Unanswered::refused(
                    format!(
                        "It redirects to another host, {}, which is not followed: whoever answers \
                         there was not vouched for.",
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
        Err(Unanswered::refused(
            "It redirects again and again.".to_owned(),
            clause::redirects(),
        ))
    }

    async fn send_once(
        &self,
        outgoing: &Outgoing,
        remark: &str,
        record: &mut impl FnMut(StepExchange),
    ) -> Result<Answer, Unanswered> {
        if !outgoing.is_to_server {
            self.may_visit(&outgoing.url)?;
        }
        let shown = mask::draft(outgoing);
        if let Some(body) = &outgoing.body {
            self.learn(&mask::body(body).secrets);
        }
        self.learn(&mask::address(outgoing.url.as_str()).secrets);
        let mut facts = HttpFacts {
            method: shown.method.clone(),
            url: shown.url.clone(),
            request_headers: shown.headers.clone(),
            ..HttpFacts::default()
        };
        let carrier =
            self.tape
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
        record(exchange.clone());
        let started = Instant::now();
        let answered = self.fetch(outgoing).await;
        let duration = started.elapsed().as_secs_f64() * 1000.0;
        exchange.duration = Some(duration);
        facts.time_to_headers = Some(duration);
        match &answered {
            Ok(answer) => {
                let masked = mask::body(&answer.body);
                self.learn(&masked.secrets);
                facts.status = Some(answer.status);
                facts.response_headers = answer
                    .headers
                    .iter()
                    .map(|(name, value)| (name.clone(), mask::header(name, value)))
                    .collect();
                exchange.status = Some(answer.status);
                exchange.response = Some(response_text(&facts, &masked.text));
                self.tape
                    .http_finished_with(carrier, facts, Some(&masked.text));
            }
            Err(unanswered) => {
                facts.error = Some(unanswered.message.clone());
                exchange.remark = Some(match exchange.remark.take() {
                    Some(remark) => format!("{remark}: {}", unanswered.message),
                    None => unanswered.message.clone(),
                });
                self.tape.http_finished(carrier, facts);
            }
        }
        record(exchange);
        answered
    }

    async fn fetch(&self, outgoing: &Outgoing) -> Result<Answer, Unanswered> {
        let failed = |message: String| Unanswered {
            message,
            clause: None,
            refused: false,
        };
        let mut request = self
            .client
            .request(outgoing.method.clone(), outgoing.url.clone());
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
            .map_err(|error| unanswered(&host, &error))?;
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                (name.to_string(), value)
            })
            .collect();
        let status = response.status().as_u16();
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() > LARGEST_ANSWER => {
                    return Err(Unanswered::refused(
                        format!(
                            "The answer is larger than {} KiB and was not read to its end.",
                            LARGEST_ANSWER / 1024
                        ),
                        clause::size(),
                    ));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break,
                Err(error) => return Err(unanswered(&host, &error)),
            }
        }
        Ok(Answer {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        })
    }

    /// Whether this address may be visited at all.
    pub fn may_visit(&self, url: &Url) -> Result<(), Unanswered> {
        check_address(url).map_err(|(message, clause)| Unanswered::refused(message, clause))?;
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            _ => None,
        };
        let private = literal.is_some_and(is_private) || names_loopback(url);
        if self.reach == Reach::PublicOnly && private {
            return Err(Unanswered::refused(
                private_words(url.host_str().unwrap_or_default()),
                clause::private_addresses(),
            ));
        }
        Ok(())
    }
}

/// What is wrong with an address that metadata names, whoever named it.
pub(crate) fn check_address(url: &Url) -> Result<(), (String, Clause)> {
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(url) => Ok(()),
        "http" => Err((
            format!(
                "{} is plain http beyond this machine: whoever is on the way could read the code \
                 and the token.",
                url.host_str().unwrap_or_default()
            ),
            clause::encrypted(),
        )),
        scheme => Err((
            format!("{scheme}: is not an address of the web. Only https is opened."),
            clause::scheme(),
        )),
    }
}

/// Whether an address is of this very machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) => names_loopback(url),
        None => false,
    }
}

fn names_loopback(url: &Url) -> bool {
    matches!(url.host(), Some(Host::Domain(name))
        if name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost"))
}

/// Whether a server is reached over the open internet. One whose name does not resolve
/// counts as public: nothing private is reached on its word.
async fn is_public(server: &Url) -> bool {
    if is_loopback(server) {
        return false;
    }
    match server.host() {
        Some(Host::Ipv4(address)) => !is_private(address.into()),
        Some(Host::Ipv6(address)) => !is_private(address.into()),
        Some(Host::Domain(name)) => match tokio::net::lookup_host((name, 0)).await {
            Ok(addresses) => !addresses.map(|address| address.ip()).all(is_private),
            Err(_) => true,
        },
        None => true,
    }
}

/// Addresses that are not of the open internet: loopback, private, link-local, shared,
/// unique-local, and unspecified.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
                || address.is_broadcast()
                || first == 0
                || (first == 100 && (64..128).contains(&second))
        }
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_private(mapped.into()),
            None => {
                address.is_loopback()
                    || address.is_unspecified()
                    || address.is_unique_local()
                    || address.is_unicast_link_local()
            }
        },
    }
}

fn private_words(host: &str) -> String {
    format!(
        "{host} is a private address, and a public server named it. Such addresses are not visited \
         on a stranger's word."
    )
}

/// Resolves names to public addresses alone. The connection goes to the very addresses that
/// were looked at, so a name cannot answer differently the second time.
struct PublicNames;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if found.iter().any(|address| is_private(address.ip())) {
                return Err(private_words(name.as_str()).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// The innermost cause says most.
fn unanswered(host: &str, error: &reqwest::Error) -> Unanswered {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let words = cause.to_string();
    if words == private_words(host) {
        return Unanswered::refused(words, clause::private_addresses());
    }
    let message = if error.is_timeout() {
        format!(
            "{host} did not answer within {} seconds.",
            PATIENCE.as_secs()
        )
    } else {
        format!(
            "{host} could not be reached: {}.",
            words.trim_end_matches('.')
        )
    };
    Unanswered {
        message,
        clause: None,
        refused: false,
    }
}

fn request_text(shown: &RequestDraft) -> String {
    let mut text = format!("{} {}\n", shown.method, shown.url);
    for (name, value) in &shown.headers {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if let Some(body) = &shown.body {
        text.push_str(&format!("\n{body}"));
    }
    text
}

fn response_text(facts: &HttpFacts, body: &str) -> String {
    let mut text = format!("{}\n", facts.status.unwrap_or_default());
    for (name, value) in &facts.response_headers {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if !body.is_empty() {
        let shown = &body[..body.floor_char_boundary(SHOWN)];
        text.push_str(&format!("\n{shown}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_not_of_the_open_internet_are_known() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "::1",
            "fd00::1",
            "fe80::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
        ] {
            assert!(is_private(private.parse().expect(private)), "{private}");
        }
        for public in ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "100.128.0.1"] {
            assert!(!is_private(public.parse().expect(public)), "{public}");
        }
    }

    #[test]
    fn only_encrypted_addresses_and_this_machine_are_visited() {
        let allowed = |text: &str| check_address(&text.parse().expect(text)).is_ok();
        for address in [
            "https://as.test/x",
            "http://127.0.0.1:1/x",
            "http://[::1]/",
            "http://localhost:8/",
        ] {
            assert!(allowed(address), "{address}");
        }
        for address in [
            "http://as.test/x",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "vscode://x/y",
            "http://127.0.0.1.evil.test/",
            "http://localhost.evil.test/",
            "data:text/html,x",
        ] {
            assert!(!allowed(address), "{address}");
        }
    }
}
