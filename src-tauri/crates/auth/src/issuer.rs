//! Binds client secrets, keys and signed statements that a user entered to the authorization
//! server that the user agreed to.
//!
//! An MCP server names its authorization server, so a hostile one could name a server of its own
//! and have the client secret posted there. What was entered goes to the agreed issuer alone; a
//! server that names another one is stopped, and the user is asked.

use url::Url;

use crate::{
    AuthError, IssuerQuestion, SignIns, Target,
    metadata::differ_by_slash,
    progress::lock,
    sign_ins::{AuthState, grant_name},
    ssrf::check_address,
    store::Grant,
};

impl IssuerQuestion {
    /// The question in words.
    pub(crate) fn message(&self) -> String {
        match &self.instead_of {
            Some(old) => format!(
                "This server now names another authorization server: {} instead of {old}.",
                self.issuer
            ),
            None => format!(
                "This server names {} as its authorization server, and you have not agreed to \
                 that one yet.",
                self.issuer
            ),
        }
    }

    /// Returns what the user can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self.instead_of {
            Some(_) => {
                "Nothing was sent there. Ask whoever runs the server whether it has moved. If it \
                 has, agree to the new one under Auth, or with `sightglass-cli login --issuer`."
            }
            None => {
                "Nothing was sent there. If it is the one that your client is registered with, \
                 agree to it under Auth, or with `sightglass-cli login --issuer`."
            }
        }
    }
}

/// Returns true when two texts name one issuer; a slash at the end is no difference.
pub(crate) fn is_same_issuer(one: &str, other: &str) -> bool {
    one == other || differ_by_slash(one, other)
}

impl AuthState {
    /// The issuer that may get what was entered for this server at its present origin.
    pub(crate) fn agreed_issuer(&self, target: &Target) -> Option<String> {
        let records = self.records();
        let record = records.servers.get(&target.server)?;
        let entered = record.entered(&target.binding())?;
        let by_hand = entered.settings.issuer.clone();
        by_hand.or_else(|| entered.issuer.clone())
    }

    /// Keeps an issuer as the one that the user agreed to.
    pub(crate) fn keep_issuer(&self, target: &Target, issuer: &str) -> Result<(), AuthError> {
        self.store.change(|records| {
            let record = records.servers.entry(target.server.clone()).or_default();
            record.entered_mut(&target.binding()).issuer = Some(issuer.to_owned());
        })?;
        Ok(())
    }

    /// Forgets the tokens of a grant that an authorization server gave which this server no
    /// longer names.
    pub(crate) async fn invalidate_grant(
        &self,
        target: &Target,
        identity: &str,
        grant: &Grant,
        issuer: &str,
    ) -> Result<(), AuthError> {
        let server = &target.server;
        self.options
            .vault
            .remove(&grant_name(server, identity))
            .await?;
        lock(&self.held).remove(&(server.clone(), identity.to_owned()));
        let reason = format!(
            "This server now names another authorization server: {issuer} instead of {}. The \
             tokens of the old one were forgotten.",
            grant.issuer
        );
        self.store.change(|records| {
            let known = records.identity_mut(server, identity);
            known.grant = None;
            known.problem = Some(reason);
        })?;
        self.publish(server);
        Ok(())
    }
}

impl SignIns {
    /// Agrees that what was entered for this server may go to this authorization server, the one
    /// that the user was shown. A sign-in that waits for that goes on.
    ///
    /// # Errors
    /// When it is not the one that is asked about, not an address, or the store cannot be written.
    pub fn agree_to_issuer(&self, target: &Target, issuer: &str) -> Result<(), AuthError> {
        let shared = self.shared();
        let url = Url::parse(issuer).map_err(|error| {
            AuthError::Invalid(format!("The issuer is not an address: {error}."))
        })?;
        check_address(&url).map_err(|(words, _)| {
            AuthError::Invalid(format!("The issuer cannot be used. {words}"))
        })?;
        let progress = shared.progress(&target.server);
        let asked = progress
            .as_ref()
            .and_then(|progress| progress.view().issuer_question);
        if asked.is_some_and(|asked| !is_same_issuer(&asked.issuer, issuer)) {
            return Err(AuthError::Invalid(
                "The server names another authorization server by now. Look at it again."
                    .to_owned(),
            ));
        }
        shared.keep_issuer(target, issuer)?;
        shared.remember(target);
        match progress {
            Some(progress) => progress.agree(),
            None => shared.publish(&target.server),
        }
        Ok(())
    }
}
