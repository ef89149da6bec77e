//! Decides which rows a quiet view folds away: what the application itself remarks on while all
//! goes well, the heartbeats of idle connections, and everything of the connections that check
//! servers.
//!
//! Every call changes the phase twice, and every idle connection is pinged twice a minute, so such
//! rows would outnumber the calls. Their positions
//! are kept as they are recorded, and learned, block by block, of what earlier runs recorded, once
//! a view comes by. So a quiet view never looks at rows that nobody looks at.

use roaring::RoaringBitmap;

use crate::{
    ExchangeKind, ExchangeRow, TrafficQuery,
    block::{Block, Flags},
    recorded_server::is_of_check,
    store::RowIndex,
};

/// Names of phases, and of the checks of the doctor. Not of failures, ends and warnings, which
/// nobody wants to miss.
const QUIET: [&str; 11] = [
    "disconnected",
    "connecting",
    "initializing",
    "handshaking",
    "listing_resources",
    "listing_tools",
    "listing_prompts",
    "ready",
    "executing",
    "cleaning_up",
    "doctor",
];

/// Returns true when a quiet view folds such a row away as a phase.
pub(crate) fn is_quiet_phase(kind: ExchangeKind, method: &str) -> bool {
    kind == ExchangeKind::Phase && QUIET.contains(&method)
}

/// Returns true when a query leaves a row out, whatever its filter says.
pub(crate) fn is_left_out(query: &TrafficQuery, row: &ExchangeRow) -> bool {
    let is_check = is_of_check(&row.server_id);
    let is_quiet = is_quiet_phase(row.kind, &row.method) || row.is_heartbeat && !is_check;
    query.quiet && is_quiet || query.without_checks && is_check
}

/// The rows, as far as is known, that a query may leave out.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoldableRows {
    /// Phases and heartbeats.
    quiet: RoaringBitmap,
    /// Rows of connections that check a server.
    checks: RoaringBitmap,
}

impl FoldableRows {
    /// Notes a row, if it may be left out.
    pub fn note(
        &mut self,
        row: u32,
        kind: ExchangeKind,
        method: &str,
        is_heartbeat: bool,
        is_check: bool,
    ) {
        // A check that pings is there to be seen.
        if is_quiet_phase(kind, method) || is_heartbeat && !is_check {
            self.quiet.insert(row);
        }
        if is_check {
            self.checks.insert(row);
        }
    }

    /// Notes the row of an HTTP request that carries a heartbeat.
    pub fn note_http_of_heartbeat(&mut self, row: u32) {
        self.quiet.insert(row);
    }

    /// Returns those that a query leaves out.
    pub fn left_out(&self, query: &TrafficQuery) -> RoaringBitmap {
        let mut rows = RoaringBitmap::new();
        if query.quiet {
            rows |= &self.quiet;
        }
        if query.without_checks {
            rows |= &self.checks;
        }
        rows
    }

    /// Returns the number of those of checks among rows, phases aside: they have a switch of their
    /// own.
    pub fn count_of_checks(&self, row_index: RowIndex) -> u32 {
        let all = row_index.count();
        let checks = &self.checks - &self.quiet;
        all.saturating_sub(QuietRows::new(row_index, checks).count())
    }

    /// Learns the rows that a block starts. `is_check` tells which connections check a server.
    pub fn learn(&mut self, block: &Block, is_check: impl Fn(u32) -> bool) {
        for entry in block.entries.iter().filter(|entry| entry.starts_row()) {
            let of_check = is_check(entry.connection);
            let is_heartbeat = entry.flags.has(Flags::HEARTBEAT);
            let method = block.method(entry);
            self.note(entry.row, entry.kind, method, is_heartbeat, of_check);
            if is_heartbeat && !of_check {
                // Recorded right before it; where another block has it, it stays.
                let http = block.entries.iter().find(|one| one.frame == entry.carrier);
                if let Some(http) = http.filter(|http| http.starts_row()) {
                    self.note_http_of_heartbeat(http.row);
                }
            }
        }
    }

    pub fn extend(&mut self, more: &Self) {
        self.quiet |= &more.quiet;
        self.checks |= &more.checks;
    }

    pub fn remove(&mut self, rows: &RoaringBitmap) {
        self.quiet -= rows;
        self.checks -= rows;
    }

    pub fn forget_before(&mut self, first: u32) {
        self.quiet.remove_range(..first);
        self.checks.remove_range(..first);
    }

    pub fn clear(&mut self) {
        self.quiet.clear();
        self.checks.clear();
    }
}

/// The rows of a view without those that are folded away.
pub(crate) struct QuietRows {
    row_index: RowIndex,
    folded: RoaringBitmap,
}

impl QuietRows {
    /// `row_index` without the rows in `folded`.
    pub fn new(row_index: RowIndex, mut folded: RoaringBitmap) -> Self {
        folded.remove_range(..row_index.first);
        folded.remove_range(row_index.next..);
        for (first, last) in &row_index.gaps {
            folded.remove_range(*first..=*last);
        }
        Self { row_index, folded }
    }

    pub fn count(&self) -> u32 {
        let folded = u32::try_from(self.folded.len()).unwrap_or(u32::MAX);
        self.row_index.count().saturating_sub(folded)
    }

    /// The positions of the rows that `offset` newer ones follow, and of the `limit` before
    /// them, in ascending order.
    pub fn positions(&self, offset: u32, limit: u32) -> Vec<u32> {
        let Some(mut raw) = self.raw_offset(offset) else {
            return Vec::new();
        };
        let mut positions = Vec::new();
        while positions.len() < limit as usize {
            let Some(position) = self.row_index.nth_newest(raw) else {
                break;
            };
            if !self.folded.contains(position) {
                positions.push(position);
            }
            raw += 1;
        }
        positions.reverse();
        positions
    }

    /// Counts on from `offset` by the folded rows that are newer.
    fn raw_offset(&self, offset: u32) -> Option<u32> {
        let mut raw = offset;
        loop {
            let position = self.row_index.nth_newest(raw)?;
            let newer = self.folded.len() - self.folded.rank(position)
                + u64::from(self.folded.contains(position));
            let next = offset.checked_add(u32::try_from(newer).ok()?)?;
            if next == raw {
                return Some(raw);
            }
            raw = next;
        }
    }

    /// The folded rows right before `position`, at most `limit`, in ascending order.
    pub fn folded_before(&self, position: u32, limit: usize) -> Vec<u32> {
        let mut before: Vec<u32> = (self.row_index.first..position)
            .rev()
            .take_while(|row| self.folded.contains(*row))
            .take(limit)
            .collect();
        before.reverse();
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(first: u32, next: u32) -> RowIndex {
        RowIndex {
            first,
            next,
            gaps: vec![(8, 9)],
        }
    }

    #[test]
    fn folded_rows_are_stepped_over_like_lost_ones() {
        let rows = QuietRows::new(index(3, 16), [1, 3, 6, 7, 8, 13, 15, 40].into());
        // 4 5 10 11 12 14 are left.
        assert_eq!(rows.count(), 6);
        assert_eq!(rows.positions(0, 100), [4, 5, 10, 11, 12, 14]);
        for offset in 0..6 {
            let newest = rows.positions(offset, 1);
            assert_eq!(newest, [[14, 12, 11, 10, 5, 4][offset as usize]]);
        }
        assert_eq!(rows.positions(2, 2), [10, 11]);
        assert_eq!(rows.positions(6, 1), [0; 0]);
        assert_eq!(rows.folded_before(14, 9), [13]);
        assert_eq!(rows.folded_before(12, 9), [0; 0]);
    }

    #[test]
    fn failures_and_remarks_stay() {
        assert!(is_quiet_phase(ExchangeKind::Phase, "ready"));
        assert!(is_quiet_phase(ExchangeKind::Phase, "doctor"));
        assert!(!is_quiet_phase(ExchangeKind::Phase, "failed"));
        assert!(!is_quiet_phase(ExchangeKind::Phase, "exit"));
        assert!(!is_quiet_phase(ExchangeKind::Request, "ready"));
    }
}
