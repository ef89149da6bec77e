//! Chooses, forgets and signs out the identities of a server.

use crate::{AuthError, SignIns, SignOutReport, Target};

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
        let state = self.state();
        let identity = identity.unwrap_or_else(|| state.store.records().chosen(&target.server));
        let grant = state.store.grant(&target.server, &identity);
        let Some(grant) = grant else {
            state.grants.forget(&target.server, &identity).await?;
            return Ok(SignOutReport {
                revoked: false,
                message: "Not signed in.".to_owned(),
                exchanges: Vec::new(),
            });
        };
        let mut exchanges = Vec::new();
        let mut outcome = Ok(());
        if let Some(held) = state.grants.held(&target.server, &identity).await? {
            // The refresh token first: with it goes all that came of it (RFC 7009, section 2.1).
            if let Some(refresh) = &held.tokens.refresh {
                outcome = state
                    .grants
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
                outcome = state
                    .grants
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
        state.grants.forget(&target.server, &identity).await?;
        Ok(SignOutReport {
            revoked: outcome.is_ok(),
            message: match outcome {
                Ok(()) => "The grant was revoked and removed.".to_owned(),
                Err(words) => format!(
                    "The grant was removed here. {words} The token stays valid there until it \
                     expires."
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
        self.state().store.change(|records| {
            records.identity_mut(&target.server, identity);
            if let Some(record) = records.servers.get_mut(&target.server) {
                record.chosen = Some(identity.to_owned());
            }
        })?;
        self.state().challenges.forget(&target.server);
        self.state().publisher.publish(&target.server);
        Ok(())
    }

    /// Forgets an identity and what it holds.
    ///
    /// # Errors
    /// When the vault or the store refuses.
    pub async fn forget_identity(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        self.state().grants.forget(&target.server, identity).await?;
        self.state().store.change(|records| {
            if let Some(record) = records.servers.get_mut(&target.server) {
                record.identities.retain(|known| known.name != identity);
                if record.chosen.as_deref() == Some(identity) {
                    record.chosen = None;
                }
            }
        })?;
        self.state().publisher.publish(&target.server);
        Ok(())
    }
}
