//! The tools, split by what they show.

use std::{collections::HashMap, sync::LazyLock};

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::{Value, json, value::RawValue};

use crate::{
    context::{Context, Outcome, Reply, Unanswered},
    load,
    options::{Catalogue, Options},
};

pub mod basics;
pub mod bursts;
pub mod changes;
pub mod conformance;
pub mod environment;
pub mod extensions;
pub mod faults;
pub mod flow;
pub mod questions;
pub mod results;
pub mod schemas;
pub mod tasks;

/// One tool.
pub struct Tool {
    pub name: &'static str,
    /// Its entry in `tools/list`.
    pub definition: fn() -> Value,
    pub run: fn(Call) -> Outcome,
    /// Arguments repeated in `Mcp-Param-*` headers: path and header name
    /// (`x-mcp-header`, 2026-07-28).
    pub header_parameters: &'static [(&'static [&'static str], &'static str)],
}

impl Tool {
    /// A tool without header parameters.
    pub const fn new(
        name: &'static str,
        definition: fn() -> Value,
        run: fn(Call) -> Outcome,
    ) -> Tool {
        Tool {
            name,
            definition,
            run,
            header_parameters: &[],
        }
    }
}

/// A call of a tool.
pub struct Call {
    pub context: Context,
    pub arguments: Option<Box<RawValue>>,
    /// Wish to make a task of it (MCP 2025-11-25, Tasks).
    pub task: Option<Value>,
}

impl Call {
    /// The arguments as text; an absent member is an empty object.
    pub fn arguments_text(&self) -> &str {
        self.arguments.as_deref().map_or("{}", RawValue::get)
    }

    /// Reads the arguments and goes on with them. Arguments that do not fit are an
    /// error of the tool, not of the protocol (2025-11-25, "Error Handling"), so
    /// that a model can see and correct them.
    pub fn with<A: DeserializeOwned>(self, then: impl FnOnce(Context, A) -> Outcome) -> Outcome {
        match serde_json::from_str(self.arguments_text()) {
            Ok(arguments) => then(self.context, arguments),
            Err(error) => error_result(format!("Invalid arguments: {error}")).into(),
        }
    }
}

/// Every tool of the demonstration, in the order in which they are listed.
pub fn all() -> Vec<Tool> {
    [
        basics::tools(),
        schemas::tools(),
        results::tools(),
        flow::tools(),
        questions::tools(),
        tasks::tools(),
        changes::tools(),
        bursts::tools(),
        environment::tools(),
        faults::tools(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Finds the tool of that name among those that a server with these options has.
pub fn find(options: &Options, name: &str) -> Option<&'static Tool> {
    static BY_NAME: LazyLock<HashMap<&'static str, Tool>> =
        LazyLock::new(|| all().into_iter().map(|tool| (tool.name, tool)).collect());
    static CONFORMANCE: LazyLock<Vec<Tool>> = LazyLock::new(conformance::tools);
    if options.conformance
        && let Some(tool) = CONFORMANCE.iter().find(|tool| tool.name == name)
    {
        return Some(tool);
    }
    match options.catalogue {
        Catalogue::Load { .. } if !load::FIXED_TOOLS.contains(&name) => None,
        Catalogue::Demo | Catalogue::Load { .. } => BY_NAME.get(name),
    }
}

/// A result of one text block.
pub fn text_result(text: impl Into<String>) -> Reply {
    let text = Value::String(text.into());
    Reply::Fields(vec![Bytes::from(format!(
        r#""content":[{{"type":"text","text":{text}}}]"#
    ))])
}

/// A result with `isError`.
pub fn error_result(text: impl Into<String>) -> Reply {
    let text: String = text.into();
    Reply::Result(json!({ "content": [{ "type": "text", "text": text }], "isError": true }))
}

/// Structured content together with the same as text, for clients that do not
/// know structured content (2025-06-18, "Structured Content").
pub fn structured_result(value: Value) -> Reply {
    let text = value.to_string();
    Reply::Result(json!({
        "content": [{ "type": "text", "text": text }],
        "structuredContent": value
    }))
}

/// Result of a tool whose question went unanswered: in the
/// initialize era an error of the tool, so that the reason is readable.
pub fn unanswered_result(context: &Context, unanswered: Unanswered) -> Reply {
    use crate::protocol::Era;
    match unanswered {
        Unanswered::Unable(ability) if context.era == Era::Initialize => error_result(format!(
            "This client did not declare that it can do this: {}",
            ability.capability()
        )),
        Unanswered::Refused(error) => {
            error_result(format!("The client answered with an error: {error}"))
        }
        other => other.into_reply(context.era),
    }
}

/// An input schema: an object with these properties, of which some are required.
pub fn object_schema(properties: Value, required: &[&str]) -> Value {
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}
