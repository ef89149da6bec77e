//! Reads the members of an item that the index keeps, and its problems.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use sightglass_json_text::Members;
use sightglass_model::brief;

use crate::{ListKind, ToolHint};

/// Characters of a description that a row shows.
const MAX_DESCRIPTION_CHARACTERS: usize = 200;

/// The members that the index reads. All are kept as text first, so that one of the wrong
/// type spoils itself alone.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Light<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    title: Option<&'a RawValue>,
    #[serde(borrow, default)]
    description: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri_template: Option<&'a RawValue>,
    #[serde(borrow, default)]
    input_schema: Option<&'a RawValue>,
}

/// Members of an item that the index keeps.
pub(super) struct Read<'a> {
    pub name: Cow<'a, str>,
    pub title: Option<Cow<'a, str>>,
    pub description: Option<Cow<'a, str>>,
    pub problem: Option<String>,
    /// Characters that a model gets: of the name, the description and the input schema.
    pub characters: usize,
}

/// Reads an item's name, title and description, and what is wrong with it.
pub(super) fn read(kind: ListKind, raw: &str) -> Read<'_> {
    let mut problem: Option<String> = None;
    let mut complain = |message: String| {
        problem.get_or_insert(message);
    };
    let light: Light<'_> = match serde_json::from_str(raw) {
        Ok(light) => light,
        Err(_) => {
            return Read {
                name: Cow::Borrowed(""),
                title: None,
                description: None,
                problem: Some("not a JSON object, or a member occurs twice".to_owned()),
                characters: 0,
            };
        }
    };
    let (key, key_name) = match kind {
        ListKind::Tools | ListKind::Prompts => (light.name, "name"),
        ListKind::Resources => (light.uri, "uri"),
        ListKind::ResourceTemplates => (light.uri_template, "uriTemplate"),
    };
    let name = match key.map(|key| (string(key), key)) {
        Some((Some(name), _)) if !name.is_empty() => name,
        Some((Some(_), _)) => {
            complain(format!("\"{key_name}\" is empty"));
            Cow::Borrowed("")
        }
        Some((None, key)) => {
            complain(format!("\"{key_name}\" is {}, not a string", sort(key)));
            Cow::Borrowed("")
        }
        None => {
            complain(format!("\"{key_name}\" is missing"));
            Cow::Borrowed("")
        }
    };
    if kind == ListKind::Tools {
        match light.input_schema {
            None => complain("\"inputSchema\" is missing".to_owned()),
            Some(schema) if !schema.get().starts_with('{') => {
                complain(format!(
                    "\"inputSchema\" is {}, not an object",
                    sort(schema)
                ));
            }
            Some(_) => {}
        }
    }
    let mut optional = |member: Option<&'_ RawValue>, member_name: &str| {
        let member = member?;
        let text = string(member);
        if text.is_none() {
            complain(format!(
                "\"{member_name}\" is {}, not a string",
                sort(member)
            ));
        }
        text.map(Cow::into_owned)
    };
    // A resource's `name` is what a user knows it by; its URI identifies it.
    let title = match kind {
        ListKind::Tools | ListKind::Prompts => optional(light.title, "title"),
        ListKind::Resources | ListKind::ResourceTemplates => {
            let name = optional(light.name, "name");
            optional(light.title, "title").or(name)
        }
    };
    let description = optional(light.description, "description");
    let texts = [
        &*name,
        description.as_deref().unwrap_or_default(),
        light.input_schema.map_or("", RawValue::get),
    ];
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    Read {
        name,
        title: title.map(Cow::Owned),
        description: description.map(Cow::Owned),
        problem,
        characters,
    }
}

/// Returns what many clients refuse in a tool that can be used as it came: an input schema that does
/// not say that the arguments are an object (MCP, Tool).
pub(super) fn schema_complaint(raw: &str) -> Option<&'static str> {
    let schema = Members::parse(raw).ok()?.object("inputSchema")?;
    let kind = schema.string("type");
    (kind.as_deref() != Some("object")).then_some(
        "\"inputSchema\" has to say \"type\": \"object\", and does not; some clients then show none \
         of the server's tools",
    )
}

/// The members of a tool that tell what it does. Kept as text first, as in [`Light`].
#[derive(Deserialize)]
struct Annotated<'a> {
    #[serde(borrow, default)]
    annotations: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations<'a> {
    #[serde(borrow, default)]
    read_only_hint: Option<&'a RawValue>,
    #[serde(borrow, default)]
    destructive_hint: Option<&'a RawValue>,
    #[serde(borrow, default)]
    idempotent_hint: Option<&'a RawValue>,
    #[serde(borrow, default)]
    open_world_hint: Option<&'a RawValue>,
}

/// Reads the hints of a tool. Only what the server says counts, not the defaults of the protocol;
/// and what only reads destroys nothing.
pub(super) fn hints(raw: &str) -> Vec<ToolHint> {
    let given = serde_json::from_str::<Annotated<'_>>(raw)
        .ok()
        .and_then(|tool| tool.annotations)
        // An array would be read as the members in their order.
        .filter(|annotations| annotations.get().starts_with('{'))
        .and_then(|annotations| serde_json::from_str::<Annotations<'_>>(annotations.get()).ok());
    let Some(given) = given else {
        return Vec::new();
    };
    let is_set = |hint: Option<&RawValue>| hint.is_some_and(|hint| hint.get() == "true");
    let reads_only = is_set(given.read_only_hint);
    [
        (ToolHint::ReadOnly, reads_only),
        (
            ToolHint::Destructive,
            is_set(given.destructive_hint) && !reads_only,
        ),
        (ToolHint::Idempotent, is_set(given.idempotent_hint)),
        (ToolHint::OpenWorld, is_set(given.open_world_hint)),
    ]
    .into_iter()
    .filter_map(|(hint, is_given)| is_given.then_some(hint))
    .collect()
}

fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str::<String>(text).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// Names the JSON type of a value.
fn sort(raw: &RawValue) -> &'static str {
    match raw.get().as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a truth value",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// The beginning of a text, on one line.
pub(super) fn beginning(text: &str) -> String {
    brief(text, MAX_DESCRIPTION_CHARACTERS).replace(char::is_control, " ")
}
