//! Adds, changes and removes servers in a text.
//!
//! An entry is translated into the common form, changed there, and translated back; only the
//! fields on which the two translations differ are then touched in the file. So a client's own
//! fields, and everything that was not meant, stay as they are.

use std::path::Path;

use serde_json::{Map, Value};

use crate::{
    change::error::ConfigError,
    client::Client,
    definition::{Definition, is_built_in, read_definitions},
    definition::{
        draft::Draft,
        draft_entry::{new_entry, update_entry},
        layout::Layout,
    },
    entry::dialect::{LostField, plain, plain_object},
    text::{
        file::FileState,
        format::TextEditor,
        json::{NodeValue, Object},
        json_edit::{line_end_of, object_at},
        source::{BYTE_ORDER_MARK, Source},
    },
};

/// One change to the servers of a text.
pub(crate) enum Step<'a> {
    /// A new server, after the others.
    Add {
        draft: &'a Draft,
    },
    /// Another content for the server `name`, which is renamed if the draft has another name.
    Replace {
        name: &'a str,
        draft: &'a Draft,
    },
    /// No server of that name, however often the file defines it.
    Remove {
        name: &'a str,
    },
    /// An entry from elsewhere, in place of one of the same name if there is one.
    Put {
        name: &'a str,
        entry: SourceEntry<'a>,
    },
    /// A server that is listed without being used, or used again.
    SetDisabled {
        name: &'a str,
        disabled: bool,
    },
    Rename {
        name: &'a str,
        new_name: &'a str,
    },
}

/// An entry from elsewhere.
#[derive(Clone, Copy)]
pub(crate) enum SourceEntry<'a> {
    /// In the common form.
    Common(&'a Map<String, Value>),
    /// As the section that it goes into has it, the client's own fields included.
    Own(&'a Map<String, Value>),
}

/// Applies steps to a text, `None` standing for a file that does not exist. What the client
/// cannot express is added to `lost`.
pub(crate) fn apply_steps(
    path: &Path,
    layout: &Layout,
    text: Option<&str>,
    steps: &[Step<'_>],
    lost: &mut Vec<LostField>,
) -> Result<String, ConfigError> {
    let mut text = text.unwrap_or_default().to_owned();
    for step in steps {
        text = StepApplier { path, layout, lost }.step(text, step)?;
    }
    Ok(text)
}

struct StepApplier<'a> {
    path: &'a Path,
    layout: &'a Layout,
    lost: &'a mut Vec<LostField>,
}

impl StepApplier<'_> {
    fn step(&mut self, text: String, step: &Step<'_>) -> Result<String, ConfigError> {
        if self.layout.format.is_blank(&text) {
            return self.new_file(&text, step);
        }
        let reading = read_definitions(&self.layout.for_editing(), &text);
        if let FileState::Broken { problems } = reading.state {
            return Err(ConfigError::Broken {
                path: self.path.to_owned(),
                problems,
            });
        }
        let definitions = reading.definitions;
        let defined = |name: &str| {
            definitions
                .iter()
                .find(|definition| definition.name == name)
        };
        self.refuse_built_in(&text, step)?;
        let refuse_taken = |name: &str| match defined(name) {
            Some(definition) => Err(ConfigError::NameTaken {
                path: self.path.to_owned(),
                name: name.to_owned(),
                line: definition.line,
            }),
            None => Ok(()),
        };
        let existing = |name: &str| defined(name).ok_or_else(|| self.no_such_server(name));
        let mut editor = self.layout.editor(text);
        match step {
            Step::Add { draft } => {
                refuse_taken(&draft.name)?;
                let common = new_entry(draft);
                self.put_new(&mut editor, &draft.name, SourceEntry::Common(&common))?;
            }
            Step::Replace { name, draft } => {
                let definition = existing(name)?;
                if draft.name != *name {
                    refuse_taken(&draft.name)?;
                }
                self.replace(&mut editor, definition, draft)?;
                if draft.name != *name {
                    self.rename(&mut editor, definition, &draft.name);
                }
            }
            Step::Remove { name } => {
                existing(name)?;
                self.remove_all(&mut editor, name);
            }
            Step::Put { name, entry } => match defined(name) {
                Some(definition) => {
                    let entry = self.put_form(definition.section, name, *entry)?;
                    let section = self.layout.section(definition.section);
                    editor.set(&section, name, &Value::Object(entry));
                }
                None => self.put_new(&mut editor, name, *entry)?,
            },
            Step::SetDisabled { name, disabled } => {
                let definition = existing(name)?;
                let before = definition.common.expose();
                let mut after = before.clone();
                after.remove("enabled");
                after.remove("disabled");
                if *disabled {
                    if !self.layout.dialect().expresses("disabled") {
                        return Err(ConfigError::CannotDisable {
                            client: self.layout.client,
                            name: (*name).to_owned(),
                        });
                    }
                    after.insert("disabled".into(), true.into());
                }
                self.update(&mut editor, definition, before, &after)?;
            }
            Step::Rename { name, new_name } => {
                let definition = existing(name)?;
                if name != new_name {
                    refuse_taken(new_name)?;
                    self.rename(&mut editor, definition, new_name);
                }
            }
        }
        Ok(editor.into_text())
    }

    fn no_such_server(&self, name: &str) -> ConfigError {
        ConfigError::NoSuchServer {
            path: self.path.to_owned(),
            name: name.to_owned(),
        }
    }

    /// The text for a file that is missing or blank.
    fn new_file(&mut self, blank: &str, step: &Step<'_>) -> Result<String, ConfigError> {
        let (name, entry) = match step {
            Step::Add { draft } => (
                draft.name.as_str(),
                self.put_form(0, &draft.name, SourceEntry::Common(&new_entry(draft)))?,
            ),
            Step::Put { name, entry } => (*name, self.put_form(0, name, *entry)?),
            Step::Replace { name, .. }
            | Step::Remove { name }
            | Step::SetDisabled { name, .. }
            | Step::Rename { name, .. } => return Err(self.no_such_server(name)),
        };
        let mark = if blank.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.to_string()
        } else {
            String::new()
        };
        Ok(mark + &self.layout.new_text(name, entry, line_end_of(blank)))
    }

    /// An entry from elsewhere as a section has it.
    fn put_form(
        &mut self,
        section: usize,
        name: &str,
        entry: SourceEntry<'_>,
    ) -> Result<Map<String, Value>, ConfigError> {
        match entry {
            SourceEntry::Own(entry) => Ok(entry.clone()),
            SourceEntry::Common(common) => {
                let mut entry = self.written(section, name, common)?;
                self.layout.sections[section].dialect.complete(&mut entry);
                Ok(entry)
            }
        }
    }

    /// An entry as a section has it.
    fn written(
        &mut self,
        section: usize,
        name: &str,
        common: &Map<String, Value>,
    ) -> Result<Map<String, Value>, ConfigError> {
        let dialect = self.layout.sections[section].dialect;
        let (entry, lost) =
            dialect
                .write_entry(name, common)
                .map_err(|reason| ConfigError::Inexpressible {
                    client: dialect.client,
                    name: name.to_owned(),
                    reason,
                })?;
        self.lost.extend(lost);
        Ok(entry)
    }

    /// Adds a server to the section for new ones.
    /// Refuses to put a server in the place of one of the client's own parts.
    fn refuse_built_in(&self, text: &str, step: &Step<'_>) -> Result<(), ConfigError> {
        let name = match step {
            Step::Add { draft } | Step::Replace { draft, .. } => draft.name.as_str(),
            Step::Put { name, .. } | Step::Rename { new_name: name, .. } => name,
            Step::Remove { .. } | Step::SetDisabled { .. } => return Ok(()),
        };
        let document = self.layout.parse(text);
        let servers = object_at(&document, &self.layout.section(0));
        match servers.and_then(|(_, servers)| servers.get(name)) {
            Some(member) if is_built_in(self.layout.client, member) => {
                Err(ConfigError::NameTaken {
                    path: self.path.to_owned(),
                    name: name.to_owned(),
                    line: Source::new(text).position(member.key_range.start).line,
                })
            }
            _ => Ok(()),
        }
    }

    fn put_new(
        &mut self,
        editor: &mut TextEditor,
        name: &str,
        entry: SourceEntry<'_>,
    ) -> Result<(), ConfigError> {
        let section = self.layout.section_for_new(&editor.document());
        let entry = self.put_form(section, name, entry)?;
        let path = self.layout.section(section);
        let has_one = editor.with_object(&path, |servers| !servers.members.is_empty());
        if let (Some(reason), Some(true)) = (self.layout.one_server, has_one) {
            return Err(ConfigError::Inexpressible {
                client: self.layout.client,
                name: name.to_owned(),
                reason: reason.to_owned(),
            });
        }
        editor.set(&path, name, &Value::Object(entry));
        Ok(())
    }

    fn replace(
        &mut self,
        editor: &mut TextEditor,
        definition: &Definition,
        draft: &Draft,
    ) -> Result<(), ConfigError> {
        let section = self.layout.section(definition.section);
        let dialect = self.layout.sections[definition.section].dialect;
        let in_common_form = |entry: &Object| plain_object(&dialect.to_common(entry).object);
        let Some(whole) = editor.with_object(&self.entry_path(definition), in_common_form) else {
            let entry = self.written(definition.section, &definition.name, &new_entry(draft))?;
            editor.set(&section, &definition.name, &Value::Object(entry));
            return Ok(());
        };
        let before = match self.layout.client {
            // Also where the entry has too many values to be read.
            Client::McpJson => &whole,
            _ => definition.common.expose(),
        };
        let mut after = before.clone();
        update_entry(&mut after, draft);
        self.update(editor, definition, before, &after)
    }

    /// Carries the difference between two versions of an entry over into the file.
    fn update(
        &mut self,
        editor: &mut TextEditor,
        definition: &Definition,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
    ) -> Result<(), ConfigError> {
        let dialect = self.layout.sections[definition.section].dialect;
        let after = self.written(definition.section, &definition.name, after)?;
        let path = self.entry_path(definition);
        // What the file says now may be more than its client can do.
        let before = dialect
            .write_entry(&definition.name, before)
            .map(|(entry, _)| entry)
            .unwrap_or_default();
        // What the client refuses is written anew, as it takes it.
        if before == after && definition.refused.is_empty() {
            return Ok(());
        }
        let own = editor.with_object(&path, plain_object).unwrap_or_default();
        let is_faithful = is_within(&before, &own);
        let before = if is_faithful {
            before
        } else {
            dialect.governed(&own)
        };
        apply(editor, &path, &before, &after);
        Ok(())
    }

    /// The keys that lead to an entry.
    fn entry_path<'d>(&'d self, definition: &'d Definition) -> Vec<&'d str> {
        let mut path = self.layout.section(definition.section);
        path.push(&definition.name);
        path
    }

    fn rename(&self, editor: &mut TextEditor, definition: &Definition, new_name: &str) {
        let section = self.layout.section(definition.section);
        editor.rename(&section, &definition.name, new_name);
        // A definition that this one hid must not come back under the old name.
        self.remove_all(editor, &definition.name);
    }

    /// Removes every definition of a server, also those that do not count.
    fn remove_all(&self, editor: &mut TextEditor, name: &str) {
        for index in 0..self.layout.sections.len() {
            let section = self.layout.section(index);
            editor.remove(&section, name);
        }
    }
}

/// Returns true when everything that one object says stands in another as well.
fn is_within(part: &Map<String, Value>, whole: &Map<String, Value>) -> bool {
    part.iter()
        .all(|(key, value)| match (value, whole.get(key)) {
            (Value::Object(part), Some(Value::Object(whole))) => is_within(part, whole),
            (value, found) => found == Some(value),
        })
}

/// Makes the object at `path` differ as `after` differs from `before`.
fn apply(
    editor: &mut TextEditor,
    path: &[&str],
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) {
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        // What the client alone has beside what goes stays.
        match &before[key] {
            Value::Object(old) if has_more(editor, path, key, old) => {
                let inner: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
                apply(editor, &inner, old, &Map::new());
            }
            _ => editor.remove(path, key),
        }
    }
    for (key, value) in after {
        match (before.get(key), value) {
            (Some(old), new) if old == new => {}
            (Some(Value::Object(old)), Value::Object(new)) if is_object(editor, path, key) => {
                let inner: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
                apply(editor, &inner, old, new);
            }
            _ => editor.set(path, key, value),
        }
    }
}

/// Returns true when an object has members beside these.
fn has_more(editor: &TextEditor, path: &[&str], key: &str, known: &Map<String, Value>) -> bool {
    let inner: Vec<&str> = path.iter().copied().chain([key]).collect();
    let mut keys = Vec::new();
    editor.with_object(&inner, |object| {
        keys.extend(object.members.iter().map(|member| member.key.clone()));
    });
    keys.iter().any(|key| !known.contains_key(key))
}

fn is_object(editor: &TextEditor, path: &[&str], key: &str) -> bool {
    editor
        .with_object(path, |object| {
            object
                .get(key)
                .is_some_and(|member| matches!(member.value.value, NodeValue::Object(_)))
        })
        .unwrap_or(false)
}

/// The value of a text's entry as its client writes it, for carrying it to another file of
/// the same client.
pub(crate) fn own_entry(
    layout: &Layout,
    text: &str,
    definition: &Definition,
) -> Option<Map<String, Value>> {
    let document = layout.parse(text);
    let (_, servers) = object_at(&document, &layout.section(definition.section))?;
    match plain(&servers.get(&definition.name)?.value) {
        Value::Object(entry) => Some(entry),
        _ => None,
    }
}
