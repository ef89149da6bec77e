//! Choices of a client's user.

use std::{path::PathBuf, time::Duration};

use sightglass_model::Trust;

use crate::{
    names::{AddressGuard, Network},
    proxies::Proxies,
    tls::HttpVersions,
};

/// Parts of a client that its user chooses.
#[derive(Clone)]
pub struct HttpOptions {
    /// Certificates that are trusted, and the client's own.
    pub trust: Trust,
    pub proxies: Proxies,
    pub network: Network,
    pub versions: HttpVersions,
    /// False when nothing is reached over TLS: the authorities of the system need not be read.
    pub is_tls: bool,
    /// The Unix socket that takes the place of every host.
    pub socket: Option<PathBuf>,
    /// Guard over the addresses that are visited; without one they are the user's own choice.
    pub guard: Option<AddressGuard>,
    /// Time limit for the whole of one request, from the name to the last byte.
    pub timeout: Option<Duration>,
}

impl HttpOptions {
    /// Trusts these certificates and goes through these proxies, without a guard or limits.
    pub fn new(trust: &Trust, proxies: &Proxies) -> Self {
        Self {
            trust: trust.clone(),
            proxies: proxies.clone(),
            network: Network::default(),
            versions: HttpVersions::Any,
            is_tls: true,
            socket: None,
            guard: None,
            timeout: None,
        }
    }
}
