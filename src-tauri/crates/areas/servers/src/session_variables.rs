//! Variables that the user sets for one server until the application ends.
//!
//! They are kept in memory alone. A value belongs to the launch plan that the user had before them
//! when they entered it, not to a name: the file may come with a project, and an entry that changed
//! since, or another file that defines a server of the same name, must not get it. Such an entry
//! asks again.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use sightglass_area_core::{
    command::commands, config_workspace::ConfiguredServer, core::Core, error::InspectorError,
    options::Environment, publisher::Notice,
};
use sightglass_config::{LaunchPlan, ResolveOptions};
use sightglass_model::{HintAction, ServerId, lock};
use sightglass_secrets::Secret;

use crate::{configuration::Configuration, entry_secrets::EntrySecrets};

/// Values by server.
#[derive(Default)]
pub struct VariableValues(Mutex<HashMap<ServerId, Given>>);

/// Values that the user gave for one plan of a server.
#[derive(Clone)]
struct Given {
    path: PathBuf,
    fingerprint: String,
    values: BTreeMap<String, Secret<String>>,
}

impl VariableValues {
    /// Returns the values that were given for this very plan.
    fn of(
        &self,
        server: &ServerId,
        path: &Path,
        plan: &LaunchPlan,
    ) -> BTreeMap<String, Secret<String>> {
        let given = lock(&self.0);
        let Some(given) = given.get(server) else {
            return BTreeMap::new();
        };
        let is_same = given.path == path && given.fingerprint == plan.fingerprint();
        if is_same {
            given.values.clone()
        } else {
            Default::default()
        }
    }

    fn keep(
        &self,
        server: &ServerId,
        path: &Path,
        plan: &LaunchPlan,
        values: BTreeMap<String, Secret<String>>,
    ) {
        let mut given = lock(&self.0);
        if values.is_empty() {
            given.remove(server);
        } else {
            given.insert(
                server.clone(),
                Given {
                    path: path.to_owned(),
                    fingerprint: plan.fingerprint(),
                    values,
                },
            );
        }
    }
}

/// Variables that the user sets for one server until the application ends.
pub struct SessionVariables {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) entry_secrets: Arc<EntrySecrets>,
    /// Variables that the user set until the application ends.
    pub(crate) values: VariableValues,
}

#[commands]
impl SessionVariables {
    /// Sets a variable for one server until the application ends; `None` takes it back. It is one
    /// that the entry uses, or that the program said it lacks when it ended. It goes before the
    /// environment, and never to the disk.
    #[command]
    pub fn update_session_variable(
        &self,
        server: &ServerId,
        name: &str,
        value: Option<Secret<String>>,
    ) -> Result<(), InspectorError> {
        let configured = self.configuration.configured(server)?;
        let plan = configured.plan();
        let is_wanted = || self.names_in(plan).contains(name) || self.is_lacking(server, name);
        if value.is_some() && !is_wanted() {
            return Err(InspectorError::InvalidInput(format!(
                "The entry of {server} does not use the variable {name}."
            )));
        }
        let path = &configured.place.path;
        let mut values = self.values.of(server, path, plan);
        match value {
            Some(value) => values.insert(name.to_owned(), value),
            None => values.remove(name),
        };
        self.values.keep(server, path, plan, values);
        self.core.publisher.notify(&Notice::Configuration);
        Ok(())
    }

    /// The names of the variables that the user set for a server.
    pub fn session_variable_names(&self, server: &ConfiguredServer) -> Vec<String> {
        let path = &server.place.path;
        let values = self.values.of(&server.id, path, server.plan());
        values.into_keys().collect()
    }

    /// The values that the user set for a plan, which are secret whatever they look like.
    pub fn session_values(&self, server: &ConfiguredServer) -> Vec<Secret<String>> {
        let path = &server.place.path;
        let values = self.values.of(&server.id, path, server.plan());
        values.into_values().collect()
    }

    /// The values that the user set for a program which its entry does not mention.
    pub fn lacking_values(
        &self,
        server: &ConfiguredServer,
        plan: &LaunchPlan,
    ) -> BTreeMap<String, Secret<String>> {
        let mut values = self.values.of(&server.id, &server.place.path, plan);
        if !values.is_empty() {
            let names = self.names_in(plan);
            values.retain(|name, _| !names.contains(name));
        }
        values
    }

    /// Returns true when the program of a server ended for want of a variable.
    fn is_lacking(&self, server: &ServerId, name: &str) -> bool {
        let Some(status) = self.core.connections.status(server) else {
            return false;
        };
        let lost = status.loss.map(|loss| loss.failure);
        status.failure.into_iter().chain(lost).any(|report| {
            matches!(&report.hint.action, HintAction::SetVariable { name: lacking } if lacking == name)
        })
    }

    /// The environment in which a plan of a server is resolved.
    pub fn environment_of(&self, server: &ServerId, path: &Path, plan: &LaunchPlan) -> Environment {
        let values = self.values.of(server, path, plan);
        let environment =
            self.entry_secrets
                .with_secrets(path, plan, self.core.options.environment.clone());
        std::sync::Arc::new(move |name: &str| {
            let given = values.get(name).map(|value| value.expose().clone());
            given.or_else(|| environment(name))
        })
    }

    /// The environment in which a plan of a server is judged without connecting: the mask stands
    /// for secrets that are kept and were not read yet.
    pub fn environment_for_judging(
        &self,
        server: &ServerId,
        path: &Path,
        plan: &LaunchPlan,
    ) -> Environment {
        self.entry_secrets
            .with_kept_secrets(path, plan, self.environment_of(server, path, plan))
    }

    /// Every variable that a plan asks for, the ones within defaults among them.
    fn names_in(&self, plan: &LaunchPlan) -> BTreeSet<String> {
        let names = Mutex::new(BTreeSet::new());
        let environment = |name: &str| -> Option<String> {
            lock(&names).insert(name.to_owned());
            None
        };
        // That they are not set is the point of it.
        let _ = plan.resolve(ResolveOptions {
            environment: &environment,
            project: &self.core.options.places.project,
            reads_files: false,
        });
        drop(plan.sign_in(&environment));
        names.into_inner().unwrap_or_default()
    }
}
