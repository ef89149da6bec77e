//! Watches the source of a server, so that it can be started anew when it changes.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    time::Duration,
};

use notify::{EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use sightglass_area_core::error::InspectorError;
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};

/// Several changes within this time count as one.
const DEBOUNCE_INTERVAL: Duration = Duration::from_millis(300);

/// Directories that builds and tools write into.
const OF_TOOLS: [&str; 8] = [
    ".git",
    "node_modules",
    "target",
    "__pycache__",
    ".venv",
    ".sightglass",
    ".mypy_cache",
    ".idea",
];

/// Changes below watched paths, for as long as it lives.
pub struct SourceChanges {
    changes: mpsc::Receiver<PathBuf>,
    _debouncer: Debouncer<RecommendedWatcher, RecommendedCache>,
}

impl SourceChanges {
    /// Waits for the next change and returns the path of one of what changed. Nothing when watching
    /// ended.
    pub async fn next(&mut self) -> Option<PathBuf> {
        self.changes.recv().await
    }
}

/// A watch of source; it ends when this is dropped.
pub struct SourceWatch(AbortHandle);

impl SourceWatch {
    /// The watch that a task is.
    pub fn of(task: &JoinHandle<()>) -> Self {
        Self(task.abort_handle())
    }
}

impl Drop for SourceWatch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Watches files and directories. What build tools write below them does not count.
pub fn watch_source(paths: &[PathBuf]) -> Result<SourceChanges, InspectorError> {
    let failed = |path: &Path, error: notify::Error| {
        InspectorError::InvalidInput(format!("{} cannot be watched: {error}.", path.display()))
    };
    // One place: what changed while nobody waited is told once.
    let (sender, changes) = mpsc::channel(1);
    let roots: Vec<PathBuf> = paths.to_vec();
    let on_events = move |events: DebounceEventResult| {
        let Ok(events) = events else {
            return;
        };
        let changed = events
            .iter()
            .filter(|event| !matches!(event.kind, EventKind::Access(_)))
            .flat_map(|event| &event.paths)
            .find(|path| is_source(path, &roots));
        if let Some(path) = changed {
            // A change that waits already tells of this one too.
            let _ = sender.try_send(path.clone());
        }
    };
    let nowhere = Path::new("The source");
    let mut debouncer = new_debouncer(DEBOUNCE_INTERVAL, None, on_events)
        .map_err(|error| failed(nowhere, error))?;
    for path in paths {
        debouncer
            .watch(path, RecursiveMode::Recursive)
            .map_err(|error| failed(path, error))?;
    }
    Ok(SourceChanges {
        changes,
        _debouncer: debouncer,
    })
}

/// Returns whether no part of a path below its root is a directory of a tool.
fn is_source(path: &Path, roots: &[PathBuf]) -> bool {
    let below = roots
        .iter()
        .find_map(|root| path.strip_prefix(root).ok())
        .unwrap_or(path);
    !below
        .iter()
        .any(|part| OF_TOOLS.iter().any(|tool| part == OsStr::new(tool)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_write_is_no_source() {
        let roots = [PathBuf::from("/home/target/app")];
        let is = |path: &str| is_source(Path::new(path), &roots);
        assert!(is("/home/target/app/src/main.py"));
        assert!(!is("/home/target/app/target/debug/x"));
        assert!(!is("/home/target/app/src/__pycache__/a.pyc"));
    }
}
