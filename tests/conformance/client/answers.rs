//! Makes values that fit a schema, as a user would type them.

use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};
use sightglass_inspector::ServerAnswer;

/// A tool's `inputSchema`, as it came.
pub fn input_schema(tool: &str) -> Result<Box<RawValue>, serde_json::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Tool {
        input_schema: Box<RawValue>,
    }
    serde_json::from_str::<Tool>(tool).map(|tool| tool.input_schema)
}

/// Arguments for every property of a schema. `example` stands where any object is wanted.
pub fn arguments(schema: &RawValue, example: &RawValue) -> Result<String, serde_json::Error> {
    let schema: Value = serde_json::from_str(schema.get())?;
    let members = properties(&schema).map(|(name, property)| {
        let value = match property["type"].as_str() {
            Some("object") => example.get().to_owned(),
            _ => fitting(property).to_string(),
        };
        format!("{}:{value}", Value::from(name.as_str()))
    });
    Ok(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}

/// A text for every argument of a prompt.
pub fn prompt_arguments(prompt: &Value) -> Vec<(String, String)> {
    let arguments = prompt["arguments"].as_array().into_iter().flatten();
    arguments
        .filter_map(|argument| Some((argument["name"].as_str()?.to_owned(), "text".to_owned())))
        .collect()
}

/// The answer to a question of the server's.
pub fn answer(method: &str, params: &Value) -> ServerAnswer {
    let result = match method {
        "elicitation/create" if params["mode"] == "url" => json!({ "action": "accept" }),
        "elicitation/create" => {
            // MCP, elicitation: fields that a user leaves alone have their defaults.
            let content: Map<String, Value> = properties(&params["requestedSchema"])
                .map(|(name, property)| (name.clone(), fitting(property)))
                .collect();
            json!({ "action": "accept", "content": content })
        }
        _ => json!({
            "role": "assistant",
            "content": { "type": "text", "text": "text" },
            "model": "none",
            "stopReason": "endTurn",
        }),
    };
    ServerAnswer::Result {
        json: result.to_string(),
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

/// The default of a property, or else the simplest value of its type.
fn fitting(property: &Value) -> Value {
    if let Some(default) = property.get("default") {
        return default.clone();
    }
    if let Some(first) = property["enum"].get(0) {
        return first.clone();
    }
    match property["type"].as_str() {
        Some("number" | "integer") => property.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        _ => json!("text"),
    }
}
