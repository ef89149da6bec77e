//! Commands for models that can be asked.

use sightglass_inspector::{
    Secret,
    view::{ModelAnswer, ModelEndpointView, ModelQuestion},
};

use crate::error::{CommandResult, blocking, contained};
use crate::projects::Current;

/// The models of the settings.
#[tauri::command]
#[specta::specta]
pub async fn model_endpoints(inspector: Current) -> CommandResult<Vec<ModelEndpointView>> {
    blocking(&inspector, |inspector| {
        Ok(inspector.clients.model_endpoints.model_endpoints())
    })
    .await
}

/// Keeps the key of an address in the vault, or without one forgets it.
#[tauri::command]
#[specta::specta]
pub async fn set_model_key(
    inspector: Current,
    url: String,
    key: Option<String>,
) -> CommandResult<()> {
    let key = key.map(Secret::new);
    contained(async move {
        Ok(inspector
            .clients
            .model_endpoints
            .set_model_key(&url, key)
            .await?)
    })
    .await
}

/// Asks a model which tool it would call for a prompt. No tool is called.
#[tauri::command]
#[specta::specta]
pub async fn ask_model(inspector: Current, question: ModelQuestion) -> CommandResult<ModelAnswer> {
    contained(async move {
        Ok(inspector
            .clients
            .model_endpoints
            .ask_model(&question)
            .await?)
    })
    .await
}

/// Asks a model why it did not call the tool that was expected.
#[tauri::command]
#[specta::specta]
pub async fn explain_choice(
    inspector: Current,
    question: ModelQuestion,
    called: Option<String>,
    expected: String,
) -> CommandResult<String> {
    contained(async move {
        let called = called.as_deref();
        Ok(inspector
            .clients
            .model_endpoints
            .explain_choice(&question, called, &expected)
            .await?)
    })
    .await
}

/// Counts the tokens of the tools of servers by the provider's own count.
#[tauri::command]
#[specta::specta]
pub async fn count_model_tokens(inspector: Current, question: ModelQuestion) -> CommandResult<u32> {
    contained(async move {
        let counted = inspector
            .clients
            .model_endpoints
            .count_model_tokens(&question)
            .await?;
        Ok(u32::try_from(counted).unwrap_or(u32::MAX))
    })
    .await
}
