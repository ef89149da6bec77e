//! Reads and unpacks the archive of a bundle.
//!
//! An archive comes from a stranger and ends as files below the user's data directory. So it is
//! held in memory as one sequence of bytes, of which the hash is taken, the manifest is read and
//! the files are unpacked: nobody can exchange it in between. Its entries are judged before any
//! is written, and their real sizes are counted while they are, since the declared ones may lie.

use std::{
    collections::HashSet,
    fs,
    io::{self, Cursor, Read, Write},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::import::ImportError;

/// Reason for which an archive is no bundle, without its period.
fn refused(reason: impl Into<String>) -> ImportError {
    ImportError::Bundle(reason.into())
}

/// The most that is unpacked of an archive.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArchiveLimits {
    /// Bytes of the archive itself, which is held in memory.
    archive: u64,
    manifest: u64,
    entries: usize,
    /// Bytes of one file.
    file: u64,
    /// Bytes of all files together.
    total: u64,
    /// Bytes of a file for each of its compressed bytes. Text seldom has more than 20.
    ratio: u64,
    /// Files smaller than this may have any ratio.
    ratio_from: u64,
    /// Bytes of a name.
    name: usize,
    /// Directories within directories.
    depth: usize,
}

/// A bundle carries its dependencies with it: some thousands of files, some hundred megabytes.
pub(super) const LIMITS: ArchiveLimits = ArchiveLimits {
    archive: super::MAX_BUNDLE_BYTES,
    manifest: 4 << 20,
    entries: 50_000,
    file: 512 << 20,
    total: 1 << 30,
    ratio: 200,
    ratio_from: 1 << 20,
    name: 1024,
    depth: 64,
};

/// Stands before each entry of an archive's list of entries.
const ENTRY_HEADER: &[u8] = b"PK\x01\x02";

/// Archives in the archive have lists of their own, which are not read.
const HEADERS_PER_ENTRY: usize = 4;

/// Directory in which an archive is unpacked before it is renamed. The lock of the data directory is held.
const STAGING: &str = ".unpacking";

/// Names that Windows keeps for devices, with any ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// One entry of an archive.
#[derive(Debug)]
struct ArchiveEntry {
    index: usize,
    /// The path with slashes, without one at its end.
    name: String,
    is_directory: bool,
    is_executable: bool,
    size: u64,
}

/// An archive whose entries were judged.
pub(super) struct Archive {
    zip: zip::ZipArchive<Cursor<Vec<u8>>>,
    entries: Vec<ArchiveEntry>,
    limits: ArchiveLimits,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl Archive {
    /// Reads an archive, and judges its entries. Nothing is unpacked.
    pub fn open(path: &Path) -> Result<Self, ImportError> {
        let bytes = sightglass_files::read_at_most(path, LIMITS.archive)
            .map_err(|error| refused(error.to_string().trim_end_matches('.')))?;
        Self::read(bytes, LIMITS)
    }

    fn read(bytes: Vec<u8>, limits: ArchiveLimits) -> Result<Self, ImportError> {
        let sha256 = sha256_of(&bytes);
        let too_many = || refused(format!("it has more than {} files", limits.entries));
        // The whole list would be in memory before its length could be asked for.
        let headers = memchr::memmem::find_iter(&bytes, ENTRY_HEADER);
        let most = limits.entries.saturating_mul(HEADERS_PER_ENTRY);
        if headers.take(most + 1).count() > most {
            return Err(too_many());
        }
        let mut zip =
            zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| refused(error.to_string()))?;
        if zip.has_duplicate_names() {
            return Err(refused("two of its files have the same name"));
        }
        if zip.len() > limits.entries {
            return Err(too_many());
        }
        let mut entries = Vec::with_capacity(zip.len());
        let mut names = HashSet::new();
        let mut total: u64 = 0;
        for index in 0..zip.len() {
            let entry = judged(&mut zip, index, &limits)?;
            if !names.insert(entry.name.clone()) {
                return Err(refused(format!("{:?} is in it twice", entry.name)));
            }
            total = total.saturating_add(entry.size);
            if total > limits.total {
                return Err(refused(too_much(&limits)));
            }
            entries.push(entry);
        }
        Ok(Self {
            zip,
            entries,
            limits,
            sha256,
        })
    }

    /// The manifest.
    pub fn manifest(&mut self) -> Result<Map<String, Value>, ImportError> {
        let manifest = self
            .zip
            .by_name("manifest.json")
            .map_err(|_| refused("it has no manifest.json"))?;
        let mut text = String::new();
        manifest
            .take(self.limits.manifest)
            .read_to_string(&mut text)
            .map_err(|error| refused(error.to_string()))?;
        match serde_json::from_str(&text) {
            Ok(Value::Object(manifest)) => Ok(manifest),
            Ok(_) => Err(refused("its manifest is no object")),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// The names of its files, and of the directories they are in.
    pub fn names(&self) -> HashSet<String> {
        let mut names = HashSet::new();
        for entry in &self.entries {
            let mut name = entry.name.as_str();
            while names.insert(name.to_owned())
                && let Some((parent, _)) = name.rsplit_once('/')
            {
                name = parent;
            }
        }
        names
    }

    /// Number of files.
    pub fn file_count(&self) -> usize {
        self.files().count()
    }

    /// The bytes of all files, as the archive declares them.
    pub fn size(&self) -> u64 {
        self.files().map(|file| file.size).sum()
    }

    fn files(&self) -> impl Iterator<Item = &ArchiveEntry> {
        self.entries.iter().filter(|entry| !entry.is_directory)
    }

    /// Unpacks into `parent/name`, which is whole or absent afterwards. `program` is executable
    /// whatever the archive says. Returns true when it was unpacked, and false when it was there.
    ///
    /// The caller holds the lock of the data directory.
    pub fn unpack(
        &mut self,
        parent: &Path,
        name: &str,
        program: Option<&str>,
    ) -> Result<bool, ImportError> {
        let target = parent.join(name);
        if self.is_unpacked_in(&target) {
            return Ok(false);
        }
        let failed = |error: io::Error| ImportError::Unpack {
            directory: target.clone(),
            reason: error.to_string(),
        };
        sightglass_files::create_private_directory(parent).map_err(failed)?;
        let staging = parent.join(STAGING);
        remove(&staging).map_err(failed)?;
        let unpacked = self.unpack_into(&staging, program).and_then(|()| {
            // What is left of an unpacked bundle that has lost files.
            remove(&target).map_err(failed)?;
            fs::rename(&staging, &target).map_err(failed)
        });
        if let Err(error) = unpacked {
            if let Err(error) = remove(&staging) {
                tracing::warn!("{} stays: {error}", staging.display());
            }
            return Err(error);
        }
        if let Err(error) = sightglass_files::sync_directory(parent) {
            tracing::warn!("{}: {error}", parent.display());
        }
        Ok(true)
    }

    /// Returns true when every file is there. Their bytes may have changed since: a server may
    /// keep its data beside itself.
    fn is_unpacked_in(&self, directory: &Path) -> bool {
        fs::symlink_metadata(directory).is_ok_and(|found| found.is_dir())
            && self
                .files()
                .all(|file| fs::symlink_metadata(directory.join(&file.name)).is_ok())
    }

    fn unpack_into(&mut self, directory: &Path, program: Option<&str>) -> Result<(), ImportError> {
        let mut left = self.limits.total;
        create_directory(directory).map_err(|error| unpack_error(directory, &error))?;
        for entry in &self.entries {
            let path = directory.join(&entry.name);
            let failed = |error: io::Error| unpack_error(&path, &error);
            if entry.is_directory {
                create_directories(directory, &path).map_err(failed)?;
                continue;
            }
            create_directories(directory, path.parent().unwrap_or(directory)).map_err(failed)?;
            let mut file = create_file(
                &path,
                entry.is_executable || program == Some(entry.name.as_str()),
            )
            .map_err(failed)?;
            let read = self
                .zip
                .by_index(entry.index)
                .map_err(|error| refused(error.to_string()))?;
            // One byte more, so that more than was declared is noticed.
            let allowed = entry.size.min(left);
            let written = io::copy(&mut read.take(allowed.saturating_add(1)), &mut file)
                .map_err(|error| refused(format!("{:?} cannot be read ({error})", entry.name)))?;
            if written > entry.size {
                return Err(refused(format!(
                    "{:?} is larger than it declares",
                    entry.name
                )));
            }
            if written > left {
                return Err(refused(too_much(&self.limits)));
            }
            left -= written;
            file.flush().map_err(failed)?;
        }
        Ok(())
    }
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn sha256_of(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

fn unpack_error(path: &Path, error: &io::Error) -> ImportError {
    ImportError::Unpack {
        directory: path.to_owned(),
        reason: error.to_string(),
    }
}

fn too_much(limits: &ArchiveLimits) -> String {
    format!("its files are larger than {} MiB", limits.total >> 20)
}

/// Returns an entry that may be unpacked.
fn judged(
    zip: &mut zip::ZipArchive<Cursor<Vec<u8>>>,
    index: usize,
    limits: &ArchiveLimits,
) -> Result<ArchiveEntry, ImportError> {
    const KIND: u32 = 0o170_000;
    const DIRECTORY: u32 = 0o040_000;
    const REGULAR: u32 = 0o100_000;
    const OWNER_EXECUTES: u32 = 0o100;

    // Raw: an entry that is encrypted is refused with the others, by a reason of its own.
    let entry = zip
        .by_index_raw(index)
        .map_err(|error| refused(error.to_string()))?;
    let name = std::str::from_utf8(entry.name_raw())
        .map_err(|_| refused("a name in it is not UTF-8"))?
        .to_owned();
    let plain = name.strip_suffix('/').unwrap_or(&name);
    if let Some(fault) = fault_of_name(plain, limits) {
        return Err(refused(format!("the name {name:?} {fault}")));
    }
    let mode = entry.unix_mode().unwrap_or(0);
    let is_directory = entry.is_dir();
    let is_special = match mode & KIND {
        0 | REGULAR => false,
        DIRECTORY => !is_directory,
        _ => true,
    };
    if entry.is_symlink() || is_special {
        return Err(refused(format!(
            "{plain:?} is a link or another special file"
        )));
    }
    if entry.encrypted() {
        return Err(refused(format!("{plain:?} is encrypted")));
    }
    let (size, compressed) = (entry.size(), entry.compressed_size());
    if size > limits.file {
        return Err(refused(format!(
            "{plain:?} is larger than {} MiB",
            limits.file >> 20
        )));
    }
    if size >= limits.ratio_from && size / limits.ratio > compressed {
        return Err(refused(format!(
            "{plain:?} is compressed more than {} times, as no file of a server is",
            limits.ratio
        )));
    }
    Ok(ArchiveEntry {
        index,
        name: plain.to_owned(),
        is_directory,
        is_executable: mode & OWNER_EXECUTES != 0,
        size,
    })
}

/// Reason for which a name is not taken, whatever the system. A name must lead to a place below
/// the directory on every system, and to the same one on all of them.
fn fault_of_name(name: &str, limits: &ArchiveLimits) -> Option<&'static str> {
    if name.len() > limits.name {
        return Some("is too long");
    }
    if name.starts_with('/') {
        return Some("is an absolute path");
    }
    if name.contains('\\') {
        return Some("has a backslash");
    }
    if name.contains(':') {
        return Some("has a colon");
    }
    if name.chars().any(char::is_control) {
        return Some("has a control character");
    }
    let mut depth = 0;
    for part in name.split('/') {
        depth += 1;
        if matches!(part, "" | "." | "..") {
            return Some("leads out of the bundle");
        }
        if cfg!(windows) && is_odd_on_windows(part) {
            return Some("is none that Windows keeps");
        }
    }
    (depth > limits.depth).then_some("has too many directories")
}

/// Windows drops dots and spaces at the end, and takes `nul.txt` for a device.
fn is_odd_on_windows(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    part.ends_with(['.', ' '])
        || part.contains(['<', '>', '"', '|', '?', '*'])
        || DEVICES.contains(&stem.trim_end())
        || (stem.len() == 4
            && (stem.starts_with("com") || stem.starts_with("lpt"))
            && stem.ends_with(|digit: char| digit.is_ascii_digit()))
}

/// Removes a directory with everything in it. A link is removed, and what it leads to stays.
fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Creates the directories between `root`, which exists, and `directory`.
fn create_directories(root: &Path, directory: &Path) -> io::Result<()> {
    let mut missing: Vec<PathBuf> = directory
        .ancestors()
        .take_while(|path| *path != root && !path.is_dir())
        .map(Path::to_owned)
        .collect();
    while let Some(path) = missing.pop() {
        create_directory(&path)?;
    }
    Ok(())
}

fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Creates a file of its owner. One that is there is never opened: on a file system that does not
/// tell `a` from `A` it is another of the same archive.
fn create_file(path: &Path, is_executable: bool) -> io::Result<fs::File> {
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(
        &mut options,
        if is_executable { 0o700 } else { 0o600 },
    );
    #[cfg(not(unix))]
    let _ = is_executable;
    options.open(path)
}

#[cfg(test)]
mod tests;
