//! Settings of Codex about the tools of a server, as `ToolFilter` of `codex-rs/codex-mcp/src/tools.rs`
//! and `requires_mcp_tool_approval` of `codex-rs/core/src/mcp_tool_call.rs` apply them
//! (<https://github.com/openai/codex>).

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{
    decision::PermissionVerdict,
    rule::{Effect, PermissionRule, RuleLevel, RulePlace, ToolAnnotations},
};

/// `approval_mode` of a tool, or `default_tools_approval_mode` of a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CodexApproval {
    /// By the annotations of the tool.
    #[default]
    Auto,
    Prompt,
    /// Asks but for tools that declare themselves read-only.
    Writes,
    Approve,
}

impl CodexApproval {
    /// Reads the value of a configuration; `None` for another word.
    pub fn parse(value: &str) -> Option<Self> {
        match value {
            "auto" => Some(Self::Auto),
            "prompt" => Some(Self::Prompt),
            "writes" => Some(Self::Writes),
            "approve" => Some(Self::Approve),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Prompt => "prompt",
            Self::Writes => "writes",
            Self::Approve => "approve",
        }
    }
}

/// A value with the place in which it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    pub value: T,
    pub place: RulePlace,
}

/// Settings of one server.
#[derive(Debug, Clone, Default)]
pub struct CodexSettings {
    pub enabled: Option<Placed<bool>>,
    pub enabled_tools: Option<Placed<Vec<String>>>,
    pub disabled_tools: Option<Placed<Vec<String>>>,
    pub default_tools_approval_mode: Option<Placed<CodexApproval>>,
    /// `approval_mode` of single tools, by their names.
    pub tools: Vec<(String, Placed<CodexApproval>)>,
    /// True with `approval_policy = "never"` and full access to the disk, where nothing is asked.
    pub has_full_access: bool,
}

/// Names of a list that its row has.
const MAX_LISTED: usize = 8;

/// Returns the settings of a server as rules, in the order in which they decide.
pub fn codex_rules(settings: &CodexSettings, server: &str) -> Vec<PermissionRule> {
    let mut rules = Vec::new();
    if let Some(enabled) = &settings.enabled
        && !enabled.value
    {
        rules.push(switched_off(server, &enabled.place));
    }
    if let Some(list) = &settings.enabled_tools {
        rules.push(PermissionRule {
            effect: Effect::Allow,
            ..tool_list(server, ENABLED_TOOLS, list)
        });
    }
    if let Some(list) = &settings.disabled_tools {
        rules.push(tool_list(server, DISABLED_TOOLS, list));
    }
    for (tool, mode) in &settings.tools {
        rules.push(approval_rule(server, Some(tool), mode));
    }
    if let Some(mode) = &settings.default_tools_approval_mode {
        rules.push(approval_rule(server, None, mode));
    }
    rules
}

const ENABLED_TOOLS: &str = "enabled_tools";
const DISABLED_TOOLS: &str = "disabled_tools";

fn rule(server: &str, text: String, effect: Effect, place: &RulePlace) -> PermissionRule {
    PermissionRule {
        text,
        arguments: None,
        effect,
        level: RuleLevel::Server,
        server: Some(server.to_owned()),
        place: place.clone(),
    }
}

fn switched_off(server: &str, place: &RulePlace) -> PermissionRule {
    rule(server, "enabled = false".to_owned(), Effect::Deny, place)
}

/// A list, which denies what it lists or leaves out.
fn tool_list(server: &str, key: &str, list: &Placed<Vec<String>>) -> PermissionRule {
    let names = list.value.iter().take(MAX_LISTED).cloned();
    let mut text = format!("{key} = {}", names.collect::<Vec<_>>().join(", "));
    if let Some(more) = list
        .value
        .len()
        .checked_sub(MAX_LISTED)
        .filter(|more| *more > 0)
    {
        text.push_str(&format!(" and {more} more"));
    }
    rule(server, text, Effect::Deny, &list.place)
}

/// The mode of a tool, or of all that have none.
fn approval_rule(server: &str, tool: Option<&str>, mode: &Placed<CodexApproval>) -> PermissionRule {
    let text = match tool {
        Some(tool) => format!("tools.{tool}.approval_mode = \"{}\"", mode.value.name()),
        None => format!("default_tools_approval_mode = \"{}\"", mode.value.name()),
    };
    let effect = match mode.value {
        CodexApproval::Approve => Effect::Allow,
        // It depends on the annotations of the tool.
        CodexApproval::Auto | CodexApproval::Writes | CodexApproval::Prompt => Effect::Ask,
    };
    rule(server, text, effect, &mode.place)
}

/// Decides on a call of a tool by the settings of its server.
pub fn codex_verdict(
    settings: &CodexSettings,
    server: &str,
    tool: &str,
    annotations: ToolAnnotations,
) -> PermissionVerdict {
    let decided = |effect, rule: Option<PermissionRule>, reason: String| PermissionVerdict {
        effect,
        step: None,
        rule: rule.map(|rule| PermissionRule { effect, ..rule }),
        ignored: Vec::new(),
        reason,
    };
    if let Some(enabled) = &settings.enabled
        && !enabled.value
    {
        let rule = Some(switched_off(server, &enabled.place));
        return decided(Effect::Deny, rule, "The server is off.".to_owned());
    }
    let lists = |list: &Placed<Vec<String>>| list.value.iter().any(|name| name == tool);
    if let Some(list) = &settings.enabled_tools
        && !lists(list)
    {
        let reason = format!("{tool} is not in `enabled_tools`, so the model does not see it.");
        let rule = tool_list(server, ENABLED_TOOLS, list);
        return decided(Effect::Deny, Some(rule), reason);
    }
    if let Some(list) = &settings.disabled_tools
        && lists(list)
    {
        let reason = format!("{tool} is in `disabled_tools`, so the model does not see it.");
        let rule = tool_list(server, DISABLED_TOOLS, list);
        return decided(Effect::Deny, Some(rule), reason);
    }
    let own = settings.tools.iter().find(|(name, _)| name == tool);
    let (owner, mode) = match (own, &settings.default_tools_approval_mode) {
        (Some((tool, mode)), _) => (Some(tool.as_str()), Some(mode)),
        (None, mode) => (None, mode.as_ref()),
    };
    let approval = mode.map(|mode| mode.value).unwrap_or_default();
    let rule = mode.map(|mode| approval_rule(server, owner, mode));
    if settings.has_full_access && approval != CodexApproval::Approve {
        let reason = "With `approval_policy = \"never\"` and full access nothing is asked.";
        return decided(Effect::Allow, None, reason.to_owned());
    }
    let (effect, reason) = match approval {
        CodexApproval::Approve => (Effect::Allow, "Calls are approved without a question."),
        CodexApproval::Prompt => (Effect::Ask, "Each call is asked about."),
        CodexApproval::Writes if annotations.read_only == Some(true) => {
            (Effect::Allow, "The tool declares itself read-only.")
        }
        CodexApproval::Writes => (Effect::Ask, "The tool does not declare itself read-only."),
        CodexApproval::Auto => by_annotations(annotations),
    };
    decided(effect, rule, reason.to_owned())
}

/// `requires_mcp_tool_approval`. What is not declared counts as destructive and open, which are the
/// defaults of the specification.
fn by_annotations(annotations: ToolAnnotations) -> (Effect, &'static str) {
    if annotations.destructive == Some(true) {
        return (Effect::Ask, "The tool declares itself destructive.");
    }
    if annotations.read_only == Some(true) {
        return (Effect::Allow, "The tool declares itself read-only.");
    }
    if annotations.destructive.unwrap_or(true) || annotations.open_world.unwrap_or(true) {
        return (
            Effect::Ask,
            "The tool does not declare itself harmless: neither read-only, nor both not \
             destructive and not of the open world.",
        );
    }
    (
        Effect::Allow,
        "The tool declares itself neither destructive nor of the open world.",
    )
}

#[cfg(test)]
mod tests {
    use super::{CodexApproval, CodexSettings, Placed, codex_rules, codex_verdict};
    use crate::permissions::{Effect, RulePlace, ToolAnnotations};

    fn placed<T>(value: T) -> Placed<T> {
        Placed {
            value,
            place: RulePlace {
                file: "config.toml".to_owned(),
                line: Some(7),
            },
        }
    }

    fn annotations(
        read_only: Option<bool>,
        destructive: Option<bool>,
        open_world: Option<bool>,
    ) -> ToolAnnotations {
        ToolAnnotations {
            read_only,
            destructive,
            open_world,
        }
    }

    fn effect(settings: &CodexSettings, annotations: ToolAnnotations) -> (Effect, Option<String>) {
        let verdict = codex_verdict(settings, "s", "t", annotations);
        (verdict.effect, verdict.rule.map(|rule| rule.text))
    }

    #[test]
    fn lists_of_tools_decide_first() {
        let none = ToolAnnotations::default();
        let tools = |names: &[&str]| {
            Some(placed(
                names.iter().map(|name| (*name).to_owned()).collect(),
            ))
        };
        let approve = Some(placed(CodexApproval::Approve));
        for (settings, expected) in [
            (
                CodexSettings {
                    enabled: Some(placed(false)),
                    ..CodexSettings::default()
                },
                (Effect::Deny, Some("enabled = false")),
            ),
            (
                CodexSettings {
                    enabled_tools: tools(&["other"]),
                    default_tools_approval_mode: approve.clone(),
                    ..CodexSettings::default()
                },
                (Effect::Deny, Some("enabled_tools = other")),
            ),
            (
                CodexSettings {
                    enabled_tools: tools(&["t"]),
                    disabled_tools: tools(&["t"]),
                    default_tools_approval_mode: approve.clone(),
                    ..CodexSettings::default()
                },
                (Effect::Deny, Some("disabled_tools = t")),
            ),
            (
                CodexSettings {
                    enabled_tools: tools(&["t"]),
                    default_tools_approval_mode: approve,
                    ..CodexSettings::default()
                },
                (
                    Effect::Allow,
                    Some("default_tools_approval_mode = \"approve\""),
                ),
            ),
        ] {
            let expected = (expected.0, expected.1.map(str::to_owned));
            assert_eq!(effect(&settings, none), expected);
        }
    }

    #[test]
    fn the_mode_of_a_tool_wins_over_that_of_its_server() {
        let settings = CodexSettings {
            default_tools_approval_mode: Some(placed(CodexApproval::Approve)),
            tools: vec![("t".to_owned(), placed(CodexApproval::Prompt))],
            ..CodexSettings::default()
        };
        assert_eq!(
            effect(&settings, annotations(Some(true), None, None)),
            (
                Effect::Ask,
                Some("tools.t.approval_mode = \"prompt\"".to_owned())
            )
        );
    }

    #[test]
    fn annotations_decide_without_a_mode() {
        for (read_only, destructive, open_world, expected) in [
            (None, None, None, Effect::Ask),
            (Some(true), None, None, Effect::Allow),
            (Some(true), Some(true), None, Effect::Ask),
            (Some(false), Some(false), Some(false), Effect::Allow),
            (None, Some(false), None, Effect::Ask),
            (None, Some(false), Some(false), Effect::Allow),
        ] {
            let annotations = annotations(read_only, destructive, open_world);
            let found = effect(&CodexSettings::default(), annotations);
            assert_eq!(found, (expected, None), "{annotations:?}");
        }
        let writes = CodexSettings {
            default_tools_approval_mode: Some(placed(CodexApproval::Writes)),
            ..CodexSettings::default()
        };
        let of = |read_only| effect(&writes, annotations(read_only, None, None)).0;
        assert_eq!(of(Some(true)), Effect::Allow);
        assert_eq!(of(None), Effect::Ask);
    }

    #[test]
    fn settings_are_listed_in_the_order_in_which_they_decide() {
        let names: Vec<String> = (0..10).map(|number| format!("t{number}")).collect();
        let settings = CodexSettings {
            enabled: Some(placed(false)),
            disabled_tools: Some(placed(names)),
            default_tools_approval_mode: Some(placed(CodexApproval::Approve)),
            tools: vec![("t".to_owned(), placed(CodexApproval::Prompt))],
            ..CodexSettings::default()
        };
        let rules = codex_rules(&settings, "s");
        let rows: Vec<(&str, Effect)> = rules
            .iter()
            .map(|rule| (rule.text.as_str(), rule.effect))
            .collect();
        assert_eq!(
            rows,
            [
                ("enabled = false", Effect::Deny),
                (
                    "disabled_tools = t0, t1, t2, t3, t4, t5, t6, t7 and 2 more",
                    Effect::Deny
                ),
                ("tools.t.approval_mode = \"prompt\"", Effect::Ask),
                ("default_tools_approval_mode = \"approve\"", Effect::Allow),
            ]
        );
        assert!(rules.iter().all(|rule| rule.server.as_deref() == Some("s")));
    }

    #[test]
    fn full_access_asks_nothing() {
        let settings = CodexSettings {
            has_full_access: true,
            default_tools_approval_mode: Some(placed(CodexApproval::Prompt)),
            ..CodexSettings::default()
        };
        assert_eq!(
            effect(&settings, ToolAnnotations::default()).0,
            Effect::Allow
        );
    }

    #[test]
    fn the_words_of_a_configuration_are_read() {
        for mode in [
            CodexApproval::Auto,
            CodexApproval::Prompt,
            CodexApproval::Writes,
            CodexApproval::Approve,
        ] {
            assert_eq!(CodexApproval::parse(mode.name()), Some(mode));
        }
        assert_eq!(CodexApproval::parse("never"), None);
    }
}
