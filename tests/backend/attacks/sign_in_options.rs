//! Options of a sign-in that would send the code, or the token, elsewhere.

use serde_json::json;
use sightglass_inspector::{
    AuthMode, AuthSettings, AuthorizationParameter, ServerId, SettingSecret, SignInState, StepKind,
};
use sightglass_tests::{
    TestHost,
    scripted::{Fault, REGISTERED_SECRET, Scripted},
    user::User,
};

/// Saves settings that must be refused, and returns the message.
async fn refusal(host: &TestHost, settings: AuthSettings) -> String {
    let server = TestHost::id("guarded");
    let before = host.inspector.sign_in.auth_settings(&server).await;
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    let message = saved.expect_err("refused").to_string();
    let after = host.inspector.sign_in.auth_settings(&server).await;
    assert_eq!(after.expect("readable"), before.expect("readable"));
    message
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_is_redirected_to_no_other_machine() {
    let scripted = Scripted::start().await;
    let (host, _) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    for (redirect, reason) in [
        ("http://evil.example/callback", "must lead to this machine"),
        (
            "http://localhost.evil.example:8080/",
            "must lead to this machine",
        ),
        ("http://0.0.0.0:8080/callback", "must lead to this machine"),
        ("http://192.168.1.2:8080/", "must lead to this machine"),
        ("http://localhost@evil.example/", "user name"),
        ("http://ada:pw@localhost:8080/", "user name"),
        ("http://localhost:8080/callback#x", "fragment"),
        ("http://localhost:8080/callback?to=evil", "query"),
        ("https://localhost:8080/callback", "http://"),
        ("file:///etc/passwd", "http://"),
        ("http://evil.example\\@localhost:8080/", "valid address"),
    ] {
        let settings = AuthSettings {
            redirect_uri: Some(redirect.to_owned()),
            ..AuthSettings::default()
        };
        let message = refusal(&host, settings).await;
        assert!(message.contains(reason), "{redirect}: {message}");
    }
    assert_eq!(scripted.asked("/authorize").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_resource_a_token_for_another_server_is_still_refused() {
    let claims = json!({ "aud": "https://other.example/mcp" });
    let scripted = Scripted::with(Fault::Claims(claims)).await;
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    let settings = AuthSettings {
        omit_resource: true,
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Token, "{failure:?}");
    assert!(failure.hint.contains("left out"), "{failure:?}");
    assert!(
        scripted
            .called()
            .iter()
            .all(|asked| asked.bearer().is_none())
    );
}

fn adding(name: &str, value: &str) -> AuthSettings {
    AuthSettings {
        authorization_parameters: vec![AuthorizationParameter {
            name: name.to_owned(),
            value: value.to_owned(),
        }],
        ..AuthSettings::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_added_parameter_replaces_none_that_the_checks_rest_on() {
    let scripted = Scripted::start().await;
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    for name in [
        "client_id",
        "redirect_uri",
        "Redirect_URI",
        "state",
        "code_challenge",
        "code_challenge_method",
        "response_type",
        "response_mode",
        "scope",
        "resource",
        "nonce",
        "request",
        "request_uri",
    ] {
        let message = refusal(&host, adding(name, "evil")).await;
        assert!(message.contains("is reserved"), "{message}");
    }
    let message = refusal(&host, adding("x&state", "evil")).await;
    assert!(message.contains("is invalid"), "{message}");

    // Another program that writes the file goes no further.
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, adding("audience", "here"));
    saved.await.expect("saved");
    let file = host.data().join("auth.json");
    let text = std::fs::read_to_string(&file).expect("the settings");
    assert!(text.contains("\"audience\""), "{text}");
    std::fs::write(&file, text.replace("\"audience\"", "\"state\"")).expect("written");
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Authorization, "{failure:?}");
    assert!(failure.message.contains("is reserved"), "{failure:?}");
    assert_eq!(scripted.asked("/authorize").len(), 0);
}

/// A host whose user signs in at this identity provider, with everything entered and agreed to.
async fn managed(scripted: &Scripted, provider: &Scripted) -> (TestHost, ServerId) {
    let (host, server) = TestHost::guarded(scripted, &User::signs_in("ada"));
    let settings = AuthSettings {
        mode: Some(AuthMode::Enterprise),
        client_id: Some("registered".to_owned()),
        idp_issuer: Some(provider.issuer().to_owned()),
        idp_client_id: Some("registered".to_owned()),
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    for secret in [SettingSecret::ClientSecret, SettingSecret::IdpClientSecret] {
        let value = Some(REGISTERED_SECRET.to_owned());
        let kept = host
            .inspector
            .sign_in
            .update_auth_secret(&server, secret, value);
        kept.await.expect("kept");
    }
    let agreed = host
        .inspector
        .sign_in
        .agree_to_issuer(&server, scripted.issuer());
    agreed.expect("agreed");
    (host, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_token_of_another_issuer_client_or_sign_in_is_not_exchanged() {
    let (scripted, provider) = (Scripted::start().await, Scripted::start().await);
    let (host, server) = managed(&scripted, &provider).await;
    for (claims, reason) in [
        (
            json!({ "iss": "https://evil.example" }),
            "is from https://evil.example",
        ),
        (json!({ "aud": "another-client" }), "for another client"),
        (
            json!({ "aud": ["registered", "another-client"] }),
            "for another client",
        ),
        (
            json!({ "aud": ["registered", "another-client"], "azp": "another-client" }),
            "for another client",
        ),
        (json!({ "aud": null }), "for another client"),
        (json!({ "nonce": "of another sign-in" }), "nonce"),
        (json!({ "nonce": null }), "nonce"),
        (json!({ "exp": 1_000_000_000 }), "expired"),
        (json!({ "exp": null }), "expired"),
    ] {
        provider.arm(Some(Fault::IdClaims(claims.clone())));
        let failure = host.fails_to_sign_in(&server).await;
        assert_eq!(failure.step, StepKind::Token, "{failure:?}");
        assert!(failure.message.contains(reason), "{claims}: {failure:?}");
    }
    provider.arm(Some(Fault::TokenAnswer(json!({ "id_token": null }))));
    let failure = host.fails_to_sign_in(&server).await;
    assert!(failure.message.contains("no ID token"), "{failure:?}");
    provider.arm(Some(Fault::TokenAnswer(json!({ "id_token": "opaque" }))));
    let failure = host.fails_to_sign_in(&server).await;
    assert!(failure.message.contains("cannot be read"), "{failure:?}");

    let asked = provider.asked("/token");
    let exchanges = asked
        .iter()
        .filter(|asked| asked.parameters.contains_key("subject_token"));
    assert_eq!(exchanges.count(), 0);
    assert!(scripted.asked("/token").is_empty());
    let tokens = host.inspector.sign_in.tokens(&server, "default").await;
    assert_eq!(tokens.expect("readable"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_identity_provider_that_another_one_impersonates_is_not_gone_to() {
    let (scripted, honest) = (Scripted::start().await, Scripted::start().await);
    let claim = json!({ "issuer": honest.issuer() });
    let evil = Scripted::with(Fault::Metadata(claim)).await;
    let (host, server) = managed(&scripted, &evil).await;
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
    assert!(evil.asked("/authorize").is_empty() && evil.asked("/token").is_empty());

    // What is left of a pasted token's settings gets no code.
    let (host, server) = managed(&scripted, &honest).await;
    let loaded = host.inspector.sign_in.auth_settings(&server).await;
    let settings = AuthSettings {
        idp_token_endpoint: Some(format!("{}/token", evil.issuer())),
        ..loaded.expect("readable").settings
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    assert!(evil.asked("/token").is_empty());
    let asked = honest.asked("/token").len();

    // An answer in the name of another server is not redeemed.
    let (host, server) = managed(&scripted, &honest).await;
    honest.arm(Some(Fault::Callback(
        json!({ "iss": "https://evil.example" }),
    )));
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Callback, "{failure:?}");
    assert_eq!(honest.asked("/token").len(), asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_id_token_goes_to_the_identity_provider_alone() {
    let (scripted, provider) = (Scripted::start().await, Scripted::start().await);
    let evil = Scripted::start().await;
    let (host, server) = managed(&scripted, &provider).await;
    // The server now names another authorization server: nobody agreed to that one.
    scripted.arm(naming(&evil));
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Registration, "{failure:?}");
    assert!(provider.asked("/authorize").is_empty());

    scripted.arm(None);
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let text = format!("{attempt:?}");
    for secret in provider.secrets().iter().chain(&scripted.secrets()) {
        assert!(!text.contains(secret.as_str()), "the steps show {secret}");
    }
    let asked = provider.asked("/token");
    let exchanged = asked
        .iter()
        .find(|asked| !asked.get("subject_token").is_empty());
    let id_token = exchanged.expect("exchanged").get("subject_token");
    let elsewhere = format!("{:?}{:?}", scripted.asked("/token"), scripted.called());
    assert!(!elsewhere.contains(id_token));
    assert!(evil.asked("/token").is_empty());
}

fn naming(other: &Scripted) -> Option<Fault> {
    let moved = json!({ "authorization_servers": [other.issuer()] });
    Some(Fault::Resource(moved))
}
