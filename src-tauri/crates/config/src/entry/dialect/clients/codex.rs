//! Codex names variables in fields of their own.

use super::*;
use crate::{
    entry::{dialect::TEXT_FIELDS, expand::as_written},
    text::json::Node,
};

/// Takes out the marks of references that stand for themselves: all that are left do.
fn unmark(value: &mut Value) {
    match value {
        Value::String(text) => *text = as_written(text).into_owned(),
        Value::Array(elements) => elements.iter_mut().for_each(unmark),
        Value::Object(members) => members.values_mut().for_each(unmark),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// `${NAME}` and nothing else.
fn lone_reference(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let is_name = !name.is_empty() && !name.contains([':', '$', '{', '}']);
    is_name.then_some(name)
}

/// The name of a variable that is passed on: by itself, or beside where it comes from.
fn passed_on(value: &NodeValue) -> Option<&str> {
    match value {
        NodeValue::String(name) => Some(name),
        NodeValue::Object(object) => match &object.get("name")?.value.value {
            NodeValue::String(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn read(special: Object, common: &mut Object) {
    for member in special.members {
        match (member.key.as_str(), &member.value.value) {
            ("bearer_token_env_var", NodeValue::String(name)) => {
                let text = NodeValue::String(format!("Bearer ${{{name}}}"));
                let header = member_at(&member, "Authorization", text);
                add_to(common, "headers", &member.value, header);
            }
            ("env_http_headers", NodeValue::Object(headers)) => {
                for header in &headers.members {
                    if let NodeValue::String(name) = &header.value.value {
                        let text = NodeValue::String(format!("${{{name}}}"));
                        let written = member_at(header, &header.key, text);
                        add_to(common, "headers", &member.value, written);
                    }
                }
            }
            ("env_vars", NodeValue::Array(names)) => {
                for name in names {
                    if let Some(text) = passed_on(&name.value) {
                        let mut variable =
                            member_at(&member, text, NodeValue::String(format!("${{{text}}}")));
                        variable.value.range = name.range.clone();
                        add_to(common, "env", &member.value, variable);
                    }
                }
            }
            ("startup_timeout_ms", NodeValue::Number(_)) => {
                let mut written = member.clone();
                written.key = "startup_timeout".into();
                crate::entry::dialect::in_common_unit(Unit::Milliseconds, &mut written.value);
                if common.get("startup_timeout").is_none() {
                    common.members.push(written);
                }
            }
            // Of a wrong type; the common form says so under this name.
            _ => common.members.push(member),
        }
    }
}

fn add_to(common: &mut Object, field: &str, place: &Node, member: crate::text::json::Member) {
    if common.get(field).is_none() {
        let empty = crate::text::json::Member {
            key: field.to_owned(),
            key_range: member.key_range.clone(),
            value: Node {
                range: place.range.clone(),
                value: NodeValue::Object(Object::default()),
            },
            comma: None,
        };
        common.members.push(empty);
    }
    let object = common
        .members
        .iter_mut()
        .rev()
        .find(|candidate| candidate.key == field);
    if let Some(NodeValue::Object(object)) = object.map(|found| &mut found.value.value) {
        object.members.push(member);
    }
}

pub(super) fn write(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    transport_is_told(common, entry);
    if let Some(Value::Object(variables)) = common.get_mut("env") {
        let mut passed = Vec::new();
        variables.retain(|name, value| {
            let is_passed = value.as_str().and_then(lone_reference) == Some(name);
            if is_passed {
                passed.push(Value::from(name.as_str()));
            }
            !is_passed
        });
        if !passed.is_empty() {
            entry.insert("env_vars".into(), Value::Array(passed));
        }
    }
    if let Some(Value::Object(headers)) = common.get_mut("headers") {
        let mut from_environment = Map::new();
        headers.retain(|name, value| {
            let Some(text) = value.as_str() else {
                return true;
            };
            if let Some(variable) = lone_reference(text) {
                from_environment.insert(name.clone(), variable.into());
                return false;
            }
            let bearer = text.strip_prefix("Bearer ").and_then(lone_reference);
            match bearer {
                Some(variable) if name.eq_ignore_ascii_case("authorization") => {
                    entry.insert("bearer_token_env_var".into(), variable.into());
                    false
                }
                _ => true,
            }
        });
        if !from_environment.is_empty() {
            entry.insert("env_http_headers".into(), Value::Object(from_environment));
        }
    }
    for field in TEXT_FIELDS {
        if let Some(value) = common.get_mut(field) {
            unmark(value);
        }
    }
    for field in ["env", "headers"] {
        if common
            .get(field)
            .is_some_and(crate::entry::dialect::is_empty)
        {
            common.remove(field);
        }
    }
}
