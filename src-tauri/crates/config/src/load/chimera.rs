//! Chimera's tokens, as facts: that there is one for a server, and until when. The tokens themselves
//! are not kept.
//!
//! `TokenStore` in `chimera/mcp/oauth.py` of <https://github.com/0bserver07/chimera>: one file for each
//! server, with what the token endpoint answered and the time at which it expires, in
//! `~/.chimera/mcp/tokens` (the page "Mink MCP Advanced" there) or `~/.chimera/tokens`. On macOS they
//! are in the keychain, which is not asked.

use std::path::PathBuf;

use serde_json::Value;
use sightglass_model::Timestamp;

use crate::client::Machine;

/// Directories of tokens below the home directory, the one that counts first.
const DIRECTORIES: [&str; 2] = [".chimera/mcp/tokens", ".chimera/tokens"];

/// The largest file that is read, in bytes.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// A token that Chimera has for a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ChimeraToken {
    pub path: PathBuf,
    /// Absent where the file does not say.
    pub expires_at: Option<Timestamp>,
    /// True when it can be renewed without the user.
    pub can_refresh: bool,
}

/// The token that Chimera has for a server of this name, if any.
pub fn chimera_token(machine: &Machine, server: &str) -> Option<ChimeraToken> {
    let is_kept = |part: char| part.is_ascii_alphanumeric() || "_.-".contains(part);
    let name = server.replace(|part: char| !is_kept(part), "_");
    let read = |directory: &&str| {
        let directory = machine.places.home.join(directory);
        let path = directory.join(format!("{name}.json"));
        let bytes = sightglass_files::read_at_most(&path, MAX_FILE_SIZE).ok()?;
        Some((path, bytes))
    };
    let (path, bytes) = DIRECTORIES.iter().find_map(read)?;
    let token: Value = serde_json::from_slice(&bytes).ok()?;
    token.get("access_token")?.as_str()?;
    Some(ChimeraToken {
        path,
        expires_at: token
            .get("expires_at")
            .and_then(Value::as_f64)
            .map(Timestamp::from_seconds),
        can_refresh: token.get("refresh_token").is_some_and(Value::is_string),
    })
}
