use sightglass_model::{ServerId, Trust};
use sightglass_secrets::{Secret, named_value_secrets, url_secrets};

use crate::AuthSettings;

/// A server that one can sign in to, as the configuration describes it.
#[derive(Debug, Clone)]
pub struct Target {
    pub server: ServerId,
    /// The server's name, as a person knows it.
    pub name: String,
    pub url: String,
    /// The project whose files define it; absent for a server of the user's own.
    pub project: Option<String>,
    /// The headers that the configuration adds to every request.
    pub headers: Vec<(String, Secret<String>)>,
    /// Which certificates count for it.
    pub trust: Trust,
    /// What the configuration says about signing in.
    pub configured: AuthSettings,
    /// The client secret in the configuration.
    pub configured_secret: Option<Secret<String>>,
    /// The client that was named for this run of the program. It wins over what is saved, which
    /// stays as it is.
    pub client: Option<NamedClient>,
}

/// A client that was registered by hand.
#[derive(Debug, Clone)]
pub struct NamedClient {
    pub id: String,
    pub secret: Option<Secret<String>>,
}

impl Target {
    /// The secret that was named for this run together with this client.
    pub(crate) fn named_secret(&self, client_id: &str) -> Option<Secret<String>> {
        self.client
            .as_ref()
            .filter(|named| named.id == client_id)
            .and_then(|named| named.secret.clone())
    }

    /// Whether the configuration supplies its own `Authorization`.
    pub(crate) fn has_authorization(&self) -> bool {
        self.headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
    }

    /// What must not appear in the record.
    pub(crate) fn secrets(&self) -> Vec<Secret<String>> {
        named_value_secrets(self.headers.iter().map(|(name, value)| (name, value)))
            .into_iter()
            .chain(url_secrets(&self.url))
            .chain(self.configured_secret.clone())
            .chain(self.client.iter().filter_map(|named| named.secret.clone()))
            .collect()
    }
}
