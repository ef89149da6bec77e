//! Constants of the protocol: revisions, eras, error codes and log levels.

use std::fmt;

/// The revisions that open with `initialize`, newest first.
pub const INITIALIZE_VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The stateless revision: no `initialize`, every request carries its own context.
pub const MODERN_VERSION: &str = "2026-07-28";

/// The only revision in which a message may be a JSON-RPC batch
/// (added in 2025-03-26, removed in 2025-06-18).
pub const BATCH_VERSION: &str = "2025-03-26";

/// Keys of `params._meta` in the modern era (SEP-2575).
pub const META_PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// See [`META_PROTOCOL_VERSION`].
pub const META_CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Key under which modern results name the server.
pub const META_SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// Key that ties a notification to the `subscriptions/listen` request it answers.
pub const META_SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// JSON-RPC 2.0 and MCP error codes that this server sends.
pub mod code {
    /// The text is not JSON.
    pub const PARSE_ERROR: i32 = -32700;
    /// JSON, but not a request.
    pub const INVALID_REQUEST: i32 = -32600;
    /// No such method (in this era).
    pub const METHOD_NOT_FOUND: i32 = -32601;
    /// Unknown tool, unknown cursor, missing parameter.
    pub const INVALID_PARAMS: i32 = -32602;
    /// Used by faults that refuse.
    pub const INTERNAL_ERROR: i32 = -32603;
    /// Unknown resource, up to 2025-11-25; later revisions use [`INVALID_PARAMS`].
    pub const RESOURCE_NOT_FOUND: i32 = -32002;
    /// Session trouble over HTTP, as the official SDKs report it.
    pub const SESSION: i32 = -32000;
    /// A modern HTTP header contradicts the body (SEP-2243).
    pub const HEADER_MISMATCH: i32 = -32020;
    /// The client did not declare a capability this request needs (2026-07-28).
    pub const MISSING_CLIENT_CAPABILITY: i32 = -32021;
    /// The request names a revision this server does not speak (2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;
    /// The user must visit a URL first (2025-11-25).
    pub const URL_ELICITATION_REQUIRED: i32 = -32042;
}

/// Lifecycle that a request belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Sessions opened by `initialize`; revisions up to 2025-11-25.
    Initialize,
    /// Self-contained requests; revision 2026-07-28.
    Modern,
}

/// Eras that the server admits to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eras {
    /// Answers `initialize` and modern requests alike.
    Both,
    /// Behaves like a server that never heard of 2026-07-28.
    InitializeOnly,
    /// Refuses `initialize`.
    ModernOnly,
}

impl Eras {
    /// Returns true when requests of `era` are served.
    pub fn serve(self, era: Era) -> bool {
        !matches!(
            (self, era),
            (Eras::InitializeOnly, Era::Modern) | (Eras::ModernOnly, Era::Initialize)
        )
    }

    /// Every revision the server would name as supported, newest first.
    pub fn versions(self) -> Vec<&'static str> {
        let mut versions = Vec::new();
        if self.serve(Era::Modern) {
            versions.push(MODERN_VERSION);
        }
        if self.serve(Era::Initialize) {
            versions.extend(INITIALIZE_VERSIONS);
        }
        versions
    }
}

/// Severity of a log message, as in RFC 5424.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl Level {
    /// All levels, least severe first.
    pub const ALL: [Level; 8] = [
        Level::Debug,
        Level::Info,
        Level::Notice,
        Level::Warning,
        Level::Error,
        Level::Critical,
        Level::Alert,
        Level::Emergency,
    ];

    /// The level called `name` on the wire.
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Error => "error",
            Level::Critical => "critical",
            Level::Alert => "alert",
            Level::Emergency => "emergency",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
