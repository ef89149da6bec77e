//! Copies of files, kept before they are changed.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

/// How many copies of one file are kept.
const MOST_OF_ONE_FILE: usize = 50;

/// A directory with copies of configuration files. They may hold secrets, so that it and they
/// are the owner's alone.
#[derive(Debug, Clone)]
pub struct Backups {
    directory: PathBuf,
}

/// One copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    pub id: String,
    /// The file it is a copy of.
    pub path: PathBuf,
    /// Milliseconds since the Unix epoch.
    pub taken: u64,
    /// Bytes.
    pub size: u64,
}

/// What is written.
#[derive(Serialize, Deserialize)]
struct Stored {
    path: PathBuf,
    taken: u64,
    text: String,
}

impl Backups {
    pub fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Keeps the text that a file has now.
    ///
    /// # Errors
    /// When the system refuses to write. Then nothing should be changed either.
    pub fn keep(&self, path: &Path, text: &str) -> io::Result<()> {
        make_private_directory(&self.directory)?;
        let taken = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |elapsed| {
                u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
            });
        let stored = Stored {
            path: path.to_owned(),
            taken,
            text: text.to_owned(),
        };
        let bytes = serde_json::to_vec(&stored)?;
        let mut beside = tempfile::Builder::new()
            .prefix(".backup-")
            .tempfile_in(&self.directory)?;
        beside.write_all(&bytes)?;
        beside.as_file().sync_all()?;
        let mut number = 0;
        loop {
            let id = format!("{taken:015}-{number:03}");
            match beside.persist_noclobber(self.file(&id)) {
                Ok(_) => break,
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                    beside = error.file;
                    number += 1;
                }
                Err(error) => return Err(error.error),
            }
        }
        self.drop_oldest(path);
        Ok(())
    }

    fn file(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.json"))
    }

    fn drop_oldest(&self, path: &Path) {
        let of_file = self.list().into_iter().filter(|backup| backup.path == path);
        for old in of_file.skip(MOST_OF_ONE_FILE) {
            // One too many does no harm.
            let _ = fs::remove_file(self.file(&old.id));
        }
    }

    /// All copies, the latest first.
    pub fn list(&self) -> Vec<Backup> {
        let Ok(entries) = fs::read_dir(&self.directory) else {
            return Vec::new();
        };
        let mut backups: Vec<Backup> = entries
            .filter_map(|entry| {
                let name = entry.ok()?.file_name();
                let id = name.to_str()?.strip_suffix(".json")?.to_owned();
                let stored = self.stored(&id)?;
                Some(Backup {
                    id,
                    path: stored.path,
                    taken: stored.taken,
                    size: u64::try_from(stored.text.len()).unwrap_or(u64::MAX),
                })
            })
            .collect();
        backups.sort_by(|one, other| other.id.cmp(&one.id));
        backups
    }

    fn stored(&self, id: &str) -> Option<Stored> {
        let is_id = id.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let bytes = is_id.then(|| fs::read(self.file(id)).ok()).flatten()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The file of a copy, and what it held.
    pub fn read(&self, id: &str) -> Option<(PathBuf, String)> {
        let stored = self.stored(id)?;
        Some((stored.path, stored.text))
    }
}

#[cfg(unix)]
fn make_private_directory(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;

    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
}

#[cfg(not(unix))]
fn make_private_directory(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}
