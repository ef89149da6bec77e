use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};
use sightglass_secrets::Secret;

use crate::{RemoteEndpoint, TimeLimits, TransportKind};
/// Everything needed to reach one server, with variables already expanded.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSpec {
    /// The name in the configuration file, as a person knows it.
    pub name: String,
    pub endpoint: Endpoint,
    pub era: EraChoice,
    pub limits: TimeLimits,
}

/// Where a server is.
#[derive(Debug, Clone, PartialEq)]
pub enum Endpoint {
    /// A program that speaks over its standard streams.
    Stdio {
        command: String,
        arguments: Vec<String>,
        /// Added to the environment that the program inherits.
        environment: BTreeMap<String, Secret<String>>,
        /// Where the program starts; the project's directory when absent.
        working_directory: Option<PathBuf>,
    },
    /// A server on a network or behind a socket.
    Remote(RemoteEndpoint),
}

impl Endpoint {
    pub fn transport(&self) -> TransportKind {
        match self {
            Endpoint::Stdio { .. } => TransportKind::Stdio,
            Endpoint::Remote(remote) => remote.kind(),
        }
    }

    /// The command line or the address, as a person would type it. Environment and header
    /// values are not part of it.
    pub fn summary(&self) -> String {
        match self {
            Endpoint::Stdio {
                command, arguments, ..
            } => std::iter::once(command)
                .chain(arguments)
                .map(|word| quoted(word))
                .collect::<Vec<_>>()
                .join(" "),
            Endpoint::Remote(remote) => remote.url.clone(),
        }
    }
}

/// A word of a command line, quoted when a shell would split or expand it.
pub fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./:=@%+,~".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Which era of the protocol to speak.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "snake_case")]
pub enum EraChoice {
    /// Probe for the modern era and fall back to `initialize`.
    #[default]
    Auto,
    /// The stateless protocol of 2026-07-28 only.
    Modern,
    /// The `initialize` handshake of 2025-11-25 and earlier only.
    Legacy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_shown_as_a_shell_would_take_it() {
        let endpoint = Endpoint::Stdio {
            command: "npx".into(),
            arguments: vec![
                "-y".into(),
                "@scope/server@1.2".into(),
                "it's here".into(),
                "".into(),
            ],
            environment: BTreeMap::new(),
            working_directory: None,
        };
        assert_eq!(
            endpoint.summary(),
            r"npx -y @scope/server@1.2 'it'\''s here' ''"
        );
    }
}
