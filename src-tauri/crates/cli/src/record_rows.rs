//! Reads what comes on record, for commands that tell it as it comes. Secrets are masked there.

use std::sync::Arc;

use sightglass_inspector::{
    ExchangeId, ExchangeRow, FrameId, Inspector, PayloadForm, PayloadQuery, TrafficQuery,
};

/// Rows that are read at a time.
const PAGE_LENGTH: u32 = 500;

/// Rows of the record, each of which is read once.
pub(crate) struct RecordRows {
    inspector: Arc<Inspector>,
    /// The newest row that has been seen.
    newest: Option<ExchangeId>,
}

impl RecordRows {
    pub(crate) fn new(inspector: &Arc<Inspector>) -> Self {
        Self {
            inspector: Arc::clone(inspector),
            newest: None,
        }
    }

    /// Reads what comes from now on.
    pub(crate) async fn from_now(inspector: &Arc<Inspector>) -> Self {
        let record = inspector.core.record();
        let page = record.window(TrafficQuery::default(), 0, 1).await;
        let rows = page.map(|page| page.rows).unwrap_or_default();
        Self {
            newest: rows.last().map(|row| row.id),
            ..Self::new(inspector)
        }
    }

    /// The rows that were not seen yet, oldest first.
    ///
    /// Asked for without a filter, since that would be a search, which may answer before it has
    /// looked at everything.
    pub(crate) async fn unseen(&mut self) -> Vec<ExchangeRow> {
        let mut query = TrafficQuery::default();
        let mut pages = Vec::new();
        for offset in (0..).step_by(PAGE_LENGTH as usize) {
            let record = self.inspector.core.record();
            let page = record.window(query.clone(), offset, PAGE_LENGTH);
            // Nothing counts as seen then, and the next time begins where this one did.
            let Ok(page) = page.await else {
                return Vec::new();
            };
            let mut rows = page.rows;
            let is_full = rows.len() == PAGE_LENGTH as usize;
            // Pages are counted from the newest row: what comes meanwhile must not move them.
            query.until = query.until.or(rows.last().map(|row| row.id));
            let before = rows.len();
            rows.retain(|row| self.newest.is_none_or(|newest| row.id > newest));
            let reached_known = rows.len() < before;
            pages.push(rows);
            if reached_known || !is_full {
                break;
            }
        }
        let rows: Vec<ExchangeRow> = pages.into_iter().rev().flatten().collect();
        self.newest = rows.last().map(|row| row.id).or(self.newest);
        rows
    }

    /// The whole text of a frame; `None` where it is too long to be shown.
    pub(crate) async fn text(&self, frame: FrameId) -> Option<String> {
        let query = PayloadQuery {
            frame,
            pointer: String::new(),
            form: PayloadForm::Raw,
        };
        self.inspector
            .record
            .reader
            .payload_text(None, query)
            .await
            .ok()
    }
}
