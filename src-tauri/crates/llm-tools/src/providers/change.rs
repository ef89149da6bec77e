//! Differences between a tool as the server gave it and as it is sent.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Number of changes that are kept; a hostile list could give millions.
const MAX_CHANGES: usize = 10_000;

/// Depth of schemas within schemas that is looked at.
pub(super) const MAX_DEPTH: usize = 64;

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SchemaChange {
    /// Name of the tool, as the server gives it; `None` for the list.
    pub tool: Option<String>,
    /// JSON Pointer in the tool, as the server gave it.
    pub path: String,
    pub kind: ChangeKind,
    pub reason: String,
    pub source: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    /// Member of the tool that is no part of what a model gets.
    NotSent,
    /// Keyword of a schema that is left out, so that the model does not know it.
    Dropped,
    /// Written in another way, with the same meaning or another.
    Rewritten,
    Added,
    /// Beyond a limit of the interface.
    LimitExceeded,
    /// The interface refuses the request.
    Refused,
}

/// Collects the changes of a list.
#[derive(Debug, Default)]
pub(super) struct Changes {
    found: Vec<SchemaChange>,
    has_more: bool,
    tool: Option<String>,
}

impl Changes {
    /// Takes what follows for changes of this tool.
    pub(super) fn begin(&mut self, tool: &str) {
        self.tool = Some(tool.to_owned());
    }

    pub(super) fn add(
        &mut self,
        kind: ChangeKind,
        path: &str,
        reason: impl Into<String>,
        source: &str,
    ) {
        if self.found.len() >= MAX_CHANGES {
            self.has_more = true;
            return;
        }
        self.found.push(SchemaChange {
            tool: self.tool.clone(),
            path: path.to_owned(),
            kind,
            reason: reason.into(),
            source: source.to_owned(),
        });
    }

    pub(super) fn finish(self) -> (Vec<SchemaChange>, bool) {
        (self.found, self.has_more)
    }
}

/// Adds a member to a JSON Pointer (RFC 6901).
pub(super) fn join(path: &str, member: &str) -> String {
    format!("{path}/{}", member.replace('~', "~0").replace('/', "~1"))
}
