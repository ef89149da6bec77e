//! What one authorization server gave goes to no other, whatever metadata claims.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sightglass_inspector::{
    AuthSettings, EndpointQuestion, RequestEnd, ServerId, SettingSecret, SignInFailure,
    SignInRequest, SignInState, SignInView, StepKind, Verdict,
};
use sightglass_tests::{
    Environment, TestHost,
    scripted::{Fault, REGISTERED_SECRET, Scripted},
    user::User,
};

use crate::command_line::{Machine, Ran, ran};

const METADATA: &str = "/.well-known/oauth-authorization-server";

/// Everything that either of two servers was asked, as text.
fn everything(scripted: &Scripted) -> String {
    let paths = [METADATA, "/token", "/register", "/authorize", "/revoke"];
    let at_issuer = paths.map(|path| scripted.asked(path));
    format!("{:?}{at_issuer:?}", scripted.called())
}

fn check(attempt: &SignInView, step: StepKind, subject: &str) -> (Verdict, String) {
    let checks = &attempt.steps[step as usize].checks;
    let found = checks.iter().find(|check| check.rule == subject);
    let found = found.unwrap_or_else(|| panic!("{subject}: {checks:#?}"));
    (found.verdict, found.subject.actual.clone())
}

/// Where the authorization server of a test is not the first one that is asked, its clients are
/// told from those of others by their numbers.
async fn registers_elsewhere(scripted: &Scripted, count: usize) {
    for _ in 0..count {
        let request = reqwest::Client::new().post(format!("{}/register", scripted.issuer()));
        let request = request.body(r#"{"token_endpoint_auth_method":"none"}"#);
        request.send().await.expect("registered");
    }
}

/// A user with a server `work` of their own, at an authorization server that gives its clients a
/// secret; and a stranger whose authorization server claims to be that one.
struct Impostor {
    good: Scripted,
    /// MCP server of the stranger. It names the good authorization server.
    server: Scripted,
    /// Authorization server of the stranger.
    evil: Scripted,
    user: Arc<User>,
}

/// The first client id that the stranger's authorization server gives in these tests.
const IMPOSTOR: &str = "client-5";

impl Impostor {
    async fn start() -> Self {
        let methods = json!({ "token_endpoint_auth_methods_supported": ["client_secret_basic"] });
        let good = Scripted::with(Fault::Metadata(methods)).await;
        let named = json!({ "authorization_servers": [good.issuer()] });
        let claims = json!({
            "issuer": good.issuer(),
            "authorization_endpoint": format!("{}/authorize", good.issuer()),
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        });
        let evil = Scripted::with(Fault::Metadata(claims)).await;
        // "registered" counts as a client as well.
        registers_elsewhere(&evil, 4).await;
        Self {
            server: Scripted::with(Fault::Resource(named)).await,
            user: User::signs_in("ada"),
            good,
            evil,
        }
    }

    fn entry(&self) -> Value {
        json!({
            "type": "http",
            "url": self.server.url(),
            "oauth": { "authServerMetadataUrl": format!("{}{METADATA}", self.evil.issuer()) },
        })
    }

    /// The stranger's server in the project, or in the user's own file; `work` is the user's.
    fn host(&self, is_project: bool) -> TestHost {
        let mut own = json!({ "work": { "type": "http", "url": self.good.url() } });
        let mut theirs = json!({});
        let file = if is_project { &mut theirs } else { &mut own };
        file["stranger"] = self.entry();
        let environment = Environment::with(&self.user);
        let host = TestHost::in_foreign_folder(theirs, own, environment);
        host.approve_all_but(&[]);
        host
    }

    /// Holds that the stranger learned nothing of the user's client, code or tokens.
    fn learned_nothing(&self) {
        assert!(!self.evil.asked(METADATA).is_empty(), "it was asked");
        assert!(self.evil.asked("/token").is_empty());
        let came = format!("{}{}", everything(&self.evil), everything(&self.server));
        for secret in self.good.secrets() {
            assert!(!came.contains(&secret), "{came}");
        }
        for asked in self.good.asked("/authorize") {
            let client = format!("{:?}", asked.get("client_id"));
            assert!(!came.contains(&client), "{came}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_claims_my_authorization_server_gets_nothing_of_it() {
    let scene = Impostor::start().await;
    let host = scene.host(true);
    host.signs_in(&TestHost::id("work")).await;
    let opened = scene.user.opened().len();
    assert_eq!(opened, 1, "there is a client to steal");

    let failure = host.fails_to_sign_in(&TestHost::id("stranger")).await;
    assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
    for part in [scene.good.issuer(), scene.evil.issuer(), "can vouch for"] {
        assert!(failure.message.contains(part), "{failure:?}");
    }
    assert!(failure.clause.expect("a clause").title.contains("8414"));
    assert_eq!(scene.user.opened().len(), opened, "no page is opened");
    scene.learned_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_came_first_leaves_no_client_for_my_authorization_server() {
    let scene = Impostor::start().await;
    let host = scene.host(true);
    host.fails_to_sign_in(&TestHost::id("stranger")).await;
    assert!(!scene.evil.asked(METADATA).is_empty(), "it was asked");
    host.signs_in(&TestHost::id("work")).await;
    let came = everything(&scene.good);
    assert!(!came.contains(IMPOSTOR), "{came}");
    assert_eq!(scene.good.asked("/register").len(), 1);
}

/// The place is the user's own choice, so it counts, and still for itself alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_place_in_my_own_entry_shares_no_client_with_the_issuer_that_it_claims() {
    let scene = Impostor::start().await;
    let host = scene.host(false);
    let (work, stranger) = (TestHost::id("work"), TestHost::id("stranger"));
    host.signs_in(&work).await;
    let registered = scene.evil.asked("/register").len();
    let request = SignInRequest::default();
    host.inspector
        .sign_in
        .sign_in(&stranger, request)
        .expect("it starts");
    let attempt = host.sign_in_reaches(&stranger, is_asked).await;
    let question = attempt.endpoint_question.expect("a question");
    assert_eq!(question.authorization, scene.good.issuer());
    assert_eq!(question.token, scene.evil.issuer());
    scene.learned_nothing();

    // With the user's word it goes on, as a client of its own.
    let agreed = host
        .inspector
        .sign_in
        .agree_to_endpoints(&stranger, &question);
    agreed.expect("agreed");
    host.eventually("the page, for that client", || {
        let asked = scene.good.asked("/authorize");
        let is_there = asked.iter().any(|asked| asked.get("client_id") == IMPOSTOR);
        is_there.then_some(())
    })
    .await;
    assert_eq!(scene.evil.asked("/register").len(), registered + 1);
    host.inspector.sign_in.cancel_sign_in(&stranger);
    host.signed_in(&stranger).await;

    // And that client is not the one of the issuer.
    let before = scene.good.asked("/authorize").len();
    host.signs_in(&work).await;
    let asked = scene.good.asked("/authorize");
    for asked in asked.iter().skip(before) {
        assert_ne!(asked.get("client_id"), IMPOSTOR, "{asked:?}");
    }
    assert_eq!(scene.good.asked("/register").len(), 1);
}

fn is_asked(state: SignInState) -> bool {
    state == SignInState::WaitingForAgreement
}

/// An MCP server with an authorization server of its own that sends the user to the page of a good
/// one, which names itself in no answer.
async fn mix_up(metadata: Value) -> (Scripted, Scripted) {
    let good = Scripted::with(Fault::Nameless).await;
    let mut claims = json!({
        "authorization_endpoint": format!("{}/authorize", good.issuer()),
        "registration_endpoint": format!("{}/register", good.issuer()),
        "authorization_response_iss_parameter_supported": null,
    });
    for (name, value) in metadata.as_object().expect("an object") {
        let value = value
            .as_str()
            .map(|path| format!("{}{path}", good.issuer()));
        claims[name] = value.map_or(Value::Bool(true), Value::from);
    }
    let evil = Scripted::with(Fault::Metadata(claims)).await;
    (good, evil)
}

async fn asked_about_endpoints(host: &TestHost, server: &ServerId) -> EndpointQuestion {
    let request = SignInRequest::default();
    host.inspector
        .sign_in
        .sign_in(server, request)
        .expect("it starts");
    let attempt = host.sign_in_reaches(server, is_asked).await;
    attempt.endpoint_question.expect("a question")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_of_one_authorization_server_goes_to_no_other_without_my_word() {
    let (good, evil) = mix_up(json!({})).await;
    let user = User::signs_in("ada");
    let (host, server) = TestHost::guarded(&evil, &user);
    let question = asked_about_endpoints(&host, &server).await;
    assert_eq!(
        question,
        EndpointQuestion {
            issuer: evil.issuer().to_owned(),
            authorization: good.issuer().to_owned(),
            token: evil.issuer().to_owned(),
        }
    );
    assert_eq!(user.opened(), [""; 0], "it is asked before the page opens");
    // What is agreed to is what was shown, and not the issuer in its place.
    let other = EndpointQuestion {
        token: good.issuer().to_owned(),
        ..question.clone()
    };
    let refused = host.inspector.sign_in.agree_to_endpoints(&server, &other);
    assert!(refused.is_err());
    let issuer = host
        .inspector
        .sign_in
        .agree_to_issuer(&server, evil.issuer());
    issuer.expect("kept");
    let view = host.auth(&server).await.attempt.expect("it runs");
    assert_eq!(view.state, SignInState::WaitingForAgreement);
    assert!(host.inspector.sign_in.cancel_sign_in(&server));
    host.signed_in(&server).await;
    assert!(evil.asked("/token").is_empty() && good.asked("/authorize").is_empty());

    // A yes opens the way that was closed, and is remembered.
    let question = asked_about_endpoints(&host, &server).await;
    let agreed = host
        .inspector
        .sign_in
        .agree_to_endpoints(&server, &question);
    agreed.expect("agreed");
    host.signed_in(&server).await;
    assert_eq!(good.asked("/authorize").len(), 1);
    assert_eq!(evil.asked("/token").len(), 1);
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Token, "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_promise_to_name_the_issuer_needs_no_question_and_is_held_to() {
    for fault in [Some(Fault::Nameless), None] {
        let promise = json!({ "authorization_response_iss_parameter_supported": true });
        let (good, evil) = mix_up(promise).await;
        good.arm(fault);
        let (host, server) = TestHost::guarded(&evil, &User::signs_in("ada"));
        let SignInFailure { step, message, .. } = host.fails_to_sign_in(&server).await;
        assert_eq!(step, StepKind::Callback, "{message}");
        assert_eq!(good.asked("/authorize").len(), 1);
        assert!(evil.asked("/token").is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_of_one_authorization_server_are_revoked_at_no_other() {
    let (good, evil) = mix_up(json!({ "token_endpoint": "/token" })).await;
    let (host, server) = TestHost::guarded(&evil, &User::signs_in("ada"));
    let attempt = host.sign_in(&server).await;
    assert!(!good.asked("/token").is_empty(), "{attempt:#?}");
    let view = host.auth(&server).await;
    assert!(view.identities[0].grant.is_some(), "a grant to revoke");
    let subject = "origin of the revocation_endpoint";
    let (verdict, _) = check(&attempt, StepKind::ServerMetadata, subject);
    assert_eq!(verdict, Verdict::Warning);
    let out = host.inspector.sign_in.sign_out(&server, None).await;
    assert!(!out.expect("signed out").revoked);
    assert!(evil.asked("/revoke").is_empty() && evil.asked("/token").is_empty());
}

/// A grant of a project's server is found under the name of the user's own once the project's file
/// is gone.
#[tokio::test(flavor = "multi_thread")]
async fn my_client_secret_revokes_nothing_at_the_authorization_server_of_a_project() {
    for client in [None, Some("registered".to_owned())] {
        let (honest, evil) = (Scripted::start().await, Scripted::start().await);
        let host = signed_in_by_a_project(&honest, &evil).await;
        let server = TestHost::id("github");
        let secret = Some(OWN_SECRET.to_owned());
        let name = SettingSecret::ClientSecret;
        let kept = host
            .inspector
            .sign_in
            .update_auth_secret(&server, name, secret)
            .await;
        kept.expect("kept");
        let settings = AuthSettings {
            client_id: client,
            ..AuthSettings::default()
        };
        let saved = host
            .inspector
            .sign_in
            .update_auth_settings(&server, settings)
            .await;
        saved.expect("saved");
        let view = host.auth(&server).await;
        assert!(view.identities[0].grant.is_some(), "a grant to revoke");
        let out = host.inspector.sign_in.sign_out(&server, None).await;
        out.expect("signed out");
        let came = everything(&evil);
        let encoded: String = url::form_urlencoded::byte_serialize(OWN_SECRET.as_bytes()).collect();
        let basic = STANDARD.encode(format!("registered:{encoded}"));
        for spelling in [OWN_SECRET, &encoded, &basic] {
            assert!(!came.contains(spelling), "{came}");
        }
    }
}

const OWN_SECRET: &str = "the secret of my own client";

/// A user with a `github` of their own, after a project's `github` was signed in to as a client of
/// its own, and the project's file was removed.
async fn signed_in_by_a_project(honest: &Scripted, evil: &Scripted) -> TestHost {
    let own = json!({ "github": { "type": "http", "url": honest.url() } });
    let theirs = json!({ "github": {
        "type": "http",
        "url": evil.url(),
        "oauth": { "clientId": "registered", "clientSecret": REGISTERED_SECRET },
    } });
    let user = User::signs_in("ada");
    let host = TestHost::in_foreign_folder(theirs, own, Environment::with(&user));
    host.approve_all_but(&[]);
    let server = TestHost::id("github");
    let request = SignInRequest::default();
    host.inspector
        .sign_in
        .sign_in(&server, request)
        .expect("it starts");
    host.sign_in_reaches(&server, is_asked).await;
    let agreed = host
        .inspector
        .sign_in
        .agree_to_issuer(&server, evil.issuer());
    agreed.expect("agreed");
    let attempt = host.signed_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");

    let file = host.project().join(".claude/.mcp.json");
    std::fs::remove_file(&file).expect("removed");
    host.eventually("my own server", || {
        let servers = host.inspector.snapshot().servers;
        let mine = servers.iter().find(|known| known.id == server)?;
        (mine.summary == honest.url()).then_some(())
    })
    .await;
    host
}

async fn login(machine: &Machine, words: &[&str]) -> Ran {
    let mut command = machine.command(words);
    command.env(
        "BROWSER",
        "curl --silent --location --cookie login=ada --output /dev/null",
    );
    let run = tokio::task::spawn_blocking(move || command.output()).await;
    ran(run.expect("no panic").expect("it starts"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_sends_a_code_elsewhere_only_where_it_is_told_to() {
    let (good, evil) = mix_up(json!({})).await;
    let machine = Machine::new();
    let url = evil.url();
    for words in [
        vec!["login", url, "--json"],
        vec!["login", url, "--json", "--token-origin", good.issuer()],
    ] {
        let refused = login(&machine, &words).await;
        assert_eq!(refused.code, Some(4), "{}", refused.stderr);
        let error = refused.error();
        assert_eq!(error["code"], "endpoints_not_agreed");
        let message = error["message"].to_string();
        for origin in [good.issuer(), evil.issuer()] {
            assert!(message.contains(origin), "{message}");
        }
        let hint = error["hint"].to_string();
        assert!(hint.contains("--token-origin"), "{hint}");
    }
    let name = "it's $(touch mark) `touch mark`";
    let named = Machine::with_servers(json!({ name: { "type": "http", "url": url } }));
    let refused = login(&named, &["login", name, "--json"]).await;
    let hint = refused.error()["hint"].as_str().expect("a hint").to_owned();
    let (_, command) = hint.split_once('`').expect("a command");
    let (command, _) = command.rsplit_once('`').expect("its end");
    let script = format!("set -- {command}; printf '%s\\n' \"$@\"");
    let mut shell = std::process::Command::new("bash");
    shell
        .args(["-c", &script])
        .current_dir(named.path("project"));
    let words = ran(shell.output().expect("bash")).stdout;
    let meant = [
        "sightglass-cli",
        "login",
        name,
        "--token-origin",
        evil.issuer(),
    ];
    assert_eq!(words.lines().collect::<Vec<_>>(), meant);
    assert!(!named.path("project/mark").exists(), "{hint}");
    assert!(evil.asked("/token").is_empty() && good.asked("/authorize").is_empty());
    let told = ["login", url, "--token-origin", evil.issuer()];
    login(&machine, &told).await;
    assert_eq!(evil.asked("/token").len(), 1);
}

fn origin(scripted: &Scripted) -> &str {
    scripted.url().trim_end_matches("/mcp")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_counts_for_the_whole_host_says_so() {
    let scripted = Scripted::start().await;
    let whole = origin(&scripted).to_owned();
    scripted.arm(Some(Fault::Resource(json!({ "resource": whole }))));
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let (verdict, words) = check(&attempt, StepKind::ResourceMetadata, "resource");
    assert_eq!(verdict, Verdict::Warning);
    assert!(words.contains("counts for all of"), "{words}");
    // The resource is asked for as it was published (RFC 9728, section 3.3), and never a wider one
    // that the server did not describe.
    for path in ["/authorize", "/token"] {
        assert_eq!(scripted.asked(path)[0].get("resource"), whole);
        assert_eq!(scripted.asked(path).len(), 1);
    }
    for step in [StepKind::Authorization, StepKind::Token] {
        let subject = match step {
            StepKind::Token => "audience",
            _ => "resource",
        };
        let (verdict, words) = check(&attempt, step, subject);
        assert_eq!(verdict, Verdict::Warning);
        assert!(words.contains("not for this server alone"), "{words}");
    }
    let view = host.auth(&server).await;
    let grant = view.identities[0].grant.as_ref().expect("signed in");
    assert_eq!(grant.wider_resource.as_deref(), Some(&*whole));

    let machine = Machine::new();
    let ran = login(&machine, &["login", scripted.url()]).await;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(&format!("for all of {whole}")),
        "{}",
        ran.stderr
    );
}

/// Parsers of the web accept spellings that a person reads as somebody else's address.
#[tokio::test(flavor = "multi_thread")]
async fn an_issuer_that_is_spelled_like_another_is_refused() {
    for spelled in [
        "https://accounts.google.com @127.0.0.1",
        "https://127.0.0.1\\@accounts.google.com",
        "https://accounts.google.com@127.0.0.1",
        "https://g\u{43e}\u{43e}gle.com",
        "https://127.0.0.1?https://accounts.google.com",
    ] {
        let scripted = Scripted::start().await;
        let named = json!({ "authorization_servers": [spelled] });
        scripted.arm(Some(Fault::Resource(named)));
        let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
        let failure = host.fails_to_sign_in(&server).await;
        assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
        assert!(failure.message.contains("is refused"), "{failure:?}");
        assert!(scripted.asked("/register").is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_also_for_another_origin_is_refused_and_one_for_a_name_is_pointed_out() {
    let scripted = Scripted::start().await;
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    let claims = json!({ "aud": ["my-api", "https://bank.example/api"] });
    scripted.arm(Some(Fault::Claims(claims)));
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Token, "{failure:?}");
    assert!(failure.message.contains("bank.example"), "{failure:?}");
    let sent = |scripted: &Scripted| {
        scripted
            .called()
            .iter()
            .any(|asked| asked.bearer().is_some())
    };
    assert!(!sent(&scripted));

    scripted.arm(Some(Fault::Claims(json!({ "aud": "api://my-api" }))));
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let (verdict, _) = check(&attempt, StepKind::Token, "audience");
    assert_eq!(verdict, Verdict::Warning);
    assert!(sent(&scripted));
}

/// Providers of OpenID Connect add the address of their `userinfo` to the audience.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_the_issuer_beside_the_name_of_an_api_makes_no_token_of_another() {
    let scripted = Scripted::start().await;
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    let userinfo = format!("{}/userinfo", scripted.issuer());
    let with = |audiences: Value| Some(Fault::Claims(json!({ "aud": audiences })));
    for refused in [
        json!([userinfo]),
        json!(["my-api", userinfo, "https://bank.example/api"]),
    ] {
        scripted.arm(with(refused));
        let failure = host.fails_to_sign_in(&server).await;
        assert_eq!(failure.step, StepKind::Token, "{failure:?}");
    }

    scripted.arm(with(json!(["my-api", userinfo])));
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let (verdict, actual) = check(&attempt, StepKind::Token, "audience");
    assert_eq!(verdict, Verdict::Warning);
    assert!(actual.contains(&userinfo), "{actual}");
    // It is the same after a refresh.
    scripted.end_tokens();
    let report = host.call(&server, "echo", r#"{"message":"here"}"#).await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    let asked = scripted.asked("/token");
    let last = asked.last().expect("asked");
    assert_eq!(last.get("grant_type"), "refresh_token");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refreshed_token_for_another_origin_is_not_sent() {
    let scripted = Scripted::start().await;
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    host.signs_in(&server).await;
    let known = scripted.secrets();
    scripted.arm(Some(Fault::Claims(
        json!({ "aud": "https://bank.example" }),
    )));
    scripted.end_tokens();
    let report = host.call(&server, "echo", r#"{"message":"here"}"#).await;
    assert_ne!(report.request.end, RequestEnd::Result);
    let asked = scripted.asked("/token");
    let last = asked.last().expect("asked");
    assert_eq!(last.get("grant_type"), "refresh_token", "it was refreshed");
    for asked in scripted.called() {
        if let Some(token) = asked.bearer() {
            assert!(known.iter().any(|secret| secret == token), "{token}");
        }
    }
    let view = host.auth(&server).await;
    let problem = view.identities[0].problem.clone().expect("a problem");
    let way_out = "Sign in again, or allow it under Sign-in, Client (unsafe).";
    assert!(problem.ends_with(way_out), "{problem}");
}
