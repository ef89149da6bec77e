//! Puts names on lists that stand in a client's files beside the servers, and takes them off.

use std::path::PathBuf;

use serde_json::Value;

use crate::{
    change::error::ConfigError,
    client::Client,
    definition::layout::Layout,
    text::format::{FileFormat, TextEditor},
};

/// A list of names in a file.
#[derive(Clone)]
pub(crate) struct NameList {
    pub path: PathBuf,
    pub layout: Layout,
    object: Vec<String>,
    key: &'static str,
    /// True when the list is left out where there is none: an empty one would say something.
    only_if_present: bool,
}

/// Names to be put on a list, or taken off it.
pub(crate) struct ListChange {
    pub path: PathBuf,
    pub layout: Layout,
    list: NameList,
    names: Vec<String>,
    listed: bool,
}

impl NameList {
    /// Names the list under `key` of the object at a path.
    pub fn new(
        client: Client,
        path: PathBuf,
        format: FileFormat,
        object: &[&str],
        key: &'static str,
    ) -> Self {
        Self {
            path,
            layout: Layout::new(format, client, object),
            object: object.iter().map(|part| (*part).to_owned()).collect(),
            key,
            only_if_present: false,
        }
    }

    /// The same, left out where there is none.
    pub fn if_present(self) -> Self {
        Self {
            only_if_present: true,
            ..self
        }
    }

    /// A change that puts names on the list, or takes them off it.
    pub fn change(&self, names: &[String], listed: bool) -> ListChange {
        ListChange {
            path: self.path.clone(),
            layout: self.layout.clone(),
            list: self.clone(),
            names: names.to_vec(),
            listed,
        }
    }
}

impl ListChange {
    /// The text with the names on the list, or off it.
    ///
    /// # Errors
    /// When the text cannot be edited.
    pub fn apply(&self, text: Option<&str>) -> Result<String, ConfigError> {
        let format = self.layout.format;
        let given = text.unwrap_or_default();
        let text = if format.is_blank(given) {
            "{}\n".to_owned()
        } else {
            given.to_owned()
        };
        let source = crate::text::source::Source::new(&text);
        let problems = format.for_editing().problems(&source, &format.parse(&text));
        if !problems.is_empty() {
            return Err(ConfigError::Broken {
                path: self.path.clone(),
                problems,
            });
        }
        let mut editor = TextEditor::new(format, text);
        let object: Vec<&str> = self.list.object.iter().map(String::as_str).collect();
        let before = editor
            .with_object(&object, |object| {
                object
                    .get(self.list.key)
                    .map(|member| crate::entry::dialect::plain(&member.value))
            })
            .flatten();
        let before: Vec<Value> = match before {
            Some(Value::Array(names)) => names,
            None if self.list.only_if_present => return Ok(given.to_owned()),
            _ => Vec::new(),
        };
        let mut after: Vec<Value> = before
            .iter()
            .filter(|listed| {
                self.listed || !self.names.iter().any(|name| listed.as_str() == Some(name))
            })
            .cloned()
            .collect();
        if self.listed {
            for name in &self.names {
                if !after.iter().any(|listed| listed.as_str() == Some(name)) {
                    after.push(name.as_str().into());
                }
            }
        }
        if before == after {
            return Ok(given.to_owned());
        }
        editor.set(&object, self.list.key, &Value::Array(after));
        Ok(editor.into_text())
    }
}
