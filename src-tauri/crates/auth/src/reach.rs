//! Which addresses a sign-in may visit: encrypted ones and this very machine's, and none that
//! is private on the word of a public server.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::{Clause, clause};

/// Whether metadata may lead to private addresses: only those of a server that has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Anywhere,
    PublicOnly,
}

impl Reach {
    /// How far the word of this server goes. One whose name does not resolve counts as
    /// public: nothing private is reached on its word.
    pub async fn of(server: &Url, names: &dyn Resolve) -> Self {
        let is_public = match server.host() {
            _ if is_loopback(server) => false,
            Some(Host::Ipv4(address)) => !is_private(address.into()),
            Some(Host::Ipv6(address)) => !is_private(address.into()),
            Some(Host::Domain(name)) => match addresses_of(name, names).await {
                Some(addresses) => !addresses.into_iter().all(is_private),
                None => true,
            },
            None => true,
        };
        if is_public {
            Self::PublicOnly
        } else {
            Self::Anywhere
        }
    }

    /// Whether an address may be visited, as far as it can be told from how it is written.
    pub fn covers(self, url: &Url) -> Result<(), (String, Clause)> {
        check_address(url)?;
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            _ => None,
        };
        let private = literal.is_some_and(is_private) || names_loopback(url);
        if self == Self::PublicOnly && private {
            return Err(private_refusal(url.host_str().unwrap_or_default()));
        }
        Ok(())
    }

    /// The same, with the name looked up. Through a proxy this is all that can be known;
    /// without one [`PublicNames`] holds the connection to it. A name that is not known here
    /// is left to whoever connects.
    pub async fn covers_name(self, url: &Url, names: &dyn Resolve) -> Result<(), (String, Clause)> {
        let (Self::PublicOnly, Some(Host::Domain(name))) = (self, url.host()) else {
            return Ok(());
        };
        let found = addresses_of(name, names).await.unwrap_or_default();
        if found.into_iter().any(is_private) {
            return Err(private_refusal(name));
        }
        Ok(())
    }
}

/// Where a name leads, if it is known.
async fn addresses_of(name: &str, names: &dyn Resolve) -> Option<Vec<IpAddr>> {
    let found = names.resolve(name.parse().ok()?).await.ok()?;
    Some(found.map(|address| address.ip()).collect())
}

fn private_refusal(host: &str) -> (String, Clause) {
    (private_words(host), clause::private_addresses())
}

/// What is wrong with an address that metadata names, whoever named it.
pub(crate) fn check_address(url: &Url) -> Result<(), (String, Clause)> {
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(url) => Ok(()),
        "http" => Err((
            format!(
                "{} is plain http beyond this machine: whoever is on the way could read the code \
                 and the token.",
                url.host_str().unwrap_or_default()
            ),
            clause::encrypted(),
        )),
        scheme => Err((
            format!("{scheme}: is not an address of the web. Only https is opened."),
            clause::scheme(),
        )),
    }
}

/// Whether an address is of this very machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) => names_loopback(url),
        None => false,
    }
}

fn names_loopback(url: &Url) -> bool {
    matches!(url.host(), Some(Host::Domain(name))
        if name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost"))
}

/// Addresses that are not of the open internet: loopback, private, link-local, shared,
/// unique-local, and unspecified.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
                || address.is_broadcast()
                || first == 0
                || (first == 100 && (64..128).contains(&second))
        }
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_private(mapped.into()),
            None => {
                address.is_loopback()
                    || address.is_unspecified()
                    || address.is_unique_local()
                    || address.is_unicast_link_local()
            }
        },
    }
}

/// What is said of a private address.
pub(crate) fn private_words(host: &str) -> String {
    format!(
        "{host} is a private address, and a public server named it. Such addresses are not visited \
         on a stranger's word."
    )
}

/// Names as the system resolves them.
#[derive(Debug, Clone, Copy)]
pub struct SystemNames;

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Resolves names to public addresses alone. The connection goes to the very addresses that
/// were looked at, so a name cannot answer differently the second time.
pub(crate) struct PublicNames {
    names: Arc<dyn Resolve>,
    /// A person named these, wherever they are.
    proxies: Vec<String>,
}

impl PublicNames {
    /// All public names, and those of proxies.
    pub fn of(names: Arc<dyn Resolve>, proxies: Vec<String>) -> Self {
        Self { names, proxies }
    }
}

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let words = private_words(name.as_str());
        let is_proxy = self.proxies.iter().any(|proxy| proxy == name.as_str());
        let resolving = self.names.resolve(name);
        Box::pin(async move {
            let found: Vec<SocketAddr> = resolving.await?.collect();
            if !is_proxy && found.iter().any(|address| is_private(address.ip())) {
                return Err(words.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_not_of_the_open_internet_are_known() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "::1",
            "fd00::1",
            "fe80::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
        ] {
            assert!(is_private(private.parse().expect(private)), "{private}");
        }
        for public in ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "100.128.0.1"] {
            assert!(!is_private(public.parse().expect(public)), "{public}");
        }
    }

    #[test]
    fn only_encrypted_addresses_and_this_machine_are_visited() {
        let allowed = |text: &str| check_address(&text.parse().expect(text)).is_ok();
        for address in [
            "https://as.test/x",
            "http://127.0.0.1:1/x",
            "http://[::1]/",
            "http://localhost:8/",
        ] {
            assert!(allowed(address), "{address}");
        }
        for address in [
            "http://as.test/x",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "vscode://x/y",
            "http://127.0.0.1.evil.test/",
            "http://localhost.evil.test/",
            "data:text/html,x",
        ] {
            assert!(!allowed(address), "{address}");
        }
    }

    fn url(text: &str) -> Url {
        text.parse().expect(text)
    }

    #[tokio::test]
    async fn a_public_server_leads_to_no_private_address_however_it_is_written() {
        let reach = Reach::of(&url("https://203.0.113.7/mcp"), &SystemNames).await;
        assert_eq!(reach, Reach::PublicOnly);
        for address in [
            "https://10.0.0.1/x",
            "https://169.254.169.254/latest/meta-data",
            "https://127.0.0.1:8080/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://localhost/x",
            "https://as.localhost/x",
            "http://127.0.0.1/x",
        ] {
            let (words, clause) = reach.covers(&url(address)).expect_err(address);
            assert!(words.contains("is a private address"), "{words}");
            assert!(clause.title.contains("Request Forgery"), "{clause:?}");
        }
        assert!(reach.covers(&url("https://198.51.100.1/x")).is_ok());
    }

    #[tokio::test]
    async fn a_private_server_leads_wherever_it_has_to() {
        for server in [
            "http://127.0.0.1:1/mcp",
            "https://10.1.1.1/mcp",
            "http://localhost/",
        ] {
            let reach = Reach::of(&url(server), &SystemNames).await;
            assert_eq!(reach, Reach::Anywhere, "{server}");
            assert!(reach.covers(&url("https://10.0.0.1/x")).is_ok());
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_to_a_private_address_is_not_followed() {
        // The one name that leads to this machine everywhere, as a name that was rebound does.
        let name = || "localhost".parse().expect("a name");
        let names = PublicNames::of(Arc::new(SystemNames), Vec::new());
        let refusal = names.resolve(name()).await.err().expect("refused");
        assert_eq!(refusal.to_string(), private_words("localhost"));
        let proxy = PublicNames::of(Arc::new(SystemNames), vec!["localhost".to_owned()]);
        assert!(proxy.resolve(name()).await.is_ok());
        let rebound = Reach::PublicOnly
            .covers_name(&url("https://localhost/"), &SystemNames)
            .await;
        assert!(rebound.is_err());
        let unknown = url("https://unknown.invalid/");
        let covered = Reach::PublicOnly.covers_name(&unknown, &SystemNames).await;
        assert!(covered.is_ok());
    }
}
