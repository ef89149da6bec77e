//! Facts of a block about one frame beside its text, and about the row that it may start.

use std::time::Duration;

use sightglass_model::Timestamp;

use crate::{Direction, ExchangeKind, Outcome};

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub frame: u32,
    /// The row it belongs to, by position.
    pub row: u32,
    pub connection: u32,
    /// The frame of the HTTP request that carried it; without one, that of the call during which
    /// it came; 0 for none.
    pub carrier: u32,
    /// Bytes on the wire, before redaction.
    pub size: u32,
    /// Offset of its target in the block's text; its payload follows.
    pub text_start: u32,
    pub payload_length: u32,
    /// The error code or HTTP status that it was recorded with; 0 for none.
    pub code: i32,
    pub at: Timestamp,
    pub target_length: u16,
    /// An index into the block's methods.
    pub method: u16,
    pub kind: ExchangeKind,
    pub direction: Direction,
    pub outcome: Outcome,
    pub flags: Flags,
}

/// Flags of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags(pub(super) u8);

impl Flags {
    pub const STARTS_ROW: Flags = Flags(1);
    pub const REDACTED: Flags = Flags(2);
    pub const LARGE: Flags = Flags(4);
    /// Its text is not in the block.
    pub const UNRECORDED: Flags = Flags(8);
    /// It was removed, and stands here for its numbers alone.
    pub const CLEARED: Flags = Flags(16);
    /// It asks whether the server is still there, and nothing else.
    pub const HEARTBEAT: Flags = Flags(32);

    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }

    pub fn with(self, flag: Flags) -> Flags {
        Flags(self.0 | flag.0)
    }
}

impl Entry {
    pub fn starts_row(&self) -> bool {
        self.flags.has(Flags::STARTS_ROW)
    }
}

/// Outcome of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RowSettlement {
    pub row: u32,
    pub outcome: Outcome,
    pub code: Option<i32>,
    pub duration: Option<Duration>,
    pub response_frame: Option<u32>,
    /// Bytes of the response, before redaction.
    pub response_size: u32,
}

impl RowSettlement {
    pub fn pending(row: u32) -> Self {
        Self {
            row,
            outcome: Outcome::Pending,
            code: None,
            duration: None,
            response_frame: None,
            response_size: 0,
        }
    }
}
