//! Revisions, keys and codes of the protocol, as a server says them.

/// The revisions that begin with `initialize`, newest first.
pub const INITIALIZE_VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The stateless revision.
pub const MODERN_VERSION: &str = "2026-07-28";

/// Begin of the keys that the protocol keeps for itself in `_meta`.
pub const RESERVED_PREFIX: &str = "io.modelcontextprotocol/";
/// Key of the revision in the `_meta` of a stateless request (SEP-2575).
pub const META_PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Key of the client's capabilities there.
pub const META_CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Key of the client's name there.
pub const META_CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Key under which a stateless result names the server.
pub const META_SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// Key that ties a notification to the `subscriptions/listen` that asked for it.
pub const META_SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// Key under which a request to a server names the agent for which it is sent.
pub const META_AGENT: &str = "dev.sightglass/agent";

/// Codes of JSON-RPC 2.0 (section 5.1) and of MCP.
pub mod code {
    pub const PARSE_ERROR: i32 = -32700;
    pub const INVALID_REQUEST: i32 = -32600;
    pub const METHOD_NOT_FOUND: i32 = -32601;
    pub const INVALID_PARAMS: i32 = -32602;
    pub const INTERNAL_ERROR: i32 = -32603;
    /// The first code for errors of an implementation's own: too much at once.
    pub const BUSY: i32 = -32000;
    /// Unknown resource, up to 2025-11-25.
    pub const RESOURCE_NOT_FOUND: i32 = -32002;
    /// A revision that is not spoken here (2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;
}
