//! Reads frames one after another, in the order of the wire.

use std::ops::RangeInclusive;

use bytes::Bytes;
use sightglass_model::{ByteCount, ConnectionId, FrameId, Timestamp};

use super::{Queries, view::LocatedFrame};
use crate::{
    Direction, ExchangeKind, RecordError, block::Flags, recorded_server::ConnectionServer,
};

/// A frame without its text, to select by.
#[derive(Debug, Clone, Copy)]
pub struct FrameHead<'a> {
    pub frame: FrameId,
    pub connection: ConnectionId,
    pub(crate) server: &'a ConnectionServer,
    /// The HTTP request that carried it, or without one the call during which it came.
    pub carrier: Option<FrameId>,
    pub kind: ExchangeKind,
    pub direction: Direction,
}

impl FrameHead<'_> {
    /// The name of the connection's server, as it was then.
    pub fn server_name(&self) -> &str {
        &self.server.name
    }
}

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
    /// Size on the wire, before secrets were masked and remarks shortened.
    pub size: ByteCount,
    /// The text; `None` where it was not recorded and is gone.
    pub payload: Option<Bytes>,
    /// Note of the bookmark on the row that it starts.
    pub bookmark: Option<String>,
}

impl Queries {
    /// Calls `visit` with the frames of a range that `wants` selects, the oldest first, until it
    /// returns an error. The texts of the others are not read.
    pub(crate) fn frames<E: From<RecordError>>(
        &self,
        range: RangeInclusive<u32>,
        wants: &mut dyn FnMut(FrameHead<'_>) -> bool,
        visit: &mut dyn FnMut(RecordedFrame) -> Result<(), E>,
    ) -> Result<(), E> {
        let view = self.view();
        let mut next = *range.start();
        let mut server = None;
        while let Some(block) = view.block_from(next)? {
            let Some(last) = block.last_frame() else {
                break;
            };
            if block.first_frame().is_none_or(|first| first > *range.end()) {
                break;
            }
            let within = |frame: u32| frame >= next && frame <= *range.end();
            for entry in block.entries.iter().filter(|entry| within(entry.frame)) {
                if entry.flags.has(Flags::CLEARED) {
                    continue;
                }
                let server = match &mut server {
                    Some((connection, server)) if *connection == entry.connection => server,
                    other => {
                        let found = view.server(entry.connection);
                        &mut other.insert((entry.connection, found)).1
                    }
                };
                let carrier = (entry.carrier != 0).then_some(FrameId(entry.carrier));
                let head = FrameHead {
                    frame: FrameId(entry.frame),
                    connection: ConnectionId(entry.connection),
                    server,
                    carrier,
                    kind: entry.kind,
                    direction: entry.direction,
                };
                if !wants(head) {
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
                    carrier,
                    at: entry.at,
                    kind: entry.kind,
                    direction: entry.direction,
                    method: block.method(entry).to_owned(),
                    redacted: entry.flags.has(Flags::REDACTED),
                    size: entry.size.into(),
                    payload,
                    bookmark: view.note(entry.frame).map(str::to_owned),
                })?;
            }
            next = last + 1;
        }
        Ok(())
    }
}
