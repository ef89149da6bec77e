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

    /// Refuses an address that the guard forbids, by its text or by what its name resolves to. It
    /// is asked before each request, so that none is on record that was never sent; names are held
    /// to the policy once more when they are connected to.
    pub async fn check(&self, url: &Url) -> Result<(), RefusedAddress> {
        let Some(policy) = self.policy.as_ref().map(DecidedPolicy::get) else {
            return Ok(());
        };
        policy.check_url(url)?;
        policy.check_name(url, &*self.network.names).await
    }

    /// Sends a request, and returns the response whatever its status, as soon as its headers are
    /// there.
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

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use reqwest::dns::{Addrs, Name, Resolve, Resolving};
    use sightglass_model::{NetworkStage, Trust};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;
    use crate::{names::AddressGuard, policy::RefusalReason};

    /// Answers every name with this address, or with an error.
    struct Answering(Option<SocketAddr>);

    impl Resolve for Answering {
        fn resolve(&self, _: Name) -> Resolving {
            let found = self.0;
            Box::pin(async move {
                let found = found.ok_or("it is not known")?;
                Ok(Box::new(std::iter::once(found)) as Addrs)
            })
        }
    }

    fn get(url: &str) -> HttpRequest {
        HttpRequest {
            method: Method::GET,
            url: url.parse().expect(url),
            headers: HeaderMap::new(),
            body: None,
        }
    }

    fn client(guarded: Option<Answering>) -> HttpClient {
        let mut options = HttpOptions::new(&Trust::default(), &Proxies::default());
        if let Some(names) = guarded {
            options.network.names = Arc::new(names);
            options.guard = Some(AddressGuard {
                policy: DecidedPolicy::default(),
                server: get("https://mcp.test/").url,
                is_server_exempt: false,
            });
        }
        HttpClient::new(options).expect("a client")
    }

    async fn error(client: &HttpClient, url: &str) -> HttpError {
        client.send(get(url)).await.expect_err("nobody answers")
    }

    fn stage(error: &HttpError) -> Option<NetworkStage> {
        match error {
            HttpError::Network(error) => Some(error.stage),
            _ => None,
        }
    }

    /// Serves this response to one request, and returns the address.
    async fn serve(response: String) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(response.as_bytes()).await;
        });
        format!("http://{address}/")
    }

    #[tokio::test]
    async fn a_name_that_leads_to_a_private_address_is_refused_when_it_is_connected_to() {
        let here = SocketAddr::from(([127, 0, 0, 1], 0));
        let refused = error(&client(Some(Answering(Some(here)))), "http://mcp.test/").await;
        let HttpError::Refused(refused) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(refused.reason, RefusalReason::Private);
        assert!(refused.message.starts_with("mcp.test is a private address"));
    }

    #[tokio::test]
    async fn a_failure_of_the_network_tells_its_stage() {
        let unknown = error(&client(Some(Answering(None))), "http://mcp.test/").await;
        assert_eq!(stage(&unknown), Some(NetworkStage::Dns), "{unknown:?}");
        assert_eq!(unknown.to_string(), "it is not known");

        let free = {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            listener.local_addr().expect("an address")
        };
        let closed = error(&client(None), &format!("http://{free}/")).await;
        assert_eq!(stage(&closed), Some(NetworkStage::Tcp), "{closed:?}");

        let plain = serve("no TLS is spoken here".to_owned()).await;
        let plain = error(&client(None), &plain.replace("http:", "https:")).await;
        assert_eq!(stage(&plain), Some(NetworkStage::Tls), "{plain:?}");
    }

    #[tokio::test]
    async fn a_status_and_a_limit_are_told_apart_from_the_network() {
        let head = "HTTP/1.1 404 Not Found\r\ncontent-length: 2000\r\n\r\n";
        let url = serve(format!("{head}{}", "x".repeat(2000))).await;
        let mut response = client(None).send(get(&url)).await.expect("a response");
        let failed = response.error_for_status();
        assert!(matches!(
            failed,
            Err(HttpError::Status { status, .. }) if status.as_u16() == 404
        ));
        let read = response.read(1999).await;
        assert_eq!(read, Err(HttpError::TooLarge { limit: 1999 }));
    }
}
