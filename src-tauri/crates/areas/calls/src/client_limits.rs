//! Limits of clients on the results of calls.

use std::sync::Arc;

use sightglass_area_core::{
    core::Core,
    view::{BlockBody, BlockView, ResultView},
};
use sightglass_config::Client;
use sightglass_llm_tools::tokens::{ResultLimits, ResultVerdict};

/// Bytes that a token of a text has, about.
const BYTES_OF_A_TOKEN: u64 = 4;

/// Clients that give a model which takes no images a text in the place of each image of a result, and
/// the source of that.
const WITHHOLDING_IMAGES: [(Client, &str); 1] = [(
    Client::Codex,
    "https://github.com/openai/codex, codex-rs/core/src/mcp_tool_call.rs",
)];

/// Clients with limits of their own on results.
const WITH_LIMITS: [Client; 2] = [Client::ClaudeCode, Client::Caliban];

/// Limits of clients on the results of calls.
pub struct ClientResultLimits {
    pub(crate) core: Arc<Core>,
}

impl ClientResultLimits {
    /// Says which clients warn of so long a result, or cut it; of those with limits those found
    /// here, or else Claude Code. The tokens are estimated by the length: to count those of a long
    /// result takes seconds.
    pub fn exceeded_limits(&self, result: &ResultView) -> Option<String> {
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
    pub fn withheld_images(&self, result: &ResultView) -> Option<String> {
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
        let files = self.core.config.files();
        let mut configs = files.clients.iter();
        configs.any(|config| config.client == client && config.is_found())
    }

    /// Returns the limits of a client on the result of a call; Sightglass's own where it has none.
    pub fn result_limits(&self, client: Option<Client>) -> ResultLimits {
        let variable = |name: &str| (self.core.options.environment)(name);
        match client {
            Some(Client::ClaudeCode) => ResultLimits::claude_code(variable),
            Some(Client::Caliban) => ResultLimits::caliban(variable),
            _ => ResultLimits::sightglass(variable),
        }
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
