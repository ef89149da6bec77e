//! Backs files up before they are changed.
//!
//! A copy is a file of its own: a line of JSON that says what it is a copy of, then the text as it
//! was. Listing reads that line alone, since the texts may have many megabytes.

use std::{
    collections::HashMap,
    fs,
    io::{self, BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use sightglass_files::{
    MAX_FILE_SIZE, Replacement, Visibility, create_private_directory, open_regular, read_at_most,
};
use sightglass_model::{ByteCount, Timestamp};

/// Bounds of what is kept. The latest copy of a file is kept in any case.
#[derive(Debug, Clone, Copy)]
struct BackupLimits {
    /// Copies of one file.
    copies: usize,
    /// Bytes of the copies of one file.
    bytes: u64,
    /// Bytes of all copies.
    all_bytes: u64,
}

const LIMITS: BackupLimits = BackupLimits {
    copies: 50,
    bytes: 32 * 1024 * 1024,
    all_bytes: 256 * 1024 * 1024,
};

/// The longest first line, in bytes: the longest path in its longest spelling, and some numbers.
const MAX_HEAD_BYTES: u64 = 64 * 1024;

/// A directory with copies of configuration files. They may hold secrets, so that it and they
/// are the owner's alone.
#[derive(Debug, Clone)]
pub struct Backups {
    directory: PathBuf,
    limits: BackupLimits,
}

/// A copy of a file, kept before it was changed.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Backup {
    pub id: String,
    pub path: PathBuf,
    pub taken: Timestamp,
    pub size: ByteCount,
}

/// The first line of a copy.
#[derive(Serialize, Deserialize)]
struct Head {
    path: PathBuf,
    /// Milliseconds since the Unix epoch.
    taken: u64,
}

impl Backups {
    pub fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            limits: LIMITS,
        }
    }

    /// Keeps the text that a file has now, drops the oldest copies beyond the limits, and returns the
    /// name of the new one.
    ///
    /// # Errors
    /// When the system refuses to write. Then nothing should be changed either.
    pub fn keep(&self, path: &Path, text: &str) -> io::Result<String> {
        create_private_directory(&self.directory)?;
        let taken = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |elapsed| {
                u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
            });
        let head = serde_json::to_vec(&Head {
            path: path.to_owned(),
            taken,
        })?;
        let mut number = 0;
        let id = |number: u32| format!("{taken:015}-{number:03}");
        let name = |number: u32| self.file(&id(number));
        let mut copy = Replacement::new(&name(number), Visibility::OwnerOnly, ".backup-", "")?;
        copy.write(&head)?;
        copy.write(b"\n")?;
        copy.write(text.as_bytes())?;
        loop {
            match copy.commit_new() {
                Ok(()) => break,
                Err((error, Some(again))) if error.kind() == io::ErrorKind::AlreadyExists => {
                    number += 1;
                    copy = again;
                    copy.retarget(name(number));
                }
                Err((error, _)) => return Err(error),
            }
        }
        self.drop_oldest();
        Ok(id(number))
    }

    fn file(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.backup"))
    }

    fn drop_oldest(&self) {
        let mut of_files: HashMap<PathBuf, (usize, u64)> = HashMap::new();
        let mut all_bytes = 0;
        for backup in self.list() {
            let (copies, bytes) = of_files.entry(backup.path).or_default();
            let is_latest = *copies == 0;
            *copies += 1;
            *bytes += backup.size.as_u64();
            all_bytes += backup.size.as_u64();
            let fits = *copies <= self.limits.copies
                && *bytes <= self.limits.bytes
                && all_bytes <= self.limits.all_bytes;
            if !is_latest && !fits {
                // One too many does no harm.
                let _ = fs::remove_file(self.file(&backup.id));
            }
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
                let id = name.to_str()?.strip_suffix(".backup")?.to_owned();
                self.backup(id)
            })
            .collect();
        backups.sort_by(|one, other| other.id.cmp(&one.id));
        backups
    }

    fn backup(&self, id: String) -> Option<Backup> {
        if !is_id(&id) {
            return None;
        }
        let file = open_regular(&self.file(&id)).ok()?;
        let length = file.metadata().ok()?.len();
        let mut line = Vec::new();
        let mut start = BufReader::new(file).take(MAX_HEAD_BYTES);
        start.read_until(b'\n', &mut line).ok()?;
        let head: Head = serde_json::from_slice(&line).ok()?;
        Some(Backup {
            id,
            path: head.path,
            taken: Timestamp::from_millis(head.taken as f64),
            size: length.saturating_sub(line.len() as u64).into(),
        })
    }

    /// The file of a copy, and what it held.
    pub fn read(&self, id: &str) -> Option<(PathBuf, String)> {
        if !is_id(id) {
            return None;
        }
        let bytes = read_at_most(&self.file(id), MAX_FILE_SIZE + MAX_HEAD_BYTES).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (head, text) = text.split_once('\n')?;
        let head: Head = serde_json::from_str(head).ok()?;
        Some((head.path, text.to_owned()))
    }
}

/// Tells whether a text can be the name of a copy, and of nothing elsewhere.
fn is_id(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backups(directory: &Path, limits: BackupLimits) -> Backups {
        Backups {
            directory: directory.join("backups"),
            limits,
        }
    }

    #[test]
    fn a_copy_holds_the_text_as_it_was() {
        let directory = tempfile::tempdir().expect("a directory");
        let backups = backups(directory.path(), LIMITS);
        let text = "{\r\n}\n\n";
        backups.keep(Path::new("/a"), text).expect("kept");
        let listed = backups.list();
        assert_eq!((listed.len(), listed[0].size.as_u64()), (1, 6));
        let read = backups.read(&listed[0].id);
        assert_eq!(read, Some(("/a".into(), text.to_owned())));
        assert_eq!(backups.read("../secrets"), None);
    }

    #[test]
    fn many_or_large_copies_make_room_and_the_latest_of_each_file_stays() {
        let directory = tempfile::tempdir().expect("a directory");
        let limits = BackupLimits {
            copies: 3,
            bytes: 100,
            all_bytes: 150,
        };
        let backups = backups(directory.path(), limits);
        let kept = |path: &str| {
            let all = backups.list();
            all.iter().filter(|one| one.path == Path::new(path)).count()
        };
        for _ in 0..5 {
            backups.keep(Path::new("/many"), "x").expect("kept");
        }
        assert_eq!(kept("/many"), 3);
        for _ in 0..3 {
            backups
                .keep(Path::new("/large"), &"x".repeat(60))
                .expect("kept");
        }
        assert_eq!(kept("/large"), 1);
        backups
            .keep(Path::new("/huge"), &"x".repeat(1000))
            .expect("kept");
        assert_eq!((kept("/huge"), kept("/large"), kept("/many")), (1, 1, 1));
    }
}
