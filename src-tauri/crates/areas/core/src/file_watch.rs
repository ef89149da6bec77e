//! Follows single files that other programs may change.
//!
//! The directories are watched rather than the files: a file that is replaced by a rename is another
//! one afterwards, and one that does not exist yet cannot be watched at all.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use notify::{EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use tokio::{
    sync::Notify,
    task::{AbortHandle, spawn_blocking},
};

/// Several changes within this time count as one.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(100);

/// Interval at which files are looked at that are watched: an event may be missing.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Interval at which files are looked at while the system has no means of watching left.
const UNWATCHED_INTERVAL: Duration = Duration::from_secs(5);

/// Follows files until it is dropped.
pub struct FileWatch(AbortHandle);

impl Drop for FileWatch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl FileWatch {
    /// Calls `look` at once, and whenever one of `files` may have changed, on a thread that may
    /// block.
    ///
    /// Must be called within a Tokio runtime.
    pub fn start(files: Vec<PathBuf>, look: impl Fn() + Send + Sync + 'static) -> Self {
        let task = tokio::spawn(follow(files, Arc::new(look)));
        Self(task.abort_handle())
    }
}

async fn follow(files: Vec<PathBuf>, look: Arc<dyn Fn() + Send + Sync>) {
    let files: Arc<[PathBuf]> = files.into();
    loop {
        let (files, look) = (Arc::clone(&files), Arc::clone(&look));
        // Watched anew each time: a directory may be there by now, or a link lead elsewhere. The look
        // comes after it, so that no change falls between them.
        let watching = spawn_blocking(move || {
            let watch = DirectoryWatch::start(&files);
            look();
            watch
        });
        match watching.await {
            Ok(Ok(watch)) => {
                // A directory that is removed, and file systems of other machines, send no event.
                let _ = tokio::time::timeout(LOOK_INTERVAL, watch.changed.notified()).await;
            }
            Ok(Err(error)) => {
                tracing::info!("files of the data directory cannot be watched: {error}");
                tokio::time::sleep(UNWATCHED_INTERVAL).await;
            }
            // The application ends.
            Err(_) => return,
        }
    }
}

/// The directories of files, which are watched for as long as it lives.
struct DirectoryWatch {
    changed: Arc<Notify>,
    _debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
}

impl DirectoryWatch {
    fn start(files: &[PathBuf]) -> Result<Self, notify::Error> {
        let entries: BTreeSet<PathBuf> = files.iter().flat_map(|file| entries_of(file)).collect();
        let directories: BTreeSet<PathBuf> = entries
            .iter()
            .filter_map(|entry| entry.parent().map(Path::to_owned))
            .collect();
        let changed = Arc::<Notify>::default();
        let told = Arc::clone(&changed);
        let on_events = move |events: DebounceEventResult| {
            let is_concerned = match &events {
                Ok(events) => events
                    .iter()
                    .filter(|event| !matches!(event.kind, EventKind::Access(_)))
                    .flat_map(|event| &event.paths)
                    .any(|path| entries.contains(path)),
                // Events may be missing.
                Err(_) => true,
            };
            if is_concerned {
                told.notify_one();
            }
        };
        let mut debouncer = new_debouncer(DEBOUNCE_INTERVAL, None, on_events)?;
        for directory in &directories {
            debouncer.watch(directory, RecursiveMode::NonRecursive)?;
        }
        Ok(Self {
            changed,
            _debouncer: debouncer,
        })
    }
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
        let watched = file.clone();
        let watch = FileWatch::start(vec![file.clone()], move || {
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
}
