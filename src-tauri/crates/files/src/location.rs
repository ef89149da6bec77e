//! Tells where a path lies, however it is written.

use std::path::Path;

/// Returns true when a path is written as one in a folder: one of the directories that it passes
/// through by name is the folder.
pub fn is_within(folder: &Path, path: &Path) -> bool {
    path.starts_with(folder) || is_below(path, folder)
}

/// Returns true when a path is written as one in a folder, even where it leads out again, or leads
/// into it. What does not exist yet lies where its nearest existing directory does.
pub fn leads_into(folder: &Path, path: &Path) -> bool {
    if is_within(folder, path) {
        return true;
    }
    let existing = path.ancestors().find_map(|path| path.canonicalize().ok());
    existing.is_some_and(|real| is_below(&real, folder))
}

/// Returns true when two paths are the same file or directory, also where one of them is mounted or
/// spelt in another way.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || identity(one).is_some_and(|found| identity(other) == Some(found))
}

fn is_below(path: &Path, folder: &Path) -> bool {
    let Some(folder) = identity(folder) else {
        return false;
    };
    let mut directories = path.ancestors();
    directories.any(|directory| identity(directory).is_some_and(|found| found == folder))
}

/// Names a file or directory that exists, the same for all of its paths.
#[cfg(unix)]
fn identity(path: &Path) -> Option<impl PartialEq + use<>> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Names a file or directory that exists, the same for all of its paths.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<impl PartialEq + use<>> {
    path.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_path_that_is_written_or_leads_into_a_folder_is_in_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| directory.path().join(name);
        for name in ["project/inner", "elsewhere"] {
            fs::create_dir_all(at(name)).expect("created");
        }
        let is_inside = |path: &str| leads_into(&at("project"), &at(path));
        assert!(is_inside("project"));
        assert!(is_inside("project/not/there/yet"));
        assert!(is_inside("project/../elsewhere"));
        assert!(is_inside("elsewhere/../project/inner"));
        assert!(!is_inside("elsewhere"));
        assert!(!is_inside("project-of-another-name"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("project"), at("elsewhere/link")).expect("linked");
            assert!(is_inside("elsewhere/link/inner"));
            assert!(is_inside("elsewhere/link/new"));
            assert!(leads_into(&at("elsewhere/link"), &at("project/inner")));
            assert!(!is_within(&at("project"), &at("elsewhere")));
            assert!(is_within(&at("project"), &at("elsewhere/link/../link/new")));
        }
    }
}
