//! Views of servers as a client's model sees them.

use serde::{Deserialize, Serialize};
use sightglass_llm_tools::{
    names::{NamingScheme, QualifiedName},
    permissions::PermissionRule,
    providers::{Provider, SchemaChange},
    tokens::{Cost, ListCost, Precision, ResultLimits, ResultVerdict},
    tool_search::{FoundTool, ToolSearchVerdict},
};
use sightglass_model::ServerId;

/// Names that one client gives to what servers offer.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelNamesView {
    pub scheme: NamingScheme,
    /// Client, as scripts write it.
    pub id: String,
    /// Source of the rules.
    pub source: String,
    pub names: Vec<QualifiedName>,
    /// Servers that are not connected, so that their items are not known.
    pub not_connected: Vec<ServerId>,
}

/// A tool list as a model interface gets it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SentToolsView {
    pub provider: Provider,
    pub title: String,
    /// The program whose conversion is shown, with its source.
    pub converter: String,
    pub tools: Vec<SentToolView>,
    pub changes: Vec<SchemaChange>,
    /// True when there are more changes than are listed.
    pub has_more_changes: bool,
}

/// One tool before and after the conversion, as indented JSON.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SentToolView {
    pub name: String,
    pub original: String,
    pub sent: String,
}

/// Question about the cost of tool lists.
#[derive(Debug, Clone, PartialEq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenQuestion {
    /// Servers whose tools stand in one list.
    pub servers: Vec<ServerId>,
    /// Client by whose names the tools are sent; `None` for those of the servers.
    pub scheme: Option<NamingScheme>,
    /// Model, by which a figure is exact or an estimate; empty for one with o200k.
    pub model: String,
    /// Size of the context window in tokens.
    pub window: u32,
    /// Value of `ENABLE_TOOL_SEARCH`; `None` for that of the environment.
    pub tool_search: Option<String>,
}

/// Cost of tool lists.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenCostView {
    pub precision: Precision,
    pub cost: ListCost,
    /// Server of each tool of the list, by the place of the tool.
    pub servers: Vec<ServerId>,
    pub window: u32,
    /// Shares of the window, in tenths of a percent.
    pub whole_permille: u32,
    pub sent_permille: u32,
    pub names_permille: u32,
    /// Answer to whether Claude Code would load the tools on demand.
    pub tool_search: ToolSearchVerdict,
}

/// Size of a result against the limits of a client.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultCostView {
    pub cost: Cost,
    pub limits: ResultLimits,
    pub verdict: ResultVerdict,
}

/// Tools that a query of tool search finds.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolSearchView {
    pub found: Vec<FoundTool>,
    /// Number of tools that were searched.
    pub searched: u32,
}

/// Rules of a client about calls.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PermissionRulesView {
    /// True for a client whose rules are known.
    pub is_known: bool,
    pub rules: Vec<PermissionRule>,
    /// Files that were read.
    pub files: Vec<String>,
}
