//! Finds the conditions (`if`) under which a part of a schema holds, and says them in words.

use serde_json::Value;

use super::wording::written;

/// Keywords whose schemas judge the members or the items of a value instead of the value itself.
const FOR_PARTS: [&str; 9] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "items",
    "patternProperties",
    "prefixItems",
    "properties",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords that hold several schemas, by name or in a list.
const OF_SEVERAL: [&str; 8] = [
    "allOf",
    "anyOf",
    "dependencies",
    "dependentSchemas",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
];

/// Conditions around one another that are looked at.
const MAX_CONDITIONS: usize = 30;

/// Members of one condition that are looked at.
const MAX_MEMBERS: usize = 100;

/// Bytes of a reference that is followed.
const MAX_REFERENCE_BYTES: usize = 1_000;

/// An `if` on whose `then` or `else` the way through a schema leads.
pub(super) struct BranchCondition<'a> {
    /// The way up to that branch.
    pub(super) branch: &'a str,
    /// True when the branch is the `then`.
    pub(super) holds: bool,
    /// JSON pointer to the value that is judged.
    pub(super) pointer: &'a str,
    /// The members that the condition speaks of and the value has not.
    pub(super) absent: Vec<&'a str>,
    condition: &'a Value,
}

/// Returns the conditions on the way through a schema that led to an error, the outer ones first.
/// `way` has the keywords that were applied in their order, references among them, and `pointer` leads
/// to the part of `value` that they were applied to.
pub(super) fn conditions<'a>(
    schema: &'a Value,
    value: &'a Value,
    way: &'a str,
    pointer: &'a str,
) -> Vec<BranchCondition<'a>> {
    let mut found = Vec::new();
    let mut place = schema;
    let mut is_name = false;
    // The parts of the pointer that the way has passed.
    let mut depth = 0;
    let mut end = 0;
    for step in way.split('/').skip(1) {
        end += 1 + step.len();
        if matches!(step, "then" | "else")
            && !is_name
            && let Some(condition) = place.get("if")
        {
            let judged = beginning(pointer, depth);
            found.push(BranchCondition {
                branch: &way[..end],
                holds: step == "then",
                pointer: judged,
                absent: absent_members(condition, value.pointer(judged)),
                condition,
            });
            if found.len() >= MAX_CONDITIONS {
                break;
            }
        }
        let Some(inner) = inside(schema, place, step, is_name) else {
            break;
        };
        if is_name {
            is_name = false;
        } else {
            depth += usize::from(FOR_PARTS.contains(&step));
            is_name = OF_SEVERAL.contains(&step) || (step == "items" && inner.is_array());
        }
        place = inner;
    }
    found
}

/// The part of a schema that one step leads to.
fn inside<'a>(root: &'a Value, at: &'a Value, step: &str, is_name: bool) -> Option<&'a Value> {
    if step == "$ref" && !is_name {
        let reference = at.get("$ref")?.as_str()?.strip_prefix('#')?;
        if reference.len() > MAX_REFERENCE_BYTES {
            return None;
        }
        let pointer = percent_encoding::percent_decode_str(reference).decode_utf8_lossy();
        return root.pointer(&pointer);
    }
    at.pointer(&format!("/{step}"))
}

/// The first `parts` of a JSON pointer.
fn beginning(pointer: &str, parts: usize) -> &str {
    let end = pointer.match_indices('/').nth(parts);
    end.map_or(pointer, |(end, _)| &pointer[..end])
}

fn absent_members<'a>(condition: &'a Value, judged: Option<&Value>) -> Vec<&'a str> {
    let properties = condition.get("properties").and_then(Value::as_object);
    let required = condition.get("required").and_then(Value::as_array);
    let named = properties.into_iter().flat_map(|members| members.keys());
    let named = named
        .map(String::as_str)
        .chain(required.into_iter().flatten().filter_map(Value::as_str));
    named
        .take(MAX_MEMBERS)
        .filter(|name| judged.and_then(|value| value.get(*name)).is_none())
        .collect()
}

impl BranchCondition<'_> {
    /// Says in words why it holds: "delivery is courier", "delivery is missing"; nothing where it is
    /// not that simple. A member that is absent is as every condition on it says (JSON Schema
    /// 2020-12 Core, section 10.3.2.1).
    pub(super) fn reason(&self) -> Option<String> {
        let properties = self.condition.get("properties")?.as_object()?;
        if properties.len() > MAX_MEMBERS {
            return None;
        }
        let parts: Option<Vec<String>> = properties
            .iter()
            .map(|(name, schema)| {
                if self.absent.contains(&name.as_str()) {
                    return Some(format!("`{name}` is missing"));
                }
                let only = match schema.get("enum").and_then(Value::as_array) {
                    Some(values) => match values.as_slice() {
                        [only] => only,
                        _ => return None,
                    },
                    None => schema.get("const")?,
                };
                Some(format!("`{name}` is {}", written(only, None)))
            })
            .collect();
        parts
            .filter(|parts| !parts.is_empty())
            .map(|parts| parts.join(" and "))
    }
}
