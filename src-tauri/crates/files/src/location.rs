//! Tells where a path lies, however it is written.

use std::{cell::OnceCell, path::Path};

/// Device and number of a file.
#[cfg(unix)]
type Identity = (u64, u64);

/// Path of a file without links.
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

/// Returns true when a path is written as one in a folder: one of the directories that it passes
/// through by name is the folder.
pub fn is_within(folder: &Path, path: &Path) -> bool {
    NamedFolder::named([folder]).is_written_in(path)
}

/// Returns true when a path is written as one in a folder, even where it leads out again, or leads
/// into it. What does not exist yet lies where its nearest existing directory does.
pub fn leads_into(folder: &Path, path: &Path) -> bool {
    NamedFolder::named([folder]).holds(path)
}

/// Folder by its names, against which many paths are held. It is looked up once, and each path is
/// walked once for all names.
pub struct NamedFolder<'a> {
    names: Vec<&'a Path>,
    found: OnceCell<Vec<Identity>>,
}

impl<'a> NamedFolder<'a> {
    pub fn named(names: impl IntoIterator<Item = &'a Path>) -> Self {
        Self {
            names: names.into_iter().collect(),
            found: OnceCell::new(),
        }
    }

    /// Returns true when a path [leads into](leads_into) the folder of any of the names.
    pub fn holds(&self, path: &Path) -> bool {
        if self.is_written_in(path) {
            return true;
        }
        let existing = path
            .ancestors()
            .find_map(|above| Some((above, above.canonicalize().ok()?)));
        // Without links, its directories are those that it is written with.
        existing.is_some_and(|(written, real)| written != real && self.is_above(&real))
    }

    fn is_written_in(&self, path: &Path) -> bool {
        self.names.iter().any(|name| path.starts_with(name)) || self.is_above(path)
    }

    fn is_above(&self, path: &Path) -> bool {
        let found = self.found.get_or_init(|| {
            let mut found: Vec<Identity> = Vec::new();
            for identity in self.names.iter().filter_map(|name| identity(name)) {
                if !found.contains(&identity) {
                    found.push(identity);
                }
            }
            found
        });
        !found.is_empty()
            && path
                .ancestors()
                .any(|above| identity(above).is_some_and(|above| found.contains(&above)))
    }
}

/// Returns true when two paths are the same file or directory, also where one of them is mounted or
/// spelt in another way.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || identity(one).is_some_and(|found| identity(other) == Some(found))
}

/// Names a file or directory that exists, the same for all of its paths.
#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Names a file or directory that exists, the same for all of its paths.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

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
            let names = [at("elsewhere/link"), at("gone")];
            let folder = NamedFolder::named(names.iter().map(PathBuf::as_path));
            assert!(folder.holds(&at("project/inner")));
            assert!(folder.holds(&at("elsewhere/../project/new")));
            assert!(folder.holds(&at("gone/inner")));
            assert!(!folder.holds(&at("elsewhere")));
        }
    }
}
