//! Names that clients refuse or change, as findings of the lint of surfaces.

use std::collections::HashMap;

use sightglass_model::{Finding, brief};
use sightglass_surface::{Part, RuleText, Silence, SurfacePlace};

use super::{
    ItemKind, NameWarning, NameWarningKind, NamedServer, NamingScheme, QualifiedName,
    qualified_names,
    text::{is_word_or_dash, replaced},
};

/// Rules about what becomes of the name of a tool in clients.
pub const NAME_RULES: [RuleText; 3] = [
    RuleText {
        name: "name-refused",
        why: "Names that a client refuses: it leaves the tool out, or its whole request fails.",
    },
    RuleText {
        name: "name-collision",
        why: "Names that are the same in a client: a call reaches only one of the tools.",
    },
    RuleText {
        name: "name-changed",
        why: "Names that a client changes: what uses the server's own name does not find the tool.",
    },
];

/// Name that every client takes as it is: what is said of it is said of the server's name.
const PROBE: &str = "t";

/// Characters of a name that a finding shows.
const MAX_CHARACTERS: usize = 120;

/// Number of findings that are kept; a hostile list could give millions.
const MAX_FINDINGS: usize = 5_000;

/// Examines the names of a server's tools by the rules of every client that is known, as if it had
/// this server alone.
pub fn name_findings(
    server: &str,
    tools: &[&str],
    silenced: &[Silence],
) -> Vec<Finding<SurfacePlace>> {
    // What becomes of the server's own name is no fault of a tool.
    let server = &*replaced(server, is_word_or_dash);
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut names: Vec<&str> = Vec::new();
    for tool in tools {
        places.entry(tool).or_insert_with(|| {
            names.push(tool);
            names.len() - 1
        });
    }
    let mut messages: Vec<[String; NAME_RULES.len()]> = Vec::new();
    messages.resize_with(names.len(), Default::default);
    for scheme in NamingScheme::ALL {
        let about_server = named(scheme, server, &[PROBE]);
        let about_server: Vec<&NameWarning> = about_server
            .iter()
            .flat_map(|name| &name.warnings)
            .collect();
        for name in named(scheme, server, &names) {
            let Some(message) = places
                .get(name.item.as_str())
                .and_then(|place| messages.get_mut(*place))
            else {
                continue;
            };
            let about_tool = name.warnings.iter();
            for warning in about_tool.filter(|warning| !about_server.contains(warning)) {
                let Some((rule, words)) = judged(scheme, server, &name, warning) else {
                    continue;
                };
                let message = &mut message[rule];
                let separator = if message.is_empty() { "" } else { "; " };
                message.push_str(&format!("{separator}{words}"));
            }
        }
    }
    let findings = names.iter().zip(messages).flat_map(|(tool, messages)| {
        let of_rules = NAME_RULES.iter().zip(messages);
        of_rules
            .filter(|(_, message)| !message.is_empty())
            .map(|(rule, message)| {
                let place = SurfacePlace::new(Part::Tool, *tool, "/name");
                rule.finding(place, format!("{message}."))
            })
    });
    findings
        .filter(|finding| !silenced.iter().any(|silence| silence.holds(finding)))
        .take(MAX_FINDINGS)
        .collect()
}

fn named(scheme: NamingScheme, server: &str, tools: &[&str]) -> Vec<QualifiedName> {
    let server = NamedServer {
        name: server.to_owned(),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        ..NamedServer::default()
    };
    let mut names = qualified_names(scheme, &[server]);
    names.retain(|name| name.kind == ItemKind::Tool);
    names
}

/// Returns the rule that a warning belongs to, by its place, and the words for it. `None` for a
/// change of case alone: the call reaches the tool all the same.
fn judged(
    scheme: NamingScheme,
    server: &str,
    name: &QualifiedName,
    warning: &NameWarning,
) -> Option<(usize, String)> {
    let client = scheme.title();
    let written = || format!("{client} calls it `{}`", excerpt(&name.name));
    let text = warning.text.trim_end_matches('.');
    match warning.kind {
        NameWarningKind::TooLong | NameWarningKind::Refused => {
            Some((0, format!("{client}: {text}")))
        }
        NameWarningKind::Collision => Some((1, format!("{client}: {}", excerpt(text)))),
        NameWarningKind::Replaced => {
            let written_part = scheme.mcp_parts(server, &name.item);
            let is_of_case_alone =
                written_part.is_some_and(|(_, tool)| tool.eq_ignore_ascii_case(&name.item));
            (!is_of_case_alone).then(|| (2, written()))
        }
        NameWarningKind::Hashed | NameWarningKind::Truncated => Some((2, written())),
        // The entry of the client leaves it out.
        NameWarningKind::NotSent => None,
    }
}

fn excerpt(text: &str) -> String {
    brief(text, MAX_CHARACTERS).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(server: &str, tools: &[&str]) -> Vec<(String, String, String)> {
        name_findings(server, tools, &[])
            .into_iter()
            .map(|finding| {
                let message = finding.words().to_owned();
                (finding.rule, finding.subject.name, message)
            })
            .collect()
    }

    #[test]
    fn a_plain_name_has_no_finding_whatever_its_server_is_called() {
        for server in ["git", "My Server", "a.b.c", &"long".repeat(10)] {
            assert_eq!(found(server, &["read_file", "getUser", "echo"]), []);
        }
    }

    #[test]
    fn characters_that_clients_replace_are_told_with_the_name_that_becomes_of_them() {
        let found = found("git", &["my.tool x"]);
        let changed = found.iter().find(|(rule, ..)| rule == "name-changed");
        let (_, tool, message) = changed.expect("a finding");
        assert_eq!(tool, "my.tool x");
        for words in [
            "Claude Code calls it `mcp__git__my_tool_x`",
            "opencode calls it `git_my_tool_x`",
            "Gemini CLI calls it `mcp_git_my.tool_x`",
        ] {
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn a_long_name_is_told_by_the_clients_that_have_a_limit() {
        let long = "n".repeat(70);
        let rules: Vec<String> = found("git", &[&long])
            .into_iter()
            .map(|(rule, ..)| rule)
            .collect();
        assert_eq!(rules, ["name-refused", "name-changed"]);
    }

    #[test]
    fn names_that_become_the_same_are_told() {
        let found = found("git", &["a.b", "a_b"]);
        let collisions = found.iter().filter(|(rule, ..)| rule == "name-collision");
        assert_eq!(collisions.count(), 2, "{found:?}");
    }

    #[test]
    fn what_is_silenced_is_left_out() {
        let silenced = [Silence::parse("name-changed:a.b")];
        let found = name_findings("git", &["a.b", "c.d"], &silenced);
        let changed = found.iter().filter(|one| one.rule == "name-changed");
        let names: Vec<&str> = changed.map(|one| one.subject.name.as_str()).collect();
        assert_eq!(names, ["c.d"]);
    }
}
