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

/// Clients that give a model which takes no images a text in the place of each image of a result, and
/// the source of that.
const WITHHOLDING_IMAGES: [(Client, &str); 1] = [(
    Client::Codex,
    "https://github.com/openai/codex, codex-rs/core/src/mcp_tool_call.rs",
)];

/// Clients with limits of their own on results.
const WITH_LIMITS: [Client; 2] = [Client::ClaudeCode, Client::Caliban];

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

    /// Says which clients warn of so long a result, or cut it; of those with limits those found
    /// here, or else Claude Code. The tokens are estimated by the length: to count those of a long
    /// result takes seconds.
    pub(crate) fn exceeded_limits(&self, result: &ResultView) -> Option<String> {
        let text_bytes = |block: &BlockView| match &block.body {
            BlockBody::Text { text } | BlockBody::TextResource { text, .. } => text.size.as_u64(),
            _ => 0,
        };
        let texts: u64 = result.blocks.iter().map(text_bytes).sum();
        let structured = result.structured.as_ref();
        let bytes = texts.max(structured.map_or(0, |part| part.size.as_u64()));
        let tokens = u32::try_from(bytes / BYTES_OF_A_TOKEN).unwrap_or(u32::MAX);
        let mut clients: Vec<Client> = WITH_LIMITS
            .into_iter()
            .filter(|client| self.is_here(*client))
            .collect();
        if clients.is_empty() {
            clients.push(Client::ClaudeCode);
        }
        let sentences: Vec<String> = clients
            .into_iter()
            .filter_map(|client| {
                let (title, limits) = (client.title(), self.result_limits(Some(client)));
                match limits.judge(tokens) {
                    ResultVerdict::Within => None,
                    ResultVerdict::Warned => Some(format!(
                        "{title} warns of results from {}.",
                        grouped(limits.warning)
                    )),
                    ResultVerdict::Cut => {
                        let cut = grouped(limits.cut.unwrap_or_default());
                        Some(format!("{title} cuts results after {cut}."))
                    }
                }
            })
            .collect();
        let about = grouped(rounded(tokens));
        (!sentences.is_empty()).then(|| {
            format!(
                "About {about} tokens, by its length. {}",
                sentences.join(" ")
            )
        })
    }

    /// Says which of the clients found here keep the images of a result from models that take none.
    pub(crate) fn withheld_images(&self, result: &ResultView) -> Option<String> {
        let mut blocks = result.blocks.iter();
        if !blocks.any(|block| matches!(block.body, BlockBody::Image { .. })) {
            return None;
        }
        let sentences: Vec<String> = WITHHOLDING_IMAGES
            .iter()
            .filter(|(client, _)| self.is_here(*client))
            .map(|(client, source)| {
                format!(
                    "{} gives a model that takes no images a text in the place of each ({source}).",
                    client.title()
                )
            })
            .collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// Tells whether a file of a client is there.
    fn is_here(&self, client: Client) -> bool {
        let files = self.config.files();
        let mut configs = files.clients.iter();
        configs.any(|config| config.client == client && config.is_found())
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

/// Rounds an estimate to its first two digits, which are enough of one.
fn rounded(count: u32) -> u32 {
    let unit = 10_u32.pow(count.max(1).ilog10().saturating_sub(1));
    count / unit * unit
}

/// Writes a number with a comma between each three digits.
fn grouped(count: u32) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for (place, digit) in digits[first..].chars().enumerate() {
        if place % 3 == 0 && !text.is_empty() {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
