//! A server for each state that signing in can be in.

use serde_json::json;
use sightglass_inspector::{SignInRequest, SignInState};
use sightglass_tests::{
    Environment,
    scripted::{Fault, Scripted},
    user::User,
};

use super::{Scene, id, servers};

/// Five servers behind authorization servers of their own.
pub async fn open() -> Scene {
    let (linear, notion, sentry, figma) = (
        Scripted::start().await,
        Scripted::start().await,
        Scripted::start().await,
        Scripted::start().await,
    );
    let elsewhere = json!({ "issuer": "https://login.elsewhere.example" });
    let jira = Scripted::with(Fault::Metadata(elsewhere)).await;
    let user = User::signs_in("ada");
    // The browser opens there, and nobody signs in.
    user.ignores(figma.issuer());
    let remote = |server: &Scripted| json!({ "type": "http", "url": server.url() });
    let file = servers(&json!({
        "linear": remote(&linear),
        "notion": remote(&notion),
        "jira": remote(&jira),
        "sentry": remote(&sentry),
        "figma": remote(&figma),
    }));
    let files = [("project/.claude/.mcp.json", file)];
    let scene = Scene::open(&files, Environment::with(&user)).await;
    scene.host.approve_all_but(&[]);
    let host = &scene.host;
    for name in ["linear", "jira", "sentry", "figma"] {
        host.try_connect(&id(name)).await;
    }
    sign_in_as(&scene, &user, ("personal", "grace"), &["read"]).await;
    sign_in_as(&scene, &user, ("work", "ada"), &["read", "admin"]).await;
    let notion_id = id("notion");
    let chosen = host.inspector.sign_in.choose_identity(&notion_id, "work");
    chosen.await.expect("a known identity");
    host.connect(&notion_id).await;
    host.fails_to_sign_in(&id("jira")).await;
    scene
        .with(linear)
        .with(notion)
        .with(sentry)
        .with(figma)
        .with(jira)
}

/// Signs in to notion under the name of an identity, with an account and with these scopes.
async fn sign_in_as(
    scene: &Scene,
    user: &User,
    (identity, account): (&str, &str),
    scopes: &[&str],
) {
    user.becomes(account);
    let request = SignInRequest {
        identity: Some(identity.to_owned()),
        scopes: Some(scopes.iter().map(|scope| (*scope).to_owned()).collect()),
        ..SignInRequest::default()
    };
    let attempt = scene.host.sign_in_with(&id("notion"), request).await;
    assert_eq!(
        attempt.state,
        SignInState::Succeeded,
        "{:?}",
        attempt.failure
    );
}
