//! Signing in and what follows: tokens that end, are refreshed, refused and withdrawn; several
//! identities; other ways to a token than a user.

mod encrypted;
mod enterprise;
mod nearly_right;
mod options;
mod other_ways;
mod programs;
mod reach;
mod refreshing;
mod sequence;
mod signing_out;
mod transports;
mod trying_out;
mod unoffered;

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthSettings, AuthStatus, RequestDraft, ServerId, SettingSecret, StepKind, TokenAction,
    TokenReaction, view::CallReport,
};
use sightglass_tests::{
    Environment, TestHost,
    scripted::{GUARDED_TOOL, Scripted},
    text_of,
    user::User,
};

/// A guarded server, a user, and the program between them.
struct Scene {
    host: TestHost,
    scripted: Scripted,
    user: Arc<User>,
    server: ServerId,
}

impl Scene {
    async fn start() -> Self {
        Self::with(Scripted::start().await, User::signs_in("ada"))
    }

    fn with(scripted: Scripted, user: Arc<User>) -> Self {
        let entry = json!({ "type": "http", "url": scripted.url() });
        Self::configured(entry, scripted, user)
    }

    fn configured(entry: Value, scripted: Scripted, user: Arc<User>) -> Self {
        let servers = json!({ "guarded": entry });
        Self {
            host: TestHost::with_user(servers, Environment::with(&user)),
            scripted,
            user,
            server: TestHost::id("guarded"),
        }
    }

    /// Signed in and connected.
    async fn signed_in() -> Self {
        let scene = Self::start().await;
        scene.host.signs_in(&scene.server).await;
        scene
    }

    async fn set(&self, settings: AuthSettings) {
        let saved = self
            .host
            .inspector
            .sign_in
            .update_auth_settings(&self.server, settings);
        saved.await.expect("saved");
    }

    async fn keep(&self, secret: SettingSecret, value: &str) {
        let value = Some(value.to_owned());
        let kept = self
            .host
            .inspector
            .sign_in
            .update_auth_secret(&self.server, secret, value);
        kept.await.expect("kept");
    }

    /// Agrees to the authorization server that what was entered may go to.
    async fn agrees(&self) {
        let issuer = self.scripted.issuer();
        let agreed = self
            .host
            .inspector
            .sign_in
            .agree_to_issuer(&self.server, issuer);
        agreed.expect("it can be agreed to");
    }

    async fn echo(&self) -> CallReport {
        self.host
            .call(&self.server, "echo", r#"{"message":"here"}"#)
            .await
    }

    /// Calls a tool that needs no scope of its own.
    async fn echoes(&self) {
        let report = self.echo().await;
        assert!(text_of(&report).contains("here"), "{report:?}");
    }

    /// Calls the tool that wants one scope more.
    async fn add(&self) -> CallReport {
        self.host
            .call(&self.server, GUARDED_TOOL, r#"{"a":1,"b":2}"#)
            .await
    }

    fn refreshes(&self) -> usize {
        let asked = self.scripted.asked("/token");
        let refreshes = asked
            .iter()
            .filter(|asked| asked.get("grant_type") == "refresh_token");
        refreshes.count()
    }

    async fn status(&self) -> AuthStatus {
        self.host.auth(&self.server).await.status
    }

    /// Returns the reason why the grant is over, once the window is told so.
    async fn expired(&self) -> String {
        let asking = async {
            loop {
                if let AuthStatus::Expired { reason } = self.status().await {
                    return reason;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), asking)
            .await
            .expect("the grant is over")
    }

    async fn act(&self, action: TokenAction) -> TokenReaction {
        let acted = self
            .host
            .inspector
            .sign_in
            .test_token(&self.server, "default", action);
        acted.await.expect("there is a token")
    }

    /// Waits until the sign-in pauses before a step, and gives the request that comes next.
    async fn paused_before(&self, step: StepKind) -> RequestDraft {
        let paused = self.host.sign_in_pauses(&self.server, step).await;
        let draft = paused.steps[step as usize].draft.clone();
        draft.expect("a request")
    }

    async fn altered(&self) -> Option<String> {
        let tokens = self
            .host
            .inspector
            .sign_in
            .tokens(&self.server, "default")
            .await;
        tokens.expect("readable").expect("signed in").altered
    }
}
