//! Parses and edits a text in any format of configuration files: into the same tree, by the same
//! operations.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::{
    json::{self, Document, Object, SyntaxError, SyntaxErrorKind},
    json_edit::{JsonEditor, new_text, object_at},
    limits::MAX_MISTAKES,
    problem::Problem,
    source::Source,
    toml::{self, TomlEditor},
    yaml::{self, YamlEditor},
};

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum FileFormat {
    /// RFC 8259 and nothing else.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML 1.0.
    Toml,
    /// YAML 1.2, without anchors, aliases and tags.
    Yaml,
}

impl FileFormat {
    /// The tree of a text, and everything that is wrong with it.
    pub(crate) fn parse(self, text: &str) -> Document {
        match self {
            FileFormat::Json | FileFormat::Jsonc => json::parse(text),
            FileFormat::Toml => toml::parse(text),
            FileFormat::Yaml => yaml::parse(text),
        }
    }

    /// The errors of a text that this format does not allow.
    pub(crate) fn problems(self, source: &Source<'_>, document: &Document) -> Vec<Problem> {
        let errors = document.errors.iter().filter(|error| !self.allows(error));
        let listed = errors.enumerate().map(|(index, error)| match index {
            MAX_MISTAKES => SyntaxError {
                kind: SyntaxErrorKind::TooManyMistakes,
                at: error.at,
            }
            .to_problem(source),
            _ => error.to_problem(source),
        });
        listed.take(MAX_MISTAKES + 1).collect()
    }

    fn allows(self, error: &SyntaxError) -> bool {
        self == FileFormat::Jsonc && error.kind.is_harmless()
    }

    /// The format that a text may be in to be edited: comments and trailing commas leave no
    /// doubt about the structure, also where they are not allowed.
    pub(crate) fn for_editing(self) -> FileFormat {
        match self {
            FileFormat::Json | FileFormat::Jsonc => FileFormat::Jsonc,
            FileFormat::Toml | FileFormat::Yaml => self,
        }
    }

    /// A new file with one object in it.
    pub(crate) fn new_text(self, value: &Value, line_end: &'static str) -> String {
        match self {
            FileFormat::Json | FileFormat::Jsonc => new_text(value, line_end),
            FileFormat::Toml => {
                let mut editor = TomlEditor::new(String::new());
                for (key, value) in value.as_object().into_iter().flatten() {
                    editor.set(&[], key, value);
                }
                editor.into_text().replace('\n', line_end)
            }
            FileFormat::Yaml => {
                let mut editor = YamlEditor::new(String::new());
                for (key, value) in value.as_object().into_iter().flatten() {
                    editor.set(&[], key, value);
                }
                editor.into_text().replace('\n', line_end)
            }
        }
    }

    /// Returns true when a blank file means the same as none. An empty TOML file is a document.
    pub(crate) fn is_blank(self, text: &str) -> bool {
        text.trim_start_matches(crate::text::source::BYTE_ORDER_MARK)
            .trim()
            .is_empty()
    }
}

/// A text under change, whatever its format.
pub(crate) enum TextEditor {
    Json(JsonEditor),
    Toml(TomlEditor),
    Yaml(YamlEditor),
}

impl TextEditor {
    /// `text` has to be an intact document of the format, with an object at its root.
    pub fn new(format: FileFormat, text: String) -> Self {
        match format {
            FileFormat::Json | FileFormat::Jsonc => TextEditor::Json(JsonEditor::new(text)),
            FileFormat::Toml => TextEditor::Toml(TomlEditor::new(text)),
            FileFormat::Yaml => TextEditor::Yaml(YamlEditor::new(text)),
        }
    }

    /// Finds the elements of the list at `path` by their names. No other format has such lists.
    pub fn with_named_list(self, path: Vec<String>) -> Self {
        match self {
            TextEditor::Yaml(editor) => TextEditor::Yaml(editor.with_named_list(path)),
            other => other,
        }
    }

    pub fn into_text(self) -> String {
        match self {
            TextEditor::Json(editor) => editor.into_text(),
            TextEditor::Toml(editor) => editor.into_text(),
            TextEditor::Yaml(editor) => editor.into_text(),
        }
    }

    pub fn document(&self) -> Document {
        match self {
            TextEditor::Json(editor) => editor.document(),
            TextEditor::Toml(editor) => editor.document(),
            TextEditor::Yaml(editor) => editor.document(),
        }
    }

    /// Asks something of the object at `path`; `None` when there is none.
    pub fn with_object<T>(&self, path: &[&str], ask: impl FnOnce(&Object) -> T) -> Option<T> {
        let document = self.document();
        object_at(&document, path).map(|(_, object)| ask(object))
    }

    /// Gives the member `key` of the object at `path` a value, adding it at the end when
    /// there is none. Objects that are missing on the way are made.
    pub fn set(&mut self, path: &[&str], key: &str, value: &Value) {
        let present = (0..=path.len())
            .rev()
            .find(|length| self.with_object(&path[..*length], |_| ()).is_some())
            .unwrap_or(0);
        let Some((outer, inner)) = path[present..].split_first() else {
            return self.set_in_place(path, key, value);
        };
        let mut wrapped = object(key, value.clone());
        for name in inner.iter().rev() {
            wrapped = object(name, wrapped);
        }
        self.set_in_place(&path[..present], outer, &wrapped);
    }

    fn set_in_place(&mut self, path: &[&str], key: &str, value: &Value) {
        match self {
            TextEditor::Json(editor) => editor.set(path, key, value),
            TextEditor::Toml(editor) => editor.set(path, key, value),
            TextEditor::Yaml(editor) => editor.set(path, key, value),
        }
    }

    /// Removes every member `key` of the object at `path`.
    pub fn remove(&mut self, path: &[&str], key: &str) {
        match self {
            TextEditor::Json(editor) => editor.remove(path, key),
            TextEditor::Toml(editor) => editor.remove(path, key),
            TextEditor::Yaml(editor) => editor.remove(path, key),
        }
    }

    /// Renames the member `key` of the object at `path`, if there is one.
    pub fn rename(&mut self, path: &[&str], key: &str, new_key: &str) {
        match self {
            TextEditor::Json(editor) => editor.rename(path, key, new_key),
            TextEditor::Toml(editor) => editor.rename(path, key, new_key),
            TextEditor::Yaml(editor) => editor.rename(path, key, new_key),
        }
    }
}

pub(crate) fn object(key: &str, value: Value) -> Value {
    Value::Object(serde_json::Map::from_iter([(key.to_owned(), value)]))
}
