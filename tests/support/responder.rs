//! An HTTP server that answers by rules, which are data: as servers, gateways and proxies do that
//! are nearly right.
//!
//! What no rule answers is answered as by an honest MCP server of the `initialize` era with one
//! tool, at `/mcp`; all other paths are unknown.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::serve::Listener;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, task::JoinHandle};

use crate::scripted::{ReceivedRequest, Secured, TlsListener, receive};

/// Which requests are answered, and how. What a rule does not name fits every request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    pub method: Option<String>,
    pub path: Option<String>,
    /// Method of the JSON-RPC message in the body.
    pub rpc: Option<String>,
    /// Header that the request carries.
    pub header: Option<String>,
    /// Header that it does not carry.
    pub without: Option<String>,
    /// Number of the first requests that the rule answers; later ones go on to the next rule.
    pub times: Option<usize>,

    /// Status, 200 by default.
    pub status: Option<u16>,
    /// Headers, in which `{origin}` is that of the server.
    pub headers: BTreeMap<String, String>,
    /// Body, in which `{id}` is the id of the message, and `{origin}` as in the headers.
    pub body: Option<String>,
    /// How often the body is sent, once by default.
    pub repeat: Option<usize>,
    /// Result of the answer, as JSON.
    pub result: Option<String>,
    /// Error of the answer, as JSON.
    pub error: Option<String>,
    /// The whole answer, head and body, as it stands.
    pub raw: Option<String>,
    /// What happens after the answer, or after its beginning.
    pub then: Then,
}

impl Rule {
    fn at(mut self, origin: &str) -> Self {
        let texts = self.headers.values_mut().chain(&mut self.body);
        for text in texts {
            *text = text.replace("{origin}", origin);
        }
        self
    }
}

/// End of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    #[default]
    Close,
    /// The connection stays open, and nothing more comes.
    Hang,
}

/// The server, for as long as this value lives.
pub struct Responder {
    origin: String,
    port: u16,
    serving: JoinHandle<()>,
}

impl Responder {
    /// Starts one on a free port; over TLS where a certificate is given.
    pub async fn start(rules: Vec<Rule>, secured: Option<&Secured>) -> Self {
        let listener = TlsListener::open(secured).await;
        let (origin, port) = (listener.origin(), listener.address().port());
        let rules: Vec<(Rule, AtomicUsize)> = rules
            .into_iter()
            .map(|rule| (rule.at(&origin), AtomicUsize::new(0)))
            .collect();
        Self {
            origin,
            port,
            serving: tokio::spawn(serve(listener, rules.into())),
        }
    }

    /// Returns the scheme, the name and the port that it is reached at.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(mut listener: TlsListener, rules: Arc<[(Rule, AtomicUsize)]>) {
    loop {
        let (mut client, _) = listener.accept().await;
        let rules = Arc::clone(&rules);
        tokio::spawn(async move {
            // A client that goes away in the middle ends its own connection alone.
            let Ok(Some((_, request))) = receive(&mut client).await else {
                return;
            };
            let rule = rules
                .iter()
                .find(|(rule, used)| takes(rule, used, &request));
            let (answer, then) = match rule {
                Some((rule, _)) => (answer(rule, &request), rule.then),
                None => (honest(&request), Then::Close),
            };
            let _ = client.write_all(&answer).await;
            let _ = client.flush().await;
            if then == Then::Hang {
                tokio::time::sleep(Duration::from_secs(600)).await;
            }
            let _ = client.shutdown().await;
        });
    }
}

fn takes(rule: &Rule, used: &AtomicUsize, request: &ReceivedRequest) -> bool {
    let path = request.path.split('?').next().unwrap_or_default();
    let has = |name: &String| request.headers.contains_key(&name.to_ascii_lowercase());
    let fits = rule.method.as_ref().is_none_or(|m| *m == request.method)
        && rule.path.as_ref().is_none_or(|p| p == path)
        && rule
            .rpc
            .as_ref()
            .is_none_or(|rpc| message(request)["method"] == rpc.as_str())
        && rule.header.as_ref().is_none_or(has)
        && !rule.without.as_ref().is_some_and(has);
    let times = rule.times.unwrap_or(usize::MAX);
    fits && used.fetch_add(1, Ordering::Relaxed) < times
}

fn message(request: &ReceivedRequest) -> Value {
    serde_json::from_str(&request.body).unwrap_or_default()
}

fn answer(rule: &Rule, request: &ReceivedRequest) -> Vec<u8> {
    let id = message(request)["id"].to_string();
    if let Some(raw) = &rule.raw {
        return raw.replace("{id}", &id).into_bytes();
    }
    let member =
        |name: &str, text: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"{name}":{text}}}"#);
    let body = match (&rule.result, &rule.error, &rule.body) {
        (Some(result), _, _) => member("result", result),
        (_, Some(error), _) => member("error", error),
        (_, _, Some(body)) => body.replace("{id}", &id),
        _ => String::new(),
    };
    let is_message = rule.result.is_some() || rule.error.is_some();
    let times = rule.repeat.unwrap_or(1);
    let status = rule.status.unwrap_or(200);
    let mut head = format!("HTTP/1.1 {status} scripted\r\nconnection: close\r\n");
    let names: Vec<String> = rule
        .headers
        .keys()
        .map(|name| name.to_lowercase())
        .collect();
    for (name, value) in &rule.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if is_message && !names.contains(&"content-type".to_owned()) {
        head.push_str("content-type: application/json\r\n");
    }
    // A body without an end has no length.
    if rule.then == Then::Close && !names.contains(&"content-length".to_owned()) {
        head.push_str(&format!("content-length: {}\r\n", body.len() * times));
    }
    [head, "\r\n".to_owned(), body.repeat(times)]
        .concat()
        .into_bytes()
}

/// Returns the answer of a server that does nothing wrong.
fn honest(request: &ReceivedRequest) -> Vec<u8> {
    let plain = |status: u16| {
        let rule = Rule {
            status: Some(status),
            ..Rule::default()
        };
        answer(&rule, request)
    };
    if request.path.split('?').next() != Some("/mcp") {
        return plain(404);
    }
    let message = message(request);
    if request.method != "POST" {
        return plain(405);
    }
    if message.get("id").is_none() {
        return plain(202);
    }
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "scripted", "version": "1" },
        }),
        "tools/list" => json!({
            "tools": [{ "name": "echo", "inputSchema": { "type": "object" } }],
        }),
        "tools/call" => json!({ "content": [{ "type": "text", "text": "unharmed" }] }),
        "ping" => json!({}),
        other => {
            let error = json!({ "code": -32601, "message": format!("no {other}") });
            let rule = Rule {
                error: Some(error.to_string()),
                ..Rule::default()
            };
            return answer(&rule, request);
        }
    };
    let rule = Rule {
        result: Some(result.to_string()),
        ..Rule::default()
    };
    answer(&rule, request)
}
