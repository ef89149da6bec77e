//! Finds the rows that came during a call, for a view that folds them away.

use std::{collections::HashMap, sync::Mutex};

use roaring::RoaringBitmap;
use sightglass_model::{ExchangeId, FrameId, lock};

use super::view::{View, is_child};
use crate::{ExchangeKind, RecordError};

/// Calls whose rows are remembered.
const MAX_CALLS: usize = 64;

/// The rows of calls, as far as they were looked at. A question that is repeated costs what is
/// new.
#[derive(Default)]
pub(super) struct FoldedCalls {
    calls: Mutex<HashMap<u32, Rows>>,
}

#[derive(Default, Clone)]
struct Rows {
    rows: RoaringBitmap,
    /// The frame from which on nothing was looked at.
    next_frame: u32,
}

impl FoldedCalls {
    /// Returns the rows that came during `call`.
    pub fn rows(&self, view: &View<'_>, call: ExchangeId) -> Result<RoaringBitmap, RecordError> {
        let Some(found) = view.locate(FrameId(call.0))? else {
            return Ok(RoaringBitmap::new());
        };
        let settlement = view.settlement(found.entry.row)?;
        let answer = settlement.and_then(|settlement| settlement.response_frame);
        // The answer to a request for a stream is where the stream begins.
        let last = answer
            .filter(|_| found.entry.kind != ExchangeKind::Http)
            .unwrap_or(view.snapshot.next_frame);
        let mut calls = lock(&self.calls);
        if calls.len() >= MAX_CALLS && !calls.contains_key(&call.0) {
            calls.clear();
        }
        let known = calls.entry(call.0).or_default();
        known.next_frame = known.next_frame.max(call.0 + 1);
        while known.next_frame < last {
            let Some(block) = view.block_from(known.next_frame)? else {
                break;
            };
            let from = known.next_frame;
            for entry in &block.entries {
                if (from..last).contains(&entry.frame) && is_child(entry, &found.entry) {
                    known.rows.insert(entry.row);
                }
            }
            known.next_frame = block.last_frame().unwrap_or(from).saturating_add(1);
        }
        Ok(known.rows.clone())
    }
}
