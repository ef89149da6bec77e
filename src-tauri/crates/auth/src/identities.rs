//! Chooses, forgets and signs out the identities of a server.

use crate::{
    AuthError, PermittedTarget, SignIns, SignOutReport, StepExchange, Target, grants::HeldTokens,
    store::Grant,
};

impl SignIns {
    /// Revokes the grant of an identity where the authorization server can, and forgets it.
    pub async fn sign_out(
        &self,
        target: &PermittedTarget,
        identity: Option<String>,
    ) -> Result<SignOutReport, AuthError> {
        let state = self.state();
        let identity = identity.unwrap_or_else(|| state.store.records().chosen(&target.server));
        let mut exchanges = Vec::new();
        let mut outcome = Ok(());
        let grant = state.store.grant(&target.server, &identity);
        if let Some(grant) = &grant
            && let Some(held) = state.grants.held(&target.server, &identity).await?
        {
            outcome = self.revoke(target, grant, &held, &mut exchanges).await;
        }
        self.forget(target, &identity).await?;
        Ok(signed_out(grant.is_some(), outcome, exchanges))
    }

    /// Forgets the grant of an identity of a server that must not be contacted, for this reason: its
    /// authorization server is not asked to revoke it.
    pub async fn sign_out_here(
        &self,
        target: &Target,
        identity: Option<String>,
        reason: &str,
    ) -> Result<SignOutReport, AuthError> {
        let state = self.state();
        let identity = identity.unwrap_or_else(|| state.store.records().chosen(&target.server));
        let has_grant = state.store.grant(&target.server, &identity).is_some();
        self.forget(target, &identity).await?;
        let outcome = Err(format!(
            "{reason} Its authorization server was not asked to revoke it."
        ));
        Ok(signed_out(has_grant, outcome, Vec::new()))
    }

    /// Revokes the tokens of a grant. The refresh token first: with it goes all that came of it
    /// (RFC 7009, section 2.1).
    async fn revoke(
        &self,
        target: &PermittedTarget,
        grant: &Grant,
        held: &HeldTokens,
        exchanges: &mut Vec<StepExchange>,
    ) -> Result<(), String> {
        let (grants, tokens) = (&self.state().grants, &held.tokens);
        if let Some(refresh) = &tokens.refresh {
            grants
                .revoke(target, grant, tokens, refresh, "refresh_token", exchanges)
                .await?;
        }
        grants
            .revoke(
                target,
                grant,
                tokens,
                &tokens.access,
                "access_token",
                exchanges,
            )
            .await
    }

    /// Forgets what an identity holds, and the secrets of clients that are used no more.
    async fn forget(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        let state = self.state();
        state.grants.forget(&target.server, identity).await?;
        Ok(state.remove_unused_secrets().await?)
    }

    /// Uses this identity from the next connection on.
    pub fn choose_identity(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        let identity = identity.trim();
        if identity.is_empty() || identity.chars().any(char::is_control) {
            return Err(AuthError::Invalid("An account needs a name.".to_owned()));
        }
        self.state().store.change(|records| {
            records.identity_mut(&target.server, identity);
            if let Some(record) = records.servers.get_mut(&target.server) {
                record.chosen = Some(identity.to_owned());
            }
        })?;
        self.state().challenges.forget(&target.server);
        self.state().change_signal.publish(&target.server);
        Ok(())
    }

    /// Forgets an identity and what it holds.
    pub async fn delete_identity(&self, target: &Target, identity: &str) -> Result<(), AuthError> {
        self.forget(target, identity).await?;
        self.state().store.change(|records| {
            if let Some(record) = records.servers.get_mut(&target.server) {
                record.identities.retain(|known| known.name != identity);
                if record.chosen.as_deref() == Some(identity) {
                    record.chosen = None;
                }
            }
        })?;
        self.state().change_signal.publish(&target.server);
        Ok(())
    }
}

/// Tells how the end of a grant went, if there was one.
fn signed_out(
    had_grant: bool,
    revoked: Result<(), String>,
    exchanges: Vec<StepExchange>,
) -> SignOutReport {
    SignOutReport {
        revoked: had_grant && revoked.is_ok(),
        message: match revoked {
            _ if !had_grant => "Not signed in.".to_owned(),
            Ok(()) => "The grant was revoked and removed.".to_owned(),
            Err(words) => format!(
                "The grant was removed here. {words} The token stays valid there until it expires."
            ),
        },
        exchanges,
    }
}
