//! Settings of single servers.
//!
//! Of the protocol and the limits the server's own setting counts first, then its entry, then the
//! environment, then the setting for all servers. A project's files can set none of these: they
//! are kept in the data directory, under the project, the server and who defines it.

use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};
use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, files::DataFiles, per_server::PerServer,
    view::ServerSettings,
};
use sightglass_model::{
    ClientCertificate, ClientOptions, DeclaredCapabilities, Endpoint, EraChoice, ServerId,
    ServerSpec, TimeLimits, lock,
};

use crate::{limits, settings_keys::SettingsKeys};

/// The settings of every server.
pub struct SavedServerSettings {
    keys: Arc<SettingsKeys>,
    data: DataFiles,
    kept: Mutex<PerServer<ServerSettings>>,
}

impl SavedServerSettings {
    pub fn new(keys: Arc<SettingsKeys>, data: DataFiles) -> Self {
        Self {
            keys,
            kept: Mutex::new(data.read_server_settings()),
            data,
        }
    }

    /// Returns the settings of a server; the defaults where none were set.
    pub fn of(&self, server: &ServerId) -> ServerSettings {
        // Few servers have any. Each call of a tool asks twice, and who defines a server takes longer
        // to find out.
        if !lock(&self.kept).has(server) {
            return ServerSettings::default();
        }
        let key = self.keys.of(server);
        let kept = lock(&self.kept);
        kept.of(&key).cloned().unwrap_or_else(|| ServerSettings {
            record: kept
                .before_definers(&key)
                .is_none_or(|before| before.record),
            ..ServerSettings::default()
        })
    }

    /// Changes what is on the disk: another program may have added some.
    pub fn save(
        &self,
        server: &ServerId,
        settings: Option<ServerSettings>,
    ) -> Result<(), InspectorError> {
        let mut kept = lock(&self.kept);
        *kept = self.data.read_server_settings();
        kept.set(self.keys.of(server), settings);
        self.data.write_server_settings(&kept)
    }
}

/// Settings of single servers.
pub struct SettingsByServer {
    pub(crate) core: Arc<Core>,
    pub(crate) saved: Arc<SavedServerSettings>,
}

#[commands]
impl SettingsByServer {
    /// Returns the settings of a server; the defaults where none were set.
    #[command(name = "get_server_settings")]
    pub fn server_settings(&self, server: &ServerId) -> ServerSettings {
        self.saved.of(server)
    }

    /// Completes how a server is reached by its own settings and those for all servers.
    pub fn with_settings(&self, server: &ServerId, mut spec: ServerSpec) -> ServerSpec {
        let own = self.server_settings(server);
        let protocol = own.protocol.or_else(|| {
            let is_open = spec.era == EraChoice::Auto;
            is_open.then(|| lock(&self.core.settings).defaults.protocol)
        });
        if let Some(protocol) = protocol {
            spec.era = protocol.era();
            spec.client.revision = protocol.revision();
        }
        let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        spec.client = ClientOptions {
            name: given(&own.client_name),
            version: given(&own.client_version),
            capabilities: DeclaredCapabilities {
                roots: own.roots,
                sampling: own.sampling,
                elicitation: own.elicitation,
                tasks: own.tasks,
                // Held to be an object when it was saved.
                extensions: declared_extensions(&own.extensions).unwrap_or_default(),
            },
            ..spec.client
        };
        spec.is_recorded = own.record;
        spec.limits = self.complete_limits(server, &spec.limits, &spec.endpoint);
        if let Endpoint::Remote(remote) = &mut spec.endpoint {
            let general = self.core.general_trust();
            remote.trust.general_ca_file = general.general_ca_file;
            let is_for_it = origin_of(&remote.url).as_ref() == Some(&own.certificate_origin);
            remote.trust.client_certificate = given(&own.certificate_file)
                .filter(|_| is_for_it)
                .map(|certificate| ClientCertificate {
                    certificate: certificate.into(),
                    key: own.key_file.into(),
                });
        }
        spec
    }

    /// Returns the limits of an entry, with all that counts where it says nothing.
    pub fn complete_limits(
        &self,
        server: &ServerId,
        limits: &TimeLimits,
        endpoint: &Endpoint,
    ) -> TimeLimits {
        let own = self.server_settings(server);
        let general = lock(&self.core.settings).defaults.clone();
        limits::completed(
            limits,
            endpoint,
            &own,
            &general,
            &self.core.options.environment,
        )
    }

    /// Returns the era that a server is connected with, of the era that its entry says.
    pub fn era(&self, server: &ServerId, entry: EraChoice) -> EraChoice {
        match (self.server_settings(server).protocol, entry) {
            (Some(protocol), _) => protocol.era(),
            (None, EraChoice::Auto) => lock(&self.core.settings).defaults.protocol.era(),
            (None, entry) => entry,
        }
    }
}

/// Scheme, host and port of an address that is reached over TLS.
pub fn origin_of(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    let is_tls = matches!(url.scheme(), "https" | "wss");
    is_tls.then(|| url.origin().ascii_serialization())
}

/// Reads the extensions that a client declares: settings by identifier.
pub fn declared_extensions(text: &str) -> Result<Map<String, Value>, InspectorError> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let extensions: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        InspectorError::InvalidInput(format!(
            "The extensions are a JSON object by identifier, such as \
             {{\"io.modelcontextprotocol/ui\": {{}}}}: {error}."
        ))
    })?;
    match extensions
        .iter()
        .find(|(_, settings)| !settings.is_object())
    {
        None => Ok(extensions),
        Some((name, _)) => Err(InspectorError::InvalidInput(format!(
            "The settings of the extension {name} are a JSON object; {{}} where it has none."
        ))),
    }
}
