use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    definition::read_definitions,
    diff::{DiffLine, diff},
    draft::Draft,
    error::ConfigError,
    file::{FileState, decode, is_absence, why_unreadable},
    layout::Layout,
    problem::Problem,
    rewrite::{Step, rewrite},
};

/// What is to become of one server in one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Edit {
    /// A new server, after the others.
    Add { draft: Draft },
    /// Another content for the server `name`, which is renamed if the draft has another
    /// name. Fields that the form does not know stay.
    Replace { name: String, draft: Draft },
    /// No server of that name, however often the file defines it.
    Remove { name: String },
}

/// A file before and after an edit. Made by [`plan`], carried out by [`write`](crate::write).
#[derive(Clone, PartialEq, Eq)]
pub struct Change {
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
    adds_secret: bool,
}

impl Change {
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

    /// Whether the file already says what it is to say.
    pub fn is_empty(&self) -> bool {
        self.before == self.after
    }

    /// Whether the edit brings a value that looks like a secret into the file. A new file
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

    /// What will still be wrong with the file as a whole: comments and trailing commas,
    /// which an edit leaves in place, keep clients from reading it.
    pub fn remaining_problems(&self) -> Vec<Problem> {
        remaining_problems(&Layout::mcp_json(), self.after())
    }
}

/// What is wrong with a text as a whole.
pub(crate) fn remaining_problems(layout: &Layout, text: Option<&str>) -> Vec<Problem> {
    match text.map(|text| read_definitions(layout, text).state) {
        Some(FileState::Broken { problems }) => problems,
        _ => Vec::new(),
    }
}

impl fmt::Debug for Change {
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

/// Reads a file and plans an edit on what it says now.
///
/// # Errors
/// As [`plan`], and when the file cannot be read or is not UTF-8.
pub fn plan_at(path: &Path, edit: &Edit) -> Result<Change, ConfigError> {
    let text = read_text(path)?;
    plan(path, text.as_deref(), edit)
}

/// The text of a file; `None` when there is none.
///
/// # Errors
/// When the file cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<Option<String>, ConfigError> {
    match fs::read(path) {
        Ok(bytes) => decode(bytes)
            .map(Some)
            .map_err(|problem| ConfigError::Broken {
                path: path.to_owned(),
                problems: vec![problem],
            }),
        Err(error) if is_absence(&error) => Ok(None),
        Err(source) => Err(ConfigError::Unreadable {
            path: path.to_owned(),
            advice: why_unreadable(&source),
            source,
        }),
    }
}

/// Computes what an edit makes of a text, `None` standing for a file that does not exist.
/// Nothing is written.
///
/// Every byte outside the edited entry survives: comments, order, indentation, line ends,
/// the byte order mark, fields that are not understood. Comments and trailing commas do not
/// hinder an edit ([`Change::remaining_problems`] names them); any other mistake does.
///
/// # Errors
/// [`ConfigError::Broken`], [`ConfigError::InvalidDraft`], [`ConfigError::NameTaken`] or
/// [`ConfigError::NoSuchServer`].
pub fn plan(path: &Path, text: Option<&str>, edit: &Edit) -> Result<Change, ConfigError> {
    if let Edit::Add { draft } | Edit::Replace { draft, .. } = edit {
        let problems = draft.problems();
        if !problems.is_empty() {
            return Err(ConfigError::InvalidDraft { problems });
        }
    }
    let layout = Layout::mcp_json();
    let step = match edit {
        Edit::Add { draft } => Step::Add { draft },
        Edit::Replace { name, draft } => Step::Replace { name, draft },
        Edit::Remove { name } => Step::Remove { name },
    };
    let after = rewrite(path, &layout, text, &[step], &mut Vec::new())?;
    Ok(Change {
        path: path.to_owned(),
        before: text.map(str::to_owned),
        after: Some(after),
        adds_secret: match edit {
            Edit::Add { draft } | Edit::Replace { draft, .. } => draft.holds_secret(),
            Edit::Remove { .. } => false,
        },
    })
}
