//! The one place that changes configuration files.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use crate::{
    change::{Change, read_text},
    error::ConfigError,
    file::is_absence,
};

/// How many symbolic links are followed from one to the next, as on Linux.
const MAXIMUM_LINKS: usize = 40;

/// How the names of new texts begin and end until they are renamed.
const PREFIX: &str = ".mcp-";
const SUFFIX: &str = ".new";

/// How old a new text is that nobody will rename any more, where the writers take turns.
const LEFT: Duration = Duration::from_secs(60);

/// The same where they cannot, and one may be at work.
const LONG_LEFT: Duration = Duration::from_secs(24 * 60 * 60);

/// Changes of this process are made one after the other, so that of two that were planned on
/// the same text the second is refused.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

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
pub fn write(change: &Change) -> Result<(), ConfigError> {
    // The lock guards no data that a panic could have left half made.
    let _one_at_a_time = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
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
    let turn = take_turn(directory);
    remove_leftovers(directory, turn.is_some());
    let Some(text) = change.after() else {
        fs::remove_file(&target).map_err(unwritable)?;
        return sync_directory(directory).map_err(unwritable);
    };
    let existing = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata),
        Err(error) if is_absence(&error) => None,
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
    let mut beside = new_file_beside(directory, visibility).map_err(unwritable)?;
    beside.write_all(text.as_bytes()).map_err(unwritable)?;
    if let Some(metadata) = &existing {
        keep_owner(beside.as_file(), metadata, &target)?;
        beside
            .as_file()
            .set_permissions(metadata.permissions())
            .map_err(unwritable)?;
    }
    beside.as_file().sync_all().map_err(unwritable)?;
    // As late as possible: what another program writes after this is lost to it.
    refuse_if_changed(change, &target)?;
    beside
        .persist(&target)
        .map_err(|error| unwritable(error.error))?;
    sync_directory(directory).map_err(unwritable)
}

fn refuse_if_changed(change: &Change, target: &Path) -> Result<(), ConfigError> {
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
fn link_target(path: &Path) -> Result<PathBuf, ConfigError> {
    let mut target = path.to_owned();
    for _ in 0..MAXIMUM_LINKS {
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

enum Visibility {
    OwnerOnly,
    /// What the process's umask allows.
    Usual,
}

fn new_file_beside(
    directory: &Path,
    visibility: Visibility,
) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // The library's own default is 0600; the umask applies to what is asked for here.
    #[cfg(unix)]
    if let Visibility::Usual = visibility {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    #[cfg(not(unix))]
    let (Visibility::OwnerOnly | Visibility::Usual) = visibility;
    builder.tempfile_in(directory)
}

/// Removes new texts that a writer left because it was killed before it renamed them. They may
/// hold secrets. What cannot be removed is left; nothing depends on it.
fn remove_leftovers(directory: &Path, has_turn: bool) {
    let left = if has_turn { LEFT } else { LONG_LEFT };
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
        if is_ours && age.is_some_and(|age| age > left) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is one that [`new_file_beside`] gives.
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
fn keep_owner(new: &File, old: &fs::Metadata, path: &Path) -> Result<(), ConfigError> {
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
fn keep_owner(_new: &File, _old: &fs::Metadata, _path: &Path) -> Result<(), ConfigError> {
    Ok(())
}

/// Waits until no other window and no command line of ours writes in this directory. What is
/// answered ends the turn when it goes. Where the file system knows no locks, the check for
/// changes underneath is all there is.
#[cfg(unix)]
fn take_turn(directory: &Path) -> Option<File> {
    let directory = File::open(directory).ok()?;
    directory.lock().ok()?;
    Some(directory)
}

/// Elsewhere a directory cannot be opened for that.
#[cfg(not(unix))]
fn take_turn(_directory: &Path) -> Option<File> {
    None
}

/// Brings the rename itself to the disk.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Elsewhere a directory cannot be opened for that; the system sees to it.
#[cfg(not(unix))]
fn sync_directory(_directory: &Path) -> io::Result<()> {
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
