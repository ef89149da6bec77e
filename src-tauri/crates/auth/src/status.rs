//! Derives the sign-in state of a server, as it is shown, and publishes it when it changed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use sightglass_model::{ServerId, Timestamp, lock, sentence};
use sightglass_secrets::{VaultKind, mask_url};

use crate::{
    AuthMode, AuthSettings, AuthStatus, AuthView, GrantView, IdentityView, SettingSecret, Target,
    VaultView,
    attempts::Attempts,
    settings::effective,
    state::AuthState,
    store::{AuthRecords, DEFAULT_IDENTITY, Grant},
    withheld::withheld,
};

/// Called with the state of a server whenever it changes. Must not block.
pub(crate) type ChangeListener = Arc<dyn Fn(AuthView) + Send + Sync>;

/// Shows the sign-in states of the servers that were asked about.
pub(crate) struct Statuses {
    pub state: Arc<AuthState>,
    pub attempts: Arc<Attempts>,
    pub targets: Mutex<HashMap<ServerId, Target>>,
    pub on_change: ChangeListener,
}

impl Statuses {
    /// Remembers what is known of a server, for the next publication.
    pub fn remember(&self, target: &Target) {
        lock(&self.targets).insert(target.server.clone(), target.clone());
    }

    pub fn publish(&self, server: &ServerId) {
        let target = lock(&self.targets).get(server).cloned();
        if let Some(target) = target {
            (self.on_change)(self.view(&target));
        }
    }

    pub fn publish_all(&self) {
        let targets: Vec<Target> = lock(&self.targets).values().cloned().collect();
        for target in targets {
            (self.on_change)(self.view(&target));
        }
    }

    pub fn view(&self, target: &Target) -> AuthView {
        let records = self.state.store.records();
        let binding = target.binding();
        let record = records.servers.get(&target.server);
        let settings = effective(
            &record
                .and_then(|record| record.entered(&binding))
                .map(|entered| entered.settings.clone())
                .unwrap_or_default(),
            target,
        );
        let chosen = records.chosen(&target.server);
        let mut identities: Vec<IdentityView> = record
            .map(|record| record.identities.as_slice())
            .unwrap_or_default()
            .iter()
            .map(|identity| IdentityView {
                name: identity.name.clone(),
                grant: identity.grant.as_ref().map(|grant| self.grant_view(grant)),
                problem: identity.problem.clone(),
            })
            .collect();
        for name in [DEFAULT_IDENTITY, &chosen] {
            if !identities.iter().any(|identity| identity.name == name) {
                let nobody = IdentityView {
                    name: name.to_owned(),
                    grant: None,
                    problem: None,
                };
                identities.insert(0, nobody);
            }
        }
        let mode = settings.mode.unwrap_or_default();
        AuthView {
            server: target.server.clone(),
            url: target.shown_url(),
            withheld: withheld(&self.state.vault, target, record),
            origin: binding.origin,
            mode,
            status: self.status(target, &records, &chosen, mode, &settings),
            identity: chosen,
            identities,
            vault: self.vault_view(),
            attempt: self
                .attempts
                .progress(&target.server)
                .map(|progress| progress.view()),
        }
    }

    fn status(
        &self,
        target: &Target,
        records: &AuthRecords,
        identity: &str,
        mode: AuthMode,
        settings: &AuthSettings,
    ) -> AuthStatus {
        if let Some(since) = self.state.vault.state().waiting_since {
            return AuthStatus::WaitingForKeychain {
                since: since.into(),
            };
        }
        let problem = records
            .identity(&target.server, identity)
            .and_then(|identity| identity.problem.clone());
        if let Some(reason) = problem {
            return AuthStatus::Expired { reason };
        }
        if let Some(challenge) = self.state.challenges.get(&target.server) {
            return AuthStatus::Required {
                challenge: challenge.view().masked(&target.redactor()),
            };
        }
        let has_fixed = || {
            let name = target.secret_name(&SettingSecret::Bearer);
            let from_variable = settings
                .bearer_variable
                .as_deref()
                .is_some_and(|name| (self.state.environment)(name).is_some());
            target.has_authorization() || from_variable || self.state.vault.has(&name)
        };
        match (mode, records.grant(&target.server, identity)) {
            (AuthMode::Off, _) => AuthStatus::SignedOut,
            (AuthMode::Bearer, _) if has_fixed() => AuthStatus::SignedIn,
            (AuthMode::Bearer, _) | (_, None) => AuthStatus::SignedOut,
            (_, Some(grant)) if grant.server_url != target.address() => AuthStatus::Expired {
                reason: format!(
                    "The grant is for {}, but the server's address has changed.",
                    mask_url(&grant.server_url)
                ),
            },
            (_, Some(grant)) => match grant.expires_at {
                Some(expires) if expires <= Timestamp::now() && !grant.refreshable => {
                    AuthStatus::Expired {
                        reason: "The token has expired, and there is no refresh token.".to_owned(),
                    }
                }
                _ => AuthStatus::SignedIn,
            },
        }
    }

    fn grant_view(&self, grant: &Grant) -> GrantView {
        GrantView {
            issuer: grant.authorization_server.issuer.clone(),
            account: grant.account.clone(),
            client_id: grant.client_id.clone(),
            registration: grant.registration,
            resource: match grant.resource.as_str() {
                "" => grant.server_url.clone(),
                resource => resource.to_owned(),
            },
            wider_resource: grant.wider_resource.clone(),
            scopes_requested: grant.scopes_requested.clone(),
            scopes_granted: grant.scopes_granted.clone(),
            signed_in_at: grant.signed_in_at,
            expires_at: grant.expires_at,
            refreshable: grant.refreshable,
            revocable: grant.revocation_endpoint.is_some(),
            kept_in: self.vault_view().kind,
        }
    }

    pub fn vault_view(&self) -> VaultView {
        let vault = &self.state.vault;
        let state = vault.state();
        // Before the first secret the keychain is what will be tried.
        let settled = state.kind.is_some();
        let kind = state.kind.unwrap_or(VaultKind::Keychain);
        let path = vault.file().map(|path| path.display().to_string());
        VaultView {
            label: match kind {
                VaultKind::Keychain => vault.keychain_label().to_owned(),
                VaultKind::File => "File".to_owned(),
                VaultKind::Memory => "Memory".to_owned(),
            },
            path: path.filter(|_| kind == VaultKind::File),
            can_move_to: match kind {
                VaultKind::Keychain => Some(VaultKind::File),
                VaultKind::File => Some(VaultKind::Keychain),
                VaultKind::Memory => None,
            },
            problem: state.problem.map(sentence),
            waiting_since: state.waiting_since.map(Timestamp::from),
            kind,
            settled,
        }
    }
}
