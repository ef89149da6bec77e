//! The server that is meant: a configured name, a URL or a host, or a program.

use std::collections::BTreeMap;

use sightglass_inspector::{Endpoint, MASK, RemoteEndpoint, is_loopback_host, shell_quoted};

use crate::session_name::SessionName;

/// The server that a user named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Named(String),
    Url(String),
    Program {
        command: String,
        arguments: Vec<String>,
    },
}

impl Target {
    /// Reads the word that stands for a target. Whether a host is meant is known once no server has
    /// that name.
    pub(crate) fn of(word: String) -> Self {
        match is_address(&word) {
            true => Self::Url(word),
            false => Self::Named(word),
        }
    }

    /// Returns a command about it, in backticks, as a hint shows it. No secret is in it.
    pub(crate) fn command(&self, verb: &str, options: &str) -> String {
        command(verb, Some(self), options)
    }

    /// Returns true where a command that names it would hold a secret.
    pub(crate) fn holds_secret(&self) -> bool {
        match self {
            Self::Program { command, arguments } => {
                program(command, arguments).summary().contains(MASK)
            }
            Self::Named(name) => address_of_host(name).is_some_and(|url| is_masked(&url)),
            Self::Url(url) => is_masked(url),
        }
    }

    /// Returns what names it in a command. Where a secret would be masked, a placeholder stands for
    /// what was given: the mask itself would be sent.
    fn words(&self) -> String {
        match self {
            Self::Program { .. } if self.holds_secret() => "-- PROGRAM ARGS".to_owned(),
            Self::Program { command, arguments } => {
                format!("-- {}", program(command, arguments).summary())
            }
            Self::Named(_) | Self::Url(_) if self.holds_secret() => "URL".to_owned(),
            Self::Named(word) | Self::Url(word) => shell_quoted(word),
        }
    }
}

/// Returns true for an address of which a part is masked where it is shown.
fn is_masked(address: &str) -> bool {
    let endpoint = Endpoint::Remote(RemoteEndpoint::at(address));
    endpoint.summary().contains(MASK)
}

/// Returns a command about a server, in backticks, as a hint shows it. A word stands for the server
/// where it is not known.
pub(crate) fn command(verb: &str, target: Option<&Target>, options: &str) -> String {
    if let Some(Target::Named(name)) = target
        && SessionName::read(name).is_some()
    {
        let options = if options.is_empty() {
            String::new()
        } else {
            format!(" {options}")
        };
        return format!("`sightglass-cli {name} {verb}{options}`");
    }
    let words = target.map_or_else(|| "TARGET".to_owned(), Target::words);
    let is_program = matches!(target, Some(Target::Program { .. }));
    let command = match (options, is_program) {
        ("", _) => format!("{verb} {words}"),
        // What follows `--` belongs to the program.
        (options, true) => format!("{verb} {options} {words}"),
        (options, false) => format!("{verb} {words} {options}"),
    };
    format!("`sightglass-cli {command}`")
}

/// The endpoint of a program that is given on the command line.
pub(crate) fn program(command: &str, arguments: &[String]) -> Endpoint {
    Endpoint::Stdio {
        command: command.to_owned(),
        arguments: arguments.to_vec(),
        environment: BTreeMap::new(),
        working_directory: None,
    }
}

/// Returns true for an address (RFC 3986, section 3.1); the name in a server's id may be one.
pub(crate) fn is_address(word: &str) -> bool {
    word.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|one| one.is_ascii_alphanumeric() || "+-.".contains(one))
    })
}

/// Returns the address that a host stands for, with its port and path where they are given:
/// `https`, and `http` for this machine, whose servers have no certificate.
pub(crate) fn address_of_host(word: &str) -> Option<String> {
    let authority = word.split(['/', '?', '#']).next()?;
    // The path of a file here, or of one that is not there.
    if authority.is_empty() || authority.starts_with('.') || word.contains('\\') {
        return None;
    }
    let has_port = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let url = format!("https://{word}");
    let parsed = url::Url::parse(&url).ok()?;
    let host = parsed.host()?;
    let is_loopback = is_loopback_host(&host);
    let is_named = match &host {
        url::Host::Domain(name) => has_port || is_loopback || name.contains('.'),
        url::Host::Ipv4(_) => authority.contains('.'),
        url::Host::Ipv6(_) => true,
    };
    let is_plain = !word.contains(char::is_whitespace) && !authority.contains('@');
    (is_named && is_plain).then(|| match is_loopback {
        true => format!("http://{word}"),
        false => url,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_stands_for_an_address() {
        for (word, address) in [
            ("mcp.example.com", Some("https://mcp.example.com")),
            (
                "mcp.example.com/v1?x=1",
                Some("https://mcp.example.com/v1?x=1"),
            ),
            ("build:8443/mcp", Some("https://build:8443/mcp")),
            ("192.0.2.1/mcp", Some("https://192.0.2.1/mcp")),
            ("localhost:3000/mcp", Some("http://localhost:3000/mcp")),
            ("127.0.0.1:3000", Some("http://127.0.0.1:3000")),
            ("[::1]:3000/mcp", Some("http://[::1]:3000/mcp")),
            ("files", None),
            ("7", None),
            ("by program", None),
            ("mcp-json:files", None),
            ("@scope/package", None),
            ("a.b c", None),
            ("./server.py/x", None),
            ("../a.b", None),
            ("/server.py", None),
            (r"http:\\localhost:1", None),
        ] {
            assert_eq!(address_of_host(word).as_deref(), address, "{word}");
        }
    }
}
