//! Checks of the rules of Streamable HTTP, by requests that no client would send.

use serde_json::{Value, json};
use sightglass_checks::{
    Answer, Judgement,
    judge::{self, HEADER_MISMATCH, short},
};
use sightglass_connection::{HttpProbe, HttpProbeAnswer};
use sightglass_model::Era;

use super::session::{EraSession, Tell};

const MODERN_VERSION: &str = "2026-07-28";
const NO_VERSION: &str = "1900-01-01";
/// A site that no server of somebody's machine belongs to (RFC 2606, section 2).
const FOREIGN_ORIGIN: &str = "https://foreign.example";

const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const SESSION: &str = "mcp-session-id";
const ORIGIN: &str = "origin";

impl EraSession<'_> {
    pub(super) async fn check_http(&self, tell: Tell<'_>) {
        if !self.is_over_http() {
            return;
        }
        let mut origin = self.message("origin", MODERN_VERSION);
        origin
            .headers
            .push((ORIGIN, Some(FOREIGN_ORIGIN.to_owned())));
        self.check_probe("http-origin", &origin, tell, |answer| {
            status(answer, &[403])
        })
        .await;
        match self.era {
            Era::Legacy => self.check_http_of_legacy_era(tell).await,
            Era::Modern => self.check_http_of_modern_era(tell).await,
        }
        let notification = HttpProbe {
            body: Some(
                json!({
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": self.params(MODERN_VERSION, &json!({ "requestId": "no-such-request" })),
                })
                .to_string(),
            ),
            headers: self.standard_headers("notifications/cancelled", MODERN_VERSION),
        };
        self.check_probe("http-notification", &notification, tell, |answer| {
            match (answer.status, answer.body.trim().is_empty()) {
                (202, true) => Judgement::Passed,
                (202, false) => Judgement::Failed("The answer has a body.".to_owned()),
                (other, _) => Judgement::Failed(format!("The status is {other} and not 202.")),
            }
        })
        .await;
        let garbled = HttpProbe {
            body: Some("{\"jsonrpc\":".to_owned()),
            headers: self.standard_headers("tools/list", MODERN_VERSION),
        };
        self.check_probe("http-bad-json", &garbled, tell, |answer| {
            match answer.status {
                400..500 => Judgement::Passed,
                other => Judgement::Failed(format!("The status is {other} and not 400.")),
            }
        })
        .await;
    }

    async fn check_http_of_legacy_era(&self, tell: Tell<'_>) {
        let mut version = self.message("version", "");
        version.headers.push((VERSION, Some(NO_VERSION.to_owned())));
        self.check_probe("http-version-header", &version, tell, |answer| {
            status(answer, &[400])
        })
        .await;
        if self.has_http_session() {
            let mut missing = self.message("session-missing", "");
            missing.headers.push((SESSION, None));
            self.check_probe("http-session-missing", &missing, tell, |answer| {
                status(answer, &[400])
            })
            .await;
            let mut unknown = self.message("session-unknown", "");
            let no_session = "sightglass-no-such-session".to_owned();
            unknown.headers.push((SESSION, Some(no_session)));
            self.check_probe("http-session-unknown", &unknown, tell, |answer| {
                status(answer, &[404])
            })
            .await;
        } else {
            for id in ["http-session-missing", "http-session-unknown"] {
                self.not_offered(id, "It gives no sessions.", tell);
            }
        }
        let get = HttpProbe {
            body: None,
            headers: Vec::new(),
        };
        self.check_probe("http-get", &get, tell, |answer| {
            let is_stream = answer
                .content_type
                .as_deref()
                .is_some_and(|kind| kind.starts_with("text/event-stream"));
            match answer.status {
                // One stream of a session may be open already, ours.
                405 | 409 => Judgement::Passed,
                200 if is_stream => Judgement::Passed,
                200 => Judgement::Failed("The answer is no event stream.".to_owned()),
                other => Judgement::Failed(format!("The status is {other}.")),
            }
        })
        .await;
    }

    async fn check_http_of_modern_era(&self, tell: Tell<'_>) {
        let unsupported = self.message("version", NO_VERSION);
        let sent = self.probe(&unsupported).await;
        let judgements = match &sent {
            None => [unanswered(), unanswered()],
            Some((answer, _)) => [
                status(answer, &[400]),
                judge::unsupported_version(&Answer::of_response(&answer.body)),
            ],
        };
        let evidence = sent.map(|(_, evidence)| evidence).unwrap_or_default();
        for (id, judgement) in ["http-version-header", "unsupported-version"]
            .into_iter()
            .zip(judgements)
        {
            self.found(id, judgement, evidence.clone(), tell);
        }
        let header_error = |answer: &HttpProbeAnswer| match status(answer, &[400]) {
            Judgement::Passed => {
                judge::refused_with(&Answer::of_response(&answer.body), &[HEADER_MISMATCH])
            }
            failed => failed,
        };
        let mut missing = self.message("method-missing", MODERN_VERSION);
        missing.headers.push((METHOD, None));
        self.check_probe("http-method-header", &missing, tell, header_error)
            .await;
        let mut wrong = self.message("method-wrong", MODERN_VERSION);
        wrong
            .headers
            .push((METHOD, Some("prompts/list".to_owned())));
        self.check_probe("http-header-mismatch", &wrong, tell, header_error)
            .await;
    }

    async fn check_probe(
        &self,
        id: &str,
        probe: &HttpProbe,
        tell: Tell<'_>,
        judged: impl Fn(&HttpProbeAnswer) -> Judgement,
    ) {
        match self.probe(probe).await {
            Some((answer, evidence)) => self.found(id, judged(&answer), evidence, tell),
            None => self.found(id, unanswered(), Vec::new(), tell),
        }
    }

    /// A message that every server of the era answers, as a client would send it.
    fn message(&self, name: &str, version: &str) -> HttpProbe {
        let method = match self.era {
            Era::Legacy => "ping",
            Era::Modern => "server/discover",
        };
        let body = json!({
            "jsonrpc": "2.0",
            "id": format!("sightglass-{name}"),
            "method": method,
            "params": self.params(version, &json!({})),
        });
        HttpProbe {
            body: Some(body.to_string()),
            headers: self.standard_headers(method, version),
        }
    }

    fn params(&self, version: &str, params: &Value) -> Value {
        let mut params = params.clone();
        if self.era == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientInfo": { "name": "sightglass", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        params
    }

    fn standard_headers(&self, method: &str, version: &str) -> Vec<(&'static str, Option<String>)> {
        match self.era {
            Era::Legacy => Vec::new(),
            Era::Modern => vec![
                (VERSION, Some(version.to_owned())),
                (METHOD, Some(method.to_owned())),
            ],
        }
    }
}

fn status(answer: &HttpProbeAnswer, wanted: &[u16]) -> Judgement {
    if wanted.contains(&answer.status) {
        return Judgement::Passed;
    }
    let wanted: Vec<String> = wanted.iter().map(u16::to_string).collect();
    Judgement::Failed(format!(
        "The status is {} and not {}.",
        answer.status,
        short(&wanted.join(" or "))
    ))
}

fn unanswered() -> Judgement {
    Judgement::Skipped("No answer came to the request.".to_owned())
}
