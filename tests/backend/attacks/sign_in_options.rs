//! Options of a sign-in that would send the code, or the token, elsewhere.

use serde_json::json;
use sightglass_inspector::{AuthSettings, AuthorizationParameter, StepKind};
use sightglass_tests::{
    TestHost,
    scripted::{Fault, Scripted},
    user::User,
};

/// Saves settings that must be refused, and returns the message.
async fn refusal(host: &TestHost, settings: AuthSettings) -> String {
    let server = TestHost::id("guarded");
    let before = host.inspector.auth_settings(&server).await;
    let saved = host.inspector.save_auth_settings(&server, settings).await;
    let message = saved.expect_err("refused").to_string();
    let after = host.inspector.auth_settings(&server).await;
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
    let saved = host.inspector.save_auth_settings(&server, settings).await;
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
        .save_auth_settings(&server, adding("audience", "here"));
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
