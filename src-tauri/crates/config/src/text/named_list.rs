//! Lists whose elements are told apart by their member `name`, seen as an object by those names, so
//! that the path to a server is the same in every file.

use serde_json::{Map, Value};

use crate::text::json::{Document, Member, Node, NodeValue, Object};

/// The member that names an element.
const NAME: &str = "name";

/// The elements of a list by their names. One without a text for a name has an empty one.
pub(crate) fn by_name(elements: &[Node]) -> Object {
    let members = elements.iter().map(|element| {
        let name = match &element.value {
            NodeValue::Object(members) => members.get(NAME),
            _ => None,
        };
        let (key, key_range) = match name.map(|name| (&name.value.value, &name.value.range)) {
            Some((NodeValue::String(text), range)) => (text.clone(), range.clone()),
            _ => (String::new(), element.range.start..element.range.start),
        };
        Member {
            key,
            key_range,
            value: element.clone(),
            comma: None,
        }
    });
    Object {
        members: members.collect(),
    }
}

/// Shows the list at the end of a path as an object by its names.
pub(crate) fn show_by_name(document: &mut Document, path: &[String]) {
    let mut node = document.root.as_mut();
    for key in path {
        node = match node.map(|node| &mut node.value) {
            Some(NodeValue::Object(object)) => {
                let mut members = object.members.iter_mut().rev();
                members
                    .find(|member| member.key == *key)
                    .map(|member| &mut member.value)
            }
            _ => return,
        };
    }
    if let Some(node) = node
        && let NodeValue::Array(elements) = &node.value
    {
        node.value = NodeValue::Object(by_name(elements));
    }
}

/// An element of that name, which is its first member.
pub(crate) fn element(name: &str, value: &Value) -> Value {
    let mut members = Map::from_iter([(NAME.to_owned(), name.into())]);
    let others = value.as_object().into_iter().flatten();
    members.extend(
        others
            .filter(|(key, _)| *key != NAME)
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    Value::Object(members)
}

/// An object by names as the list that it stands for.
pub(crate) fn list(by_name: &Value) -> Value {
    let members = by_name.as_object().into_iter().flatten();
    members.map(|(name, value)| element(name, value)).collect()
}
