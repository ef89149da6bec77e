//! Tells whether a call may change or destroy something.

use sightglass_json_text::Members;

/// Tells whether calling a tool may change something, as far as its definition says (MCP
/// 2025-11-25, ToolAnnotations): unless it is declared read-only, it may. A tool that only adds
/// things, and so destroys none, changes something all the same.
pub fn may_change(definition: Option<&str>) -> bool {
    !says(definition, "readOnlyHint") || is_destructive(definition)
}

/// Tells whether a tool declares that calling it may destroy something (MCP 2025-11-25,
/// ToolAnnotations).
pub fn is_destructive(definition: Option<&str>) -> bool {
    says(definition, "destructiveHint")
}

/// True for a hint that the annotations of a tool give as `true`.
fn says(definition: Option<&str>, hint: &str) -> bool {
    // Few give one, a definition can be long, and any character can be written with an escape.
    let may_say = |text: &&str| text.contains(hint) || text.contains('\\');
    let members = definition
        .filter(may_say)
        .and_then(|text| Members::parse(text).ok());
    let annotations = members.and_then(|members| members.object("annotations"));
    annotations.is_some_and(|hints| hints.given(hint) == Some("true"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_declared_read_only_changes_nothing() {
        for (tool, expected) in [
            (None, true),
            (Some("{}"), true),
            (Some(r#"{"annotations":{"readOnlyHint":true}}"#), false),
            (Some(r#"{"annotations":{"readOnlyHint":"true"}}"#), true),
            (
                Some(r#"{"annotations":{"readOnlyHint":true,"destructiveHint":true}}"#),
                true,
            ),
            (Some(r#"{"annotations":{"readOnlyHint":false}}"#), true),
            (Some(r#"{"annotations":{"read\u004fnlyHint":true}}"#), false),
            (Some(r#"{"title":"readOnlyHint"}"#), true),
        ] {
            assert_eq!(may_change(tool), expected, "{tool:?}");
        }
    }
}
