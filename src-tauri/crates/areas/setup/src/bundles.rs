//! Bundles: downloads and reads them, unpacks them below the data directory, and tells where they stay.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde_json::Value;
use sightglass_area_core::{command::commands, core::Core, error::InspectorError};
use sightglass_config::{
    Bundle, BundleArchive, BundleHost, ConfigAction, ImportError, MAX_BUNDLE_BYTES, RemoteBundle,
    Target, UnpackedBundle, read_bundle, sha256_of, unpack_bundle,
};
use sightglass_http::{DownloadError, HttpError};

use crate::registry::Registry;

/// Time limit for the download of a bundle.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(300);

/// Time after which a bundle that was downloaded and never saved is removed.
const DOWNLOAD_KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Bundles.
pub struct Bundles {
    pub(crate) core: Arc<Core>,
    pub(crate) registry: Arc<Registry>,
}

#[commands]
impl Bundles {
    /// Reads an `.mcpb` bundle's manifest. Nothing is unpacked and nothing is run.
    ///
    /// # Errors
    /// When the file is no bundle, has files that must not be unpacked, or does not say how to
    /// start a server.
    #[command]
    pub fn read_bundle(&self, path: &Path) -> Result<Bundle, InspectorError> {
        self.with_bundle_host(|host| read_bundle(path, host))
    }

    /// Downloads a bundle that the registry lists, and reads it. Nothing is unpacked and nothing is
    /// run.
    ///
    /// # Errors
    /// When it cannot be reached, is not the one that the registry lists, or is no bundle.
    #[command]
    pub async fn download_bundle(&self, listed: &RemoteBundle) -> Result<Bundle, InspectorError> {
        let url = url::Url::parse(&listed.url)
            .ok()
            .filter(|url| self.may_download(url))
            .ok_or_else(|| {
                InspectorError::InvalidInput(format!(
                    "{} is no address that a bundle is downloaded from; it has to begin with \
                     https://.",
                    listed.url
                ))
            })?;
        let offline = |error: DownloadError| match error {
            DownloadError::Refused(reason) => {
                InspectorError::InvalidInput(format!("The bundle was not downloaded: {reason}."))
            }
            error => InspectorError::Offline {
                what: "The bundle".to_owned(),
                reason: error.to_string(),
            },
        };
        let client = self.registry.registry_client(DOWNLOAD_TIMEOUT)?;
        let mut answer = client.get(url).await.map_err(offline)?;
        answer
            .error_for_status()
            .map_err(|error| offline(error.into()))?;
        let limit = usize::try_from(MAX_BUNDLE_BYTES).unwrap_or(usize::MAX);
        let bytes = answer.read(limit).await.map_err(|error| match error {
            HttpError::TooLarge { .. } => InspectorError::InvalidInput(format!(
                "The bundle is larger than {} MiB and was not downloaded.",
                MAX_BUNDLE_BYTES >> 20
            )),
            error => offline(error.into()),
        })?;
        let sha256 = sha256_of(&bytes);
        if sha256 != listed.sha256 {
            return Err(InspectorError::InvalidInput(format!(
                "The bundle is not the one that the registry lists: its SHA-256 is {sha256}, and \
                 the registry says {}.",
                listed.sha256
            )));
        }
        let path = self.store_download(&bytes, &sha256)?;
        self.read_bundle(&path)
    }

    /// Tells whether a bundle is downloaded from here: over https, or from a registry of one's
    /// own that is reached without.
    fn may_download(&self, url: &url::Url) -> bool {
        let is_of_registry = || {
            url::Url::parse(&self.registry.registry())
                .is_ok_and(|registry| registry.origin() == url.origin())
        };
        url.scheme() == "https" || (url.scheme() == "http" && is_of_registry())
    }

    /// Keeps a bundle until it is saved, and removes those that never were.
    fn store_download(&self, bytes: &[u8], sha256: &str) -> Result<PathBuf, InspectorError> {
        let directory = self.download_directory();
        for left in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let modified = left.metadata().and_then(|metadata| metadata.modified());
            let is_old =
                |time: std::time::SystemTime| time.elapsed().is_ok_and(|age| age > DOWNLOAD_KEPT);
            if modified.is_ok_and(is_old) {
                self.forget_download(&left.path());
            }
        }
        let path = directory.join(format!("{sha256}.mcpb"));
        sightglass_files::create_private_directory(&directory)
            .and_then(|()| sightglass_area_core::files::replace(&path, bytes))
            .map_err(|source| InspectorError::Save {
                what: path.display().to_string(),
                source,
            })?;
        Ok(path)
    }

    /// Removes a bundle that was downloaded; another file of the user's stays.
    pub fn forget_download(&self, path: &Path) {
        if path.parent() == Some(&self.download_directory())
            && let Err(error) = fs::remove_file(path)
        {
            tracing::warn!("{} stays: {error}", path.display());
        }
    }

    fn download_directory(&self) -> PathBuf {
        self.bundle_directory().join("downloads")
    }

    /// Unpacks the bundle that was shown. The lock of the data directory is held.
    pub fn unpack_bundle(&self, shown: &BundleArchive) -> Result<UnpackedBundle, InspectorError> {
        self.with_bundle_host(|host| unpack_bundle(shown, host))
    }

    pub fn with_bundle_host<T>(
        &self,
        run: impl FnOnce(&BundleHost<'_>) -> Result<T, ImportError>,
    ) -> Result<T, InspectorError> {
        let host = BundleHost {
            directory: &self.bundle_directory(),
            machine: &self.core.config.machine,
        };
        run(&host).map_err(|error| match error {
            ImportError::Unpack { .. } => InspectorError::Unpack(error.to_string()),
            error => InspectorError::InvalidInput(error.to_string()),
        })
    }

    pub fn bundle_directory(&self) -> PathBuf {
        let directory = self.core.data.directory().join("bundles");
        // Entries are read from other directories than the current one.
        std::path::absolute(&directory).unwrap_or(directory)
    }

    /// Notes for the removal of servers whose unpacked bundles stay.
    pub fn notes_on_bundles(&self, action: &ConfigAction) -> Vec<String> {
        let ConfigAction::Remove { target, names } = action else {
            return Vec::new();
        };
        let stays = |name: &String| {
            let directory = self.unpacked_for(target, name)?;
            Some(format!(
                "The bundle of {name} stays unpacked in {}. “Remove unused bundles” deletes it once no \
                 server needs it.",
                directory.display()
            ))
        };
        names.iter().filter_map(stays).collect()
    }

    /// The directory of the bundle that a server is started from.
    fn unpacked_for(&self, target: &Target, name: &str) -> Option<PathBuf> {
        let files = self.core.config.files();
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
