//! Saves, changes and moves request files for the window.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    text_hash::hash_of,
    view::{ExpectationDraft, ExpectationView, RequestDraftFile, RequestTextView},
};
use sightglass_requests::{
    Expectation, NewExpectation, NewRequest, RequestFile, RequestPath, RequestServer,
    added_expectation, new_request, removed_expectation, renamed, snapshot_path,
};

use super::{checked, read_text, request_view};
use crate::requests::RequestFiles;

#[commands(edit_commands)]
impl RequestFiles {
    /// A request with its text.
    #[command(name = "get_request_text")]
    pub fn request_text(&self, path: &str) -> Result<RequestTextView, InspectorError> {
        let path = checked(path)?;
        let (directory, _, text) = self.read_request(&path)?;
        Ok(text_view(&directory, path, text))
    }

    /// The directory, the file and the text of a request.
    fn read_request(
        &self,
        path: &RequestPath,
    ) -> Result<(PathBuf, PathBuf, String), InspectorError> {
        let directory = self.requests_directory();
        let file = self.file_of(path)?;
        let text = read_text(&directory, path)?;
        Ok((directory, file, text))
    }

    /// Looks at a text as if it were saved.
    #[command]
    pub fn check_request(&self, path: &str, text: &str) -> Result<RequestTextView, InspectorError> {
        let directory = self.requests_directory();
        Ok(text_view(&directory, checked(path)?, text.to_owned()))
    }

    /// Saves a request's text, in place of the one with this hash.
    ///
    /// # Errors
    /// When the file is another one by now, or cannot be written.
    #[command]
    pub fn update_request(
        &self,
        path: &str,
        text: &str,
        hash: &str,
    ) -> Result<RequestTextView, InspectorError> {
        let path = checked(path)?;
        let (directory, file, present) = self.read_request(&path)?;
        if hash_of(&present) != hash {
            return Err(changed_meanwhile(&path));
        }
        overwrite(&directory, &path, &file, &present, text)?;
        self.publish_requests();
        Ok(text_view(&directory, path, text.to_owned()))
    }

    /// Saves a new request, under a file name made of its name. Returns its path.
    #[command]
    pub fn create_request(&self, draft: &RequestDraftFile) -> Result<RequestPath, InspectorError> {
        let server = self.effective_name(&draft.server)?;
        let request = NewRequest {
            name: Some(draft.name.trim().to_owned()).filter(|name| !name.is_empty()),
            tags: Vec::new(),
            server: RequestServer::Named(server),
            method: draft.method.clone(),
            params: draft.params.clone(),
            timeout: None,
            expectations: vec![NewExpectation {
                value: "is_error".to_owned(),
                is: "equals".to_owned(),
                is_negated: false,
                to: Some("false".to_owned()),
            }],
        };
        let path = self.write_new(&draft.folder, &draft.name, &request)?;
        self.publish_requests();
        Ok(path)
    }

    /// Writes files, none of which may be there yet. Returns where they are.
    pub fn write_requests(
        &self,
        files: &[(RequestPath, String)],
    ) -> Result<Vec<PathBuf>, InspectorError> {
        let mut places = Vec::new();
        for (path, _) in files {
            let file = self.file_of(path)?;
            if file.exists() {
                return Err(InspectorError::InvalidInput(format!(
                    "{} is there already, and nothing was written. Delete or move it first.",
                    file.display()
                )));
            }
            places.push(file);
        }
        for (file, (_, text)) in places.iter().zip(files) {
            write(file, text)?;
        }
        self.publish_requests();
        Ok(places)
    }

    /// Writes a request into a file that is not there yet.
    pub(super) fn write_new(
        &self,
        folder: &str,
        name: &str,
        request: &NewRequest,
    ) -> Result<RequestPath, InspectorError> {
        let text = new_request(request);
        if let Err(problems) = RequestFile::parse(&text) {
            let first = problems.into_iter().next();
            let reason = first.map(|problem| problem.message).unwrap_or_default();
            return Err(InspectorError::InvalidInput(reason));
        }
        let stem = file_stem(name);
        let folder = folder.trim_matches('/');
        for number in 1..1000 {
            let stem = match number {
                1 => stem.clone(),
                number => format!("{stem}-{number}"),
            };
            let path = match folder {
                "" => checked(&format!("{stem}.toml"))?,
                folder => checked(&format!("{folder}/{stem}.toml"))?,
            };
            let file = self.file_of(&path)?;
            if file.symlink_metadata().is_ok() {
                continue;
            }
            write(&file, &text)?;
            return Ok(path);
        }
        Err(InspectorError::InvalidInput(format!(
            "There are too many requests named {stem} already."
        )))
    }

    /// The name under which request files know a server.
    pub(super) fn effective_name(
        &self,
        server: &sightglass_model::ServerId,
    ) -> Result<String, InspectorError> {
        let servers = self.sidebar.server_views();
        let view = servers.iter().find(|view| view.id == *server);
        let view = view.ok_or_else(|| InspectorError::UnknownServer(server.clone()))?;
        // The name alone may mean the server of another client.
        match self.names.find_server(&view.name) {
            Ok(found) if found == *server => Ok(view.name.clone()),
            _ => Ok(server.to_string()),
        }
    }

    /// Moves a request, with its snapshot. A folder that is not there is made.
    #[command]
    pub fn move_request(&self, from: &str, to: &str) -> Result<(), InspectorError> {
        let (from, to) = (checked(from)?, checked(to)?);
        let (old, new) = (self.file_of(&from)?, self.file_of(&to)?);
        if from == to {
            return Ok(());
        }
        if new.symlink_metadata().is_ok() {
            return Err(InspectorError::InvalidInput(format!(
                "There is a request {to} already."
            )));
        }
        let failed = |source| not_saved(&new, source);
        make_parent(&new)?;
        fs::rename(&old, &new).map_err(failed)?;
        let snapshot = snapshot_path(&old);
        if snapshot.exists() {
            fs::rename(&snapshot, snapshot_path(&new)).map_err(failed)?;
        }
        self.publish_requests();
        Ok(())
    }

    /// Moves a folder with its requests and their snapshots. Folders on the way that are not there
    /// are made.
    ///
    /// # Errors
    /// When there is something already, `to` lies in `from`, or it cannot be moved.
    #[command]
    pub fn move_request_folder(&self, from: &str, to: &str) -> Result<(), InspectorError> {
        let (old, new) = (self.folder_of(from)?, self.folder_of(to)?);
        if old == new {
            return Ok(());
        }
        if new.starts_with(&old) {
            return Err(InspectorError::InvalidInput(format!(
                "The folder {from} cannot be moved into itself."
            )));
        }
        if new.symlink_metadata().is_ok() {
            return Err(InspectorError::InvalidInput(format!(
                "There is a folder {to} already."
            )));
        }
        make_parent(&new)?;
        fs::rename(&old, &new).map_err(|source| not_saved(&new, source))?;
        self.publish_requests();
        Ok(())
    }

    /// The directory of a folder of requests, which is no link and lies behind none.
    fn folder_of(&self, folder: &str) -> Result<PathBuf, InspectorError> {
        // The rules of a folder are those of a file in it.
        let inside = checked(&format!("{folder}/request.toml"))?;
        let mut directory = self.file_of(&inside)?;
        directory.pop();
        Ok(directory)
    }

    /// Gives a request another name; its file stays.
    #[command]
    pub fn rename_request(&self, path: &str, name: &str) -> Result<(), InspectorError> {
        self.change(path, |text| renamed(text, name))?;
        Ok(())
    }

    /// Deletes a request and its snapshot.
    #[command]
    pub fn delete_request(&self, path: &str) -> Result<(), InspectorError> {
        let file = self.file_of(&checked(path)?)?;
        let failed = |source| not_saved(&file, source);
        fs::remove_file(&file).map_err(failed)?;
        match fs::remove_file(snapshot_path(&file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        self.publish_requests();
        Ok(())
    }

    /// Adds an expectation to a request.
    #[command]
    pub fn create_expectation(
        &self,
        path: &str,
        draft: &ExpectationDraft,
    ) -> Result<RequestTextView, InspectorError> {
        let expectation = NewExpectation {
            value: draft.value.clone(),
            is: draft.is.clone(),
            is_negated: draft.not,
            to: draft.to.clone(),
        };
        self.change(path, |text| added_expectation(text, &expectation))
    }

    /// Removes an expectation of a request, counted from 0.
    #[command]
    pub fn delete_expectation(
        &self,
        path: &str,
        index: u32,
    ) -> Result<RequestTextView, InspectorError> {
        self.change(path, |text| removed_expectation(text, index as usize))
    }

    fn change(
        &self,
        path: &str,
        change: impl FnOnce(&str) -> Result<String, sightglass_requests::EditError>,
    ) -> Result<RequestTextView, InspectorError> {
        let path = checked(path)?;
        let (directory, file, text) = self.read_request(&path)?;
        let changed =
            change(&text).map_err(|error| InspectorError::InvalidInput(error.to_string()))?;
        overwrite(&directory, &path, &file, &text, &changed)?;
        self.publish_requests();
        Ok(text_view(&directory, path, changed))
    }
}

fn text_view(directory: &Path, path: RequestPath, text: String) -> RequestTextView {
    let expectations = RequestFile::parse(&text).map(|file| file.expectations);
    let expectation_view = |expectation: &Expectation| ExpectationView {
        label: expectation.to_string(),
        line: expectation.line,
    };
    RequestTextView {
        hash: hash_of(&text),
        expectations: expectations
            .unwrap_or_default()
            .iter()
            .map(expectation_view)
            .collect(),
        path: path.below(directory).display().to_string(),
        request: request_view(path, &text),
        text,
    }
}

fn write(file: &Path, text: &str) -> Result<(), InspectorError> {
    make_parent(file)?;
    sightglass_files::replace(file, text.as_bytes()).map_err(|source| not_saved(file, source))
}

/// Writes `text` in place of `present`, which was read before.
fn overwrite(
    directory: &Path,
    path: &RequestPath,
    file: &Path,
    present: &str,
    text: &str,
) -> Result<(), InspectorError> {
    let is_as_read = || read_text(directory, path).is_ok_and(|read| read == present);
    match sightglass_files::replace_if(file, text.as_bytes(), is_as_read) {
        Ok(true) => Ok(()),
        Ok(false) => Err(changed_meanwhile(path)),
        Err(source) => Err(not_saved(file, source)),
    }
}

fn changed_meanwhile(path: &RequestPath) -> InspectorError {
    InspectorError::InvalidInput(format!(
        "{path} was changed by another program meanwhile. Read it again; your text is not lost."
    ))
}

fn not_saved(file: &Path, source: io::Error) -> InspectorError {
    InspectorError::Save {
        what: file.display().to_string(),
        source,
    }
}

fn make_parent(file: &Path) -> Result<(), InspectorError> {
    let parent = file.parent().unwrap_or(file);
    fs::create_dir_all(parent).map_err(|source| not_saved(parent, source))
}

/// A file name made of a name: letters, digits and dashes.
pub(super) fn file_stem(name: &str) -> String {
    let mut stem = String::new();
    for character in name.trim().chars().take(80) {
        match character {
            plain if plain.is_alphanumeric() || plain == '_' => stem.extend(plain.to_lowercase()),
            _ if stem.is_empty() || stem.ends_with('-') => {}
            _ => stem.push('-'),
        }
    }
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() {
        "request".to_owned()
    } else {
        stem.to_owned()
    }
}
