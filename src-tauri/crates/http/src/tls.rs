//! TLS settings: the trusted certificates, the client's own, and a record of those that a server
//! presented.
//!
//! The system decides, with the authorities of the entry's `ca_file` beside its own. An
//! entry can also accept one certificate by its fingerprint, which is then the only one.
//! What a server showed is kept, so that a refusal can be explained and the certificate be
//! accepted.

use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex},
};

use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, Error, SignatureScheme,
    client::{
        WantsClientCert,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{
        CertificateDer, PrivateKeyDer, ServerName, UnixTime,
        pem::{self, PemObject},
    },
};
use rustls_platform_verifier::Verifier;
use sha2::{Digest, Sha256};
use sightglass_model::{
    CertificateFacts, CertificateFault, ClientCertificate, Fingerprint, Timestamp, Trust, lock,
};
use x509_parser::{
    extensions::GeneralName,
    prelude::{FromDer, X509Certificate},
};

/// Versions of HTTP that may be spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpVersions {
    Any,
    /// Requests that upgrade a connection (RFC 9110, section 7.8) exist in HTTP/1.1 only.
    One,
}

/// A chain of certificates and what became of it.
#[derive(Debug, Clone)]
pub struct ShownCertificate {
    pub chain: Vec<CertificateFacts>,
    pub refusal: Option<(CertificateFault, String)>,
}

/// Certificates that the server showed last.
#[derive(Debug, Default)]
pub(crate) struct CertificateObserver(Mutex<Option<ShownCertificate>>);

impl CertificateObserver {
    pub(crate) fn shown(&self) -> Option<ShownCertificate> {
        lock(&self.0).clone()
    }

    fn note(&self, shown: ShownCertificate) {
        *lock(&self.0) = Some(shown);
    }
}

/// Makes the TLS settings for a server, if it is reached over TLS.
///
/// # Errors
/// When a file of the trust cannot be used, in words.
pub(crate) fn client_config(
    trust: &Trust,
    is_tls: bool,
    versions: HttpVersions,
) -> Result<(ClientConfig, Arc<CertificateObserver>), String> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let observer = Arc::new(CertificateObserver::default());
    let mut authorities = Vec::new();
    if is_tls {
        let files = [
            ("ca_file", &trust.ca_file),
            ("file of certificate authorities", &trust.general_ca_file),
        ];
        for (name, file) in files {
            if let Some(file) = file {
                authorities.extend(certificates(name, file)?);
            }
        }
    }
    let judge = match trust.fingerprint {
        _ if trust.accepts_any => VerificationRule::Anybody,
        Some(fingerprint) => VerificationRule::Fingerprint(fingerprint),
        None if is_tls => Verifier::new_with_extra_roots(authorities, Arc::clone(&provider))
            .map_or_else(
                |error| VerificationRule::Nobody(error.to_string()),
                VerificationRule::System,
            ),
        // Reading the authorities of the system takes a while, and is not needed here.
        None => VerificationRule::Nobody("TLS is not used with this server".to_owned()),
    };
    let verifier = ObservingVerifier {
        judge,
        observer: Arc::clone(&observer),
        provider: Arc::clone(&provider),
    };
    let unusable = |error| format!("TLS cannot be set up: {error}");
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    let mut config = match &trust.client_certificate {
        Some(files) if is_tls => authenticated(config, files)?,
        _ => config.with_no_client_auth(),
    };
    config.alpn_protocols = match versions {
        HttpVersions::Any => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
        HttpVersions::One => vec![b"http/1.1".to_vec()],
    };
    Ok((config, observer))
}

fn certificates(name: &str, file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let found = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| {
            format!(
                "the {name} {} cannot be read as PEM: {error}",
                file.display()
            )
        })?;
    if found.is_empty() {
        return Err(format!(
            "the {name} {} holds no certificate in PEM",
            file.display()
        ));
    }
    Ok(found)
}

/// Shows the client's certificate to a server that asks for one.
fn authenticated(
    config: ConfigBuilder<ClientConfig, WantsClientCert>,
    files: &ClientCertificate,
) -> Result<ClientConfig, String> {
    let chain = certificates("client certificate", &files.certificate)?;
    let shown = files.key.display();
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| match error {
        pem::Error::NoItemsFound => format!(
            "the file {shown} holds no private key that can be used: it must be PEM without a \
             password"
        ),
        error => format!("the private key {shown} cannot be read as PEM: {error}"),
    })?;
    config.with_client_auth_cert(chain, key).map_err(|error| {
        format!(
            "the client certificate {} and the key {shown} do not fit together: {error}",
            files.certificate.display()
        )
    })
}

enum VerificationRule {
    System(Verifier),
    Fingerprint(Fingerprint),
    /// The user said so for this call.
    Anybody,
    /// There are no authorities, for this reason.
    Nobody(String),
}

/// Lets the judge decide, and keeps what was shown.
struct ObservingVerifier {
    judge: VerificationRule,
    observer: Arc<CertificateObserver>,
    provider: Arc<CryptoProvider>,
}

impl fmt::Debug for ObservingVerifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ObservingVerifier")
    }
}

impl ObservingVerifier {
    fn verdict(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match &self.judge {
            VerificationRule::System(verifier) => {
                verifier.verify_server_cert(certificate, intermediates, name, ocsp, now)
            }
            VerificationRule::Fingerprint(accepted) if fingerprint(certificate) == *accepted => {
                Ok(ServerCertVerified::assertion())
            }
            VerificationRule::Anybody => Ok(ServerCertVerified::assertion()),
            VerificationRule::Fingerprint(_) => Err(Error::General(
                "the server shows another certificate than the accepted one".to_owned(),
            )),
            VerificationRule::Nobody(reason) => Err(Error::General(reason.clone())),
        }
    }
}

impl ServerCertVerifier for ObservingVerifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verdict = self.verdict(certificate, intermediates, name, ocsp, now);
        let chain: Vec<CertificateFacts> = std::iter::once(certificate)
            .chain(intermediates)
            .map(|certificate| facts(certificate))
            .collect();
        let refusal = verdict
            .as_ref()
            .err()
            .map(|error| (fault(error, &self.judge, &chain), message(error)));
        self.observer.note(ShownCertificate { chain, refusal });
        verdict
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

fn fingerprint(certificate: &CertificateDer<'_>) -> Fingerprint {
    Fingerprint(Sha256::digest(certificate).into())
}

fn fault(error: &Error, judge: &VerificationRule, chain: &[CertificateFacts]) -> CertificateFault {
    if matches!(judge, VerificationRule::Fingerprint(_)) {
        return CertificateFault::NotTheAccepted;
    }
    let self_signed = chain
        .first()
        .is_some_and(|certificate| certificate.subject == certificate.issuer);
    match error {
        Error::InvalidCertificate(error) => match error {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                CertificateFault::Expired
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                CertificateFault::NotYetValid
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                CertificateFault::WrongName
            }
            _ if self_signed => CertificateFault::SelfSigned,
            CertificateError::UnknownIssuer => CertificateFault::UnknownIssuer,
            _ => CertificateFault::Other,
        },
        _ => CertificateFault::Other,
    }
}

fn message(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(error) => error.to_string(),
        Error::General(message) => message.clone(),
        error => error.to_string(),
    }
}

/// Reads the facts of a certificate; what cannot be read is empty.
fn facts(certificate: &CertificateDer<'_>) -> CertificateFacts {
    let fingerprint = fingerprint(certificate).to_string();
    let Ok((_, parsed)) = X509Certificate::from_der(certificate) else {
        return CertificateFacts {
            subject: String::new(),
            issuer: String::new(),
            names: Vec::new(),
            not_before: Timestamp::from_millis(0.0),
            not_after: Timestamp::from_millis(0.0),
            fingerprint,
        };
    };
    let moment =
        |time: x509_parser::time::ASN1Time| Timestamp::from_seconds(time.timestamp() as f64);
    CertificateFacts {
        subject: parsed.subject().to_string(),
        issuer: parsed.issuer().to_string(),
        names: names(&parsed),
        not_before: moment(parsed.validity().not_before),
        not_after: moment(parsed.validity().not_after),
        fingerprint,
    }
}

/// The subject's alternative names (RFC 5280, section 4.2.1.6).
fn names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let Ok(Some(extension)) = certificate.subject_alternative_name() else {
        return Vec::new();
    };
    extension
        .value
        .general_names
        .iter()
        .filter_map(|name| match name {
            GeneralName::DNSName(name) => Some((*name).to_owned()),
            GeneralName::IPAddress(bytes) => match <[u8; 4]>::try_from(*bytes) {
                Ok(four) => Some(std::net::IpAddr::from(four).to_string()),
                Err(_) => <[u8; 16]>::try_from(*bytes)
                    .ok()
                    .map(|sixteen| std::net::IpAddr::from(sixteen).to_string()),
            },
            _ => None,
        })
        .collect()
}
