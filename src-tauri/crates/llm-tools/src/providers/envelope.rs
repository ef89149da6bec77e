//! Members of a tool beside its schema, names of tools, and numbers of tools.

use serde_json::{Value, json};

use super::{
    Provider,
    change::{ChangeKind, Changes, join},
};

const OPENAI_TOOLS: &str = "https://platform.openai.com/docs/api-reference/chat/create; the refusal \
                            in https://github.com/anomalyco/opencode/issues/1814";
const OPENAI_NAMES: &str = "https://platform.openai.com/docs/api-reference/chat/create";
const ANTHROPIC_NAMES: &str = "https://github.com/microsoft/wassette/issues/56";
const GEMINI_NAMES: &str = "https://ai.google.dev/api/caching#FunctionDeclaration";
const BEDROCK: &str =
    "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html";

/// Tools that OpenAI's interfaces accept in a request.
const MAX_OPENAI_TOOLS: usize = 128;

/// Limits on the name of a tool.
struct NameRule {
    max: usize,
    /// Characters beside letters and digits of ASCII.
    marks: &'static str,
    /// True when a digit or a mark cannot be the first.
    begins_with_letter: bool,
    source: &'static str,
}

fn name_rule(provider: Provider) -> NameRule {
    match provider {
        Provider::AnthropicMessages => NameRule {
            max: 128,
            marks: "_-",
            begins_with_letter: false,
            source: ANTHROPIC_NAMES,
        },
        Provider::OpenaiResponses | Provider::OpenaiChat => NameRule {
            max: 64,
            marks: "_-",
            begins_with_letter: false,
            source: OPENAI_NAMES,
        },
        Provider::Gemini => NameRule {
            max: 64,
            marks: "_-.:",
            begins_with_letter: true,
            source: GEMINI_NAMES,
        },
        Provider::BedrockConverse => NameRule {
            max: 64,
            marks: "_-",
            begins_with_letter: false,
            source: BEDROCK,
        },
    }
}

/// Judges the number of tools.
pub(super) fn check_number(provider: Provider, number: usize, changes: &mut Changes) {
    let is_openai = matches!(provider, Provider::OpenaiResponses | Provider::OpenaiChat);
    if is_openai && number > MAX_OPENAI_TOOLS {
        changes.add(
            ChangeKind::LimitExceeded,
            "",
            format!("The list has {number} tools; a request can have {MAX_OPENAI_TOOLS}."),
            OPENAI_TOOLS,
        );
    }
}

/// Judges the name and lists the members that are not sent.
pub(super) fn check(provider: Provider, tool: &Value, name: &str, changes: &mut Changes) {
    let rule = name_rule(provider);
    let length = name.chars().count();
    if length > rule.max {
        changes.add(
            ChangeKind::LimitExceeded,
            "/name",
            format!(
                "The name {name} has {length} characters; {} accepts {}.",
                provider.title(),
                rule.max
            ),
            rule.source,
        );
    }
    let is_valid = |c: char| c.is_ascii_alphanumeric() || rule.marks.contains(c);
    let begins_well = !rule.begins_with_letter
        || name
            .chars()
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if name.is_empty() || !name.chars().all(is_valid) || !begins_well {
        changes.add(
            ChangeKind::Refused,
            "/name",
            format!(
                "{} refuses the name \u{201c}{name}\u{201d}: it accepts letters, digits and {}.",
                provider.title(),
                rule.marks
            ),
            rule.source,
        );
    }
    let members = tool.as_object().into_iter().flatten();
    for (member, _) in members {
        if !matches!(member.as_str(), "name" | "description" | "inputSchema") {
            changes.add(
                ChangeKind::NotSent,
                &join("", member),
                format!("{} has no place for `{member}`.", provider.title()),
                provider.converter(),
            );
        }
    }
    let description = tool.get("description").and_then(Value::as_str);
    if provider == Provider::BedrockConverse && description == Some("") {
        changes.add(
            ChangeKind::Refused,
            "/description",
            "A description must have a character.",
            BEDROCK,
        );
    }
}

/// Puts a tool into the form of the interface.
pub(super) fn wrap(provider: Provider, tool: &Value, name: &str, schema: Option<Value>) -> Value {
    let description = tool.get("description").and_then(Value::as_str);
    let with_description = |mut wrapped: Value| {
        if let (Some(text), Some(members)) = (description, wrapped.as_object_mut()) {
            members.insert("description".to_owned(), text.into());
        }
        wrapped
    };
    let with_schema = |mut wrapped: Value, key: &str| {
        if let (Some(schema), Some(members)) = (schema, wrapped.as_object_mut()) {
            members.insert(key.to_owned(), schema);
        }
        wrapped
    };
    let named = with_description(json!({"name": name}));
    match provider {
        Provider::AnthropicMessages => with_schema(named, "input_schema"),
        // `ResponsesApiTool` of codex-rs/tools/src/responses_api.rs; a description is required.
        Provider::OpenaiResponses => with_schema(
            json!({
                "type": "function",
                "name": name,
                "description": description.unwrap_or_default(),
                "strict": false,
            }),
            "parameters",
        ),
        Provider::OpenaiChat => json!({
            "type": "function",
            "function": with_schema(
                json!({"name": name, "description": description.unwrap_or_default()}),
                "parameters",
            ),
        }),
        Provider::Gemini => with_schema(named, "parameters"),
        Provider::BedrockConverse => {
            let mut specification = named;
            if let Some(members) = specification.as_object_mut() {
                let schema = with_schema(json!({}), "json");
                members.insert("inputSchema".to_owned(), schema);
            }
            json!({"toolSpec": specification})
        }
    }
}
