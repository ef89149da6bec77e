//! Asks models over HTTP: Anthropic's Messages, and Chat Completions as OpenAI, Ollama and others
//! serve them.
//!
//! A key goes to the address that it was entered for and nowhere else: over HTTPS, or to this
//! machine itself; redirects are not followed, and no message of an error repeats it. Answers are
//! bounded in size and time.
//!
//! ```text
//! conversation  Conversation: messages, tools and limits, as MCP's sampling has them
//! anthropic     … as a request of Anthropic's Messages, and its answer
//! chat          … as a request of Chat Completions, and its answer
//! exchange      the HTTP request: checks of the address, limits, errors
//! ```

mod anthropic;
mod chat;
mod conversation;
mod exchange;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sightglass_http::HttpOptions;
use sightglass_secrets::Secret;

pub use conversation::{
    Completion, ContentBlock, Conversation, Message, OfferedTool, Role, ToolChoiceMode,
};
pub use exchange::EndpointError;

/// Interface of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum EndpointKind {
    /// Anthropic, Messages (<https://platform.claude.com/docs/en/api/messages>).
    Anthropic,
    /// OpenAI, Chat Completions (<https://platform.openai.com/docs/api-reference/chat>), which
    /// Ollama serves too (<https://docs.ollama.com/api/openai-compatibility>).
    OpenaiChat,
}

/// A model, and the way to it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub kind: EndpointKind,
    /// Address up to the version: `https://api.anthropic.com`, `http://localhost:11434/v1`.
    pub url: String,
    pub model: String,
    pub key: Option<Secret<String>>,
}

impl Endpoint {
    /// Checks the address without asking it.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub fn check(&self) -> Result<(), EndpointError> {
        exchange::address(&self.url, "").map(drop)
    }

    /// Lets the model continue a conversation. `http` has the proxies and authorities to use.
    pub async fn complete(
        &self,
        http: HttpOptions,
        conversation: &Conversation,
    ) -> Result<Completion, EndpointError> {
        match self.kind {
            EndpointKind::Anthropic => {
                let body = anthropic::request(&self.model, conversation)?;
                let answer = exchange::post(http, self, "v1/messages", &body).await?;
                anthropic::completion(&answer)
            }
            EndpointKind::OpenaiChat => {
                let is_openai = exchange::host(&self.url).as_deref() == Some("api.openai.com");
                let body = chat::request(&self.model, conversation, is_openai)?;
                let answer = exchange::post(http, self, "chat/completions", &body).await?;
                chat::completion(&answer)
            }
        }
    }

    /// Counts the tokens of a conversation by the provider's own count, which is free of charge
    /// (Anthropic, token counting).
    pub async fn count_tokens(
        &self,
        http: HttpOptions,
        conversation: &Conversation,
    ) -> Result<u64, EndpointError> {
        if self.kind != EndpointKind::Anthropic {
            return Err(EndpointError::Unsupported(
                "Only Anthropic counts tokens without being asked for an answer.".to_owned(),
            ));
        }
        let mut body = anthropic::request(&self.model, conversation)?;
        if let Some(members) = body.as_object_mut() {
            members.retain(|name, _| {
                matches!(name.as_str(), "model" | "messages" | "system" | "tools")
            });
        }
        let answer = exchange::post(http, self, "v1/messages/count_tokens", &body).await?;
        answer
            .get("input_tokens")
            .and_then(Value::as_u64)
            .ok_or_else(|| EndpointError::answer("it has no input_tokens"))
    }
}
