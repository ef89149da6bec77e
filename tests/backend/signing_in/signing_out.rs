//! Signing out: revoked where the server can, and forgotten.

use serde_json::json;
use sightglass_inspector::{AuthStatus, Failure};
use sightglass_tests::{
    scripted::{Fault, Scripted},
    user::User,
};

use super::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_revokes_at_the_server_and_forgets() {
    let scene = Scene::signed_in().await;
    let report = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, None)
        .await;
    let report = report.expect("signed out");
    assert!(report.revoked, "{report:?}");
    let revoked: Vec<String> = scene
        .scripted
        .asked("/revoke")
        .iter()
        .map(|asked| asked.get("token_type_hint").to_owned())
        .collect();
    assert_eq!(revoked, ["refresh_token", "access_token"]);
    assert_eq!(scene.status().await, AuthStatus::SignedOut);
    let kept = std::fs::read_to_string(scene.host.data().join("secrets.json"));
    assert!(!kept.expect("the vault").contains("refresh."));
    scene
        .host
        .inspector
        .servers
        .open_connections
        .disconnect(&scene.server)
        .await;
    let status = scene.host.try_connect(&scene.server).await;
    let failure = status.failure.expect("refused").failure;
    assert!(
        matches!(failure, Failure::SignInRequired { .. }),
        "{failure:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_says_when_the_server_cannot_revoke() {
    let fault = Fault::Metadata(json!({ "revocation_endpoint": null }));
    let scene = Scene::with(Scripted::with(fault).await, User::signs_in("ada"));
    scene.host.signs_in(&scene.server).await;
    let report = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, None)
        .await;
    let report = report.expect("signed out");
    assert!(!report.revoked);
    assert!(
        report.message.contains("no revocation endpoint"),
        "{report:?}"
    );
    assert_eq!(scene.status().await, AuthStatus::SignedOut);
}
