//! The projects that are open: an inspector each, of which the window shows one.
//!
//! All of them stay connected. The page loads anew when another one is shown, so that nothing of
//! the one before is left in it.

use std::{
    collections::{HashMap, HashSet},
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;
use sightglass_inspector::{Host, Inspector, Phase};
use specta::{Types, datatype::DataType, function::FunctionArg};
use tauri::{
    Manager, Runtime, Webview,
    ipc::{CommandArg, CommandItem, InvokeError},
};

/// The inspectors of all open projects.
pub struct Projects {
    open: Mutex<Open>,
    host: Option<Arc<dyn Host>>,
}

/// The first inspector owns the record, and stays for as long as the application runs.
struct Open {
    first: Arc<Inspector>,
    /// The others, in the order in which they were opened.
    more: Vec<Arc<Inspector>>,
    current: Arc<Inspector>,
    /// What was edited in the window and not saved, by the project's path. Only the window reads
    /// it. It is kept in memory: it may hold secrets.
    drafts: HashMap<PathBuf, String>,
}

/// A project of the switcher.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProjectEntry {
    pub path: String,
    pub name: String,
    pub is_current: bool,
    /// Number of its servers that are connected; nothing where it is not open.
    pub connected: Option<u32>,
    /// Number of open questions of its servers.
    pub questions: u32,
    /// True when a change was left in it that is not saved.
    pub has_draft: bool,
}

impl Projects {
    /// One project. Without a host no other can be opened.
    pub fn new(first: Arc<Inspector>, host: Option<Arc<dyn Host>>) -> Self {
        Self {
            open: Mutex::new(Open {
                current: Arc::clone(&first),
                first,
                more: Vec::new(),
                drafts: HashMap::new(),
            }),
            host,
        }
    }

    fn open(&self) -> std::sync::MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The one that the window shows.
    pub fn current(&self) -> Arc<Inspector> {
        Arc::clone(&self.open().current)
    }

    /// Shows a project, and opens it where it is not open yet. Returns true when another one was
    /// shown before.
    ///
    /// Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// When it is no directory, in words.
    pub fn show(&self, project: &Path) -> Result<bool, String> {
        let project = project
            .canonicalize()
            .ok()
            .filter(|project| project.is_dir())
            .ok_or_else(|| format!("{} is not a directory.", project.display()))?;
        let mut open = self.open();
        if open.current.core.project() == project {
            return Ok(false);
        }
        let known = std::iter::once(&open.first).chain(&open.more);
        let known = known
            .into_iter()
            .find(|inspector| inspector.core.project() == project)
            .cloned();
        let shown = match (known, &self.host) {
            (Some(known), _) => known,
            (None, Some(host)) => {
                let opened = open.first.open_beside(project, Arc::clone(host));
                open.more.push(Arc::clone(&opened));
                opened
            }
            (None, None) => return Err("No other project can be opened here.".to_owned()),
        };
        shown.core.reread_settings();
        if let Err(error) = shown.core.record_project() {
            tracing::warn!("{error}");
        }
        open.current = shown;
        Ok(true)
    }

    /// Keeps what was edited in a project and not saved; `None` forgets it. The project may be
    /// another one than the current one by now. For one that is not open nothing is kept.
    pub fn store_draft(&self, project: PathBuf, draft: Option<String>) {
        let mut open = self.open();
        let mut known = std::iter::once(&open.first).chain(&open.more);
        let draft = draft.filter(|_| known.any(|inspector| inspector.core.project() == project));
        match draft {
            Some(draft) => open.drafts.insert(project, draft),
            None => open.drafts.remove(&project),
        };
    }

    /// Returns the changes of the current project that are not saved.
    pub fn draft(&self) -> Option<String> {
        let open = self.open();
        open.drafts.get(open.current.core.project()).cloned()
    }

    /// Closes a project that is not shown, with its connections. The one that was opened first
    /// only ends with the application.
    ///
    /// # Errors
    /// When a change in it is not saved, in words.
    pub async fn close(&self, project: &Path) -> Result<(), String> {
        let closed = {
            let mut open = self.open();
            if open.drafts.contains_key(project) {
                return Err(format!(
                    "A change in {} is not saved. Open it, and save or discard the change.",
                    project.display()
                ));
            }
            let current = open.current.core.project().to_owned();
            let is_closed = |inspector: &Arc<Inspector>| {
                inspector.core.project() == project && inspector.core.project() != current
            };
            let index = open.more.iter().position(is_closed);
            index.map(|index| open.more.remove(index))
        };
        if let Some(closed) = closed {
            closed.shutdown().await;
        }
        Ok(())
    }

    /// Closes all of them, that with the record last.
    pub async fn shutdown(&self) {
        let (more, first) = {
            let mut open = self.open();
            (std::mem::take(&mut open.more), Arc::clone(&open.first))
        };
        for inspector in more {
            inspector.shutdown().await;
        }
        first.shutdown().await;
    }

    /// The open projects, then those that were opened before.
    pub fn entries(&self) -> Vec<ProjectEntry> {
        let (all, current, drafts) = {
            let open = self.open();
            let all: Vec<_> = std::iter::once(&open.first)
                .chain(&open.more)
                .cloned()
                .collect();
            let drafts: HashSet<PathBuf> = open.drafts.keys().cloned().collect();
            (all, Arc::clone(&open.current), drafts)
        };
        let mut entries: Vec<ProjectEntry> = all
            .iter()
            .map(|inspector| {
                let snapshot = inspector.snapshot();
                let is_live = |phase: Phase| matches!(phase, Phase::Ready | Phase::Executing);
                let servers = snapshot.servers.iter();
                let connected = servers
                    .filter(|server| is_live(server.status.phase))
                    .count();
                ProjectEntry {
                    is_current: Arc::ptr_eq(inspector, &current),
                    connected: Some(u32::try_from(connected).unwrap_or(u32::MAX)),
                    questions: u32::try_from(snapshot.questions.len()).unwrap_or(u32::MAX),
                    has_draft: drafts.contains(inspector.core.project()),
                    ..entry(inspector.core.project().to_owned())
                }
            })
            .collect();
        for path in current.core.recent_projects() {
            if all.iter().all(|inspector| inspector.core.project() != path) {
                entries.push(entry(path));
            }
        }
        entries
    }
}

/// Returns the name of a project: that of its directory.
pub(crate) fn name(project: &Path) -> String {
    project.file_name().map_or_else(
        || project.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn entry(path: PathBuf) -> ProjectEntry {
    ProjectEntry {
        name: name(&path),
        path: path.display().to_string(),
        is_current: false,
        connected: None,
        questions: 0,
        has_draft: false,
    }
}

/// The inspector of the project that the window shows, as an argument of a command.
pub struct Current(Arc<Inspector>);

impl Deref for Current {
    type Target = Arc<Inspector>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Returns the inspector of the project that the window shows.
pub(crate) fn current<R: Runtime>(webview: &Webview<R>) -> Option<Arc<Inspector>> {
    let projects = webview.try_state::<Arc<Projects>>()?;
    Some(projects.current())
}

impl<'de, R: Runtime> CommandArg<'de, R> for Current {
    fn from_command(command: CommandItem<'de, R>) -> Result<Self, InvokeError> {
        current(command.message.webview_ref())
            .map(Self)
            .ok_or_else(|| InvokeError::from("no project is open"))
    }
}

impl FunctionArg for Current {
    fn to_datatype(_: &mut Types) -> Option<DataType> {
        None
    }
}
