//! Finds the hosts that a server's endpoint names.

use sightglass_model::{Endpoint, is_loopback_host};
use url::Url;

/// Returns the host that is called, where it is not this machine. For a program that is the host of
/// an address in its command line: what starts here may only pass messages on.
pub fn remote_host(endpoint: &Endpoint) -> Option<String> {
    match endpoint {
        Endpoint::Remote(remote) => host_of(&remote.url),
        Endpoint::Stdio { arguments, .. } => {
            let words = arguments.iter().filter(|word| word.contains("://"));
            let addresses = words.flat_map(|word| {
                // Also `--url=https://…`.
                let value = word.split_once('=').map(|(_, value)| value);
                let value = value.filter(|value| value.contains("://"));
                let is_address = value.is_none() || Url::parse(word).is_ok();
                is_address.then_some(word.as_str()).into_iter().chain(value)
            });
            addresses.into_iter().find_map(host_of)
        }
    }
}

/// The host of an address, unless it is this machine or there is none to be called.
fn host_of(address: &str) -> Option<String> {
    let Ok(url) = Url::parse(address) else {
        // What cannot be read could be anywhere.
        return Some(address.to_owned());
    };
    if !matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "sse") {
        return None;
    }
    let is_here = url.host().is_some_and(|host| is_loopback_host(&host));
    (!is_here).then(|| url.host_str().unwrap_or(address).to_owned())
}

#[cfg(test)]
mod tests {
    use sightglass_model::RemoteEndpoint;

    use super::*;

    fn of_url(url: &str) -> Option<String> {
        remote_host(&Endpoint::Remote(RemoteEndpoint::at(url)))
    }

    fn of_program(arguments: &[&str]) -> Option<String> {
        remote_host(&Endpoint::Stdio {
            command: "npx".to_owned(),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
            environment: Default::default(),
            working_directory: None,
        })
    }

    #[test]
    fn this_machine_is_told_from_others() {
        for here in [
            "http://localhost:8080/mcp",
            "http://127.0.0.1:1/",
            "http://127.9.9.9/",
            "http://[::1]:3000/mcp",
            "ws://api.localhost/",
            "unix:/run/mcp.sock",
        ] {
            assert_eq!(of_url(here), None, "{here}");
        }
        for (there, host) in [
            ("https://mcp.example.com/mcp", "mcp.example.com"),
            ("http://localhost.example.com/", "localhost.example.com"),
            ("http://127.0.0.1.nip.io/", "127.0.0.1.nip.io"),
            ("http://127.0.0.1@evil.example/", "evil.example"),
            ("http://192.168.1.7/", "192.168.1.7"),
            ("http://0.0.0.0:80/", "0.0.0.0"),
            ("http://[::]/", "[::]"),
        ] {
            assert_eq!(of_url(there).as_deref(), Some(host), "{there}");
        }
    }

    #[test]
    fn a_program_that_passes_messages_on_is_where_its_address_is() {
        assert_eq!(of_program(&["-y", "some-server", "/tmp"]), None);
        assert_eq!(of_program(&["mcp-remote", "http://localhost:1/"]), None);
        let there = Some("mcp.example.com".to_owned());
        let address = "https://mcp.example.com/mcp";
        assert_eq!(of_program(&["mcp-remote", address]), there);
        assert_eq!(of_program(&[&format!("--url={address}")]), there);
        let passed_on = format!("http://localhost:1/?to={address}");
        assert_eq!(of_program(&[&passed_on]), there);
    }
}
