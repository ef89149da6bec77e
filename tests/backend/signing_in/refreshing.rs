//! Tokens that end or are refused: refreshed in time and once, or the reason is said.

use sightglass_inspector::{AuthStatus, Phase, RequestEnd};
use sightglass_tests::{Environment, scripted::Fault, text_of};

use super::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_refreshed_ahead_of_its_end_and_no_sooner() {
    let scene = Scene::start().await;
    scene.scripted.lifetime(4);
    scene.host.signs_in(&scene.server).await;
    for _ in 0..3 {
        scene.echoes().await;
    }
    let before = scene.refreshes();
    assert!(before < 3, "a young token is used as it is");
    while scene.refreshes() < before + 2 {
        scene.echoes().await;
    }
    // Every answer was good: nobody was asked to sign in, and no refresh token served twice.
    assert_eq!(scene.status().await, AuthStatus::SignedIn);
    assert_eq!(scene.user.opened().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_refused_is_refreshed_once_for_all_calls_and_every_program() {
    let scene = Scene::signed_in().await;
    let other = scene.host.beside(Environment::with(&scene.user));
    other
        .servers
        .lifecycle
        .connect(&scene.server)
        .expect("it starts");
    scene
        .host
        .eventually("the other program's connection", || {
            (other.servers.open_connections.status(&scene.server).phase == Phase::Ready)
                .then_some(())
        })
        .await;
    for round in 1..=2 {
        scene.scripted.end_tokens();
        let text = r#"{"message":"here"}"#;
        let (one, two, three, four) = tokio::join!(
            scene.echo(),
            scene.echo(),
            other
                .calls
                .requests
                .call_tool(&scene.server, "a", "echo", text, None, None),
            other
                .calls
                .requests
                .call_tool(&scene.server, "b", "echo", text, None, None),
        );
        for report in [one, two, three.expect("sent"), four.expect("sent")] {
            assert!(text_of(&report).contains("here"), "{report:?}");
        }
        assert_eq!(scene.refreshes(), round);
    }
    // Each asks for a token for this very server (RFC 8707).
    let asked = scene.scripted.asked("/token");
    assert!(
        asked
            .iter()
            .all(|asked| asked.get("resource") == scene.scripted.url())
    );
    other.shutdown().await;
    // What came last is what was kept.
    let Scene {
        host,
        scripted,
        server,
        ..
    } = scene;
    let host = host.restart().await;
    scripted.end_tokens();
    host.connect(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_that_is_refused_leads_to_signing_in_again_with_the_reason() {
    let scene = Scene::signed_in().await;
    scene.scripted.withdraw();
    let report = scene.echo().await;
    assert_ne!(report.request.end, RequestEnd::Result);
    let reason = scene.expired().await;
    assert!(reason.contains("the refresh token is not good"), "{reason}");
    assert_eq!(scene.refreshes(), 1);
    // It is not tried again and again.
    let status = scene.host.try_connect(&scene.server).await;
    assert_eq!(status.phase, Phase::Failed);
    assert_eq!(scene.refreshes(), 1);
    scene.host.signs_in(&scene.server).await;
    scene.echoes().await;
    assert_eq!(scene.status().await, AuthStatus::SignedIn);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remark_against_a_grant_goes_once_the_server_accepts_it_again() {
    let scene = Scene::signed_in().await;
    scene.scripted.arm(Some(Fault::Closed));
    assert_ne!(scene.echo().await.request.end, RequestEnd::Result);
    let reason = scene.expired().await;
    assert!(reason.contains("nothing is refreshed now"), "{reason}");
    let asked = scene.scripted.asked("/token").len();
    scene.scripted.arm(None);
    scene.host.connect(&scene.server).await;
    scene.echoes().await;
    assert_eq!(scene.status().await, AuthStatus::SignedIn);
    let view = scene.host.auth(&scene.server).await;
    assert_eq!(view.identities[0].problem, None);
    // The same token served, and nobody was asked for another.
    assert_eq!(scene.scripted.asked("/token").len(), asked);
    assert_eq!(scene.user.opened().len(), 1);
    // The next refusal is a new one, and refreshed away.
    scene.scripted.end_tokens();
    scene.echoes().await;
    assert_eq!(scene.status().await, AuthStatus::SignedIn);
}
