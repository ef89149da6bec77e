//! Reads JSON-RPC messages of a recording without trusting them.

use sightglass_json_text::{Members, Message, object};

/// The longest message that is taken apart, in bytes. What is longer is looked at as a whole only.
pub(crate) const MAX_MESSAGE_BYTES: usize = 32 << 20;

/// Takes apart the messages of a text: one, or those of a batch. `None` when it is too long, or is no
/// JSON.
pub(crate) fn messages(text: &[u8]) -> Option<Vec<Message<'_>>> {
    let text = str::from_utf8(text)
        .ok()
        .filter(|text| text.len() <= MAX_MESSAGE_BYTES)?;
    Message::all(text).ok()
}

/// A value inside an object, by the names of the members that lead to it.
pub(crate) fn within<'a>(text: Option<&'a str>, path: &[&str]) -> Option<&'a str> {
    path.iter()
        .try_fold(text?, |text, name| Members::parse(text).ok()?.given(name))
}

/// A string inside an object.
pub(crate) fn string_within(text: Option<&str>, path: &[&str]) -> Option<String> {
    serde_json::from_str(within(text, path)?).ok()
}

/// Members of `_meta` that differ from call to call, or from client to client.
const VOLATILE_META: [&str; 8] = [
    "progressToken",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/logLevel",
    "traceparent",
    "tracestate",
    "baggage",
];

/// The parameters of a request as they were written, without those members of `_meta`.
pub(crate) fn without_volatile_meta(params: Option<&str>) -> String {
    let Some(params) = params else {
        return "{}".to_owned();
    };
    let Ok(members) = Members::parse(params) else {
        return params.to_owned();
    };
    let mut kept = Vec::new();
    for (name, value) in members.iter() {
        if name != "_meta" {
            kept.push((name, value.to_owned()));
            continue;
        }
        let meta = Members::parse(value).ok();
        let meta = meta.map(|meta| {
            object(
                meta.iter()
                    .filter(|(name, _)| !VOLATILE_META.contains(name)),
            )
        });
        if let Some(meta) = meta.filter(|meta| meta != "{}") {
            kept.push((name, meta));
        }
    }
    object(kept.iter().map(|(name, value)| (*name, value.as_str())))
}
