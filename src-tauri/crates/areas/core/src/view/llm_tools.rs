//! Views of servers as a client's model sees them.

use serde::{Deserialize, Serialize};
use sightglass_config::Client;
use sightglass_llm_tools::{
    names::{NamingScheme, QualifiedName},
    permissions::PermissionRule,
    providers::{ChangeKind, Provider, SchemaChange},
    tokens::{Cost, ListCost, ListFigures, Precision, ResultLimits, ResultVerdict},
    tool_search::{FoundTool, ToolSearchVerdict},
};
use sightglass_model::ServerId;

/// A client whose names of items are known, with what else is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelClientView {
    pub client: Client,
    pub title: String,
    pub scheme: NamingScheme,
    /// Interface that it sends tools to where its user chose no other.
    pub provider: Provider,
    /// True where its rules about calls are known.
    pub has_rules: bool,
    /// True where a tool that a rule denies is not put before the model.
    pub hides_denied: bool,
    /// True for the client that loads tools on demand.
    pub has_tool_search: bool,
    /// Limits on the result of a call; Sightglass's own where none are known.
    pub limits: ResultLimits,
}

/// Tools of a server, as the rules of a client leave them to the model.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolChoiceView {
    /// Path of the file in which tools are switched.
    pub file: String,
    /// In the order of the server's list.
    pub tools: Vec<ToolChoice>,
}

/// A tool, put before the model or not.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolChoice {
    pub tool: String,
    /// Name that the client gives it.
    pub name: String,
    pub is_on: bool,
    /// Rule that decides whether the model gets it, where one does.
    pub rule: Option<PermissionRule>,
    /// False where another rule than that of the file decides.
    pub can_switch: bool,
}

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

/// Tools of servers as a model interface gets them, without their texts.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SentListView {
    pub provider: Provider,
    pub title: String,
    /// The program whose conversion is shown, with its source.
    pub converter: String,
    /// In the order of the servers.
    pub tools: Vec<SentRowView>,
    /// Changes that concern the list as a whole.
    pub changes: Vec<SchemaChange>,
}

/// One tool of a list as it is sent.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SentRowView {
    /// Place of its server in the question.
    pub server: u32,
    pub name: String,
    pub sent_name: String,
    /// Number of changes.
    pub changes: u32,
    /// The gravest of them.
    pub worst: Option<ChangeKind>,
}

/// One tool before and after the conversion, with each change.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SentToolDetail {
    pub tool: SentToolView,
    /// Lines of the two texts that stand beside each other; empty where the texts are too long to
    /// be compared.
    pub lines: Vec<LinePair>,
    pub changes: Vec<SchemaChange>,
    /// True when there are more changes than are listed.
    pub has_more_changes: bool,
}

/// A line of one text and the line of another that stands beside it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LinePair {
    /// From 1; `None` where the other text alone has a line.
    pub original: Option<u32>,
    pub sent: Option<u32>,
    /// True where both say the same, but for indentation and a comma at the end.
    pub is_equal: bool,
}

/// Faults that tools of servers have on their way to model interfaces.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortabilityView {
    /// The gravest first.
    pub groups: Vec<PortabilityGroup>,
    /// Number of groups that are not listed.
    pub left_out: u32,
}

/// One fault, with the tools that have it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortabilityGroup {
    pub rule: String,
    pub provider: Provider,
    pub title: String,
    pub reason: String,
    pub why: String,
    pub source: String,
    /// Places that have it, of which a limited number is listed.
    pub places: Vec<PortabilityPlace>,
    pub count: u32,
}

/// A place in a tool.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortabilityPlace {
    /// Place of its server in the question.
    pub server: u32,
    /// `None` for the list of tools as a whole.
    pub tool: Option<String>,
    /// JSON Pointer in the tool.
    pub path: String,
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
    /// True to count also the tools that the client does not send, as if it sent them.
    pub with_unsent: bool,
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

/// Cost of tool lists, for the window. It has the tools in columns: as an object each, ten thousand of
/// them are megabytes, and reading them holds the window up.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenTableView {
    pub precision: Precision,
    pub total: ListFigures,
    pub window: u32,
    /// Shares of the window, in tenths of a percent.
    pub whole_permille: u32,
    pub sent_permille: u32,
    pub names_permille: u32,
    /// Answer to whether Claude Code would load the tools on demand.
    pub tool_search: ToolSearchVerdict,
    /// Servers of the question.
    pub servers: Vec<ServerId>,
    pub tools: TokenColumns,
}

/// Tools with what they cost, the heaviest as sent first. All columns are of one length.
#[derive(Debug, Clone, Default, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenColumns {
    /// Place in the list, from 0.
    pub index: Vec<u32>,
    /// Place of the server among those of the question, from 0.
    pub server: Vec<u32>,
    pub name: Vec<String>,
    /// As a client sends the tool.
    pub tokens: Vec<u32>,
    pub bytes: Vec<u32>,
    /// Part that is the name, with the marks around it.
    pub name_tokens: Vec<u32>,
    pub description_tokens: Vec<u32>,
    pub schema_tokens: Vec<u32>,
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
