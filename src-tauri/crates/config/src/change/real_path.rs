//! Finds the file that a write really replaces, when a link leads out of the project.
//!
//! Git stores symbolic links, so that `.mcp.json` or `.claude` of a project may lead to a file of
//! the user's. Writing through links is wanted (they are how people share their own files), so it
//! is shown and asked about rather than refused.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::change::{error::ConfigError, write::link_target};

/// The file that a write to `path` really replaces, if `path` is in the project and that file is
/// not.
pub fn outside_project(path: &Path, project: &Path) -> Result<Option<PathBuf>, ConfigError> {
    if !sightglass_files::is_within(project, path) {
        return Ok(None);
    }
    let real = resolved(&link_target(path)?);
    Ok((!real.starts_with(resolved(project))).then_some(real))
}

/// The path without links, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        if let Ok(real) = fs::canonicalize(existing) {
            return match path.strip_prefix(existing) {
                Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
                _ => real,
            };
        }
    }
    path.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_out_of_the_project_is_found_whichever_part_of_the_path_it_is() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = fs::canonicalize(directory.path()).expect("there");
        let (home, project) = (root.join("home"), root.join("project"));
        fs::create_dir_all(home.join(".claude")).expect("made");
        fs::create_dir_all(&project).expect("made");
        sightglass_files::replace(&home.join(".claude.json"), b"{}").expect("written");
        symlink("../home/.claude.json", project.join(".mcp.json")).expect("linked");
        symlink(home.join(".claude"), project.join(".claude")).expect("linked");
        symlink("other.json", project.join("inside.json")).expect("linked");
        let outside =
            |name: &str| outside_project(&project.join(name), &project).expect("links that end");
        assert_eq!(outside(".mcp.json"), Some(home.join(".claude.json")));
        assert_eq!(
            outside(".claude/new.json"),
            Some(home.join(".claude/new.json"))
        );
        assert_eq!(outside("inside.json"), None);
        assert_eq!(outside("plain.json"), None);
        let own = outside_project(&home.join(".claude.json"), &project);
        assert_eq!(own.expect("no loop"), None);
    }
}
