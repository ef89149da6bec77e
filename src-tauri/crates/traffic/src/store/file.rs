//! Opens the database file, with its schema, and moves a damaged one aside.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rusqlite::{Connection, OpenFlags};
use sightglass_files::{FileLock, LockError};

use super::StoreError;
use crate::RecordError;

/// The database's file in the record's directory.
pub(crate) const FILE_NAME: &str = "traffic.db";

/// Held while a program records into the directory.
const LOCK_NAME: &str = "traffic.lock";

/// The `user_version` of the schema below. In version 1 blocks were not compressed, and before
/// version 3 connections had no project.
const SCHEMA_VERSION: i32 = 3;

/// Brings a database of version 1 to version 2. Its blocks stay as they are.
const UPGRADE_FROM_1: &str = "
BEGIN IMMEDIATE;
ALTER TABLE blocks ADD COLUMN head_length INTEGER NOT NULL DEFAULT 0;
ALTER TABLE blocks ADD COLUMN text_length INTEGER NOT NULL DEFAULT 0;
PRAGMA user_version = 2;
COMMIT;
";

/// Brings a database of version 2 to the schema below. The projects of its connections are unknown.
const UPGRADE_FROM_2: &str = "
BEGIN IMMEDIATE;
ALTER TABLE connections ADD COLUMN project TEXT NOT NULL DEFAULT '';
PRAGMA user_version = 3;
COMMIT;
";

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS blocks (
    first_frame INTEGER PRIMARY KEY,
    last_frame INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    last_at REAL NOT NULL,
    frames INTEGER NOT NULL,
    head BLOB NOT NULL,
    text BLOB NOT NULL,
    head_length INTEGER NOT NULL,
    text_length INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS blocks_by_row ON blocks (first_row);
CREATE TABLE IF NOT EXISTS chunks (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS settlements (
    row INTEGER PRIMARY KEY,
    outcome INTEGER NOT NULL,
    code INTEGER,
    duration REAL,
    response_frame INTEGER,
    response_size INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS pending ON settlements (row) WHERE outcome = 0;
CREATE TABLE IF NOT EXISTS connections (
    id INTEGER PRIMARY KEY, server_id TEXT NOT NULL, server TEXT NOT NULL,
    project TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS newest_frames (
    connection INTEGER PRIMARY KEY, frame INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS bookmarks (frame INTEGER PRIMARY KEY, note TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS gaps (first_row INTEGER PRIMARY KEY, last_row INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS counters (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    next_frame INTEGER NOT NULL,
    next_row INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    frames INTEGER NOT NULL
);
INSERT OR IGNORE INTO counters VALUES (1, 1, 1, 1, 0);
";

/// Limits under which the database is opened.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// The database can grow no larger than this many pages: a full disk, for the tests.
    pub pages: Option<u32>,
}

/// Keeps other programs from recording into the directory.
pub(super) fn lock(directory: &Path) -> Result<FileLock, StoreError> {
    FileLock::acquire(&directory.join(LOCK_NAME), Duration::ZERO).map_err(|error| match error {
        LockError::Held { .. } => StoreError::OtherProgram,
        LockError::Io { source, .. } => source.into(),
    })
}

/// Data that a crash of the system leaves.
#[derive(Debug, Clone, Copy)]
pub(super) enum Durability {
    /// Nothing: no write is waited for.
    None,
    /// All up to the last checkpoint, and what the system wrote of the log.
    OfCheckpoints,
}

/// Opens the database, and makes it where there is none.
pub(super) fn connect(
    path: &Path,
    limits: Limits,
    durability: Durability,
) -> Result<Connection, StoreError> {
    create_private(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(3))?;
    let synchronous = match durability {
        Durability::None => "OFF",
        Durability::OfCheckpoints => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // These two count only before the first table is there.
    connection.pragma_update(None, "page_size", 8192)?;
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "wal_autocheckpoint", 2000)?;
    connection.query_row("PRAGMA journal_size_limit = 33554432", [], |_| Ok(()))?;
    connection.pragma_update(None, "cache_size", -4 * 1024)?;
    if let Some(pages) = limits.pages {
        connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
    }
    let version: i32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version > SCHEMA_VERSION {
        return Err(StoreError::NewerVersion);
    }
    if version == 1 {
        connection.execute_batch(UPGRADE_FROM_1)?;
    }
    if version == 1 || version == 2 {
        connection.execute_batch(UPGRADE_FROM_2)?;
    }
    // In one transaction, which writes nothing where everything is there.
    let making = connection.unchecked_transaction()?;
    making.execute_batch(SCHEMA)?;
    if version != SCHEMA_VERSION {
        making.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    making.commit()?;
    Ok(connection)
}

/// Opens the database beside the program that may write to it.
pub(super) fn connect_read_only(path: &Path) -> Result<Connection, RecordError> {
    if !path.exists() {
        return Err(RecordError::NoRecord(path.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(3))?;
    let version: i32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version != SCHEMA_VERSION {
        return Err(RecordError::OtherVersion);
    }
    Ok(connection)
}

/// Creates the file so that only its owner can read what crossed the wire.
fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    Ok(())
}

/// Moves the database to a name under which it is kept.
pub(super) fn set_aside(directory: &Path) -> Result<PathBuf, StoreError> {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let kept = directory.join(format!("traffic-damaged-{seconds}.db"));
    fs::rename(directory.join(FILE_NAME), &kept)?;
    for suffix in ["-wal", "-shm"] {
        let from = directory.join(format!("{FILE_NAME}{suffix}"));
        if from.exists() {
            fs::rename(from, format!("{}{suffix}", kept.display()))?;
        }
    }
    Ok(kept)
}

/// Moves a database that proved damaged while in use aside.
pub(crate) fn set_aside_damaged(directory: &Path) -> Result<PathBuf, RecordError> {
    set_aside(directory).map_err(|error| RecordError::Off(error.to_string()))
}
