//! The order in which rules decide.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::rule::{
    Effect, PermissionCall, PermissionRule, RuleDialect, RuleLevel, RuleMatch, rule_match,
};

/// Number of rules that are looked at, and of disregarded ones that are told.
const MAX_RULES: usize = 10_000;
const MAX_IGNORED: usize = 100;

/// Step of the order at which a verdict fell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PermissionStep {
    GlobalDeny,
    ServerDeny,
    ServerAsk,
    ServerAllow,
    GlobalAsk,
    GlobalAllow,
    /// The last rule that matches decides (OpenCode).
    LastMatch,
    /// No rule matches: the client does what it does of itself.
    Default,
}

/// Verdict on a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PermissionVerdict {
    pub effect: Effect,
    /// Step of the order; `None` where a setting decided that is no rule.
    pub step: Option<PermissionStep>,
    /// Rule or setting that decided; `None` where none did.
    pub rule: Option<PermissionRule>,
    /// Rules that speak of the call and are disregarded by the client.
    pub ignored: Vec<IgnoredRule>,
    pub reason: String,
}

/// A rule that the client disregards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct IgnoredRule {
    pub rule: PermissionRule,
    pub reason: String,
}

const STEPS: [(PermissionStep, RuleLevel, Effect); 6] = [
    (PermissionStep::GlobalDeny, RuleLevel::Global, Effect::Deny),
    (PermissionStep::ServerDeny, RuleLevel::Server, Effect::Deny),
    (PermissionStep::ServerAsk, RuleLevel::Server, Effect::Ask),
    (
        PermissionStep::ServerAllow,
        RuleLevel::Server,
        Effect::Allow,
    ),
    (PermissionStep::GlobalAsk, RuleLevel::Global, Effect::Ask),
    (
        PermissionStep::GlobalAllow,
        RuleLevel::Global,
        Effect::Allow,
    ),
];

/// Decides on a call by rules. Of several that match at one step the first decides.
pub fn verdict(
    dialect: RuleDialect,
    rules: &[PermissionRule],
    call: &PermissionCall,
) -> PermissionVerdict {
    let rules = rules.get(..MAX_RULES).unwrap_or(rules);
    let mut ignored = Vec::new();
    let mut matching = Vec::new();
    for rule in rules {
        match rule_match(dialect, rule, call) {
            RuleMatch::Matches => matching.push(rule),
            RuleMatch::Ignored(reason) if ignored.len() < MAX_IGNORED => {
                ignored.push(IgnoredRule {
                    rule: rule.clone(),
                    reason,
                });
            }
            RuleMatch::Ignored(_) | RuleMatch::Differs => {}
        }
    }
    for (step, level, effect) in STEPS {
        let decides = |rule: &&&PermissionRule| rule.level == level && rule.effect == effect;
        if let Some(rule) = matching.iter().find(decides) {
            return PermissionVerdict {
                effect,
                step: Some(step),
                rule: Some((*rule).clone()),
                ignored,
                reason: format!("The rule {} matches.", rule.text),
            };
        }
    }
    PermissionVerdict {
        effect: Effect::Ask,
        step: Some(PermissionStep::Default),
        rule: None,
        ignored,
        reason: "No rule matches, so the client asks.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{PermissionStep, verdict};
    use crate::permissions::{
        Effect, PermissionCall, PermissionRule, RuleDialect, RuleLevel, RulePlace,
    };

    fn rule(effect: Effect, text: &str) -> PermissionRule {
        PermissionRule {
            text: text.to_owned(),
            arguments: None,
            effect,
            level: RuleLevel::Global,
            server: None,
            place: RulePlace {
                file: "settings.json".to_owned(),
                line: Some(3),
            },
        }
    }

    fn server_rule(effect: Effect, text: &str) -> PermissionRule {
        PermissionRule {
            level: RuleLevel::Server,
            server: Some("linear".to_owned()),
            ..rule(effect, text)
        }
    }

    fn call(server: &str, tool: &str) -> PermissionCall {
        PermissionCall::Tool {
            server: server.to_owned(),
            tool: tool.to_owned(),
        }
    }

    /// `docs/adr/0023-mcp-v2-transports-and-oauth.md` of caliban: each step decides before the next.
    #[test]
    fn the_order_is_that_of_the_decision_record() {
        let mut rules = vec![
            rule(Effect::Allow, "mcp__linear__delete"),
            rule(Effect::Ask, "mcp__linear__delete"),
            server_rule(Effect::Allow, "delete"),
            server_rule(Effect::Ask, "delete"),
            server_rule(Effect::Deny, "delete"),
            rule(Effect::Deny, "mcp__*"),
        ];
        for (step, effect) in [
            (PermissionStep::GlobalDeny, Effect::Deny),
            (PermissionStep::ServerDeny, Effect::Deny),
            (PermissionStep::ServerAsk, Effect::Ask),
            (PermissionStep::ServerAllow, Effect::Allow),
            (PermissionStep::GlobalAsk, Effect::Ask),
            (PermissionStep::GlobalAllow, Effect::Allow),
            (PermissionStep::Default, Effect::Ask),
        ] {
            let verdict = verdict(RuleDialect::Caliban, &rules, &call("linear", "delete"));
            assert_eq!((verdict.step, verdict.effect), (Some(step), effect));
            assert_eq!(verdict.rule.as_ref(), rules.last());
            rules.pop();
        }
    }

    #[test]
    fn rules_match_by_the_grammar_of_their_client() {
        use Effect::{Allow, Ask, Deny};
        use RuleDialect::{Caliban, Chimera, ClaudeCode};
        for (dialect, effect, text, server, tool, is_match) in [
            // https://code.claude.com/docs/en/permissions
            (
                ClaudeCode,
                Allow,
                "mcp__puppeteer",
                "puppeteer",
                "navigate",
                true,
            ),
            (
                ClaudeCode,
                Allow,
                "mcp__puppeteer__*",
                "puppeteer",
                "navigate",
                true,
            ),
            (
                ClaudeCode,
                Allow,
                "mcp__puppeteer__navigate",
                "puppeteer",
                "navigate",
                true,
            ),
            (
                ClaudeCode,
                Allow,
                "mcp__puppeteer__navigate",
                "puppeteer",
                "click",
                false,
            ),
            (
                ClaudeCode,
                Allow,
                "mcp__puppet",
                "puppeteer",
                "navigate",
                false,
            ),
            // Observed in 2.1.197: `*` within one server for each effect, elsewhere for deny and ask.
            (
                ClaudeCode,
                Allow,
                "mcp__github__get_*",
                "github",
                "get_issue",
                true,
            ),
            (
                ClaudeCode,
                Allow,
                "mcp__github__get_*",
                "github",
                "set_issue",
                false,
            ),
            (ClaudeCode, Deny, "mcp__*", "github", "get_issue", true),
            (
                ClaudeCode,
                Ask,
                "mcp__*__delete_*",
                "github",
                "delete_issue",
                true,
            ),
            (ClaudeCode, Allow, "mcp__*", "github", "get_issue", false),
            // Names are compared as the client writes them.
            (
                ClaudeCode,
                Allow,
                "mcp__my_server__a_b",
                "my server",
                "a.b",
                true,
            ),
            (ClaudeCode, Allow, "Bash", "github", "get_issue", false),
            (
                ClaudeCode,
                Allow,
                "Tool(mcp__github__get_issue)",
                "github",
                "get_issue",
                true,
            ),
            (
                ClaudeCode,
                Allow,
                "Tool(mcp__github)",
                "github",
                "get_issue",
                true,
            ),
            // chimera/permissions/rules.py: fnmatch, and a server by itself.
            (Chimera, Allow, "mcp__github", "github", "get_issue", true),
            (Chimera, Allow, "mcp__*", "github", "get_issue", true),
            (
                Chimera,
                Allow,
                "mcp__github__get_issu?",
                "github",
                "get_issue",
                true,
            ),
            (Chimera, Allow, "mcp__git", "github", "get_issue", false),
            // crates/caliban-mcp-client/src/permissions.rs
            (Caliban, Deny, "mcp__*", "linear", "delete", true),
            (Caliban, Allow, "*", "linear", "delete", true),
            (
                Caliban,
                Allow,
                "Tool(mcp__linear)",
                "linear",
                "delete",
                true,
            ),
            (Caliban, Allow, "Elicit(linear)", "linear", "delete", false),
        ] {
            let verdict = verdict(dialect, &[rule(effect, text)], &call(server, tool));
            assert_eq!(
                verdict.rule.is_some(),
                is_match,
                "{dialect:?} {text} {server} {tool}"
            );
        }
    }

    /// `scoped_rule`: the pattern has the characters of a tool's name, and the wildcards stay.
    #[test]
    fn rules_of_a_server_name_its_tools() {
        for (text, tool, is_match) in [
            ("delete_*", "delete_issue", true),
            ("delete_*", "create_issue", false),
            ("a.b", "a/b", true),
            ("*", "x", true),
        ] {
            let rules = [server_rule(Effect::Deny, text)];
            let matches = |server: &str| {
                verdict(RuleDialect::Caliban, &rules, &call(server, tool))
                    .rule
                    .is_some()
            };
            assert_eq!(matches("linear"), is_match, "{text} {tool}");
            assert!(!matches("other"), "{text} {tool}");
        }
    }

    #[test]
    fn questions_of_a_server_have_rules_of_their_own() {
        let question = PermissionCall::Elicitation {
            server: "linear".to_owned(),
        };
        for (text, is_match) in [
            ("Elicit(linear)", true),
            ("Elicit(*)", true),
            ("Elicit(other)", false),
            ("mcp__linear", false),
        ] {
            let rules = [rule(Effect::Deny, text)];
            let found = verdict(RuleDialect::Caliban, &rules, &question).rule;
            assert_eq!(found.is_some(), is_match, "{text}");
        }
    }

    #[test]
    fn rules_that_the_client_disregards_are_told() {
        let rules = [
            rule(Effect::Allow, "mcp__*"),
            rule(Effect::Deny, "mcp__github__get_issue(id:1)"),
            rule(Effect::Deny, ""),
            rule(Effect::Deny, "mcp__other__x(1)"),
        ];
        let verdict = verdict(
            RuleDialect::ClaudeCode,
            &rules,
            &call("github", "get_issue"),
        );
        assert_eq!(verdict.effect, Effect::Ask);
        assert_eq!(verdict.ignored.len(), 3);
    }
}
