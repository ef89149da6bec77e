//! Features beyond the three lists, as a server declares them.

use serde::Serialize;
use serde_json::Value;

use crate::Era;

/// Identifier of the tasks extension (SEP-2663).
pub const TASKS_EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Identifier of the skills extension (SEP-2640).
pub const SKILLS_EXTENSION: &str = "io.modelcontextprotocol/skills";

/// Features that a server declares in its capabilities.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeclaredFeatures {
    /// True when calls can become tasks. In the `initialize` era each call asks for it, in the
    /// stateless one the server decides.
    pub tasks: bool,
    /// True when the server lists its tasks (MCP 2025-11-25, `tasks/list`).
    pub task_list: bool,
    /// True when the server declares skills, which only the stateless era has.
    pub skills: bool,
}

impl DeclaredFeatures {
    /// Reads the `capabilities` of a server, which are JSON and may have any shape.
    pub fn of(era: Era, capabilities: &str) -> Self {
        let declared: Value = serde_json::from_str(capabilities).unwrap_or_default();
        let has = |path: &[&str]| {
            let found = path
                .iter()
                .try_fold(&declared, |value, name| value.get(*name));
            found.is_some()
        };
        Self {
            tasks: match era {
                Era::Legacy => has(&["tasks", "requests", "tools", "call"]),
                Era::Modern => has(&["extensions", TASKS_EXTENSION]),
            },
            task_list: era == Era::Legacy && has(&["tasks", "list"]),
            skills: has(&["extensions", SKILLS_EXTENSION]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capabilities_of_a_server_tell_whether_it_makes_tasks() {
        let older = r#"{"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}"#;
        let extension = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
        let legacy = DeclaredFeatures::of(Era::Legacy, older);
        assert!(legacy.tasks && legacy.task_list && !legacy.skills);
        assert!(DeclaredFeatures::of(Era::Modern, extension).tasks);
        for json in [
            r#"{"tasks":7}"#,
            "null",
            "{",
            r#"{"tasks":{"requests":null}}"#,
            older,
        ] {
            let modern = DeclaredFeatures::of(Era::Modern, json);
            assert_eq!(modern, DeclaredFeatures::default(), "{json}");
        }
    }

    #[test]
    fn skills_are_found_among_the_extensions() {
        let declared = r#"{"extensions":{"io.modelcontextprotocol/skills":{}}}"#;
        assert!(DeclaredFeatures::of(Era::Modern, declared).skills);
        let elsewhere = r#"{"experimental":{"io.modelcontextprotocol/skills":{}},"extensions":7}"#;
        assert!(!DeclaredFeatures::of(Era::Modern, elsewhere).skills);
    }
}
