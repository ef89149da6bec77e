//! The tasks that are kept: in memory, and as the data directory holds them.

use std::{collections::BTreeSet, sync::Arc};

use sightglass_area_core::{
    stored_task::StoredTask,
    view::{CallReport, TaskFollow, TaskView},
};
use sightglass_connection::TaskFacts;
use sightglass_model::{Era, ServerId, Timestamp};
use tokio::{sync::Notify, task::AbortHandle};

/// Tasks that are kept. Those that have ended go first, the oldest of them.
const MAX_TASKS: usize = 500;

/// Results that are kept in memory; those of older tasks are on record.
const MAX_REPORTS: usize = 20;

/// A task, and what following it needs.
pub(super) struct TrackedTask {
    pub view: TaskView,
    /// Digest of the program or address that it belongs to.
    pub endpoint: Option<String>,
    is_stored: bool,
    /// True while it is followed.
    pub is_followed: bool,
    /// Wakes the one that follows it.
    pub wake: Arc<Notify>,
    /// True while `tasks/result` is under way.
    pub waits_for_result: bool,
    pub report: Option<CallReport>,
    /// Keys of its questions that were put to the user.
    pub asked: BTreeSet<String>,
    /// Those that wait for the user.
    pub questions: Vec<AbortHandle>,
}

impl TrackedTask {
    pub fn new(
        server: &ServerId,
        era: Era,
        facts: TaskFacts,
        tool: Option<String>,
        call: Option<String>,
        endpoint: Option<String>,
        is_stored: bool,
    ) -> Self {
        let now = Timestamp::now();
        let follow = match facts.is_over() {
            true => TaskFollow::Ended,
            false => TaskFollow::Following,
        };
        Self::of(
            TaskView {
                server: server.clone(),
                era,
                facts,
                tool,
                call,
                created: now,
                updated: now,
                follow,
                problem: None,
                result_frame: None,
            },
            endpoint,
            is_stored,
        )
    }

    fn of(view: TaskView, endpoint: Option<String>, is_stored: bool) -> Self {
        Self {
            view,
            endpoint,
            is_stored,
            is_followed: false,
            wake: Arc::default(),
            waits_for_result: false,
            report: None,
            asked: BTreeSet::new(),
            questions: Vec::new(),
        }
    }

    /// Takes newer facts. The questions of a task that is over are taken back.
    pub fn set_facts(&mut self, facts: TaskFacts) {
        self.view.updated = Timestamp::now();
        if facts.is_over() {
            self.view.follow = TaskFollow::Ended;
            self.take_questions_back();
        }
        self.view.problem = None;
        self.view.facts = facts;
    }

    pub fn take_questions_back(&mut self) {
        for question in self.questions.drain(..) {
            question.abort();
        }
    }
}

/// The tasks, in the order in which they were made.
pub(super) struct TaskBook(Vec<TrackedTask>);

impl TaskBook {
    /// Takes the tasks of one project of those that are stored.
    pub fn new(stored: Vec<StoredTask>, project: &str) -> Self {
        let of_project = stored.into_iter().filter(|task| task.project == project);
        Self(of_project.map(restored).collect())
    }

    pub fn get_mut(&mut self, server: &ServerId, id: &str) -> Option<&mut TrackedTask> {
        self.0
            .iter_mut()
            .find(|task| task.view.server == *server && task.view.facts.id == id)
    }

    /// Adds a task, in the place of one with the same id. Returns those that are forgotten for
    /// want of room.
    pub fn insert(&mut self, task: TrackedTask) -> Vec<(ServerId, String)> {
        self.remove(&task.view.server, &task.view.facts.id);
        self.0.push(task);
        let mut surplus = self.0.len().saturating_sub(MAX_TASKS);
        let mut forgotten = Vec::new();
        for is_ended in [true, false] {
            self.0.retain(|task| {
                let goes = surplus > 0 && (task.view.follow == TaskFollow::Ended) == is_ended;
                if goes {
                    surplus -= 1;
                    forgotten.push((task.view.server.clone(), task.view.facts.id.clone()));
                }
                !goes
            });
        }
        forgotten
    }

    pub fn remove(&mut self, server: &ServerId, id: &str) -> Vec<(ServerId, String)> {
        let before = self.0.len();
        self.0.retain_mut(|task| {
            let goes = task.view.server == *server && task.view.facts.id == id;
            if goes {
                task.take_questions_back();
                // The one that follows it sees that it is gone.
                task.wake.notify_one();
            }
            !goes
        });
        match self.0.len() < before {
            true => vec![(server.clone(), id.to_owned())],
            false => Vec::new(),
        }
    }

    pub fn of_server(&self, server: &ServerId) -> impl Iterator<Item = &TrackedTask> {
        self.0
            .iter()
            .filter(move |task| task.view.server == *server)
    }

    pub fn views(&self) -> Vec<TaskView> {
        self.0.iter().rev().map(|task| task.view.clone()).collect()
    }

    /// Forgets the results of older tasks.
    pub fn bound_reports(&mut self) {
        let with_report = self.0.iter_mut().rev().filter(|task| task.report.is_some());
        for task in with_report.skip(MAX_REPORTS) {
            task.report = None;
        }
    }

    /// Returns what is to be kept beyond this run of the program.
    pub fn stored(&self, project: &str) -> Vec<StoredTask> {
        self.0
            .iter()
            .filter(|task| task.is_stored)
            .map(|task| stored(project, task))
            .collect()
    }
}

/// Returns what is kept of a task beyond this run of the program.
fn stored(project: &str, task: &TrackedTask) -> StoredTask {
    let view = &task.view;
    StoredTask {
        project: project.to_owned(),
        server: view.server.clone(),
        era: view.era,
        facts: view.facts.clone(),
        tool: view.tool.clone(),
        created: view.created,
        updated: view.updated,
        is_unknown: view.follow == TaskFollow::Unknown,
        endpoint: task.endpoint.clone(),
        result_frame: view.result_frame,
    }
}

/// Makes a task of what was kept.
fn restored(stored: StoredTask) -> TrackedTask {
    let follow = match () {
        () if stored.facts.is_over() => TaskFollow::Ended,
        () if stored.is_unknown => TaskFollow::Unknown,
        () => TaskFollow::NotConnected,
    };
    let view = TaskView {
        server: stored.server,
        era: stored.era,
        facts: stored.facts,
        tool: stored.tool,
        call: None,
        created: stored.created,
        updated: stored.updated,
        follow,
        problem: None,
        result_frame: stored.result_frame,
    };
    TrackedTask::of(view, stored.endpoint, true)
}

#[cfg(test)]
mod tests {
    use sightglass_traffic::TaskStatus;

    use super::*;

    fn task(id: usize, status: TaskStatus) -> TrackedTask {
        let facts = TaskFacts {
            id: id.to_string(),
            status,
            message: None,
            ttl_ms: Some(60_000.0),
            poll_interval_ms: None,
            created_at: None,
        };
        let server = ServerId::new("test", "one");
        TrackedTask::new(&server, Era::Modern, facts, None, None, None, true)
    }

    #[test]
    fn ended_tasks_are_forgotten_before_those_under_way() {
        let mut book = TaskBook::new(Vec::new(), "p");
        let mut forgotten = Vec::new();
        for id in 0..MAX_TASKS + 2 {
            let status = match id {
                0 | 2 => TaskStatus::Working,
                _ => TaskStatus::Completed,
            };
            forgotten.extend(book.insert(task(id, status)));
        }
        let ids: Vec<&str> = forgotten.iter().map(|(_, id)| id.as_str()).collect();
        assert_eq!(ids, ["1", "3"]);
    }

    #[test]
    fn a_stored_task_is_the_same_after_a_restart_but_for_being_followed() {
        let mut book = TaskBook::new(Vec::new(), "p");
        book.insert(task(1, TaskStatus::Working));
        let text = serde_json::to_string(&book.stored("p")).expect("text");
        let stored: Vec<StoredTask> = serde_json::from_str(&text).expect("the same");
        assert!(TaskBook::new(stored.clone(), "another").views().is_empty());
        let views = TaskBook::new(stored, "p").views();
        let expected = TaskView {
            follow: TaskFollow::NotConnected,
            ..book.views()[0].clone()
        };
        assert_eq!(views, [expected]);
    }
}
