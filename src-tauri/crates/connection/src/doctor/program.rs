//! Locates the program that an entry starts, on the search path or by its path.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::{DoctorCheck, Verdict, check};

const TITLE: &str = "Program";
/// Number of letters that may differ in a suggested name.
const NEAR: usize = 2;

/// Search path of a program.
pub(super) struct ProgramLocation {
    /// The entry's own search path, else the login shell's, where it was asked.
    pub path: Option<OsString>,
    /// Directory that it will run in.
    pub directory: Option<PathBuf>,
}

/// Resolves the command as the system will.
pub(super) fn check_program(command: &str, whereabouts: &ProgramLocation) -> DoctorCheck {
    let directory = whereabouts.directory.as_deref();
    let mut evidence = Vec::new();
    if let Some(directory) = directory {
        evidence.push(format!("Working directory: {}", directory.display()));
        if !directory.is_dir() {
            let summary = format!(
                "the working directory {} does not exist",
                directory.display()
            );
            return check(TITLE, Verdict::Failed, summary, evidence);
        }
    }
    let search_path = whereabouts
        .path
        .clone()
        .or_else(|| std::env::var_os("PATH"))
        .unwrap_or_default();
    // A relative folder of the path is one of the working directory.
    let from = directory.unwrap_or(Path::new(""));
    let folders: Vec<PathBuf> = std::env::split_paths(&search_path)
        .map(|folder| from.join(folder))
        .collect();
    let has_directory = Path::new(command).components().count() > 1;
    let candidates: Vec<PathBuf> = if has_directory {
        vec![from.join(command)]
    } else {
        evidence.push(format!("PATH: {}", search_path.to_string_lossy()));
        folders.iter().map(|folder| folder.join(command)).collect()
    };
    let found = candidates
        .iter()
        .flat_map(|path| spellings(path))
        .find(|path| path.is_file());
    match found {
        None if has_directory => {
            let summary = format!("{command} does not exist");
            check(TITLE, Verdict::Failed, summary, evidence)
        }
        None => {
            let meant = match nearest(command, &folders) {
                Some(name) => format!("; did you mean {name}?"),
                None => String::new(),
            };
            let summary = format!("{command} is not on the PATH{meant}");
            check(TITLE, Verdict::Failed, summary, evidence)
        }
        Some(path) if !may_be_run(&path) => {
            let summary = format!("{} is not executable", path.display());
            check(TITLE, Verdict::Failed, summary, evidence)
        }
        Some(path) => {
            if let Ok(real) = path.canonicalize()
                && real != path
            {
                evidence.push(format!("Leads to {}", real.display()));
            }
            check(TITLE, Verdict::Passed, path.display().to_string(), evidence)
        }
    }
}

/// The program on the path whose name is most like this one.
fn nearest(command: &str, folders: &[PathBuf]) -> Option<String> {
    let names: BTreeSet<String> = folders
        .iter()
        .filter_map(|folder| folder.read_dir().ok())
        .flatten()
        .flatten()
        .filter(|entry| may_be_run(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let mut near: Vec<(usize, String)> = names
        .into_iter()
        .map(|name| (strsim::osa_distance(command, &name), name))
        // Of a short name more would be another one altogether.
        .filter(|(distance, _)| *distance <= NEAR.min(command.chars().count() / 2))
        .collect();
    near.sort();
    near.into_iter().next().map(|(_, name)| name)
}

#[cfg(windows)]
fn spellings(path: &Path) -> Vec<PathBuf> {
    ["", ".exe", ".cmd", ".bat"]
        .into_iter()
        .map(|ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        })
        .collect()
}

#[cfg(not(windows))]
fn spellings(path: &Path) -> Vec<PathBuf> {
    vec![path.to_owned()]
}

#[cfg(unix)]
fn may_be_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_be_run(_path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(path: &str) -> ProgramLocation {
        ProgramLocation {
            path: Some(path.into()),
            directory: None,
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_looked_for_where_it_will_be() {
        let found = check_program("sh", &on("/nowhere:/bin"));
        assert_eq!(
            (found.verdict, found.summary.as_str()),
            (Verdict::Passed, "/bin/sh")
        );
        let missing = check_program("sh", &on("/nowhere"));
        assert_eq!(missing.verdict, Verdict::Failed);
        assert_eq!(missing.evidence, ["PATH: /nowhere"]);
        let file = check_program("/etc/passwd", &on(""));
        assert!(
            file.summary.contains("is not executable"),
            "{}",
            file.summary
        );
        let lost = check_program(
            "sh",
            &ProgramLocation {
                directory: Some("/nowhere".into()),
                ..on("/bin")
            },
        );
        assert!(
            lost.summary.contains("working directory"),
            "{}",
            lost.summary
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_nearly_right_is_told_the_right_one() {
        let misspelt = check_program("mkdri", &on("/nowhere:/bin"));
        assert_eq!(
            misspelt.summary,
            "mkdri is not on the PATH; did you mean mkdir?"
        );
        let strange = check_program("qqqqqqqq", &on("/bin"));
        assert!(
            !strange.summary.contains("did you mean"),
            "{}",
            strange.summary
        );
    }
}
