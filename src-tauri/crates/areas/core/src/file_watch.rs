//! Follows files and directories that other programs may change.
//!
//! The directories are watched rather than the files: a file that is replaced by a rename is another
//! one afterwards, and one that does not exist yet cannot be watched at all.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use futures::FutureExt;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::{
    sync::Notify,
    task::{AbortHandle, spawn_blocking},
};

/// Several changes within this time of the first count as one.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(50);

/// Interval at which files are looked at that are watched: an event may be missing.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Interval at which files are looked at while the system has no means of watching left.
const UNWATCHED_INTERVAL: Duration = Duration::from_secs(5);

/// Names the paths that are followed.
type Paths = dyn Fn() -> Vec<PathBuf> + Send + Sync;

/// Follows files and directories until it is dropped.
pub struct FileWatch {
    task: AbortHandle,
    changed: Arc<Notify>,
}

impl Drop for FileWatch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl FileWatch {
    /// Calls `look` at once, and whenever one of `paths` may have changed, on a thread that may
    /// block. A directory stands for the entries in it, and not for those below them. The paths are
    /// asked for each time.
    ///
    /// Must be called within a Tokio runtime.
    pub fn start(
        paths: impl Fn() -> Vec<PathBuf> + Send + Sync + 'static,
        look: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let changed = Arc::<Notify>::default();
        let following = follow(Arc::new(paths), Arc::new(look), Arc::clone(&changed));
        let task = tokio::spawn(following).abort_handle();
        Self { task, changed }
    }

    /// Asks for the paths anew and looks at them, as when they are others by now.
    pub fn look_again(&self) {
        self.changed.notify_one();
    }
}

async fn follow(paths: Arc<Paths>, look: Arc<dyn Fn() + Send + Sync>, changed: Arc<Notify>) {
    loop {
        let (paths, look, told) = (Arc::clone(&paths), Arc::clone(&look), Arc::clone(&changed));
        // Watched anew each time: a directory may be there by now, or a link lead elsewhere. The look
        // comes after it, so that no change falls between them.
        let watching = spawn_blocking(move || {
            let watched = paths();
            let watch = watch(&watched, Arc::clone(&told));
            look();
            // A directory that came before its parent was watched.
            if paths() != watched {
                told.notify_one();
            }
            watch
        });
        // The application ends.
        let Ok(watch) = watching.await else {
            return;
        };
        let interval = match &watch {
            // A directory that is removed, and file systems of other machines, send no event.
            Ok(_) => LOOK_INTERVAL,
            Err(error) => {
                tracing::info!("files cannot be watched: {error}");
                UNWATCHED_INTERVAL
            }
        };
        let waiting = tokio::time::timeout(interval, changed.notified());
        if waiting.await.is_ok() {
            tokio::time::sleep(DEBOUNCE_INTERVAL).await;
            // What else changed meanwhile is seen by the same look.
            let _ = changed.notified().now_or_never();
        }
    }
}

/// Watches the directories of paths, and those that are directories themselves, for as long as what
/// it returns lives.
fn watch(paths: &[PathBuf], changed: Arc<Notify>) -> Result<RecommendedWatcher, notify::Error> {
    let entries: BTreeSet<PathBuf> = paths.iter().flat_map(|path| entries_of(path)).collect();
    let whole: BTreeSet<PathBuf> = paths
        .iter()
        .filter(|path| path.is_dir())
        // As the system names it in its events.
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let above = entries.iter().filter_map(|entry| entry.parent());
    let directories: BTreeSet<PathBuf> = above
        .chain(whole.iter().map(PathBuf::as_path))
        .map(Path::to_owned)
        .collect();
    let is_concerned = move |path: &Path| {
        entries.contains(path) || path.parent().is_some_and(|above| whole.contains(above))
    };
    let on_event = move |event: Result<Event, notify::Error>| {
        let is_change = match &event {
            // Others are missing.
            Ok(event) if event.need_rescan() => true,
            Ok(event) => {
                !matches!(event.kind, EventKind::Access(_))
                    && event.paths.iter().any(|path| is_concerned(path))
            }
            Err(_) => true,
        };
        if is_change {
            changed.notify_one();
        }
    };
    let mut watcher = notify::recommended_watcher(on_event)?;
    for directory in &directories {
        watcher.watch(directory, RecursiveMode::NonRecursive)?;
    }
    Ok(watcher)
}

/// Returns the entries of directories that concern a file: its own or, where directories are missing,
/// that of the first of them; and the file that a link leads to.
fn entries_of(file: &Path) -> Vec<PathBuf> {
    let existing = file.ancestors().skip(1).find(|above| above.is_dir());
    let own = existing.and_then(|existing| {
        let next = file.strip_prefix(existing).ok()?.components().next()?;
        // As the system names it in its events.
        Some(existing.canonicalize().ok()?.join(next))
    });
    let target = match file.is_symlink() {
        true => file.canonicalize().ok(),
        false => None,
    };
    own.into_iter().chain(target).collect()
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::Mutex};

    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    use super::*;
    use sightglass_model::lock;

    type Content = Option<String>;

    async fn next(seen: &mut UnboundedReceiver<Content>) -> Content {
        let next = tokio::time::timeout(Duration::from_secs(60), seen.recv());
        next.await.expect("in time").expect("it is followed")
    }

    #[test]
    fn a_missing_directory_stands_for_the_files_below_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it exists");
        let file = root.join("data/rules.toml");
        assert_eq!(entries_of(&file), [root.join("data")]);
        fs::create_dir(root.join("data")).expect("created");
        assert_eq!(entries_of(&file), [file]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn files_are_looked_at_at_once_and_after_each_change() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("data/folders.json");
        let (sender, mut seen) = unbounded_channel();
        let looked = Mutex::new(None);
        let (path, watched) = (file.clone(), file.clone());
        let paths = move || vec![path.clone()];
        let watch = FileWatch::start(paths, move || {
            let content = fs::read_to_string(&watched).ok();
            let before = lock(&looked).replace(content.clone());
            if before.as_ref() != Some(&content) {
                let _ = sender.send(content);
            }
        });
        assert_eq!(next(&mut seen).await, None);
        fs::create_dir(file.parent().expect("a parent")).expect("created");
        for text in ["one", "two"] {
            sightglass_files::replace(&file, text.as_bytes()).expect("written");
            assert_eq!(next(&mut seen).await.as_deref(), Some(text));
        }
        drop(watch);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_directory_stands_for_the_entries_in_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().join("requests");
        let (sender, mut seen) = unbounded_channel();
        let (path, watched) = (root.clone(), root.clone());
        let paths = move || vec![path.clone()];
        let watch = FileWatch::start(paths, move || {
            let names = fs::read_dir(&watched).into_iter().flatten().flatten();
            let mut names: Vec<String> = names
                .filter_map(|entry| entry.file_name().into_string().ok())
                .collect();
            names.sort();
            let _ = sender.send(Some(names.join(" ")));
        });
        assert_eq!(next(&mut seen).await.as_deref(), Some(""));
        fs::create_dir(&root).expect("created");
        for (name, names) in [("a.toml", "a.toml"), ("b.toml", "a.toml b.toml")] {
            sightglass_files::replace(&root.join(name), b"").expect("written");
            while next(&mut seen).await.as_deref() != Some(names) {}
        }
        drop(watch);
    }
}
