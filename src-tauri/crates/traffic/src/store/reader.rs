//! Reads blocks, settlements and large payloads back from the database.

use std::{
    num::NonZeroUsize,
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
};

use bytes::Bytes;
use rusqlite::{Connection, OpenFlags, Row, params};
use sightglass_model::{Millis, lock};

use crate::{
    RecordError,
    block::{Block, RowSettlement, outcome_of, unpack},
};

/// Blocks that were read lately stay decoded, since pages overlap: 2 MB.
const MAX_CACHED_BLOCKS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// Page cache of SQLite, in KiB. Little, as blocks are read once and then kept
/// above, and the system keeps the file.
const PAGE_CACHE_KIB: i32 = 1024;

/// The reader's connection to the database. Closed while there is none to read.
#[derive(Default)]
pub(crate) struct StoreReader {
    state: Mutex<ReaderState>,
}

#[derive(Default)]
struct ReaderState {
    connection: Option<Connection>,
    /// The most recently used last.
    blocks: Vec<Arc<Block>>,
    /// Text of the block that was visited last.
    buffer: Vec<u8>,
}

pub(super) const BLOCK_COLUMNS: &str = "first_row, head, head_length, text, text_length";

impl StoreReader {
    fn state(&self) -> MutexGuard<'_, ReaderState> {
        lock(&self.state)
    }

    /// Opens the database for reading.
    pub fn open(&self, path: &Path) -> Result<(), rusqlite::Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(std::time::Duration::from_secs(2))?;
        connection.pragma_update(None, "cache_size", -PAGE_CACHE_KIB)?;
        connection.set_prepared_statement_cache_capacity(16);
        *self.state() = ReaderState {
            connection: Some(connection),
            ..ReaderState::default()
        };
        Ok(())
    }

    /// Stops reading, and forgets what was read.
    pub fn close(&self) {
        *self.state() = ReaderState::default();
    }

    /// Forgets what was read, since it may be gone.
    pub fn forget(&self) {
        self.state().blocks.clear();
    }

    pub fn block_of_frame(&self, frame: u32) -> Result<Option<Arc<Block>>, RecordError> {
        let block = self.one_block(
            "WHERE first_frame <= ?1 ORDER BY first_frame DESC LIMIT 1",
            frame,
            |block| block.entry(frame).is_some(),
        )?;
        Ok(block.filter(|block| block.entry(frame).is_some()))
    }

    /// The block that starts `row`, or else the nearest before it.
    pub fn block_of_row(&self, row: u32) -> Result<Option<Arc<Block>>, RecordError> {
        self.one_block(
            "WHERE first_row <= ?1 ORDER BY first_row DESC, first_frame DESC LIMIT 1",
            row,
            |block| block.row_entry(row).is_some(),
        )
    }

    /// The block after the one that ends with `frame`.
    pub fn block_after(&self, frame: u32) -> Result<Option<Arc<Block>>, RecordError> {
        self.one_block(
            "WHERE first_frame > ?1 ORDER BY first_frame LIMIT 1",
            frame,
            |_| false,
        )
    }

    fn one_block(
        &self,
        condition: &str,
        key: u32,
        is_wanted: impl Fn(&Block) -> bool,
    ) -> Result<Option<Arc<Block>>, RecordError> {
        let mut state = self.state();
        // The newest block on disk still grows, but what it has does not change.
        if let Some(index) = state.blocks.iter().rposition(|block| is_wanted(block)) {
            let block = state.blocks.remove(index);
            state.blocks.push(block.clone());
            return Ok(Some(block));
        }
        let Some(connection) = &state.connection else {
            return Ok(None);
        };
        let sql = format!("SELECT {BLOCK_COLUMNS} FROM blocks {condition}");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([key])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let mut block = head_of(row)?;
        read_text(row, &mut block.text)?;
        drop(rows);
        drop(statement);
        let block = Arc::new(block);
        if state.blocks.len() == MAX_CACHED_BLOCKS.get() {
            state.blocks.remove(0);
        }
        state.blocks.push(block.clone());
        Ok(Some(block))
    }

    /// The newest block that begins before `frame`, without its text, and what `visit` makes
    /// of that text where SQLite has it. The text is not read when there is no `visit`.
    pub fn visit_before<T>(
        &self,
        frame: u32,
        visit: Option<impl FnOnce(&Block, &[u8]) -> T>,
    ) -> Result<Option<(Block, Option<T>)>, RecordError> {
        let mut state = self.state();
        let ReaderState {
            connection, buffer, ..
        } = &mut *state;
        let Some(connection) = connection else {
            return Ok(None);
        };
        let sql = format!(
            "SELECT {BLOCK_COLUMNS} FROM blocks WHERE first_frame < ?1
             ORDER BY first_frame DESC LIMIT 1"
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([frame])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        let block = head_of(row)?;
        let made = match visit {
            Some(visit) => {
                read_text(row, buffer)?;
                Some(visit(&block, buffer))
            }
            None => None,
        };
        Ok(Some((block, made)))
    }

    /// Returns the outcomes of the rows from `first` to `last`, as far as they are on disk.
    pub fn settlements(&self, first: u32, last: u32) -> Result<Vec<RowSettlement>, RecordError> {
        let state = self.state();
        let Some(connection) = &state.connection else {
            return Ok(Vec::new());
        };
        let mut statement = connection.prepare_cached(
            "SELECT row, outcome, code, duration, response_frame, response_size
             FROM settlements WHERE row BETWEEN ?1 AND ?2",
        )?;
        let mut rows = statement.query(params![first, last])?;
        let mut settlements = Vec::new();
        while let Some(row) = rows.next()? {
            settlements.push(RowSettlement {
                row: row.get(0)?,
                outcome: outcome_of(row.get(1)?)?,
                code: row.get(2)?,
                duration: row
                    .get::<_, Option<f64>>(3)?
                    .map(|duration| Millis::from_f64(duration).into()),
                response_frame: row.get(4)?,
                response_size: row.get(5)?,
            });
        }
        Ok(settlements)
    }

    /// A payload that stands apart.
    pub fn large(&self, frame: u32, length: u32) -> Result<Bytes, RecordError> {
        let mut whole = Vec::with_capacity(length as usize);
        self.visit_large(frame, |chunk| whole.extend_from_slice(chunk))?;
        if whole.len() != length as usize {
            return Err(RecordError::Damaged("a payload is incomplete"));
        }
        Ok(Bytes::from(whole))
    }

    /// Calls `visit` with each chunk of a payload that stands apart, in order.
    pub fn visit_large(&self, frame: u32, mut visit: impl FnMut(&[u8])) -> Result<(), RecordError> {
        let state = self.state();
        let Some(connection) = &state.connection else {
            return Ok(());
        };
        let mut statement = connection
            .prepare_cached("SELECT data FROM chunks WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
        let mut rows = statement.query(params![chunk_id(frame, 0), chunk_id(frame, u16::MAX)])?;
        while let Some(row) = rows.next()? {
            visit(row.get_ref(0)?.as_blob().unwrap_or_default());
        }
        Ok(())
    }
}

/// Key of a chunk of a payload: in the order of frames, then of chunks.
pub(crate) fn chunk_id(frame: u32, chunk: u16) -> i64 {
    (i64::from(frame) << 16) | i64::from(chunk)
}

pub(super) fn head_of(row: &Row<'_>) -> Result<Block, RecordError> {
    let mut head = Vec::new();
    let length = row.get(2)?;
    unpack(
        row.get_ref(1)?.as_blob().unwrap_or_default(),
        length,
        &mut head,
    )?;
    Block::from_head(row.get(0)?, &head, length > 0)
}

/// Reads the text of a block into `buffer`.
pub(super) fn read_text(row: &Row<'_>, buffer: &mut Vec<u8>) -> Result<(), RecordError> {
    unpack(
        row.get_ref(3)?.as_blob().unwrap_or_default(),
        row.get(4)?,
        buffer,
    )
}
