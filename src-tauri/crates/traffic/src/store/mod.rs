//! Stores blocks of frames in SQLite, and reads them back.
//!
//! A row of the database holds a block of some thousand frames, not one frame: their fixed-size
//! entries and their text, each compressed (see [`block`](crate::block)). What changes later, the
//! outcome of a request, is a row of its own. Searches scan the blocks instead of an index.
//!
//! The alternative is a row for each frame under an FTS5 index. Measured with a million frames of
//! 150 bytes, nine notifications to each request with its response: the same page size, journal and
//! durability, a release build on two cores that were busy with other builds. The index got 10,000
//! rows to a transaction by one prepared statement, referred to the rows instead of copying their
//! text, and was merged before it was searched.
//!
//! | | rows/s | bytes per frame | first page: common | rare | absent word |
//! |---|---|---|---|---|---|
//! | blocks | 177,000 | 22 | 1.1 ms | 606 ms | 625 ms |
//! | rows, FTS5 `trigram` | 3,700 | 669 | 0.3 ms | 7 ms | 0 ms |
//! | rows, FTS5 `unicode61` | 13,000 | 287 | 0.3 ms | 0 ms | 0 ms |
//! | rows without an index | 59,000 | 196 | 0.1 ms | 2,031 ms | 3,117 ms |
//!
//! Only `trigram` finds what the filter finds, any part of a text. It takes 30 times the space,
//! and a server floods the pipe with many times more messages than it can write: recording would
//! hold up the connection, which it must not. In return the index answers rare words at once.
//! The scan needs 84 ms for all of the million frames when the cores are free; where it takes
//! longer, a query returns the rows found after 90 ms and the scan goes on in the background.
//! Without an index, rows are scanned more slowly than blocks, in 9 times the space.

mod error;
mod file;
mod reader;
mod row_index;

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use roaring::RoaringBitmap;
use rusqlite::{Connection, Statement, Transaction, TransactionBehavior, params};
use sightglass_files::FileLock;
use sightglass_model::{Millis, ServerId, Timestamp};

use crate::{
    Outcome, RecordError, RecorderOptions, Retention,
    block::{Block, ClearedBlock, RowSettlement, outcome_number},
    bookmarks::{Bookmarks, MAX_BOOKMARKS},
    recorded_server::ConnectionServer,
};

pub(crate) use error::StoreError;
use file::{Durability, connect, connect_read_only, lock, set_aside};
pub(crate) use file::{FILE_NAME, Limits, set_aside_damaged};
pub(crate) use reader::StoreReader;
use reader::{BLOCK_COLUMNS, chunk_id, head_of, read_text};
pub(crate) use row_index::RowIndex;

/// Large payloads are written in chunks of this many bytes.
const CHUNK_BYTES: usize = 1 << 20;

/// Retention removes so many blocks at once, so that the queue never waits long for it.
const MAX_OLD_BLOCKS_PER_STEP: u32 = 32;

/// Pages given back to the file system at once.
const MAX_PAGES_PER_STEP: u32 = 4096;

/// The writer's side of the database.
pub(crate) struct Store {
    connection: Connection,
    /// Keeps other programs from recording into the same directory.
    _lock: FileLock,
    /// The newest block on disk, while it is small enough to be extended.
    tail: Option<Block>,
    counters: Counters,
    gaps: Vec<(u32, u32)>,
    last_connection: u32,
    written_since_check: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counters {
    next_frame: u32,
    next_row: u32,
    first_row: u32,
    frames: u32,
}

/// Content of a database that was opened.
pub(crate) struct StoreContents {
    pub row_index: RowIndex,
    pub next_frame: u32,
    pub frames: u32,
    pub next_connection: u32,
    pub servers: Vec<(u32, ConnectionServer)>,
    pub bookmarks: Arc<Bookmarks>,
}

/// A connection that is new or of which something is written.
pub(crate) struct ConnectionUpdate {
    pub connection: u32,
    pub server: ConnectionServer,
    /// The newest of its frames among what is written.
    pub newest_frame: Option<u32>,
}

/// Result of one step of retention.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RetentionStep {
    /// Nothing is too old or too much.
    Done,
    /// Blocks were removed, and there may be more to remove.
    Removed {
        first_row: u32,
        first_frame: u32,
        frames: u32,
    },
    /// Free pages were given back.
    Shrunk,
}

/// Frames that were taken out of the record, and the rows that they started.
#[derive(Debug, Default)]
pub(crate) struct RemovedFrames {
    pub frames: Vec<u32>,
    pub rows: RoaringBitmap,
}

/// A database that was opened, and where a damaged one was put, if there was one.
pub(crate) struct OpenedStore {
    pub store: Store,
    pub contents: StoreContents,
    pub set_aside: Option<PathBuf>,
}

/// Reads what a database in `directory` holds, beside the program that may write to it.
pub(crate) fn read_contents(directory: &Path) -> Result<StoreContents, RecordError> {
    let mut connection = connect_read_only(&directory.join(FILE_NAME))?;
    // The writer changes these together.
    let moment = connection.transaction()?;
    let counters = read_counters(&moment)?;
    let gaps = read_gaps(&moment)?;
    Ok(contents_of(&moment, counters, gaps)?)
}

fn read_counters(connection: &Connection) -> Result<Counters, rusqlite::Error> {
    connection.query_row(
        "SELECT next_frame, next_row, first_row, frames FROM counters",
        [],
        |row| {
            Ok(Counters {
                next_frame: row.get(0)?,
                next_row: row.get(1)?,
                first_row: row.get(2)?,
                frames: row.get(3)?,
            })
        },
    )
}

fn read_gaps(connection: &Connection) -> Result<Vec<(u32, u32)>, rusqlite::Error> {
    connection
        .prepare("SELECT first_row, last_row FROM gaps ORDER BY first_row")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// Reads the bookmarks. A record that no writer has opened since there are any has no table.
fn read_bookmarks(connection: &Connection) -> Result<Bookmarks, rusqlite::Error> {
    if !connection.table_exists(None, "bookmarks")? {
        return Ok(Bookmarks::new());
    }
    connection
        .prepare("SELECT frame, note FROM bookmarks ORDER BY frame DESC LIMIT ?1")?
        .query_map([MAX_BOOKMARKS as u32], |row| {
            Ok((row.get(0)?, row.get::<_, String>(1)?.into()))
        })?
        .collect()
}

fn contents_of(
    connection: &Connection,
    counters: Counters,
    gaps: Vec<(u32, u32)>,
) -> Result<StoreContents, rusqlite::Error> {
    let servers: Vec<(u32, ConnectionServer)> = connection
        .prepare("SELECT id, server_id, server, project FROM connections")?
        .query_map([], |row| {
            let server = ConnectionServer {
                id: ServerId::from(row.get::<_, String>(1)?),
                name: row.get(2)?,
                project: row.get::<_, String>(3)?.into(),
            };
            Ok((row.get(0)?, server))
        })?
        .collect::<Result<_, _>>()?;
    let last_connection = servers.iter().map(|(id, _)| *id).max().unwrap_or(0);
    Ok(StoreContents {
        row_index: RowIndex {
            first: counters.first_row,
            next: counters.next_row,
            gaps,
        },
        next_frame: counters.next_frame,
        frames: counters.frames,
        next_connection: last_connection.saturating_add(1),
        servers,
        bookmarks: Arc::new(read_bookmarks(connection)?),
    })
}

impl Store {
    /// Opens the database in the directory of `options`. A damaged one is moved aside and kept.
    pub fn open(options: &RecorderOptions, limits: Limits) -> Result<OpenedStore, StoreError> {
        let directory = options.directory.as_path();
        let durability = match options.is_temporary {
            true => Durability::None,
            false => Durability::OfCheckpoints,
        };
        sightglass_files::create_private_directory(directory).map_err(StoreError::from)?;
        let lock = lock(directory)?;
        let path = directory.join(FILE_NAME);
        let (set_aside, connection) = match connect(&path, limits, durability) {
            Err(error) if error.is_damage() => {
                let kept = set_aside(directory)?;
                (Some(kept), connect(&path, limits, durability)?)
            }
            result => (None, result?),
        };
        let mut store = Store {
            connection,
            _lock: lock,
            tail: None,
            counters: Counters {
                next_frame: 1,
                next_row: 1,
                first_row: 1,
                frames: 0,
            },
            gaps: Vec::new(),
            last_connection: 0,
            // Retention looks once at the start.
            written_since_check: usize::MAX,
        };
        let contents = store.contents()?;
        Ok(OpenedStore {
            store,
            contents,
            set_aside,
        })
    }

    fn contents(&mut self) -> Result<StoreContents, StoreError> {
        // What an earlier run left open is answered no more.
        self.connection.execute(
            "UPDATE settlements SET outcome = ?1 WHERE outcome = 0",
            [outcome_number(Outcome::Unanswered)],
        )?;
        self.counters = read_counters(&self.connection)?;
        self.gaps = read_gaps(&self.connection)?;
        // A record of before the table was there: its connections go with its last frame.
        self.connection.execute(
            "INSERT INTO newest_frames SELECT id, ?1 FROM connections
             WHERE NOT EXISTS (SELECT 1 FROM newest_frames)",
            [self.counters.next_frame.saturating_sub(1)],
        )?;
        let contents = contents_of(&self.connection, self.counters, self.gaps.clone())?;
        self.last_connection = contents.next_connection.saturating_sub(1);
        Ok(contents)
    }

    /// Writes blocks, in one transaction: all of them, or none.
    pub fn write<'a>(
        &mut self,
        blocks: impl Iterator<Item = &'a Block> + Clone,
        row_index: &RowIndex,
        updates: &[ConnectionUpdate],
    ) -> Result<(), StoreError> {
        let mut counters = self.counters;
        // The block, and whether it differs from what is on disk.
        let mut tail = self.tail.clone().map(|tail| (tail, false));
        counters.first_row = counters.first_row.max(row_index.first);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut last_connection = self.last_connection;
        for update in updates {
            write_connection(&transaction, update)?;
            last_connection = last_connection.max(update.connection);
        }
        let mut written = 0;
        {
            let mut insert = transaction.prepare_cached(INSERT_BLOCK)?;
            let mut chunk = transaction.prepare_cached("INSERT INTO chunks VALUES (?1, ?2)")?;
            for block in blocks.clone().filter(|block| !block.entries.is_empty()) {
                written += block.weight();
                counters.frames = counters.frames.saturating_add(block.entries.len() as u32);
                counters.next_frame = block
                    .last_frame()
                    .map_or(counters.next_frame, |last| last + 1);
                counters.next_row = block.first_row + block.row_count;
                for (frame, payload) in &block.large {
                    for (index, data) in payload.chunks(CHUNK_BYTES).enumerate() {
                        let index = u16::try_from(index).unwrap_or(u16::MAX);
                        chunk.execute(params![chunk_id(*frame, index), data])?;
                    }
                }
                let extends = |tail: &Block| {
                    tail.is_small() && tail.first_row + tail.row_count == block.first_row
                };
                match &mut tail {
                    Some((tail, changed)) if extends(tail) => {
                        tail.extend(block);
                        *changed = true;
                    }
                    _ => {
                        if let Some((tail, true)) = tail.take() {
                            insert_block(&mut insert, &tail)?;
                        }
                        if block.is_small() {
                            tail = Some((block.without_large(), true));
                        } else {
                            insert_block(&mut insert, block)?;
                        }
                    }
                }
            }
            if let Some((tail, true)) = &tail {
                insert_block(&mut insert, tail)?;
            }
        }
        write_settlements(&transaction, blocks, row_index.first)?;
        if row_index.gaps != self.gaps {
            write_gaps(&transaction, &row_index.gaps)?;
        }
        write_counters(&transaction, counters)?;
        transaction.commit()?;
        self.counters = counters;
        self.gaps.clone_from(&row_index.gaps);
        self.last_connection = last_connection;
        self.tail = tail.map(|(tail, _)| tail).filter(Block::is_small);
        self.written_since_check = self.written_since_check.saturating_add(written);
        Ok(())
    }

    /// Connections from this number on are not in the database yet.
    pub fn next_connection(&self) -> u32 {
        self.last_connection.saturating_add(1)
    }

    /// Returns true when enough was written to check the limits again.
    pub fn retention_is_due(&mut self) -> bool {
        let due = self.written_since_check > 16 << 20;
        if due {
            self.written_since_check = 0;
        }
        due
    }

    /// Returns the moment when the newest frame was recorded.
    pub fn newest(&self) -> Result<Option<Timestamp>, StoreError> {
        let newest: Option<f64> = self.connection.query_row(
            "SELECT max(last_at) FROM (
                 SELECT last_at FROM blocks ORDER BY first_frame DESC LIMIT 1
             )",
            [],
            |row| row.get(0),
        )?;
        Ok(newest.map(Timestamp::from_millis))
    }

    /// Returns true when there are frames older than `time`.
    pub fn has_older_than(&self, time: Timestamp) -> Result<bool, StoreError> {
        let older = self.connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM blocks WHERE last_at < ?1)",
            [time.as_millis()],
            |row| row.get(0),
        )?;
        Ok(older)
    }

    /// Removes a little of what `retention` does not allow at `now`.
    pub fn retain(
        &mut self,
        retention: Retention,
        now: Timestamp,
    ) -> Result<RetentionStep, StoreError> {
        let number = |sql: &str| {
            self.connection
                .query_row(sql, [], |row| row.get::<_, i64>(0))
        };
        let free = number("PRAGMA freelist_count")?;
        let used = (number("PRAGMA page_count")? - free) * number("PRAGMA page_size")?;
        let oldest_allowed = retention.oldest_allowed(now).as_millis();
        let too_large = used > i64::from(retention.mebibytes) << 20;
        // One at a time where size counts, since one may hold as much as is too much.
        let count = if too_large {
            1
        } else {
            MAX_OLD_BLOCKS_PER_STEP
        };
        let sql = format!(
            "SELECT max(first_frame), sum(frames) FROM (
                 SELECT first_frame, last_at, frames FROM blocks
                 ORDER BY first_frame LIMIT {count}
             ) WHERE ?1 OR last_at < ?2"
        );
        let (last, frames): (Option<u32>, Option<u32>) =
            self.connection
                .query_row(&sql, params![too_large, oldest_allowed], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
        let Some(last) = last else {
            if free == 0 {
                return Ok(RetentionStep::Done);
            }
            self.shrink(MAX_PAGES_PER_STEP)?;
            let shrunk = number("PRAGMA freelist_count")? < free;
            return Ok(if shrunk {
                RetentionStep::Shrunk
            } else {
                RetentionStep::Done
            });
        };
        let frames = frames.unwrap_or(0);
        let mut counters = self.counters;
        counters.frames = counters.frames.saturating_sub(frames);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("DELETE FROM blocks WHERE first_frame <= ?1", [last])?;
        let next: Option<(u32, u32)> = transaction
            .query_row(
                "SELECT first_frame, first_row FROM blocks ORDER BY first_frame LIMIT 1",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .map(Some)
            .or_else(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => Ok(None),
                error => Err(error),
            })?;
        let (first_frame, first_row) = next.unwrap_or((counters.next_frame, counters.next_row));
        counters.first_row = first_row;
        transaction.execute(
            "DELETE FROM chunks WHERE id < ?1",
            [chunk_id(first_frame, 0)],
        )?;
        transaction.execute("DELETE FROM settlements WHERE row < ?1", [first_row])?;
        transaction.execute("DELETE FROM bookmarks WHERE frame < ?1", [first_frame])?;
        forget_connections(&transaction, first_frame)?;
        write_counters(&transaction, counters)?;
        transaction.commit()?;
        self.counters = counters;
        if next.is_none() {
            self.tail = None;
        }
        Ok(RetentionStep::Removed {
            first_row,
            first_frame,
            frames,
        })
    }

    /// Writes the note of a bookmark; without one the bookmark is taken away.
    pub fn bookmark(&mut self, frame: u32, note: Option<&str>) -> Result<(), StoreError> {
        match note {
            Some(note) => self.connection.execute(
                "INSERT OR REPLACE INTO bookmarks VALUES (?1, ?2)",
                params![frame, note],
            )?,
            None => self
                .connection
                .execute("DELETE FROM bookmarks WHERE frame = ?1", [frame])?,
        };
        Ok(())
    }

    /// Removes everything. Frames and rows are numbered on from where they were.
    pub fn clear(&mut self, row_index: &RowIndex) -> Result<(), StoreError> {
        let counters = Counters {
            next_row: row_index.next,
            first_row: row_index.next,
            frames: 0,
            ..self.counters
        };
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        for table in ["blocks", "chunks", "settlements", "gaps", "bookmarks"] {
            transaction.execute(&format!("DELETE FROM {table}"), [])?;
        }
        forget_connections(&transaction, counters.next_frame)?;
        write_counters(&transaction, counters)?;
        transaction.commit()?;
        self.counters = counters;
        self.gaps.clear();
        self.tail = None;
        self.shrink(u32::MAX >> 1)?;
        self.checkpoint()
    }

    /// Removes the frames of these connections. Frames and rows keep their numbers.
    pub fn clear_connections(
        &mut self,
        connections: &HashSet<u32>,
        row_index: &RowIndex,
    ) -> Result<RemovedFrames, StoreError> {
        let mut removed = RemovedFrames::default();
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut next = Some(0);
        while let Some(from) = next {
            let (last, cleared) = match block_from(&transaction, from, connections)? {
                Some(found) => found,
                None => break,
            };
            next = last.checked_add(1);
            let Some(cleared) = cleared else {
                continue;
            };
            for frame in &cleared.large {
                transaction
                    .prepare_cached("DELETE FROM chunks WHERE id BETWEEN ?1 AND ?2")?
                    .execute(params![chunk_id(*frame, 0), chunk_id(*frame, u16::MAX)])?;
            }
            for row in &cleared.rows {
                transaction
                    .prepare_cached("DELETE FROM settlements WHERE row = ?1")?
                    .execute([row])?;
            }
            let mut insert = transaction.prepare_cached(INSERT_BLOCK)?;
            insert_block(&mut insert, &cleared.block)?;
            for frame in &cleared.frames {
                transaction
                    .prepare_cached("DELETE FROM bookmarks WHERE frame = ?1")?
                    .execute([frame])?;
            }
            removed.rows.extend(cleared.rows);
            removed.frames.extend(cleared.frames);
        }
        let mut row_index = row_index.clone();
        row_index.remove(&removed.rows);
        write_gaps(&transaction, &row_index.gaps)?;
        let count = u32::try_from(removed.frames.len()).unwrap_or(u32::MAX);
        let counters = Counters {
            frames: self.counters.frames.saturating_sub(count),
            first_row: row_index.first,
            ..self.counters
        };
        write_counters(&transaction, counters)?;
        transaction.commit()?;
        self.counters = counters;
        self.gaps = row_index.gaps;
        // What is written next begins a block of its own.
        self.tail = None;
        self.shrink(u32::MAX >> 1)?;
        self.checkpoint()?;
        Ok(removed)
    }

    fn shrink(&self, pages: u32) -> Result<(), StoreError> {
        let mut statement = self
            .connection
            .prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
        // Each step of this statement frees one page.
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    }

    /// Moves what is in the write-ahead log into the database and truncates the log.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}

const INSERT_BLOCK: &str =
    "INSERT OR REPLACE INTO blocks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

/// Returns the last frame of the block that begins with `frame` or a later one, and the block
/// without these connections where it has any of them.
fn block_from(
    transaction: &Transaction<'_>,
    frame: u32,
    connections: &HashSet<u32>,
) -> Result<Option<(u32, Option<ClearedBlock>)>, StoreError> {
    let sql = format!(
        "SELECT {BLOCK_COLUMNS}, last_frame FROM blocks WHERE first_frame >= ?1
         ORDER BY first_frame LIMIT 1"
    );
    let mut statement = transaction.prepare_cached(&sql)?;
    let mut rows = statement.query([frame])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let mut block = head_of(row)?;
    let last = row.get(5)?;
    if !block.has_any(connections) {
        return Ok(Some((last, None)));
    }
    read_text(row, &mut block.text)?;
    Ok(Some((last, Some(block.without(connections)))))
}

fn write_gaps(transaction: &Transaction<'_>, gaps: &[(u32, u32)]) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM gaps", [])?;
    let mut insert = transaction.prepare_cached("INSERT INTO gaps VALUES (?1, ?2)")?;
    for (first, last) in gaps {
        insert.execute(params![first, last])?;
    }
    Ok(())
}

fn insert_block(insert: &mut Statement<'_>, block: &Block) -> Result<(), StoreError> {
    let (Some(first), Some(last)) = (block.entries.first(), block.entries.last()) else {
        return Ok(());
    };
    let packed = block.pack();
    insert.execute(params![
        first.frame,
        last.frame,
        block.first_row,
        last.at.as_millis(),
        block.frame_count() as i64,
        packed.head,
        packed.text,
        packed.head_length,
        packed.text_length,
    ])?;
    Ok(())
}

/// Keeps the names of a connection, whose frames retention may have removed since it was new.
fn write_connection(
    transaction: &Transaction<'_>,
    update: &ConnectionUpdate,
) -> Result<(), StoreError> {
    let ConnectionServer { id, name, project } = &update.server;
    transaction
        .prepare_cached("INSERT OR IGNORE INTO connections VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![update.connection, id.as_str(), name, &**project])?;
    if let Some(frame) = update.newest_frame {
        transaction
            .prepare_cached("INSERT OR REPLACE INTO newest_frames VALUES (?1, ?2)")?
            .execute([update.connection, frame])?;
    }
    Ok(())
}

/// Removes the connections that have no frame from `first_frame` on. The last one stays, so that
/// its number is not given again.
fn forget_connections(transaction: &Transaction<'_>, first_frame: u32) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM newest_frames WHERE frame < ?1", [first_frame])?;
    transaction.execute(
        "DELETE FROM connections WHERE id < (SELECT max(id) FROM connections)
             AND id NOT IN (SELECT connection FROM newest_frames)",
        [],
    )?;
    Ok(())
}

fn write_settlements<'a>(
    transaction: &Transaction<'_>,
    blocks: impl Iterator<Item = &'a Block> + Clone,
    first_row: u32,
) -> Result<(), StoreError> {
    let mut insert = transaction
        .prepare_cached("INSERT OR REPLACE INTO settlements VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    let mut settled: HashMap<u32, RowSettlement> = HashMap::new();
    for block in blocks {
        for entry in &block.entries {
            if entry.starts_row() && entry.outcome == Outcome::Pending {
                settled.insert(entry.row, RowSettlement::pending(entry.row));
            }
        }
        for settlement in &block.settlements {
            settled.insert(settlement.row, *settlement);
        }
    }
    let mut settled: Vec<RowSettlement> = settled.into_values().collect();
    settled.sort_unstable_by_key(|settlement| settlement.row);
    for settlement in settled.iter().filter(|settled| settled.row >= first_row) {
        insert.execute(params![
            settlement.row,
            outcome_number(settlement.outcome),
            settlement.code,
            settlement
                .duration
                .map(|duration| Millis::from(duration).as_f64()),
            settlement.response_frame,
            settlement.response_size,
        ])?;
    }
    Ok(())
}

fn write_counters(transaction: &Transaction<'_>, counters: Counters) -> Result<(), StoreError> {
    transaction
        .prepare_cached(
            "UPDATE counters SET next_frame = ?1, next_row = ?2, first_row = ?3, frames = ?4",
        )?
        .execute(params![
            counters.next_frame,
            counters.next_row,
            counters.first_row,
            counters.frames
        ])?;
    Ok(())
}
