//! The links of the newest rows, grown frame by frame.

use std::{collections::HashMap, sync::Arc, time::Instant};

use roaring::RoaringBitmap;

use crate::{
    ExchangeKind, RecordError, TrafficQuery,
    block::{Block, Entry, Flags},
    operations::{Found, Links, ObservedFrame, OperationLinker, Times},
    query::view::{LocatedFrame, View},
    quiet::FoldableRows,
};

/// The most links that are kept: 48 MB where none follow one another.
const MAX_LINKS: usize = 1 << 20;

/// Longer texts are not taken apart.
const MAX_TEXT_BYTES: u32 = 1 << 20;

/// Links of the rows from some frame on.
pub(super) struct OperationIndex {
    pub links: Links,
    pub times: Times,
    pub foldable: FoldableRows,
    /// Rows that are no calls: nothing answers them, or they only carry something.
    unanswerable: RoaringBitmap,
    linker: OperationLinker,
    /// The first row that was looked at.
    pub first_row: u32,
    /// The first frame that was looked at.
    pub first_frame: u32,
    /// The frame from which on nothing was looked at.
    pub next_frame: u32,
    /// True when older rows were let go, since there are too many.
    pub is_cut: bool,
    /// Servers of connections, with their projects.
    servers: HashMap<u32, Arc<str>>,
}

impl OperationIndex {
    /// Begins with a frame of the record, whose first is `oldest`.
    pub fn starting_at(frame: u32, oldest: u32) -> Self {
        Self {
            links: Links::default(),
            times: Times::default(),
            foldable: FoldableRows::default(),
            unanswerable: RoaringBitmap::new(),
            linker: OperationLinker::new(frame <= oldest),
            first_row: u32::MAX,
            first_frame: frame,
            next_frame: frame,
            is_cut: false,
            servers: HashMap::new(),
        }
    }

    /// Looks at the frames up to the newest. Returns whether that is all.
    pub fn follow(&mut self, view: &View<'_>, deadline: Instant) -> Result<bool, RecordError> {
        while self.next_frame < view.snapshot.next_frame {
            let Some(block) = view.block_from(self.next_frame)? else {
                break;
            };
            let Some(last) = block.last_frame() else {
                break;
            };
            self.block(view, &block)?;
            self.next_frame = last.saturating_add(1);
            let next_row = block.first_row.saturating_add(block.row_count);
            while self.links.len() > MAX_LINKS && self.first_row < next_row {
                self.first_row += (next_row - self.first_row).div_ceil(2);
                self.forget_before(self.first_row);
                self.is_cut = true;
            }
            if Instant::now() >= deadline {
                return Ok(self.next_frame >= view.snapshot.next_frame);
            }
        }
        if self.first_row < view.snapshot.row_index.first {
            self.first_row = view.snapshot.row_index.first;
            self.forget_before(self.first_row);
        }
        Ok(true)
    }

    /// Returns the rows that a quiet list of operations leaves out since they are no calls: lines,
    /// phases, messages and HTTP requests that belong to nothing. One that names kinds has them.
    pub fn no_calls(&self, query: &TrafficQuery) -> RoaringBitmap {
        match query.quiet && query.kinds.is_empty() && !query.filter.contains("kind:") {
            true => self.unanswerable.clone(),
            false => RoaringBitmap::new(),
        }
    }

    fn forget_before(&mut self, first: u32) {
        self.links.forget_before(first);
        self.times.forget_before(first);
        self.foldable.forget_before(first);
        self.unanswerable.remove_range(..first);
    }

    fn block(&mut self, view: &View<'_>, block: &Arc<Block>) -> Result<(), RecordError> {
        for entry in &block.entries {
            if entry.frame < self.next_frame || entry.flags.has(Flags::CLEARED) {
                continue;
            }
            let method = block.method(entry);
            if entry.starts_row() {
                if self.first_row == u32::MAX {
                    self.first_row = entry.row;
                }
                let is_check = view.is_check(entry.connection);
                let is_heartbeat = entry.flags.has(Flags::HEARTBEAT);
                self.foldable
                    .note(entry.row, entry.kind, method, is_heartbeat, is_check);
                if !matches!(entry.kind, ExchangeKind::Request | ExchangeKind::Oauth) {
                    self.unanswerable.insert(entry.row);
                }
            } else if entry.row < self.first_row {
                // It answers what was not looked at.
                continue;
            }
            let server = self.server(view, entry.connection);
            let apart = self.apart(view, block, entry)?;
            let inside = block.payload(entry);
            let payload = match (&apart, &inside) {
                (Some(text), _) => Some(&**text),
                (None, Some(inside)) if !entry.flags.has(Flags::UNRECORDED) => {
                    // A long one that is not written yet is at hand too.
                    Some(inside.as_slice()).filter(|text| text.len() <= MAX_TEXT_BYTES as usize)
                }
                _ => None,
            };
            let frame = ObservedFrame {
                frame: entry.frame,
                row: entry.row,
                starts_row: entry.starts_row(),
                connection: entry.connection,
                carrier: entry.carrier,
                kind: entry.kind,
                direction: entry.direction,
                at: entry.at,
                method,
                payload,
            };
            let mut found = Found {
                links: &mut self.links,
                times: &mut self.times,
            };
            self.linker.frame(&frame, &server, &mut found);
        }
        Ok(())
    }

    /// Reads a text that is not in its block: a large one of a message, or one in memory only.
    fn apart(
        &self,
        view: &View<'_>,
        block: &Arc<Block>,
        entry: &Entry,
    ) -> Result<Option<bytes::Bytes>, RecordError> {
        let is_apart = entry.flags.has(Flags::LARGE) || entry.flags.has(Flags::UNRECORDED);
        let is_read = matches!(
            entry.kind,
            ExchangeKind::Request | ExchangeKind::Notification
        ) || entry.flags.has(Flags::UNRECORDED);
        if !is_apart || !is_read || entry.payload_length > MAX_TEXT_BYTES {
            return Ok(None);
        }
        let found = LocatedFrame {
            block: block.clone(),
            entry: *entry,
        };
        match view.payload_of(&found) {
            Ok(text) => Ok(Some(text).filter(|text| text.len() <= MAX_TEXT_BYTES as usize)),
            Err(RecordError::NotRecorded | RecordError::Damaged(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Names the server of a connection in its project.
    fn server(&mut self, view: &View<'_>, connection: u32) -> Arc<str> {
        if let Some(known) = self.servers.get(&connection) {
            return known.clone();
        }
        // A name can be learned again; the names of all connections that ever were cannot be kept.
        if self.servers.len() >= 1_000 {
            self.servers.clear();
        }
        let server = view.server(connection);
        let name: Arc<str> = format!("{}\n{}", server.project, server.id).into();
        self.servers.insert(connection, name.clone());
        name
    }
}
