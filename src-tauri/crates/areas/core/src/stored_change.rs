//! A change of configuration files as the data directory holds it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sightglass_config::Target;

/// A change of configuration files that was carried out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredChange {
    pub title: String,
    pub files: Vec<ChangedFile>,
}

/// One file of a change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChangedFile {
    pub target: Target,
    pub label: String,
    pub path: PathBuf,
    /// Name of the copy from before; `None` when there was no file.
    pub backup: Option<String>,
    /// Hash of the text that the change wrote; `None` when it removed the file.
    pub after: Option<String>,
}
