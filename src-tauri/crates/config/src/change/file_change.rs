//! File change: the text of one file before and after a plan.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::{
    change::error::ConfigError,
    definition::layout::Layout,
    definition::read_definitions,
    text::{
        diff::{DiffLine, diff},
        file::{FileState, decode, unreadable_reason},
        problem::Problem,
    },
};

/// A file before and after an edit. Made by [`plan_action`](crate::plan_action), carried out by
/// [`write`](crate::change::write).
#[derive(Clone, PartialEq, Eq)]
pub struct FileChange {
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
    adds_secret: bool,
}

impl FileChange {
    /// A file that is to hold another text, or to be gone.
    pub fn new(
        path: PathBuf,
        before: Option<String>,
        after: Option<String>,
        adds_secret: bool,
    ) -> Self {
        Self {
            path,
            before,
            after,
            adds_secret,
        }
    }

    /// The change back.
    pub fn reversed(&self) -> Self {
        Self {
            path: self.path.clone(),
            before: self.after.clone(),
            after: self.before.clone(),
            adds_secret: self.adds_secret,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that the change was planned on; `None` when there was no file.
    pub fn before(&self) -> Option<&str> {
        self.before.as_deref()
    }

    /// The text that the file will have; `None` when it is to be gone.
    pub fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// Returns true when the file already says what it is to say.
    pub fn is_empty(&self) -> bool {
        self.before == self.after
    }

    /// Returns true when the edit brings a value that looks like a secret into the file. A new file
    /// is then readable by its owner alone.
    pub fn adds_secret(&self) -> bool {
        self.adds_secret
    }

    /// All lines of the file, kept, removed and added.
    pub fn diff(&self) -> Vec<DiffLine> {
        diff(
            self.before().unwrap_or_default(),
            self.after().unwrap_or_default(),
        )
    }
}

/// Returns the problems of a text as a whole: comments and trailing commas, which an edit leaves in
/// place, keep clients from reading it.
pub(crate) fn remaining_problems(layout: &Layout, text: Option<&str>) -> Vec<Problem> {
    match text.map(|text| read_definitions(layout, text).state) {
        Some(FileState::Broken { problems }) => problems,
        _ => Vec::new(),
    }
}

impl fmt::Debug for FileChange {
    /// Without the texts, which may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Change")
            .field("path", &self.path)
            .field("bytes_before", &self.before.as_ref().map(String::len))
            .field("bytes_after", &self.after.as_ref().map(String::len))
            .field("adds_secret", &self.adds_secret)
            .finish()
    }
}

/// The text of a file; `None` when there is none.
pub fn read_text(path: &Path) -> Result<Option<String>, ConfigError> {
    match sightglass_files::read(path) {
        Ok(bytes) => decode(bytes)
            .map(Some)
            .map_err(|problem| ConfigError::Broken {
                path: path.to_owned(),
                problems: vec![problem],
            }),
        Err(error) if error.is_absence() => Ok(None),
        Err(source) => Err(ConfigError::Unreadable {
            path: path.to_owned(),
            advice: unreadable_reason(&source, path),
            source,
        }),
    }
}
