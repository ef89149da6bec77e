//! Takes tools from the model by rules that deny them, for clients that have no list of tools in the
//! entry of a server.
//!
//! - Claude Code takes a tool that a rule denies by its bare name out of the model's context
//!   (<https://code.claude.com/docs/en/agent-sdk/permissions>, deny rules). A server of one user
//!   stands in that user's own settings, and so does its rule; a rule about another stands in the
//!   settings of the project that are the user's own (<https://code.claude.com/docs/en/settings>).
//! - OpenCode leaves out a tool about which the last rule that matches its name denies everything
//!   (`disabled` of `packages/opencode/src/permission/index.ts`,
//!   <https://github.com/anomalyco/opencode>). The rules are the keys of `permission`, in the file of
//!   the server (<https://opencode.ai/docs/permissions>). The older `tools` counts before them.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::{
    change::{file_edit::FileEdit, name_list::NameList},
    client::{Client, Machine},
    entry::dialect::plain,
    scopes::{ScopePlace, claude_settings},
    text::format::{FileFormat, TextEditor},
};

const PERMISSION: &str = "permission";
const TOOLS: &str = "tools";
const DENY: &str = "deny";

/// The edits that deny tools, by the names that the client gives them, and take such rules back.
/// `None` for a client that shows denied tools to its model all the same.
pub(crate) fn deny_tools(
    place: &ScopePlace,
    machine: &Machine,
    off: &[String],
    on: &[String],
) -> Option<Vec<FileEdit>> {
    let path = denied_tools_file(place, machine)?;
    let client = place.target.client;
    if client == Client::Opencode {
        let (off, on) = (off.to_vec(), on.to_vec());
        let edit = move |editor: &mut TextEditor| set_permissions(editor, &off, &on);
        return Some(vec![FileEdit::new(path, place.layout.clone(), edit)]);
    }
    let list = NameList::new(client, path, FileFormat::Json, &["permissions"], DENY);
    Some(vec![list.change(off, true), list.change(on, false)])
}

/// The file of those rules.
pub fn denied_tools_file(place: &ScopePlace, machine: &Machine) -> Option<PathBuf> {
    match (place.target.client, place.target.scope.as_str()) {
        (Client::ClaudeCode, "managed") => None,
        (Client::ClaudeCode, "user") => Some(claude_settings(machine)),
        (Client::ClaudeCode, _) => Some(machine.places.project.join(".claude/settings.local.json")),
        (Client::Opencode, _) => Some(place.path.clone()),
        _ => None,
    }
}

/// Denies tools of OpenCode, each in the last key, and takes such keys back.
fn set_permissions(editor: &mut TextEditor, off: &[String], on: &[String]) -> bool {
    let mut is_changed = false;
    for name in on {
        if value(editor, &[PERMISSION], name) == Some(DENY.into()) {
            editor.remove(&[PERMISSION], name);
            is_changed = true;
        }
        if value(editor, &[TOOLS], name) == Some(false.into()) {
            editor.remove(&[TOOLS], name);
            is_changed = true;
        }
    }
    for object in [PERMISSION, TOOLS] {
        let is_empty = editor.with_object(&[object], |object| object.members.is_empty());
        if is_changed && is_empty == Some(true) {
            editor.remove(&[], object);
        }
    }
    if off.is_empty() {
        return is_changed;
    }
    // One word stands for a rule about everything.
    if let Some(Value::String(word)) = value(editor, &[], PERMISSION) {
        editor.set(&[], PERMISSION, &json!({ "*": word }));
    }
    for name in off {
        // A key that is there keeps its place, from which a later one may take the decision.
        editor.remove(&[PERMISSION], name);
        editor.set(&[PERMISSION], name, &DENY.into());
    }
    true
}

fn value(editor: &TextEditor, path: &[&str], key: &str) -> Option<Value> {
    editor
        .with_object(path, |object| {
            object.get(key).map(|member| plain(&member.value))
        })
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str, off: &[&str], on: &[&str]) -> String {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let (off, on): (Vec<String>, Vec<String>) = (names(off), names(on));
        let mut editor = TextEditor::new(FileFormat::Jsonc, text.to_owned());
        set_permissions(&mut editor, &off, &on);
        editor.into_text()
    }

    #[test]
    fn a_tool_of_opencode_is_denied_in_the_last_key_and_given_back() {
        let bare = "{\n  // mine\n  \"model\": \"m\"\n}\n";
        let denied = after(bare, &["s_a"], &[]);
        assert_eq!(
            denied,
            "{\n  // mine\n  \"model\": \"m\",\n  \"permission\": {\n    \"s_a\": \"deny\"\n  }\n}\n"
        );
        assert_eq!(after(&denied, &[], &["s_a"]), bare);
        for (before, off, on, expected) in [
            (
                r#"{"permission":"ask"}"#,
                &["s_a"][..],
                &[][..],
                r#"{"permission":{"*":"ask","s_a":"deny"}}"#,
            ),
            (
                r#"{"permission":{"s_a":"ask","*":"allow"}}"#,
                &["s_a"],
                &[],
                r#"{"permission":{"*":"allow","s_a":"deny"}}"#,
            ),
            // What does not deny stays.
            (
                r#"{"permission":{"s_a":"ask"},"tools":{"s_a":true}}"#,
                &[],
                &["s_a"],
                r#"{"permission":{"s_a":"ask"},"tools":{"s_a":true}}"#,
            ),
            (
                r#"{"tools":{"s_a":false,"s_b":false}}"#,
                &[],
                &["s_a"],
                r#"{"tools":{"s_b":false}}"#,
            ),
        ] {
            let written: Value = serde_json::from_str(&after(before, off, on)).expect("JSON");
            let expected: Value = serde_json::from_str(expected).expect("JSON");
            assert_eq!(written.to_string(), expected.to_string(), "{before}");
        }
    }
}
