//! Time limits that clients have where nothing says one.

use std::time::Duration;

use sightglass_model::{ClientLimits, EnvironmentLimits, MAX_TIME_LIMIT};

use crate::client::{Client, Machine};

/// The limits of a client that variables of its own set, where they are not those of all.
///
/// caliban counts seconds, also in the names that it shares (`duration_from_env` in
/// `crates/caliban-mcp-client/src/manager.rs` of <https://github.com/caliban-ai/caliban>).
pub(crate) fn environment_limits(client: Client, machine: &Machine) -> EnvironmentLimits {
    if client != Client::Caliban {
        return EnvironmentLimits::default();
    }
    let first = |names: [&'static str; 2]| {
        names.into_iter().find_map(|name| {
            let seconds: u64 = machine.variable(name)?.parse().ok()?;
            let limit = Duration::from_secs(seconds).min(MAX_TIME_LIMIT);
            (seconds > 0).then_some((name, limit))
        })
    };
    EnvironmentLimits {
        startup: first(["CALIBAN_MCP_TIMEOUT", "MCP_TIMEOUT"]),
        tool: first(["CALIBAN_MCP_TOOL_TIMEOUT", "MCP_TOOL_TIMEOUT"]),
    }
}

/// The limits of a client, as far as it documents them. Where it does not, those of Sightglass count.
pub(crate) fn default_limits(client: Client) -> ClientLimits {
    let (startup, tool) = match client {
        // `MCP_TIMEOUT` in <https://code.claude.com/docs/en/env-vars>: 30,000 ms in 2.1.197, where
        // nothing else is set. The limit of a call is that of a day, which is none.
        Client::ClaudeCode => (Some(30), None),
        // `startup_timeout_sec` and `tool_timeout_sec` in
        // <https://developers.openai.com/codex/config-reference>; `DEFAULT_STARTUP_TIMEOUT` and
        // `DEFAULT_TOOL_TIMEOUT` in `codex-rs/core/src/mcp_connection_manager.rs`.
        Client::Codex => (Some(10), Some(60)),
        // `DEFAULT_STARTUP_TIMEOUT` and `DEFAULT_TOOL_TIMEOUT` in
        // `crates/caliban-mcp-client/src/manager.rs` of <https://github.com/caliban-ai/caliban>.
        Client::Caliban => (Some(5), Some(60)),
        // `MCP_DEFAULT_TIMEOUT_MSEC` in `packages/core/src/tools/mcp-client.ts` of
        // <https://github.com/google-gemini/gemini-cli>.
        Client::Gemini => (None, Some(600)),
        // `DEFAULT_MCP_TIMEOUT_SECONDS` in `sdk/packages/shared/src/mcp.ts` of
        // <https://github.com/cline/cline>.
        Client::Cline => (None, Some(60)),
        // `DEFAULT_MCP_TIMEOUT` in `core/context/mcp/MCPConnection.ts` of
        // <https://github.com/continuedev/continue>.
        Client::Continue => (Some(20), None),
        _ => (None, None),
    };
    ClientLimits {
        client: client.title(),
        startup_field: (client == Client::Codex).then_some("startup_timeout_sec"),
        startup: startup.map(Duration::from_secs),
        tool: tool.map(Duration::from_secs),
    }
}
