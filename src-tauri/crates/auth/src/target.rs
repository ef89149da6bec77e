//! Describes a server that one can sign in to, and masks what its entry gives away.
//!
//! A URL may hold credentials, and values of variables. It is needed as it is to reach the server
//! and to compare addresses; what is shown or stored of it is masked.

use std::ops::Deref;

use sha2::{Digest, Sha256};
use sightglass_model::{Endpoint, PermittedSpec, ServerId, ServerSpec, Trust};
use sightglass_secrets::{Redactor, Secret, mask_url, named_value_secrets, url_secrets};

use url::Url;

use crate::{AuthSettings, Binding, SettingSecret, oauth::metadata::canonical};

/// A server that one can sign in to, as the configuration describes it.
#[derive(Debug, Clone)]
pub struct Target {
    pub server: ServerId,
    /// The server's name, as the user knows it.
    pub name: String,
    /// URL that requests are sent to. It may hold secrets. Of another crate only [`new`](Self::new)
    /// sets it.
    pub(crate) url: String,
    /// The values that the variables of its entry were expanded to.
    pub expanded: Vec<Secret<String>>,
    /// The project whose files define it; absent for a server of the user's own.
    pub project: Option<String>,
    /// The headers that the configuration adds to every request.
    pub headers: Vec<(String, Secret<String>)>,
    /// Certificates that it is trusted by.
    pub trust: Trust,
    /// The settings for signing in that the configuration holds.
    pub configured: AuthSettings,
    /// The client secret in the configuration.
    pub configured_secret: Option<Secret<String>>,
    /// The client that was named for this run of the program. It wins over what is saved, which
    /// stays as it is.
    pub client: Option<NamedClient>,
}

/// Server that one can sign in to, and that may be contacted.
///
/// Whatever sends a request takes one of these. What only shows, changes or forgets what is kept
/// here takes a [`Target`]: that stays possible for a server that a rule refuses by now.
#[derive(Debug, Clone)]
pub struct PermittedTarget(Target);

impl PermittedTarget {
    /// Takes the description of a server that the rules let through; `None` where it is of another
    /// address than they judged.
    pub fn new(target: Target, spec: &PermittedSpec) -> Option<Self> {
        let is_judged =
            matches!(&spec.endpoint, Endpoint::Remote(remote) if remote.url == target.url);
        is_judged.then_some(Self(target))
    }
}

impl Deref for PermittedTarget {
    type Target = Target;

    fn deref(&self) -> &Target {
        &self.0
    }
}

/// A client that was registered by hand.
#[derive(Debug, Clone)]
pub struct NamedClient {
    pub id: String,
    pub secret: Option<Secret<String>>,
}

impl Target {
    /// Describes a server, with what its entry says and no settings; `None` where it is not reached
    /// over HTTP.
    pub fn new(server: ServerId, spec: &ServerSpec) -> Option<Self> {
        let Endpoint::Remote(remote) = &spec.endpoint else {
            return None;
        };
        if remote.url.starts_with("unix:") {
            return None;
        }
        Some(Self {
            server,
            name: spec.name.clone(),
            url: remote.url.clone(),
            expanded: spec.expanded.clone(),
            project: None,
            headers: remote.headers.clone().into_iter().collect(),
            trust: remote.trust.clone(),
            configured: AuthSettings::default(),
            configured_secret: None,
            client: None,
        })
    }

    /// The secret that was named for this run together with this client.
    pub(crate) fn named_secret(&self, client_id: &str) -> Option<Secret<String>> {
        self.client
            .as_ref()
            .filter(|named| named.id == client_id)
            .and_then(|named| named.secret.clone())
    }

    /// Returns true when the configuration supplies its own `Authorization`.
    pub(crate) fn has_authorization(&self) -> bool {
        self.headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
    }

    /// Returns the values that must not be recorded or shown.
    pub(crate) fn secrets(&self) -> Vec<Secret<String>> {
        named_value_secrets(self.headers.iter().map(|(name, value)| (name, value)))
            .into_iter()
            .chain(url_secrets(&self.url))
            .chain(self.expanded.iter().cloned())
            .chain(self.configured_secret.clone())
            .chain(self.client.iter().filter_map(|named| named.secret.clone()))
            .collect()
    }

    /// Masks the values that must not be recorded or shown.
    pub(crate) fn redactor(&self) -> Redactor {
        Redactor::new(self.secrets())
    }

    /// The binding of what is entered for this server now.
    pub(crate) fn binding(&self) -> Binding {
        Binding {
            origin: match Url::parse(&self.url) {
                Ok(url) if url.origin().is_tuple() => url.origin().ascii_serialization(),
                _ => self.address(),
            },
            project: self.project.clone(),
        }
    }

    /// The name under which the vault keeps a secret that was entered for this server, at its
    /// present origin.
    pub(crate) fn secret_name(&self, secret: &SettingSecret) -> String {
        secret_name(&self.server, Some(&self.binding()), secret)
    }

    /// Returns the URL as it may be shown.
    pub(crate) fn shown_url(&self) -> String {
        self.redactor()
            .text(mask_url(&self.url).into())
            .into_owned()
    }

    /// Returns a text that differs when the URL does, to be stored with a grant. Of a URL with
    /// secrets it is the masked one with a digest of the whole.
    pub(crate) fn address(&self) -> String {
        self.stored_address(&self.url)
    }

    /// Returns an address of this server's settings as [`address`](Self::address) stores its own.
    pub(crate) fn stored_address(&self, url: &str) -> String {
        let shown = self.redactor().text(mask_url(url).into()).into_owned();
        if shown == url {
            return shown;
        }
        format!("{shown} ({:.16x})", Sha256::digest(url))
    }

    /// Returns the resource (RFC 8707) as it is stored with a grant: empty where it is the
    /// server's own address and that holds a secret.
    pub(crate) fn stored_resource(&self, resource: &str) -> String {
        let shown = self.redactor().text(mask_url(resource).into()).into_owned();
        if shown != resource && self.own_resource().as_deref() == Some(resource) {
            return String::new();
        }
        resource.to_owned()
    }

    /// Returns the resource of a grant, as [`stored_resource`](Self::stored_resource) stored it.
    pub(crate) fn resource_of(&self, stored: &str) -> String {
        if stored.is_empty() {
            return self.own_resource().unwrap_or_default();
        }
        stored.to_owned()
    }

    fn own_resource(&self) -> Option<String> {
        Url::parse(&self.url).ok().map(|url| canonical(&url))
    }
}

/// The name under which the vault keeps an entered secret. Without a binding: of one that was
/// stored before secrets were bound, which is sent nowhere.
pub(crate) fn secret_name(
    server: &ServerId,
    binding: Option<&Binding>,
    secret: &SettingSecret,
) -> String {
    let what = match secret {
        SettingSecret::ClientSecret => "client-secret".to_owned(),
        SettingSecret::PrivateKey => "private-key".to_owned(),
        SettingSecret::Bearer => "bearer".to_owned(),
        SettingSecret::Header { name } => format!("header {}", name.to_ascii_lowercase()),
        SettingSecret::IdToken => "id-token".to_owned(),
        SettingSecret::IdpClientSecret => "idp-client-secret".to_owned(),
        SettingSecret::Assertion => "assertion".to_owned(),
    };
    match binding {
        None => format!("setting {server} {what}"),
        Some(Binding {
            origin,
            project: None,
        }) => format!("setting {server} {what} for {origin}"),
        Some(Binding {
            origin,
            project: Some(project),
        }) => format!("setting {server} {what} for {origin} in {project}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str, expanded: &[&str]) -> Target {
        Target {
            server: ServerId::new("mcp-json", "one"),
            name: "one".to_owned(),
            url: url.to_owned(),
            expanded: expanded
                .iter()
                .map(|value| Secret::new((*value).to_owned()))
                .collect(),
            project: None,
            headers: Vec::new(),
            trust: Trust::default(),
            configured: AuthSettings::default(),
            configured_secret: None,
            client: None,
        }
    }

    #[test]
    fn an_address_without_secrets_is_stored_as_it_is() {
        let plain = target("https://host.test/mcp", &[]);
        assert_eq!(plain.address(), "https://host.test/mcp");
        assert_eq!(plain.shown_url(), "https://host.test/mcp");
    }

    #[test]
    fn an_address_with_secrets_is_masked_and_still_told_from_others() {
        let one = target(
            "https://me:pw@host.test/tenant-one/mcp?key=a",
            &["tenant-one"],
        );
        let other = target(
            "https://me:pw@host.test/tenant-two/mcp?key=a",
            &["tenant-two"],
        );
        assert_eq!(one.shown_url(), "https://•••@host.test/•••/mcp?key=•••");
        assert_eq!(one.shown_url(), other.shown_url());
        assert!(one.address().starts_with(&one.shown_url()));
        assert_ne!(one.address(), other.address());
    }

    #[test]
    fn a_resource_with_secrets_is_not_stored_and_known_again() {
        let plain = target("https://host.test/mcp", &[]);
        let stored = plain.stored_resource("https://host.test/mcp");
        assert_eq!(stored, "https://host.test/mcp");
        let url = "https://host.test/tenant-one/mcp";
        let secret = target(url, &["tenant-one"]);
        let stored = secret.stored_resource(url);
        assert!(stored.is_empty(), "{stored}");
        assert_eq!(secret.resource_of(&stored), url);
        // The resource that metadata names is another one, without the secret.
        let stored = secret.stored_resource("https://host.test");
        assert_eq!(secret.resource_of(&stored), "https://host.test");
    }

    #[test]
    fn a_secret_has_another_name_for_every_origin_and_project() {
        let server = ServerId::new("mcp-json", "github");
        let bindings = [
            None,
            Some(for_origin("https://api.github.com", None)),
            Some(for_origin("https://api.github.com:8443", None)),
            Some(for_origin("http://api.github.com", None)),
            Some(for_origin("https://api.github.com", Some("/work/one"))),
            Some(for_origin("https://api.github.com", Some("/work/two"))),
            Some(for_origin("https://evil.example", None)),
        ];
        let names: std::collections::HashSet<String> = bindings
            .iter()
            .map(|binding| secret_name(&server, binding.as_ref(), &SettingSecret::Bearer))
            .collect();
        assert_eq!(names.len(), bindings.len());
    }

    fn for_origin(origin: &str, project: Option<&str>) -> Binding {
        Binding {
            origin: origin.to_owned(),
            project: project.map(str::to_owned),
        }
    }
}
