//! Reads the target of a message: the tool, the resource, the page of a list.

use std::borrow::Cow;

use serde_json::value::RawValue;

use serde::Deserialize;

use crate::envelope::Text;

/// The parameters that name what a message is about, whatever its method.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Parameters<'a> {
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    uri: Option<Text<'a>>,
    #[serde(borrow)]
    url: Option<Text<'a>>,
    #[serde(borrow)]
    cursor: Option<&'a RawValue>,
    #[serde(borrow)]
    level: Option<Text<'a>>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<Text<'a>>,
    #[serde(borrow)]
    progress: Option<&'a RawValue>,
    #[serde(borrow, rename = "progressToken")]
    progress_token: Option<&'a RawValue>,
    #[serde(borrow)]
    total: Option<&'a RawValue>,
    #[serde(borrow, rename = "requestId")]
    request_id: Option<&'a RawValue>,
    #[serde(borrow)]
    reason: Option<Text<'a>>,
    #[serde(borrow, rename = "taskId")]
    task_id: Option<Text<'a>>,
    #[serde(borrow)]
    status: Option<Text<'a>>,
    #[serde(borrow, rename = "protocolVersion")]
    protocol_version: Option<Text<'a>>,
    #[serde(borrow, rename = "ref")]
    reference: Option<&'a RawValue>,
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CompletionTarget<'a> {
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    uri: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct SampledMessage<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ContentItem<'a> {
    #[serde(borrow)]
    text: Option<Text<'a>>,
}

/// Facts learned from the parameters of a message.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct MessageSubject<'a> {
    /// Target of the message. Not yet shortened, since secrets are masked first.
    pub target: Cow<'a, str>,
    /// True when the parameters hold a `cursor`: a further page of a list.
    pub has_cursor: bool,
    /// The `requestId` of a cancellation, as it was written.
    pub request_id: Option<&'a str>,
    /// The `progressToken` of a progress notification, as it was written.
    pub progress_token: Option<&'a str>,
}

fn text<'a>(value: Option<Text<'a>>) -> Option<Cow<'a, str>> {
    value.and_then(|text| text.0)
}

fn given(value: Option<&RawValue>) -> Option<&str> {
    value.map(RawValue::get).filter(|raw| *raw != "null")
}

/// A string's content, or the JSON text of anything else.
fn plain(raw: &str) -> Cow<'_, str> {
    match serde_json::from_str::<Text<'_>>(raw) {
        Ok(Text(Some(text))) => text,
        _ => Cow::Borrowed(raw),
    }
}

fn joined<'a>(
    first: Option<Cow<'a, str>>,
    separator: &str,
    second: Option<Cow<'a, str>>,
) -> Cow<'a, str> {
    match (first, second) {
        (Some(first), Some(second)) => Cow::Owned(format!("{first}{separator}{second}")),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => Cow::Borrowed(""),
    }
}

/// Reads what the message `method` with `params` is about.
pub(crate) fn subject<'a>(method: &str, params: Option<&'a RawValue>) -> MessageSubject<'a> {
    let Some(params) = params else {
        return MessageSubject::default();
    };
    // Parameters of a wrong shape are no reason to record less than the text.
    let Ok(found) = serde_json::from_str::<Parameters<'a>>(params.get()) else {
        return MessageSubject::default();
    };
    let mut subject = MessageSubject {
        has_cursor: given(found.cursor).is_some(),
        ..MessageSubject::default()
    };
    subject.target = match method {
        "notifications/message" => joined(text(found.level), ": ", given(found.data).map(plain)),
        "notifications/progress" => {
            subject.progress_token = given(found.progress_token);
            let progress = given(found.progress);
            let counted = match (progress, given(found.total)) {
                (Some(progress), Some(total)) => Some(Cow::Owned(format!("{progress} of {total}"))),
                (progress, _) => progress.map(Cow::Borrowed),
            };
            joined(counted, ": ", text(found.message))
        }
        "notifications/cancelled" => {
            subject.request_id = given(found.request_id);
            let request = subject
                .request_id
                .map(|id| Cow::Owned(format!("request {id}")));
            joined(request, ": ", text(found.reason))
        }
        "notifications/tasks/status" => joined(text(found.task_id), ": ", text(found.status)),
        "completion/complete" => found
            .reference
            .and_then(|reference| {
                serde_json::from_str::<CompletionTarget<'a>>(reference.get()).ok()
            })
            .and_then(|reference| text(reference.name).or(text(reference.uri)))
            .unwrap_or_default(),
        "elicitation/create" => joined(text(found.message), " ", text(found.url)),
        "sampling/createMessage" => found.messages.map(last_words).unwrap_or_default(),
        "logging/setLevel" => text(found.level).unwrap_or_default(),
        "initialize" => text(found.protocol_version).unwrap_or_default(),
        _ => text(found.name)
            .or(text(found.uri))
            .or(text(found.task_id))
            .or(text(found.message))
            .unwrap_or_default(),
    };
    subject
}

/// The text of the last message that a server wants sampled.
fn last_words(messages: &RawValue) -> Cow<'_, str> {
    let Ok(messages) = serde_json::from_str::<Vec<SampledMessage<'_>>>(messages.get()) else {
        return Cow::Borrowed("");
    };
    messages
        .last()
        .and_then(|message| serde_json::from_str::<ContentItem<'_>>(message.content.get()).ok())
        .and_then(|content| text(content.text))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(method: &str, params: &str) -> String {
        let params: &RawValue = serde_json::from_str(params).expect("JSON");
        subject(method, Some(params)).target.into_owned()
    }

    #[test]
    fn each_method_names_what_it_is_about() {
        for (method, params, expected) in [
            ("tools/call", r#"{"name":"echo","arguments":{}}"#, "echo"),
            ("resources/read", r#"{"uri":"demo://a"}"#, "demo://a"),
            ("prompts/get", r#"{"name":"greet"}"#, "greet"),
            (
                "notifications/message",
                r#"{"level":"info","data":"ready"}"#,
                "info: ready",
            ),
            (
                "notifications/message",
                r#"{"level":"info","data":{"a":1.0}}"#,
                r#"info: {"a":1.0}"#,
            ),
            (
                "notifications/progress",
                r#"{"progress":1,"total":3,"message":"x"}"#,
                "1 of 3: x",
            ),
            (
                "notifications/cancelled",
                r#"{"requestId":4,"reason":"late"}"#,
                "request 4: late",
            ),
            (
                "elicitation/create",
                r#"{"message":"Your name?"}"#,
                "Your name?",
            ),
            (
                "sampling/createMessage",
                r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}"#,
                "Hi",
            ),
            (
                "completion/complete",
                r#"{"ref":{"type":"ref/prompt","name":"greet"}}"#,
                "greet",
            ),
            (
                "initialize",
                r#"{"protocolVersion":"2025-11-25"}"#,
                "2025-11-25",
            ),
            ("tools/call", r#"{"name":7}"#, ""),
            ("tools/call", r#"[1]"#, ""),
        ] {
            assert_eq!(target(method, params), expected, "{method} {params}");
        }
    }
}
