use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as NewValue};

use crate::{
    diff::{DiffLine, diff},
    draft::Draft,
    edit::{new_entry, update_entry},
    entry::Section,
    error::ConfigError,
    file::{
        Dialect, FileState, decode, is_absence, parse_in_dialect, parse_scope_file, why_unreadable,
    },
    places::Scope,
    problem::Problem,
    source::BYTE_ORDER_MARK,
    splice::{Editor, line_end_of, new_text, object_at},
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
    after: String,
    adds_secret: bool,
}

impl Change {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that the change was planned on; `None` when there was no file.
    pub fn before(&self) -> Option<&str> {
        self.before.as_deref()
    }

    /// The text that the file will have.
    pub fn after(&self) -> &str {
        &self.after
    }

    /// Whether the file already says what it is to say.
    pub fn is_empty(&self) -> bool {
        self.before.as_ref() == Some(&self.after)
    }

    /// Whether the edit brings a value that looks like a secret into the file. A new file
    /// is then readable by its owner alone.
    pub fn adds_secret(&self) -> bool {
        self.adds_secret
    }

    /// All lines of the file, kept, removed and added.
    pub fn diff(&self) -> Vec<DiffLine> {
        diff(self.before().unwrap_or_default(), &self.after)
    }

    /// What will still be wrong with the file as a whole: comments and trailing commas,
    /// which an edit leaves in place, keep clients from reading it.
    pub fn remaining_problems(&self) -> Vec<Problem> {
        // The scope plays no part in what is wrong with a text.
        match parse_scope_file(Scope::Local, &self.path, &self.after).state {
            FileState::Broken { problems } => problems,
            FileState::Missing | FileState::Loaded | FileState::Unreadable { .. } => Vec::new(),
        }
    }
}

impl fmt::Debug for Change {
    /// Without the texts, which may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Change")
            .field("path", &self.path)
            .field("bytes_before", &self.before.as_ref().map(String::len))
            .field("bytes_after", &self.after.len())
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
pub(crate) fn read_text(path: &Path) -> Result<Option<String>, ConfigError> {
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
    let planner = Planner { path };
    let given = text.unwrap_or_default();
    let after = if given.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty() {
        planner.fresh(given, edit)?
    } else {
        planner.edited(given, edit)?
    };
    Ok(Change {
        path: path.to_owned(),
        before: text.map(str::to_owned),
        after,
        adds_secret: match edit {
            Edit::Add { draft } | Edit::Replace { draft, .. } => draft.holds_secret(),
            Edit::Remove { .. } => false,
        },
    })
}

struct Planner<'a> {
    path: &'a Path,
}

impl Planner<'_> {
    fn no_such_server(&self, name: &str) -> ConfigError {
        ConfigError::NoSuchServer {
            path: self.path.to_owned(),
            name: name.to_owned(),
        }
    }

    /// The text for a file that is missing or blank.
    fn fresh(&self, blank: &str, edit: &Edit) -> Result<String, ConfigError> {
        let draft = match edit {
            Edit::Add { draft } => draft,
            Edit::Replace { name, .. } | Edit::Remove { name } => {
                return Err(self.no_such_server(name));
            }
        };
        let root = object(
            Section::McpServers.key(),
            object(&draft.name, new_entry(draft)),
        );
        let mark = if blank.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.to_string()
        } else {
            String::new()
        };
        Ok(mark + &new_text(&root, line_end_of(blank)))
    }

    fn edited(&self, text: &str, edit: &Edit) -> Result<String, ConfigError> {
        // Comments and trailing commas leave no doubt about the structure.
        let file = parse_in_dialect(Dialect::JsonWithComments, Scope::Local, self.path, text);
        if let FileState::Broken { problems } = file.state {
            return Err(ConfigError::Broken {
                path: self.path.to_owned(),
                problems,
            });
        }
        let defined = |name: &str| file.entries.iter().find(|entry| entry.name == name);
        let refuse_taken = |name: &str| match defined(name) {
            Some(entry) => Err(ConfigError::NameTaken {
                path: self.path.to_owned(),
                name: name.to_owned(),
                line: entry.line,
            }),
            None => Ok(()),
        };
        let mut editor = Editor::new(text.to_owned());
        match edit {
            Edit::Add { draft } => {
                refuse_taken(&draft.name)?;
                add(&mut editor, draft);
            }
            Edit::Replace { name, draft } => {
                let entry = defined(name).ok_or_else(|| self.no_such_server(name))?;
                if draft.name != *name {
                    refuse_taken(&draft.name)?;
                }
                replace(&mut editor, entry.section, name, draft);
            }
            Edit::Remove { name } => {
                defined(name).ok_or_else(|| self.no_such_server(name))?;
                remove_all(&mut editor, name);
            }
        }
        Ok(editor.into_text())
    }
}

fn object(key: &str, value: NewValue) -> NewValue {
    NewValue::Object(Map::from_iter([(key.to_owned(), value)]))
}

/// Adds a server to the section that is there, `mcpServers` before `servers`.
fn add(editor: &mut Editor, draft: &Draft) {
    let document = editor.document();
    let section = Section::BY_PRECEDENCE
        .into_iter()
        .find(|section| object_at(&document, &[section.key()]).is_some());
    let entry = new_entry(draft);
    match section {
        Some(section) => editor.set(&[section.key()], &draft.name, &entry),
        None => {
            let servers = object(&draft.name, entry);
            editor.set(&[], Section::McpServers.key(), &servers);
        }
    }
}

fn replace(editor: &mut Editor, section: Section, name: &str, draft: &Draft) {
    let path = [section.key(), name];
    if object_at(&editor.document(), &path).is_some() {
        update_entry(editor, &path, draft);
    } else {
        editor.set(&[section.key()], name, &new_entry(draft));
    }
    if draft.name != name {
        editor.rename(&[section.key()], name, &draft.name);
        // A definition that this one hid must not come back under the old name.
        remove_all(editor, name);
    }
}

/// Removes every definition of a server, also those that do not count.
fn remove_all(editor: &mut Editor, name: &str) {
    for section in Section::BY_PRECEDENCE {
        let path = [section.key()];
        let count = object_at(&editor.document(), &path).map_or(0, |(_, servers)| {
            servers
                .members
                .iter()
                .filter(|server| server.key == name)
                .count()
        });
        for _ in 0..count {
            editor.remove(&path, name);
        }
    }
}
