//! The clients whose view of servers is known.

use sightglass_config::Client;
use sightglass_llm_tools::{
    names::NamingScheme,
    providers::Provider,
    tokens::{ResultLimits, ResultVerdict},
};

use super::{naming_scheme, rules};
use crate::{
    Inspector,
    view::{BlockBody, BlockView, ModelClientView, ResultView},
};

/// Bytes that a token of a text has, about.
const BYTES_OF_A_TOKEN: u64 = 4;

/// Clients with names of their own. Those of Sightglass's `.mcp.json` are Chimera's; the other
/// editions of VS Code name items alike.
const CLIENTS: [Client; 9] = [
    Client::ClaudeCode,
    Client::Codex,
    Client::Opencode,
    Client::Gemini,
    Client::Vscode,
    Client::VscodeInsiders,
    Client::Vscodium,
    Client::Caliban,
    Client::McpJson,
];

impl Inspector {
    /// Returns the clients whose names of items are known.
    pub fn model_clients(&self) -> Vec<ModelClientView> {
        CLIENTS
            .into_iter()
            .filter_map(|client| {
                let scheme = naming_scheme(client)?;
                Some(ModelClientView {
                    client,
                    title: match scheme {
                        NamingScheme::Chimera => "Chimera (.mcp.json)".to_owned(),
                        _ => client.title().to_owned(),
                    },
                    scheme,
                    provider: provider(scheme),
                    has_rules: rules::rule_kind(client).is_some(),
                    hides_denied: rules::hides_denied(client),
                    has_tool_search: client == Client::ClaudeCode,
                    limits: self.result_limits(Some(client)),
                })
            })
            .collect()
    }

    /// Names the program whose conversion for an interface is shown, and says where that is not the
    /// client that was asked about.
    pub(super) fn converter(&self, provider: Provider, scheme: Option<NamingScheme>) -> String {
        let converter = provider.converter();
        let known = match provider {
            Provider::AnthropicMessages => NamingScheme::ClaudeCode,
            Provider::OpenaiResponses => NamingScheme::Codex,
            Provider::OpenaiChat => NamingScheme::Opencode,
            // These say themselves whose they are.
            Provider::Gemini | Provider::BedrockConverse => return converter.to_owned(),
        };
        let other = scheme.filter(|scheme| known != *scheme);
        let clients = self.model_clients();
        match clients.iter().find(|client| Some(client.scheme) == other) {
            Some(client) => format!(
                "{converter}. How {} converts for this interface is not known; only the names are \
                 its own",
                client.title
            ),
            None => converter.to_owned(),
        }
    }

    /// Says what becomes of a tool's result that is longer than a model usually gets. The tokens are
    /// those of the texts, estimated: counting a long one takes seconds.
    pub(crate) fn length_problem(&self, result: &ResultView) -> Option<String> {
        let text_bytes = |block: &BlockView| match &block.body {
            BlockBody::Text { text } | BlockBody::TextResource { text, .. } => text.size.as_u64(),
            _ => 0,
        };
        let bytes: u64 = result.blocks.iter().map(text_bytes).sum();
        let tokens = u32::try_from(bytes / BYTES_OF_A_TOKEN).unwrap_or(u32::MAX);
        let limits = self.result_limits(Some(Client::ClaudeCode));
        let cut = limits.cut.unwrap_or(u32::MAX);
        match limits.judge(tokens) {
            ResultVerdict::Within => None,
            ResultVerdict::Warned => Some(format!(
                "This is a long result for a model: about {tokens} tokens. Claude Code warns of more \
                 than {}.",
                limits.warning
            )),
            ResultVerdict::Cut => Some(format!(
                "This is too long a result for a model: about {tokens} tokens. Claude Code puts no more \
                 than {cut} before it (MAX_MCP_OUTPUT_TOKENS). Let the tool return less, or pages."
            )),
        }
    }

    /// Returns the limits of a client on the result of a call; Sightglass's own where it has none.
    pub(super) fn result_limits(&self, client: Option<Client>) -> ResultLimits {
        let variable = |name: &str| (self.options.environment)(name);
        match client {
            Some(Client::ClaudeCode) => ResultLimits::claude_code(variable),
            Some(Client::Caliban) => ResultLimits::caliban(variable),
            _ => ResultLimits::sightglass(variable),
        }
    }
}

/// Interface of the model that a client has where its user chose no other. OpenCode and VS Code have
/// none of their own; OpenAI's older interface is the one that most models have.
fn provider(scheme: NamingScheme) -> Provider {
    match scheme {
        NamingScheme::ClaudeCode | NamingScheme::Chimera | NamingScheme::Caliban => {
            Provider::AnthropicMessages
        }
        NamingScheme::Codex => Provider::OpenaiResponses,
        NamingScheme::GeminiCli => Provider::Gemini,
        NamingScheme::Opencode | NamingScheme::Vscode => Provider::OpenaiChat,
    }
}
