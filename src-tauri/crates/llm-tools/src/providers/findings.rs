//! Changes as findings of the lint of surfaces.

use serde_json::Value;
use sightglass_surface::{Finding, Part, RuleText, Silence, Subject};

use super::{ChangeKind, Provider, SchemaChange, sent_list};

/// Rules about what becomes of a tool on its way to a model.
pub const PORTABILITY_RULES: [RuleText; 3] = [
    RuleText {
        name: "provider-refuses",
        why: "One such tool makes every request fail that has it in its list.",
    },
    RuleText {
        name: "provider-limit",
        why: "A list beyond a limit is refused, or cut.",
    },
    RuleText {
        name: "provider-drops",
        why: "A model does not keep to what it is not told.",
    },
];

/// Examines a tool list for each interface: what is refused, beyond a limit, or left out of the
/// schemas.
pub fn portability(
    providers: &[Provider],
    tools: &[Value],
    names: &[String],
    silenced: &[Silence],
) -> Vec<Finding> {
    providers
        .iter()
        .flat_map(|provider| {
            let list = sent_list(*provider, tools, names);
            let findings = list.changes.into_iter();
            findings.filter_map(|change| finding(*provider, change))
        })
        .filter(|finding| !silenced.iter().any(|silence| silence.holds(finding)))
        .collect()
}

/// Returns the rule that a change breaks; `None` for one that is no fault.
pub fn portability_rule(kind: ChangeKind) -> Option<&'static RuleText> {
    let rule = match kind {
        ChangeKind::Refused => "provider-refuses",
        ChangeKind::LimitExceeded => "provider-limit",
        ChangeKind::Dropped => "provider-drops",
        ChangeKind::NotSent | ChangeKind::Rewritten | ChangeKind::Added => return None,
    };
    PORTABILITY_RULES.iter().find(|text| text.name == rule)
}

fn finding(provider: Provider, change: SchemaChange) -> Option<Finding> {
    let RuleText { name, why } = portability_rule(change.kind)?;
    Some(Finding {
        rule: (*name).to_owned(),
        subject: Subject::new(Part::Tool, change.tool.unwrap_or_default()),
        path: change.path,
        message: format!("{}: {}", provider.title(), change.reason),
        why: (*why).to_owned(),
    })
}
