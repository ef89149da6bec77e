//! The table of checks.

use sightglass_model::{Era, RequirementLevel, TransportKind};

/// Eras that a check is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eras {
    Both,
    /// With an `initialize` handshake.
    Legacy,
    /// Stateless.
    Modern,
}

/// Transports that a check is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transports {
    Any,
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// Definition of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckDefinition {
    /// Stays the same in later versions.
    pub id: &'static str,
    pub title: &'static str,
    /// Clause of the specification in the `initialize` era; empty where there is none.
    pub legacy_clause: &'static str,
    /// Clause of the specification in the stateless era; empty where there is none.
    pub modern_clause: &'static str,
    pub level: RequirementLevel,
    pub transports: Transports,
}

impl CheckDefinition {
    /// Returns the eras that the check is about.
    pub fn eras(&self) -> Eras {
        match (self.legacy_clause.is_empty(), self.modern_clause.is_empty()) {
            (false, true) => Eras::Legacy,
            (true, false) => Eras::Modern,
            _ => Eras::Both,
        }
    }

    /// Returns the clause in an era, or nothing where the check is not about it.
    pub fn clause(&self, era: Era) -> Option<&'static str> {
        let clause = match era {
            Era::Legacy => self.legacy_clause,
            Era::Modern => self.modern_clause,
        };
        (!clause.is_empty()).then_some(clause)
    }

    /// Returns whether the check is about a transport.
    pub fn is_about(&self, transport: TransportKind) -> bool {
        match self.transports {
            Transports::Any => true,
            Transports::Stdio => transport == TransportKind::Stdio,
            Transports::Http => transport == TransportKind::Http,
        }
    }
}

/// Returns the definition of a check.
pub fn definition(id: &str) -> Option<&'static CheckDefinition> {
    CHECKS.iter().find(|check| check.id == id)
}

const fn check(
    id: &'static str,
    title: &'static str,
    level: RequirementLevel,
    transports: Transports,
    [legacy_clause, modern_clause]: [&'static str; 2],
) -> CheckDefinition {
    CheckDefinition {
        id,
        title,
        legacy_clause,
        modern_clause,
        level,
        transports,
    }
}

use RequirementLevel::{Must, Should};
use Transports::{Any, Http, Stdio};

/// Every check, in the order of a report.
pub const CHECKS: &[CheckDefinition] = &[
    check(
        "handshake",
        "The handshake completes",
        Must,
        Any,
        [
            "MCP 2025-11-25, Lifecycle, Initialization",
            "MCP 2026-07-28, Discovery, server/discover",
        ],
    ),
    check(
        "protocol-version",
        "The protocol version is a known revision",
        Must,
        Any,
        [
            "MCP 2025-11-25, Lifecycle, Version negotiation",
            "MCP 2026-07-28, Versioning, Version negotiation",
        ],
    ),
    check(
        "server-info",
        "The server names itself and its version",
        Must,
        Any,
        ["MCP 2025-11-25, Schema, Implementation", ""],
    ),
    check(
        "capabilities-shape",
        "Each capability is an object",
        Must,
        Any,
        [
            "MCP 2025-11-25, Schema, ServerCapabilities",
            "MCP 2026-07-28, Schema, ServerCapabilities",
        ],
    ),
    check(
        "capabilities-answer",
        "What is declared is answered",
        Must,
        Any,
        [
            "MCP 2025-11-25, Lifecycle, Capability negotiation",
            "MCP 2026-07-28, Discovery, Capabilities",
        ],
    ),
    check(
        "capabilities-undeclared",
        "What is not declared is refused",
        Must,
        Any,
        [
            "MCP 2025-11-25, Lifecycle, Operation",
            "MCP 2026-07-28, Discovery, Capabilities",
        ],
    ),
    check(
        "message-shape",
        "Every message is JSON-RPC 2.0",
        Must,
        Any,
        [
            "MCP 2025-11-25, Base protocol, Messages",
            "MCP 2026-07-28, Base protocol, Messages",
        ],
    ),
    check(
        "response-ids",
        "Every response has the id of its request",
        Must,
        Any,
        [
            "MCP 2025-11-25, Base protocol, Responses",
            "MCP 2026-07-28, Base protocol, Responses",
        ],
    ),
    check(
        "unknown-method",
        "An unknown method is refused with -32601",
        Must,
        Any,
        [
            "JSON-RPC 2.0, section 5.1",
            "MCP 2026-07-28, Base protocol, Error codes",
        ],
    ),
    check(
        "unknown-notification",
        "An unknown notification is not answered",
        Must,
        Any,
        [
            "JSON-RPC 2.0, section 4.1",
            "MCP 2026-07-28, Base protocol, Notifications",
        ],
    ),
    check(
        "cancel-unknown",
        "Cancelling an unknown request is ignored",
        Must,
        Any,
        [
            "MCP 2025-11-25, Cancellation, Error handling",
            "MCP 2026-07-28, Cancellation, Error handling",
        ],
    ),
    check(
        "ping",
        "A ping is answered with an empty result",
        Must,
        Any,
        ["MCP 2025-11-25, Ping, Behavior requirements", ""],
    ),
    check(
        "removed-methods",
        "Methods of earlier revisions are refused with -32601",
        Must,
        Any,
        ["", "MCP 2026-07-28, Changelog, Removed methods"],
    ),
    check(
        "stray-output",
        "Standard output has nothing but messages",
        Must,
        Stdio,
        [
            "MCP 2025-11-25, Transports, stdio",
            "MCP 2026-07-28, Transports, stdio",
        ],
    ),
    check(
        "pagination-ends",
        "The pages of a list come to an end",
        Must,
        Any,
        [
            "MCP 2025-11-25, Pagination, Response format",
            "MCP 2026-07-28, Pagination, Response format",
        ],
    ),
    check(
        "pagination-bad-cursor",
        "An unknown cursor is refused with -32602",
        Should,
        Any,
        [
            "MCP 2025-11-25, Pagination, Error handling",
            "MCP 2026-07-28, Pagination, Error handling",
        ],
    ),
    check(
        "list-order",
        "A list has the same order each time",
        Should,
        Any,
        ["", "MCP 2026-07-28, Tools, Listing tools"],
    ),
    check(
        "tools-valid",
        "Each tool has a name and an input schema of an object",
        Must,
        Any,
        [
            "MCP 2025-11-25, Schema, Tool",
            "MCP 2026-07-28, Schema, Tool",
        ],
    ),
    check(
        "tools-unique",
        "The names of the tools are unique",
        Should,
        Any,
        [
            "MCP 2025-11-25, Tools, Tool names",
            "MCP 2026-07-28, Tools, Tool names",
        ],
    ),
    check(
        "tool-schemas",
        "The schemas of the tools are valid JSON Schema",
        Must,
        Any,
        [
            "MCP 2025-11-25, Tools, Data types",
            "MCP 2026-07-28, Tools, Data types",
        ],
    ),
    check(
        "tool-unknown",
        "A call of an unknown tool is a protocol error",
        Must,
        Any,
        [
            "MCP 2025-11-25, Tools, Error handling",
            "MCP 2026-07-28, Tools, Error handling",
        ],
    ),
    check(
        "tool-call",
        "The result of the named tool has valid content",
        Must,
        Any,
        [
            "MCP 2025-11-25, Schema, CallToolResult",
            "MCP 2026-07-28, Schema, CallToolResult",
        ],
    ),
    check(
        "tool-output-schema",
        "The result of the named tool is as its output schema says",
        Must,
        Any,
        [
            "MCP 2025-11-25, Tools, Output schema",
            "MCP 2026-07-28, Tools, Output schema",
        ],
    ),
    check(
        "tool-bad-arguments",
        "The named tool refuses arguments that its schema forbids",
        Must,
        Any,
        [
            "MCP 2025-11-25, Tools, Security considerations",
            "MCP 2026-07-28, Tools, Security considerations",
        ],
    ),
    check(
        "resources-valid",
        "Each resource has a URI and a name, each template a URI template",
        Must,
        Any,
        [
            "MCP 2025-11-25, Schema, Resource",
            "MCP 2026-07-28, Schema, Resource",
        ],
    ),
    check(
        "resource-read",
        "The first resource can be read",
        Must,
        Any,
        [
            "MCP 2025-11-25, Schema, ReadResourceResult",
            "MCP 2026-07-28, Schema, ReadResourceResult",
        ],
    ),
    check(
        "resource-not-found",
        "An unknown resource is refused with its code",
        Should,
        Any,
        [
            "MCP 2025-11-25, Resources, Error handling (-32002)",
            "MCP 2026-07-28, Resources, Error handling (-32602)",
        ],
    ),
    check(
        "prompts-valid",
        "Each prompt has a name, and each of its arguments too",
        Must,
        Any,
        [
            "MCP 2025-11-25, Schema, Prompt",
            "MCP 2026-07-28, Schema, Prompt",
        ],
    ),
    check(
        "prompt-unknown",
        "An unknown prompt is refused with -32602",
        Should,
        Any,
        [
            "MCP 2025-11-25, Prompts, Error handling",
            "MCP 2026-07-28, Prompts, Error handling",
        ],
    ),
    check(
        "prompt-missing-argument",
        "A prompt without a required argument is refused with -32602",
        Should,
        Any,
        [
            "MCP 2025-11-25, Prompts, Error handling",
            "MCP 2026-07-28, Prompts, Error handling",
        ],
    ),
    check(
        "completion-unknown-prompt",
        "A completion for an unknown prompt is refused with -32602",
        Should,
        Any,
        [
            "MCP 2025-11-25, Completion, Error handling",
            "MCP 2026-07-28, Completion, Error handling",
        ],
    ),
    check(
        "logging-bad-level",
        "An unknown log level is refused with -32602",
        Should,
        Any,
        ["MCP 2025-11-25, Logging, Error handling", ""],
    ),
    check(
        "result-type",
        "Every result says of which type it is",
        Must,
        Any,
        ["", "MCP 2026-07-28, Schema, Result (resultType)"],
    ),
    check(
        "meta-missing",
        "A request without _meta is refused with -32602",
        Must,
        Any,
        ["", "MCP 2026-07-28, Base protocol, Request metadata"],
    ),
    check(
        "unsupported-version",
        "A request of an unknown revision is refused with -32022",
        Must,
        Any,
        ["", "MCP 2026-07-28, Versioning, Unsupported versions"],
    ),
    check(
        "cache-hints",
        "Lists and resources say how long they may be kept",
        Must,
        Any,
        ["", "MCP 2026-07-28, Schema, CacheableResult"],
    ),
    check(
        "http-origin",
        "A foreign Origin is refused with 403",
        Must,
        Http,
        [
            "MCP 2025-11-25, Transports, Security warning",
            "MCP 2026-07-28, Transports, Security warning",
        ],
    ),
    check(
        "http-version-header",
        "An unknown MCP-Protocol-Version is refused with 400",
        Must,
        Http,
        [
            "MCP 2025-11-25, Transports, Protocol version header",
            "MCP 2026-07-28, Transports, Protocol version header",
        ],
    ),
    check(
        "http-method-header",
        "A missing Mcp-Method is refused with 400 and -32020",
        Must,
        Http,
        ["", "MCP 2026-07-28, Transports, Standard request headers"],
    ),
    check(
        "http-header-mismatch",
        "A wrong Mcp-Method is refused with 400 and -32020",
        Must,
        Http,
        ["", "MCP 2026-07-28, Transports, Server validation"],
    ),
    check(
        "http-session-missing",
        "A request without the session's id is refused with 400",
        Should,
        Http,
        ["MCP 2025-11-25, Transports, Session management", ""],
    ),
    check(
        "http-session-unknown",
        "A request of an unknown session is refused with 404",
        Must,
        Http,
        ["MCP 2025-11-25, Transports, Session management", ""],
    ),
    check(
        "http-notification",
        "A notification is accepted with 202 and no body",
        Must,
        Http,
        [
            "MCP 2025-11-25, Transports, Sending messages",
            "MCP 2026-07-28, Transports, Sending messages",
        ],
    ),
    check(
        "http-get",
        "GET opens an event stream or is refused with 405",
        Must,
        Http,
        ["MCP 2025-11-25, Transports, Listening for messages", ""],
    ),
    check(
        "http-bad-json",
        "A body that is not JSON is refused",
        Must,
        Http,
        [
            "MCP 2025-11-25, Transports, Sending messages",
            "MCP 2026-07-28, Transports, Sending messages",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_has_one_id_and_a_clause() {
        for (position, check) in CHECKS.iter().enumerate() {
            let same = CHECKS.iter().rposition(|other| other.id == check.id);
            assert_eq!(same, Some(position), "{} stands twice", check.id);
            let clauses = [check.clause(Era::Legacy), check.clause(Era::Modern)];
            assert!(clauses.iter().any(Option::is_some), "{}", check.id);
            assert!(!check.title.ends_with('.'), "{}", check.title);
        }
    }
}
