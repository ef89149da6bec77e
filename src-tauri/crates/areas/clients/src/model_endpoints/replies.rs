//! Replies of models to sampling requests, where a rule of the user's names one.
//!
//! The question is open meanwhile: the user may answer first, and does where the model fails.
//! A server decides how often it asks, and each answer costs the user: they are counted.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, Weak},
    time::{Duration, Instant},
};

use sightglass_area_core::error::InspectorError;
use sightglass_connection::{ConnectionEvent, EventSubscriber, ServerAnswer, ServerQuestion};
use sightglass_model::{ServerId, lock};
use sightglass_questions::sampling_problem;

use crate::model_endpoints::ModelEndpoints;

/// Replies that one server gets within [`COUNTED`].
const MAX_REPLIES: usize = 30;
const COUNTED: Duration = Duration::from_secs(600);

/// Moments of the newest replies of models, by server.
#[derive(Default)]
pub struct ReplyTimes(Mutex<HashMap<ServerId, VecDeque<Instant>>>);

impl ReplyTimes {
    /// Counts a reply, unless the server got too many.
    fn take(&self, server: &ServerId, now: Instant) -> bool {
        let mut times = lock(&self.0);
        let times = times.entry(server.clone()).or_default();
        while times
            .front()
            .is_some_and(|time| now.saturating_duration_since(*time) >= COUNTED)
        {
            times.pop_front();
        }
        let has_room = times.len() < MAX_REPLIES;
        if has_room {
            times.push_back(now);
        }
        has_room
    }
}

/// Subscriber that has models reply to the questions that wait for one.
struct QuestionsToModels(Weak<ModelEndpoints>);

impl EventSubscriber for QuestionsToModels {
    fn receive(&self, event: &ConnectionEvent) {
        if let ConnectionEvent::QuestionArrived { question } = event
            && question.awaits_model
            && let Some(model_endpoints) = self.0.upgrade()
        {
            model_endpoints.reply_by_model(question.clone());
        }
    }
}

impl ModelEndpoints {
    /// Has models reply from now on.
    pub fn start_model_replies(self: &Arc<Self>) {
        let questions = QuestionsToModels(Arc::downgrade(self));
        self.core.connections.subscribe_events(Arc::new(questions));
    }

    /// Asks the model that a rule names for the answer to a question, in the background.
    fn reply_by_model(self: &Arc<Self>, question: ServerQuestion) {
        let this = Arc::clone(self);
        tokio::spawn(async move {
            let Some((rule, model)) = this.answer_rules.rules.model_for(&question) else {
                let remark = "The rules are others by now.".to_owned();
                return this.core.connections.leave_to_user(question.id, remark);
            };
            if !this.reply_times.take(&question.server, Instant::now()) {
                let remark = format!(
                    "The rule \u{201c}{rule}\u{201d} asked no model: this server got {MAX_REPLIES} \
                     replies within ten minutes."
                );
                return this.core.connections.leave_to_user(question.id, remark);
            }
            match this.reply_of(&question, &model).await {
                Ok(json) => {
                    let shown = json.clone();
                    let answer = ServerAnswer::Result { json };
                    let given =
                        this.core
                            .connections
                            .answer_by_rule(question.id, &rule, answer, shown);
                    if given.is_ok() {
                        this.answer_rules.rules.count(&rule);
                        this.answer_rules.rules.publish();
                    }
                }
                Err(error) => {
                    let remark = format!(
                        "The rule \u{201c}{rule}\u{201d} asked the model \u{201c}{model}\u{201d} in \
                         vain. {error}"
                    );
                    this.core.connections.leave_to_user(question.id, remark);
                }
            }
        });
    }

    async fn reply_of(
        &self,
        question: &ServerQuestion,
        model: &str,
    ) -> Result<String, InspectorError> {
        let json = self.sampling_by_model(model, &question.params).await?;
        match sampling_problem(&question.params, &json) {
            Some(problem) => Err(InspectorError::InvalidInput(format!(
                "Its reply is not allowed here: {problem}"
            ))),
            None => Ok(json),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_gets_so_many_replies_within_ten_minutes() {
        let (times, server) = (ReplyTimes::default(), ServerId::new("test", "loud"));
        let start = Instant::now();
        assert!((0..MAX_REPLIES).all(|_| times.take(&server, start)));
        assert!(!times.take(&server, start + COUNTED / 2));
        assert!(times.take(&ServerId::new("test", "other"), start));
        assert!(times.take(&server, start + COUNTED));
    }
}
