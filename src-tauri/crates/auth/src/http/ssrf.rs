//! SSRF policy for what metadata names: HTTPS or loopback, and no private address on the word of a
//! public server.
//!
//! Whether the MCP server itself is private is decided by the address that it was really reached
//! at, or by its URL where that says it. A look-up in the DNS decides nothing: whoever owns a name
//! can answer one query with 127.0.0.1 and the next with an address of theirs.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, OnceLock},
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use sightglass_model::{is_loopback_host, is_special_address};
use thiserror::Error;
use url::{Host, Url};

use crate::{Clause, clause};

/// Policy for the addresses that metadata leads to. Only the metadata of a server at a private
/// address may name private addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressPolicy {
    Anywhere,
    PublicOnly,
}

impl AddressPolicy {
    /// The policy for a server whose URL says where it is: by an address, or by a name that is
    /// reserved for this very machine.
    pub fn of_url(server: &Url) -> Option<Self> {
        match server.host()? {
            Host::Domain(_) => names_loopback(server).then_some(Self::Anywhere),
            Host::Ipv4(address) => Some(Self::of_peer(address.into())),
            Host::Ipv6(address) => Some(Self::of_peer(address.into())),
        }
    }

    /// The policy for a server that was reached at this address.
    pub fn of_peer(address: IpAddr) -> Self {
        if is_special_address(address) {
            Self::Anywhere
        } else {
            Self::PublicOnly
        }
    }

    /// Refuses a URL that must not be visited, as far as its text shows that.
    pub fn check_url(self, url: &Url) -> Result<(), RefusedAddress> {
        check_address(url)?;
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            _ => None,
        };
        let private = literal.is_some_and(is_special_address) || names_loopback(url);
        if self == Self::PublicOnly && private {
            return Err(private_refusal(url.host_str().unwrap_or_default()));
        }
        Ok(())
    }

    /// Refuses a name that resolves to an address which must not be visited. Through a proxy this
    /// is all that can be known; without one [`GuardedNames`] holds the connection to it. A name
    /// that is not known here is left to the connection.
    pub async fn check_name(self, url: &Url, names: &dyn Resolve) -> Result<(), RefusedAddress> {
        let (Self::PublicOnly, Some(Host::Domain(name))) = (self, url.host()) else {
            return Ok(());
        };
        let found = addresses_of(name, names).await.unwrap_or_default();
        if found.into_iter().any(is_special_address) {
            return Err(private_refusal(name));
        }
        Ok(())
    }
}

/// The policy of one sign-in. Until it is known where the server is, only public addresses may be
/// visited.
#[derive(Debug, Clone, Default)]
pub(crate) struct DecidedPolicy(Arc<OnceLock<AddressPolicy>>);

impl DecidedPolicy {
    pub fn get(&self) -> AddressPolicy {
        self.0.get().copied().unwrap_or(AddressPolicy::PublicOnly)
    }

    /// Decides, unless that was done.
    pub fn decide(&self, policy: AddressPolicy) {
        let _ = self.0.set(policy);
    }
}

/// Address that the policy forbids to visit.
#[derive(Debug, Error)]
#[error("{message}")]
pub(crate) struct RefusedAddress {
    pub message: String,
    pub clause: Clause,
}

/// Resolves a name, if it is known.
async fn addresses_of(name: &str, names: &dyn Resolve) -> Option<Vec<IpAddr>> {
    let found = names.resolve(name.parse().ok()?).await.ok()?;
    Some(found.map(|address| address.ip()).collect())
}

fn private_refusal(host: &str) -> RefusedAddress {
    RefusedAddress {
        message: private_message(host),
        clause: clause::private_addresses(),
    }
}

/// Checks an address that metadata names.
pub(crate) fn check_address(url: &Url) -> Result<(), RefusedAddress> {
    if is_unspecified(url) {
        return Err(RefusedAddress {
            message: format!(
                "{} stands for all addresses of a machine: a server listens there, and is not \
                 reached there. It has to be the server's public address.",
                url.host_str().unwrap_or_default()
            ),
            clause: clause::server_metadata(),
        });
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(url) => Ok(()),
        "http" => Err(RefusedAddress {
            message: format!(
                "{} is plain http to another machine: the code and the token could be read on the \
                 way.",
                url.host_str().unwrap_or_default()
            ),
            clause: clause::encrypted(),
        }),
        scheme => Err(RefusedAddress {
            message: format!("{scheme}: is not a web address. Only https is opened."),
            clause: clause::scheme(),
        }),
    }
}

/// Returns true for the address that stands for all of a machine's own.
fn is_unspecified(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_unspecified(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_unspecified(),
        _ => false,
    }
}

/// Returns true when an address is of this very machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    url.host().is_some_and(|host| is_loopback_host(&host))
}

fn names_loopback(url: &Url) -> bool {
    url.domain().is_some() && is_loopback(url)
}

/// Message about a private address.
pub(crate) fn private_message(host: &str) -> String {
    format!(
        "{host} is a private address named by a public server. Such addresses are not requested."
    )
}

/// Message about a server that was reached at a private address and is public by now.
pub(crate) fn moved_message(host: &str) -> String {
    format!(
        "{host} resolved to a private address before and to a public one now. Its metadata is not \
         trusted and was not read."
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

/// Resolves names to addresses that the policy lets through. The connection goes to the very
/// addresses that were looked at, so a name cannot answer differently the second time.
pub(crate) struct GuardedNames {
    names: Arc<dyn Resolve>,
    /// A user named these, wherever they are.
    proxies: Vec<String>,
    policy: DecidedPolicy,
    /// The name of the MCP server, where it has one that is not reserved for this machine.
    server: Option<String>,
}

impl GuardedNames {
    pub fn new(
        names: Arc<dyn Resolve>,
        proxies: Vec<String>,
        policy: DecidedPolicy,
        server: &Url,
    ) -> Self {
        let server = server.domain().filter(|_| !names_loopback(server));
        Self {
            names,
            proxies,
            policy,
            server: server.map(str::to_owned),
        }
    }
}

impl Resolve for GuardedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let is_proxy = self.proxies.iter().any(|proxy| proxy == name.as_str());
        let is_server = self.server.as_deref() == Some(name.as_str());
        let policy = self.policy.get();
        let host = name.as_str().to_owned();
        let resolving = self.names.resolve(name);
        Box::pin(async move {
            let found: Vec<SocketAddr> = resolving.await?.collect();
            let is_private = |address: &SocketAddr| is_special_address(address.ip());
            match policy {
                _ if is_proxy => {}
                AddressPolicy::PublicOnly if found.iter().any(is_private) => {
                    return Err(private_message(&host).into());
                }
                // It may lead to private addresses because it was at one itself.
                AddressPolicy::Anywhere if is_server && !found.iter().all(is_private) => {
                    return Err(moved_message(&host).into());
                }
                _ => {}
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "https://0.0.0.0/x",
            "http://0.0.0.0:8000/x",
            "https://[::]/x",
            "https://[::ffff:0.0.0.0]/x",
        ] {
            assert!(!allowed(address), "{address}");
        }
        let refused = check_address(&"https://0.0.0.0:1/token".parse().expect("an address"));
        let words = refused.expect_err("nobody is reached there").message;
        assert!(words.starts_with("0.0.0.0 stands for all"), "{words}");
    }

    fn url(text: &str) -> Url {
        text.parse().expect(text)
    }

    #[test]
    fn a_public_server_leads_to_no_private_address_however_it_is_written() {
        let policy = AddressPolicy::of_url(&url("https://203.0.113.7/mcp")).expect("it says so");
        assert_eq!(policy, AddressPolicy::PublicOnly);
        for address in [
            "https://10.0.0.1/x",
            "https://169.254.169.254/latest/meta-data",
            "https://127.0.0.1:8080/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[64:ff9b::a9fe:a9fe]/latest/meta-data",
            "https://[2002:7f00:1::]/",
            "https://198.18.0.1/",
            "https://localhost/x",
            "https://as.localhost/x",
            "http://127.0.0.1/x",
        ] {
            let refused = policy.check_url(&url(address)).expect_err(address);
            assert!(
                refused.message.contains("is a private address"),
                "{refused}"
            );
            assert!(
                refused.clause.title.contains("Request Forgery"),
                "{refused:?}"
            );
        }
        assert!(policy.check_url(&url("https://198.51.100.1/x")).is_ok());
    }

    #[test]
    fn a_private_server_leads_wherever_it_has_to() {
        for server in [
            "http://127.0.0.1:1/mcp",
            "https://10.1.1.1/mcp",
            "http://localhost/",
        ] {
            let policy = AddressPolicy::of_url(&url(server));
            assert_eq!(policy, Some(AddressPolicy::Anywhere), "{server}");
        }
        assert!(
            AddressPolicy::Anywhere
                .check_url(&url("https://10.0.0.1/x"))
                .is_ok()
        );
        // A name says nothing about where it leads; the connection does.
        assert_eq!(AddressPolicy::of_url(&url("https://mcp.test/")), None);
        let peer = |text: &str| AddressPolicy::of_peer(text.parse().expect(text));
        assert_eq!(peer("10.0.0.1"), AddressPolicy::Anywhere);
        assert_eq!(peer("203.0.113.7"), AddressPolicy::PublicOnly);
        assert_eq!(DecidedPolicy::default().get(), AddressPolicy::PublicOnly);
    }

    /// Answers every name with this address.
    struct Answering(&'static str);

    impl Resolve for Answering {
        fn resolve(&self, _: Name) -> Resolving {
            let address: IpAddr = self.0.parse().expect("an address");
            let found = std::iter::once(SocketAddr::new(address, 0));
            Box::pin(async move { Ok(Box::new(found) as Addrs) })
        }
    }

    async fn resolved(
        address: &'static str,
        policy: AddressPolicy,
        proxies: &[&str],
    ) -> Result<(), String> {
        let decided = DecidedPolicy::default();
        decided.decide(policy);
        let proxies = proxies.iter().map(|proxy| (*proxy).to_owned()).collect();
        let server = url("https://mcp.test/");
        let names = GuardedNames::new(Arc::new(Answering(address)), proxies, decided, &server);
        let name = "mcp.test".parse().expect("a name");
        names
            .resolve(name)
            .await
            .map(drop)
            .map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_name_that_leads_to_a_private_address_is_not_followed() {
        let public = AddressPolicy::PublicOnly;
        let refused = resolved("127.0.0.1", public, &[]).await;
        assert_eq!(refused, Err(private_message("mcp.test")));
        assert_eq!(resolved("127.0.0.1", public, &["mcp.test"]).await, Ok(()));
        assert_eq!(resolved("203.0.113.7", public, &[]).await, Ok(()));
        let rebound = public
            .check_name(&url("https://mcp.test/"), &Answering("127.0.0.1"))
            .await;
        assert!(rebound.is_err());
        let unknown = url("https://unknown.invalid/");
        assert!(public.check_name(&unknown, &SystemNames).await.is_ok());
    }

    #[tokio::test]
    async fn a_server_that_was_private_is_not_followed_to_a_public_address() {
        let anywhere = AddressPolicy::Anywhere;
        assert_eq!(resolved("10.0.0.1", anywhere, &[]).await, Ok(()));
        let refused = resolved("203.0.113.7", anywhere, &[]).await;
        assert_eq!(refused, Err(moved_message("mcp.test")));
    }
}
