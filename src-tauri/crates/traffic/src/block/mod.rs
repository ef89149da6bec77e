//! Frames in the form in which they are queued, written, read back and searched: many to a
//! block, so that no frame costs an allocation, a system call or a database row of its own.
//!
//! A block is a table of fixed-size [`Entry`]s and one run of text that holds, for each
//! entry, its target and its payload. Payloads over [`MAX_INLINE_PAYLOAD`] stand beside it.

mod cleared;
mod entry;
mod packed;
mod written;

use bytes::Bytes;
use sightglass_model::{ConnectionId, ExchangeId, FrameId, Timestamp};

use crate::{Direction, ExchangeKind, ExchangeRow, Outcome, recorded_server::ConnectionServer};

pub(crate) use cleared::ClearedBlock;
pub(crate) use entry::{Entry, Flags, RowSettlement};
pub(crate) use packed::unpack;
use written::ENTRY_SIZE;
pub(crate) use written::{outcome_number, outcome_of};

/// Payloads above this many bytes are kept apart from the block.
pub(crate) const MAX_INLINE_PAYLOAD: usize = 64 * 1024;

/// A block with this much text is full.
pub(crate) const MAX_BLOCK_BYTES: usize = 256 * 1024;

/// A block with less text than this is extended by the next frames when written, so that
/// slow traffic does not leave a database of crumbs.
pub(crate) const MIN_BLOCK_BYTES: usize = 24 * 1024;

/// Stands after every target and payload. It occurs in no UTF-8 text, so that no search
/// matches across two of them.
const SEPARATOR: u8 = 0xff;

/// A frame on its way into a block. `row` is `None` for a frame that starts a row.
#[derive(Clone)]
pub(crate) struct NewFrame<'a> {
    pub row: Option<u32>,
    pub connection: u32,
    pub carrier: u32,
    pub size: usize,
    pub at: Timestamp,
    pub kind: ExchangeKind,
    pub direction: Direction,
    pub outcome: Outcome,
    pub code: i32,
    pub redacted: bool,
    pub method: &'a str,
    /// Already shortened.
    pub target: &'a str,
    pub payload: Bytes,
    /// True when its text may not be written to the disk.
    pub is_unrecorded: bool,
    /// True when it asks whether the server is still there, and nothing else.
    pub is_heartbeat: bool,
}

/// Frames in the order in which they crossed the wire.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub entries: Vec<Entry>,
    pub methods: Vec<Box<str>>,
    pub text: Vec<u8>,
    /// Payloads that stand apart, while the block is in memory.
    pub large: Vec<(u32, Bytes)>,
    /// Rows that ended while the block was open. Written elsewhere, so not part of a block
    /// that was read back.
    pub settlements: Vec<RowSettlement>,
    /// The first row that the block starts, or would have started.
    pub first_row: u32,
    pub row_count: u32,
    method_bytes: usize,
}

impl Block {
    pub fn starting_at(first_row: u32, capacity: usize) -> Self {
        Self {
            first_row,
            text: Vec::with_capacity(capacity),
            ..Self::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.settlements.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.text.len() + self.method_bytes >= MAX_BLOCK_BYTES
            || !self.large.is_empty()
            || self.methods.len() >= usize::from(u16::MAX)
    }

    /// Returns true when the next block may be joined to this one. One with a large payload stays
    /// alone, so that retention can remove it alone.
    pub fn is_small(&self) -> bool {
        self.text.len() + self.entries.len() * ENTRY_SIZE < MIN_BLOCK_BYTES
            && self.methods.len() < 256
            && !self
                .entries
                .iter()
                .any(|entry| entry.flags.has(Flags::LARGE))
    }

    /// Bytes that the block occupies in memory.
    pub fn weight(&self) -> usize {
        let large: usize = self.large.iter().map(|(_, payload)| payload.len()).sum();
        self.text.len()
            + large
            + self.entries.len() * size_of::<Entry>()
            + self.settlements.len() * size_of::<RowSettlement>()
    }

    /// Appends a frame and returns by how much the block grew.
    pub fn push(&mut self, frame: u32, row: u32, new: NewFrame<'_>) -> usize {
        let mut flags = Flags::default();
        if new.row.is_none() {
            flags = flags.with(Flags::STARTS_ROW);
            self.row_count += 1;
        }
        if new.redacted {
            flags = flags.with(Flags::REDACTED);
        }
        if new.is_unrecorded {
            flags = flags.with(Flags::UNRECORDED);
        }
        if new.is_heartbeat {
            flags = flags.with(Flags::HEARTBEAT);
        }
        let method = self.method_index(new.method);
        let text_start = self.text.len();
        self.text.extend_from_slice(new.target.as_bytes());
        self.text.push(SEPARATOR);
        if new.payload.len() > MAX_INLINE_PAYLOAD {
            flags = flags.with(Flags::LARGE);
        } else {
            self.text.extend_from_slice(&new.payload);
            self.text.push(SEPARATOR);
        }
        self.entries.push(Entry {
            frame,
            row,
            connection: new.connection,
            carrier: new.carrier,
            size: clamp(new.size),
            text_start: clamp(text_start),
            payload_length: clamp(new.payload.len()),
            code: new.code,
            at: new.at,
            target_length: u16::try_from(new.target.len()).unwrap_or(u16::MAX),
            method,
            kind: new.kind,
            direction: new.direction,
            outcome: new.outcome,
            flags,
        });
        let grown = self.text.len() - text_start + size_of::<Entry>();
        if flags.has(Flags::LARGE) {
            let length = new.payload.len();
            self.large.push((frame, new.payload));
            return grown + length;
        }
        grown
    }

    fn method_index(&mut self, method: &str) -> u16 {
        // Few methods occur, and the last ones occur again.
        let known = self.methods.iter().rposition(|known| **known == *method);
        let index = known.unwrap_or_else(|| {
            self.methods.push(method.into());
            self.method_bytes += method.len();
            self.methods.len() - 1
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    /// Appends the entries of a block that follows this one, without large payloads.
    pub fn extend(&mut self, next: &Block) {
        if self.entries.is_empty() {
            self.first_row = next.first_row;
        }
        let text_offset = clamp(self.text.len());
        self.text.extend_from_slice(&next.text);
        for entry in &next.entries {
            let method = self.method_index(next.method(entry));
            self.entries.push(Entry {
                method,
                text_start: entry.text_start + text_offset,
                ..*entry
            });
        }
        self.row_count += next.row_count;
    }

    /// The block without what is written elsewhere.
    pub fn without_large(&self) -> Self {
        Self {
            large: Vec::new(),
            settlements: Vec::new(),
            ..self.clone()
        }
    }

    pub fn first_frame(&self) -> Option<u32> {
        self.entries.first().map(|entry| entry.frame)
    }

    pub fn last_frame(&self) -> Option<u32> {
        self.entries.last().map(|entry| entry.frame)
    }

    pub fn entry(&self, frame: u32) -> Option<&Entry> {
        let index = self
            .entries
            .binary_search_by_key(&frame, |entry| entry.frame)
            .ok()?;
        self.entries.get(index)
    }

    /// The entry that starts `row`.
    pub fn row_entry(&self, row: u32) -> Option<&Entry> {
        if row < self.first_row || row >= self.first_row.saturating_add(self.row_count) {
            return None;
        }
        // As many entries as rows stand before it, at least.
        let before = (row - self.first_row) as usize;
        let candidates = self.entries.get(before..)?;
        candidates
            .iter()
            .find(|entry| entry.starts_row() && entry.row == row)
    }

    pub fn method(&self, entry: &Entry) -> &str {
        self.methods
            .get(usize::from(entry.method))
            .map_or("", |method| method)
    }

    pub fn target(&self, entry: &Entry) -> &[u8] {
        let start = entry.text_start as usize;
        self.text
            .get(start..start + usize::from(entry.target_length))
            .unwrap_or_default()
    }

    /// The payload of an entry; `None` for one that stands apart and is not in memory.
    pub fn payload(&self, entry: &Entry) -> Option<Payload<'_>> {
        if entry.flags.has(Flags::LARGE) {
            let found = self.large.iter().find(|(frame, _)| *frame == entry.frame);
            return found.map(|(_, payload)| Payload::Apart(payload));
        }
        let start = entry.text_start as usize + usize::from(entry.target_length) + 1;
        let text = self
            .text
            .get(start..start + entry.payload_length as usize)
            .unwrap_or_default();
        Some(Payload::Inside(text))
    }

    /// The row that `entry` starts, without the label of its project.
    pub fn row(
        &self,
        entry: &Entry,
        settlement: Option<&RowSettlement>,
        server: ConnectionServer,
    ) -> ExchangeRow {
        let mut row = ExchangeRow {
            id: ExchangeId(entry.frame),
            kind: entry.kind,
            direction: entry.direction,
            connection: ConnectionId(entry.connection),
            server_id: server.id,
            server: server.name,
            project: server.project.to_string(),
            project_label: None,
            at: entry.at,
            method: self.method(entry).to_owned(),
            target: String::from_utf8_lossy(self.target(entry)).into_owned(),
            outcome: entry.outcome,
            code: (entry.code != 0).then_some(entry.code),
            duration: None,
            size: entry.size.into(),
            request_frame: FrameId(entry.frame),
            response_frame: None,
            parent: None,
            folded_before: Vec::new(),
            folded_rows: 0,
            bookmark: None,
            is_heartbeat: entry.flags.has(Flags::HEARTBEAT),
        };
        if let Some(settlement) = settlement {
            row.outcome = settlement.outcome;
            row.code = settlement.code.or(row.code);
            row.duration = settlement.duration.map(Into::into);
            row.size += settlement.response_size.into();
            row.response_frame = settlement.response_frame.map(FrameId);
        }
        row
    }
}

/// A payload where it is.
pub(crate) enum Payload<'a> {
    Inside(&'a [u8]),
    Apart(&'a Bytes),
}

impl Payload<'_> {
    pub fn to_bytes(&self) -> Bytes {
        match self {
            Payload::Inside(text) => Bytes::copy_from_slice(text),
            Payload::Apart(bytes) => (*bytes).clone(),
        }
    }

    pub fn as_slice(&self) -> &[u8] {
        match self {
            Payload::Inside(text) => text,
            Payload::Apart(bytes) => bytes,
        }
    }
}

/// Sizes beyond 4 GiB do not occur; messages are limited far below.
fn clamp(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame with something in every field.
    pub(super) fn frame<'a>(target: &'a str, payload: &'static str) -> NewFrame<'a> {
        NewFrame {
            row: None,
            connection: 3,
            carrier: 9,
            size: payload.len(),
            at: Timestamp::from_millis(1.5),
            is_unrecorded: false,
            is_heartbeat: true,
            kind: ExchangeKind::Log,
            direction: Direction::Received,
            outcome: Outcome::None,
            code: -32000,
            redacted: true,
            method: "notifications/message",
            target,
            payload: Bytes::from_static(payload.as_bytes()),
        }
    }

    #[test]
    fn joining_two_blocks_keeps_every_text() {
        let mut first = Block::starting_at(1, 0);
        first.push(1, 1, frame("one", "1"));
        let mut second = Block::starting_at(2, 0);
        second.push(2, 2, frame("two", "2"));
        first.extend(&second);
        let entry = *first.entry(2).expect("frame 2");
        assert_eq!(first.target(&entry), b"two");
        assert_eq!(first.payload(&entry).expect("inside").as_slice(), b"2");
        assert_eq!(first.method(&entry), "notifications/message");
    }
}
