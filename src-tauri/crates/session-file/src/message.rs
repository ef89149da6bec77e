//! Reads JSON-RPC messages of a recording without trusting them.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sightglass_model::ConnectionId;
use sightglass_traffic::{ExchangeKind, Members, RecordedFrame};

/// The longest message that is taken apart, in bytes. What is longer is looked at as a whole only.
pub(crate) const MAX_MESSAGE_BYTES: usize = 32 << 20;

/// Members of a message that say what it is.
pub(crate) struct Message<'a> {
    members: Members<'a>,
}

impl<'a> Message<'a> {
    /// Takes apart the messages of a text: one, or those of a batch. `None` when it is too long, or
    /// is no JSON.
    pub fn all(text: &'a [u8]) -> Option<Vec<Self>> {
        let text = str::from_utf8(text)
            .ok()
            .filter(|text| text.len() <= MAX_MESSAGE_BYTES)?;
        if text.trim_start().starts_with('[') {
            let members: Vec<Members<'a>> = serde_json::from_str(text).ok()?;
            return Some(
                members
                    .into_iter()
                    .map(|members| Self { members })
                    .collect(),
            );
        }
        let members = Members::parse(text).ok()?;
        Some(vec![Self { members }])
    }

    /// The requests and the responses of a frame, each with what tells it from all others that are
    /// open on its connection.
    pub fn with_ids(
        frame: &'a RecordedFrame,
    ) -> impl Iterator<Item = ((ConnectionId, String), Self)> {
        let payload = frame
            .payload
            .as_ref()
            .filter(|_| frame.kind == ExchangeKind::Request);
        let messages = payload.and_then(|payload| Self::all(payload));
        messages.into_iter().flatten().filter_map(|message| {
            let key = (frame.connection, message.id()?.to_owned());
            Some((key, message))
        })
    }

    /// The id as it was written; none where it is `null`.
    pub fn id(&self) -> Option<&'a str> {
        self.members.given("id")
    }

    pub fn method(&self) -> Option<String> {
        self.members.string("method")
    }

    pub fn params(&self) -> Option<&'a str> {
        self.members.given("params")
    }

    pub fn result(&self) -> Option<&'a str> {
        self.members.text("result")
    }

    pub fn error(&self) -> Option<&'a str> {
        self.members.given("error")
    }

    /// The names and texts of all members, in their order.
    pub fn members(&self) -> impl DoubleEndedIterator<Item = (&str, &'a str)> {
        self.members.iter()
    }
}

/// Members of an object; `None` for what is no object.
pub(crate) fn object(text: Option<&str>) -> Option<Members<'_>> {
    Members::parse(text?).ok()
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

/// The elements of an array, as they were written.
pub(crate) fn elements(text: Option<&str>) -> Vec<&str> {
    #[derive(Deserialize)]
    struct Elements<'a>(#[serde(borrow)] Vec<&'a RawValue>);
    text.and_then(|text| serde_json::from_str::<Elements<'_>>(text).ok())
        .map(|elements| elements.0.into_iter().map(RawValue::get).collect())
        .unwrap_or_default()
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
            written(
                meta.iter()
                    .filter(|(name, _)| !VOLATILE_META.contains(name)),
            )
        });
        if let Some(meta) = meta.filter(|meta| meta != "{}") {
            kept.push((name, meta));
        }
    }
    written(kept.iter().map(|(name, value)| (*name, value.as_str())))
}

/// An object of members as they were written.
pub(crate) fn written<'a>(members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::from("{");
    for (name, value) in members {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&Value::from(name).to_string());
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}
