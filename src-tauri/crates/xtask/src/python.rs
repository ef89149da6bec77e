//! Installs the Python packages of the tests: MCP servers by others, an OpenTelemetry collector, and
//! the types of model interfaces, in environments of their own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::error::TaskError;
use crate::workspace::Workspace;

/// Packages that live together.
pub struct PythonEnvironment {
    /// Title shown while it is installed.
    pub title: &'static str,
    /// Below `target`.
    directory: &'static str,
    /// Below `tests`.
    requirements: &'static str,
}

/// Servers on the first and on the second major version of the Python SDK exclude each other: the
/// first speaks the `initialize` era alone, the second both. Everything else is with the first.
pub static ENVIRONMENTS: [PythonEnvironment; 2] = [
    PythonEnvironment {
        title: "Python packages for the tests",
        directory: "python",
        requirements: "requirements.txt",
    },
    PythonEnvironment {
        title: "Python MCP servers of both eras",
        directory: "python-modern",
        requirements: "requirements-modern.txt",
    },
];

/// Returns true when the Python on PATH can make environments; Debian packages that by itself.
pub fn has_environments() -> bool {
    Command::new("python3")
        .args(["-c", "import ensurepip, venv"])
        .status()
        .is_ok_and(|status| status.success())
}

impl PythonEnvironment {
    /// The commands that install what its requirements name, in order.
    pub fn install(&self, workspace: &Workspace) -> [Command; 2] {
        let place = self.place(workspace);
        let mut create = Command::new("python3");
        create.args(["-m", "venv", "--clear"]).arg(&place);
        let mut install = Command::new(place.join("bin/python"));
        install
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                // Few of the modules are ever loaded.
                "--no-compile",
            ])
            .arg("--requirement")
            .arg(self.requirements(workspace));
        [create, install]
    }

    /// Returns true when what the requirements name now is installed here.
    pub fn is_installed(&self, workspace: &Workspace) -> bool {
        let noted = fs::read(self.note(workspace)).ok();
        noted.is_some() && noted == fs::read(self.requirements(workspace)).ok()
    }

    /// Notes that the installation is complete.
    pub fn note_installed(&self, workspace: &Workspace) -> Result<(), TaskError> {
        let path = self.note(workspace);
        fs::copy(self.requirements(workspace), &path)
            .map(drop)
            .map_err(|source| TaskError::File { path, source })
    }

    fn requirements(&self, workspace: &Workspace) -> PathBuf {
        workspace.tests().join(self.requirements)
    }

    fn place(&self, workspace: &Workspace) -> PathBuf {
        workspace.target().join(self.directory)
    }

    fn note(&self, workspace: &Workspace) -> PathBuf {
        self.place(workspace).join("installed.txt")
    }
}
