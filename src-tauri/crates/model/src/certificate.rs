//! Facts of a server's certificate, and the fault for which it is refused.

use std::fmt;

use serde::Serialize;

use crate::Timestamp;

/// One certificate of the chain that a server showed.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CertificateFacts {
    /// The subject's distinguished name, as in `CN=example.com`.
    pub subject: String,
    pub issuer: String,
    /// The hosts and addresses it is for.
    pub names: Vec<String>,
    /// The first moment of its validity.
    pub not_before: Timestamp,
    /// The last moment.
    pub not_after: Timestamp,
    /// SHA-256 in pairs of hexadecimal digits with colons.
    pub fingerprint: String,
}

/// Fault of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CertificateFault {
    Expired,
    NotYetValid,
    /// It is for other hosts than the one that was asked.
    WrongName,
    SelfSigned,
    /// Issued by an authority that this system does not trust.
    UnknownIssuer,
    /// The entry accepts one certificate only, and this is another.
    NotTheAccepted,
    Other,
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CertificateFault::Expired => "certificate expired",
            CertificateFault::NotYetValid => "certificate not valid yet",
            CertificateFault::WrongName => "certificate for another host",
            CertificateFault::SelfSigned => "self-signed certificate",
            CertificateFault::UnknownIssuer => "certificate of an unknown issuer",
            CertificateFault::NotTheAccepted => "not the pinned certificate",
            CertificateFault::Other => "certificate not accepted",
        })
    }
}

impl CertificateFault {
    /// Advice on what to do about it.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            CertificateFault::Expired => {
                "The server's certificate has expired. Ask its operator to renew it. If you trust \
                 the server, accept this certificate."
            }
            CertificateFault::NotYetValid => {
                "The server's certificate is not valid yet. Check this computer's clock. If it is \
                 right and you trust the server, accept this certificate."
            }
            CertificateFault::WrongName => {
                "The certificate is for another host than the address. Check the address. If you \
                 trust the server, accept this certificate."
            }
            CertificateFault::SelfSigned => {
                "The certificate is self-signed. If you trust the server, compare the fingerprint \
                 and accept this certificate."
            }
            CertificateFault::UnknownIssuer => {
                "The certificate's issuer is not trusted by this system. Add the issuer's \
                 certificate with ca_file. If you trust the server, accept this certificate."
            }
            CertificateFault::NotTheAccepted => {
                "The server's certificate differs from the pinned one. If it was renewed, accept \
                 the new one. If not, the connection may be intercepted."
            }
            CertificateFault::Other => {
                "The certificate cannot be verified. If you trust the server, accept this \
                 certificate."
            }
        }
    }
}
