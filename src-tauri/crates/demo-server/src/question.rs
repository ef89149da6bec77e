//! Questions to the client, and the abilities that it must have declared to answer them.

use serde_json::{Value, json};

/// Something a client may or may not be able to do for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ability {
    /// `sampling/createMessage`
    Sampling,
    /// `sampling/createMessage` with tools (2025-11-25)
    SamplingTools,
    /// `elicitation/create` with a form
    ElicitationForm,
    /// `elicitation/create` with a URL (2025-11-25)
    ElicitationUrl,
    /// `roots/list`
    Roots,
}

impl Ability {
    /// The client capability that declares it.
    pub fn capability(self) -> Value {
        match self {
            Ability::Sampling => json!({ "sampling": {} }),
            Ability::SamplingTools => json!({ "sampling": { "tools": {} } }),
            Ability::ElicitationForm => json!({ "elicitation": { "form": {} } }),
            Ability::ElicitationUrl => json!({ "elicitation": { "url": {} } }),
            Ability::Roots => json!({ "roots": {} }),
        }
    }

    pub fn is_declared_in(self, capabilities: &Value) -> bool {
        match self {
            Ability::Sampling => capabilities.get("sampling").is_some(),
            Ability::SamplingTools => capabilities.pointer("/sampling/tools").is_some(),
            Ability::Roots => capabilities.get("roots").is_some(),
            // `"elicitation": {}` means forms (2025-11-25, "Capabilities").
            Ability::ElicitationForm => capabilities
                .get("elicitation")
                .and_then(Value::as_object)
                .is_some_and(|modes| modes.is_empty() || modes.contains_key("form")),
            Ability::ElicitationUrl => capabilities.pointer("/elicitation/url").is_some(),
        }
    }
}

/// A request to the client.
#[derive(Debug, Clone)]
pub struct Question {
    /// Names the question within its request; modern answers come back under it.
    pub key: String,
    /// Such as `elicitation/create`.
    pub method: &'static str,
    /// Parameters of that method.
    pub params: Value,
    /// The ability that the client must have declared.
    pub needs: Ability,
}

impl Question {
    /// A form with one text field called `answer`.
    pub fn form(key: &str, message: &str) -> Question {
        Question {
            key: key.to_owned(),
            method: "elicitation/create",
            params: json!({
                "mode": "form",
                "message": message,
                "requestedSchema": {
                    "type": "object",
                    "properties": { "answer": { "type": "string", "title": "Answer" } },
                    "required": ["answer"]
                }
            }),
            needs: Ability::ElicitationForm,
        }
    }
}
