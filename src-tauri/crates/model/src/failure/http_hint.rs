//! Hints for servers that are reached over HTTP, and for what stands in front of them: proxies,
//! gateways, hosting platforms.

use serde_json::Value;

use super::{HintAction, HttpFault, NetworkStage, ProxyUsed, TokenFault};

/// Paths under which servers have their endpoint, the most common first.
const USUAL_PATHS: [&str; 4] = ["/mcp", "/", "/sse", "/api/mcp"];

/// The most bytes that a name of a header has that a user is asked to fill.
const MAX_HEADER_NAME: usize = 64;

/// Advice for a server that does not speak the version of the protocol that it was offered.
pub(super) const VERSION_REFUSED: &str = "The server does not speak the version of the protocol \
     that it was offered. If it is an older server, update the server, or choose the version that it \
     names in its connection settings.";

/// Advice for an answer of the network or of HTTP that is none of MCP.
pub(super) fn network_hint(
    stage: NetworkStage,
    status: Option<u16>,
    url: &str,
    body: Option<&str>,
    fault: Option<HttpFault>,
) -> (String, HintAction) {
    if let Some(fault) = fault {
        return fault_hint(fault, status, body);
    }
    match (stage, status) {
        (NetworkStage::Dns, _) => (
            format!("The host name in {url} does not resolve. Check its spelling."),
            HintAction::EditServer,
        ),
        (NetworkStage::Tcp, _) => (
            format!("Nothing accepts connections at {url}. Is the server running?"),
            HintAction::Reconnect,
        ),
        (NetworkStage::Tls, _) => (
            "It seems that the server does not speak TLS on this port, or no supported version. If \
             it speaks plain HTTP, use http:// in the address."
                .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(status)) => status_hint(status, url, body),
        (NetworkStage::Http, None) => (
            "The connection closed in the middle of an answer. Connect again.".to_owned(),
            HintAction::Reconnect,
        ),
    }
}

fn status_hint(status: u16, url: &str, body: Option<&str>) -> (String, HintAction) {
    let says = |holds: fn(&str) -> bool| body.is_some_and(holds);
    match status {
        400 | 403 if says(refuses_the_host) => (host_hint(url), HintAction::EditServer),
        421 => (host_hint(url), HintAction::EditServer),
        400 | 403 if says(refuses_the_origin) => (
            "The server does not accept the `Origin` header of the request, or that there is none. \
             Add the origin to those that the server allows."
                .to_owned(),
            HintAction::EditServer,
        ),
        400 if says(refuses_the_version) => (VERSION_REFUSED.to_owned(), HintAction::EditServer),
        404 | 405 => (wrong_path_hint(url), HintAction::EditServer),
        406 if says(wants_both_types) => (
            "The server says that the request does not accept both JSON and an event stream. Over \
             Streamable HTTP each request accepts both, so a proxy or gateway in front of the \
             server may take the `Accept` header away. Let it pass that header on."
                .to_owned(),
            HintAction::EditServer,
        ),
        429 => (
            "Too many requests. Wait as long as the server asks, then connect again.".to_owned(),
            HintAction::Reconnect,
        ),
        200..=299 => (
            format!("Check the address. {}", common_paths(url)),
            HintAction::EditServer,
        ),
        300..=399 => (
            "The server redirects to another address. If it is right, use it in the entry."
                .to_owned(),
            HintAction::EditServer,
        ),
        // From 520 on these are Cloudflare's own.
        502 | 520..=523 | 525 | 526 => (
            format!(
                "HTTP {status} means that a gateway or proxy answered, which got no valid answer \
                 from the server behind it. Check that the server is running and that the gateway \
                 can reach it; the log of the gateway names the reason."
            ),
            HintAction::Reconnect,
        ),
        504 | 524 => (
            format!(
                "HTTP {status} means that a gateway or proxy answered, for which the server behind \
                 it took too long. Raise the time limit of the gateway (nginx: \
                 `proxy_read_timeout`), or make the answer come sooner."
            ),
            HintAction::Reconnect,
        ),
        503 => (
            "The server, or a gateway in front of it, takes no requests at present. Connect again \
             later; if that does not help, its log should name the cause."
                .to_owned(),
            HintAction::Reconnect,
        ),
        500.. => (
            match body {
                Some(_) => {
                    "The server itself failed. The body of its answer may say why; its log should \
                     name the cause."
                }
                None => "The server itself failed. Its log should name the cause.",
            }
            .to_owned(),
            HintAction::Reconnect,
        ),
        _ => (
            match body {
                Some(_) => "The server refused the request. The body of its answer says why.",
                None => "The server refused the request and gave no reason. Its log may say why.",
            }
            .to_owned(),
            HintAction::EditServer,
        ),
    }
}

fn fault_hint(fault: HttpFault, status: Option<u16>, body: Option<&str>) -> (String, HintAction) {
    match fault {
        HttpFault::CloudflareChallenge => (
            "Cloudflare, which stands in front of the server, answers with a challenge that only a \
             browser passes. The operator of the server has to let MCP clients in, with a rule \
             that skips the challenge for this address."
                .to_owned(),
            HintAction::Reconnect,
        ),
        HttpFault::CloudflareRefusal => {
            let with = match body.and_then(cloudflare_code) {
                Some("1010") => {
                    " with its error 1010: its Browser Integrity Check does not let this client \
                      pass"
                        .to_owned()
                }
                Some(code) => format!(" with its error {code}"),
                None => String::new(),
            };
            (
                format!(
                    "Cloudflare, which stands in front of the server, refused the request{with}. \
                     The operator of the server has to allow MCP clients in its rules there."
                ),
                HintAction::Reconnect,
            )
        }
        HttpFault::UnencryptedRedirect => (
            "The server redirects from https to plain http. It may not know that it is reached \
             over https: the proxy in front of it has to send `X-Forwarded-Proto: https`, and the \
             server to trust that. Until then, try the path that it names over https."
                .to_owned(),
            HintAction::EditServer,
        ),
        HttpFault::SessionLostAtOnce => (
            "The server did not know the session that it had just given in its answer to \
             initialize. Several instances of it may stand behind a load balancer: that has to \
             send each session to the same instance (sticky sessions), or the instances have to \
             share their sessions or do without them (stateless)."
                .to_owned(),
            HintAction::Reconnect,
        ),
        HttpFault::NoEventStream => {
            let status = status.map_or(String::new(), |status| format!(" with {status}"));
            (
                format!(
                    "HTTP with Server-Sent Events (SSE) begins with a GET, which the server \
                     refuses{status}. It may speak Streamable HTTP: set the transport to that, or \
                     let both be tried."
                ),
                HintAction::EditServer,
            )
        }
        HttpFault::NoEndpoint => (
            "The server's `endpoint` event names an address for messages at which nothing is found. \
             A gateway or proxy in front of the server may add a prefix to its paths: let that \
             rewrite the event, or tell the server the prefix, so that the event has it."
                .to_owned(),
            HintAction::EditServer,
        ),
    }
}

/// Advice for a server that answered the handshake with an error, or with what is none of MCP.
pub(super) fn protocol_hint(message: &str, received: Option<&str>) -> (String, HintAction) {
    match received.and_then(error_message) {
        // What is wrong is that the error came at all, where the failure does not repeat it.
        Some(error) if !error.is_empty() && message.contains(&error) => {
            match refuses_the_version(&error) {
                true => (VERSION_REFUSED.to_owned(), HintAction::EditServer),
                false => (
                    "The server answered the handshake with an error. Its message should say why; \
                     the messages show the whole of it."
                        .to_owned(),
                    HintAction::ShowTraffic,
                ),
            }
        }
        _ => (
            "The server's answer breaks the protocol. The messages show what it sent.".to_owned(),
            HintAction::ShowTraffic,
        ),
    }
}

/// Returns true for a challenge of HTTP Basic alone (RFC 7617).
pub(super) fn wants_password(challenge: &str) -> bool {
    let challenge = challenge.trim_start().to_ascii_lowercase();
    challenge.starts_with("basic") && !challenge.contains("bearer")
}

/// Advice for a server that takes a name and a password, and no token.
pub(super) fn password_hint(sent_password: bool) -> &'static str {
    match sent_password {
        true => {
            "The server asks for a user name and a password (`WWW-Authenticate: Basic`), and did \
             not accept those that it got. Correct them in front of the host in the address, or in \
             the Authorization header."
        }
        false => {
            "The server asks for a user name and a password (`WWW-Authenticate: Basic`), not for a \
             token. Give those that it takes in front of its host in the address, as \
             USER:PASSWORD@, or in an Authorization header."
        }
    }
}

/// Advice for a server that answers 401.
pub(super) fn sign_in_hint(
    names_a_way: bool,
    body: Option<&str>,
    token: Option<TokenFault>,
) -> (String, HintAction) {
    let words = body.filter(|body| !names_a_way && token.is_none() && !is_web_page(body));
    if let Some(name) = words.and_then(key_header) {
        return (
            format!(
                "The server refuses the request, and its answer speaks of the header {name}: it \
                 wants a key there that it knows. Enter the key that you have for it."
            ),
            HintAction::SetHeader {
                name: name.to_owned(),
            },
        );
    }
    let text = match (token, body) {
        (_, Some(body)) if !names_a_way && is_web_page(body) => {
            return (
                "The answer is a web page that names no way to sign in, so it may not be the \
                 server's own: the protection of a hosting platform, such as that of Vercel, \
                 answers before the server is reached. If so, its operator has to let MCP clients \
                 in, or to give a token that bypasses it; else sign in, or set your own token."
                    .to_owned(),
                HintAction::EditServer,
            );
        }
        (Some(TokenFault::Audience), _) => {
            "The server refused the token, because it was given for another audience. Sign in \
             again, or set another token: one whose audience (`aud`) is this server."
        }
        (Some(TokenFault::NotYetValid), _) => {
            "The server refused the token, because by its clock the token is not valid yet. \
             Compare the clock of the server with that of whoever gave the token, then connect \
             again."
        }
        (Some(TokenFault::Expired), _) => {
            "The server refused the token, because it has expired. Sign in again, or set another \
             token."
        }
        // Where a way to sign in is named, a request without a token is refused for that.
        (token, Some(body)) if finds_no_session(body) && (token.is_some() || !names_a_way) => {
            return (
                "The server refuses the request, and its answer speaks of a session that it does \
                 not find. That may be the one of this connection, which ends when the server \
                 restarts: connect again. If that does not help, sign in, or set another token."
                    .to_owned(),
                HintAction::Reconnect,
            );
        }
        (Some(TokenFault::Other), Some(_)) => {
            "The server refused the token. The body of its answer may say why. Sign in again, or \
             set another token in an Authorization header."
        }
        (Some(TokenFault::Other), None) => {
            "The server refused the token. Sign in again, or set another token in an \
             Authorization header."
        }
        (None, Some(_)) if !names_a_way => {
            "The server refuses the request and names no way to sign in. The body of its answer \
             says why. If it is about a token or a key, sign in, or set your own in a header; else \
             connect again."
        }
        (None, _) => {
            "The server requires authorization. Sign in, or set your own token in an Authorization \
             header."
        }
    };
    (text.to_owned(), HintAction::SignIn)
}

/// Advice for a proxy that does not let a request through.
pub(super) fn proxy_hint(
    stage: NetworkStage,
    status: Option<u16>,
    url: &str,
    proxy: &ProxyUsed,
) -> String {
    let ProxyUsed { address, source } = proxy;
    let host = host_of(url);
    let way_round = match proxy.is_of_settings() {
        true => format!("add {host} to “Without proxy” in the Settings"),
        false => format!("add {host} to `NO_PROXY`"),
    };
    match (stage, status) {
        (_, Some(407)) => format!(
            "The proxy {address}, named by {source}, asks for a password. Put the name and the \
             password into its address, or {way_round}."
        ),
        (NetworkStage::Http, _) => format!(
            "The proxy {address}, named by {source}, was reached, and opened no way to {host}: it \
             does not allow it, or cannot reach the server. Check the server and its address, ask \
             whoever runs the proxy, or {way_round}."
        ),
        _ => format!(
            "The proxy {address}, named by {source}, cannot be reached. Correct its address, or \
             {way_round}."
        ),
    }
}

/// Returns the host of an address, without a port.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    match (host.starts_with('['), host.find(']'), host.find(':')) {
        (true, Some(end), _) => &host[..=end],
        (false, _, Some(port)) => &host[..port],
        _ => host,
    }
}

/// Advice for a host name that a server does not answer to, as servers do that guard against DNS
/// rebinding.
fn host_hint(url: &str) -> String {
    format!(
        "The server does not accept the host name {}. Add it to the hosts that the server allows (in \
         the Python SDK: `allowed_hosts` of its TransportSecuritySettings), or use the name that it \
         expects.",
        host_of(url)
    )
}

/// Advice for an address where a web server has no endpoint.
fn wrong_path_hint(url: &str) -> String {
    format!(
        "A web server answers, but there is no MCP endpoint at this path. {}",
        common_paths(url)
    )
}

/// Names the usual paths other than the one of `url`.
fn common_paths(url: &str) -> String {
    let others = other_paths(url);
    let paths = match others.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => others.join(""),
    };
    format!("Common paths: {paths}.")
}

/// Returns the usual paths of an endpoint other than the one of `url`.
pub fn other_paths(url: &str) -> Vec<&'static str> {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.find('/').map_or("/", |at| &after_scheme[at..]);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    USUAL_PATHS
        .into_iter()
        .filter(|usual| usual.trim_end_matches('/') != path.trim_end_matches('/'))
        .collect()
}

/// Tells if an answer says that the `Host` header is not among those allowed.
fn refuses_the_host(body: &str) -> bool {
    has_phrase(
        body,
        &[
            "invalid host header",
            "invalid host:",
            "host not allowed",
            "host is not allowed",
            "host header not allowed",
            "host header is not allowed",
            "host not permitted",
            "disallowedhost",
            "disallowed host",
            "allowed hosts",
            "allowed_hosts",
            "allowedhosts",
            "dns rebinding",
        ],
    )
}

/// Tells if an answer says that the `Origin` header is not among those allowed.
fn refuses_the_origin(body: &str) -> bool {
    has_phrase(
        body,
        &[
            "invalid origin",
            "origin header",
            "origin not allowed",
            "origin is not allowed",
            "origin not permitted",
        ],
    )
}

/// Returns the header that an answer names as the place of a key, such as `X-Api-Key`. Some servers
/// have headers of such names that hold none: those against forged requests.
fn key_header(body: &str) -> Option<&str> {
    body.split(|part: char| !part.is_ascii_alphanumeric() && part != '-')
        .filter(|word| word.len() <= MAX_HEADER_NAME)
        .find(|word| {
            let word = word.to_ascii_lowercase();
            let is_of_key = word.starts_with("x-") && word.ends_with("-key");
            let is_of_token = word.starts_with("x-") && word.ends_with("-token");
            let is_against_forging = word.contains("csrf") || word.contains("xsrf");
            is_of_key || (is_of_token && !is_against_forging) || word == "ocp-apim-subscription-key"
        })
}

/// Tells if an answer says that there is no such session.
fn finds_no_session(body: &str) -> bool {
    has_phrase(
        body,
        &[
            "session not found",
            "session id not found",
            "unknown session",
            "no such session",
            "no valid session",
        ],
    )
}

/// Tells if a text has one of these phrases, which begin where a word does.
fn has_phrase(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_lowercase();
    phrases.iter().any(|phrase| {
        let mut places = text.match_indices(*phrase);
        places.any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
    })
}

/// Tells if an answer says that the version of the protocol is not spoken.
fn refuses_the_version(words: &str) -> bool {
    let words = words.to_lowercase();
    let says = |texts: &[&str]| texts.iter().any(|text| words.contains(text));
    says(&["protocol version", "protocolversion"])
        && says(&[
            "unsupported",
            "not supported",
            "incompatible",
            "mismatch",
            "unknown",
        ])
}

/// Tells if an answer says that both content types of Streamable HTTP have to be accepted.
fn wants_both_types(body: &str) -> bool {
    body.contains("application/json") && body.contains("text/event-stream")
}

fn is_web_page(body: &str) -> bool {
    let beginning: String = body.trim_start().chars().take(15).collect();
    let beginning = beginning.to_lowercase();
    beginning.starts_with("<!doctype html") || beginning.starts_with("<html")
}

/// Returns the number in the words with which Cloudflare refuses a program: `error code: 1010`.
fn cloudflare_code(body: &str) -> Option<&str> {
    let code = body.trim().strip_prefix("error code: ")?;
    let is_number = code.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && code.len() == 4).then_some(code)
}

/// Returns the message of an answer that is a JSON-RPC error.
fn error_message(answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    Some(answer.get("error")?.get("message")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, body: Option<&str>) -> String {
        let url = "http://server.example/mcp";
        network_hint(NetworkStage::Http, Some(status), url, body, None).0
    }

    #[test]
    fn a_path_without_an_endpoint_is_not_advised_again() {
        assert_eq!(
            other_paths("http://localhost:8080/mcp?x=1"),
            ["/", "/sse", "/api/mcp"]
        );
        assert_eq!(other_paths("https://host"), ["/mcp", "/sse", "/api/mcp"]);
        for status in [200, 404] {
            let hint = refused(status, None);
            assert!(hint.contains("Common paths: /, /sse or /api/mcp"), "{hint}");
        }
    }

    #[test]
    fn a_refusal_points_to_the_body_only_where_there_is_one() {
        assert!(refused(403, Some("no")).contains("body"));
        assert!(!refused(403, None).contains("body"));
        assert!(refused(500, Some("KeyError: 'x'")).contains("body"));
        assert!(!refused(500, None).contains("body"));
    }

    #[test]
    fn a_host_name_that_is_not_allowed_is_told_where_the_answer_speaks_of_it() {
        for (status, body) in [
            (421, "Invalid Host header"),
            (421, ""),
            (400, "Invalid host header"),
            (403, "Host not allowed: x"),
            (
                403,
                r#"{"error":{"code":-32000,"message":"Invalid Host: x"}}"#,
            ),
            (
                403,
                "This host (\"x\") is not allowed. Add it to `server.allowedHosts`.",
            ),
        ] {
            let hint = refused(status, Some(body));
            assert!(hint.contains("host name server.example"), "{hint}");
        }
        assert!(refused(403, Some("Invalid Origin header")).contains("`Origin`"));
        for body in [
            "Invalid request: the original is gone",
            "the target localhost not allowed",
            "no",
        ] {
            let hint = refused(403, Some(body));
            assert!(hint.contains("refused the request"), "{body}: {hint}");
        }
    }

    #[test]
    fn the_way_round_a_proxy_is_set_where_the_proxy_is() {
        let hint = |source: &str| {
            let proxy = ProxyUsed {
                address: "http://proxy:1/".to_owned(),
                source: source.to_owned(),
            };
            proxy_hint(
                NetworkStage::Tcp,
                None,
                "https://server.example/mcp",
                &proxy,
            )
        };
        let of_settings = hint(ProxyUsed::SETTINGS);
        assert!(
            of_settings.contains("named by the settings"),
            "{of_settings}"
        );
        assert!(of_settings.contains("“Without proxy”"), "{of_settings}");
        let of_variable = hint("https_proxy");
        assert!(
            of_variable.contains("named by https_proxy"),
            "{of_variable}"
        );
        assert!(of_variable.contains("`NO_PROXY`"), "{of_variable}");
    }

    #[test]
    fn an_accept_header_that_got_lost_is_told_apart_from_other_406s() {
        let both = "Client must accept both application/json and text/event-stream";
        assert!(refused(406, Some(both)).contains("in front of the server"));
        let firewall = refused(406, Some("Not Acceptable! Generated by Mod_Security."));
        assert!(firewall.contains("refused the request"), "{firewall}");
    }

    #[test]
    fn a_gateway_that_answers_for_the_server_is_told_apart_from_it() {
        for status in [502, 504, 520, 524] {
            let hint = refused(status, Some("<html>"));
            assert!(hint.contains("gateway or proxy"), "{hint}");
        }
        assert!(refused(500, Some("gateway")).contains("The server itself failed"));
    }

    #[test]
    fn a_version_that_is_refused_is_told_wherever_it_is_said() {
        let words = "Bad Request: Unsupported protocol version (supported versions: 2025-06-18)";
        assert!(refused(400, Some(words)).contains("update the server"));
        let missing = refused(400, Some("The protocol version is missing"));
        assert!(missing.contains("refused the request"), "{missing}");

        let answer = |message: &str| {
            serde_json::json!({ "error": { "code": -32602, "message": message } }).to_string()
        };
        let hint = |words: &str, answer: &str| protocol_hint(words, Some(answer)).0;
        let version = "Unsupported protocol version";
        let told = hint(
            "the server refused initialize: Unsupported protocol version (code -32602)",
            &answer(version),
        );
        assert!(told.contains("update the server"), "{told}");
        let other = hint("the server refused initialize: no (code 1)", &answer("no"));
        assert!(other.contains("with an error"), "{other}");
        let stray = hint("an answer came that fits no request: 7", &answer(version));
        assert!(stray.contains("breaks the protocol"), "{stray}");
        let no_error = hint("the answer has the wrong shape", r#"{"result":1}"#);
        assert!(no_error.contains("breaks the protocol"), "{no_error}");
    }

    #[test]
    fn cloudflare_is_named_with_its_code_where_it_gives_one() {
        let told = |fault, body| {
            let url = "https://server.example/mcp";
            network_hint(NetworkStage::Http, Some(403), url, Some(body), Some(fault)).0
        };
        let code = told(HttpFault::CloudflareRefusal, "error code: 1010\n");
        assert!(code.contains("error 1010: its Browser"), "{code}");
        let other = told(HttpFault::CloudflareRefusal, "error code: 1020");
        assert!(
            other.contains("error 1020") && !other.contains("Browser"),
            "{other}"
        );
        let page = told(
            HttpFault::CloudflareRefusal,
            "<html>error code: 1010</html>",
        );
        assert!(page.contains("refused the request."), "{page}");
        let challenge = told(HttpFault::CloudflareChallenge, "<html>");
        assert!(challenge.contains("challenge"), "{challenge}");
        let own = refused(403, Some("error code: 1010"));
        assert!(!own.contains("Cloudflare"), "{own}");
    }

    #[test]
    fn an_address_for_messages_that_does_not_exist_is_no_wrong_path_of_the_entry() {
        let url = "https://server.example/messages";
        let fault = Some(HttpFault::NoEndpoint);
        let told = network_hint(NetworkStage::Http, Some(404), url, None, fault).0;
        assert!(told.contains("prefix"), "{told}");
        assert!(!told.contains("Common paths"), "{told}");
    }

    #[test]
    fn a_password_is_wanted_where_nothing_but_basic_is_offered() {
        assert!(wants_password(r#"Basic realm="x""#));
        assert!(!wants_password(r#"Bearer realm="x""#));
        assert!(!wants_password(r#"Basic realm="x", Bearer scope="a""#));
    }

    #[test]
    fn a_401_is_told_by_what_came_with_it() {
        let told = |names_a_way, body, token| sign_in_hint(names_a_way, body, token).0;
        let page = "<!DOCTYPE html><html><title>Log in</title>";
        assert!(told(false, Some(page), None).contains("web page"));
        assert!(told(true, Some(page), None).contains("requires authorization"));
        assert!(told(false, Some("who are you"), None).contains("names no way"));
        assert!(told(true, None, None).contains("requires authorization"));
        for (body, header) in [
            (r#"{"error":"Missing X-Api-Key"}"#, Some("X-Api-Key")),
            ("header `x-auth-token` is required", Some("x-auth-token")),
            ("bad X-CSRF-Token", None),
            ("no api key", None),
            (&format!("X-{}-Key", "a".repeat(100)), None),
        ] {
            let action = |names_a_way| sign_in_hint(names_a_way, Some(body), None).1;
            let wanted = header.map_or(HintAction::SignIn, |name| HintAction::SetHeader {
                name: name.to_owned(),
            });
            assert_eq!(action(false), wanted, "{body}");
            assert_eq!(action(true), HintAction::SignIn, "{body}");
        }
        for (body, is_of_session) in [
            (r#"{"error":{"message":"Session not found"}}"#, true),
            ("your session has expired", false),
        ] {
            let hint = told(true, Some(body), Some(TokenFault::Other));
            assert_eq!(hint.contains("connect again"), is_of_session, "{hint}");
        }
        let audience = told(true, None, Some(TokenFault::Audience));
        assert!(audience.contains("another audience"), "{audience}");
        let other = told(true, None, Some(TokenFault::Other));
        assert!(
            other.contains("refused the token") && !other.contains("body"),
            "{other}"
        );
    }
}
