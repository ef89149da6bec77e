//! Entries of the clients in the table that take more than a rule to read and to write.

use super::*;

/// `requestOptions` holds the headers, and `apiKey` is another word for one of them
/// (`constructHttpTransport` in `core/context/mcp/MCPConnection.ts` of
/// <https://github.com/continuedev/continue>).
pub(super) fn read_continue(special: Object, common: &mut Object) {
    let within = match special
        .get("requestOptions")
        .map(|member| &member.value.value)
    {
        Some(NodeValue::Object(options)) => options.get("headers").cloned(),
        _ => None,
    };
    let key = special
        .get("apiKey")
        .and_then(|member| match &member.value.value {
            NodeValue::String(key) => {
                let text = NodeValue::String(format!("Bearer {key}"));
                Some(member_at(member, "Authorization", text))
            }
            _ => None,
        });
    let mut headers = within.or_else(|| {
        let place = key.as_ref()?;
        let none = NodeValue::Object(Object::default());
        Some(member_at(place, "headers", none))
    });
    if let (Some(key), Some(NodeValue::Object(named))) = (
        key,
        headers.as_mut().map(|headers| &mut headers.value.value),
    ) {
        named.members.push(key);
    }
    common.members.extend(headers);
    let named = special.members.into_iter();
    common
        .members
        .extend(named.filter(|member| member.key == "type"));
}

pub(super) fn write_continue(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    name_streamable("streamable-http", common, entry);
    if let Some(headers) = common
        .remove("headers")
        .filter(|headers| !super::super::is_empty(headers))
    {
        let options = Map::from_iter([("headers".to_owned(), headers)]);
        entry.insert("requestOptions".into(), Value::Object(options));
    }
}

/// The transport and what belongs to it may stand in an object of their own.
pub(super) fn read_cline(special: Object, common: &mut Object) {
    for member in special.members {
        match member.value.value {
            NodeValue::Object(transport) => common.members.extend(transport.members),
            _ => common.members.push(member),
        }
    }
}

/// Streamable HTTP has a word of its own.
pub(super) fn read_goose(special: Object, common: &mut Object) {
    for mut member in special.members {
        if let NodeValue::String(word) = &mut member.value.value
            && word == "streamable_http"
        {
            *word = Http.word().to_owned();
        }
        common.members.push(member);
    }
}

/// Every extension has a type, and says whether it is on.
pub(super) fn write_goose(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    let word = match extract_transport(common).transport {
        Some(Http) => "streamable_http",
        Some(transport) => transport.word(),
        None => Stdio.word(),
    };
    entry.insert("type".into(), word.into());
    common.entry("disabled").or_insert(Value::Bool(false));
}

/// Remote servers say what they are, with the client's own word for Streamable HTTP.
pub(super) fn name_streamable(
    word: &str,
    common: &mut Map<String, Value>,
    entry: &mut Map<String, Value>,
) {
    name_remote("type", common, entry);
    if entry.get("type").and_then(Value::as_str) == Some(Http.word()) {
        entry.insert("type".into(), word.into());
    }
}

/// A program is `local`, and `tools` names all of them by `*`.
pub(super) fn read_copilot(special: Object, common: &mut Object) {
    for mut member in special.members {
        match (member.key.as_str(), &member.value.value) {
            ("type", NodeValue::String(word)) if word == "local" => {
                member.value.value = NodeValue::String(Stdio.word().to_owned());
                common.members.push(member);
            }
            ("tools", NodeValue::Array(names)) => {
                let is_all =
                    |name: &NodeValue| matches!(name, NodeValue::String(name) if name == "*");
                if !names.iter().any(|name| is_all(&name.value)) {
                    member.key = "enabled_tools".to_owned();
                    common.members.push(member);
                }
            }
            ("tools", _) => {}
            _ => common.members.push(member),
        }
    }
}

pub(super) fn write_copilot(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    if let Some(transport) = extract_transport(common).transport {
        let word = match transport {
            Stdio => "local",
            remote => remote.word(),
        };
        entry.insert("type".into(), word.into());
    }
    let tools = common.remove("enabled_tools");
    entry.insert(
        "tools".into(),
        tools.unwrap_or_else(|| Value::Array(vec!["*".into()])),
    );
}
