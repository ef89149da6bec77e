//! Looks a file up in the git index, without starting a program.
//!
//! The format is described in <https://git-scm.com/docs/index-format>. `gix-index` (0.58) reads it
//! too, and adds 32 crates to the lock file.

use std::path::{Path, PathBuf};

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
    let Some(directory) = path.parent() else {
        return false;
    };
    for root in directory.ancestors() {
        if let Some(index) = index_of(root) {
            let Ok(inside) = path.strip_prefix(root) else {
                return false;
            };
            let wanted = inside
                .components()
                .map(|part| part.as_os_str().to_string_lossy())
                .collect::<Vec<_>>()
                .join("/");
            return sightglass_files::read_at_most(&index, MAX_INDEX_BYTES)
                .is_ok_and(|bytes| has_entry(&bytes, wanted.as_bytes()));
        }
    }
    false
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
    entries(index).is_some_and(|mut names| names.any(|name| name == wanted))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The names in an index; `None` when it is none.
fn entries(index: &[u8]) -> Option<impl Iterator<Item = Vec<u8>>> {
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
        Some(name.clone())
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
