//! The eras of the protocol.

use serde::{Deserialize, Serialize};

/// The era that was found or chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Era {
    /// With an `initialize` handshake: 2025-11-25 and earlier.
    Legacy,
    /// Stateless: 2026-07-28.
    Modern,
}

/// Era of the protocol to speak.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "camelCase")]
pub enum EraChoice {
    /// Probe for the modern era and fall back to `initialize`.
    #[default]
    Auto,
    /// The stateless protocol of 2026-07-28 only.
    Modern,
    /// The `initialize` handshake of 2025-11-25 and earlier only.
    Legacy,
}
