//! Takes a response apart for showing.
//!
//! Everything is read from the recorded text. Strings and objects stay slices of it, so that
//! a result of 50 MB costs a few scans and no copies, and nothing is lost to a typed layer:
//! a block of a kind that nobody knows is shown as the JSON it is.

use sightglass_area_core::{
    blob,
    view::{BlockBody, BlockView, PartView, ResultView, RpcErrorView},
};
use sightglass_json_text::{Element, ErrorObject, Members};

/// Parts up to this size travel whole with the report.
const MAX_INLINE_BYTES: usize = 256 * 1024;

/// Bytes of an error's `data` that are shown with it.
const MAX_ERROR_DATA_BYTES: usize = 64 * 1024;

/// Member of a response that holds its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultShape {
    /// `tools/call`: `content`.
    Tool,
    /// `resources/read`: `contents`.
    Resource,
    /// `prompts/get`: `messages`, each with a role and one block.
    Prompt,
    /// `tasks/get` of a tool's task that has ended (SEP-2663): `content` of the `result` or the
    /// `error` in it.
    EndedTask,
}

/// A response taken apart, and its `structuredContent` for the check against a schema.
pub struct ParsedResponse<'a> {
    pub result: Option<ResultView>,
    pub error: Option<RpcErrorView>,
    pub structured: Option<&'a str>,
}

impl ResultShape {
    /// That of the results of `method`, where they can be taken apart.
    pub fn of(method: &str) -> Option<Self> {
        match method {
            "tools/call" => Some(Self::Tool),
            "resources/read" => Some(Self::Resource),
            "prompts/get" => Some(Self::Prompt),
            "tasks/result" => Some(Self::Tool),
            _ => None,
        }
    }

    /// The JSON Pointer of what is taken apart.
    fn pointer(self) -> &'static str {
        match self {
            Self::Tool | Self::Resource | Self::Prompt => "/result",
            Self::EndedTask => "/result/result",
        }
    }
}

/// Takes the text of a JSON-RPC response apart. Without a shape only an error is looked into.
pub fn parse_response(response: &str, shape: Option<ResultShape>) -> ParsedResponse<'_> {
    let Ok(parsed) = Members::parse(response) else {
        let view = ResultView {
            problems: vec!["The response is not a JSON-RPC response.".to_owned()],
            ..empty_result()
        };
        return ParsedResponse {
            result: Some(view),
            error: None,
            structured: None,
        };
    };
    // Of a task that has ended the outcome stands one level further in.
    let outcome = match shape {
        Some(ResultShape::EndedTask) => parsed.object("result"),
        _ => None,
    };
    let outcome = outcome.as_ref().unwrap_or(&parsed);
    let error = outcome
        .given("error")
        .or_else(|| parsed.given("error"))
        .map(error_view);
    let (mut result, structured) = match outcome.given("result").zip(shape) {
        Some((result, shape)) => {
            let (view, structured) = result_view(result, shape);
            (Some(view), structured)
        }
        None => (None, None),
    };
    if let Some(result) = &mut result {
        complain_of_repetition("The response", &parsed, &mut result.problems);
        if parsed.text("error") == Some("null") {
            let problem = "The response has `\"error\": null` beside its result. JSON-RPC 2.0 \
                           (section 5) has one of them, and some clients take it for an error.";
            result.problems.push(problem.to_owned());
        }
    }
    ParsedResponse {
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
        client_limits: None,
        client_images: None,
    }
}

/// RFC 8259, section 4: what an object means that names a member twice is anybody's guess.
fn complain_of_repetition(what: &str, members: &Members<'_>, problems: &mut Vec<String>) {
    for name in members.repeated() {
        let name = beginning(name, 80);
        problems.push(format!(
            "{what} has the member {name} more than once; the last one counts here."
        ));
    }
}

fn error_view(error: &str) -> RpcErrorView {
    let Some(parsed) = ErrorObject::parse(error) else {
        return RpcErrorView {
            code: "unknown".to_owned(),
            message: "The error is not an object with code and message.".to_owned(),
            data: Some(beginning(error, MAX_ERROR_DATA_BYTES).to_owned()),
        };
    };
    RpcErrorView {
        code: parsed.code().unwrap_or("missing").to_owned(),
        message: parsed.message().unwrap_or_default(),
        data: parsed
            .data()
            .map(|data| beginning(data, MAX_ERROR_DATA_BYTES).to_owned()),
    }
}

fn result_view(result: &str, shape: ResultShape) -> (ResultView, Option<&str>) {
    let mut view = empty_result();
    let member = match shape {
        ResultShape::Tool | ResultShape::EndedTask => "content",
        ResultShape::Resource => "contents",
        ResultShape::Prompt => "messages",
    };
    let Some((parsed, list)) = Members::with_list(result, member) else {
        view.problems
            .push("The result is not an object.".to_owned());
        return (view, None);
    };
    complain_of_repetition("The result", &parsed, &mut view.problems);
    view.description = parsed.string("description");
    view.is_error = parsed.text("isError") == Some("true");
    if let Some(value) = parsed
        .given("isError")
        .filter(|value| !matches!(*value, "true" | "false"))
    {
        view.problems.push(format!(
            "isError is {}, not true or false.",
            beginning(value, 80)
        ));
    }
    match (list, parsed.given(member)) {
        (Some(entries), _) => {
            for (index, entry) in entries.into_iter().enumerate() {
                let pointer = format!("{}/{member}/{index}", shape.pointer());
                view.blocks.push(match shape {
                    ResultShape::Tool | ResultShape::EndedTask => {
                        block_view(entry, pointer, None, &mut view.problems)
                    }
                    ResultShape::Resource => contents_view(entry, pointer, &mut view.problems),
                    ResultShape::Prompt => message_view(entry, pointer, &mut view.problems),
                });
            }
        }
        (None, Some(_)) => view.problems.push(format!("{member} is not an array.")),
        (None, None) => view.problems.push(without_list(&parsed, member)),
    }
    let structured = parsed
        .given("structuredContent")
        .filter(|_| matches!(shape, ResultShape::Tool | ResultShape::EndedTask));
    view.structured =
        structured.map(|value| json_part(value, format!("{}/structuredContent", shape.pointer())));
    (view, structured)
}

/// Says that a result lacks the list of its blocks, and where its blocks may be instead.
fn without_list(result: &Members<'_>, member: &str) -> String {
    let lacks =
        format!("The result has no {member}. It has to have {member}, an array that may be empty.");
    match result.given("toolResult") {
        Some(_) if member == "content" => format!(
            "{lacks} toolResult is of protocol version 2024-10-07, and clients do not look there."
        ),
        _ => lacks,
    }
}

fn message_view(message: Element<'_>, pointer: String, problems: &mut Vec<String>) -> BlockView {
    let parsed = message.members.as_ref();
    let content = parsed.and_then(|parsed| parsed.given("content"));
    match (parsed, content.map(Element::within)) {
        (Some(parsed), Some(content)) => {
            complain_of_repetition(&pointer, parsed, problems);
            let role = parsed.string("role");
            block_view(content, format!("{pointer}/content"), role, problems)
        }
        _ => {
            problems.push(format!("{pointer} is not a message with role and content."));
            unknown(message.text, pointer, String::new())
        }
    }
}

/// One entry of `contents`: like an embedded resource, without the block around it.
fn contents_view(contents: Element<'_>, pointer: String, problems: &mut Vec<String>) -> BlockView {
    let body = contents.members.and_then(|parsed| {
        complain_of_repetition(&pointer, &parsed, problems);
        resource_body(&parsed, &pointer)
    });
    match body {
        Some(body) => BlockView {
            body,
            role: None,
            annotations: None,
            pointer,
        },
        None => {
            problems.push(format!("{pointer} has neither text nor blob."));
            unknown(contents.text, pointer, String::new())
        }
    }
}

fn block_view(
    block: Element<'_>,
    pointer: String,
    role: Option<String>,
    problems: &mut Vec<String>,
) -> BlockView {
    let Some(parsed) = block.members else {
        problems.push(format!("{pointer} is not a content block."));
        return BlockView {
            role,
            ..unknown(block.text, pointer, String::new())
        };
    };
    complain_of_repetition(&pointer, &parsed, problems);
    let annotations = parsed.given("annotations").map(str::to_owned);
    let kind = parsed.string("type").unwrap_or_default();
    if kind.is_empty() {
        problems.push(format!("{pointer} does not say what type it is of."));
    }
    match block_body(&kind, &parsed, &pointer) {
        Some(body) => BlockView {
            body,
            role,
            annotations,
            pointer,
        },
        None => {
            if !kind.is_empty() {
                problems.push(block_problem(&kind, &parsed, &pointer));
            }
            BlockView {
                role,
                annotations,
                ..unknown(block.text, pointer, kind)
            }
        }
    }
}

/// Says why a block cannot be read as one of its type.
fn block_problem(kind: &str, block: &Members<'_>, pointer: &str) -> String {
    let required: &[&str] = match kind {
        "text" => &["text"],
        "image" | "audio" => &["data", "mimeType"],
        "resource_link" => &["uri"],
        "resource" => {
            return format!(
                "{pointer} of type resource lacks resource, an object with text or blob."
            );
        }
        _ => {
            return format!(
                "{pointer} is of type {}, which MCP does not define for content, and some clients \
                 refuse the result. The types are text, image, audio, resource_link and resource; \
                 send anything else as text.",
                beginning(kind, 80)
            );
        }
    };
    let lacking = required.iter().filter(|name| block.string(name).is_none());
    let lacking: Vec<&str> = lacking.copied().collect();
    format!(
        "{pointer} of type {kind} lacks {}, which it has to have as a string.",
        lacking.join(" and ")
    )
}

fn block_body(kind: &str, parsed: &Members<'_>, pointer: &str) -> Option<BlockBody> {
    let binary = || {
        let data = string_slice(parsed.text("data")?)?;
        let mime_type = parsed.string("mimeType")?;
        Some((
            mime_type,
            format!("{pointer}/data"),
            blob::decoded_size(data),
        ))
    };
    match kind {
        "text" => Some(BlockBody::Text {
            text: text_part(parsed.text("text")?, format!("{pointer}/text"))?,
        }),
        "image" => binary().map(|(mime_type, pointer, size)| BlockBody::Image {
            mime_type,
            pointer,
            size,
        }),
        "audio" => binary().map(|(mime_type, pointer, size)| BlockBody::Audio {
            mime_type,
            pointer,
            size,
        }),
        "resource_link" => {
            let uri = parsed.string("uri")?;
            Some(BlockBody::ResourceLink {
                name: parsed.string("name").unwrap_or_else(|| uri.clone()),
                uri,
                title: parsed.string("title"),
                description: parsed.string("description"),
                mime_type: parsed.string("mimeType"),
            })
        }
        "resource" => {
            let embedded = parsed.object("resource")?;
            resource_body(&embedded, &format!("{pointer}/resource"))
        }
        _ => None,
    }
}

fn resource_body(parsed: &Members<'_>, pointer: &str) -> Option<BlockBody> {
    let uri = parsed.string("uri").unwrap_or_default();
    let mime_type = parsed.string("mimeType");
    if let Some(text) = parsed.given("text") {
        let text = text_part(text, format!("{pointer}/text"))?;
        return Some(BlockBody::TextResource {
            uri,
            mime_type,
            text,
        });
    }
    let size = blob::decoded_size(string_slice(parsed.given("blob")?)?);
    Some(BlockBody::BinaryResource {
        uri,
        mime_type,
        pointer: format!("{pointer}/blob"),
        size,
    })
}

fn unknown(json: &str, pointer: String, type_name: String) -> BlockView {
    let json = json_part(json, pointer.clone());
    BlockView {
        body: BlockBody::Unknown { type_name, json },
        role: None,
        annotations: None,
        pointer,
    }
}

fn json_part(text: &str, pointer: String) -> PartView {
    PartView {
        pointer,
        size: text.len().into(),
        text: (text.len() <= MAX_INLINE_BYTES).then(|| text.to_owned()),
        lines: None,
    }
}

/// A string value: unescaped when it is small, only measured when it is not. `None` when it
/// is no string.
fn text_part(value: &str, pointer: String) -> Option<PartView> {
    let inside = string_slice(value)?;
    let text = if inside.len() <= MAX_INLINE_BYTES {
        Some(serde_json::from_str(value).ok()?)
    } else {
        None
    };
    let size = text.as_ref().map_or(inside.len(), String::len).into();
    Some(PartView {
        pointer,
        size,
        text,
        lines: None,
    })
}

/// Returns the text between the quotes of a JSON string, escapes included.
fn string_slice(value: &str) -> Option<&str> {
    value.strip_prefix('"')?.strip_suffix('"')
}

/// At most `limit` bytes of a text, cut between characters.
fn beginning(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool_result(json: &str) -> ResultView {
        parse_response(json, Some(ResultShape::Tool))
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
        assert_eq!(
            view.problems,
            [
                "/result/content/4 is of type hologram, which MCP does not define for content, and \
                 some clients refuse the result. The types are text, image, audio, resource_link \
                 and resource; send anything else as text."
            ]
        );
        assert_eq!(
            view.structured.expect("structured").text.as_deref(),
            Some(r#"{"n":9007199254740993}"#)
        );
        let kinds: Vec<&str> = view
            .blocks
            .iter()
            .map(|block| match &block.body {
                BlockBody::Text { text } => text.text.as_deref().expect("short"),
                BlockBody::Image { size, .. } if size.as_u64() == 5 => "image",
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
        let lacks =
            "The result has no content. It has to have content, an array that may be empty.";
        assert_eq!(tool_result(r#"{"id":1,"result":{}}"#).problems, [lacks]);
        let old = tool_result(r#"{"id":1,"result":{"toolResult":{}}}"#).problems;
        assert_eq!(old.len(), 1, "{old:?}");
        assert!(
            old[0].starts_with(lacks) && old[0].contains("2024-10-07"),
            "{old:?}"
        );
        let whole = tool_result(r#"{"id":1,"result":{"toolResult":{},"content":[]}}"#);
        assert_eq!(whole.problems, [""; 0]);
    }

    #[test]
    fn a_block_that_lacks_something_names_what_it_lacks() {
        for (block, problem) in [
            (
                r#"{"type":"text","mailboxes":[]}"#,
                "of type text lacks text, which it has to have as a string.",
            ),
            (r#"{"type":"text","text":7}"#, "lacks text, which"),
            (r#"{"type":"image","data":"AAAA"}"#, "lacks mimeType, which"),
            (r#"{"type":"audio"}"#, "lacks data and mimeType, which"),
            (r#"{"type":"resource_link","name":"a"}"#, "lacks uri, which"),
            (
                r#"{"type":"resource","uri":"demo://a"}"#,
                "lacks resource, an object with text or blob.",
            ),
            (r#"{"type":"json","json":{}}"#, "which MCP does not define"),
            (r#"{"json":{}}"#, "does not say what type it is of."),
        ] {
            let view = tool_result(&format!(r#"{{"id":1,"result":{{"content":[{block}]}}}}"#));
            assert_eq!(view.problems.len(), 1, "{block}: {:?}", view.problems);
            assert!(view.problems[0].contains(problem), "{:?}", view.problems);
        }
    }

    #[test]
    fn a_member_that_is_there_twice_is_told_and_the_last_counts() {
        let view = tool_result(
            r#"{"id":1,"result":1,"result":{"content":[],"content":[{"type":"text","text":"a","text":"b"}]}}"#,
        );
        let BlockBody::Text { text } = &view.blocks[0].body else {
            panic!("text")
        };
        assert_eq!(text.text.as_deref(), Some("b"));
        assert_eq!(view.problems.len(), 3, "{:?}", view.problems);
        assert!(view.problems[0].contains("the member content more than once"));
    }

    #[test]
    fn nesting_has_no_limit() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let json = format!(
            r#"{{"id":1,"result":{{"content":[],"structuredContent":{deep},"x":{deep}}}}}"#
        );
        let parsed = parse_response(&json, Some(ResultShape::Tool));
        assert_eq!(parsed.structured, Some(deep.as_str()));
        assert_eq!(parsed.result.expect("a result").problems, [""; 0]);
    }

    #[test]
    fn an_error_keeps_its_code_and_data_verbatim() {
        let parsed = parse_response(
            r#"{"id":1,"error":{"code":-32602,"message":"bad","data":{"big":12345678901234567890}}}"#,
            Some(ResultShape::Tool),
        );
        let error = parsed.error.expect("an error");
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
        assert_eq!((text.text.as_deref(), text.size.as_u64()), (None, 300_000));
        assert_eq!(text.pointer, "/result/content/0/text");
    }

    #[test]
    fn prompt_messages_carry_their_roles() {
        let parsed = parse_response(
            r#"{"id":1,"result":{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}}"#,
            Some(ResultShape::Prompt),
        );
        let view = parsed.result.expect("a result");
        assert_eq!(view.description.as_deref(), Some("d"));
        assert_eq!(view.blocks[0].role.as_deref(), Some("user"));
        assert_eq!(view.blocks[0].pointer, "/result/messages/0/content");
    }
}
