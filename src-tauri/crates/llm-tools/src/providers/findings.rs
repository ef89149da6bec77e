//! Changes as findings of the lint of surfaces.

use serde_json::Value;
use sightglass_model::Finding;
use sightglass_surface::{Part, RuleText, Silence, SurfacePlace};

use super::{ChangeKind, Provider, SchemaChange, sent_list};

/// Rules about what becomes of a tool on its way to a model.
pub const PORTABILITY_RULES: [RuleText; 3] = [
    RuleText {
        name: "provider-refuses",
        why: "Tools that a model interface refuses: every request fails that has one in its list.",
    },
    RuleText {
        name: "provider-limit",
        why: "More tools than a model interface takes: the list is refused, or cut.",
    },
    RuleText {
        name: "provider-drops",
        why: "Rules that a model is not told: it does not keep to them.",
    },
];

/// Examines a tool list for each interface: what is refused, beyond a limit, or left out of the
/// schemas.
pub fn portability(
    providers: &[Provider],
    tools: &[Value],
    names: &[String],
    silenced: &[Silence],
) -> Vec<Finding<SurfacePlace>> {
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

fn finding(provider: Provider, change: SchemaChange) -> Option<Finding<SurfacePlace>> {
    let rule = portability_rule(change.kind)?;
    let message = format!("{}: {}", provider.title(), change.reason);
    let tool = change.tool.unwrap_or_default();
    Some(rule.finding(SurfacePlace::new(Part::Tool, tool, change.path), message))
}
