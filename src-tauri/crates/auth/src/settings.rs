//! Merges settings: the client that was named for this run before the user's own
//! in the window, and those before the configuration's.

use sightglass_http::check_address;
use url::Url;

use crate::{
    AuthError, AuthMode, AuthSettings, Target,
    oauth::{parameters::check_parameters, redirect::Redirect},
};

/// The settings that count for a server.
pub(crate) fn effective(own: &AuthSettings, target: &Target) -> AuthSettings {
    let configured = &target.configured;
    let choose = |own: &Option<String>, configured: &Option<String>| {
        own.clone().or_else(|| configured.clone())
    };
    let mode = own.mode.or(configured.mode).unwrap_or_else(|| {
        if target.has_authorization()
            || own.bearer_variable.is_some()
            || configured.bearer_variable.is_some()
        {
            AuthMode::Bearer
        } else {
            AuthMode::Oauth
        }
    });
    let mut settings = AuthSettings {
        mode: Some(mode),
        client_id: choose(&own.client_id, &configured.client_id),
        client_metadata_url: choose(&own.client_metadata_url, &configured.client_metadata_url),
        auth_method: own.auth_method.or(configured.auth_method),
        key_id: choose(&own.key_id, &configured.key_id),
        scopes: own.scopes.clone().or_else(|| configured.scopes.clone()),
        redirect_uri: choose(&own.redirect_uri, &configured.redirect_uri),
        callback_port: own.callback_port.or(configured.callback_port),
        omit_resource: own.omit_resource || configured.omit_resource,
        authorization_parameters: if own.authorization_parameters.is_empty() {
            configured.authorization_parameters.clone()
        } else {
            own.authorization_parameters.clone()
        },
        allow_missing_s256: own.allow_missing_s256 || configured.allow_missing_s256,
        allow_other_audience: own.allow_other_audience || configured.allow_other_audience,
        resource_metadata: choose(&own.resource_metadata, &configured.resource_metadata),
        issuer: choose(&own.issuer, &configured.issuer),
        server_metadata: choose(&own.server_metadata, &configured.server_metadata),
        authorization_endpoint: choose(
            &own.authorization_endpoint,
            &configured.authorization_endpoint,
        ),
        token_endpoint: choose(&own.token_endpoint, &configured.token_endpoint),
        registration_endpoint: choose(
            &own.registration_endpoint,
            &configured.registration_endpoint,
        ),
        revocation_endpoint: choose(&own.revocation_endpoint, &configured.revocation_endpoint),
        bearer_variable: choose(&own.bearer_variable, &configured.bearer_variable),
        secret_headers: own.secret_headers.clone(),
        idp_issuer: choose(&own.idp_issuer, &configured.idp_issuer),
        idp_token_endpoint: choose(&own.idp_token_endpoint, &configured.idp_token_endpoint),
        idp_client_id: choose(&own.idp_client_id, &configured.idp_client_id),
    };
    if let Some(named) = &target.client
        && settings.client_id.as_ref() != Some(&named.id)
    {
        settings.client_id = Some(named.id.clone());
        // How another client proves itself does not hold for this one.
        settings.auth_method = None;
        settings.key_id = None;
    }
    settings
}

/// The settings with empty texts taken for absent ones.
///
/// # Errors
/// When an address is not one, or must not be visited.
pub(crate) fn cleaned(mut settings: AuthSettings) -> Result<AuthSettings, AuthError> {
    let texts = [
        &mut settings.client_id,
        &mut settings.key_id,
        &mut settings.bearer_variable,
        &mut settings.idp_client_id,
        &mut settings.redirect_uri,
    ];
    for text in texts {
        clear_if_empty(text);
    }
    for (what, address) in addresses(&mut settings) {
        clear_if_empty(address);
        if let Some(text) = address {
            let url = Url::parse(text).map_err(|error| {
                AuthError::Invalid(format!("The {what} is not a valid address: {error}."))
            })?;
            check_address(&url).map_err(|refused| {
                AuthError::Invalid(format!("The {what} cannot be used. {refused}"))
            })?;
        }
    }
    if let Some(redirect) = &settings.redirect_uri {
        Redirect::parse(redirect).map_err(|error| AuthError::Invalid(error.to_string()))?;
    }
    for parameter in &mut settings.authorization_parameters {
        parameter.name = parameter.name.trim().to_owned();
        parameter.value = parameter.value.trim().to_owned();
    }
    settings
        .authorization_parameters
        .retain(|parameter| !parameter.name.is_empty() || !parameter.value.is_empty());
    check_parameters(&settings.authorization_parameters)
        .map_err(|error| AuthError::Invalid(error.to_string()))?;
    settings
        .secret_headers
        .retain(|name| !name.trim().is_empty());
    if let Some(scopes) = &mut settings.scopes {
        *scopes = scopes
            .iter()
            .flat_map(|scope| scope.split_whitespace().map(str::to_owned))
            .collect();
    }
    Ok(settings)
}

/// Returns the addresses in settings that a sign-in visits, and what each is.
pub(crate) fn addresses(settings: &mut AuthSettings) -> [(&'static str, &mut Option<String>); 10] {
    [
        (
            "client metadata document",
            &mut settings.client_metadata_url,
        ),
        ("resource metadata", &mut settings.resource_metadata),
        ("issuer", &mut settings.issuer),
        ("server metadata", &mut settings.server_metadata),
        (
            "authorization endpoint",
            &mut settings.authorization_endpoint,
        ),
        ("token endpoint", &mut settings.token_endpoint),
        ("registration endpoint", &mut settings.registration_endpoint),
        ("revocation endpoint", &mut settings.revocation_endpoint),
        ("identity provider's issuer", &mut settings.idp_issuer),
        (
            "identity provider's token endpoint",
            &mut settings.idp_token_endpoint,
        ),
    ]
}

fn clear_if_empty(text: &mut Option<String>) {
    *text = text
        .take()
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty());
}
