//! Signs in as a user does, through [`Inspector`](sightglass_inspector::Inspector).

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthView, ServerId, SignInExport, SignInFailure, SignInRequest, SignInState, SignInView,
    StepKind, StepState,
};

use crate::{Environment, TestHost, scripted::Scripted, user::User};

/// Longer than anything in a story takes on a busy machine; reaching it is a failure.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(90);

impl TestHost {
    /// The entry of a server that is reached over HTTP.
    pub fn remote(url: &str) -> Value {
        json!({ "guarded": { "type": "http", "url": url } })
    }

    /// A host with one server, a guarded one, and this user before the browser.
    pub fn guarded(scripted: &Scripted, user: &Arc<User>) -> (Self, ServerId) {
        let servers = Self::remote(scripted.url());
        let host = Self::with_user(servers, Environment::with(user));
        (host, Self::id("guarded"))
    }

    /// Returns the state of signing in to the server.
    pub async fn auth(&self, server: &ServerId) -> AuthView {
        let view = self.inspector.sign_in.auth_view(server).await;
        view.expect("a server on the network")
    }

    /// Starts to sign in and waits for the end.
    pub async fn sign_in(&self, server: &ServerId) -> SignInView {
        self.sign_in_with(server, SignInRequest::default()).await
    }

    /// The same, in some other way than by one click.
    pub async fn sign_in_with(&self, server: &ServerId, request: SignInRequest) -> SignInView {
        self.inspector
            .sign_in
            .sign_in(server, request)
            .expect("it starts");
        self.signed_in(server).await
    }

    /// Waits for the end of a sign-in.
    pub async fn signed_in(&self, server: &ServerId) -> SignInView {
        self.sign_in_reaches(server, SignInState::is_over).await
    }

    /// Waits until a sign-in is in a state.
    pub async fn sign_in_reaches(
        &self,
        server: &ServerId,
        wanted: impl Fn(SignInState) -> bool,
    ) -> SignInView {
        self.sign_in_is(server, |view| wanted(view.state)).await
    }

    /// Waits until a sign-in pauses before a step.
    pub async fn sign_in_pauses(&self, server: &ServerId, step: StepKind) -> SignInView {
        let paused = |view: &SignInView| view.steps[step as usize].state == StepState::Paused;
        self.sign_in_is(server, paused).await
    }

    /// Waits until a sign-in is as wanted.
    ///
    /// # Panics
    /// When it never is.
    pub async fn sign_in_is(
        &self,
        server: &ServerId,
        wanted: impl Fn(&SignInView) -> bool,
    ) -> SignInView {
        let looking = async {
            loop {
                let attempt = self.auth(server).await.attempt;
                if let Some(attempt) = attempt.filter(&wanted) {
                    return attempt;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        match tokio::time::timeout(SIGN_IN_TIMEOUT, looking).await {
            Ok(attempt) => attempt,
            Err(_) => panic!("{:#?}", self.auth(server).await.attempt),
        }
    }

    /// Signs in.
    ///
    /// # Panics
    /// When that fails.
    pub async fn signs_in(&self, server: &ServerId) {
        let attempt = self.sign_in(server).await;
        assert_eq!(
            attempt.state,
            SignInState::Succeeded,
            "{:#?}",
            attempt.failure
        );
    }

    /// Tries to sign in, and gives the reason why that failed.
    ///
    /// # Panics
    /// When it succeeds.
    pub async fn fails_to_sign_in(&self, server: &ServerId) -> SignInFailure {
        let attempt = self.sign_in(server).await;
        assert_eq!(attempt.state, SignInState::Failed, "{attempt:#?}");
        attempt.failure.expect("a reason")
    }

    /// The last sign-in in every form in which it is handed on.
    pub fn exported(&self, server: &ServerId) -> String {
        let forms = [
            SignInExport::Text,
            SignInExport::Json,
            SignInExport::Mermaid,
            SignInExport::Curl,
        ];
        forms
            .map(|form| {
                self.inspector
                    .sign_in
                    .export_sign_in(server, form)
                    .expect("a text")
            })
            .join("\n")
    }
}
