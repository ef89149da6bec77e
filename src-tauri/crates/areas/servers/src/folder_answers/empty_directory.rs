//! Finds an empty directory for programs that must not start in the opened folder.
//!
//! It lies outside the folder, since programs look into the parents of where they start: `npx`
//! runs what the nearest `node_modules/.bin` holds. The data directory is the first choice, but a
//! folder may hold that too: the clone that it was made in, or a parent of the home directory.
//! Then come the user's other private directories, and last a new one among the temporary files,
//! whose parent other users of the machine can write to.
//!
//! Nothing lies outside `/`, where a desktop starts programs: each directory of the machine is
//! below it, wherever a program starts, so that the data directory is as good as any.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tempfile::TempDir;

/// Number of directories that are tried in one place: a program may have left files in the
/// earlier ones.
const MAX_CANDIDATES: usize = 1000;

/// Places for an empty directory, best first.
pub(super) struct EmptyDirectories {
    places: Vec<PathBuf>,
    /// Removed when the application ends.
    temporary: OnceLock<TempDir>,
}

impl EmptyDirectories {
    /// Uses the data directory, then the private directories of the user whose home this is.
    pub fn new(data: &Path, home: &Path) -> Self {
        // The XDG base directory specification makes it the user's own, with mode 0700.
        let runtime = std::env::var_os("XDG_RUNTIME_DIR")
            .map(PathBuf::from)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join("sightglass"));
        let places = std::iter::once(data.to_owned())
            .chain(runtime)
            .chain([home.join(".cache/sightglass")])
            .collect();
        Self::among(places)
    }

    fn among(places: Vec<PathBuf>) -> Self {
        Self {
            places,
            temporary: OnceLock::new(),
        }
    }

    /// Returns the directory that [`create`](Self::create) tries first. It need not exist.
    pub fn path(&self, folder: &Path, leads_into: impl Fn(&Path) -> bool) -> PathBuf {
        let outside = |place: &&PathBuf| is_root(folder) || !leads_into(place);
        match self.places.iter().find(outside) {
            Some(place) => place.join("empty"),
            None => match self.temporary() {
                Ok(directory) => directory.join("empty"),
                // Nothing will start there either.
                Err(_) => std::env::temp_dir().join("sightglass/empty"),
            },
        }
    }

    /// Returns an empty directory that only this user can read, made where it is missing. One
    /// that holds anything is left as it is, and the next is tried. `leads_into` tells if a path
    /// lies in `folder`.
    ///
    /// # Errors
    /// When none can be made outside the folder.
    pub fn create(&self, folder: &Path, leads_into: impl Fn(&Path) -> bool) -> io::Result<PathBuf> {
        let mut last = None;
        for place in &self.places {
            if !is_root(folder) && leads_into(place) {
                continue;
            }
            match create_in(place) {
                Ok(directory) => return Ok(directory),
                Err(error) => last = Some(error),
            }
        }
        let made = self.temporary().and_then(|directory| {
            if !is_root(folder) && leads_into(directory) {
                return Err(io::Error::other("the folder holds the temporary files"));
            }
            create_in(directory)
        });
        made.map_err(|error| last.unwrap_or(error))
    }

    fn temporary(&self) -> io::Result<&Path> {
        if let Some(made) = self.temporary.get() {
            return Ok(made.path());
        }
        // With a new name: a directory that is there already may be anybody's.
        let made = TempDir::with_prefix("sightglass-")?;
        Ok(self.temporary.get_or_init(|| made).path())
    }
}

fn is_root(folder: &Path) -> bool {
    folder.parent().is_none()
}

fn create_in(place: &Path) -> io::Result<PathBuf> {
    let further = (2..=MAX_CANDIDATES).map(|number| place.join(format!("empty-{number}")));
    let mut last = io::Error::other("none of them is empty");
    for candidate in std::iter::once(place.join("empty")).chain(further) {
        match make_private(&candidate).and_then(|()| fs::read_dir(&candidate)) {
            Ok(mut entries) => match entries.next() {
                None => return Ok(candidate),
                Some(_) => continue,
            },
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Makes sure that `directory` is a directory, no link to one, of this user alone.
fn make_private(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // Succeeds too where it exists already, which says nothing about whose it is.
    builder.create(directory)?;
    if !fs::symlink_metadata(directory)?.is_dir() {
        return Err(io::Error::other("a link stands in its place"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Only the owner may do this.
        fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts_with(folder: &Path) -> impl Fn(&Path) -> bool {
        move |path| path.starts_with(folder)
    }

    #[cfg(unix)]
    #[test]
    fn an_empty_directory_is_empty_private_and_no_link() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().expect("a directory");
        let project = root.path().join("project");
        let empty = EmptyDirectories::among(vec![root.path().join("data")]);
        let create = || empty.create(&project, starts_with(&project));
        let first = create().expect("made");
        let mode = fs::metadata(&first).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert_eq!(create().expect("the same"), first);
        fs::create_dir(first.join("node_modules")).expect("created");
        let link = root.path().join("data/empty-2");
        std::os::unix::fs::symlink(&project, link).expect("linked");
        let next = create().expect("another");
        assert_eq!(
            next.file_name().and_then(|name| name.to_str()),
            Some("empty-3")
        );
        assert!(first.join("node_modules").exists());
    }

    #[test]
    fn a_folder_that_holds_the_data_directory_is_left_for_the_next_place() {
        let root = tempfile::tempdir().expect("a directory");
        let (clone, cache) = (root.path().join("clone"), root.path().join("cache"));
        let empty = EmptyDirectories::among(vec![clone.join("target/data"), cache.clone()]);
        let made = empty.create(&clone, starts_with(&clone)).expect("made");
        assert_eq!(made, cache.join("empty"));
        assert_eq!(empty.path(&clone, starts_with(&clone)), made);
        assert!(!clone.exists());
    }

    #[test]
    fn a_folder_that_holds_every_private_directory_is_left_for_a_temporary_one() {
        let root = tempfile::tempdir().expect("a directory");
        let home = root.path().join("home");
        let empty = EmptyDirectories::among(vec![home.join("one/data"), home.join("one/.cache")]);
        let made = empty.create(&home, starts_with(&home)).expect("made");
        assert!(made.is_dir());
        assert!(made.starts_with(std::env::temp_dir()), "{made:?}");
        assert!(made.starts_with(empty.path(&home, starts_with(&home))));
        drop(empty);
        assert!(!made.exists(), "it stays behind");
    }

    #[test]
    fn the_root_of_the_file_system_uses_the_data_directory() {
        let root = tempfile::tempdir().expect("a directory");
        let top = root.path().ancestors().last().expect("a root");
        let empty = EmptyDirectories::among(vec![root.path().join("data")]);
        let made = empty.create(top, starts_with(top)).expect("made");
        assert_eq!(made, root.path().join("data/empty"));
    }

    #[cfg(unix)]
    #[test]
    fn a_place_that_cannot_be_written_is_left_for_the_next() {
        let root = tempfile::tempdir().expect("a directory");
        let project = root.path().join("project");
        fs::File::create_new(root.path().join("file")).expect("made");
        let places = vec![root.path().join("file/data"), root.path().join("cache")];
        let empty = EmptyDirectories::among(places);
        let made = empty.create(&project, starts_with(&project)).expect("made");
        assert_eq!(made, root.path().join("cache/empty"));
    }
}
