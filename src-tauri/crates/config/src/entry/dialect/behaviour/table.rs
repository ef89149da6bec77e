//! The rows: what each client was read or seen to do.

use super::{Behaviour, EntryRefusal, RefusalEffect, TextForm, Types};
use crate::client::Client;

/// The row of a client.
pub(super) fn find(client: Client) -> Option<&'static Behaviour> {
    TABLE.iter().find(|row| row.client == client)
}

/// The number of rows of a client.
#[cfg(test)]
pub(super) fn rows(client: Client) -> usize {
    TABLE.iter().filter(|row| row.client == client).count()
}

const USUAL_TYPES: Types = Types {
    member: "type",
    program: "stdio",
    remote: &["http", "sse"],
    also: &[],
};

/// A client of which nothing is known that a generous reader would do otherwise. `source` says what
/// was read.
const fn plain(client: Client, source: &'static str) -> Behaviour {
    Behaviour {
        client,
        source,
        types: USUAL_TYPES,
        refusals: &[],
        refused_forms: &[],
        effect: RefusalEffect::Skipped,
        names: &[],
        has_inputs: false,
        differences: &[],
    }
}

/// `variableResolver.ts` in `src/vs/workbench/services/configurationResolver/common` of
/// <https://github.com/microsoft/vscode>: a name that it does not know stays as it stands, and an
/// input that no file declares is an error.
const fn like_vscode(client: Client) -> Behaviour {
    Behaviour {
        names: &[
            "workspaceFolder",
            "workspaceRoot",
            "workspaceFolderBasename",
            "workspaceRootFolderName",
            "userHome",
            "pathSeparator",
            "/",
            "cwd",
            "execPath",
            "execInstallFolder",
            "defaultBuildTask",
            "file",
            "fileBasename",
            "fileBasenameNoExtension",
            "fileDirname",
            "fileDirnameBasename",
            "fileExtname",
            "fileWorkspaceFolder",
            "relativeFile",
            "relativeFileDirname",
            "lineNumber",
            "columnNumber",
            "selectedText",
            "input:",
            "command:",
            "config:",
            "extensionInstallFolder:",
            "workspaceFolder:",
        ],
        has_inputs: true,
        effect: RefusalEffect::NotStarted,
        differences: &[
            (
                "sandboxEnabled",
                "VS Code runs it in a sandbox. Here it runs without one.",
            ),
            (
                "sandbox",
                "VS Code runs it with the rules of `sandbox`. Here it runs without them.",
            ),
            (
                "dev",
                "VS Code restarts it when files change and can debug it (`dev`).",
            ),
        ],
        ..plain(
            client,
            "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        )
    }
}

/// Names of Cursor's own (<https://cursor.com/docs/context/mcp#config-interpolation>).
const OF_THE_FOLDER: &[&str] = &[
    "workspaceFolder",
    "workspaceFolderBasename",
    "userHome",
    "pathSeparator",
    "/",
];

const BRIDGE: &str = "To use it from the file, start a bridge: \"command\": \"npx\", \"args\": [\"-y\", \
                      \"mcp-remote\", ADDRESS].";

static TABLE: [Behaviour; 24] = [
    plain(
        Client::McpJson,
        "The common form, which is Sightglass's own.",
    ),
    // `MCP server "…" has a "url" but no "type"`, `unknown MCP server type`, and the entry of a lower
    // scope counts in its place.
    Behaviour {
        types: Types {
            remote: &["http", "sse", "ws"],
            also: &["streamable-http"],
            ..USUAL_TYPES
        },
        refusals: &[EntryRefusal::UntypedAddress, EntryRefusal::UnknownType],
        ..plain(
            Client::ClaudeCode,
            "https://code.claude.com/docs/en/mcp; refusals as `claude mcp list` of 2.1.330 has them",
        )
    },
    // `args is not supported for streamable_http`, `url is not supported for stdio`.
    Behaviour {
        refusals: &[EntryRefusal::Mixed {
            with_address: &["args", "env", "env_vars", "cwd", "bearer_token"],
            with_program: &[
                "url",
                "bearer_token",
                "bearer_token_env_var",
                "http_headers",
                "env_http_headers",
                "oauth_resource",
            ],
        }],
        effect: RefusalEffect::ClientStops,
        differences: &[
            (
                "experimental_environment",
                "Codex may run it in another environment.",
            ),
            (
                "required",
                "Codex does not start when this server fails (`required`).",
            ),
        ],
        ..plain(
            Client::Codex,
            "https://developers.openai.com/codex/config-reference; refusals as `codex mcp list` of \
             0.169.0 has them",
        )
    },
    // `Missing key mcp.x.enabled`: an entry without a type is one that switches another on or off.
    Behaviour {
        types: Types {
            program: "local",
            remote: &["remote"],
            ..USUAL_TYPES
        },
        refusals: &[EntryRefusal::Untyped],
        effect: RefusalEffect::ClientStops,
        ..plain(
            Client::Opencode,
            "https://opencode.ai/docs/mcp-servers; refusals as `opencode debug config` of 1.18.33 \
             has them",
        )
    },
    Behaviour {
        types: Types {
            member: "transport",
            ..USUAL_TYPES
        },
        refusals: &[
            EntryRefusal::UntypedAddress,
            EntryRefusal::UnknownType,
            EntryRefusal::Mixed {
                with_address: &["args", "env", "cwd"],
                with_program: &["url", "headers"],
            },
        ],
        effect: RefusalEffect::FileRefused,
        differences: &[
            (
                "lazy",
                "caliban starts it when a tool is first used (`lazy`).",
            ),
            (
                "oauth_config.auth_url",
                "caliban signs in at `auth_url`. Here the server says where.",
            ),
            (
                "oauth_config.audience",
                "caliban asks for an `audience`. Here it is set under Sign-in.",
            ),
        ],
        ..plain(
            Client::Caliban,
            "`normalize` in crates/caliban-mcp-client/src/config.rs of \
             https://github.com/caliban-ai/caliban",
        )
    },
    Behaviour {
        refusals: &[EntryRefusal::Remote {
            instead: "Add it in the application itself, under Connectors; or start a bridge: \
                      \"command\": \"npx\", \"args\": [\"-y\", \"mcp-remote\", ADDRESS].",
        }],
        refused_forms: &[TextForm::ByteOrderMark],
        ..plain(
            Client::ClaudeDesktop,
            "https://modelcontextprotocol.io/docs/develop/connect-remote-servers; the mark as \
             https://github.com/tradesdontlie/tradingview-mcp/issues/406 and \
             https://github.com/homeassistant-ai/ha-mcp/pull/281 report it",
        )
    },
    like_vscode(Client::Vscode),
    like_vscode(Client::VscodeInsiders),
    like_vscode(Client::Vscodium),
    like_vscode(Client::VisualStudio),
    Behaviour {
        names: OF_THE_FOLDER,
        refused_forms: &[TextForm::TrailingComma],
        ..plain(
            Client::Cursor,
            "https://cursor.com/docs/context/mcp#config-interpolation; the comma as \
             https://github.com/upstash/context7/issues/563 reports it",
        )
    },
    plain(
        Client::Windsurf,
        "https://docs.windsurf.com/windsurf/cascade/mcp",
    ),
    Behaviour {
        differences: &[(
            "remote",
            "Zed may run it on the remote machine of a project (`remote`).",
        )],
        ..plain(Client::Zed, "https://zed.dev/docs/ai/mcp")
    },
    Behaviour {
        differences: &[(
            "authProviderType",
            "Gemini CLI signs in through Google (`authProviderType`).",
        )],
        // `Expected double-quoted property name in JSON`, `Unexpected token`: it takes comments out
        // and reads the rest as JSON.
        refused_forms: &[TextForm::TrailingComma, TextForm::ByteOrderMark],
        ..plain(
            Client::Gemini,
            "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md; 0.61.0 \
             complains of a wrong `type` and goes on",
        )
    },
    Behaviour {
        types: Types {
            program: "local",
            also: &["stdio", "streamable-http"],
            ..USUAL_TYPES
        },
        refusals: &[EntryRefusal::UnknownType],
        ..plain(
            Client::CopilotCli,
            "https://docs.github.com/copilot/how-tos/use-copilot-agents/use-copilot-cli; refusals as \
             `copilot mcp list` of 1.0.102 has them",
        )
    },
    plain(
        Client::Cline,
        "https://docs.cline.bot/getting-started/config",
    ),
    Behaviour {
        names: OF_THE_FOLDER,
        ..plain(
            Client::RooCode,
            "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
        )
    },
    plain(Client::Kiro, "https://kiro.dev/docs/cli/mcp/configuration"),
    plain(
        Client::AmazonQ,
        "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/qdev-mcp.html",
    ),
    Behaviour {
        refusals: &[EntryRefusal::Remote { instead: BRIDGE }],
        ..plain(
            Client::Junie,
            "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
        )
    },
    plain(
        Client::Warp,
        "https://docs.warp.dev/agents/capabilities/mcp",
    ),
    plain(Client::LmStudio, "https://lmstudio.ai/docs/app/mcp"),
    Behaviour {
        differences: &[
            (
                "env_keys",
                "Goose adds secrets of its keyring (`env_keys`). Here they come from the environment \
                 alone.",
            ),
            (
                "available_tools",
                "Goose may offer some of its tools alone (`available_tools`).",
            ),
        ],
        ..plain(
            Client::Goose,
            "https://block.github.io/goose/docs/guides/config-files",
        )
    },
    Behaviour {
        differences: &[("envFile", "Continue does not read `envFile`.")],
        ..plain(
            Client::Continue,
            "https://docs.continue.dev/customize/deep-dives/mcp",
        )
    },
];
