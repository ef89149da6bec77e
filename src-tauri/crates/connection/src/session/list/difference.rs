//! Difference that a `list_changed` brought.

use std::collections::{HashMap, HashSet};

/// Difference of a list from an earlier state.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub changed: Vec<String>,
    /// The places of what was added or changed.
    pub fresh: HashSet<u32>,
    /// The earlier texts of what was changed, by place, as far as there is room.
    before: HashMap<u32, Box<str>>,
    before_bytes: usize,
}

/// Bytes of the earlier texts that are kept of one list.
const MAX_BEFORE_BYTES: usize = 8 << 20;

impl Difference {
    /// Keeps the earlier text of the item at this place, while there is room.
    pub(super) fn keep(&mut self, index: u32, before: &str) {
        if self.before_bytes + before.len() <= MAX_BEFORE_BYTES {
            self.before_bytes += before.len();
            self.before.insert(index, before.into());
        }
    }

    /// Returns the text that the item at this place had before it was changed.
    pub(super) fn before(&self, index: u32) -> Option<&str> {
        self.before.get(&index).map(Box::as_ref)
    }
}
