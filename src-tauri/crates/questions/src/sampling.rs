//! Checks an answer to a sampling request against the request.

use std::collections::BTreeSet;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::Value;

/// Bytes of an answer with all its images and sounds.
const MAX_ANSWER_BYTES: usize = 32 << 20;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    tools: Option<Vec<RequestTool>>,
    tool_choice: Option<ToolChoiceParams>,
}

#[derive(Deserialize)]
struct RequestTool {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct ToolChoiceParams {
    mode: Option<String>,
}

/// Says what is wrong with the result of a sampling request (MCP 2025-11-25, Sampling), as a
/// sentence: roles, blocks, and uses of tools that the request does not offer. Both are JSON texts.
pub fn sampling_problem(params: &str, result: &str) -> Option<String> {
    problem(params, result).err()
}

fn problem(params: &str, result: &str) -> Result<(), String> {
    if result.len() > MAX_ANSWER_BYTES {
        let limit = MAX_ANSWER_BYTES >> 20;
        return Err(format!("The answer is larger than {limit} MiB."));
    }
    // A request of another shape is the server's fault, and says nothing about tools.
    let request: Request = serde_json::from_str(params).unwrap_or_default();
    let result: Value = serde_json::from_str(result).map_err(|_| "The answer is not JSON.")?;
    let text = |key: &str| result.get(key).and_then(Value::as_str);
    if !matches!(text("role"), Some("assistant" | "user")) {
        return Err("The role has to be assistant or user.".to_owned());
    }
    if text("model").is_none_or(|model| model.trim().is_empty()) {
        return Err("The answer has to name a model.".to_owned());
    }
    if result.get("stopReason").is_some() && text("stopReason").is_none() {
        return Err("The stop reason has to be a text.".to_owned());
    }
    let blocks = match result.get("content") {
        Some(Value::Array(blocks)) => blocks.as_slice(),
        Some(block @ Value::Object(_)) => std::slice::from_ref(block),
        _ => return Err("The answer has no content.".to_owned()),
    };
    let mut ids = BTreeSet::new();
    for (index, block) in blocks.iter().enumerate() {
        let place = |reason: String| format!("Block {}: {reason}", index + 1);
        check_block(block, &request, &mut ids).map_err(place)?;
    }
    let mode = request.tool_choice.and_then(|choice| choice.mode);
    match mode.as_deref() {
        Some("none") if !ids.is_empty() => {
            Err("The server asks for an answer that uses no tool (toolChoice: none).".to_owned())
        }
        Some("required") if ids.is_empty() => {
            Err("The server asks for an answer that uses a tool (toolChoice: required).".to_owned())
        }
        _ if ids.is_empty() && text("stopReason") == Some("toolUse") => {
            Err("The stop reason is toolUse, but no tool is used.".to_owned())
        }
        _ if !ids.is_empty() && text("stopReason") != Some("toolUse") => {
            Err("An answer that uses a tool stops for the reason toolUse.".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_block(block: &Value, request: &Request, ids: &mut BTreeSet<String>) -> Result<(), String> {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    match text("type") {
        Some("text") => match text("text") {
            Some(_) => Ok(()),
            None => Err("a text is missing.".to_owned()),
        },
        Some(kind @ ("image" | "audio")) => {
            let mime = text("mimeType").unwrap_or_default();
            if !mime.starts_with(&format!("{kind}/")) {
                return Err(format!("{mime} is no type of {kind}."));
            }
            let data = text("data").unwrap_or_default();
            match STANDARD.decode(data) {
                Ok(bytes) if !bytes.is_empty() => Ok(()),
                Ok(_) => Err(format!("the {kind} is empty.")),
                Err(_) => Err(format!("the data of the {kind} is not base64.")),
            }
        }
        Some("tool_use") => {
            let name = text("name").unwrap_or_default();
            let Some(tools) = &request.tools else {
                return Err("the server offers no tools, so that none can be used.".to_owned());
            };
            if !tools.iter().any(|tool| tool.name == name) {
                return Err(format!("the server offers no tool {name}."));
            }
            if !block.get("input").is_some_and(Value::is_object) {
                return Err("the arguments have to be a JSON object.".to_owned());
            }
            match text("id") {
                None | Some("") => Err("the id of the use is missing.".to_owned()),
                Some(id) if !ids.insert(id.to_owned()) => {
                    Err(format!("the id {id} is given twice."))
                }
                Some(_) => Ok(()),
            }
        }
        kind => Err(format!(
            "{} cannot stand in an answer.",
            kind.unwrap_or("a block without a type")
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(request: &Value, content: &Value, stop: &str) -> Option<String> {
        let result =
            json!({ "role": "assistant", "model": "m", "content": content, "stopReason": stop });
        sampling_problem(&request.to_string(), &result.to_string())
    }

    #[test]
    fn every_kind_of_block_passes() {
        let request = json!({ "tools": [{ "name": "add" }], "messages": [] });
        let content = json!([
            { "type": "text", "text": "" },
            { "type": "image", "mimeType": "image/png", "data": "AAAA" },
            { "type": "audio", "mimeType": "audio/wav", "data": "AAAA" },
            { "type": "tool_use", "id": "1", "name": "add", "input": { "a": 1 } },
        ]);
        assert_eq!(told(&request, &content, "toolUse"), None);
        let one = json!({ "type": "text", "text": "Hi" });
        assert_eq!(told(&json!({}), &one, "endTurn"), None);
    }

    #[test]
    fn what_the_request_does_not_allow_is_told() {
        let offers =
            |mode: &str| json!({ "tools": [{ "name": "add" }], "toolChoice": { "mode": mode } });
        let uses = |name: &str| json!({ "type": "tool_use", "id": "1", "name": name, "input": {} });
        let text = json!({ "type": "text", "text": "Hi" });
        for (request, content, stop, expected) in [
            (json!({}), uses("add"), "toolUse", "offers no tools"),
            (offers("auto"), uses("sub"), "toolUse", "offers no tool sub"),
            (offers("none"), uses("add"), "toolUse", "toolChoice: none"),
            (
                offers("required"),
                text.clone(),
                "endTurn",
                "toolChoice: required",
            ),
            (
                offers("auto"),
                uses("add"),
                "endTurn",
                "for the reason toolUse",
            ),
            (offers("auto"), text, "toolUse", "no tool is used"),
            (
                offers("auto"),
                json!([uses("add"), uses("add")]),
                "toolUse",
                "given twice",
            ),
            (
                offers("auto"),
                json!({ "type": "tool_use", "id": "1", "name": "add", "input": [] }),
                "toolUse",
                "JSON object",
            ),
            (
                json!({}),
                json!({ "type": "tool_result", "toolUseId": "1", "content": [] }),
                "endTurn",
                "cannot stand",
            ),
            (
                json!({}),
                json!({ "type": "image", "mimeType": "text/html", "data": "AAAA" }),
                "endTurn",
                "no type of image",
            ),
            (
                json!({}),
                json!({ "type": "audio", "mimeType": "audio/wav", "data": "A" }),
                "endTurn",
                "not base64",
            ),
        ] {
            let problem = told(&request, &content, stop).unwrap_or_default();
            assert!(problem.contains(expected), "{problem} / {expected}");
        }
    }

    #[test]
    fn a_result_without_role_or_model_is_told() {
        assert!(sampling_problem("{}", r#"{"role":"system"}"#).is_some());
        let unnamed = r#"{"role":"assistant","content":{"type":"text","text":"x"}}"#;
        assert!(sampling_problem("{}", unnamed).is_some());
    }
}
