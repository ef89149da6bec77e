//! Compares two JSON Schemas.
//!
//! Each keyword is a condition of its own, so a schema takes less when a condition is added and
//! more when one is removed. For arguments it is a fault to take less than before; for results it
//! is one to promise less, that is, to take more. Where the effect of a change cannot be told
//! from the keyword alone it is [`Undecided`](SetEffect::Undecided), never compatible.
//!
//! A property that is added is compatible where the old schema says nothing of further
//! properties: a caller that keeps to what the schema names has never sent it.

mod keywords;
mod members;

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value};

use crate::change::{ChangeClass, join, shown};
use keywords::{
    ANNOTATIONS, MAX_DEPTH, SCOPE_KEYWORDS, TEXTS, Target, dialect, empty, has_inner_id, has_key,
    is_condition, listed, order, reference, resolve, sorted, stripped, takes_all, types,
};

/// Role of a schema: it describes what is sent to the server, or what comes from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaDirection {
    Arguments,
    Results,
}

/// One difference between two schemas.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaDifference {
    pub class: ChangeClass,
    pub rule: &'static str,
    pub path: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub explanation: String,
}

/// Number of pairs of schemas that are compared within one pair of documents.
const MAX_PAIRS: usize = 20_000;

/// Compares two schemas. Both are whole documents: `$ref` is resolved in its own one.
pub fn compare_schemas(
    old: &Value,
    new: &Value,
    direction: SchemaDirection,
) -> Vec<SchemaDifference> {
    if old == new {
        return Vec::new();
    }
    let mut comparison = SchemaComparison {
        old_root: old,
        new_root: new,
        direction,
        seen: HashSet::new(),
        pairs: 0,
        changes: Vec::new(),
    };
    let has_scopes = |root| has_key(root, &SCOPE_KEYWORDS, 0) || has_inner_id(root, 0);
    if has_scopes(old) || has_scopes(new) {
        comparison.add(
            SetEffect::Undecided,
            "schema-changed",
            "",
            None,
            None,
            "The schema changed, and its anchors or identifiers leave open what a reference means",
        );
    }
    comparison.schemas(old, new, "", 0);
    comparison.changes
}

/// Consequence of a change for the set of instances that a schema takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SetEffect {
    Narrowed,
    Widened,
    /// Takes something that it did not, and does not take something that it did.
    Both,
    Undecided,
    None,
}

struct SchemaComparison<'a> {
    old_root: &'a Value,
    new_root: &'a Value,
    direction: SchemaDirection,
    /// Pairs of references that were followed, so that a cycle ends and nothing is told twice.
    seen: HashSet<(String, String)>,
    pairs: usize,
    changes: Vec<SchemaDifference>,
}

impl<'a> SchemaComparison<'a> {
    fn add(
        &mut self,
        effect: SetEffect,
        rule: &'static str,
        path: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        explanation: &str,
    ) {
        let class = match (effect, self.direction) {
            (SetEffect::Narrowed, SchemaDirection::Arguments)
            | (SetEffect::Widened, SchemaDirection::Results) => ChangeClass::Breaking,
            (SetEffect::Widened, SchemaDirection::Arguments)
            | (SetEffect::Narrowed, SchemaDirection::Results) => ChangeClass::Compatible,
            (SetEffect::Both, _) => ChangeClass::Breaking,
            (SetEffect::Undecided, _) => ChangeClass::Attention,
            (SetEffect::None, _) => ChangeClass::Note,
        };
        self.push(class, rule, path, before, after, explanation);
    }

    fn push(
        &mut self,
        class: ChangeClass,
        rule: &'static str,
        path: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        explanation: &str,
    ) {
        self.changes.push(SchemaDifference {
            class,
            rule,
            path: path.to_owned(),
            before: before.map(shown),
            after: after.map(shown),
            explanation: format!("{explanation}."),
        });
    }

    fn schemas(&mut self, old: &'a Value, new: &'a Value, path: &str, depth: usize) {
        self.pairs += 1;
        if self.pairs > MAX_PAIRS || depth > MAX_DEPTH {
            if old != new || has_key(old, &["$ref"], 0) {
                self.add(
                    SetEffect::Undecided,
                    "schema-changed",
                    path,
                    None,
                    None,
                    "The schema is too large or too deep to be compared from here on",
                );
            }
            return;
        }
        if old == new && !has_key(old, &["$ref"], 0) {
            return;
        }
        match (takes_all(old), takes_all(new)) {
            (Some(old_all), Some(new_all)) => {
                if old_all != new_all {
                    let effect = if new_all {
                        SetEffect::Widened
                    } else {
                        SetEffect::Narrowed
                    };
                    self.add(
                        effect,
                        "schema-changed",
                        path,
                        Some(old),
                        Some(new),
                        if new_all {
                            "Any value is taken now"
                        } else {
                            "No value is taken any more"
                        },
                    );
                }
                return;
            }
            (Some(false), None) => {
                self.add(
                    SetEffect::Widened,
                    "schema-changed",
                    path,
                    Some(old),
                    Some(new),
                    "Values are taken where none was",
                );
                return;
            }
            (None, Some(false)) => {
                self.add(
                    SetEffect::Narrowed,
                    "schema-changed",
                    path,
                    Some(old),
                    Some(new),
                    "No value is taken any more",
                );
                return;
            }
            _ => {}
        }
        let empty = empty();
        let (old, new) = (
            old.as_object().unwrap_or(empty),
            new.as_object().unwrap_or(empty),
        );
        self.texts(old, new, path);
        match (reference(old), reference(new)) {
            (None, None) => self.conditions(old, new, path, depth),
            (old_ref, new_ref) => {
                // A reference with conditions beside it is both together, which only the same
                // form on the other side can be compared with.
                let is_mixed = |schema: &Map<String, Value>, reference: Option<&str>| {
                    reference.is_some() && schema.keys().any(|key| is_condition(key))
                };
                if old_ref.is_some() != new_ref.is_some()
                    && (is_mixed(old, old_ref) || is_mixed(new, new_ref))
                {
                    self.undecided(old, new, path);
                    return;
                }
                if old_ref.is_some() && new_ref.is_some() {
                    self.conditions(old, new, path, depth);
                }
                let old_root = self.old_root;
                let new_root = self.new_root;
                let old_target = match old_ref {
                    Some(text) => resolve(old_root, text),
                    None => Some(Target::Here(old)),
                };
                let new_target = match new_ref {
                    Some(text) => resolve(new_root, text),
                    None => Some(Target::Here(new)),
                };
                let (Some(old_target), Some(new_target)) = (old_target, new_target) else {
                    if old_ref != new_ref {
                        self.undecided(old, new, path);
                    }
                    return;
                };
                let name = |reference: Option<&str>, side: &str| match reference {
                    Some(text) => text.to_owned(),
                    None => format!("{side}{path}"),
                };
                if self.seen.insert((name(old_ref, ""), name(new_ref, ""))) {
                    match (old_target, new_target) {
                        (Target::There(old), Target::There(new)) => {
                            self.schemas(old, new, path, depth + 1);
                        }
                        (Target::Here(old), Target::There(new)) => {
                            self.against(Some(old), None, new, path, depth);
                        }
                        (Target::There(old), Target::Here(new)) => {
                            self.against(None, Some(new), old, path, depth);
                        }
                        (Target::Here(_), Target::Here(_)) => {}
                    }
                }
            }
        }
    }

    /// Compares a schema that stands here with one that the other side refers to.
    fn against(
        &mut self,
        old: Option<&'a Map<String, Value>>,
        new: Option<&'a Map<String, Value>>,
        target: &'a Value,
        path: &str,
        depth: usize,
    ) {
        let Some(object) = target.as_object() else {
            self.add(
                SetEffect::Undecided,
                "schema-changed",
                path,
                None,
                None,
                "A reference took the place of a schema",
            );
            return;
        };
        let (old, new) = (old.unwrap_or(object), new.unwrap_or(object));
        if reference(old).is_some() || reference(new).is_some() {
            self.undecided(old, new, path);
        } else {
            self.conditions(old, new, path, depth + 1);
        }
    }

    fn undecided(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, path: &str) {
        self.add(
            SetEffect::Undecided,
            "schema-changed",
            path,
            Some(&Value::Object(old.clone())),
            Some(&Value::Object(new.clone())),
            "The schema changed in a way that cannot be judged by rules",
        );
    }

    fn texts(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, path: &str) {
        for keyword in TEXTS {
            let (before, after) = (old.get(keyword), new.get(keyword));
            if before != after {
                self.push(
                    ChangeClass::Attention,
                    if keyword == "title" {
                        "title"
                    } else {
                        "description"
                    },
                    &join(path, keyword),
                    before,
                    after,
                    "A text that a model reads changed",
                );
            }
        }
        if old.get("default") != new.get("default") {
            self.push(
                ChangeClass::Attention,
                "default",
                &join(path, "default"),
                old.get("default"),
                new.get("default"),
                "Calls without the value can behave otherwise",
            );
        }
        for keyword in ANNOTATIONS {
            let is_dialect = keyword == "$schema";
            if is_dialect || keyword == "$defs" || keyword == "definitions" {
                continue;
            }
            if old.get(keyword) != new.get(keyword) {
                self.add(
                    SetEffect::None,
                    "annotation",
                    &join(path, keyword),
                    old.get(keyword),
                    new.get(keyword),
                    "A remark in the schema changed",
                );
            }
        }
        let (before, after) = (dialect(old), dialect(new));
        if before != after {
            self.add(
                SetEffect::Undecided,
                "dialect",
                &join(path, "$schema"),
                old.get("$schema"),
                new.get("$schema"),
                "The keywords can mean something else in another dialect",
            );
        }
    }

    /// Compares all keywords that are conditions; `$ref` is followed by the caller.
    fn conditions(
        &mut self,
        old: &'a Map<String, Value>,
        new: &'a Map<String, Value>,
        path: &str,
        depth: usize,
    ) {
        // `{"type": "string"}` and `{"anyOf": [{"type": "string"}, {"type": "null"}]}`.
        let is_union = |schema: &Map<String, Value>| {
            schema.get("anyOf").is_some_and(Value::is_array)
                && schema.keys().filter(|key| is_condition(key)).count() == 1
        };
        let has_conditions =
            |schema: &Map<String, Value>| schema.keys().any(|key| is_condition(key));
        if is_union(old) != is_union(new) && has_conditions(old) && has_conditions(new) {
            let (one, union) = if is_union(new) {
                (old, new)
            } else {
                (new, old)
            };
            let one = stripped(one);
            let is_within = union["anyOf"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|branch| branch.as_object().map(stripped).as_ref() == Some(&one));
            if is_within {
                let (effect, explanation) = match is_union(new) {
                    true => (SetEffect::Widened, "Other forms are taken as well"),
                    false => (SetEffect::Narrowed, "Only one of the forms is taken now"),
                };
                self.add(
                    effect,
                    "union",
                    &join(path, "anyOf"),
                    old.get("anyOf"),
                    new.get("anyOf"),
                    explanation,
                );
                return;
            }
        }
        self.types(old, new, path);
        self.values(old, new, path);
        self.limits(old, new, path);
        self.properties(old, new, path, depth);
        self.additional(old, new, path, depth);
        self.items(old, new, path, depth);
        self.branches(old, new, path, depth);
        self.others(old, new, path);
    }

    fn types(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, path: &str) {
        let (before, after) = (old.get("type"), new.get("type"));
        if before == after {
            return;
        }
        let is_covered = |name: &str, by: &BTreeSet<&str>| {
            by.contains(name) || (name == "integer" && by.contains("number"))
        };
        let path = join(path, "type");
        let effect = match (types(before), types(after)) {
            (Some(old), Some(new)) => {
                let is_narrowed = old.iter().any(|name| !is_covered(name, &new));
                let is_widened = new.iter().any(|name| !is_covered(name, &old));
                match (is_narrowed, is_widened) {
                    (true, true) => SetEffect::Both,
                    (true, false) => SetEffect::Narrowed,
                    (false, true) => SetEffect::Widened,
                    (false, false) => SetEffect::None,
                }
            }
            _ => SetEffect::Undecided,
        };
        let (rule, explanation) = match effect {
            SetEffect::Narrowed => ("type-narrowed", "Values of fewer types are taken"),
            SetEffect::Widened => ("type-widened", "Values of more types are taken"),
            SetEffect::Both => ("type-changed", "Values of another type are taken"),
            SetEffect::Undecided => ("type-changed", "The type is not one that JSON Schema has"),
            SetEffect::None => ("type-spelling", "The same types in another spelling"),
        };
        self.add(effect, rule, &path, before, after, explanation);
    }

    /// `enum` and `const`, which is an `enum` of one.
    fn values(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, path: &str) {
        for keyword in ["enum", "const"] {
            // A pair of both keywords is compared as two conditions.
            let is_pair = |schema: &Map<String, Value>| {
                schema.contains_key("enum") && schema.contains_key("const")
            };
            let pairs = is_pair(old) || is_pair(new);
            let find = |schema: &Map<String, Value>| -> Option<Vec<Value>> {
                let listed = || schema.get("enum").and_then(Value::as_array).cloned();
                let one = || schema.get("const").map(|value| vec![value.clone()]);
                match (pairs, keyword) {
                    (true, "enum") => listed(),
                    (true, _) => one(),
                    (false, "enum") => listed().or_else(one),
                    (false, _) => None,
                }
            };
            if keyword == "enum"
                && [old, new]
                    .iter()
                    .any(|schema| schema.get("enum").is_some_and(|values| !values.is_array()))
                && old.get("enum") != new.get("enum")
            {
                self.undecided(old, new, path);
                continue;
            }
            let (before, after) = (find(old), find(new));
            if before == after {
                continue;
            }
            let path = join(path, keyword);
            let (old, new) = (old.get(keyword), new.get(keyword));
            match (before, after) {
                (None, None) => {}
                (None, Some(_)) => self.add(
                    SetEffect::Narrowed,
                    "enum-added",
                    &path,
                    old,
                    new,
                    "Only listed values are taken now",
                ),
                (Some(_), None) => self.add(
                    SetEffect::Widened,
                    "enum-removed",
                    &path,
                    old,
                    new,
                    "Any value is taken where only listed ones were",
                ),
                (Some(before), Some(after)) => {
                    let key = |value: &Value| sorted(value).to_string();
                    let old_set: HashSet<_> = before.iter().map(key).collect();
                    let new_set: HashSet<_> = after.iter().map(key).collect();
                    let gone: Vec<_> = before
                        .iter()
                        .filter(|value| !new_set.contains(&key(value)))
                        .collect();
                    let come: Vec<_> = after
                        .iter()
                        .filter(|value| !old_set.contains(&key(value)))
                        .collect();
                    if !gone.is_empty() {
                        self.add(
                            SetEffect::Narrowed,
                            "enum-value-removed",
                            &path,
                            old,
                            new,
                            &format!("No longer among the values: {}", listed(&gone)),
                        );
                    }
                    if !come.is_empty() {
                        self.add(
                            SetEffect::Widened,
                            "enum-value-added",
                            &path,
                            old,
                            new,
                            &format!("New among the values: {}", listed(&come)),
                        );
                    }
                    if gone.is_empty() && come.is_empty() {
                        self.add(
                            SetEffect::None,
                            "order",
                            &path,
                            old,
                            new,
                            "The same values in another order",
                        );
                    }
                }
            }
        }
    }

    fn limits(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, path: &str) {
        const LOWER: [&str; 5] = [
            "minimum",
            "exclusiveMinimum",
            "minLength",
            "minItems",
            "minProperties",
        ];
        const UPPER: [&str; 5] = [
            "maximum",
            "exclusiveMaximum",
            "maxLength",
            "maxItems",
            "maxProperties",
        ];
        for (keyword, is_lower) in LOWER
            .iter()
            .map(|keyword| (*keyword, true))
            .chain(UPPER.iter().map(|keyword| (*keyword, false)))
        {
            let (before, after) = (old.get(keyword), new.get(keyword));
            if before == after {
                continue;
            }
            let effect = match (before, after) {
                (None, Some(after)) if after.is_number() => SetEffect::Narrowed,
                (Some(before), None) if before.is_number() => SetEffect::Widened,
                (Some(before), Some(after)) => match order(before, after) {
                    Some(std::cmp::Ordering::Equal) => SetEffect::None,
                    Some(ordering) if (ordering.is_lt()) == is_lower => SetEffect::Narrowed,
                    Some(_) => SetEffect::Widened,
                    None => SetEffect::Undecided,
                },
                _ => SetEffect::Undecided,
            };
            self.limit(effect, keyword, path, before, after);
        }
        let (before, after) = (old.get("multipleOf"), new.get("multipleOf"));
        if before != after {
            let effect = match (before, after) {
                (None, _) => SetEffect::Narrowed,
                (_, None) => SetEffect::Widened,
                (Some(before), Some(after)) => match (before.as_u64(), after.as_u64()) {
                    (Some(before), Some(after)) if before > 0 && after > 0 => {
                        if before % after == 0 {
                            SetEffect::Widened
                        } else if after % before == 0 {
                            SetEffect::Narrowed
                        } else {
                            SetEffect::Both
                        }
                    }
                    _ => SetEffect::Undecided,
                },
            };
            self.limit(effect, "multipleOf", path, before, after);
        }
        let is_unique = |schema: &Map<String, Value>| {
            schema.get("uniqueItems").and_then(Value::as_bool) == Some(true)
        };
        if is_unique(old) != is_unique(new) {
            let effect = match is_unique(new) {
                true => SetEffect::Narrowed,
                false => SetEffect::Widened,
            };
            let (before, after) = (old.get("uniqueItems"), new.get("uniqueItems"));
            self.limit(effect, "uniqueItems", path, before, after);
        }
    }

    fn limit(
        &mut self,
        effect: SetEffect,
        keyword: &str,
        path: &str,
        before: Option<&Value>,
        after: Option<&Value>,
    ) {
        let (rule, explanation) = match effect {
            SetEffect::Narrowed => ("limit-tightened", "Fewer values are within the limit"),
            SetEffect::Widened => ("limit-loosened", "More values are within the limit"),
            SetEffect::Both => ("limit-changed", "Other values are within the limit"),
            SetEffect::Undecided => ("limit-changed", "The limits cannot be compared"),
            SetEffect::None => ("limit-spelling", "The same limit in another spelling"),
        };
        self.add(
            effect,
            rule,
            &join(path, keyword),
            before,
            after,
            explanation,
        );
    }
}
