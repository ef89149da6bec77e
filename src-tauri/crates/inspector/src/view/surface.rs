//! Surfaces of servers: changes and findings.

use serde::Serialize;
use sightglass_model::{ServerId, Timestamp};
use sightglass_surface::{Finding, Silence, SurfaceChange};

/// Difference between a server's surface and the one that it is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
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
    pub findings: Vec<Finding>,
    pub silenced: Vec<Silence>,
}
