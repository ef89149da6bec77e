//! Takes tools from the model by rules that deny them, for clients that have no list of tools in the
//! entry of a server.
//!
//! Claude Code takes a tool that a rule denies by its bare name out of the model's context
//! (<https://code.claude.com/docs/en/agent-sdk/permissions>, deny rules). A server of one user stands
//! in that user's own settings, and so does its rule; a rule about another stands in the settings of
//! the project that are the user's own (<https://code.claude.com/docs/en/settings>).

use std::path::PathBuf;

use crate::{
    change::name_list::NameList,
    client::{Client, Machine},
    scopes::{ScopePlace, claude_settings},
    text::format::FileFormat,
};

/// The list of the tools that are denied, beside the servers of a scope. `None` for a client that
/// shows denied tools to its model all the same.
pub(crate) fn denied_tools(place: &ScopePlace, machine: &Machine) -> Option<NameList> {
    let path = denied_tools_file(place, machine)?;
    Some(NameList::new(
        place.target.client,
        path,
        FileFormat::Json,
        &["permissions"],
        "deny",
    ))
}

/// The file of that list.
pub fn denied_tools_file(place: &ScopePlace, machine: &Machine) -> Option<PathBuf> {
    match (place.target.client, place.target.scope.as_str()) {
        (Client::ClaudeCode, "managed") => None,
        (Client::ClaudeCode, "user") => Some(claude_settings(machine)),
        (Client::ClaudeCode, _) => Some(machine.places.project.join(".claude/settings.local.json")),
        _ => None,
    }
}
