//! Rules of OpenCode, merged as it merges its files (`packages/opencode/src/config/config.ts` of
//! <https://github.com/anomalyco/opencode>): key by key, where a key of a higher file keeps the place
//! that it has in a lower one. The older `tools` stand before `permission`.

use std::collections::HashMap;

use serde_json::Value;
use sightglass_config::{PermissionFile, PlacedValue};
use sightglass_llm_tools::permissions::{Effect, PermissionRule, RuleLevel, RulePlace};

use super::{EFFECTS, MAX_RULES, place};

/// Built-in tools of which the older `tools` mean one permission.
const EDITING: [&str; 4] = ["write", "edit", "patch", "multiedit"];

/// Pattern of what is asked that a rule without one has.
const ANYTHING: &str = "*";

/// Members in the order in which they came first.
#[derive(Clone)]
struct OrderedMembers<T> {
    entries: Vec<(String, T)>,
    places: HashMap<String, usize>,
}

impl<T> Default for OrderedMembers<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            places: HashMap::new(),
        }
    }
}

impl<T> OrderedMembers<T> {
    /// Returns the member of this name, which is added where there is none.
    fn entry(&mut self, key: String, new: T) -> &mut T {
        let end = self.entries.len();
        let at = *self.places.entry(key.clone()).or_insert(end);
        if at == end {
            self.entries.push((key, new));
        }
        &mut self.entries[at].1
    }
}

type Placed = (Effect, RulePlace);

/// Value of a name: one effect, or one for each pattern of what is asked.
#[derive(Clone)]
enum Permission {
    Effect(Placed),
    Patterns(OrderedMembers<Placed>),
}

/// Reads the rules in the order in which the last one that matches decides. `files` begin with the
/// highest.
pub(super) fn rules(files: &[PermissionFile]) -> Vec<PermissionRule> {
    let mut merged: OrderedMembers<Permission> = OrderedMembers::default();
    for file in files.iter().rev() {
        for (tool, found) in file.members(&["tools"]) {
            let Some(is_on) = found.value.as_bool() else {
                continue;
            };
            let effect = if is_on { Effect::Allow } else { Effect::Deny };
            let name = match EDITING.contains(&tool.as_str()) {
                true => "edit".to_owned(),
                false => tool,
            };
            set(
                &mut merged,
                name,
                Permission::Effect((effect, place(file, found.line))),
            );
        }
    }
    for file in files.iter().rev() {
        for (name, permission) in permissions(file) {
            set(&mut merged, name, permission);
        }
    }
    let rule = |text: &str, arguments: Option<&str>, (effect, place): &Placed| PermissionRule {
        text: text.to_owned(),
        arguments: arguments.map(str::to_owned),
        effect: *effect,
        level: RuleLevel::Global,
        server: None,
        place: place.clone(),
    };
    let mut rules: Vec<PermissionRule> = Vec::new();
    for (name, permission) in &merged.entries {
        match permission {
            Permission::Effect(placed) => rules.push(rule(name, None, placed)),
            Permission::Patterns(patterns) => {
                rules.extend(patterns.entries.iter().map(|(pattern, placed)| {
                    let arguments = Some(pattern.as_str()).filter(|pattern| *pattern != ANYTHING);
                    rule(name, arguments, placed)
                }));
            }
        }
    }
    // The last ones decide.
    let surplus = rules.len().saturating_sub(MAX_RULES);
    rules.drain(..surplus);
    rules
}

/// The permissions of one file by their names.
fn permissions(file: &PermissionFile) -> Vec<(String, Permission)> {
    let placed = |found: &PlacedValue| -> Option<Placed> {
        Some((effect(&found.value)?, place(file, found.line)))
    };
    // One word is a rule about everything.
    if let Some(all) = file.value(&["permission"]).as_ref().and_then(placed) {
        return vec![("*".to_owned(), Permission::Effect(all))];
    }
    let members = file.members(&["permission"]).into_iter();
    members
        .filter_map(|(name, found)| {
            if let Some(placed) = placed(&found) {
                return Some((name, Permission::Effect(placed)));
            }
            if !found.value.is_object() {
                return None;
            }
            let mut patterns = OrderedMembers::default();
            for (pattern, found) in file.members(&["permission", &name]) {
                if let Some(found) = placed(&found) {
                    patterns.entry(pattern, found);
                }
            }
            Some((name, Permission::Patterns(patterns)))
        })
        .collect()
}

/// Merges a permission into those of lower files.
fn set(merged: &mut OrderedMembers<Permission>, name: String, permission: Permission) {
    let present = merged.entry(name, permission.clone());
    match (present, permission) {
        (Permission::Patterns(present), Permission::Patterns(patterns)) => {
            for (pattern, placed) in patterns.entries {
                let slot = present.entry(pattern, placed.clone());
                *slot = placed;
            }
        }
        (present, permission) => *present = permission,
    }
}

fn effect(value: &Value) -> Option<Effect> {
    let word = value.as_str()?;
    let found = EFFECTS.iter().find(|(name, _)| *name == word);
    found.map(|(_, effect)| *effect)
}
