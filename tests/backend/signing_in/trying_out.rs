//! Experiments of a developer with tokens: to spoil them, and to call as another identity.

use sightglass_inspector::{AuthSettings, RequestEnd, SignInRequest, SignInState, TokenAction};
use sightglass_tests::text_of;

use super::Scene;

fn as_identity(name: &str) -> SignInRequest {
    SignInRequest {
        identity: Some(name.to_owned()),
        ..SignInRequest::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_lab_shows_how_the_servers_take_it() {
    let scene = Scene::start().await;
    scene
        .set(AuthSettings {
            scopes: Some(vec!["read".into(), "admin".into()]),
            ..AuthSettings::default()
        })
        .await;
    scene.host.signs_in(&scene.server).await;

    let reaction = scene.act(TokenAction::Refresh).await;
    assert!(
        reaction.ok && reaction.message.contains("The server accepts it"),
        "{reaction:?}"
    );
    assert_eq!(scene.refreshes(), 1);

    let reaction = scene.act(TokenAction::PretendExpired).await;
    assert!(
        reaction.ok && reaction.message.contains("its next use refreshed it"),
        "{reaction:?}"
    );
    assert_eq!(scene.refreshes(), 2);

    let reaction = scene.act(TokenAction::Corrupt).await;
    assert!(
        reaction.ok && reaction.message.contains("401"),
        "{reaction:?}"
    );
    assert!(scene.altered().await.is_some());
    let reaction = scene.act(TokenAction::Restore).await;
    assert!(reaction.ok, "{reaction:?}");
    assert_eq!(scene.altered().await, None);
    scene.echoes().await;

    let scope = "admin".to_owned();
    let reaction = scene.act(TokenAction::DropScope { scope }).await;
    assert!(
        reaction.ok && reaction.message.contains("without admin"),
        "{reaction:?}"
    );
    let report = scene.add().await;
    assert_ne!(report.request.end, RequestEnd::Result, "{report:?}");
    let reaction = scene.act(TokenAction::Restore).await;
    assert!(reaction.ok, "{reaction:?}");
    let report = scene.add().await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");

    let reaction = scene.act(TokenAction::Revoke).await;
    assert!(
        reaction.ok && reaction.message.contains("401"),
        "{reaction:?}"
    );
    let shown = scene
        .host
        .inspector
        .sign_in
        .tokens(&scene.server, "default")
        .await;
    let shown = shown.expect("readable").expect("signed in");
    let claims = shown.access.claims.expect("a JWT");
    assert!(claims.contains(scene.scripted.url()), "{claims}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_call_as_two_identities_goes_out_as_each_of_them() {
    let scene = Scene::start().await;
    for name in ["ada", "bob"] {
        scene.user.becomes(name);
        let attempt = scene
            .host
            .sign_in_with(&scene.server, as_identity(name))
            .await;
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    }
    let view = scene.host.auth(&scene.server).await;
    for name in ["ada", "bob"] {
        let identity = view.identities.iter().find(|known| known.name == name);
        let grant = identity.and_then(|known| known.grant.as_ref()).expect(name);
        assert_eq!(grant.account, Some(format!("{name}@acme.example")));
        let before = scene.scripted.called().len();
        let report = scene
            .host
            .inspector
            .calls
            .requests
            .call_tool_as(&scene.server, name, "call", "echo", r#"{"message":"here"}"#)
            .await
            .expect("called");
        assert!(text_of(&report).contains("here"), "{report:?}");
        let kind = sightglass_inspector::TokenKind::Access;
        let token = scene
            .host
            .inspector
            .sign_in
            .reveal_token(&scene.server, name, kind)
            .await;
        let token = token.expect("signed in");
        let called = scene.scripted.called();
        let own = called[before..].iter().filter_map(|asked| asked.bearer());
        assert!(own.clone().count() > 1 && own.clone().all(|sent| sent == token));
    }
    // Signing one of them out leaves the other.
    let out = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, Some("bob".into()))
        .await;
    assert!(out.expect("signed out").revoked);
    let refused = scene
        .host
        .inspector
        .calls
        .requests
        .call_tool_as(&scene.server, "bob", "call", "echo", "{}")
        .await;
    assert!(refused.is_err());
    let called = scene
        .host
        .inspector
        .calls
        .requests
        .call_tool_as(
            &scene.server,
            "ada",
            "call",
            "echo",
            r#"{"message":"here"}"#,
        )
        .await;
    assert!(text_of(&called.expect("called")).contains("here"));
}
