//! Blocks as they stand on disk: the table of entries as bytes, and back.

use super::{
    Block, Entry, Flags, clamp,
    packed::{from_planes, into_planes},
};
use sightglass_model::Timestamp;

use crate::{Direction, ExchangeKind, Outcome, RecordError};

/// Bytes of an entry in its written form.
pub(super) const ENTRY_SIZE: usize = 48;

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
        into.extend_from_slice(&self.at.as_millis().to_le_bytes());
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
            at: Timestamp::from_millis(f64::from_le_bytes(at)),
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
        let mut entries = Vec::with_capacity(ENTRY_SIZE * self.entries.len());
        for entry in &self.entries {
            entry.write(&mut entries);
        }
        head.extend_from_slice(&into_planes(&entries));
        head
    }

    /// Reads the table of entries back. The text is the caller's to add. `is_packed` tells a
    /// head of today from one that was written before there was compression.
    pub fn from_head(first_row: u32, head: &[u8], is_packed: bool) -> Result<Self, RecordError> {
        let mut block = Block::starting_at(first_row, 0);
        let mut rest = head;
        for _ in 0..extract_number(&mut rest)? {
            let length = extract_number(&mut rest)? as usize;
            let (method, after) = rest
                .split_at_checked(length)
                .ok_or(RecordError::Damaged("a block ends early"))?;
            block
                .methods
                .push(String::from_utf8_lossy(method).into_owned().into());
            block.method_bytes += length;
            rest = after;
        }
        let entries = from_planes(rest, is_packed);
        let (entries, left_over) = entries.as_chunks::<ENTRY_SIZE>();
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

fn extract_number(from: &mut &[u8]) -> Result<u32, RecordError> {
    let (number, rest) = from
        .split_first_chunk::<4>()
        .ok_or(RecordError::Damaged("a block ends early"))?;
    *from = rest;
    Ok(u32::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::super::tests::frame;
    use super::*;

    #[test]
    fn a_block_read_back_is_the_block_written() {
        let mut block = Block::starting_at(7, 0);
        block.push(20, 7, frame("täglich", "{\"a\":1}"));
        block.push(21, 8, frame("", ""));
        let mut read = Block::from_head(7, &block.head(), true).expect("a sound head");
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
            let _ = Block::from_head(1, &head[..end], true);
        }
        let mut wrong = head;
        let last = wrong.len() - 4;
        wrong[last] = 99;
        assert!(Block::from_head(1, &wrong, true).is_err());
    }
}
