//! Resolution of names, under the policy for the addresses that they lead to.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use sightglass_model::is_special_address;
use url::Url;

use crate::policy::{AddressPolicy, DecidedPolicy, RefusedAddress, names_loopback};

/// Names and addresses as a client finds them. What is not the system's is made up by tests.
#[derive(Clone)]
pub struct Network {
    /// Resolver of names. The hosts that a server names are looked up here before they are visited.
    pub names: Arc<dyn Resolve>,
    /// Addresses that connections to a host go to, whatever its name resolves to.
    pub routes: Vec<(String, SocketAddr)>,
    /// Address that every response counts as coming from, in place of its own.
    pub peer: Option<IpAddr>,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            names: Arc::new(SystemNames),
            routes: Vec::new(),
            peer: None,
        }
    }
}

/// Guard over the addresses that a client connects to on the word of a server.
#[derive(Debug, Clone)]
pub struct AddressGuard {
    pub policy: DecidedPolicy,
    /// Server that names the addresses.
    pub server: Url,
    /// True when the name of the server itself may lead anywhere.
    pub is_server_exempt: bool,
}

/// Names as the system resolves them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemNames;

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
    /// A user named these, wherever they are: proxies, and a server that is exempt.
    exempt: Vec<String>,
    policy: DecidedPolicy,
    /// The name of the server, where it has one that is not reserved for this machine.
    server: Option<String>,
}

impl GuardedNames {
    /// Guards `names`; `proxies` are the names of the hosts that are proxies.
    pub(crate) fn new(
        names: Arc<dyn Resolve>,
        mut proxies: Vec<String>,
        guard: &AddressGuard,
    ) -> Self {
        let name = guard.server.domain();
        proxies.extend(name.filter(|_| guard.is_server_exempt).map(str::to_owned));
        let server = name.filter(|_| !names_loopback(&guard.server));
        Self {
            names,
            exempt: proxies,
            policy: guard.policy.clone(),
            server: server.map(str::to_owned),
        }
    }
}

impl Resolve for GuardedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let is_exempt = self.exempt.iter().any(|exempt| exempt == name.as_str());
        let is_server = self.server.as_deref() == Some(name.as_str());
        let policy = self.policy.get();
        let host = name.as_str().to_owned();
        let resolving = self.names.resolve(name);
        Box::pin(async move {
            let found: Vec<SocketAddr> = resolving.await?.collect();
            let is_private = |address: &SocketAddr| is_special_address(address.ip());
            match policy {
                _ if is_exempt => {}
                AddressPolicy::PublicOnly if found.iter().any(is_private) => {
                    return Err(RefusedAddress::private(&host).into());
                }
                // It may lead to private addresses because it was at one itself.
                AddressPolicy::Anywhere if is_server && !found.iter().all(is_private) => {
                    return Err(RefusedAddress::moved(&host).into());
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

    fn url(text: &str) -> Url {
        text.parse().expect(text)
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
        let guard = AddressGuard {
            policy: decided,
            server: url("https://mcp.test/"),
            is_server_exempt: false,
        };
        let names = GuardedNames::new(Arc::new(Answering(address)), proxies, &guard);
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
        assert_eq!(refused, Err(RefusedAddress::private("mcp.test").message));
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
        assert_eq!(refused, Err(RefusedAddress::moved("mcp.test").message));
    }
}
