//! Rules of the protocol by method: revisions, and what revision 2026-07-28 deprecates.

use sightglass_json_text::Members;

use crate::message::string_within;

const SAMPLING: &str = "Sampling is deprecated in revision 2026-07-28.";
const ROOTS: &str = "Roots are deprecated in revision 2026-07-28.";
const LOGGING: &str = "Logging is deprecated in revision 2026-07-28.";
const SUBSCRIBE: &str =
    "resources/subscribe is gone in revision 2026-07-28; subscriptions/listen takes its place.";

/// The revision that a request of its own says it is of.
pub(super) fn revision(method: &str, params: Option<&str>) -> Option<String> {
    let path: &[&str] = match method {
        "initialize" => &["protocolVersion"],
        _ => &["_meta", "io.modelcontextprotocol/protocolVersion"],
    };
    string_within(params, path)
}

/// Says what is deprecated about a request or a notification.
pub(super) fn deprecated(method: &str) -> Option<&'static str> {
    match method {
        "sampling/createMessage" => Some(SAMPLING),
        "roots/list" | "notifications/roots/list_changed" => Some(ROOTS),
        "logging/setLevel" | "notifications/message" => Some(LOGGING),
        "resources/subscribe" | "resources/unsubscribe" => Some(SUBSCRIBE),
        _ => None,
    }
}

/// Says what is deprecated about a result: what it asks for (SEP-2322).
pub(super) fn deprecated_in_result(method: &str, result: &str) -> Vec<&'static str> {
    if !matches!(method, "tools/call" | "prompts/get" | "resources/read") {
        return Vec::new();
    }
    let result = Members::parse(result).ok();
    let Some(questions) = result.and_then(|result| result.object("inputRequests")) else {
        return Vec::new();
    };
    questions
        .iter()
        .filter_map(|(_, question)| string_within(Some(question), &["method"]))
        .filter_map(|method| deprecated(&method))
        .collect()
}
