//! The clients that one table entry says everything about: where their files are, and how an entry
//! is written.

use super::*;
use crate::text::format::FileFormat;

/// A client with nothing special.
pub(crate) struct PlainClient {
    /// URL of the documentation of its format.
    pub documentation: &'static str,
    /// Precedence of its scopes, in one sentence.
    pub precedence: &'static str,
    pub format: FileFormat,
    /// The lowest precedence first.
    pub places: &'static [PlainPlace],
    pub dialect: Dialect,
}

/// A file of a client.
pub(crate) struct PlainPlace {
    pub scope: PlainScope,
    pub base: Base,
    /// The path below the base.
    pub path: &'static str,
    /// The key under which the servers stand.
    pub section: &'static str,
}

/// A scope that a file belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainScope {
    User,
    Project,
    /// The user's, at the place where earlier versions had it.
    Earlier,
}

/// Directory from which a path counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Home,
    /// The directory that a variable names, or else one in the home directory.
    MovedHome(&'static str, &'static str),
    /// The user's application data: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    ApplicationData,
    /// Goose's configuration: `~/.config/goose` also on macOS, `%APPDATA%\Block\goose\config` on
    /// Windows.
    Goose,
    Project,
}

/// The table entry of a client.
///
/// # Panics
/// For a client that is not in the table; a test asks for each.
pub(crate) fn of(client: Client) -> &'static PlainClient {
    find(client).unwrap_or_else(|| unreachable!("{client} has a table entry"))
}

/// The table entry of a client; nothing for one that takes more than that.
pub(crate) fn find(client: Client) -> Option<&'static PlainClient> {
    TABLE.iter().find(|entry| entry.dialect.client == client)
}

const fn place(
    scope: PlainScope,
    base: Base,
    path: &'static str,
    section: &'static str,
) -> PlainPlace {
    PlainPlace {
        scope,
        base,
        path,
        section,
    }
}

const PROJECT_OVER_USER: &str = "Priority: project > user. The winner replaces the whole entry.";
const ONE_FILE: &str = "There is one file.";

const USUAL_RULES: &[Rule] = &[
    same("type"),
    same("command"),
    same("args"),
    same("env"),
    same("url"),
    same("headers"),
    same("disabled"),
];

/// A dialect of the fields that nearly every client has.
const fn usual(client: Client) -> Dialect {
    Dialect {
        client,
        transports: &[Stdio, Http, Sse],
        rules: USUAL_RULES,
        special: &[],
        read: nothing_special,
        write: |common, entry| name_remote("type", common, entry),
        own: &[],
        sign_in: &[],
        variables: VariableSyntax::None,
    }
}

/// The form of VS Code, in a program that is built from it.
const fn like_vscode(client: Client) -> Dialect {
    Dialect {
        client,
        rules: VSCODE.rules,
        own: VSCODE.own,
        write: VSCODE.write,
        sign_in: VSCODE.sign_in,
        variables: VSCODE.variables,
        ..usual(client)
    }
}

static TABLE: [PlainClient; 12] = [
    PlainClient {
        documentation: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        precedence: "There is one file beside the workspace's, which VS Code shows.",
        format: FileFormat::Jsonc,
        places: &[place(
            PlainScope::User,
            Base::ApplicationData,
            "Code - Insiders/User/mcp.json",
            "servers",
        )],
        dialect: like_vscode(Client::VscodeInsiders),
    },
    PlainClient {
        documentation: "https://github.com/VSCodium/vscodium/blob/master/docs/index.md",
        precedence: "There is one file beside the workspace's, which VS Code shows.",
        format: FileFormat::Jsonc,
        places: &[place(
            PlainScope::User,
            Base::ApplicationData,
            "VSCodium/User/mcp.json",
            "servers",
        )],
        dialect: like_vscode(Client::Vscodium),
    },
    // "File locations for automatic discovery of MCP configuration" there. Its files beside the
    // solution that other programs read too are listed with those.
    PlainClient {
        documentation: "https://learn.microsoft.com/visualstudio/ide/mcp-servers",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Jsonc,
        places: &[place(
            PlainScope::Project,
            Base::Project,
            ".vs/mcp.json",
            "servers",
        )],
        dialect: like_vscode(Client::VisualStudio),
    },
    // Texts are expanded as `${NAME}` since version 0.0.340. `tools` has to be there; `*` means
    // all of them.
    PlainClient {
        documentation: "https://docs.github.com/copilot/how-tos/use-copilot-agents/use-copilot-cli",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Json,
        places: &[
            place(
                PlainScope::User,
                Base::MovedHome("COPILOT_HOME", ".copilot"),
                "mcp-config.json",
                "mcpServers",
            ),
            place(
                PlainScope::Project,
                Base::Project,
                ".github/mcp.json",
                "mcpServers",
            ),
        ],
        dialect: Dialect {
            rules: &[
                same("command"),
                same("args"),
                same("env"),
                same("cwd"),
                same("url"),
                same("headers"),
            ],
            special: &["type", "tools"],
            read: read_copilot,
            write: write_copilot,
            variables: VariableSyntax::Braces,
            ..usual(Client::CopilotCli)
        },
    },
    // `timeout` is for one request, in seconds. Streamable HTTP has a word of its own.
    PlainClient {
        documentation: "https://docs.cline.bot/mcp/configuring-mcp-servers",
        precedence: ONE_FILE,
        format: FileFormat::Json,
        places: &[place(
            PlainScope::User,
            Base::ApplicationData,
            "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            "mcpServers",
        )],
        dialect: Dialect {
            rules: &[
                same("type"),
                same("command"),
                same("args"),
                same("env"),
                same("cwd"),
                same("url"),
                same("headers"),
                same("disabled"),
                named("timeout", "tool_timeout"),
            ],
            write: |common, entry| name_streamable("streamableHttp", common, entry),
            own: &["autoApprove", "alwaysAllow", "transportType", "oauth"],
            ..usual(Client::Cline)
        },
    },
    // `timeout` is for one request, in seconds.
    PlainClient {
        documentation: "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Json,
        places: &[
            place(
                PlainScope::User,
                Base::ApplicationData,
                "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
                "mcpServers",
            ),
            place(
                PlainScope::Project,
                Base::Project,
                ".roo/mcp.json",
                "mcpServers",
            ),
        ],
        dialect: Dialect {
            rules: &[
                same("type"),
                same("command"),
                same("args"),
                same("env"),
                same("cwd"),
                same("url"),
                same("headers"),
                same("disabled"),
                named("timeout", "tool_timeout"),
                named("disabledTools", "disabled_tools"),
            ],
            write: |common, entry| name_streamable("streamable-http", common, entry),
            own: &["alwaysAllow", "watchPaths"],
            variables: VariableSyntax::EnvPrefix,
            ..usual(Client::RooCode)
        },
    },
    PlainClient {
        documentation: "https://kiro.dev/docs/mcp/configuration",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Json,
        places: &[
            place(
                PlainScope::User,
                Base::Home,
                ".kiro/settings/mcp.json",
                "mcpServers",
            ),
            place(
                PlainScope::Project,
                Base::Project,
                ".kiro/settings/mcp.json",
                "mcpServers",
            ),
        ],
        dialect: Dialect {
            rules: &[
                same("command"),
                same("args"),
                same("env"),
                same("url"),
                same("headers"),
                same("disabled"),
                named("disabledTools", "disabled_tools"),
            ],
            special: &["type"],
            read: |special, common| common.members.extend(special.members),
            write: transport_is_told,
            own: &["autoApprove"],
            variables: VariableSyntax::Braces,
            ..usual(Client::Kiro)
        },
    },
    // `timeout` is for starting, in milliseconds (`agent-format.md` of
    // <https://github.com/aws/amazon-q-developer-cli>).
    PlainClient {
        documentation: "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/qdev-mcp.html",
        precedence: "Priority: project > user > earlier place. The winner replaces the whole \
                     entry.",
        format: FileFormat::Json,
        places: &[
            place(
                PlainScope::Earlier,
                Base::Home,
                ".aws/amazonq/mcp.json",
                "mcpServers",
            ),
            place(
                PlainScope::User,
                Base::Home,
                ".aws/amazonq/agents/default.json",
                "mcpServers",
            ),
            place(
                PlainScope::Project,
                Base::Project,
                ".amazonq/agents/default.json",
                "mcpServers",
            ),
        ],
        dialect: Dialect {
            transports: &[Stdio, Http],
            rules: &[
                same("type"),
                same("command"),
                same("args"),
                same("env"),
                same("url"),
                same("headers"),
                same("disabled"),
                milliseconds("timeout", "startup_timeout"),
            ],
            own: &["oauth", "oauthScopes"],
            variables: VariableSyntax::EnvPrefix,
            ..usual(Client::AmazonQ)
        },
    },
    PlainClient {
        documentation: "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Json,
        places: &[
            place(
                PlainScope::User,
                Base::Home,
                ".junie/mcp/mcp.json",
                "mcpServers",
            ),
            place(
                PlainScope::Project,
                Base::Project,
                ".junie/mcp/mcp.json",
                "mcpServers",
            ),
        ],
        dialect: Dialect {
            transports: &[Stdio],
            rules: &[same("command"), same("args"), same("env")],
            special: &["type"],
            read: |special, common| common.members.extend(special.members),
            write: transport_is_told,
            ..usual(Client::Junie)
        },
    },
    PlainClient {
        documentation: "https://docs.warp.dev/agents/capabilities/mcp",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Json,
        places: &[
            place(
                PlainScope::User,
                Base::Home,
                ".warp/.mcp.json",
                "mcpServers",
            ),
            place(
                PlainScope::Project,
                Base::Project,
                ".warp/.mcp.json",
                "mcpServers",
            ),
        ],
        dialect: Dialect {
            rules: &[
                same("command"),
                same("args"),
                same("env"),
                named("working_directory", "cwd"),
                same("url"),
                same("headers"),
            ],
            special: &["type"],
            read: |special, common| common.members.extend(special.members),
            write: transport_is_told,
            ..usual(Client::Warp)
        },
    },
    // "Follows Cursor's notation" there.
    PlainClient {
        documentation: "https://lmstudio.ai/docs/app/mcp",
        precedence: ONE_FILE,
        format: FileFormat::Json,
        places: &[place(
            PlainScope::User,
            Base::Home,
            ".lmstudio/mcp.json",
            "mcpServers",
        )],
        dialect: Dialect {
            rules: &[
                same("command"),
                same("args"),
                same("env"),
                same("url"),
                same("headers"),
                milliseconds("timeout", "tool_timeout"),
            ],
            special: &["type"],
            read: |special, common| common.members.extend(special.members),
            write: transport_is_told,
            ..usual(Client::LmStudio)
        },
    },
    // `ExtensionConfig` in `crates/goose/src/agents/extension.rs` of
    // <https://github.com/block/goose>. Secrets that `env_keys` names are in Goose's keyring.
    PlainClient {
        documentation: "https://block.github.io/goose/docs/guides/config-files",
        precedence: ONE_FILE,
        format: FileFormat::Yaml,
        places: &[place(
            PlainScope::User,
            Base::Goose,
            "config.yaml",
            "extensions",
        )],
        dialect: Dialect {
            rules: &[
                named("cmd", "command"),
                same("args"),
                named("envs", "env"),
                same("cwd"),
                named("uri", "url"),
                same("headers"),
                named("timeout", "tool_timeout"),
                ENABLED,
            ],
            special: &["type"],
            read: read_goose,
            write: write_goose,
            own: &[
                "name",
                "display_name",
                "description",
                "env_keys",
                "bundled",
                "available_tools",
                "socket",
            ],
            ..usual(Client::Goose)
        },
    },
];

/// Streamable HTTP has a word of its own.
fn read_goose(special: Object, common: &mut Object) {
    for mut member in special.members {
        if let NodeValue::String(word) = &mut member.value.value
            && word == "streamable_http"
        {
            *word = Http.word().to_owned();
        }
        common.members.push(member);
    }
}

/// Every extension has a type, and says whether it is on.
fn write_goose(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    let word = match take_transport(common).transport {
        Some(Http) => "streamable_http",
        Some(transport) => transport.word(),
        None => Stdio.word(),
    };
    entry.insert("type".into(), word.into());
    common.entry("disabled").or_insert(Value::Bool(false));
}

/// Remote servers say what they are, with the client's own word for Streamable HTTP.
fn name_streamable(word: &str, common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    name_remote("type", common, entry);
    if entry.get("type").and_then(Value::as_str) == Some(Http.word()) {
        entry.insert("type".into(), word.into());
    }
}

/// A program is `local`, and `tools` names all of them by `*`.
fn read_copilot(special: Object, common: &mut Object) {
    for mut member in special.members {
        match (member.key.as_str(), &member.value.value) {
            ("type", NodeValue::String(word)) if word == "local" => {
                member.value.value = NodeValue::String(Stdio.word().to_owned());
                common.members.push(member);
            }
            ("tools", NodeValue::Array(names)) => {
                let is_all =
                    |name: &NodeValue| matches!(name, NodeValue::String(name) if name == "*");
                if !names.iter().any(|name| is_all(&name.value)) {
                    member.key = "enabled_tools".to_owned();
                    common.members.push(member);
                }
            }
            ("tools", _) => {}
            _ => common.members.push(member),
        }
    }
}

fn write_copilot(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    if let Some(transport) = take_transport(common).transport {
        let word = match transport {
            Stdio => "local",
            remote => remote.word(),
        };
        entry.insert("type".into(), word.into());
    }
    let tools = common.remove("enabled_tools");
    entry.insert(
        "tools".into(),
        tools.unwrap_or_else(|| Value::Array(vec!["*".into()])),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_without_a_dialect_of_its_own_has_an_entry() {
        for client in Client::ALL {
            assert_eq!(super::super::dialect(client).client, client);
        }
    }
}
