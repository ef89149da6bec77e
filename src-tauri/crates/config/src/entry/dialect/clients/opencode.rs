//! OpenCode writes a program and its arguments as one list.

use super::*;

/// The limits within the `timeout` of a server under `mcp.servers`.
const LIMITS: [(&str, &str); 2] = [("startup", "startup_timeout"), ("request", "tool_timeout")];

pub(super) fn read(special: Object, common: &mut Object) {
    for member in special.members {
        match (member.key.as_str(), &member.value.value) {
            ("type", NodeValue::String(word)) if word == "local" => {
                common.members.push(member_at(
                    &member,
                    "type",
                    NodeValue::String("stdio".into()),
                ));
            }
            // Which of the two remote transports it is shows when it is tried.
            ("type", NodeValue::String(word)) if word == "remote" => {}
            ("command", NodeValue::Array(words)) => {
                let Some((program, arguments)) = words.split_first() else {
                    common.members.push(member_at(
                        &member,
                        "command",
                        NodeValue::String(String::new()),
                    ));
                    continue;
                };
                let mut command = member.clone();
                command.value = program.clone();
                common.members.push(command);
                if !arguments.is_empty() {
                    common.members.push(member_at(
                        &member,
                        "args",
                        NodeValue::Array(arguments.to_vec()),
                    ));
                }
            }
            ("timeout", NodeValue::Number(_)) => {
                for (_, ours) in LIMITS {
                    let mut limit = member.clone();
                    limit.key = ours.to_owned();
                    super::super::in_common_unit(Unit::Milliseconds, &mut limit.value);
                    common.members.push(limit);
                }
            }
            ("timeout", NodeValue::Object(limits)) => {
                for (theirs, ours) in LIMITS {
                    if let Some(limit) = limits.get(theirs) {
                        let mut limit = limit.clone();
                        limit.key = ours.to_owned();
                        super::super::in_common_unit(Unit::Milliseconds, &mut limit.value);
                        common.members.push(limit);
                    }
                }
            }
            _ => common.members.push(member),
        }
    }
}

pub(super) fn write(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    let is_local = extract_transport(common).transport == Some(Stdio);
    let word = if is_local { "local" } else { "remote" };
    entry.insert("type".into(), word.into());
    if let Some(program) = common.remove("command") {
        let arguments = match common.remove("args") {
            Some(Value::Array(arguments)) => arguments,
            _ => Vec::new(),
        };
        let words = std::iter::once(program).chain(arguments).collect();
        entry.insert("command".into(), words);
    }
}

/// Writes a server under `mcp`, where one limit counts for the start and for calls.
pub(super) fn write_entry(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    write(common, entry);
    let [startup, tool] = LIMITS.map(|(_, ours)| common.get(ours).cloned());
    let Some(limit) = startup.or(tool) else {
        return;
    };
    let Some(written) = super::super::in_their_unit(Unit::Milliseconds, &limit) else {
        return;
    };
    entry.insert("timeout".into(), written);
    for (_, ours) in LIMITS {
        if common.get(ours) == Some(&limit) {
            common.remove(ours);
        }
    }
}

/// Writes a server under `mcp.servers`.
pub(super) fn write_server(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    write(common, entry);
    let mut limits = Map::new();
    for (theirs, ours) in LIMITS {
        let limit = common.get(ours);
        let limit = limit.and_then(|limit| super::super::in_their_unit(Unit::Milliseconds, limit));
        if let Some(limit) = limit {
            common.remove(ours);
            limits.insert(theirs.to_owned(), limit);
        }
    }
    if !limits.is_empty() {
        entry.insert("timeout".into(), Value::Object(limits));
    }
}
