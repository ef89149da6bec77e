//! Directory in which a program of the user listens.

use std::{
    env,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};
use sightglass_files::create_private_directory;

use crate::ControlError;

/// Directory of the socket, the token and the lock.
#[derive(Debug, Clone)]
pub struct ControlDirectory {
    path: PathBuf,
}

impl ControlDirectory {
    /// Finds the one that belongs to a data directory: in the user's runtime directory
    /// (`XDG_RUNTIME_DIR`, XDG Base Directory Specification) where that is the user's, or else in the
    /// data directory itself.
    pub fn of(data_directory: &Path) -> Self {
        let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let path = match runtime.filter(|path| path.is_absolute() && is_private(path).is_ok()) {
            Some(runtime) => {
                let digest = Sha256::digest(data_directory.as_os_str().as_encoded_bytes());
                let name: String = digest[..8]
                    .iter()
                    .map(|byte| format!("{byte:02x}"))
                    .collect();
                runtime.join(format!("sightglass-{name}"))
            }
            None => return Self::within(&data_directory.join("background")),
        };
        Self { path }
    }

    /// The one in a directory of the user's, wherever that is.
    pub fn within(parent: &Path) -> Self {
        Self {
            path: parent.join("run"),
        }
    }

    /// Makes it where it is absent.
    ///
    /// # Errors
    /// When it cannot be made, or is [not the user's alone](ControlError::Foreign).
    pub(crate) fn make(&self) -> Result<(), ControlError> {
        let failed = || ControlError::io(format!("{} cannot be made", self.path.display()));
        if let Some(parent) = self.path.parent() {
            create_private_directory(parent).map_err(failed())?;
        }
        make_one(&self.path).map_err(failed())?;
        self.check()
    }

    /// Looks whether it is the user's alone.
    ///
    /// # Errors
    /// [`ControlError::Absent`] where there is none.
    pub(crate) fn check(&self) -> Result<(), ControlError> {
        match self.path.symlink_metadata() {
            Ok(_) => is_private(&self.path).map_err(|reason| ControlError::Foreign {
                path: self.path.clone(),
                reason,
            }),
            Err(_) => Err(ControlError::Absent),
        }
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.path.join("lock")
    }

    pub(crate) fn token(&self) -> PathBuf {
        self.path.join("token")
    }

    #[cfg(unix)]
    pub(crate) fn socket(&self) -> PathBuf {
        self.path.join("socket")
    }
}

/// Makes a directory that only its owner may enter. One that is there stays as it is.
fn make_one(path: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Looks, without following a link, whether a directory is the user's and nobody else's.
#[cfg(unix)]
fn is_private(path: &Path) -> Result<(), &'static str> {
    use std::os::unix::fs::MetadataExt;

    const OTHERS: u32 = 0o077;
    let Ok(metadata) = path.symlink_metadata() else {
        return Err("it is not there");
    };
    if metadata.is_symlink() {
        return Err("it is a link");
    }
    if !metadata.is_dir() {
        return Err("it is no directory");
    }
    if metadata.uid() != crate::user::own_user() {
        return Err("it belongs to another user");
    }
    if metadata.mode() & OTHERS != 0 {
        return Err("other users can enter it or write to it; `chmod 700` makes it yours alone");
    }
    Ok(())
}

/// Looks whether a directory is there. What is in the user's profile is the user's.
#[cfg(not(unix))]
fn is_private(path: &Path) -> Result<(), &'static str> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err("it is no directory"),
        Err(_) => Err("it is not there"),
    }
}
