//! Commands for signing in, identities and tokens.

use sightglass_inspector::{
    AuthSettings, AuthSettingsView, AuthView, Binding, EndpointQuestion, RequestDraft, ServerId,
    SettingSecret, SignInExport, SignInRequest, SignOutReport, StepKind, TokenAction, TokenKind,
    TokenReaction, TokensView, VaultKind, VaultView,
};

use crate::error::{CommandResult, blocking, contained};
use crate::projects::Current;

/// Returns the state of signing in to a server.
#[tauri::command]
#[specta::specta]
pub async fn auth_view(inspector: Current, server: ServerId) -> CommandResult<AuthView> {
    contained(async move { Ok(inspector.sign_in.auth_view(&server).await?) }).await
}

/// Starts to sign in; how it goes arrives as facts. One that runs for this server is
/// cancelled first.
#[tauri::command]
#[specta::specta]
pub async fn sign_in(
    inspector: Current,
    server: ServerId,
    request: SignInRequest,
) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.sign_in.sign_in(&server, request)
    })
    .await
}

/// Stops a sign-in, wherever it is. Says whether there was one.
#[tauri::command]
#[specta::specta]
pub async fn cancel_sign_in(inspector: Current, server: ServerId) -> CommandResult<bool> {
    contained(async move { Ok(inspector.sign_in.cancel_sign_in(&server)) }).await
}

/// Goes on after a pause, with the request as it was edited, and pauses again before the
/// given steps.
#[tauri::command]
#[specta::specta]
pub async fn continue_sign_in(
    inspector: Current,
    server: ServerId,
    edited: Option<RequestDraft>,
    pauses: Vec<StepKind>,
) -> CommandResult<()> {
    contained(async move {
        Ok(inspector
            .sign_in
            .continue_sign_in(&server, edited, pauses)?)
    })
    .await
}

/// Sets the steps to pause before, while a sign-in runs.
#[tauri::command]
#[specta::specta]
pub async fn set_sign_in_pauses(
    inspector: Current,
    server: ServerId,
    pauses: Vec<StepKind>,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.sign_in.set_sign_in_pauses(&server, pauses)?) }).await
}

/// Does a sign-in again from a step on, keeping what the steps before it found.
#[tauri::command]
#[specta::specta]
pub async fn restart_sign_in(
    inspector: Current,
    server: ServerId,
    from: StepKind,
    pauses: Vec<StepKind>,
) -> CommandResult<()> {
    blocking(&inspector, move |inspector| {
        inspector.sign_in.restart_sign_in(&server, from, pauses)
    })
    .await
}

/// Hands over the address that the browser was sent back to.
#[tauri::command]
#[specta::specta]
pub async fn paste_redirect(
    inspector: Current,
    server: ServerId,
    address: String,
) -> CommandResult<()> {
    contained(async move { Ok(inspector.sign_in.paste_redirect(&server, &address)?) }).await
}

/// Revokes the grant where the authorization server can, and forgets it. The chosen identity
/// when none is named.
#[tauri::command]
#[specta::specta]
pub async fn sign_out(
    inspector: Current,
    server: ServerId,
    identity: Option<String>,
) -> CommandResult<SignOutReport> {
    contained(async move { Ok(inspector.sign_in.sign_out(&server, identity).await?) }).await
}

/// Uses this identity from the next connection on; a new name makes a new one.
#[tauri::command]
#[specta::specta]
pub async fn choose_identity(
    inspector: Current,
    server: ServerId,
    identity: String,
) -> CommandResult<AuthView> {
    contained(async move {
        Ok(inspector
            .sign_in
            .choose_identity(&server, &identity)
            .await?)
    })
    .await
}

/// Forgets an identity and what it holds, without telling the authorization server.
#[tauri::command]
#[specta::specta]
pub async fn forget_identity(
    inspector: Current,
    server: ServerId,
    identity: String,
) -> CommandResult<AuthView> {
    contained(async move {
        Ok(inspector
            .sign_in
            .forget_identity(&server, &identity)
            .await?)
    })
    .await
}

/// The tokens of an identity, decoded and judged; nothing when it holds none.
#[tauri::command]
#[specta::specta]
pub async fn tokens(
    inspector: Current,
    server: ServerId,
    identity: String,
) -> CommandResult<Option<TokensView>> {
    contained(async move { Ok(inspector.sign_in.tokens(&server, &identity).await?) }).await
}

/// A token itself: only when the user asks to see it.
#[tauri::command]
#[specta::specta]
pub async fn reveal_token(
    inspector: Current,
    server: ServerId,
    identity: String,
    token: TokenKind,
) -> CommandResult<String> {
    contained(async move {
        Ok(inspector
            .sign_in
            .reveal_token(&server, &identity, token)
            .await?)
    })
    .await
}

/// Does something to a token and shows how the servers take it.
#[tauri::command]
#[specta::specta]
pub async fn token_action(
    inspector: Current,
    server: ServerId,
    identity: String,
    action: TokenAction,
) -> CommandResult<TokenReaction> {
    contained(async move {
        Ok(inspector
            .sign_in
            .token_action(&server, &identity, action)
            .await?)
    })
    .await
}

/// Returns the settings for signing in to a server.
#[tauri::command]
#[specta::specta]
pub async fn auth_settings(
    inspector: Current,
    server: ServerId,
) -> CommandResult<AuthSettingsView> {
    contained(async move { Ok(inspector.sign_in.auth_settings(&server).await?) }).await
}

/// Saves the settings for signing in to a server.
#[tauri::command]
#[specta::specta]
pub async fn save_auth_settings(
    inspector: Current,
    server: ServerId,
    settings: AuthSettings,
) -> CommandResult<AuthSettingsView> {
    contained(async move {
        Ok(inspector
            .sign_in
            .save_auth_settings(&server, settings)
            .await?)
    })
    .await
}

/// Keeps a secret for signing in, or forgets it when there is no value.
#[tauri::command]
#[specta::specta]
pub async fn store_auth_secret(
    inspector: Current,
    server: ServerId,
    secret: SettingSecret,
    value: Option<String>,
) -> CommandResult<AuthSettingsView> {
    contained(async move {
        Ok(inspector
            .sign_in
            .store_auth_secret(&server, secret, value)
            .await?)
    })
    .await
}

/// Uses for a server, at the origin that the user was shown, what was entered for another one of
/// its name.
#[tauri::command]
#[specta::specta]
pub async fn rebind_auth(
    inspector: Current,
    server: ServerId,
    from: Option<Binding>,
    origin: String,
) -> CommandResult<AuthView> {
    contained(async move {
        Ok(inspector
            .sign_in
            .rebind_auth(&server, from, &origin)
            .await?)
    })
    .await
}

/// Agrees that what was entered for a server may go to this authorization server. A sign-in that
/// waits for that goes on.
#[tauri::command]
#[specta::specta]
pub async fn agree_to_issuer(
    inspector: Current,
    server: ServerId,
    issuer: String,
) -> CommandResult<AuthView> {
    blocking(&inspector, move |inspector| {
        inspector.sign_in.agree_to_issuer(&server, &issuer)
    })
    .await
}

/// Agrees that the code of one origin may go to another. The sign-in that waits for that goes on.
#[tauri::command]
#[specta::specta]
pub async fn agree_to_endpoints(
    inspector: Current,
    server: ServerId,
    shown: EndpointQuestion,
) -> CommandResult<AuthView> {
    blocking(&inspector, move |inspector| {
        inspector.sign_in.agree_to_endpoints(&server, &shown)
    })
    .await
}

/// The last sign-in as text to hand on, without its secrets.
#[tauri::command]
#[specta::specta]
pub async fn export_sign_in(
    inspector: Current,
    server: ServerId,
    form: SignInExport,
) -> CommandResult<String> {
    contained(async move { Ok(inspector.sign_in.export_sign_in(&server, form)?) }).await
}

/// Moves every secret between the keychain and the file.
#[tauri::command]
#[specta::specta]
pub async fn move_secrets(inspector: Current, to: VaultKind) -> CommandResult<VaultView> {
    contained(async move { Ok(inspector.sign_in.move_secrets(to).await?) }).await
}
