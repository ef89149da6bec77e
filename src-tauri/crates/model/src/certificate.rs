//! Facts of a server's certificate, and the fault for which it is refused.

use std::fmt;

use serde::Serialize;

use crate::Timestamp;

/// One certificate of the chain that a server showed.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
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
#[serde(rename_all = "snake_case")]
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
            CertificateFault::NotTheAccepted => "not the accepted certificate",
            CertificateFault::Other => "certificate not accepted",
        })
    }
}

impl CertificateFault {
    /// Advice on what to do about it.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            CertificateFault::Expired => {
                "The certificate of the server has expired. Whoever runs it should renew it; if \
                 you know the server, accept this certificate."
            }
            CertificateFault::NotYetValid => {
                "The certificate of the server is not valid yet. Check the clock of this \
                 computer; if it is right and you know the server, accept this certificate."
            }
            CertificateFault::WrongName => {
                "The certificate is for another host than the one in the address. Check the \
                 address; if you know the server, accept this certificate."
            }
            CertificateFault::SelfSigned => {
                "The server vouches for itself. If you know it, compare the fingerprint and \
                 accept this certificate."
            }
            CertificateFault::UnknownIssuer => {
                "Nobody whom this system trusts issued the certificate. Name the issuer's \
                 certificate with ca_file, or accept this one certificate if you know the server."
            }
            CertificateFault::NotTheAccepted => {
                "The server shows another certificate than the one accepted before. If it was \
                 renewed, accept the new one; if not, somebody may stand between you and the server."
            }
            CertificateFault::Other => {
                "The certificate cannot be checked. If you know the server, accept this certificate."
            }
        }
    }
}
