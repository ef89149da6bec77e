//! Bundles: reads them, unpacks them below the data directory, and tells where they stay.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sightglass_config::{
    Bundle, BundleArchive, BundleHost, ConfigAction, ImportError, Target, UnpackedBundle,
    read_bundle, unpack_bundle,
};

use crate::{Inspector, InspectorError};

impl Inspector {
    /// Reads an `.mcpb` bundle's manifest. Nothing is unpacked and nothing is run.
    ///
    /// # Errors
    /// When the file is no bundle, has files that must not be unpacked, or does not say how to
    /// start a server.
    pub fn read_bundle(&self, path: &Path) -> Result<Bundle, InspectorError> {
        self.with_bundle_host(|host| read_bundle(path, host))
    }

    /// Unpacks the bundle that was shown. The lock of the data directory is held.
    pub(crate) fn unpack_bundle(
        &self,
        shown: &BundleArchive,
    ) -> Result<UnpackedBundle, InspectorError> {
        self.with_bundle_host(|host| unpack_bundle(shown, host))
    }

    pub(crate) fn with_bundle_host<T>(
        &self,
        run: impl FnOnce(&BundleHost<'_>) -> Result<T, ImportError>,
    ) -> Result<T, InspectorError> {
        let host = BundleHost {
            directory: &self.bundle_directory(),
            machine: &self.config.machine,
        };
        run(&host).map_err(|error| match error {
            ImportError::Unpack { .. } => InspectorError::Unpack(error.to_string()),
            error => InspectorError::InvalidInput(error.to_string()),
        })
    }

    fn bundle_directory(&self) -> PathBuf {
        let directory = self.data.directory().join("bundles");
        // Entries are read from other directories than the current one.
        std::path::absolute(&directory).unwrap_or(directory)
    }

    /// Notes for the removal of servers whose unpacked bundles stay.
    pub(crate) fn notes_on_bundles(&self, action: &ConfigAction) -> Vec<String> {
        let ConfigAction::Remove { target, names } = action else {
            return Vec::new();
        };
        let stays = |name: &String| {
            let directory = self.unpacked_for(target, name)?;
            Some(format!(
                "The bundle of {name} stays unpacked in {}. Delete this directory when no server \
                 needs it.",
                directory.display()
            ))
        };
        names.iter().filter_map(stays).collect()
    }

    /// The directory of the bundle that a server is started from.
    fn unpacked_for(&self, target: &Target, name: &str) -> Option<PathBuf> {
        let files = self.config.files();
        let file = files.client(target.client)?.file(&target.scope)?;
        let entry = file.definition(name)?.common.expose();
        let bundles = self.bundle_directory();
        let arguments = entry.get("args").and_then(Value::as_array);
        entry
            .get("command")
            .into_iter()
            .chain(arguments.into_iter().flatten())
            .filter_map(Value::as_str)
            .find_map(|text| {
                let below = Path::new(text).strip_prefix(&bundles).ok()?;
                Some(bundles.join(below.components().next()?))
            })
    }
}
