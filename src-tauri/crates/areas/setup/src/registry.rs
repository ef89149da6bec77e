//! Searches the registry of MCP servers.
//!
//! What is asked of the registry is not in the record. The record holds what passes between a
//! user's machine and a configured server, by server and connection, so that a report of it
//! can be handed on; the registry is neither, and a catalogue in between would be taken for a
//! server's doing. Nothing of the user's goes there but the words that they search for: no
//! token, no header of theirs, no entry of a file.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value};
use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{RegistryPage, RegistryServer},
};
use sightglass_config::{server_bundles, server_candidates};
use sightglass_http::{DownloadClient, DownloadError, HttpError};

/// The public registry of MCP servers; `SIGHTGLASS_REGISTRY` names another.
const REGISTRY: &str = "https://registry.modelcontextprotocol.io";

/// The stable version of its interface (`docs/reference/api/CHANGELOG.md` of
/// <https://github.com/modelcontextprotocol/registry>).
const API_VERSION: &str = "v0.1";

/// Under which the registry keeps what it says itself of a server.
const OFFICIAL_METADATA: &str = "io.modelcontextprotocol.registry/official";

/// Number of servers on one page of the registry.
const PAGE_SIZE: &str = "30";

/// The largest answer of the registry, in bytes; a page has some hundred kilobytes.
const MAX_RESPONSE_BYTES: usize = 8 << 20;

/// Time limit for the registry.
const REGISTRY_TIMEOUT: Duration = Duration::from_secs(15);

/// Searches the registry of MCP servers.
pub struct Registry {
    pub(crate) core: Arc<Core>,
}

#[commands]
impl Registry {
    /// Servers of the registry whose names or descriptions hold `text`, a page at a time.
    #[command]
    pub async fn search_registry(
        &self,
        text: &str,
        cursor: Option<&str>,
    ) -> Result<RegistryPage, InspectorError> {
        let mut query = vec![
            ("search", text),
            ("limit", PAGE_SIZE),
            ("version", "latest"),
        ];
        query.extend(cursor.map(|cursor| ("cursor", cursor)));
        let page = self.ask_registry(&[], &query).await?;
        let metadata = page.get("metadata").and_then(Value::as_object);
        Ok(RegistryPage {
            servers: registry_servers(&page),
            next: metadata.and_then(|metadata| {
                text_at(metadata, "nextCursor").or_else(|| text_at(metadata, "next_cursor"))
            }),
        })
    }

    /// Every version of one server of the registry, the newest first.
    #[command(name = "list_registry_versions")]
    pub async fn registry_versions(
        &self,
        name: &str,
    ) -> Result<Vec<RegistryServer>, InspectorError> {
        let query = [("include_deleted", "true")];
        let page = self.ask_registry(&[name, "versions"], &query).await?;
        let mut versions = registry_servers(&page);
        // Of what was published at one time, the order of the registry stays.
        versions.sort_by(|left, right| {
            (right.latest, &right.published).cmp(&(left.latest, &left.published))
        });
        Ok(versions)
    }

    /// Address of the registry.
    pub fn registry(&self) -> String {
        (self.core.options.environment)("SIGHTGLASS_REGISTRY")
            .filter(|base| !base.is_empty())
            .unwrap_or_else(|| REGISTRY.to_owned())
    }

    /// Prepares a client for the addresses that the registry names, and for its own.
    pub fn registry_client(&self, timeout: Duration) -> Result<DownloadClient, InspectorError> {
        let base = self.registry();
        let registry = url::Url::parse(&base)
            .map_err(|error| InspectorError::InvalidInput(format!("{base}: {error}.")))?;
        DownloadClient::new(self.core.general_http(), registry, timeout)
            .map_err(|error| InspectorError::InvalidInput(error.sentence()))
    }

    async fn ask_registry(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Value, InspectorError> {
        let base = self.registry();
        let offline = |error: DownloadError| InspectorError::Offline {
            what: "The registry".to_owned(),
            reason: match &error {
                DownloadError::Failed(error) if error.is_timeout() => {
                    "it did not answer in time".to_owned()
                }
                error => error.to_string(),
            },
        };
        let client = self.registry_client(REGISTRY_TIMEOUT)?;
        let unusable = |reason: String| InspectorError::InvalidInput(format!("{base}: {reason}."));
        let mut address = url::Url::parse(&base).map_err(|error| unusable(error.to_string()))?;
        address
            .path_segments_mut()
            .map_err(|()| unusable("it is no address of a registry".to_owned()))?
            .pop_if_empty()
            .extend([API_VERSION, "servers"])
            .extend(path);
        if !query.is_empty() {
            address.query_pairs_mut().extend_pairs(query);
        }
        let mut answer = client.get(address).await.map_err(offline)?;
        if let Err(error) = answer.error_for_status() {
            let status = answer.status();
            let body = answer.read(MAX_RESPONSE_BYTES).await.ok();
            let body: Value = body
                .and_then(|body| serde_json::from_slice(&body).ok())
                .unwrap_or_default();
            let detail = body
                .as_object()
                .and_then(|problem| text_at(problem, "detail").or(text_at(problem, "title")));
            return Err(match status.is_client_error() {
                true => InspectorError::InvalidInput(format!(
                    "The registry refused this with {status}{}",
                    detail.map_or_else(|| ".".to_owned(), |detail| format!(": {detail}.")),
                )),
                false => offline(error.into()),
            });
        }
        let body = answer
            .read(MAX_RESPONSE_BYTES)
            .await
            .map_err(|error| match error {
                HttpError::TooLarge { limit } => unusable(format!(
                    "its answer is larger than {} MiB and was not read",
                    limit >> 20
                )),
                error => offline(error.into()),
            })?;
        serde_json::from_slice(&body)
            .map_err(|error| unusable(format!("its answer is not JSON ({error})")))
    }
}

fn text_at(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

fn registry_servers(page: &Value) -> Vec<RegistryServer> {
    let servers = page.get("servers").and_then(Value::as_array);
    servers
        .into_iter()
        .flatten()
        .filter_map(|listed| {
            // Since the schema of 2025-09-29 the server stands beside the registry's own data.
            let server = listed.get("server").unwrap_or(listed).as_object()?;
            let official = listed
                .get("_meta")
                .or_else(|| server.get("_meta"))
                .and_then(|meta| meta.get(OFFICIAL_METADATA)?.as_object());
            let repository = server.get("repository").and_then(Value::as_object);
            Some(RegistryServer {
                name: text_at(server, "name")?,
                title: text_at(server, "title"),
                description: text_at(server, "description").unwrap_or_default(),
                version: text_at(server, "version").unwrap_or_default(),
                status: official
                    .and_then(|official| text_at(official, "status"))
                    .or_else(|| text_at(server, "status")),
                status_message: official.and_then(|official| text_at(official, "statusMessage")),
                published: official.and_then(|official| text_at(official, "publishedAt")),
                latest: official
                    .is_some_and(|official| official.get("isLatest") == Some(&Value::Bool(true))),
                repository: repository.and_then(|repository| text_at(repository, "url")),
                website: text_at(server, "websiteUrl"),
                candidates: server_candidates(server),
                bundles: server_bundles(server),
            })
        })
        .collect()
}
