//! Directories that are the owner's alone, and that keep what was renamed in them.

use std::{fs, io, path::Path};

/// Creates a directory and those above it with mode 0700, and takes the permissions of others
/// away from one that exists.
///
/// A directory that many share (sticky, as `/tmp`) and one of another owner stay as they are.
///
/// # Errors
/// When the directory does not exist afterwards.
#[cfg(unix)]
pub fn create_private_directory(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};

    const OTHERS: u32 = 0o077;
    const STICKY: u32 = 0o1000;

    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)?;
    let mode = fs::metadata(directory)?.permissions().mode();
    if mode & OTHERS == 0 || mode & STICKY != 0 {
        return Ok(());
    }
    let tightened = fs::Permissions::from_mode(mode & 0o7777 & !OTHERS);
    if let Err(error) = fs::set_permissions(directory, tightened) {
        tracing::warn!("other users can look into {}: {error}", directory.display());
    }
    Ok(())
}

/// Creates a directory and those above it. Its permissions come from the user's profile.
///
/// # Errors
/// When the directory does not exist afterwards.
#[cfg(not(unix))]
pub fn create_private_directory(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// Brings a rename in the directory to the disk.
#[cfg(unix)]
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    fs::File::open(directory)?.sync_all()
}

/// Does nothing: elsewhere a directory cannot be opened for that; the system sees to it.
#[cfg(not(unix))]
pub fn sync_directory(_directory: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        let metadata = fs::metadata(path).expect("there");
        metadata.permissions().mode() & 0o7777
    }

    #[test]
    fn a_new_directory_is_private_and_an_open_one_is_tightened() {
        let parent = tempfile::tempdir().expect("a directory");
        let path = parent.path().join("new/data");
        create_private_directory(&path).expect("made");
        assert_eq!(mode(&path), 0o700);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
        create_private_directory(&path).expect("tightened");
        assert_eq!(mode(&path), 0o700);
    }

    #[test]
    fn a_directory_that_many_share_stays_shared() {
        let parent = tempfile::tempdir().expect("a directory");
        let path = parent.path().join("shared");
        fs::create_dir(&path).expect("made");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o1777)).expect("set");
        create_private_directory(&path).expect("left");
        assert_eq!(mode(&path), 0o1777);
    }
}
