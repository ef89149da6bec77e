//! Finds paths on this machine, the same as for the window.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use sightglass_inspector::Places;

use crate::{console, error::CliError};

/// The name of the application's directory among those of other applications.
const APPLICATION: &str = "dev.sightglass.app";

/// The home directory and the project.
pub(crate) fn places(project: Option<&Path>) -> Result<Places, CliError> {
    let home = set("HOME")
        .map(PathBuf::from)
        .or_else(dirs::home_dir)
        .unwrap_or_else(|| PathBuf::from("/"));
    let project = project.unwrap_or(Path::new("."));
    let absolute = project
        .canonicalize()
        .ok()
        .filter(|project| project.is_dir())
        .ok_or_else(|| {
            CliError::usage(
                &format!("{} is not a directory.", project.display()),
                "Give the project's directory with `--project DIR`.",
            )
        })?;
    Ok(Places {
        home,
        project: absolute,
    })
}

/// `SIGHTGLASS_DATA_DIR`, or the platform's directory for this application.
pub(crate) fn data_directory() -> Result<PathBuf, CliError> {
    if let Some(chosen) = set("SIGHTGLASS_DATA_DIR") {
        let chosen = PathBuf::from(chosen);
        return Ok(std::path::absolute(&chosen).unwrap_or(chosen));
    }
    dirs::data_dir()
        .map(|data| data.join(APPLICATION))
        .ok_or_else(|| {
            CliError::usage(
                "There is no directory for application data.",
                "Set HOME or SIGHTGLASS_DATA_DIR.",
            )
        })
}

fn set(name: &str) -> Option<OsString> {
    console::variable(name).filter(|value| !value.is_empty())
}

/// The directory above the files of the machine's administrator.
pub(crate) fn system_root() -> PathBuf {
    PathBuf::from(if cfg!(windows) { r"C:\" } else { "/" })
}
