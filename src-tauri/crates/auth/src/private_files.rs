//! Directories and lock files that other users of this machine can neither read nor hold.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// A lock that another program holds is tried again after this time.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Creates a directory with its parents, mode 0700. One that exists is tightened where it belongs
/// to this user.
///
/// # Errors
/// When it cannot be created.
pub(crate) fn create_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    tighten(path, 0o700);
    Ok(())
}

/// Holds a lock, also against other programs, until the file is closed. Blocks for at most
/// `limit`, so that nobody who holds the lock can stop this program.
///
/// # Errors
/// When the file cannot be opened, or with [`io::ErrorKind::TimedOut`] when another program holds
/// the lock until the limit.
pub(crate) fn lock_file(path: &Path, limit: Duration) -> io::Result<File> {
    if let Some(directory) = path.parent() {
        create_private_directory(directory)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    tighten(path, 0o600);
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if started.elapsed() >= limit => {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!(
                        "another program has held the lock {} for {} seconds; end it and try again",
                        path.display(),
                        limit.as_secs()
                    ),
                ));
            }
            Err(TryLockError::WouldBlock) => thread::sleep(RETRY_INTERVAL),
        }
    }
}

/// Takes away what others may do with a file. One that belongs to another user stays as it is.
#[cfg(unix)]
fn tighten(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;

    let is_open = fs::metadata(path).is_ok_and(|facts| facts.permissions().mode() & 0o077 != 0);
    if is_open && let Err(error) = fs::set_permissions(path, fs::Permissions::from_mode(mode)) {
        tracing::warn!("{} stays open to others: {error}", path.display());
    }
}

#[cfg(not(unix))]
fn tighten(_path: &Path, _mode: u32) {}

/// Writes what was renamed to the disk: without that a power cut can undo the rename. Errors are
/// of no use to anybody, since the file is in its place.
pub(crate) fn sync_directory(path: &Path) {
    if let Ok(directory) = File::open(path) {
        let _ = directory.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn others_can_neither_enter_the_directory_nor_open_the_lock() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::TempDir::new().expect("a directory");
        let mode = |path: &Path| {
            fs::metadata(path)
                .expect("it is there")
                .permissions()
                .mode()
                & 0o777
        };
        let data = directory.path().join("data");
        fs::create_dir(&data).expect("created");
        fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("set");
        let lock = data.join("auth.lock");
        File::create(&lock).expect("created");
        fs::set_permissions(&lock, fs::Permissions::from_mode(0o644)).expect("set");
        let _held = lock_file(&lock, Duration::ZERO).expect("free");
        let refreshing = data.join("refreshing/a");
        let _other = lock_file(&refreshing, Duration::ZERO).expect("free");
        assert_eq!(mode(&data), 0o700);
        assert_eq!(mode(&lock), 0o600);
        assert_eq!(mode(&data.join("refreshing")), 0o700);
        assert_eq!(mode(&refreshing), 0o600);
    }

    #[test]
    fn a_lock_that_somebody_holds_is_given_up_at_the_limit() {
        let directory = tempfile::TempDir::new().expect("a directory");
        let path = directory.path().join("auth.lock");
        let held = lock_file(&path, Duration::ZERO).expect("free");
        let error = lock_file(&path, Duration::from_millis(50)).expect_err("it is held");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(
            error.to_string().contains("end it and try again"),
            "{error}"
        );
        drop(held);
        lock_file(&path, Duration::ZERO).expect("free again");
    }
}
