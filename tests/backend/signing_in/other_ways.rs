//! Other ways to a token than a browser on this machine, and no way at all.

use serde_json::json;
use sightglass_inspector::{
    AuthMode, AuthSettings, ClientAuthMethod, Phase, RequestEnd, SettingSecret, SignInRequest,
    SignInState, SignInView, StepKind, StepState, Verdict,
};
use sightglass_tests::{
    Environment, TestHost,
    scripted::{Fault, REGISTERED_SECRET, Scripted},
    user::User,
};

use super::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn with_sign_in_turned_off_a_refusal_is_a_failure_like_any_other() {
    let scene = Scene::start().await;
    scene
        .set(AuthSettings {
            mode: Some(AuthMode::Off),
            ..AuthSettings::default()
        })
        .await;
    let status = scene.host.try_connect(&scene.server).await;
    assert_eq!(status.phase, Phase::Failed);
    let start = scene
        .host
        .inspector
        .sign_in
        .sign_in(&scene.server, SignInRequest::default());
    assert!(start.is_err());
    let metadata = scene
        .scripted
        .asked("/.well-known/oauth-authorization-server");
    assert_eq!(metadata.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_browser_reaches_this_machine_the_address_is_pasted_back() {
    let scene = Scene::with(Scripted::start().await, User::without_browser());
    let request = SignInRequest {
        manual: true,
        ..SignInRequest::default()
    };
    scene
        .host
        .inspector
        .sign_in
        .sign_in(&scene.server, request)
        .expect("it starts");
    let waits = |state| state == SignInState::WaitingForPaste;
    let attempt = scene.host.sign_in_reaches(&scene.server, waits).await;
    let back = attempt.redirect_uri.expect("an address");
    let end = scene
        .user
        .walk(&attempt.address.expect("shown"), Some(&back))
        .await;
    let nonsense = scene
        .host
        .inspector
        .sign_in
        .paste_redirect(&scene.server, "nonsense");
    assert!(nonsense.is_err());
    let pasted = scene
        .host
        .inspector
        .sign_in
        .paste_redirect(&scene.server, &format!(" {end}\n"));
    pasted.expect("taken");
    let attempt = scene.host.signed_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    scene.echoes().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endpoints_entered_by_hand_are_used_where_a_deployment_is_broken() {
    let honest = Scripted::start().await;
    let wrong = |path: &str| format!("http://127.0.0.1:9{path}");
    let fault = Fault::Metadata(json!({
        "authorization_endpoint": wrong("/authorize"),
        "token_endpoint": wrong("/token"),
        "registration_endpoint": wrong("/register"),
        "revocation_endpoint": wrong("/revoke"),
    }));
    let scene = Scene::with(Scripted::with(fault).await, User::signs_in("ada"));
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert_eq!(failure.step, StepKind::Registration, "{failure:?}");
    let at = |path: &str| Some(format!("{}{path}", scene.scripted.issuer()));
    scene
        .set(AuthSettings {
            authorization_endpoint: at("/authorize"),
            token_endpoint: at("/token"),
            registration_endpoint: at("/register"),
            revocation_endpoint: at("/revoke"),
            ..AuthSettings::default()
        })
        .await;
    let attempt = scene.host.sign_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let checks = &attempt.steps[StepKind::ServerMetadata as usize].checks;
    let overridden = checks
        .iter()
        .filter(|check| check.verdict == Verdict::Overridden);
    assert_eq!(overridden.count(), 4);
    scene.echoes().await;
    let out = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, None)
        .await;
    assert!(out.expect("signed out").revoked);

    // The resource metadata and the issuer as well: of this server, where another is named.
    let elsewhere = json!({ "authorization_servers": [honest.issuer()] });
    scene.scripted.arm(Some(Fault::Resource(elsewhere)));
    let origin = scene.scripted.url().trim_end_matches("/mcp");
    scene
        .set(AuthSettings {
            resource_metadata: Some(format!("{origin}/.well-known/oauth-protected-resource/mcp")),
            issuer: at(""),
            server_metadata: at("/.well-known/oauth-authorization-server"),
            ..AuthSettings::default()
        })
        .await;
    let attempt = scene.host.sign_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    for step in [StepKind::ResourceMetadata, StepKind::ServerMetadata] {
        let tried = &attempt.steps[step as usize].exchanges;
        assert_eq!(tried.len(), 1, "{tried:#?}");
        assert_eq!(tried[0].remark.as_deref(), Some("entered by hand"));
    }
    assert_eq!(honest.asked("/register").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_browser_the_address_is_shown_and_serves() {
    let scene = Scene::with(Scripted::start().await, User::without_browser());
    let start = scene
        .host
        .inspector
        .sign_in
        .sign_in(&scene.server, SignInRequest::default());
    start.expect("it starts");
    // The address is there before the browser is tried.
    let tried = |attempt: &SignInView| {
        attempt.state == SignInState::WaitingForBrowser
            && attempt.steps[StepKind::Authorization as usize].state == StepState::Done
    };
    let attempt = scene.host.sign_in_is(&scene.server, tried).await;
    // Five minutes, and no more.
    let since = attempt.steps[StepKind::Authorization as usize].started;
    let until = attempt.deadline.expect("there is an end");
    let wait = until.since(since.expect("it began")).as_secs();
    assert!((300..400).contains(&wait), "{wait} s");
    let summary = attempt.steps[StepKind::Authorization as usize]
        .summary
        .clone();
    assert!(
        summary
            .expect("words")
            .contains("No browser could be opened")
    );
    scene
        .user
        .walk(&attempt.address.expect("shown"), None)
        .await;
    let attempt = scene.host.signed_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fixed_token_comes_from_the_environment_or_from_the_vault() {
    let scripted = Scripted::start().await;
    let servers = TestHost::remote(scripted.url());
    let token = scripted.give("robot");
    let environment = Environment::default().and("GUARDED_TOKEN", &token);
    let host = TestHost::with_user(servers.clone(), environment);
    let server = TestHost::id("guarded");
    let settings = AuthSettings {
        bearer_variable: Some("GUARDED_TOKEN".to_owned()),
        secret_headers: vec!["X-Api-Key".to_owned()],
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    let header = SettingSecret::Header {
        name: "X-Api-Key".to_owned(),
    };
    let key = Some("a key of the tests".to_owned());
    let kept = host
        .inspector
        .sign_in
        .update_auth_secret(&server, header, key)
        .await;
    kept.expect("kept");
    host.connect(&server).await;
    let called = scripted.called();
    assert!(called.iter().all(|asked| asked.bearer() == Some(&*token)));
    assert!(
        called
            .iter()
            .all(|asked| asked.header("x-api-key") == "a key of the tests")
    );
    assert_eq!(host.auth(&server).await.mode, AuthMode::Bearer);

    let scene = Scene::with(scripted, User::without_browser());
    let token = scene.scripted.give("another robot");
    scene
        .set(AuthSettings {
            mode: Some(AuthMode::Bearer),
            ..AuthSettings::default()
        })
        .await;
    scene.keep(SettingSecret::Bearer, &token).await;
    scene.host.connect(&scene.server).await;
    let last = scene.scripted.called().pop().expect("called");
    assert_eq!(last.bearer(), Some(&*token));
    // One that is refused leads to a failure that says so, and to no endless asking.
    scene.scripted.withdraw();
    let report = scene.echo().await;
    assert_ne!(report.request.end, RequestEnd::Result);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_signs_in_for_itself_with_a_secret_or_with_a_signed_statement() {
    let key = rcgen::KeyPair::generate().expect("a key").serialize_pem();
    for (method, secret, value) in [
        (
            ClientAuthMethod::ClientSecretBasic,
            SettingSecret::ClientSecret,
            REGISTERED_SECRET,
        ),
        (
            ClientAuthMethod::ClientSecretPost,
            SettingSecret::ClientSecret,
            REGISTERED_SECRET,
        ),
        (
            ClientAuthMethod::PrivateKeyJwt,
            SettingSecret::PrivateKey,
            &key,
        ),
    ] {
        let scene = Scene::with(Scripted::start().await, User::without_browser());
        scene
            .set(AuthSettings {
                mode: Some(AuthMode::ClientCredentials),
                client_id: Some("registered".to_owned()),
                auth_method: Some(method),
                ..AuthSettings::default()
            })
            .await;
        scene.keep(secret, value).await;
        // Once agreed to, no click: the refusal leads to it.
        scene.agrees().await;
        scene.host.connect(&scene.server).await;
        scene.echoes().await;
        let asked = scene.scripted.asked("/token");
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].get("resource"), scene.scripted.url());
        // A token that ended is asked for anew.
        scene.scripted.end_tokens();
        scene.echoes().await;
        assert_eq!(scene.scripted.asked("/token").len(), 2);
    }
}
