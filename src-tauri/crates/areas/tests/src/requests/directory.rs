//! The directory of the requests: the project's own, or a folder that the user opened instead.

use std::path::{Path, PathBuf};

use sightglass_area_core::{command::commands, error::InspectorError};
use sightglass_config::outside_project;
use sightglass_model::lock;
use sightglass_requests::{RequestPath, requests_directory};

use super::invalid;
use crate::requests::RequestFiles;

#[commands(directory_commands)]
impl RequestFiles {
    /// The directory of the requests that are shown: the project's, or the one that was opened.
    pub fn requests_directory(&self) -> PathBuf {
        let opened = lock(&self.opened_directory).clone();
        opened.unwrap_or_else(|| self.own_requests_directory())
    }

    /// The directory of the project's requests.
    pub fn own_requests_directory(&self) -> PathBuf {
        requests_directory(&self.core.options.places.project)
    }

    /// Shows the requests of another folder.
    pub fn open_requests_directory(&self, folder: &Path) -> Result<(), InspectorError> {
        if !folder.is_dir() {
            return Err(InspectorError::InvalidInput(format!(
                "{} is no folder.",
                folder.display()
            )));
        }
        let is_own = folder == self.own_requests_directory();
        self.show_requests_of((!is_own).then(|| folder.to_owned()));
        Ok(())
    }

    /// Shows the requests of the project again.
    #[command]
    pub fn show_project_requests(&self) {
        self.show_requests_of(None);
    }

    fn show_requests_of(&self, opened: Option<PathBuf>) {
        *lock(&self.opened_directory) = opened;
        self.publish_requests();
        if let Some(watch) = &*lock(&self.watch) {
            watch.look_again();
        }
    }

    /// Refuses a directory of the project that is really elsewhere: a link in it could lead to any
    /// folder of the user's. A folder that the user opened is meant as it is.
    pub(super) fn refuse_outside(&self, directory: &Path) -> Result<(), InspectorError> {
        if directory != self.own_requests_directory() {
            return Ok(());
        }
        match outside_project(directory, &self.core.options.places.project)? {
            None => Ok(()),
            Some(real) => Err(InspectorError::InvalidInput(format!(
                "{} is a link out of the project, to {}. Open that folder itself if it is yours.",
                directory.display(),
                real.display()
            ))),
        }
    }

    /// The file of a request that is shown, to be read or written.
    pub(super) fn file_of(&self, path: &RequestPath) -> Result<PathBuf, InspectorError> {
        let directory = self.requests_directory();
        self.refuse_outside(&directory)?;
        path.without_links(&directory).map_err(invalid)
    }

    /// Tells whether requests come with the project's folder, and run once the user trusts it.
    /// Others were named by the user.
    pub(super) fn come_with_project(&self, directory: &Path) -> bool {
        self.folder_trust.answers.leads_into(directory)
    }
}
