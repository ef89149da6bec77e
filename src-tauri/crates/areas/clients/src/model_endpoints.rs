//! Models that can be asked: their settings, their keys, and what is asked of them.
//!
//! Nothing is sent without the user: by a click, or by a rule of theirs that names the model. A key
//! is kept in the vault for the address that it was entered for, so that a changed address asks for
//! it again.

mod replies;

pub use replies::ReplyTimes;

use std::sync::Arc;

use serde_json::{Value, json};
use sightglass_area_calls::{answer_rules::AnswerRuleFile, schema};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    settings::endpoint_of,
    view::{ModelAnswer, ModelCall, ModelEndpointView, ModelQuestion},
};
use sightglass_llm_tools::providers::{Provider, sent_list};
use sightglass_model::{ServerId, lock};
use sightglass_model_endpoint::{
    Completion, ContentBlock, Conversation, Endpoint, EndpointKind, Message, OfferedTool, Role,
    ToolChoiceMode,
};
use sightglass_secrets::Secret;

use crate::llm_tools::{LlmTools, values_of};

/// Stands before the address of a model in the name of its key in the vault.
const VAULT_PREFIX: &str = "model-key:";
/// Characters of a question.
const MAX_PROMPT: usize = 50_000;
/// Most tokens of an answer.
const MAX_TOKENS: u64 = 4_096;

/// Server and name of a tool that is sent.
type Origin = (ServerId, String);

fn vault_name(url: &str) -> String {
    format!("{VAULT_PREFIX}{}", url.trim().trim_end_matches('/'))
}

/// Models that can be asked.
pub struct ModelEndpoints {
    pub(crate) core: Arc<Core>,
    pub(crate) answer_rules: Arc<AnswerRuleFile>,
    pub(crate) llm_tools: Arc<LlmTools>,
    pub(crate) reply_times: ReplyTimes,
}

#[commands]
impl ModelEndpoints {
    /// The models of the settings.
    #[command(name = "list_model_endpoints")]
    pub fn model_endpoints(&self) -> Vec<ModelEndpointView> {
        let models = lock(&self.core.settings).models.clone();
        models
            .into_iter()
            .map(|settings| ModelEndpointView {
                has_key: self.core.vault.has(&vault_name(&settings.url)),
                settings,
            })
            .collect()
    }

    /// Keeps the key of an address in the vault, or without one forgets it.
    #[command]
    pub async fn update_model_key(
        &self,
        url: &str,
        key: Option<Secret<String>>,
    ) -> Result<(), InspectorError> {
        let name = vault_name(url);
        let kept = match key.filter(|key| !key.expose().trim().is_empty()) {
            Some(key) => self.core.vault.set(&name, key).await,
            None => self.core.vault.remove(&name).await,
        };
        kept.map_err(|error| {
            InspectorError::InvalidInput(format!("The key was not kept: {error}."))
        })
    }

    /// Returns a model of the settings with its key, which may ask the user to unlock the keychain.
    async fn model_endpoint(&self, name: &str) -> Result<Endpoint, InspectorError> {
        let models = lock(&self.core.settings).models.clone();
        let model = models.into_iter().find(|model| model.name.trim() == name);
        let model = model.ok_or_else(|| {
            InspectorError::InvalidInput(format!(
                "The settings have no model \u{201c}{name}\u{201d}."
            ))
        })?;
        let key_name = vault_name(&model.url);
        let key = match self.core.vault.has(&key_name) {
            true => self.core.vault.get(&key_name).await.map_err(|error| {
                InspectorError::InvalidInput(format!("The key cannot be read: {error}."))
            })?,
            false => None,
        };
        Ok(endpoint_of(&model, key))
    }

    /// Has a model reply to a sampling request.
    async fn sampling_by_model(&self, name: &str, params: &str) -> Result<String, InspectorError> {
        let params: Value = serde_json::from_str(params)
            .map_err(|error| InspectorError::InvalidInput(error.to_string()))?;
        let conversation = Conversation::of_sampling(&params)?;
        let endpoint = self.model_endpoint(name).await?;
        let http = self.core.general_http();
        let completion = endpoint.complete(http, &conversation).await?;
        Ok(completion.sampling_result().to_string())
    }

    /// Asks a model which tool of servers it would call for a prompt. No tool is called.
    #[command]
    pub async fn ask_model(&self, question: &ModelQuestion) -> Result<ModelAnswer, InspectorError> {
        let endpoint = self.model_endpoint(&question.model).await?;
        let (tools, origins) = self.offered(question, endpoint.kind)?;
        let conversation = Conversation {
            messages: vec![said(&question.prompt)?],
            tools: tools.clone(),
            max_tokens: MAX_TOKENS,
            ..Conversation::default()
        };
        let http = self.core.general_http();
        let completion = endpoint.complete(http, &conversation).await?;
        Ok(answer_of(&completion, &tools, &origins))
    }

    /// Asks a model why it did not call the tool that was expected. `called` is the tool that it
    /// did call; both are names as they were sent.
    #[command]
    pub async fn explain_choice(
        &self,
        question: &ModelQuestion,
        called: Option<&str>,
        expected: &str,
    ) -> Result<String, InspectorError> {
        let endpoint = self.model_endpoint(&question.model).await?;
        let (tools, _) = self.offered(question, endpoint.kind)?;
        let did = called.map_or_else(
            || "you called no tool".to_owned(),
            |called| format!("you called the tool {called}"),
        );
        let prompt = format!(
            "To this request of a user {did}, and not {expected}:\n\n{}\n\nSay in at most three \
             sentences what in the names, descriptions and schemas of the tools led to that, and \
             what would have to change so that {expected} is called.",
            question.prompt
        );
        let conversation = Conversation {
            messages: vec![said(&prompt)?],
            tools,
            choice: ToolChoiceMode::None,
            max_tokens: MAX_TOKENS,
            ..Conversation::default()
        };
        let http = self.core.general_http();
        let completion = endpoint.complete(http, &conversation).await?;
        Ok(text_of(&completion))
    }

    /// Counts the tokens of the tools of servers by the provider's own count; the prompt does not
    /// count.
    #[command]
    pub async fn count_model_tokens(
        &self,
        question: &ModelQuestion,
    ) -> Result<u32, InspectorError> {
        let endpoint = self.model_endpoint(&question.model).await?;
        let (tools, _) = self.offered(question, endpoint.kind)?;
        let count = async |tools: Vec<OfferedTool>| -> Result<u64, InspectorError> {
            let conversation = Conversation {
                // A request needs a message; its own tokens are taken off again.
                messages: vec![said(".")?],
                tools,
                max_tokens: 1,
                ..Conversation::default()
            };
            let http = self.core.general_http();
            Ok(endpoint.count_tokens(http, &conversation).await?)
        };
        let (whole, bare) = (count(tools).await?, count(Vec::new()).await?);
        let tokens = whole.saturating_sub(bare);
        Ok(u32::try_from(tokens).unwrap_or(u32::MAX))
    }

    /// The tools of servers as an interface gets them, and where each comes from.
    fn offered(
        &self,
        question: &ModelQuestion,
        kind: EndpointKind,
    ) -> Result<(Vec<OfferedTool>, Vec<Origin>), InspectorError> {
        let provider = match kind {
            EndpointKind::Anthropic => Provider::AnthropicMessages,
            EndpointKind::OpenaiChat => Provider::OpenaiChat,
        };
        let (mut offered, mut origins) = (Vec::new(), Vec::new());
        for server in &question.servers {
            let own = self.llm_tools.client_tools(server, question.scheme)?;
            let list = sent_list(provider, &values_of(&own.tools), &own.names);
            for (own_name, sent) in own.own_names.into_iter().zip(&list.tools) {
                offered.push(offered_tool(sent));
                origins.push((server.clone(), own_name));
            }
        }
        let mut names: Vec<&str> = offered.iter().map(|tool| tool.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(InspectorError::InvalidInput(format!(
                "Two tools would be sent as {}, so that a call of it could mean either. Choose a \
                 client whose names tell servers apart.",
                pair[0]
            )));
        }
        Ok((offered, origins))
    }
}

fn offered_tool(sent: &Value) -> OfferedTool {
    let function = sent.get("function").unwrap_or(sent);
    let text = |name: &str| {
        function
            .get(name)
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let schema = function.get("input_schema").or(function.get("parameters"));
    OfferedTool {
        name: text("name").unwrap_or_default(),
        description: text("description"),
        schema: schema
            .cloned()
            .unwrap_or_else(|| json!({ "type": "object" })),
    }
}

fn said(text: &str) -> Result<Message, InspectorError> {
    if text.trim().is_empty() || text.chars().count() > MAX_PROMPT {
        return Err(InspectorError::InvalidInput(format!(
            "A question has 1 to {MAX_PROMPT} characters."
        )));
    }
    Ok(Message {
        role: Role::User,
        blocks: vec![ContentBlock::Text(text.to_owned())],
    })
}

fn text_of(completion: &Completion) -> String {
    let texts = completion.blocks.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The answer, with each call held against the list that was sent: a model may name what there is
/// not.
fn answer_of(completion: &Completion, tools: &[OfferedTool], origins: &[Origin]) -> ModelAnswer {
    let calls = completion.blocks.iter().filter_map(|block| match block {
        ContentBlock::ToolUse { name, input, .. } => Some((name, input)),
        _ => None,
    });
    let calls = calls.map(|(name, input)| {
        let place = tools.iter().position(|tool| tool.name == *name);
        let origin = place.and_then(|place| origins.get(place));
        let problem = match place {
            None => Some(format!("No tool of the list is called {name}.")),
            Some(place) => schema::conforms(&tools[place].schema, input).err(),
        };
        ModelCall {
            sent_name: name.clone(),
            server: origin.map(|(server, _)| server.clone()),
            tool: origin.map(|(_, tool)| tool.clone()),
            arguments: serde_json::to_string_pretty(input).unwrap_or_default(),
            problem,
        }
    });
    ModelAnswer {
        calls: calls.collect(),
        text: text_of(completion),
        model: completion.model.clone(),
        stop_reason: completion.stop_reason.clone(),
    }
}
