//! Carries a draft over into an entry of the common form: changes the fields that differ, and
//! nothing else. Fields that the form does not know stay, and so does every field that already
//! says what the draft says.

use std::time::Duration;

use serde_json::{Map, Value};
use sightglass_model::{EraChoice, RemoteTransport};

use crate::{
    definition::draft::{Draft, DraftEndpoint, DraftSignIn, NamedText},
    entry::{
        dialect::{SIGN_IN_FIELDS, TEXT_FIELDS},
        expand::{as_written, escaped},
        read_entry::DeclaredTransport,
    },
};

/// The fields that belong to one transport only.
const STDIO_FIELDS: &[&str] = &["command", "args", "env", "envFile", "cwd"];
const REMOTE_FIELDS: &[&str] = &[
    "url",
    "headers",
    "headersHelper",
    "ca_file",
    "tls_fingerprint",
];
/// The fields that name the transport.
const TRANSPORT_FIELDS: [&str; 2] = ["type", "transport"];
const OAUTH: &str = "oauth";

/// A draft as an entry of the common form.
pub fn draft_entry(draft: &Draft) -> Map<String, Value> {
    let mut entry = Map::new();
    carry_over(&mut entry, draft, |_| {});
    entry
}

/// A draft as an entry of the common form that is translated for a file. No text of the draft passes
/// for a mark of the translation.
pub(crate) fn new_entry(draft: &Draft) -> Map<String, Value> {
    let mut entry = Map::new();
    update_entry(&mut entry, draft);
    entry
}

/// Makes an entry of the common form, which was translated from a file, say what a draft says. No
/// text of the draft passes for a mark of the translation.
pub(crate) fn update_entry(entry: &mut Map<String, Value>, draft: &Draft) {
    carry_over(entry, draft, escape_texts);
}

/// Makes an entry say what a draft says, whose texts are prepared for it. Of one that somebody else
/// wrote, only the references that the user allowed come along.
fn carry_over(entry: &mut Map<String, Value>, draft: &Draft, prepare: fn(&mut Value)) {
    let draft = &draft.with_defaults_of_others();
    update_transport(entry, draft);
    let foreign = match draft.endpoint {
        DraftEndpoint::Stdio { .. } => REMOTE_FIELDS,
        DraftEndpoint::Remote(_) => STDIO_FIELDS,
    };
    for field in foreign {
        entry.shift_remove(*field);
    }
    for (field, mut expected) in fields(draft) {
        if TEXT_FIELDS.contains(&field)
            && let Some(expected) = &mut expected
        {
            prepare(expected);
        }
        match (field, expected) {
            ("tool_timeout", expected) if has_timeout_of_claude_code(entry) => {
                let milliseconds = draft.limits.as_ref().and_then(|limits| limits.tool);
                update_field(
                    entry,
                    "timeout",
                    expected.and(milliseconds.map(Value::from)),
                );
            }
            (field, expected) => update_field(entry, field, expected),
        }
    }
    if let Some(sign_in) = &draft.sign_in {
        update_sign_in(entry, sign_in);
    }
}

/// Returns true when the limit for calls stands there as Claude Code has it, in milliseconds.
pub(crate) fn has_timeout_of_claude_code(entry: &Map<String, Value>) -> bool {
    !entry.contains_key("tool_timeout") && entry.get("timeout").is_some_and(Value::is_number)
}

/// The fields that the draft says something about, with their values; `None` for a field that is
/// to be absent.
fn fields(draft: &Draft) -> Vec<(&'static str, Option<Value>)> {
    let mut fields = match &draft.endpoint {
        DraftEndpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory,
        } => vec![
            ("command", Some(command.as_str().into())),
            ("args", texts(arguments)),
            ("env", named(environment)),
            ("cwd", optional(working_directory)),
        ],
        DraftEndpoint::Remote(remote) => vec![
            ("url", Some(remote.url.as_str().into())),
            ("headers", named(&remote.headers)),
            ("ca_file", optional(&remote.ca_file)),
            ("tls_fingerprint", optional(&remote.fingerprint)),
        ],
    };
    fields.push(("era", era(draft.era)));
    if let Some(limits) = &draft.limits {
        let phases: Map<String, Value> = limits
            .phases
            .iter()
            .map(|limit| (limit.phase.clone(), seconds(limit.milliseconds)))
            .collect();
        fields.push(("startup_timeout", limits.startup.map(seconds)));
        fields.push(("tool_timeout", limits.tool.map(seconds)));
        fields.push(("phase_timeouts", object(phases)));
    }
    if let Some(tools) = &draft.tools {
        let enabled = tools.enabled.as_ref();
        fields.push((
            "enabled_tools",
            enabled.map(|names| names.as_slice().into()),
        ));
        fields.push(("disabled_tools", texts(&tools.disabled)));
    }
    fields
}

fn optional(text: &Option<String>) -> Option<Value> {
    let text = text.as_deref().filter(|text| !text.is_empty());
    text.map(Value::from)
}

fn texts(texts: &[String]) -> Option<Value> {
    (!texts.is_empty()).then(|| texts.into())
}

fn named(texts: &[NamedText]) -> Option<Value> {
    let texts = texts.iter();
    object(
        texts
            .map(|named| (named.name.clone(), named.text.as_str().into()))
            .collect(),
    )
}

fn object(members: Map<String, Value>) -> Option<Value> {
    (!members.is_empty()).then_some(Value::Object(members))
}

/// Milliseconds as seconds, without a fraction where there is none.
fn seconds(milliseconds: u32) -> Value {
    if milliseconds.is_multiple_of(1000) {
        (milliseconds / 1000).into()
    } else {
        (f64::from(milliseconds) / 1000.0).into()
    }
}

fn era(era: EraChoice) -> Option<Value> {
    match era {
        EraChoice::Auto => None,
        EraChoice::Modern => Some("modern".into()),
        EraChoice::Legacy => Some("legacy".into()),
    }
}

/// Gives a field its value. A field that means the same already is left alone, member by member.
fn update_field(entry: &mut Map<String, Value>, field: &str, expected: Option<Value>) {
    let expected = expected.map(|mut expected| {
        if let Some(actual) = entry.get(field) {
            mark_literals(actual, &mut expected);
        }
        expected
    });
    match (entry.get_mut(field), expected) {
        (None, None) => {}
        (None, Some(expected)) => {
            entry.insert(field.to_owned(), expected);
        }
        (Some(actual), None) => {
            if !means_nothing(field, actual) {
                entry.shift_remove(field);
            }
        }
        (Some(Value::Object(actual)), Some(Value::Object(expected))) => {
            actual.retain(|name, _| expected.contains_key(name));
            for (name, expected) in expected {
                if !actual
                    .get(&name)
                    .is_some_and(|actual| is_same(actual, &expected))
                {
                    actual.insert(name, expected);
                }
            }
        }
        (Some(actual), Some(expected)) => {
            if !is_same(actual, &expected) {
                *actual = expected;
            }
        }
    }
}

/// Escapes the texts of a draft, which has no marks.
fn escape_texts(value: &mut Value) {
    match value {
        Value::String(text) => *text = escaped(text).into_owned(),
        Value::Array(elements) => elements.iter_mut().for_each(escape_texts),
        Value::Object(members) => members.values_mut().for_each(escape_texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Marks again what stands for itself in the entry, and that the form shows as the file has it.
fn mark_literals(actual: &Value, expected: &mut Value) {
    match (actual, expected) {
        (Value::String(actual), Value::String(expected))
            if as_written(actual) == as_written(expected.as_str()) =>
        {
            expected.clone_from(actual);
        }
        (Value::Array(actual), Value::Array(expected)) => mark_elements(actual, expected),
        (Value::Object(actual), Value::Object(expected)) => {
            for (name, expected) in expected {
                if let Some(actual) = actual.get(name) {
                    mark_literals(actual, expected);
                }
            }
        }
        _ => {}
    }
}

/// Marks the elements of a list again. Two that are shown alike may differ, so each stands for one of
/// the entry: that at the same place from the beginning or the end, or one that is left.
fn mark_elements(actual: &[Value], expected: &mut [Value]) {
    let shorter = actual.len().min(expected.len());
    let first = (0..shorter)
        .take_while(|index| is_shown_as(&actual[*index], &expected[*index]))
        .count();
    let last = (1..=shorter - first)
        .take_while(|back| {
            is_shown_as(
                &actual[actual.len() - back],
                &expected[expected.len() - back],
            )
        })
        .count();
    let actual_end = actual.len() - last;
    let expected_end = expected.len() - last;
    expected[..first].clone_from_slice(&actual[..first]);
    expected[expected_end..].clone_from_slice(&actual[actual_end..]);
    let mut left: Vec<Option<&Value>> = actual[first..actual_end].iter().map(Some).collect();
    let between = &mut expected[first..expected_end];
    let is_as_long = left.len() == between.len();
    let mut moved = Vec::new();
    for (index, expected) in between.iter_mut().enumerate() {
        let same_place = left.get_mut(index).filter(|place| {
            is_as_long && place.is_some_and(|actual| is_shown_as(actual, expected))
        });
        match same_place.and_then(Option::take) {
            Some(actual) => expected.clone_from(actual),
            None => moved.push(expected),
        }
    }
    for expected in moved {
        let place = left
            .iter_mut()
            .find(|place| place.is_some_and(|actual| is_shown_as(actual, expected)));
        if let Some(actual) = place.and_then(Option::take) {
            expected.clone_from(actual);
        }
    }
}

/// Returns true when the form shows a text of the entry like this.
fn is_shown_as(actual: &Value, shown: &Value) -> bool {
    match (actual.as_str(), shown.as_str()) {
        (Some(actual), Some(shown)) => as_written(actual) == as_written(shown),
        _ => false,
    }
}

/// Returns true when a value says the same as the absence of its field.
fn means_nothing(field: &str, value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(word) => field == "era" && word == "auto",
        _ => false,
    }
}

/// Compares two values; numbers are limits, and a draft knows them to the millisecond.
fn is_same(actual: &Value, expected: &Value) -> bool {
    let milliseconds = |value: &Value| {
        let limit = Duration::try_from_secs_f64(value.as_f64()?).ok()?;
        Some(u32::try_from(limit.as_millis()).unwrap_or(u32::MAX))
    };
    match (actual, expected) {
        (Value::Number(_), Value::Number(_)) => milliseconds(actual) == milliseconds(expected),
        (actual, expected) => actual == expected,
    }
}

/// Names the transport where it has to be named: some clients take an entry of a remote server
/// without a `type` for a program.
fn update_transport(entry: &mut Map<String, Value>, draft: &Draft) {
    let (transport, word) = match &draft.endpoint {
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
    };
    // The other fields alone tell these two.
    let mut is_told = matches!(
        transport,
        DeclaredTransport::Stdio | DeclaredTransport::Remote(RemoteTransport::Auto)
    );
    for field in TRANSPORT_FIELDS {
        if let Some(actual) = entry.get_mut(field) {
            is_told = true;
            if actual.as_str().and_then(DeclaredTransport::from_word) != Some(transport) {
                *actual = word.into();
            }
        }
    }
    if !is_told {
        entry.insert("type".into(), word.into());
    }
}

/// The fields of an `oauth` object, the names under which each may stand first.
fn sign_in_fields(sign_in: &DraftSignIn) -> [(&'static str, Option<Value>); 4] {
    [
        ("clientId", optional(&sign_in.client_id)),
        ("clientMetadataUrl", optional(&sign_in.client_metadata_url)),
        (
            "scopes",
            sign_in.scopes.as_ref().and_then(|scopes| texts(scopes)),
        ),
        ("callbackPort", sign_in.callback_port.map(Value::from)),
    ]
}

/// Makes an entry say how to sign in. Each field is looked for where it may stand.
fn update_sign_in(entry: &mut Map<String, Value>, sign_in: &DraftSignIn) {
    if DraftSignIn::of(entry).off != sign_in.off {
        if sign_in.off {
            entry.insert(OAUTH.into(), false.into());
        } else {
            entry.shift_remove(OAUTH);
        }
    }
    if !sign_in.off {
        update_oauth(entry, sign_in);
    }
    let variable = optional(&sign_in.bearer_variable);
    if optional(&DraftSignIn::of(entry).bearer_variable) != variable {
        let field = ["bearer_token_env_var", "bearerTokenEnvVar"]
            .into_iter()
            .find(|name| entry.contains_key(*name));
        update_field(entry, field.unwrap_or("bearer_token_env_var"), variable);
    }
}

fn update_oauth(entry: &mut Map<String, Value>, sign_in: &DraftSignIn) {
    let now = DraftSignIn::of(entry);
    let before = entry.get(OAUTH).and_then(Value::as_object).cloned();
    let mut oauth = before.clone().unwrap_or_default();
    for ((name, expected), (_, actual)) in sign_in_fields(sign_in)
        .into_iter()
        .zip(sign_in_fields(&now))
    {
        if expected == actual {
            continue;
        }
        let names = SIGN_IN_FIELDS.iter().find(|(ours, _)| *ours == name);
        let present = |object: &Map<String, Value>| {
            let mut names = names.iter().flat_map(|(_, names)| names.iter().copied());
            names.find(|name| object.contains_key(*name))
        };
        let (object, key) = match (present(&oauth), present(entry)) {
            (Some(key), _) => (&mut oauth, key),
            (None, Some(key)) => (&mut *entry, key),
            (None, None) => (&mut oauth, name),
        };
        let is_text = object.get(key).is_some_and(Value::is_string);
        match expected {
            None => {
                object.shift_remove(key);
            }
            Some(Value::Array(scopes)) if is_text => {
                let words: Vec<&str> = scopes.iter().filter_map(Value::as_str).collect();
                object.insert(key.to_owned(), words.join(" ").into());
            }
            Some(value) => {
                object.insert(key.to_owned(), value);
            }
        }
    }
    if oauth == before.unwrap_or_default() {
        return;
    }
    match object(oauth) {
        Some(oauth) => {
            entry.insert(OAUTH.into(), oauth);
        }
        None => {
            entry.shift_remove(OAUTH);
        }
    }
}
