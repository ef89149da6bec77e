//! The folder that the server was started for, and paths that stay in it.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use sightglass_files::{Replacement, Visibility};

use crate::error::ToolError;

/// A folder outside of which nothing is read or written.
#[derive(Debug)]
pub struct WorkFolder {
    /// Without symbolic links.
    directory: PathBuf,
}

/// Text of a file in the folder, as it was read.
#[derive(Debug)]
pub struct FileText {
    /// Without symbolic links.
    path: PathBuf,
    pub text: String,
}

impl WorkFolder {
    /// Opens a folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let directory = directory.canonicalize()?;
        match directory.is_dir() {
            true => Ok(Self { directory }),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Reads a text file of the folder, by a path that is relative to it or leads into it.
    pub fn read(&self, path: &str) -> Result<FileText, ToolError> {
        let resolved = self.resolve(&self.directory.join(path))?;
        let bytes = sightglass_files::read(&resolved)
            .map_err(|error| ToolError::new(format!("{path} cannot be read: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| ToolError::new(format!("{path} is not UTF-8.")))?;
        Ok(FileText {
            path: resolved,
            text,
        })
    }

    /// Returns true where something has this name in the folder, also what may not be read.
    pub fn has(&self, path: &str) -> bool {
        self.directory.join(path).symlink_metadata().is_ok()
    }

    /// Replaces a file that was read, in one step. Its permissions stay.
    ///
    /// # Errors
    /// When it has changed since then, and where the system refuses.
    pub fn replace(&self, file: &FileText, text: &str) -> Result<(), ToolError> {
        // The way to it may lead elsewhere by now.
        let path = self.resolve(&file.path)?;
        let write = || -> io::Result<bool> {
            let mut replacement = replacement(&path)?;
            let permissions = fs::metadata(&path)?.permissions();
            replacement.file().set_permissions(permissions)?;
            replacement.write(text.as_bytes())?;
            replacement.sync()?;
            if sightglass_files::read(&path)? != file.text.as_bytes() {
                return Ok(false);
            }
            replacement.commit()?;
            Ok(true)
        };
        match write() {
            Ok(true) => Ok(()),
            Ok(false) => Err(ToolError::new(
                "The file was changed meanwhile and is left as it is. Read it again.",
            )),
            Err(error) => Err(ToolError::unwritten(&error)),
        }
    }

    /// Returns a folder directly in this one, which is made where it is missing.
    pub fn folder(&self, name: &str) -> Result<PathBuf, ToolError> {
        let path = self.directory.join(name);
        match fs::create_dir(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(ToolError::unwritten(&error));
            }
            _ => {}
        }
        let resolved = self.resolve(&path)?;
        match resolved.is_dir() {
            true => Ok(resolved),
            false => Err(ToolError::new(format!("{name} is no folder."))),
        }
    }

    /// Resolves every symbolic link of a path.
    ///
    /// # Errors
    /// When it leads out of the folder, or to nothing.
    fn resolve(&self, path: &Path) -> Result<PathBuf, ToolError> {
        let outside = || {
            ToolError::new(format!(
                "Only what lies in {} can be used.",
                self.directory.display()
            ))
        };
        // What is outside is not even looked at: whether it exists is nobody's business here.
        let written = path.strip_prefix(&self.directory).map_err(|_| outside())?;
        if written
            .components()
            .any(|part| part == Component::ParentDir)
        {
            return Err(outside());
        }
        let resolved = path
            .canonicalize()
            .map_err(|error| ToolError::new(format!("{}: {error}", written.display())))?;
        match resolved.starts_with(&self.directory) {
            true => Ok(resolved),
            false => Err(outside()),
        }
    }
}

/// Writes a file of a folder that was [resolved](WorkFolder::folder), in one step.
pub fn write(folder: &Path, name: &str, text: &str) -> Result<(), ToolError> {
    let written = replacement(&folder.join(name)).and_then(|mut replacement| {
        replacement.write(text.as_bytes())?;
        replacement.commit()
    });
    written.map_err(|error| ToolError::unwritten(&error))
}

fn replacement(path: &Path) -> io::Result<Replacement> {
    Replacement::new(path, Visibility::Usual, ".workbench-", ".new")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let inside = place.path().join("inside");
        fs::create_dir_all(inside.join("a")).expect("made");
        for file in ["secret.ipynb", "inside/a/one.ipynb"] {
            sightglass_files::replace(&place.path().join(file), b"{}").expect("written");
        }
        let root = WorkFolder::open(&inside).expect("a folder");
        let absolute = root.directory.join("a/one.ipynb");
        assert!(root.read("a/one.ipynb").is_ok());
        assert!(root.read(&absolute.to_string_lossy()).is_ok());
        let secret = place.path().join("secret.ipynb");
        for path in [
            "../secret.ipynb",
            "a/../../secret.ipynb",
            "a/../a/one.ipynb",
            &secret.to_string_lossy(),
            "/etc/passwd",
            "a",
            "",
        ] {
            assert!(root.read(path).is_err(), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused() {
        use std::os::unix::fs::symlink;

        let place = tempfile::tempdir().expect("a folder");
        let inside = place.path().join("inside");
        fs::create_dir_all(&inside).expect("made");
        let secret = place.path().join("secret.ipynb");
        sightglass_files::replace(&secret, b"{}").expect("written");
        symlink(&secret, inside.join("link.ipynb")).expect("made");
        symlink(place.path(), inside.join("out")).expect("made");
        let root = WorkFolder::open(&inside).expect("a folder");
        for path in ["link.ipynb", "out/secret.ipynb", "out/nothing.ipynb"] {
            assert!(root.read(path).is_err(), "{path}");
        }
        assert!(root.folder("out").is_err());
        assert!(root.folder("new").is_ok());
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("one");
        sightglass_files::replace(&path, b"old").expect("written");
        let root = WorkFolder::open(place.path()).expect("a folder");
        let file = root.read("one").expect("read");
        sightglass_files::replace(&path, b"theirs").expect("written");
        assert!(root.replace(&file, "mine").is_err());
        assert_eq!(fs::read(&path).expect("read"), b"theirs");
        assert_eq!(fs::read_dir(place.path()).expect("read").count(), 1);
    }
}
