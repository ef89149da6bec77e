//! An `.mcpb` bundle: a ZIP archive with a manifest
//! (<https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md>).
//!
//! The manifest is read and shown first. The archive is unpacked when the user saves the server,
//! into a directory that its hash is part of, so that what was shown is what is unpacked, and
//! the entry can be shown with its paths before they exist. Nothing is run.

mod archive;
mod manifest;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sightglass_model::ByteCount;

use super::{Candidate, ImportError, naming::plain_name, text_of};
use crate::client::Machine;
use archive::Archive;
pub use archive::sha256_of;
use manifest::Unpacked;

/// Number of hexadecimal digits of an archive's hash in the name of its directory.
const HASH_DIGITS: usize = 24;

/// The longest version in the name of a directory.
const MAX_VERSION_LENGTH: usize = 32;

/// The largest archive that is read, in bytes.
pub const MAX_BUNDLE_BYTES: u64 = 256 << 20;

/// The machine that bundles are unpacked on.
#[derive(Debug, Clone, Copy)]
pub struct BundleHost<'a> {
    /// The directory that has one directory for each bundle.
    pub directory: &'a Path,
    pub machine: &'a Machine,
}

/// The archive of a bundle as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct BundleArchive {
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// Description in a bundle's manifest.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct Bundle {
    pub path: String,
    pub name: String,
    pub title: Option<String>,
    pub version: String,
    pub description: String,
    pub author: Option<String>,
    pub homepage: Option<String>,
    /// The names of the tools that it announces.
    pub tools: Vec<String>,
    /// The names of the prompts that it announces.
    pub prompts: Vec<String>,
    /// The systems that it is for, as Node.js names them; empty for any.
    pub platforms: Vec<String>,
    /// The whole manifest, indented.
    pub manifest: String,
    /// SHA-256 of the archive, in hexadecimal digits.
    pub sha256: String,
    /// The directory that it is unpacked into.
    pub directory: String,
    /// Number of files in it.
    pub files: u32,
    /// Bytes of its files.
    pub size: ByteCount,
    pub candidates: Vec<Candidate>,
}

/// Reads a bundle. Nothing is unpacked and nothing is run.
///
/// # Errors
/// When the file is no bundle, has files that must not be unpacked, or does not say how to start
/// a server.
pub fn read_bundle(path: &Path, host: &BundleHost<'_>) -> Result<Bundle, ImportError> {
    let mut archive = Archive::open(path)?;
    let manifest = archive.manifest()?;
    let directory = host.directory.join(directory_name(&manifest, &archive));
    let unpacked = Unpacked {
        directory: &directory,
        names: &archive.names(),
        host,
    };
    let mut candidate = manifest::of_manifest(&manifest, Some(&unpacked))?;
    candidate.bundle = Some(BundleArchive {
        path: path.display().to_string(),
        sha256: archive.sha256.clone(),
    });
    let text = |name: &str| text_of(&manifest, &[name]);
    let names = |list: &str| -> Vec<String> {
        let list = manifest.get(list).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(|item| text_of(item.as_object()?, &["name"]))
            .collect()
    };
    let author = manifest.get("author").and_then(|author| match author {
        Value::String(name) => Some(name.clone()),
        Value::Object(author) => text_of(author, &["name"]),
        _ => None,
    });
    Ok(Bundle {
        path: path.display().to_string(),
        name: text("name").unwrap_or_default(),
        title: text("display_name"),
        version: text("version").unwrap_or_default(),
        description: text("description").unwrap_or_default(),
        author,
        homepage: text("homepage").or_else(|| text("documentation")),
        tools: names("tools"),
        prompts: names("prompts"),
        platforms: manifest::platforms(&manifest),
        sha256: archive.sha256.clone(),
        directory: directory.display().to_string(),
        files: u32::try_from(archive.file_count()).unwrap_or(u32::MAX),
        size: archive.size().into(),
        manifest: format!("{:#}", Value::Object(manifest)),
        candidates: vec![candidate],
    })
}

/// An unpacked bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackedBundle {
    pub directory: PathBuf,
    /// False when it was there already.
    pub is_new: bool,
}

/// Unpacks a bundle that was shown into its directory, which is whole or absent afterwards.
/// Nothing is run. The caller holds the lock of the data directory.
///
/// # Errors
/// [`ImportError::Exchanged`] when the file is not the one that was shown, and when it cannot be
/// unpacked.
pub fn unpack_bundle(
    shown: &BundleArchive,
    host: &BundleHost<'_>,
) -> Result<UnpackedBundle, ImportError> {
    let path = Path::new(&shown.path);
    let mut archive = Archive::open(path)?;
    if archive.sha256 != shown.sha256 {
        return Err(ImportError::Exchanged {
            path: path.to_owned(),
        });
    }
    let manifest = archive.manifest()?;
    let name = directory_name(&manifest, &archive);
    let program = manifest::program(&manifest);
    let is_new = archive.unpack(host.directory, &name, program.as_deref())?;
    Ok(UnpackedBundle {
        directory: host.directory.join(name),
        is_new,
    })
}

/// The server of a manifest that came without its bundle.
pub(super) fn of_manifest(manifest: &Map<String, Value>) -> Result<Candidate, ImportError> {
    manifest::of_manifest(manifest, None)
}

/// `notes-1.0.1-…` of a bundle.
fn directory_name(manifest: &Map<String, Value>, archive: &Archive) -> String {
    let text = |name: &str| text_of(manifest, &[name]).unwrap_or_default();
    let version: String = text("version")
        .chars()
        .filter(|character| character.is_ascii_alphanumeric() || "._+-".contains(*character))
        .take(MAX_VERSION_LENGTH)
        .collect();
    // Letters alone, `a` for 0 to `p` for f: digits between letters would look like a secret, and
    // the path would be masked wherever it is shown.
    let hash: String = archive
        .sha256
        .chars()
        .take(HASH_DIGITS)
        .filter_map(|digit| char::from_digit(digit.to_digit(16)? + 10, 36))
        .collect();
    format!("{}-{version}-{hash}", plain_name(&text("name")))
}
