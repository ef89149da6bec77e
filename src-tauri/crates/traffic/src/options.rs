//! Options and revisions of the record.

use std::path::PathBuf;

use crate::Retention;

/// Options of the recorder.
#[derive(Debug, Clone)]
pub struct RecorderOptions {
    /// Directory of the database. Created when it does not exist.
    pub directory: PathBuf,
    pub retention: Retention,
    /// Bytes that may wait to be written before tapes wait too.
    pub queue_bytes: usize,
}

impl RecorderOptions {
    /// The defaults: 30 days, 2 GiB on disk, a queue of 64 MiB.
    pub fn in_directory(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            retention: Retention::default(),
            queue_bytes: 64 << 20,
        }
    }
}

/// Revision of the record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Revision {
    /// Frames on record.
    pub frames: u32,
    /// Moves whenever a row appears, changes or disappears, or recording turns on or off.
    pub revision: u32,
}
