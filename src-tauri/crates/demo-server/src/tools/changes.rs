//! Tools that change what the server offers, so that lists and resources can be
//! seen to update.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Call, Tool, error_result, object_schema, text_result};
use crate::{context::Outcome, listeners::Change, resources, server::Server};

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new("change_tools", change_tools_definition, change_tools),
        Tool::new(
            "change_resources",
            change_resources_definition,
            change_resources,
        ),
        Tool::new("touch_resource", touch_definition, touch),
    ]
}

fn definition(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "title": name.replace('_', " "),
        "description": description,
        "inputSchema": object_schema(
            json!({ "action": { "type": "string", "enum": ["add", "remove"], "default": "add" } }),
            &[],
        )
    })
}

#[derive(Deserialize)]
struct ChangeList {
    action: Option<ChangeAction>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum ChangeAction {
    Add,
    Remove,
}

fn change_tools_definition() -> Value {
    definition(
        "change_tools",
        "Adds a tool at the end of the list, or removes the one added last, and sends notifications/tools/list_changed.",
    )
}

fn change_tools(call: Call) -> Outcome {
    call.with(|context, ChangeList { action }| {
        Outcome::later(async move {
            let what = match action.unwrap_or(ChangeAction::Add) {
                ChangeAction::Add => {
                    let number = context.server.add_tool(|number| {
                        json!({
                            "name": added_name(number),
                            "title": format!("Added tool {number}"),
                            "description": "Was added by change_tools.",
                            "inputSchema": { "type": "object", "properties": {} }
                        })
                    });
                    format!("Added {}.", added_name(number))
                }
                ChangeAction::Remove => match context.server.remove_tool() {
                    Some(number) => format!("Removed {}.", added_name(number)),
                    None => return error_result("There is no added tool to remove."),
                },
            };
            context.server.listeners().tell(&Change::Tools).await;
            text_result(what)
        })
    })
}

fn added_name(number: usize) -> String {
    format!("added_{number}")
}

/// Returns true when `name` is a tool that `change_tools` has added.
pub fn is_added_tool(server: &Server, name: &str) -> bool {
    (1..=server.added_tools()).any(|number| added_name(number) == name)
}

fn change_resources_definition() -> Value {
    definition(
        "change_resources",
        "Adds a resource at the end of the list, or removes the one added last, and sends notifications/resources/list_changed.",
    )
}

fn change_resources(call: Call) -> Outcome {
    call.with(|context, ChangeList { action }| {
        Outcome::later(async move {
            let what = match action.unwrap_or(ChangeAction::Add) {
                ChangeAction::Add => {
                    let uri = context.server.add_resource(|number| {
                        let uri = format!("demo://added/{number}");
                        let item = json!({
                            "uri": uri,
                            "name": format!("added-{number}"),
                            "description": "Was added by change_resources.",
                            "mimeType": "text/plain"
                        });
                        (uri, item)
                    });
                    format!("Added {uri}.")
                }
                ChangeAction::Remove => match context.server.remove_resource() {
                    Some(uri) => format!("Removed {uri}."),
                    None => return error_result("There is no added resource to remove."),
                },
            };
            context.server.listeners().tell(&Change::Resources).await;
            text_result(what)
        })
    })
}

fn touch_definition() -> Value {
    json!({
        "name": "touch_resource",
        "title": "Touch a resource",
        "description": "Changes a resource and sends notifications/resources/updated to those who subscribed to it.",
        "inputSchema": object_schema(
            json!({ "uri": { "type": "string", "format": "uri", "default": resources::COUNTER } }),
            &[],
        )
    })
}

#[derive(Deserialize)]
struct Touch {
    uri: Option<String>,
}

fn touch(call: Call) -> Outcome {
    call.with(|context, Touch { uri }| {
        let uri = uri.unwrap_or_else(|| resources::COUNTER.to_owned());
        Outcome::later(async move {
            let version = context.server.touch(&uri);
            let told = context
                .server
                .listeners()
                .tell(&Change::Resource(uri.clone()))
                .await;
            text_result(format!(
                "{uri} has changed {version} times; subscribers told: {told}."
            ))
        })
    })
}
