//! Checks the program that an entry starts.

use sightglass_model::{Finding, Verdict};

use super::check;
use crate::transport::stdio::ProgramSearch;

const TITLE: &str = "Program";

/// Looks for the command as the system will.
pub(super) fn check_program(search: &ProgramSearch<'_>) -> Finding<()> {
    let mut evidence = Vec::new();
    if let Some(directory) = search.directory {
        evidence.push(format!("Working directory: {}", directory.display()));
    }
    if !search.is_path() {
        let path = search.search_path();
        evidence.push(format!("PATH: {}", path.to_string_lossy()));
    }
    match search.locate() {
        Err(fault) => check(TITLE, Verdict::Failed, fault.message(), evidence),
        Ok(file) => {
            if let Ok(real) = file.canonicalize()
                && real != file
            {
                evidence.push(format!("Leads to {}", real.display()));
            }
            check(TITLE, Verdict::Passed, file.display().to_string(), evidence)
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::*;

    fn on<'a>(command: &'a str, path: &str) -> ProgramSearch<'a> {
        ProgramSearch {
            command,
            arguments: &[],
            path: Some(path.into()),
            directory: None,
        }
    }

    #[test]
    fn a_program_is_looked_for_where_it_will_be() {
        let found = check_program(&on("sh", "/nowhere:/bin"));
        assert_eq!((found.verdict, found.words()), (Verdict::Passed, "/bin/sh"));
        let missing = check_program(&on("sh", "/nowhere"));
        assert_eq!(missing.verdict, Verdict::Failed);
        assert_eq!(missing.evidence, ["PATH: /nowhere"]);
        let file = check_program(&on("/etc/passwd", ""));
        assert!(
            file.words().contains("is not executable"),
            "{}",
            file.words()
        );
        let lost = check_program(&ProgramSearch {
            directory: Some(Path::new("/nowhere")),
            ..on("sh", "/bin")
        });
        assert!(
            lost.words().contains("working directory"),
            "{}",
            lost.words()
        );
    }

    #[test]
    fn a_name_that_is_nearly_right_is_told_the_right_one() {
        let misspelt = check_program(&on("mkdri", "/nowhere:/bin"));
        assert_eq!(
            misspelt.words(),
            "mkdri is not on the PATH; did you mean mkdir?"
        );
        let strange = check_program(&on("qqqqqqqq", "/bin"));
        assert!(
            !strange.words().contains("did you mean"),
            "{}",
            strange.words()
        );
    }
}
