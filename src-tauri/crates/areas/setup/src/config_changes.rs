//! Applies planned changes of configuration files.

use std::{
    path::Path,
    sync::{Arc, MutexGuard},
};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    publisher::Notice,
    view::{ApplyOutcome, ConflictView},
};
use sightglass_area_servers::{
    configuration::Configuration, open_connections::OpenConnections, trust::ServerTrust,
};
use sightglass_config::{
    Backup, ChangePlan, ConfigError, HistoryStep, diff_texts, outside_project,
};
use sightglass_model::lock;

use crate::{bundles::Bundles, unused_bundles::UnusedBundles};

/// Consent to writes through links that leave the project.
#[derive(Debug, Clone, Copy)]
pub enum OutsideWrites {
    Refused,
    Confirmed,
}

/// Applies planned changes of configuration files.
pub struct ConfigChanges {
    pub(crate) core: Arc<Core>,
    pub(crate) bundles: Arc<Bundles>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) trust: Arc<ServerTrust>,
    pub(crate) unused_bundles: Arc<UnusedBundles>,
}

#[commands]
impl ConfigChanges {
    /// Does what a plan says, if the files are still as they were.
    ///
    /// # Errors
    /// When there is no such plan, it writes outside the project
    /// ([`PlannedFileView::outside`](sightglass_area_core::view::PlannedFileView::outside)) and the user did not
    /// confirm that, a link leads elsewhere by now, or a file cannot be written. What was written
    /// of the plan by then is taken back.
    pub fn apply_configuration(
        &self,
        number: u32,
        outside: OutsideWrites,
    ) -> Result<ApplyOutcome, InspectorError> {
        let (plan, direction) = lock(&self.core.config.plans)
            .get(number)
            .ok_or(InspectorError::UnknownPlan)?;
        for file in &plan.files {
            let path = file.change.path();
            if outside_project(path, &self.core.config.machine.places.project)? != file.outside {
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
            lock(&self.core.config.plans).forget(number);
        }
        Ok(outcome)
    }

    /// Carries a plan out: unpacks its bundle, backs the files up, writes them, reads them again.
    fn apply(
        &self,
        plan: &ChangePlan,
        direction: HistoryStep,
    ) -> Result<ApplyOutcome, InspectorError> {
        let _lock = sightglass_config::lock_writes(self.core.data.directory())?;
        let bundle = plan.bundle.as_ref();
        // After a conflict the user may write the whole text instead, which names its files.
        let unpacked = bundle
            .map(|shown| self.bundles.unpack_bundle(shown))
            .transpose()?;
        let outcome = self.write_files(plan, direction);
        match (&outcome, bundle, unpacked) {
            (Ok(ApplyOutcome::Applied { .. }), Some(shown), _) => {
                self.bundles.forget_download(Path::new(&shown.path));
            }
            (Ok(ApplyOutcome::Applied { .. }), None, _) => {
                self.unused_bundles.restore_named_bundles()
            }
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
            let kept = kept.map(|before| self.core.config.backups.keep(path, before));
            backups.push(kept.transpose().map_err(|source| InspectorError::Save {
                what: format!("A copy of {}", path.display()),
                source,
            })?);
        }
        let known = self.configuration.known_servers();
        let grants = self.trust.new_approvals(plan);
        let reading = lock(&self.core.config.reading);
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
        lock(&self.core.config.history).record(plan, direction);
        self.store_change(plan, direction, backups);
        // An approval that cannot be kept leaves the server waiting; the files are written.
        if let Err(error) = self.trust.save_approvals(&grants) {
            tracing::warn!("{error}");
        }
        self.reload_after(&reading, plan);
        drop(reading);
        self.open_connections
            .close_all(known.difference(&self.configuration.known_servers()));
        self.core.publisher.notify(&Notice::Configuration);
        Ok(ApplyOutcome::Applied {
            title: plan.done_title(),
        })
    }

    fn reload_after(&self, reading: &MutexGuard<'_, ()>, plan: &ChangePlan) {
        let own: Vec<&Path> = plan.files.iter().map(|file| file.change.path()).collect();
        self.configuration.read_files_after(reading, &own);
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

    /// The copies that were kept of files, the latest first.
    #[command(name = "list_configuration_backups")]
    pub fn configuration_backups(&self) -> Vec<Backup> {
        self.core.config.backups.list()
    }
}
