//! Choice of tools by rules, for clients that take a denied tool from the model.

use sightglass_config::{Target, denied_tools_file, permission_files, scope_place};
use sightglass_llm_tools::permissions::{Effect, PermissionCall, PermissionRule, verdict};
use sightglass_model::ServerId;

use super::{naming_scheme, rules, tool_name};
use crate::{
    Inspector, InspectorError,
    view::{ToolChoice, ToolChoiceView},
};

impl Inspector {
    /// Returns which tools of a server the rules of a client leave to the model. `target` is the
    /// place of the server in a file of the client's.
    ///
    /// # Errors
    /// When the server is not connected, or the client has no rules that take tools from the model.
    pub fn tool_choice(
        &self,
        target: &Target,
        server: &ServerId,
    ) -> Result<ToolChoiceView, InspectorError> {
        let client = target.client;
        let machine = &self.config.machine;
        let file =
            scope_place(target, machine).and_then(|place| denied_tools_file(&place, machine));
        let (Some(file), Some(dialect)) = (file, rules::dialect(client)) else {
            return Err(InspectorError::InvalidInput(format!(
                "{} has no rules here that take tools from the model.",
                client.title()
            )));
        };
        let own_file = file.display().to_string();
        let (tools, names) = self.tools_with_names(server, naming_scheme(client))?;
        let all = rules::rules(&permission_files(client, machine));
        let choices = tools.iter().zip(names).map(|(tool, name)| {
            let call = PermissionCall::Tool {
                server: server.name().to_owned(),
                tool: tool_name(tool).to_owned(),
            };
            let decided = verdict(dialect, &all, &call);
            let is_own = |rule: &&PermissionRule| {
                rule.effect == Effect::Deny && rule.text == name && rule.place.file == own_file
            };
            let others: Vec<PermissionRule> =
                all.iter().filter(|rule| !is_own(rule)).cloned().collect();
            let is_off = decided.effect == Effect::Deny;
            ToolChoice {
                tool: tool_name(tool).to_owned(),
                can_switch: verdict(dialect, &others, &call).effect != Effect::Deny,
                is_on: !is_off,
                rule: decided.rule.filter(|_| is_off),
                name,
            }
        });
        Ok(ToolChoiceView {
            file: own_file.clone(),
            tools: choices.collect(),
        })
    }
}
