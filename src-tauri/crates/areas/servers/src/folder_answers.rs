//! Stores the answer to whether programs may start in the project's folder, or with what lies in it.
//!
//! What lies in a folder changes what a harmless program does there: `npx` prefers its
//! `node_modules`, `python -m` its packages, npm reads its `.npmrc`, many servers its `.env`. And a
//! program elsewhere runs what lies in it when it is told to: `sh ${workspaceFolder}/server.sh`. So
//! the user is asked once for each folder. Until the answer is yes, programs of the user's own
//! files start in an empty directory of Sightglass's own, and those that the folder's files define,
//! or that use anything of the folder, do not start. What the user wrote into the folder's files
//! through Sightglass counts as of their own files. Use is judged by what an entry comes to once
//! its variables are put in. The home directory is the user's own and always trusted.

mod empty_directory;
mod folder_paths;

use std::{
    cell::LazyCell,
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Mutex,
};

use sightglass_area_core::{
    error::InspectorError,
    files::DataFiles,
    view::{FolderAnswer, FolderTrustView, StartPlace},
};
use sightglass_config::Places;
use sightglass_files::{NamedFolder, is_same_file, leads_into};
use sightglass_model::{DefinedBy, Endpoint, ReferenceSource, ServerId, ServerSpec, lock, visible};

use empty_directory::EmptyDirectories;
use folder_paths::FolderPaths;

/// The user's answer to whether to trust the project's folder, and what follows from it.
pub struct FolderAnswers {
    /// As it was opened.
    pub(crate) folder: PathBuf,
    pub(crate) canonical: PathBuf,
    home: PathBuf,
    is_home: bool,
    /// True when the user's home directory lies in it, so that most of what they have does.
    holds_home: bool,
    data: DataFiles,
    empty: EmptyDirectories,
    /// The answer that was published last.
    pub(crate) published: Mutex<FolderAnswer>,
    /// Place where the program of each server was started last.
    pub(crate) started: Mutex<HashMap<ServerId, StartPlace>>,
}

impl FolderAnswers {
    pub fn new(places: &Places, data: DataFiles) -> Self {
        let real = places.project.canonicalize();
        let canonical = real.unwrap_or_else(|_| places.project.clone());
        let trust = Self {
            folder: places.project.clone(),
            home: places.home.clone(),
            is_home: is_same_file(&canonical, &places.home),
            holds_home: leads_into(&canonical, &places.home),
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

    /// The folder as a rule names it.
    pub fn name(&self) -> String {
        self.folder
            .to_str()
            .map_or_else(|| self.key(), str::to_owned)
    }

    pub(crate) fn save(&self, is_trusted: bool) -> Result<(), InspectorError> {
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
        self.folder_by_names().holds(path)
    }

    fn folder_by_names(&self) -> NamedFolder<'_> {
        NamedFolder::named(self.names())
    }

    fn names(&self) -> [&Path; 2] {
        [&self.folder, &self.canonical]
    }

    /// Decides where a server starts and what it uses of the folder.
    pub(crate) fn judge(&self, spec: &ServerSpec, defined_by: DefinedBy) -> Start {
        let working_directory = match &spec.endpoint {
            Endpoint::Stdio {
                working_directory, ..
            } => Some(working_directory),
            Endpoint::Remote(remote) => {
                let helper = remote.headers_helper.as_ref();
                helper.map(|helper| &helper.working_directory)
            }
        };
        let use_of_folder = match defined_by {
            // The user named it together with the folder, as from a shell.
            DefinedBy::CommandLine | DefinedBy::BuiltIn => None,
            DefinedBy::Project => working_directory
                .is_some()
                .then(|| "One of the folder's files defines it.".to_owned()),
            DefinedBy::User | DefinedBy::Unsaved => self.use_of_folder(spec),
        };
        let place = working_directory.map(|directory| match directory {
            // It needs nothing of the folder, so that nobody has to be asked for it.
            _ if defined_by == DefinedBy::BuiltIn => StartPlace::EmptyDirectory,
            _ if use_of_folder.is_some() => StartPlace::Folder,
            Some(directory) if self.leads_into(directory) => StartPlace::Folder,
            Some(_) => StartPlace::Elsewhere,
            None if defined_by == DefinedBy::CommandLine || self.is_trusted() => StartPlace::Folder,
            None => StartPlace::EmptyDirectory,
        });
        let misses_folder =
            place == Some(StartPlace::EmptyDirectory) && self.may_be_meant(&spec.endpoint);
        Start {
            place,
            use_of_folder,
            misses_folder,
        }
    }

    /// Tells whether a program that starts elsewhere may miss the folder.
    fn may_be_meant(&self, endpoint: &Endpoint) -> bool {
        texts(endpoint)
            .iter()
            .any(|(_, text)| folder_paths::may_mean(&self.folder, text))
    }

    /// Says in a sentence what an entry uses of the folder; `None` when it is nothing.
    fn use_of_folder(&self, spec: &ServerSpec) -> Option<String> {
        let folder = self.folder_by_names();
        for reference in &spec.references {
            let (field, name) = (visible(&reference.field), visible(&reference.name));
            match &reference.source {
                ReferenceSource::Project => {
                    return Some(format!("Its {field} uses ${{{name}}}."));
                }
                ReferenceSource::File(file) if folder.holds(file) => {
                    return Some(format!(
                        "Its {field} takes values from a file of the folder."
                    ));
                }
                _ => {}
            }
        }
        let working_directory = match &spec.endpoint {
            Endpoint::Stdio {
                working_directory, ..
            } => working_directory.as_deref(),
            Endpoint::Remote(remote) => {
                let authority = remote.trust.ca_file.as_deref();
                if authority.is_some_and(|file| folder.holds(file)) {
                    return Some("Its ca_file lies in the folder.".to_owned());
                }
                let helper = remote.headers_helper.as_ref()?;
                helper.working_directory.as_deref()
            }
        };
        if working_directory.is_some_and(|directory| folder.holds(directory)) {
            return Some("Its working directory lies in the folder.".to_owned());
        }
        // That something lies in a folder above the home directory says nothing of whose it is.
        if self.holds_home {
            return None;
        }
        let empty = LazyCell::new(|| self.empty_directory_path());
        let from = || working_directory.unwrap_or_else(|| empty.as_path());
        let paths = FolderPaths {
            home: &self.home,
            names: self.names(),
            folder: &folder,
            from: &from,
        };
        let field = texts(&spec.endpoint)
            .into_iter()
            .find_map(|(field, text)| paths.are_in(text).then_some(field))?;
        Some(format!(
            "Its {} names a path of the folder.",
            visible(&field)
        ))
    }

    /// The directory that programs outside the folder are looked for from. It need not exist.
    pub fn empty_directory_path(&self) -> PathBuf {
        let leads_into = |path: &Path| self.leads_into(path);
        self.empty.path(&self.canonical, leads_into)
    }

    /// Returns an empty directory outside the folder that only this user can read.
    pub(crate) fn empty_directory(&self) -> io::Result<PathBuf> {
        let leads_into = |path: &Path| self.leads_into(path);
        self.empty.create(&self.canonical, leads_into)
    }
}

/// Start of a server, as far as folder trust decides it.
pub(crate) struct Start {
    /// `None` for what starts no program, nor a command that gives a server's headers.
    pub place: Option<StartPlace>,
    /// Use of the folder, in a sentence; `None` when it uses nothing that needs trust.
    pub use_of_folder: Option<String>,
    /// True when it is to start in an empty directory and may need what lies in the folder.
    pub misses_folder: bool,
}

/// The texts of an endpoint that a program is started with, each with its field.
fn texts(endpoint: &Endpoint) -> Vec<(String, &str)> {
    match endpoint {
        Endpoint::Stdio {
            command,
            arguments,
            environment,
            ..
        } => {
            let arguments = arguments.iter().enumerate();
            let arguments = arguments.map(|(index, text)| (format!("args[{index}]"), text));
            let variables = environment
                .iter()
                .map(|(name, value)| (format!("env.{name}"), value.expose()));
            std::iter::once(("command".to_owned(), command))
                .chain(arguments)
                .chain(variables)
                .map(|(field, text)| (field, text.as_str()))
                .collect()
        }
        Endpoint::Remote(remote) => {
            let Some(helper) = &remote.headers_helper else {
                return Vec::new();
            };
            let values = helper.variables.values().map(|value| value.expose());
            std::iter::once(&helper.command)
                .chain(values)
                .map(|text| ("headersHelper".to_owned(), text.as_str()))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A home, a project and a data directory beside each other.
    fn trust(directory: &Path) -> FolderAnswers {
        for name in ["home", "project/inner", "data", "elsewhere"] {
            fs::create_dir_all(directory.join(name)).expect("created");
        }
        let places = Places {
            home: directory.join("home"),
            project: directory.join("project"),
        };
        FolderAnswers::new(&places, DataFiles::new(directory.join("data")))
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
        let home = FolderAnswers::new(&places, DataFiles::new(directory.path().join("data")));
        assert!(home.is_trusted());
        assert!(home.save(false).is_err());
    }

    #[test]
    fn an_empty_directory_lies_outside_the_folder_that_holds_the_data_directory() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(directory.path().join("project/data")).expect("created");
        let places = Places {
            home: directory.path().join("home"),
            project: directory.path().join("project"),
        };
        let trust = FolderAnswers::new(
            &places,
            DataFiles::new(directory.path().join("project/data")),
        );
        let made = trust.empty_directory().expect("made");
        assert!(!trust.leads_into(&made), "{}", made.display());
        assert!(!trust.leads_into(&trust.empty_directory_path()));
    }
}
