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
