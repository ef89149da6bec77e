//! Surfaces of servers: changes and findings.

use serde::{Deserialize, Serialize};
use sightglass_model::{EraChoice, Finding, ServerId, Timestamp};
use sightglass_surface::{Silence, SurfaceChange, SurfacePlace};

use super::RecordedServer;

/// Difference between a server's surface and the one that it is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SurfaceView {
    pub server: ServerId,
    /// True when the stored surface stays until the user accepts another.
    pub is_pinned: bool,
    /// Moment at which the surface was stored; `None` when none is.
    pub stored: Option<Timestamp>,
    /// Changes since then, breaking ones first. Empty while the server is not connected.
    pub changes: Vec<SurfaceChange>,
    /// Number of changes that are left out because there are too many to show.
    pub left_out: u32,
    pub breaking: u32,
    pub attention: u32,
    pub compatible: u32,
    pub notes: u32,
    /// A text that a model reads is another one than the user agreed to: a possible rug pull.
    pub is_possible_rug_pull: bool,
    pub findings: Vec<Finding<SurfacePlace>>,
    pub silenced: Vec<SilencedFindings>,
}

/// Findings that are left out, and their number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SilencedFindings {
    pub silence: Silence,
    /// Number of those of now; one that several leave out counts for the first.
    pub count: u32,
}

/// The side that the surface of a server is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum SurfaceCounterpart {
    /// Another server: as it is now where it is connected, else as it was stored.
    Server { server: ServerId },
    /// A server of an opened session file, as it was when it was recorded. It comes first: changes
    /// are those since then.
    Recording { recording: RecordedServer },
    /// The same server in one era of the protocol.
    Era { era: EraChoice },
    /// The same server, signed in as another identity.
    Identity { identity: String },
    /// The same server, with an extension declared to it or not.
    Extension { name: String, is_declared: bool },
    /// The same server, connected once more.
    Reconnect,
}

/// Moment that a changed definition is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DefinitionBase {
    /// The definition before the last `list_changed` of this connection.
    ListChanged,
    /// The definition of the surface that was agreed to.
    Agreed,
}

/// Changes of one definition: of a tool, a prompt, a resource or a template.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct DefinitionChanges {
    pub base: DefinitionBase,
    /// The earlier definition and the one of now, as indented JSON.
    pub before: String,
    pub after: String,
    /// Changes by their meaning for those who use it, breaking ones first. Empty where only the text
    /// is another.
    pub difference: SurfaceDifference,
}

/// Differences between two surfaces.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SurfaceDifference {
    /// Breaking ones first.
    pub changes: Vec<SurfaceChange>,
    /// Number of changes that are left out because there are too many to show.
    pub left_out: u32,
    pub breaking: u32,
    pub attention: u32,
    pub compatible: u32,
    pub notes: u32,
    /// A text that a model reads is another one: a possible rug pull.
    pub is_possible_rug_pull: bool,
}
