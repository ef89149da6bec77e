//! Options of the recorder.

use std::path::PathBuf;

use crate::Retention;

/// Options of the recorder.
#[derive(Debug, Clone)]
pub struct RecorderOptions {
    /// Directory of the database. Created when it does not exist.
    pub directory: PathBuf,
    pub retention: Retention,
    /// Bytes that may wait to be written before connections wait too.
    pub queue_bytes: usize,
    /// True where nobody reads the directory after the record is closed. The database is made only
    /// when more is recorded than memory should hold, or after a second; what is in memory is not
    /// written when the record is closed, and nothing is written through to the disk.
    pub is_temporary: bool,
}

impl RecorderOptions {
    /// The defaults: 30 days, 2 GiB on disk, a queue of 64 MiB.
    pub fn in_directory(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            retention: Retention::default(),
            queue_bytes: 64 << 20,
            is_temporary: false,
        }
    }
}
