//! Locks between processes, with a deadline.
//!
//! A lock is taken on a file of its own with mode 0600 in a directory of the owner. Any user who
//! can open a file or a directory for reading can lock it, so locking anything else would let
//! a neighbour hold up every write.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// Time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Lock of a file, held until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    _file: File,
}

/// Reason for which a lock was not had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program held the lock until the deadline.
    #[error(
        "Another program holds {}. Close other windows and commands of Sightglass, then try again.",
        path.display()
    )]
    Held {
        /// The file that is locked.
        path: PathBuf,
    },
    /// The file cannot be made or locked.
    #[error("Cannot lock {}: {source}.", path.display())]
    Io {
        /// The file that was to be locked.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
}

impl FileLock {
    /// Takes the lock of the file, which is made where it is absent. Waits no longer than
    /// `limit`.
    ///
    /// # Errors
    /// [`LockError::Held`] after `limit`, and [`LockError::Io`].
    pub fn acquire(path: &Path, limit: Duration) -> Result<Self, LockError> {
        let failed = |source: io::Error| LockError::Io {
            path: path.to_owned(),
            source,
        };
        let file = open(path).map_err(failed)?;
        let begin = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Err(TryLockError::WouldBlock) if begin.elapsed() >= limit => {
                    return Err(LockError::Held {
                        path: path.to_owned(),
                    });
                }
                Err(TryLockError::WouldBlock) => thread::sleep(RETRY_INTERVAL),
            }
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // A link or a FIFO in its place is nothing that this program made.
        options
            .mode(0o600)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW);
    }
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // An earlier version made it with the permissions of the umask.
        let mode = file.metadata()?.permissions().mode();
        if mode & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_another_holds_is_given_up_at_the_deadline() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.lock");
        let held = FileLock::acquire(&path, Duration::ZERO).expect("free");
        let error = FileLock::acquire(&path, Duration::from_millis(50)).expect_err("held");
        assert!(matches!(error, LockError::Held { .. }));
        assert!(error.to_string().starts_with("Another program holds "));
        drop(held);
        FileLock::acquire(&path, Duration::ZERO).expect("free again");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_open_a_lock() {
        use std::{fs, os::unix::fs::PermissionsExt};

        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.lock");
        File::create(&path).expect("made");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
        let _held = FileLock::acquire(&path, Duration::ZERO).expect("free");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
