use std::{collections::BTreeMap, path::PathBuf};

use sightglass_secrets::{
    Redactor, Secret, argument_secrets, command_secrets, mask_arguments, mask_command, mask_url,
    named_value_secrets, url_secrets,
};

use crate::{ClientOptions, EraChoice, RemoteEndpoint, TimeLimits, TransportKind, command_line};

/// Everything needed to reach one server, with variables already expanded.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSpec {
    /// The name in the configuration file, as the user knows it.
    pub name: String,
    pub endpoint: Endpoint,
    pub era: EraChoice,
    pub limits: TimeLimits,
    /// Offer and declarations of the client in the handshake.
    pub client: ClientOptions,
    /// False when the texts of its messages stay in memory.
    pub is_recorded: bool,
    /// The values that variables were expanded to, but for those that are obviously no secret.
    pub expanded: Vec<Secret<String>>,
    /// The references of its entry that have a value, each with where that came from.
    pub references: Vec<ExpandedReference>,
}

/// Reference in a text of an entry that has a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpandedReference {
    /// Field that it stands in: `args[0]`, `env.TOKEN`, `headersHelper`.
    pub field: String,
    pub name: String,
    pub source: ReferenceSource,
}

/// Source of a reference's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceSource {
    /// A variable of the client that stands for the project's folder or its name.
    Project,
    /// Another variable that the client itself sets.
    Client,
    /// The environment, or what the user entered in its place.
    Environment,
    /// The content of a file.
    File(PathBuf),
    /// A secret that is kept for the entry.
    Secret,
    /// A value that the client asks its user for.
    Input,
}

impl ServerSpec {
    /// Returns everything that must be masked wherever it occurs: what variables were expanded
    /// to, environment and header values, and the credentials in arguments and URLs.
    pub fn secrets(&self) -> Vec<Secret<String>> {
        let mut secrets = self.expanded.clone();
        match &self.endpoint {
            Endpoint::Stdio {
                command,
                arguments,
                environment,
                ..
            } => {
                secrets.extend(named_value_secrets(environment));
                secrets.extend(argument_secrets(arguments));
                secrets.extend(url_secrets(command));
                secrets.extend(command_secrets(command));
            }
            Endpoint::Remote(remote) => {
                secrets.extend(named_value_secrets(&remote.headers));
                secrets.extend(url_secrets(&remote.url));
            }
        }
        secrets
    }

    /// Returns the command line or the URL, as [`Endpoint::summary`] does, without anything
    /// that variables were expanded to.
    pub fn summary(&self) -> String {
        let redactor = Redactor::new(self.secrets());
        redactor.text(self.endpoint.summary().into()).into_owned()
    }
}

/// Endpoint of a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Endpoint {
    /// A program that speaks over its standard streams.
    Stdio {
        command: String,
        arguments: Vec<String>,
        /// Added to the environment that the program inherits.
        environment: BTreeMap<String, Secret<String>>,
        /// Working directory; the project's directory when absent.
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

    /// Returns the command line or the URL, as a user would type it, with what looks like a
    /// secret masked. Environment and header values are not part of it.
    pub fn summary(&self) -> String {
        match self {
            Endpoint::Stdio {
                command, arguments, ..
            } => line_of(&mask_command(command), &mask_arguments(arguments)),
            Endpoint::Remote(remote) => mask_url(&remote.url),
        }
    }

    /// Returns the command line or the URL as it is, to tell endpoints apart. It may hold
    /// secrets.
    pub fn identity(&self) -> Secret<String> {
        Secret::new(match self {
            Endpoint::Stdio {
                command, arguments, ..
            } => line_of(command, arguments),
            Endpoint::Remote(remote) => remote.url.clone(),
        })
    }
}

fn line_of(command: &str, arguments: &[String]) -> String {
    command_line(std::iter::once(command).chain(arguments.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_shows_no_secret() {
        let spec = ServerSpec {
            name: "x".into(),
            endpoint: Endpoint::Stdio {
                command: "npx".into(),
                arguments: [
                    "mcp-remote",
                    "https://u:pw@h/",
                    "--api-key",
                    "abc",
                    "expanded-value",
                ]
                .map(str::to_owned)
                .into(),
                environment: BTreeMap::new(),
                working_directory: None,
            },
            era: EraChoice::Auto,
            limits: TimeLimits::default(),
            client: Default::default(),
            is_recorded: true,
            expanded: vec![Secret::new("expanded-value".into())],
            references: Vec::new(),
        };
        assert_eq!(
            spec.summary(),
            "npx mcp-remote https://•••@h/ --api-key ••• •••"
        );
        assert_eq!(format!("{}", spec.endpoint.identity()), "•••");
    }

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
            r#"npx -y @scope/server@1.2 "it's here" ''"#
        );
    }
}
