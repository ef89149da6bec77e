//! Compares the routing headers of Streamable HTTP with the message (SEP-2243).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use sightglass_model::brief;

use crate::message::within;

const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";
const PARAMETER_PREFIX: &str = "Mcp-Param-";
const VERSION: &str = "MCP-Protocol-Version";

/// Depth to which a tool's schema is searched for parameters.
const MAX_DEPTH: usize = 32;
/// Parameters of one tool.
const MAX_PARAMETERS: usize = 256;

/// The revision that the headers name.
pub(super) fn version(headers: &[(String, String)]) -> Option<&str> {
    value(headers, VERSION)
}

/// The header suffixes of a tool's parameters, and the paths to their values in the arguments.
pub(super) fn parameters(tool: &str) -> Vec<(String, Vec<String>)> {
    let schema = within(Some(tool), &["inputSchema"]);
    let schema = schema.and_then(|schema| serde_json::from_str::<Value>(schema).ok());
    let mut found = Vec::new();
    if let Some(schema) = schema {
        collect(&schema, &mut Vec::new(), &mut found);
    }
    found
}

fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        if found.len() >= MAX_PARAMETERS || path.len() >= MAX_DEPTH {
            return;
        }
        path.push(name.clone());
        if let Some(suffix) = property.get("x-mcp-header").and_then(Value::as_str) {
            found.push((suffix.to_owned(), path.clone()));
        }
        collect(property, path, found);
        path.pop();
    }
}

/// Says what is wrong with the headers of a message.
pub(super) fn problems(
    headers: &[(String, String)],
    method: &str,
    params: Option<&str>,
    parameters: &[(String, Vec<String>)],
    is_required: bool,
) -> Vec<String> {
    let mut problems = Vec::new();
    compare(
        headers,
        METHOD,
        Some(method.to_owned()),
        is_required,
        &mut problems,
    );
    let name_member = match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    };
    let name = name_member.and_then(|member| scalar(within(params, &[member])));
    compare(headers, NAME, name, is_required, &mut problems);
    for (suffix, path) in parameters {
        let mut whole = vec!["arguments"];
        whole.extend(path.iter().map(String::as_str));
        let expected = scalar(within(params, &whole));
        let header = format!("{PARAMETER_PREFIX}{suffix}");
        compare(headers, &header, expected, is_required, &mut problems);
    }
    problems
}

/// Compares one header with what the message says; both may be absent together.
fn compare(
    headers: &[(String, String)],
    header: &str,
    expected: Option<String>,
    is_required: bool,
    problems: &mut Vec<String>,
) {
    let problem = match (value(headers, header), expected) {
        (None, Some(_)) if is_required => format!("The header {header} is missing."),
        (None, _) => return,
        (Some(given), Some(expected)) => match decoded(given) {
            None => format!("The header {header} is not valid Base64."),
            Some(given) if given == expected => return,
            // A masked value says nothing of what was sent.
            Some(given) if given.contains('•') || expected.contains('•') => return,
            Some(given) => format!(
                "The header {header} says {}, and the message says {}.",
                brief(&given, 100),
                brief(&expected, 100)
            ),
        },
        (Some(given), None) => format!(
            "The header {header} says {}, and the message has no such value.",
            brief(given, 100)
        ),
    };
    problems.push(problem);
}

fn value<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(header, _)| header.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
}

/// The text of a string, a number or a truth value.
fn scalar(json: Option<&str>) -> Option<String> {
    let json = json?;
    match serde_json::from_str::<Value>(json).ok()? {
        Value::String(text) => Some(text),
        Value::Bool(_) | Value::Number(_) => Some(json.to_owned()),
        _ => None,
    }
}

/// Values that a header cannot carry are wrapped as `=?base64?…?=`.
fn decoded(value: &str) -> Option<String> {
    match value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}
