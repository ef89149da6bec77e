//! `initialize` and `server/discover`, and the faults that spoil them.

use std::{future::pending, sync::Arc, time::Duration};

use serde_json::{Value, json};

use crate::{
    answer::{Accepted, Answer, failure},
    connection::{ClientConnection, Negotiated},
    listeners::{ListenFilter, Listener},
    media,
    message::{Message, RequestId, RpcError},
    options::Fault,
    params::MethodParams,
    protocol::{Era, INITIALIZE_VERSIONS, code},
    server::Server,
    skills,
    tasks::TASKS_EXTENSION,
};

const INSTRUCTIONS: &str = "\
This server shows what MCP servers can do. Try `echo` first, then `long_running` \
with progress, `ask_elicitation` to be asked something, and `change_tools` to see a \
list change. Resources start with `demo://`; the prompts show arguments, roles and \
kinds of content.";

/// A version that no client speaks.
const UNKNOWN_VERSION: &str = "1999-12-31";

/// Time for an answer to leave before the process ends.
const EXIT_DELAY: Duration = Duration::from_millis(100);

/// The `serverInfo` (`Implementation`) of this server.
pub fn server_info() -> Value {
    json!({
        "name": "sightglass-demo",
        "title": "Sightglass demo",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Everything an MCP client has to handle, in one server",
        "websiteUrl": "https://modelcontextprotocol.io",
        "icons": [
            { "src": media::icon_data_uri(), "mimeType": "image/png", "sizes": ["32x32"] },
            {
                "src": format!("data:image/svg+xml;base64,{}", media::base64(media::SVG.as_bytes())),
                "mimeType": "image/svg+xml",
                "sizes": ["any"],
                "theme": "dark"
            }
        ]
    })
}

/// The part of it that every modern result repeats.
pub fn brief_server_info() -> Value {
    json!({ "name": "sightglass-demo", "version": env!("CARGO_PKG_VERSION") })
}

fn capabilities(era: Era) -> Value {
    let mut capabilities = json!({
        "tools": { "listChanged": true },
        "resources": { "subscribe": true, "listChanged": true },
        "prompts": { "listChanged": true },
        "logging": {},
        "completions": {}
    });
    match era {
        Era::Initialize => {
            capabilities["tasks"] =
                json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
        }
        Era::Modern => capabilities["extensions"] = json!({ TASKS_EXTENSION: {} }),
    }
    capabilities
}

/// Answers `initialize`.
///
/// # Errors
///
/// `-32022` from a server that only speaks the modern era.
pub fn initialize(
    server: &Arc<Server>,
    connection: &Arc<ClientConnection>,
    mut params: MethodParams<'_>,
) -> Result<Value, RpcError> {
    let asked = params.protocol_version.take();
    if !server.options().eras.serve(Era::Initialize) {
        return Err(unsupported_version(
            server,
            asked.as_deref().unwrap_or_default(),
        ));
    }
    let version = negotiate(asked.as_deref());
    let listener = Listener::new(connection.home().clone(), ListenFilter::every_list(), None);
    server.listeners().add(&listener);
    connection.initialize(settle(version, &mut params), listener);
    let named = match server.options().fault {
        Some(Fault::WrongVersion) => UNKNOWN_VERSION,
        _ => version,
    };
    Ok(json!({
        "protocolVersion": named,
        "capabilities": capabilities(Era::Initialize),
        "serverInfo": server_info(),
        "instructions": INSTRUCTIONS
    }))
}

/// Answers `server/discover` (2026-07-28).
pub fn discover(server: &Server) -> Value {
    let versions = match server.options().fault {
        Some(Fault::WrongVersion) => vec![UNKNOWN_VERSION],
        _ => server.options().eras.versions(),
    };
    let mut capabilities = capabilities(Era::Modern);
    if server.offers_skills() {
        capabilities["extensions"][skills::SKILLS_EXTENSION] = skills::settings();
    }
    json!({
        "supportedVersions": versions,
        "capabilities": capabilities,
        "instructions": INSTRUCTIONS,
        "ttlMs": 60_000,
        "cacheScope": "public",
        "_meta": { crate::protocol::META_SERVER_INFO: server_info() }
    })
}

/// Answers a request as a fault asks; `None` when it is answered as usual.
pub fn faulty(server: &Arc<Server>, method: &str, id: &RequestId) -> Option<Accepted> {
    let opening = matches!(method, "initialize" | "server/discover");
    match server.options().fault? {
        Fault::HangInitialize if opening => never(),
        Fault::HangResources if method == "resources/list" => never(),
        Fault::HangTools if method == "tools/list" => never(),
        Fault::HangPrompts if method == "prompts/list" => never(),
        Fault::EndlessPages if method == "tools/list" => Some(Accepted::Answer(Answer {
            message: Message::from(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[],"nextCursor":"more"}}}}"#
            )),
            error: None,
        })),
        Fault::BadJson if opening => Some(Accepted::Answer(Answer {
            message: Message::from(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":"2025-11-25","#
            )),
            error: None,
        })),
        Fault::RefuseInitialize if opening => Some(Accepted::Answer(failure(
            Some(id),
            RpcError::new(code::INTERNAL_ERROR, "This server refuses every client")
                .with_data(json!({ "reason": "--fault refuse-initialize" })),
        ))),
        Fault::ExitAfterInitialize if opening => {
            server.fall_silent();
            let server = server.clone();
            tokio::spawn(async move {
                tokio::time::sleep(EXIT_DELAY).await;
                server.request_exit(server.options().exit_code);
            });
            None
        }
        _ => None,
    }
}

/// `-32022`, which tells the client what it may try instead.
pub fn unsupported_version(server: &Server, requested: &str) -> RpcError {
    RpcError::new(
        code::UNSUPPORTED_PROTOCOL_VERSION,
        "Unsupported protocol version",
    )
    .with_data(json!({ "requested": requested, "supported": server.options().eras.versions() }))
}

/// The version to answer `initialize` with: the asked one if known, else the newest.
fn negotiate(asked: Option<&str>) -> &'static str {
    INITIALIZE_VERSIONS
        .into_iter()
        .find(|known| Some(*known) == asked)
        .unwrap_or(INITIALIZE_VERSIONS[0])
}

/// Reads the client's side of `initialize`.
fn settle(version: &'static str, params: &mut MethodParams<'_>) -> Negotiated {
    Negotiated {
        version,
        capabilities: Arc::new(params.capabilities.take().unwrap_or_else(|| json!({}))),
        client: Arc::new(params.client_info.take().unwrap_or(Value::Null)),
    }
}

/// An answer that does not come.
fn never() -> Option<Accepted> {
    Some(Accepted::Working(Box::pin(pending())))
}
