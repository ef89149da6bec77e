//! Tasks of servers: calls whose result comes later.
//!
//! Both formats are driven: MCP 2025-11-25, where the call asks for a task and `tasks/result`
//! brings its result, and the extension (SEP-2663), where the server decides and `tasks/get` has
//! it all. The ids are kept in the data directory, so that a task is asked after again when its
//! server is back, also after a restart; it must be the same program or address, since an id can
//! be all that a server asks for.

mod book;
mod follow;
mod questions;

use std::{
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    files::DataFiles,
    options::InspectorOptions,
    persistence::Persistence,
    publisher::Publisher,
    view::{CallReport, Fact, TaskFollow, TaskView},
};
use sightglass_area_servers::{
    open_connections::OpenConnections, server_settings::SettingsByServer,
};
use sightglass_connection::{
    ConnectionError, ConnectionEvent, EventSubscriber, Params, TaskFacts, task_call,
};
use sightglass_json_text::quoted;
use sightglass_model::{Era, ServerId, lock};

use crate::{call_reports::CallReports, lists::Lists, result::ResultShape};
use book::{TaskBook, TrackedTask};

/// Time to wait for more before the file is written.
const SAVING_DELAY: Duration = Duration::from_millis(500);

/// Tasks of a server's own list that are taken over.
const MAX_LISTED: usize = 200;

/// The tasks of one project.
pub struct TaskStore {
    book: Mutex<TaskBook>,
    publisher: Arc<Publisher>,
    project: String,
    /// Absent where nothing is to be kept.
    data: Option<DataFiles>,
    unsaved: AtomicBool,
}

impl TaskStore {
    pub fn open(
        options: &InspectorOptions,
        data: &DataFiles,
        project: &str,
        publisher: &Arc<Publisher>,
    ) -> Self {
        let data = (options.persistence == Persistence::Everything).then(|| data.clone());
        let stored = data.as_ref().map(DataFiles::read_tasks).unwrap_or_default();
        Self {
            book: Mutex::new(TaskBook::new(stored, project)),
            publisher: Arc::clone(publisher),
            project: project.to_owned(),
            data,
            unsaved: AtomicBool::new(false),
        }
    }

    /// Takes what a server told of a task. One that is not known stays so: a server cannot fill
    /// the list.
    fn reported(&self, server: &ServerId, params: &str) {
        if let Some(facts) = TaskFacts::read(params) {
            let id = facts.id.clone();
            let told = self.change(server, &id, |task| {
                // What is over does not begin again.
                if !task.view.facts.is_over() {
                    task.set_facts(facts);
                }
            });
            if told.is_some() {
                self.ask_now(server, &id);
            }
        }
    }

    /// Changes a task, and tells of it. `None` when it is not kept.
    fn change<T>(
        &self,
        server: &ServerId,
        id: &str,
        change: impl FnOnce(&mut TrackedTask) -> T,
    ) -> Option<T> {
        let (changed, view) = {
            let mut book = lock(&self.book);
            let task = book.get_mut(server, id)?;
            let before = task.view.clone();
            let changed = change(task);
            (changed, (task.view != before).then(|| task.view.clone()))
        };
        if let Some(view) = view {
            self.tell(view);
        }
        Some(changed)
    }

    fn tell(&self, view: TaskView) {
        self.unsaved.store(true, Ordering::Release);
        self.publisher.publish(Fact::Task {
            task: Box::new(view),
        });
    }

    fn publish_forgotten(&self, forgotten: Vec<(ServerId, String)>) {
        for (server, id) in forgotten {
            self.unsaved.store(true, Ordering::Release);
            self.publisher.publish(Fact::TaskForgotten { server, id });
        }
    }

    /// Wakes the one that follows a task.
    fn ask_now(&self, server: &ServerId, id: &str) {
        if let Some(task) = lock(&self.book).get_mut(server, id) {
            task.wake.notify_one();
        }
    }

    /// Writes the tasks to disk when they changed since they last were.
    pub fn save(&self) {
        let Some(data) = &self.data else { return };
        if !self.unsaved.swap(false, Ordering::AcqRel) {
            return;
        }
        // The file is that of all projects, and several can be open.
        static WRITING: Mutex<()> = Mutex::new(());
        let _writing = lock(&WRITING);
        let mut stored = data.read_tasks();
        stored.retain(|task| task.project != self.project);
        stored.extend(lock(&self.book).stored(&self.project));
        if let Err(error) = data.write_tasks(&stored) {
            tracing::warn!("{error}");
        }
    }
}

impl EventSubscriber for TaskStore {
    fn receive(&self, event: &ConnectionEvent) {
        if let ConnectionEvent::TaskReported { server, params } = event {
            self.reported(server, params);
        }
    }
}

/// Tasks of servers.
pub struct ServerTasks {
    pub(crate) core: Arc<Core>,
    pub(crate) reports: Arc<CallReports>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub store: Arc<TaskStore>,
    /// For work that goes on in the background.
    pub(crate) this: Weak<ServerTasks>,
}

#[commands]
impl ServerTasks {
    /// Returns the tasks that are kept, the newest first.
    #[command(name = "list_tasks")]
    pub fn tasks(&self) -> Vec<TaskView> {
        lock(&self.store.book).views()
    }

    /// Keeps the task that a call of a tool created, and follows it from now on.
    pub fn record_created_task(
        &self,
        server: &ServerId,
        key: &str,
        tool: Option<String>,
        report: &CallReport,
    ) {
        let Some(facts) = &report.task else { return };
        self.store_task(server, facts.clone(), tool, Some(key.to_owned()));
    }

    fn store_task(
        &self,
        server: &ServerId,
        facts: TaskFacts,
        tool: Option<String>,
        call: Option<String>,
    ) {
        let status = self.open_connections.status(server);
        let era = status.handshake.map_or(Era::Legacy, |facts| facts.era);
        let endpoint = status.known_endpoint.map(|known| known.endpoint);
        let id = facts.id.clone();
        let is_stored = self.server_settings.server_settings(server).record;
        let task = TrackedTask::new(server, era, facts, tool, call, endpoint, is_stored);
        let view = task.view.clone();
        let forgotten = lock(&self.store.book).insert(task);
        self.store.publish_forgotten(forgotten);
        self.store.tell(view);
        self.save_tasks_later();
        self.follow_task(server, &id);
    }

    fn save_tasks_later(&self) {
        let tasks = Arc::clone(&self.store);
        tokio::spawn(async move {
            tokio::time::sleep(SAVING_DELAY).await;
            // Only a closing application interrupts this, and that saves them itself.
            let _ = tokio::task::spawn_blocking(move || tasks.save()).await;
        });
    }

    /// Asks for the status of a task now.
    ///
    /// # Errors
    /// When the task is not kept or its server is not connected.
    #[command]
    pub fn refresh_task(&self, server: &ServerId, id: &str) -> Result<(), InspectorError> {
        self.reachable_task(server, id)?;
        self.follow_task(server, id);
        self.store.ask_now(server, id);
        Ok(())
    }

    /// Asks the server to cancel a task. That is a wish: the task may end otherwise.
    #[command]
    pub async fn cancel_task(&self, server: &ServerId, id: &str) -> Result<(), InspectorError> {
        self.reachable_task(server, id)?;
        let response = self.ask_about(server, "tasks/cancel", id).await?;
        if let Some(facts) = TaskFacts::read(&response) {
            self.store.change(server, id, |task| task.set_facts(facts));
        }
        self.store.ask_now(server, id);
        Ok(())
    }

    /// Returns the result of a task: the one that is here, or the one that its server still has.
    /// In the older format the server answers when the task has ended.
    ///
    /// # Errors
    /// When the task is not kept or its server is not connected.
    #[command(name = "get_task_result")]
    pub async fn task_result(
        &self,
        server: &ServerId,
        id: &str,
    ) -> Result<CallReport, InspectorError> {
        let kept = lock(&self.store.book)
            .get_mut(server, id)
            .and_then(|task| task.report.clone());
        match kept {
            Some(report) => Ok(report),
            None => self.fetch_result(&self.reachable_task(server, id)?).await,
        }
    }

    /// Waits until a task has ended or cannot be followed any further, and returns its result with
    /// the response as it crossed the wire, which the command line prints.
    pub async fn finish_task(
        &self,
        server: &ServerId,
        id: &str,
    ) -> Result<CallReport, InspectorError> {
        let mut facts = self.core.publisher.subscribe();
        loop {
            let task = self.known_task(server, id)?;
            match task.follow {
                TaskFollow::Following => {}
                TaskFollow::Ended => return self.fetch_result(&task).await,
                TaskFollow::NotConnected | TaskFollow::Unknown => {
                    let reason = task
                        .problem
                        .unwrap_or_else(|| "The connection ended before the task did.".to_owned());
                    return Err(InspectorError::InvalidInput(reason));
                }
            }
            if facts.next_batch().await.is_none() {
                return Err(InspectorError::Closing);
            }
        }
    }

    /// Takes over the tasks that a server lists (MCP 2025-11-25, `tasks/list`). Says how many of
    /// them were not known.
    #[command]
    pub async fn list_server_tasks(&self, server: &ServerId) -> Result<u32, InspectorError> {
        let mut found = 0;
        for facts in self.listed_tasks(server, MAX_LISTED).await? {
            if self.known_task(server, &facts.id).is_err() {
                self.store_task(server, facts, None, None);
                found += 1;
            } else {
                self.store.reported_anew(server, facts);
            }
        }
        Ok(found)
    }

    /// Forgets a task. The server is not told.
    #[command]
    pub fn delete_task(&self, server: &ServerId, id: &str) {
        let forgotten = lock(&self.store.book).remove(server, id);
        self.store.publish_forgotten(forgotten);
        self.save_tasks_later();
    }

    fn known_task(&self, server: &ServerId, id: &str) -> Result<TaskView, InspectorError> {
        let mut book = lock(&self.store.book);
        book.get_mut(server, id)
            .map(|task| task.view.clone())
            .ok_or_else(|| InspectorError::InvalidInput("That task is not kept.".to_owned()))
    }

    /// Returns a task whose server is connected, and is the program or address that made it: an id
    /// can be all that a server asks for.
    fn reachable_task(&self, server: &ServerId, id: &str) -> Result<TaskView, InspectorError> {
        let view = self.known_task(server, id)?;
        let status = self.open_connections.status(server);
        let Some(handshake) = status.handshake else {
            return Err(ConnectionError::NotConnected.into());
        };
        let endpoint = status.known_endpoint.map(|known| known.endpoint);
        let is_same = lock(&self.store.book)
            .get_mut(server, id)
            .is_some_and(|task| task.endpoint == endpoint && task.view.era == handshake.era);
        match is_same {
            true => Ok(view),
            false => Err(InspectorError::InvalidInput(
                "The server is another program, address or protocol than the one that made this \
                 task. Connect to that one to ask for it."
                    .to_owned(),
            )),
        }
    }

    fn connected_era(&self, server: &ServerId) -> Option<Era> {
        Some(self.open_connections.status(server).handshake?.era)
    }

    /// Fetches the result of a task and keeps it.
    async fn fetch_result(&self, task: &TaskView) -> Result<CallReport, InspectorError> {
        let (server, id) = (&task.server, &task.facts.id);
        let params = task_params(id);
        let definition = task
            .tool
            .as_ref()
            .and_then(|tool| self.lists.definition(server, tool));
        let connections = &self.core.connections;
        let (outcome, shape) = match self.connected_era(server) {
            Some(Era::Modern) => {
                let asked = connections.request_unseen(server, "tasks/get", &params);
                (asked.await?, ResultShape::EndedTask)
            }
            _ => {
                let key = task_call(id);
                let asked = connections.request(server, &key, "tasks/result", &params);
                (asked.await?, ResultShape::Tool)
            }
        };
        let recorded = outcome
            .response
            .as_ref()
            .map(|response| response.recorded.clone());
        let report = self
            .reports
            .report(outcome, recorded, Some(shape), definition)
            .await?;
        self.store.store_report(server, id, &report);
        Ok(report)
    }
}

impl TaskStore {
    fn reported_anew(&self, server: &ServerId, facts: TaskFacts) {
        let id = facts.id.clone();
        self.change(server, &id, |task| task.set_facts(facts));
    }

    fn store_report(&self, server: &ServerId, id: &str, report: &CallReport) {
        self.change(server, id, |task| {
            task.view.result_frame = report.request.response_frame;
            let mut kept = report.clone();
            // The record has it.
            kept.request.response = None;
            task.report = Some(kept);
        });
        lock(&self.book).bound_reports();
    }
}

/// The parameters of a request about one task.
fn task_params(id: &str) -> Params {
    Params::object(&[("taskId", &quoted(id))])
}
