//! Removes unpacked bundles that no entry uses any more.
//!
//! Their directories are put aside first, so that a change which is taken back finds its bundle
//! again. What lies aside is deleted when the application starts the next time: the changes that
//! could be taken back are gone then.

use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, view::UnusedBundle,
};
use sightglass_config::{Machine, Places, load_clients, read_text};

use crate::bundles::Bundles;

/// Directories below that of the bundles which are none themselves.
const DOWNLOADS: &str = "downloads";
const REMOVED: &str = "removed";

/// Levels of directories whose sizes are added up. An archive cannot have more.
const MAX_DEPTH: usize = 64;

/// Removes unpacked bundles that no entry uses any more.
pub struct UnusedBundles {
    pub(crate) core: Arc<Core>,
    pub(crate) bundles: Arc<Bundles>,
}

#[commands]
impl UnusedBundles {
    /// The unpacked bundles that no configuration file names, of this project and of those that
    /// were opened before.
    ///
    /// # Errors
    /// When a configuration file cannot be read: it may name any of them.
    #[command(name = "list_unused_bundles")]
    pub fn unused_bundles(&self) -> Result<Vec<UnusedBundle>, InspectorError> {
        let directory = self.bundles.bundle_directory();
        let mut bundles = names_in(&directory);
        bundles.retain(|name| name != DOWNLOADS && name != REMOVED);
        if bundles.is_empty() {
            return Ok(Vec::new());
        }
        for text in self.known_texts()? {
            bundles.retain(|name| !text.contains(name.as_str()));
        }
        Ok(bundles
            .into_iter()
            .map(|name| {
                let path = directory.join(&name);
                UnusedBundle {
                    directory: path.display().to_string(),
                    size: size_of(&path, MAX_DEPTH).into(),
                    name,
                }
            })
            .collect())
    }

    /// Removes unpacked bundles, as far as no configuration file names them by now. Returns the
    /// number of those that were removed.
    #[command]
    pub fn delete_unused_bundles(&self, names: &[String]) -> Result<u32, InspectorError> {
        let _lock = sightglass_config::lock_writes(self.core.data.directory())?;
        let mut count = 0;
        for bundle in self.unused_bundles()? {
            if names.contains(&bundle.name) {
                self.put_bundle(&bundle.name, Aside::Put)?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Brings bundles back that were removed since the application was started.
    #[command]
    pub fn restore_bundles(&self, names: &[String]) -> Result<(), InspectorError> {
        let _lock = sightglass_config::lock_writes(self.core.data.directory())?;
        let removed = names_in(&self.bundles.bundle_directory().join(REMOVED));
        for name in removed.iter().filter(|name| names.contains(name)) {
            self.put_bundle(name, Aside::TakeBack)?;
        }
        Ok(())
    }

    /// Brings back the removed bundles that an entry names again. The lock of the data directory is
    /// held.
    pub fn restore_named_bundles(&self) {
        let removed = names_in(&self.bundles.bundle_directory().join(REMOVED));
        if removed.is_empty() {
            return;
        }
        let Ok(texts) = texts_of(&self.core.config.machine) else {
            return;
        };
        for name in removed {
            if texts.iter().any(|text| text.contains(&name))
                && let Err(error) = self.put_bundle(&name, Aside::TakeBack)
            {
                tracing::warn!("{error}");
            }
        }
    }

    /// Deletes the bundles that were removed before the application was started.
    pub fn delete_removed_bundles(&self) {
        let removed = self.bundles.bundle_directory().join(REMOVED);
        if removed.is_dir()
            && let Err(error) = fs::remove_dir_all(&removed)
        {
            tracing::warn!("{} stays: {error}", removed.display());
        }
    }

    fn put_bundle(&self, name: &str, aside: Aside) -> Result<(), InspectorError> {
        let directory = self.bundles.bundle_directory();
        let removed = directory.join(REMOVED);
        let (from, to) = match aside {
            Aside::Put => (directory.join(name), removed.join(name)),
            Aside::TakeBack => (removed.join(name), directory.join(name)),
        };
        sightglass_files::create_private_directory(&removed)
            .and_then(|()| match to.exists() {
                // The same archive was unpacked again meanwhile.
                true => fs::remove_dir_all(&from),
                false => fs::rename(&from, &to),
            })
            .map_err(|source| InspectorError::Save {
                what: from.display().to_string(),
                source,
            })
    }

    /// The texts of the configuration files of this project and of those that were opened before.
    fn known_texts(&self) -> Result<Vec<String>, InspectorError> {
        let machine = &self.core.config.machine;
        let mut texts = texts_of(machine)?;
        for project in self.core.recent_projects() {
            texts.extend(texts_of(&Machine {
                places: Places {
                    project,
                    ..machine.places.clone()
                },
                ..machine.clone()
            })?);
        }
        Ok(texts)
    }
}

/// Action on an unpacked bundle.
#[derive(Debug, Clone, Copy)]
enum Aside {
    Put,
    TakeBack,
}

/// The texts of every configuration file of a project.
fn texts_of(machine: &Machine) -> Result<Vec<String>, InspectorError> {
    let clients = load_clients(machine);
    let files = clients.iter().flat_map(|client| &client.files);
    let paths: HashSet<&PathBuf> = files.map(|file| &file.place.path).collect();
    let mut texts = Vec::new();
    for path in paths {
        texts.extend(read_text(path)?);
    }
    Ok(texts)
}

/// The names of the directories in a directory, in order.
fn names_in(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// Bytes of the files in a directory. Links are not followed.
fn size_of(directory: &Path, depth: usize) -> u64 {
    let Some(depth) = depth.checked_sub(1) else {
        return 0;
    };
    let size = |entry: fs::DirEntry| -> io::Result<u64> {
        let kind = entry.file_type()?;
        Ok(match (kind.is_dir(), kind.is_file()) {
            (true, _) => size_of(&entry.path(), depth),
            (_, true) => entry.metadata()?.len(),
            _ => 0,
        })
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| size(entry).ok()).sum()
}
