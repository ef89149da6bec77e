//! Declines the questions that the rules of a client deny, for servers that are held to them.

use sightglass_connection::{RuleAnswer, ServerAnswer, ServerRequest};
use sightglass_llm_tools::permissions::Effect;

use crate::{Inspector, defined_by::connected_server};

/// The method of the questions that clients have rules about.
const ELICITATION: &str = "elicitation/create";

/// Result of a question that is declined (MCP 2025-11-25, Elicitation, Response Actions).
const DECLINED: &str = r#"{"action":"decline"}"#;

impl Inspector {
    /// Returns the answer to a question that is denied by the rules that the server is held to; they
    /// are read anew from their files. `None` where they leave it to the user.
    pub(crate) fn declined_by_held_rules(&self, question: &ServerRequest) -> Option<RuleAnswer> {
        if question.method != ELICITATION {
            return None;
        }
        let server = connected_server(&question.server);
        let client = self.server_settings(&server).held_to?;
        // Not every client has rules about questions.
        let verdict = self.permission_verdict(client, &server, None).ok()?;
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
