//! The operations of which a row matches, kept up as a search finds more.

use std::sync::Arc;

use roaring::RoaringBitmap;

use super::index::OperationIndex;
use crate::query::search::Search;

/// The roots of the operations that a search found. The same search costs what is new.
#[derive(Default)]
pub(super) struct MatchingRoots {
    search: Option<Arc<Search>>,
    /// Number of the links that they were found with.
    generation: u64,
    /// The matches so far.
    seen: RoaringBitmap,
    pub roots: RoaringBitmap,
}

impl MatchingRoots {
    /// Takes in what a search found since the last time.
    pub fn update(&mut self, search: &Arc<Search>, index: &OperationIndex, generation: u64) {
        let mut matches = search.progress().matches().clone();
        matches.remove_range(..index.first_row);
        let is_same = self
            .search
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, search));
        if !is_same || self.generation != generation || !self.seen.is_subset(&matches) {
            *self = Self {
                search: Some(Arc::clone(search)),
                generation,
                ..Self::default()
            };
        }
        // A root may have become a part meanwhile, as an HTTP request whose message came.
        let new = (&matches - &self.seen) | (&self.roots & &index.links.children);
        self.roots -= &new;
        self.roots |= roots_of(index, new);
        self.seen = matches;
    }
}

/// The roots of the operations that rows are parts of.
pub(super) fn roots_of(index: &OperationIndex, mut rows: RoaringBitmap) -> RoaringBitmap {
    let parts = &rows & &index.links.children;
    rows -= &parts;
    rows.extend(parts.iter().map(|row| index.links.root(row)));
    rows
}
