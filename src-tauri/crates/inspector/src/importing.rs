//! Servers from elsewhere, and servers for elsewhere.

use std::{path::Path, time::Duration};

use serde_json::{Map, Value};
use sightglass_config::{
    Candidate, Exported, ImportSource, Secrets, Target, export, read_import, server_candidates,
};

use crate::{
    Inspector, InspectorError,
    view::{ExportRequest, ExportView, RegistryPage, RegistryServer},
};

/// The public registry of MCP servers; `SIGHTGLASS_REGISTRY` names another.
const REGISTRY: &str = "https://registry.modelcontextprotocol.io";

/// How many servers one page of the registry has.
const PAGE: &str = "30";

/// How long the registry may take.
const PATIENCE: Duration = Duration::from_secs(15);

impl Inspector {
    /// The servers of a source. Nothing is run, fetched or written.
    ///
    /// # Errors
    /// When it holds none; the message says where it is broken.
    pub fn import_candidates(
        &self,
        source: &ImportSource,
    ) -> Result<Vec<Candidate>, InspectorError> {
        read_import(source).map_err(|error| InspectorError::InvalidInput(error.to_string()))
    }

    /// Servers of the registry whose names hold `text`, a page at a time.
    ///
    /// # Errors
    /// [`InspectorError::Offline`] when it cannot be reached, or what else it answered.
    pub async fn search_registry(
        &self,
        text: &str,
        cursor: Option<&str>,
    ) -> Result<RegistryPage, InspectorError> {
        let base = (self.options.environment)("SIGHTGLASS_REGISTRY")
            .filter(|base| !base.is_empty())
            .unwrap_or_else(|| REGISTRY.to_owned());
        let offline = |error: reqwest::Error| InspectorError::Offline {
            what: "The registry".to_owned(),
            reason: if error.is_timeout() {
                "it did not answer in time".to_owned()
            } else {
                error.without_url().to_string()
            },
        };
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .build()
            .map_err(offline)?;
        let mut query = vec![("search", text), ("limit", PAGE), ("version", "latest")];
        query.extend(cursor.map(|cursor| ("cursor", cursor)));
        let address = format!("{}/v0/servers", base.trim_end_matches('/'));
        let address = url::Url::parse_with_params(&address, query)
            .map_err(|error| InspectorError::InvalidInput(format!("{base}: {error}.")))?;
        let answer = client
            .get(address)
            .send()
            .await
            .and_then(reqwest::Response::error_for_status)
            .map_err(offline)?;
        let page: Value = answer.json().await.map_err(offline)?;
        Ok(registry_page(&page))
    }

    /// Servers in the form of a client, for the clipboard.
    ///
    /// # Errors
    /// When one of them does not exist.
    pub fn export_servers(&self, request: &ExportRequest) -> Result<ExportView, InspectorError> {
        let exported = self.exported(request)?;
        Ok(ExportView {
            text: exported.text,
            format: exported.format,
            lost: exported.lost,
            refused: exported
                .refused
                .into_iter()
                .map(|(name, reason)| format!("{name}: {reason}"))
                .collect(),
        })
    }

    /// Servers in the form of a client, into a file of their own that its owner alone can
    /// read.
    ///
    /// # Errors
    /// When one of them does not exist, or the file cannot be written.
    pub fn save_export(&self, request: &ExportRequest, path: &Path) -> Result<(), InspectorError> {
        let exported = self.exported(request)?;
        crate::files::replace(path, exported.text.as_bytes()).map_err(|source| {
            InspectorError::Save {
                what: path.display().to_string(),
                source,
            }
        })
    }

    fn exported(&self, request: &ExportRequest) -> Result<Exported, InspectorError> {
        let files = self.desk.files();
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
            &self.desk.machine,
        ))
    }
}

fn registry_page(page: &Value) -> RegistryPage {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let metadata = page.get("metadata");
    let servers = page.get("servers").and_then(Value::as_array);
    RegistryPage {
        servers: servers
            .into_iter()
            .flatten()
            .filter_map(|listed| {
                // Since the schema of 2025-09-29 the server stands beside the registry's own data.
                let server = listed.get("server").unwrap_or(listed);
                Some(RegistryServer {
                    name: text(server, "name")?,
                    title: text(server, "title"),
                    description: text(server, "description").unwrap_or_default(),
                    version: text(server, "version").unwrap_or_default(),
                    candidates: server_candidates(server.as_object()?),
                })
            })
            .collect(),
        next: metadata.and_then(|metadata| {
            text(metadata, "nextCursor").or_else(|| text(metadata, "next_cursor"))
        }),
    }
}
