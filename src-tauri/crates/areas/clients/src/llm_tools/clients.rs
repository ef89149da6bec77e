//! The clients whose view of servers is known.

use sightglass_area_calls::client_rules;
use sightglass_area_core::{command::commands, view::ModelClientView};
use sightglass_config::Client;
use sightglass_llm_tools::{names::NamingScheme, providers::Provider};

use super::naming_scheme;
use crate::llm_tools::LlmTools;

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

#[commands(clients_commands)]
impl LlmTools {
    /// Returns the clients whose names of items are known.
    #[command(name = "list_model_clients")]
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
                    has_rules: client_rules::rule_kind(client).is_some(),
                    hides_denied: client_rules::hides_denied(client),
                    has_tool_search: client == Client::ClaudeCode,
                    limits: self.client_limits.result_limits(Some(client)),
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
