//! Planner: applies the steps of an action to the texts of the files as they are now.

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use serde_json::{Map, Value};

use super::{
    CarriedApproval, ChangePlan, ConfigAction, PlannedFile, SwitchItem, transfer::Transfer,
};
use crate::{
    change::{
        apply_steps::{Step, apply_steps},
        denied_tools::deny_tools,
        error::ConfigError,
        file_change::{FileChange, read_text, remaining_problems},
        file_edit::FileEdit,
        real_path::outside_project,
    },
    client::{Client, Machine, Target},
    client::{git::is_tracked, places::Scope},
    definition::{Definition, read_definitions},
    definition::{
        draft::{Draft, DraftProblem},
        draft_entry::draft_entry,
        draft_variables::needs,
        launch_plan::LaunchPlan,
        layout::Layout,
    },
    entry::{dialect::LostField, exposed::entry_holds_secret},
    import::BundleArchive,
    scopes::{FileOwner, ScopePlace, label, scope_place},
    text::{format::FileFormat, json::with_commas},
};

/// A file in progress: its text before, and after the steps so far.
struct FileDraft {
    target: Target,
    layout: Layout,
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
    adds_secret: bool,
}

/// The files that an action touches, and what there is to say about it.
pub(super) struct Planner<'a> {
    pub(super) machine: &'a Machine,
    files: Vec<FileDraft>,
    pub(super) lost: Vec<LostField>,
    warnings: Vec<String>,
    written: Vec<(Target, String)>,
    carried: Vec<CarriedApproval>,
    bundle: Option<BundleArchive>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(machine: &'a Machine) -> Self {
        Self {
            machine,
            files: Vec::new(),
            lost: Vec::new(),
            warnings: Vec::new(),
            written: Vec::new(),
            carried: Vec::new(),
            bundle: None,
        }
    }

    /// Applies an action, and returns its title.
    pub(super) fn run(&mut self, action: &ConfigAction) -> Result<String, ConfigError> {
        if let ConfigAction::AddBundle { archive, .. } = action {
            self.bundle = Some(archive.clone());
        }
        Ok(match action {
            ConfigAction::Add { target, draft } | ConfigAction::AddBundle { target, draft, .. } => {
                let place = self.writable(target)?;
                self.check(draft)?;
                self.check_name(&place, &draft.name)?;
                self.apply(&place, &[Step::Add { draft }])?;
                self.check_variables(&place, &draft.name, draft)?;
                self.warn_of_secret(&place, &draft.name, &draft_entry(draft))?;
                self.record_written(&place, &draft.name);
                format!(
                    "Add {} to {}",
                    draft.name,
                    scope_title(&place, self.machine)
                )
            }
            ConfigAction::Remove { target, names } => {
                let place = self.writable(target)?;
                let steps: Vec<Step<'_>> = names.iter().map(|name| Step::Remove { name }).collect();
                self.apply(&place, &steps)?;
                format!(
                    "Remove {} from {}",
                    names.join(", "),
                    scope_title(&place, self.machine)
                )
            }
            ConfigAction::Disable { target, names } => {
                self.set_disabled(target, names, true)?;
                let place = self.place(target)?;
                format!(
                    "Disable {} in {}",
                    names.join(", "),
                    scope_title(&place, self.machine)
                )
            }
            ConfigAction::Enable { target, names } => {
                self.set_disabled(target, names, false)?;
                let place = self.place(target)?;
                format!(
                    "Enable {} in {}",
                    names.join(", "),
                    scope_title(&place, self.machine)
                )
            }
            ConfigAction::Rename {
                target,
                name,
                new_name,
            } => {
                let place = self.writable(target)?;
                self.check_name(&place, new_name)?;
                self.apply(&place, &[Step::Rename { name, new_name }])?;
                self.carry_approval(target, name, target, new_name);
                format!(
                    "Rename {name} to {new_name} in {}",
                    scope_title(&place, self.machine)
                )
            }
            ConfigAction::Move { from, to, items } => {
                self.transfer(from, to, items, Transfer::Move)?
            }
            ConfigAction::Copy { from, to, items } => {
                self.transfer(from, to, items, Transfer::Copy)?
            }
            ConfigAction::Sync { from, name, to } => self.sync(from, name, to)?,
            ConfigAction::SwitchTools { target, off, on } => self.switch_tools(target, off, on)?,
            ConfigAction::Switch { items } => self.switch(items)?,
            ConfigAction::Import { target, items } => self.import(target, items)?,
            ConfigAction::Text { target, text } => {
                let place = self.writable(target)?;
                self.replace_text(&place, text)?;
                format!("Edit {}", place.label(self.machine))
            }
            ConfigAction::Repair { target } => {
                let place = self.writable(target)?;
                self.repair(&place)?;
                format!("Repair {}", place.label(self.machine))
            }
            ConfigAction::Restore { .. } | ConfigAction::Undo | ConfigAction::Redo => {
                return Err(ConfigError::NothingToGoBackTo);
            }
        })
    }

    pub(super) fn place(&self, target: &Target) -> Result<ScopePlace, ConfigError> {
        scope_place(target, self.machine)
            .ok_or_else(|| ConfigError::no_such_scope(target, self.machine))
    }

    /// Returns the scope if it is the user's to write.
    pub(super) fn writable(&self, target: &Target) -> Result<ScopePlace, ConfigError> {
        let place = self.place(target)?;
        match place.writer {
            FileOwner::User | FileOwner::Project => Ok(place),
            FileOwner::Administrator | FileOwner::Program => Err(ConfigError::NotYours {
                path: place.path,
                writer: place.writer,
            }),
        }
    }

    /// Returns true when a scope is the user's own: no project of others brings its file along.
    pub(super) fn is_own(&self, place: &ScopePlace) -> bool {
        let is_of_project = Scope::from_id(&place.target.scope)
            .filter(|_| place.target.client == Client::McpJson)
            .map_or_else(|| place.is_of_project(self.machine), Scope::is_of_project);
        place.writer == FileOwner::User && !is_of_project
    }

    pub(super) fn check(&self, draft: &Draft) -> Result<(), ConfigError> {
        let problems = draft.problems();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::InvalidDraft { problems })
        }
    }

    /// Refuses what a client would read of the environment although the user did not allow it to a
    /// draft of somebody else's. The client may have another form of references than drafts.
    pub(super) fn check_variables(
        &mut self,
        place: &ScopePlace,
        name: &str,
        draft: &Draft,
    ) -> Result<(), ConfigError> {
        let (_, definitions) = self.definitions(place)?;
        let written = definitions.iter().find(|found| found.name == name);
        let refused = written.map(|found| LaunchPlan::of(found).refused_to(draft));
        let problems: Vec<DraftProblem> = refused
            .into_iter()
            .flatten()
            .map(|name| DraftProblem::error("variables", needs(&name)))
            .collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::InvalidDraft { problems })
        }
    }

    pub(super) fn check_name(&mut self, place: &ScopePlace, name: &str) -> Result<(), ConfigError> {
        if name.trim().is_empty() || name.trim() != name {
            return Err(ConfigError::InvalidDraft {
                problems: vec![DraftProblem::error(
                    "name",
                    "Give the server a name without spaces around it.",
                )],
            });
        }
        let client = place.target.client;
        if let Some(complaint) = place.layout.dialect().complaint_about_name(name) {
            self.warnings
                .push(format!("{} may refuse {name}: {complaint}", client.title()));
        }
        Ok(())
    }

    /// The file of a scope, as the steps so far left it.
    fn file_draft(&mut self, place: &ScopePlace) -> Result<usize, ConfigError> {
        self.file_draft_at(
            place.target.clone(),
            place.path.clone(),
            place.layout.clone(),
        )
    }

    fn file_draft_at(
        &mut self,
        target: Target,
        path: PathBuf,
        layout: Layout,
    ) -> Result<usize, ConfigError> {
        if let Some(index) = self.files.iter().position(|file| file.path == path) {
            return Ok(index);
        }
        let before = read_text(&path)?;
        self.files.push(FileDraft {
            target,
            layout,
            path,
            after: before.clone(),
            before,
            adds_secret: false,
        });
        Ok(self.files.len() - 1)
    }

    /// Applies steps to the file of a scope.
    pub(super) fn apply(
        &mut self,
        place: &ScopePlace,
        steps: &[Step<'_>],
    ) -> Result<(), ConfigError> {
        let index = self.file_draft(place)?;
        let file = &mut self.files[index];
        let text = apply_steps(
            &place.path,
            &place.layout,
            file.after.as_deref(),
            steps,
            &mut self.lost,
        )?;
        file.after = Some(text);
        Ok(())
    }

    /// Records that a server is the user's own writing: all that it says was entered or seen.
    pub(super) fn record_written(&mut self, place: &ScopePlace, name: &str) {
        self.written.push((place.target.clone(), name.to_owned()));
    }

    /// Records that a server keeps its approval.
    pub(super) fn carry_approval(
        &mut self,
        from: &Target,
        name: &str,
        to: &Target,
        new_name: &str,
    ) {
        self.carried.push(CarriedApproval {
            from: from.clone(),
            name: name.to_owned(),
            to: to.clone(),
            new_name: new_name.to_owned(),
        });
    }

    /// Warns of a secret that others would see.
    pub(super) fn warn_of_secret(
        &mut self,
        place: &ScopePlace,
        name: &str,
        entry: &Map<String, Value>,
    ) -> Result<(), ConfigError> {
        if !entry_holds_secret(entry) {
            return Ok(());
        }
        let index = self.file_draft(place)?;
        self.files[index].adds_secret = true;
        let label = place.label(self.machine);
        if is_tracked(&place.path) {
            self.warnings.push(format!(
                "{name} holds a value that looks like a secret, and git tracks {label}. Write a \
                 variable instead, or choose a scope of your own."
            ));
        } else if place.writer == FileOwner::Project {
            self.warnings.push(format!(
                "{name} holds a value that looks like a secret, and {label} is usually shared. \
                 Write a variable instead, or choose a scope of your own."
            ));
        }
        Ok(())
    }

    /// The definitions of a scope as the steps so far left them.
    pub(super) fn definitions(
        &mut self,
        place: &ScopePlace,
    ) -> Result<(String, Vec<Definition>), ConfigError> {
        let index = self.file_draft(place)?;
        let text = self.files[index].after.clone().unwrap_or_default();
        let layout = place.layout.for_editing();
        let reading = read_definitions(&layout, &text);
        Ok((text, reading.definitions))
    }

    fn switch(&mut self, items: &[SwitchItem]) -> Result<String, ConfigError> {
        let mut groups: BTreeMap<(&Target, bool), Vec<String>> = BTreeMap::new();
        for item in items {
            let group = groups.entry((&item.target, item.is_on)).or_default();
            group.push(item.name.clone());
        }
        for ((target, is_on), names) in &groups {
            self.set_disabled(target, names, !is_on)?;
        }
        let switched = |is_on: bool| items.iter().filter(|item| item.is_on == is_on).count();
        Ok(match (switched(true), switched(false)) {
            (on, 0) => format!("Switch {on} servers on"),
            (0, off) => format!("Switch {off} servers off"),
            (on, off) => format!("Switch {on} servers on and {off} off"),
        })
    }

    fn switch_tools(
        &mut self,
        target: &Target,
        off: &[String],
        on: &[String],
    ) -> Result<String, ConfigError> {
        let place = self.place(target)?;
        let edits = deny_tools(&place, self.machine, off, on).ok_or(ConfigError::NoToolRules {
            client: target.client,
        })?;
        for edit in edits {
            self.edit_file(target, &edit)?;
        }
        let tools = |number: usize| match number {
            1 => "1 tool".to_owned(),
            number => format!("{number} tools"),
        };
        Ok(match (on.len(), off.len()) {
            (on, 0) => format!("Switch {} on", tools(on)),
            (0, off) => format!("Switch {} off", tools(off)),
            (on, off) => format!("Switch {} on and {off} off", tools(on)),
        })
    }

    fn edit_file(&mut self, target: &Target, edit: &FileEdit) -> Result<(), ConfigError> {
        let index = self.file_draft_at(target.clone(), edit.path.clone(), edit.layout.clone())?;
        let file = &mut self.files[index];
        file.after = Some(edit.apply(file.after.as_deref())?);
        Ok(())
    }

    fn set_disabled(
        &mut self,
        target: &Target,
        names: &[String],
        disabled: bool,
    ) -> Result<(), ConfigError> {
        let place = self.place(target)?;
        if let Some(switch) =
            crate::change::disabled_servers::disabled_servers(&place, self.machine)
        {
            for list in switch.lists(names, disabled) {
                self.edit_file(target, &list)?;
            }
            return Ok(());
        }
        let place = self.writable(target)?;
        let steps: Vec<Step<'_>> = names
            .iter()
            .map(|name| Step::SetDisabled { name, disabled })
            .collect();
        self.apply(&place, &steps)?;
        for name in names {
            self.carry_approval(target, name, target, name);
        }
        Ok(())
    }

    fn replace_text(&mut self, place: &ScopePlace, text: &str) -> Result<(), ConfigError> {
        let (_, before) = self.definitions(place)?;
        let index = self.file_draft(place)?;
        self.files[index].after = Some(text.to_owned());
        let (_, after) = self.definitions(place)?;
        for definition in &after {
            let entry = definition.common.expose();
            let name = &definition.name;
            let earlier = before.iter().find(|earlier| earlier.name == *name);
            match earlier {
                Some(earlier) if earlier.common.expose() == entry => continue,
                // The file's own entry, of which the user changed a part, may never have been
                // approved.
                Some(_) => self.carry_approval(&place.target, name, &place.target, name),
                None => self.record_written(place, name),
            }
            self.warn_of_secret(place, name, entry)?;
        }
        Ok(())
    }

    /// Puts the commas of a file right. None of its servers counts as written by the user, who saw
    /// the commas alone.
    fn repair(&mut self, place: &ScopePlace) -> Result<(), ConfigError> {
        let keeps_trailing = match place.format() {
            FileFormat::Json => false,
            FileFormat::Jsonc => true,
            FileFormat::Toml | FileFormat::Yaml => return Ok(()),
        };
        let index = self.file_draft(place)?;
        let file = &mut self.files[index];
        let repaired = file.after.as_deref();
        file.after = repaired.map(|text| with_commas(text, keeps_trailing));
        Ok(())
    }

    pub(super) fn into_plan(self, title: String) -> Result<ChangePlan, ConfigError> {
        let Planner {
            machine,
            files,
            mut lost,
            warnings,
            written,
            carried,
            bundle,
        } = self;
        let mut seen = HashSet::new();
        lost.retain(|field| seen.insert(field.clone()));
        let files = files
            .into_iter()
            .filter(|file| file.before != file.after)
            .map(|file| {
                Ok(PlannedFile {
                    target: file.target,
                    label: label(&file.path, machine),
                    outside: outside_project(&file.path, &machine.places.project)?,
                    remaining_problems: remaining_problems(&file.layout, file.after.as_deref()),
                    change: FileChange::new(file.path, file.before, file.after, file.adds_secret),
                })
            })
            .collect::<Result<_, ConfigError>>()?;
        Ok(ChangePlan {
            title,
            files,
            lost,
            warnings,
            written,
            carried,
            bundle,
        })
    }
}

/// Title of a scope, by its file: `.claude/.mcp.json (project)`.
pub(super) fn scope_title(place: &ScopePlace, machine: &Machine) -> String {
    format!("{} ({})", place.label(machine), place.title.to_lowercase())
}
