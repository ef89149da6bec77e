//! Requests as files: reads, writes, watches and runs those of the project.
//!
//! The files are the truth; nothing is kept beside them. A request file comes with the project, so
//! that it may be anybody's: nothing in it runs by being read, a server that it defines is
//! approved like any other of the project, and so is each value from outside that it would send
//! ([`approval`]).

mod approval;
pub mod connection;
mod directory;
mod edit;
pub mod exchange;
mod judge;
mod questions;
pub mod run;
pub mod stubs;
mod values;
pub mod watch;

pub use run::RunProgress;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    file_watch::FileWatch,
    view::{Fact, RequestView, RequestsView},
};
use sightglass_area_servers::{
    folder_trust::ProjectFolderTrust, server_names::ServerNames, sidebar::Sidebar,
};
use sightglass_model::lock;
use sightglass_requests::{
    FolderError, InlineEndpoint, RequestFile, RequestPath, RequestProblem, RequestServer,
    environment_directory, environment_names, request_folders, request_paths,
};

/// Folders that are watched at once: the system has only so many watches. What changes in others is
/// seen a little later.
const MAX_WATCHED_FOLDERS: usize = 1_000;

/// Size of a request's file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Requests as files.
pub struct RequestFiles {
    pub(crate) core: Arc<Core>,
    pub(crate) folder_trust: Arc<ProjectFolderTrust>,
    pub(crate) names: Arc<ServerNames>,
    pub(crate) sidebar: Arc<Sidebar>,
    /// The folder that the user opened in place of the project's requests.
    pub(crate) opened_directory: Mutex<Option<PathBuf>>,
    /// Ends when this is dropped.
    pub(crate) watch: Mutex<Option<FileWatch>>,
}

#[commands]
impl RequestFiles {
    /// The requests that are shown, in the order in which they run.
    #[command(name = "get_requests")]
    pub fn requests(&self) -> RequestsView {
        let directory = self.requests_directory();
        let paths = self
            .refuse_outside(&directory)
            .and_then(|()| request_paths(&directory).map_err(invalid));
        let (requests, problem) = match paths {
            Ok(paths) => (
                paths
                    .into_iter()
                    .map(|path| match read_text(&directory, &path) {
                        Ok(text) => request_view(path, &text),
                        Err(error) => unread(path, error.to_string()),
                    })
                    .collect(),
                None,
            ),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        RequestsView {
            is_opened: directory != self.own_requests_directory(),
            environments: environment_names(directory.parent().unwrap_or(&directory)),
            directory: directory.display().to_string(),
            requests,
            problem,
        }
    }

    /// Tells the requests whenever their files changed.
    pub fn watch_requests(self: &Arc<Self>) {
        let watched = Arc::downgrade(self);
        let paths = move || {
            let files = watched.upgrade();
            files
                .map(|files| files.watched_folders())
                .unwrap_or_default()
        };
        let looked_at = Arc::downgrade(self);
        let last = Mutex::new(None);
        let look = move || {
            let Some(files) = looked_at.upgrade() else {
                return;
            };
            let stamps = files.request_stamps();
            let before = lock(&last).replace(stamps.clone());
            // The first look tells too: what came between the first picture and it would stay
            // unseen.
            if before != Some(stamps) {
                files.publish_requests();
            }
        };
        *lock(&self.watch) = Some(FileWatch::start(paths, look));
    }

    /// The folders of the requests, and that of the environments.
    fn watched_folders(&self) -> Vec<PathBuf> {
        let directory = self.requests_directory();
        // A link out of the project may lead to everything that there is.
        if self.refuse_outside(&directory).is_err() {
            return Vec::new();
        }
        let mut folders = request_folders(&directory);
        folders.truncate(MAX_WATCHED_FOLDERS);
        folders.push(environment_directory(
            directory.parent().unwrap_or(&directory),
        ));
        folders
    }

    /// Tells the requests as they are now.
    pub fn publish_requests(&self) {
        self.core.publisher.publish(Fact::Requests {
            view: Box::new(self.requests()),
        });
    }

    /// Paths of the requests with when they changed last, and the names of the environments.
    fn request_stamps(&self) -> Vec<(String, Option<std::time::SystemTime>, u64)> {
        let directory = self.requests_directory();
        // A link out of the project may lead to everything that there is.
        let paths = self
            .refuse_outside(&directory)
            .ok()
            .and_then(|()| request_paths(&directory).ok())
            .unwrap_or_default();
        let mut stamps: Vec<_> = paths
            .iter()
            .map(|path| {
                let metadata = path.below(&directory).metadata().ok();
                let modified = metadata
                    .as_ref()
                    .and_then(|metadata| metadata.modified().ok());
                let size = metadata.map_or(0, |metadata| metadata.len());
                (path.to_string(), modified, size)
            })
            .collect();
        let environments = environment_names(directory.parent().unwrap_or(&directory));
        stamps.extend(environments.into_iter().map(|name| (name, None, 0)));
        stamps
    }
}

/// Reads a request's text.
fn read_text(directory: &Path, path: &RequestPath) -> Result<String, InspectorError> {
    let file = path.without_links(directory).map_err(invalid)?;
    let bytes = sightglass_files::read_at_most(&file, MAX_FILE_BYTES).map_err(|error| {
        InspectorError::InvalidInput(format!("{} cannot be read: {error}.", file.display()))
    })?;
    String::from_utf8(bytes)
        .map_err(|_| InspectorError::InvalidInput(format!("{} is not UTF-8.", file.display())))
}

/// A request as the tree shows it.
fn request_view(path: RequestPath, text: &str) -> RequestView {
    match RequestFile::parse(text) {
        Ok(file) => RequestView {
            name: name_of(&file, &path),
            tags: file.tags.clone(),
            server: server_label(&file.server),
            subject: file.subject(),
            method: file.method,
            skip: file.skip,
            problems: Vec::new(),
            path,
        },
        Err(problems) => RequestView {
            problems,
            ..unread(path, String::new())
        },
    }
}

fn unread(path: RequestPath, message: String) -> RequestView {
    RequestView {
        name: path.stem().to_owned(),
        tags: Vec::new(),
        server: String::new(),
        method: String::new(),
        subject: None,
        skip: None,
        problems: vec![RequestProblem {
            line: 1,
            column: 1,
            message,
        }],
        path,
    }
}

/// The name of a request.
fn name_of(file: &RequestFile, path: &RequestPath) -> String {
    file.name.clone().unwrap_or_else(|| path.stem().to_owned())
}

/// The name of a request's server, or what an inline one starts or reaches.
fn server_label(server: &RequestServer) -> String {
    match server {
        RequestServer::Named(name) => name.clone(),
        RequestServer::Inline(inline) => {
            inline
                .name
                .clone()
                .unwrap_or_else(|| match &inline.endpoint {
                    InlineEndpoint::Program {
                        command, arguments, ..
                    } => {
                        let words = std::iter::once(command).chain(arguments);
                        words.map(String::as_str).collect::<Vec<_>>().join(" ")
                    }
                    InlineEndpoint::Remote { url, .. } => url.clone(),
                })
        }
    }
}

/// A path of a request that the user names.
fn checked(path: &str) -> Result<RequestPath, InspectorError> {
    RequestPath::parse(path).map_err(invalid)
}

fn invalid(error: FolderError) -> InspectorError {
    InspectorError::InvalidInput(error.to_string())
}
