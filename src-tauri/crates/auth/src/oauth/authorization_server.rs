//! Identifies an authorization server by more than the issuer that its metadata claims.

use serde::{Deserialize, Serialize};
use url::Url;

use super::metadata::{is_same_issuer, origin, server_variants};

/// Identity of an authorization server: its issuer identifier and the place of its metadata.
///
/// The well-known places that are built from an issuer vouch for it (RFC 8414, section 3.3).
/// Metadata from any other place can claim any issuer, so that a registration, a grant or an
/// agreement counts for both together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AuthorizationServer {
    pub issuer: String,
    /// Absent in grants that were stored before it was: they are nobody's.
    #[serde(default, rename = "metadata")]
    pub place: Option<MetadataPlace>,
}

/// Place of the metadata of an authorization server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MetadataPlace {
    /// One of those that are built from the issuer, or none, where the endpoints are built so.
    #[default]
    WellKnown,
    /// Another one, with its secrets masked.
    At(String),
}

impl MetadataPlace {
    /// Returns the place of metadata that was found at a URL and claims this issuer.
    pub fn of(issuer: &str, url: &Url, stored: impl FnOnce(&str) -> String) -> Self {
        let is_well_known = Url::parse(issuer).is_ok_and(|issuer| {
            let variants = server_variants(&issuer);
            variants.iter().any(|variant| variant.url == *url)
        });
        if is_well_known {
            Self::WellKnown
        } else {
            Self::At(stored(url.as_str()))
        }
    }
}

impl AuthorizationServer {
    /// Returns true when both are the same authorization server; a slash at the end of the issuer
    /// is no difference.
    pub fn is_same(&self, other: &Self) -> bool {
        is_same_issuer(&self.issuer, &other.issuer) && self.place == other.place
    }

    /// Returns what answers for the metadata: the issuer, or the origin of a place elsewhere.
    pub fn responsible(&self) -> String {
        match &self.place {
            Some(MetadataPlace::At(place)) if origin(place) != origin(&self.issuer) => {
                origin(place).unwrap_or_else(|| place.clone())
            }
            _ => self.issuer.clone(),
        }
    }

    /// Returns the name under which the vault keeps the secret of a registered client. As JSON,
    /// in which no part can be taken for another.
    pub fn client_secret_name(&self, client_id: &str) -> String {
        let parts = serde_json::json!([self.issuer, self.place, client_id]);
        format!("registered client {parts}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(issuer: &str, place: &str) -> AuthorizationServer {
        let url = place.parse().expect("an address");
        AuthorizationServer {
            issuer: issuer.to_owned(),
            place: Some(MetadataPlace::of(issuer, &url, str::to_owned)),
        }
    }

    #[test]
    fn only_the_places_that_are_built_from_an_issuer_vouch_for_it() {
        for (issuer, place) in [
            (
                "https://as.test",
                "https://as.test/.well-known/oauth-authorization-server",
            ),
            (
                "https://as.test/",
                "https://as.test/.well-known/openid-configuration",
            ),
            (
                "https://as.test/tenant",
                "https://as.test/tenant/.well-known/openid-configuration",
            ),
        ] {
            assert_eq!(found(issuer, place).responsible(), issuer);
            assert_eq!(found(issuer, place).place, Some(MetadataPlace::WellKnown));
        }
        let elsewhere = found(
            "https://as.test",
            "https://evil.test/.well-known/oauth-authorization-server",
        );
        assert_eq!(elsewhere.responsible(), "https://evil.test");
        let other_path = found("https://as.test/a", "https://as.test/b/metadata");
        assert_ne!(other_path.place, Some(MetadataPlace::WellKnown));
        assert_eq!(other_path.responsible(), "https://as.test/a");
    }

    #[test]
    fn two_places_that_claim_one_issuer_are_two_authorization_servers() {
        let own = found(
            "https://as.test",
            "https://as.test/.well-known/oauth-authorization-server",
        );
        let claimed = found("https://as.test", "https://evil.test/metadata");
        assert!(!own.is_same(&claimed));
        assert_ne!(
            own.client_secret_name("client"),
            claimed.client_secret_name("client")
        );
        let with_slash = AuthorizationServer {
            issuer: "https://as.test/".to_owned(),
            ..own.clone()
        };
        assert!(own.is_same(&with_slash));
        let before_it_was_kept: AuthorizationServer =
            serde_json::from_str(r#"{"issuer":"https://as.test"}"#).expect("read");
        assert!(!own.is_same(&before_it_was_kept));
    }
}
