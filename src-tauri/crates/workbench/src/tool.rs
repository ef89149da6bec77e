//! A tool: what is listed of it, and what it does.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{error::ToolError, root::WorkFolder};

/// One tool.
pub struct WorkbenchTool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// JSON Schemas of the arguments and of the structured result.
    pub input: fn() -> Value,
    pub output: fn() -> Value,
    pub hints: Hints,
    pub run: fn(&WorkFolder, Value) -> Result<Value, ToolError>,
}

/// What a tool does to the folder (`ToolAnnotations`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hints {
    Reads,
    /// It adds, or changes what can be changed back.
    Adds,
    /// What was there before is gone.
    Destroys,
}

impl WorkbenchTool {
    /// Returns its entry in `tools/list`.
    pub fn definition(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": (self.input)(),
            "outputSchema": (self.output)(),
            "annotations": {
                "readOnlyHint": self.hints == Hints::Reads,
                "destructiveHint": self.hints == Hints::Destroys,
                "idempotentHint": self.hints == Hints::Reads,
                "openWorldHint": false,
            },
        })
    }
}

/// Reads the arguments of a call.
pub fn arguments<A: DeserializeOwned>(arguments: Value) -> Result<A, ToolError> {
    serde_json::from_value(arguments)
        .map_err(|error| ToolError::new(format!("The arguments do not fit: {error}.")))
}

/// An object with these properties and no others.
pub fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
