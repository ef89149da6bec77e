//! Changes the settings of single servers.

use std::sync::Arc;

use sightglass_area_core::{
    command::commands, core::Core, error::InspectorError, publisher::Notice, settings::absolute,
    view::ServerSettings,
};
use sightglass_model::{Endpoint, ServerId};

use crate::{
    server_settings::{SettingsByServer, declared_extensions, origin_of},
    server_spec::ServerSpecs,
};

/// Changes the settings of single servers.
pub struct SettingsChanges {
    pub(crate) core: Arc<Core>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub(crate) specs: Arc<ServerSpecs>,
}

#[commands]
impl SettingsChanges {
    /// Keeps the settings of a server. They count from the next connection on.
    #[command]
    pub fn update_server_settings(
        &self,
        server: &ServerId,
        mut settings: ServerSettings,
    ) -> Result<(), InspectorError> {
        declared_extensions(&settings.extensions)?;
        if settings.certificate_file.is_empty() != settings.key_file.is_empty() {
            return Err(InspectorError::InvalidInput(
                "A client certificate needs both files: the certificate and its private key."
                    .to_owned(),
            ));
        }
        for file in [&settings.certificate_file, &settings.key_file] {
            absolute(file, "The client certificate")?;
        }
        settings.certificate_origin = self.certificate_origin(server, &settings)?;
        let settings = Some(settings).filter(|settings| *settings != ServerSettings::default());
        self.server_settings.saved.save(server, settings)?;
        self.core.publisher.notify(&Notice::Servers);
        Ok(())
    }

    /// The origin that a certificate is for: that of the server when it was chosen, whatever the
    /// entry says later.
    fn certificate_origin(
        &self,
        server: &ServerId,
        settings: &ServerSettings,
    ) -> Result<String, InspectorError> {
        let known = self.server_settings.server_settings(server);
        let files = |settings: &ServerSettings| {
            (settings.certificate_file.clone(), settings.key_file.clone())
        };
        if settings.certificate_file.is_empty() {
            return Ok(String::new());
        }
        if files(&known) == files(settings) {
            return Ok(known.certificate_origin);
        }
        let origin = match self.specs.spec(server)?.endpoint {
            Endpoint::Remote(remote) => origin_of(&remote.url),
            Endpoint::Stdio { .. } => None,
        };
        origin.ok_or_else(|| {
            InspectorError::InvalidInput(
                "A client certificate is for a server that is reached over TLS.".to_owned(),
            )
        })
    }
}
