//! Folder trust: decides if programs may start in the project's folder.
//!
//! What lies in a folder changes what a harmless program does there: `npx` prefers its
//! `node_modules`, `python -m` its packages, npm reads its `.npmrc`, many servers its `.env`. So
//! the user is asked once for each folder. Until the answer is yes, programs of the user's own
//! files start in an empty directory of Sightglass's own, and programs that the folder's files
//! define, or that name the folder as their working directory, do not start. The home directory
//! is the user's own and always trusted.

mod empty_directory;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use sightglass_config::{Client, Places, Target, UnexpandedEndpoint, scope_place};
use sightglass_model::{Endpoint, PermittedSpec, ServerId};

use empty_directory::EmptyDirectories;

use crate::{
    Inspector, InspectorError,
    config_workspace::{ConfigFiles, ConfiguredServer},
    files::DataFiles,
    lock,
    requests::is_of_request,
    view::{Blocked, Fact, FolderAnswer, FolderTrustView, StartPlace, StartView},
};

/// Trust in the project's folder.
pub(crate) struct FolderTrust {
    /// As it was opened.
    folder: PathBuf,
    canonical: PathBuf,
    is_home: bool,
    data: DataFiles,
    empty: EmptyDirectories,
    /// The answer that was published last.
    published: Mutex<FolderAnswer>,
    /// Place where the program of each server was started last.
    started: Mutex<HashMap<ServerId, StartPlace>>,
}

impl FolderTrust {
    pub fn new(places: &Places, data: DataFiles) -> Self {
        let canonical = canonical(&places.project);
        let trust = Self {
            folder: places.project.clone(),
            is_home: is_same(&canonical, &canonical_home(places)),
            canonical,
            empty: EmptyDirectories::new(data.directory(), &places.home),
            data,
            published: Mutex::new(FolderAnswer::NotAsked),
            started: Mutex::default(),
        };
        *lock(&trust.published) = trust.answer();
        trust
    }

    /// The answer as it is on the disk, where another program may have changed it. What cannot
    /// be read counts as not asked.
    pub fn answer(&self) -> FolderAnswer {
        if self.is_home {
            return FolderAnswer::Trusted;
        }
        match self.data.read_folders().get(&self.key()) {
            None => FolderAnswer::NotAsked,
            Some(true) => FolderAnswer::Trusted,
            Some(false) => FolderAnswer::NotTrusted,
        }
    }

    pub fn is_trusted(&self) -> bool {
        self.answer() == FolderAnswer::Trusted
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names the folder in the files of the data directory. Two paths never share a name, also
    /// where they are not UTF-8.
    pub fn key(&self) -> String {
        match self.canonical.to_str() {
            Some(path) => path.to_owned(),
            None => format!("{:?}", self.canonical),
        }
    }

    pub fn view(&self) -> FolderTrustView {
        FolderTrustView {
            path: self.folder.display().to_string(),
            answer: self.answer(),
            is_home: self.is_home,
        }
    }

    /// Returns the folder where a file of the project defines the server, also one that no file
    /// defines any more; `None` for the user's own servers.
    pub fn of_definition(&self, server: &ServerId, files: &Arc<ConfigFiles>) -> Option<String> {
        let is_of_folder = match files.server(server) {
            Some(defined) => defined.comes_with_project,
            None => {
                is_of_request(server) || Client::ALL.iter().any(|client| server.is_of(client.id()))
            }
        };
        is_of_folder.then(|| self.folder.display().to_string())
    }

    fn save(&self, is_trusted: bool) -> Result<(), InspectorError> {
        if self.is_home {
            return match is_trusted {
                true => Ok(()),
                false => Err(InspectorError::InvalidInput(
                    "This folder is your home directory, which is always trusted.".to_owned(),
                )),
            };
        }
        let mut answers = self.data.read_folders();
        answers.insert(self.key(), is_trusted);
        self.data.write_folders(&answers)
    }

    /// Returns true when a path lies in the folder, or is written in terms of it: a relative `cwd`
    /// was joined to the folder, and counts even where it leads out again.
    pub fn leads_into(&self, path: &Path) -> bool {
        if path.starts_with(&self.folder) || path.starts_with(&self.canonical) {
            return true;
        }
        // What does not exist yet lies where its nearest existing directory does.
        let existing = path.ancestors().find_map(|path| path.canonicalize().ok());
        existing.is_some_and(|real| {
            real.ancestors()
                .any(|directory| is_same(directory, &self.canonical))
        })
    }

    /// Returns the place where a program starts, or the command that gives a server's headers;
    /// `None` for what starts nothing. `is_of_folder`: a file of the folder defines it.
    fn place(&self, endpoint: &Endpoint, is_of_folder: bool) -> Option<StartPlace> {
        let working_directory = match endpoint {
            Endpoint::Stdio {
                working_directory, ..
            } => working_directory,
            Endpoint::Remote(remote) => &remote.headers_helper.as_ref()?.working_directory,
        };
        Some(match working_directory {
            _ if is_of_folder => StartPlace::Folder,
            Some(directory) if self.leads_into(directory) => StartPlace::Folder,
            Some(_) => StartPlace::Elsewhere,
            None if self.is_trusted() => StartPlace::Folder,
            None => StartPlace::EmptyDirectory,
        })
    }

    /// Returns true when what an endpoint needs lies in the folder: its working directory, or the
    /// certificates that it trusts.
    fn needs_folder(&self, endpoint: &Endpoint, is_of_folder: bool) -> bool {
        if self.place(endpoint, is_of_folder) == Some(StartPlace::Folder) {
            return true;
        }
        let Endpoint::Remote(remote) = endpoint else {
            return false;
        };
        let authority = remote.trust.ca_file.as_deref();
        !is_of_folder && authority.is_some_and(|file| self.leads_into(file))
    }

    /// The directory that programs outside the folder are looked for from. It need not exist.
    pub fn empty_directory_path(&self) -> PathBuf {
        let leads_into = |path: &Path| self.leads_into(path);
        self.empty.path(&self.canonical, leads_into)
    }

    /// Returns an empty directory outside the folder that only this user can read.
    ///
    /// # Errors
    /// When none can be made.
    fn empty_directory(&self) -> io::Result<PathBuf> {
        let leads_into = |path: &Path| self.leads_into(path);
        self.empty.create(&self.canonical, leads_into)
    }
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn canonical_home(places: &Places) -> PathBuf {
    canonical(&places.home)
}

/// Returns true when two paths are the same directory, also where one of them is mounted or spelt
/// in another way.
fn is_same(one: &Path, other: &Path) -> bool {
    if one == other {
        return true;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |path: &Path| fs::metadata(path).ok().map(|it| (it.dev(), it.ino()));
        number(one).is_some_and(|found| number(other) == Some(found))
    }
    #[cfg(not(unix))]
    false
}

impl Inspector {
    /// Returns the project's folder and the user's answer to the question whether to trust it.
    pub fn folder_trust(&self) -> FolderTrustView {
        self.folder.view()
    }

    /// Trusts the project's folder: programs may start in it from now on.
    ///
    /// # Errors
    /// When the answer cannot be kept.
    pub fn trust_folder(&self) -> Result<(), InspectorError> {
        self.folder.save(true)?;
        self.publish_folder_trust();
        Ok(())
    }

    /// Takes the trust back, or says that there is none: programs start outside the folder, and
    /// the user is not asked again. What runs in the folder is closed.
    ///
    /// # Errors
    /// When the answer cannot be kept, or the folder is the home directory.
    pub fn distrust_folder(&self) -> Result<(), InspectorError> {
        self.folder.save(false)?;
        self.publish_folder_trust();
        Ok(())
    }

    /// The directory from which the program of a server in this scope is looked for: the one
    /// that it will start in.
    pub(crate) fn search_directory(&self, target: &Target) -> PathBuf {
        let machine = &self.config.machine;
        let is_own =
            scope_place(target, machine).is_some_and(|place| !place.comes_with_project(machine));
        if is_own && !self.folder.is_trusted() {
            self.folder.empty_directory_path()
        } else {
            self.folder.folder.clone()
        }
    }

    /// Publishes the answer when it differs from the one that was published last, and acts on it.
    /// Another program may have changed it.
    pub(crate) fn publish_folder_trust(&self) {
        let view = self.folder.view();
        {
            let mut published = lock(&self.folder.published);
            if *published == view.answer {
                return;
            }
            *published = view.answer;
        }
        if view.answer != FolderAnswer::Trusted {
            let in_folder: Vec<ServerId> = lock(&self.folder.started)
                .iter()
                .filter(|(_, place)| **place == StartPlace::Folder)
                .map(|(server, _)| server.clone())
                .collect();
            self.close_all(in_folder.iter());
        }
        self.publisher.publish(Fact::Folder { folder: view });
        self.publish_configuration();
        self.tell_default_roots();
    }

    /// Returns the block on a server that needs the folder, while the folder is not trusted.
    pub(crate) fn blocked_by_folder(&self, server: &ConfiguredServer) -> Option<Blocked> {
        if self.folder.is_trusted() {
            return None;
        }
        let endpoint = self.endpoint_for_place(server)?;
        let is_needed = self
            .folder
            .needs_folder(&endpoint, server.comes_with_project)
            || self.reads_variables_of_folder(server);
        is_needed.then_some(Blocked::FolderNotTrusted)
    }

    /// Returns true when a program gets its variables from a file of the folder. They can make it
    /// load what lies there (`NODE_OPTIONS`, `LD_PRELOAD`).
    fn reads_variables_of_folder(&self, server: &ConfiguredServer) -> bool {
        let plan = server.plan();
        let environment = self.environment_for_judging(&server.id, &server.place.path, &plan);
        let file = plan.environment_file(self.resolve_options(&*environment));
        file.is_some_and(|file| self.folder.leads_into(&file))
    }

    /// Returns the place where the program of a server starts, and where it was started last.
    pub(crate) fn start_view(&self, server: &ConfiguredServer) -> Option<StartView> {
        let endpoint = self.endpoint_for_place(server)?;
        let next = self.folder.place(&endpoint, server.comes_with_project)?;
        let last = lock(&self.folder.started).get(&server.id).copied();
        Some(StartView { next, last })
    }

    /// Returns true when the program of a server was last started in an empty directory, because
    /// the folder was not trusted.
    pub fn started_outside(&self, server: &ServerId) -> bool {
        lock(&self.folder.started).get(server) == Some(&StartPlace::EmptyDirectory)
    }

    /// As much of an endpoint as decides where it starts. Only what names a path is expanded.
    fn endpoint_for_place(&self, server: &ConfiguredServer) -> Option<Endpoint> {
        let unexpanded = &server.definition.spec.as_ref().ok()?.endpoint;
        let names_path = match unexpanded {
            UnexpandedEndpoint::Stdio {
                working_directory, ..
            } => working_directory.is_some(),
            UnexpandedEndpoint::Remote(remote) => remote.ca_file.is_some(),
        };
        if names_path {
            let plan = server.plan();
            let environment = self.environment_for_judging(&server.id, &server.place.path, &plan);
            let spec = plan.resolve(self.resolve_options(&*environment)).ok()?;
            return Some(spec.endpoint);
        }
        Some(crate::servers::without_values(unexpanded))
    }

    /// The server with the directory that its program is to start in. Each way to start one
    /// passes here.
    ///
    /// A server that is in no file was named by the user together with the folder, as on a
    /// command line, and starts in it as it would from a shell.
    ///
    /// # Errors
    /// When it would start in a folder that is not trusted, or there is no empty directory for
    /// it.
    pub(crate) fn with_working_directory(
        &self,
        server: &ServerId,
        mut spec: PermittedSpec,
    ) -> Result<PermittedSpec, InspectorError> {
        let folder = &self.folder;
        let defined = self.configured(server).ok();
        let is_of_request = is_of_request(server);
        let is_of_folder = is_of_request
            || defined
                .as_ref()
                .is_some_and(|defined| defined.comes_with_project);
        let is_in_no_file = *server != ServerId::demo()
            && !is_of_request
            && !self.is_tried(server)
            && !Client::ALL.iter().any(|client| server.is_of(client.id()));
        let not_trusted = || InspectorError::FolderNotTrusted {
            server: server.clone(),
            folder: folder.folder.display().to_string(),
        };
        let place = match folder.place(&spec.endpoint, is_of_folder) {
            // It needs nothing of the folder, so that nobody has to be asked for it.
            Some(_) if *server == ServerId::demo() => Some(StartPlace::EmptyDirectory),
            Some(StartPlace::EmptyDirectory) if is_in_no_file => Some(StartPlace::Folder),
            place => place,
        };
        if !is_in_no_file
            && !folder.is_trusted()
            && *server != ServerId::demo()
            && folder.needs_folder(&spec.endpoint, is_of_folder)
        {
            return Err(not_trusted());
        }
        if let Some(working_directory) = spec.working_directory_mut() {
            match place {
                Some(StartPlace::EmptyDirectory) => {
                    let directory = folder.empty_directory().map_err(|source| {
                        InspectorError::NoPlaceToStart {
                            server: server.clone(),
                            source,
                        }
                    })?;
                    *working_directory = Some(directory);
                }
                _ => {
                    working_directory.get_or_insert_with(|| folder.folder.clone());
                }
            }
        }
        let before = {
            let mut started = lock(&folder.started);
            match place {
                Some(place) => started.insert(server.clone(), place),
                None => started.remove(server),
            }
        };
        // The view of the server says where it was started last.
        if before != place {
            self.tell_servers();
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A home, a project and a data directory beside each other.
    fn trust(directory: &Path) -> FolderTrust {
        for name in ["home", "project/inner", "data", "elsewhere"] {
            fs::create_dir_all(directory.join(name)).expect("created");
        }
        let places = Places {
            home: directory.join("home"),
            project: directory.join("project"),
        };
        FolderTrust::new(&places, DataFiles::new(directory.join("data")))
    }

    #[test]
    fn the_answer_is_kept_for_the_folder_and_the_home_directory_is_always_trusted() {
        let directory = tempfile::tempdir().expect("a directory");
        let one = trust(directory.path());
        assert_eq!(one.answer(), FolderAnswer::NotAsked);
        one.save(true).expect("kept");
        assert!(trust(directory.path()).is_trusted());
        one.save(false).expect("kept");
        assert_eq!(one.answer(), FolderAnswer::NotTrusted);
        let places = Places {
            home: directory.path().join("home"),
            project: directory.path().join("home"),
        };
        let home = FolderTrust::new(&places, DataFiles::new(directory.path().join("data")));
        assert!(home.is_trusted());
        assert!(home.save(false).is_err());
    }

    #[test]
    fn a_path_that_is_written_or_leads_into_the_folder_is_in_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| directory.path().join(name);
        let trust = trust(directory.path());
        assert!(trust.leads_into(&at("project")));
        assert!(trust.leads_into(&at("project/not/there/yet")));
        assert!(trust.leads_into(&at("project/../elsewhere")));
        assert!(trust.leads_into(&at("elsewhere/../project/inner")));
        assert!(!trust.leads_into(&at("elsewhere")));
        assert!(!trust.leads_into(&at("project-of-another-name")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("project"), at("elsewhere/link")).expect("linked");
            assert!(trust.leads_into(&at("elsewhere/link/inner")));
            assert!(trust.leads_into(&at("elsewhere/link/new")));
        }
    }

    #[test]
    fn an_empty_directory_lies_outside_the_folder_that_holds_the_data_directory() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(directory.path().join("project/data")).expect("created");
        let places = Places {
            home: directory.path().join("home"),
            project: directory.path().join("project"),
        };
        let trust = FolderTrust::new(
            &places,
            DataFiles::new(directory.path().join("project/data")),
        );
        let made = trust.empty_directory().expect("made");
        assert!(!trust.leads_into(&made), "{}", made.display());
        assert!(!trust.leads_into(&trust.empty_directory_path()));
    }
}
