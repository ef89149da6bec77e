//! A tool for clients that declare an extension, as servers offer tools with a view to those that
//! declare MCP Apps.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{object_schema, structured_result};
use crate::{
    context::{Context, Reply},
    tasks::TASKS_EXTENSION,
};

const NAME: &str = "declared_extensions";

/// The extensions that the client declares, where any of them is another than tasks: those have
/// tools of their own.
fn declared(context: &Context) -> Option<&Value> {
    let extensions = context.capabilities.get("extensions")?;
    let is_any = extensions
        .as_object()
        .is_some_and(|all| all.keys().any(|id| id != TASKS_EXTENSION));
    is_any.then_some(extensions)
}

/// The entry in `tools/list`, for a client that declares such an extension.
pub fn listed(context: &Context) -> Option<Bytes> {
    declared(context)?;
    let definition = json!({
        "name": NAME,
        "title": "Declared extensions",
        "description": "The extensions that this client declares. Clients that declare none, or tasks alone, do not have this tool.",
        "inputSchema": object_schema(json!({}), &[]),
        "annotations": { "readOnlyHint": true }
    });
    Some(definition.to_string().into())
}

/// Answers a call of the tool; nothing for another one, or a client that does not have it.
pub fn call(context: &Context, name: &str) -> Option<Reply> {
    let extensions = declared(context).filter(|_| name == NAME)?;
    Some(structured_result(json!({ "extensions": extensions })))
}
