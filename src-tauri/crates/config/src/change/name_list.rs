//! Puts names on lists that stand in a client's files beside the servers, and takes them off.

use std::path::PathBuf;

use serde_json::Value;

use crate::{
    change::file_edit::FileEdit,
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

    /// Leaves a list that is not in the file out of it.
    pub fn if_present(self) -> Self {
        Self {
            only_if_present: true,
            ..self
        }
    }

    /// A change that puts names on the list, or takes them off it.
    pub fn change(&self, names: &[String], listed: bool) -> FileEdit {
        let (list, names) = (self.clone(), names.to_vec());
        FileEdit::new(self.path.clone(), self.layout.clone(), move |editor| {
            change_list(editor, &list, &names, listed)
        })
    }
}

/// Puts names on the list, or takes them off it. Returns true when that changed it.
fn change_list(editor: &mut TextEditor, list: &NameList, names: &[String], listed: bool) -> bool {
    let object: Vec<&str> = list.object.iter().map(String::as_str).collect();
    let before = editor
        .with_object(&object, |object| {
            object
                .get(list.key)
                .map(|member| crate::entry::dialect::plain(&member.value))
        })
        .flatten();
    let before: Vec<Value> = match before {
        Some(Value::Array(names)) => names,
        None if list.only_if_present => return false,
        _ => Vec::new(),
    };
    let mut after: Vec<Value> = before
        .iter()
        .filter(|present| listed || !names.iter().any(|name| present.as_str() == Some(name)))
        .cloned()
        .collect();
    if listed {
        for name in names {
            if !after.iter().any(|present| present.as_str() == Some(name)) {
                after.push(name.as_str().into());
            }
        }
    }
    if before == after {
        return false;
    }
    editor.set(&object, list.key, &Value::Array(after));
    true
}
