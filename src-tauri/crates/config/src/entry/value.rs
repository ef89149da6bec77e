//! Checks of single values of an entry.

use sightglass_model::RemoteTransport;
use sightglass_secrets::{is_mere_reference, name_suggests_secret, value_suggests_secret};

/// Returns true when a value that is given by this name looks like a secret that is not to be seen.
pub(crate) fn is_secret(name: &str, text: &str) -> bool {
    is_literal(text) && (name_suggests_secret(name) || value_suggests_secret(text))
}

/// Returns true for a value of its own, and false for a reference to a variable.
pub(crate) fn is_literal(text: &str) -> bool {
    !text.is_empty() && !is_mere_reference(text)
}

/// Returns true when a variable of this name can be given to a program.
pub(crate) fn is_environment_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

/// Returns the problem of the address of a server that is reached over `transport`. The
/// address itself is not repeated: it may hold a secret.
pub(crate) fn address_problem(address: &str, transport: RemoteTransport) -> Option<String> {
    let (schemes, words): (&[&str], &str) = match transport {
        RemoteTransport::Auto => (
            &["http", "https", "ws", "wss", "unix"],
            "http://, https://, ws://, wss:// or unix://",
        ),
        RemoteTransport::Http => (&["http", "https", "unix"], "http://, https:// or unix://"),
        RemoteTransport::Sse => (&["http", "https"], "http:// or https://"),
        RemoteTransport::WebSocket => (&["ws", "wss"], "ws:// or wss://"),
    };
    match url::Url::parse(address) {
        Ok(url) if !schemes.contains(&url.scheme()) => Some(format!(
            "url has to begin with {words}, not {}:.",
            url.scheme()
        )),
        Ok(_) => None,
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            Some(format!("url has to begin with {words}."))
        }
        Err(error) => Some(format!("url is not an address: {error}.")),
    }
}
