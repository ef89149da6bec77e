//! Binds what a user enters for a server to the origin, and the project, it was entered for.
//!
//! A server is known by its name, and any project can define another server of that name. So an
//! entered secret is stored under the origin that the server had then, and is looked up under the
//! origin that it has now: what was entered for one origin cannot be found for another. Settings
//! decide what is sent and are bound in the same way. The user can bind both anew.

use serde::{Deserialize, Serialize};
use sightglass_model::ServerId;
use url::Url;

use crate::{
    AuthError, AuthSettings, SettingSecret, SignIns, Target, WithheldView,
    sign_ins::AuthState,
    store::{EnteredValues, ServerRecord},
};

/// The origin for which something was entered, and the project for a server that a project
/// defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Binding {
    /// Scheme, host and port (RFC 6454, section 6.2).
    pub origin: String,
    /// The directory of the project whose files define the server.
    pub project: Option<String>,
}

impl Target {
    /// The binding of what is entered for this server now.
    pub(crate) fn binding(&self) -> Binding {
        Binding {
            origin: match Url::parse(&self.url) {
                Ok(url) if url.origin().is_tuple() => url.origin().ascii_serialization(),
                _ => self.address(),
            },
            project: self.project.clone(),
        }
    }

    /// The name under which the vault keeps a secret that was entered for this server, at its
    /// present origin.
    pub(crate) fn secret_name(&self, secret: &SettingSecret) -> String {
        secret_name(&self.server, Some(&self.binding()), secret)
    }
}

/// The name under which the vault keeps an entered secret. Without a binding: of one that was
/// stored before secrets were bound, which is sent nowhere.
fn secret_name(server: &ServerId, binding: Option<&Binding>, secret: &SettingSecret) -> String {
    let what = match secret {
        SettingSecret::ClientSecret => "client-secret".to_owned(),
        SettingSecret::PrivateKey => "private-key".to_owned(),
        SettingSecret::Bearer => "bearer".to_owned(),
        SettingSecret::Header { name } => format!("header {}", name.to_ascii_lowercase()),
        SettingSecret::IdToken => "id-token".to_owned(),
        SettingSecret::IdpClientSecret => "idp-client-secret".to_owned(),
        SettingSecret::Assertion => "assertion".to_owned(),
    };
    match binding {
        None => format!("setting {server} {what}"),
        Some(Binding {
            origin,
            project: None,
        }) => format!("setting {server} {what} for {origin}"),
        Some(Binding {
            origin,
            project: Some(project),
        }) => format!("setting {server} {what} for {origin} in {project}"),
    }
}

impl AuthState {
    /// The secrets that the vault keeps under a binding.
    pub(crate) fn kept_secrets(
        &self,
        server: &ServerId,
        binding: Option<&Binding>,
        settings: &AuthSettings,
    ) -> Vec<SettingSecret> {
        let mut secrets = vec![
            SettingSecret::ClientSecret,
            SettingSecret::PrivateKey,
            SettingSecret::Bearer,
            SettingSecret::IdToken,
            SettingSecret::IdpClientSecret,
            SettingSecret::Assertion,
        ];
        let headers = settings.secret_headers.iter().cloned();
        secrets.extend(headers.map(|name| SettingSecret::Header { name }));
        secrets.retain(|secret| {
            let name = secret_name(server, binding, secret);
            self.options.vault.has(&name)
        });
        secrets
    }

    /// Entries for a server of this name elsewhere, which are not used here. Empty once
    /// something was entered here.
    pub(crate) fn withheld(
        &self,
        target: &Target,
        record: Option<&ServerRecord>,
    ) -> Vec<WithheldView> {
        let own = target.binding();
        let nothing = ServerRecord::default();
        let record = record.unwrap_or(&nothing);
        let is_used_here = |entered: &EnteredValues| {
            entered.settings != AuthSettings::default()
                || !self
                    .kept_secrets(&target.server, Some(&own), &entered.settings)
                    .is_empty()
        };
        if record.entered(&own).is_some_and(is_used_here) {
            return Vec::new();
        }
        let unbound = (None, &record.unbound_settings);
        let bound = record
            .entered
            .iter()
            .filter(|entered| entered.binding != own)
            .map(|entered| (Some(&entered.binding), &entered.settings));
        bound
            .chain(std::iter::once(unbound))
            .filter_map(|(binding, settings)| {
                let secrets = self.kept_secrets(&target.server, binding, settings);
                let has_settings = *settings != AuthSettings::default();
                (has_settings || !secrets.is_empty()).then(|| WithheldView {
                    message: withheld_message(binding, &own, &secrets),
                    entered_for: binding.cloned(),
                    secrets,
                })
            })
            .collect()
    }
}

impl SignIns {
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
        let shared = self.shared();
        let to = target.binding();
        if to.origin != shown_origin {
            return Err(AuthError::Invalid(format!(
                "The address of this server changed meanwhile: it is {} now. Look at it again.",
                to.origin
            )));
        }
        let records = shared.records();
        let record = records.servers.get(&target.server);
        let (settings, issuer) = match (record, from) {
            (None, _) => (AuthSettings::default(), None),
            (Some(record), None) => (record.unbound_settings.clone(), None),
            (Some(record), Some(from)) => {
                let entered = record.entered(from).ok_or_else(|| {
                    AuthError::Invalid("It is not there any more. Enter it anew.".to_owned())
                })?;
                (entered.settings.clone(), entered.issuer.clone())
            }
        };
        let vault = &shared.options.vault;
        for secret in shared.kept_secrets(&target.server, from, &settings) {
            let old = secret_name(&target.server, from, &secret);
            let Some(value) = vault.get(&old).await? else {
                continue;
            };
            vault.set(&target.secret_name(&secret), value).await?;
            if from.is_none() {
                vault.remove(&old).await?;
            }
        }
        shared.store.change(|records| {
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
        shared.remember(target);
        shared.publish(&target.server);
        Ok(())
    }
}

/// Says what was entered for whom, and that it was not sent.
fn withheld_message(from: Option<&Binding>, own: &Binding, secrets: &[SettingSecret]) -> String {
    let (what, were, not_sent) = match secrets {
        [] => (
            "These sign-in settings".to_owned(),
            "were",
            "They were not used.",
        ),
        [secret] => (format!("This {}", noun(secret)), "was", "It was not sent."),
        _ => ("These secrets".to_owned(), "were", "They were not sent."),
    };
    let Some(from) = from else {
        return format!(
            "{what} {were} entered before Sightglass kept for which server. This server is {}. \
             {not_sent}",
            own.origin
        );
    };
    // Only where the origins are the same does it matter who defines the server.
    let definer = |project: &Option<String>| match project {
        _ if from.origin != own.origin => String::new(),
        Some(project) => format!(", defined by the project {project}"),
        None => ", defined by you".to_owned(),
    };
    format!(
        "{what} {were} entered for {}{}. This server is {}{}. {not_sent}",
        from.origin,
        definer(&from.project),
        own.origin,
        definer(&own.project),
    )
}

fn noun(secret: &SettingSecret) -> String {
    match secret {
        SettingSecret::ClientSecret => "client secret".to_owned(),
        SettingSecret::PrivateKey => "private key".to_owned(),
        SettingSecret::Bearer => "token".to_owned(),
        SettingSecret::Header { name } => format!("value of the header {name}"),
        SettingSecret::IdToken => "ID token".to_owned(),
        SettingSecret::IdpClientSecret => "client secret of the identity provider".to_owned(),
        SettingSecret::Assertion => "signed statement".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding(origin: &str, project: Option<&str>) -> Binding {
        Binding {
            origin: origin.to_owned(),
            project: project.map(str::to_owned),
        }
    }

    #[test]
    fn a_secret_has_another_name_for_every_origin_and_project() {
        let server = ServerId::new("mcp-json", "github");
        let bindings = [
            None,
            Some(binding("https://api.github.com", None)),
            Some(binding("https://api.github.com:8443", None)),
            Some(binding("http://api.github.com", None)),
            Some(binding("https://api.github.com", Some("/work/one"))),
            Some(binding("https://api.github.com", Some("/work/two"))),
            Some(binding("https://evil.example", None)),
        ];
        let names: std::collections::HashSet<String> = bindings
            .iter()
            .map(|binding| secret_name(&server, binding.as_ref(), &SettingSecret::Bearer))
            .collect();
        assert_eq!(names.len(), bindings.len());
    }

    #[test]
    fn the_words_name_both_origins_and_who_defines_the_server_where_that_is_the_difference() {
        let github = binding("https://api.github.com", None);
        let evil = binding("https://evil.example", Some("/work/repo"));
        assert_eq!(
            withheld_message(Some(&github), &evil, &[SettingSecret::Bearer]),
            "This token was entered for https://api.github.com. This server is \
             https://evil.example. It was not sent."
        );
        let same = binding("https://api.github.com", Some("/work/repo"));
        assert_eq!(
            withheld_message(Some(&github), &same, &[]),
            "These sign-in settings were entered for https://api.github.com, defined by you. This \
             server is https://api.github.com, defined by the project /work/repo. They were not \
             used."
        );
        let unbound = withheld_message(
            None,
            &evil,
            &[SettingSecret::Bearer, SettingSecret::IdToken],
        );
        assert!(unbound.ends_with("They were not sent."), "{unbound}");
    }
}
