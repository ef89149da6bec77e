//! Selection of a server's tools by the files of a client: those that it does not put before its model
//! at all.
//!
//! An entry may name the tools that are used (Codex, Gemini CLI and others), and a rule may take a tool
//! from the model (Claude Code, OpenCode). What is counted, named and converted is what is left.

use sightglass_area_calls::client_rules::{self, RuleKind, rule_kind};
use sightglass_area_core::config_workspace::server_id;
use sightglass_config::{Client, permission_files};
use sightglass_llm_tools::{
    names::{ItemKind, NameWarning, NameWarningKind, NamingScheme, QualifiedName},
    permissions::PermissionRule,
};
use sightglass_model::{ServerId, visible};
use sightglass_surface::ItemDefinition;

use super::naming_scheme;
use crate::llm_tools::LlmTools;

/// Reason for which a client does not send a tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum LeftOutReason {
    /// Its name is longer than the client sends.
    LongName,
    /// The entry names the tools that are used, and this is none of them.
    NotSelected,
    /// The entry names it among those that are not used.
    Deselected,
    /// A rule takes it from the model.
    Rule { text: String, place: String },
}

impl LeftOutReason {
    /// Returns the reason as a clause that goes on after "it is not sent".
    pub(super) fn clause(&self) -> String {
        match self {
            Self::LongName => "its name is too long".to_owned(),
            Self::NotSelected => "the entry names the tools that are used, without it".to_owned(),
            Self::Deselected => "the entry names it among those that are not used".to_owned(),
            Self::Rule { text, place } => {
                format!(
                    "the rule {} takes it from the model ({place})",
                    visible(text)
                )
            }
        }
    }
}

/// Selection of one server's tools.
pub(super) struct Selection {
    /// Only these; all where nothing is said.
    enabled: Option<Vec<String>>,
    disabled: Vec<String>,
    /// The rules that take tools from the model, and how they decide.
    rules: Option<(RuleKind, Vec<PermissionRule>)>,
    server: String,
}

impl Selection {
    /// Returns the reason for which a tool is not sent; `name` is that which the client gives it.
    pub(super) fn reason(&self, tool: &str, name: &str) -> Option<LeftOutReason> {
        if self.disabled.iter().any(|disabled| disabled == tool) {
            return Some(LeftOutReason::Deselected);
        }
        // Gemini CLI lets the names of parameters follow.
        let selects = |enabled: &String| {
            let rest = enabled.strip_prefix(tool);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
        };
        if let Some(enabled) = &self.enabled
            && !enabled.iter().any(selects)
        {
            return Some(LeftOutReason::NotSelected);
        }
        let (kind, all) = self.rules.as_ref()?;
        let rule = client_rules::hiding_rule(*kind, all, &self.server, tool, name)?;
        Some(LeftOutReason::Rule {
            text: rule.text.clone(),
            place: match rule.place.line {
                Some(line) => format!("{}:{line}", visible(&rule.place.file)),
                None => visible(&rule.place.file).into_owned(),
            },
        })
    }
}

impl LlmTools {
    /// Reads the selection of a server's tools by the client of a scheme, from its entry of that name
    /// and its rules.
    pub(super) fn selection(&self, scheme: NamingScheme, server: &ServerId) -> Selection {
        let client = client_of(scheme, server);
        let name = server.name();
        let files = self.core.config.files();
        let entry = files.client(client).and_then(|config| {
            let found = config.server(name)?;
            Some(config.effective(found))
        });
        let texts = |field: &str| -> Option<Vec<String>> {
            let names = entry.as_ref()?.get(field)?.as_array()?.iter();
            Some(
                names
                    .filter_map(|name| name.as_str().map(str::to_owned))
                    .collect(),
            )
        };
        let rules = rule_kind(client)
            .filter(|_| client_rules::hides_denied(client))
            .map(|kind| {
                let files = permission_files(client, &self.core.config.machine);
                (kind, client_rules::rules(client, &files))
            });
        Selection {
            // An `.mcp.json` is nobody's alone, and Chimera knows no such members.
            enabled: texts("enabled_tools").filter(|_| client != Client::McpJson),
            disabled: texts("disabled_tools")
                .filter(|_| client != Client::McpJson)
                .unwrap_or_default(),
            rules,
            server: name.to_owned(),
        }
    }
}

/// The client of a scheme: that of the server where it names items so, or else the first that does.
fn client_of(scheme: NamingScheme, server: &ServerId) -> Client {
    let names_so = |client: &Client| naming_scheme(*client) == Some(scheme);
    let own = Client::ALL
        .into_iter()
        .find(|client| server_id(*client, server.name()) == *server);
    own.filter(names_so)
        .or_else(|| Client::ALL.into_iter().find(names_so))
        .unwrap_or(Client::McpJson)
}

/// A tool that a client does not send.
#[derive(Debug, Clone)]
pub struct LeftOutTool {
    pub tool: ItemDefinition,
    /// Name that the server gives it.
    pub own_name: String,
    pub(super) name: String,
    pub(super) reason: LeftOutReason,
}

impl LeftOutTool {
    /// Returns the name that it would have, with the reason for which it is not sent.
    pub(super) fn into_name(self, server: &ServerId) -> QualifiedName {
        let text = format!("It is not sent: {}.", self.reason.clause());
        QualifiedName {
            kind: ItemKind::Tool,
            server: server.name().to_owned(),
            item: self.own_name,
            name: self.name,
            warnings: vec![NameWarning {
                kind: NameWarningKind::NotSent,
                text,
            }],
        }
    }
}
