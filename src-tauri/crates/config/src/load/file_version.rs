//! Tells whether a file can have changed, without reading it.

use std::{
    fs::{Metadata, Permissions},
    time::{Duration, SystemTime},
};

/// Within this time of a change, a second one can leave the same time stamp.
const RACY_INTERVAL: Duration = Duration::from_secs(2);

/// Metadata of a file that differ after a change of a file that was at rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileVersion {
    length: u64,
    modified: SystemTime,
    permissions: Permissions,
    /// Number that the file system gives the file: another one took its place where it differs.
    #[cfg(unix)]
    number: u64,
}

impl FileVersion {
    /// Returns nothing where the file system keeps no time of the last change.
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        Some(Self {
            length: metadata.len(),
            modified: metadata.modified().ok()?,
            permissions: metadata.permissions(),
            #[cfg(unix)]
            number: std::os::unix::fs::MetadataExt::ino(metadata),
        })
    }

    /// Returns true when the last change is so long ago that a further one shows.
    pub(super) fn is_at_rest(&self) -> bool {
        let age = self.modified.elapsed();
        age.is_ok_and(|age| age > RACY_INTERVAL)
    }
}
