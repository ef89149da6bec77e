//! Keeps secrets for the entries that a plan writes, beside carrying it out: the window applies all
//! plans here, most of them without secrets.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, view::ApplyOutcome,
};
use sightglass_area_servers::{entry_secrets::EntrySecrets, trust::ServerTrust};
use sightglass_config::HistoryStep;
use sightglass_model::lock;
use sightglass_secrets::Secret;

use crate::config_changes::{ConfigChanges, OutsideWrites};

/// Keeps secrets for the entries that a plan writes, beside carrying it out.
pub struct PlanSecrets {
    pub(crate) core: Arc<Core>,
    pub(crate) changes: Arc<ConfigChanges>,
    pub(crate) entry_secrets: Arc<EntrySecrets>,
    pub(crate) trust: Arc<ServerTrust>,
    /// For work that goes on in the background.
    pub(crate) this: Weak<PlanSecrets>,
}

#[commands]
impl PlanSecrets {
    /// Does what a plan says, as [`apply_configuration`](ConfigChanges::apply_configuration), and
    /// keeps secrets for the entries that it writes, by the names in their `${secret:NAME}`s. They
    /// are kept before anything is written, and forgotten where nothing is.
    /// `is_confirmed_outside`: the user confirmed what is written outside the project.
    #[command]
    pub async fn apply_configuration(
        &self,
        plan: u32,
        is_confirmed_outside: bool,
        secrets: BTreeMap<String, Secret<String>>,
    ) -> Result<ApplyOutcome, InspectorError> {
        let outside = match is_confirmed_outside {
            true => OutsideWrites::Confirmed,
            false => OutsideWrites::Refused,
        };
        let kept = self.store_secrets_of_plan(plan, secrets).await?;
        let this = self.this.upgrade().ok_or(InspectorError::Closing)?;
        let applied =
            tokio::task::spawn_blocking(move || this.changes.apply_configuration(plan, outside))
                .await;
        let outcome = applied.unwrap_or(Err(InspectorError::Closing));
        if !matches!(outcome, Ok(ApplyOutcome::Applied { .. })) {
            for name in kept {
                if let Err(error) = self.entry_secrets.store_secret(&name, None).await {
                    tracing::warn!("{error}");
                }
            }
        }
        outcome
    }

    /// Keeps secrets for the entries that a plan writes. Returns the names in the vault that are
    /// new.
    async fn store_secrets_of_plan(
        &self,
        number: u32,
        secrets: BTreeMap<String, Secret<String>>,
    ) -> Result<Vec<String>, InspectorError> {
        let (plan, direction) = lock(&self.core.config.plans)
            .get(number)
            .ok_or(InspectorError::UnknownPlan)?;
        let written = match direction {
            HistoryStep::New => self.trust.written_plans(&plan),
            HistoryStep::Undo | HistoryStep::Redo => Vec::new(),
        };
        let mut new = Vec::new();
        for (path, entry) in written {
            new.extend(
                self.entry_secrets
                    .store_secrets(&path, &entry, &secrets)
                    .await?,
            );
        }
        Ok(new)
    }
}
