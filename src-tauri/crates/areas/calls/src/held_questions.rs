//! Declines the questions that the rules of a client deny, for servers that are held to them.

use std::sync::Arc;

use sightglass_area_core::config_workspace::ConfigWorkspace;
use sightglass_area_servers::server_settings::SavedServerSettings;
use sightglass_connection::{ByRule, QuestionRules, RuleAnswer, ServerAnswer, ServerQuestion};
use sightglass_llm_tools::permissions::Effect;

use crate::client_rules::question_verdict;

/// The method of the questions that clients have rules about.
const ELICITATION: &str = "elicitation/create";

/// Result of a question that is declined (MCP 2025-11-25, Elicitation, Response Actions).
const DECLINED: &str = r#"{"action":"decline"}"#;

/// The rules of clients about questions of the servers that are held to them.
pub struct HeldQuestions {
    config: Arc<ConfigWorkspace>,
    settings: Arc<SavedServerSettings>,
}

impl HeldQuestions {
    pub fn new(config: Arc<ConfigWorkspace>, settings: Arc<SavedServerSettings>) -> Self {
        Self { config, settings }
    }

    /// Returns the answer to a question that is denied by the rules that the server is held to; they
    /// are read anew from their files. `None` where they leave it to the user.
    fn denial(&self, question: &ServerQuestion) -> Option<RuleAnswer> {
        if question.method != ELICITATION {
            return None;
        }
        let client = self.settings.of(&question.server).held_to?;
        // Not every client has rules about questions.
        let verdict = question_verdict(client, &question.server, &self.config.machine)?;
        if verdict.effect != Effect::Deny {
            return None;
        }
        let rule = verdict.rule.map(|rule| rule.text).unwrap_or_default();
        Some(RuleAnswer {
            rule: format!("{rule} of {}", client.title()),
            answer: ServerAnswer::Result {
                json: DECLINED.to_owned(),
            },
            shown: DECLINED.to_owned(),
            message: None,
            private: Vec::new(),
        })
    }
}

impl QuestionRules for HeldQuestions {
    fn decide(&self, question: &ServerQuestion) -> ByRule {
        self.denial(question).map_or(ByRule::None, ByRule::Answer)
    }
}
