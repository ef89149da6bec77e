//! The note that a background process runs. One that ends in order removes it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A background process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RunningProcess {
    pub process: u32,
}

fn file(data_directory: &Path) -> PathBuf {
    data_directory.join("background").join("running.json")
}

impl RunningProcess {
    /// Notes that this process runs.
    pub(super) fn note(data_directory: &Path) {
        let this = Self {
            process: std::process::id(),
        };
        let text = serde_json::to_vec(&this).unwrap_or_default();
        // Without it the next command does not say how this one ended.
        let _ = sightglass_files::replace(&file(data_directory), &text);
    }

    /// Reads of which process it is noted, though it may run no more.
    pub(super) fn noted(data_directory: &Path) -> Option<Self> {
        let text = sightglass_files::read(&file(data_directory)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Removes the note.
    pub(super) fn forget(data_directory: &Path) {
        // One that stays makes the next command say that this process was killed.
        let _ = std::fs::remove_file(file(data_directory));
    }
}
