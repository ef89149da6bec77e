//! `initialize` and `server/discover`: what is offered, and how to use it.

use serde_json::json;
use sightglass_inspector::Era;
use sightglass_json_text::{Members, object, quoted};

use crate::{
    agent::{Agent, AgentFacts},
    message::RefusedRequest,
    protocol::{
        INITIALIZE_VERSIONS, META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_PROTOCOL_VERSION,
        META_SERVER_INFO, MODERN_VERSION, code,
    },
    serving::Serving,
    tools,
};

/// Returns the `serverInfo` (`Implementation`) of what is served.
pub fn server_info() -> String {
    json!({ "name": "sightglass", "title": "Sightglass", "version": env!("CARGO_PKG_VERSION") })
        .to_string()
}

/// Answers `initialize`.
pub async fn initialize(serving: &Serving, agent: &Agent, params: &str) -> String {
    let members = Members::parse(params).ok();
    let text = |name| members.as_ref().and_then(|members| members.given(name));
    let facts = AgentFacts::read(text("clientInfo"), text("capabilities"));
    let asked = members
        .as_ref()
        .and_then(|members| members.string("protocolVersion"));
    let version = INITIALIZE_VERSIONS
        .into_iter()
        .find(|known| Some(*known) == asked.as_deref());
    let version = quoted(version.unwrap_or(INITIALIZE_VERSIONS[0]));
    let instructions = quoted(&instructions(serving).await);
    agent.begin_session(facts);
    let (info, capabilities) = (server_info(), capabilities(serving));
    object([
        ("protocolVersion", version.as_str()),
        ("capabilities", capabilities.as_str()),
        ("serverInfo", info.as_str()),
        ("instructions", instructions.as_str()),
    ])
}

/// Answers `server/discover` (2026-07-28).
pub async fn discover(serving: &Serving) -> String {
    let versions: Vec<&str> = std::iter::once(MODERN_VERSION)
        .chain(INITIALIZE_VERSIONS)
        .collect();
    let versions = json!(versions).to_string();
    let instructions = quoted(&instructions(serving).await);
    let capabilities = capabilities(serving);
    object([
        ("supportedVersions", versions.as_str()),
        ("capabilities", capabilities.as_str()),
        ("instructions", instructions.as_str()),
        ("ttlMs", "0"),
        ("cacheScope", "\"private\""),
    ])
}

/// Reads what a stateless request says of its agent (SEP-2575).
///
/// # Errors
/// When something is missing, or the revision is not spoken here.
pub fn stateless_facts(meta: &Members<'_>) -> Result<AgentFacts, RefusedRequest> {
    let version = meta.string(META_PROTOCOL_VERSION);
    let capabilities = meta.given(META_CLIENT_CAPABILITIES);
    let capabilities = capabilities.filter(|text| text.starts_with('{'));
    let missing: Vec<&str> = [
        (META_PROTOCOL_VERSION, version.is_none()),
        (META_CLIENT_CAPABILITIES, capabilities.is_none()),
    ]
    .into_iter()
    .filter_map(|(name, is_missing)| is_missing.then_some(name))
    .collect();
    let Some(version) = version.filter(|_| missing.is_empty()) else {
        return Err(RefusedRequest::invalid_params(format!(
            "Request _meta is missing or has malformed required fields: {}",
            missing.join(", ")
        )));
    };
    if version != MODERN_VERSION {
        let supported: Vec<&str> = std::iter::once(MODERN_VERSION)
            .chain(INITIALIZE_VERSIONS)
            .collect();
        let data = json!({ "requested": version, "supported": supported });
        let code = code::UNSUPPORTED_PROTOCOL_VERSION;
        let refused = RefusedRequest::new(code, "Unsupported protocol version");
        return Err(refused.with_data(data.to_string()));
    }
    Ok(AgentFacts::read(meta.given(META_CLIENT_INFO), capabilities))
}

/// Adds what each stateless result carries: its kind, and the name of the server.
pub fn stamped(result: &str, era: Era) -> String {
    if era == Era::Legacy {
        return result.to_owned();
    }
    let meta = object([(META_SERVER_INFO, server_info().as_str())]);
    let result = crate::message::with_member(result, "_meta", &meta);
    crate::message::with_member(&result, "resultType", "\"complete\"")
}

fn capabilities(serving: &Serving) -> String {
    let capabilities = match &serving.lent {
        None => json!({ "tools": {} }),
        Some(_) => json!({
            "tools": { "listChanged": true },
            "resources": { "listChanged": true },
            "prompts": { "listChanged": true },
            "completions": {},
        }),
    };
    capabilities.to_string()
}

async fn instructions(serving: &Serving) -> String {
    match &serving.lent {
        None => tools::INSTRUCTIONS.to_owned(),
        Some(lent) => lent.instructions().await,
    }
}
