//! Questions of a task in the form of the extension (SEP-2663): they stand in its status, each
//! under a key that is used once, and are answered with `tasks/update`.

use sightglass_area_core::view::TaskView;
use sightglass_connection::{Params, TaskQuestion, TaskQuestions};
use sightglass_json_text::{object, quoted};
use sightglass_model::FrameId;

use crate::tasks::ServerTasks;

/// Questions of one task that may be put to the user.
const MAX_QUESTIONS: usize = 100;

impl ServerTasks {
    /// Puts the questions of a task to the user that were not put before, and sends each answer as
    /// it comes.
    pub(super) fn ask_questions(
        &self,
        task: &TaskView,
        questions: TaskQuestions,
        frame: Option<FrameId>,
    ) {
        for (key, question) in questions {
            let (asking, this) = (task.clone(), self.this.clone());
            let asked_key = key.clone();
            let ask = async move {
                let Some(this) = this.upgrade() else {
                    return;
                };
                this.ask_one(&asking, &asked_key, question, frame).await;
            };
            self.store.change(&task.server, &task.facts.id, |task| {
                if task.asked.len() < MAX_QUESTIONS && task.asked.insert(key) {
                    task.questions.retain(|question| !question.is_finished());
                    task.questions.push(tokio::spawn(ask).abort_handle());
                }
            });
        }
    }

    async fn ask_one(
        &self,
        task: &TaskView,
        key: &str,
        question: TaskQuestion,
        frame: Option<FrameId>,
    ) {
        let (server, id) = (&task.server, &task.facts.id);
        let answer = self
            .core
            .connections
            .ask_for_task(server, id, key, question, frame)
            .await;
        let Ok(Some(answer)) = answer else {
            // The connection ended. It is asked again when it is back.
            return;
        };
        let responses = object([(key, &*answer.input_response())]);
        let params = Params::object(&[("taskId", &quoted(id)), ("inputResponses", &responses)]);
        if let Err(error) = self.ask_quietly(server, "tasks/update", &params).await {
            self.store.change(server, id, |task| {
                task.view.problem = Some(error.to_string());
                // To be put again with the next status.
                task.asked.remove(key);
            });
        }
        self.store.ask_now(server, id);
    }
}
