//! SSRF policy for the addresses that a server names: HTTPS or loopback, and no private address on
//! the word of a public server.
//!
//! The address that the server itself was really reached at decides whether it is private, or its
//! URL where that says it. A look-up in the DNS decides nothing: whoever owns a name can answer one
//! query with 127.0.0.1 and the next with an address of theirs.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use reqwest::dns::Resolve;
use sightglass_model::{is_loopback_host, is_special_address};
use thiserror::Error;
use url::{Host, Url};

/// Policy for the addresses that metadata leads to. Only the metadata of a server at a private
/// address may name private addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressPolicy {
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
            return Err(RefusedAddress::private(url.host_str().unwrap_or_default()));
        }
        Ok(())
    }

    /// Refuses a name that resolves to an address which must not be visited. Through a proxy this
    /// is all that can be known; without one the resolver of the client holds the connection to
    /// it. A name that is not known here is left to the connection.
    pub async fn check_name(self, url: &Url, names: &dyn Resolve) -> Result<(), RefusedAddress> {
        let (Self::PublicOnly, Some(Host::Domain(name))) = (self, url.host()) else {
            return Ok(());
        };
        let found = addresses_of(name, names).await.unwrap_or_default();
        if found.into_iter().any(is_special_address) {
            return Err(RefusedAddress::private(name));
        }
        Ok(())
    }
}

/// Policy that is decided once. Until it is known where the server is, only public addresses may be
/// visited.
#[derive(Debug, Clone, Default)]
pub struct DecidedPolicy(Arc<OnceLock<AddressPolicy>>);

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
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct RefusedAddress {
    pub message: String,
    pub reason: RefusalReason,
}

/// Rule by which an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalReason {
    /// No server is reached there.
    Unspecified,
    /// Plain HTTP to another machine.
    Unencrypted,
    /// Neither `http:` nor `https:`.
    Scheme,
    /// Private, named by a public server.
    Private,
    /// Public, of a server that was private before.
    Moved,
}

impl RefusedAddress {
    pub(crate) fn private(host: &str) -> Self {
        Self {
            message: format!(
                "{host} is a private address named by a public server. Such addresses are not \
                 requested."
            ),
            reason: RefusalReason::Private,
        }
    }

    pub(crate) fn moved(host: &str) -> Self {
        Self {
            message: format!(
                "{host} resolved to a private address before and to a public one now. Its \
                 metadata is not trusted and was not read."
            ),
            reason: RefusalReason::Moved,
        }
    }
}

/// Resolves a name, if it is known.
async fn addresses_of(name: &str, names: &dyn Resolve) -> Option<Vec<IpAddr>> {
    let found = names.resolve(name.parse().ok()?).await.ok()?;
    Some(found.map(|address| address.ip()).collect())
}

/// Checks an address that metadata names.
///
/// # Errors
/// When it is none that may be visited, whoever names it.
pub fn check_address(url: &Url) -> Result<(), RefusedAddress> {
    if is_unspecified(url) {
        return Err(RefusedAddress {
            message: format!(
                "{} stands for all addresses of a machine: a server listens there, and is not \
                 reached there. It has to be the server's public address.",
                url.host_str().unwrap_or_default()
            ),
            reason: RefusalReason::Unspecified,
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
            reason: RefusalReason::Unencrypted,
        }),
        scheme => Err(RefusedAddress {
            message: format!("{scheme}: is not a web address. Only https is opened."),
            reason: RefusalReason::Scheme,
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

/// Returns true for an address of this very machine.
fn is_loopback(url: &Url) -> bool {
    url.host().is_some_and(|host| is_loopback_host(&host))
}

/// Returns true for a name that is reserved for this very machine.
pub(crate) fn names_loopback(url: &Url) -> bool {
    url.domain().is_some() && is_loopback(url)
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
            assert_eq!(refused.reason, RefusalReason::Private, "{refused:?}");
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
}
