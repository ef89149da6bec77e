//! Answers the questions of servers while requests run, as their files say.
//!
//! A question that no file answers is declined and noted: the run must not depend on whether
//! a user sits there.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, Weak},
};

use sightglass_area_core::view::Fact;
use sightglass_connection::{ConnectionEvent, ServerAnswer, ServerQuestion};
use sightglass_model::{ServerId, lock};
use tokio::task::AbortHandle;

use crate::requests::run::RequestRuns;

/// JSON-RPC error for a question that no file answers (MCP, Sampling, error handling).
const DECLINED: i32 = -1;

/// Requests of a run that are under way.
#[derive(Default)]
pub(super) struct RunningRequests(Mutex<Vec<Arc<RunningRequest>>>);

/// A request that is under way.
pub(super) struct RunningRequest {
    pub server: ServerId,
    pub key: String,
    pub answers: BTreeMap<String, String>,
    /// Methods of the questions that no file answers.
    pub unanswered: Mutex<Vec<String>>,
}

impl RunningRequests {
    pub fn begin(&self, request: Arc<RunningRequest>) {
        lock(&self.0).push(request);
    }

    pub fn end(&self, key: &str) {
        lock(&self.0).retain(|running| running.key != key);
    }

    /// The requests that a question can belong to.
    fn asked(&self, question: &ServerQuestion) -> Vec<Arc<RunningRequest>> {
        let running = lock(&self.0);
        let of_server = running
            .iter()
            .filter(|running| running.server == question.server);
        match &question.call {
            Some(call) => of_server
                .filter(|running| running.key == *call)
                .cloned()
                .collect(),
            None => of_server.cloned().collect(),
        }
    }
}

/// Ends the task with the run.
pub(super) struct Answering(AbortHandle);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Answers questions until it is dropped.
pub(super) fn answer_questions(
    runs: &Arc<RequestRuns>,
    running: Arc<RunningRequests>,
) -> Answering {
    let mut facts = runs.core.publisher.subscribe();
    let runs: Weak<RequestRuns> = Arc::downgrade(runs);
    let task = tokio::spawn(async move {
        while let Some(batch) = facts.next_batch().await {
            let Some(runs) = runs.upgrade() else {
                break;
            };
            for event in batch {
                let Fact::Connection { event } = event.fact else {
                    continue;
                };
                if let ConnectionEvent::QuestionArrived { question } = *event {
                    answer(&runs, &running, &question);
                }
            }
        }
    });
    Answering(task.abort_handle())
}

fn answer(runs: &RequestRuns, running: &RunningRequests, question: &ServerQuestion) {
    let asked = running.asked(question);
    if asked.is_empty() {
        // The user's own call.
        return;
    }
    let answer = match asked.as_slice() {
        [one] => {
            let by_input = question
                .input
                .as_ref()
                .and_then(|input| one.answers.get(input));
            by_input.or_else(|| one.answers.get(&question.method))
        }
        _ => None,
    };
    let answer = match answer {
        Some(json) => ServerAnswer::Result { json: json.clone() },
        None => {
            for request in &asked {
                lock(&request.unanswered).push(question.method.clone());
            }
            match question.method.as_str() {
                "elicitation/create" => ServerAnswer::Result {
                    json: r#"{"action":"decline"}"#.to_owned(),
                },
                _ => ServerAnswer::Error {
                    code: DECLINED,
                    message: "The request's file has no answer to this.".to_owned(),
                },
            }
        }
    };
    // As the file has it, right or wrong: a test may mean to send what is not allowed.
    if let Err(error) = runs.core.connections.answer(question.id, answer) {
        tracing::info!(
            "a question of {} was not answered: {error}",
            question.server
        );
    }
}
