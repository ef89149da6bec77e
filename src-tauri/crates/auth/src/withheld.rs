//! Lists what the user entered for another server of the same name, which is neither used nor
//! sent here.

use sightglass_model::ServerId;
use sightglass_secrets::Vault;

use crate::{
    AuthSettings, Binding, SettingSecret, Target, WithheldView,
    store::{EnteredValues, ServerRecord},
    target::secret_name,
};

/// Returns the secrets that the vault keeps under a binding.
pub(crate) fn kept_secrets(
    vault: &Vault,
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
    secrets.retain(|secret| vault.has(&secret_name(server, binding, secret)));
    secrets
}

/// Returns the entries for a server of this name elsewhere, which are not used here. Empty once
/// something was entered here.
pub(crate) fn withheld(
    vault: &Vault,
    target: &Target,
    record: Option<&ServerRecord>,
) -> Vec<WithheldView> {
    let own = target.binding();
    let nothing = ServerRecord::default();
    let record = record.unwrap_or(&nothing);
    let is_used_here = |entered: &EnteredValues| {
        entered.settings != AuthSettings::default()
            || !kept_secrets(vault, &target.server, Some(&own), &entered.settings).is_empty()
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
            let secrets = kept_secrets(vault, &target.server, binding, settings);
            let has_settings = *settings != AuthSettings::default();
            (has_settings || !secrets.is_empty()).then(|| WithheldView {
                message: withheld_message(binding, &own, &secrets),
                entered_for: binding.cloned(),
                secrets,
            })
        })
        .collect()
}

/// Returns the message that names what was entered and for which server.
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
    fn the_message_names_both_origins_and_who_defines_the_server_where_that_is_the_difference() {
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
