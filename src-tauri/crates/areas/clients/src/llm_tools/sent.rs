//! Tool lists as model interfaces get them, in parts: the list without texts, one tool with them, and
//! the faults of all interfaces, each with the tools that have it.

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;
use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{
        LinePair, PortabilityGroup, PortabilityPlace, PortabilityView, SentListView, SentRowView,
        SentToolDetail, SentToolView,
    },
};
use sightglass_config::{DiffLineKind, diff_texts};
use sightglass_llm_tools::{
    names::NamingScheme,
    providers::{ChangeKind, Provider, SchemaChange, list_changes, portability_rule, sent_list},
};
use sightglass_model::{ServerId, visible};

use super::{
    ClientTools,
    selection::{LeftOutReason, LeftOutTool},
};
use crate::llm_tools::LlmTools;

/// Number of faults, and of places for each, that are listed.
const MAX_GROUPS: usize = 500;
const MAX_PLACES: usize = 100;

/// Number of tools that are named for one reason.
const MAX_NAMES: usize = 20;

/// Lines of a tool that are compared; the time for it grows faster than their number.
const MAX_LINES: usize = 4_000;

/// Tool lists as model interfaces get them, in parts.
pub struct SentTools {
    pub(crate) llm_tools: Arc<LlmTools>,
}

#[commands]
impl SentTools {
    /// Lists the tools of servers as a model interface gets them, with the names of a client or
    /// those of the servers.
    #[command(name = "get_sent_tool_list")]
    pub fn sent_tool_list(
        &self,
        servers: &[ServerId],
        provider: Provider,
        scheme: Option<NamingScheme>,
    ) -> Result<SentListView, InspectorError> {
        let mut rows = Vec::new();
        let mut left_out = Vec::new();
        for (server, id) in (0..).zip(servers) {
            let own = self.llm_tools.client_tools(id, scheme)?;
            left_out.extend(own.left_out);
            let names = own.own_names.into_iter().zip(own.names);
            for (tool, (own_name, name)) in own.tools.iter().zip(names) {
                let (_, changes, _) = converted(provider, &tool.value(), &name);
                rows.push(SentRowView {
                    server,
                    name: own_name,
                    sent_name: name,
                    changes: u32::try_from(changes.len()).unwrap_or(u32::MAX),
                    worst: changes.iter().map(|change| change.kind).min_by_key(gravity),
                });
            }
        }
        let mut changes = list_changes(provider, rows.len());
        changes.extend(left_out_changes(scheme, &left_out));
        Ok(SentListView {
            provider,
            title: provider.title().to_owned(),
            converter: provider.converter().to_owned(),
            changes,
            tools: rows,
        })
    }

    /// Converts one tool of a server for a model interface.
    #[command(name = "get_sent_tool")]
    pub fn sent_tool(
        &self,
        server: &ServerId,
        tool: &str,
        provider: Provider,
        scheme: Option<NamingScheme>,
    ) -> Result<SentToolDetail, InspectorError> {
        let ClientTools {
            tools,
            own_names,
            names,
            left_out,
        } = self.llm_tools.client_tools(server, scheme)?;
        let place = own_names.iter().position(|own_name| own_name == tool);
        let found = place.and_then(|place| tools.get(place).zip(names.get(place)));
        if let Some(not_sent) = left_out.iter().find(|one| one.own_name == tool) {
            return Err(InspectorError::InvalidInput(format!(
                "{tool} is not sent: {}.",
                not_sent.reason.clause()
            )));
        }
        let Some((listed, name)) = found else {
            return Err(InspectorError::InvalidInput(format!(
                "{} lists no tool {tool}.",
                server.name()
            )));
        };
        let listed = listed.value();
        let (sent, changes, has_more_changes) = converted(provider, &listed, name);
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let (original, sent) = (pretty(&listed), pretty(&sent));
        Ok(SentToolDetail {
            lines: line_pairs(&original, &sent),
            tool: SentToolView {
                name: tool.to_owned(),
                original,
                sent,
            },
            changes,
            has_more_changes,
        })
    }

    /// Examines the tools of servers for model interfaces, and groups what is refused, beyond a
    /// limit or left out.
    #[command(name = "get_portability")]
    pub fn grouped_portability(
        &self,
        servers: &[ServerId],
        providers: &[Provider],
        scheme: Option<NamingScheme>,
    ) -> Result<PortabilityView, InspectorError> {
        let mut lists = Vec::new();
        for (server, id) in (0..).zip(servers) {
            lists.push((server, self.llm_tools.client_tools(id, scheme)?));
        }
        let total = lists.iter().map(|(_, own)| own.tools.len()).sum();
        let mut found = Groups::default();
        for provider in providers {
            for change in list_changes(*provider, total) {
                found.add(*provider, 0, None, change);
            }
            for (server, own) in &lists {
                let names = own.own_names.iter().zip(&own.names);
                for (tool, (own_name, name)) in own.tools.iter().zip(names) {
                    let (_, changes, _) = converted(*provider, &tool.value(), name);
                    for change in changes {
                        found.add(*provider, *server, Some(own_name), change);
                    }
                }
            }
        }
        Ok(found.into_view())
    }
}

/// Says which tools a client does not send, and why: one change for each reason.
pub(super) fn left_out_changes(
    scheme: Option<NamingScheme>,
    left_out: &[LeftOutTool],
) -> Vec<SchemaChange> {
    let Some(scheme) = scheme else {
        return Vec::new();
    };
    let mut changes: Vec<SchemaChange> = left_out_change(scheme, left_out).into_iter().collect();
    let mut reasons: Vec<(&LeftOutReason, Vec<&str>)> = Vec::new();
    for one in left_out {
        if one.reason == LeftOutReason::LongName {
            continue;
        }
        let name = one.own_name.as_str();
        match reasons.iter_mut().find(|(known, _)| **known == one.reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((&one.reason, vec![name])),
        }
    }
    let left = reasons.len().saturating_sub(MAX_PLACES);
    for (reason, names) in reasons.iter().take(MAX_PLACES) {
        let number = match names.len() {
            1 => "One tool is not sent".to_owned(),
            number => format!("{number} tools are not sent"),
        };
        let listed: Vec<_> = names
            .iter()
            .take(MAX_NAMES)
            .map(|name| visible(name))
            .collect();
        let more = match names.len().saturating_sub(MAX_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        changes.push(SchemaChange {
            tool: None,
            path: String::new(),
            kind: ChangeKind::Dropped,
            reason: format!(
                "{number}, since {}: {}{more}.",
                reason.clause(),
                listed.join(", ")
            ),
            source: scheme.source().to_owned(),
        });
    }
    if left > 0 {
        changes.push(SchemaChange {
            tool: None,
            path: String::new(),
            kind: ChangeKind::Dropped,
            reason: format!("{left} more rules take tools from the model."),
            source: scheme.source().to_owned(),
        });
    }
    changes
}

/// Says how many tools a client does not send, since their names are too long for it.
fn left_out_change(scheme: NamingScheme, left_out: &[LeftOutTool]) -> Option<SchemaChange> {
    let longest = scheme.longest_sent_name()?;
    let long = left_out
        .iter()
        .filter(|one| one.reason == LeftOutReason::LongName);
    let whose = match long.count() {
        0 => return None,
        1 => "one tool, whose name has".to_owned(),
        number => format!("{number} tools, whose names have"),
    };
    Some(SchemaChange {
        tool: None,
        path: String::new(),
        kind: ChangeKind::LimitExceeded,
        reason: format!(
            "Claude Code leaves out {whose} more than {longest} characters. Names shows which."
        ),
        source: scheme.source().to_owned(),
    })
}

/// Converts one tool by itself. The number of tools in its list is judged elsewhere.
fn converted(provider: Provider, tool: &Value, name: &str) -> (Value, Vec<SchemaChange>, bool) {
    let names = [name.to_owned()];
    let list = sent_list(provider, std::slice::from_ref(tool), &names);
    let sent = list.tools.into_iter().next().unwrap_or_default();
    (sent, list.changes, list.has_more_changes)
}

/// Puts the lines of two texts beside each other. Indentation does not count, since some interfaces
/// want the tool within another object, and neither does the comma after the last member.
fn line_pairs(original: &str, sent: &str) -> Vec<LinePair> {
    if original.lines().count().max(sent.lines().count()) > MAX_LINES {
        return Vec::new();
    }
    let bare = |text: &str| -> String {
        let lines = text.lines();
        lines
            .map(|line| format!("{}\n", line.trim().trim_end_matches(',')))
            .collect()
    };
    let mut pairs: Vec<LinePair> = Vec::new();
    // Of a run of lines that differ, those of both sides share rows.
    let mut open = 0;
    for line in diff_texts(&bare(original), &bare(sent)) {
        match line.kind {
            DiffLineKind::Kept => open = pairs.len() + 1,
            DiffLineKind::Added => {
                let waiting = pairs.iter_mut().skip(open).find(|pair| pair.sent.is_none());
                if let Some(pair) = waiting {
                    pair.sent = line.after;
                    continue;
                }
            }
            DiffLineKind::Removed => {}
        }
        pairs.push(LinePair {
            original: line.before,
            sent: line.after,
            is_equal: line.kind == DiffLineKind::Kept,
        });
    }
    pairs
}

/// Order of the kinds of changes, the gravest first.
fn gravity(kind: &ChangeKind) -> u8 {
    match kind {
        ChangeKind::Refused => 0,
        ChangeKind::LimitExceeded => 1,
        ChangeKind::Dropped => 2,
        ChangeKind::Rewritten => 3,
        ChangeKind::Added => 4,
        ChangeKind::NotSent => 5,
    }
}

/// Faults in the order in which they were found.
#[derive(Default)]
struct Groups {
    places: HashMap<(Provider, ChangeKind, String), usize>,
    groups: Vec<(ChangeKind, PortabilityGroup)>,
}

impl Groups {
    fn add(&mut self, provider: Provider, server: u32, tool: Option<&str>, change: SchemaChange) {
        let Some(rule) = portability_rule(change.kind) else {
            return;
        };
        let key = (provider, change.kind, change.reason.clone());
        let index = *self.places.entry(key).or_insert_with(|| {
            self.groups.push((
                change.kind,
                PortabilityGroup {
                    rule: rule.name.to_owned(),
                    provider,
                    title: provider.title().to_owned(),
                    reason: change.reason,
                    why: rule.why.to_owned(),
                    source: change.source,
                    places: Vec::new(),
                    count: 0,
                },
            ));
            self.groups.len() - 1
        });
        if let Some((_, group)) = self.groups.get_mut(index) {
            group.count = group.count.saturating_add(1);
            if group.places.len() < MAX_PLACES {
                group.places.push(PortabilityPlace {
                    server,
                    tool: tool.map(str::to_owned),
                    path: change.path,
                });
            }
        }
    }

    fn into_view(mut self) -> PortabilityView {
        self.groups
            .sort_by_key(|(kind, group)| (gravity(kind), std::cmp::Reverse(group.count)));
        let left_out = self.groups.len().saturating_sub(MAX_GROUPS);
        PortabilityView {
            groups: self
                .groups
                .into_iter()
                .take(MAX_GROUPS)
                .map(|(_, group)| group)
                .collect(),
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::line_pairs;

    fn rows(original: &str, sent: &str) -> Vec<(Option<u32>, Option<u32>, bool)> {
        let pairs = line_pairs(original, sent).into_iter();
        pairs
            .map(|pair| (pair.original, pair.sent, pair.is_equal))
            .collect()
    }

    #[test]
    fn indentation_and_the_comma_at_the_end_are_no_difference() {
        let found = rows("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n    \"a\": 1\n}");
        let expected = [
            (Some(1), Some(1), true),
            (Some(2), Some(2), true),
            (Some(3), None, false),
            (Some(4), Some(3), true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_that_differ_share_a_row() {
        let found = rows("a\nb\nc\nz", "x\ny\nz");
        let expected = [
            (Some(1), Some(1), false),
            (Some(2), Some(2), false),
            (Some(3), None, false),
            (Some(4), Some(3), true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn very_long_texts_are_not_compared() {
        let long = "x\n".repeat(5_000);
        assert!(line_pairs(&long, "x").is_empty());
    }
}
