//! Enterprise-managed sign-in: the user signs in at the company's identity provider, which vouches
//! for them at the authorization server.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthMode, AuthSettings, AuthStatus, RequestEnd, SettingSecret, SignInRequest, SignInState,
    SignInView, StepKind, StepState, Verdict,
};
use sightglass_model::Timestamp;
use sightglass_tests::{
    oidc::Guarded,
    scripted::{Fault, REGISTERED_SECRET, Scripted},
    user::User,
};

use super::Scene;

const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";

/// Settings of a sign-in at this identity provider.
fn settings(provider: &Scripted) -> AuthSettings {
    AuthSettings {
        mode: Some(AuthMode::Enterprise),
        client_id: Some("registered".to_owned()),
        idp_issuer: Some(provider.issuer().to_owned()),
        idp_client_id: Some("registered".to_owned()),
        ..AuthSettings::default()
    }
}

/// A server whose users sign in at an identity provider, with everything entered.
async fn scene(user: Arc<User>) -> (Scene, Scripted) {
    let provider = Scripted::start().await;
    let scene = Scene::with(Scripted::start().await, user);
    scene.set(settings(&provider)).await;
    scene
        .keep(SettingSecret::ClientSecret, REGISTERED_SECRET)
        .await;
    scene
        .keep(SettingSecret::IdpClientSecret, REGISTERED_SECRET)
        .await;
    (scene, provider)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_signs_in_at_the_identity_provider_of_the_company() {
    let (scene, provider) = scene(User::signs_in("ada")).await;
    // Connecting alone opens no browser and posts nothing anywhere.
    let status = scene.host.try_connect(&scene.server).await;
    assert!(status.failure.is_some());
    assert_eq!(scene.user.opened(), [""; 0]);
    assert!(provider.asked("/token").is_empty());
    assert!(matches!(scene.status().await, AuthStatus::Required { .. }));

    // What was entered goes to the authorization server that the user agrees to.
    let request = SignInRequest::default();
    let started = scene.host.inspector.sign_in.sign_in(&scene.server, request);
    started.expect("it starts");
    let waits = |state| state == SignInState::WaitingForAgreement;
    scene.host.sign_in_reaches(&scene.server, waits).await;
    scene.agrees().await;
    let attempt = scene.host.signed_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    for step in [StepKind::Authorization, StepKind::Callback, StepKind::Token] {
        assert_eq!(attempt.steps[step as usize].state, StepState::Done);
    }
    scene.echoes().await;

    // The browser goes to the identity provider alone, with PKCE and a nonce.
    assert!(scene.scripted.asked("/authorize").is_empty());
    let asked = &provider.asked("/authorize")[0];
    assert_eq!(asked.get("scope"), "openid");
    assert_eq!(asked.get("code_challenge_method"), "S256");
    assert!(!asked.get("nonce").is_empty() && !asked.parameters.contains_key("resource"));
    let [redeemed, exchanged] = &provider.asked("/token")[..] else {
        panic!("{:#?}", provider.asked("/token"));
    };
    assert_eq!(redeemed.get("grant_type"), "authorization_code");
    assert_eq!(exchanged.get("requested_token_type"), ID_JAG);
    assert_eq!(exchanged.get("audience"), scene.scripted.issuer());
    assert_eq!(exchanged.get("resource"), scene.scripted.url());
    let granted = &scene.scripted.asked("/token")[0];
    assert!(granted.get("grant_type").ends_with(":jwt-bearer"));
    assert!(!granted.body.contains(exchanged.get("subject_token")));
    let checks = &attempt.steps[StepKind::Token as usize].checks;
    for subject in ["issuer", "audience", "expiry", "nonce"] {
        let subject = format!("{subject} of the ID token");
        let check = checks.iter().find(|check| check.rule == subject);
        assert_eq!(check.expect("shown").verdict, Verdict::Passed);
    }
    let view = scene.host.auth(&scene.server).await;
    let grant = view.identities[0].grant.clone().expect("signed in");
    assert_eq!(grant.account.as_deref(), Some("ada@acme.example"));

    // A token that ended is asked for anew, without the browser, time after time.
    for round in 1..=2 {
        scene.scripted.end_tokens();
        scene.echoes().await;
        assert_eq!(scene.scripted.asked("/token").len(), 1 + round);
    }
    assert_eq!(scene.user.opened().len(), 1);
    // Signing out forgets the ID token with the rest.
    let out = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, None)
        .await;
    out.expect("signed out");
    let before = provider.asked("/token").len();
    scene
        .host
        .inspector
        .servers
        .open_connections
        .disconnect(&scene.server)
        .await;
    assert!(
        scene
            .host
            .try_connect(&scene.server)
            .await
            .failure
            .is_some()
    );
    assert_eq!(provider.asked("/token").len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_steps_pause_before_the_requests_to_the_identity_provider() {
    let (scene, provider) = scene(User::without_browser()).await;
    scene.agrees().await;
    let request = SignInRequest {
        pauses: vec![StepKind::Authorization],
        manual: true,
        ..SignInRequest::default()
    };
    let started = scene.host.inspector.sign_in.sign_in(&scene.server, request);
    started.expect("it starts");
    let draft = scene.paused_before(StepKind::Authorization).await;
    let place = format!("{}/authorize", provider.issuer());
    assert!(draft.url.starts_with(&place), "{draft:?}");
    let go_on = |pauses| {
        let inspector = &scene.host.inspector;
        let continued = inspector
            .sign_in
            .continue_sign_in(&scene.server, None, pauses);
        continued.expect("it goes on");
    };
    go_on(vec![StepKind::Token]);
    let waits = |state| state == SignInState::WaitingForPaste;
    let attempt = scene.host.sign_in_reaches(&scene.server, waits).await;
    let back = attempt.redirect_uri.expect("an address");
    let address = attempt.address.expect("shown");
    let end = scene.user.walk(&address, Some(&back)).await;
    let pasted = scene
        .host
        .inspector
        .sign_in
        .paste_redirect(&scene.server, &end);
    pasted.expect("taken");
    let draft = scene.paused_before(StepKind::Token).await;
    assert!(draft.url.starts_with(provider.issuer()), "{draft:?}");
    go_on(Vec::new());
    let attempt: SignInView = scene.host.signed_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    // The step can be done again: the ID token is there, the code is not asked with twice.
    let again =
        scene
            .host
            .inspector
            .sign_in
            .restart_sign_in(&scene.server, StepKind::Token, Vec::new());
    again.expect("it restarts");
    let attempt = scene.host.signed_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let codes = provider.asked("/token");
    let codes = codes.iter().filter(|asked| !asked.get("code").is_empty());
    assert_eq!(codes.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_token_that_expired_is_not_used_again_without_the_user() {
    let (scene, provider) = scene(User::signs_in("ada")).await;
    scene.agrees().await;
    let soon = Timestamp::now().as_seconds() + 2.0;
    provider.arm(Some(Fault::IdClaims(json!({ "exp": soon }))));
    scene.host.signs_in(&scene.server).await;
    let asked = provider.asked("/token").len();
    tokio::time::sleep(Duration::from_secs(3)).await;
    scene.scripted.end_tokens();
    let report = scene.echo().await;
    assert_ne!(report.request.end, RequestEnd::Result, "{report:?}");
    assert_eq!(provider.asked("/token").len(), asked);
    assert_eq!(scene.user.opened().len(), 1);
    // Signing in again brings another one.
    provider.arm(None);
    let attempt = scene.host.sign_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    scene.echoes().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pasted_id_token_serves_as_before() {
    let (scene, provider) = scene(User::without_browser()).await;
    let token = provider.id_token("ada", "registered");
    scene
        .set(AuthSettings {
            idp_issuer: None,
            idp_token_endpoint: Some(format!("{}/token", provider.issuer())),
            ..settings(&provider)
        })
        .await;
    scene.keep(SettingSecret::IdToken, &token).await;
    scene.agrees().await;
    scene.host.connect(&scene.server).await;
    scene.echoes().await;
    assert!(provider.asked("/authorize").is_empty());
    let exchanged = &provider.asked("/token")[0];
    assert_eq!(exchanged.get("subject_token"), token);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certified_identity_provider_signs_in_up_to_the_token_exchange() {
    let provider = Guarded::start();
    let scene = Scene::with(Scripted::start().await, User::signs_in("ada"));
    scene.agrees().await;
    let redirect = "http://127.0.0.1/callback";
    let client = register(provider.issuer(), redirect).await;
    scene
        .set(AuthSettings {
            mode: Some(AuthMode::Enterprise),
            client_id: Some("registered".to_owned()),
            idp_issuer: Some(provider.issuer().to_owned()),
            idp_client_id: Some(client),
            ..AuthSettings::default()
        })
        .await;
    scene
        .keep(SettingSecret::ClientSecret, REGISTERED_SECRET)
        .await;
    scene
        .host
        .inspector
        .sign_in
        .sign_in(&scene.server, SignInRequest::default())
        .expect("it starts");
    let attempt = scene.host.signed_in(&scene.server).await;
    let checks = &attempt.steps[StepKind::Token as usize].checks;
    for subject in ["issuer", "audience", "expiry", "nonce"] {
        let subject = format!("{subject} of the ID token");
        let check = checks.iter().find(|check| check.rule == subject);
        assert_eq!(
            check.expect("shown").verdict,
            Verdict::Passed,
            "{attempt:#?}"
        );
    }
    // It knows no ID-JAG, and says so in words of OAuth.
    let failure = attempt.failure.expect("it does not exchange");
    assert!(
        failure.message.contains("The identity provider refused"),
        "{failure:?}"
    );
}

/// Registers a public client and returns its id.
async fn register(issuer: &str, redirect: &str) -> String {
    let body = json!({
        "application_type": "native",
        "redirect_uris": [redirect],
        "response_types": ["code"],
        "grant_types": ["authorization_code"],
        "token_endpoint_auth_method": "none",
    });
    let answer = reqwest::Client::new()
        .post(format!("{issuer}/reg"))
        .header("content-type", "application/json")
        .body(body.to_string())
        .send()
        .await
        .expect("an answer");
    let text = answer.text().await.expect("a body");
    let registered: Value = serde_json::from_str(&text).expect(&text);
    registered["client_id"].as_str().expect(&text).to_owned()
}
