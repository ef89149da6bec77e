//! Listens for the scripted servers on a port of this machine, plainly or over TLS.

use std::{io, net::SocketAddr, sync::Arc};

use axum::serve::Listener;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use crate::certificates::Certificate;

/// A name, and the certificate that is shown to whoever asks for it.
pub struct Secured {
    pub host: String,
    pub certificate: Certificate,
}

impl Secured {
    /// This machine, by its address.
    pub fn here(certificate: Certificate) -> Self {
        Self::named("127.0.0.1", certificate)
    }

    pub fn named(host: &str, certificate: Certificate) -> Self {
        Self {
            host: host.to_owned(),
            certificate,
        }
    }

    fn acceptor(&self) -> TlsAcceptor {
        let [certificate, key] = self.certificate.files();
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect)
            .expect("a certificate in PEM");
        let key = PrivateKeyDer::from_pem_file(key).expect("a key in PEM");
        let provider = Arc::new(aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("they fit");
        TlsAcceptor::from(Arc::new(config))
    }
}

pub(crate) trait Way: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Way for T {}

pub(crate) struct TlsListener {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    host: String,
}

impl TlsListener {
    pub async fn open(secured: Option<&Secured>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        Self {
            listener: listener.expect("loopback has free ports"),
            tls: secured.map(Secured::acceptor),
            host: secured.map_or_else(|| "127.0.0.1".to_owned(), |secured| secured.host.clone()),
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("bound")
    }

    pub fn origin(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}:{}", self.host, self.address().port())
    }
}

impl Listener for TlsListener {
    type Io = Box<dyn Way>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let Ok((stream, address)) = self.listener.accept().await else {
                continue;
            };
            match &self.tls {
                None => return (Box::new(stream), address),
                // Whoever does not like the certificate goes away again.
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => return (Box::new(stream), address),
                    Err(_) => continue,
                },
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}
