//! Differences between two surfaces.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

/// Consequence of a change for those who use the server.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "camelCase")]
pub enum ChangeClass {
    /// Calls that were right can now fail, or results lack something that was promised.
    Breaking,
    /// Nobody but a user can judge it: a text that a model reads, or a schema whose change cannot
    /// be decided.
    Attention,
    /// All that was right stays right.
    Compatible,
    /// No difference for a caller.
    Note,
}

impl ChangeClass {
    /// Returns the name, as scripts write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Attention => "attention",
            Self::Compatible => "compatible",
            Self::Note => "note",
        }
    }
}

/// Kind of thing on a surface.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    Server,
    Instructions,
    Capabilities,
    Tool,
    Prompt,
    Resource,
    Template,
}

impl Part {
    /// Returns the word for it in a sentence.
    pub fn word(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Instructions => "instructions",
            Self::Capabilities => "capabilities",
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::Template => "template",
        }
    }
}

/// One thing on a surface: a part, and the name of an item, which is empty for what a server has
/// one of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    pub part: Part,
    pub name: String,
}

impl Subject {
    pub fn new(part: Part, name: impl Into<String>) -> Self {
        Self {
            part,
            name: name.into(),
        }
    }
}

/// One difference between two surfaces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SurfaceChange {
    pub class: ChangeClass,
    /// Name of the rule that gave the class, such as `required-added`.
    pub rule: String,
    pub subject: Subject,
    /// JSON Pointer in the subject; empty for all of it.
    pub path: String,
    /// The value before, as JSON; a text without quotes. `None` when there was none.
    pub before: Option<String>,
    pub after: Option<String>,
    pub explanation: String,
}

/// Writes a value for [`SurfaceChange`]: a text as it is, all else as indented JSON.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// Adds a member to a JSON Pointer (RFC 6901).
pub(crate) fn join(path: &str, member: &str) -> String {
    format!("{path}/{}", member.replace('~', "~0").replace('/', "~1"))
}
