//! The clients that one table entry says everything about: where their files are, and how an entry
//! is written.

use super::{
    plain_entries::{
        name_streamable, read_cline, read_continue, read_copilot, read_goose, write_continue,
        write_copilot, write_goose,
    },
    *,
};
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

/// A file of a client, or a directory of such files.
pub(crate) struct PlainPlace {
    pub scope: PlainScope,
    pub base: Base,
    /// The path below the base.
    pub path: &'static str,
    /// The key under which the servers stand.
    pub section: &'static str,
    pub form: Form,
}

/// Form of a place's files, where a client has several.
pub(crate) struct Form {
    /// The endings of the files that count, where the path is that of a directory.
    pub endings: &'static [&'static str],
    /// True for a list of servers, each of which says its name.
    pub is_list: bool,
    /// The reason why a file may hold one server only, where it may.
    pub one_server: Option<&'static str>,
    /// The members that a new file begins with, where its client needs some.
    pub head: &'static [(&'static str, &'static str)],
    /// The format and the dialect, where they are not the client's usual ones.
    pub other: Option<(FileFormat, &'static Dialect)>,
}

impl Form {
    /// One file, with servers by name.
    const USUAL: Form = Form {
        endings: &[],
        is_list: false,
        one_server: None,
        head: &[],
        other: None,
    };
}

/// A scope that a file belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainScope {
    User,
    Project,
    /// The user's, at the place where earlier versions had it.
    Earlier,
    /// The user's files of agents, whose servers are in use while the agent is.
    Agents,
    /// The same of the project.
    ProjectAgents,
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
    /// Cline's settings, wherever its variables move them.
    Cline,
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

/// A file with its servers under the usual key.
const fn place(scope: PlainScope, base: Base, path: &'static str) -> PlainPlace {
    PlainPlace {
        scope,
        base,
        path,
        section: "mcpServers",
        form: Form::USUAL,
    }
}

/// A file in the home directory.
const fn user(path: &'static str) -> PlainPlace {
    place(PlainScope::User, Base::Home, path)
}

/// A file of the project.
const fn project(path: &'static str) -> PlainPlace {
    place(PlainScope::Project, Base::Project, path)
}

/// A directory with a file for each agent.
const fn agents(scope: PlainScope, base: Base, path: &'static str) -> PlainPlace {
    PlainPlace {
        form: Form {
            endings: &["json"],
            ..Form::USUAL
        },
        ..place(scope, base, path)
    }
}

const AGENTS_OVER_ALL: &str = "Priority: agent > project > user. The winner replaces the whole \
                               entry. The servers of an agent are in use while the agent is.";
const PROJECT_OVER_USER: &str = "Priority: project > user. The winner replaces the whole entry.";
const ONE_FILE: &str = "There is one file.";

/// The form of VS Code, in a program that is built from it.
const fn like_vscode(client: Client) -> Dialect {
    Dialect { client, ..VSCODE }
}

static TABLE: [PlainClient; 13] = [
    PlainClient {
        documentation: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        precedence: "There is one file beside the workspace's, which VS Code shows.",
        format: FileFormat::Jsonc,
        places: &[PlainPlace {
            section: "servers",
            ..place(
                PlainScope::User,
                Base::ApplicationData,
                "Code - Insiders/User/mcp.json",
            )
        }],
        dialect: like_vscode(Client::VscodeInsiders),
    },
    PlainClient {
        documentation: "https://github.com/VSCodium/vscodium/blob/master/docs/index.md",
        precedence: "There is one file beside the workspace's, which VS Code shows.",
        format: FileFormat::Jsonc,
        places: &[PlainPlace {
            section: "servers",
            ..place(
                PlainScope::User,
                Base::ApplicationData,
                "VSCodium/User/mcp.json",
            )
        }],
        dialect: like_vscode(Client::Vscodium),
    },
    // "File locations for automatic discovery of MCP configuration" there. Its files beside the
    // solution that other programs read too are listed with those.
    PlainClient {
        documentation: "https://learn.microsoft.com/visualstudio/ide/mcp-servers",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Jsonc,
        places: &[PlainPlace {
            section: "servers",
            ..project(".vs/mcp.json")
        }],
        dialect: like_vscode(Client::VisualStudio),
    },
    // Texts are expanded as `${NAME}` since version 0.0.340, and as `$NAME`. `tools` had to be there
    // once; `*` means all of them, and so does nothing.
    PlainClient {
        documentation: "https://docs.github.com/copilot/how-tos/use-copilot-agents/use-copilot-cli",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Jsonc,
        places: &[
            place(
                PlainScope::User,
                Base::MovedHome("COPILOT_HOME", ".copilot"),
                "mcp-config.json",
            ),
            project(".github/mcp.json"),
        ],
        dialect: Dialect {
            same: &["command", "args", "env", "cwd", "url", "headers"],
            special: &["type", "tools"],
            read: read_copilot,
            write: write_copilot,
            variables: VariableSyntax::Dollar,
            ..usual(Client::CopilotCli)
        },
    },
    // `timeout` is for one request, in seconds. Streamable HTTP has a word of its own. An entry may
    // have the transport in an object of its own (`mcpRegistrationBodySchema` in
    // `sdk/packages/core/src/extensions/mcp/config-loader.ts` of <https://github.com/cline/cline>).
    // The editors and the command line share one file; from the one of earlier versions of the
    // extension its servers are taken over
    // (`apps/vscode/src/hosts/vscode/mcp-settings-legacy-migration.ts` there).
    PlainClient {
        documentation: "https://docs.cline.bot/getting-started/config",
        precedence: "Priority: user > earlier place. The winner replaces the whole entry.",
        format: FileFormat::Json,
        places: &[
            place(
                PlainScope::Earlier,
                Base::ApplicationData,
                "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ),
            place(PlainScope::User, Base::Cline, "cline_mcp_settings.json"),
        ],
        dialect: Dialect {
            same: &[
                "type", "command", "args", "env", "cwd", "url", "headers", "disabled",
            ],
            rules: &[named("timeout", "tool_timeout")],
            special: &["transport"],
            read: read_cline,
            write: |common, entry| name_streamable("streamableHttp", common, entry),
            own: &[
                "autoApprove",
                "alwaysAllow",
                "transportType",
                "oauth",
                "oauthClient",
                "metadata",
            ],
            sign_in: sign_in::CLINE,
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
            ),
            project(".roo/mcp.json"),
        ],
        dialect: Dialect {
            same: &[
                "type", "command", "args", "env", "cwd", "url", "headers", "disabled",
            ],
            rules: &[
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
        documentation: "https://kiro.dev/docs/cli/mcp/configuration",
        precedence: AGENTS_OVER_ALL,
        format: FileFormat::Json,
        places: &[
            user(".kiro/settings/mcp.json"),
            project(".kiro/settings/mcp.json"),
            agents(PlainScope::Agents, Base::Home, ".kiro/agents"),
            agents(PlainScope::ProjectAgents, Base::Project, ".kiro/agents"),
        ],
        dialect: Dialect {
            same: &["command", "args", "env", "url", "headers", "disabled"],
            rules: &[named("disabledTools", "disabled_tools")],
            own: &["autoApprove"],
            variables: VariableSyntax::Braces,
            ..without_type(Client::Kiro)
        },
    },
    // `timeout` is for starting, in milliseconds (`docs/agent-format.md` of
    // <https://github.com/aws/amazon-q-developer-cli>). The agents of its command line are in files of
    // their own (`docs/agent-file-locations.md` there).
    PlainClient {
        documentation: "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/qdev-mcp.html",
        precedence: "Priority: agent > project > user > earlier place. The winner replaces the whole \
                     entry. The servers of an agent are in use while the agent is.",
        format: FileFormat::Json,
        places: &[
            place(PlainScope::Earlier, Base::Home, ".aws/amazonq/mcp.json"),
            user(".aws/amazonq/agents/default.json"),
            project(".amazonq/agents/default.json"),
            agents(PlainScope::Agents, Base::Home, ".aws/amazonq/cli-agents"),
            agents(
                PlainScope::ProjectAgents,
                Base::Project,
                ".amazonq/cli-agents",
            ),
        ],
        dialect: Dialect {
            transports: &[Stdio, Http],
            same: &[
                "type", "command", "args", "env", "url", "headers", "disabled",
            ],
            rules: &[milliseconds("timeout", "startup_timeout")],
            own: &["oauth", "oauthScopes"],
            variables: VariableSyntax::EnvPrefix,
            ..usual(Client::AmazonQ)
        },
    },
    PlainClient {
        documentation: "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Json,
        places: &[user(".junie/mcp/mcp.json"), project(".junie/mcp/mcp.json")],
        dialect: programs_alone(Client::Junie),
    },
    PlainClient {
        documentation: "https://docs.warp.dev/agents/capabilities/mcp",
        precedence: PROJECT_OVER_USER,
        format: FileFormat::Json,
        places: &[user(".warp/.mcp.json"), project(".warp/.mcp.json")],
        dialect: Dialect {
            same: &["command", "args", "env", "url", "headers"],
            rules: &[named("working_directory", "cwd")],
            ..without_type(Client::Warp)
        },
    },
    // "Follows Cursor's notation" there.
    PlainClient {
        documentation: "https://lmstudio.ai/docs/app/mcp",
        precedence: ONE_FILE,
        format: FileFormat::Json,
        places: &[user(".lmstudio/mcp.json")],
        dialect: Dialect {
            same: &["command", "args", "env", "url", "headers"],
            rules: &[milliseconds("timeout", "tool_timeout")],
            ..without_type(Client::LmStudio)
        },
    },
    // `ExtensionConfig` in `crates/goose/src/agents/extension.rs` of
    // <https://github.com/block/goose>. Secrets that `env_keys` names are in Goose's keyring.
    PlainClient {
        documentation: "https://block.github.io/goose/docs/guides/config-files",
        precedence: ONE_FILE,
        format: FileFormat::Yaml,
        places: &[PlainPlace {
            section: "extensions",
            ..place(PlainScope::User, Base::Goose, "config.yaml")
        }],
        dialect: Dialect {
            same: &["args", "cwd", "headers"],
            rules: &[
                named("cmd", "command"),
                named("envs", "env"),
                named("uri", "url"),
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
    // `mcpServerSchema` in `packages/config-yaml/src/schemas/mcp/index.ts` of
    // <https://github.com/continuedev/continue>; `connectionTimeout` is in milliseconds. Of a name
    // in several YAML files the first counts (`BlockDuplicationDetector` in
    // `packages/config-yaml/src/load`), in several JSON files as well
    // (`core/context/mcp/json/loadJsonMcpConfigs.ts`), and a JSON file before a YAML file
    // (`setConnections` in `core/context/mcp/MCPManagerSingleton.ts`).
    PlainClient {
        documentation: "https://docs.continue.dev/customize/deep-dives/mcp",
        precedence: "Priority: JSON files of the project > JSON files of yours > config.yaml > YAML \
                     files of the project > YAML files of yours. The winner replaces the whole \
                     entry.",
        format: FileFormat::Yaml,
        places: &[
            PlainPlace {
                form: CONTINUE_BLOCKS,
                ..place(PlainScope::User, CONTINUE_HOME, "mcpServers")
            },
            PlainPlace {
                form: CONTINUE_BLOCKS,
                ..project(".continue/mcpServers")
            },
            PlainPlace {
                form: Form {
                    is_list: true,
                    // `defaultConfigYaml` in `core/config/yaml/default.ts` there.
                    head: &[
                        ("name", "Main Config"),
                        ("version", "1.0.0"),
                        ("schema", "v1"),
                    ],
                    ..Form::USUAL
                },
                ..place(PlainScope::User, CONTINUE_HOME, "config.yaml")
            },
            PlainPlace {
                form: CONTINUE_JSON_FILES,
                ..place(PlainScope::User, CONTINUE_HOME, "mcpServers")
            },
            PlainPlace {
                form: CONTINUE_JSON_FILES,
                ..project(".continue/mcpServers")
            },
            PlainPlace {
                form: Form {
                    endings: &[],
                    ..CONTINUE_JSON_FILES
                },
                ..project(".continue/mcpServers/mcp.json")
            },
        ],
        dialect: Dialect {
            same: &["command", "args", "env", "cwd", "url"],
            rules: &[milliseconds("connectionTimeout", "startup_timeout")],
            special: &["type", "name", "requestOptions", "apiKey"],
            read: read_continue,
            write: write_continue,
            own: &["serverName", "faviconUrl", "sourceFile", "sourceSlug"],
            variables: VariableSyntax::Secrets,
            ..usual(Client::Continue)
        },
    },
];

/// `CONTINUE_GLOBAL_DIR` in `core/util/paths.ts` of <https://github.com/continuedev/continue>.
const CONTINUE_HOME: Base = Base::MovedHome("CONTINUE_GLOBAL_DIR", ".continue");

/// `blockSchema` in `packages/config-yaml/src/schemas/index.ts` there.
const CONTINUE_BLOCKS: Form = Form {
    endings: &["yaml", "yml"],
    is_list: true,
    one_server: Some(
        "Continue reads a YAML file of this directory only when it holds one server. Give each \
         other server a file of its own, or put it into config.yaml.",
    ),
    ..Form::USUAL
};

const CONTINUE_JSON_FILES: Form = Form {
    endings: &["json"],
    other: Some((FileFormat::Jsonc, &CONTINUE_JSON)),
    ..Form::USUAL
};

/// The form of the JSON files in Continue's directories, the one of Claude Desktop
/// (`mcpServersJsonSchema` in `packages/config-yaml/src/schemas/mcp/json.ts` of
/// <https://github.com/continuedev/continue>). `envFile` is not used there.
static CONTINUE_JSON: Dialect = Dialect {
    same: &["type", "command", "args", "env", "url", "headers"],
    own: &["envFile"],
    ..usual(Client::Continue)
};

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
