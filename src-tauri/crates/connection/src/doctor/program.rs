//! Whether there is a program to start, and where.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use sightglass_secrets::Secret;

use super::{DoctorCheck, Verdict, check};

const TITLE: &str = "Program";

/// Resolves the command as the system will.
pub(super) fn check_program(
    command: &str,
    environment: &BTreeMap<String, Secret<String>>,
    directory: Option<&Path>,
) -> DoctorCheck {
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
    let search_path = environment
        .get("PATH")
        .map(|path| OsString::from(path.expose()))
        .or_else(|| std::env::var_os("PATH"))
        .unwrap_or_default();
    let has_directory = Path::new(command).components().count() > 1;
    let candidates: Vec<PathBuf> = if has_directory {
        vec![directory.unwrap_or(Path::new("")).join(command)]
    } else {
        evidence.push(format!("PATH: {}", search_path.to_string_lossy()));
        std::env::split_paths(&search_path)
            .map(|folder| folder.join(command))
            .collect()
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
            let summary = format!("{command} is in none of the folders of the PATH");
            check(TITLE, Verdict::Failed, summary, evidence)
        }
        Some(path) if !may_be_run(&path) => {
            let summary = format!("{} may not be run: it lacks the permission", path.display());
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

    fn environment(path: &str) -> BTreeMap<String, Secret<String>> {
        BTreeMap::from([("PATH".to_owned(), path.to_owned().into())])
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_looked_for_where_it_will_be() {
        let found = check_program("sh", &environment("/nowhere:/bin"), None);
        assert_eq!(
            (found.verdict, found.summary.as_str()),
            (Verdict::Passed, "/bin/sh")
        );
        let missing = check_program("sh", &environment("/nowhere"), None);
        assert_eq!(missing.verdict, Verdict::Failed);
        assert_eq!(missing.evidence, ["PATH: /nowhere"]);
        let file = check_program("/etc/passwd", &environment(""), None);
        assert!(file.summary.contains("may not be run"), "{}", file.summary);
        let lost = check_program("sh", &environment("/bin"), Some(Path::new("/nowhere")));
        assert!(
            lost.summary.contains("working directory"),
            "{}",
            lost.summary
        );
    }
}
