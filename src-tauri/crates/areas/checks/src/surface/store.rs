//! Keeps the surfaces of servers in the data directory, a file for each.

use std::{borrow::Cow, path::PathBuf, sync::Arc, time::SystemTime};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use sightglass_area_core::{core::Core, error::InspectorError};
use sightglass_area_servers::{
    configuration::Configuration, folder_trust::ProjectFolderTrust, tried::TriedServers,
};
use sightglass_files::create_private_directory;
use sightglass_model::{ServerId, Timestamp, lock};
use sightglass_surface::{Silence, Surface};

/// Largest file of a surface. A server with more is not stored.
const MAX_SURFACE_BYTES: usize = 32 * 1024 * 1024;

/// Bytes of a file beside its surface, as a rule.
const ROOM: usize = 4 * 1024;

/// Number of surfaces that are stored without being pinned; the oldest are forgotten.
const MAX_STORED: usize = 200;

/// Surface that is kept of one server, with the decisions about it.
#[derive(Debug)]
pub(super) struct Stored {
    project: String,
    server: ServerId,
    pub is_pinned: bool,
    pub stored: Option<Timestamp>,
    pub silenced: Vec<Silence>,
    /// Hash of the launch by which the lists were read; absent where some of them are of another
    /// entry.
    pub launch: Option<String>,
    /// As `Surface::to_file` writes it.
    surface: Option<Bytes>,
}

/// File of one server.
#[derive(Serialize, Deserialize)]
struct StoredFile<'a> {
    #[serde(borrow)]
    project: Cow<'a, str>,
    server: ServerId,
    is_pinned: bool,
    stored: Option<Timestamp>,
    silenced: Vec<Silence>,
    launch: Option<String>,
    #[serde(borrow)]
    surface: Option<&'a RawValue>,
}

impl Stored {
    /// Returns the stored surface. Its items share the text of the file.
    pub fn surface(&self) -> Option<Surface> {
        Surface::from_file(self.surface.as_ref()?)
            .inspect_err(|error| tracing::warn!("a stored surface is not used: {error}"))
            .ok()
    }

    fn from_file(file: &Bytes) -> serde_json::Result<Self> {
        let read: StoredFile<'_> = serde_json::from_slice(file)?;
        let text_of = |surface: &RawValue| file.slice_ref(surface.get().as_bytes());
        Ok(Self {
            surface: read.surface.map(text_of),
            project: read.project.into_owned(),
            server: read.server,
            is_pinned: read.is_pinned,
            stored: read.stored,
            silenced: read.silenced,
            launch: read.launch,
        })
    }

    fn to_file(&self) -> serde_json::Result<Vec<u8>> {
        let surface = self.surface.as_deref();
        let mut file = Vec::with_capacity(surface.map_or(0, <[u8]>::len) + ROOM);
        let stored = StoredFile {
            project: Cow::Borrowed(&self.project),
            server: self.server.clone(),
            is_pinned: self.is_pinned,
            stored: self.stored,
            silenced: self.silenced.clone(),
            launch: self.launch.clone(),
            surface: surface.map(serde_json::from_slice).transpose()?,
        };
        serde_json::to_writer(&mut file, &stored)?;
        Ok(file)
    }
}

/// Keeps the surfaces of servers in the data directory, a file for each.
pub struct SurfaceStore {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) folder_trust: Arc<ProjectFolderTrust>,
    pub(crate) tried: Arc<TriedServers>,
}

impl SurfaceStore {
    /// Names what connecting to a server does; `None` for a server that nothing defines.
    pub(super) fn launch_of(&self, server: &ServerId) -> Option<String> {
        match self.configuration.configured(server) {
            Ok(configured) => Some(configured.plan().secret_binding(None)),
            // It is no other by a file.
            Err(InspectorError::BuiltIn) => Some(String::new()),
            Err(_) => self.tried.definitions.fingerprint(server),
        }
    }

    /// As [`launch_of`](Self::launch_of) of a connected server; `None` where its entry is another
    /// one since it was connected.
    pub(super) fn connected_launch_of(&self, server: &ServerId) -> Option<String> {
        if let Ok(configured) = self.configuration.configured(server) {
            let connected = lock(&self.core.config.connected);
            if connected.get(server) != Some(configured.definition.common.expose()) {
                return None;
            }
        }
        self.launch_of(server)
    }

    /// Stores a surface that was read of what `launch` names. A list that could not be read stays as
    /// it was.
    pub(super) fn put_surface(
        &self,
        stored: &mut Stored,
        mut surface: Surface,
        base: Option<Surface>,
        launch: Option<String>,
    ) -> Result<(), InspectorError> {
        let mut is_of_one_launch = true;
        if let Some(base) = base {
            let read = surface.clone();
            surface.tools = surface.tools.or(base.tools);
            surface.prompts = surface.prompts.or(base.prompts);
            surface.resources = surface.resources.or(base.resources);
            surface.templates = surface.templates.or(base.templates);
            surface.capabilities = surface.capabilities.or(base.capabilities);
            is_of_one_launch = stored.launch == launch || surface == read;
        }
        stored.launch = launch.filter(|_| is_of_one_launch);
        stored.surface = Some(surface.to_file().into());
        stored.stored = Some(Timestamp::now());
        self.store_surface(stored)
    }

    pub(super) fn store_surface(&self, stored: &Stored) -> Result<(), InspectorError> {
        let bytes = stored.to_file().map_err(|error| save_error(error.into()))?;
        if bytes.len() > MAX_SURFACE_BYTES {
            return Err(InspectorError::InvalidInput(format!(
                "The surface of this server takes more than {} MiB and is not stored.",
                MAX_SURFACE_BYTES / 1024 / 1024
            )));
        }
        let [pinned, last] = self.surface_paths(&stored.server);
        let (path, other) = match stored.is_pinned {
            true => (pinned, last),
            false => (last, pinned),
        };
        create_private_directory(self.core.data.directory()).map_err(save_error)?;
        create_private_directory(&self.surfaces_directory()).map_err(save_error)?;
        sightglass_files::replace(&path, &bytes).map_err(save_error)?;
        // Of two files the pinned one counts.
        let _ = std::fs::remove_file(other);
        self.forget_oldest_surfaces();
        Ok(())
    }

    pub(super) fn stored_surface(&self, server: &ServerId) -> Stored {
        let project = self.folder_trust.answers.key();
        let read = |path: PathBuf| {
            let bytes = sightglass_files::read_at_most(&path, MAX_SURFACE_BYTES as u64).ok()?;
            Stored::from_file(&bytes.into())
                .inspect_err(|error| tracing::warn!("{}: {error}", path.display()))
                .ok()
                .filter(|stored| stored.project == project && stored.server == *server)
        };
        let found = self.surface_paths(server).into_iter().find_map(read);
        found.unwrap_or_else(|| Stored {
            project: project.clone(),
            server: server.clone(),
            is_pinned: false,
            stored: None,
            silenced: Vec::new(),
            launch: None,
            surface: None,
        })
    }

    /// Returns when the files of a server were written.
    pub(super) fn written(&self, server: &ServerId) -> [Option<SystemTime>; 2] {
        let written = |path: PathBuf| std::fs::metadata(path).ok()?.modified().ok();
        self.surface_paths(server).map(written)
    }

    fn surfaces_directory(&self) -> PathBuf {
        self.core.data.directory().join("surfaces")
    }

    /// The file of a pinned surface, and that of one that is not.
    pub(super) fn surface_paths(&self, server: &ServerId) -> [PathBuf; 2] {
        let mut hash = Sha256::new();
        hash.update(self.folder_trust.answers.key());
        hash.update([0]);
        hash.update(server.to_string());
        let name = format!("{:x}", hash.finalize());
        ["pinned", "last"].map(|kind| {
            self.surfaces_directory()
                .join(format!("{name}.{kind}.json"))
        })
    }

    fn forget_oldest_surfaces(&self) {
        let Ok(entries) = std::fs::read_dir(self.surfaces_directory()) else {
            return;
        };
        let mut files: Vec<_> = entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().ends_with(".last.json"))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        if files.len() > MAX_STORED {
            files.sort();
            for (_, path) in &files[..files.len() - MAX_STORED] {
                // What cannot be removed is tried again after the next one.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

pub(super) fn save_error(source: std::io::Error) -> InspectorError {
    InspectorError::Save {
        what: "The surface of the server".to_owned(),
        source,
    }
}
