//! Counts what checking a value against a schema costs, before the check is begun.
//!
//! A validator follows a reference as often as it is named, and cannot be stopped: a chain of
//! `{"allOf": [{"$ref": next}, {"$ref": next}]}` doubles its work with each link, so that two
//! kilobytes take hours. The count walks as a validator does, without judging anything, and
//! ends at a limit. Where it cannot know what a validator does it counts too much.

use std::{collections::HashMap, rc::Rc};

use serde_json::{Map, Value};

/// Applications of a schema to a value.
const MAX_STEPS: usize = 500_000;

/// Applications inside one another: a validator calls itself for each, and its thread has a small
/// stack. A chain of references makes them without any nesting that a reader would refuse.
const MAX_DEPTH: usize = 1_000;

/// Bytes of text that are gone through, or repeated in an error, in one step.
const BYTES_PER_STEP: usize = 64;

/// Bytes of the names on the way to a value that are free in one step: an error has them all.
const PLACE_BYTES_PER_STEP: usize = 256;

/// Parts of a value that are copied, or compared with others, in one step.
const PARTS_PER_STEP: usize = 8;

/// Stands for the name of any member.
static NAME: Value = Value::String(String::new());

/// Says whether `value` can be checked against `schema` in a number of steps that is harmless.
pub(super) fn suffices(schema: &Value, value: &Value) -> bool {
    Count::new(schema).walk(value, MAX_STEPS).is_some()
}

/// A schema, and the schema resource that its references begin from.
#[derive(Clone, Copy)]
struct Place<'a> {
    schema: &'a Value,
    resource: &'a Value,
}

/// Context of an application.
#[derive(Clone, Copy, Default)]
struct ApplicationContext {
    /// The number of schemas that it is inside.
    depth: usize,
    /// Bytes of the names on the way to its value.
    place_bytes: usize,
    /// True inside an alternative: a validator keeps the errors of those, each with a copy of the
    /// value.
    is_alternative: bool,
}

struct Count<'a> {
    root: &'a Value,
    /// The schemas that an `$id` names, by the last segment of its path.
    resources: Vec<(String, &'a Value)>,
    anchors: HashMap<&'a str, Vec<&'a Value>>,
    /// The targets of references that were met already, by reference and resource.
    followed: HashMap<(*const str, *const Value), Rc<[Place<'a>]>>,
    /// Schemas that are still to be applied.
    waiting: Vec<(Place<'a>, &'a Value, ApplicationContext)>,
    /// Context of the present application.
    around: ApplicationContext,
    left: usize,
}

impl<'a> Count<'a> {
    fn new(root: &'a Value) -> Self {
        let mut count = Self {
            root,
            resources: Vec::new(),
            anchors: HashMap::new(),
            followed: HashMap::new(),
            waiting: Vec::new(),
            around: ApplicationContext::default(),
            left: 0,
        };
        let mut unseen = vec![root];
        while let Some(value) = unseen.pop() {
            match value {
                Value::Array(items) => unseen.extend(items),
                Value::Object(members) => {
                    count.register(value, members);
                    unseen.extend(members.values());
                }
                _ => {}
            }
        }
        count
    }

    fn register(&mut self, schema: &'a Value, members: &'a Map<String, Value>) {
        for keyword in ["$id", "id"] {
            if let Some(Value::String(id)) = members.get(keyword) {
                self.resources.push((last_segment(id), schema));
            }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(Value::String(name)) = members.get(keyword) {
                self.anchors.entry(name).or_default().push(schema);
            }
        }
    }

    /// The number of steps, or nothing when there are more than `most`.
    fn walk(&mut self, value: &'a Value, most: usize) -> Option<usize> {
        self.left = most;
        let root = Place {
            schema: self.root,
            resource: self.root,
        };
        self.push(root, value)?;
        while let Some((place, value, around)) = self.waiting.pop() {
            self.around = around;
            self.apply(place, value)?;
        }
        Some(most - self.left)
    }

    fn spend(&mut self, steps: usize) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    fn push(&mut self, place: Place<'a>, value: &'a Value) -> Option<()> {
        self.push_within(place, value, self.around)
    }

    fn push_member(&mut self, place: Place<'a>, name: &str, value: &'a Value) -> Option<()> {
        let around = ApplicationContext {
            place_bytes: self.around.place_bytes + name.len(),
            ..self.around
        };
        self.push_within(place, value, around)
    }

    fn push_within(
        &mut self,
        place: Place<'a>,
        value: &'a Value,
        around: ApplicationContext,
    ) -> Option<()> {
        let copied = match around.is_alternative {
            true => parts_of(value),
            false => 0,
        };
        let repeated = around.place_bytes / PLACE_BYTES_PER_STEP;
        self.spend(1 + repeated + copied / PARTS_PER_STEP)?;
        let inside = ApplicationContext {
            depth: around.depth + 1,
            ..around
        };
        self.waiting.push((place, value, inside));
        (around.depth < MAX_DEPTH).then_some(())
    }

    /// Counts names that an error may repeat.
    fn spend_on_names(&mut self, names: &[Value]) -> Option<()> {
        let names_bytes = names.iter().filter_map(Value::as_str).map(str::len);
        self.spend(names.len() + names_bytes.sum::<usize>() / BYTES_PER_STEP)
    }

    fn apply(&mut self, place: Place<'a>, value: &'a Value) -> Option<()> {
        let Value::Object(keywords) = place.schema else {
            return Some(());
        };
        let resource = if keywords.contains_key("$id") {
            place.schema
        } else {
            place.resource
        };
        // To know what is left over, a validator goes through the parts of the schema again.
        let rounds = 1 + ["unevaluatedProperties", "unevaluatedItems"]
            .iter()
            .filter(|keyword| keywords.contains_key(**keyword))
            .count();
        for _ in 0..rounds {
            for (keyword, inner) in keywords {
                self.apply_in_place(keyword, inner, resource, value)?;
            }
        }
        for (keyword, inner) in keywords {
            match value {
                Value::Object(members) => self.apply_to_members(keyword, inner, resource, members),
                Value::Array(items) => self.apply_to_items(keyword, inner, resource, items),
                Value::String(text) if keyword == "pattern" => {
                    let pattern = inner.as_str().unwrap_or_default();
                    self.spend((text.len() + pattern.len()) / BYTES_PER_STEP)
                }
                _ => Some(()),
            }?;
        }
        Some(())
    }

    /// Keywords that apply other schemas to the same value.
    fn apply_in_place(
        &mut self,
        keyword: &str,
        inner: &'a Value,
        resource: &'a Value,
        value: &'a Value,
    ) -> Option<()> {
        let here = |schema| Place { schema, resource };
        match (keyword, inner) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                for target in self.follow(reference, resource)?.iter() {
                    self.push(*target, value)?;
                }
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                let around = ApplicationContext {
                    is_alternative: self.around.is_alternative || keyword != "allOf",
                    ..self.around
                };
                for part in parts {
                    self.push_within(here(part), value, around)?;
                }
            }
            ("not" | "if" | "then" | "else", _) => self.push(here(inner), value)?,
            ("dependentSchemas" | "dependencies", Value::Object(parts)) => {
                for part in parts.values() {
                    self.push(here(part), value)?;
                }
            }
            ("enum", Value::Array(values)) => self.spend(values.len())?,
            _ => {}
        }
        Some(())
    }

    fn apply_to_members(
        &mut self,
        keyword: &str,
        inner: &'a Value,
        resource: &'a Value,
        members: &'a Map<String, Value>,
    ) -> Option<()> {
        let here = |schema| Place { schema, resource };
        match (keyword, inner) {
            ("properties", Value::Object(properties)) => {
                self.spend(properties.len().min(members.len()))?;
                for (name, value) in members {
                    if let Some(property) = properties.get(name) {
                        self.push_member(here(property), name, value)?;
                    }
                }
            }
            ("patternProperties", Value::Object(patterns)) => {
                for schema in patterns.values() {
                    for (name, value) in members {
                        self.spend(name.len() / BYTES_PER_STEP)?;
                        self.push_member(here(schema), name, value)?;
                    }
                }
            }
            ("additionalProperties" | "unevaluatedProperties", _) => {
                for (name, value) in members {
                    self.spend(name.len() / BYTES_PER_STEP)?;
                    self.push_member(here(inner), name, value)?;
                }
            }
            ("propertyNames", _) => {
                for name in members.keys() {
                    self.spend(name.len() / BYTES_PER_STEP)?;
                    self.push(here(inner), &NAME)?;
                }
            }
            ("required", Value::Array(names)) => self.spend_on_names(names)?,
            ("dependentRequired" | "dependencies", Value::Object(parts)) => {
                for (name, part) in parts {
                    if let Value::Array(names) = part
                        && members.contains_key(name)
                    {
                        self.spend_on_names(names)?;
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    fn apply_to_items(
        &mut self,
        keyword: &str,
        inner: &'a Value,
        resource: &'a Value,
        items: &'a [Value],
    ) -> Option<()> {
        let here = |schema| Place { schema, resource };
        match (keyword, inner) {
            ("items" | "prefixItems", Value::Array(schemas)) => {
                for (schema, value) in schemas.iter().zip(items) {
                    self.push(here(schema), value)?;
                }
            }
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", _) => {
                for value in items {
                    self.push(here(inner), value)?;
                }
            }
            ("uniqueItems", _) => {
                let compared = items.iter().map(parts_of).sum::<usize>();
                self.spend(items.len() + compared / PARTS_PER_STEP)?;
            }
            _ => {}
        }
        Some(())
    }

    fn follow(&mut self, reference: &'a str, resource: &'a Value) -> Option<Rc<[Place<'a>]>> {
        let key = (std::ptr::from_ref(reference), std::ptr::from_ref(resource));
        if let Some(known) = self.followed.get(&key) {
            return Some(known.clone());
        }
        let targets: Rc<[Place<'a>]> = self.targets(reference, resource)?.into();
        self.followed.insert(key, targets.clone());
        Some(targets)
    }

    /// The schemas that a reference can lead to; nothing when that cannot be told. A reference
    /// that leads nowhere costs nothing: the validator refuses the schema.
    fn targets(&self, reference: &str, resource: &'a Value) -> Option<Vec<Place<'a>>> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let mut bases: Vec<&'a Value> = Vec::new();
        if uri.is_empty() {
            bases.push(resource);
            if !std::ptr::eq(resource, self.root) {
                bases.push(self.root);
            }
        } else {
            let wanted = last_segment(uri);
            let known = self.resources.iter().filter(|(name, _)| *name == wanted);
            bases.extend(known.map(|(_, schema)| schema));
            let is_alone = self
                .resources
                .iter()
                .all(|(_, schema)| std::ptr::eq(*schema, self.root));
            if bases.is_empty() && !is_alone && !uri.contains("json-schema.org/") {
                return None;
            }
        }
        let fragment = decoded(fragment);
        if !fragment.is_empty() && !fragment.starts_with('/') {
            let named = self.anchors.get(fragment.as_str()).into_iter().flatten();
            return Some(
                named
                    .map(|schema| Place {
                        schema,
                        resource: bases.first().copied().unwrap_or(self.root),
                    })
                    .collect(),
            );
        }
        let at = |base: &'a Value| {
            base.pointer(&fragment).map(|schema| Place {
                schema,
                resource: base,
            })
        };
        Some(bases.into_iter().filter_map(at).collect())
    }
}

/// Counts the parts of a value; a long text counts for several.
fn parts_of(value: &Value) -> usize {
    let mut count = 0;
    let mut unseen = vec![value];
    while let Some(value) = unseen.pop() {
        count += 1;
        match value {
            Value::String(text) => count += text.len() / BYTES_PER_STEP,
            Value::Array(items) => unseen.extend(items),
            Value::Object(members) => {
                let names = members.keys().map(|name| name.len() / BYTES_PER_STEP);
                count += names.sum::<usize>();
                unseen.extend(members.values());
            }
            _ => {}
        }
    }
    count
}

/// The last segment of the path of a URI, without escapes.
fn last_segment(uri: &str) -> String {
    let path = uri.split(['#', '?']).next().unwrap_or_default();
    decoded(path.rsplit(['/', ':']).next().unwrap_or_default())
}

/// Resolves percent escapes (RFC 3986, section 2.1).
fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn steps(schema: &Value, value: &Value) -> Option<usize> {
        Count::new(schema).walk(value, MAX_STEPS)
    }

    /// `a0` applies `a1` twice, that `a2` twice, and so on.
    fn doubling(levels: usize, link: impl Fn(&str) -> Value) -> Value {
        let mut definitions = Map::new();
        for level in 0..levels {
            let next = format!("#/$defs/a{}", level + 1);
            definitions.insert(format!("a{level}"), link(&next));
        }
        definitions.insert(format!("a{levels}"), json!({ "type": "object" }));
        json!({ "$ref": "#/$defs/a0", "$defs": definitions })
    }

    #[test]
    fn an_ordinary_schema_costs_about_as_much_as_its_value_is_long() {
        let schema = json!({
            "type": "object",
            "properties": { "list": { "type": "array", "items": { "$ref": "#/$defs/row" } } },
            "$defs": { "row": { "type": "object", "properties": { "n": { "type": "integer" } } } },
        });
        let value = json!({ "list": vec![json!({ "n": 1 }); 1_000] });
        let steps = steps(&schema, &value).expect("within the budget");
        assert!((1_000..10_000).contains(&steps), "{steps}");
    }

    #[test]
    fn a_chain_that_doubles_is_over_the_budget() {
        let both = |next: &str| json!({ "allOf": [{ "$ref": next }, { "$ref": next }] });
        assert!(steps(&doubling(10, both), &json!({})).is_some());
        assert_eq!(steps(&doubling(40, both), &json!({})), None);
    }

    #[test]
    fn a_chain_of_references_that_is_too_long_to_follow_is_over_the_budget() {
        let one = |next: &str| json!({ "allOf": [{ "$ref": next }] });
        assert!(steps(&doubling(200, one), &json!({})).is_some());
        assert_eq!(steps(&doubling(2_000, one), &json!({})), None);
    }

    #[test]
    fn what_doubles_with_the_depth_of_the_value_is_over_the_budget_for_a_deep_value_only() {
        let inner = json!({ "properties": { "a": { "$ref": "#" } } });
        let schema = json!({ "allOf": [inner, inner] });
        let deep = (0..40).fold(json!({}), |value, _| json!({ "a": value }));
        assert!(steps(&schema, &json!({ "a": {} })).is_some());
        assert_eq!(steps(&schema, &deep), None);
    }

    #[test]
    fn a_tree_that_refers_to_itself_is_within_the_budget() {
        let schema = json!({ "properties": { "children": { "items": { "$ref": "#" } } } });
        let tree = (0..60).fold(json!({}), |value, _| json!({ "children": [value] }));
        assert!(steps(&schema, &tree).is_some());
    }

    #[test]
    fn a_circle_without_progress_is_over_the_budget() {
        assert_eq!(steps(&json!({ "$ref": "#" }), &json!({})), None);
        let schema = json!({ "$dynamicAnchor": "a", "allOf": [{ "$dynamicRef": "#a" }] });
        assert_eq!(steps(&schema, &json!({})), None);
    }

    #[test]
    fn detours_by_identifiers_and_anchors_are_counted() {
        let by_anchor = json!({
            "$ref": "#a",
            "$defs": { "x": { "$anchor": "a", "allOf": [{ "$ref": "#/$defs/x" }] } },
        });
        assert_eq!(steps(&by_anchor, &json!({})), None);
        let by_identifier = json!({
            "$id": "https://example.com/root",
            "$ref": "other%2Djson",
            "$defs": { "x": { "$id": "other-json", "$ref": "root" } },
        });
        assert_eq!(steps(&by_identifier, &json!({})), None);
        let untold = json!({ "$ref": "a/", "$defs": { "x": { "$id": "https://b.example/c" } } });
        assert_eq!(steps(&untold, &json!({})), None);
    }

    #[test]
    fn what_errors_would_repeat_is_counted() {
        let long = "x".repeat(1 << 20);
        let required = json!({ "items": { "required": [long] } });
        assert_eq!(steps(&required, &json!(vec![json!({}); 1_000])), None);
        let of_members = json!({ "additionalProperties": { "items": { "type": "string" } } });
        let mut member = Map::new();
        member.insert(long, json!(vec![1; 1_000]));
        assert_eq!(steps(&of_members, &Value::Object(member)), None);
        let text = json!({ "type": "string" });
        let many = json!(vec![1; 100_000]);
        let union = |alternatives: usize| json!({ "anyOf": vec![text.clone(); alternatives] });
        assert!(steps(&union(2), &many).is_some());
        assert_eq!(steps(&union(1_000), &many), None);
    }

    #[test]
    fn schemas_that_ask_for_what_is_left_over_are_counted_twice_at_each_level() {
        let nested = (0..40).fold(
            json!({}),
            |inner, _| json!({ "unevaluatedProperties": false, "allOf": [inner] }),
        );
        assert_eq!(steps(&nested, &json!({})), None);
    }
}
