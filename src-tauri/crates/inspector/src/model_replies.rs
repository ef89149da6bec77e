//! Replies of models to sampling requests, where a rule of the user's names one.
//!
//! The question is open meanwhile: the user may answer first, and does where the model fails.

use std::sync::Arc;

use sightglass_connection::{ServerAnswer, ServerRequest};
use sightglass_questions::sampling_problem;

use crate::{Inspector, InspectorError};

impl Inspector {
    /// Asks the model that a rule names for the answer to a question, in the background.
    pub(crate) fn reply_by_model(self: &Arc<Self>, question: ServerRequest) {
        let inspector = Arc::clone(self);
        tokio::spawn(async move {
            let Some((rule, model)) = inspector.answer_rules.model_for(&question) else {
                let remark = "The rules are others by now.".to_owned();
                return inspector.connections.leave_to_user(question.id, remark);
            };
            match inspector.reply_of(&question, &model).await {
                Ok(json) => {
                    let shown = json.clone();
                    let answer = ServerAnswer::Result { json };
                    let given =
                        inspector
                            .connections
                            .answer_by_rule(question.id, &rule, answer, shown);
                    if given.is_ok() {
                        inspector.answer_rules.count(&rule);
                        inspector.publisher.publish(inspector.answer_rules.fact());
                    }
                }
                Err(error) => {
                    let remark = format!(
                        "The rule \u{201c}{rule}\u{201d} asked the model \u{201c}{model}\u{201d} in \
                         vain. {error}"
                    );
                    inspector.connections.leave_to_user(question.id, remark);
                }
            }
        });
    }

    async fn reply_of(
        &self,
        question: &ServerRequest,
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
