//! Certificates for servers of the tests: made anew for each, so that none ever runs out.

use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use tempfile::TempDir;

/// An authority of our own, and what it issues, as files.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    directory: TempDir,
}

/// The files of a certificate and its key.
pub struct Certificate {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl Certificate {
    pub fn files(&self) -> [&Path; 2] {
        [&self.certificate, &self.key]
    }
}

impl Authority {
    pub fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params
            .distinguished_name
            .push(DnType::CommonName, "Sightglass tests");
        let certificate = params.self_signed(&key).expect("signed");
        let directory = TempDir::new().expect("a temporary directory");
        std::fs::write(directory.path().join("authority.pem"), certificate.pem()).expect("written");
        Self {
            issuer: Issuer::new(params, key),
            directory,
        }
    }

    /// The authority's own certificate, for whoever trusts it.
    pub fn file(&self) -> PathBuf {
        self.directory.path().join("authority.pem")
    }

    /// A certificate for a name that is good now.
    pub fn issue(&self, name: &str) -> Certificate {
        self.certificate(name, |_| {})
    }

    /// One that was good once.
    pub fn issue_expired(&self, name: &str) -> Certificate {
        self.certificate(name, |params| {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        })
    }

    /// One that nobody vouches for but itself.
    pub fn self_signed(&self, name: &str) -> Certificate {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        let certificate = params.self_signed(&key).expect("signed");
        self.keep(&certificate.pem(), &key)
    }

    fn certificate(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> Certificate {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        change(&mut params);
        let certificate = params.signed_by(&key, &self.issuer).expect("signed");
        self.keep(&certificate.pem(), &key)
    }

    fn keep(&self, certificate: &str, key: &KeyPair) -> Certificate {
        let directory = tempfile::tempdir_in(self.directory.path())
            .expect("a directory")
            .keep();
        let files = Certificate {
            certificate: directory.join("certificate.pem"),
            key: directory.join("key.pem"),
        };
        std::fs::write(&files.certificate, certificate).expect("written");
        std::fs::write(&files.key, key.serialize_pem()).expect("written");
        files
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}
