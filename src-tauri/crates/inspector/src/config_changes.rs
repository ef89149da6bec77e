//! Changing configuration files: planned, shown, applied, taken back.

use std::{path::Path, sync::atomic::Ordering};

use sightglass_config::{
    ChangePlan, ConfigAction, ConfigError, Draft, DraftEndpoint, Expressible, FileFormat,
    HistoryStep, PlannedFile, Severity, Target, definition_draft, diff_texts, draft_entry,
    outside_project, parse_scope_file, plan_action, plan_restore, scope_place, text_schema,
    variables, with_draft,
};
use sightglass_model::Timestamp;

use crate::{
    Inspector, InspectorError,
    config_workspace::ConfigFiles,
    lock,
    view::{
        ApplyOutcome, BackupView, ConfigTextView, ConflictView, DraftCheck, DraftFinding, PlanView,
        PlannedFileView, TextReading, TextServer,
    },
};

/// Consent to writes through links that leave the project.
#[derive(Debug, Clone, Copy)]
enum OutsideWrites {
    Refused,
    Confirmed,
}

impl Inspector {
    /// Plans an action. Nothing is written.
    ///
    /// # Errors
    /// When it cannot be done; the message says what to do instead.
    pub fn plan_configuration(&self, action: &ConfigAction) -> Result<PlanView, InspectorError> {
        let (plan, direction) = self.plan(action)?;
        let number = lock(&self.config.plans).keep(plan.clone(), direction);
        Ok(plan_view(number, &plan))
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

    fn carry_out(
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

    /// Carries a plan out: keeps copies, writes, reads again.
    pub(crate) fn apply(
        &self,
        plan: &ChangePlan,
        direction: HistoryStep,
    ) -> Result<ApplyOutcome, InspectorError> {
        let _lock = sightglass_config::lock_writes(self.data.directory())?;
        let conflicts = self.conflicts(plan)?;
        if !conflicts.is_empty() {
            return Ok(ApplyOutcome::Conflict { files: conflicts });
        }
        for file in &plan.files {
            if let Some(before) = file.change.before() {
                let path = file.change.path();
                self.config
                    .backups
                    .keep(path, before)
                    .map_err(|source| InspectorError::Save {
                        what: format!("A copy of {}", path.display()),
                        source,
                    })?;
            }
        }
        let known = self.known_servers();
        let grants = self.new_approvals(plan);
        for (index, file) in plan.files.iter().enumerate() {
            if let Err(error) = sightglass_config::write(&file.change) {
                for written in plan.files[..index].iter().rev() {
                    // What cannot be put back is in the backups.
                    if let Err(error) = sightglass_config::write(&written.change.reversed()) {
                        tracing::warn!("{error}");
                    }
                }
                self.reload_after(plan);
                if matches!(error, ConfigError::ChangedUnderneath { .. }) {
                    let files = self.conflicts(plan)?;
                    return Ok(ApplyOutcome::Conflict { files });
                }
                return Err(error.into());
            }
        }
        lock(&self.config.history).record(plan, direction);
        // An approval that cannot be kept leaves the server waiting; the files are written.
        if let Err(error) = self.save_approvals(&grants) {
            tracing::warn!("{error}");
        }
        self.reload_after(plan);
        self.close_all(known.difference(&self.known_servers()));
        self.publish_configuration();
        Ok(ApplyOutcome::Applied {
            title: plan.title.clone(),
        })
    }

    fn reload_after(&self, plan: &ChangePlan) {
        let own: Vec<&Path> = plan.files.iter().map(|file| file.change.path()).collect();
        self.read_files(&own);
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

    /// A server of a scope as the form shows it.
    ///
    /// # Errors
    /// When there is no such server, or its entry cannot be read.
    pub fn definition_draft(&self, target: &Target, name: &str) -> Result<Draft, InspectorError> {
        let files = self.config.files();
        let definition = definition(&files, target, name)?;
        definition_draft(definition)
            .ok_or_else(|| InspectorError::InvalidEntry(definition.problems().cloned().collect()))
    }

    /// Holds a draft against the client that is to have it. `replaces` is the server of that
    /// scope that is being edited.
    ///
    /// A program is looked for where it would be when the server starts, which the login shell is
    /// asked for.
    ///
    /// # Errors
    /// When there is no such scope.
    pub async fn check_draft(
        &self,
        target: &Target,
        draft: &Draft,
        replaces: Option<&str>,
    ) -> Result<DraftCheck, InspectorError> {
        let login_path = match draft.endpoint {
            DraftEndpoint::Stdio { .. } => self.connections.login_path().await,
            DraftEndpoint::Remote(_) => None,
        };
        let files = self.config.files();
        let file = files
            .client(target.client)
            .and_then(|client| client.file(&target.scope))
            .ok_or_else(|| ConfigError::NoSuchScope {
                target: target.clone(),
            })?;
        let can = Expressible::of(target.client);
        let entry = draft_entry(draft);
        let mut findings: Vec<DraftFinding> = draft
            .problems()
            .into_iter()
            .map(|problem| DraftFinding {
                field: problem.field,
                severity: Severity::Error,
                message: problem.message,
            })
            .collect();
        let mut find = |field: &str, severity: Severity, message: String| {
            findings.push(DraftFinding {
                field: field.to_owned(),
                severity,
                message,
            });
        };
        if let Some(complaint) = can.complaint_about_name(&draft.name) {
            find("name", Severity::Warning, complaint);
        }
        if replaces != Some(draft.name.as_str())
            && let Some(existing) = file.definition(&draft.name)
        {
            find(
                "name",
                Severity::Error,
                format!(
                    "There is one of that name already, on line {}.",
                    existing.line
                ),
            );
        }
        let lost = match can.losses(&draft.name, &entry) {
            Ok(lost) => lost,
            Err(reason) => {
                find("transport", Severity::Error, reason);
                Vec::new()
            }
        };
        let variables = variables(target.client, &entry, &self.config.machine);
        for variable in &variables {
            if variable.origin == sightglass_config::VariableOrigin::Unset {
                find(
                    &crate::draft_check::field_of(draft, &variable.field),
                    Severity::Warning,
                    format!("The variable {} is not set.", variable.name),
                );
            }
        }
        let token = draft.sign_in.as_ref().and_then(|sign_in| {
            let name = sign_in.bearer_variable.as_deref();
            name.filter(|name| !name.is_empty())
        });
        if let Some(name) = token
            && (self.config.machine.environment)(name).is_none()
        {
            find(
                "sign_in.bearer_variable",
                Severity::Warning,
                format!("The variable {name} is not set."),
            );
        }
        let port = draft
            .sign_in
            .as_ref()
            .and_then(|sign_in| sign_in.callback_port);
        if port.is_some_and(|port| (1..1024).contains(&port)) {
            find(
                "sign_in.callback_port",
                Severity::Warning,
                "Ports below 1024 are for the system on most machines; choose a higher one."
                    .to_owned(),
            );
        }
        let mut program = None;
        let from = self.search_directory(target);
        if let Some(command) = crate::draft_check::expanded_command(&entry, &self.config.machine) {
            let machine = &self.config.machine;
            match machine.find_program(&command, &entry, &from, login_path.as_deref()) {
                Some(path) => program = Some(path.display().to_string()),
                None => find(
                    "command",
                    Severity::Warning,
                    format!(
                        "{command} was not found on the PATH. Install it, or enter its whole path."
                    ),
                ),
            }
        }
        Ok(DraftCheck {
            findings,
            variables,
            program,
            lost,
        })
    }

    /// The text of a scope's file.
    ///
    /// # Errors
    /// When there is no such scope, or the file cannot be read.
    pub fn configuration_text(&self, target: &Target) -> Result<ConfigTextView, InspectorError> {
        let place = self.place(target)?;
        let text = sightglass_config::read_text(&place.path)?;
        Ok(ConfigTextView {
            path: place.path.display().to_string(),
            format: place.format(),
            exists: text.is_some(),
            text: text.unwrap_or_default(),
            schema: match place.format() {
                FileFormat::Json | FileFormat::Jsonc => Some(text_schema(&place)),
                FileFormat::Toml => None,
            },
        })
    }

    /// Reads a text for a scope's file, without saving it.
    ///
    /// # Errors
    /// When there is no such scope.
    pub fn read_configuration_text(
        &self,
        target: &Target,
        text: &str,
    ) -> Result<TextReading, InspectorError> {
        let file = parse_scope_file(self.place(target)?, text);
        Ok(TextReading {
            problems: file.problems(),
            servers: file
                .definitions
                .iter()
                .map(|definition| TextServer {
                    name: definition.name.clone(),
                    line: definition.line,
                    column: definition.column,
                    draft: definition_draft(definition),
                })
                .collect(),
        })
    }

    /// A text for a scope's file with what a draft says, for the server `name` or a new one.
    ///
    /// # Errors
    /// When the draft is incomplete, or the text cannot be edited.
    pub fn draft_into_text(
        &self,
        target: &Target,
        text: &str,
        name: Option<&str>,
        draft: &Draft,
    ) -> Result<String, InspectorError> {
        Ok(with_draft(&self.place(target)?, text, name, draft)?)
    }

    fn place(&self, target: &Target) -> Result<sightglass_config::ScopePlace, InspectorError> {
        Ok(
            scope_place(target, &self.config.machine).ok_or_else(|| ConfigError::NoSuchScope {
                target: target.clone(),
            })?,
        )
    }

    /// The copies that were kept of files, the latest first.
    pub fn configuration_backups(&self) -> Vec<BackupView> {
        let backups = self.config.backups.list().into_iter();
        backups
            .map(|backup| BackupView {
                id: backup.id,
                path: backup.path.display().to_string(),
                #[allow(clippy::cast_precision_loss, reason = "times and sizes are below 2^53")]
                taken: backup.taken as f64,
                #[allow(clippy::cast_precision_loss, reason = "times and sizes are below 2^53")]
                size: backup.size as f64,
            })
            .collect()
    }

    /// Reads every file again. What changed in files other than `own` was changed by others.
    pub(crate) fn read_files(&self, own: &[&Path]) {
        let _reading = lock(&self.config.reading);
        self.read_approvals();
        let before = self.config.files();
        let after = ConfigFiles::read(&self.config.machine);
        let mut outside = lock(&self.config.external_changes);
        for (old, new) in before.clients.iter().zip(&after.clients) {
            for file in &new.files {
                let path = &file.place.path;
                let scope = file.place.target.scope.clone();
                let earlier = old.file(&scope);
                let is_own = own.contains(&path.as_path());
                let is_other = earlier.is_none_or(|earlier| {
                    earlier.content != file.content || earlier.state != file.state
                });
                if !is_other {
                    continue;
                }
                if is_own {
                    outside.files.remove(path);
                } else {
                    outside
                        .files
                        .insert(path.clone(), Timestamp::now().as_millis());
                }
                for definition in &file.definitions {
                    let same = earlier
                        .and_then(|earlier| earlier.definition(&definition.name))
                        .is_some_and(|earlier| earlier.common == definition.common);
                    let key = (old.client, scope.clone(), definition.name.clone());
                    if is_own {
                        outside.definitions.remove(&key);
                    } else if !same {
                        outside.definitions.insert(key);
                    }
                }
            }
        }
        drop(outside);
        *self
            .config
            .files
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = std::sync::Arc::new(after);
        self.config.revision.fetch_add(1, Ordering::AcqRel);
    }
}

fn definition<'f>(
    files: &'f ConfigFiles,
    target: &Target,
    name: &str,
) -> Result<&'f sightglass_config::Definition, InspectorError> {
    files
        .client(target.client)
        .and_then(|client| client.file(&target.scope)?.definition(name))
        .ok_or_else(|| InspectorError::NotConfigured {
            client: target.client,
            name: name.to_owned(),
        })
}

fn plan_view(number: u32, plan: &ChangePlan) -> PlanView {
    PlanView {
        plan: number,
        title: plan.title.clone(),
        files: plan.files.iter().map(planned_file).collect(),
        lost: plan.lost.clone(),
        warnings: plan.warnings.clone(),
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
