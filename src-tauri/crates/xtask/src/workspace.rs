//! Finds paths in this clone.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::TaskError;

/// The clone that `cargo xtask` was started in.
pub struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// Finds the clone from what Cargo tells a program it runs.
    ///
    /// The variable is read at run time: compiled in, it would point at the folder of
    /// the build after a clone is moved or a target folder is shared.
    pub fn locate() -> Result<Self, TaskError> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root = manifest
            .as_deref()
            .and_then(|crate_folder| crate_folder.ancestors().nth(3))
            .map(Path::to_path_buf)
            .ok_or_else(|| TaskError::Missing {
                what: "the path of the clone".into(),
                fix: "start this program with `cargo xtask`".into(),
            })?;
        // This program lies in `<target>/<profile>/`, whatever set the target folder.
        let target = env::current_exe()
            .ok()
            .and_then(|program| program.ancestors().nth(2).map(Path::to_path_buf))
            .unwrap_or_else(|| root.join("target"));
        Ok(Self { root, target })
    }

    /// The top folder of the clone.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Cargo's target folder.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The folder of the browser part of the app.
    pub fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// The folder of the tests that drive the whole app.
    pub fn tests(&self) -> PathBuf {
        self.root.join("tests")
    }

    /// The folder of the stories in which clients by others read what was written.
    pub fn interop(&self) -> PathBuf {
        self.tests().join("interop")
    }

    /// A program built by Cargo, in the folder of `profile`.
    pub fn program(&self, profile: &str, name: &str) -> PathBuf {
        self.target
            .join(profile)
            .join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }
}
