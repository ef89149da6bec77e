//! Secrets and grants of the user stay with whom they were for.

use std::{io::Write, net::TcpStream, sync::Arc, time::Duration};

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthMode, AuthSettings, AuthView, Failure, Phase, RequestEnd, ServerId, SettingSecret,
    SignInRequest, SignInState, SignInView, StepKind, Verdict,
};
use sightglass_tests::{
    Environment, TestHost,
    scripted::{Fault, GUARDED_TOOL, REGISTERED_SECRET, Scripted},
    user::User,
};

use crate::{
    command_line::{Machine, ran},
    reaching,
};

const HEADER: &str = "the value of a secret header";

fn origin(scripted: &Scripted) -> String {
    scripted.url().trim_end_matches("/mcp").to_owned()
}

fn servers(name: &str, scripted: &Scripted) -> String {
    let entry = json!({ name: { "type": "http", "url": scripted.url() } });
    json!({ "mcpServers": entry }).to_string()
}

/// Everything that either of two servers was asked, as text.
fn everything(scripted: &Scripted) -> String {
    let at_issuer =
        ["/token", "/register", "/authorize", "/revoke"].map(|path| scripted.asked(path));
    format!("{:?}{at_issuer:?}", scripted.called())
}

async fn enter(host: &TestHost, server: &ServerId, secret: SettingSecret, value: &str) {
    let value = Some(value.to_owned());
    let kept = host
        .inspector
        .sign_in
        .update_auth_secret(server, secret, value)
        .await;
    kept.expect("kept");
}

async fn set(host: &TestHost, server: &ServerId, settings: AuthSettings) {
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(server, settings)
        .await;
    saved.expect("saved");
}

/// A host on which the user has a server `github` of their own, with a token, a secret header
/// and a client secret entered for it.
async fn with_github(honest: &Scripted, token: &str) -> (TestHost, ServerId) {
    let host = TestHost::new();
    let file = host.home().join(".claude/.mcp.json");
    host.write(&file, &servers("github", honest));
    let host = host.restart().await;
    let server = TestHost::id("github");
    let settings = AuthSettings {
        mode: Some(AuthMode::Bearer),
        client_id: Some("registered".to_owned()),
        secret_headers: vec!["X-Api-Key".to_owned()],
        ..AuthSettings::default()
    };
    set(&host, &server, settings).await;
    let header = SettingSecret::Header {
        name: "X-Api-Key".to_owned(),
    };
    enter(&host, &server, SettingSecret::Bearer, token).await;
    enter(&host, &server, header, HEADER).await;
    enter(
        &host,
        &server,
        SettingSecret::ClientSecret,
        REGISTERED_SECRET,
    )
    .await;
    (host, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_whose_server_is_named_like_mine_gets_nothing_that_i_entered_for_mine() {
    let (honest, evil) = (Scripted::start().await, Scripted::start().await);
    let token = honest.give("ada");
    let (host, server) = with_github(&honest, &token).await;
    host.connect(&server).await;
    let last = honest.called().pop().expect("called");
    assert_eq!(last.bearer(), Some(&*token));
    assert_eq!(last.header("x-api-key"), HEADER);
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;

    // The project's own `github` wins over it, and was approved as it was shown.
    let file = host.project().join(".claude/.mcp.json");
    host.write(&file, &servers("github", &evil));
    host.eventually("the project's server", || host.approves(&server))
        .await;
    let status = host.try_connect(&server).await;
    assert_eq!(status.phase, Phase::Failed);
    let came = everything(&evil);
    assert!(!evil.called().is_empty(), "it was asked");
    for secret in [&token, HEADER, REGISTERED_SECRET] {
        assert!(!came.contains(secret), "{came}");
    }
    let words = format!(
        "entered for {}. This server is {}. They were not sent.",
        origin(&honest),
        origin(&evil)
    );
    let view = host.auth(&server).await;
    assert_eq!(view.withheld.len(), 1, "{:?}", view.withheld);
    assert!(
        view.withheld[0].message.ends_with(&words),
        "{:?}",
        view.withheld
    );
    assert_eq!(view.withheld[0].secrets.len(), 3);
    assert_eq!(view.mode, AuthMode::Oauth, "settings stay there as well");

    // The command line says the same.
    let machine = Machine::new();
    let mut command = machine.command(&["tools", "list", "github"]);
    command
        .current_dir(host.project())
        .env("HOME", host.home())
        .env("SIGHTGLASS_DATA_DIR", host.data());
    let run = tokio::task::spawn_blocking(move || command.output()).await;
    let run = ran(run.expect("no panic").expect("it starts"));
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(run.stderr.contains(&words), "{}", run.stderr);
    assert!(!everything(&evil).contains(&token));

    // A click on what was shown sends it, and on nothing else.
    let from = view.withheld[0].entered_for.clone();
    let other = host
        .inspector
        .sign_in
        .rebind_auth(&server, from.clone(), &origin(&honest))
        .await;
    let refusal = other.expect_err("another address was shown").to_string();
    assert!(refusal.contains("changed to"), "{refusal}");
    let bound = host
        .inspector
        .sign_in
        .rebind_auth(&server, from, &origin(&evil))
        .await;
    assert_eq!(bound.expect("bound").withheld, []);
    host.try_connect(&server).await;
    let last = evil.called().pop().expect("called");
    assert_eq!(last.bearer(), Some(&*token));

    // Mine has kept what was entered for it.
    std::fs::remove_file(&file).expect("removed");
    host.eventually("my own server", || {
        let servers = host.inspector.snapshot().servers;
        let mine = servers.iter().find(|known| known.id == server)?;
        (mine.summary == honest.url()).then_some(())
    })
    .await;
    assert_eq!(host.auth(&server).await.withheld, []);
    host.connect(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_from_before_they_were_bound_send_nothing_until_the_user_says_where() {
    let scripted = Scripted::start().await;
    let token = scripted.give("robot");
    let host =
        TestHost::with_environment(TestHost::remote(scripted.url()), [("ROBOT_TOKEN", &token)]);
    let server = TestHost::id("guarded");
    let settings = AuthSettings {
        bearer_variable: Some("ROBOT_TOKEN".to_owned()),
        ..AuthSettings::default()
    };
    let settings = serde_json::to_value(settings).expect("JSON");
    let written = json!({ "servers": { "mcp-json:guarded": { "settings": settings } } });
    host.write(&host.data().join("auth.json"), &written.to_string());
    assert_eq!(host.try_connect(&server).await.phase, Phase::Failed);
    assert!(!everything(&scripted).contains(&token));
    let view = host.auth(&server).await;
    let words = &view.withheld[0].message;
    assert!(words.contains("They were not used"), "{words}");
    let bound = host
        .inspector
        .sign_in
        .rebind_auth(&server, None, &view.origin)
        .await;
    assert_eq!(bound.expect("bound").withheld, []);
    host.connect(&server).await;
    assert!(everything(&scripted).contains(&token));
}

/// A guarded server with these settings and the client secret entered.
async fn with_client(
    scripted: &Scripted,
    user: &Arc<User>,
    mode: AuthMode,
) -> (TestHost, ServerId) {
    let (host, server) = TestHost::guarded(scripted, user);
    let settings = AuthSettings {
        mode: Some(mode),
        client_id: Some("registered".to_owned()),
        ..AuthSettings::default()
    };
    set(&host, &server, settings).await;
    enter(
        &host,
        &server,
        SettingSecret::ClientSecret,
        REGISTERED_SECRET,
    )
    .await;
    (host, server)
}

fn naming(other: &Scripted) -> Option<Fault> {
    let moved = json!({ "authorization_servers": [other.issuer()] });
    Some(Fault::Resource(moved))
}

/// Returns true when a server was posted anything to.
fn was_posted_to(scripted: &Scripted) -> bool {
    ["/token", "/register"]
        .iter()
        .any(|path| !scripted.asked(path).is_empty())
}

fn question(view: &AuthView) -> Option<(String, Option<String>)> {
    let question = view.attempt.as_ref()?.issuer_question.clone()?;
    Some((question.issuer, question.instead_of))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_names_an_evil_authorization_server_gets_no_client_secret_unattended() {
    let (scripted, evil) = (Scripted::start().await, Scripted::start().await);
    scripted.arm(naming(&evil));
    let user = User::without_browser();
    let (host, server) = with_client(&scripted, &user, AuthMode::ClientCredentials).await;

    // Nobody agreed to any: the window asks, and nothing is posted anywhere.
    let status = host.try_connect(&server).await;
    let failure = status.failure.expect("refused").failure;
    assert!(
        matches!(failure, Failure::SignInRequired { .. }),
        "{failure:?}"
    );
    assert!(!was_posted_to(&evil) && !was_posted_to(&scripted));
    let view = host.auth(&server).await;
    assert_eq!(question(&view), Some((evil.issuer().to_owned(), None)));
    // What is agreed to is what was shown.
    let unseen = host
        .inspector
        .sign_in
        .agree_to_issuer(&server, scripted.issuer());
    assert!(unseen.is_err());

    // The honest one is agreed to once, and used without another word.
    scripted.arm(None);
    assert_eq!(host.try_connect(&server).await.phase, Phase::Failed);
    let view = host.auth(&server).await;
    assert_eq!(question(&view), Some((scripted.issuer().to_owned(), None)));
    let agreed = host
        .inspector
        .sign_in
        .agree_to_issuer(&server, scripted.issuer());
    assert_eq!(question(&agreed.expect("agreed")), None);
    host.connect(&server).await;
    assert_eq!(scripted.asked("/token").len(), 1);

    // From then on another one is not gone to.
    scripted.arm(naming(&evil));
    scripted.end_tokens();
    let report = host.call(&server, "echo", r#"{"message":"here"}"#).await;
    assert_ne!(report.request.end, RequestEnd::Result);
    assert!(!was_posted_to(&evil));
    let view = host.auth(&server).await;
    let expected = (evil.issuer().to_owned(), Some(scripted.issuer().to_owned()));
    assert_eq!(question(&view), Some(expected));
    let failure = view.attempt.and_then(|attempt| attempt.failure);
    let failure = failure.expect("a reason");
    assert_eq!(
        failure.message,
        format!(
            "This server now names another authorization server: {} instead of {}.",
            evil.issuer(),
            scripted.issuer()
        )
    );
    assert!(
        failure.hint.contains("Nothing was sent there"),
        "{failure:?}"
    );

    // The command line stops as well, with the same words.
    let machine = Machine::new();
    let mut command = machine.command(&["tools", "list", "guarded"]);
    command
        .current_dir(host.project())
        .env("HOME", host.home())
        .env("SIGHTGLASS_DATA_DIR", host.data());
    let run = tokio::task::spawn_blocking(move || command.output()).await;
    let run = ran(run.expect("no panic").expect("it starts"));
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(run.stderr.contains(&failure.message), "{}", run.stderr);
    assert!(!was_posted_to(&evil));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_names_an_evil_authorization_server_gets_no_client_secret_in_the_browser() {
    let (scripted, evil) = (Scripted::start().await, Scripted::start().await);
    scripted.arm(naming(&evil));
    let user = User::signs_in("ada");
    let (host, server) = with_client(&scripted, &user, AuthMode::Oauth).await;
    let start = || {
        let request = SignInRequest::default();
        host.inspector
            .sign_in
            .sign_in(&server, request)
            .expect("it starts");
    };
    let waits = |state| state == SignInState::WaitingForAgreement;

    start();
    host.sign_in_reaches(&server, waits).await;
    let view = host.auth(&server).await;
    assert_eq!(question(&view), Some((evil.issuer().to_owned(), None)));
    assert!(host.inspector.sign_in.cancel_sign_in(&server));
    host.signed_in(&server).await;
    assert!(!was_posted_to(&evil));
    assert_eq!(user.opened(), [""; 0], "not even the browser goes there");

    scripted.arm(None);
    start();
    host.sign_in_reaches(&server, waits).await;
    let agreed = host
        .inspector
        .sign_in
        .agree_to_issuer(&server, scripted.issuer());
    agreed.expect("agreed");
    let attempt = host.signed_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let checks = &attempt.steps[StepKind::Registration as usize].checks;
    let shown = checks
        .iter()
        .find(|check| check.rule == "authorization server");
    let shown = shown.expect("the step shows it");
    assert_eq!(shown.verdict, Verdict::Passed);
    assert_eq!(shown.subject.actual, scripted.issuer());

    scripted.arm(naming(&evil));
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Registration, "{failure:?}");
    assert!(
        failure
            .message
            .contains("now names another authorization server"),
        "{failure:?}"
    );
    assert!(!was_posted_to(&evil));
    assert_eq!(evil.asked("/authorize").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_that_only_claims_the_agreed_issuer_gets_no_client_secret() {
    let scripted = Scripted::start().await;
    let claim = json!({ "issuer": scripted.issuer() });
    let evil = Scripted::with(Fault::Metadata(claim)).await;
    let place = format!("{}/.well-known/oauth-authorization-server", evil.issuer());
    // The place is in the user's own entry; one of a project's is refused before it comes to that.
    let own = json!({ "guarded": {
        "type": "http",
        "url": scripted.url(),
        "oauth": { "authServerMetadataUrl": place },
    } });
    let host = TestHost::in_foreign_folder(json!({}), own, Environment::default());
    let server = TestHost::id("guarded");
    let settings = AuthSettings {
        mode: Some(AuthMode::ClientCredentials),
        client_id: Some("registered".to_owned()),
        ..AuthSettings::default()
    };
    set(&host, &server, settings).await;
    enter(
        &host,
        &server,
        SettingSecret::ClientSecret,
        REGISTERED_SECRET,
    )
    .await;
    let agreed = host
        .inspector
        .sign_in
        .agree_to_issuer(&server, scripted.issuer());
    agreed.expect("agreed");
    assert_eq!(host.try_connect(&server).await.phase, Phase::Failed);
    assert!(!was_posted_to(&evil));
    let expected = (evil.issuer().to_owned(), Some(scripted.issuer().to_owned()));
    assert_eq!(question(&host.auth(&server).await), Some(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_authorization_server_granted_does_not_outlive_the_move_to_another() {
    let (scripted, other) = (Scripted::start().await, Scripted::start().await);
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    host.signs_in(&server).await;
    scripted.arm(naming(&other));
    let request = SignInRequest {
        pauses: vec![StepKind::Registration],
        ..SignInRequest::default()
    };
    host.inspector
        .sign_in
        .sign_in(&server, request)
        .expect("it starts");
    host.sign_in_pauses(&server, StepKind::Registration).await;
    let view = host.auth(&server).await;
    assert_eq!(view.identities[0].grant, None);
    let problem = view.identities[0].problem.clone().expect("why");
    let words = format!("{} instead of {}", other.issuer(), scripted.issuer());
    assert!(problem.contains(&words), "{problem}");
    let tokens = host.inspector.sign_in.tokens(&server, "default").await;
    assert_eq!(tokens.expect("readable"), None);
    let asked = scripted.called().len();
    host.inspector.sign_in.cancel_sign_in(&server);
    host.try_connect(&server).await;
    let later = scripted.called();
    assert!(later[asked..].iter().all(|asked| asked.bearer().is_none()));
}

fn metadata_at(address: &str) -> Fault {
    Fault::Resource(json!({ "authorization_servers": [address] }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_name_that_is_rebound_to_this_machine_opens_no_private_address() {
    // The connection goes to a public address, so what a look-up says makes nothing private of it.
    let scene = reaching::Scene::rebound(metadata_at("https://10.0.0.1")).await;
    let failure = scene.refused(reaching::SERVER).await;
    assert_eq!(failure.step, StepKind::ResourceMetadata, "{failure:?}");
    assert!(!was_posted_to(&scene.scripted));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_address_inside_a_public_looking_one_is_not_visited() {
    for (address, host) in [
        ("https://[64:ff9b::7f00:1]", "[64:ff9b::7f00:1]"),
        ("https://[2002:a9fe:a9fe::]", "[2002:a9fe:a9fe::]"),
        ("https://[::127.0.0.1]", "[::7f00:1]"),
        ("https://198.18.0.1", "198.18.0.1"),
    ] {
        let scene = reaching::Scene::public(metadata_at(address)).await;
        let failure = scene.refused(host).await;
        assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
        assert!(!was_posted_to(&scene.scripted));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_local_program_that_never_finishes_its_request_does_not_cost_the_sign_in() {
    let scripted = Scripted::start().await;
    let user = User::without_browser();
    let (host, server) = TestHost::guarded(&scripted, &user);
    let request = SignInRequest::default();
    host.inspector
        .sign_in
        .sign_in(&server, request)
        .expect("it starts");
    let listens = |attempt: &SignInView| {
        attempt.state == SignInState::WaitingForBrowser
            && attempt.address.is_some()
            && attempt.redirect_uri.is_some()
    };
    let attempt = host.sign_in_is(&server, listens).await;
    let back = url::Url::parse(&attempt.redirect_uri.expect("known")).expect("an address");
    let port = back.port().expect("a port");
    let mut half = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    half.write_all(b"GET / HT").expect("sent");
    // And many that are made up, which the user is told of once.
    for number in 0..20 {
        let made_up = format!("{back}?code=stolen&state={number}");
        reqwest::get(made_up).await.expect("turned away");
    }
    let address = attempt.address.expect("shown");
    let walking = tokio::spawn(async move { user.walk(&address, None).await });
    // The sign-in itself waits for five minutes; this gives up long before.
    let attempt = host.signed_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let checks = &attempt.steps[StepKind::Callback as usize].checks;
    let turned_away = checks
        .iter()
        .filter(|check| check.verdict == Verdict::Failed);
    assert_eq!(turned_away.count(), 1, "{checks:#?}");
    tokio::time::timeout(Duration::from_secs(60), walking)
        .await
        .expect("the page came")
        .expect("no panic");
    drop(half);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authorization_page_elsewhere_and_an_answer_without_its_sender_are_pointed_out() {
    let fault = Fault::Metadata(json!({
        "authorization_endpoint": "https://accounts.example/authorize",
    }));
    let scripted = Scripted::with(fault).await;
    let (host, server) = TestHost::guarded(&scripted, &User::stays());
    let request = SignInRequest::default();
    host.inspector
        .sign_in
        .sign_in(&server, request)
        .expect("it starts");
    let waits = |state| state == SignInState::WaitingForBrowser;
    let attempt = host.sign_in_reaches(&server, waits).await;
    let found = |attempt: &SignInView, step: StepKind, subject: &str| {
        let checks = &attempt.steps[step as usize].checks;
        let found = checks.iter().find(|check| check.rule == subject);
        found.map(|check| check.verdict)
    };
    let subject = "origin of the authorization_endpoint";
    let verdict = found(&attempt, StepKind::ServerMetadata, subject);
    assert_eq!(verdict, Some(Verdict::Warning));
    host.inspector.sign_in.cancel_sign_in(&server);

    // Without `iss` where none was promised: a warning. Where it was promised: refused.
    scripted.arm(Some(Fault::Callback(json!({ "iss": Value::Null }))));
    let (host, server) = TestHost::guarded(&scripted, &User::signs_in("ada"));
    let failure = host.fails_to_sign_in(&server).await;
    assert!(
        failure.message.contains("but this one has none"),
        "{failure:?}"
    );
    assert_eq!(scripted.asked("/token").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_lacks_a_scope_says_so_and_login_asks_for_the_union() {
    let scripted = Scripted::start().await;
    let machine = Machine::new();
    let run = async |words: &[&str]| {
        let mut command = machine.command(words);
        command.env(
            "BROWSER",
            "curl --silent --location --cookie login=ada --output /dev/null",
        );
        let run = tokio::task::spawn_blocking(move || command.output()).await;
        ran(run.expect("no panic").expect("it starts"))
    };
    let url = scripted.url();
    let login = run(&["login", url]).await;
    assert_eq!(login.code, Some(0), "{}", login.stderr);
    let add = [
        "tools",
        "call",
        url,
        GUARDED_TOOL,
        r#"{"a":1,"b":2}"#,
        "--json",
    ];
    let refused = run(&add).await;
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    let error = refused.error();
    assert_eq!(error["code"], "insufficient_scope");
    let message = error["message"].to_string();
    assert!(message.contains("lacks the scope admin"), "{message}");
    assert!(error["hint"].to_string().contains("login"), "{error}");

    let login = run(&["login", url]).await;
    assert_eq!(login.code, Some(0), "{}", login.stderr);
    let asked = scripted.asked("/authorize");
    assert_eq!(asked[1].get("scope"), "read admin");
    let called = run(&add).await;
    assert_eq!(called.code, Some(0), "{}", called.stderr);
}
