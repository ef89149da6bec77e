//! Installs the packages of the UI and builds it.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::error::TaskError;
use crate::process::{announce, npm, run};
use crate::workspace::Workspace;

/// Installs the UI's packages and builds it, where something changed since last time.
pub fn prepare(workspace: &Workspace) -> Result<(), TaskError> {
    install(&workspace.ui())?;
    if is_built(workspace)? {
        return Ok(());
    }
    announce("Building the UI");
    run(
        npm(&workspace.ui()).args(["run", "build"]),
        "building the UI",
        "correct the error shown above",
    )?;
    note_built(workspace)
}

/// Installs the packages named by the lock file of `folder`, unless they already are.
pub fn install(folder: &Path) -> Result<(), TaskError> {
    if is_installed(folder) {
        return Ok(());
    }
    announce(&format!("Installing npm packages in {}", folder.display()));
    run(
        npm(folder).args(INSTALL),
        "installing npm packages",
        "check the network connection and run the command again",
    )
}

/// npm's arguments to install exactly what the lock file names.
pub const INSTALL: [&str; 3] = ["ci", "--no-audit", "--no-fund"];

/// Returns true when the packages in `folder` were installed after its lock file last changed.
/// npm notes each complete installation in a hidden lock file.
pub fn is_installed(folder: &Path) -> bool {
    let locked = modified(&folder.join("package-lock.json"));
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    matches!((locked, installed), (Some(locked), Some(installed)) if locked <= installed)
}

/// Returns true when `ui/dist` was built here from the sources as they are now.
///
/// A page newer than our note was written by something else, such as the stand-in that a
/// plain `cargo build` leaves when there is no UI.
pub fn is_built(workspace: &Workspace) -> Result<bool, TaskError> {
    let Some(noted) = modified(&note_path(workspace)) else {
        return Ok(false);
    };
    let page = modified(&workspace.ui().join("dist/index.html"));
    Ok(page.is_some_and(|page| page <= noted) && newest_source(&workspace.ui())? <= noted)
}

/// Notes that `ui/dist` now holds the UI built from its sources.
pub fn note_built(workspace: &Workspace) -> Result<(), TaskError> {
    let path = note_path(workspace);
    let folder = path.parent().unwrap_or(workspace.target());
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, "ui/dist was built at the time of this file\n"))
        .map_err(|source| TaskError::File { path, source })
}

fn note_path(workspace: &Workspace) -> std::path::PathBuf {
    workspace.target().join("xtask").join("ui-built")
}

/// The latest change to anything the build reads. Folders count too: removing a file
/// changes only its folder.
fn newest_source(ui: &Path) -> Result<SystemTime, TaskError> {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut folders = vec![ui.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let error = |source| TaskError::File {
            path: folder.clone(),
            source,
        };
        for entry in fs::read_dir(&folder).map_err(error)? {
            let entry = entry.map_err(error)?;
            let name = entry.file_name();
            if name == "node_modules" || name == "dist" {
                continue;
            }
            let metadata = entry.metadata().map_err(error)?;
            newest = newest.max(metadata.modified().map_err(error)?);
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(newest)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}
