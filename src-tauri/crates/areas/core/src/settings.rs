//! Settings of the application, which count for all servers.

use std::path::{Path, PathBuf};

use sightglass_http::{HttpOptions, Proxies};
use sightglass_model::{Trust, lock};
use sightglass_model_endpoint::Endpoint;
use sightglass_secrets::Secret;

use crate::{
    core::Core,
    error::InspectorError,
    view::{Fact, ModelSettings, NetworkSettings, Settings},
};

/// Models of the settings.
const MAX_MODELS: usize = 50;

impl Core {
    /// Returns the settings of the application.
    pub fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Keeps what a user chose, and acts on it.
    ///
    /// # Errors
    /// When something of it cannot be used; or when the file cannot be written, and the choice
    /// holds until the end of the program then.
    pub fn save_settings(&self, settings: Settings) -> Result<(), InspectorError> {
        check_network(&settings.network)?;
        check_models(&settings.models)?;
        self.use_settings(settings.clone());
        self.publisher.publish(Fact::Settings {
            settings: settings.clone(),
        });
        self.data.write_settings(&settings)
    }

    /// Takes over the settings as they are on the disk: another project's window may have changed
    /// them.
    pub fn reread_settings(&self) {
        self.use_settings(self.data.read_settings());
    }

    fn use_settings(&self, settings: Settings) {
        self.proxies.set(proxies(&settings));
        self.recorder.set_retention(settings.retention);
        self.connections
            .set_message_limit(settings.message_limit_bytes());
        self.connections.set_ping_interval(settings.ping_interval());
        *lock(&self.settings) = settings;
    }

    /// Returns the options of a client for requests that concern no server: the proxies and the
    /// certificate authorities of the settings.
    pub fn general_http(&self) -> HttpOptions {
        HttpOptions::new(&self.general_trust(), &self.proxies.get())
    }

    /// Returns the certificates that are trusted for every address.
    pub fn general_trust(&self) -> Trust {
        let file = lock(&self.settings).network.ca_file.clone();
        Trust {
            general_ca_file: Some(PathBuf::from(file)).filter(|file| file.is_absolute()),
            ..Trust::default()
        }
    }
}

/// The proxies that the settings name, or else those of the environment.
pub fn proxies(settings: &Settings) -> Proxies {
    let network = &settings.network;
    if network.proxy.trim().is_empty() {
        return Proxies::of_the_process();
    }
    Proxies::one(&network.proxy, &network.no_proxy).unwrap_or_else(|error| {
        tracing::warn!("the proxy of the settings cannot be used: {error}");
        Proxies::of_the_process()
    })
}

/// Holds settings of the network against what can be used.
fn check_network(network: &NetworkSettings) -> Result<(), InspectorError> {
    let proxy = network.proxy.trim();
    if !proxy.is_empty() {
        Proxies::one(proxy, &network.no_proxy)
            .map_err(|message| InspectorError::InvalidInput(format!("{message}.")))?;
        let authority = proxy.split("://").last().unwrap_or_default();
        let user = authority.split('/').next().unwrap_or_default();
        if user
            .rsplit_once('@')
            .is_some_and(|(user, _)| user.contains(':'))
        {
            return Err(InspectorError::InvalidInput(
                "The settings are a plain file and keep no password. Leave this field empty, and \
                 set HTTPS_PROXY and HTTP_PROXY, which may hold one."
                    .to_owned(),
            ));
        }
    }
    absolute(&network.ca_file, "The file of certificate authorities")
}

/// Holds models of the settings against what can be used.
fn check_models(models: &[ModelSettings]) -> Result<(), InspectorError> {
    let wrong = |message: String| Err(InspectorError::InvalidInput(message));
    if models.len() > MAX_MODELS {
        return wrong(format!("There can be {MAX_MODELS} models."));
    }
    for (index, model) in models.iter().enumerate() {
        let name = model.name.trim();
        if name.is_empty() || model.model.trim().is_empty() {
            return wrong(
                "A model needs a name, and the name by which its address knows it.".into(),
            );
        }
        if models[..index]
            .iter()
            .any(|other| other.name.trim() == name)
        {
            return wrong(format!("Another model is called {name}, too."));
        }
        endpoint_of(model, None).check()?;
    }
    Ok(())
}

/// Describes a model of the settings as what is asked.
pub fn endpoint_of(model: &ModelSettings, key: Option<Secret<String>>) -> Endpoint {
    Endpoint {
        kind: model.kind,
        url: model.url.trim().to_owned(),
        model: model.model.trim().to_owned(),
        key,
    }
}

/// Holds that a file is named by its whole path, or not at all.
pub fn absolute(file: &str, what: &str) -> Result<(), InspectorError> {
    if file.is_empty() || Path::new(file).is_absolute() {
        return Ok(());
    }
    Err(InspectorError::InvalidInput(format!(
        "{what} needs the whole path of its file, not {file}."
    )))
}
