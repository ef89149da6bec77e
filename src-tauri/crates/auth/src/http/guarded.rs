//! Downloads from addresses that a server of the user's names, such as the bundles of a registry.

use std::{sync::Arc, time::Duration};

use reqwest::{Client, Response, StatusCode, dns::Resolve, header::LOCATION, redirect};
use thiserror::Error;
use url::Url;

use super::{
    HttpSettings, innermost_cause,
    ssrf::{AddressPolicy, DecidedPolicy, GuardedNames},
};

/// Redirects followed: a release leads to a file store.
const MAX_REDIRECTS: usize = 5;

/// Client for the addresses that one server names. It goes to addresses of the open internet by
/// https, and to the server's own origin wherever that is; to private addresses only where the
/// server's own is one. Each redirect is judged as the first address is.
pub struct GuardedClient {
    client: Client,
    names: Arc<dyn Resolve>,
    policy: AddressPolicy,
    /// The server whose word is followed. The user chose it.
    server: Url,
}

/// Reason why there is nothing from an address.
#[derive(Debug, Error)]
pub enum DownloadError {
    /// The address is not visited, with the reason as a sentence.
    #[error("{0}")]
    Refused(String),
    #[error("{}", innermost_cause(.0))]
    Failed(#[from] reqwest::Error),
}

impl GuardedClient {
    pub fn new(
        settings: HttpSettings,
        server: Url,
        timeout: Duration,
    ) -> Result<Self, DownloadError> {
        // What a name leads to is not known here, so only a text that says so makes it private.
        let policy = AddressPolicy::of_url(&server).unwrap_or(AddressPolicy::PublicOnly);
        let decided = DecidedPolicy::default();
        decided.decide(policy);
        let chosen = server.domain().map(str::to_owned);
        let chosen = settings.proxies.into_iter().chain(chosen).collect();
        let guarded = GuardedNames::new(Arc::clone(&settings.names), chosen, decided, &server);
        let client = settings
            .builder
            .dns_resolver(Arc::new(guarded))
            .redirect(redirect::Policy::none())
            .timeout(timeout)
            .build()?;
        Ok(Self {
            client,
            names: settings.names,
            policy,
            server,
        })
    }

    /// Asks for what is at an address.
    ///
    /// # Errors
    /// When the address, or one that it redirects to, must not be visited or does not answer.
    pub async fn get(&self, mut url: Url) -> Result<Response, DownloadError> {
        for _ in 0..=MAX_REDIRECTS {
            self.check(&url).await?;
            let response = self.client.get(url.clone()).send().await?;
            let location = match response.status() {
                StatusCode::MOVED_PERMANENTLY
                | StatusCode::FOUND
                | StatusCode::SEE_OTHER
                | StatusCode::TEMPORARY_REDIRECT
                | StatusCode::PERMANENT_REDIRECT => response.headers().get(LOCATION),
                _ => None,
            };
            let Some(location) = location else {
                return Ok(response);
            };
            let location = String::from_utf8_lossy(location.as_bytes());
            url = url.join(&location).map_err(|error| {
                DownloadError::Refused(format!("it redirects to an invalid address: {error}"))
            })?;
        }
        let reason = format!("it redirects more than {MAX_REDIRECTS} times");
        Err(DownloadError::Refused(reason))
    }

    /// Refuses an address that must not be visited.
    async fn check(&self, url: &Url) -> Result<(), DownloadError> {
        if url.origin() == self.server.origin() {
            return Ok(());
        }
        if url.scheme() != "https" {
            let reason = format!("{url} does not begin with https://");
            return Err(DownloadError::Refused(reason));
        }
        let refused = |_| {
            DownloadError::Refused(format!(
                "{} is a private address, which only a registry that is itself entered by a \
                 private address may name",
                url.host_str().unwrap_or_default()
            ))
        };
        self.policy.check_url(url).map_err(refused)?;
        let checked = self.policy.check_name(url, &*self.names).await;
        checked.map_err(refused)
    }
}
