//! Imports servers from sources and from the registry, and exports servers for other clients.
//!
//! What is asked of the registry is not in the record. The record holds what passes between a
//! user's machine and a configured server, by server and connection, so that a report of it
//! can be handed on; the registry is neither, and a catalogue in between would be taken for a
//! server's doing. Nothing of the user's goes there but the words that they search for: no
//! token, no header of theirs, no entry of a file.

use std::{path::Path, time::Duration};

use serde_json::{Map, Value};
use sightglass_config::{
    Candidate, Exported, ImportSource, Secrets, Target, export, is_install_link, read_import,
    server_bundles, server_candidates,
};
use sightglass_http::{DownloadClient, DownloadError, HttpError};

use crate::{
    Inspector, InspectorError,
    view::{ClipboardOffer, ExportRequest, RegistryPage, RegistryServer},
};

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

/// The largest text of the clipboard that is looked into.
const MAX_CLIPBOARD_BYTES: usize = 64 << 10;

fn names_mcp(address: &str) -> bool {
    let address = address.to_ascii_lowercase();
    address.contains("mcp") || address.trim_end_matches('/').ends_with("/sse")
}

impl Inspector {
    /// The servers of a source. Nothing is run, fetched or written.
    ///
    /// # Errors
    /// When it holds none; the message says where it is broken.
    pub fn import_candidates(
        &self,
        source: &ImportSource,
    ) -> Result<Vec<Candidate>, InspectorError> {
        self.with_bundle_host(|host| read_import(source, host))
    }

    /// Returns the servers in a text of the clipboard; nothing when it is no text that adds one.
    /// An address counts only if it names MCP: most addresses that are copied lead elsewhere.
    pub fn clipboard_offer(&self, text: &str) -> Option<ClipboardOffer> {
        let text = text.trim();
        let is_address =
            text.contains("://") && !text.contains(char::is_whitespace) && !is_install_link(text);
        if text.len() > MAX_CLIPBOARD_BYTES || (is_address && !names_mcp(text)) {
            return None;
        }
        let text = text.to_owned();
        let source = ImportSource::Text { text: text.clone() };
        let found = self.import_candidates(&source).ok()?;
        let names = found.into_iter().map(|one| one.draft.name).collect();
        Some(ClipboardOffer { text, names })
    }

    /// Servers of the registry whose names or descriptions hold `text`, a page at a time.
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
    pub(crate) fn registry(&self) -> String {
        (self.options.environment)("SIGHTGLASS_REGISTRY")
            .filter(|base| !base.is_empty())
            .unwrap_or_else(|| REGISTRY.to_owned())
    }

    /// Prepares a client for the addresses that the registry names, and for its own.
    pub(crate) fn registry_client(
        &self,
        timeout: Duration,
    ) -> Result<DownloadClient, InspectorError> {
        let base = self.registry();
        let registry = url::Url::parse(&base)
            .map_err(|error| InspectorError::InvalidInput(format!("{base}: {error}.")))?;
        DownloadClient::new(self.general_http(), registry, timeout)
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

    /// Servers in the form of a client, for the clipboard.
    ///
    /// # Errors
    /// When one of them does not exist.
    pub fn export_servers(&self, request: &ExportRequest) -> Result<Exported, InspectorError> {
        let files = self.config.files();
        let mut servers: Vec<(String, Map<String, Value>)> = Vec::new();
        for chosen in &request.servers {
            let Target { client, scope } = &chosen.target;
            let entry = files
                .client(*client)
                .and_then(|config| config.file(scope)?.definition(&chosen.name))
                .map(|definition| definition.common.expose().clone())
                .ok_or_else(|| InspectorError::NotConfigured {
                    client: *client,
                    name: chosen.name.clone(),
                })?;
            servers.push((chosen.name.clone(), entry));
        }
        let secrets = if request.include_secrets {
            Secrets::Included
        } else {
            Secrets::Replaced
        };
        Ok(export(
            &servers,
            request.client,
            secrets,
            &self.config.machine,
        ))
    }

    /// Servers in the form of a client, into a file of their own that its owner alone can
    /// read.
    ///
    /// # Errors
    /// When one of them does not exist, or the file cannot be written.
    pub fn save_export(&self, request: &ExportRequest, path: &Path) -> Result<(), InspectorError> {
        let exported = self.export_servers(request)?;
        crate::files::replace(path, exported.text.as_bytes()).map_err(|source| {
            InspectorError::Save {
                what: path.display().to_string(),
                source,
            }
        })
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
