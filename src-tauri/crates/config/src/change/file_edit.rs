//! Edits of a client's files beside the servers.

use std::path::PathBuf;

use crate::{
    change::error::ConfigError,
    definition::layout::Layout,
    text::{format::TextEditor, source::Source},
};

/// An edit of one file. Applied to a text that says so already, it changes nothing.
pub(crate) struct FileEdit {
    pub path: PathBuf,
    pub layout: Layout,
    /// Returns true when it changed something.
    edit: Box<dyn Fn(&mut TextEditor) -> bool>,
}

impl FileEdit {
    /// `edit` gets an intact document and returns true when it changed it.
    pub fn new(
        path: PathBuf,
        layout: Layout,
        edit: impl Fn(&mut TextEditor) -> bool + 'static,
    ) -> Self {
        Self {
            path,
            layout,
            edit: Box::new(edit),
        }
    }

    /// The text after the edit.
    pub fn apply(&self, text: Option<&str>) -> Result<String, ConfigError> {
        let format = self.layout.format;
        let given = text.unwrap_or_default();
        let text = if format.is_blank(given) {
            "{}\n".to_owned()
        } else {
            given.to_owned()
        };
        let source = Source::new(&text);
        let problems = format.for_editing().problems(&source, &format.parse(&text));
        if !problems.is_empty() {
            return Err(ConfigError::Broken {
                path: self.path.clone(),
                problems,
            });
        }
        let mut editor = TextEditor::new(format, text);
        if (self.edit)(&mut editor) {
            Ok(editor.into_text())
        } else {
            Ok(given.to_owned())
        }
    }
}
