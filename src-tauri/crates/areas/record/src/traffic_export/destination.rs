//! Files that exports are written to.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use sightglass_area_core::error::InspectorError;
use sightglass_files::{Replacement, Visibility};

/// Bytes of the beginning that is kept to be shown.
const MAX_BEGINNING: usize = 4 * 1024;

/// Writes a file whole or not at all: beside its place first, readable by its owner alone, and put
/// there once it is complete. A link in its place is replaced and not followed.
///
/// # Errors
/// When the place cannot be used, with nothing left behind, or when `write` fails.
pub(super) fn write_file(
    path: &Path,
    record: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), InspectorError>,
) -> Result<(), InspectorError> {
    let failed = |source: io::Error| failed_at(path, source);
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    if path.is_dir() && !path.is_symlink() || path.file_name().is_none() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let is_in_record = match (directory.canonicalize(), record.canonicalize()) {
        (Ok(directory), Ok(record)) => directory.starts_with(record),
        _ => false,
    };
    if is_in_record {
        return Err(InspectorError::InvalidInput(format!(
            "{} holds the record itself. Choose another folder.",
            directory.display()
        )));
    }
    let replacement =
        Replacement::new(path, Visibility::OwnerOnly, ".sightglass-", ".new").map_err(failed)?;
    let mut file = BufWriter::new(replacement.file());
    write(&mut file)?;
    file.flush().map_err(failed)?;
    drop(file);
    replacement.commit().map_err(failed)
}

/// The error of a file that cannot be written.
pub(super) fn failed_at(path: &Path, source: io::Error) -> InspectorError {
    InspectorError::Save {
        what: path.display().to_string(),
        source,
    }
}

/// Counts what is written, and keeps the beginning.
pub(super) struct Counted<W> {
    out: W,
    pub size: u64,
    beginning: Vec<u8>,
}

impl<W: Write> Counted<W> {
    pub fn new(out: W) -> Self {
        Self {
            out,
            size: 0,
            beginning: Vec::new(),
        }
    }

    /// The first bytes, as far as they are whole characters.
    pub fn beginning(&self) -> String {
        let text = String::from_utf8_lossy(&self.beginning);
        text.trim_end_matches(char::REPLACEMENT_CHARACTER)
            .to_owned()
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.size += written as u64;
        let room = MAX_BEGINNING - self.beginning.len();
        self.beginning.extend(&bytes[..written.min(room)]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_disk_that_fills_leaves_the_old_file_and_nothing_else() {
        let directory = TempDir::new().expect("a directory");
        let path = directory.path().join("kept");
        fs::File::create(&path)
            .and_then(|mut file| file.write_all(b"kept"))
            .expect("written");
        let error = write_file(&path, Path::new("nowhere"), |file| {
            file.write_all(&[0; 100_000])
                .map_err(|error| failed_at(&path, error))?;
            Err(failed_at(&path, io::ErrorKind::StorageFull.into()))
        });
        let message = error.expect_err("the disk is full").to_string();
        assert!(message.contains("no storage space"), "{message}");
        assert_eq!(fs::read(&path).expect("read"), b"kept");
        let files = fs::read_dir(directory.path()).expect("readable").count();
        assert_eq!(files, 1);
    }

    #[test]
    fn what_is_counted_is_what_is_written_and_shown_in_whole_characters() {
        let text = "é".repeat(MAX_BEGINNING);
        let mut counted = Counted::new(Vec::new());
        counted.write_all(b"x").expect("memory");
        counted.write_all(text.as_bytes()).expect("memory");
        assert_eq!(counted.size, text.len() as u64 + 1);
        let beginning = counted.beginning();
        assert!(format!("x{text}").starts_with(&beginning));
        assert!(beginning.len() > MAX_BEGINNING - 4);
    }
}
