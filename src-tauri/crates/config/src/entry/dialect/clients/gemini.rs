//! Gemini CLI says the transport beside the address; `httpUrl` is the older way of saying that
//! it is Streamable HTTP, and stays where it was written.

use super::*;

/// Word of the common form for `httpUrl`, so that the spelling comes back.
const OLDER: &str = "streamable-http";

pub(super) fn read(special: Object, common: &mut Object) {
    let word = match special.get("type").map(|member| &member.value.value) {
        _ if special.get("httpUrl").is_some() => Some(OLDER.to_owned()),
        Some(NodeValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let address = special.get("httpUrl").or(special.get("url"));
    if let Some(member) = address {
        let mut url = member.clone();
        url.key = "url".into();
        common.members.push(url);
        if let Some(word) = word {
            common
                .members
                .push(member_at(member, "type", NodeValue::String(word)));
        }
    }
}

pub(super) fn write(common: &mut Map<String, Value>, entry: &mut Map<String, Value>) {
    let is_older = ["type", "transport"]
        .iter()
        .any(|field| common.get(*field).and_then(Value::as_str) == Some(OLDER));
    let said = extract_transport(common);
    let Some(url) = common.remove("url") else {
        return;
    };
    let field = if is_older { "httpUrl" } else { "url" };
    entry.insert(field.into(), url);
    if let Some(transport) = said.transport
        && said.named
        && !said.open
        && !is_older
    {
        entry.insert("type".into(), transport.word().into());
    }
}
