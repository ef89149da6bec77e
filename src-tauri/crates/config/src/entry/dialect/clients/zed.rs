//! Zed has `args` beside every `command`, and had both in one object before.

use super::*;

/// `command` is a text; older versions wrote an object of `path`, `args` and `env`.
pub(super) fn read(special: Object, common: &mut Object) {
    for member in special.members {
        match &member.value.value {
            NodeValue::Object(command) => {
                for inner in &command.members {
                    let mut inner = inner.clone();
                    if inner.key == "path" {
                        inner.key = "command".into();
                    }
                    if common.get(&inner.key).is_none() {
                        common.members.push(inner);
                    }
                }
            }
            _ => common.members.push(member),
        }
    }
}

pub(super) fn write(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    transport_is_told(common, entry);
    if let Some(command) = common.remove("command") {
        entry.insert("command".into(), command);
        let arguments = common
            .remove("args")
            .unwrap_or_else(|| Value::Array(Vec::new()));
        entry.insert("args".into(), arguments);
    }
}
