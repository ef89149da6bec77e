//! Looks a file up in the git index, without starting a program.
//!
//! The format is described in <https://git-scm.com/docs/index-format>. `gix-index` (0.58) reads it
//! too, and adds 32 crates to the lock file.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Bytes of an entry before its flags: times, ids, mode, owner, size, and the object's name.
const ENTRY_HEADER_BYTES: usize = 60;

/// The largest index that is read, in bytes: that of a repository with a million files.
const MAX_INDEX_BYTES: u64 = 128 * 1024 * 1024;

/// The flag that says that two more bytes of flags follow.
const EXTENDED_FLAG: u16 = 0x4000;

/// The top of the repository that a directory lies in.
pub(crate) fn repository(directory: &Path) -> Option<&Path> {
    directory
        .ancestors()
        .find(|directory| directory.join(".git").exists())
}

/// Returns true when the repository around a file has it in its index.
pub fn is_tracked(path: &Path) -> bool {
    GitIndices::default().have(path)
}

/// Indices of the repositories around files, each of which is read once.
#[derive(Default)]
pub struct GitIndices(HashMap<PathBuf, Option<Vec<u8>>>);

impl GitIndices {
    /// Returns true when the repository around a file has it in its index.
    pub fn have(&mut self, path: &Path) -> bool {
        let Some(directory) = path.parent() else {
            return false;
        };
        let mut roots = directory.ancestors();
        let Some((root, index)) = roots.find_map(|root| Some((root, index_of(root)?))) else {
            return false;
        };
        let Ok(inside) = path.strip_prefix(root) else {
            return false;
        };
        let wanted = inside
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>()
            .join("/");
        let read = |index: &PathBuf| sightglass_files::read_at_most(index, MAX_INDEX_BYTES).ok();
        let bytes = self.0.entry(index).or_insert_with_key(read);
        bytes
            .as_ref()
            .is_some_and(|bytes| has_entry(bytes, wanted.as_bytes()))
    }
}

/// The index of the repository at a directory. In a worktree, `.git` is a file that says where
/// it is.
fn index_of(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git.join("index"));
    }
    let text = String::from_utf8(sightglass_files::read(&git).ok()?).ok()?;
    let directory = text.strip_prefix("gitdir:")?.trim();
    Some(root.join(directory).join("index"))
}

fn has_entry(index: &[u8], wanted: &[u8]) -> bool {
    matches(index, wanted).is_some_and(|mut matches| matches.any(|is_wanted| is_wanted))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Tells of each name in an index whether it is the wanted one; `None` when it is no index.
fn matches(index: &[u8], wanted: &[u8]) -> Option<impl Iterator<Item = bool>> {
    if index.get(..4)? != b"DIRC" {
        return None;
    }
    let version = number(index, 4)?;
    let count = number(index, 8)?;
    let mut at = 12;
    let mut name: Vec<u8> = Vec::new();
    Some((0..count).map_while(move |_| {
        let flags = u16::from_be_bytes(
            index
                .get(at + ENTRY_HEADER_BYTES..at + ENTRY_HEADER_BYTES + 2)?
                .try_into()
                .ok()?,
        );
        let mut place = at + ENTRY_HEADER_BYTES + 2;
        if flags & EXTENDED_FLAG != 0 {
            place += 2;
        }
        if version == 4 {
            // How much of the name before is dropped.
            let (dropped, length) = variable_number(index.get(place..)?)?;
            place += length;
            name.truncate(name.len().checked_sub(dropped)?);
        } else {
            name.clear();
        }
        let rest = index.get(place..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&rest[..end]);
        at = if version == 4 {
            place + end + 1
        } else {
            // Padded with 1 to 8 zero bytes to a multiple of 8.
            at + ((place + end - at) / 8 + 1) * 8
        };
        Some(name == wanted)
    }))
}

/// A number in groups of seven bits, the highest first (as offsets are written in packs).
fn variable_number(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = usize::from(bytes.first()? & 0x7f);
    let mut length = 1;
    while bytes.get(length - 1)? & 0x80 != 0 {
        let byte = bytes.get(length)?;
        value = value
            .checked_add(1)?
            .checked_mul(128)?
            .checked_add(usize::from(byte & 0x7f))?;
        length += 1;
    }
    Some((value, length))
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "a test writes what it needs on disk"
)]
mod tests {
    use std::fs;

    use super::*;

    /// An index with one name.
    fn index(name: &str) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(2_u32.to_be_bytes());
        bytes.extend(1_u32.to_be_bytes());
        bytes.extend([0; ENTRY_HEADER_BYTES]);
        let length = u16::try_from(name.len()).expect("it is short");
        bytes.extend(length.to_be_bytes());
        bytes.extend(name.as_bytes());
        let entry = ENTRY_HEADER_BYTES + 2 + name.len();
        bytes.resize(bytes.len() + 8 - entry % 8, 0);
        bytes
    }

    #[test]
    fn an_index_is_read_once_for_all_files() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path();
        fs::create_dir(root.join(".git")).expect("created");
        let path = root.join(".git/index");
        fs::write(&path, index("inner/one.json")).expect("written");
        let mut indices = GitIndices::default();
        assert!(indices.have(&root.join("inner/one.json")));
        fs::write(&path, index("two.json")).expect("written");
        assert!(!indices.have(&root.join("two.json")));
        assert!(is_tracked(&root.join("two.json")));
    }
}
