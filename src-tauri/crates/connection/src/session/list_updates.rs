//! Loads the lists that a server offers: all of them at the start, and again those that change.

use std::{sync::Arc, time::Duration};

use sightglass_model::{Failure, Phase, TASKS_EXTENSION};

use crate::{
    ListKind, ListState,
    session::list::{Loader, load},
    status::publisher::StatusPublisher,
};

/// A burst of `list_changed` is answered with one load: whatever comes within this time of
/// the first is part of it.
const BURST: Duration = Duration::from_millis(100);

/// Capabilities that the server declares.
pub(crate) struct Offered {
    tools: bool,
    resources: bool,
    prompts: bool,
    pub tools_changed: bool,
    pub resources_changed: bool,
    pub prompts_changed: bool,
    /// True when the server has the tasks extension (SEP-2663).
    pub tasks: bool,
    /// The lists that the host wants of them.
    wanted: Arc<[ListKind]>,
}

impl Offered {
    pub(crate) fn read(capabilities: &str, wanted: &Arc<[ListKind]>) -> Self {
        let value: serde_json::Value = serde_json::from_str(capabilities).unwrap_or_default();
        let has = |name: &str| value.get(name).is_some();
        let changes = |name: &str| {
            value
                .get(name)
                .and_then(|of| of.get("listChanged"))
                .and_then(serde_json::Value::as_bool)
                == Some(true)
        };
        Self {
            tools: has("tools"),
            resources: has("resources"),
            prompts: has("prompts"),
            tools_changed: changes("tools"),
            resources_changed: changes("resources"),
            prompts_changed: changes("prompts"),
            tasks: value
                .get("extensions")
                .is_some_and(|extensions| extensions.get(TASKS_EXTENSION).is_some()),
            wanted: Arc::clone(wanted),
        }
    }

    /// Returns true when the list is to be loaded.
    fn list(&self, kind: ListKind) -> bool {
        self.has(kind) && self.wanted.contains(&kind)
    }

    fn has(&self, kind: ListKind) -> bool {
        match kind {
            ListKind::Tools => self.tools,
            ListKind::Resources | ListKind::ResourceTemplates => self.resources,
            ListKind::Prompts => self.prompts,
        }
    }

    /// Returns the reason why the list is not loaded, if so.
    fn absence(&self, kind: ListKind) -> Option<String> {
        if !self.has(kind) {
            Some("not offered".to_owned())
        } else if !self.list(kind) {
            Some("not needed".to_owned())
        } else {
            None
        }
    }
}

/// Loads the lists again that the server says have changed.
pub(crate) async fn follow_changes(loader: &Loader, offered: &Offered) -> Failure {
    let peer = &loader.context.peer;
    loop {
        peer.lists.changed().await;
        tokio::time::sleep(BURST).await;
        let changed = peer.lists.take();
        let loads = changed
            .into_iter()
            .filter(|kind| offered.list(*kind))
            .map(|kind| load(loader, kind, |_, _| {}));
        futures::future::join_all(loads).await;
    }
}

/// Loads all lists at once; the phases follow in their order, each until its list is
/// complete.
pub(crate) async fn load_all(loader: &Loader, offered: &Offered, publisher: &Arc<StatusPublisher>) {
    let start = |kind: ListKind| {
        if !offered.list(kind) {
            // It is so from the beginning, but for a session that takes the place of another.
            if loader.lists.state(kind) != ListState::Unsupported {
                loader.lists.set_state(kind, ListState::Unsupported);
            }
            return AbortOnDrop(None);
        }
        let loader = loader.clone();
        let publisher = Arc::clone(publisher);
        let phase = phase_of(kind);
        let task = async move {
            load(&loader, kind, |page, count| {
                if page > 1 && publisher.phase() == phase {
                    publisher.detail(format!("page {page}, {count} so far"));
                }
            })
            .await;
        };
        AbortOnDrop(Some(tokio::spawn(task)))
    };
    let mut resources = start(ListKind::Resources);
    let mut templates = start(ListKind::ResourceTemplates);
    let mut tools = start(ListKind::Tools);
    let mut prompts = start(ListKind::Prompts);
    publisher.enter(
        Phase::ListingResources,
        offered.absence(ListKind::Resources),
    );
    resources.finished().await;
    templates.finished().await;
    summarise(
        loader,
        publisher,
        &[ListKind::Resources, ListKind::ResourceTemplates],
    );
    publisher.enter(Phase::ListingTools, offered.absence(ListKind::Tools));
    tools.finished().await;
    summarise(loader, publisher, &[ListKind::Tools]);
    publisher.enter(Phase::ListingPrompts, offered.absence(ListKind::Prompts));
    prompts.finished().await;
    summarise(loader, publisher, &[ListKind::Prompts]);
}

/// The phase's last words: how much there is, or what went wrong.
fn summarise(loader: &Loader, publisher: &StatusPublisher, kinds: &[ListKind]) {
    let message: Vec<String> = kinds
        .iter()
        .filter_map(|kind| match loader.lists.state(*kind) {
            ListState::Unsupported => None,
            ListState::Failed { message } => Some(format!("{}: {message}", kind.method())),
            ListState::Loading | ListState::Loaded => {
                let items = loader.lists.current(*kind);
                let count = format!("{} {}", items.len(), kind.plural());
                Some(match items.warning() {
                    Some(warning) => format!("{count} ({warning})"),
                    None => count,
                })
            }
        })
        .collect();
    if !message.is_empty() {
        publisher.detail(message.join(", "));
    }
}

fn phase_of(kind: ListKind) -> Phase {
    match kind {
        ListKind::Resources | ListKind::ResourceTemplates => Phase::ListingResources,
        ListKind::Tools => Phase::ListingTools,
        ListKind::Prompts => Phase::ListingPrompts,
    }
}

/// A task that ends with its owner; `None` where there is nothing to do.
struct AbortOnDrop(Option<tokio::task::JoinHandle<()>>);

impl AbortOnDrop {
    async fn finished(&mut self) {
        // A panic in it goes on in its owner, and fails the connection.
        if let Some(task) = &mut self.0
            && let Err(error) = task.await
            && let Ok(panic) = error.try_into_panic()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}
