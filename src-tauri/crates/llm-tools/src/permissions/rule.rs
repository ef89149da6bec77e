//! One rule, and the calls that it matches.

use serde::{Deserialize, Serialize};
use sightglass_model::Wildcards;
use specta::Type;

use crate::names::NamingScheme;

/// Longest rule that is looked at.
const MAX_RULE: usize = 1_000;

/// Result of a rule, the strictest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    Deny,
    Ask,
    Allow,
}

/// Level on which a rule stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RuleLevel {
    /// For all tools.
    Global,
    /// Within the entry of a server; the rule names tools of that server.
    Server,
}

/// File and line in which a rule stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RulePlace {
    pub file: String,
    /// From 1; `None` where it is not known.
    pub line: Option<u32>,
}

/// Client whose grammar a rule has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RuleDialect {
    ClaudeCode,
    Chimera,
    Caliban,
}

impl RuleDialect {
    pub(super) fn scheme(self) -> NamingScheme {
        match self {
            Self::ClaudeCode => NamingScheme::ClaudeCode,
            Self::Chimera => NamingScheme::Chimera,
            Self::Caliban => NamingScheme::Caliban,
        }
    }
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PermissionRule {
    /// Rule as it is written.
    pub text: String,
    /// Pattern of the arguments that it is about, where that stands beside it (OpenCode).
    pub arguments: Option<String>,
    pub effect: Effect,
    pub level: RuleLevel,
    /// Server in whose entry it stands; `None` for a global rule.
    pub server: Option<String>,
    pub place: RulePlace,
}

/// Annotations of a tool, as far as a client heeds them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolAnnotations {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub open_world: Option<bool>,
}

/// A call, or a question of a server, on which a verdict is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermissionCall {
    Tool {
        server: String,
        tool: String,
    },
    /// The server asks the user (`elicitation/create`).
    Elicitation {
        server: String,
    },
}

/// Relation of a rule to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RuleMatch {
    Matches,
    Differs,
    /// The client disregards the rule, for this reason.
    Ignored(String),
}

/// Tells whether a rule matches a call.
pub(super) fn rule_match(
    dialect: RuleDialect,
    rule: &PermissionRule,
    call: &PermissionCall,
) -> RuleMatch {
    let text = rule.text.trim();
    if text.is_empty() || text.len() > MAX_RULE {
        return RuleMatch::Ignored("The rule is empty, or too long.".to_owned());
    }
    if let (RuleLevel::Server, Some(owner)) = (rule.level, &rule.server) {
        return server_rule(dialect, text, owner, call);
    }
    match call {
        PermissionCall::Elicitation { server } => elicitation(dialect, text, server),
        PermissionCall::Tool { server, tool } => {
            let target = RuleTarget::of(dialect, server, tool);
            match unwrapped(text) {
                RulePattern::Name(pattern) => named(dialect, rule.effect, pattern, &target),
                RulePattern::WithArguments(pattern) if pattern.starts_with("mcp__") => {
                    with_arguments(dialect, pattern, &target)
                }
                RulePattern::Elicit | RulePattern::WithArguments(_) => RuleMatch::Differs,
            }
        }
    }
}

/// A tool as the client writes it.
struct RuleTarget {
    /// `mcp__SERVER__TOOL`.
    name: String,
    /// `mcp__SERVER`.
    server: String,
    tool: String,
}

impl RuleTarget {
    fn of(dialect: RuleDialect, server: &str, tool: &str) -> Self {
        let (server, tool) = dialect
            .scheme()
            .mcp_parts(server, tool)
            .unwrap_or_else(|| (server.to_owned(), tool.to_owned()));
        Self {
            name: format!("mcp__{server}__{tool}"),
            server: format!("mcp__{server}"),
            tool,
        }
    }

    /// The part of a pattern after the server of the tool and `__`.
    fn tools_of<'a>(&self, pattern: &'a str) -> Option<&'a str> {
        pattern.strip_prefix(&self.server)?.strip_prefix("__")
    }
}

/// Parts of a rule.
enum RulePattern<'a> {
    /// `mcp__s__t`, or the same within `Tool(…)`.
    Name(&'a str),
    /// `Elicit(…)`.
    Elicit,
    /// Another word with something in parentheses: the word.
    WithArguments(&'a str),
}

fn unwrapped(text: &str) -> RulePattern<'_> {
    let Some((word, rest)) = text.split_once('(') else {
        return RulePattern::Name(text);
    };
    let inner = rest.strip_suffix(')').unwrap_or(rest).trim();
    match word.trim() {
        "Tool" => RulePattern::Name(inner),
        "Elicit" => RulePattern::Elicit,
        word => RulePattern::WithArguments(word),
    }
}

/// A name, a server, or a pattern of names.
fn named(dialect: RuleDialect, effect: Effect, pattern: &str, target: &RuleTarget) -> RuleMatch {
    let is_match = pattern == target.name
        || match dialect {
            RuleDialect::ClaudeCode => {
                let within = target.tools_of(pattern);
                let is_of_server = pattern == target.server
                    || within.is_some_and(|tools| {
                        tools.contains('*') && Wildcards::Star.matches(tools, &target.tool)
                    });
                let is_wide = within.is_none()
                    && pattern.contains('*')
                    && Wildcards::Star.matches(pattern, &target.name);
                if is_wide && effect == Effect::Allow {
                    return RuleMatch::Ignored(
                        "An allow rule with `*` must begin with `mcp__SERVER__`.".to_owned(),
                    );
                }
                is_of_server || is_wide
            }
            RuleDialect::Chimera => {
                let is_of_server = pattern.starts_with("mcp__")
                    && !pattern.contains(['*', '?', '['])
                    && target
                        .name
                        .strip_prefix(pattern)
                        .is_some_and(|rest| rest.starts_with("__"));
                is_of_server || Wildcards::StarAndQuestion.matches(pattern, &target.name)
            }
            RuleDialect::Caliban => {
                pattern == target.server
                    || Wildcards::StarAndQuestion.matches(pattern, &target.name)
            }
        };
    if is_match {
        RuleMatch::Matches
    } else {
        RuleMatch::Differs
    }
}

/// A rule about a tool of a server with something about its arguments.
fn with_arguments(dialect: RuleDialect, pattern: &str, target: &RuleTarget) -> RuleMatch {
    if pattern != target.name && !Wildcards::StarAndQuestion.matches(pattern, &target.name) {
        return RuleMatch::Differs;
    }
    RuleMatch::Ignored(match dialect {
        RuleDialect::ClaudeCode => {
            "Claude Code disregards rules about tools of servers that have parentheses.".to_owned()
        }
        RuleDialect::Chimera | RuleDialect::Caliban => {
            "The rule depends on the arguments, which are not looked at here.".to_owned()
        }
    })
}

fn elicitation(dialect: RuleDialect, text: &str, server: &str) -> RuleMatch {
    let pattern = text
        .strip_prefix("Elicit(")
        .and_then(|rest| rest.strip_suffix(')'));
    let Some(pattern) = pattern.map(str::trim) else {
        return RuleMatch::Differs;
    };
    if pattern != server && !Wildcards::StarAndQuestion.matches(pattern, server) {
        return RuleMatch::Differs;
    }
    match dialect {
        RuleDialect::Caliban | RuleDialect::Chimera => RuleMatch::Matches,
        RuleDialect::ClaudeCode => RuleMatch::Ignored(
            "No rule about questions of servers is documented for Claude Code.".to_owned(),
        ),
    }
}

/// A rule within the entry of a server: a tool of it, with wildcards, in the characters that
/// `scoped_rule` of caliban writes.
fn server_rule(dialect: RuleDialect, text: &str, owner: &str, call: &PermissionCall) -> RuleMatch {
    let PermissionCall::Tool { server, tool } = call else {
        return RuleMatch::Differs;
    };
    let pattern: String = text
        .chars()
        .map(|c| {
            let is_kept = c.is_ascii_alphanumeric() || matches!(c, '*' | '?' | '_' | '-');
            if is_kept { c } else { '_' }
        })
        .collect();
    let target = RuleTarget::of(dialect, server, tool);
    if owner == server && Wildcards::StarAndQuestion.matches(&pattern, &target.tool) {
        RuleMatch::Matches
    } else {
        RuleMatch::Differs
    }
}
