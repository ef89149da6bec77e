//! Reads the record at one moment: the newest blocks from the queue, the rest from disk.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use sightglass_model::{ExchangeId, FrameId};

use crate::{
    Direction, ExchangeKind, ExchangeRow, RecordError,
    block::{Block, Entry, Flags, RowSettlement},
    queue::{QueueSnapshot, SharedRecord},
    recorded_server::ConnectionServer,
    store::StoreReader,
};

/// The record at one moment.
pub(crate) struct View<'a> {
    shared: &'a SharedRecord,
    pub reader: &'a StoreReader,
    pub snapshot: QueueSnapshot,
    settlements: OnceLock<HashMap<u32, RowSettlement>>,
}

/// Frames after an HTTP request among which the message that it carries is looked for.
const MAX_FRAMES_TO_CALL: u32 = 8;

/// Returns true for the requests during which a server may have more to tell.
pub(crate) fn is_call(kind: ExchangeKind, method: &str) -> bool {
    kind == ExchangeKind::Request
        && matches!(method, "tools/call" | "resources/read" | "prompts/get")
}

/// Returns true for the request that opens a stream of notifications (MCP 2026-07-28).
pub(crate) fn opens_stream(kind: ExchangeKind, method: &str) -> bool {
    kind == ExchangeKind::Request && method == "subscriptions/listen"
}

/// Returns true for the HTTP request that asks for a stream of the server's own messages (MCP
/// 2025-03-26, Streamable HTTP; HTTP+SSE before).
fn asks_for_stream(kind: ExchangeKind, method: &str) -> bool {
    kind == ExchangeKind::Http && method.starts_with("GET ")
}

/// Returns true when `entry` starts a row that came during `call`, or on the stream that it opened.
pub(crate) fn is_child(entry: &Entry, call: &Entry) -> bool {
    entry.starts_row()
        && entry.frame > call.frame
        && entry.direction == Direction::Received
        && entry.connection == call.connection
        && entry.carrier != 0
        && (entry.carrier == call.frame || entry.carrier == call.carrier)
        && matches!(
            entry.kind,
            ExchangeKind::Request | ExchangeKind::Notification | ExchangeKind::Log
        )
}

/// A frame and the block that holds it.
pub(crate) struct LocatedFrame {
    pub block: Arc<Block>,
    pub entry: Entry,
}

impl<'a> View<'a> {
    pub fn of(shared: &'a SharedRecord, reader: &'a StoreReader) -> Self {
        Self {
            // Taken before anything is read from disk: a block is then found in one of the two, or
            // in both, but never in neither.
            snapshot: shared.snapshot(),
            shared,
            reader,
            settlements: OnceLock::new(),
        }
    }

    /// Returns the outcomes of rows that are still in the queue.
    pub fn queued_settlements(&self) -> &HashMap<u32, RowSettlement> {
        self.settlements.get_or_init(|| self.snapshot.settlements())
    }

    pub fn locate(&self, frame: FrameId) -> Result<Option<LocatedFrame>, RecordError> {
        let block = match self.snapshot.block_of_frame(frame.0) {
            Some(block) => Some(block.clone()),
            None => self.reader.block_of_frame(frame.0)?,
        };
        Ok(block.and_then(|block| {
            let entry = *block.entry(frame.0)?;
            let is_there = !entry.flags.has(Flags::CLEARED);
            is_there.then_some(LocatedFrame { block, entry })
        }))
    }

    /// Returns the frame that starts the exchange `id`.
    pub fn exchange(&self, id: ExchangeId) -> Result<LocatedFrame, RecordError> {
        self.locate(FrameId(id.0))?
            .filter(|found| {
                found.entry.starts_row() && found.entry.row >= self.snapshot.row_index.first
            })
            .ok_or(RecordError::NoSuchExchange(id))
    }

    pub fn payload(&self, frame: FrameId) -> Result<Bytes, RecordError> {
        let found = self.locate(frame)?.ok_or(RecordError::NoSuchFrame(frame))?;
        self.payload_of(&found)
    }

    pub fn payload_of(&self, found: &LocatedFrame) -> Result<Bytes, RecordError> {
        if found.entry.flags.has(Flags::UNRECORDED) {
            let queue = self.shared.queue();
            let text = queue.unrecorded.get(found.entry.frame);
            return text
                .map(|text| text.payload.clone())
                .ok_or(RecordError::NotRecorded);
        }
        match found.block.payload(&found.entry) {
            Some(payload) => Ok(payload.to_bytes()),
            None => self
                .reader
                .large(found.entry.frame, found.entry.payload_length),
        }
    }

    pub fn settlement(&self, row: u32) -> Result<Option<RowSettlement>, RecordError> {
        if let Some(settlement) = self.queued_settlements().get(&row) {
            return Ok(Some(*settlement));
        }
        Ok(self.reader.settlements(row, row)?.first().copied())
    }

    /// Returns the frame that starts `row`, with its block.
    pub fn block_of_row(&self, row: u32) -> Result<Option<LocatedFrame>, RecordError> {
        let mut queued = self.snapshot.blocks.iter();
        let block = match queued.find(|block| block.row_entry(row).is_some()) {
            Some(block) => Some(block.clone()),
            None => self.reader.block_of_row(row)?,
        };
        Ok(block.and_then(|block| {
            let entry = *block.row_entry(row)?;
            let is_there = !entry.flags.has(Flags::CLEARED);
            is_there.then_some(LocatedFrame { block, entry })
        }))
    }

    /// The first block with `frame` or a later one.
    pub fn block_from(&self, frame: u32) -> Result<Option<Arc<Block>>, RecordError> {
        let queued = self
            .snapshot
            .blocks
            .iter()
            .find(|block| block.last_frame().is_some_and(|last| last >= frame));
        if frame >= self.snapshot.first_frame() {
            return Ok(queued.cloned());
        }
        if let Some(block) = self.reader.block_of_frame(frame)? {
            return Ok(Some(block));
        }
        match self.reader.block_after(frame)? {
            Some(block) => Ok(Some(block)),
            None => Ok(queued.cloned()),
        }
    }

    /// Returns the rows at these positions, which have to ascend. Positions without a row are left
    /// out.
    pub fn rows(&self, positions: &[u32]) -> Result<Vec<ExchangeRow>, RecordError> {
        let rows = self.positioned_rows(positions)?;
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// Returns the rows at these positions, which have to ascend, with the position of each.
    pub fn positioned_rows(
        &self,
        positions: &[u32],
    ) -> Result<Vec<(u32, ExchangeRow)>, RecordError> {
        let (Some(first), Some(last)) = (positions.first(), positions.last()) else {
            return Ok(Vec::new());
        };
        let scattered = (last - first) as usize > 4 * positions.len();
        let mut on_disk = HashMap::new();
        if !scattered {
            let settlements = self.reader.settlements(*first, *last)?;
            on_disk.extend(settlements.into_iter().map(|found| (found.row, found)));
        }
        let mut rows = Vec::with_capacity(positions.len());
        let mut current: Option<Arc<Block>> = None;
        let mut calls = HashMap::new();
        for position in positions {
            let known = current
                .as_ref()
                .and_then(|block| Some((block.clone(), *block.row_entry(*position)?)));
            let (block, entry) = match known {
                Some(known) => known,
                None => match self.block_of_row(*position)? {
                    Some(found) => (found.block, found.entry),
                    None => continue,
                },
            };
            let settlement = match self.queued_settlements().get(position) {
                Some(settlement) => Some(*settlement),
                None if scattered => self.settlement(*position)?,
                None => on_disk.get(position).copied(),
            };
            let mut row = self.row(&block, &entry, settlement.as_ref());
            row.parent = self.parent_of(&entry, &mut calls)?;
            rows.push((*position, row));
            current = Some(block);
        }
        Ok(rows)
    }

    /// Returns the row that `entry` starts.
    pub fn row(
        &self,
        block: &Block,
        entry: &Entry,
        settlement: Option<&RowSettlement>,
    ) -> ExchangeRow {
        let server = self.shared.server(entry.connection);
        let project_label = self.shared.project_label(&server);
        let mut row = block.row(entry, settlement, server);
        row.project_label = project_label;
        row.bookmark = self.note(entry.frame).map(str::to_owned);
        if entry.flags.has(Flags::UNRECORDED)
            && let Some(text) = self.shared.queue().unrecorded.get(entry.frame)
        {
            row.target.clone_from(&text.target);
        }
        row
    }

    /// Returns the note of the bookmark on the row that a frame starts.
    pub fn note(&self, frame: u32) -> Option<&str> {
        self.snapshot.bookmarks.get(&frame).map(AsRef::as_ref)
    }

    /// Returns the call during which a row came. `calls` keeps those of the carriers so far.
    fn parent_of(
        &self,
        entry: &Entry,
        calls: &mut HashMap<u32, Option<Entry>>,
    ) -> Result<Option<ExchangeId>, RecordError> {
        if entry.carrier == 0 || entry.direction == Direction::Sent {
            return Ok(None);
        }
        let call = match calls.get(&entry.carrier) {
            Some(call) => *call,
            None => *calls
                .entry(entry.carrier)
                .or_insert(self.call_of(entry.carrier)?),
        };
        Ok(call
            .filter(|call| is_child(entry, call))
            .map(|call| ExchangeId(call.frame)))
    }

    /// Returns the call or the request for a stream that `carrier` is, or that it carried as an HTTP
    /// request.
    fn call_of(&self, carrier: u32) -> Result<Option<Entry>, RecordError> {
        for frame in carrier..=carrier.saturating_add(MAX_FRAMES_TO_CALL) {
            let Some(found) = self.locate(FrameId(frame))? else {
                return Ok(None);
            };
            let is_it = frame == carrier || found.entry.carrier == carrier;
            let (kind, method) = (found.entry.kind, found.block.method(&found.entry));
            if frame == carrier && asks_for_stream(kind, method) {
                return Ok(Some(found.entry));
            }
            if is_it && (is_call(kind, method) || opens_stream(kind, method)) {
                return Ok(Some(found.entry).filter(|entry| entry.direction == Direction::Sent));
            }
        }
        Ok(None)
    }

    /// The server of a connection.
    pub fn server(&self, connection: u32) -> ConnectionServer {
        self.shared.server(connection)
    }

    /// Returns true when a connection checked a server.
    pub fn is_check(&self, connection: u32) -> bool {
        self.shared.is_check(connection)
    }

    /// Returns the name of a server as a row has it.
    pub fn shown_name(&self, server: &ConnectionServer) -> String {
        self.shared.shown_name(server)
    }

    /// Returns the rows that changed since the change numbered `since`, up to this view.
    pub fn changes_since(&self, since: u64) -> Option<Vec<u32>> {
        self.shared
            .queue()
            .changes_between(since, self.snapshot.next_change)
    }
}
