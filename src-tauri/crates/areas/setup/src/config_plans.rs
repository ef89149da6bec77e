//! Plans changes of configuration files, and tells what each would do. Nothing is written.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use sightglass_area_core::{
    command::commands,
    config_workspace::server_id,
    error::InspectorError,
    view::{LaunchView, PlanView, PlannedFileView, PlannedServerView},
};
use sightglass_config::{
    ChangePlan, ConfigAction, ConfigError, Definition, FileFormat, HistoryStep, LaunchPlan,
    MaskedFile, PlannedFile, Target, parse_scope_file, plan_action, plan_restore, scopes,
};
use sightglass_model::lock;

use crate::config_changes::ConfigChanges;

#[commands(plan_commands)]
impl ConfigChanges {
    /// Plans an action. Nothing is written.
    #[command]
    pub fn plan_configuration(&self, action: &ConfigAction) -> Result<PlanView, InspectorError> {
        let (mut plan, direction) = self.plan(action)?;
        plan.warnings.extend(self.bundles.notes_on_bundles(action));
        // Nothing that runs later is agreed to by taking entries out: their secrets need not be seen.
        let masked: Vec<MaskedFile> = match action {
            ConfigAction::Remove { .. } => {
                let files = plan.files.iter();
                files.map(|file| self.masked_file(file)).collect()
            }
            _ => Vec::new(),
        };
        let mut view = self.store_plan(plan, direction);
        for (file, masked) in view.files.iter_mut().zip(&masked) {
            masked.apply(&mut file.diff);
        }
        Ok(view)
    }

    /// Keeps a plan until it is carried out, and returns what is shown of it.
    pub fn store_plan(&self, plan: ChangePlan, direction: HistoryStep) -> PlanView {
        let number = lock(&self.core.config.plans).keep(plan.clone(), direction);
        PlanView {
            plan: number,
            title: plan.title.clone(),
            files: plan.files.iter().map(planned_file).collect(),
            lost: plan.lost.clone(),
            warnings: plan.warnings.clone(),
            disconnects: self.disconnected_by(&plan),
            servers: self.planned_servers(&plan),
        }
    }

    /// Returns the names of the connected servers that no file defines after a plan.
    fn disconnected_by(&self, plan: &ChangePlan) -> Vec<String> {
        let planned = |path: &Path| plan.files.iter().find(|file| file.change.path() == path);
        let files = self.core.config.files();
        let mut disconnected = Vec::new();
        for config in &files.clients {
            let mut connected: HashSet<&str> = config
                .servers
                .iter()
                .map(|server| server.name.as_str())
                .filter(|name| {
                    self.open_connections
                        .has_connection(&server_id(config.client, name))
                })
                .collect();
            if connected.is_empty() {
                continue;
            }
            for file in &config.files {
                match planned(&file.place.path) {
                    Some(planned) => {
                        let text = planned.change.after().unwrap_or_default();
                        for left in parse_scope_file(file.place.clone(), text).definitions {
                            connected.remove(left.name.as_str());
                        }
                    }
                    None => {
                        for definition in &file.definitions {
                            connected.remove(definition.name.as_str());
                        }
                    }
                }
            }
            disconnected.extend(connected.into_iter().map(str::to_owned));
        }
        disconnected.sort();
        disconnected
    }

    /// The lines of a planned file with its secrets masked.
    fn masked_file(&self, file: &PlannedFile) -> MaskedFile {
        let texts = [file.change.before(), file.change.after()].map(Option::unwrap_or_default);
        let mut format = FileFormat::Jsonc;
        let mut entries = Vec::new();
        // One file may be several scopes of its client.
        for place in scopes(file.target.client, &self.core.config.machine) {
            if place.path == file.change.path() {
                format = place.format();
                entries.extend(parse_scope_file(place, texts[0]).definitions);
            }
        }
        MaskedFile::of(&entries, format, texts)
    }

    /// The servers that do something else after a plan, or are there only then.
    fn planned_servers(&self, plan: &ChangePlan) -> Vec<PlannedServerView> {
        let mut planned: Vec<PlannedServerView> = Vec::new();
        for file in &plan.files {
            // One file may be several scopes of its client.
            for place in scopes(file.target.client, &self.core.config.machine) {
                if place.path != file.change.path() {
                    continue;
                }
                let read = |text: Option<&str>| {
                    let file = text.map(|text| parse_scope_file(place.clone(), text));
                    file.map(|file| file.definitions).unwrap_or_default()
                };
                let before = read(file.change.before());
                let before: HashMap<&str, &Definition> = before
                    .iter()
                    .map(|earlier| (earlier.name.as_str(), earlier))
                    .collect();
                for after in read(file.change.after()) {
                    let earlier = before.get(after.name.as_str()).copied();
                    if earlier.is_some_and(|earlier| earlier.raw == after.raw) {
                        continue;
                    }
                    let launch = LaunchPlan::of(&after);
                    let effect = launch.secret_binding(None);
                    let is_same = |earlier| LaunchPlan::of(earlier).secret_binding(None) == effect;
                    if !earlier.is_some_and(is_same) {
                        planned.push(PlannedServerView {
                            name: after.name.clone(),
                            label: file.label.clone(),
                            launch: LaunchView::of(&launch),
                        });
                    }
                }
            }
        }
        planned
    }

    fn plan(&self, action: &ConfigAction) -> Result<(ChangePlan, HistoryStep), InspectorError> {
        // A change that is being written comes into the history once it is read again: until then
        // an undo would be that of the change before it.
        let _written = matches!(action, ConfigAction::Undo | ConfigAction::Redo)
            .then(|| lock(&self.core.config.reading));
        let history = lock(&self.core.config.history);
        Ok(match action {
            ConfigAction::Undo => (
                history.plan_undo().ok_or(ConfigError::NothingToGoBackTo)?,
                HistoryStep::Undo,
            ),
            ConfigAction::Redo => (
                history.plan_redo().ok_or(ConfigError::NothingToGoBackTo)?,
                HistoryStep::Redo,
            ),
            ConfigAction::Restore { backup } => {
                let (path, text) = self
                    .core
                    .config
                    .backups
                    .read(backup)
                    .ok_or(ConfigError::NothingToGoBackTo)?;
                let target = self.target_of(&path)?;
                (
                    plan_restore(&target, &text, &self.core.config.machine)?,
                    HistoryStep::New,
                )
            }
            other => (
                plan_action(other, &self.core.config.machine)?,
                HistoryStep::New,
            ),
        })
    }

    /// The first scope whose file this is.
    fn target_of(&self, path: &Path) -> Result<Target, InspectorError> {
        let files = self.core.config.files();
        let target = files
            .clients
            .iter()
            .flat_map(|client| &client.files)
            .find(|file| file.place.path == path)
            .map(|file| file.place.target.clone());
        target.ok_or_else(|| {
            InspectorError::InvalidInput(format!(
                "{} is no configuration file of this project. Open the project it belongs to.",
                path.display()
            ))
        })
    }
}

fn planned_file(file: &PlannedFile) -> PlannedFileView {
    let change = &file.change;
    PlannedFileView {
        path: change.path().display().to_string(),
        label: file.label.clone(),
        outside: file.outside.as_ref().map(|real| real.display().to_string()),
        creates: change.before().is_none(),
        deletes: change.after().is_none(),
        diff: change.diff(),
        remaining_problems: file.remaining_problems.clone(),
    }
}
