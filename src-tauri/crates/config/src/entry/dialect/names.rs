//! Rules for the names of servers in each client.

use crate::client::Client;

/// Returns the problem of a name, in a sentence.
pub(super) fn complaint(client: Client, name: &str) -> Option<String> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    match client {
        // `claude mcp add` refuses others: "Names can only contain letters, numbers, hyphens,
        // and underscores." `codex mcp add` likewise (codex-rs/cli/src/mcp_cmd.rs,
        // `validate_server_name`).
        Client::ClaudeCode | Client::Codex if !name.chars().all(is_word) => Some(format!(
            "{} takes letters, digits, - and _ in a name, and nothing else.",
            client.title()
        )),
        // crates/caliban-mcp-client/src/config.rs, `is_valid_server_name`.
        Client::Caliban
            if name.len() > 32
                || !name
                    .chars()
                    .all(|character| is_word(character) && !character.is_ascii_uppercase()) =>
        {
            Some(
                "caliban takes at most 32 lower-case letters, digits, - and _ in a name, and \
                 refuses the whole file otherwise."
                    .into(),
            )
        }
        _ => None,
    }
}
