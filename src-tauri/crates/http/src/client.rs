//! Sends requests, each of them once.

use std::{net::IpAddr, path::Path, sync::Arc};

use bytes::Bytes;
use reqwest::{
    Client, ClientBuilder, Method, Response,
    header::{HeaderMap, HeaderValue},
    redirect,
};
use sightglass_model::ProxyUsed;
use url::Url;

use crate::{
    error::{HttpError, HttpSetupError},
    names::{GuardedNames, Network},
    options::HttpOptions,
    policy::{DecidedPolicy, RefusedAddress},
    proxies::Proxies,
    response::HttpResponse,
    tls::{self, CertificateObserver, HttpVersions, ShownCertificate},
};

/// Name of the program in every request. Gateways refuse requests without one.
pub const PROGRAM: HeaderValue =
    HeaderValue::from_static(concat!("Sightglass/", env!("CARGO_PKG_VERSION")));

/// One HTTP request to be made.
pub struct HttpRequest {
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Option<Bytes>,
}

/// HTTP client for the requests of one purpose.
#[derive(Clone)]
pub struct HttpClient {
    client: Client,
    proxies: Proxies,
    network: Network,
    /// Policy of the guard, where there is one.
    policy: Option<DecidedPolicy>,
    observer: Arc<CertificateObserver>,
    is_on_socket: bool,
}

impl HttpClient {
    /// Prepares the way; nothing is sent yet.
    ///
    /// # Errors
    /// When certificates cannot be read, or the system has no such sockets.
    pub fn new(options: HttpOptions) -> Result<Self, HttpSetupError> {
        let (tls, observer) = tls::client_config(&options.trust, options.is_tls, options.versions)
            .map_err(HttpSetupError::Trust)?;
        let mut builder = Client::builder()
            .user_agent(PROGRAM)
            .redirect(redirect::Policy::none())
            .tcp_nodelay(true)
            .tls_backend_preconfigured(tls);
        if options.versions == HttpVersions::One {
            builder = builder.http1_only();
        }
        if let Some(timeout) = options.timeout {
            builder = builder.timeout(timeout);
        }
        builder = match &options.socket {
            Some(socket) => on_socket(builder, socket)?,
            None => options.proxies.apply(builder),
        };
        for (host, address) in &options.network.routes {
            builder = builder.resolve(host, *address);
        }
        if let Some(guard) = &options.guard {
            let names = Arc::clone(&options.network.names);
            let guarded = GuardedNames::new(names, options.proxies.hosts(), guard);
            builder = builder.dns_resolver(Arc::new(guarded));
        }
        let client = builder
            .build()
            .map_err(|error| HttpSetupError::Client(format!("HTTP cannot be set up: {error}")))?;
        Ok(Self {
            client,
            proxies: options.proxies,
            network: options.network,
            policy: options.guard.map(|guard| guard.policy),
            observer,
            is_on_socket: options.socket.is_some(),
        })
    }

    /// Refuses an address that the guard forbids, by its text or by what its name resolves to.
    /// To be asked before each request, so that one that is refused is not taken for one that was
    /// sent; the connection is held to the policy in any case.
    ///
    /// # Errors
    /// When the guard forbids it.
    pub async fn check(&self, url: &Url) -> Result<(), RefusedAddress> {
        let Some(policy) = self.policy.as_ref().map(DecidedPolicy::get) else {
            return Ok(());
        };
        policy.check_url(url)?;
        policy.check_name(url, &*self.network.names).await
    }

    /// Sends a request, and returns the response whatever its status, as soon as its headers are
    /// there.
    ///
    /// # Errors
    /// When there is no response.
    pub async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let HttpRequest {
            method,
            url,
            headers,
            body,
        } = request;
        let mut sending = self.client.request(method, url.clone()).headers(headers);
        if let Some(body) = body {
            sending = sending.body(body);
        }
        match sending.send().await {
            Ok(response) => {
                let peer = self.peer(&response);
                Ok(HttpResponse::new(response, peer))
            }
            Err(error) => {
                let (certificate, proxy) = (self.observer.shown(), self.proxy(&url));
                Err(HttpError::unanswered(&url, &error, certificate, proxy))
            }
        }
    }

    /// The address that a response came from; nothing where a proxy stands between, whose address
    /// says nothing about the server's.
    fn peer(&self, response: &Response) -> Option<IpAddr> {
        if self.network.peer.is_some() {
            return self.network.peer;
        }
        match self.proxies.of(response.url()) {
            None => response.remote_addr().map(|address| address.ip()),
            Some(_) => None,
        }
    }

    /// Returns the proxy that requests to an address go through.
    pub fn proxy(&self, url: &Url) -> Option<ProxyUsed> {
        let (source, address) = self.proxies.of(url).filter(|_| !self.is_on_socket)?;
        Some(ProxyUsed {
            address,
            source: source.to_owned(),
        })
    }

    /// Returns the certificates that a server showed last.
    pub fn shown_certificate(&self) -> Option<ShownCertificate> {
        self.observer.shown()
    }
}

#[cfg(unix)]
fn on_socket(builder: ClientBuilder, socket: &Path) -> Result<ClientBuilder, HttpSetupError> {
    Ok(builder.unix_socket(socket))
}

#[cfg(not(unix))]
fn on_socket(_builder: ClientBuilder, _socket: &Path) -> Result<ClientBuilder, HttpSetupError> {
    Err(HttpSetupError::Client(
        "Unix sockets cannot be used on this system".to_owned(),
    ))
}
