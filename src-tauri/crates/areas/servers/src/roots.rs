//! Roots: the folders that each server is told it may use.
//!
//! A server asks for them with `roots/list`, and is answered at once, as the user set it: the
//! project's folder where it is trusted, unless the user chose others for that server.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Weak},
};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    files::DataFiles,
    per_server::{ChosenFolders, PerServer},
    publisher::Notice,
    view::RootsView,
};
use sightglass_connection::Root;
use sightglass_model::{ServerId, lock};

use crate::{folder_answers::FolderAnswers, settings_keys::SettingsKeys};

/// More roots than this are refused.
const MAX_ROOTS: usize = 100;

/// The roots of every server.
pub struct RootSettings {
    folder: Arc<FolderAnswers>,
    keys: Arc<SettingsKeys>,
    home: PathBuf,
    data: DataFiles,
    chosen: Mutex<PerServer<ChosenFolders>>,
}

impl RootSettings {
    pub fn new(
        folder: Arc<FolderAnswers>,
        keys: Arc<SettingsKeys>,
        home: PathBuf,
        data: DataFiles,
    ) -> Self {
        Self {
            folder,
            keys,
            home,
            chosen: Mutex::new(data.read_roots()),
            data,
        }
    }

    /// Returns the folders that the user chose for a server; `None` for the default.
    fn chosen(&self, server: &ServerId) -> Option<Vec<String>> {
        let key = self.keys.of(server);
        let kept = lock(&self.chosen);
        if let Some(chosen) = kept.of(&key) {
            return Some(chosen.folders.clone());
        }
        let before = kept.before_definers(&key)?;
        let is_narrower = |text: &&String| Path::new(text).starts_with(self.folder.folder());
        Some(before.folders.iter().filter(is_narrower).cloned().collect())
    }

    /// Returns the roots that a server is told.
    pub fn of(&self, server: &ServerId) -> Vec<Root> {
        match self.chosen(server) {
            Some(folders) => folders.iter().filter_map(|text| root(text).ok()).collect(),
            None if self.folder.is_trusted() => vec![Root::of_directory(self.folder.folder())],
            None => Vec::new(),
        }
    }

    pub fn view(&self, server: &ServerId) -> RootsView {
        let chosen = self.chosen(server);
        let is_default = chosen.is_none();
        let folders = chosen.unwrap_or_else(|| match self.folder.is_trusted() {
            true => vec![self.folder.folder().display().to_string()],
            false => Vec::new(),
        });
        RootsView {
            folders,
            is_default,
        }
    }

    fn has_chosen(&self, server: &ServerId) -> bool {
        self.chosen(server).is_some()
    }

    /// Changes what is on the disk: another program may have added some.
    fn save(&self, server: &ServerId, folders: Option<Vec<String>>) -> Result<(), InspectorError> {
        let folders = folders.map(|folders| self.read(folders)).transpose()?;
        let chosen_folders = folders.map(|folders| ChosenFolders { folders });
        let mut chosen = lock(&self.chosen);
        *chosen = self.data.read_roots();
        chosen.set(self.keys.of(server), chosen_folders);
        self.data.write_roots(&chosen)
    }

    /// The folders as they are kept: `~` is the home directory, empty ones are left out, and
    /// none is there twice.
    fn read(&self, folders: Vec<String>) -> Result<Vec<String>, InspectorError> {
        let mut kept: Vec<String> = Vec::new();
        for text in folders {
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let text = match text.strip_prefix('~') {
                Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => {
                    format!("{}{rest}", self.home.display())
                }
                _ => text.to_owned(),
            };
            root(&text)?;
            if !kept.contains(&text) {
                kept.push(text);
            }
        }
        if kept.len() > MAX_ROOTS {
            return Err(InspectorError::InvalidInput(format!(
                "A server can have at most {MAX_ROOTS} folders."
            )));
        }
        Ok(kept)
    }
}

fn root(text: &str) -> Result<Root, InspectorError> {
    let path = PathBuf::from(text);
    if path.is_absolute() {
        return Ok(Root::of_directory(&path));
    }
    Root::of_uri(text).ok_or_else(|| {
        InspectorError::InvalidInput(format!(
            "{text} is neither an absolute path nor a file: address. Enter the whole path of the \
             folder."
        ))
    })
}

/// Roots.
pub struct ServerRoots {
    pub(crate) core: Arc<Core>,
    pub(crate) settings: Arc<RootSettings>,
    /// For work that goes on in the background.
    pub(crate) this: Weak<ServerRoots>,
}

#[commands]
impl ServerRoots {
    /// Sets the folders that a server is told; `None` for the default again. A connected server
    /// of the `initialize` era is told that they changed.
    ///
    /// # Errors
    /// When one of them is no absolute path and no `file:` URI, or they cannot be kept.
    #[command]
    pub fn update_roots(
        &self,
        server: &ServerId,
        folders: Option<Vec<String>>,
    ) -> Result<(), InspectorError> {
        let before = self.settings.of(server);
        self.settings.save(server, folders)?;
        if self.settings.of(server) != before {
            let changed = server.clone();
            self.announce_roots(move |server| *server == changed);
        }
        self.core.publisher.notify(&Notice::Servers);
        Ok(())
    }

    /// Tells the servers whose roots are the default that these are others now.
    pub fn announce_default_roots(&self) {
        let roots = Arc::clone(&self.settings);
        self.announce_roots(move |server| !roots.has_chosen(server));
    }

    fn announce_roots(&self, concerned: impl Fn(&ServerId) -> bool + Send + Sync + 'static) {
        if let Some(this) = self.this.upgrade() {
            tokio::spawn(async move { this.core.connections.roots_changed(&concerned).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_an_absolute_path_or_a_file_address() {
        assert!(root("file:///work").is_ok());
        assert!(root("work").is_err());
        assert!(root("https://example.com").is_err());
        #[cfg(unix)]
        assert_eq!(root("/work").expect("a root").uri, "file:///work");
    }
}
