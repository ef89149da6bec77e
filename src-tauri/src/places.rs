//! Finds paths on this machine: project, data, home, and the programs beside this one.

use std::{
    env,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tauri::{AppHandle, Manager};
use tauri_plugin_shell::ShellExt;

/// The project to open: the directory that was named, or the current one.
///
/// # Errors
/// A sentence for the user who named it.
pub(crate) fn project(named: Option<PathBuf>) -> Result<PathBuf, String> {
    let path = match named {
        Some(path) => path,
        None => {
            env::current_dir().map_err(|error| format!("the current directory is gone: {error}"))?
        }
    };
    let absolute = path
        .canonicalize()
        .map_err(|error| format!("{} cannot be opened as a project: {error}", path.display()))?;
    if absolute.is_dir() {
        Ok(absolute)
    } else {
        Err(format!(
            "{} is not a directory; give the project's directory",
            path.display()
        ))
    }
}

/// The directory in which the application was started.
static START: OnceLock<PathBuf> = OnceLock::new();

/// Works from the home directory from now on: what the desktop's libraries and openers start
/// must not start in a folder that is not trusted. Relative paths of the environment still mean
/// what they meant at the start.
pub(crate) fn leave_start_directory() {
    START.get_or_init(|| env::current_dir().unwrap_or_default());
    if let Some(home) = env::home_dir() {
        // Without it the place to work from stays as it is, and programs are told theirs anyway.
        let _ = env::set_current_dir(home);
    }
}

/// Works from the directory in which the application was started again, for as long as no other
/// program is started: another launch tells this one where it was started.
pub(crate) fn enter_start_directory() {
    if let Some(start) = START.get() {
        // Where it is gone, the launch names no folder.
        let _ = env::set_current_dir(start);
    }
}

/// A path of the environment, made absolute.
pub(crate) fn from_start(path: PathBuf) -> PathBuf {
    match START.get() {
        Some(start) => start.join(path),
        None => std::path::absolute(&path).unwrap_or(path),
    }
}

/// `SIGHTGLASS_DATA_DIR`, where it is set.
pub(crate) fn chosen_data_directory() -> Option<PathBuf> {
    let chosen =
        PathBuf::from(env::var_os("SIGHTGLASS_DATA_DIR").filter(|value| !value.is_empty())?);
    Some(from_start(chosen))
}

/// The data directory: the chosen one, or the platform's for this application.
///
/// # Errors
/// A sentence, where the platform knows none.
pub(crate) fn data_directory(app: &AppHandle) -> Result<PathBuf, String> {
    match chosen_data_directory() {
        Some(chosen) => Ok(chosen),
        None => app.path().app_data_dir().map_err(|error| {
            format!("there is no directory for application data ({error}); set SIGHTGLASS_DATA_DIR")
        }),
    }
}

/// The home directory. `HOME` counts on every platform.
pub(crate) fn home(app: &AppHandle) -> PathBuf {
    match env::var_os("HOME").filter(|home| !home.is_empty()) {
        Some(home) => PathBuf::from(home),
        None => app
            .path()
            .home_dir()
            .unwrap_or_else(|_| Path::new("/").to_owned()),
    }
}

/// The executable that is the demo server, and the reaper that ends servers when the application is
/// killed: the command line, which ships beside this one as a sidecar. Where it is missing, as after
/// `cargo run`, this one does; but it loads all of WebKit first, which takes a while and 19 MB.
///
/// The shell plugin knows where each platform's bundle puts a sidecar, and that is all it is used
/// for. It would kill the reaper when the application ends, which the reaper has to outlive, and it
/// starts programs without the process groups and pipes that servers need.
///
/// # Errors
/// A sentence, where the system does not say which executable this is.
pub(crate) fn helper(app: &AppHandle) -> Result<PathBuf, String> {
    if let Ok(sidecar) = app.shell().sidecar("sightglass-cli") {
        let path = PathBuf::from(std::process::Command::from(sidecar).get_program());
        if path.is_file() {
            return Ok(path);
        }
    }
    env::current_exe()
        .map_err(|error| format!("the application cannot find its own executable: {error}"))
}

/// The directory above the files of the machine's administrator.
pub(crate) fn system_root() -> PathBuf {
    if cfg!(windows) {
        PathBuf::from(r"C:\")
    } else {
        PathBuf::from("/")
    }
}
