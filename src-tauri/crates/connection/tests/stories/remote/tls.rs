//! Certificates: which count, and what is said of those that do not.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{Router, serve::Listener};
use base64::Engine as _;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use sightglass_connection::RequestEnd;
use sightglass_model::{
    CertificateFault, ClientCertificate, Endpoint, Failure, FailureReport, Fingerprint, HintAction,
    RemoteEndpoint, ServerSpec, TransportKind, Trust,
};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        RootCertStore, ServerConfig,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
        server::WebPkiClientVerifier,
    },
    server::TlsStream,
};

use super::peer;
use crate::support::{Bench, http, server};

struct TlsListener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = std::net::SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            // A client that does not like the certificate leaves in the middle.
            if let Ok((stream, address)) = self.listener.accept().await
                && let Ok(stream) = self.acceptor.accept(stream).await
            {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

fn acceptor(chain: Vec<CertificateDer<'static>>, key: &KeyPair) -> TlsAcceptor {
    acceptor_that_asks(chain, key, None)
}

/// Asks each client for a certificate of this authority, where there is one.
fn acceptor_that_asks(
    chain: Vec<CertificateDer<'static>>,
    key: &KeyPair,
    clients: Option<&Authority>,
) -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => {
            let mut roots = RootCertStore::empty();
            let certificate = CertificateDer::from_pem_file(&authority.file).unwrap();
            roots.add(certificate).unwrap();
            let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        }
    };
    TlsAcceptor::from(Arc::new(builder.with_single_cert(chain, key).unwrap()))
}

async fn serve(chain: Vec<CertificateDer<'static>>, key: &KeyPair, router: Router) -> String {
    serve_by(acceptor(chain, key), router).await
}

async fn serve_by(acceptor: TlsAcceptor, router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let listener = TlsListener { listener, acceptor };
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("https://localhost:{port}/mcp")
}

/// An authority of our own, in a file.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub file: PathBuf,
    _directory: tempfile::TempDir,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("authority.pem");
        #[expect(clippy::disallowed_methods, reason = "tests put files in place")]
        std::fs::write(&file, certificate.pem()).unwrap();
        Self {
            issuer: Issuer::new(params, key),
            file,
            _directory: directory,
        }
    }

    /// Serves behind a certificate of this authority.
    pub async fn serve(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> String {
        let (chain, key) = self.certificate(name, change);
        serve(chain, &key, peer::streamable()).await
    }

    fn certificate(
        &self,
        name: &str,
        change: impl FnOnce(&mut CertificateParams),
    ) -> (Vec<CertificateDer<'static>>, KeyPair) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        change(&mut params);
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        (vec![certificate.der().clone()], key)
    }
}

pub fn trusting(url: &str, trust: Trust) -> ServerSpec {
    ServerSpec {
        endpoint: Endpoint::Remote(RemoteEndpoint {
            trust,
            ..RemoteEndpoint::at(url)
        }),
        ..http(url)
    }
}

pub fn authority(file: &Path) -> Trust {
    Trust {
        ca_file: Some(file.to_owned()),
        ..Trust::default()
    }
}

#[tokio::test]
async fn an_authority_of_the_entry_counts() {
    let own = Authority::new("own");
    let url = own.serve("localhost", |_| {}).await;
    let bench = Bench::new();
    let id = server("own");
    bench.ready(&id, trusting(&url, authority(&own.file))).await;
    assert_eq!(bench.call(&id, "echo", "{}").await.end, RequestEnd::Result);
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_certificate_is_said_and_others_go_on() {
    let own = Authority::new("own");
    let other = Authority::new("other");
    let bench = Bench::new();
    let healthy = server("healthy");
    let good = own.serve("localhost", |_| {}).await;
    bench
        .ready(&healthy, trusting(&good, authority(&own.file)))
        .await;

    let expired = own
        .serve("localhost", |params| {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        })
        .await;
    let early = own
        .serve("localhost", |params| {
            params.not_before = date_time_ymd(2900, 1, 1);
            params.not_after = date_time_ymd(2901, 1, 1);
        })
        .await;
    let foreign = own.serve("example.com", |_| {}).await;
    let unknown = other.serve("localhost", |_| {}).await;
    for (url, expected) in [
        (expired, CertificateFault::Expired),
        (early, CertificateFault::NotYetValid),
        (foreign, CertificateFault::WrongName),
        (unknown, CertificateFault::UnknownIssuer),
    ] {
        let spec = trusting(&url, authority(&own.file));
        let failure = bench.failed(&server("bad"), spec).await;
        let report = FailureReport::from(failure);
        assert_eq!(report.hint.action, HintAction::AcceptCertificate);
        let Failure::CertificateRefused { fault, chain, .. } = report.failure else {
            panic!("{expected:?}: {:?}", report.failure);
        };
        assert_eq!(fault, expected);
        assert!(chain[0].fingerprint.parse::<Fingerprint>().is_ok());
        if fault == CertificateFault::WrongName {
            assert_eq!(chain[0].names, ["example.com"]);
        }
    }
    let report = bench.call(&healthy, "echo", "{}").await;
    assert_eq!(report.end, RequestEnd::Result);
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_certificate_can_be_accepted_by_its_fingerprint_and_no_other_then() {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let url = serve(vec![certificate.der().clone()], &key, peer::streamable()).await;
    let bench = Bench::new();
    let id = server("self-signed");
    let failure = bench.failed(&id, http(&url)).await;
    let Failure::CertificateRefused {
        fault: CertificateFault::SelfSigned,
        chain,
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    let accepted = Trust {
        fingerprint: chain[0].fingerprint.parse().ok(),
        ..Trust::default()
    };
    bench.ready(&id, trusting(&url, accepted)).await;
    let other = Trust {
        fingerprint: Some(Fingerprint([7; 32])),
        ..Trust::default()
    };
    let failure = bench.failed(&id, trusting(&url, other)).await;
    assert_eq!(failure.to_string(), "not the pinned certificate");
    bench.connections.shutdown().await;
}

/// Speaks MCP over WebSocket behind this certificate.
async fn serve_sockets(chain: Vec<CertificateDer<'static>>, key: &KeyPair) -> String {
    let acceptor = acceptor(chain, key);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            // Each by itself: a client that hesitates holds up no other.
            tokio::spawn(async move {
                // A client that does not like the certificate leaves in the middle.
                if let Ok(stream) = acceptor.accept(stream).await {
                    super::transports::serve_socket(stream).await;
                }
            });
        }
    });
    format!("wss://localhost:{port}/mcp")
}

#[tokio::test]
async fn a_secure_web_socket_is_trusted_by_the_same_rules() {
    let own = Authority::new("own");
    let (chain, key) = own.certificate("localhost", |_| {});
    let url = serve_sockets(chain, &key).await;
    let bench = Bench::new();
    let failure = bench.failed(&server("unknown"), http(&url)).await;
    let Failure::CertificateRefused { chain, .. } = failure else {
        panic!("{failure:?}");
    };
    let pinned = Trust {
        fingerprint: chain[0].fingerprint.parse().ok(),
        ..Trust::default()
    };
    for (name, trust) in [("issued", authority(&own.file)), ("pinned", pinned)] {
        let id = server(name);
        let status = bench.ready(&id, trusting(&url, trust)).await;
        let facts = status.handshake.unwrap();
        assert_eq!(facts.transport, TransportKind::WebSocket);
        assert_eq!(bench.call(&id, "echo", "{}").await.end, RequestEnd::Result);
    }
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_server_that_asks_for_a_client_certificate_gets_the_one_that_was_set() {
    let authority_of_all = Authority::new("own");
    let (chain, key) = authority_of_all.certificate("localhost", |_| {});
    let acceptor = acceptor_that_asks(chain, &key, Some(&authority_of_all));
    let url = serve_by(acceptor, peer::streamable()).await;
    let trust = authority(&authority_of_all.file);
    let bench = Bench::new();
    let failure = bench
        .failed(&server("without"), trusting(&url, trust.clone()))
        .await;
    let Failure::Network { message, .. } = &failure else {
        panic!("{failure:?}");
    };
    assert!(message.contains("CertificateRequired"), "{message}");

    let (chain, key) = authority_of_all.certificate("client", |_| {});
    let directory = tempfile::tempdir().unwrap();
    let in_file = |name: &str, text: String| {
        let path = directory.path().join(name);
        #[expect(clippy::disallowed_methods, reason = "tests put files in place")]
        std::fs::write(&path, text).unwrap();
        path
    };
    let certificate = in_file("client.pem", pem("CERTIFICATE", &chain[0]));
    let with = |key: PathBuf| Trust {
        client_certificate: Some(ClientCertificate {
            certificate: certificate.clone(),
            key,
        }),
        ..trust.clone()
    };
    let id = server("with");
    let whole = with(in_file("client.key", key.serialize_pem()));
    bench.ready(&id, trusting(&url, whole)).await;
    assert_eq!(bench.call(&id, "echo", "{}").await.end, RequestEnd::Result);

    let other = KeyPair::generate().unwrap().serialize_pem();
    for (file, text, said) in [
        (
            "locked.key",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMA==\n-----END ENCRYPTED PRIVATE KEY-----\n"
                .to_owned(),
            "without a password",
        ),
        ("other.key", other, "do not fit together"),
    ] {
        let spec = trusting(&url, with(in_file(file, text)));
        let failure = bench.failed(&server(file), spec).await;
        let Failure::Configuration { message } = failure else {
            panic!("{failure:?}");
        };
        assert!(message.contains(said), "{message}");
    }
    bench.connections.shutdown().await;
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = base64::engine::general_purpose::STANDARD.encode(der);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

#[tokio::test]
async fn a_ca_file_that_cannot_be_read_is_named() {
    let missing = authority(Path::new("/nowhere/authority.pem"));
    let bench = Bench::new();
    let spec = trusting("https://localhost:1/mcp", missing);
    let failure = bench.failed(&server("missing"), spec).await;
    let Failure::Configuration { message } = failure else {
        panic!("{failure:?}");
    };
    assert!(message.contains("/nowhere/authority.pem"), "{message}");
}
