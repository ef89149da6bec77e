//! Remembers the projects that were opened, the newest first.

use std::path::{Path, PathBuf};

use crate::{core::Core, error::InspectorError};

/// The most projects that are remembered.
const MAX_RECENT: usize = 20;

impl Core {
    /// The project that is shown.
    pub fn project(&self) -> &Path {
        &self.options.places.project
    }

    /// The directories that were opened and still exist, the newest first.
    pub fn recent_projects(&self) -> Vec<PathBuf> {
        let recent = self.data.read_recent_projects().into_iter();
        recent.filter(|path| path.is_dir()).collect()
    }

    /// Puts the project before all others that were opened.
    pub fn record_project(&self) -> Result<(), InspectorError> {
        let project = self.project().to_owned();
        let mut recent = self.data.read_recent_projects();
        recent.retain(|path| *path != project);
        recent.insert(0, project);
        recent.truncate(MAX_RECENT);
        self.data.write_recent_projects(&recent)
    }
}
