//! Asks whether programs may start in the project's folder, and tells what an answer changes.

use std::{path::PathBuf, sync::Arc};

use sightglass_area_core::{
    command::commands,
    config_workspace::ConfiguredServer,
    core::Core,
    defined_by::defined_by,
    error::InspectorError,
    publisher::Notice,
    view::{Fact, FolderAnswer, FolderTrustView, StartPlace, StartView},
};
use sightglass_config::{Target, scope_place};
use sightglass_model::{DefinedBy, PermittedSpec, ServerId, lock};

use crate::{
    configuration::Configuration,
    folder_answers::{FolderAnswers, Start},
    open_connections::OpenConnections,
    resolution::SpecResolver,
    session_variables::SessionVariables,
};

/// Trust in the project's folder, as servers and the user see it.
pub struct ProjectFolderTrust {
    pub(crate) core: Arc<Core>,
    pub(crate) configuration: Arc<Configuration>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) resolution: Arc<SpecResolver>,
    pub(crate) session_variables: Arc<SessionVariables>,
    pub answers: Arc<FolderAnswers>,
}

#[commands]
impl ProjectFolderTrust {
    /// Returns the project's folder and the user's answer to the question whether to trust it.
    pub fn folder_trust(&self) -> FolderTrustView {
        self.answers.view()
    }

    /// Trusts the project's folder: programs may start in it from now on.
    #[command]
    pub fn trust_folder(&self) -> Result<(), InspectorError> {
        self.answers.save(true)?;
        self.publish_folder_trust();
        Ok(())
    }

    /// Takes the trust back, or says that there is none: programs start outside the folder, and
    /// the user is not asked again. What runs in the folder is closed.
    ///
    /// # Errors
    /// When the answer cannot be kept, or the folder is the home directory.
    #[command]
    pub fn distrust_folder(&self) -> Result<(), InspectorError> {
        self.answers.save(false)?;
        self.publish_folder_trust();
        Ok(())
    }

    /// The directory from which the program of a server in this scope is looked for: the one
    /// that it will start in.
    pub fn search_directory(&self, target: &Target) -> PathBuf {
        let machine = &self.core.config.machine;
        let is_own =
            scope_place(target, machine).is_some_and(|place| !place.comes_with_project(machine));
        if is_own && !self.answers.is_trusted() {
            self.answers.empty_directory_path()
        } else {
            self.answers.folder.clone()
        }
    }

    /// Publishes the answer when it differs from the one that was published last, and acts on it.
    /// Another program may have changed it.
    pub fn publish_folder_trust(&self) {
        let view = self.answers.view();
        {
            let mut published = lock(&self.answers.published);
            if *published == view.answer {
                return;
            }
            *published = view.answer;
        }
        if view.answer != FolderAnswer::Trusted {
            let in_folder: Vec<ServerId> = lock(&self.answers.started)
                .iter()
                .filter(|(_, place)| **place == StartPlace::Folder)
                .map(|(server, _)| server.clone())
                .collect();
            self.open_connections.close_all(in_folder.iter());
        }
        self.core.publisher.publish(Fact::Folder { folder: view });
        self.core.publisher.notify(&Notice::FolderTrust);
    }

    /// Says what a server uses of the folder, while the folder is not trusted.
    pub fn untrusted_use(&self, server: &ConfiguredServer) -> Option<String> {
        if self.answers.is_trusted() {
            return None;
        }
        self.judged(server)?.use_of_folder
    }

    /// Like [`untrusted_use`](Self::untrusted_use), of a server that was judged.
    pub(crate) fn untrusted_use_of(&self, judged: Option<&Start>) -> Option<String> {
        let used = judged?.use_of_folder.as_ref()?;
        (!self.answers.is_trusted()).then(|| used.clone())
    }

    /// Returns the place where the program of a server that was judged starts, and where it was
    /// started last.
    pub(crate) fn start_view(
        &self,
        server: &ServerId,
        judged: Option<&Start>,
    ) -> Option<StartView> {
        let judged = judged?;
        Some(StartView {
            next: judged.place?,
            last: lock(&self.answers.started).get(server).copied(),
            misses_folder: judged.misses_folder,
        })
    }

    /// Judges a server of the files by what is known of it before it is connected.
    pub(crate) fn judged(&self, server: &ConfiguredServer) -> Option<Start> {
        let plan = server.plan();
        let environment =
            self.session_variables
                .environment_for_judging(&server.id, &server.place.path, plan);
        let spec = plan.resolve_known(self.resolution.resolve_options(&*environment))?;
        Some(self.answers.judge(&spec, self.definer(server)))
    }

    /// Returns who defines a server of the files, as far as the folder is concerned. An entry of the
    /// folder's own files is the user's as long as it is what they wrote there through Sightglass.
    fn definer(&self, server: &ConfiguredServer) -> DefinedBy {
        let definer = defined_by(&server.id, &server.files);
        let is_written = || {
            let (project, plan) = (self.answers.key(), server.plan().fingerprint());
            lock(&self.core.config.approvals).holds_written(&project, &server.id, &plan)
        };
        match definer {
            DefinedBy::Project if is_written() => DefinedBy::User,
            _ => definer,
        }
    }

    /// Returns true when the program of a server was last started in an empty directory, because
    /// the folder was not trusted.
    pub fn started_outside(&self, server: &ServerId) -> bool {
        lock(&self.answers.started).get(server) == Some(&StartPlace::EmptyDirectory)
    }

    /// The server with the directory that its program is to start in. Each way to start one
    /// passes here.
    ///
    /// # Errors
    /// When it uses a folder that is not trusted, or there is no empty directory for it.
    pub fn with_working_directory(
        &self,
        server: &ServerId,
        mut spec: PermittedSpec,
    ) -> Result<PermittedSpec, InspectorError> {
        let folder = &self.answers;
        let definer = match self.configuration.configured(server) {
            Ok(configured) => self.definer(&configured),
            Err(_) => self.configuration.defined_by(server),
        };
        let Start {
            place,
            use_of_folder,
            ..
        } = folder.judge(&spec, definer);
        if let Some(reason) = use_of_folder
            && !folder.is_trusted()
        {
            return Err(InspectorError::FolderNotTrusted {
                server: server.clone(),
                folder: folder.folder.display().to_string(),
                reason,
            });
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
            self.core.publisher.notify(&Notice::Server(server.clone()));
        }
        Ok(spec)
    }
}
