//! Reads frames one after another, in the order of the wire.

use std::ops::RangeInclusive;

use bytes::Bytes;
use sightglass_model::{ConnectionId, FrameId, ServerId, Timestamp};

use super::{Queries, view::LocatedFrame};
use crate::{Direction, ExchangeKind, RecordError, block::Flags};

/// One frame as it is on record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedFrame {
    pub frame: FrameId,
    pub connection: ConnectionId,
    /// The HTTP request that carried it, where there is one.
    pub carrier: Option<FrameId>,
    pub at: Timestamp,
    pub kind: ExchangeKind,
    pub direction: Direction,
    /// The JSON-RPC method, the phase, or the first line of an HTTP request; empty for responses.
    pub method: String,
    /// True when secrets were masked in its text.
    pub redacted: bool,
    /// The text; `None` where it was not recorded and is gone.
    pub payload: Option<Bytes>,
}

impl Queries {
    /// Calls `visit` with the frames of a server in a range, the oldest first, until it returns an
    /// error. Without a project those of all projects are meant.
    pub fn frames<E: From<RecordError>>(
        &self,
        (server, project): (&ServerId, Option<&str>),
        range: RangeInclusive<u32>,
        visit: &mut dyn FnMut(RecordedFrame) -> Result<(), E>,
    ) -> Result<(), E> {
        let view = self.view();
        let mut next = *range.start();
        while let Some(block) = view.block_from(next)? {
            let Some(last) = block.last_frame() else {
                break;
            };
            if block.first_frame().is_none_or(|first| first > *range.end()) {
                break;
            }
            let within = |frame: u32| frame >= next && frame <= *range.end();
            for entry in block.entries.iter().filter(|entry| within(entry.frame)) {
                let is_there = !entry.flags.has(Flags::CLEARED);
                if !is_there || !view.server(entry.connection).is(server, project) {
                    continue;
                }
                let found = LocatedFrame {
                    block: block.clone(),
                    entry: *entry,
                };
                let payload = match view.payload_of(&found) {
                    Ok(payload) => Some(payload),
                    Err(RecordError::NotRecorded) => None,
                    Err(error) => return Err(error.into()),
                };
                visit(RecordedFrame {
                    frame: FrameId(entry.frame),
                    connection: ConnectionId(entry.connection),
                    carrier: (entry.carrier != 0).then_some(FrameId(entry.carrier)),
                    at: entry.at,
                    kind: entry.kind,
                    direction: entry.direction,
                    method: block.method(entry).to_owned(),
                    redacted: entry.flags.has(Flags::REDACTED),
                    payload,
                })?;
            }
            next = last + 1;
        }
        Ok(())
    }
}
