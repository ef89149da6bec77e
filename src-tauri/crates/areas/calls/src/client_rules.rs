//! Rules of clients about calls, read from their files, and what they decide.

mod codex;
mod opencode;

use std::sync::Arc;

use serde_json::Value;
use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, view::PermissionRulesView,
};
use sightglass_config::{Client, Machine, PermissionFile, PlacedValue, permission_files};
use sightglass_files::leads_into;
use sightglass_llm_tools::permissions::{
    Effect, PermissionCall, PermissionRule, PermissionVerdict, RuleDialect, RuleLevel, RulePlace,
    ToolAnnotations, codex_verdict, opencode_hiding_rule, opencode_verdict, verdict,
};
use sightglass_model::ServerId;

use crate::current_surface::CurrentSurface;
use codex::codex_settings;

/// Number of rules that are read.
const MAX_RULES: usize = 10_000;

const EFFECTS: [(&str, Effect); 3] = [
    ("deny", Effect::Deny),
    ("ask", Effect::Ask),
    ("allow", Effect::Allow),
];

/// Manner in which a client decides on calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// By rules that deny, then those that ask, then those that allow.
    ByEffect(RuleDialect),
    /// By the last rule that matches.
    LastMatch,
    /// By settings of each server.
    Settings,
}

/// Rules of clients about calls, read from their files, and what they decide.
pub struct ClientRules {
    pub(crate) core: Arc<Core>,
    pub(crate) current_surface: Arc<CurrentSurface>,
}

#[commands]
impl ClientRules {
    /// Returns the rules of a client about calls, with their files and lines.
    #[command(name = "get_permission_rules")]
    pub fn permission_rules(&self, client: Client) -> PermissionRulesView {
        let files = permission_files(client, &self.core.config.machine);
        PermissionRulesView {
            is_known: rule_kind(client).is_some(),
            rules: rules(client, &files),
            files: files
                .iter()
                .map(|file| file.path.display().to_string())
                .collect(),
        }
    }

    /// Decides, by the rules of a client, on a call of a tool, or on a question of the server where
    /// no tool is named.
    #[command(name = "get_permission_verdict")]
    pub fn permission_verdict(
        &self,
        client: Client,
        server: &ServerId,
        tool: Option<&str>,
    ) -> Result<PermissionVerdict, InspectorError> {
        let machine = &self.core.config.machine;
        let Some(tool) = tool else {
            return question_verdict(client, server, machine).ok_or_else(|| {
                rule_kind(client).map_or_else(|| no_rules(client), |_| no_question_rules(client))
            });
        };
        self.verdict_by(&permission_files(client, machine), client, server, tool)
    }

    /// As [`permission_verdict`](Self::permission_verdict) on a call that is sent from here. Where a
    /// file of the project can undo what the user's own files deny or ask about, the strictest of all
    /// counts: the project may be anybody's.
    pub fn held_verdict_on(
        &self,
        client: Client,
        server: &ServerId,
        tool: &str,
    ) -> Result<PermissionVerdict, InspectorError> {
        let places = &self.core.config.machine.places;
        let lies_outside = |file: &PermissionFile| {
            !leads_into(&places.project, &file.path) || places.is_own_in_project(&file.path)
        };
        let mut files = permission_files(client, &self.core.config.machine);
        let mut held = self.verdict_by(&files, client, server, tool)?;
        // The user's, also where they lie in the project; and without those that may have come with it.
        let are_own: [&dyn Fn(&PermissionFile) -> bool; 2] =
            [&|file: &PermissionFile| !file.is_of_project, &lies_outside];
        for is_own in are_own {
            files.retain(is_own);
            let own = self.verdict_by(&files, client, server, tool)?;
            if own.rule.is_some() && own.effect < held.effect {
                held = own;
            }
        }
        Ok(held)
    }

    fn verdict_by(
        &self,
        files: &[PermissionFile],
        client: Client,
        server: &ServerId,
        tool: &str,
    ) -> Result<PermissionVerdict, InspectorError> {
        let name = server.name();
        match rule_kind(client) {
            Some(RuleKind::ByEffect(dialect)) => {
                let call = PermissionCall::Tool {
                    server: name.to_owned(),
                    tool: tool.to_owned(),
                };
                Ok(verdict(dialect, &rules(client, files), &call))
            }
            Some(RuleKind::LastMatch) => Ok(opencode_verdict(&rules(client, files), name, tool)),
            Some(RuleKind::Settings) => {
                let settings = codex_settings(files, name);
                let annotations = self.annotations(server, tool);
                Ok(codex_verdict(&settings, name, tool, annotations))
            }
            None => Err(no_rules(client)),
        }
    }

    /// Annotations of a tool as the server declares them now; none where it is not connected.
    fn annotations(&self, server: &ServerId, tool: &str) -> ToolAnnotations {
        let tools = self
            .current_surface
            .surface_as_read(server)
            .ok()
            .and_then(|surface| surface.tools);
        let found = tools
            .into_iter()
            .flatten()
            .find(|listed| listed.string("name").as_deref() == Some(tool))
            .map(|listed| listed.value());
        let hint = |key: &str| found.as_ref()?.get("annotations")?.get(key)?.as_bool();
        ToolAnnotations {
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            open_world: hint("openWorldHint"),
        }
    }
}

/// Decides on a question of a server by the rules of a client; `None` where it has no rules about
/// questions.
pub fn question_verdict(
    client: Client,
    server: &ServerId,
    machine: &Machine,
) -> Option<PermissionVerdict> {
    let Some(RuleKind::ByEffect(dialect)) = rule_kind(client) else {
        return None;
    };
    let call = PermissionCall::Elicitation {
        server: server.name().to_owned(),
    };
    let rules = rules(client, &permission_files(client, machine));
    Some(verdict(dialect, &rules, &call))
}

fn no_rules(client: Client) -> InspectorError {
    let title = client.title();
    InspectorError::InvalidInput(format!("No rules about calls are known for {title}."))
}

fn no_question_rules(client: Client) -> InspectorError {
    let title = client.title();
    InspectorError::InvalidInput(format!(
        "No rule about questions of servers is known for {title}."
    ))
}

/// Manner in which a client decides; `None` where it is not known.
pub fn rule_kind(client: Client) -> Option<RuleKind> {
    match client {
        Client::ClaudeCode => Some(RuleKind::ByEffect(RuleDialect::ClaudeCode)),
        Client::McpJson => Some(RuleKind::ByEffect(RuleDialect::Chimera)),
        Client::Caliban => Some(RuleKind::ByEffect(RuleDialect::Caliban)),
        Client::Opencode => Some(RuleKind::LastMatch),
        Client::Codex => Some(RuleKind::Settings),
        _ => None,
    }
}

/// Returns true for a client of which the rules take tools from the model.
pub fn hides_denied(client: Client) -> bool {
    matches!(client, Client::ClaudeCode | Client::Opencode)
}

/// Returns the rule that takes a tool from the model, of which `name` is what the client calls it.
pub fn hiding_rule<'a>(
    kind: RuleKind,
    rules: &'a [PermissionRule],
    server: &str,
    tool: &str,
    name: &str,
) -> Option<&'a PermissionRule> {
    match kind {
        RuleKind::ByEffect(dialect) => denying(dialect, rules, server, tool).next(),
        RuleKind::LastMatch => opencode_hiding_rule(rules.iter(), name),
        RuleKind::Settings => None,
    }
}

/// Returns the rules that deny a tool by themselves.
pub fn denying<'a>(
    dialect: RuleDialect,
    rules: &'a [PermissionRule],
    server: &str,
    tool: &str,
) -> impl Iterator<Item = &'a PermissionRule> {
    let call = PermissionCall::Tool {
        server: server.to_owned(),
        tool: tool.to_owned(),
    };
    rules
        .iter()
        .filter(|rule| rule.effect == Effect::Deny)
        .filter(move |rule| {
            verdict(dialect, std::slice::from_ref(*rule), &call)
                .rule
                .is_some()
        })
}

/// Reads the rules of a client's files. `files` begin with the highest; where the last rule that
/// matches decides, the rules are in that order.
pub fn rules(client: Client, files: &[PermissionFile]) -> Vec<PermissionRule> {
    match rule_kind(client) {
        Some(RuleKind::ByEffect(_)) => rules_by_effect(files),
        Some(RuleKind::LastMatch) => opencode::rules(files),
        Some(RuleKind::Settings) => codex::rules(files),
        None => Vec::new(),
    }
}

/// Reads the lists `deny`, `ask` and `allow`.
fn rules_by_effect(files: &[PermissionFile]) -> Vec<PermissionRule> {
    let mut rules = Vec::new();
    for file in files {
        for (key, effect) in EFFECTS {
            let texts = file.elements(&["permissions", key]);
            rules.extend(global(file, texts, effect));
        }
        // The ordered form of caliban.
        for rule in file.elements(&["permissions", "rules"]) {
            let text = |key: &str| rule.value.get(key).and_then(Value::as_str);
            let action = text("action").unwrap_or_default();
            let effect = EFFECTS.iter().find(|(key, _)| *key == action);
            if let (Some(pattern), Some((_, effect))) = (text("pattern"), effect) {
                let placed = PlacedValue {
                    value: pattern.into(),
                    line: rule.line,
                };
                rules.extend(global(file, vec![placed], *effect));
            }
        }
        for server in file.keys(&["server"]) {
            for (key, effect) in EFFECTS {
                let path = ["server", &server, "permissions", key];
                for rule in global(file, file.elements(&path), effect) {
                    rules.push(PermissionRule {
                        level: RuleLevel::Server,
                        server: Some(server.clone()),
                        ..rule
                    });
                }
            }
        }
    }
    rules.truncate(MAX_RULES);
    rules
}

fn global(file: &PermissionFile, texts: Vec<PlacedValue>, effect: Effect) -> Vec<PermissionRule> {
    texts
        .into_iter()
        .filter_map(|text| {
            Some(PermissionRule {
                text: text.value.as_str()?.to_owned(),
                arguments: None,
                effect,
                level: RuleLevel::Global,
                server: None,
                place: place(file, text.line),
            })
        })
        .collect()
}

fn place(file: &PermissionFile, line: u32) -> RulePlace {
    RulePlace {
        file: file.path.display().to_string(),
        line: Some(line),
    }
}
