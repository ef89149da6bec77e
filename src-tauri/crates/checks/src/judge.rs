//! Judges answers of a server.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};
use sightglass_json_text::{ErrorObject, Message, quoted};
use sightglass_model::brief;

/// Judgement on a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    Passed,
    /// The finding, in a sentence.
    Failed(String),
    /// Reason why it could not be decided, in a sentence.
    Skipped(String),
    /// Reason why it is not about this server, in a sentence.
    NotApplicable(String),
}

/// Answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Result(Value),
    Error {
        code: i64,
        data: Option<Value>,
    },
    /// None came, or none that can be read; the reason as a sentence.
    None(String),
}

/// JSON-RPC error of a method that does not exist (JSON-RPC 2.0, section 5.1).
pub const METHOD_NOT_FOUND: i64 = -32601;
/// JSON-RPC error of parameters that cannot be used (JSON-RPC 2.0, section 5.1).
pub const INVALID_PARAMS: i64 = -32602;
/// Error of an unknown resource, up to MCP 2025-11-25.
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// Error of headers that do not match the body (MCP 2026-07-28).
pub const HEADER_MISMATCH: i64 = -32020;
/// Error of an unsupported revision (MCP 2026-07-28).
pub const UNSUPPORTED_VERSION: i64 = -32022;

/// Revisions of the specification.
const REVISIONS: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

/// Problems of one kind that are told.
const MAX_TOLD: usize = 3;
/// Characters of a name that are told.
const MAX_NAME: usize = 80;

impl Answer {
    /// Reads the text of a response.
    pub fn of_response(text: &str) -> Self {
        let Ok(message) = Message::parse(text) else {
            return Self::None("The answer is not a JSON object.".to_owned());
        };
        if let Some(result) = message.result() {
            return match serde_json::from_str(result) {
                Ok(result) => Self::Result(result),
                Err(error) => Self::None(format!("The result cannot be read: {error}.")),
            };
        }
        let error = message.error().and_then(ErrorObject::parse);
        match error.as_ref().and_then(integer_code) {
            Some(code) => Self::Error {
                code,
                data: error
                    .and_then(|error| error.data())
                    .and_then(|data| serde_json::from_str(data).ok()),
            },
            None => Self::None("The answer is neither a result nor an error.".to_owned()),
        }
    }

    /// Returns the result, where it is one.
    pub fn result(&self) -> Option<&Value> {
        match self {
            Self::Result(result) => Some(result),
            _ => None,
        }
    }
}

/// Judges whether a request was refused with one of these codes.
pub fn refused_with(answer: &Answer, codes: &[i64]) -> Judgement {
    let wanted = || {
        let codes: Vec<String> = codes.iter().map(i64::to_string).collect();
        codes.join(" or ")
    };
    match answer {
        Answer::Error { code, .. } if codes.contains(code) => Judgement::Passed,
        Answer::Error { code, .. } => Judgement::Failed(format!(
            "The error has the code {code} and not {}.",
            wanted()
        )),
        Answer::Result(_) => Judgement::Failed(format!(
            "A result came and no error with the code {}.",
            wanted()
        )),
        Answer::None(reason) => Judgement::Failed(reason.clone()),
    }
}

/// Judges whether a request was refused with any error.
pub fn refused(answer: &Answer) -> Judgement {
    match answer {
        Answer::Error { .. } => Judgement::Passed,
        Answer::Result(_) => Judgement::Failed("A result came and no error.".to_owned()),
        Answer::None(reason) => Judgement::Failed(reason.clone()),
    }
}

/// Judges whether a request was answered with a result.
pub fn answered(answer: &Answer) -> Judgement {
    match answer {
        Answer::Result(_) => Judgement::Passed,
        Answer::Error { code, .. } => {
            Judgement::Failed(format!("It was refused with the code {code}."))
        }
        Answer::None(reason) => Judgement::Failed(reason.clone()),
    }
}

/// Judges the answer to a ping: an empty result, `_meta` aside.
pub fn pong(answer: &Answer) -> Judgement {
    match answer {
        Answer::Result(Value::Object(result)) => {
            let extra: Vec<&str> = result
                .keys()
                .map(String::as_str)
                .filter(|name| *name != "_meta")
                .collect();
            failed_if_any(
                extra.iter().map(|name| format!("has {}", short(name))),
                "The result",
            )
        }
        Answer::Result(_) => Judgement::Failed("The result is not an object.".to_owned()),
        other => answered(other),
    }
}

/// Judges whether an unsupported revision was refused with the ones that are supported.
pub fn unsupported_version(answer: &Answer) -> Judgement {
    match answer {
        Answer::Error {
            code: UNSUPPORTED_VERSION,
            data,
        } => {
            let supported = data
                .as_ref()
                .and_then(|data| data.get("supported")?.as_array());
            match supported {
                Some(list) if list.iter().all(Value::is_string) && !list.is_empty() => {
                    Judgement::Passed
                }
                _ => Judgement::Failed(
                    "The error's data does not list the supported revisions.".to_owned(),
                ),
            }
        }
        other => refused_with(other, &[UNSUPPORTED_VERSION]),
    }
}

/// Judges the revision that was agreed on.
pub fn protocol_version(version: &str) -> Judgement {
    match REVISIONS.contains(&version) {
        true => Judgement::Passed,
        false => Judgement::Failed(format!("{} is no revision.", short(version))),
    }
}

/// Judges what a server says of itself.
pub fn server_info(name: &str, version: &str) -> Judgement {
    match (name.trim().is_empty(), version.trim().is_empty()) {
        (false, false) => Judgement::Passed,
        (true, _) => Judgement::Failed("serverInfo has no name.".to_owned()),
        (_, true) => Judgement::Failed("serverInfo has no version.".to_owned()),
    }
}

/// Judges declared capabilities, as JSON text.
pub fn capabilities(json: &str) -> Judgement {
    let Ok(Value::Object(capabilities)) = serde_json::from_str::<Value>(json) else {
        return Judgement::Failed("capabilities is not an object.".to_owned());
    };
    let odd = capabilities
        .iter()
        .filter(|(_, value)| !value.is_object())
        .map(|(name, _)| short(name));
    failed_if_any(odd, "Not an object:")
}

/// Returns what is wrong with a message of a server as JSON-RPC (JSON-RPC 2.0, sections 4 and 5).
pub fn message_problem(text: &str) -> Option<String> {
    let message = match Message::parse(text) {
        Ok(message) => message,
        Err(error) if error.is_data() => return Some("a message is not an object".to_owned()),
        Err(_) => return Some("a message is not JSON".to_owned()),
    };
    let members = message.members();
    if members.string("jsonrpc").as_deref() != Some("2.0") {
        return Some("a message lacks \"jsonrpc\": \"2.0\"".to_owned());
    }
    let id = members.text("id");
    let has = |name: &str| members.text(name).is_some();
    match (has("method"), has("result"), has("error")) {
        (true, false, false) => match message.method() {
            Some(_) if id.is_none_or(is_id) => None,
            Some(_) => Some("the id of a request is neither text nor a number".to_owned()),
            None => Some("a method is not text".to_owned()),
        },
        (false, true, false) => match message.result() {
            _ if !id.is_some_and(is_id) => Some("a result has no id".to_owned()),
            Some(result) if result.starts_with('{') => None,
            _ => Some("a result is not an object".to_owned()),
        },
        (false, false, true) => error_problem(message.error()),
        (false, false, false) => Some("a message is neither a request nor a response".to_owned()),
        _ => Some("a message is more than one of request, result and error".to_owned()),
    }
}

/// Tells whether the text of a JSON value is that of a string or a number.
fn is_id(id: &str) -> bool {
    id.starts_with(|first: char| matches!(first, '"' | '-' | '0'..='9'))
}

fn integer_code(error: &ErrorObject<'_>) -> Option<i64> {
    error.code()?.parse().ok()
}

fn error_problem(error: Option<&str>) -> Option<String> {
    let error = error.and_then(ErrorObject::parse);
    if error.as_ref().and_then(integer_code).is_none() {
        return Some("the code of an error is not an integer".to_owned());
    }
    let message = error.and_then(|error| error.message());
    message
        .is_none()
        .then(|| "an error has no message".to_owned())
}

/// Ids of what was sent and of what came back, to be compared.
#[derive(Debug, Default)]
pub struct Ids {
    sent: HashSet<String>,
    problems: Vec<String>,
}

impl Ids {
    /// Notes a message that was sent.
    pub fn sent(&mut self, text: &str) {
        if let Ok(message) = Message::parse(text)
            && message.members().text("method").is_some()
            && let Some(id) = message.members().text("id")
        {
            self.sent.insert(comparable(id));
        }
    }

    /// Notes a message that came. Returns whether it is a response to nothing that was sent.
    pub fn received(&mut self, text: &str) -> bool {
        let Ok(message) = Message::parse(text) else {
            return false;
        };
        let members = message.members();
        if members.text("method").is_some() {
            return false;
        }
        // What refused a message may not have read its id (JSON-RPC 2.0, section 5).
        let is_unread = message.id().is_none() && members.text("error").is_some();
        let id = comparable(members.text("id").unwrap_or("null"));
        if is_unread || self.sent.contains(&id) {
            return false;
        }
        self.problems.push(format!(
            "a response has the id {}, which no request had",
            short(&id)
        ));
        true
    }

    /// Judges what was noted.
    pub fn judgement(&self) -> Judgement {
        failed_if_any(self.problems.iter().cloned(), "On this connection")
    }
}

/// Tells whether a message is an error that answers no request, as one to a notification would be.
pub fn is_error_about_nothing(text: &str) -> bool {
    Message::parse(text)
        .is_ok_and(|message| message.members().text("error").is_some() && message.id().is_none())
}

/// Returns an id so that two spellings of one string are the same; numbers stay as they are.
fn comparable(id: &str) -> String {
    match serde_json::from_str::<String>(id) {
        Ok(text) => quoted(&text),
        Err(_) => id.to_owned(),
    }
}

/// Judges the tools of a list.
pub fn tools(tools: &[Value]) -> Judgement {
    let problems = tools.iter().enumerate().filter_map(|(position, tool)| {
        let name = text_of(tool, "name");
        let said = |problem: &str| Some(format!("{} {problem}", label(name, "tool", position)));
        if name.is_none_or(str::is_empty) {
            return said("has no name");
        }
        match tool.get("inputSchema") {
            Some(Value::Object(schema)) if schema.get("type") == Some(&Value::from("object")) => {}
            Some(Value::Object(_)) => {
                return said("has an input schema of another type than object");
            }
            _ => return said("has no input schema"),
        }
        match tool.get("outputSchema") {
            None | Some(Value::Object(_)) => None,
            Some(_) => said("has an output schema that is not an object"),
        }
    });
    failed_if_any(problems, "In the list:")
}

/// Judges whether each item has another value of a member.
pub fn unique(items: &[Value], member: &str) -> Judgement {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for item in items {
        if let Some(name) = text_of(item, member) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let repeated = counts
        .iter()
        .filter(|(_, count)| **count > 1)
        .map(|(name, count)| format!("{} stands {count} times", short(name)));
    failed_if_any(repeated, "In the list:")
}

/// Judges the resources and the templates of lists.
pub fn resources(resources: &[Value], templates: &[Value]) -> Judgement {
    let named = |item: &Value| text_of(item, "name").is_some_and(|name| !name.is_empty());
    let of_resources = resources.iter().enumerate().filter_map(|(position, item)| {
        let uri = text_of(item, "uri");
        let said = |problem: &str| Some(format!("{} {problem}", label(uri, "resource", position)));
        if !uri.is_some_and(is_uri) {
            return said("has no URI with a scheme");
        }
        if named(item) {
            None
        } else {
            said("has no name")
        }
    });
    let of_templates = templates.iter().enumerate().filter_map(|(position, item)| {
        let uri = text_of(item, "uriTemplate");
        let said = |problem: &str| Some(format!("{} {problem}", label(uri, "template", position)));
        if uri.is_none_or(str::is_empty) {
            return said("has no uriTemplate");
        }
        if named(item) {
            None
        } else {
            said("has no name")
        }
    });
    failed_if_any(of_resources.chain(of_templates), "In the list:")
}

/// Tells whether a text begins with a scheme (RFC 3986, section 3.1).
fn is_uri(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else {
        return false;
    };
    let mut characters = scheme.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && characters
            .all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
}

/// Judges the prompts of a list.
pub fn prompts(prompts: &[Value]) -> Judgement {
    let problems = prompts.iter().enumerate().filter_map(|(position, prompt)| {
        let name = text_of(prompt, "name");
        let said = |problem: &str| Some(format!("{} {problem}", label(name, "prompt", position)));
        if name.is_none_or(str::is_empty) {
            return said("has no name");
        }
        match prompt.get("arguments") {
            None => None,
            Some(Value::Array(arguments)) => {
                let is_named = |argument: &Value| {
                    text_of(argument, "name").is_some_and(|name| !name.is_empty())
                };
                match arguments.iter().all(is_named) {
                    true => None,
                    false => said("has an argument without a name"),
                }
            }
            Some(_) => said("has arguments that are not a list"),
        }
    });
    failed_if_any(problems, "In the list:")
}

/// Judges the result of `resources/read`.
pub fn contents(answer: &Answer) -> Judgement {
    let Answer::Result(result) = answer else {
        return answered(answer);
    };
    let Some(contents) = result.get("contents").and_then(Value::as_array) else {
        return Judgement::Failed("The result has no list of contents.".to_owned());
    };
    let problems = contents
        .iter()
        .enumerate()
        .filter_map(|(position, content)| {
            let uri = text_of(content, "uri");
            let said =
                |problem: &str| Some(format!("{} {problem}", label(uri, "content", position)));
            match (content.get("text"), content.get("blob")) {
                _ if uri.is_none() => said("has no URI"),
                (Some(Value::String(_)), None) | (None, Some(Value::String(_))) => None,
                _ => said("has not exactly one of text and blob"),
            }
        });
    failed_if_any(problems, "In the result:")
}

/// Judges the content of the result of `tools/call`.
pub fn call_result(answer: &Answer) -> Judgement {
    let Answer::Result(result) = answer else {
        return answered(answer);
    };
    if result.get("resultType").and_then(Value::as_str) == Some("input_required") {
        return Judgement::Skipped("The tool asks for input first.".to_owned());
    }
    let Some(content) = result.get("content").and_then(Value::as_array) else {
        return Judgement::Failed("The result has no list of content.".to_owned());
    };
    let problems = content.iter().enumerate().filter_map(|(position, block)| {
        let kind = text_of(block, "type");
        let wanted: &[&str] = match kind {
            Some("text") => &["text"],
            Some("image" | "audio") => &["data", "mimeType"],
            Some("resource") => &["resource"],
            Some("resource_link") => &["uri", "name"],
            _ => return Some(format!("block {} has no known type", position + 1)),
        };
        let missing = wanted.iter().find(|name| block.get(**name).is_none())?;
        Some(format!("block {} lacks {missing}", position + 1))
    });
    failed_if_any(problems, "In the result:")
}

/// Judges whether a call with arguments that its schema forbids was refused, by an error or by a
/// result that is one.
pub fn refused_call(answer: &Answer) -> Judgement {
    match answer {
        Answer::Result(result) if result.get("isError") == Some(&Value::Bool(true)) => {
            Judgement::Passed
        }
        Answer::Result(_) => Judgement::Failed(
            "The call was carried out with arguments that are not valid.".to_owned(),
        ),
        Answer::Error { .. } => Judgement::Passed,
        Answer::None(reason) => Judgement::Failed(reason.clone()),
    }
}

/// Makes arguments that an input schema forbids; nothing where none can be named for sure.
pub fn bad_arguments(schema: &Value) -> Option<String> {
    let is_required = schema
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|required| !required.is_empty());
    if is_required {
        return Some("{}".to_owned());
    }
    let properties = schema.get("properties")?.as_object()?;
    properties.iter().find_map(|(name, property)| {
        let wrong = match property.get("type")?.as_str()? {
            "string" | "number" | "integer" | "boolean" => Value::Object(Map::new()),
            "array" | "object" => Value::from(1),
            _ => return None,
        };
        let mut arguments = Map::new();
        arguments.insert(name.clone(), wrong);
        Some(Value::Object(arguments).to_string())
    })
}

/// Returns what is wrong with the `resultType` of a result (MCP 2026-07-28).
pub fn result_type_problem(result: &Value) -> Option<String> {
    match result.get("resultType") {
        Some(Value::String(kind)) if !kind.is_empty() => None,
        Some(_) => Some("has a resultType that is not text".to_owned()),
        None => Some("has no resultType".to_owned()),
    }
}

/// Returns what is wrong with the caching hints of a result (MCP 2026-07-28).
pub fn cache_hint_problem(result: &Value) -> Option<String> {
    if !result.get("ttlMs").is_some_and(Value::is_u64) {
        return Some("has no ttlMs that is a whole number from 0".to_owned());
    }
    match result.get("cacheScope").and_then(Value::as_str) {
        Some("public" | "private") => None,
        _ => Some("has no cacheScope that is public or private".to_owned()),
    }
}

/// Judges a list of problems, which begin after `subject`.
pub fn failed_if_any(problems: impl IntoIterator<Item = String>, subject: &str) -> Judgement {
    let mut problems = problems.into_iter();
    let told: Vec<String> = problems.by_ref().take(MAX_TOLD).collect();
    if told.is_empty() {
        return Judgement::Passed;
    }
    let more = match problems.count() {
        0 => String::new(),
        count => format!("; {count} more"),
    };
    Judgement::Failed(format!("{subject} {}{more}.", told.join("; ")))
}

/// Returns the beginning of a text, as it can stand in a sentence.
pub fn short(text: &str) -> String {
    brief(text, MAX_NAME).replace(char::is_control, "\u{fffd}")
}

fn text_of<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value.get(member).and_then(Value::as_str)
}

fn label(name: Option<&str>, kind: &str, position: usize) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => short(name),
        None => format!("{kind} {}", position + 1),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn is_failed(judgement: &Judgement) -> bool {
        matches!(judgement, Judgement::Failed(_))
    }

    #[test]
    fn messages_are_held_to_json_rpc() {
        for good in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"a","error":{"code":-1,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"n":1e400}}"#,
        ] {
            assert_eq!(message_problem(good), None, "{good}");
        }
        for bad in [
            r#"{"id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":[]}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            "[]",
            "hello",
        ] {
            assert!(message_problem(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_response_has_the_very_id_of_a_request() {
        let mut ids = Ids::default();
        ids.sent(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        ids.sent(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert!(!ids.received(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
        assert!(!ids.received(r#"{"jsonrpc":"2.0","id":null,"error":{}}"#));
        assert!(!ids.received(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#));
        assert_eq!(ids.judgement(), Judgement::Passed);
        assert!(ids.received(r#"{"jsonrpc":"2.0","id":"1","result":{}}"#));
        assert!(is_failed(&ids.judgement()));
        let mut ids = Ids::default();
        ids.sent(r#"{"jsonrpc":"2.0","id":12345678901234567890123,"method":"ping"}"#);
        ids.sent(r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#);
        assert!(!ids.received(r#"{"jsonrpc":"2.0","id":"\u0061","result":{}}"#));
        assert!(ids.received(r#"{"jsonrpc":"2.0","id":12345678901234567890124,"result":{}}"#));
    }

    #[test]
    fn refusals_have_their_codes() {
        let error = |code: i64| Answer::Error { code, data: None };
        assert_eq!(
            refused_with(&error(-32601), &[METHOD_NOT_FOUND]),
            Judgement::Passed
        );
        for other in [
            error(-32600),
            Answer::Result(json!({})),
            Answer::None("x".into()),
        ] {
            assert!(is_failed(&refused_with(&other, &[METHOD_NOT_FOUND])));
        }
        let supported = Answer::Error {
            code: UNSUPPORTED_VERSION,
            data: Some(json!({"supported": ["2026-07-28"]})),
        };
        assert_eq!(unsupported_version(&supported), Judgement::Passed);
        assert!(is_failed(&unsupported_version(&error(UNSUPPORTED_VERSION))));
    }

    #[test]
    fn items_have_what_their_schema_asks_for() {
        let good = [json!({"name": "a", "inputSchema": {"type": "object"}})];
        assert_eq!(tools(&good), Judgement::Passed);
        for bad in [
            json!({"inputSchema": {"type": "object"}}),
            json!({"name": "a"}),
            json!({"name": "a", "inputSchema": {"type": "array"}}),
            json!({"name": "a", "inputSchema": {"type": "object"}, "outputSchema": 1}),
        ] {
            assert!(is_failed(&tools(std::slice::from_ref(&bad))), "{bad}");
        }
        assert!(is_failed(&unique(
            &[good[0].clone(), good[0].clone()],
            "name"
        )));
        let resource = json!({"uri": "demo://a", "name": "a"});
        assert_eq!(resources(&[resource], &[]), Judgement::Passed);
        assert!(is_failed(&resources(
            &[json!({"uri": "a", "name": "a"})],
            &[]
        )));
        assert!(is_failed(&resources(&[], &[json!({"name": "a"})])));
        assert!(is_failed(&prompts(&[
            json!({"name": "a", "arguments": [{}]})
        ])));
        let read = |content: Value| contents(&Answer::Result(json!({"contents": [content]})));
        assert_eq!(read(json!({"uri": "a:b", "text": ""})), Judgement::Passed);
        assert!(is_failed(&read(json!({"uri": "a:b"}))));
        let called = |block: Value| call_result(&Answer::Result(json!({"content": [block]})));
        assert_eq!(
            called(json!({"type": "text", "text": ""})),
            Judgement::Passed
        );
        assert!(is_failed(&called(json!({"type": "image", "data": ""}))));
        assert!(is_failed(&called(json!({"type": "telepathy"}))));
    }

    #[test]
    fn arguments_that_a_schema_forbids_are_made_only_where_that_is_sure() {
        let made = |schema: Value| bad_arguments(&schema);
        assert_eq!(made(json!({"required": ["a"]})).as_deref(), Some("{}"));
        let typed = json!({"properties": {"x": {}, "n": {"type": "integer"}}});
        assert_eq!(made(typed).as_deref(), Some(r#"{"n":{}}"#));
        assert_eq!(made(json!({"type": "object"})), None);
        assert_eq!(made(json!({"properties": {"x": {"enum": [1]}}})), None);
    }

    #[test]
    fn a_stranger_s_names_are_short_and_on_one_line() {
        let many = (0..9).map(|_| json!({"name": format!("a\n{}", "b".repeat(500))}));
        let Judgement::Failed(message) = tools(&many.collect::<Vec<_>>()) else {
            panic!("they have no schema");
        };
        assert!(message.len() < 600, "{message}");
        assert!(!message.contains('\n'));
        assert!(message.ends_with("; 6 more."), "{message}");
    }
}
