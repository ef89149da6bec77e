//! Store of `auth.json` in the data directory: settings, identities and registrations, without
//! their secrets. It is changed under a lock that other programs respect, after reading it again. It
//! is held in memory, since every request looks at it, and read when the file is another one.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Once},
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;
use sightglass_files::{FileLock, Replacement, Visibility, create_private_directory};
use sightglass_model::{ServerId, Timestamp, camel_case, lock, rename_stored};
use url::Url;

use crate::{
    AuthSettings, AuthStoreError, Binding, ClientAuthMethod, EndpointQuestion, RegistrationKind,
    Target,
    oauth::authorization_server::{AuthorizationServer, MetadataPlace},
    settings::effective,
};

/// The name of the identity that every server has.
pub(crate) const DEFAULT_IDENTITY: &str = "default";

/// Time that another program may hold the file, which it does for one write.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// Content of `auth.json`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "StoredRecords")]
pub(crate) struct AuthRecords {
    pub servers: BTreeMap<ServerId, ServerRecord>,
    /// Registrations of clients, by authorization server.
    pub registrations: Vec<Registration>,
    /// Endpoints at two origins that the user agreed to.
    pub agreed_endpoints: Vec<AgreedEndpoints>,
    /// Names of the vault's secrets whose registrations were dropped, until they are removed there.
    pub unused_secrets: Vec<String>,
}

/// Content of `auth.json` as this version or an earlier one wrote it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct StoredRecords {
    servers: BTreeMap<ServerId, ServerRecord>,
    registrations: Vec<Value>,
    agreed_endpoints: Vec<AgreedEndpoints>,
    unused_secrets: Vec<String>,
}

impl From<StoredRecords> for AuthRecords {
    /// Reads registrations. Those that were stored before their authorization server was known by
    /// the place of its metadata are dropped: any server could have made them in the name of
    /// another.
    fn from(stored: StoredRecords) -> Self {
        static REPORTED: Once = Once::new();
        let mut records = Self {
            servers: stored.servers,
            registrations: Vec::new(),
            agreed_endpoints: stored.agreed_endpoints,
            unused_secrets: stored.unused_secrets,
        };
        let count = stored.registrations.len();
        for registration in stored.registrations {
            let secret = former_secret_name(&registration);
            match serde_json::from_value(registration) {
                Ok(registration) => records.registrations.push(registration),
                Err(_) => records.record_unused(secret),
            }
        }
        let dropped = count - records.registrations.len();
        if dropped > 0 {
            REPORTED.call_once(|| {
                tracing::info!(
                    "{dropped} client registrations of an earlier version are not used: it did not \
                     keep where their authorization server was found. The next sign-in registers \
                     anew"
                );
            });
        }
        records
    }
}

/// Returns the name under which an earlier version kept the secret of a registered client, which is
/// used no more.
fn former_secret_name(registration: &Value) -> Option<String> {
    let issuer = registration.get("issuer")?.as_str()?;
    let client_id = registration.get("client_id")?.as_str()?;
    Some(format!("client {issuer} {client_id}"))
}

/// The origins of an authorization server that the user agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgreedEndpoints {
    pub authorization_server: AuthorizationServer,
    pub authorization: String,
    pub token: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ServerRecord {
    /// Stored before settings were bound to an origin: they count nowhere until the user says for
    /// which server they are.
    #[serde(rename = "settings", deserialize_with = "stored_settings")]
    pub unbound_settings: AuthSettings,
    /// Entered values, by the origin and the project they were entered for.
    pub entered: Vec<EnteredValues>,
    /// The identity in use; `default` when absent.
    pub chosen: Option<String>,
    pub identities: Vec<Identity>,
}

/// Values that the user entered for a server at one origin. The secrets are in the vault.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EnteredValues {
    pub binding: Binding,
    #[serde(default, deserialize_with = "stored_settings")]
    pub settings: AuthSettings,
    /// The authorization server that may get the entered client secret, key or statement.
    pub issuer: Option<String>,
}

/// Reads settings, which an earlier version wrote in snake_case.
fn stored_settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AuthSettings, D::Error> {
    let mut settings = Value::deserialize(deserializer)?;
    rename_stored(&mut settings, &["mode"]);
    serde_json::from_value(settings).map_err(D::Error::custom)
}

/// Reads the kind of a registration, which an earlier version wrote in snake_case.
fn stored_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RegistrationKind, D::Error> {
    let kind = String::deserialize(deserializer)?;
    serde_json::from_value(Value::String(camel_case(&kind))).map_err(D::Error::custom)
}

impl ServerRecord {
    pub fn entered(&self, binding: &Binding) -> Option<&EnteredValues> {
        self.entered
            .iter()
            .find(|entered| entered.binding == *binding)
    }

    pub fn entered_mut(&mut self, binding: &Binding) -> &mut EnteredValues {
        let index = self
            .entered
            .iter()
            .position(|entered| entered.binding == *binding)
            .unwrap_or_else(|| {
                self.entered.push(EnteredValues {
                    binding: binding.clone(),
                    settings: AuthSettings::default(),
                    issuer: None,
                });
                self.entered.len() - 1
            });
        &mut self.entered[index]
    }
}

/// One named identity at one server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub name: String,
    pub grant: Option<Grant>,
    /// Reason why its grant is no longer valid.
    pub problem: Option<String>,
    /// Scopes that a request was refused for the want of, until they are granted.
    #[serde(default)]
    pub required_scopes: Vec<String>,
}

/// A grant without its tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grant {
    /// The address of the server that the grant is for, with its secrets masked. It serves no
    /// other.
    pub server_url: String,
    #[serde(flatten)]
    pub authorization_server: AuthorizationServer,
    /// The resource that the token was asked for (RFC 8707), as `Target::stored_resource` has it.
    pub resource: String,
    pub client_id: String,
    #[serde(deserialize_with = "stored_kind")]
    pub registration: RegistrationKind,
    pub auth_method: ClientAuthMethod,
    pub token_endpoint: String,
    pub revocation_endpoint: Option<String>,
    pub scopes_requested: Vec<String>,
    pub scopes_granted: Vec<String>,
    pub account: Option<String>,
    pub signed_in_at: Timestamp,
    pub issued_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub refreshable: bool,
    /// The identity provider that the ID token is from, where it is not the issuer.
    pub id_token_issuer: Option<String>,
    /// The wider address that the access token counts for.
    pub wider_resource: Option<String>,
    /// True when the server was reached at a private address, so that its authorization server may
    /// be at one too.
    #[serde(default)]
    pub is_private: bool,
    /// Moves with every refresh: a program that holds an older token reads the new one first.
    pub version: u32,
}

/// A client that an authorization server registered for us.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Registration {
    pub authorization_server: AuthorizationServer,
    pub client_id: String,
    pub auth_method: ClientAuthMethod,
    pub redirect_uri: String,
    pub registered_at: Timestamp,
    /// End of the secret (RFC 7591, section 3.2.1); absent where the response named none.
    pub secret_expires_at: Option<Timestamp>,
}

impl AuthRecords {
    pub fn identity(&self, server: &ServerId, name: &str) -> Option<&Identity> {
        self.servers
            .get(server)?
            .identities
            .iter()
            .find(|identity| identity.name == name)
    }

    pub fn identity_mut(&mut self, server: &ServerId, name: &str) -> &mut Identity {
        let identities = &mut self.servers.entry(server.clone()).or_default().identities;
        let index = identities
            .iter()
            .position(|identity| identity.name == name)
            .unwrap_or_else(|| {
                identities.push(Identity {
                    name: name.to_owned(),
                    grant: None,
                    problem: None,
                    required_scopes: Vec::new(),
                });
                identities.len() - 1
            });
        &mut identities[index]
    }

    pub fn grant(&self, server: &ServerId, name: &str) -> Option<&Grant> {
        self.identity(server, name)?.grant.as_ref()
    }

    /// Drops the registrations of a client, whose secret is used no more.
    pub fn drop_registration(&mut self, server: &AuthorizationServer, client_id: &str) {
        let before = self.registrations.len();
        self.registrations
            .retain(|known| known.authorization_server != *server || known.client_id != client_id);
        if self.registrations.len() < before {
            self.record_unused(Some(server.client_secret_name(client_id)));
        }
    }

    /// Keeps a registration in place of the one of the same client before.
    pub fn store_registration(&mut self, registration: Registration, has_secret: bool) {
        let (server, id) = (&registration.authorization_server, &registration.client_id);
        self.drop_registration(server, id);
        if has_secret {
            let name = server.client_secret_name(id);
            self.unused_secrets.retain(|unused| *unused != name);
        }
        self.registrations.push(registration);
    }

    fn record_unused(&mut self, secret: Option<String>) {
        let unused = secret.filter(|name| !self.unused_secrets.contains(name));
        self.unused_secrets.extend(unused);
    }

    pub fn chosen(&self, server: &ServerId) -> String {
        self.servers
            .get(server)
            .and_then(|record| record.chosen.clone())
            .unwrap_or_else(|| DEFAULT_IDENTITY.to_owned())
    }
}

pub(crate) struct AuthStore {
    path: PathBuf,
    read: Mutex<Option<(StoreVersion, Arc<AuthRecords>)>>,
}

/// Version of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StoreVersion {
    modified: Option<SystemTime>,
    size: u64,
    /// Every version is a file of its own.
    inode: u64,
}

impl StoreVersion {
    fn of(facts: &fs::Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(facts);
        #[cfg(not(unix))]
        let inode = 0;
        Self {
            modified: facts.modified().ok(),
            size: facts.len(),
            inode,
        }
    }
}

impl AuthStore {
    pub fn in_directory(directory: &Path) -> Self {
        Self {
            path: directory.join("auth.json"),
            read: Mutex::default(),
        }
    }

    pub fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// Reads the file.
    pub fn read(&self) -> Result<Arc<AuthRecords>, AuthStoreError> {
        let stamp = match fs::metadata(&self.path) {
            Ok(facts) => StoreVersion::of(&facts),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Arc::default()),
            Err(error) => return Err(self.failed(error)),
        };
        let known = lock(&self.read).clone();
        if let Some((_, records)) = known.filter(|(known, _)| *known == stamp) {
            return Ok(records);
        }
        let records = Arc::new(self.read_anew()?);
        // A version that came meanwhile has another stamp, and is read next time.
        *lock(&self.read) = Some((stamp, Arc::clone(&records)));
        Ok(records)
    }

    /// A damaged file is set aside rather than overwritten.
    fn read_anew(&self) -> Result<AuthRecords, AuthStoreError> {
        match fs::read(&self.path) {
            Ok(bytes) => serde_json::from_slice(&bytes).or_else(|error| {
                let aside = self.path.with_extension("json.damaged");
                tracing::warn!(
                    "{} is damaged ({error}) and is kept as {}",
                    self.path.display(),
                    aside.display()
                );
                fs::rename(&self.path, &aside).map_err(|source| self.failed(source))?;
                Ok(AuthRecords::default())
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(AuthRecords::default()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Reads, changes and writes while no other program does. What is written outlives a power
    /// cut.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut AuthRecords) -> T,
    ) -> Result<T, AuthStoreError> {
        let changed = || -> io::Result<T> {
            create_private_directory(self.directory())?;
            let _held = FileLock::acquire(&self.path.with_extension("lock"), LOCK_TIMEOUT)
                .map_err(|error| io::Error::other(error.to_string().trim_end_matches('.')))?;
            let mut records = self.read_anew().map_err(|error| error.source)?;
            let value = change(&mut records);
            let mut replacement = Replacement::new(&self.path, Visibility::OwnerOnly, ".auth", "")?;
            replacement.write(&serde_json::to_vec_pretty(&records)?)?;
            let stamp = StoreVersion::of(&replacement.file().metadata()?);
            replacement.commit()?;
            *lock(&self.read) = Some((stamp, Arc::new(records)));
            Ok(value)
        };
        changed().map_err(|source| self.failed(source))
    }

    /// Returns the records. A file that cannot be read counts as empty here; a change reports why.
    pub fn records(&self) -> Arc<AuthRecords> {
        self.read().unwrap_or_else(|error| {
            tracing::warn!("{error}");
            Arc::default()
        })
    }

    /// Returns the settings of the user for this server at its present origin.
    pub fn own_settings(&self, target: &Target) -> AuthSettings {
        self.records()
            .servers
            .get(&target.server)
            .and_then(|record| record.entered(&target.binding()))
            .map(|entered| entered.settings.clone())
            .unwrap_or_default()
    }

    pub fn effective_settings(&self, target: &Target) -> AuthSettings {
        effective(&self.own_settings(target), target)
    }

    /// Returns the client id that was entered for a server, in the window or in its configuration.
    pub fn saved_client(&self, target: &Target) -> Option<String> {
        let own = self.own_settings(target).client_id;
        own.or_else(|| target.configured.client_id.clone())
    }

    pub fn grant(&self, server: &ServerId, identity: &str) -> Option<Grant> {
        self.records().grant(server, identity).cloned()
    }

    pub fn problem(&self, server: &ServerId, identity: &str) -> Option<String> {
        self.records().identity(server, identity)?.problem.clone()
    }

    pub fn is_chosen(&self, server: &ServerId, identity: &str) -> bool {
        self.records().chosen(server) == identity
    }

    /// Returns the grant that an identity holds for this very address, from an authorization server
    /// whose metadata is at a place that counts here, and as the client that was named for this run.
    pub fn usable_grant(&self, target: &Target, identity: &str) -> Option<Grant> {
        let is_of_client = |grant: &Grant| {
            let named = target.client.as_ref();
            named.is_none_or(|named| named.id == grant.client_id)
        };
        let is_of_place = |grant: &Grant| match &grant.authorization_server.place {
            Some(MetadataPlace::At(place)) => {
                let named = self.effective_settings(target).server_metadata;
                // The place was stored as it was asked, not as it was entered.
                let asked = named.and_then(|named| Url::parse(&named).ok());
                asked.is_some_and(|asked| target.stored_address(asked.as_str()) == *place)
            }
            Some(MetadataPlace::WellKnown) | None => true,
        };
        self.grant(&target.server, identity).filter(|grant| {
            grant.server_url == target.address() && is_of_client(grant) && is_of_place(grant)
        })
    }

    /// Returns the issuer that may get what was entered for this server at its present origin.
    pub fn agreed_issuer(&self, target: &Target) -> Option<String> {
        let records = self.records();
        let record = records.servers.get(&target.server)?;
        let entered = record.entered(&target.binding())?;
        let by_hand = entered.settings.issuer.clone();
        by_hand.or_else(|| entered.issuer.clone())
    }

    /// Keeps an issuer as the one that the user agreed to.
    pub fn store_issuer(&self, target: &Target, issuer: &str) -> Result<(), AuthStoreError> {
        self.change(|records| {
            let record = records.servers.entry(target.server.clone()).or_default();
            record.entered_mut(&target.binding()).issuer = Some(issuer.to_owned());
        })
    }

    /// Returns what answers for an authorization server that would get what was entered: its issuer,
    /// or the origin of the place that an entry names for its metadata. A place that the user set
    /// for this server is the user's word for the issuer.
    pub fn responsible(&self, target: &Target, server: &AuthorizationServer) -> String {
        if self.own_settings(target).server_metadata.is_some() {
            server.issuer.clone()
        } else {
            server.responsible()
        }
    }

    /// Returns true when the user agreed to these endpoints of an authorization server.
    pub fn has_agreed_to(&self, server: &AuthorizationServer, asked: &EndpointQuestion) -> bool {
        self.records().agreed_endpoints.iter().any(|agreed| {
            agreed.authorization_server.is_same(server)
                && agreed.authorization == asked.authorization
                && agreed.token == asked.token
        })
    }

    /// Returns the scopes that a request was refused for the want of and that a grant lacks.
    pub fn missing_scopes(&self, server: &ServerId, identity: &str, grant: &Grant) -> Vec<String> {
        let mut missing = self
            .records()
            .identity(server, identity)
            .map(|known| known.required_scopes.clone())
            .unwrap_or_default();
        missing.retain(|scope| !grant.scopes_granted.contains(scope));
        missing
    }

    /// Returns the path of the lock that is held while this grant is refreshed.
    pub fn refresh_lock(&self, server: &ServerId, identity: &str) -> PathBuf {
        let name: String = format!("{server} {identity}")
            .chars()
            .map(|character| {
                if character.is_ascii_alphanumeric() {
                    character
                } else {
                    '_'
                }
            })
            .take(120)
            .collect();
        self.path.with_file_name("refreshing").join(name)
    }

    fn failed(&self, source: io::Error) -> AuthStoreError {
        AuthStoreError {
            path: self.path.display().to_string(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(file: &AuthStore, server: &ServerId) -> String {
        file.read().expect("readable").chosen(server)
    }

    #[test]
    fn what_another_program_wrote_is_read_and_what_nobody_wrote_is_not() {
        let directory = tempfile::TempDir::new().expect("a directory");
        let [one, other] = [(), ()].map(|()| AuthStore::in_directory(directory.path()));
        let server = ServerId::new("mcp-json", "a");
        let choose = |file: &AuthStore, name: &str| {
            let name = name.to_owned();
            file.change(|records| {
                records.servers.entry(server.clone()).or_default().chosen = Some(name);
            })
            .expect("written");
        };
        choose(&one, "work");
        assert_eq!(chosen(&other, &server), "work");
        choose(&other, "home");
        assert_eq!(chosen(&one, &server), "home");
        let [first, second] = [one.read(), one.read()].map(|records| records.expect("readable"));
        assert!(Arc::ptr_eq(&first, &second), "it is read once");
    }

    #[test]
    fn settings_from_before_they_were_bound_count_nowhere() {
        let text = r#"{ "servers": { "mcp-json:a": { "settings": { "mode": "bearer",
            "client_id": null, "client_metadata_url": null, "auth_method": null, "key_id": null,
            "scopes": null, "callback_port": null, "allow_missing_s256": false,
            "allow_other_audience": false, "resource_metadata": null, "issuer": null,
            "server_metadata": null, "authorization_endpoint": null, "token_endpoint": null,
            "registration_endpoint": null, "revocation_endpoint": null, "bearer_variable": "TOKEN",
            "secret_headers": [], "idp_token_endpoint": null, "idp_client_id": null } } } }"#;
        let records: AuthRecords =
            serde_json::from_str(text).expect("a file of the version before");
        let record = &records.servers[&ServerId::new("mcp-json", "a")];
        assert_eq!(
            record.unbound_settings.bearer_variable.as_deref(),
            Some("TOKEN")
        );
        assert!(record.entered.is_empty());
    }

    #[test]
    fn what_an_earlier_version_wrote_in_snake_case_is_read() {
        let text = r#"{ "settings": { "mode": "client_credentials", "client_id": "c",
            "auth_method": "client_secret_basic", "allow_missing_s256": true,
            "allow_other_audience": false, "secret_headers": [] } }"#;
        let record: ServerRecord = serde_json::from_str(text).expect("of the version before");
        let settings = record.unbound_settings;
        assert_eq!(settings.mode, Some(crate::AuthMode::ClientCredentials));
        assert_eq!(settings.client_id.as_deref(), Some("c"));
        assert_eq!(
            settings.auth_method,
            Some(ClientAuthMethod::ClientSecretBasic)
        );
        assert!(settings.allow_missing_s256);
    }

    #[test]
    fn registrations_from_before_their_place_was_kept_are_dropped_and_the_rest_stays() {
        let text = r#"{ "servers": { "mcp-json:a": { "chosen": "work", "identities": [{
                "name": "work", "grant": { "server_url": "https://a.test/mcp",
                "issuer": "https://as.test", "resource": "https://a.test/mcp", "client_id": "c",
                "registration": "dynamic", "auth_method": "none",
                "token_endpoint": "https://as.test/token", "revocation_endpoint": null,
                "scopes_requested": [], "scopes_granted": [], "account": null, "signed_in_at": 1,
                "issued_at": 1, "expires_at": null, "refreshable": false, "version": 1 } }] } },
            "registrations": [{ "issuer": "https://as.test", "client_id": "c",
                "auth_method": "none", "redirect_uri": "http://127.0.0.1:1/callback",
                "registered_at": 1, "secret_expires_at": null }] }"#;
        let records: AuthRecords =
            serde_json::from_str(text).expect("a file of the version before");
        assert!(records.registrations.is_empty());
        assert_eq!(records.unused_secrets, ["client https://as.test c"]);
        let grant = records.grant(&ServerId::new("mcp-json", "a"), "work");
        let server = &grant.expect("kept").authorization_server;
        assert_eq!(
            (server.issuer.as_str(), &server.place),
            ("https://as.test", &None)
        );
        let written = serde_json::to_string(&records).expect("written");
        let read: AuthRecords = serde_json::from_str(&written).expect("read again");
        assert_eq!(read.chosen(&ServerId::new("mcp-json", "a")), "work");
        assert_eq!(read.unused_secrets, records.unused_secrets);
    }
}
