//! Looks for servers that are announced on the local network by mDNS (RFC 6762, RFC 6763).
//!
//! It is done when the user asks for it, for a few seconds. One question goes to the network's
//! multicast address; no server is contacted, and nothing of the user's is announced. Whoever is
//! on the network can answer anything, so what is taken of an answer is bounded, and an address is
//! put together here instead of being believed.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};

use mdns_sd::{MDNS_PORT, ResolvedService, ServiceDaemon, ServiceEvent};
use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, view::AnnouncedServer,
};
use sightglass_config::server_at;

/// The service of MCP servers over HTTP.
const SERVICE: &str = "_mcp._tcp.local.";

/// Time for which answers are waited for.
const LOOK_DURATION: Duration = Duration::from_secs(3);

/// Number of servers that are listed.
const MAX_SERVERS: usize = 64;

/// Number of addresses of one server that are listed.
const MAX_ADDRESSES: usize = 4;

/// Number of characters of a name that are shown.
const MAX_NAME_LENGTH: usize = 80;

/// Number of bytes of a path that is taken.
const MAX_PATH_BYTES: usize = 200;

/// Looks for servers that are announced on the local network by mDNS (RFC 6762, RFC 6763).
pub struct LocalNetwork {
    pub(crate) core: Arc<Core>,
}

#[commands]
impl LocalNetwork {
    /// The servers that are announced on the local network within a few seconds. None of them is
    /// contacted.
    #[command]
    pub async fn discover_local_servers(&self) -> Result<Vec<AnnouncedServer>, InspectorError> {
        // A port of its own keeps a look apart from what else is announced.
        let port = (self.core.options.environment)("SIGHTGLASS_MDNS_PORT")
            .and_then(|port| port.parse().ok())
            .unwrap_or(MDNS_PORT);
        let looking = tokio::task::spawn_blocking(move || look(port));
        let found = looking.await.map_err(|_| InspectorError::Closing)?;
        found.map_err(|error| InspectorError::Offline {
            what: "The local network".to_owned(),
            reason: error.to_string(),
        })
    }
}

fn look(port: u16) -> Result<Vec<AnnouncedServer>, mdns_sd::Error> {
    let daemon = ServiceDaemon::new_with_port(port)?;
    let events = daemon.browse(SERVICE)?;
    let mut found = BTreeMap::new();
    let end = Instant::now() + LOOK_DURATION;
    while let Ok(event) = events.recv_deadline(end) {
        match event {
            ServiceEvent::ServiceResolved(service) => {
                let is_known = found.contains_key(&service.fullname);
                if (is_known || found.len() < MAX_SERVERS)
                    && let Some(server) = announced(&service)
                {
                    found.insert(service.fullname.clone(), server);
                }
            }
            ServiceEvent::ServiceRemoved(_, name) => drop(found.remove(&name)),
            _ => {}
        }
    }
    // Its thread ends by itself; there is nothing to wait for.
    if let Err(error) = daemon.shutdown() {
        tracing::debug!("mDNS: {error}");
    }
    Ok(found.into_values().collect())
}

/// The part of an announcement that is shown; `None` when it leads nowhere.
fn announced(service: &ResolvedService) -> Option<AnnouncedServer> {
    let name: String = service
        .fullname
        .strip_suffix(SERVICE)
        .unwrap_or(&service.fullname)
        .trim_end_matches('.')
        .chars()
        .take(MAX_NAME_LENGTH)
        .collect();
    let addresses: BTreeSet<_> = service
        .addresses
        .iter()
        .map(mdns_sd::ScopedIp::to_ip_addr)
        .collect();
    let host = service.host.trim_end_matches('.').to_ascii_lowercase();
    // A name of the internet is not the local network's to give.
    let host = if is_local_name(&host) {
        host
    } else {
        let address = addresses.first()?;
        match address {
            std::net::IpAddr::V4(address) => address.to_string(),
            std::net::IpAddr::V6(address) => format!("[{address}]"),
        }
    };
    let path = service.get_property_val_str("path").unwrap_or_default();
    if service.port == 0 || path.len() > MAX_PATH_BYTES {
        return None;
    }
    let scheme = if service.port == 443 { "https" } else { "http" };
    let mut url = url::Url::parse(&format!("{scheme}://{host}:{}", service.port)).ok()?;
    // Whatever is in it is a path: `?`, `#` and braces are encoded.
    url.set_path(path);
    Some(AnnouncedServer {
        candidate: server_at(&name, url.as_str()),
        name,
        host,
        port: service.port,
        path: url.path().to_owned(),
        addresses: addresses
            .iter()
            .take(MAX_ADDRESSES)
            .map(ToString::to_string)
            .collect(),
    })
}

/// Tells whether a host is one of the local network: `mac-mini.local`.
fn is_local_name(host: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    host.len() <= 253
        && host
            .strip_suffix(".local")
            .is_some_and(|labels| labels.split('.').all(is_label))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use mdns_sd::ServiceInfo;
    use sightglass_config::DraftEndpoint;

    use super::*;

    fn service(name: &str, host: &str, port: u16, path: &str) -> ResolvedService {
        let address = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
        ServiceInfo::new(SERVICE, name, host, address, port, &[("path", path)][..])
            .expect("an announcement")
            .as_resolved_service()
    }

    fn url_of(service: &ResolvedService) -> Option<String> {
        match announced(service)?.candidate.draft.endpoint {
            DraftEndpoint::Remote(remote) => Some(remote.url),
            DraftEndpoint::Stdio { .. } => None,
        }
    }

    #[test]
    fn an_announcement_becomes_an_address() {
        let notes = announced(&service("Notes", "Mac.local.", 8080, "/mcp")).expect("there");
        assert_eq!(
            (
                notes.name.as_str(),
                notes.host.as_str(),
                notes.port,
                notes.path.as_str()
            ),
            ("Notes", "mac.local", 8080, "/mcp")
        );
        assert_eq!(notes.addresses, ["192.0.2.7"]);
        assert_eq!(notes.candidate.draft.name, "notes");
        for (port, path, url) in [
            (8080, "mcp", "http://mac.local:8080/mcp"),
            (8080, "", "http://mac.local:8080/"),
            (443, "/mcp", "https://mac.local/mcp"),
        ] {
            let service = service("Notes", "mac.local.", port, path);
            assert_eq!(url_of(&service).as_deref(), Some(url));
        }
    }

    #[test]
    fn a_path_cannot_lead_elsewhere() {
        for (path, url) in [
            (
                "//evil.example/mcp",
                "http://mac.local:80//evil.example/mcp",
            ),
            ("@evil.example/", "http://mac.local:80/@evil.example/"),
            ("/mcp?token=1#x", "http://mac.local:80/mcp%3Ftoken=1%23x"),
            // No client takes this for a variable.
            ("/${HOME}", "http://mac.local:80/$%7BHOME%7D"),
            ("/a\r\nHost: b", "http://mac.local:80/aHost:%20b"),
        ] {
            let found = url_of(&service("Notes", "mac.local.", 80, path)).expect("there");
            assert_eq!(
                found.replace("mac.local/", "mac.local:80/"),
                url,
                "{path:?}"
            );
        }
        let long = "/".repeat(201);
        assert!(announced(&service("Notes", "mac.local.", 80, &long)).is_none());
    }

    #[test]
    fn a_name_of_the_internet_is_replaced_by_the_address() {
        for host in [
            "bank.example.",
            "localhost.",
            "a b.local.",
            "x.local.evil.",
            ".local.",
        ] {
            let found = url_of(&service("Notes", host, 8080, "/mcp"));
            let expected = "http://192.0.2.7:8080/mcp";
            assert_eq!(found.as_deref(), Some(expected), "{host}");
        }
    }

    #[test]
    fn a_long_name_is_cut() {
        let mut long = service("Notes", "mac.local.", 8080, "/mcp");
        long.fullname = format!("{}.{SERVICE}", "n".repeat(500));
        let found = announced(&long).expect("there");
        assert_eq!(found.name.len(), MAX_NAME_LENGTH);
        assert_eq!(found.candidate.draft.name.len(), 32);
    }
}
