use std::path::PathBuf;

use sightglass_model::{ExchangeId, FrameId};
use thiserror::Error;

/// Error of a query of the record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The frame was never recorded, or retention or [`clear`](crate::Recorder::clear)
    /// removed it.
    #[error("frame {0} is not on record")]
    NoSuchFrame(FrameId),
    /// The row was never recorded, or retention or [`clear`](crate::Recorder::clear)
    /// removed it.
    #[error("row {0} is not on record")]
    NoSuchExchange(ExchangeId),
    /// The message is of a server that is not recorded, and no longer in memory.
    #[error(
        "this message was not recorded: its server is set so. Its text was kept in memory only, \
         and is gone"
    )]
    NotRecorded,
    /// The payload has no value at this JSON pointer (RFC 6901).
    #[error("the payload has no value at {0:?}")]
    NoSuchValue(String),
    /// The exchange did not travel over HTTP.
    #[error("row {0} did not travel over HTTP")]
    NotHttp(ExchangeId),
    /// The exchange is larger than 32 MiB as one indented text.
    #[error(
        "the exchange is larger than 32 MiB as one text. Copy a part of it, or save the payload to a file"
    )]
    TooLarge,
    /// The database refused.
    #[error("the record could not be read: {0}")]
    Database(#[from] rusqlite::Error),
    /// Something that was read back is not what was written.
    #[error("the record is damaged: {0}")]
    Damaged(&'static str),
    /// A record holds so many bookmarks and no more.
    #[error("there are 10,000 bookmarks on record. Take one away first")]
    TooManyBookmarks,
    /// A note holds so many characters and no more.
    #[error("the note is longer than 2,000 characters. Shorten it")]
    NoteTooLong,
    /// A file could not be created, moved or locked.
    #[error("the record's files could not be used: {0}")]
    Files(#[from] std::io::Error),
    /// Recording is off, for this reason, so that nothing can be written or removed.
    #[error("{0}")]
    Off(String),
    /// The directory holds no record.
    #[error("there is no record at {}", .0.display())]
    NoRecord(PathBuf),
    /// The record has the form of another version, which reading alone cannot change.
    #[error(
        "the record was written by another version of Sightglass. Open the window once, which \
         brings it up to date"
    )]
    OtherVersion,
    /// The recorder was closed.
    #[error("the record is closed")]
    Closed,
}
