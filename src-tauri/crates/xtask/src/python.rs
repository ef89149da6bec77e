//! The Python packages of the tests: MCP servers by others, in an environment of their own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::fault::Fault;
use crate::workspace::Workspace;

/// Whether the Python on PATH can make environments; Debian packages that by itself.
pub fn has_environments() -> bool {
    Command::new("python3")
        .args(["-c", "import ensurepip, venv"])
        .status()
        .is_ok_and(|status| status.success())
}

/// The commands that install what `tests/requirements.txt` names, in order.
pub fn install(workspace: &Workspace) -> [Command; 2] {
    let environment = environment(workspace);
    let mut create = Command::new("python3");
    create.args(["-m", "venv", "--clear"]).arg(&environment);
    let mut install = Command::new(environment.join("bin/python"));
    install
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .arg("--requirement")
        .arg(requirements(workspace));
    [create, install]
}

/// Whether what the requirements name now was installed here.
pub fn is_installed(workspace: &Workspace) -> bool {
    let noted = fs::read(note(workspace)).ok();
    noted.is_some() && noted == fs::read(requirements(workspace)).ok()
}

/// Notes that the installation is complete.
pub fn note_installed(workspace: &Workspace) -> Result<(), Fault> {
    let path = note(workspace);
    fs::copy(requirements(workspace), &path)
        .map(drop)
        .map_err(|source| Fault::File { path, source })
}

fn requirements(workspace: &Workspace) -> PathBuf {
    workspace.tests().join("requirements.txt")
}

fn environment(workspace: &Workspace) -> PathBuf {
    workspace.target().join("python")
}

fn note(workspace: &Workspace) -> PathBuf {
    environment(workspace).join("installed.txt")
}
