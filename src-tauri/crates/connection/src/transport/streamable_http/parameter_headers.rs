//! Headers that repeat parts of a request for intermediaries (MCP 2026-07-28, standard
//! request headers; SEP-2243): `Mcp-Name`, and `Mcp-Param-*` for arguments that a tool's
//! schema marks with `x-mcp-header`.

use std::collections::{HashMap, HashSet};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;
use sightglass_http::header::{HeaderMap, HeaderName, HeaderValue};
use sightglass_json_text::Members;

const ANNOTATION: &str = "x-mcp-header";

/// For each tool, the arguments to repeat: the path to each and its header.
#[derive(Default)]
pub(crate) struct ParameterHeaders(HashMap<String, Vec<(Vec<String>, HeaderName)>>);

impl ParameterHeaders {
    /// Reads the annotations of a tool that has been found valid.
    pub(crate) fn insert(&mut self, name: &str, tool: &str) {
        let Some(schema) = annotated_schema(tool) else {
            return;
        };
        let mut found = Vec::new();
        collect(&schema, &mut Vec::new(), &mut found);
        let headers: Vec<(Vec<String>, HeaderName)> = found
            .into_iter()
            .filter_map(|(path, _, header)| {
                let header =
                    HeaderName::try_from(format!("mcp-param-{}", header.as_str()?)).ok()?;
                Some((path, header))
            })
            .collect();
        if !headers.is_empty() {
            self.0.insert(name.to_owned(), headers);
        }
    }

    /// Adds the headers for a `tools/call`, whose text is given.
    pub(crate) fn add(&self, headers: &mut HeaderMap, request: &[u8]) {
        let Some(params) = params(request) else {
            return;
        };
        let Ok(members) = Members::parse(params) else {
            return;
        };
        let Some(wanted) = members.string("name").and_then(|name| self.0.get(&name)) else {
            return;
        };
        let Some(arguments) = members.text("arguments") else {
            return;
        };
        for (path, header) in wanted {
            let value = path.iter().try_fold(arguments, |object, key| {
                Members::parse(object).ok()?.text(key)
            });
            if let Some(value) = value.and_then(plain).and_then(|value| encoded(&value)) {
                headers.insert(header, value);
            }
        }
    }
}

/// The value of `Mcp-Name`, for the methods that have one.
pub(super) fn name(method: &str, request: &[u8]) -> Option<HeaderValue> {
    let member = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return None,
    };
    let name = Members::parse(params(request)?).ok()?.string(member)?;
    encoded(&name)
}

/// Returns the problem of a tool's annotations. Such a tool must not be offered over HTTP.
pub(crate) fn problem(tool: &str) -> Option<String> {
    let schema = annotated_schema(tool)?;
    if schema.get(ANNOTATION).is_some() {
        return Some(format!(
            "{ANNOTATION} must mark a property, not the whole schema"
        ));
    }
    if marks_elsewhere(&schema, Chain::Intact) {
        return Some(format!(
            "{ANNOTATION} may only mark properties reached through \"properties\" alone"
        ));
    }
    let mut found = Vec::new();
    collect(&schema, &mut Vec::new(), &mut found);
    let mut seen = HashSet::new();
    for (path, property, header) in found {
        let place = path.join(".");
        let Some(header) = header.as_str() else {
            return Some(format!("{ANNOTATION} of {place} is not a string"));
        };
        if HeaderName::try_from(header).is_err() {
            return Some(format!(
                "{ANNOTATION} of {place} is not a valid header name: \"{header}\""
            ));
        }
        if !seen.insert(header.to_ascii_lowercase()) {
            return Some(format!("{ANNOTATION} \"{header}\" is used twice"));
        }
        if !matches!(
            property.get("type").and_then(Value::as_str),
            Some("string" | "integer" | "boolean")
        ) {
            return Some(format!(
                "{ANNOTATION} marks {place}, which is not a string, an integer or a truth value"
            ));
        }
    }
    None
}

/// The input schema, when it may have annotations. Almost none has, so it is only parsed
/// when the word is there.
fn annotated_schema(tool: &str) -> Option<Value> {
    memchr::memmem::find(tool.as_bytes(), ANNOTATION.as_bytes())?;
    serde_json::from_str(Members::parse(tool).ok()?.text("inputSchema")?).ok()
}

/// The annotations on the chain of `properties` from the root, with path and property.
fn collect<'a>(
    schema: &'a Value,
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, &'a Value, &'a Value)>,
) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    for (name, property) in properties {
        path.push(name.clone());
        if let Some(header) = property.get(ANNOTATION) {
            found.push((path.clone(), property, header));
        }
        collect(property, path, found);
        path.pop();
    }
}

/// State of the path from the root to a schema: it stays intact through `properties` alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    Intact,
    EventStreamError,
}

/// Returns true when an annotation stands off the chain.
fn marks_elsewhere(schema: &Value, chain: Chain) -> bool {
    let each = |map: &Value, chain: Chain| {
        map.as_object()
            .is_some_and(|map| map.values().any(|schema| marks_elsewhere(schema, chain)))
    };
    match schema {
        Value::Object(members) => members.iter().any(|(key, value)| match key.as_str() {
            ANNOTATION => chain == Chain::EventStreamError,
            "properties" => each(value, chain),
            "$defs" | "definitions" | "dependentSchemas" | "patternProperties" => {
                each(value, Chain::EventStreamError)
            }
            // Values, not schemas.
            "default" | "const" | "enum" | "examples" => false,
            _ => marks_elsewhere(value, Chain::EventStreamError),
        }),
        Value::Array(items) => items
            .iter()
            .any(|item| marks_elsewhere(item, Chain::EventStreamError)),
        _ => false,
    }
}

fn params(request: &[u8]) -> Option<&str> {
    Members::parse(std::str::from_utf8(request).ok()?)
        .ok()?
        .text("params")
}

/// A value as it stands in a header: the text of a string, a number or a truth value,
/// digits as they were typed.
fn plain(value: &str) -> Option<String> {
    match value.as_bytes().first()? {
        b'"' => serde_json::from_str(value).ok(),
        b'{' | b'[' | b'n' => None,
        _ => Some(value.to_owned()),
    }
}

/// Wraps in Base64 what a header cannot carry as it is.
fn encoded(value: &str) -> Option<HeaderValue> {
    let bare = value
        .chars()
        .all(|character| (' '..='~').contains(&character))
        && value.trim() == value
        && !(value.starts_with("=?base64?") && value.ends_with("?="));
    if bare {
        HeaderValue::from_str(value).ok()
    } else {
        HeaderValue::from_str(&format!("=?base64?{}?=", BASE64_STANDARD.encode(value))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(schema: &str) -> String {
        format!(r#"{{"name":"t","inputSchema":{schema}}}"#)
    }

    #[test]
    fn marked_arguments_become_headers_with_their_digits_as_typed() {
        let mut table = ParameterHeaders::default();
        table.insert(
            "t",
            &tool(r#"{"properties":{"a":{"type":"integer","x-mcp-header":"Big"},"o":{"properties":{"s":{"type":"string","x-mcp-header":"Deep"}}}}}"#),
        );
        let mut headers = HeaderMap::new();
        table.add(&mut headers, br#"{"params":{"name":"t","arguments":{"a":12345678901234567890,"o":{"s":"h\u00e9"}}}}"#);
        assert_eq!(headers["mcp-param-big"], "12345678901234567890");
        assert_eq!(headers["mcp-param-deep"], "=?base64?aMOp?=");
    }

    #[test]
    fn the_name_travels_for_the_methods_that_have_one() {
        let request = br#"{"params":{"name":"n","uri":"file:///x"}}"#;
        assert_eq!(name("tools/call", request).unwrap(), "n");
        assert_eq!(name("resources/read", request).unwrap(), "file:///x");
        assert_eq!(name("tools/list", request), None);
    }

    #[test]
    fn invalid_annotations_are_explained() {
        for (schema, words) in [
            (r#"{"x-mcp-header":"A"}"#, "not the whole schema"),
            (
                r#"{"properties":{"a":{"type":"object","x-mcp-header":"A"}}}"#,
                "not a string, an integer",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}"#,
                "not a valid header name",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":7}}}"#,
                "is not a string",
            ),
            (
                r#"{"$defs":{"a":{"x-mcp-header":"A"}}}"#,
                "through \"properties\" alone",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#,
                "used twice",
            ),
        ] {
            let problem = problem(&tool(schema)).unwrap_or_default();
            assert!(problem.contains(words), "{schema}: {problem}");
        }
        assert_eq!(
            problem(&tool(
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}"#
            )),
            None
        );
    }
}
