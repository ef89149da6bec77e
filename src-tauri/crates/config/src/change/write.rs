//! Writes configuration files, atomically; the one place that does.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

use sightglass_files::{
    FileLock, LockError, Replacement, Visibility, create_private_directory, sync_directory,
};
use sightglass_model::lock;

use crate::change::{
    error::ConfigError,
    file_change::{FileChange, read_text},
};

/// Number of symbolic links that are followed from one to the next, as on Linux.
const MAX_LINKS: usize = 40;

/// Prefix and suffix of temporary files until they are renamed.
const PREFIX: &str = ".mcp-";
const SUFFIX: &str = ".new";

/// Age of a new text that no writer will rename any more.
const MIN_LEFTOVER_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Changes of this process are made one after the other, so that of two that were planned on
/// the same text the second is refused. Between processes a lock in the data directory does it,
/// [`lock_writes`]; none is taken here, since any user who can read the directory of the
/// target could hold that one for ever.
static WRITE_LOCK: Mutex<()> = Mutex::new(());

/// Time that another process may take to carry out a plan.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// Waits until no other process that uses this data directory changes configuration files, and
/// keeps them from it until the lock is dropped. `None` where the file system knows no locks: the
/// check for changes underneath is all there is then.
///
/// # Errors
/// [`ConfigError::Locked`] when another program holds the lock for more than ten seconds.
pub fn lock_writes(data_directory: &Path) -> Result<Option<FileLock>, ConfigError> {
    let path = data_directory.join("config.lock");
    create_private_directory(data_directory).map_err(|source| unwritable(&path, source))?;
    match FileLock::acquire(&path, LOCK_TIMEOUT) {
        Ok(lock) => Ok(Some(lock)),
        Err(LockError::Io { source, .. }) if source.kind() == io::ErrorKind::Unsupported => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Puts a planned change in place.
///
/// The new text is written beside the file, brought to the disk, and renamed over it, so
/// that a reader sees the old file or the new one and a crash leaves one of both. A symbolic
/// link stays; the file it leads to is replaced. Permissions and, on Unix, the owner stay.
/// A new file gets the usual permissions, or 0600 when the change adds a secret. Missing
/// directories are made. What a writer that was killed left beside the file is removed.
///
/// # Errors
/// [`ConfigError::ChangedUnderneath`] when the file no longer is what the change was planned
/// on, and the reasons for which a system refuses to write. Nothing is changed then, except
/// that directories may have been made.
pub fn write(change: &FileChange) -> Result<(), ConfigError> {
    // The lock guards no data that a panic could have left half made.
    let _one_at_a_time = lock(&WRITE_LOCK);
    let target = link_target(change.path())?;
    refuse_if_changed(change, &target)?;
    if change.is_empty() {
        return Ok(());
    }
    let unwritable = |source: io::Error| unwritable(&target, source);
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(directory).map_err(unwritable)?;
    remove_leftovers(directory);
    let Some(text) = change.after() else {
        fs::remove_file(&target).map_err(unwritable)?;
        return sync_directory(directory).map_err(unwritable);
    };
    let existing = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(unwritable(error)),
    };
    if existing
        .as_ref()
        .is_some_and(|metadata| metadata.permissions().readonly())
    {
        return Err(ConfigError::ReadOnly { path: target });
    }
    let visibility = match &existing {
        None if !change.adds_secret() => Visibility::Usual,
        // An existing file's permissions are put on before the rename.
        _ => Visibility::OwnerOnly,
    };
    let mut replacement =
        Replacement::new(&target, visibility, PREFIX, SUFFIX).map_err(unwritable)?;
    replacement.write(text.as_bytes()).map_err(unwritable)?;
    if let Some(metadata) = &existing {
        preserve_owner(replacement.file(), metadata, &target)?;
        replacement
            .file()
            .set_permissions(metadata.permissions())
            .map_err(unwritable)?;
    }
    replacement.sync().map_err(unwritable)?;
    // As late as possible: what another program writes after this is lost to it.
    refuse_if_changed(change, &target)?;
    replacement.commit().map_err(unwritable)
}

fn refuse_if_changed(change: &FileChange, target: &Path) -> Result<(), ConfigError> {
    let now = match read_text(target) {
        Ok(now) => now,
        // It was UTF-8 when the change was planned.
        Err(ConfigError::Broken { .. }) => {
            return Err(ConfigError::ChangedUnderneath {
                path: change.path().to_owned(),
            });
        }
        Err(error) => return Err(error),
    };
    if now.as_deref() == change.before() {
        Ok(())
    } else {
        Err(ConfigError::ChangedUnderneath {
            path: change.path().to_owned(),
        })
    }
}

/// The file that a path leads to once all symbolic links are followed. It need not exist.
pub(crate) fn link_target(path: &Path) -> Result<PathBuf, ConfigError> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(next) => {
                let directory = target.parent().unwrap_or(Path::new(""));
                // Joining an absolute path answers that path alone.
                target = directory.join(next);
            }
            // Not a link, or nothing at all.
            Err(_) => return Ok(target),
        }
    }
    Err(ConfigError::LinkLoop {
        path: path.to_owned(),
    })
}

/// Removes new texts that a writer left because it was killed before it renamed them. They may
/// hold secrets. What cannot be removed is left; nothing depends on it.
fn remove_leftovers(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(is_name_of_new_text);
        let age = entry
            .metadata()
            .ok()
            .filter(fs::Metadata::is_file)
            .and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        if is_ours && age.is_some_and(|age| age > MIN_LEFTOVER_AGE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Tells whether a name is one that [`Replacement`] gives.
fn is_name_of_new_text(name: &str) -> bool {
    let middle = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(SUFFIX));
    middle.is_some_and(|middle| {
        middle.len() == 6 && middle.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Gives the new file to the owner and group of the old one.
#[cfg(unix)]
fn preserve_owner(new: &File, old: &fs::Metadata, path: &Path) -> Result<(), ConfigError> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let lost = |source: io::Error| ConfigError::OwnershipLost {
        path: path.to_owned(),
        source,
    };
    let made = new.metadata().map_err(lost)?;
    if (made.uid(), made.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(new, Some(old.uid()), Some(old.gid())).map_err(lost)
}

/// Elsewhere a file takes its owner from the directory.
#[cfg(not(unix))]
fn preserve_owner(_new: &File, _old: &fs::Metadata, _path: &Path) -> Result<(), ConfigError> {
    Ok(())
}

fn unwritable(path: &Path, source: io::Error) -> ConfigError {
    let advice = match source.kind() {
        io::ErrorKind::PermissionDenied => {
            "You have no permission to write in its directory. Change the permissions, or \
             choose another scope."
                .into()
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            "It lies on a read-only file system. Choose another scope.".into()
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "The disk is full. Free some space and try again; the file is as it was.".into()
        }
        io::ErrorKind::FileTooLarge => {
            "The system allows no file of this size here. Raise the limit, or make the change \
             smaller; the file is as it was."
                .into()
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "A part of its path is a file where a directory is needed. Rename or remove that \
             file."
                .into()
        }
        io::ErrorKind::IsADirectory => {
            "There is a directory of that name. Rename or remove it.".into()
        }
        _ => format!("The system says: {source}."),
    };
    ConfigError::Unwritable {
        path: path.to_owned(),
        advice,
        source,
    }
}
