//! Reads from the text of a message what the rules of correlation need.
//!
//! Texts are a stranger's: whatever has another shape than the protocol says is as good as absent.

use std::collections::BTreeSet;

use memchr::memmem;
use sightglass_json_text::{Members, Message, elements};
use sightglass_secrets::MASK;

use super::TaskStatus;
use crate::TraceParent;

/// Resource links of one result that are remembered.
const MAX_RESOURCE_LINKS: usize = 256;

/// One message of a frame.
#[derive(Debug, PartialEq)]
pub(super) enum MessageFacts<'a> {
    Request(RequestFacts<'a>),
    Notification(NotificationFacts<'a>),
    /// A result or an error; with its id, as it was written.
    Answer(Option<&'a str>),
}

/// A request. Ids and tokens are as they were written.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RequestFacts<'a> {
    pub id: &'a str,
    pub method: String,
    /// The tool or prompt by its name, or the resource by its URI.
    pub name: Option<String>,
    pub progress_token: Option<&'a str>,
    pub request_state: Option<&'a str>,
    /// Keys of `inputResponses`.
    pub answered: Option<BTreeSet<String>>,
    pub task: Option<String>,
    pub related_task: Option<String>,
    /// The trace that it says it is part of.
    pub trace: Option<[u8; 16]>,
    pub has_cursor: bool,
}

/// A notification.
#[derive(Debug, Default, PartialEq)]
pub(super) struct NotificationFacts<'a> {
    pub method: String,
    pub progress_token: Option<&'a str>,
    pub request_id: Option<&'a str>,
    pub task: Option<String>,
    pub status: Option<TaskStatus>,
    pub related_task: Option<String>,
    pub subscription: Option<&'a str>,
}

/// A result, as far as it leads to more.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ResultFacts<'a> {
    /// Questions of an input-required result.
    pub input_required: Option<InputRequired<'a>>,
    pub task: Option<String>,
    pub status: Option<TaskStatus>,
    /// True when the task asks for input.
    pub task_asks: bool,
    pub resource_links: Vec<String>,
}

/// Values that have to come back with the next round.
#[derive(Debug, PartialEq)]
pub(super) struct InputRequired<'a> {
    pub state: Option<&'a str>,
    /// Keys of `inputRequests`.
    pub keys: BTreeSet<String>,
    /// True when a person has to answer, and not the client by itself.
    pub asks_person: bool,
}

/// Returns true for the requests of a server that a person answers.
pub(crate) fn asks_person(method: &str) -> bool {
    matches!(method, "elicitation/create" | "sampling/createMessage")
}

/// Takes apart the messages of a text, one or those of a batch; none where it is no JSON-RPC.
pub(super) fn messages(text: &[u8]) -> Vec<MessageFacts<'_>> {
    let Ok(text) = str::from_utf8(text) else {
        return Vec::new();
    };
    let all = Message::all(text).unwrap_or_default();
    all.iter().filter_map(facts_of).collect()
}

fn facts_of<'a>(message: &Message<'a>) -> Option<MessageFacts<'a>> {
    let id = message.id();
    let Some(method) = message.method() else {
        let is_answer = message.result().or(message.error()).is_some();
        return is_answer.then_some(MessageFacts::Answer(id));
    };
    let params = message.members().object("params");
    let meta = object(&params, "_meta");
    let related_task = string(&object(&meta, RELATED_TASK), "taskId");
    Some(match id {
        Some(id) => MessageFacts::Request(RequestFacts {
            id,
            method,
            name: string(&params, "name").or_else(|| string(&params, "uri")),
            progress_token: given(&meta, "progressToken"),
            request_state: given(&params, "requestState").filter(|state| !state.contains(MASK)),
            answered: given(&params, "inputResponses").and_then(keys),
            task: string(&params, "taskId"),
            related_task,
            trace: string(&meta, "traceparent")
                .and_then(|text| TraceParent::parse(&text))
                .map(|parent| parent.trace),
            has_cursor: given(&params, "cursor").is_some(),
        }),
        None => MessageFacts::Notification(NotificationFacts {
            method,
            progress_token: given(&params, "progressToken"),
            request_id: given(&params, "requestId"),
            task: string(&params, "taskId"),
            status: string(&params, "status").and_then(|status| task_status(&status)),
            related_task,
            subscription: given(&meta, "io.modelcontextprotocol/subscriptionId"),
        }),
    })
}

const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// Reads the result of an answer; nothing where it leads to nothing.
pub(super) fn result(text: &[u8]) -> Option<ResultFacts<'_>> {
    const NEEDLES: [&[u8]; 4] = [
        b"\"input_required\"",
        b"\"inputRequests\"",
        b"\"taskId\"",
        b"\"resource_link\"",
    ];
    // Few results hold any of these, and parsing large ones takes long.
    if !NEEDLES
        .iter()
        .any(|needle| memmem::find(text, needle).is_some())
    {
        return None;
    }
    let members = Members::parse(str::from_utf8(text).ok()?).ok()?;
    let result = members.object("result");
    let requests = object(&result, "inputRequests");
    let asks = requests.as_ref().is_some_and(|requests| {
        requests
            .iter()
            .filter_map(|(_, request)| Members::parse(request).ok()?.string("method"))
            .any(|method| asks_person(&method))
    });
    let kind = string(&result, "resultType");
    let is_input_required = kind.as_deref() == Some("input_required");
    // A task is flat in the extension, and a member in revision 2025-11-25.
    let nested = object(&result, "task");
    let task_of = |name| string(&nested, name).or_else(|| string(&result, name));
    Some(ResultFacts {
        input_required: is_input_required.then(|| InputRequired {
            state: given(&result, "requestState").filter(|state| !state.contains(MASK)),
            keys: given(&result, "inputRequests")
                .and_then(keys)
                .unwrap_or_default(),
            asks_person: asks,
        }),
        task: task_of("taskId"),
        status: task_of("status").and_then(|status| task_status(&status)),
        task_asks: !is_input_required && asks,
        resource_links: resource_links(given(&result, "content")),
    })
}

/// The status of the answer to an HTTP request, from the first line of its text.
pub(super) fn http_status(text: &[u8]) -> Option<u16> {
    let line = text.split(|byte| matches!(byte, b'\n' | b' ')).next()?;
    str::from_utf8(line).ok()?.parse().ok()
}

fn object<'a>(members: &Option<Members<'a>>, name: &str) -> Option<Members<'a>> {
    members.as_ref()?.object(name)
}

fn given<'a>(members: &Option<Members<'a>>, name: &str) -> Option<&'a str> {
    members.as_ref()?.given(name)
}

fn string(members: &Option<Members<'_>>, name: &str) -> Option<String> {
    members.as_ref()?.string(name)
}

fn keys(text: &str) -> Option<BTreeSet<String>> {
    let members = Members::parse(text).ok()?;
    Some(members.iter().map(|(name, _)| name.to_owned()).collect())
}

fn task_status(status: &str) -> Option<TaskStatus> {
    Some(match status {
        "working" => TaskStatus::Working,
        "input_required" => TaskStatus::InputRequired,
        "completed" => TaskStatus::Completed,
        "failed" => TaskStatus::Failed,
        "cancelled" => TaskStatus::Cancelled,
        _ => return None,
    })
}

/// The URIs of the blocks that are links to resources.
fn resource_links(content: Option<&str>) -> Vec<String> {
    let blocks = content.and_then(elements).unwrap_or_default();
    blocks
        .into_iter()
        .filter_map(|block| {
            let block = Members::parse(block).ok()?;
            let is_link = block.string("type").as_deref() == Some("resource_link");
            block.string("uri").filter(|_| is_link)
        })
        .take(MAX_RESOURCE_LINKS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_another_shape_is_absent() {
        for text in [
            "",
            "[",
            "7",
            "[7]",
            "\"x\"",
            r#"{"id":1}"#,
            r#"{"method":7,"id":1}"#,
            "\u{1}\u{2}",
        ] {
            assert_eq!(messages(text.as_bytes()), [], "{text}");
        }
        let text = br#"{"id":1,"method":"tools/call","params":[{"_meta":{}}]}"#;
        let MessageFacts::Request(request) = &messages(text)[0] else {
            panic!("a request");
        };
        assert_eq!(
            *request,
            RequestFacts {
                id: "1",
                method: "tools/call".to_owned(),
                ..RequestFacts::default()
            }
        );
        assert_eq!(
            result(br#"{"result":"\"taskId\" \"input_required\""}"#),
            None
        );
        let odd = result(br#"{"result":["taskId"]}"#).expect("the word stands in it");
        assert_eq!(odd, ResultFacts::default());
    }

    #[test]
    fn a_state_that_holds_a_masked_secret_is_not_compared() {
        let text = r#"{"id":1,"method":"tools/call","params":{"name":"a","requestState":"x•••"}}"#;
        let MessageFacts::Request(request) = &messages(text.as_bytes())[0] else {
            panic!("a request");
        };
        assert_eq!(request.request_state, None);
    }

    #[test]
    fn the_status_stands_first() {
        assert_eq!(http_status(b"401 Unauthorized\na: b\n"), Some(401));
        assert_eq!(http_status(b"200\n"), Some(200));
        assert_eq!(http_status(b"no answer: gone\n"), None);
        assert_eq!(http_status(b""), None);
    }
}
