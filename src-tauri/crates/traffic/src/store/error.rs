//! Errors that stop recording, each with what to do about it.

use rusqlite::ErrorCode;
use sightglass_model::InternalError;
use thiserror::Error;

use crate::RecordError;

/// Error that keeps the record from being written.
#[derive(Debug, Error)]
pub(crate) enum StoreError {
    #[error("The disk is full. Free some space, then restart recording.")]
    DiskFull,
    #[error(
        "The record's folder cannot be written to ({0}). Allow writing there, then restart recording."
    )]
    NotWritable(String),
    #[error("Another Sightglass records into the same folder. Close it, then restart recording.")]
    OtherProgram,
    #[error(
        "Another program locks the record's database. Recording resumes automatically when it is \
         free; until then, up to 64 MiB are kept in memory."
    )]
    Locked,
    #[error(
        "Sightglass had an internal error while recording: {0}. It retries automatically. Copy \
         the report and send it to the developers."
    )]
    Internal(InternalError),
    #[error(
        "The record's database is damaged. Restart recording to begin a new one; the damaged file \
         is kept."
    )]
    Damaged,
    #[error(
        "The record was written by a newer Sightglass. Update this one, or move the file away, then restart recording."
    )]
    NewerVersion,
    #[error("The record could not be written ({0}). Check the disk, then restart recording.")]
    Other(String),
}

impl StoreError {
    pub fn is_damage(&self) -> bool {
        matches!(self, StoreError::Damaged)
    }

    /// Returns true when a retry may succeed without the user doing anything.
    pub fn may_pass(&self) -> bool {
        matches!(self, StoreError::Locked | StoreError::Internal(_))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::DiskFull,
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                StoreError::NotWritable(error.to_string())
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged,
            _ => StoreError::Other(error.to_string()),
        }
    }
}

/// A block that was read back to be written again.
impl From<RecordError> for StoreError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Database(error) => error.into(),
            RecordError::Damaged(_) => StoreError::Damaged,
            error => StoreError::Other(error.to_string()),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::DiskFull,
            ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::NotADirectory
            | ErrorKind::AlreadyExists => StoreError::NotWritable(error.to_string()),
            _ => StoreError::Other(error.to_string()),
        }
    }
}
