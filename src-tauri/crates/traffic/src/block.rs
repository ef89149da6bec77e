//! Frames in the form in which they are queued, written, read back and searched: many to a
//! block, so that no frame costs an allocation, a system call or a database row of its own.
//!
//! A block is a table of fixed-size [`Entry`]s and one run of text that holds, for each
//! entry, its target and its payload. Payloads over [`LARGE_PAYLOAD`] stand beside it.

use bytes::Bytes;
use sightglass_model::{ConnectionId, ExchangeId, FrameId, ServerId};

use crate::{Direction, ExchangeKind, ExchangeRow, Outcome, RecordError};

/// Payloads above this many bytes are kept apart from the block.
pub(crate) const LARGE_PAYLOAD: usize = 64 * 1024;

/// A block with this much text is full.
pub(crate) const FULL_BLOCK: usize = 256 * 1024;

/// A block with less text than this is extended by the next frames when written, so that
/// slow traffic does not leave a database of crumbs.
pub(crate) const SMALL_BLOCK: usize = 24 * 1024;

/// Stands after every target and payload. It occurs in no UTF-8 text, so that no search
/// matches across two of them.
const SEPARATOR: u8 = 0xff;

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub frame: u32,
    /// The row it belongs to, by position.
    pub row: u32,
    pub connection: u32,
    /// The frame of the HTTP request that carried it; 0 for none.
    pub carrier: u32,
    /// Bytes on the wire, before redaction.
    pub size: u32,
    /// Where its target begins in the block's text; its payload follows.
    pub text_start: u32,
    pub payload_length: u32,
    /// The error code or HTTP status that it was recorded with; 0 for none.
    pub code: i32,
    /// Milliseconds since the Unix epoch.
    pub at: f64,
    pub target_length: u16,
    /// An index into the block's methods.
    pub method: u16,
    pub kind: ExchangeKind,
    pub direction: Direction,
    pub outcome: Outcome,
    pub flags: Flags,
}

/// What else is to be known about an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags(u8);

impl Flags {
    pub const STARTS_ROW: Flags = Flags(1);
    pub const REDACTED: Flags = Flags(2);
    pub const LARGE: Flags = Flags(4);

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

/// How a row ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Settlement {
    pub row: u32,
    pub outcome: Outcome,
    pub code: Option<i32>,
    /// Milliseconds.
    pub duration: Option<f64>,
    pub response_frame: Option<u32>,
    /// Bytes of the response, before redaction.
    pub response_size: u32,
}

impl Settlement {
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

/// A frame on its way into a block. `row` is `None` for a frame that starts a row.
pub(crate) struct NewFrame<'a> {
    pub row: Option<u32>,
    pub connection: u32,
    pub carrier: u32,
    pub size: usize,
    pub at: f64,
    pub kind: ExchangeKind,
    pub direction: Direction,
    pub outcome: Outcome,
    pub code: i32,
    pub redacted: bool,
    pub method: &'a str,
    /// Already shortened.
    pub target: &'a str,
    pub payload: Bytes,
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
    pub settlements: Vec<Settlement>,
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
        self.text.len() + self.method_bytes >= FULL_BLOCK
            || !self.large.is_empty()
            || self.methods.len() >= usize::from(u16::MAX)
    }

    /// Whether the next block may be joined to this one. One with a large payload stays
    /// alone, so that retention can remove it alone.
    pub fn is_small(&self) -> bool {
        self.text.len() + self.entries.len() * ENTRY_SIZE < SMALL_BLOCK
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
            + self.settlements.len() * size_of::<Settlement>()
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
        let method = self.method_index(new.method);
        let text_start = self.text.len();
        self.text.extend_from_slice(new.target.as_bytes());
        self.text.push(SEPARATOR);
        if new.payload.len() > LARGE_PAYLOAD {
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

    /// The row that `entry` starts.
    pub fn row(
        &self,
        entry: &Entry,
        settlement: Option<&Settlement>,
        (server_id, server): (ServerId, String),
    ) -> ExchangeRow {
        let mut row = ExchangeRow {
            id: ExchangeId(entry.frame),
            kind: entry.kind,
            direction: entry.direction,
            connection: ConnectionId(entry.connection),
            server_id,
            server,
            at: entry.at,
            method: self.method(entry).to_owned(),
            target: String::from_utf8_lossy(self.target(entry)).into_owned(),
            outcome: entry.outcome,
            code: (entry.code != 0).then_some(entry.code),
            duration: None,
            size: f64::from(entry.size),
            request_frame: FrameId(entry.frame),
            response_frame: None,
        };
        if let Some(settlement) = settlement {
            row.outcome = settlement.outcome;
            row.code = settlement.code.or(row.code);
            row.duration = settlement.duration;
            row.size += f64::from(settlement.response_size);
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

/// Bytes of an entry in its written form.
const ENTRY_SIZE: usize = 48;

const KINDS: [ExchangeKind; 7] = [
    ExchangeKind::Request,
    ExchangeKind::Notification,
    ExchangeKind::Log,
    ExchangeKind::Http,
    ExchangeKind::Oauth,
    ExchangeKind::Stderr,
    ExchangeKind::Phase,
];

const OUTCOMES: [Outcome; 6] = [
    Outcome::Pending,
    Outcome::Ok,
    Outcome::Error,
    Outcome::Cancelled,
    Outcome::Unanswered,
    Outcome::None,
];

/// The number under which an outcome is written.
pub(crate) fn outcome_number(outcome: Outcome) -> u8 {
    OUTCOMES
        .iter()
        .position(|known| *known == outcome)
        .unwrap_or(0) as u8
}

/// The outcome written under a number.
pub(crate) fn outcome_of(number: u8) -> Result<Outcome, RecordError> {
    OUTCOMES
        .get(usize::from(number))
        .copied()
        .ok_or(RecordError::Damaged("unknown outcome"))
}

impl Entry {
    fn write(&self, into: &mut Vec<u8>) {
        for number in [
            self.frame,
            self.row,
            self.connection,
            self.carrier,
            self.size,
            self.text_start,
            self.payload_length,
        ] {
            into.extend_from_slice(&number.to_le_bytes());
        }
        into.extend_from_slice(&self.code.to_le_bytes());
        into.extend_from_slice(&self.at.to_le_bytes());
        into.extend_from_slice(&self.target_length.to_le_bytes());
        into.extend_from_slice(&self.method.to_le_bytes());
        let kind = KINDS.iter().position(|known| *known == self.kind);
        into.extend_from_slice(&[
            kind.unwrap_or(0) as u8,
            u8::from(self.direction == Direction::Received),
            outcome_number(self.outcome),
            self.flags.0,
        ]);
    }

    fn read(from: &[u8; ENTRY_SIZE]) -> Result<Self, RecordError> {
        let number =
            |at: usize| u32::from_le_bytes([from[at], from[at + 1], from[at + 2], from[at + 3]]);
        let mut at = [0; 8];
        at.copy_from_slice(&from[32..40]);
        Ok(Self {
            frame: number(0),
            row: number(4),
            connection: number(8),
            carrier: number(12),
            size: number(16),
            text_start: number(20),
            payload_length: number(24),
            code: number(28) as i32,
            at: f64::from_le_bytes(at),
            target_length: u16::from_le_bytes([from[40], from[41]]),
            method: u16::from_le_bytes([from[42], from[43]]),
            kind: *KINDS
                .get(usize::from(from[44]))
                .ok_or(RecordError::Damaged("unknown kind of row"))?,
            direction: if from[45] == 0 {
                Direction::Sent
            } else {
                Direction::Received
            },
            outcome: outcome_of(from[46])?,
            flags: Flags(from[47]),
        })
    }
}

impl Block {
    /// The table of entries in its written form: the methods, then the entries.
    pub fn head(&self) -> Vec<u8> {
        let mut head = Vec::with_capacity(
            4 + self.method_bytes + 4 * self.methods.len() + ENTRY_SIZE * self.entries.len(),
        );
        head.extend_from_slice(&clamp(self.methods.len()).to_le_bytes());
        for method in &self.methods {
            head.extend_from_slice(&clamp(method.len()).to_le_bytes());
            head.extend_from_slice(method.as_bytes());
        }
        for entry in &self.entries {
            entry.write(&mut head);
        }
        head
    }

    /// Reads the table of entries back. The text is the caller's to add.
    pub fn from_head(first_row: u32, head: &[u8]) -> Result<Self, RecordError> {
        let mut block = Block::starting_at(first_row, 0);
        let mut rest = head;
        for _ in 0..take_number(&mut rest)? {
            let length = take_number(&mut rest)? as usize;
            let (method, after) = rest
                .split_at_checked(length)
                .ok_or(RecordError::Damaged("a block ends early"))?;
            block
                .methods
                .push(String::from_utf8_lossy(method).into_owned().into());
            block.method_bytes += length;
            rest = after;
        }
        let (entries, left_over) = rest.as_chunks::<ENTRY_SIZE>();
        if !left_over.is_empty() {
            return Err(RecordError::Damaged("a block ends early"));
        }
        block.entries.reserve_exact(entries.len());
        for entry in entries {
            let entry = Entry::read(entry)?;
            block.row_count += u32::from(entry.starts_row());
            block.entries.push(entry);
        }
        Ok(block)
    }
}

fn take_number(from: &mut &[u8]) -> Result<u32, RecordError> {
    let (number, rest) = from
        .split_first_chunk::<4>()
        .ok_or(RecordError::Damaged("a block ends early"))?;
    *from = rest;
    Ok(u32::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame<'a>(target: &'a str, payload: &'static str) -> NewFrame<'a> {
        NewFrame {
            row: None,
            connection: 3,
            carrier: 9,
            size: payload.len(),
            at: 1.5,
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
    fn a_block_read_back_is_the_block_written() {
        let mut block = Block::starting_at(7, 0);
        block.push(20, 7, frame("täglich", "{\"a\":1}"));
        block.push(21, 8, frame("", ""));
        let mut read = Block::from_head(7, &block.head()).expect("a sound head");
        read.text.clone_from(&block.text);
        assert_eq!(read.entries, block.entries);
        assert_eq!(read.row_count, 2);
        let entry = read.row_entry(7).expect("row 7");
        assert_eq!(read.target(entry), "täglich".as_bytes());
        assert_eq!(
            read.payload(entry).expect("inside").as_slice(),
            b"{\"a\":1}"
        );
    }

    #[test]
    fn a_damaged_head_is_an_error_and_not_a_panic() {
        let mut block = Block::starting_at(1, 0);
        block.push(1, 1, frame("a", "b"));
        let head = block.head();
        for end in 0..head.len() {
            let _ = Block::from_head(1, &head[..end]);
        }
        let mut wrong = head;
        let last = wrong.len() - 4;
        wrong[last] = 99;
        assert!(Block::from_head(1, &wrong).is_err());
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
