//! Persistence mode of a host, and its record.

use std::path::{Path, PathBuf};

use sightglass_traffic::{Recorder, RecorderOptions, Retention};
use tempfile::TempDir;

/// Data that is kept when the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persistence {
    /// The record and the arguments of calls. The data directory belongs to this host alone,
    /// and changes to the configuration files are followed.
    Everything,
    /// The record alone, in a directory of its own. For a host that goes on in the background,
    /// perhaps beside one that keeps everything in the same data directory: settings are read, and
    /// no file is watched.
    Record,
    /// Nothing. For a host that does one thing and ends, perhaps beside one that keeps
    /// everything in the same data directory: settings are read, the record is a temporary
    /// one, and no file is watched.
    Nothing,
}

/// The directory of the record.
pub enum RecordHome {
    Kept(PathBuf),
    /// Removed when left, and when dropped.
    Temporary(TempDir),
    Left,
}

impl RecordHome {
    pub fn new(persistence: Persistence, directory: PathBuf) -> Self {
        if persistence == Persistence::Nothing
            && let Ok(temporary) = tempfile::Builder::new().prefix("sightglass-").tempdir()
        {
            return Self::Temporary(temporary);
        }
        match persistence {
            Persistence::Everything | Persistence::Record => Self::Kept(directory),
            // There is no room for a record. Without a directory recording turns off, and the
            // newest frames stay in memory.
            Persistence::Nothing => Self::Left,
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::Temporary(directory) => directory.path(),
            Self::Left => Path::new(""),
        }
    }

    /// Removes what is temporary, once the record is closed.
    pub fn leave(&mut self) {
        if let Self::Temporary(directory) = std::mem::replace(self, Self::Left) {
            // What cannot be removed lies among the system's temporary files, which it tidies.
            let _ = directory.close();
        }
    }
}

/// The record of a host.
pub struct OpenedRecord {
    pub recorder: Recorder,
    pub home: RecordHome,
    /// True when the record is closed with the host.
    pub is_own: bool,
}

impl OpenedRecord {
    /// Opens a record in `directory`, or a temporary one where nothing is to be kept.
    pub fn open(persistence: Persistence, directory: PathBuf, retention: Retention) -> Self {
        let home = RecordHome::new(persistence, directory);
        let recorder = Recorder::open(RecorderOptions {
            retention,
            is_temporary: persistence == Persistence::Nothing,
            ..RecorderOptions::in_directory(home.path())
        });
        Self {
            recorder,
            home,
            is_own: true,
        }
    }

    /// Uses a record that belongs to another host of this program.
    pub fn shared(recorder: Recorder) -> Self {
        Self {
            recorder,
            home: RecordHome::Left,
            is_own: false,
        }
    }
}
