//! Binds what a user enters for a server to the origin, and the project, it was entered for.
//!
//! A server is known by its name, and any project can define another server of that name. So an
//! entered secret is stored under the origin that the server had then, and is looked up under the
//! origin that it has now: what was entered for one origin cannot be found for another. Settings
//! decide what is sent and are bound in the same way. The user can bind both anew.
//!
//! Client secrets, keys and signed statements are bound to the authorization server as well that
//! the user agreed to. An MCP server names its authorization server, so a hostile one could name a
//! server of its own and have the client secret posted there. What was entered goes to the agreed
//! issuer alone; a server that names another one is stopped, and the user is asked.

use sightglass_http::check_address;
use sightglass_secrets::Secret;
use url::Url;

use crate::{
    AuthError, AuthSettings, AuthSettingsView, Binding, EndpointQuestion, SettingSecret, SignIns,
    Target,
    oauth::{client::signing, metadata::is_same_issuer},
    published_client::published_client,
    settings::cleaned,
    store::EnteredValues,
    target::secret_name,
    withheld::kept_secrets,
};

impl SignIns {
    /// Returns the settings for signing in.
    pub fn settings(&self, target: &Target) -> AuthSettingsView {
        let settings = self.state().store.own_settings(target);
        let kept = kept_secrets(
            &self.state().vault,
            &target.server,
            Some(&target.binding()),
            &settings,
        );
        AuthSettingsView {
            settings,
            configured: target.configured.clone(),
            kept,
            published_client: published_client(|name| (self.state().environment)(name)),
        }
    }

    /// Saves what the user set.
    pub fn save_settings(&self, target: &Target, settings: AuthSettings) -> Result<(), AuthError> {
        let settings = cleaned(settings)?;
        self.state().store.change(|records| {
            let record = records.servers.entry(target.server.clone()).or_default();
            record.entered_mut(&target.binding()).settings = settings;
        })?;
        self.changed(target);
        Ok(())
    }

    /// Keeps a secret that the user entered for this server at its present origin, or forgets it.
    pub async fn keep(
        &self,
        target: &Target,
        secret: &SettingSecret,
        value: Option<Secret<String>>,
    ) -> Result<(), AuthError> {
        let name = target.secret_name(secret);
        let value = value.filter(|value| !value.expose().trim().is_empty());
        if let (SettingSecret::PrivateKey, Some(pem)) = (secret, &value) {
            signing(pem.expose()).map_err(|error| AuthError::Invalid(error.to_string()))?;
        }
        match value {
            Some(value) => {
                let trimmed = Secret::new(value.expose().trim().to_owned());
                self.state().vault.set(&name, trimmed).await?;
            }
            None => self.state().vault.remove(&name).await?,
        }
        // What is kept is found again by what it was entered for.
        self.state().store.change(|records| {
            let record = records.servers.entry(target.server.clone()).or_default();
            record.entered_mut(&target.binding());
        })?;
        self.changed(target);
        Ok(())
    }

    /// Uses for this server, at the origin that the user was shown, what was entered for another
    /// one of its name. What was stored before secrets were bound is moved, the rest is copied:
    /// the other server still needs it.
    ///
    /// # Errors
    /// When the server's origin is not the one that was shown, or the vault or the store refuses.
    pub async fn rebind(
        &self,
        target: &Target,
        from: Option<&Binding>,
        shown_origin: &str,
    ) -> Result<(), AuthError> {
        let state = self.state();
        let to = target.binding();
        if to.origin != shown_origin {
            return Err(AuthError::Invalid(format!(
                "The address of this server changed to {}. Check it and try again.",
                to.origin
            )));
        }
        let records = state.store.records();
        let record = records.servers.get(&target.server);
        let (settings, issuer) = match (record, from) {
            (None, _) => (AuthSettings::default(), None),
            (Some(record), None) => (record.unbound_settings.clone(), None),
            (Some(record), Some(from)) => {
                let entered = record
                    .entered(from)
                    .ok_or_else(|| AuthError::Invalid("It is gone. Enter it again.".to_owned()))?;
                (entered.settings.clone(), entered.issuer.clone())
            }
        };
        let vault = &state.vault;
        for secret in kept_secrets(vault, &target.server, from, &settings) {
            let old = secret_name(&target.server, from, &secret);
            let Some(value) = vault.get(&old).await? else {
                continue;
            };
            vault.set(&target.secret_name(&secret), value).await?;
            if from.is_none() {
                vault.remove(&old).await?;
            }
        }
        state.store.change(|records| {
            let record = records.servers.entry(target.server.clone()).or_default();
            if from.is_none() {
                record.unbound_settings = AuthSettings::default();
            }
            *record.entered_mut(&to) = EnteredValues {
                binding: to.clone(),
                settings,
                issuer,
            };
        })?;
        self.changed(target);
        Ok(())
    }

    /// Agrees that what was entered for this server may go to this authorization server, the one
    /// that the user was shown. A sign-in that waits for that goes on.
    pub fn agree_to_issuer(&self, target: &Target, issuer: &str) -> Result<(), AuthError> {
        let state = self.state();
        let url = Url::parse(issuer).map_err(|error| {
            AuthError::Invalid(format!("The issuer is not a valid address: {error}."))
        })?;
        check_address(&url).map_err(|refused| {
            AuthError::Invalid(format!("The issuer cannot be used. {refused}"))
        })?;
        let progress = self.progress(&target.server);
        let asked = progress
            .as_ref()
            .and_then(|progress| progress.view().issuer_question);
        if asked.is_some_and(|asked| !is_same_issuer(&asked.issuer, issuer)) {
            return Err(AuthError::Invalid(
                "The server now names another authorization server. Check it and try again."
                    .to_owned(),
            ));
        }
        state.store.store_issuer(target, issuer)?;
        self.changed(target);
        if let Some(progress) = progress {
            progress.agree_to_issuer();
        }
        Ok(())
    }

    /// Agrees that the code of one origin may go to another, as the user was shown. The sign-in
    /// that waits for that goes on, and the next one does not ask.
    pub fn agree_to_endpoints(
        &self,
        target: &Target,
        shown: &EndpointQuestion,
    ) -> Result<(), AuthError> {
        let progress = self
            .progress(&target.server)
            .filter(|progress| progress.view().endpoint_question.is_some())
            .ok_or(AuthError::NotUnderWay)?;
        if progress.view().endpoint_question.as_ref() != Some(shown) {
            return Err(AuthError::Invalid(
                "The server now names other endpoints. Check them and try again.".to_owned(),
            ));
        }
        progress.agree_to_endpoints();
        Ok(())
    }
}
