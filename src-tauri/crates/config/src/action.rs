//! What a person wants done with configuration files, and what that makes of them.

use std::{collections::HashSet, path::PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as NewValue};

use crate::{
    change::{Change, read_text, remaining_problems},
    client::{Machine, Target},
    definition::{Definition, read_definitions},
    dialect::LostField,
    draft::{Draft, NamedText, entry_holds_secret},
    error::ConfigError,
    git::is_tracked,
    layout::Layout,
    problem::Problem,
    rewrite::{Entry, Step, common_entry, own_entry, rewrite},
    scopes::{ScopePlace, Writer, label, scope_place},
};

/// What is to be done with configuration files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConfigAction {
    Add {
        target: Target,
        draft: Draft,
    },
    /// Another content for the server `name`, which is renamed if the draft has another name.
    Edit {
        target: Target,
        name: String,
        draft: Draft,
    },
    Remove {
        target: Target,
        names: Vec<String>,
    },
    Disable {
        target: Target,
        names: Vec<String>,
    },
    Enable {
        target: Target,
        names: Vec<String>,
    },
    Rename {
        target: Target,
        name: String,
        new_name: String,
    },
    /// Servers of one scope, put into another and taken out of the first.
    Move {
        from: Target,
        to: Target,
        items: Vec<TransferItem>,
    },
    /// Servers of one scope, put into another.
    Copy {
        from: Target,
        to: Target,
        items: Vec<TransferItem>,
    },
    /// Drafts from anywhere, put into a scope.
    Import {
        target: Target,
        items: Vec<ImportItem>,
    },
    /// Another text for a whole file.
    Text {
        target: Target,
        text: String,
    },
    /// A file as a backup has it.
    Restore {
        backup: String,
    },
    /// Takes back the last change.
    Undo,
    /// Does again what was taken back last.
    Redo,
}

/// A server that is moved or copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TransferItem {
    pub name: String,
    /// The name it is to have in the other scope, where that differs.
    #[serde(default)]
    pub new_name: Option<String>,
    /// What to do when the other scope has a server of that name.
    #[serde(default)]
    pub conflict: ConflictChoice,
}

/// A server that is imported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ImportItem {
    pub draft: Draft,
    /// What a person gave for the draft's inputs. An input without a value stays a variable.
    #[serde(default)]
    pub values: Vec<NamedText>,
    /// What to do when the scope has a server of that name.
    #[serde(default)]
    pub conflict: ConflictChoice,
}

/// What to do when there already is a server of the same name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ConflictChoice {
    /// Refuse the whole action.
    #[default]
    Refuse,
    /// Leave the one that is there.
    Skip,
    /// Put the new one in its place.
    Replace,
    /// Add the new one under a free name: `name-2`.
    KeepBoth,
}

/// What an action would do. Nothing is written yet.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What is done, in words: `Move github to Claude Code, project`.
    pub title: String,
    /// The files that change, in the order in which they are written.
    pub files: Vec<PlannedFile>,
    /// What the target cannot express.
    pub lost: Vec<LostField>,
    /// What else to know before.
    pub warnings: Vec<String>,
    /// The servers that a person wrote by this: where, and under which name.
    pub written: Vec<(Target, String)>,
}

/// One file of a plan.
#[derive(Debug, Clone)]
pub struct PlannedFile {
    pub target: Target,
    /// The path as a person would write it.
    pub label: String,
    pub change: Change,
    /// What keeps clients from reading the file even after the change.
    pub remaining_problems: Vec<Problem>,
}

/// Computes what an action does to the files as they are now. [`ConfigAction::Undo`],
/// [`ConfigAction::Redo`] and [`ConfigAction::Restore`] are planned by those who keep what they
/// go back to.
///
/// Every byte outside the entries that are meant survives: comments, order, indentation, line
/// ends, the byte order mark, fields that are not understood. Comments and trailing commas do
/// not hinder a change ([`PlannedFile::remaining_problems`] names them); any other mistake does.
///
/// # Errors
/// [`ConfigError::Broken`], [`ConfigError::InvalidDraft`], [`ConfigError::NameTaken`] or
/// [`ConfigError::NoSuchServer`], and when a scope does not exist or is not a person's to write.
pub fn plan_action(action: &ConfigAction, machine: &Machine) -> Result<Plan, ConfigError> {
    let mut planner = Planner {
        machine,
        files: Vec::new(),
        lost: Vec::new(),
        warnings: Vec::new(),
        written: Vec::new(),
    };
    let title = planner.act(action)?;
    Ok(planner.finish(title))
}

/// A plan that gives a scope's whole file another text.
///
/// # Errors
/// As [`plan_action`].
pub fn plan_text(target: &Target, text: &str, machine: &Machine) -> Result<Plan, ConfigError> {
    plan_action(
        &ConfigAction::Text {
            target: target.clone(),
            text: text.to_owned(),
        },
        machine,
    )
}

/// A text for a scope's file with what a draft says, for the server `name` or a new one.
///
/// # Errors
/// As [`plan_action`].
pub fn with_draft(
    place: &ScopePlace,
    text: &str,
    name: Option<&str>,
    draft: &Draft,
) -> Result<String, ConfigError> {
    let problems = draft.problems();
    if !problems.is_empty() {
        return Err(ConfigError::InvalidDraft { problems });
    }
    let step = match name {
        Some(name) => Step::Replace { name, draft },
        None => Step::Add { draft },
    };
    rewrite(
        &place.path,
        &place.layout,
        Some(text),
        &[step],
        &mut Vec::new(),
    )
}

/// A file on which steps are tried out.
struct Sheet {
    target: Target,
    layout: Layout,
    path: PathBuf,
    before: Option<String>,
    now: Option<String>,
    adds_secret: bool,
}

struct Planner<'a> {
    machine: &'a Machine,
    files: Vec<Sheet>,
    lost: Vec<LostField>,
    warnings: Vec<String>,
    written: Vec<(Target, String)>,
}

impl Planner<'_> {
    fn act(&mut self, action: &ConfigAction) -> Result<String, ConfigError> {
        Ok(match action {
            ConfigAction::Add { target, draft } => {
                let place = self.writable(target)?;
                self.check(draft)?;
                self.put_draft(&place, &[Step::Add { draft }], draft)?;
                format!("Add {} to {}", draft.name, words(&place))
            }
            ConfigAction::Edit {
                target,
                name,
                draft,
            } => {
                let place = self.writable(target)?;
                self.check(draft)?;
                self.put_draft(&place, &[Step::Replace { name, draft }], draft)?;
                format!("Change {name} in {}", words(&place))
            }
            ConfigAction::Remove { target, names } => {
                let place = self.writable(target)?;
                let steps: Vec<Step<'_>> = names.iter().map(|name| Step::Remove { name }).collect();
                self.take(&place, &steps)?;
                format!("Remove {} from {}", names.join(", "), words(&place))
            }
            ConfigAction::Disable { target, names } => {
                self.switch(target, names, true)?;
                let place = self.place(target)?;
                format!("Disable {} in {}", names.join(", "), words(&place))
            }
            ConfigAction::Enable { target, names } => {
                self.switch(target, names, false)?;
                let place = self.place(target)?;
                format!("Enable {} in {}", names.join(", "), words(&place))
            }
            ConfigAction::Rename {
                target,
                name,
                new_name,
            } => {
                let place = self.writable(target)?;
                self.check_name(&place, new_name)?;
                self.take(&place, &[Step::Rename { name, new_name }])?;
                self.written.push((target.clone(), new_name.clone()));
                format!("Rename {name} to {new_name} in {}", words(&place))
            }
            ConfigAction::Move { from, to, items } => {
                self.transfer(from, to, items, Transfer::Move)?
            }
            ConfigAction::Copy { from, to, items } => {
                self.transfer(from, to, items, Transfer::Copy)?
            }
            ConfigAction::Import { target, items } => self.import(target, items)?,
            ConfigAction::Text { target, text } => {
                let place = self.writable(target)?;
                self.replace_text(&place, text)?;
                format!("Edit {}", place.label(self.machine))
            }
            ConfigAction::Restore { .. } | ConfigAction::Undo | ConfigAction::Redo => {
                return Err(ConfigError::NothingToGoBackTo);
            }
        })
    }

    fn place(&self, target: &Target) -> Result<ScopePlace, ConfigError> {
        scope_place(target, self.machine).ok_or_else(|| ConfigError::NoSuchScope {
            target: target.clone(),
        })
    }

    /// The scope, if it is a person's to write.
    fn writable(&self, target: &Target) -> Result<ScopePlace, ConfigError> {
        let place = self.place(target)?;
        match place.writer {
            Writer::Person | Writer::Project => Ok(place),
            Writer::Administrator | Writer::Program => Err(ConfigError::NotYours {
                path: place.path,
                writer: place.writer,
            }),
        }
    }

    fn check(&self, draft: &Draft) -> Result<(), ConfigError> {
        let problems = draft.problems();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::InvalidDraft { problems })
        }
    }

    fn check_name(&mut self, place: &ScopePlace, name: &str) -> Result<(), ConfigError> {
        if name.trim().is_empty() || name.trim() != name {
            return Err(ConfigError::InvalidDraft {
                problems: vec![crate::DraftProblem {
                    field: "name".into(),
                    message: "Give the server a name without spaces around it.".into(),
                }],
            });
        }
        let client = place.target.client;
        if let Some(complaint) = place.layout.dialect.complaint_about_name(name) {
            self.warnings
                .push(format!("{} may refuse {name}: {complaint}", client.title()));
        }
        Ok(())
    }

    /// The file of a scope, as the steps so far left it.
    fn sheet(&mut self, place: &ScopePlace) -> Result<usize, ConfigError> {
        self.sheet_at(
            place.target.clone(),
            place.path.clone(),
            place.layout.clone(),
        )
    }

    fn sheet_at(
        &mut self,
        target: Target,
        path: PathBuf,
        layout: Layout,
    ) -> Result<usize, ConfigError> {
        if let Some(index) = self.files.iter().position(|sheet| sheet.path == path) {
            return Ok(index);
        }
        let before = read_text(&path)?;
        self.files.push(Sheet {
            target,
            layout,
            path,
            now: before.clone(),
            before,
            adds_secret: false,
        });
        Ok(self.files.len() - 1)
    }

    /// Applies steps to the file of a scope.
    fn take(&mut self, place: &ScopePlace, steps: &[Step<'_>]) -> Result<(), ConfigError> {
        let index = self.sheet(place)?;
        let sheet = &mut self.files[index];
        let text = rewrite(
            &place.path,
            &place.layout,
            sheet.now.as_deref(),
            steps,
            &mut self.lost,
        )?;
        sheet.now = Some(text);
        Ok(())
    }

    fn put_draft(
        &mut self,
        place: &ScopePlace,
        steps: &[Step<'_>],
        draft: &Draft,
    ) -> Result<(), ConfigError> {
        self.check_name(place, &draft.name)?;
        self.take(place, steps)?;
        self.note_written(place, &draft.name, &common_entry(draft))
    }

    /// Remembers what was written, and warns of a secret that others would see.
    fn note_written(
        &mut self,
        place: &ScopePlace,
        name: &str,
        entry: &Map<String, NewValue>,
    ) -> Result<(), ConfigError> {
        self.written.push((place.target.clone(), name.to_owned()));
        if !entry_holds_secret(entry) {
            return Ok(());
        }
        let index = self.sheet(place)?;
        self.files[index].adds_secret = true;
        let label = place.label(self.machine);
        if is_tracked(&place.path) {
            self.warnings.push(format!(
                "{name} holds a value that looks like a secret, and git tracks {label}. Write a \
                 variable instead, or choose a scope of your own."
            ));
        } else if place.writer == Writer::Project {
            self.warnings.push(format!(
                "{name} holds a value that looks like a secret, and {label} is usually shared. \
                 Write a variable instead, or choose a scope of your own."
            ));
        }
        Ok(())
    }

    /// The definitions of a scope as the steps so far left them.
    fn definitions(
        &mut self,
        place: &ScopePlace,
    ) -> Result<(String, Vec<Definition>), ConfigError> {
        let index = self.sheet(place)?;
        let text = self.files[index].now.clone().unwrap_or_default();
        let layout = place.layout.for_editing();
        let reading = read_definitions(&layout, &text);
        Ok((text, reading.definitions))
    }

    fn switch(
        &mut self,
        target: &Target,
        names: &[String],
        disabled: bool,
    ) -> Result<(), ConfigError> {
        let place = self.place(target)?;
        if let Some(switch) = crate::switch::of(&place, self.machine) {
            for list in switch.lists(names, disabled) {
                let index =
                    self.sheet_at(target.clone(), list.path.clone(), list.layout.clone())?;
                let sheet = &mut self.files[index];
                sheet.now = Some(list.apply(sheet.now.as_deref())?);
            }
            return Ok(());
        }
        let place = self.writable(target)?;
        let steps: Vec<Step<'_>> = names
            .iter()
            .map(|name| Step::SetDisabled { name, disabled })
            .collect();
        self.take(&place, &steps)?;
        let written = names.iter().map(|name| (target.clone(), name.clone()));
        self.written.extend(written);
        Ok(())
    }

    fn transfer(
        &mut self,
        from: &Target,
        to: &Target,
        items: &[TransferItem],
        transfer: Transfer,
    ) -> Result<String, ConfigError> {
        let source = match transfer {
            Transfer::Move => self.writable(from)?,
            Transfer::Copy => self.place(from)?,
        };
        let destination = self.writable(to)?;
        let (text, definitions) = self.definitions(&source)?;
        let mut moved = Vec::new();
        for item in items {
            let name = item
                .name
                .strip_prefix(&source.name_prefix)
                .unwrap_or(&item.name);
            let Some(definition) = definitions.iter().find(|found| found.name == *name) else {
                return Err(ConfigError::NoSuchServer {
                    path: source.path.clone(),
                    name: item.name.clone(),
                });
            };
            let wanted = item.new_name.as_deref().unwrap_or(name);
            if from == to && wanted == name {
                continue;
            }
            let Some(new_name) = self.settle(&destination, wanted, item.conflict)? else {
                continue;
            };
            self.check_name(&destination, &new_name)?;
            let own = (from.client == to.client)
                .then(|| own_entry(&source.layout, &text, definition))
                .flatten();
            let common = definition.common.expose();
            if own.is_none() {
                self.lose_unknown(&new_name, definition, &source);
            }
            let entry = match &own {
                Some(own) => Entry::Own(own),
                None => Entry::Common(common),
            };
            if transfer == Transfer::Move {
                self.take(&source, &[Step::Remove { name }])?;
            }
            self.take(
                &destination,
                &[Step::Put {
                    name: &new_name,
                    entry,
                }],
            )?;
            self.note_written(&destination, &new_name, common)?;
            moved.push(name.to_owned());
        }
        let verb = match transfer {
            Transfer::Move => "Move",
            Transfer::Copy => "Copy",
        };
        Ok(format!(
            "{verb} {} to {}",
            moved.join(", "),
            words(&destination)
        ))
    }

    /// What only the client of the source understands does not come along.
    fn lose_unknown(&mut self, name: &str, definition: &Definition, source: &ScopePlace) {
        let dialect = source.layout.dialect;
        let own = definition
            .own_fields
            .iter()
            .chain(&definition.unknown_fields);
        for field in own {
            self.lost.push(LostField {
                server: name.to_owned(),
                field: field.clone(),
                reason: format!(
                    "It is a field of {} alone; it is left out.",
                    dialect.client.title()
                ),
            });
        }
    }

    /// The name under which a server is to be put; `None` when it is to be left out.
    fn settle(
        &mut self,
        place: &ScopePlace,
        name: &str,
        conflict: ConflictChoice,
    ) -> Result<Option<String>, ConfigError> {
        let (_, definitions) = self.definitions(place)?;
        let taken: HashSet<&str> = definitions
            .iter()
            .map(|definition| definition.name.as_str())
            .collect();
        let Some(existing) = definitions.iter().find(|found| found.name == name) else {
            return Ok(Some(name.to_owned()));
        };
        match conflict {
            ConflictChoice::Refuse => Err(ConfigError::NameTaken {
                path: place.path.clone(),
                name: name.to_owned(),
                line: existing.line,
            }),
            ConflictChoice::Skip => Ok(None),
            ConflictChoice::Replace => Ok(Some(name.to_owned())),
            ConflictChoice::KeepBoth => {
                let mut number = 2;
                loop {
                    let free = format!("{name}-{number}");
                    if !taken.contains(free.as_str()) {
                        return Ok(Some(free));
                    }
                    number += 1;
                }
            }
        }
    }

    fn import(&mut self, target: &Target, items: &[ImportItem]) -> Result<String, ConfigError> {
        let place = self.writable(target)?;
        let mut names = Vec::new();
        for item in items {
            self.check(&item.draft)?;
            let Some(name) = self.settle(&place, &item.draft.name, item.conflict)? else {
                continue;
            };
            self.check_name(&place, &name)?;
            let mut entry = NewValue::Object(common_entry(&item.draft));
            put_in(&mut entry, &item.values);
            let NewValue::Object(entry) = entry else {
                continue;
            };
            self.take(
                &place,
                &[Step::Put {
                    name: &name,
                    entry: Entry::Common(&entry),
                }],
            )?;
            self.note_written(&place, &name, &entry)?;
            names.push(name);
        }
        Ok(format!(
            "Import {} into {}",
            names.join(", "),
            words(&place)
        ))
    }

    fn replace_text(&mut self, place: &ScopePlace, text: &str) -> Result<(), ConfigError> {
        let (_, before) = self.definitions(place)?;
        let index = self.sheet(place)?;
        self.files[index].now = Some(text.to_owned());
        let (_, after) = self.definitions(place)?;
        for definition in &after {
            let entry = definition.common.expose();
            let is_new = !before
                .iter()
                .any(|earlier| earlier.name == definition.name && earlier.common.expose() == entry);
            if is_new {
                self.note_written(place, &definition.name, entry)?;
            }
        }
        Ok(())
    }

    fn finish(self, title: String) -> Plan {
        let Planner {
            machine,
            files,
            mut lost,
            warnings,
            written,
        } = self;
        let mut seen = HashSet::new();
        lost.retain(|field| seen.insert(field.clone()));
        let files = files
            .into_iter()
            .filter(|sheet| sheet.before != sheet.now)
            .map(|sheet| PlannedFile {
                target: sheet.target,
                label: label(&sheet.path, machine),
                remaining_problems: remaining_problems(&sheet.layout, sheet.now.as_deref()),
                change: Change::new(sheet.path, sheet.before, sheet.now, sheet.adds_secret),
            })
            .collect();
        Plan {
            title,
            files,
            lost,
            warnings,
            written,
        }
    }
}

/// Puts values in place of `${NAME}`.
fn put_in(value: &mut NewValue, values: &[NamedText]) {
    match value {
        NewValue::String(text) => {
            for given in values {
                *text = text.replace(&format!("${{{}}}", given.name), &given.text);
            }
        }
        NewValue::Array(elements) => {
            for element in elements {
                put_in(element, values);
            }
        }
        NewValue::Object(members) => {
            for member in members.values_mut() {
                put_in(member, values);
            }
        }
        NewValue::Null | NewValue::Bool(_) | NewValue::Number(_) => {}
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transfer {
    Move,
    Copy,
}

/// A scope in words: `Claude Code, project`.
fn words(place: &ScopePlace) -> String {
    format!(
        "{}, {}",
        place.target.client.title(),
        place.title.to_lowercase()
    )
}
