//! Removes the frames of some connections from a block. Their entries stay, empty, so that frames
//! and rows keep their numbers.

use std::collections::HashSet;

use super::{Block, Entry, Flags, SEPARATOR, clamp};

/// A block without the frames of some connections.
pub(crate) struct ClearedBlock {
    pub block: Block,
    /// The frames that were removed.
    pub frames: Vec<u32>,
    /// Those of them whose payloads stand apart.
    pub large: Vec<u32>,
    /// The rows that they started.
    pub rows: Vec<u32>,
}

impl Block {
    /// Returns true when there is a frame of one of these connections.
    pub fn has_any(&self, connections: &HashSet<u32>) -> bool {
        self.entries.iter().any(|entry| is_of(entry, connections))
    }

    /// Returns the number of frames that were not removed.
    pub fn frame_count(&self) -> usize {
        let entries = self.entries.iter();
        entries
            .filter(|entry| !entry.flags.has(Flags::CLEARED))
            .count()
    }

    pub fn without(&self, connections: &HashSet<u32>) -> ClearedBlock {
        let mut cleared = ClearedBlock {
            block: Block::starting_at(self.first_row, self.text.len()),
            frames: Vec::new(),
            large: Vec::new(),
            rows: Vec::new(),
        };
        cleared.block.row_count = self.row_count;
        for entry in &self.entries {
            let is_removed = is_of(entry, connections);
            if is_removed {
                cleared.frames.push(entry.frame);
                if entry.flags.has(Flags::LARGE) {
                    cleared.large.push(entry.frame);
                }
                if entry.starts_row() {
                    cleared.rows.push(entry.row);
                }
            }
            cleared.block.copy(self, entry, is_removed);
        }
        cleared
    }

    fn copy(&mut self, from: &Block, entry: &Entry, is_removed: bool) {
        let text_start = clamp(self.text.len());
        if is_removed || entry.flags.has(Flags::CLEARED) {
            self.text.extend_from_slice(&[SEPARATOR, SEPARATOR]);
            let method = self.method_index("");
            let starts_row = Flags(entry.flags.0 & Flags::STARTS_ROW.0);
            self.entries.push(Entry {
                text_start,
                method,
                connection: 0,
                carrier: 0,
                size: 0,
                payload_length: 0,
                target_length: 0,
                code: 0,
                flags: starts_row.with(Flags::CLEARED),
                ..*entry
            });
            return;
        }
        self.text.extend_from_slice(from.target(entry));
        self.text.push(SEPARATOR);
        if !entry.flags.has(Flags::LARGE)
            && let Some(payload) = from.payload(entry)
        {
            self.text.extend_from_slice(payload.as_slice());
            self.text.push(SEPARATOR);
        }
        let method = self.method_index(from.method(entry));
        self.entries.push(Entry {
            text_start,
            method,
            ..*entry
        });
    }
}

fn is_of(entry: &Entry, connections: &HashSet<u32>) -> bool {
    connections.contains(&entry.connection) && !entry.flags.has(Flags::CLEARED)
}
