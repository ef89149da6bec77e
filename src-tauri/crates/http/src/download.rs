//! Downloads from addresses that a server of the user's names, such as the bundles of a registry.

use std::time::Duration;

use reqwest::{Method, header::HeaderMap};
use thiserror::Error;
use url::Url;

use crate::{
    client::{HttpClient, HttpRequest},
    error::{HttpError, HttpSetupError},
    names::AddressGuard,
    options::HttpOptions,
    policy::{AddressPolicy, DecidedPolicy},
    redirect::RedirectTarget,
    response::HttpResponse,
};

/// Redirects followed: a release leads to a file store.
const MAX_REDIRECTS: usize = 5;

/// Client for the addresses that one server names. It goes to addresses of the open internet by
/// https, and to the server's own origin wherever that is; to private addresses only where the
/// server's own is one. Each redirect is judged as the first address is.
pub struct DownloadClient {
    client: HttpClient,
    /// The server whose word is followed. The user chose it.
    server: Url,
}

/// Reason why there is nothing from an address.
#[derive(Debug, Error)]
pub enum DownloadError {
    /// The address is not visited, with the reason as a sentence.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Failed(#[from] HttpError),
}

impl DownloadClient {
    /// Prepares a client for the addresses that `server` names.
    pub fn new(
        options: HttpOptions,
        server: Url,
        timeout: Duration,
    ) -> Result<Self, HttpSetupError> {
        let policy = DecidedPolicy::default();
        // What a name leads to is not known here, so only a text that says so makes it private.
        policy.decide(AddressPolicy::of_url(&server).unwrap_or(AddressPolicy::PublicOnly));
        let client = HttpClient::new(HttpOptions {
            guard: Some(AddressGuard {
                policy,
                server: server.clone(),
                is_server_exempt: true,
            }),
            timeout: Some(timeout),
            ..options
        })?;
        Ok(Self { client, server })
    }

    /// Asks for what is at an address.
    ///
    /// # Errors
    /// When the address, or one that it redirects to, must not be visited or does not answer.
    pub async fn get(&self, mut url: Url) -> Result<HttpResponse, DownloadError> {
        for _ in 0..=MAX_REDIRECTS {
            self.check(&url).await?;
            let request = HttpRequest {
                method: Method::GET,
                url: url.clone(),
                headers: HeaderMap::new(),
                body: None,
            };
            let response = self.client.send(request).await?;
            match response.redirect(&url) {
                None => return Ok(response),
                Some(RedirectTarget::SameOrigin(next) | RedirectTarget::OtherOrigin(next)) => {
                    url = next;
                }
                Some(RedirectTarget::Invalid { error, .. }) => {
                    let reason = format!("it redirects to an invalid address: {error}");
                    return Err(DownloadError::Refused(reason));
                }
            }
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
        self.client.check(url).await.map_err(|_| {
            DownloadError::Refused(format!(
                "{} is a private address, which only a registry that is itself entered by a \
                 private address may name",
                url.host_str().unwrap_or_default()
            ))
        })
    }
}
