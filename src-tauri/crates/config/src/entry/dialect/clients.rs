//! The dialects, each beside where it is documented.

mod codex;
mod gemini;
mod opencode;
pub(crate) mod plain_clients;
mod plain_entries;
mod zed;

use serde_json::{Map, Value};

use super::{Dialect, FieldRule, TransportName, Unit, VariableSyntax, member_at, sign_in};
use crate::{
    client::Client,
    text::json::{NodeValue, Object},
};

use TransportName::{Http, Sse, Stdio, Ws};

/// The form that OpenCode's second version gives the servers under `mcp.servers`.
pub(super) fn opencode_servers() -> &'static Dialect {
    &OPENCODE_SERVERS
}

pub(super) fn dialect(client: Client) -> &'static Dialect {
    match client {
        Client::McpJson => &MCP_JSON,
        Client::ClaudeCode => &CLAUDE_CODE,
        Client::Codex => &CODEX,
        Client::Opencode => &OPENCODE,
        Client::Caliban => &CALIBAN,
        Client::ClaudeDesktop => &CLAUDE_DESKTOP,
        Client::Vscode => &VSCODE,
        Client::Cursor => &CURSOR,
        Client::Windsurf => &WINDSURF,
        Client::Zed => &ZED,
        Client::Gemini => &GEMINI,
        Client::VscodeInsiders
        | Client::Vscodium
        | Client::VisualStudio
        | Client::CopilotCli
        | Client::Cline
        | Client::RooCode
        | Client::Kiro
        | Client::AmazonQ
        | Client::Junie
        | Client::Warp
        | Client::LmStudio
        | Client::Goose
        | Client::Continue => &plain_clients::of(client).dialect,
    }
}

/// The common fields that a client's dialect writes without a rule.
pub(super) fn written_specially(client: Client) -> &'static [&'static str] {
    match client {
        Client::Codex => &["headers", "env"],
        Client::Opencode => &["command", "args", "startup_timeout", "tool_timeout"],
        Client::Gemini => &["url"],
        Client::Windsurf => &["url"],
        Client::CopilotCli => &["enabled_tools"],
        Client::Continue => &["headers"],
        _ => &[],
    }
}

const fn named(theirs: &'static str, ours: &'static str) -> FieldRule {
    FieldRule {
        theirs,
        ours,
        unit: Unit::Same,
    }
}

const fn milliseconds(theirs: &'static str, ours: &'static str) -> FieldRule {
    FieldRule {
        theirs,
        ours,
        unit: Unit::Milliseconds,
    }
}

/// `enabled`, where the common form says `disabled`.
const ENABLED: FieldRule = FieldRule {
    theirs: "enabled",
    ours: "disabled",
    unit: Unit::Negated,
};

fn nothing_special(_: Object, _: &mut Object) {}

/// Transport words in an entry of the common form.
struct TransportFields {
    transport: Option<TransportName>,
    /// True when it is named rather than told from the other fields.
    named: bool,
    /// True when it is whichever works.
    open: bool,
}

/// Takes the transport out of an entry of the common form.
fn extract_transport(common: &mut Map<String, Value>) -> TransportFields {
    let transport = super::transport_of(common);
    let words = ["type", "transport"].map(|field| common.remove(field));
    TransportFields {
        transport,
        named: words.iter().any(Option::is_some),
        open: words
            .iter()
            .flatten()
            .any(|word| word.as_str() == Some("auto")),
    }
}

/// Leaves the transport out: the client tells it from the other fields.
fn transport_is_told(common: &mut Map<String, Value>, _: &mut Map<String, Value>) {
    extract_transport(common);
}

/// Remote servers say what they are under this key; programs do where they did.
fn name_remote(key: &str, common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    match extract_transport(common) {
        TransportFields {
            transport: Some(Stdio),
            named: false,
            ..
        }
        | TransportFields {
            transport: None, ..
        } => {}
        TransportFields {
            transport: Some(transport),
            ..
        } => {
            entry.insert(key.into(), transport.word().into());
        }
    }
}

/// A dialect of the fields that nearly every client has.
const fn usual(client: Client) -> Dialect {
    Dialect {
        client,
        transports: &[Stdio, Http, Sse],
        same: &[
            "type", "command", "args", "env", "url", "headers", "disabled",
        ],
        rules: &[],
        special: &[],
        read: nothing_special,
        write: |common, entry| name_remote("type", common, entry),
        own: &[],
        sign_in: &[],
        variables: VariableSyntax::None,
    }
}

/// A dialect in which the transport is told from the other fields. A `type` is read nonetheless.
const fn without_type(client: Client) -> Dialect {
    Dialect {
        special: &["type"],
        read: |special, common| common.members.extend(special.members),
        write: transport_is_told,
        ..usual(client)
    }
}

/// A dialect of programs alone.
const fn programs_alone(client: Client) -> Dialect {
    Dialect {
        transports: &[Stdio],
        same: &["command", "args", "env"],
        ..without_type(client)
    }
}

/// The common form itself.
static MCP_JSON: Dialect = Dialect {
    transports: &[Stdio, Http, Sse, Ws],
    same: &[],
    write: |_, _| {},
    variables: VariableSyntax::Braces,
    ..usual(Client::McpJson)
};

/// <https://code.claude.com/docs/en/mcp>. A remote server without a `type` counts as a
/// program there. `timeout` is for one tool call, in milliseconds.
static CLAUDE_CODE: Dialect = Dialect {
    transports: &[Stdio, Http, Sse, Ws],
    same: &[
        "type",
        "command",
        "args",
        "env",
        "url",
        "headers",
        "headersHelper",
    ],
    rules: &[milliseconds("timeout", "tool_timeout")],
    own: &["oauth", "alwaysLoad", "request_timeout_ms"],
    sign_in: sign_in::CLAUDE_CODE,
    variables: VariableSyntax::ShellNames,
    ..usual(Client::ClaudeCode)
};

/// <https://developers.openai.com/codex/config-reference>, and `RawMcpServerConfig` in
/// `codex-rs/config/src/mcp_types.rs` of <https://github.com/openai/codex>. Texts are not
/// expanded; variables are named in fields of their own.
static CODEX: Dialect = Dialect {
    client: Client::Codex,
    transports: &[Stdio, Http],
    same: &[
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "enabled_tools",
        "disabled_tools",
    ],
    rules: &[
        named("http_headers", "headers"),
        named("startup_timeout_sec", "startup_timeout"),
        named("tool_timeout_sec", "tool_timeout"),
        ENABLED,
    ],
    special: &[
        "env_vars",
        "bearer_token_env_var",
        "env_http_headers",
        "startup_timeout_ms",
    ],
    read: codex::read,
    write: codex::write,
    own: &[
        "required",
        "supports_parallel_tool_calls",
        "default_tools_approval_mode",
        "tools",
        "scopes",
        "oauth",
        "oauth_resource",
        "experimental_environment",
        "name",
    ],
    sign_in: sign_in::CODEX,
    variables: VariableSyntax::Codex,
};

/// <https://opencode.ai/v1/docs/mcp-servers>, and `McpLocalConfig` and `McpRemoteConfig` in
/// <https://opencode.ai/config.json>. A remote server is tried over Streamable HTTP, then over
/// SSE. `timeout` is for the start and for each call, in milliseconds (as 1.18.33 has it).
static OPENCODE: Dialect = Dialect {
    same: &["cwd", "url", "headers"],
    rules: &[named("environment", "env"), ENABLED],
    special: &["type", "command", "timeout"],
    read: opencode::read,
    write: opencode::write_entry,
    own: &["oauth"],
    sign_in: sign_in::OPENCODE,
    variables: VariableSyntax::OpenCode,
    ..usual(Client::Opencode)
};

/// <https://opencode.ai/v2/docs/mcp-servers>, and `ConfigV2.MCP` in
/// `packages/core/src/config/mcp.ts` of <https://github.com/anomalyco/opencode>. Version 1.18
/// reads both forms.
static OPENCODE_SERVERS: Dialect = Dialect {
    same: &["cwd", "url", "headers", "disabled"],
    rules: &[named("environment", "env")],
    write: opencode::write_server,
    sign_in: sign_in::OPENCODE_SERVERS,
    ..OPENCODE
};

/// `RawServerConfig` in `crates/caliban-mcp-client/src/config.rs` of
/// <https://github.com/caliban-ai/caliban>, and ADR 0023 there. A server without a `transport`
/// is a program. `oauth` is a mode there, off unless it says otherwise, and stays its own;
/// `oauth_config` holds the client.
static CALIBAN: Dialect = Dialect {
    same: &[
        "command", "args", "env", "cwd", "url", "headers", "disabled",
    ],
    rules: &[named("transport", "type")],
    write: |common, entry| name_remote("transport", common, entry),
    own: &["oauth", "oauth_config", "permissions", "lazy"],
    sign_in: sign_in::CALIBAN,
    variables: VariableSyntax::Braces,
    ..usual(Client::Caliban)
};

/// <https://modelcontextprotocol.io/docs/develop/connect-local-servers>. Programs only; remote
/// servers are connectors of the account.
static CLAUDE_DESKTOP: Dialect = programs_alone(Client::ClaudeDesktop);

/// <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>.
static VSCODE: Dialect = Dialect {
    same: &[
        "type", "command", "args", "env", "envFile", "cwd", "url", "headers",
    ],
    write: |common, entry| {
        if let Some(transport) = extract_transport(common).transport {
            entry.insert("type".into(), transport.word().into());
        }
    },
    own: &[
        "dev",
        "gallery",
        "version",
        "sandboxEnabled",
        "sandbox",
        "oauth",
    ],
    sign_in: sign_in::VSCODE,
    variables: VariableSyntax::EnvPrefix,
    ..usual(Client::Vscode)
};

/// <https://cursor.com/docs/context/mcp>. The transport is told from the fields.
static CURSOR: Dialect = Dialect {
    same: &[
        "type", "command", "args", "env", "envFile", "cwd", "url", "headers", "disabled",
    ],
    write: |common, entry| {
        let said = extract_transport(common);
        if let Some(transport) = said.transport
            && said.named
            && !said.open
        {
            entry.insert("type".into(), transport.word().into());
        }
    },
    own: &["auth"],
    sign_in: sign_in::CURSOR,
    variables: VariableSyntax::EnvPrefix,
    ..usual(Client::Cursor)
};

/// <https://docs.windsurf.com/windsurf/cascade/mcp>. A remote server has a `serverUrl`; `url`
/// is read as well.
static WINDSURF: Dialect = Dialect {
    same: &["command", "args", "env", "headers", "disabled"],
    rules: &[
        named("serverUrl", "url"),
        named("disabledTools", "disabled_tools"),
    ],
    special: &["url", "type", "transport"],
    read: |special, common| {
        let has_url = common.get("url").is_some();
        let members = special.members.into_iter();
        common
            .members
            .extend(members.filter(|member| member.key != "url" || !has_url));
    },
    write: transport_is_told,
    own: &["alwaysAllow", "registry"],
    variables: VariableSyntax::EnvPrefix,
    ..usual(Client::Windsurf)
};

/// <https://zed.dev/docs/ai/mcp>, and `ContextServerSettingsContent` in
/// `crates/settings_content/src/project.rs` of <https://github.com/zed-industries/zed>. `args`
/// has to be there. `timeout` is for one tool call, in seconds.
static ZED: Dialect = Dialect {
    transports: &[Stdio, Http],
    same: &["args", "env", "url", "headers"],
    rules: &[named("timeout", "tool_timeout"), ENABLED],
    special: &["command"],
    read: zed::read,
    write: zed::write,
    own: &["source", "remote", "settings", "oauth"],
    sign_in: sign_in::ZED,
    ..usual(Client::Zed)
};

/// <https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md>, and
/// `MCPServerConfig` in `packages/core/src/config/config.ts` there. `timeout` is for one request,
/// in milliseconds.
static GEMINI: Dialect = Dialect {
    same: &["command", "args", "env", "cwd", "headers"],
    rules: &[
        named("includeTools", "enabled_tools"),
        named("excludeTools", "disabled_tools"),
        milliseconds("timeout", "tool_timeout"),
    ],
    special: &["httpUrl", "url", "type"],
    read: gemini::read,
    write: gemini::write,
    own: &[
        "trust",
        "description",
        "extension",
        "oauth",
        "authProviderType",
        "targetAudience",
        "targetServiceAccount",
        "tcp",
    ],
    sign_in: sign_in::GEMINI,
    variables: VariableSyntax::Dollar,
    ..usual(Client::Gemini)
};
