//! Writes a request for every tool of a server, to begin with.

use std::sync::Arc;

use serde_json::{Map, Value};
use sightglass_area_calls::lists::Lists;
use sightglass_area_core::{command::commands, error::InspectorError};
use sightglass_connection::ListKind;
use sightglass_model::ServerId;
use sightglass_requests::{NewExpectation, NewRequest, RequestPath, RequestServer};

use crate::requests::RequestFiles;

/// Levels of a schema for which values are made up.
const MAX_DEPTH: usize = 6;

/// Writes a request for every tool of a server, to begin with.
pub struct RequestStubs {
    pub(crate) lists: Arc<Lists>,
    pub(crate) files: Arc<RequestFiles>,
}

#[commands]
impl RequestStubs {
    /// Writes a request for each tool of a connected server into a folder of its name. Returns
    /// their paths. Tools that have one there already are left alone.
    #[command]
    pub fn create_request_stubs(
        &self,
        server: &ServerId,
    ) -> Result<Vec<RequestPath>, InspectorError> {
        let name = self.files.effective_name(server)?;
        let list = self.lists.list_result(server, ListKind::Tools)?;
        let list: Value = list
            .as_deref()
            .and_then(|list| serde_json::from_str(list).ok())
            .unwrap_or_default();
        let folder = super::edit::file_stem(server.name());
        let mut written = Vec::new();
        for tool in list
            .get("tools")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let Some(tool_name) = tool.get("name").and_then(Value::as_str) else {
                continue;
            };
            let stem = super::edit::file_stem(tool_name);
            let present = super::checked(&format!("{folder}/{stem}.toml"))?;
            if self.files.file_of(&present)?.exists() {
                continue;
            }
            let arguments = example(tool.get("inputSchema").unwrap_or(&Value::Null), 0);
            let params = serde_json::json!({ "name": tool_name, "arguments": arguments });
            let request = NewRequest {
                name: None,
                tags: Vec::new(),
                server: RequestServer::Named(name.clone()),
                method: "tools/call".to_owned(),
                params: format!("{params:#}"),
                timeout: None,
                expectations: vec![NewExpectation {
                    value: "is_error".to_owned(),
                    is: "equals".to_owned(),
                    is_negated: false,
                    to: Some("false".to_owned()),
                }],
            };
            written.push(self.files.write_new(&folder, tool_name, &request)?);
        }
        self.files.publish_requests();
        Ok(written)
    }
}

/// A value that a schema probably takes: its default or example, else something of its type with
/// the required members.
fn example(schema: &Value, depth: usize) -> Value {
    let first_of = |name: &str| schema.get(name)?.as_array()?.first().cloned();
    if let Some(value) = schema
        .get("default")
        .or_else(|| schema.get("const"))
        .cloned()
        .or_else(|| first_of("examples"))
        .or_else(|| first_of("enum"))
    {
        return value;
    }
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or("object"),
        _ if depth == 0 || schema.get("properties").is_some() => "object",
        _ => "string",
    };
    match kind {
        "object" => {
            let required = schema.get("required").and_then(Value::as_array);
            let mut members = Map::new();
            for name in required.into_iter().flatten().filter_map(Value::as_str) {
                // A name that is repeated at every level would take as long as all its repetitions
                // multiplied.
                if members.contains_key(name) {
                    continue;
                }
                let member = schema.get("properties").and_then(|all| all.get(name));
                let value = match member {
                    Some(member) if depth < MAX_DEPTH => example(member, depth + 1),
                    _ => Value::String(String::new()),
                };
                members.insert(name.to_owned(), value);
            }
            Value::Object(members)
        }
        "array" => Value::Array(Vec::new()),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| 1.into()),
        "boolean" => Value::Bool(false),
        "null" => Value::Null,
        _ => Value::String(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_that_repeats_itself_is_no_more_work_than_it_is_long() {
        let mut schema = serde_json::json!({ "type": "string" });
        for _ in 0..MAX_DEPTH {
            schema = serde_json::json!({
                "type": "object",
                "properties": { "a": schema },
                "required": vec!["a"; 1000],
            });
        }
        let value = example(&schema, 0).to_string();
        assert_eq!(value.matches("\"a\"").count(), MAX_DEPTH);
    }
}
