//! Servers that come from elsewhere: moved, copied, imported.

use std::collections::HashSet;

use super::{
    ConflictChoice, ImportItem, TransferItem,
    planner::{Planner, scope_title},
};
use crate::{
    change::{
        apply_steps::{SourceEntry, Step, own_entry},
        error::ConfigError,
    },
    client::Target,
    definition::Definition,
    definition::draft_entry::new_entry,
    entry::dialect::{Dialect, LostField},
    import::left_out,
    scopes::ScopePlace,
};

/// Move or copy: a copy leaves the source as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transfer {
    Move,
    Copy,
}

impl Planner<'_> {
    pub(super) fn transfer(
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
            let Some(new_name) = self.resolve_conflict(&destination, wanted, item.conflict)? else {
                continue;
            };
            self.check_name(&destination, &new_name)?;
            let form = source.layout.sections[definition.section].dialect;
            let own = std::ptr::eq(form, self.dialect_of(&destination, &new_name)?)
                .then(|| own_entry(&source.layout, &text, definition))
                .flatten();
            let common = definition.common.expose();
            if own.is_none() {
                self.report_unknown(&new_name, definition, &source);
            }
            let entry = match &own {
                Some(own) => SourceEntry::Own(own),
                None => SourceEntry::Common(common),
            };
            if transfer == Transfer::Move {
                self.apply(&source, &[Step::Remove { name }])?;
            }
            self.apply(
                &destination,
                &[Step::Put {
                    name: &new_name,
                    entry,
                }],
            )?;
            if self.is_own(&source) {
                self.record_written(&destination, &new_name);
            } else {
                self.carry_approval(from, name, to, &new_name);
            }
            self.warn_of_secret(&destination, &new_name, common)?;
            moved.push(name.to_owned());
        }
        let verb = match transfer {
            Transfer::Move => "Move",
            Transfer::Copy => "Copy",
        };
        Ok(format!(
            "{verb} {} to {}",
            moved.join(", "),
            scope_title(&destination, self.machine)
        ))
    }

    /// Puts one server into several scopes, in the place of what has its name there.
    pub(super) fn sync(
        &mut self,
        from: &Target,
        name: &str,
        to: &[Target],
    ) -> Result<String, ConfigError> {
        let item = TransferItem {
            name: name.to_owned(),
            new_name: None,
            conflict: ConflictChoice::Replace,
        };
        let mut titles = Vec::new();
        for target in to.iter().filter(|target| *target != from) {
            self.transfer(from, target, std::slice::from_ref(&item), Transfer::Copy)?;
            titles.push(scope_title(&self.place(target)?, self.machine));
        }
        Ok(format!("Copy {name} to {}", titles.join(", ")))
    }

    /// Returns the form in which a scope writes the server of a name, or would.
    fn dialect_of(
        &mut self,
        place: &ScopePlace,
        name: &str,
    ) -> Result<&'static Dialect, ConfigError> {
        let (text, definitions) = self.definitions(place)?;
        let existing = definitions.iter().find(|found| found.name == name);
        let section = existing.map_or_else(
            || {
                let layout = &place.layout;
                layout.section_for_new(&layout.parse(&text))
            },
            |existing| existing.section,
        );
        Ok(place.layout.sections[section].dialect)
    }

    /// Reports the members that only the client of the source understands, which are lost.
    fn report_unknown(&mut self, name: &str, definition: &Definition, source: &ScopePlace) {
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
                    source.target.client.title()
                ),
            });
        }
    }

    /// The name under which a server is to be put; `None` when it is to be left out.
    fn resolve_conflict(
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

    /// Tells what an imported server does not have of what it was made of.
    fn report_left_out(&mut self, name: &str, item: &ImportItem) -> Result<(), ConfigError> {
        let mut lost = item.left_out.clone();
        if let Some(from) = &item.source {
            let source = self.place(&from.target)?;
            let (_, definitions) = self.definitions(&source)?;
            let definition = definitions.iter().find(|found| found.name == from.name);
            let found =
                definition.map(|definition| left_out(definition, &item.draft, from.target.client));
            lost.extend(found.into_iter().flatten());
        }
        self.lost.extend(lost.into_iter().map(|field| LostField {
            server: name.to_owned(),
            ..field
        }));
        Ok(())
    }

    pub(super) fn import(
        &mut self,
        target: &Target,
        items: &[ImportItem],
    ) -> Result<String, ConfigError> {
        let place = self.writable(target)?;
        let mut names = Vec::new();
        for item in items {
            self.check(&item.draft)?;
            let Some(name) = self.resolve_conflict(&place, &item.draft.name, item.conflict)? else {
                continue;
            };
            self.check_name(&place, &name)?;
            self.report_left_out(&name, item)?;
            let entry = new_entry(&item.draft);
            self.apply(
                &place,
                &[Step::Put {
                    name: &name,
                    entry: SourceEntry::Common(&entry),
                }],
            )?;
            self.check_variables(&place, &name, &item.draft)?;
            self.record_written(&place, &name);
            self.warn_of_secret(&place, &name, &entry)?;
            names.push(name);
        }
        Ok(format!(
            "Import {} into {}",
            names.join(", "),
            scope_title(&place, self.machine)
        ))
    }
}
