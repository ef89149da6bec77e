//! Servers that are reached over a network or a socket.

use std::{collections::BTreeMap, fmt, path::PathBuf, str::FromStr};

use serde::{Deserialize, Serialize};
use sightglass_secrets::Secret;

use crate::TransportKind;

/// Address of a remote server and the settings to speak with it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RemoteEndpoint {
    pub transport: RemoteTransport,
    /// `http:`, `https:`, `ws:`, `wss:`, or `unix:///path/to/socket#/path` for HTTP over a
    /// Unix socket.
    pub url: String,
    /// Sent with each request.
    pub headers: BTreeMap<String, Secret<String>>,
    /// Gives further headers before each connection.
    pub headers_helper: Option<HeadersHelper>,
    pub trust: Trust,
}

/// Command of a shell that prints headers as a JSON object of strings. Of a header that is in
/// [`RemoteEndpoint::headers`] as well, the command's counts
/// (<https://code.claude.com/docs/en/mcp#use-dynamic-headers-for-custom-authentication>).
#[derive(Debug, Clone, PartialEq)]
pub struct HeadersHelper {
    /// As the shell reads it. What is not the entry's own text is in `variables`: a value that stood
    /// here would be read as part of the command.
    pub command: String,
    /// The command as its entry has it, by which rules name it.
    pub written: String,
    /// Added to the environment that the command inherits, for the references in it.
    pub variables: BTreeMap<String, Secret<String>>,
    /// Working directory; the project's directory when absent.
    pub working_directory: Option<PathBuf>,
}

impl HeadersHelper {
    /// A command that starts wherever its server would.
    pub fn of(command: impl Into<String>) -> Self {
        let command = command.into();
        Self {
            written: command.clone(),
            command,
            variables: BTreeMap::new(),
            working_directory: None,
        }
    }

    /// Returns the program that runs such a command, the system's shell, with its arguments.
    pub fn program(command: &str) -> [&str; 3] {
        if cfg!(windows) {
            ["cmd", "/C", command]
        } else {
            ["/bin/sh", "-c", command]
        }
    }
}

impl RemoteEndpoint {
    /// A server of which nothing but the address is known.
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            ..Self::default()
        }
    }

    /// The transport as far as the address tells it.
    pub fn kind(&self) -> TransportKind {
        match self.transport {
            RemoteTransport::Auto if is_web_socket(&self.url) => TransportKind::WebSocket,
            RemoteTransport::Auto | RemoteTransport::Http => TransportKind::Http,
            RemoteTransport::Sse => TransportKind::Sse,
            RemoteTransport::WebSocket => TransportKind::WebSocket,
        }
    }
}

/// Returns true when the scheme of an address is one of WebSocket's (RFC 6455, section 3).
fn is_web_socket(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("ws") || scheme.eq_ignore_ascii_case("wss")
}

/// Transport of a remote server.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type,
)]
#[serde(rename_all = "camelCase")]
pub enum RemoteTransport {
    /// Streamable HTTP, then HTTP with Server-Sent Events if the server refuses it as an
    /// older one does; WebSocket for `ws:` and `wss:`.
    #[default]
    Auto,
    /// Streamable HTTP only.
    Http,
    /// HTTP with Server-Sent Events, of protocol revision 2024-11-05.
    Sse,
    WebSocket,
}

/// Certificates that are trusted in addition to those of the system, and the client's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    /// Certificate authorities in PEM.
    pub ca_file: Option<PathBuf>,
    /// Certificate authorities in PEM that the user trusts for all servers.
    pub general_ca_file: Option<PathBuf>,
    /// Shown to the server where it asks for one.
    pub client_certificate: Option<ClientCertificate>,
    /// The certificate that the server must show. It is accepted whoever issued it, for
    /// whatever name and time; no other is.
    pub fingerprint: Option<Fingerprint>,
    /// Accepts whatever certificate the server shows: for one call of the command line.
    pub accepts_any: bool,
}

/// Certificate by which the client authenticates in TLS (RFC 8446, section 4.4.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCertificate {
    /// The certificate and its intermediates in PEM.
    pub certificate: PathBuf,
    /// The private key in PEM, without a password.
    pub key: PathBuf,
}

/// SHA-256 of a certificate in DER. Prints as pairs of hexadecimal digits with colons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

/// A text that is not the SHA-256 of anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits, with or without colons"
)]
pub struct FingerprintError;

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let text = text.trim().to_ascii_lowercase();
        let digits: Vec<u8> = text
            .strip_prefix("sha256:")
            .unwrap_or(&text)
            .bytes()
            .filter(|byte| *byte != b':')
            .collect();
        let mut bytes = [0; 32];
        if digits.len() != 64 {
            return Err(FingerprintError);
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = std::str::from_utf8(pair)
                .ok()
                .filter(|pair| !pair.starts_with('+'))
                .and_then(|pair| u8::from_str_radix(pair, 16).ok())
                .ok_or(FingerprintError)?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            let colon = if index == 0 { "" } else { ":" };
            write!(formatter, "{colon}{byte:02X}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_however_it_is_written() {
        let plain = "00ff".repeat(16);
        let fingerprint: Fingerprint = plain.parse().unwrap();
        assert!(fingerprint.to_string().starts_with("00:FF:00:FF"));
        assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        assert_eq!(format!("SHA256:{plain}").parse(), Ok(fingerprint));
        assert_eq!("00ff".parse::<Fingerprint>(), Err(FingerprintError));
        assert_eq!(
            "+1".repeat(32).parse::<Fingerprint>(),
            Err(FingerprintError)
        );
    }

    #[test]
    fn an_address_tells_its_transport() {
        assert_eq!(
            RemoteEndpoint::at("WSS://x").kind(),
            TransportKind::WebSocket
        );
        assert_eq!(RemoteEndpoint::at("https://x").kind(), TransportKind::Http);
    }
}
