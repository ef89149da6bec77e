//! Attributes of spans, read from the messages.

use serde::Serialize;
use sightglass_json_text::Members;
use sightglass_traffic::{ExchangeRow, RecordedHttp};
use url::Url;

use super::identity::TraceContext;

/// A `KeyValue`.
#[derive(Debug, Serialize)]
pub(crate) struct Attribute {
    key: &'static str,
    value: AnyValue,
}

/// An `AnyValue`, of the kinds that occur here.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
enum AnyValue {
    StringValue(String),
    /// A 64-bit integer, which stands as a string in JSON.
    IntValue(String),
}

/// Attributes of a span.
#[derive(Default)]
pub(crate) struct Attributes(Vec<Attribute>);

/// Members of a message.
pub(crate) struct Message<'a> {
    message: Option<Members<'a>>,
}

impl<'a> Message<'a> {
    /// Reads a message. One that is absent or no object has no members.
    pub fn read(text: Option<&'a str>) -> Self {
        Self {
            message: text.and_then(|text| Members::parse(text).ok()),
        }
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.message.as_ref()?.given(name)
    }

    fn object(&self, name: &str) -> Option<Members<'a>> {
        self.message.as_ref()?.object(name)
    }

    fn meta(&self) -> Option<Members<'a>> {
        self.object("params")?.object("_meta")
    }

    pub fn trace_context(&self) -> Option<TraceContext> {
        TraceContext::read(&self.meta()?)
    }

    /// The revision that a request of the stateless era states.
    pub fn stated_revision(&self) -> Option<String> {
        self.meta()?
            .string("io.modelcontextprotocol/protocolVersion")
    }

    /// The revision that `initialize` agreed on.
    pub fn agreed_revision(&self) -> Option<String> {
        self.object("result")?.string("protocolVersion")
    }

    pub fn error_code(&self) -> Option<String> {
        Some(self.object("error")?.text("code")?.to_owned())
    }

    pub fn error_message(&self) -> Option<String> {
        self.object("error")?.string("message")
    }

    pub fn is_tool_error(&self) -> bool {
        let result = self.object("result");
        result.is_some_and(|result| result.text("isError") == Some("true"))
    }
}

/// Returns true for the methods whose spans are named by what they ask for.
pub(crate) fn has_name(method: &str) -> bool {
    matches!(method, "tools/call" | "prompts/get")
}

impl Attributes {
    pub fn text(&mut self, key: &'static str, value: &str) {
        self.0.push(Attribute {
            key,
            value: AnyValue::StringValue(value.to_owned()),
        });
    }

    pub fn integer(&mut self, key: &'static str, value: i64) {
        self.0.push(Attribute {
            key,
            value: AnyValue::IntValue(value.to_string()),
        });
    }

    pub fn into_list(self) -> Vec<Attribute> {
        self.0
    }

    /// Adds what the conventions want of a request.
    pub fn of_request(
        &mut self,
        row: &ExchangeRow,
        request: &Message<'_>,
        http: Option<&RecordedHttp>,
        revision: Option<&str>,
    ) {
        self.text("mcp.method.name", &row.method);
        if let Some(revision) = revision {
            self.text("mcp.protocol.version", revision);
        }
        if let Some(id) = request.text("id") {
            let id: Option<String> = serde_json::from_str(id).ok().or(Some(id.to_owned()));
            self.text("jsonrpc.request.id", &id.unwrap_or_default());
        }
        match row.method.as_str() {
            "tools/call" => {
                self.text("gen_ai.operation.name", "execute_tool");
                self.text("gen_ai.tool.name", &row.target);
            }
            "prompts/get" => self.text("gen_ai.prompt.name", &row.target),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
                let uri = request
                    .object("params")
                    .and_then(|params| params.string("uri"));
                self.text("mcp.resource.uri", uri.as_deref().unwrap_or(&row.target));
            }
            _ => {}
        }
        let Some(http) = http else {
            self.text("network.transport", "pipe");
            return;
        };
        let session = http
            .facts
            .request_headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"));
        if let Some((_, session)) = session {
            self.text("mcp.session.id", session);
        }
        let is_socket = http.facts.url.starts_with("unix:");
        self.text("network.transport", if is_socket { "unix" } else { "tcp" });
        let is_web_socket = http.facts.status == Some(101);
        self.text(
            "network.protocol.name",
            if is_web_socket { "websocket" } else { "http" },
        );
        self.of_address(&http.facts.url);
    }

    /// Adds host and port of an address.
    pub fn of_address(&mut self, url: &str) {
        let Ok(url) = Url::parse(url) else {
            return;
        };
        if let Some(host) = url.host_str() {
            self.text("server.address", host.trim_matches(['[', ']']));
        }
        if let Some(port) = url.port_or_known_default() {
            self.integer("server.port", i64::from(port));
        }
    }

    /// Adds arguments and result of a tool, as they were written.
    pub fn of_call(&mut self, request: &Message<'_>, response: &Message<'_>) {
        let params = request.object("params");
        if let Some(arguments) = params.as_ref().and_then(|params| params.given("arguments")) {
            self.text("gen_ai.tool.call.arguments", arguments);
        }
        if let Some(result) = response.text("result") {
            self.text("gen_ai.tool.call.result", result);
        }
    }
}
