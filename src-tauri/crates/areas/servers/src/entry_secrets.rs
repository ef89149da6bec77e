//! Secrets that an entry refers to as `${secret:NAME}`, kept in the vault.
//!
//! A value belongs to what connecting does ([`LaunchPlan::secret_binding`]), not to a name: a
//! project's file may refer to any name, and an entry that starts another program, or the same one
//! with other arguments, must not get what was entered for this one. Such an entry asks again, and
//! so does one that another project brings along.
//!
//! The vault tells without asking the keychain whether there is a value. The value is read when the
//! server is connected, and stays in memory then.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{Arc, Mutex},
};

use sightglass_area_core::{
    command::commands, config_workspace::ConfiguredServer, core::Core, error::InspectorError,
    options::Environment, publisher::Notice,
};
use sightglass_config::{LaunchPlan, SECRET_PREFIX};
use sightglass_model::{ServerId, lock};
use sightglass_secrets::{MASK, Secret};

use crate::configuration::Configuration;

/// Stands before the binding and the name of an entry's secret in the vault.
const VAULT_PREFIX: &str = "entry-secret:";

/// Values that were read from the vault, by their names there.
pub type SecretValues = Mutex<HashMap<String, Secret<String>>>;

fn vault_name(binding: &str, name: &str) -> String {
    format!("{VAULT_PREFIX}{binding}:{name}")
}

/// Secrets that an entry refers to as `${secret:NAME}`, kept in the vault.
pub struct EntrySecrets {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) values: SecretValues,
}

#[commands]
impl EntrySecrets {
    /// An environment with the secrets of a plan that were read, above another environment.
    pub fn with_secrets(
        &self,
        path: &Path,
        plan: &LaunchPlan,
        beneath: Environment,
    ) -> Environment {
        let read = lock(&self.values);
        let values = self.values_of(path, plan, |name| read.get(name).cloned());
        with_values(values, beneath)
    }

    /// An environment for judging a plan without connecting: the mask stands for each secret that
    /// is kept and was not read yet.
    pub fn with_kept_secrets(
        &self,
        path: &Path,
        plan: &LaunchPlan,
        environment: Environment,
    ) -> Environment {
        let kept = |name: &str| {
            self.core
                .vault
                .has(name)
                .then(|| Secret::new(MASK.to_owned()))
        };
        let masks = self.values_of(path, plan, kept);
        if masks.is_empty() {
            return environment;
        }
        Arc::new(move |name: &str| {
            let mask = || masks.get(name).map(|mask| mask.expose().clone());
            environment(name).or_else(mask)
        })
    }

    /// The values of a plan's secrets that were read, to be masked.
    pub fn secret_values(&self, server: &ConfiguredServer) -> Vec<Secret<String>> {
        let read = lock(&self.values);
        self.values_of(&server.place.path, server.plan(), |name| {
            read.get(name).cloned()
        })
        .into_values()
        .collect()
    }

    /// Returns true when secrets of a server are kept that were not read yet.
    pub fn has_unread_secrets(&self, server: &ConfiguredServer) -> bool {
        let plan = server.plan();
        let names = plan.secret_names();
        if names.is_empty() {
            return false;
        }
        let binding = self.binding_of(&server.place.path, plan);
        let read = lock(&self.values);
        names.iter().any(|name| {
            let name = vault_name(&binding, name);
            !read.contains_key(&name) && self.core.vault.has(&name)
        })
    }

    /// Reads the secrets of a server that may be connected from the vault, which may ask the user to
    /// unlock it.
    pub async fn read_secrets(&self, configured: &ConfiguredServer) -> Result<(), InspectorError> {
        let plan = configured.plan();
        let binding = self.binding_of(&configured.place.path, plan);
        for name in plan.secret_names() {
            let name = vault_name(&binding, &name);
            let value = self.core.vault.get(&name).await.map_err(|error| {
                InspectorError::InvalidInput(format!(
                    "The secrets of {} could not be read: {error}.",
                    configured.definition.name
                ))
            })?;
            if let Some(value) = value {
                lock(&self.values).insert(name, value);
            }
        }
        Ok(())
    }

    /// Keeps a secret for a server's entry as it is now; `None` forgets it.
    #[command]
    pub async fn update_entry_secret(
        &self,
        server: &ServerId,
        name: &str,
        value: Option<Secret<String>>,
    ) -> Result<(), InspectorError> {
        let configured = self.configuration.configured(server)?;
        let plan = configured.plan();
        if value.is_some() && !plan.secret_names().contains(name) {
            return Err(InspectorError::InvalidInput(format!(
                "The entry of {server} does not use the secret {name}."
            )));
        }
        let binding = self.binding_of(&configured.place.path, plan);
        self.store_secret(&vault_name(&binding, name), value)
            .await?;
        self.core.publisher.notify(&Notice::Configuration);
        Ok(())
    }

    /// Keeps secrets for an entry of the file at `path`, by the names in its `${secret:NAME}`s. Returns
    /// the names in the vault that are new.
    pub async fn store_secrets(
        &self,
        path: &Path,
        entry: &LaunchPlan,
        secrets: &BTreeMap<String, Secret<String>>,
    ) -> Result<Vec<String>, InspectorError> {
        let binding = self.binding_of(path, entry);
        let mut new = Vec::new();
        for name in entry.secret_names() {
            let Some(value) = secrets.get(&name) else {
                continue;
            };
            let name = vault_name(&binding, &name);
            if !self.core.vault.has(&name) {
                new.push(name.clone());
            }
            self.store_secret(&name, Some(value.clone())).await?;
        }
        Ok(new)
    }

    /// Keeps a secret by its name in the vault; `None` forgets it.
    pub async fn store_secret(
        &self,
        name: &str,
        value: Option<Secret<String>>,
    ) -> Result<(), InspectorError> {
        let kept = match &value {
            Some(value) => self.core.vault.set(name, value.clone()).await,
            None => self.core.vault.remove(name).await,
        };
        kept.map_err(|error| {
            InspectorError::InvalidInput(format!("The secret was not kept: {error}."))
        })?;
        let mut read = lock(&self.values);
        match value {
            Some(value) => read.insert(name.to_owned(), value),
            None => read.remove(name),
        };
        Ok(())
    }

    /// Names what the secrets of an entry are bound to. `path` is that of its file.
    fn binding_of(&self, path: &Path, plan: &LaunchPlan) -> String {
        let project = &self.core.options.places.project;
        let is_of_project = sightglass_files::leads_into(project, path);
        plan.secret_binding(is_of_project.then_some(project.as_path()))
    }

    /// The values of a plan's secrets by the names that its texts refer to them by.
    fn values_of(
        &self,
        path: &Path,
        plan: &LaunchPlan,
        value: impl Fn(&str) -> Option<Secret<String>>,
    ) -> BTreeMap<String, Secret<String>> {
        let names = plan.secret_names();
        if names.is_empty() {
            return BTreeMap::new();
        }
        let binding = self.binding_of(path, plan);
        names
            .into_iter()
            .filter_map(|name| {
                let value = value(&vault_name(&binding, &name))?;
                Some((format!("{SECRET_PREFIX}{name}"), value))
            })
            .collect()
    }
}

fn with_values(values: BTreeMap<String, Secret<String>>, beneath: Environment) -> Environment {
    if values.is_empty() {
        return beneath;
    }
    Arc::new(move |name: &str| match values.get(name) {
        Some(value) => Some(value.expose().clone()),
        None => beneath(name),
    })
}
