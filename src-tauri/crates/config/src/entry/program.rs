//! Looks programs up on the search path.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::{
    client::{Machine, Platform},
    entry::variable::expanded,
};

impl Machine {
    /// The file that starting `command` runs, for a server with this entry. The entry's own
    /// `PATH` counts first, then `login_path`, that of the login shell, which servers are started
    /// with, and then that of the environment. What is relative is so to the entry's `cwd`, else to
    /// `directory`. `None` when there is none.
    pub fn find_program(
        &self,
        command: &str,
        entry: &Map<String, Value>,
        directory: &Path,
        login_path: Option<&str>,
    ) -> Option<PathBuf> {
        let entry = expanded(entry, self);
        let directory = match entry.get("cwd").and_then(Value::as_str) {
            Some(directory) => self.places.project.join(directory),
            None => directory.to_owned(),
        };
        if Path::new(command).components().count() > 1 {
            return self.runnable(&directory.join(command));
        }
        let own_path = entry
            .get("env")
            .and_then(|variables| variables.get("PATH")?.as_str());
        let path = match own_path.or(login_path) {
            Some(path) => path.to_owned(),
            None => self.variable("PATH")?,
        };
        std::env::split_paths(&path)
            .find_map(|candidate| self.runnable(&directory.join(candidate).join(command)))
    }

    /// The path, or on Windows the one with an extension that can be started.
    fn runnable(&self, path: &Path) -> Option<PathBuf> {
        if is_runnable(path) {
            return Some(path.to_owned());
        }
        if self.platform != Platform::Windows {
            return None;
        }
        ["exe", "cmd", "bat", "com"]
            .into_iter()
            .map(|extension| path.with_extension(extension))
            .find(|path| path.is_file())
    }
}

#[cfg(unix)]
fn is_runnable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_runnable(path: &Path) -> bool {
    path.is_file()
}
