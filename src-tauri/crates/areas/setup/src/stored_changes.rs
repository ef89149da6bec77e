//! Stores which changes of configuration files were made last, so that another run can take them
//! back: the command line ends after each.
//!
//! A change names the copies that were stored of its files before it, and what they held after it
//! by a hash. It is taken back only while the files still are as it left them.

use std::path::Path;

use sightglass_area_core::{
    error::InspectorError,
    stored_change::{ChangedFile, StoredChange},
    text_hash::hash_of,
    view::PlanView,
};
use sightglass_config::{
    ChangePlan, ConfigError, FileChange, HistoryStep, PlannedFile, outside_project, read_text,
    scope_place,
};

use crate::config_changes::ConfigChanges;

/// Changes that are stored, over all projects.
const MAX_CHANGES: usize = 50;

/// Returns whether a stored change is that of a plan with this title.
fn is_of(stored: &StoredChange, plan: &ChangePlan, title: &str) -> bool {
    let paths = |path: &Path| plan.files.iter().any(|file| file.change.path() == path);
    stored.title == title
        && stored.files.len() == plan.files.len()
        && stored.files.iter().all(|file| paths(&file.path))
}

impl ConfigChanges {
    /// Stores that a change was made, done again or taken back. `backups` are the names of the
    /// copies from before, in the order of its files. What cannot be stored cannot be taken back
    /// later; the files are written.
    pub fn store_change(
        &self,
        plan: &ChangePlan,
        direction: HistoryStep,
        backups: Vec<Option<String>>,
    ) {
        let mut changes = self.core.data.read_changes();
        let title = plan.title.as_str();
        if direction == HistoryStep::Undo {
            let title = title.strip_prefix("Undo: ").unwrap_or(title);
            let Some(index) = changes
                .iter()
                .rposition(|stored| is_of(stored, plan, title))
            else {
                return;
            };
            changes.remove(index);
        } else {
            let files = plan
                .files
                .iter()
                .zip(backups)
                .map(|(file, backup)| ChangedFile {
                    target: file.target.clone(),
                    label: file.label.clone(),
                    path: file.change.path().to_owned(),
                    backup,
                    after: file.change.after().map(hash_of),
                });
            changes.push(StoredChange {
                title: title.strip_prefix("Redo: ").unwrap_or(title).to_owned(),
                files: files.collect(),
            });
            let surplus = changes.len().saturating_sub(MAX_CHANGES);
            changes.drain(..surplus);
        }
        if let Err(error) = self.core.data.write_changes(&changes) {
            tracing::warn!("{error}");
        }
    }

    /// Plans to take back the last change of this project's or the user's files, whichever run made
    /// it. Nothing is written.
    ///
    /// # Errors
    /// When there is none, or one of its files is another one by now.
    pub fn plan_undo_of_last_change(&self) -> Result<PlanView, InspectorError> {
        let machine = &self.core.config.machine;
        let is_here = |file: &ChangedFile| {
            scope_place(&file.target, machine).is_some_and(|place| place.path == file.path)
        };
        let changes = self.core.data.read_changes();
        let change = changes
            .iter()
            .rfind(|change| change.files.iter().all(is_here))
            .ok_or(ConfigError::NothingToGoBackTo)?;
        let planned = |file: &ChangedFile| -> Result<PlannedFile, InspectorError> {
            let before = read_text(&file.path)?;
            if before.as_deref().map(hash_of) != file.after {
                return Err(changed_since(change, file));
            }
            let after = match &file.backup {
                Some(backup) => match self.core.config.backups.read(backup) {
                    Some((path, text)) if path == file.path => Some(text),
                    _ => return Err(changed_since(change, file)),
                },
                None => None,
            };
            Ok(PlannedFile {
                target: file.target.clone(),
                label: file.label.clone(),
                outside: outside_project(&file.path, &machine.places.project)?,
                // What was removed may have held a secret.
                change: FileChange::new(file.path.clone(), before, after, true),
                remaining_problems: Vec::new(),
            })
        };
        let files = change.files.iter().rev().map(planned);
        let plan = ChangePlan {
            title: format!("Undo: {}", change.title),
            files: files.collect::<Result<_, InspectorError>>()?,
            lost: Vec::new(),
            warnings: Vec::new(),
            written: Vec::new(),
            carried: Vec::new(),
            bundle: None,
        };
        Ok(self.store_plan(plan, HistoryStep::Undo))
    }
}

fn changed_since(change: &StoredChange, file: &ChangedFile) -> InspectorError {
    InspectorError::InvalidInput(format!(
        "{} is not as the last change left it ({}), so that it cannot be taken back. Copies from \
         before are kept.",
        file.path.display(),
        change.title
    ))
}
