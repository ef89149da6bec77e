//! Signing in and what follows: tokens that end, are refreshed, refused and withdrawn; several
//! identities; other ways to a token than a person.

mod encrypted;
mod programs;
mod transports;

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthMode, AuthSettings, CheckVerdict, ClientAuthMethod, Failure, Phase, RequestDraft,
    RequestEnd, ServerId, SettingSecret, SignInExport, SignInPurpose, SignInRequest, SignInState,
    SignInView, Standing, StepKind, StepState, TokenAction, TokenReaction, view::CallReport,
};
use sightglass_tests::{
    Surroundings, TestHost,
    person::Person,
    scripted::{Fault, GUARDED_TOOL, REGISTERED_SECRET, Scripted},
    text_of,
};

/// A guarded server, a person, and the program between them.
struct Scene {
    host: TestHost,
    scripted: Scripted,
    person: Arc<Person>,
    server: ServerId,
}

impl Scene {
    async fn start() -> Self {
        Self::with(Scripted::start().await, Person::signs_in("ada"))
    }

    fn with(scripted: Scripted, person: Arc<Person>) -> Self {
        let entry = json!({ "type": "http", "url": scripted.url() });
        Self::configured(entry, scripted, person)
    }

    fn configured(entry: Value, scripted: Scripted, person: Arc<Person>) -> Self {
        let servers = json!({ "guarded": entry });
        Self {
            host: TestHost::with_person(servers, Surroundings::with(&person)),
            scripted,
            person,
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
            .save_auth_settings(&self.server, settings);
        saved.await.expect("saved");
    }

    async fn keep(&self, secret: SettingSecret, value: &str) {
        let value = Some(value.to_owned());
        let kept = self
            .host
            .inspector
            .keep_auth_secret(&self.server, secret, value);
        kept.await.expect("kept");
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

    async fn standing(&self) -> Standing {
        self.host.auth(&self.server).await.standing
    }

    /// Why the grant is over, once the window is told so.
    async fn expired(&self) -> String {
        let asking = async {
            loop {
                if let Standing::Expired { reason } = self.standing().await {
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
            .token_action(&self.server, "default", action);
        acted.await.expect("there is a token")
    }

    /// Waits until the sign-in pauses before a step, and gives the request that comes next.
    async fn paused_before(&self, step: StepKind) -> RequestDraft {
        let paused = self.host.sign_in_pauses(&self.server, step).await;
        let draft = paused.steps[step as usize].draft.clone();
        draft.expect("a request")
    }

    async fn altered(&self) -> Option<String> {
        let tokens = self.host.inspector.tokens(&self.server, "default").await;
        tokens.expect("readable").expect("signed in").altered
    }
}

fn as_identity(name: &str) -> SignInRequest {
    SignInRequest {
        identity: Some(name.to_owned()),
        ..SignInRequest::default()
    }
}

fn pausing(steps: &[StepKind]) -> SignInRequest {
    SignInRequest {
        pauses: steps.to_vec(),
        ..SignInRequest::default()
    }
}

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
    assert_eq!(scene.standing().await, Standing::SignedIn);
    assert_eq!(scene.person.opened().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_refused_is_refreshed_once_for_all_calls_and_every_program() {
    let scene = Scene::signed_in().await;
    let other = scene.host.beside(Surroundings::with(&scene.person));
    other.connect(&scene.server).expect("it starts");
    scene
        .host
        .eventually("the other program's connection", || {
            (other.status(&scene.server).phase == Phase::Ready).then_some(())
        })
        .await;
    for round in 1..=2 {
        scene.scripted.end_tokens();
        let text = r#"{"message":"here"}"#;
        let (one, two, three, four) = tokio::join!(
            scene.echo(),
            scene.echo(),
            other.call_tool(&scene.server, "a", "echo", text),
            other.call_tool(&scene.server, "b", "echo", text),
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
    assert_eq!(scene.standing().await, Standing::SignedIn);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_revokes_at_the_server_and_forgets() {
    let scene = Scene::signed_in().await;
    let report = scene.host.inspector.sign_out(&scene.server, None).await;
    let report = report.expect("signed out");
    assert!(report.revoked, "{report:?}");
    let revoked: Vec<String> = scene
        .scripted
        .asked("/revoke")
        .iter()
        .map(|asked| asked.get("token_type_hint").to_owned())
        .collect();
    assert_eq!(revoked, ["refresh_token", "access_token"]);
    assert_eq!(scene.standing().await, Standing::SignedOut);
    let kept = std::fs::read_to_string(scene.host.data().join("secrets.json"));
    assert!(!kept.expect("the vault").contains("refresh."));
    scene.host.inspector.disconnect(&scene.server).await;
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
    let scene = Scene::with(Scripted::with(fault).await, Person::signs_in("ada"));
    scene.host.signs_in(&scene.server).await;
    let report = scene.host.inspector.sign_out(&scene.server, None).await;
    let report = report.expect("signed out");
    assert!(!report.revoked);
    assert!(
        report.words.contains("no revocation endpoint"),
        "{report:?}"
    );
    assert_eq!(scene.standing().await, Standing::SignedOut);
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
        reaction.ok && reaction.words.contains("The server accepts it"),
        "{reaction:?}"
    );
    assert_eq!(scene.refreshes(), 1);

    let reaction = scene.act(TokenAction::PretendExpired).await;
    assert!(
        reaction.ok && reaction.words.contains("its next use refreshed it"),
        "{reaction:?}"
    );
    assert_eq!(scene.refreshes(), 2);

    let reaction = scene.act(TokenAction::Corrupt).await;
    assert!(
        reaction.ok && reaction.words.contains("401"),
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
        reaction.ok && reaction.words.contains("without admin"),
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
        reaction.ok && reaction.words.contains("401"),
        "{reaction:?}"
    );
    let shown = scene.host.inspector.tokens(&scene.server, "default").await;
    let shown = shown.expect("readable").expect("signed in");
    let claims = shown.access.claims.expect("a JWT");
    assert!(claims.contains(scene.scripted.url()), "{claims}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_call_as_two_identities_goes_out_as_each_of_them() {
    let scene = Scene::start().await;
    for name in ["ada", "bob"] {
        scene.person.becomes(name);
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
            .call_tool_as(&scene.server, name, "call", "echo", r#"{"message":"here"}"#)
            .await
            .expect("called");
        assert!(text_of(&report).contains("here"), "{report:?}");
        let kind = sightglass_inspector::TokenKind::Access;
        let token = scene
            .host
            .inspector
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
        .sign_out(&scene.server, Some("bob".into()))
        .await;
    assert!(out.expect("signed out").revoked);
    let refused = scene
        .host
        .inspector
        .call_tool_as(&scene.server, "bob", "call", "echo", "{}")
        .await;
    assert!(refused.is_err());
    let called = scene
        .host
        .inspector
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

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_paused_before_edited_and_done_again() {
    let scene = Scene::start().await;
    let start = pausing(&[StepKind::Registration, StepKind::Token]);
    scene
        .host
        .inspector
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
    let restarted =
        scene
            .host
            .inspector
            .restart_sign_in(&scene.server, StepKind::Registration, Vec::new());
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
    let token = format!("curl -X POST '{}/token'", scene.scripted.issuer());
    assert!(
        commands.contains(&token) && commands.contains("code=•••"),
        "{commands}"
    );
    let json: serde_json::Value = serde_json::from_str(&export(SignInExport::Json)).expect("JSON");
    assert!(json.is_object());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_up_asks_for_the_union_once_and_never_again_for_the_same() {
    let scene = Scene::signed_in().await;
    let report = scene.add().await;
    assert_ne!(report.request.end, RequestEnd::Result);
    assert!(matches!(scene.standing().await, Standing::Required { .. }));
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
        failure.message.contains("the token has it already"),
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
    scene.host.inspector.disconnect(&scene.server).await;
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
        reason.contains("the server's address is another one now"),
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
    let restarted = scene.host.inspector.restart_sign_in(
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
        .sign_in(&scene.server, SignInRequest::default());
    assert!(start.is_err());
    let metadata = scene
        .scripted
        .asked("/.well-known/oauth-authorization-server");
    assert_eq!(metadata.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_browser_reaches_this_machine_the_address_is_pasted_back() {
    let scene = Scene::with(Scripted::start().await, Person::without_browser());
    let request = SignInRequest {
        manual: true,
        ..SignInRequest::default()
    };
    scene
        .host
        .inspector
        .sign_in(&scene.server, request)
        .expect("it starts");
    let waits = |state| state == SignInState::WaitingForPaste;
    let attempt = scene.host.sign_in_reaches(&scene.server, waits).await;
    let back = attempt.redirect_uri.expect("an address");
    let end = scene
        .person
        .walk(&attempt.address.expect("shown"), Some(&back))
        .await;
    let nonsense = scene
        .host
        .inspector
        .paste_redirect(&scene.server, "nonsense");
    assert!(nonsense.is_err());
    let pasted = scene
        .host
        .inspector
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
    let scene = Scene::with(Scripted::with(fault).await, Person::signs_in("ada"));
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
        .filter(|check| check.verdict == CheckVerdict::Overridden);
    assert_eq!(overridden.count(), 4);
    scene.echoes().await;
    let out = scene.host.inspector.sign_out(&scene.server, None).await;
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
    let scene = Scene::with(Scripted::start().await, Person::without_browser());
    let start = scene
        .host
        .inspector
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
    let wait = until - since.expect("it began");
    assert!((300_000.0..400_000.0).contains(&wait), "{wait}");
    let summary = attempt.steps[StepKind::Authorization as usize]
        .summary
        .clone();
    assert!(
        summary
            .expect("words")
            .contains("No browser could be opened")
    );
    scene
        .person
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
    let surroundings = Surroundings::default().and("GUARDED_TOKEN", &token);
    let host = TestHost::with_person(servers.clone(), surroundings);
    let server = TestHost::id("guarded");
    let settings = AuthSettings {
        bearer_variable: Some("GUARDED_TOKEN".to_owned()),
        secret_headers: vec!["X-Api-Key".to_owned()],
        ..AuthSettings::default()
    };
    let saved = host.inspector.save_auth_settings(&server, settings).await;
    saved.expect("saved");
    let header = SettingSecret::Header {
        name: "X-Api-Key".to_owned(),
    };
    let key = Some("a key of the tests".to_owned());
    let kept = host.inspector.keep_auth_secret(&server, header, key).await;
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

    let scene = Scene::with(scripted, Person::without_browser());
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
        let scene = Scene::with(Scripted::start().await, Person::without_browser());
        scene
            .set(AuthSettings {
                mode: Some(AuthMode::ClientCredentials),
                client_id: Some("registered".to_owned()),
                auth_method: Some(method),
                ..AuthSettings::default()
            })
            .await;
        scene.keep(secret, value).await;
        // No click: the refusal leads to it.
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

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_is_cancelled_at_every_moment() {
    let scene = Scene::with(Scripted::start().await, Person::stays());
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
            .sign_in(&scene.server, pausing(&[step]));
        start.expect("it starts");
        scene.host.sign_in_pauses(&scene.server, step).await;
        assert!(scene.host.inspector.cancel_sign_in(&scene.server));
        let attempt = scene.host.signed_in(&scene.server).await;
        assert_eq!(attempt.state, SignInState::Cancelled, "{attempt:#?}");
        assert_eq!(attempt.failure, None);
    }
    let start = scene
        .host
        .inspector
        .sign_in(&scene.server, SignInRequest::default());
    start.expect("it starts");
    let waits = |state| state == SignInState::WaitingForBrowser;
    let attempt = scene.host.sign_in_reaches(&scene.server, waits).await;
    assert!(scene.host.inspector.cancel_sign_in(&scene.server));
    let cancelled = scene.host.signed_in(&scene.server).await;
    assert_eq!(cancelled.state, SignInState::Cancelled);
    let callback = attempt.redirect_uri.expect("an address");
    assert!(
        reqwest::get(callback).await.is_err(),
        "nobody listens any more"
    );
    assert!(!scene.host.inspector.cancel_sign_in(&scene.server));

    for path in [
        "/.well-known/oauth-authorization-server",
        "/register",
        "/token",
    ] {
        let scripted = Scripted::with(Fault::Slow { path }).await;
        let scene = Scene::with(scripted, Person::signs_in("ada"));
        let start = scene
            .host
            .inspector
            .sign_in(&scene.server, SignInRequest::default());
        start.expect("it starts");
        scene
            .host
            .eventually("the slow request", || {
                (!scene.scripted.asked(path).is_empty()).then_some(())
            })
            .await;
        assert!(scene.host.inspector.cancel_sign_in(&scene.server));
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
    let person = Person::stays();
    let entry = |scripted: &Scripted| json!({ "type": "http", "url": scripted.url() });
    let servers = json!({ "one": entry(&one), "two": entry(&two) });
    let host = TestHost::with_person(servers, Surroundings::with(&person));
    let ids = [TestHost::id("one"), TestHost::id("two")];
    let mut addresses = Vec::new();
    let mut callbacks = Vec::new();
    for id in &ids {
        host.inspector
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
        person.walk(&addresses[index], None).await;
        let attempt = host.signed_in(&ids[index]).await;
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
        assert_eq!(scripted.asked("/token").len(), 1);
    }
    // The answer to one is no answer to the other.
    host.inspector
        .sign_in(&ids[0], SignInRequest::default())
        .expect("it starts");
    let waits = |state| state == SignInState::WaitingForBrowser;
    let attempt = host.sign_in_reaches(&ids[0], waits).await;
    let of_the_other = person
        .visited()
        .into_iter()
        .rfind(|address| address.starts_with(&callbacks[1]) || address.starts_with(&callbacks[0]));
    let of_the_other = of_the_other.expect("the browser came back");
    let pasted = host.inspector.paste_redirect(&ids[0], &of_the_other);
    let refusal = pasted.expect_err("not taken").to_string();
    assert!(
        refusal.contains("not the answer to this sign-in"),
        "{refusal}"
    );
    person.walk(&attempt.address.expect("shown"), None).await;
    let attempt = host.signed_in(&ids[0]).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
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
    assert_eq!(scene.standing().await, Standing::SignedIn);
    let view = scene.host.auth(&scene.server).await;
    assert_eq!(view.identities[0].problem, None);
    // The same token served, and nobody was asked for another.
    assert_eq!(scene.scripted.asked("/token").len(), asked);
    assert_eq!(scene.person.opened().len(), 1);
    // The next refusal is a new one, and refreshed away.
    scene.scripted.end_tokens();
    scene.echoes().await;
    assert_eq!(scene.standing().await, Standing::SignedIn);
}
