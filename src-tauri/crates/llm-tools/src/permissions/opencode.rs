//! Rules of OpenCode: the last one that matches decides
//! (`packages/opencode/src/permission/evaluate.ts` and `index.ts`,
//! <https://github.com/anomalyco/opencode>).
//!
//! A rule is a pattern of names with `*` and `?`, and may have a pattern of what is asked beside it.
//! About a tool of a server `*` is asked. Where nothing matches, the agents of OpenCode begin with a
//! rule that allows everything (`packages/opencode/src/agent/agent.ts`). Rules of single agents, which
//! come after all others, are not looked at.

use sightglass_model::Wildcards;

use super::{
    decision::{PermissionStep, PermissionVerdict},
    rule::{Effect, PermissionRule},
};
use crate::names::NamingScheme;

/// The pattern that is asked about a tool of a server.
const ASKED: &str = "*";

/// Decides on a call of a tool. The rules are in their order.
pub fn opencode_verdict(rules: &[PermissionRule], server: &str, tool: &str) -> PermissionVerdict {
    let (name, _) = NamingScheme::Opencode.tool_name(server, tool);
    let decides = |rule: &&PermissionRule| {
        let arguments = rule.arguments.as_deref().unwrap_or(ASKED);
        is_match(&rule.text, &name) && is_match(arguments, ASKED)
    };
    let rule = rules.iter().rev().find(decides);
    PermissionVerdict {
        effect: rule.map_or(Effect::Allow, |rule| rule.effect),
        step: Some(match rule {
            Some(_) => PermissionStep::LastMatch,
            None => PermissionStep::Default,
        }),
        ignored: Vec::new(),
        reason: match rule {
            Some(rule) => format!("The rule {} is the last one that matches.", rule.text),
            None => "No rule matches, and OpenCode allows what no rule is about.".to_owned(),
        },
        rule: rule.cloned(),
    }
}

/// Returns the rule that takes a tool from the model: the last one about its name, where that denies
/// whatever is asked.
pub fn opencode_hiding_rule<'a>(
    rules: impl DoubleEndedIterator<Item = &'a PermissionRule>,
    name: &str,
) -> Option<&'a PermissionRule> {
    last_about(rules, name).filter(|rule| rule.effect == Effect::Deny && rule.arguments.is_none())
}

/// Returns the last rule about a name, whatever else it is about.
pub fn last_about<'a>(
    rules: impl DoubleEndedIterator<Item = &'a PermissionRule>,
    name: &str,
) -> Option<&'a PermissionRule> {
    rules.rev().find(|rule| is_match(&rule.text, name))
}

fn is_match(pattern: &str, text: &str) -> bool {
    Wildcards::StarAndQuestion.matches(pattern, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::{RuleLevel, RulePlace};

    fn rule(text: &str, arguments: Option<&str>, effect: Effect) -> PermissionRule {
        PermissionRule {
            text: text.to_owned(),
            arguments: arguments.map(str::to_owned),
            effect,
            level: RuleLevel::Global,
            server: None,
            place: RulePlace {
                file: "opencode.json".to_owned(),
                line: Some(1),
            },
        }
    }

    /// `packages/opencode/test/permission/next.test.ts` has the same cases with its own names.
    #[test]
    fn the_last_rule_that_matches_decides() {
        use Effect::{Allow, Ask, Deny};
        for (rules, effect, is_hidden) in [
            (vec![], Allow, false),
            (vec![rule("other_*", None, Deny)], Allow, false),
            (vec![rule("*", None, Ask)], Ask, false),
            (vec![rule("s_*", None, Deny)], Deny, true),
            (vec![rule("s_?ool", None, Deny)], Deny, true),
            (
                vec![rule("s_tool", None, Deny), rule("*", None, Allow)],
                Allow,
                false,
            ),
            (
                vec![rule("*", None, Deny), rule("s_tool", None, Ask)],
                Ask,
                false,
            ),
            // One about something else decides nothing, and yet the tool stays in sight.
            (
                vec![rule("s_tool", None, Deny), rule("s_tool", Some("rm"), Deny)],
                Deny,
                false,
            ),
        ] {
            let verdict = opencode_verdict(&rules, "s", "tool");
            assert_eq!(verdict.effect, effect, "{rules:?}");
            let hiding = opencode_hiding_rule(rules.iter(), "s_tool");
            assert_eq!(hiding.is_some(), is_hidden, "{rules:?}");
        }
    }
}
