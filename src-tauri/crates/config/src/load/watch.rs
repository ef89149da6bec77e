//! Watches the configuration files of all clients.
//!
//! Directories are watched rather than files: a file that is replaced by a rename is another
//! file afterwards, and one that does not exist yet cannot be watched at all. For a
//! directory that does not exist either, the nearest one above it is watched until it does.
//! The files themselves then show if they changed, so that the noise of a busy home
//! directory ends here.

use std::{
    collections::{BTreeMap, BTreeSet, hash_map::DefaultHasher},
    fs,
    hash::{Hash, Hasher},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};
use sightglass_files::ReadError;

use crate::{
    client::{Client, Machine},
    load::{
        claude_state::state_excerpt, client_approvals::TRUSTED_FOLDERS, file_version::FileVersion,
    },
    scopes::{claude_settings, directories, managed_settings, scopes},
    text::{excerpt::ExcerptError, file::is_claude_state},
};

/// Time without an event after which what changed is looked at. Editors write in several steps, with
/// milliseconds between them.
const REST_INTERVAL: Duration = Duration::from_millis(30);

/// The longest time until it is looked at where events do not end.
const MAX_UNREST: Duration = Duration::from_millis(100);

/// Error of watching files. Everything else works without it.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The system has no means of watching left, or none at all.
    #[error("Cannot watch the configuration files for changes: {0}.")]
    Unavailable(#[from] notify::Error),
    #[error("Cannot watch the configuration files for changes: {0}.")]
    NoThread(#[from] io::Error),
}

/// Watches for as long as it lives.
#[derive(Debug)]
pub struct Watcher {
    stopped: Arc<AtomicBool>,
    signals: mpsc::Sender<Signal>,
}

impl Drop for Watcher {
    /// Stops watching. A call of the callback that is under way goes on to its end.
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Release);
        // When the other end is gone, so is the thread.
        let _ = self.signals.send(Signal::Stop);
    }
}

enum Signal {
    FileSystem(Result<Event, notify::Error>),
    Stop,
}

/// A file whose changes are reported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct WatchedFile {
    path: PathBuf,
    /// The directory down from which directories are watched.
    base: PathBuf,
}

/// The files that say which servers there are, and those that say who may use them.
fn watched_files(machine: &Machine) -> BTreeSet<WatchedFile> {
    let places = &machine.places;
    let settings = [
        claude_settings(machine),
        places.home.join(".claude/plugins/installed_plugins.json"),
        places.project.join(".claude/settings.json"),
        places.project.join(".claude/settings.local.json"),
        places.home.join(".gemini/mcp-server-enablement.json"),
        places.home.join(TRUSTED_FOLDERS),
    ];
    let of_clients = Client::ALL
        .into_iter()
        .flat_map(|client| scopes(client, machine))
        .flat_map(|place| {
            let mistaken = place.mistaken.into_iter().map(|file| file.path);
            mistaken.chain([place.path])
        });
    of_clients
        .chain(settings)
        .chain(managed_settings(machine))
        .map(|path| {
            let own = path.parent().unwrap_or(Path::new("")).to_owned();
            let base = [&places.project, &places.home]
                .into_iter()
                .find(|base| path.starts_with(base));
            WatchedFile {
                base: base.cloned().unwrap_or(own),
                path,
            }
        })
        .collect()
}

/// Calls `callback` from a thread of its own after configuration files of any client were
/// created, changed or removed, with their paths. What happens from the moment this returns is
/// not missed; several changes in quick succession are reported as one.
pub fn watch(
    machine: &Machine,
    callback: impl FnMut(Vec<PathBuf>) + Send + 'static,
) -> Result<Watcher, WatchError> {
    let (signals, received) = mpsc::channel();
    let from_system = signals.clone();
    let watcher = notify::recommended_watcher(move |result| {
        if may_be_change(&result) {
            // When the other end is gone, so is the interest.
            let _ = from_system.send(Signal::FileSystem(result));
        }
    })?;
    let stopped = Arc::new(AtomicBool::new(false));
    let mut task = WatchTask {
        machine: machine.clone(),
        files: watched_files(machine),
        watcher,
        watched: BTreeSet::new(),
        stamps: BTreeMap::new(),
        stopped: Arc::clone(&stopped),
        callback,
    };
    task.watch_directories(&BTreeSet::new())?;
    task.changed_files(&BTreeSet::new());
    thread::Builder::new()
        .name("config-watch".into())
        .spawn(move || task.run(&received))?;
    Ok(Watcher { stopped, signals })
}

/// Returns false for an event of reading alone, as that of this program is.
fn may_be_change(result: &Result<Event, notify::Error>) -> bool {
    match result {
        Ok(event) => match event.kind {
            EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
            _ => true,
        },
        Err(_) => true,
    }
}

struct WatchTask<F> {
    machine: Machine,
    files: BTreeSet<WatchedFile>,
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    stamps: BTreeMap<PathBuf, FileStamp>,
    stopped: Arc<AtomicBool>,
    callback: F,
}

impl<F: FnMut(Vec<PathBuf>)> WatchTask<F> {
    fn run(mut self, received: &mpsc::Receiver<Signal>) {
        while let Some(touched) = self.touched_until_rest(received) {
            // A file may name others, as the list of plugins does, or be new in a directory. Those
            // that are no longer listed are looked at once more: they may be gone.
            let listed = watched_files(&self.machine);
            let new: BTreeSet<WatchedFile> = listed.difference(&self.files).cloned().collect();
            self.files.extend(new.iter().cloned());
            if let Err(error) = self.watch_directories(&touched) {
                tracing::warn!(%error, "a directory with configuration files cannot be watched");
            }
            // The one look of this turn: a change that a second look took note of would be lost.
            let changed = self.changed_files(&new);
            self.files = listed;
            if self.stopped.load(Ordering::Acquire) {
                return;
            }
            if !changed.is_empty() {
                (self.callback)(changed);
            }
        }
    }

    /// Waits for events, and until no more come for a moment. Returns the paths that they name;
    /// `None` once watching is to stop.
    fn touched_until_rest(&self, received: &mpsc::Receiver<Signal>) -> Option<BTreeSet<PathBuf>> {
        let mut touched = BTreeSet::new();
        let mut signal = received.recv().ok()?;
        let began = Instant::now();
        loop {
            let Signal::FileSystem(result) = signal else {
                return None;
            };
            match result {
                Ok(event) if !event.need_rescan() => touched.extend(event.paths),
                // Events may be missing, so everything is looked at anew.
                result => {
                    if let Err(error) = result {
                        tracing::warn!(%error, "watching the configuration files faltered");
                    }
                    touched.extend(self.watched.iter().cloned());
                }
            }
            let left = MAX_UNREST.saturating_sub(began.elapsed());
            if left.is_zero() {
                return Some(touched);
            }
            signal = match received.recv_timeout(left.min(REST_INTERVAL)) {
                Ok(next) => next,
                Err(RecvTimeoutError::Timeout) => return Some(touched),
                Err(RecvTimeoutError::Disconnected) => return None,
            };
        }
    }

    /// Watches what has to be watched now. A directory that was touched itself may be another
    /// one of the same name, so it is watched anew.
    fn watch_directories(&mut self, touched: &BTreeSet<PathBuf>) -> Result<(), notify::Error> {
        let mut wanted = wanted_directories(&self.files);
        wanted.extend(directories(&self.machine));
        let gone: Vec<PathBuf> = self
            .watched
            .iter()
            .filter(|path| !wanted.contains(*path) || touched.contains(*path))
            .cloned()
            .collect();
        for path in gone {
            // Fails for one that does not exist any more, which is what is wanted.
            let _ = self.watcher.unwatch(&path);
            self.watched.remove(&path);
        }
        let mut first_error = None;
        for path in wanted {
            if self.watched.contains(&path) {
                continue;
            }
            match self.watcher.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(path);
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        match first_error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// The files that are not what they were when last looked at, and those of `new` that are there.
    fn changed_files(&mut self, new: &BTreeSet<WatchedFile>) -> Vec<PathBuf> {
        let stamps = &mut self.stamps;
        self.files
            .iter()
            .filter(|file| {
                let path = &file.path;
                let before = stamps.get(path);
                let now = FileStamp::look(path, before);
                let changed = match before {
                    Some(before) => before.content != now.content,
                    None => new.contains(*file) && path.is_file(),
                };
                stamps.insert(path.clone(), now);
                changed
            })
            .map(|file| file.path.clone())
            .collect()
    }
}

/// The directories in which something could happen that concerns a scope file.
fn wanted_directories(files: &BTreeSet<WatchedFile>) -> BTreeSet<PathBuf> {
    let mut wanted = BTreeSet::new();
    for WatchedFile { path, base } in files {
        let above = path
            .ancestors()
            .skip(1)
            .take_while(|directory| directory.starts_with(base));
        let existing: Vec<&Path> = above.filter(|directory| directory.is_dir()).collect();
        if existing.is_empty() {
            let nearest = base.ancestors().find(|directory| directory.is_dir());
            wanted.extend(nearest.map(Path::to_owned));
        }
        wanted.extend(existing.into_iter().map(Path::to_owned));
        // What a link leads to changes elsewhere.
        if path.is_symlink()
            && let Ok(target) = fs::canonicalize(path)
            // Beside a device, as in `/dev`, something changes all the time.
            && target.is_file()
            && let Some(directory) = target.parent()
        {
            wanted.insert(directory.to_owned());
        }
    }
    wanted
}

/// State of a file when it was last seen.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileStamp {
    /// Version that was seen last. A file at rest is read again once it has another one.
    version: Option<FileVersion>,
    /// True when the file had been at rest for long enough that a later change shows there.
    at_rest: bool,
    content: WatchedContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum WatchedContent {
    Hash(u64),
    /// Missing or unreadable.
    Refused(io::ErrorKind),
    /// No regular file, too large a one, or one that is no JSON, with the message.
    Unfit(String),
}

impl WatchedContent {
    /// Reads a file, and of Claude Code's state where that is large the members that count.
    fn read(path: &Path) -> Self {
        match sightglass_files::read(path) {
            Ok(bytes) => Self::of(&bytes),
            Err(ReadError::TooLarge { .. }) if is_claude_state(path) => match state_excerpt(path) {
                Ok(members) => Self::of(&members),
                Err(ExcerptError::Malformed(line)) => {
                    Self::Unfit(format!("no JSON in line {line}"))
                }
                Err(ExcerptError::Unreadable(error)) => Self::unread(&error),
            },
            Err(error) => Self::unread(&error),
        }
    }

    fn of(bytes: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        Self::Hash(hasher.finish())
    }

    fn unread(error: &ReadError) -> Self {
        match error {
            ReadError::Io(error) => Self::Refused(error.kind()),
            error => Self::Unfit(error.to_string()),
        }
    }
}

impl FileStamp {
    fn look(path: &Path, before: Option<&FileStamp>) -> FileStamp {
        let metadata = fs::metadata(path).ok();
        let version = metadata.as_ref().and_then(FileVersion::of);
        if let Some(before) = before
            && before.at_rest
            && before.version == version
        {
            return before.clone();
        }
        FileStamp {
            at_rest: version.as_ref().is_some_and(FileVersion::is_at_rest),
            version,
            content: WatchedContent::read(path),
        }
    }
}
