//! Hints: advice on what to do about a failure. All of it is worded here, in [`diagnosis`] and in
//! the advice of [`CertificateFault`](crate::CertificateFault).

use serde::Serialize;

use super::{Failure, NetworkStage, ProxyUsed, UnansweredRequest, diagnosis};
use crate::{Era, LimitSource, Phase};

/// Advice on what to do next.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Hint {
    /// One or two sentences.
    pub text: String,
    /// The one primary action.
    pub action: HintAction,
}

/// An action that the window can offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum HintAction {
    Reconnect,
    EditServer,
    SignIn,
    ShowTraffic,
    /// Put the fingerprint of the server's certificate into its entry.
    AcceptCertificate,
}

impl Failure {
    /// The most likely cause and what to do about it.
    pub fn hint(&self) -> Hint {
        let (text, action) = match self {
            Failure::SpawnFailed { fault, .. } => return fault.hint(),
            Failure::Exited {
                command_line,
                stderr,
                stdout,
                unanswered,
                ..
            } => (
                exit_hint(command_line, stderr, stdout, unanswered),
                HintAction::EditServer,
            ),
            Failure::TimedOut {
                phase,
                set_by,
                stderr,
                prompt,
                ..
            } => match prompt {
                Some(prompt) => (prompt_hint(prompt), HintAction::EditServer),
                None => (timeout_hint(*phase, set_by, stderr), HintAction::Reconnect),
            },
            Failure::SignInRequired {
                status: 403,
                scopes,
                ..
            } => (scope_hint(scopes), HintAction::SignIn),
            Failure::SignInRequired {
                challenge: None,
                body: Some(_),
                ..
            } => (
                "The server refuses the request and names no way to sign in. The body of its \
                 answer says why. If it is about a token or a key, sign in, or set your own in a \
                 header; else connect again."
                    .to_owned(),
                HintAction::SignIn,
            ),
            Failure::SignInRequired { .. } => (
                "The server requires authorization. Sign in, or set your own token in an \
                 Authorization header."
                    .to_owned(),
                HintAction::SignIn,
            ),
            Failure::TokenUnreadable { .. } => (
                "Unlock the keychain, then connect again. Or move the secrets to a file."
                    .to_owned(),
                HintAction::Reconnect,
            ),
            Failure::ClientRegistrationRequired { issuer } => (
                format!(
                    "{issuer} does not offer dynamic client registration. Register a client \
                         there and enter its client id."
                ),
                HintAction::EditServer,
            ),
            Failure::RefusedByPolicy { rule } => (
                format!(
                    "The managed policy refuses this server (rule {rule}). Ask the \
                         administrator of this computer."
                ),
                HintAction::EditServer,
            ),
            Failure::SessionExpired { .. } => (
                "The server no longer knows the session; it may have restarted. Connect again."
                    .to_owned(),
                HintAction::Reconnect,
            ),
            Failure::ProtocolError {
                unknown_era: Some(era),
                ..
            } => (era_hint(*era), HintAction::EditServer),
            Failure::ProtocolError { .. } => (
                "The server's answer breaks the protocol. The messages show what it sent."
                    .to_owned(),
                HintAction::ShowTraffic,
            ),
            Failure::Network {
                stage,
                status,
                url,
                body,
                proxy,
                ..
            } => match proxy {
                Some(proxy) => (proxy_hint(*status, url, proxy), HintAction::Reconnect),
                None => network_hint(*stage, *status, url, body.as_deref()),
            },
            Failure::CertificateRefused { fault, .. } => {
                (fault.advice().to_owned(), HintAction::AcceptCertificate)
            }
            Failure::Configuration { .. } => (
                "Complete the entry, then connect again.".to_owned(),
                HintAction::EditServer,
            ),
            Failure::InternalError { .. } => (
                "This is a fault in Sightglass, not in the server. Other connections stay open. \
                 Copy the report, send it to the developers, then connect again."
                    .to_owned(),
                HintAction::Reconnect,
            ),
        };
        Hint { text, action }
    }
}

/// Paths under which servers have their endpoint, the most common first.
const USUAL_PATHS: [&str; 4] = ["/mcp", "/", "/sse", "/api/mcp"];

fn exit_hint(
    command_line: &str,
    stderr: &[String],
    stdout: &[String],
    unanswered: &[UnansweredRequest],
) -> String {
    let cause = diagnosis::cause_of_exit(command_line, stderr, stdout).unwrap_or_else(|| {
        let words = match (stderr.is_empty(), stdout.is_empty()) {
            (_, false) => {
                "The program printed to stdout, which is reserved for MCP messages. Its last \
                 lines there may name the cause. Log to stderr instead."
            }
            (true, true) => {
                "It wrote nothing to stderr or stdout. Run the command in a terminal to see \
                 what happens."
            }
            (false, true) => "Its last lines on stderr usually name the cause.",
        };
        words.to_owned()
    });
    match unanswered.first() {
        Some(request) => format!(
            "The server ended before it answered {}. {cause}",
            request.method
        ),
        None => cause,
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

/// Advice for a program that waits for someone to type.
fn prompt_hint(prompt: &str) -> String {
    format!(
        "The program seems to wait for an answer to “{}”, and nobody can type one here. Run its \
         command once in a terminal, or add the option that answers, such as `-y` for npx.",
        prompt.trim()
    )
}

/// Advice for a token that allows too little.
fn scope_hint(scopes: &[String]) -> String {
    match scopes {
        [] => "The token lacks a permission that this server requires. Sign in again to request \
               it."
        .to_owned(),
        [one] => format!(
            "The token lacks the permission `{one}`, which this server requires. Sign in again to \
             request it."
        ),
        several => format!(
            "The token lacks permissions that this server requires: `{}`. Sign in again to request \
             them.",
            several.join("`, `")
        ),
    }
}

/// Advice for a proxy that does not let a request through.
fn proxy_hint(status: Option<u16>, url: &str, proxy: &ProxyUsed) -> String {
    let ProxyUsed { address, source } = proxy;
    let host = host_of(url);
    let way_round = match source.as_str() {
        "the settings" => format!("add {host} to the hosts without a proxy in the settings"),
        _ => format!("add {host} to `NO_PROXY`"),
    };
    match status {
        Some(407) => format!(
            "The proxy {address}, named by {source}, asks for a password. Put the name and the \
             password into its address, or {way_round}."
        ),
        Some(status) => format!(
            "The proxy {address}, named by {source}, refused the way to {host} with HTTP {status}. \
             Ask whoever runs it, or {way_round}."
        ),
        None => format!(
            "The proxy {address}, named by {source}, cannot be reached. Correct its address, or \
             {way_round}."
        ),
    }
}

fn timeout_hint(phase: Phase, source: &LimitSource, stderr: &[String]) -> String {
    let setting = match source {
        LimitSource::Variable { name } => {
            format!("If it is only slow, raise the variable {name} (milliseconds).")
        }
        LimitSource::ServerSetting => {
            "If it is only slow, raise the limit in its connection settings.".to_owned()
        }
        LimitSource::Setting => {
            "If it is only slow, raise the limit in the settings, or in the server's own connection \
             settings."
                .to_owned()
        }
        LimitSource::Client { client } => format!(
            "{client} waits as long where nothing says otherwise. If it is only slow, set a limit in \
             its entry or in its connection settings."
        ),
        LimitSource::Entry { field } if field.starts_with("startup_timeout") => {
            format!("If it is only slow, raise `{field}` in its entry (seconds).")
        }
        LimitSource::Default | LimitSource::PackageRunner { .. } | LimitSource::Entry { .. } => {
            let seconds = match source {
                LimitSource::PackageRunner { .. } => 300,
                _ => 60,
            };
            format!(
                "If it is only slow, raise the limit: `\"phase_timeouts\": {{\"{}\": {seconds}}}` in its \
                 entry (seconds).",
                phase.name()
            )
        }
    };
    match phase {
        Phase::Initializing if stderr.is_empty() => format!(
            "The server started but never answered. Check that it speaks MCP over stdio, not only \
             on a port. {setting}"
        ),
        _ => format!("The server stopped answering. {setting}"),
    }
}

fn era_hint(era: Era) -> String {
    let (set, other) = match era {
        Era::Modern => ("stateless (2026-07-28)", "legacy"),
        Era::Legacy => ("with handshake (≤ 2025-11-25)", "modern"),
    };
    format!(
        "The entry sets the era to {set}, which this server does not seem to speak. Set `\"era\": \
         \"auto\"` in the entry, or \"{other}\"."
    )
}

fn network_hint(
    stage: NetworkStage,
    status: Option<u16>,
    url: &str,
    body: Option<&str>,
) -> (String, HintAction) {
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
            "The server does not speak TLS on this port, or no supported version. If it speaks \
             plain HTTP, use http:// in the address."
                .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(404 | 405)) => (wrong_path_hint(url), HintAction::EditServer),
        (NetworkStage::Http, Some(429)) => (
            "Too many requests. Wait as long as the server asks, then connect again.".to_owned(),
            HintAction::Reconnect,
        ),
        (NetworkStage::Http, Some(200..=299)) => (
            "Check the address. Most servers use a path such as /mcp.".to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(300..=399)) => (
            "The server redirects to another address. If it is right, use it in the entry."
                .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(status)) if status >= 500 => (
            match body {
                Some(_) => {
                    "The server itself failed. The body of its answer may say why; its log \
                            should name the cause."
                }
                None => "The server itself failed. Its log should name the cause.",
            }
            .to_owned(),
            HintAction::Reconnect,
        ),
        (NetworkStage::Http, Some(403)) if body.is_some_and(refuses_the_host) => (
            "The server does not accept this host name. Add it to the server's allowed hosts, or \
             use the name it expects."
                .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, Some(_)) => (
            match body {
                Some(_) => "The server refused the request. The body of its answer says why.",
                None => "The server refused the request and gave no reason. Its log may say why.",
            }
            .to_owned(),
            HintAction::EditServer,
        ),
        (NetworkStage::Http, None) => (
            "The connection closed in the middle of an answer. Connect again.".to_owned(),
            HintAction::Reconnect,
        ),
    }
}

/// Advice for an address where a web server has no endpoint.
fn wrong_path_hint(url: &str) -> String {
    let others = other_paths(url);
    let paths = match others.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => others.join(""),
    };
    format!(
        "A web server answers, but there is no MCP endpoint at this path. Common paths: \
             {paths}. The doctor tries them."
    )
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

/// Tells if an answer says that the `Host` or `Origin` header is not among those allowed, as
/// servers do that guard against DNS rebinding.
fn refuses_the_host(body: &str) -> bool {
    let body = body.to_lowercase();
    ["host", "origin"]
        .iter()
        .any(|header| body.contains(header))
        && ["not allowed", "invalid", "forbidden", "blocked"]
            .iter()
            .any(|word| body.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FailureReport, Millis, StartFault};

    #[test]
    fn every_reason_reads_well_after_failed() {
        let exited = Failure::Exited {
            command_line: "node server.js".into(),
            code: Some(3),
            signal: None,
            stderr: vec!["Error: Cannot find module 'x'".into()],
            stdout: Vec::new(),
            unanswered: vec![UnansweredRequest {
                id: "0".into(),
                method: "initialize".into(),
                target: None,
                waited: Millis::from_f64(12.0),
            }],
        };
        let report = FailureReport::from(exited);
        assert_eq!(report.reason, "exited with code 3");
        assert!(
            report.hint.text.contains("before it answered initialize"),
            "{}",
            report.hint.text
        );
        assert!(
            report.hint.text.contains("not installed"),
            "{}",
            report.hint.text
        );
    }

    #[test]
    fn a_variable_that_stderr_complains_about_is_named() {
        let failure = Failure::Exited {
            command_line: "npx server".into(),
            code: Some(1),
            signal: None,
            stderr: vec![
                "GITHUB_TOKEN environment variable is not set".into(),
                "    at main".into(),
            ],
            stdout: Vec::new(),
            unanswered: Vec::new(),
        };
        assert!(
            failure.hint().text.contains("GITHUB_TOKEN"),
            "{}",
            failure.hint().text
        );
    }

    #[test]
    fn a_missing_program_is_named() {
        let failure = Failure::SpawnFailed {
            command_line: "uvx mcp-server-time".into(),
            message: "uvx is not on the PATH".into(),
            fault: StartFault::NotOnPath {
                command: "uvx".into(),
                nearest: None,
            },
        };
        let hint = failure.hint().text;
        assert!(hint.contains("uvx was not found on the PATH"), "{hint}");
    }

    #[test]
    fn a_timeout_names_its_phase_and_its_setting() {
        let failure = Failure::TimedOut {
            phase: Phase::ListingTools,
            limit: Millis::from_f64(30_000.0),
            set_by: Box::new(LimitSource::Default),
            unanswered: Vec::new(),
            stderr: Vec::new(),
            prompt: None,
        };
        assert_eq!(failure.to_string(), "timed out while listing tools");
        assert!(failure.hint().text.contains("\"listing_tools\": 60"));
    }
    #[test]
    fn a_program_that_printed_to_stdout_is_told_so_and_silence_is_told_too() {
        let exited = |stdout: &[&str]| Failure::Exited {
            command_line: "server".into(),
            code: Some(0),
            signal: None,
            stderr: Vec::new(),
            stdout: stdout.iter().map(|line| (*line).to_owned()).collect(),
            unanswered: Vec::new(),
        };
        let hint = exited(&["Server listening on 3000"]).hint().text;
        assert!(hint.contains("printed to stdout"), "{hint}");
        let hint = exited(&["usage: server DIR"]).hint().text;
        assert!(hint.contains("argument"), "{hint}");
        let hint = exited(&[]).hint().text;
        assert!(hint.contains("wrote nothing"), "{hint}");
    }

    #[test]
    fn a_path_without_an_endpoint_is_not_advised_again() {
        assert_eq!(
            other_paths("http://localhost:8080/mcp?x=1"),
            ["/", "/sse", "/api/mcp"]
        );
        assert_eq!(other_paths("https://host"), ["/mcp", "/sse", "/api/mcp"]);
        let (hint, _) = network_hint(NetworkStage::Http, Some(404), "http://h/mcp", None);
        assert!(hint.contains("Common paths: /, /sse or /api/mcp"), "{hint}");
    }

    #[test]
    fn a_refusal_points_to_the_body_only_where_there_is_one() {
        let refused = |status, body: Option<&str>| {
            let failure = Failure::Network {
                stage: NetworkStage::Http,
                url: "http://localhost/mcp".into(),
                status: Some(status),
                message: String::new(),
                body: body.map(str::to_owned),
                proxy: None,
            };
            failure.hint().text
        };
        assert!(refused(403, Some("Host not allowed: x")).contains("host name"));
        assert!(refused(403, Some("no")).contains("body"));
        assert!(!refused(403, None).contains("body"));
        assert!(refused(500, Some("KeyError: 'x'")).contains("body"));
        assert!(!refused(500, None).contains("body"));
    }
}
