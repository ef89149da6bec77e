//! Plans changes of configuration files, applies them, and takes them back.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::MutexGuard,
};

use sightglass_config::{
    Backup, ChangePlan, ConfigAction, ConfigError, Definition, Draft, HistoryStep, LaunchPlan,
    PlannedFile, Target, diff_texts, outside_project, parse_scope_file, plan_action, plan_restore,
    scopes,
};

use crate::{
    Inspector, InspectorError,
    config_workspace::server_id,
    lock,
    publisher::Notice,
    view::{
        ApplyOutcome, ConflictView, DraftLaunchView, LaunchView, PlanView, PlannedFileView,
        PlannedServerView,
    },
};

/// Consent to writes through links that leave the project.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OutsideWrites {
    Refused,
    Confirmed,
}

impl Inspector {
    /// Plans an action. Nothing is written.
    ///
    /// # Errors
    /// When it cannot be done; the message says what to do instead.
    pub fn plan_configuration(&self, action: &ConfigAction) -> Result<PlanView, InspectorError> {
        let (mut plan, direction) = self.plan(action)?;
        plan.warnings.extend(self.notes_on_bundles(action));
        Ok(self.store_plan(plan, direction))
    }

    /// Keeps a plan until it is carried out, and returns what is shown of it.
    pub(crate) fn store_plan(&self, plan: ChangePlan, direction: HistoryStep) -> PlanView {
        let number = lock(&self.config.plans).keep(plan.clone(), direction);
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
        let files = self.config.files();
        let mut disconnected = Vec::new();
        for config in &files.clients {
            let mut connected: HashSet<&str> = config
                .servers
                .iter()
                .map(|server| server.name.as_str())
                .filter(|name| self.has_connection(&server_id(config.client, name)))
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

    /// The servers that do something else after a plan, or are there only then.
    fn planned_servers(&self, plan: &ChangePlan) -> Vec<PlannedServerView> {
        let mut planned: Vec<PlannedServerView> = Vec::new();
        for file in &plan.files {
            // One file may be several scopes of its client.
            for place in scopes(file.target.client, &self.config.machine) {
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

    /// Everything that connecting to a draft does.
    pub fn draft_launch(&self, draft: &Draft) -> DraftLaunchView {
        let is_of_others = draft.variables.is_some();
        DraftLaunchView {
            launch: LaunchView::of(&LaunchPlan::of_draft(draft)),
            environment: if is_of_others {
                LaunchPlan::environment_of(draft)
            } else {
                Vec::new()
            },
        }
    }

    /// Does what a plan says, if the files are still as they were.
    ///
    /// # Errors
    /// When there is no such plan, it writes outside the project
    /// ([`PlannedFileView::outside`]), or a file cannot be written. What was written of the plan
    /// by then is taken back.
    pub fn apply_configuration(&self, number: u32) -> Result<ApplyOutcome, InspectorError> {
        self.carry_out(number, OutsideWrites::Refused)
    }

    /// Like [`apply_configuration`](Self::apply_configuration), after the user confirmed the
    /// files outside the project that the plan writes.
    ///
    /// # Errors
    /// As there, and when a link leads elsewhere by now.
    pub fn apply_configuration_outside(&self, number: u32) -> Result<ApplyOutcome, InspectorError> {
        self.carry_out(number, OutsideWrites::Confirmed)
    }

    pub(crate) fn carry_out(
        &self,
        number: u32,
        outside: OutsideWrites,
    ) -> Result<ApplyOutcome, InspectorError> {
        let (plan, direction) = lock(&self.config.plans)
            .get(number)
            .ok_or(InspectorError::UnknownPlan)?;
        for file in &plan.files {
            let path = file.change.path();
            if outside_project(path, &self.config.machine.places.project)? != file.outside {
                return Err(ConfigError::ChangedUnderneath {
                    path: path.to_owned(),
                }
                .into());
            }
            if let (OutsideWrites::Refused, Some(real)) = (outside, &file.outside) {
                return Err(ConfigError::LeavesProject {
                    path: path.to_owned(),
                    real: real.clone(),
                }
                .into());
            }
        }
        let outcome = self.apply(&plan, direction)?;
        if let ApplyOutcome::Applied { .. } = outcome {
            lock(&self.config.plans).forget(number);
        }
        Ok(outcome)
    }

    pub(crate) fn plan(
        &self,
        action: &ConfigAction,
    ) -> Result<(ChangePlan, HistoryStep), InspectorError> {
        // A change that is being written comes into the history once it is read again: until then
        // an undo would be that of the change before it.
        let _written = matches!(action, ConfigAction::Undo | ConfigAction::Redo)
            .then(|| lock(&self.config.reading));
        let history = lock(&self.config.history);
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
                    .config
                    .backups
                    .read(backup)
                    .ok_or(ConfigError::NothingToGoBackTo)?;
                let target = self.target_of(&path)?;
                (
                    plan_restore(&target, &text, &self.config.machine)?,
                    HistoryStep::New,
                )
            }
            other => (plan_action(other, &self.config.machine)?, HistoryStep::New),
        })
    }

    /// Carries a plan out: unpacks its bundle, backs the files up, writes them, reads them again.
    pub(crate) fn apply(
        &self,
        plan: &ChangePlan,
        direction: HistoryStep,
    ) -> Result<ApplyOutcome, InspectorError> {
        let _lock = sightglass_config::lock_writes(self.data.directory())?;
        let bundle = plan.bundle.as_ref();
        // After a conflict the user may write the whole text instead, which names its files.
        let unpacked = bundle.map(|shown| self.unpack_bundle(shown)).transpose()?;
        let outcome = self.write_files(plan, direction);
        match (&outcome, bundle, unpacked) {
            (Ok(ApplyOutcome::Applied { .. }), Some(shown), _) => {
                self.forget_download(Path::new(&shown.path));
            }
            (Ok(ApplyOutcome::Applied { .. }), None, _) => self.restore_named_bundles(),
            (Err(_), _, Some(unpacked)) if unpacked.is_new => {
                if let Err(error) = std::fs::remove_dir_all(&unpacked.directory) {
                    tracing::warn!("{} stays: {error}", unpacked.directory.display());
                }
            }
            _ => {}
        }
        outcome
    }

    fn write_files(
        &self,
        plan: &ChangePlan,
        direction: HistoryStep,
    ) -> Result<ApplyOutcome, InspectorError> {
        let conflicts = self.conflicts(plan)?;
        if !conflicts.is_empty() {
            return Ok(ApplyOutcome::Conflict { files: conflicts });
        }
        let mut backups = Vec::new();
        for file in &plan.files {
            let path = file.change.path();
            let kept = file.change.before();
            let kept = kept.map(|before| self.config.backups.keep(path, before));
            backups.push(kept.transpose().map_err(|source| InspectorError::Save {
                what: format!("A copy of {}", path.display()),
                source,
            })?);
        }
        let known = self.known_servers();
        let grants = self.new_approvals(plan);
        let reading = lock(&self.config.reading);
        for (index, file) in plan.files.iter().enumerate() {
            if let Err(error) = sightglass_config::write(&file.change) {
                for written in plan.files[..index].iter().rev() {
                    // What cannot be put back is in the backups.
                    if let Err(error) = sightglass_config::write(&written.change.reversed()) {
                        tracing::warn!("{error}");
                    }
                }
                self.reload_after(&reading, plan);
                if matches!(error, ConfigError::ChangedUnderneath { .. }) {
                    let files = self.conflicts(plan)?;
                    return Ok(ApplyOutcome::Conflict { files });
                }
                return Err(error.into());
            }
        }
        lock(&self.config.history).record(plan, direction);
        self.store_change(plan, direction, backups);
        // An approval that cannot be kept leaves the server waiting; the files are written.
        if let Err(error) = self.save_approvals(&grants) {
            tracing::warn!("{error}");
        }
        self.reload_after(&reading, plan);
        drop(reading);
        self.close_all(known.difference(&self.known_servers()));
        self.publisher.notify(&Notice::Configuration);
        Ok(ApplyOutcome::Applied {
            title: plan.done_title(),
        })
    }

    fn reload_after(&self, reading: &MutexGuard<'_, ()>, plan: &ChangePlan) {
        let own: Vec<&Path> = plan.files.iter().map(|file| file.change.path()).collect();
        self.read_files_after(reading, &own);
    }

    /// The files that are no longer what the plan was made on.
    fn conflicts(&self, plan: &ChangePlan) -> Result<Vec<ConflictView>, InspectorError> {
        let mut conflicts = Vec::new();
        for file in &plan.files {
            let now = sightglass_config::read_text(file.change.path())?;
            if now.as_deref() == file.change.before() {
                continue;
            }
            let now = now.unwrap_or_default();
            let mine = file.change.after().unwrap_or_default().to_owned();
            conflicts.push(ConflictView {
                target: file.target.clone(),
                path: file.change.path().display().to_string(),
                planned_on: file.change.before().unwrap_or_default().to_owned(),
                diff: diff_texts(&now, &mine),
                now,
                mine,
            });
        }
        Ok(conflicts)
    }

    /// The first scope whose file this is.
    fn target_of(&self, path: &Path) -> Result<Target, InspectorError> {
        let files = self.config.files();
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

    /// The copies that were kept of files, the latest first.
    pub fn configuration_backups(&self) -> Vec<Backup> {
        self.config.backups.list()
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
