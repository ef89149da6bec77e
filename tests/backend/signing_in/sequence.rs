//! The sequence of steps: paused, edited, done again, cancelled, handed on.

use serde_json::json;
use sightglass_inspector::{SignInExport, SignInRequest, SignInState, StepKind, VaultKind};
use sightglass_tests::{
    Environment, TestHost,
    scripted::{Fault, Scripted},
    user::User,
};

use super::Scene;

fn pausing(steps: &[StepKind]) -> SignInRequest {
    SignInRequest {
        pauses: steps.to_vec(),
        ..SignInRequest::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_place_of_secrets_is_settled_by_the_first_of_them() {
    let scene = Scene::start().await;
    let vault = scene.host.auth(&scene.server).await.vault;
    assert!(!vault.settled, "{vault:?}");
    scene.host.signs_in(&scene.server).await;
    let vault = scene.host.auth(&scene.server).await.vault;
    assert_eq!((vault.kind, vault.settled), (VaultKind::File, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_paused_before_edited_and_done_again() {
    let scene = Scene::start().await;
    let start = pausing(&[StepKind::Registration, StepKind::Token]);
    scene
        .host
        .inspector
        .sign_in
        .sign_in(&scene.server, start)
        .expect("it starts");
    let mut draft = scene.paused_before(StepKind::Registration).await;
    assert_eq!(scene.scripted.asked("/register").len(), 0);
    let body = draft.body.expect("a body");
    draft.body = Some(body.replace("\"Sightglass\"", "\"Sightglass under test\""));
    let go_on = |draft| {
        let pauses = vec![StepKind::Token];
        scene
            .host
            .inspector
            .sign_in
            .continue_sign_in(&scene.server, draft, pauses)
    };
    go_on(Some(draft)).expect("it goes on");

    let mut draft = scene.paused_before(StepKind::Token).await;
    let registered = &scene.scripted.asked("/register")[0];
    assert!(
        registered.body.contains("Sightglass under test"),
        "{registered:?}"
    );
    // The secrets of the next request are masked, and go out as they are.
    let body = draft.body.expect("a body");
    assert!(
        body.contains("code=•••") && body.contains("code_verifier=•••"),
        "{body}"
    );
    draft.body = Some(format!("{body}&added=by+hand"));
    go_on(Some(draft)).expect("it goes on");
    let attempt = scene.host.signed_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    assert_eq!(scene.scripted.asked("/token")[0].get("added"), "by hand");

    // Again from the middle: what the steps before it found is used again.
    let discovered = scene
        .scripted
        .asked("/.well-known/oauth-authorization-server")
        .len();
    let restarted = scene.host.inspector.sign_in.restart_sign_in(
        &scene.server,
        StepKind::Registration,
        Vec::new(),
    );
    restarted.expect("it starts");
    let attempt = scene.host.signed_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    assert_eq!(scene.scripted.asked("/register").len(), 2);
    let again = scene
        .scripted
        .asked("/.well-known/oauth-authorization-server")
        .len();
    assert_eq!(again, discovered);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sequence_is_handed_on_in_words_as_a_diagram_and_as_commands() {
    let scene = Scene::signed_in().await;
    let export = |form| {
        scene
            .host
            .inspector
            .sign_in
            .export_sign_in(&scene.server, form)
            .expect("a text")
    };
    let text = export(SignInExport::Text);
    assert!(
        text.contains("RFC 9728") && text.contains("code_challenge_method"),
        "{text}"
    );
    let diagram = export(SignInExport::Mermaid);
    assert!(
        diagram.contains("sequenceDiagram") && diagram.contains("POST /token"),
        "{diagram}"
    );
    let commands = export(SignInExport::Curl);
    let token = format!("curl -X POST {}/token", scene.scripted.issuer());
    assert!(
        commands.contains(&token) && commands.contains("code=•••"),
        "{commands}"
    );
    let json: serde_json::Value = serde_json::from_str(&export(SignInExport::Json)).expect("JSON");
    assert!(json.is_object());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_is_cancelled_at_every_moment() {
    let scene = Scene::with(Scripted::start().await, User::stays());
    for step in [
        StepKind::Challenge,
        StepKind::ResourceMetadata,
        StepKind::ServerMetadata,
        StepKind::Registration,
        StepKind::Authorization,
        StepKind::Callback,
    ] {
        let start = scene
            .host
            .inspector
            .sign_in
            .sign_in(&scene.server, pausing(&[step]));
        start.expect("it starts");
        scene.host.sign_in_pauses(&scene.server, step).await;
        assert!(scene.host.inspector.sign_in.cancel_sign_in(&scene.server));
        let attempt = scene.host.signed_in(&scene.server).await;
        assert_eq!(attempt.state, SignInState::Cancelled, "{attempt:#?}");
        assert_eq!(attempt.failure, None);
    }
    let start = scene
        .host
        .inspector
        .sign_in
        .sign_in(&scene.server, SignInRequest::default());
    start.expect("it starts");
    let waits = |state| state == SignInState::WaitingForBrowser;
    let attempt = scene.host.sign_in_reaches(&scene.server, waits).await;
    assert!(scene.host.inspector.sign_in.cancel_sign_in(&scene.server));
    let cancelled = scene.host.signed_in(&scene.server).await;
    assert_eq!(cancelled.state, SignInState::Cancelled);
    let callback = attempt.redirect_uri.expect("an address");
    assert!(
        reqwest::get(callback).await.is_err(),
        "nobody listens any more"
    );
    assert!(!scene.host.inspector.sign_in.cancel_sign_in(&scene.server));

    for path in [
        "/.well-known/oauth-authorization-server",
        "/register",
        "/token",
    ] {
        let scripted = Scripted::with(Fault::Slow { path }).await;
        let scene = Scene::with(scripted, User::signs_in("ada"));
        let start = scene
            .host
            .inspector
            .sign_in
            .sign_in(&scene.server, SignInRequest::default());
        start.expect("it starts");
        scene
            .host
            .eventually("the slow request", || {
                (!scene.scripted.asked(path).is_empty()).then_some(())
            })
            .await;
        assert!(scene.host.inspector.sign_in.cancel_sign_in(&scene.server));
        let attempt = scene.host.signed_in(&scene.server).await;
        assert_eq!(
            attempt.state,
            SignInState::Cancelled,
            "{path}: {attempt:#?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_sign_ins_at_once_do_not_mix() {
    let (one, two) = tokio::join!(Scripted::start(), Scripted::start());
    let user = User::stays();
    let entry = |scripted: &Scripted| json!({ "type": "http", "url": scripted.url() });
    let servers = json!({ "one": entry(&one), "two": entry(&two) });
    let host = TestHost::with_user(servers, Environment::with(&user));
    let ids = [TestHost::id("one"), TestHost::id("two")];
    let mut addresses = Vec::new();
    let mut callbacks = Vec::new();
    for id in &ids {
        host.inspector
            .sign_in
            .sign_in(id, SignInRequest::default())
            .expect("it starts");
        let waits = |state| state == SignInState::WaitingForBrowser;
        let attempt = host.sign_in_reaches(id, waits).await;
        addresses.push(attempt.address.expect("shown"));
        callbacks.push(attempt.redirect_uri.expect("an address"));
    }
    assert_ne!(callbacks[0], callbacks[1]);
    // The answers come in the other order.
    for (index, scripted) in [(1, &two), (0, &one)] {
        user.walk(&addresses[index], None).await;
        let attempt = host.signed_in(&ids[index]).await;
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
        assert_eq!(scripted.asked("/token").len(), 1);
    }
    // The answer to one is no answer to the other.
    host.inspector
        .sign_in
        .sign_in(&ids[0], SignInRequest::default())
        .expect("it starts");
    let waits = |state| state == SignInState::WaitingForBrowser;
    let attempt = host.sign_in_reaches(&ids[0], waits).await;
    let of_the_other = user
        .visited()
        .into_iter()
        .rfind(|address| address.starts_with(&callbacks[1]) || address.starts_with(&callbacks[0]));
    let of_the_other = of_the_other.expect("the browser came back");
    let pasted = host
        .inspector
        .sign_in
        .paste_redirect(&ids[0], &of_the_other);
    let refusal = pasted.expect_err("not taken").to_string();
    assert!(
        refusal.contains("does not belong to this sign-in"),
        "{refusal}"
    );
    user.walk(&attempt.address.expect("shown"), None).await;
    let attempt = host.signed_in(&ids[0]).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
}
