//! Follows tasks: asks for their status until they end, as often as their servers want, and when
//! these tell of them.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use sightglass_area_core::{
    error::InspectorError,
    live_servers::LiveServers,
    view::{Fact, TaskFollow, TaskView},
};
use sightglass_connection::{
    ConnectionEvent, Params, RequestEnd, RequestOutcome, TaskFacts, task_questions,
};
use sightglass_json_text::{Members, elements};
use sightglass_model::{Era, ServerId, lock};
use sightglass_traffic::TaskStatus;

use super::task_params;
use crate::{
    result::{ResultShape, parse_response},
    tasks::ServerTasks,
};

/// Time between two questions about a task of a server that does not say.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Shortest and longest time, whatever the server says.
const POLL_LIMITS: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(60));

/// JSON-RPC: invalid parameters, which is also the code for a task that is not known (MCP
/// 2025-11-25 and SEP-2663, error handling).
const INVALID_PARAMS: &str = "-32602";

/// Pages of `tasks/list` that are read.
const MAX_PAGES: usize = 20;

impl ServerTasks {
    /// Follows the tasks of servers that are connected again.
    pub fn follow_tasks(self: &Arc<Self>) {
        let this = Arc::downgrade(self);
        let live = LiveServers::default();
        let publisher = &self.core.publisher;
        let mut facts = publisher.subscribe_to(move |fact| live.becomes_live(fact));
        tokio::spawn(async move {
            while let Some(batch) = facts.next_batch().await {
                let Some(this) = this.upgrade() else {
                    break;
                };
                for event in batch {
                    if let Fact::Connection { event } = event.fact
                        && let ConnectionEvent::Status { server, .. } = *event
                    {
                        this.resume_tasks(&server);
                    }
                }
            }
        });
    }

    /// Follows the unfinished tasks of a server. Those of another program or address stay: their
    /// ids are not for this one.
    fn resume_tasks(&self, server: &ServerId) {
        let is_known = lock(&self.store.book).of_server(server).next().is_some();
        if !is_known {
            return;
        }
        let status = self.open_connections.status(server);
        let endpoint = status.known_endpoint.map(|known| known.endpoint);
        let era = status.handshake.map(|facts| facts.era);
        let ids: Vec<String> = lock(&self.store.book)
            .of_server(server)
            .filter(|task| task.view.follow == TaskFollow::NotConnected)
            .filter(|task| task.endpoint == endpoint && Some(task.view.era) == era)
            .map(|task| task.view.facts.id.clone())
            .collect();
        for id in ids {
            self.follow_task(server, &id);
        }
    }

    /// Begins to follow a task, unless it is followed.
    pub(super) fn follow_task(&self, server: &ServerId, id: &str) {
        let is_begun = self.store.change(server, id, |task| {
            if task.is_followed {
                return false;
            }
            task.is_followed = true;
            if !task.view.facts.is_over() {
                task.view.follow = TaskFollow::Following;
            }
            true
        });
        if is_begun != Some(true) {
            return;
        }
        let this = self.this.clone();
        let (server, id) = (server.clone(), id.to_owned());
        tokio::spawn(async move {
            let mut failures = 0;
            loop {
                let Some(this) = this.upgrade() else {
                    return;
                };
                let next = this.ask_for_status(&server, &id, &mut failures).await;
                let Some((wait, wake)) = next else {
                    this.store
                        .change(&server, &id, |task| task.is_followed = false);
                    this.subscribe_tasks(&server);
                    this.save_tasks_later();
                    return;
                };
                drop(this);
                // However often a server tells of it.
                let woken = async {
                    tokio::time::sleep(POLL_LIMITS.0).await;
                    wake.notified().await;
                };
                tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = woken => {}
                }
            }
        });
    }

    /// Asks for the status of a task once. Returns the time to wait before the next question and
    /// that which ends the wait; `None` when there is none.
    async fn ask_for_status(
        &self,
        server: &ServerId,
        id: &str,
        failures: &mut u32,
    ) -> Option<(Duration, Arc<tokio::sync::Notify>)> {
        let asked = self
            .core
            .connections
            .request_unseen(server, "tasks/get", &task_params(id))
            .await;
        let Ok(outcome) = asked else {
            self.store.change(server, id, |task| {
                if !task.view.facts.is_over() {
                    task.view.follow = TaskFollow::NotConnected;
                }
                task.take_questions_back();
                task.asked.clear();
            });
            return None;
        };
        match answer(&outcome) {
            Ok(result) => {
                *failures = 0;
                let Some(facts) = TaskFacts::read(&result).filter(|facts| facts.id == id) else {
                    let problem = "The server's answer describes no task, or another one.";
                    self.store
                        .change(server, id, |task| task.view.problem = Some(problem.into()));
                    *failures += 1;
                    return self.wait(server, id, *failures);
                };
                let status = facts.status;
                let view = self.store.change(server, id, |task| {
                    task.set_facts(facts);
                    task.view.clone()
                })?;
                let is_over = view.facts.is_over();
                match view.era {
                    Era::Modern if is_over => self.store_result(&view, outcome).await,
                    Era::Legacy if is_over || status == TaskStatus::InputRequired => {
                        // The questions of the task come while its result is waited for.
                        self.wait_for_result(&view);
                    }
                    Era::Modern => {
                        let frame = outcome.response_frame;
                        self.ask_questions(&view, task_questions(&result), frame);
                        self.subscribe_tasks(server);
                    }
                    Era::Legacy => {}
                }
                if is_over {
                    return None;
                }
            }
            Err(problem) => {
                *failures += 1;
                let is_unknown = problem.starts_with(INVALID_PARAMS);
                self.store.change(server, id, |task| {
                    task.view.problem = Some(problem);
                    if is_unknown {
                        task.view.follow = TaskFollow::Unknown;
                        task.take_questions_back();
                    }
                });
                if is_unknown {
                    return None;
                }
            }
        }
        self.wait(server, id, *failures)
    }

    /// The time until the next question, longer with each failure.
    fn wait(
        &self,
        server: &ServerId,
        id: &str,
        failures: u32,
    ) -> Option<(Duration, Arc<tokio::sync::Notify>)> {
        let mut book = lock(&self.store.book);
        let task = book.get_mut(server, id)?;
        let interval = task
            .view
            .facts
            .poll_interval_ms
            .and_then(|ms| Duration::try_from_secs_f64(ms / 1000.0).ok())
            .unwrap_or(POLL_INTERVAL)
            .clamp(POLL_LIMITS.0, POLL_LIMITS.1);
        let wait = interval.saturating_mul(1 << failures.min(6));
        Some((wait.min(POLL_LIMITS.1), Arc::clone(&task.wake)))
    }

    /// Keeps the result that came with the status of a task (SEP-2663).
    async fn store_result(&self, task: &TaskView, outcome: RequestOutcome) {
        let definition = task
            .tool
            .as_ref()
            .and_then(|tool| self.lists.definition(&task.server, tool));
        let shape = Some(ResultShape::EndedTask);
        if task.facts.status == TaskStatus::Cancelled {
            return;
        }
        if let Ok(report) = self.reports.masked_report(outcome, shape, definition).await {
            self.store
                .store_report(&task.server, &task.facts.id, &report);
        }
    }

    /// Waits for the result of a task of the older format, unless that is done already or the task
    /// was cancelled.
    fn wait_for_result(&self, task: &TaskView) {
        if task.facts.status == TaskStatus::Cancelled {
            return;
        }
        let is_begun = self.store.change(&task.server, &task.facts.id, |task| {
            let is_wanted = !task.waits_for_result && task.report.is_none();
            task.waits_for_result |= is_wanted;
            is_wanted
        });
        if is_begun != Some(true) {
            return;
        }
        let (this, task) = (self.this.clone(), task.clone());
        tokio::spawn(async move {
            let Some(this) = this.upgrade() else {
                return;
            };
            // A failure is asked for again with the next status.
            let fetched = this.fetch_result(&task).await;
            let (server, id) = (&task.server, &task.facts.id);
            this.store.change(server, id, |task| {
                task.waits_for_result = false;
                let has_answer = fetched
                    .as_ref()
                    .is_ok_and(|report| report.request.response_frame.is_some());
                if !has_answer {
                    task.report = None;
                }
            });
            this.store.ask_now(server, id);
        });
    }

    /// Tells the connection for which tasks it should listen.
    fn subscribe_tasks(&self, server: &ServerId) {
        let followed: BTreeSet<String> = lock(&self.store.book)
            .of_server(server)
            .filter(|task| task.is_followed && task.view.era == Era::Modern)
            .map(|task| task.view.facts.id.clone())
            .collect();
        self.core.connections.subscribe_tasks(server, followed);
    }

    /// Sends a request about one task. Returns the text of its result.
    pub(super) async fn ask_about(
        &self,
        server: &ServerId,
        method: &str,
        id: &str,
    ) -> Result<String, InspectorError> {
        self.ask_quietly(server, method, &task_params(id)).await
    }

    pub(super) async fn ask_quietly(
        &self,
        server: &ServerId,
        method: &str,
        params: &Params,
    ) -> Result<String, InspectorError> {
        let outcome = self
            .core
            .connections
            .request_unseen(server, method, params)
            .await?;
        answer(&outcome).map_err(|problem| {
            InspectorError::InvalidInput(format!("The server refused {method}: {problem}."))
        })
    }

    /// Reads the tasks that a server lists, `limit` at most.
    pub(super) async fn listed_tasks(
        &self,
        server: &ServerId,
        limit: usize,
    ) -> Result<Vec<TaskFacts>, InspectorError> {
        let mut tasks: Vec<TaskFacts> = Vec::new();
        let mut ids: BTreeSet<String> = BTreeSet::new();
        let mut cursors: BTreeSet<String> = BTreeSet::new();
        let mut params = Params::empty();
        for _ in 0..MAX_PAGES {
            let result = match self.ask_quietly(server, "tasks/list", &params).await {
                // Some servers give an empty cursor for none, and refuse it.
                Err(_) if cursors.contains("\"\"") => break,
                answered => answered?,
            };
            let Ok(members) = Members::parse(&result) else {
                break;
            };
            let listed = members.text("tasks").and_then(elements).unwrap_or_default();
            let listed = listed.into_iter().filter_map(TaskFacts::read);
            tasks.extend(listed.filter(|task| ids.insert(task.id.clone())));
            let Some(cursor) = members.given("nextCursor") else {
                break;
            };
            if tasks.len() >= limit || !cursors.insert(cursor.to_owned()) {
                break;
            }
            params = Params::object(&[("cursor", cursor)]);
        }
        tasks.truncate(limit);
        Ok(tasks)
    }
}

/// Returns the text of a result, or the reason why there is none. An error begins with its code.
fn answer(outcome: &RequestOutcome) -> Result<String, String> {
    let Some(response) = &outcome.response else {
        let reason = outcome.message.clone();
        return Err(reason.unwrap_or_else(|| "no answer came".to_owned()));
    };
    let text = String::from_utf8_lossy(&response.recorded);
    if outcome.end == RequestEnd::Error {
        let error = parse_response(&text, None).error;
        return Err(error.map_or_else(
            || "an error that cannot be read".to_owned(),
            |error| format!("{} {}", error.code, error.message),
        ));
    }
    Members::parse(&text)
        .ok()
        .and_then(|members| members.given("result").map(str::to_owned))
        .ok_or_else(|| "an answer that cannot be read".to_owned())
}
