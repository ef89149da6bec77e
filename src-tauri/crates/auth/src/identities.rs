//! Identities, settings and entered secrets of a server.

use sightglass_secrets::Secret;

use crate::{
    AuthError, AuthSettings, AuthSettingsView, SettingSecret, SignIns, SignOutReport, Target,
    settings::cleaned,
};

impl SignIns {
    /// Revokes the grant of an identity where the authorization server can, and forgets it.
    ///
    /// # Errors
    /// When the vault or the store refuses.
    pub async fn sign_out(
        &self,
        target: &Target,
        identity: Option<String>,
    ) -> Result<SignOutReport, AuthError> {
        let shared = self.shared();
        let identity = identity.unwrap_or_else(|| shared.records().chosen(&target.server));
        let grant = shared.grant(&target.server, &identity);
        let Some(grant) = grant else {
            shared.forget(&target.server, &identity).await?;
            return Ok(SignOutReport {
                revoked: false,
                message: "There was nothing to sign out of.".to_owned(),
                exchanges: Vec::new(),
            });
        };
        let mut exchanges = Vec::new();
        let mut outcome = Ok(());
        if let Some(held) = shared.held(&target.server, &identity).await? {
            // The refresh token first: with it goes all that came of it (RFC 7009, section 2.1).
            if let Some(refresh) = &held.tokens.refresh {
                outcome = shared
                    .revoke(
                        target,
                        &grant,
                        &held.tokens,
                        refresh,
                        "refresh_token",
                        &mut exchanges,
                    )
                    .await;
            }
            if outcome.is_ok() {
                outcome = shared
                    .revoke(
                        target,
                        &grant,
                        &held.tokens,
                        &held.tokens.access,
                        "access_token",
                        &mut exchanges,
                    )
                    .await;
            }
        }
        shared.forget(&target.server, &identity).await?;
        Ok(SignOutReport {
            revoked: outcome.is_ok(),
            message: match outcome {
                Ok(()) => "The grant is revoked and forgotten.".to_owned(),
                Err(words) => format!(
                    "The grant is forgotten here. {words} The token stays good there until it ends."
                ),
            },
            exchanges,
        })
    }

    /// Uses this identity from the next connection on.
    ///
    /// # Errors
    /// When the name is empty or the store cannot be written.
    pub fn choose_identity(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        let identity = identity.trim();
        if identity.is_empty() || identity.chars().any(char::is_control) {
            return Err(AuthError::Invalid("An identity needs a name.".to_owned()));
        }
        self.shared().store.change(|records| {
            records.identity_mut(&target.server, identity);
            if let Some(record) = records.servers.get_mut(&target.server) {
                record.chosen = Some(identity.to_owned());
            }
        })?;
        self.shared().forget_challenge(&target.server);
        self.shared().publish(&target.server);
        Ok(())
    }

    /// Forgets an identity and what it holds.
    ///
    /// # Errors
    /// When the vault or the store refuses.
    pub async fn forget_identity(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        self.shared().forget(&target.server, identity).await?;
        self.shared().store.change(|records| {
            if let Some(record) = records.servers.get_mut(&target.server) {
                record.identities.retain(|known| known.name != identity);
                if record.chosen.as_deref() == Some(identity) {
                    record.chosen = None;
                }
            }
        })?;
        self.shared().publish(&target.server);
        Ok(())
    }

    /// Returns the settings for signing in.
    pub fn settings(&self, target: &Target) -> AuthSettingsView {
        let settings = self.shared().own_settings(target);
        let kept = self
            .shared()
            .kept_secrets(&target.server, Some(&target.binding()), &settings);
        AuthSettingsView {
            settings,
            configured: target.configured.clone(),
            kept,
        }
    }

    /// Saves what a person set.
    ///
    /// # Errors
    /// When a setting cannot be used or the store cannot be written.
    pub fn save_settings(&self, target: &Target, settings: AuthSettings) -> Result<(), AuthError> {
        let settings = cleaned(settings).map_err(AuthError::Invalid)?;
        self.shared().store.change(|records| {
            let record = records.servers.entry(target.server.clone()).or_default();
            record.entered_mut(&target.binding()).settings = settings;
        })?;
        self.shared().remember(target);
        self.shared().publish(&target.server);
        Ok(())
    }

    /// Keeps a secret that a person entered for this server at its present origin, or forgets it.
    ///
    /// # Errors
    /// When the vault or the store refuses.
    pub async fn keep(
        &self,
        target: &Target,
        secret: &SettingSecret,
        value: Option<Secret<String>>,
    ) -> Result<(), AuthError> {
        let name = target.secret_name(secret);
        let value = value.filter(|value| !value.expose().trim().is_empty());
        if let (SettingSecret::PrivateKey, Some(pem)) = (secret, &value) {
            crate::client::signing(pem.expose()).map_err(AuthError::Invalid)?;
        }
        match value {
            Some(value) => {
                let trimmed = Secret::new(value.expose().trim().to_owned());
                self.shared().options.vault.set(&name, trimmed).await?;
            }
            None => self.shared().options.vault.remove(&name).await?,
        }
        // What is kept is found again by what it was entered for.
        self.shared().store.change(|records| {
            let record = records.servers.entry(target.server.clone()).or_default();
            record.entered_mut(&target.binding());
        })?;
        self.shared().remember(target);
        self.shared().publish(&target.server);
        Ok(())
    }
}
