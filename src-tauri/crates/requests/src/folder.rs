//! The directory of a project's requests.

use std::{
    fmt, fs, io,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The directory of a project's requests.
const REQUEST_DIRECTORY: &str = ".sightglass/requests";

/// Number of requests that one run or one window takes.
const MAX_REQUESTS: usize = 10_000;

/// Levels of folders below the directory of the requests.
const MAX_DEPTH: usize = 16;

/// Path of a request below the directory of the requests, with `/` between its parts:
/// `echo/answers.toml`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(transparent)]
pub struct RequestPath(String);

/// Reason why a directory of requests cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    #[error("{0} is not a path of a request: it has to end with .toml and stay in the folder.")]
    NotRequest(String),
    #[error("{path} cannot be read: {source}.")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("There are more than {MAX_REQUESTS} requests in {0}. Name a folder in it.")]
    TooMany(PathBuf),
    #[error(
        "{0} is a link. A link could lead to any file of yours; put the file itself in its place."
    )]
    Link(PathBuf),
}

impl RequestPath {
    /// Checks a path.
    pub fn parse(text: &str) -> Result<Self, FolderError> {
        let text = text.replace('\\', "/");
        let is_below = Path::new(&text)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let is_plain = text
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'));
        if !is_below || !is_plain || !text.ends_with(".toml") || text.contains('\0') {
            return Err(FolderError::NotRequest(text));
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder that it is in; empty for the directory of the requests itself.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The name of its file without the extension.
    pub fn stem(&self) -> &str {
        let name = self.0.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".toml").unwrap_or(name)
    }

    /// The file in a directory of requests.
    pub fn below(&self, directory: &Path) -> PathBuf {
        directory.join(&self.0)
    }

    /// The file in a directory of requests, to be read or written: neither it nor a folder on the
    /// way to it is a link.
    pub fn without_links(&self, directory: &Path) -> Result<PathBuf, FolderError> {
        let mut path = directory.to_owned();
        for part in self.0.split('/') {
            path.push(part);
            refuse_link(&path)?;
        }
        Ok(path)
    }
}

impl fmt::Display for RequestPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Refuses a path that is a link. Git stores links, so that one of a project can lead to any file
/// of the user's.
pub fn refuse_link(path: &Path) -> Result<(), FolderError> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => Err(FolderError::Link(path.to_owned())),
        _ => Ok(()),
    }
}

/// The directory of a project's requests.
pub fn requests_directory(project: &Path) -> PathBuf {
    project.join(REQUEST_DIRECTORY)
}

/// The requests of a directory, in the order in which they run: those of a folder by name, then
/// its folders by name. A directory that is not there has none. Links to folders are not followed.
pub fn request_paths(directory: &Path) -> Result<Vec<RequestPath>, FolderError> {
    let mut found = FolderContents::default();
    collect(directory, directory, 0, &mut found)?;
    Ok(found.requests)
}

/// The folders that requests are looked for in: a directory, whether it is there or not, and those
/// below it, as far as they can be read.
pub fn request_folders(directory: &Path) -> Vec<PathBuf> {
    let mut found = FolderContents::default();
    // The list of the requests says what is wrong.
    let _ = collect(directory, directory, 0, &mut found);
    found.folders
}

#[derive(Default)]
struct FolderContents {
    requests: Vec<RequestPath>,
    folders: Vec<PathBuf>,
}

fn collect(
    root: &Path,
    directory: &Path,
    depth: usize,
    found: &mut FolderContents,
) -> Result<(), FolderError> {
    found.folders.push(directory.to_owned());
    let unreadable = |source| FolderError::Unreadable {
        path: directory.to_owned(),
        source,
    };
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound && depth == 0 => return Ok(()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut folders = Vec::new();
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_dir() {
            folders.push(path);
        } else if kind.is_file() {
            files.push(path);
        }
    }
    files.sort();
    folders.sort();
    for file in files {
        let below = file.strip_prefix(root).ok().and_then(Path::to_str);
        if let Some(Ok(path)) = below.map(RequestPath::parse) {
            found.requests.push(path);
        }
        if found.requests.len() > MAX_REQUESTS {
            return Err(FolderError::TooMany(root.to_owned()));
        }
    }
    for folder in folders {
        let is_hidden = folder
            .file_name()
            .is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if depth < MAX_DEPTH && !is_hidden {
            collect(root, &folder, depth + 1, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_its_directory() {
        for path in ["a.toml", "a/b c.toml"] {
            assert!(RequestPath::parse(path).is_ok(), "{path}");
        }
        assert_eq!(
            RequestPath::parse("a\\b.toml")
                .map(|path| path.folder().to_owned())
                .ok(),
            Some("a".into())
        );
        for path in [
            "",
            "a",
            "a.json",
            "/a.toml",
            "../a.toml",
            "a/../b.toml",
            "a//b.toml",
            "./a.toml",
            ".git/a.toml",
            "a/.b.toml",
            "a\0.toml",
        ] {
            assert!(RequestPath::parse(path).is_err(), "{path}");
        }
    }

    #[test]
    fn requests_are_looked_for_in_folders_that_are_not_hidden() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().join("requests");
        assert_eq!(request_folders(&root), std::slice::from_ref(&root));
        for folder in ["a/b", ".git/c"] {
            fs::create_dir_all(root.join(folder)).expect("made");
        }
        let folders = [root.clone(), root.join("a"), root.join("a/b")];
        assert_eq!(request_folders(&root), folders);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_on_the_way_is_refused() {
        use std::os::unix::fs::symlink;

        let directory = tempfile::tempdir().expect("a directory");
        let (root, outside) = (directory.path().join("in"), directory.path().join("out"));
        for path in [root.join("a"), outside.clone()] {
            fs::create_dir_all(path).expect("made");
        }
        symlink(&outside, root.join("link")).expect("linked");
        symlink(outside.join("x"), root.join("a/x.toml")).expect("linked");
        let found = |path: &str| {
            let path = RequestPath::parse(path).expect(path);
            path.without_links(&root)
        };
        assert_eq!(found("a/y.toml").ok(), Some(root.join("a/y.toml")));
        for path in ["link/x.toml", "a/x.toml"] {
            assert!(matches!(found(path), Err(FolderError::Link(_))), "{path}");
        }
    }

    #[test]
    fn requests_run_in_the_order_of_their_names_folders_last() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path();
        for path in [
            "b.toml",
            "a/2.toml",
            "a/1.toml",
            "a/x.snap.json",
            ".hidden/a.toml",
            "a.toml",
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            sightglass_files::replace(&path, b"").expect("written");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc", root.join("etc")).expect("linked");
        let paths = request_paths(root).expect("requests");
        let paths: Vec<&str> = paths.iter().map(RequestPath::as_str).collect();
        assert_eq!(paths, ["a.toml", "b.toml", "a/1.toml", "a/2.toml"]);
        assert!(
            request_paths(&root.join("none"))
                .expect("nothing")
                .is_empty()
        );
    }
}
