//! Exports servers in the form of another client.

use std::{path::Path, sync::Arc};

use serde_json::{Map, Value};
use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, view::ExportRequest,
};
use sightglass_config::{Exported, Secrets, Target, export};

/// Exports servers in the form of another client.
pub struct ServerExport {
    pub(crate) core: Arc<Core>,
}

#[commands]
impl ServerExport {
    /// Servers in the form of a client, for the clipboard.
    ///
    /// # Errors
    /// When one of them does not exist.
    #[command]
    pub fn export_servers(&self, request: &ExportRequest) -> Result<Exported, InspectorError> {
        let files = self.core.config.files();
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
            &self.core.config.machine,
        ))
    }

    /// Servers in the form of a client, into a file of their own that its owner alone can
    /// read.
    ///
    /// # Errors
    /// When one of them does not exist, or the file cannot be written.
    pub fn save_export(&self, request: &ExportRequest, path: &Path) -> Result<(), InspectorError> {
        let exported = self.export_servers(request)?;
        sightglass_area_core::files::replace(path, exported.text.as_bytes()).map_err(|source| {
            InspectorError::Save {
                what: path.display().to_string(),
                source,
            }
        })
    }
}
