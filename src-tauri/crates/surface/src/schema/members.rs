//! Compares the keywords that hold schemas themselves, and those that are not compared in detail.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    SchemaComparison, SchemaDirection, SetEffect,
    keywords::{
        ANNOTATIONS, CONJUNCTS, TEXTS, empty, has_key, required, same_definitions, takes_all,
    },
};
use crate::change::{ChangeClass, join};

impl<'a> SchemaComparison<'a> {
    pub(super) fn properties(
        &mut self,
        old: &'a Map<String, Value>,
        new: &'a Map<String, Value>,
        path: &str,
        depth: usize,
    ) {
        let [old_properties, new_properties] = [old, new].map(|schema| {
            schema
                .get("properties")
                .and_then(Value::as_object)
                .unwrap_or(empty())
        });
        let (old_required, new_required) = (required(old), required(new));
        let here = join(path, "properties");
        for (name, before) in old_properties {
            match new_properties.get(name) {
                Some(after) => self.schemas(before, after, &join(&here, name), depth + 1),
                None => self.push(
                    ChangeClass::Breaking,
                    "property-removed",
                    &join(&here, name),
                    Some(before),
                    None,
                    "The property is gone, and those who use it are not understood",
                ),
            }
        }
        for (name, after) in new_properties {
            if !old_properties.contains_key(name) {
                let is_told = self.direction == SchemaDirection::Arguments
                    && new_required.contains(name.as_str())
                    && !old_required.contains(name.as_str());
                if !is_told {
                    self.added_property(old, name, after, &join(&here, name), depth);
                }
            }
        }
        let here = join(path, "required");
        for name in new_required.difference(&old_required) {
            let value = Value::from(*name);
            self.add(
                SetEffect::Narrowed,
                "required-added",
                &here,
                None,
                Some(&value),
                &format!("`{name}` is required now"),
            );
        }
        for name in old_required.difference(&new_required) {
            let value = Value::from(*name);
            self.add(
                SetEffect::Widened,
                "required-removed",
                &here,
                Some(&value),
                None,
                &format!("`{name}` is not required any more"),
            );
        }
    }

    fn added_property(
        &mut self,
        old: &'a Map<String, Value>,
        name: &str,
        after: &'a Value,
        path: &str,
        depth: usize,
    ) {
        let compatible = "A property more, which nobody has to use";
        let class = match old.get("additionalProperties") {
            _ if old.contains_key("patternProperties") => ChangeClass::Attention,
            None => ChangeClass::Compatible,
            Some(Value::Bool(false)) if self.direction == SchemaDirection::Arguments => {
                ChangeClass::Compatible
            }
            Some(Value::Bool(false)) => ChangeClass::Attention,
            Some(before) => {
                // What was said of every further property against what is said of this one.
                let from = self.changes.len();
                self.schemas(before, after, path, depth + 1);
                let worst = self
                    .changes
                    .drain(from..)
                    .filter(|change| !TEXTS.contains(&change.rule))
                    .map(|change| change.class)
                    .min();
                match worst {
                    None | Some(ChangeClass::Compatible | ChangeClass::Note) => {
                        ChangeClass::Compatible
                    }
                    Some(_) => ChangeClass::Attention,
                }
            }
        };
        let explanation = match class {
            ChangeClass::Compatible => compatible.to_owned(),
            _ => {
                format!("What was allowed under the name `{name}` before may not be what it is now")
            }
        };
        self.push(
            class,
            "property-added",
            path,
            None,
            Some(after),
            &explanation,
        );
    }

    pub(super) fn additional(
        &mut self,
        old: &'a Map<String, Value>,
        new: &'a Map<String, Value>,
        path: &str,
        depth: usize,
    ) {
        const KEYWORD: &str = "additionalProperties";
        let (before, after) = (old.get(KEYWORD), new.get(KEYWORD));
        let (old_schema, new_schema) = (
            before.unwrap_or(&Value::Bool(true)),
            after.unwrap_or(&Value::Bool(true)),
        );
        let path = join(path, KEYWORD);
        match (takes_all(old_schema), takes_all(new_schema)) {
            (Some(old_all), Some(new_all)) if old_all == new_all => {}
            (_, Some(false)) => self.add(
                SetEffect::Narrowed,
                "additional-properties-closed",
                &path,
                before,
                after,
                "Properties that are not named are refused now",
            ),
            (Some(false), _) => self.add(
                SetEffect::Widened,
                "additional-properties-opened",
                &path,
                before,
                after,
                "Properties that are not named are taken now",
            ),
            _ => match (before, after) {
                (Some(before), Some(after)) => self.schemas(before, after, &path, depth + 1),
                _ => {
                    let effect = match after {
                        Some(_) => SetEffect::Narrowed,
                        None => SetEffect::Widened,
                    };
                    self.add(
                        effect,
                        "additional-properties-changed",
                        &path,
                        before,
                        after,
                        "Properties that are not named have to keep to another schema",
                    );
                }
            },
        }
    }

    pub(super) fn items(
        &mut self,
        old: &'a Map<String, Value>,
        new: &'a Map<String, Value>,
        path: &str,
        depth: usize,
    ) {
        let (before, after) = (old.get("items"), new.get("items"));
        let here = join(path, "items");
        match (before, after) {
            (None, None) => {}
            (Some(before), Some(after)) if before == after && !has_key(before, &["$ref"], 0) => {}
            (Some(Value::Array(_)), _) | (_, Some(Value::Array(_))) => {
                self.add(
                    SetEffect::Undecided,
                    "items-changed",
                    &here,
                    before,
                    after,
                    "The schemas of single items changed",
                );
            }
            (Some(before), Some(after)) => self.schemas(before, after, &here, depth + 1),
            (None, Some(after)) if takes_all(after) != Some(true) => self.add(
                SetEffect::Narrowed,
                "items-added",
                &here,
                None,
                Some(after),
                "Items have to keep to a schema now",
            ),
            (Some(before), None) if takes_all(before) != Some(true) => self.add(
                SetEffect::Widened,
                "items-removed",
                &here,
                Some(before),
                None,
                "Items do not have to keep to a schema any more",
            ),
            _ => {}
        }
    }

    /// `anyOf` and `allOf`: branch by branch, both take more when one of their branches does.
    pub(super) fn branches(
        &mut self,
        old: &'a Map<String, Value>,
        new: &'a Map<String, Value>,
        path: &str,
        depth: usize,
    ) {
        for keyword in ["anyOf", "allOf", "oneOf"] {
            let (Some(before), Some(after)) = (old.get(keyword), new.get(keyword)) else {
                continue;
            };
            let has_references = has_key(before, &["$ref"], 0) || has_key(after, &["$ref"], 0);
            if before == after && !has_references {
                continue;
            }
            let here = join(path, keyword);
            let (Some(old_branches), Some(new_branches)) = (before.as_array(), after.as_array())
            else {
                self.add(
                    SetEffect::Undecided,
                    "union",
                    &here,
                    Some(before),
                    Some(after),
                    "The alternatives cannot be compared",
                );
                continue;
            };
            let is_within =
                |some: &[Value], all: &[Value]| some.iter().all(|branch| all.contains(branch));
            let is_kept = is_within(old_branches, new_branches);
            let is_old = is_within(new_branches, old_branches);
            let is_same_length = old_branches.len() == new_branches.len();
            if keyword != "oneOf" && is_same_length && !(is_kept && is_old && !has_references) {
                for (index, (before, after)) in old_branches.iter().zip(new_branches).enumerate() {
                    self.schemas(before, after, &join(&here, &index.to_string()), depth + 1);
                }
                continue;
            }
            let effect = match (keyword, is_kept, is_old) {
                // A branch may mean something else now.
                _ if has_references && self.old_root != self.new_root && keyword == "oneOf" => {
                    if before == after && same_definitions(self.old_root, self.new_root) {
                        continue;
                    }
                    SetEffect::Undecided
                }
                _ if has_references && !same_definitions(self.old_root, self.new_root) => {
                    SetEffect::Undecided
                }
                ("oneOf", true, true) if is_same_length => SetEffect::None,
                ("oneOf", ..) => SetEffect::Undecided,
                (_, true, true) => SetEffect::None,
                ("anyOf", true, false) | ("allOf", false, true) => SetEffect::Widened,
                ("anyOf", false, true) | ("allOf", true, false) => SetEffect::Narrowed,
                _ => SetEffect::Undecided,
            };
            let explanation = match effect {
                SetEffect::Narrowed => "Fewer forms are taken",
                SetEffect::Widened => "More forms are taken",
                SetEffect::None => "The same alternatives in another order",
                _ => "The alternatives changed in a way that cannot be judged by rules",
            };
            let rule = if effect == SetEffect::None {
                "order"
            } else {
                "union"
            };
            self.add(effect, rule, &here, Some(before), Some(after), explanation);
        }
    }

    /// Keywords that are compared by nothing but being there.
    pub(super) fn others(
        &mut self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        path: &str,
    ) {
        const COMPARED: [&str; 23] = [
            "type",
            "enum",
            "const",
            "minimum",
            "exclusiveMinimum",
            "minLength",
            "minItems",
            "minProperties",
            "maximum",
            "exclusiveMaximum",
            "maxLength",
            "maxItems",
            "maxProperties",
            "multipleOf",
            "uniqueItems",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "default",
            "$ref",
            "title",
            "description",
        ];
        let keywords: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let are_evaluated = [old, new]
            .iter()
            .any(|schema| schema.keys().any(|key| key.starts_with("unevaluated")));
        for keyword in keywords {
            let name = keyword.as_str();
            if COMPARED.contains(&name) || ANNOTATIONS.contains(&name) {
                continue;
            }
            let (before, after) = (old.get(name), new.get(name));
            let is_union = matches!(name, "anyOf" | "allOf" | "oneOf");
            if before.is_some() && after.is_some() && is_union {
                continue;
            }
            let refers = [before, after]
                .into_iter()
                .flatten()
                .any(|value| has_key(value, &["$ref"], 0));
            let is_same = before == after;
            if is_same && (!refers || same_definitions(self.old_root, self.new_root)) {
                continue;
            }
            let is_alone = CONJUNCTS.contains(&name) && !are_evaluated;
            let effect = match (before, after) {
                (None, Some(_)) if is_alone => SetEffect::Narrowed,
                (Some(_), None) if is_alone => SetEffect::Widened,
                _ => SetEffect::Undecided,
            };
            let (rule, explanation) = match effect {
                SetEffect::Narrowed => {
                    ("condition-added", "Values have to meet one more condition")
                }
                SetEffect::Widened => (
                    "condition-removed",
                    "Values have to meet one condition less",
                ),
                _ => (
                    "condition-changed",
                    "The effect of the keyword cannot be judged by rules",
                ),
            };
            self.add(effect, rule, &join(path, name), before, after, explanation);
        }
    }
}
