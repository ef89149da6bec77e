//! Clients: what agents get of a server.

use std::sync::Arc;

use sightglass_area_calls::Calls;
use sightglass_area_core::{
    command::{Command, within},
    core::Core,
};
use sightglass_area_servers::Servers;

use crate::{
    llm_tools::{LlmTools, choice::ToolChoices, sent::SentTools},
    model_endpoints::ModelEndpoints,
};

/// Clients: what agents get of a server.
pub struct Clients {
    pub llm_tools: Arc<LlmTools>,
    pub tool_choices: Arc<ToolChoices>,
    pub sent_tools: Arc<SentTools>,
    pub model_endpoints: Arc<ModelEndpoints>,
}

impl Clients {
    /// Puts the area together, each part with those that it calls.
    pub fn new(core: &Arc<Core>, servers: &Servers, calls: &Calls) -> Self {
        let llm_tools = Arc::new(LlmTools {
            core: Arc::clone(core),
            client_limits: Arc::clone(&calls.client_limits),
            current_surface: Arc::clone(&calls.current_surface),
            open_connections: Arc::clone(&servers.open_connections),
            counted: Default::default(),
        });
        let tool_choices = Arc::new(ToolChoices {
            core: Arc::clone(core),
            llm_tools: Arc::clone(&llm_tools),
        });
        let sent_tools = Arc::new(SentTools {
            llm_tools: Arc::clone(&llm_tools),
        });
        let model_endpoints = Arc::new(ModelEndpoints {
            core: Arc::clone(core),
            answer_rules: Arc::clone(&calls.answer_rules),
            llm_tools: Arc::clone(&llm_tools),
            reply_times: Default::default(),
        });
        Self {
            llm_tools,
            tool_choices,
            sent_tools,
            model_endpoints,
        }
    }

    /// Lists the commands of the area.
    pub fn commands() -> Vec<Command<Self>> {
        [
            within(LlmTools::commands(), |area: &Self| &area.llm_tools),
            within(LlmTools::clients_commands(), |area: &Self| &area.llm_tools),
            within(ToolChoices::commands(), |area: &Self| &area.tool_choices),
            within(SentTools::commands(), |area: &Self| &area.sent_tools),
            within(ModelEndpoints::commands(), |area: &Self| {
                &area.model_endpoints
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
