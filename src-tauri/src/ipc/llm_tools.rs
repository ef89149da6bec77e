//! Commands for what a client's model sees of servers.
//!
//! Counting and converting many tools takes a while, so they run on threads that may block.

use sightglass_inspector::{
    Client, NameCandidate, NamingScheme, PermissionVerdict, Provider, ServerId, Target,
    view::{
        ModelClientView, ModelNamesView, PermissionRulesView, PortabilityView, ResultCostView,
        SentListView, SentToolDetail, TokenCostView, TokenQuestion, ToolChoiceView, ToolSearchView,
    },
};

use crate::error::{CommandResult, blocking};
use crate::projects::Current;

/// Returns the clients whose view of servers is known.
#[tauri::command]
#[specta::specta]
pub async fn model_clients(inspector: Current) -> CommandResult<Vec<ModelClientView>> {
    blocking(&inspector, |inspector| {
        Ok(inspector.clients.llm_tools.model_clients())
    })
    .await
}

/// Returns the names that a client gives to what servers offer.
#[tauri::command]
#[specta::specta]
pub async fn model_names(
    inspector: Current,
    scheme: NamingScheme,
    servers: Vec<ServerId>,
) -> CommandResult<ModelNamesView> {
    blocking(&inspector, move |inspector| {
        inspector.clients.llm_tools.model_names(scheme, &servers)
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
        inspector
            .clients
            .llm_tools
            .resolve_model_name(&schemes, &servers, &name)
    })
    .await
}

/// Lists the tools of servers as a model interface gets them.
#[tauri::command]
#[specta::specta]
pub async fn sent_tool_list(
    inspector: Current,
    servers: Vec<ServerId>,
    provider: Provider,
    scheme: Option<NamingScheme>,
) -> CommandResult<SentListView> {
    blocking(&inspector, move |inspector| {
        inspector
            .clients
            .sent_tools
            .sent_tool_list(&servers, provider, scheme)
    })
    .await
}

/// Converts one tool of a server for a model interface.
#[tauri::command]
#[specta::specta]
pub async fn sent_tool(
    inspector: Current,
    server: ServerId,
    tool: String,
    provider: Provider,
    scheme: Option<NamingScheme>,
) -> CommandResult<SentToolDetail> {
    blocking(&inspector, move |inspector| {
        inspector
            .clients
            .sent_tools
            .sent_tool(&server, &tool, provider, scheme)
    })
    .await
}

/// Examines the tools of servers for model interfaces, fault by fault.
#[tauri::command]
#[specta::specta]
pub async fn grouped_portability(
    inspector: Current,
    servers: Vec<ServerId>,
    providers: Vec<Provider>,
    scheme: Option<NamingScheme>,
) -> CommandResult<PortabilityView> {
    blocking(&inspector, move |inspector| {
        inspector
            .clients
            .sent_tools
            .grouped_portability(&servers, &providers, scheme)
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
    blocking(&inspector, move |inspector| {
        inspector.clients.llm_tools.token_cost(&question)
    })
    .await
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
        inspector.clients.llm_tools.result_cost(client, &text)
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
        inspector
            .clients
            .llm_tools
            .search_model_tools(&servers, &query)
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
        Ok(inspector.calls.client_rules.permission_rules(client))
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
        inspector
            .calls
            .client_rules
            .permission_verdict(client, &server, tool.as_deref())
    })
    .await
}

/// Returns which tools of a server the rules of a client leave to the model.
#[tauri::command]
#[specta::specta]
pub async fn tool_choice(
    inspector: Current,
    target: Target,
    server: ServerId,
) -> CommandResult<ToolChoiceView> {
    blocking(&inspector, move |inspector| {
        inspector.clients.tool_choices.tool_choice(&target, &server)
    })
    .await
}
