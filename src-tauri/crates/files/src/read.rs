//! Reads a file without ever waiting for it and without ever filling the memory.
//!
//! Git stores symbolic links, and archives store FIFOs and sparse files: a name in a project may
//! lead to `/dev/zero`, to a FIFO without a writer, or to 20 GB of nothing. So only regular files
//! are read, and only up to a size. Two things are out of reach: a regular file on a network or
//! user-space file system that does not answer, and a file of `/proc` that ignores `O_NONBLOCK`
//! (those that wait, as `/proc/kmsg`, respect it).

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// The largest configuration file that is read, in bytes: 16 MiB.
pub const MAX_FILE_SIZE: u64 = 16 * 1024 * 1024;

/// Reason for which a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The path leads to a directory, a device, a FIFO or a socket.
    #[error("This is not a regular file but {found}.")]
    NotRegular {
        /// The kind of file, with its article: `a FIFO`.
        found: &'static str,
    },
    /// The file has more bytes than are read.
    #[error("This file is larger than {}, which is the most that is read.", size(*limit))]
    TooLarge {
        /// The most bytes that are read.
        limit: u64,
    },
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ReadError {
    /// Returns true when there is no file at all.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => error,
            ReadError::NotRegular { .. } => io::Error::new(io::ErrorKind::InvalidInput, error),
            ReadError::TooLarge { .. } => io::Error::new(io::ErrorKind::FileTooLarge, error),
        }
    }
}

fn size(bytes: u64) -> String {
    format!("{} MiB", bytes / (1024 * 1024))
}

/// Reads a regular file of at most [`MAX_FILE_SIZE`] bytes. Symbolic links are followed.
///
/// # Errors
/// [`ReadError`]: the path leads to something else, the file is larger, or the system refuses.
pub fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    read_at_most(path, MAX_FILE_SIZE)
}

/// Reads a regular file of at most `limit` bytes. Symbolic links are followed.
///
/// # Errors
/// As [`read`].
pub fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    if length > limit {
        return Err(ReadError::TooLarge { limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    // The file may grow meanwhile, and a file of `/proc` has no length.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge { limit });
    }
    Ok(bytes)
}

/// Opens a regular file for reading. Symbolic links are followed. Never waits.
///
/// # Errors
/// [`ReadError::NotRegular`], or the system's refusal.
pub fn open_regular(path: &Path) -> Result<File, ReadError> {
    // Opening alone has an effect on some devices and on a FIFO's writer, so look before.
    require_regular(&fs::metadata(path)?)?;
    let mut options = File::options();
    options.read(true);
    // The standard library sets O_CLOEXEC. Without O_NONBLOCK a FIFO that took the file's place
    // since would wait for a writer.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOCTTY,
    );
    let file = options.open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

fn require_regular(metadata: &fs::Metadata) -> Result<(), ReadError> {
    if metadata.is_file() {
        Ok(())
    } else {
        Err(ReadError::NotRegular {
            found: kind(metadata.file_type()),
        })
    }
}

#[cfg(unix)]
fn kind(kind: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    if kind.is_dir() {
        "a directory"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "something else"
    }
}

#[cfg(not(unix))]
fn kind(kind: fs::FileType) -> &'static str {
    if kind.is_dir() {
        "a directory"
    } else {
        "something else"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory() -> tempfile::TempDir {
        tempfile::tempdir().expect("a directory")
    }

    #[test]
    fn a_regular_file_is_read_up_to_the_limit() {
        let directory = directory();
        let path = directory.path().join("file");
        File::create(&path)
            .and_then(|file| file.set_len(10))
            .expect("a file");
        assert_eq!(read_at_most(&path, 10).expect("read"), [0; 10]);
        assert!(matches!(
            read_at_most(&path, 9),
            Err(ReadError::TooLarge { limit: 9 })
        ));
    }

    #[test]
    fn a_sparse_file_is_refused_before_a_byte_is_read() {
        let directory = directory();
        let path = directory.path().join("file");
        File::create(&path)
            .and_then(|file| file.set_len(20 << 30))
            .expect("a file");
        let error = read(&path).expect_err("too large");
        assert_eq!(
            error.to_string(),
            "This file is larger than 16 MiB, which is the most that is read."
        );
    }

    #[test]
    fn an_absent_file_is_told_from_others() {
        let directory = directory();
        let absent = read(&directory.path().join("absent")).expect_err("absent");
        assert!(absent.is_absence());
        let refused = read(directory.path()).expect_err("a directory");
        assert!(!refused.is_absence());
        assert!(
            refused
                .to_string()
                .contains("is not a regular file but a directory")
        );
    }

    #[cfg(unix)]
    #[test]
    fn devices_fifos_and_sockets_are_refused_at_once() {
        use std::os::unix::{fs::symlink, net::UnixListener};

        let directory = directory();
        let socket = directory.path().join("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        let device = directory.path().join("device");
        symlink("/dev/zero", &device).expect("a link");
        let fifo = directory.path().join("fifo");
        let name = std::ffi::CString::new(fifo.to_str().expect("text")).expect("a name");
        // SAFETY: the name is a C string that lives until the call returns.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        for (path, word) in [(socket, "a socket"), (device, "a device"), (fifo, "a FIFO")] {
            let error = read(&path).expect_err("no regular file");
            assert!(error.to_string().contains(word), "{error}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_proc_is_bounded() {
        let bytes = read(Path::new("/proc/self/status")).expect("read");
        assert!(!bytes.is_empty());
        assert!(matches!(
            read_at_most(Path::new("/proc/self/status"), 8),
            Err(ReadError::TooLarge { .. })
        ));
    }
}
