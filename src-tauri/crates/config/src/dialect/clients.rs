//! The dialects, each beside where it is documented.

use serde_json::{Map, Value as NewValue};

use super::{Dialect, Rule, TransportWord, Unit, VariableSyntax, member_at, sign_in};
use crate::{
    client::Client,
    json::{Object, Value},
};

use TransportWord::{Http, Sse, Stdio, Ws};

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
    }
}

/// The common fields that a client's dialect writes without a rule.
pub(super) fn written_specially(client: Client) -> &'static [&'static str] {
    match client {
        Client::Codex => &["headers", "env"],
        Client::Opencode => &["command", "args"],
        Client::Gemini => &["url"],
        Client::Windsurf => &["url"],
        _ => &[],
    }
}

const fn same(name: &'static str) -> Rule {
    Rule {
        theirs: name,
        ours: name,
        unit: Unit::Same,
    }
}

const fn named(theirs: &'static str, ours: &'static str) -> Rule {
    Rule {
        theirs,
        ours,
        unit: Unit::Same,
    }
}

fn nothing_special(_: Object, _: &mut Object) {}

fn transport_is_told(common: &mut Map<String, NewValue>, _: &mut Map<String, NewValue>) {
    common.remove("type");
    common.remove("transport");
}

/// Remote servers say what they are; programs need not.
fn with_type(common: &mut Map<String, NewValue>, entry: &mut Map<String, NewValue>) {
    let transport = super::transport_of(common);
    let was_named = common.contains_key("type") || common.contains_key("transport");
    common.remove("type");
    common.remove("transport");
    match transport {
        Some(Stdio) if !was_named => {}
        Some(transport) => {
            entry.insert("type".into(), transport.word().into());
        }
        None => {}
    }
}

/// The common form itself.
static MCP_JSON: Dialect = Dialect {
    client: Client::McpJson,
    transports: &[Stdio, Http, Sse, Ws],
    rules: &[],
    special: &[],
    read: nothing_special,
    write: |_, _| {},
    own: &[],
    sign_in: &[],
    variables: VariableSyntax::Braces,
};

/// <https://code.claude.com/docs/en/mcp>. A remote server without a `type` counts as a
/// program there. `timeout` is for one tool call, in milliseconds.
static CLAUDE_CODE: Dialect = Dialect {
    client: Client::ClaudeCode,
    transports: &[Stdio, Http, Sse, Ws],
    rules: &[
        same("type"),
        same("command"),
        same("args"),
        same("env"),
        same("url"),
        same("headers"),
        Rule {
            theirs: "timeout",
            ours: "tool_timeout",
            unit: Unit::Milliseconds,
        },
    ],
    special: &[],
    read: nothing_special,
    write: with_type,
    own: &["headersHelper", "oauth", "alwaysLoad"],
    sign_in: sign_in::CLAUDE_CODE,
    variables: VariableSyntax::Braces,
};

/// <https://developers.openai.com/codex/config-reference>, and `RawMcpServerConfig` in
/// `codex-rs/config/src/mcp_types.rs` of <https://github.com/openai/codex>. Texts are not
/// expanded; variables are named in fields of their own.
static CODEX: Dialect = Dialect {
    client: Client::Codex,
    transports: &[Stdio, Http],
    rules: &[
        same("command"),
        same("args"),
        same("env"),
        same("cwd"),
        same("url"),
        named("http_headers", "headers"),
        named("startup_timeout_sec", "startup_timeout"),
        named("tool_timeout_sec", "tool_timeout"),
        same("enabled_tools"),
        same("disabled_tools"),
        Rule {
            theirs: "enabled",
            ours: "disabled",
            unit: Unit::Negated,
        },
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

/// <https://opencode.ai/docs/mcp-servers>, and `McpLocalConfig` and `McpRemoteConfig` in
/// <https://opencode.ai/config.json>. A remote server is tried over Streamable HTTP, then over
/// SSE.
static OPENCODE: Dialect = Dialect {
    client: Client::Opencode,
    transports: &[Stdio, Http, Sse],
    rules: &[
        named("environment", "env"),
        same("cwd"),
        same("url"),
        same("headers"),
        Rule {
            theirs: "enabled",
            ours: "disabled",
            unit: Unit::Negated,
        },
        Rule {
            theirs: "timeout",
            ours: "startup_timeout",
            unit: Unit::Milliseconds,
        },
    ],
    special: &["type", "command"],
    read: opencode::read,
    write: opencode::write,
    own: &["oauth"],
    sign_in: sign_in::OPENCODE,
    variables: VariableSyntax::OpenCode,
};

/// `RawServerConfig` in `crates/caliban-mcp-client/src/config.rs` of
/// <https://github.com/caliban-ai/caliban>, and ADR 0023 there. A server without a `transport`
/// is a program.
static CALIBAN: Dialect = Dialect {
    client: Client::Caliban,
    transports: &[Stdio, Http, Sse],
    rules: &[
        named("transport", "type"),
        same("command"),
        same("args"),
        same("env"),
        same("cwd"),
        same("url"),
        same("headers"),
        same("disabled"),
    ],
    special: &[],
    read: nothing_special,
    write: |common, entry| {
        let transport = super::transport_of(common);
        let was_named = common.contains_key("type") || common.contains_key("transport");
        transport_is_told(common, entry);
        match transport {
            Some(Stdio) if !was_named => {}
            Some(transport) => {
                entry.insert("transport".into(), transport.word().into());
            }
            None => {}
        }
    },
    own: &["oauth", "oauth_config", "permissions"],
    sign_in: &[],
    variables: VariableSyntax::Braces,
};

/// <https://modelcontextprotocol.io/docs/develop/connect-local-servers>. Programs only; remote
/// servers are connectors of the account.
static CLAUDE_DESKTOP: Dialect = Dialect {
    client: Client::ClaudeDesktop,
    transports: &[Stdio],
    rules: &[same("command"), same("args"), same("env")],
    special: &["type"],
    read: |special, common| common.members.extend(special.members),
    write: transport_is_told,
    own: &[],
    sign_in: &[],
    variables: VariableSyntax::None,
};

/// <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>.
static VSCODE: Dialect = Dialect {
    client: Client::Vscode,
    transports: &[Stdio, Http, Sse],
    rules: &[
        same("type"),
        same("command"),
        same("args"),
        same("env"),
        same("cwd"),
        same("url"),
        same("headers"),
    ],
    special: &[],
    read: nothing_special,
    write: |common, entry| {
        let transport = super::transport_of(common);
        transport_is_told(common, entry);
        if let Some(transport) = transport {
            entry.insert("type".into(), transport.word().into());
        }
    },
    own: &[
        "envFile",
        "dev",
        "gallery",
        "version",
        "sandboxEnabled",
        "sandbox",
        "oauth",
    ],
    sign_in: sign_in::VSCODE,
    variables: VariableSyntax::EnvPrefix,
};

/// <https://cursor.com/docs/context/mcp>. The transport is told from the fields.
static CURSOR: Dialect = Dialect {
    client: Client::Cursor,
    transports: &[Stdio, Http, Sse],
    rules: &[
        same("type"),
        same("command"),
        same("args"),
        same("env"),
        same("cwd"),
        same("url"),
        same("headers"),
        same("disabled"),
    ],
    special: &[],
    read: nothing_special,
    write: |common, entry| {
        let was_named = common.contains_key("type") || common.contains_key("transport");
        let is_open = ["type", "transport"]
            .iter()
            .any(|field| common.get(*field).and_then(NewValue::as_str) == Some("auto"));
        let transport = super::transport_of(common);
        transport_is_told(common, entry);
        if let Some(transport) = transport
            && was_named
            && !is_open
        {
            entry.insert("type".into(), transport.word().into());
        }
    },
    own: &["envFile", "auth"],
    sign_in: sign_in::CURSOR,
    variables: VariableSyntax::EnvPrefix,
};

/// <https://docs.windsurf.com/windsurf/cascade/mcp>. A remote server has a `serverUrl`; `url`
/// is read as well.
static WINDSURF: Dialect = Dialect {
    client: Client::Windsurf,
    transports: &[Stdio, Http, Sse],
    rules: &[
        same("command"),
        same("args"),
        same("env"),
        named("serverUrl", "url"),
        same("headers"),
        same("disabled"),
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
    sign_in: &[],
    variables: VariableSyntax::EnvPrefix,
};

/// <https://zed.dev/docs/ai/mcp>, and `ContextServerSettingsContent` in
/// `crates/settings_content/src/project.rs` of <https://github.com/zed-industries/zed>. `args`
/// has to be there. `timeout` is for one tool call, in seconds.
static ZED: Dialect = Dialect {
    client: Client::Zed,
    transports: &[Stdio, Http],
    rules: &[
        same("args"),
        same("env"),
        same("url"),
        same("headers"),
        named("timeout", "tool_timeout"),
        Rule {
            theirs: "enabled",
            ours: "disabled",
            unit: Unit::Negated,
        },
    ],
    special: &["command"],
    read: zed::read,
    write: zed::write,
    own: &["source", "remote", "settings", "oauth"],
    sign_in: sign_in::ZED,
    variables: VariableSyntax::None,
};

/// <https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md>.
/// `httpUrl` is Streamable HTTP; `url` is SSE, save where `type` says otherwise. `timeout` is
/// for one request, in milliseconds.
static GEMINI: Dialect = Dialect {
    client: Client::Gemini,
    transports: &[Stdio, Http, Sse],
    rules: &[
        same("command"),
        same("args"),
        same("env"),
        same("cwd"),
        same("headers"),
        named("includeTools", "enabled_tools"),
        named("excludeTools", "disabled_tools"),
        Rule {
            theirs: "timeout",
            ours: "tool_timeout",
            unit: Unit::Milliseconds,
        },
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
};

mod codex {
    use super::*;
    use crate::json::Node;

    /// `${NAME}` and nothing else.
    fn lone_reference(text: &str) -> Option<&str> {
        let name = text.strip_prefix("${")?.strip_suffix('}')?;
        let is_name = !name.is_empty() && !name.contains([':', '$', '{', '}']);
        is_name.then_some(name)
    }

    pub(super) fn read(special: Object, common: &mut Object) {
        for member in special.members {
            match (member.key.as_str(), &member.value.value) {
                ("bearer_token_env_var", Value::String(name)) => {
                    let text = Value::String(format!("Bearer ${{{name}}}"));
                    let header = member_at(&member, "Authorization", text);
                    add_to(common, "headers", &member.value, header);
                }
                ("env_http_headers", Value::Object(headers)) => {
                    for header in &headers.members {
                        if let Value::String(name) = &header.value.value {
                            let text = Value::String(format!("${{{name}}}"));
                            let written = member_at(header, &header.key, text);
                            add_to(common, "headers", &member.value, written);
                        }
                    }
                }
                ("env_vars", Value::Array(names)) => {
                    for name in names {
                        if let Value::String(text) = &name.value {
                            let mut variable =
                                member_at(&member, text, Value::String(format!("${{{text}}}")));
                            variable.value.range = name.range.clone();
                            add_to(common, "env", &member.value, variable);
                        }
                    }
                }
                ("startup_timeout_ms", Value::Number(_)) => {
                    let mut written = member.clone();
                    written.key = "startup_timeout".into();
                    super::super::in_common_unit(Unit::Milliseconds, &mut written.value);
                    if common.get("startup_timeout").is_none() {
                        common.members.push(written);
                    }
                }
                // Of a wrong type; the common form says so under this name.
                _ => common.members.push(member),
            }
        }
    }

    fn add_to(common: &mut Object, field: &str, place: &Node, member: crate::json::Member) {
        if common.get(field).is_none() {
            let empty = crate::json::Member {
                key: field.to_owned(),
                key_range: member.key_range.clone(),
                value: Node {
                    range: place.range.clone(),
                    value: Value::Object(Object::default()),
                },
                comma: None,
            };
            common.members.push(empty);
        }
        let object = common
            .members
            .iter_mut()
            .rev()
            .find(|candidate| candidate.key == field);
        if let Some(Value::Object(object)) = object.map(|found| &mut found.value.value) {
            object.members.push(member);
        }
    }

    pub(super) fn write(common: &mut Map<String, NewValue>, entry: &mut Map<String, NewValue>) {
        transport_is_told(common, entry);
        if let Some(NewValue::Object(variables)) = common.get_mut("env") {
            let mut passed = Vec::new();
            variables.retain(|name, value| {
                let is_passed = value.as_str().and_then(lone_reference) == Some(name);
                if is_passed {
                    passed.push(NewValue::from(name.as_str()));
                }
                !is_passed
            });
            if !passed.is_empty() {
                entry.insert("env_vars".into(), NewValue::Array(passed));
            }
        }
        if let Some(NewValue::Object(headers)) = common.get_mut("headers") {
            let mut from_environment = Map::new();
            headers.retain(|name, value| {
                let Some(text) = value.as_str() else {
                    return true;
                };
                if let Some(variable) = lone_reference(text) {
                    from_environment.insert(name.clone(), variable.into());
                    return false;
                }
                let bearer = text.strip_prefix("Bearer ").and_then(lone_reference);
                match bearer {
                    Some(variable) if name.eq_ignore_ascii_case("authorization") => {
                        entry.insert("bearer_token_env_var".into(), variable.into());
                        false
                    }
                    _ => true,
                }
            });
            if !from_environment.is_empty() {
                entry.insert(
                    "env_http_headers".into(),
                    NewValue::Object(from_environment),
                );
            }
        }
        for field in ["env", "headers"] {
            if common.get(field).is_some_and(super::super::is_empty) {
                common.remove(field);
            }
        }
    }
}

mod opencode {
    use super::*;

    pub(super) fn read(special: Object, common: &mut Object) {
        for member in special.members {
            match (member.key.as_str(), &member.value.value) {
                ("type", Value::String(word)) if word == "local" => {
                    common
                        .members
                        .push(member_at(&member, "type", Value::String("stdio".into())));
                }
                // Which of the two remote transports it is shows when it is tried.
                ("type", Value::String(word)) if word == "remote" => {}
                ("command", Value::Array(words)) => {
                    let Some((program, arguments)) = words.split_first() else {
                        common.members.push(member_at(
                            &member,
                            "command",
                            Value::String(String::new()),
                        ));
                        continue;
                    };
                    let mut command = member.clone();
                    command.value = program.clone();
                    common.members.push(command);
                    if !arguments.is_empty() {
                        common.members.push(member_at(
                            &member,
                            "args",
                            Value::Array(arguments.to_vec()),
                        ));
                    }
                }
                _ => common.members.push(member),
            }
        }
    }

    pub(super) fn write(common: &mut Map<String, NewValue>, entry: &mut Map<String, NewValue>) {
        let is_local = super::super::transport_of(common) == Some(Stdio);
        transport_is_told(common, entry);
        let word = if is_local { "local" } else { "remote" };
        entry.insert("type".into(), word.into());
        if let Some(program) = common.remove("command") {
            let arguments = match common.remove("args") {
                Some(NewValue::Array(arguments)) => arguments,
                _ => Vec::new(),
            };
            let words = std::iter::once(program).chain(arguments).collect();
            entry.insert("command".into(), words);
        }
    }
}

mod zed {
    use super::*;

    /// `command` is a text; older versions wrote an object of `path`, `args` and `env`.
    pub(super) fn read(special: Object, common: &mut Object) {
        for member in special.members {
            match &member.value.value {
                Value::Object(command) => {
                    for inner in &command.members {
                        let mut inner = inner.clone();
                        if inner.key == "path" {
                            inner.key = "command".into();
                        }
                        if common.get(&inner.key).is_none() {
                            common.members.push(inner);
                        }
                    }
                }
                _ => common.members.push(member),
            }
        }
    }

    pub(super) fn write(common: &mut Map<String, NewValue>, entry: &mut Map<String, NewValue>) {
        transport_is_told(common, entry);
        if let Some(command) = common.remove("command") {
            entry.insert("command".into(), command);
            let arguments = common
                .remove("args")
                .unwrap_or_else(|| NewValue::Array(Vec::new()));
            entry.insert("args".into(), arguments);
        }
    }
}

mod gemini {
    use super::*;

    pub(super) fn read(special: Object, common: &mut Object) {
        let kind = special.get("type").map(|member| member.value.value.clone());
        let is_http = special.get("httpUrl").is_some()
            || matches!(&kind, Some(Value::String(word)) if word == "http");
        for member in special.members {
            match member.key.as_str() {
                "httpUrl" | "url" => {
                    let mut url = member.clone();
                    url.key = "url".into();
                    let word = if is_http { "http" } else { "sse" };
                    if common.get("url").is_none() {
                        common.members.push(url);
                        common
                            .members
                            .push(member_at(&member, "type", Value::String(word.into())));
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn write(common: &mut Map<String, NewValue>, entry: &mut Map<String, NewValue>) {
        let field = match super::super::transport_of(common) {
            Some(Sse) => "url",
            _ => "httpUrl",
        };
        transport_is_told(common, entry);
        if let Some(url) = common.remove("url") {
            entry.insert(field.into(), url);
        }
    }
}
