//! Commands for requests to a server, and for answers to its own.

use sightglass_inspector::{
    ServerAnswer, ServerId,
    view::{CallReport, CompletionQuery, ConfirmationAnswer, SchemaCheck, TaskRequest},
};

use crate::error::{CommandResult, contained};
use crate::projects::Current;

/// Calls a tool. `key` is the window's name for the call: progress events carry it and
/// [`cancel_call`] takes it. `input` is the arguments, a JSON object; it is sent as it is written.
/// With `task` the server is asked to make a task of the call (MCP 2025-11-25).
#[tauri::command]
#[specta::specta]
pub async fn call_tool(
    inspector: Current,
    server: ServerId,
    key: String,
    tool: String,
    input: String,
    task: Option<TaskRequest>,
) -> CommandResult<CallReport> {
    contained(async move {
        Ok(match task {
            Some(task) => {
                let called = inspector
                    .calls
                    .mcp
                    .call_tool_as_task(&server, &key, &tool, &input, task);
                called.await?
            }
            None => {
                inspector
                    .calls
                    .mcp
                    .call_tool(&server, &key, &tool, &input)
                    .await?
            }
        })
    })
    .await
}

/// A call of a tool as another identity, over a connection of its own.
#[tauri::command]
#[specta::specta]
pub async fn call_tool_as(
    inspector: Current,
    server: ServerId,
    identity: String,
    key: String,
    tool: String,
    input: String,
) -> CommandResult<CallReport> {
    contained(async move {
        Ok(inspector
            .calls
            .mcp
            .call_tool_as(&server, &identity, &key, &tool, &input)
            .await?)
    })
    .await
}

/// Returns the command that makes the same call of a tool in a terminal. `input` is the arguments,
/// a JSON object.
#[tauri::command]
#[specta::specta]
pub async fn tool_call_command(
    inspector: Current,
    server: ServerId,
    tool: String,
    input: String,
) -> CommandResult<String> {
    contained(async move {
        Ok(inspector
            .calls
            .mcp
            .tool_call_command(&server, &tool, &input))
    })
    .await
}

/// Checks a value that is being written against the JSON Schema that it has to follow, both JSON.
#[tauri::command]
#[specta::specta]
pub async fn check_value(schema: String, value: String) -> CommandResult<SchemaCheck> {
    contained(async move { Ok(sightglass_inspector::check_value(schema, value).await) }).await
}

/// Reads a resource.
#[tauri::command]
#[specta::specta]
pub async fn read_resource(
    inspector: Current,
    server: ServerId,
    key: String,
    uri: String,
) -> CommandResult<CallReport> {
    contained(async move {
        Ok(inspector
            .calls
            .resources
            .read_resource(&server, &key, &uri)
            .await?)
    })
    .await
}

/// Shows a resource as it was read before, where the server says that this still holds, and else
/// reads it.
#[tauri::command]
#[specta::specta]
pub async fn open_resource(
    inspector: Current,
    server: ServerId,
    key: String,
    uri: String,
) -> CommandResult<CallReport> {
    contained(async move {
        Ok(inspector
            .calls
            .resources
            .open_resource(&server, &key, &uri)
            .await?)
    })
    .await
}

/// Gets a prompt's messages.
#[tauri::command]
#[specta::specta]
pub async fn get_prompt(
    inspector: Current,
    server: ServerId,
    key: String,
    prompt: String,
    input: Vec<(String, String)>,
) -> CommandResult<CallReport> {
    contained(async move {
        Ok(inspector
            .calls
            .mcp
            .get_prompt(&server, &key, &prompt, &input)
            .await?)
    })
    .await
}

/// Values that the server suggests for an argument.
#[tauri::command]
#[specta::specta]
pub async fn complete(
    inspector: Current,
    server: ServerId,
    query: CompletionQuery,
) -> CommandResult<Vec<String>> {
    contained(async move { Ok(inspector.calls.mcp.complete(&server, &query).await?) }).await
}

/// Asks to be told when a resource changes.
#[tauri::command]
#[specta::specta]
pub async fn subscribe_resource(
    inspector: Current,
    server: ServerId,
    uri: String,
) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .calls
            .mcp
            .subscribe_resource(&server, &uri)
            .await?)
    })
    .await
}

/// Ends a subscription.
#[tauri::command]
#[specta::specta]
pub async fn unsubscribe_resource(
    inspector: Current,
    server: ServerId,
    uri: String,
) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .calls
            .mcp
            .unsubscribe_resource(&server, &uri)
            .await?)
    })
    .await
}

/// Sets the least severe level of log messages that the server is to send.
#[tauri::command]
#[specta::specta]
pub async fn set_log_level(
    inspector: Current,
    server: ServerId,
    level: String,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.calls.mcp.set_log_level(&server, &level).await?) }).await
}

/// Cancels a request that is under way. Says whether there was one.
#[tauri::command]
#[specta::specta]
pub async fn cancel_call(inspector: Current, server: ServerId, key: String) -> CommandResult<bool> {
    contained(async move { Ok(inspector.calls.mcp.cancel_call(&server, &key)) }).await
}

/// Answers the confirmation of a call that waits for the user.
#[tauri::command]
#[specta::specta]
pub async fn answer_confirmation(
    inspector: Current,
    id: u32,
    answer: ConfirmationAnswer,
) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .calls
            .confirmations
            .answer_confirmation(id, answer)?)
    })
    .await
}

/// Answers a request of the server's.
#[tauri::command]
#[specta::specta]
pub async fn answer_request(
    inspector: Current,
    id: u32,
    answer: ServerAnswer,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.calls.mcp.answer_request(id, answer)?) }).await
}
