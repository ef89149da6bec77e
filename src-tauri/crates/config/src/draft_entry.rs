//! Applies a draft to an entry: changes the fields that differ, and nothing else.

use std::time::Duration;

use serde_json::{Map, Value};
use sightglass_model::{EraChoice, RemoteTransport};

use crate::{
    dialect::{SIGN_IN_FIELDS, plain_object},
    draft::{Draft, DraftEndpoint, DraftSignIn, NamedText},
    format::object as object_of,
    json::{NodeValue, Object},
    json_edit::{JsonEditor, object_at},
    read_entry::DeclaredTransport,
};

/// The fields that belong to one transport only.
const STDIO_FIELDS: [&str; 4] = ["command", "args", "env", "cwd"];
const REMOTE_FIELDS: [&str; 4] = ["url", "headers", "ca_file", "tls_fingerprint"];
/// The fields that name the transport.
const TRANSPORT_FIELDS: [&str; 2] = ["type", "transport"];

/// Value that a field is to hold.
enum Wanted {
    Absent,
    Text(String),
    Texts(Vec<String>),
    Named(Vec<NamedText>),
    /// Milliseconds, written in seconds.
    Limit(u32),
    /// Milliseconds by name, written in seconds.
    Limits(Vec<(String, u32)>),
}

/// Milliseconds as seconds, without a fraction where there is none.
fn seconds(milliseconds: u32) -> Value {
    if milliseconds.is_multiple_of(1000) {
        (milliseconds / 1000).into()
    } else {
        (f64::from(milliseconds) / 1000.0).into()
    }
}

/// Returns true when a number of the file is this limit, to the millisecond that a draft knows.
fn is_limit(value: &NodeValue, milliseconds: u32) -> bool {
    let NodeValue::Number(digits) = value else {
        return false;
    };
    digits
        .parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .is_some_and(|limit| u32::try_from(limit.as_millis()).unwrap_or(u32::MAX) == milliseconds)
}

impl Wanted {
    fn texts(texts: &[String]) -> Self {
        if texts.is_empty() {
            Wanted::Absent
        } else {
            Wanted::Texts(texts.to_vec())
        }
    }

    fn optional(text: &Option<String>) -> Self {
        match text {
            Some(text) if !text.is_empty() => Wanted::Text(text.clone()),
            _ => Wanted::Absent,
        }
    }

    fn limit(milliseconds: Option<u32>) -> Self {
        milliseconds.map_or(Wanted::Absent, Wanted::Limit)
    }

    fn limits(limits: Vec<(String, u32)>) -> Self {
        if limits.is_empty() {
            Wanted::Absent
        } else {
            Wanted::Limits(limits)
        }
    }

    fn named(texts: &[NamedText]) -> Self {
        if texts.is_empty() {
            Wanted::Absent
        } else {
            Wanted::Named(texts.to_vec())
        }
    }

    fn value(&self) -> Option<Value> {
        match self {
            Wanted::Absent => None,
            Wanted::Text(text) => Some(text.as_str().into()),
            Wanted::Texts(texts) => Some(texts.as_slice().into()),
            Wanted::Limit(milliseconds) => Some(seconds(*milliseconds)),
            Wanted::Limits(limits) => Some(Value::Object(
                limits
                    .iter()
                    .map(|(name, milliseconds)| (name.clone(), seconds(*milliseconds)))
                    .collect(),
            )),
            Wanted::Named(texts) => Some(Value::Object(
                texts
                    .iter()
                    .map(|named| (named.name.clone(), named.text.as_str().into()))
                    .collect(),
            )),
        }
    }

    /// Returns true when a value of the file already means this. An empty list means the same as
    /// none.
    fn is_met_by(&self, value: &NodeValue) -> bool {
        match (self, value) {
            (Wanted::Absent, NodeValue::Array(elements)) => elements.is_empty(),
            (Wanted::Absent, NodeValue::Object(object)) => object.members.is_empty(),
            (Wanted::Text(wanted), NodeValue::String(text)) => wanted == text,
            (Wanted::Limit(wanted), value) => is_limit(value, *wanted),
            (Wanted::Limits(wanted), NodeValue::Object(object)) => {
                wanted.len() == object.members.len()
                    && wanted.iter().all(|(name, milliseconds)| {
                        object
                            .get(name)
                            .is_some_and(|member| is_limit(&member.value.value, *milliseconds))
                    })
            }
            (Wanted::Texts(wanted), NodeValue::Array(elements)) => {
                wanted.len() == elements.len()
                    && wanted
                        .iter()
                        .zip(elements)
                        .all(|(wanted, element)| is_text(&element.value, wanted))
            }
            _ => false,
        }
    }
}

fn is_text(value: &NodeValue, wanted: &str) -> bool {
    matches!(value, NodeValue::String(text) if text == wanted)
}

/// The fields of the draft's own transport.
fn wanted_fields(draft: &Draft) -> Vec<(&'static str, Wanted)> {
    match &draft.endpoint {
        DraftEndpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory,
        } => vec![
            ("command", Wanted::Text(command.clone())),
            ("args", Wanted::texts(arguments)),
            ("env", Wanted::named(environment)),
            ("cwd", Wanted::optional(working_directory)),
        ],
        DraftEndpoint::Remote(remote) => vec![
            ("url", Wanted::Text(remote.url.clone())),
            ("headers", Wanted::named(&remote.headers)),
            ("ca_file", Wanted::optional(&remote.ca_file)),
            ("tls_fingerprint", Wanted::optional(&remote.fingerprint)),
        ],
    }
}

/// The fields of every transport that the draft says something about.
fn common_fields(draft: &Draft) -> Vec<(&'static str, Wanted)> {
    let mut fields = Vec::new();
    if let Some(limits) = &draft.limits {
        fields.push(("startup_timeout", Wanted::limit(limits.startup)));
        fields.push(("tool_timeout", Wanted::limit(limits.tool)));
        let phases = limits
            .phases
            .iter()
            .map(|limit| (limit.phase.clone(), limit.milliseconds))
            .collect();
        fields.push(("phase_timeouts", Wanted::limits(phases)));
    }
    if let Some(tools) = &draft.tools {
        fields.push((
            "enabled_tools",
            match &tools.enabled {
                Some(enabled) => Wanted::Texts(enabled.clone()),
                None => Wanted::Absent,
            },
        ));
        fields.push(("disabled_tools", Wanted::texts(&tools.disabled)));
    }
    fields
}

/// The fields of an `oauth` object, the names under which each may stand first.
fn sign_in_fields(sign_in: &DraftSignIn) -> [(&'static str, Option<Value>); 4] {
    let text = |text: &Option<String>| {
        let text = text.as_ref().filter(|text| !text.is_empty());
        text.map(|text| Value::from(text.as_str()))
    };
    [
        ("clientId", text(&sign_in.client_id)),
        ("clientMetadataUrl", text(&sign_in.client_metadata_url)),
        (
            "scopes",
            sign_in
                .scopes
                .as_ref()
                .filter(|scopes| !scopes.is_empty())
                .map(|scopes| scopes.as_slice().into()),
        ),
        ("callbackPort", sign_in.callback_port.map(Value::from)),
    ]
}

/// The `oauth` of a new entry.
fn new_sign_in(sign_in: &DraftSignIn) -> Option<Value> {
    if sign_in.off {
        return Some(false.into());
    }
    let fields: Map<String, Value> = sign_in_fields(sign_in)
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect();
    (!fields.is_empty()).then_some(Value::Object(fields))
}

/// Makes an entry say how to sign in. Each field is looked for where it may stand, and one that
/// already says what is wanted is left alone.
fn update_sign_in(editor: &mut JsonEditor, path: &[&str], sign_in: &DraftSignIn) {
    const OAUTH: &str = "oauth";
    let entry = with_entry(editor, path, plain_object);
    let now = DraftSignIn::of(&entry);
    let variable = sign_in.bearer_variable.as_ref();
    let variable = variable.filter(|name| !name.is_empty());
    if now.bearer_variable.as_ref() != variable {
        let named = ["bearer_token_env_var", "bearerTokenEnvVar"]
            .into_iter()
            .find(|name| entry.contains_key(*name));
        let wanted = variable.map_or(Wanted::Absent, |name| Wanted::Text(name.clone()));
        update_field(
            editor,
            path,
            named.unwrap_or("bearer_token_env_var"),
            &wanted,
        );
    }
    if sign_in.off {
        if !now.off {
            editor.set(path, OAUTH, &false.into());
        }
        return;
    }
    if now.off {
        match new_sign_in(sign_in) {
            Some(value) => editor.set(path, OAUTH, &value),
            None => editor.remove(path, OAUTH),
        }
        return;
    }
    let inner: Vec<&str> = path.iter().copied().chain([OAUTH]).collect();
    for ((name, wanted), (_, said)) in sign_in_fields(sign_in)
        .into_iter()
        .zip(sign_in_fields(&now))
    {
        if wanted == said {
            continue;
        }
        let names = SIGN_IN_FIELDS
            .iter()
            .find(|(ours, _)| *ours == name)
            .map_or(&[][..], |(_, names)| *names);
        let within = entry.get(OAUTH).and_then(Value::as_object);
        let stands = |object: Option<&Map<String, Value>>| {
            let object = object?;
            names
                .iter()
                .copied()
                .find(|name| object.contains_key(*name))
        };
        let (object, key) = match (stands(within), stands(Some(&entry))) {
            (Some(key), _) => (inner.as_slice(), key),
            (None, Some(key)) => (path, key),
            (None, None) => (inner.as_slice(), name),
        };
        let is_text = within
            .and_then(|object| object.get(key))
            .or(entry.get(key))
            .is_some_and(Value::is_string);
        match wanted {
            None => editor.remove(object, key),
            Some(Value::Array(scopes)) if is_text => {
                let words: Vec<&str> = scopes.iter().filter_map(Value::as_str).collect();
                editor.set(object, key, &words.join(" ").into());
            }
            Some(value) if object.len() == path.len() || has_object(editor, &inner) => {
                editor.set(object, key, &value);
            }
            Some(value) => editor.set(path, OAUTH, &object_of(key, value)),
        }
    }
    let is_bare = with_entry(editor, path, |entry| {
        matches!(entry.get(OAUTH).map(|member| &member.value.value),
            Some(NodeValue::Object(object)) if object.members.is_empty())
    });
    let was_bare = entry
        .get(OAUTH)
        .and_then(Value::as_object)
        .is_some_and(Map::is_empty);
    if is_bare && !was_bare {
        editor.remove(path, OAUTH);
    }
}

fn has_object(editor: &JsonEditor, path: &[&str]) -> bool {
    object_at(&editor.document(), path).is_some()
}

/// The fields that mean nothing to the draft's transport.
fn foreign_fields(draft: &Draft) -> &'static [&'static str] {
    match draft.endpoint {
        DraftEndpoint::Stdio { .. } => &REMOTE_FIELDS,
        DraftEndpoint::Remote(_) => &STDIO_FIELDS,
    }
}

fn era_word(era: EraChoice) -> &'static str {
    match era {
        EraChoice::Auto => "auto",
        EraChoice::Modern => "modern",
        EraChoice::Legacy => "legacy",
    }
}

fn transport_of(draft: &Draft) -> (DeclaredTransport, &'static str) {
    match &draft.endpoint {
        DraftEndpoint::Stdio { .. } => (DeclaredTransport::Stdio, "stdio"),
        DraftEndpoint::Remote(remote) => {
            let word = match remote.transport {
                RemoteTransport::Auto => "auto",
                RemoteTransport::Http => "http",
                RemoteTransport::Sse => "sse",
                RemoteTransport::WebSocket => "ws",
            };
            (DeclaredTransport::Remote(remote.transport), word)
        }
    }
}

/// Returns true when the other fields alone would not tell this transport.
fn has_to_be_named(transport: DeclaredTransport) -> bool {
    !matches!(
        transport,
        DeclaredTransport::Stdio | DeclaredTransport::Remote(RemoteTransport::Auto)
    )
}

/// A new entry with what the draft says. Remote servers name their transport where one is
/// chosen, since some clients take an entry without a `type` for a program.
pub(crate) fn new_entry(draft: &Draft) -> Value {
    let mut entry = Map::new();
    let (transport, word) = transport_of(draft);
    if has_to_be_named(transport) {
        entry.insert("type".into(), word.into());
    }
    for (field, wanted) in wanted_fields(draft) {
        if let Some(value) = wanted.value() {
            entry.insert(field.into(), value);
        }
    }
    if draft.era != EraChoice::Auto {
        entry.insert("era".into(), era_word(draft.era).into());
    }
    for (field, wanted) in common_fields(draft) {
        if let Some(value) = wanted.value() {
            entry.insert(field.into(), value);
        }
    }
    if let Some(sign_in) = &draft.sign_in {
        if let Some(value) = new_sign_in(sign_in) {
            entry.insert("oauth".into(), value);
        }
        if let Some(value) = Wanted::optional(&sign_in.bearer_variable).value() {
            entry.insert("bearer_token_env_var".into(), value);
        }
    }
    Value::Object(entry)
}

/// Makes the entry at `path` say what the draft says. Fields that the form does not know
/// stay, and so does every field that already says it.
pub(crate) fn update_entry(editor: &mut JsonEditor, path: &[&str], draft: &Draft) {
    update_transport(editor, path, draft);
    for field in foreign_fields(draft) {
        editor.remove(path, field);
    }
    for (field, wanted) in wanted_fields(draft).into_iter().chain(common_fields(draft)) {
        update_field(editor, path, field, &wanted);
    }
    if let Some(sign_in) = &draft.sign_in {
        update_sign_in(editor, path, sign_in);
    }
    let era = match draft.era {
        // `"era": "auto"` in the file says the same as nothing.
        EraChoice::Auto if holds_text(editor, path, "era", "auto") => return,
        EraChoice::Auto => Wanted::Absent,
        era => Wanted::Text(era_word(era).into()),
    };
    update_field(editor, path, "era", &era);
}

fn holds_text(editor: &JsonEditor, path: &[&str], field: &str, text: &str) -> bool {
    with_entry(editor, path, |entry| {
        entry
            .get(field)
            .is_some_and(|member| is_text(&member.value.value, text))
    })
}

/// Asks something of the entry as it is now; the answer for none is that of an empty one.
fn with_entry<T>(editor: &JsonEditor, path: &[&str], ask: impl FnOnce(&Object) -> T) -> T {
    let document = editor.document();
    match object_at(&document, path) {
        Some((_, object)) => ask(object),
        None => ask(&Object::default()),
    }
}

fn update_transport(editor: &mut JsonEditor, path: &[&str], draft: &Draft) {
    let (transport, word) = transport_of(draft);
    let mut is_named = false;
    for field in TRANSPORT_FIELDS {
        let named = with_entry(editor, path, |entry| {
            entry.get(field).map(|member| match &member.value.value {
                NodeValue::String(text) => DeclaredTransport::from_word(text),
                _ => None,
            })
        });
        if let Some(named) = named {
            is_named = true;
            if named != Some(transport) {
                editor.set(path, field, &word.into());
            }
        }
    }
    if !is_named && has_to_be_named(transport) {
        editor.set(path, "type", &word.into());
    }
}

fn update_field(editor: &mut JsonEditor, path: &[&str], field: &str, wanted: &Wanted) {
    /// Value that stands there now, as far as it matters.
    enum Present {
        Nothing,
        AsWanted,
        Names(Vec<(String, bool)>),
        Other,
    }
    let present = with_entry(editor, path, |entry| {
        let Some(member) = entry.get(field) else {
            return Present::Nothing;
        };
        match (&member.value.value, wanted) {
            (value, wanted) if wanted.is_met_by(value) => Present::AsWanted,
            (NodeValue::Object(object), Wanted::Named(texts)) => Present::Names(
                object
                    .members
                    .iter()
                    .map(|member| {
                        let stays = texts.iter().any(|named| {
                            named.name == member.key && is_text(&member.value.value, &named.text)
                        });
                        (member.key.clone(), stays)
                    })
                    .collect(),
            ),
            _ => Present::Other,
        }
    });
    match (present, wanted) {
        (Present::AsWanted, _) | (Present::Nothing, Wanted::Absent) => {}
        (Present::Names(names), Wanted::Named(texts)) => {
            let inner: Vec<&str> = path.iter().copied().chain([field]).collect();
            for (name, _) in &names {
                if !texts.iter().any(|named| named.name == *name) {
                    editor.remove(&inner, name);
                }
            }
            for named in texts {
                // Of a name that stands there twice the last one counts.
                let last = names.iter().rev().find(|(name, _)| *name == named.name);
                if last.is_none_or(|(_, stays)| !stays) {
                    editor.set(&inner, &named.name, &named.text.as_str().into());
                }
            }
        }
        (_, wanted) => match wanted.value() {
            Some(value) => editor.set(path, field, &value),
            None => editor.remove(path, field),
        },
    }
}
