//! Commands for what a client's model sees of servers.
//!
//! Counting and converting many tools takes a while, so they run on threads that may block.

use sightglass_inspector::{
    Client, Finding, NameCandidate, NamingScheme, PermissionVerdict, Provider, ServerId, Silence,
    view::{
        ModelNamesView, PermissionRulesView, ResultCostView, SentToolsView, TokenCostView,
        TokenQuestion, ToolSearchView,
    },
};

use crate::error::{CommandResult, blocking};
use crate::projects::Current;

/// Returns the names that a client gives to what servers offer.
#[tauri::command]
#[specta::specta]
pub async fn model_names(
    inspector: Current,
    scheme: NamingScheme,
    servers: Vec<ServerId>,
) -> CommandResult<ModelNamesView> {
    blocking(&inspector, move |inspector| {
        inspector.model_names(scheme, &servers)
    })
    .await
}

/// Returns the items that a name out of a log may mean.
#[tauri::command]
#[specta::specta]
pub async fn resolve_model_name(
    inspector: Current,
    schemes: Vec<NamingScheme>,
    servers: Vec<ServerId>,
    name: String,
) -> CommandResult<Vec<NameCandidate>> {
    blocking(&inspector, move |inspector| {
        inspector.resolve_model_name(&schemes, &servers, &name)
    })
    .await
}

/// Converts the tools of a server for a model interface.
#[tauri::command]
#[specta::specta]
pub async fn sent_tools(
    inspector: Current,
    server: ServerId,
    provider: Provider,
    scheme: Option<NamingScheme>,
) -> CommandResult<SentToolsView> {
    blocking(&inspector, move |inspector| {
        inspector.sent_tools(&server, provider, scheme)
    })
    .await
}

/// Examines the tools of a server for model interfaces.
#[tauri::command]
#[specta::specta]
pub async fn portability(
    inspector: Current,
    server: ServerId,
    providers: Vec<Provider>,
    silenced: Vec<Silence>,
) -> CommandResult<Vec<Finding>> {
    blocking(&inspector, move |inspector| {
        inspector.portability(&server, &providers, &silenced)
    })
    .await
}

/// Computes the tokens of the tools of servers.
#[tauri::command]
#[specta::specta]
pub async fn token_cost(
    inspector: Current,
    question: TokenQuestion,
) -> CommandResult<TokenCostView> {
    blocking(&inspector, move |inspector| inspector.token_cost(&question)).await
}

/// Judges the text of a result by the limits of a client.
#[tauri::command]
#[specta::specta]
pub async fn result_cost(
    inspector: Current,
    client: Option<Client>,
    text: String,
) -> CommandResult<ResultCostView> {
    blocking(&inspector, move |inspector| {
        inspector.result_cost(client, &text)
    })
    .await
}

/// Runs a query of tool search over the tools of servers.
#[tauri::command]
#[specta::specta]
pub async fn search_model_tools(
    inspector: Current,
    servers: Vec<ServerId>,
    query: String,
) -> CommandResult<ToolSearchView> {
    blocking(&inspector, move |inspector| {
        inspector.search_model_tools(&servers, &query)
    })
    .await
}

/// Returns the rules of a client about calls.
#[tauri::command]
#[specta::specta]
pub async fn permission_rules(
    inspector: Current,
    client: Client,
) -> CommandResult<PermissionRulesView> {
    blocking(&inspector, move |inspector| {
        Ok(inspector.permission_rules(client))
    })
    .await
}

/// Decides on a call by the rules of a client.
#[tauri::command]
#[specta::specta]
pub async fn permission_verdict(
    inspector: Current,
    client: Client,
    server: ServerId,
    tool: Option<String>,
) -> CommandResult<PermissionVerdict> {
    blocking(&inspector, move |inspector| {
        inspector.permission_verdict(client, &server, tool.as_deref())
    })
    .await
}
