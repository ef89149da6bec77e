//! Replaces a file in one step that survives a power cut.
//!
//! The new content is written beside the file, brought to the disk, and renamed over it; then the
//! rename is brought to the disk. Readers see the old file or the new one, never a part.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::directory::sync_directory;

/// Readers of a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// The owner: mode 0600.
    OwnerOnly,
    /// Those whom the process's umask allows.
    Usual,
}

/// New content of a file, which stands beside it until [`commit`](Self::commit). Dropped before,
/// it leaves the file as it was.
#[derive(Debug)]
pub struct Replacement {
    beside: NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// Makes the empty file beside `target`, whose directory has to exist. `prefix` and `suffix`
    /// surround six random letters in its name.
    pub fn new(
        target: &Path,
        visibility: Visibility,
        prefix: &str,
        suffix: &str,
    ) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix).suffix(suffix);
        // The library's own default is 0600; the umask applies to what is asked for here.
        #[cfg(unix)]
        if visibility == Visibility::Usual {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        #[cfg(not(unix))]
        let _ = visibility;
        Ok(Self {
            beside: builder.tempfile_in(directory_of(target))?,
            target: target.to_owned(),
        })
    }

    /// Adds to the content.
    pub fn write(&mut self, content: &[u8]) -> io::Result<()> {
        self.beside.write_all(content)
    }

    /// The file beside the target, for its owner and permissions.
    pub fn file(&self) -> &File {
        self.beside.as_file()
    }

    /// Brings the content to the disk, so that little is left to do between the last look at the
    /// target and [`commit`](Self::commit).
    pub fn sync(&self) -> io::Result<()> {
        self.beside.as_file().sync_all()
    }

    /// Puts the content in the target's place, on the disk too.
    ///
    /// # Errors
    /// When the system refuses. The target is as it was unless the last step, bringing the rename
    /// to the disk, failed.
    pub fn commit(self) -> io::Result<()> {
        self.sync()?;
        self.beside
            .persist(&self.target)
            .map_err(|error| error.error)?;
        sync_directory(directory_of(&self.target))
    }

    /// As [`commit`](Self::commit), but refuses where the target exists already.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`], and when the system refuses. The replacement is handed
    /// back as `Some` if it can be committed under another name.
    pub fn commit_new(self) -> Result<(), (io::Error, Option<Self>)> {
        if let Err(error) = self.sync() {
            return Err((error, None));
        }
        let target = self.target;
        match self.beside.persist_noclobber(&target) {
            Ok(_) => sync_directory(directory_of(&target)).map_err(|error| (error, None)),
            Err(error) => Err((
                error.error,
                Some(Self {
                    beside: error.file,
                    target,
                }),
            )),
        }
    }

    /// Chooses another file of the same directory as the target.
    pub fn retarget(&mut self, target: PathBuf) {
        self.target = target;
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Replaces a file whose directory exists. It is readable by its owner alone.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    beside(path, content)?.commit()
}

/// As [`replace`], but asks once the content is on the disk, right before the rename, whether the
/// file is still the one to be replaced. Returns the answer; after `false` the file is as it was.
pub fn replace_if(
    path: &Path,
    content: &[u8],
    is_to_be_replaced: impl FnOnce() -> bool,
) -> io::Result<bool> {
    let replacement = beside(path, content)?;
    replacement.sync()?;
    if !is_to_be_replaced() {
        return Ok(false);
    }
    replacement.commit()?;
    Ok(true)
}

fn beside(path: &Path, content: &[u8]) -> io::Result<Replacement> {
    let mut replacement = Replacement::new(path, Visibility::OwnerOnly, ".sightglass-", ".new")?;
    replacement.write(content)?;
    Ok(replacement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_another_program_changed_is_not_replaced() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        replace(&path, b"old").expect("written");
        let is_replaced = replace_if(&path, b"mine", || {
            replace(&path, b"theirs").expect("written");
            std::fs::read(&path).is_ok_and(|content| content == b"old")
        });
        assert!(!is_replaced.expect("looked at"));
        assert_eq!(std::fs::read(&path).expect("read"), b"theirs");
        let files = std::fs::read_dir(directory.path()).expect("read");
        assert_eq!(files.count(), 1);
        assert!(replace_if(&path, b"mine", || true).expect("written"));
        assert_eq!(std::fs::read(&path).expect("read"), b"mine");
    }

    #[test]
    fn a_replacement_that_is_dropped_leaves_the_file_and_nothing_beside_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        replace(&path, b"old").expect("written");
        let mut replacement =
            Replacement::new(&path, Visibility::OwnerOnly, ".x-", ".new").expect("made");
        replacement.write(b"new").expect("written");
        drop(replacement);
        assert_eq!(crate::read(&path).expect("read"), b"old");
        let names = std::fs::read_dir(directory.path()).expect("read").count();
        assert_eq!(names, 1);
    }

    #[test]
    fn a_new_file_takes_no_name_that_is_taken() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        replace(&path, b"old").expect("written");
        let mut replacement =
            Replacement::new(&path, Visibility::OwnerOnly, ".x-", ".new").expect("made");
        replacement.write(b"new").expect("written");
        let (error, again) = replacement.commit_new().expect_err("taken");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        let mut again = again.expect("handed back");
        again.retarget(directory.path().join("other"));
        again.commit_new().expect("free");
        assert_eq!(crate::read(&path).expect("read"), b"old");
    }
}
