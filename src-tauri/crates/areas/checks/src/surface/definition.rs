//! Tells what changed inside one definition: of a tool, a prompt, a resource or a template.

use sightglass_area_calls::surface_difference::difference;
use sightglass_area_core::{
    command::commands,
    error::InspectorError,
    view::{DefinitionBase, DefinitionChanges},
};
use sightglass_connection::ListKind;
use sightglass_json_text::{MAX_INDENTED_BYTES, indented};
use sightglass_model::ServerId;
use sightglass_surface::{ItemDefinition, Part, Surface, diff};

use crate::surface::Surfaces;

/// Largest definition of which the changes are told, in bytes. The window holds both.
const MAX_DEFINITION_BYTES: usize = 1 << 20;

#[commands(definition_commands)]
impl Surfaces {
    /// Compares an item of a list with what it was before the last `list_changed`, or without one
    /// with the surface that was agreed to. `None` where it did not change, or nothing is kept to
    /// compare it with.
    #[command(name = "get_definition_changes")]
    pub fn definition_changes(
        &self,
        server: &ServerId,
        list: ListKind,
        index: u32,
    ) -> Result<Option<DefinitionChanges>, InspectorError> {
        let now = self.core.connections.item(server, list, index)?;
        if let Some(before) = self.core.connections.item_before(server, list, index) {
            return Ok(changes(list, DefinitionBase::ListChanged, &before, &now));
        }
        if self.is_as_agreed(server) {
            return Ok(None);
        }
        let masked = self.core.connections.masked(server, &now);
        let now = masked.unwrap_or_else(|| now.into_string());
        // Written as the stored one is: a number with other digits is no change.
        let Some(now) = ItemDefinition::read(now.into()) else {
            return Ok(None);
        };
        let Some(surface) = self.surface_store.stored_surface(server).surface() else {
            return Ok(None);
        };
        let part = part_of(list);
        let name = now.name(part);
        let items = surface.items(part).unwrap_or_default();
        let before = items.iter().find(|item| item.name(part) == name);
        Ok(before
            .and_then(|before| changes(list, DefinitionBase::Agreed, before.text(), now.text())))
    }
}

fn changes(
    list: ListKind,
    base: DefinitionBase,
    before: &str,
    after: &str,
) -> Option<DefinitionChanges> {
    if before == after || before.len().max(after.len()) > MAX_DEFINITION_BYTES {
        return None;
    }
    let surface = |text: &str| {
        let items = Some(vec![ItemDefinition::read(text.to_owned().into())?]);
        let nothing = Surface::default();
        Some(match list {
            ListKind::Tools => Surface {
                tools: items,
                ..nothing
            },
            ListKind::Prompts => Surface {
                prompts: items,
                ..nothing
            },
            ListKind::Resources => Surface {
                resources: items,
                ..nothing
            },
            ListKind::ResourceTemplates => Surface {
                templates: items,
                ..nothing
            },
        })
    };
    let found = surface(before)
        .zip(surface(after))
        .map(|(before, after)| diff(&before, &after));
    let text = |json: &str| {
        indented(json.as_bytes(), MAX_INDENTED_BYTES).unwrap_or_else(|_| json.to_owned())
    };
    Some(DefinitionChanges {
        base,
        before: text(before),
        after: text(after),
        difference: difference(found.unwrap_or_default()),
    })
}

/// Returns the part of a surface that a list is.
pub(super) fn part_of(list: ListKind) -> Part {
    match list {
        ListKind::Tools => Part::Tool,
        ListKind::Prompts => Part::Prompt,
        ListKind::Resources => Part::Resource,
        ListKind::ResourceTemplates => Part::Template,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_by_its_rule_and_its_texts_are_exact() {
        let before = r#"{"name":"a","description":"Adds.","inputSchema":{"type":"object","properties":{"n":{"type":"number","maximum":1.10}}}}"#;
        let after = before.replace("Adds.", "Adds, and sends a copy.");
        let told = changes(ListKind::Tools, DefinitionBase::ListChanged, before, &after)
            .expect("a change");
        assert_eq!(told.difference.changes[0].rule, "description");
        assert!(told.difference.is_possible_rug_pull);
        assert!(told.before.contains("\"maximum\": 1.10"), "{}", told.before);
        assert!(told.after.contains("sends a copy"));
    }

    #[test]
    fn what_is_no_json_still_has_its_texts() {
        let told = changes(ListKind::Tools, DefinitionBase::ListChanged, "{", "[[[").expect("told");
        assert_eq!((told.before.as_str(), told.after.as_str()), ("{", "[[["));
        assert!(told.difference.changes.is_empty());
    }
}
