//! States of a definition.

use serde::{Deserialize, Serialize};

/// State of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum DefinitionState {
    /// It is the one that counts.
    Wins,
    /// The file of this scope defines the same name and counts instead.
    Shadowed { by: String },
    /// It counts, and says not to be used.
    Disabled,
    /// A managed rule refuses it.
    Refused { rule: String },
    /// It counts, and cannot be used as it stands.
    Invalid {
        line: u32,
        column: u32,
        message: String,
    },
    /// It counts, and waits for the user to approve it for this project.
    Waiting,
}
