//! Takes a response apart for showing.
//!
//! Everything is read from the recorded text. Strings and objects stay slices of it, so that
//! a result of 50 MB costs a few scans and no copies, and nothing is lost to a typed layer:
//! a block of a kind that nobody knows is shown as the JSON it is.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    blob,
    view::{BlockBody, BlockView, PartView, ResultView, RpcErrorView},
};

/// Parts up to this size travel whole with the report.
const INLINE_LIMIT: usize = 256 * 1024;

/// How much of an error's `data` is shown with it.
const ERROR_DATA_LIMIT: usize = 64 * 1024;

/// Where a response keeps its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultShape {
    /// `tools/call`: `content`.
    Tool,
    /// `resources/read`: `contents`.
    Resource,
    /// `prompts/get`: `messages`, each with a role and one block.
    Prompt,
}

#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct RawResult<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    contents: Option<&'a RawValue>,
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
    #[serde(borrow)]
    structured_content: Option<&'a RawValue>,
    #[serde(borrow)]
    is_error: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawMessage<'a> {
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    blob: Option<&'a RawValue>,
    #[serde(borrow)]
    mime_type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    uri: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    title: Option<Cow<'a, str>>,
    #[serde(borrow)]
    description: Option<Cow<'a, str>>,
    #[serde(borrow)]
    resource: Option<&'a RawValue>,
    #[serde(borrow)]
    annotations: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawError<'a> {
    #[serde(borrow)]
    code: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// A response taken apart, and its `structuredContent` for the check against a schema.
pub(crate) struct Anatomy<'a> {
    pub result: Option<ResultView>,
    pub error: Option<RpcErrorView>,
    pub structured: Option<&'a str>,
}

impl ResultShape {
    /// That of the results of `method`, where they can be taken apart.
    pub(crate) fn of(method: &str) -> Option<Self> {
        match method {
            "tools/call" => Some(Self::Tool),
            "resources/read" => Some(Self::Resource),
            "prompts/get" => Some(Self::Prompt),
            _ => None,
        }
    }
}

/// Takes the text of a JSON-RPC response apart. Without a shape only an error is looked into.
pub(crate) fn dissect(response: &[u8], shape: Option<ResultShape>) -> Anatomy<'_> {
    let Ok(parsed) = serde_json::from_slice::<Response<'_>>(response) else {
        let view = ResultView {
            problems: vec!["The response is not a JSON-RPC response.".to_owned()],
            ..empty_result()
        };
        return Anatomy {
            result: Some(view),
            error: None,
            structured: None,
        };
    };
    let error = parsed.error.map(error_view);
    let (result, structured) = match parsed.result.zip(shape) {
        Some((result, shape)) => {
            let (view, structured) = result_view(result, shape);
            (Some(view), structured)
        }
        None => (None, None),
    };
    Anatomy {
        result,
        error,
        structured,
    }
}

fn empty_result() -> ResultView {
    ResultView {
        is_error: false,
        blocks: Vec::new(),
        description: None,
        structured: None,
        schema_check: None,
        problems: Vec::new(),
    }
}

fn error_view(error: &RawValue) -> RpcErrorView {
    let Ok(parsed) = serde_json::from_str::<RawError<'_>>(error.get()) else {
        return RpcErrorView {
            code: "unknown".to_owned(),
            message: "The error is not an object with code and message.".to_owned(),
            data: Some(beginning(error.get(), ERROR_DATA_LIMIT).to_owned()),
        };
    };
    RpcErrorView {
        code: parsed.code.map_or("missing", RawValue::get).to_owned(),
        message: parsed.message.map(Cow::into_owned).unwrap_or_default(),
        data: parsed
            .data
            .map(|data| beginning(data.get(), ERROR_DATA_LIMIT).to_owned()),
    }
}

fn result_view(result: &RawValue, shape: ResultShape) -> (ResultView, Option<&str>) {
    let mut view = empty_result();
    let Ok(parsed) = serde_json::from_str::<RawResult<'_>>(result.get()) else {
        view.problems
            .push("The result is not an object.".to_owned());
        return (view, None);
    };
    view.description = parsed.description.and_then(text_of);
    view.is_error = parsed.is_error.is_some_and(|value| value.get() == "true");
    if let Some(value) = parsed
        .is_error
        .filter(|value| !matches!(value.get(), "true" | "false"))
    {
        view.problems.push(format!(
            "isError is {}, not true or false.",
            beginning(value.get(), 80)
        ));
    }
    let (member, list) = match shape {
        ResultShape::Tool => ("content", parsed.content),
        ResultShape::Resource => ("contents", parsed.contents),
        ResultShape::Prompt => ("messages", parsed.messages),
    };
    match list.map(|list| serde_json::from_str::<Vec<&RawValue>>(list.get())) {
        Some(Ok(entries)) => {
            for (index, entry) in entries.into_iter().enumerate() {
                let pointer = format!("/result/{member}/{index}");
                view.blocks.push(match shape {
                    ResultShape::Tool => block_view(entry, pointer, None, &mut view.problems),
                    ResultShape::Resource => contents_view(entry, pointer, &mut view.problems),
                    ResultShape::Prompt => message_view(entry, pointer, &mut view.problems),
                });
            }
        }
        Some(Err(_)) => view.problems.push(format!("{member} is not an array.")),
        None => view.problems.push(format!("The result has no {member}.")),
    }
    let structured = parsed
        .structured_content
        .filter(|_| shape == ResultShape::Tool);
    view.structured =
        structured.map(|value| json_part(value, "/result/structuredContent".to_owned()));
    (view, structured.map(RawValue::get))
}

fn message_view(message: &RawValue, pointer: String, problems: &mut Vec<String>) -> BlockView {
    match serde_json::from_str::<RawMessage<'_>>(message.get()) {
        Ok(RawMessage {
            role,
            content: Some(content),
        }) => block_view(
            content,
            format!("{pointer}/content"),
            role.map(Cow::into_owned),
            problems,
        ),
        _ => {
            problems.push(format!("{pointer} is not a message with role and content."));
            unknown(message, pointer, String::new())
        }
    }
}

/// One entry of `contents`: like an embedded resource, without the block around it.
fn contents_view(contents: &RawValue, pointer: String, problems: &mut Vec<String>) -> BlockView {
    let body = serde_json::from_str::<RawBlock<'_>>(contents.get())
        .ok()
        .and_then(|parsed| resource_body(parsed, &pointer));
    match body {
        Some(body) => BlockView {
            body,
            role: None,
            annotations: None,
            pointer,
        },
        None => {
            problems.push(format!("{pointer} has neither text nor blob."));
            unknown(contents, pointer, String::new())
        }
    }
}

fn block_view(
    block: &RawValue,
    pointer: String,
    role: Option<String>,
    problems: &mut Vec<String>,
) -> BlockView {
    let Ok(parsed) = serde_json::from_str::<RawBlock<'_>>(block.get()) else {
        problems.push(format!("{pointer} is not a content block."));
        return BlockView {
            role,
            ..unknown(block, pointer, String::new())
        };
    };
    let annotations = parsed.annotations.map(|value| value.get().to_owned());
    let kind = parsed.kind.clone().map(Cow::into_owned).unwrap_or_default();
    match block_body(&kind, parsed, &pointer) {
        Some(body) => BlockView {
            body,
            role,
            annotations,
            pointer,
        },
        None => {
            if matches!(
                kind.as_str(),
                "text" | "image" | "audio" | "resource_link" | "resource"
            ) {
                problems.push(format!(
                    "{pointer} of type {kind} lacks a member it has to have."
                ));
            }
            BlockView {
                role,
                annotations,
                ..unknown(block, pointer, kind)
            }
        }
    }
}

fn block_body(kind: &str, parsed: RawBlock<'_>, pointer: &str) -> Option<BlockBody> {
    let binary = |parsed: RawBlock<'_>| {
        let data = string_slice(parsed.data?)?;
        let mime_type = parsed.mime_type?.into_owned();
        Some((
            mime_type,
            format!("{pointer}/data"),
            blob::decoded_size(data),
        ))
    };
    match kind {
        "text" => Some(BlockBody::Text {
            text: text_part(parsed.text?, format!("{pointer}/text"))?,
        }),
        "image" => binary(parsed).map(|(mime_type, pointer, size)| BlockBody::Image {
            mime_type,
            pointer,
            size,
        }),
        "audio" => binary(parsed).map(|(mime_type, pointer, size)| BlockBody::Audio {
            mime_type,
            pointer,
            size,
        }),
        "resource_link" => {
            let uri = parsed.uri?.into_owned();
            Some(BlockBody::ResourceLink {
                name: parsed.name.map_or_else(|| uri.clone(), Cow::into_owned),
                uri,
                title: parsed.title.map(Cow::into_owned),
                description: parsed.description.map(Cow::into_owned),
                mime_type: parsed.mime_type.map(Cow::into_owned),
            })
        }
        "resource" => {
            let embedded = serde_json::from_str::<RawBlock<'_>>(parsed.resource?.get()).ok()?;
            resource_body(embedded, &format!("{pointer}/resource"))
        }
        _ => None,
    }
}

fn resource_body(parsed: RawBlock<'_>, pointer: &str) -> Option<BlockBody> {
    let uri = parsed.uri.map(Cow::into_owned).unwrap_or_default();
    let mime_type = parsed.mime_type.map(Cow::into_owned);
    if let Some(text) = parsed.text {
        let text = text_part(text, format!("{pointer}/text"))?;
        return Some(BlockBody::TextResource {
            uri,
            mime_type,
            text,
        });
    }
    let size = blob::decoded_size(string_slice(parsed.blob?)?);
    Some(BlockBody::BinaryResource {
        uri,
        mime_type,
        pointer: format!("{pointer}/blob"),
        size,
    })
}

fn unknown(json: &RawValue, pointer: String, type_name: String) -> BlockView {
    let json = json_part(json, pointer.clone());
    BlockView {
        body: BlockBody::Unknown { type_name, json },
        role: None,
        annotations: None,
        pointer,
    }
}

fn json_part(value: &RawValue, pointer: String) -> PartView {
    let text = value.get();
    PartView {
        pointer,
        size: text.len() as f64,
        text: (text.len() <= INLINE_LIMIT).then(|| text.to_owned()),
    }
}

/// A string value: unescaped when it is small, only measured when it is not. `None` when it
/// is no string.
fn text_part(value: &RawValue, pointer: String) -> Option<PartView> {
    let inside = string_slice(value)?;
    let text = if inside.len() <= INLINE_LIMIT {
        Some(text_of(value)?)
    } else {
        None
    };
    let size = text.as_ref().map_or(inside.len(), String::len) as f64;
    Some(PartView {
        pointer,
        size,
        text,
    })
}

/// What stands between the quotes of a JSON string, escapes included.
fn string_slice(value: &RawValue) -> Option<&str> {
    value.get().strip_prefix('"')?.strip_suffix('"')
}

fn text_of(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// At most `limit` bytes of a text, cut between characters.
fn beginning(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool_result(json: &str) -> ResultView {
        dissect(json.as_bytes(), Some(ResultShape::Tool))
            .result
            .expect("a result")
    }

    #[test]
    fn every_kind_of_content_is_recognised() {
        let view = tool_result(
            r#"{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[
                {"type":"text","text":"a\nb","annotations":{"priority":1}},
                {"type":"image","data":"aGVsbG8=","mimeType":"image/png"},
                {"type":"resource_link","uri":"file:///a","name":"a"},
                {"type":"resource","resource":{"uri":"demo://b","blob":"AAAA","mimeType":"x/y"}},
                {"type":"hologram","depth":3}],
                "structuredContent":{"n":9007199254740993}}}"#,
        );
        assert!(view.is_error);
        assert_eq!(view.problems, [] as [String; 0]);
        assert_eq!(
            view.structured.expect("structured").text.as_deref(),
            Some(r#"{"n":9007199254740993}"#)
        );
        let kinds: Vec<&str> = view
            .blocks
            .iter()
            .map(|block| match &block.body {
                BlockBody::Text { text } => text.text.as_deref().expect("short"),
                BlockBody::Image { size, .. } if *size == 5.0 => "image",
                BlockBody::ResourceLink { name, .. } => name,
                BlockBody::BinaryResource { pointer, .. } => pointer,
                BlockBody::Unknown { type_name, .. } => type_name,
                _ => "unexpected",
            })
            .collect();
        assert_eq!(
            kinds,
            [
                "a\nb",
                "image",
                "a",
                "/result/content/3/resource/blob",
                "hologram"
            ]
        );
    }

    #[test]
    fn what_is_malformed_is_said_and_still_shown() {
        let view =
            tool_result(r#"{"id":1,"result":{"content":[{"type":"text"},7],"isError":"no"}}"#);
        assert_eq!(view.blocks.len(), 2);
        assert_eq!(view.problems.len(), 3, "{:?}", view.problems);
        assert_eq!(
            tool_result(r#"{"id":1,"result":{}}"#).problems,
            ["The result has no content."]
        );
    }

    #[test]
    fn an_error_keeps_its_code_and_data_verbatim() {
        let anatomy = dissect(
            br#"{"id":1,"error":{"code":-32602,"message":"bad","data":{"big":12345678901234567890}}}"#,
            Some(ResultShape::Tool),
        );
        let error = anatomy.error.expect("an error");
        assert_eq!(
            (error.code.as_str(), error.message.as_str()),
            ("-32602", "bad")
        );
        assert_eq!(
            error.data.as_deref(),
            Some(r#"{"big":12345678901234567890}"#)
        );
    }

    #[test]
    fn a_large_text_is_measured_and_left_in_the_record() {
        let json = format!(
            r#"{{"id":1,"result":{{"content":[{{"type":"text","text":"{}"}}]}}}}"#,
            "x".repeat(300_000)
        );
        let view = tool_result(&json);
        let BlockBody::Text { text } = &view.blocks[0].body else {
            panic!("text")
        };
        assert_eq!((text.text.as_deref(), text.size), (None, 300_000.0));
        assert_eq!(text.pointer, "/result/content/0/text");
    }

    #[test]
    fn prompt_messages_carry_their_roles() {
        let anatomy = dissect(
            br#"{"id":1,"result":{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}}"#,
            Some(ResultShape::Prompt),
        );
        let view = anatomy.result.expect("a result");
        assert_eq!(view.description.as_deref(), Some("d"));
        assert_eq!(view.blocks[0].role.as_deref(), Some("user"));
        assert_eq!(view.blocks[0].pointer, "/result/messages/0/content");
    }
}
