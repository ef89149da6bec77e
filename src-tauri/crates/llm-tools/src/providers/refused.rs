//! Keywords that an interface refuses, wherever its client does not take them out.

use serde_json::Value;

use super::{
    Provider,
    change::{ChangeKind, Changes, MAX_DEPTH, join},
};

const ANTHROPIC_TOP: &str = "https://github.com/anthropics/claude-code/issues/5973";
const ANTHROPIC_KEYS: &str =
    "https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes";
const OPENAI_TOP: &str = "https://github.com/nspady/google-calendar-mcp/issues/39";
const GEMINI_FORMAT: &str = "https://github.com/google-gemini/gemini-cli/issues/3178";
const GEMINI_ENUM: &str = "https://github.com/microsoft/azure-devops-mcp/issues/145";

/// Longest name of a parameter that Anthropic's interface accepts.
const MAX_ANTHROPIC_KEY: usize = 64;

pub(super) fn check(provider: Provider, schema: &Value, changes: &mut Changes) {
    const PATH: &str = "/inputSchema";
    match provider {
        Provider::AnthropicMessages => {
            check_type(provider, schema, changes);
            let keywords = ["oneOf", "allOf", "anyOf"];
            check_top(provider, schema, &keywords, ANTHROPIC_TOP, changes);
            check_keys(schema, PATH, changes, 0);
        }
        Provider::OpenaiChat => {
            let keywords = ["oneOf", "anyOf", "allOf", "enum", "not"];
            check_top(provider, schema, &keywords, OPENAI_TOP, changes);
        }
        // Codex takes all of these out.
        Provider::OpenaiResponses => {}
        Provider::Gemini => check_gemini(schema, PATH, changes, 0),
        Provider::BedrockConverse => check_type(provider, schema, changes),
    }
}

fn check_type(provider: Provider, schema: &Value, changes: &mut Changes) {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        changes.add(
            ChangeKind::Refused,
            "/inputSchema/type",
            format!("{} asks for `\"type\": \"object\"`.", provider.title()),
            "https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
        );
    }
}

fn check_top(
    provider: Provider,
    schema: &Value,
    keywords: &[&str],
    source: &str,
    changes: &mut Changes,
) {
    for keyword in keywords {
        if schema.get(keyword).is_some() {
            changes.add(
                ChangeKind::Refused,
                &join("/inputSchema", keyword),
                format!(
                    "{} refuses `{keyword}` at the top of a schema.",
                    provider.title()
                ),
                source,
            );
        }
    }
}

/// Judges the names of parameters for Anthropic: `^[a-zA-Z0-9_.-]{1,64}$`.
fn check_keys(schema: &Value, path: &str, changes: &mut Changes, depth: usize) {
    each_part(schema, path, depth, &mut |part, path, _| {
        let properties = part.get("properties").and_then(Value::as_object);
        for name in properties
            .into_iter()
            .flat_map(|properties| properties.keys())
        {
            let is_valid = (1..=MAX_ANTHROPIC_KEY).contains(&name.chars().count())
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
            if !is_valid {
                changes.add(
                    ChangeKind::Refused,
                    &join(&join(path, "properties"), name),
                    "Anthropic refuses the name of the parameter: it accepts 1 to 64 letters, \
                     digits, `_`, `.` and `-`.",
                    ANTHROPIC_KEYS,
                );
            }
        }
    });
}

fn check_gemini(schema: &Value, path: &str, changes: &mut Changes, depth: usize) {
    each_part(schema, path, depth, &mut |part, path, _| {
        let is_string = part.get("type").and_then(Value::as_str) == Some("string");
        let format = part.get("format").and_then(Value::as_str);
        if let Some(format) = format
            && is_string
            && !matches!(format, "enum" | "date-time")
        {
            changes.add(
                ChangeKind::Refused,
                &join(path, "format"),
                format!(
                    "Gemini refuses the format `{format}`: for a string it accepts `enum` and \
                     `date-time`."
                ),
                GEMINI_FORMAT,
            );
        }
        let values = part.get("enum").and_then(Value::as_array);
        if values.is_some_and(|values| !values.iter().all(Value::is_string)) {
            changes.add(
                ChangeKind::Refused,
                &join(path, "enum"),
                "Gemini refuses values of an `enum` that are no strings.",
                GEMINI_ENUM,
            );
        }
    });
}

/// Visits a schema and the schemas in it that are sent.
fn each_part(
    schema: &Value,
    path: &str,
    depth: usize,
    visit: &mut impl FnMut(&Value, &str, usize),
) {
    let Some(members) = schema.as_object().filter(|_| depth <= MAX_DEPTH) else {
        return;
    };
    visit(schema, path, depth);
    for (keyword, value) in members {
        let here = join(path, keyword);
        match (keyword.as_str(), value) {
            ("properties", Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    each_part(schema, &join(&here, name), depth + 1, visit);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "items", Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    each_part(schema, &join(&here, &index.to_string()), depth + 1, visit);
                }
            }
            ("items", schema) => each_part(schema, &here, depth + 1, visit),
            _ => {}
        }
    }
}
