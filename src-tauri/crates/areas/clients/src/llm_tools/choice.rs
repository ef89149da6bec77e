//! Choice of tools by rules, for clients that take a denied tool from the model.

use std::sync::Arc;

use sightglass_area_calls::client_rules::{self, RuleKind, rule_kind};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{ToolChoice, ToolChoiceView},
};
use sightglass_config::{Target, denied_tools_file, permission_files, scope_place};
use sightglass_llm_tools::permissions::{
    Effect, PermissionRule, RuleDialect, last_about, opencode_hiding_rule,
};
use sightglass_model::ServerId;

use super::{ClientTools, naming_scheme};
use crate::llm_tools::LlmTools;

/// Choice of tools by rules, for clients that take a denied tool from the model.
pub struct ToolChoices {
    pub(crate) core: Arc<Core>,
    pub(crate) llm_tools: Arc<LlmTools>,
}

#[commands]
impl ToolChoices {
    /// Returns which tools of a server the rules of a client leave to the model. `target` is the
    /// place of the server in a file of the client's.
    #[command(name = "get_tool_choice")]
    pub fn tool_choice(
        &self,
        target: &Target,
        server: &ServerId,
    ) -> Result<ToolChoiceView, InspectorError> {
        let client = target.client;
        let machine = &self.core.config.machine;
        let file =
            scope_place(target, machine).and_then(|place| denied_tools_file(&place, machine));
        let (Some(file), Some(kind)) = (file, rule_kind(client)) else {
            return Err(InspectorError::InvalidInput(format!(
                "{} has no rules here that take tools from the model.",
                client.title()
            )));
        };
        let ClientTools {
            own_names, names, ..
        } = self.llm_tools.named_tools(server, naming_scheme(client))?;
        let files = permission_files(client, machine);
        let all = client_rules::rules(client, &files);
        let paths: Vec<String> = files
            .iter()
            .map(|file| file.path.display().to_string())
            .collect();
        let own = file.display().to_string();
        let rules = ChoiceRules {
            all: &all,
            // A file that is made by the first choice is below all that are there.
            above: paths.split(|path| *path == own).next().unwrap_or_default(),
            own: &own,
        };
        let choices = own_names.into_iter().zip(names).map(|(tool, name)| {
            let (decided, by_others) = match kind {
                RuleKind::ByEffect(dialect) => {
                    rules.by_effect(dialect, server.name(), &tool, &name)
                }
                _ => rules.by_last_match(&name),
            };
            ToolChoice {
                tool,
                name,
                is_on: decided.is_none(),
                can_switch: by_others.is_none(),
                rule: by_others.or(decided).cloned(),
            }
        });
        Ok(ToolChoiceView {
            tools: choices.collect(),
            file: own.clone(),
        })
    }
}

/// Rules of a client, seen from the file in which a choice is written.
struct ChoiceRules<'a> {
    all: &'a [PermissionRule],
    own: &'a str,
    /// Files of which a rule counts more than one of `own`.
    above: &'a [String],
}

/// The rule that takes a tool from the model, and that of which a choice in the own file could change
/// nothing.
type Decided<'a> = (Option<&'a PermissionRule>, Option<&'a PermissionRule>);

impl<'a> ChoiceRules<'a> {
    fn is_own(&self, rule: &PermissionRule, name: &str) -> bool {
        rule.effect == Effect::Deny && rule.text == name && rule.place.file == self.own
    }

    fn by_effect(&self, dialect: RuleDialect, server: &str, tool: &str, name: &str) -> Decided<'a> {
        let mut denying = client_rules::denying(dialect, self.all, server, tool);
        let first = denying.next();
        let others = first
            .into_iter()
            .chain(denying)
            .find(|rule| !self.is_own(rule, name));
        (first, others)
    }

    fn by_last_match(&self, name: &str) -> Decided<'a> {
        let hiding = opencode_hiding_rule(self.all.iter(), name);
        let others = self.all.iter().filter(|rule| !self.is_own(rule, name));
        let last = last_about(others.clone(), name);
        let by_others = match hiding {
            Some(_) => opencode_hiding_rule(others, name),
            // A rule of a file that counts more would come after the own one.
            None => last.filter(|rule| self.above.contains(&rule.place.file)),
        };
        (hiding, by_others)
    }
}
