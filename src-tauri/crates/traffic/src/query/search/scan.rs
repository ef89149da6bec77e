//! Scans blocks for a search: forward over new ones and back over older ones.

use std::{collections::HashMap, sync::Arc, time::Instant};

use super::{
    SearchProgress,
    name_matches::{NameMatches, ServerMatches},
};
use crate::{
    RecordError,
    block::{Block, Flags, RowSettlement},
    filter::{CompiledFilter, FilterCandidate, TextMatches, TextPlace},
    query::view::{LocatedFrame, View},
};

/// Range of frames that were scanned: from `low_frame` to before `high_frame`.
#[derive(Clone, Copy)]
pub(super) struct ScanPosition {
    epoch: u32,
    low_frame: u32,
    low_row: u32,
    high_frame: u32,
    high_row: u32,
    next_change: u64,
    reached_oldest: bool,
}

/// A search in progress on one view of the record.
pub(super) struct Scan<'a> {
    pub filter: &'a CompiledFilter,
    pub view: &'a View<'a>,
    pub names: &'a NameMatches<'a>,
    pub progress: &'a mut SearchProgress,
}

impl Scan<'_> {
    /// Starts, starts again where the record was cleared, and forgets what was removed.
    pub fn begin(&mut self) {
        let snapshot = &self.view.snapshot;
        let is_current = |position: &ScanPosition| {
            position.epoch == snapshot.epoch
                && self.view.changes_since(position.next_change).is_some()
        };
        if !self.progress.position.as_ref().is_some_and(is_current) {
            *self.progress = SearchProgress {
                position: Some(ScanPosition {
                    epoch: snapshot.epoch,
                    low_frame: snapshot.next_frame,
                    low_row: snapshot.row_index.next,
                    high_frame: snapshot.next_frame,
                    high_row: snapshot.row_index.next,
                    next_change: snapshot.next_change,
                    reached_oldest: false,
                }),
                ..SearchProgress::default()
            };
        }
        self.progress
            .matches
            .remove_range(..snapshot.row_index.first);
        for (first, last) in &snapshot.row_index.gaps {
            self.progress.matches.remove_range(*first..=*last);
        }
    }

    /// Looks at what came and what changed. Returns whether that is all.
    pub fn follow(&mut self, deadline: Instant) -> Result<bool, RecordError> {
        while let Some(mut position) = self.progress.position {
            if position.high_frame >= self.view.snapshot.next_frame {
                break;
            }
            let Some(block) = self.view.block_from(position.high_frame)? else {
                break;
            };
            let last = block.last_frame().unwrap_or(position.high_frame);
            let mut entry_matches = EntryMatches::default();
            entry_matches.look(self.filter, &block, &block.text);
            self.decide(
                &block,
                entry_matches,
                position.high_frame..last.saturating_add(1),
            )?;
            position.high_frame = last.saturating_add(1);
            position.high_row = position
                .high_row
                .max(block.first_row.saturating_add(block.row_count));
            self.progress.position = Some(position);
            if Instant::now() >= deadline {
                return Ok(false);
            }
        }
        let Some(mut position) = self.progress.position else {
            return Ok(true);
        };
        let mut changed = self
            .view
            .changes_since(position.next_change)
            .unwrap_or_default();
        let count = changed.len() as u64;
        changed.sort_unstable();
        changed.dedup();
        for row in changed {
            if row >= position.low_row && row < position.high_row {
                self.look_again(row)?;
            }
        }
        position.next_change += count;
        self.progress.position = Some(position);
        Ok(true)
    }

    /// Looks at the block before those looked at. Returns whether there is one.
    pub fn step_back(&mut self) -> Result<bool, RecordError> {
        let Some(mut position) = self.progress.position else {
            return Ok(false);
        };
        if position.reached_oldest {
            return Ok(false);
        }
        let before = |block: &&Arc<Block>| {
            block
                .first_frame()
                .is_some_and(|first| first < position.low_frame)
        };
        let queued = self.view.snapshot.blocks.iter().rev().find(before).cloned();
        let (first_frame, first_row) = if let Some(block) = queued {
            let mut entry_matches = EntryMatches::default();
            entry_matches.look(self.filter, &block, &block.text);
            self.decide(&block, entry_matches, 0..position.low_frame)?;
            (block.first_frame(), block.first_row)
        } else {
            let filter = self.filter;
            let look = filter.has_texts().then_some(|block: &Block, text: &[u8]| {
                let mut entry_matches = EntryMatches::default();
                entry_matches.look(filter, block, text);
                entry_matches
            });
            let Some((block, entry_matches)) =
                self.view.reader.visit_before(position.low_frame, look)?
            else {
                position.reached_oldest = true;
                self.progress.carried = HashMap::new();
                self.progress.position = Some(position);
                return Ok(false);
            };
            self.decide(
                &block,
                entry_matches.unwrap_or_default(),
                0..position.low_frame,
            )?;
            (block.first_frame(), block.first_row)
        };
        position.low_frame = first_frame.unwrap_or(0);
        position.low_row = position.low_row.min(first_row);
        self.progress.position = Some(position);
        Ok(true)
    }

    /// Decides on the rows that a block starts, given what was found in its text.
    fn decide(
        &mut self,
        block: &Block,
        mut entry_matches: EntryMatches,
        frames: std::ops::Range<u32>,
    ) -> Result<(), RecordError> {
        let low_row = self
            .progress
            .position
            .map_or(0, |position| position.low_row);
        self.look_at_large(block, &mut entry_matches, &frames)?;
        let methods = self.names.methods(block);
        // What was found in responses comes first, since their rows may start here.
        if self.filter.has_texts() {
            for (index, entry) in block.entries.iter().enumerate() {
                if entry.starts_row() || !frames.contains(&entry.frame) {
                    continue;
                }
                let found = entry_matches.of(index);
                let is_here = entry.row >= block.first_row
                    && entry.row < block.first_row.saturating_add(block.row_count);
                if found != 0 && (is_here || entry.row < low_row) {
                    *self.progress.carried.entry(entry.row).or_default() |= found;
                }
            }
        }
        if self.cannot_match(block, &entry_matches, &methods) {
            return Ok(());
        }
        let mut settlements = self.settlements(block)?.into_iter().peekable();
        let mut server: Option<(u32, ServerMatches)> = None;
        for (index, entry) in block.entries.iter().enumerate() {
            let is_there = entry.starts_row() && !entry.flags.has(Flags::CLEARED);
            if !is_there || !frames.contains(&entry.frame) {
                continue;
            }
            // Both ascend by row.
            while settlements.next_if(|next| next.row < entry.row).is_some() {}
            let settlement = settlements.peek().filter(|next| next.row == entry.row);
            // Neighbours mostly belong to the same connection.
            let server = match &server {
                Some((connection, server)) if *connection == entry.connection => server,
                _ => {
                    let found = self.names.server(entry.connection);
                    &server.insert((entry.connection, found)).1
                }
            };
            let carried = if self.progress.carried.is_empty() {
                0
            } else {
                self.progress.carried.remove(&entry.row).unwrap_or(0)
            };
            let method = methods.get(usize::from(entry.method)).copied().unwrap_or(0);
            let matches = self.filter.decides(&FilterCandidate {
                block,
                entry,
                settlement,
                found: carried | entry_matches.of(index) | method | server.found,
                server: &server.server,
                note: self.view.note(entry.frame),
                shown_name: &server.shown_name,
            });
            if matches {
                self.progress.matches.insert(entry.row);
            }
        }
        Ok(())
    }

    /// Returns true when no row of a block can match, since a text that is asked for stands
    /// nowhere.
    fn cannot_match(
        &self,
        block: &Block,
        entry_matches: &EntryMatches,
        methods: &[TextMatches],
    ) -> bool {
        if !entry_matches.0.is_empty() || !self.progress.carried.is_empty() {
            return false;
        }
        let mut anywhere = methods.iter().fold(0, |all, found| all | found);
        let mut last = None;
        for entry in &block.entries {
            if last != Some(entry.connection) {
                last = Some(entry.connection);
                anywhere |= self.names.server(entry.connection).found;
            }
        }
        self.filter.needs_more_than(anywhere)
    }

    fn look_at_large(
        &self,
        block: &Block,
        entry_matches: &mut EntryMatches,
        frames: &std::ops::Range<u32>,
    ) -> Result<(), RecordError> {
        if !self.filter.has_texts() {
            return Ok(());
        }
        for (index, entry) in block.entries.iter().enumerate() {
            if !entry.flags.has(Flags::LARGE) || !frames.contains(&entry.frame) {
                continue;
            }
            let found = match block.payload(entry) {
                Some(payload) => self.filter.find(payload.as_slice(), TextPlace::Payload),
                None => {
                    let payload = self.view.reader.large(entry.frame, entry.payload_length)?;
                    self.filter.find(&payload, TextPlace::Payload)
                }
            };
            entry_matches.add(index, found);
        }
        Ok(())
    }

    /// Returns the outcomes of a block's rows, as far as the decision needs them.
    fn settlements(&self, block: &Block) -> Result<Vec<RowSettlement>, RecordError> {
        if block.row_count == 0 || !self.filter.needs_settlements() {
            return Ok(Vec::new());
        }
        let last = block.first_row + block.row_count - 1;
        let mut settlements = self.view.reader.settlements(block.first_row, last)?;
        let queued = self.view.queued_settlements();
        if !queued.is_empty() {
            let newer = (block.first_row..=last).filter_map(|row| queued.get(&row).copied());
            let newer: Vec<RowSettlement> = newer.collect();
            settlements.retain(|old| !queued.contains_key(&old.row));
            settlements.extend(newer);
            settlements.sort_unstable_by_key(|settlement| settlement.row);
        }
        Ok(settlements)
    }

    /// Decides again on a row that changed.
    fn look_again(&mut self, row: u32) -> Result<(), RecordError> {
        let Some(found) = self.view.block_of_row(row)? else {
            return Ok(());
        };
        let settlement = self.view.settlement(row)?;
        let response = settlement.and_then(|settlement| settlement.response_frame);
        let mut texts: TextMatches = 0;
        let server = self.names.server(found.entry.connection);
        if self.filter.has_texts() {
            texts = server.found
                | self
                    .filter
                    .find(found.block.method(&found.entry).as_bytes(), TextPlace::Name);
            texts |= self.find_in(&found)?;
            if let Some(response) = response
                && let Some(response) = self.view.locate(sightglass_model::FrameId(response))?
            {
                texts |= self.find_in(&response)?;
            }
        }
        let matches = self.filter.decides(&FilterCandidate {
            block: &found.block,
            entry: &found.entry,
            settlement: settlement.as_ref(),
            found: texts,
            server: &server.server,
            note: self.view.note(found.entry.frame),
            shown_name: &server.shown_name,
        });
        if matches {
            self.progress.matches.insert(row);
        } else {
            self.progress.matches.remove(row);
        }
        Ok(())
    }

    fn find_in(&self, found: &LocatedFrame) -> Result<TextMatches, RecordError> {
        let method = found.block.method(&found.entry);
        let target = found.block.target(&found.entry);
        let target = self.filter.find(target, TextPlace::Target(method));
        let payload = match found.block.payload(&found.entry) {
            Some(payload) => self.filter.find(payload.as_slice(), TextPlace::Payload),
            None => self
                .filter
                .find(&self.view.payload_of(found)?, TextPlace::Payload),
        };
        Ok(target | payload)
    }
}

/// Matches in a block's text, by entry.
#[derive(Default)]
struct EntryMatches(HashMap<usize, TextMatches>);

impl EntryMatches {
    fn look(&mut self, filter: &CompiledFilter, block: &Block, text: &[u8]) {
        filter.find_entries(block, text, |index, found| self.add(index, found));
    }

    fn add(&mut self, index: usize, found: TextMatches) {
        if found != 0 {
            *self.0.entry(index).or_default() |= found;
        }
    }

    fn of(&self, index: usize) -> TextMatches {
        if self.0.is_empty() {
            return 0;
        }
        self.0.get(&index).copied().unwrap_or(0)
    }
}
