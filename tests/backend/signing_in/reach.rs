//! The reach of a grant and of a registration.

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthSettings, AuthStatus, Phase, RequestEnd, SignInPurpose, SignInRequest, SignInState,
    StepKind,
};
use sightglass_tests::{
    TestHost,
    scripted::{Fault, Scripted},
    user::User,
};

use super::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn a_step_up_asks_for_the_union_once_and_never_again_for_the_same() {
    let scene = Scene::signed_in().await;
    let report = scene.add().await;
    assert_ne!(report.request.end, RequestEnd::Result);
    assert!(matches!(scene.status().await, AuthStatus::Required { .. }));
    let attempt = scene.host.sign_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    assert_eq!(attempt.purpose, SignInPurpose::StepUp);
    let asked = scene.scripted.asked("/authorize");
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1].get("scope"), "read admin");
    assert_eq!(asked[1].get("resource"), scene.scripted.url());
    let report = scene.add().await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");

    // A server that is never content gets the same token no second time.
    scene.scripted.arm(Some(Fault::NeverEnough));
    let report = scene.add().await;
    assert_ne!(report.request.end, RequestEnd::Result);
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert!(
        failure.message.contains("which the token already has"),
        "{failure:?}"
    );
    assert!(
        failure
            .clause
            .expect("a clause")
            .title
            .contains("RFC 6750, section 3.1")
    );
    assert_eq!(scene.scripted.asked("/authorize").len(), 2);
    assert_eq!(scene.refreshes(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_serves_no_other_address() {
    let scene = Scene::signed_in().await;
    scene
        .host
        .inspector
        .servers
        .open_connections
        .disconnect(&scene.server)
        .await;
    let other = Scripted::start().await;
    let entry = json!({ "mcpServers": TestHost::remote(other.url()) });
    let file = scene.host.project().join(".claude/.mcp.json");
    scene.host.write(&file, &entry.to_string());
    scene
        .host
        .eventually("the changed entry", || scene.host.approves(&scene.server))
        .await;
    let reason = scene.expired().await;
    assert!(
        reason.contains("the server's address has changed"),
        "{reason}"
    );
    let status = scene.host.try_connect(&scene.server).await;
    assert_eq!(status.phase, Phase::Failed);
    assert!(other.called().iter().all(|asked| asked.bearer().is_none()));
    scene.host.signs_in(&scene.server).await;
    let client = |scripted: &Scripted| {
        scripted.asked("/authorize")[0]
            .get("redirect_uri")
            .to_owned()
    };
    assert_ne!(client(&other), "");
    assert_eq!(other.asked("/register").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_authorization_server_means_another_registration() {
    let scene = Scene::signed_in().await;
    let other = Scripted::start().await;
    let moved = json!({ "authorization_servers": [other.issuer()] });
    scene.scripted.arm(Some(Fault::Resource(moved)));
    let before = scene.scripted.asked("/token").len();
    // Its tokens are not those of this server, so the connection at the end is refused.
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert_eq!(failure.step, StepKind::Retry, "{failure:?}");
    assert_eq!(other.asked("/register").len(), 1);
    let given = scene.scripted.secrets();
    let sent = format!("{:?}{:?}", other.asked("/token"), other.asked("/authorize"));
    assert!(given.iter().all(|secret| !sent.contains(secret)), "{sent}");
    assert_eq!(scene.scripted.asked("/token").len(), before);
    // Back at the first one the registration there still serves.
    scene.scripted.arm(None);
    scene.host.signs_in(&scene.server).await;
    assert_eq!(scene.scripted.asked("/register").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_that_is_rejected_is_not_reused() {
    let scene = Scene::signed_in().await;
    scene.host.signs_in(&scene.server).await;
    assert_eq!(scene.scripted.asked("/register").len(), 1);
    let restarted = scene.host.inspector.sign_in.restart_sign_in(
        &scene.server,
        StepKind::Authorization,
        vec![StepKind::Token],
    );
    restarted.expect("it starts");
    scene.paused_before(StepKind::Token).await;
    scene.scripted.forget_clients();
    let go_on = scene
        .host
        .inspector
        .sign_in
        .continue_sign_in(&scene.server, None, Vec::new());
    go_on.expect("it goes on");
    let failure = scene
        .host
        .signed_in(&scene.server)
        .await
        .failure
        .expect("a reason");
    assert!(
        failure.message.contains("this client is not known"),
        "{failure:?}"
    );
    scene.host.signs_in(&scene.server).await;
    assert_eq!(scene.scripted.asked("/register").len(), 2);
}

/// A server whose authorization server gives its clients a secret.
async fn with_client_secrets() -> Scene {
    let methods = json!({ "token_endpoint_auth_methods_supported": ["client_secret_basic"] });
    let scripted = Scripted::with(Fault::Metadata(methods)).await;
    Scene::with(scripted, User::signs_in("ada"))
}

impl Scene {
    /// Returns the names of the client secrets in the vault.
    fn client_secrets(&self) -> Vec<String> {
        let kept = self.read("secrets.json");
        let names = kept["secrets"].as_object().expect("by name").keys();
        names
            .filter(|name| name.contains("client "))
            .cloned()
            .collect()
    }

    fn read(&self, file: &str) -> Value {
        let text = std::fs::read_to_string(self.host.data().join(file));
        serde_json::from_str(&text.expect("it is there")).expect("JSON")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_of_a_registration_that_is_rejected_is_removed() {
    let scene = with_client_secrets().await;
    let request = SignInRequest {
        pauses: vec![StepKind::Token],
        ..SignInRequest::default()
    };
    let started = scene.host.inspector.sign_in.sign_in(&scene.server, request);
    started.expect("it starts");
    scene.paused_before(StepKind::Token).await;
    let before = scene.client_secrets();
    assert_eq!(before.len(), 1, "{before:?}");
    scene.scripted.forget_clients();
    let inspector = &scene.host.inspector;
    let go_on = inspector
        .sign_in
        .continue_sign_in(&scene.server, None, Vec::new());
    go_on.expect("it goes on");
    let attempt = scene.host.signed_in(&scene.server).await;
    let failure = attempt.failure.expect("a reason");
    assert!(
        failure.message.contains("this client is not known"),
        "{failure:?}"
    );
    assert_eq!(scene.client_secrets(), [""; 0]);

    // That of the next one is kept, and serves a refresh.
    scene.host.signs_in(&scene.server).await;
    assert_eq!(scene.client_secrets().len(), 1);
    scene.scripted.end_tokens();
    scene.echoes().await;
    assert_eq!(scene.refreshes(), 1);
    assert_eq!(scene.read("auth.json")["unused_secrets"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secrets_of_registrations_of_an_earlier_version_are_removed() {
    for signs_out in [false, true] {
        let scene = with_client_secrets().await;
        scene.host.signs_in(&scene.server).await;
        scene
            .host
            .inspector
            .servers
            .open_connections
            .disconnect(&scene.server)
            .await;
        // As it was stored before the place of the metadata was kept.
        let mut records = scene.read("auth.json");
        let registration = &mut records["registrations"][0];
        let issuer = registration["authorization_server"]["issuer"].clone();
        let id = registration["client_id"].as_str().expect("an id");
        let former = format!("client {} {id}", issuer.as_str().expect("an issuer"));
        registration["issuer"] = issuer;
        let fields = registration.as_object_mut().expect("an object");
        fields.remove("authorization_server");
        let mut secrets = scene.read("secrets.json");
        secrets["secrets"][&former] = "the secret of before".into();
        let data = scene.host.data();
        scene
            .host
            .write(&data.join("auth.json"), &records.to_string());
        scene
            .host
            .write(&data.join("secrets.json"), &secrets.to_string());
        assert!(scene.client_secrets().contains(&former));

        // What is written meanwhile does not make it forgotten.
        scene.set(AuthSettings::default()).await;
        assert_eq!(scene.read("auth.json")["unused_secrets"], json!([former]));
        if signs_out {
            let out = scene
                .host
                .inspector
                .sign_in
                .sign_out(&scene.server, None)
                .await;
            out.expect("signed out");
        } else {
            scene.host.signs_in(&scene.server).await;
            assert_eq!(scene.scripted.asked("/register").len(), 2);
        }
        let kept = scene.client_secrets();
        assert!(!kept.contains(&former), "{kept:?}");
        assert_eq!(scene.read("auth.json")["unused_secrets"], json!([]));
    }
}
