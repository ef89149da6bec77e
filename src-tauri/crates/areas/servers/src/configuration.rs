//! Reads the configuration files of all clients, and answers what they define now.

use std::{
    collections::HashSet,
    path::Path,
    sync::{Arc, MutexGuard, PoisonError},
};

use sightglass_area_core::{
    config_workspace::{ConfigFiles, ConfiguredServer},
    core::Core,
    defined_by::defined_by,
    error::InspectorError,
};
use sightglass_model::{DefinedBy, ServerId, lock};

/// Reads the configuration files of all clients, and answers what they define now.
pub struct Configuration {
    pub(crate) core: Arc<Core>,
}

impl Configuration {
    /// A server of the files, as the present snapshot has it.
    pub fn configured(&self, server: &ServerId) -> Result<ConfiguredServer, InspectorError> {
        if *server == ServerId::demo() {
            return Err(InspectorError::BuiltIn);
        }
        self.core
            .config
            .files()
            .server(server)
            .ok_or_else(|| InspectorError::UnknownServer(server.clone()))
    }

    /// The servers that the files define now.
    pub fn known_servers(&self) -> HashSet<ServerId> {
        self.core.config.files().ids().cloned().collect()
    }

    /// Reads every file again. What changed was changed by others.
    pub fn read_files(&self) {
        let reading = lock(&self.core.config.reading);
        self.read_files_after(&reading, &[]);
    }

    /// Reads every file again during a change of our own, which wrote the files `own` and still
    /// holds them.
    pub fn read_files_after(&self, _reading: &MutexGuard<'_, ()>, own: &[&Path]) {
        self.read_approvals();
        let before = self.core.config.files();
        let after = ConfigFiles::read(&self.core.config.machine);
        lock(&self.core.config.external_changes).record(&before, &after, own);
        *self
            .core
            .config
            .files
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
    }

    /// Takes over what other programs approved meanwhile.
    fn read_approvals(&self) {
        // Locked before the file is read: what is approved in between would be lost.
        let mut approvals = lock(&self.core.config.approvals);
        *approvals = self.core.data.read_approvals();
    }

    /// Returns who defines a server.
    pub fn defined_by(&self, server: &ServerId) -> DefinedBy {
        defined_by(server, &self.core.config.files())
    }
}
