//! Authorization servers, and others, that mean harm or are broken. Each is refused at the step
//! that shows it, in words that say why, with the clause; and nothing secret gets out.

use std::time::Duration;

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthSettings, ComparedValues, Finding, ServerId, SignInRequest, SignInState, SignInView,
    StepKind, Verdict,
};
use sightglass_tests::{
    Environment, TestHost,
    leaks::leaks,
    programs::free_port,
    scripted::{Fault, Scripted},
    user::User,
};

/// Ways to refuse a sign-in.
struct Refusal {
    step: StepKind,
    /// Part of the message.
    words: &'static str,
    clause: &'static str,
}

/// Signs in to a server with one fault, and holds the end against what is wanted. Gives back
/// both sides for whatever else there is to see.
async fn refused(fault: Fault, wanted: Refusal) -> (TestHost, Scripted, SignInView) {
    let scripted = Scripted::with(fault).await;
    let user = User::signs_in("ada");
    let (host, server) = TestHost::guarded(&scripted, &user);
    let failure = host.fails_to_sign_in(&server).await;
    assert!(failure.message.contains(wanted.words), "{failure:?}");
    assert_eq!(failure.step, wanted.step, "{failure:?}");
    let clause = failure.clause.expect("where it is written");
    assert!(clause.title.contains(wanted.clause), "{clause:?}");
    assert!(!failure.hint.is_empty());
    nothing_leaked(&host, &scripted).await;
    let attempt = host.auth(&server).await.attempt.expect("it was tried");
    (host, scripted, attempt)
}

/// Looks for every secret of the run in what the program wrote, shows and hands on.
async fn nothing_leaked(host: &TestHost, scripted: &Scripted) {
    let server = TestHost::id("guarded");
    let mut written = host.written().await;
    let shown = format!("{:?}", host.auth(&server).await);
    written.push(("the view".to_owned(), shown.into_bytes()));
    written.push(("the export".to_owned(), host.exported(&server).into_bytes()));
    let found = leaks(&scripted.secrets(), &written);
    assert!(found.is_empty(), "{found:#?}");
}

fn at(step: StepKind, words: &'static str, clause: &'static str) -> Refusal {
    Refusal {
        step,
        words,
        clause,
    }
}

fn check(attempt: &SignInView, step: StepKind, subject: &str) -> Verdict {
    let step = attempt.steps.iter().find(|known| known.step == step);
    let checks = &step.expect("every step is there").checks;
    let check = checks.iter().find(|check| check.rule == subject);
    check
        .unwrap_or_else(|| panic!("{subject}: {checks:?}"))
        .verdict
}

/// The check that an answer with another `state` fails, once it came.
async fn strayed(host: &TestHost, server: &ServerId) -> (SignInView, Finding<ComparedValues>) {
    let looking = async {
        loop {
            let attempt = host.auth(server).await.attempt.expect("it runs");
            let checks = &attempt.steps[StepKind::Callback as usize].checks;
            let stray = checks.iter().find(|check| check.rule == "state");
            if let Some(stray) = stray.cloned() {
                return (attempt, stray);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let looked = tokio::time::timeout(Duration::from_secs(60), looking).await;
    looked.expect("it is told")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_another_state_or_with_none_is_not_used_and_the_right_one_still_counts() {
    for state in [json!("forged"), Value::Null] {
        let fault = Fault::Callback(json!({ "state": state }));
        let scripted = Scripted::with(fault).await;
        let user = User::signs_in("ada");
        let (host, server) = TestHost::guarded(&scripted, &user);
        let start = host
            .inspector
            .sign_in
            .sign_in(&server, SignInRequest::default());
        start.expect("it starts");
        let (attempt, check) = strayed(&host, &server).await;
        assert_eq!(check.verdict, Verdict::Failed);
        let clause = check.clause.expect("where it is written").title;
        assert!(clause.contains("RFC 6749, section 10.12"), "{clause}");
        assert!(clause.contains("RFC 9700, section 4.7"), "{clause}");
        assert_eq!(attempt.state, SignInState::WaitingForBrowser);
        let summary = attempt.steps[StepKind::Callback as usize].summary.clone();
        assert!(summary.expect("words").contains("still waiting"));
        assert_eq!(scripted.asked("/token").len(), 0);
        nothing_leaked(&host, &scripted).await;

        scripted.arm(None);
        user.walk(&attempt.address.expect("shown"), None).await;
        let attempt = host.signed_in(&server).await;
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
        assert_eq!(scripted.asked("/token").len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_another_issuer_or_of_none_is_refused_and_its_code_stays_unused() {
    for (issuer, words) in [
        (
            json!("https://other.example"),
            "comes from https://other.example",
        ),
        (Value::Null, "but this one has none"),
    ] {
        let fault = Fault::Callback(json!({ "iss": issuer }));
        let wanted = at(StepKind::Callback, words, "RFC 9207");
        let (_host, scripted, _) = refused(fault, wanted).await;
        assert_eq!(scripted.asked("/token").len(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_words_of_an_error_are_shown_unless_another_issuer_wrote_them() {
    let said = "Call 555-0100 and say your password";
    let error = json!({ "code": null, "error": "access_denied", "error_description": said });
    let wanted = at(StepKind::Callback, said, "RFC 6749, section 4.1.2.1");
    let (host, ..) = refused(Fault::Callback(error.clone()), wanted).await;
    assert!(host.exported(&TestHost::id("guarded")).contains(said));

    for issuer in [json!("https://other.example"), Value::Null] {
        let mut error = error.clone();
        error["iss"] = issuer;
        let wanted = at(StepKind::Callback, "", "RFC 9207");
        let (host, _scripted, attempt) = refused(Fault::Callback(error), wanted).await;
        let shown = format!("{attempt:?}{}", host.exported(&TestHost::id("guarded")));
        assert!(!shown.contains("555-0100"), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_in_the_browser_does_not_show_what_another_issuer_wrote() {
    let fault = Fault::Callback(json!({
        "code": null,
        "error": "access_denied",
        "error_description": "Call 555-0100",
        "iss": "https://other.example",
    }));
    let scripted = Scripted::with(fault).await;
    let user = User::signs_in("ada");
    let (host, server) = TestHost::guarded(&scripted, &user);
    host.fails_to_sign_in(&server).await;
    let page = host.eventually("the page", || user.pages().pop()).await;
    assert!(page.contains("Not signed in"), "{page}");
    assert!(!page.contains("555-0100"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_of_another_issuer_is_refused() {
    let fault = Fault::Metadata(json!({ "issuer": "https://other.example" }));
    let wanted = at(
        StepKind::ServerMetadata,
        "names https://other.example as its issuer",
        "RFC 8414, section 3.3",
    );
    let (_host, scripted, _) = refused(fault, wanted).await;
    assert_eq!(scripted.asked("/register").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_about_another_resource_is_refused() {
    let fault = Fault::Resource(json!({ "resource": "https://bank.example/mcp" }));
    let wanted = at(
        StepKind::ResourceMetadata,
        "for https://bank.example/mcp, not for this server",
        "RFC 9728, section 3.3",
    );
    refused(fault, wanted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_of_an_honest_server_does_not_reach_the_one_that_named_it_as_its_own() {
    let honest = Scripted::start().await;
    let endpoint = format!("{}/authorize", honest.issuer());
    // The client is one that both know.
    let scripted = Scripted::with(Fault::Metadata(
        json!({ "authorization_endpoint": endpoint }),
    ))
    .await;
    let user = User::signs_in("ada");
    let (host, server) = TestHost::guarded(&scripted, &user);
    let settings = AuthSettings {
        client_id: Some("registered".to_owned()),
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    let failure = host.fails_to_sign_in(&server).await;
    assert!(failure.message.contains(honest.issuer()), "{failure:?}");
    assert!(failure.clause.expect("a clause").title.contains("RFC 9207"));
    assert_eq!(honest.asked("/authorize").len(), 1);
    assert_eq!(scripted.asked("/token").len(), 0);
    nothing_leaked(&host, &honest).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_to_other_hosts_are_not_followed() {
    let elsewhere = Scripted::start().await;
    let metadata = "/.well-known/oauth-authorization-server";
    for (path, step) in [
        (metadata, StepKind::ServerMetadata),
        ("/register", StepKind::Registration),
        ("/token", StepKind::Token),
    ] {
        let to = format!("{}{path}", elsewhere.issuer());
        let wanted = at(step, "redirects to another host", "RFC 9728, section 7.7");
        refused(Fault::Redirect { path, to }, wanted).await;
        assert_eq!(elsewhere.asked(path).len(), 0, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_without_end_are_not_read_to_it() {
    let metadata = "/.well-known/oauth-authorization-server";
    for (path, step) in [
        (metadata, StepKind::ServerMetadata),
        ("/register", StepKind::Registration),
        ("/token", StepKind::Token),
    ] {
        let wanted = at(step, "larger than 256 KiB", "RFC 9728, section 7.6");
        refused(Fault::Huge { path }, wanted).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_takes_for_ever_is_given_up() {
    let scripted = Scripted::with(Fault::Slow { path: "/token" }).await;
    let user = User::signs_in("ada");
    let (host, server) = TestHost::guarded(&scripted, &user);
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Token);
    assert!(
        failure.message.contains("did not answer within"),
        "{failure:?}"
    );
    nothing_leaked(&host, &scripted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endpoints_that_are_not_of_the_web_are_refused_and_no_browser_opens() {
    for (address, words, clause) in [
        (
            "javascript:alert(1)",
            "javascript: is not a web address",
            "RFC 8414",
        ),
        (
            "file:///etc/passwd",
            "file: is not a web address",
            "RFC 8414",
        ),
        (
            "vscode://evil/install",
            "vscode: is not a web address",
            "RFC 8414",
        ),
        (
            "data:text/html,hello",
            "data: is not a web address",
            "RFC 8414",
        ),
        (
            "http://as.example/authorize",
            "plain http to another machine",
            "Communication Security",
        ),
        (
            "http://127.0.0.1.evil.example/a",
            "plain http to another machine",
            "Communication Security",
        ),
    ] {
        for endpoint in [
            "authorization_endpoint",
            "token_endpoint",
            "registration_endpoint",
        ] {
            let scripted = Scripted::with(Fault::Metadata(json!({ endpoint: address }))).await;
            let user = User::signs_in("ada");
            let (host, server) = TestHost::guarded(&scripted, &user);
            let failure = host.fails_to_sign_in(&server).await;
            assert!(failure.message.contains(words), "{failure:?}");
            assert!(failure.message.contains(endpoint), "{failure:?}");
            let title = failure.clause.expect("a clause").title;
            assert!(title.contains(clause), "{title}");
            assert_eq!(user.opened(), [""; 0]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_at_places_that_are_not_of_the_web_is_not_fetched() {
    let elsewhere = json!({ "authorization_servers": ["file:///etc"] });
    let wanted = at(StepKind::ServerMetadata, "not a web address", "RFC 8414");
    refused(Fault::Resource(elsewhere), wanted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_s256_it_goes_on_only_where_the_person_allowed_that() {
    for methods in [Value::Null, json!(["plain"])] {
        let fault = Fault::Metadata(json!({ "code_challenge_methods_supported": methods }));
        let wanted = at(
            StepKind::ServerMetadata,
            "does not declare PKCE with S256",
            "Authorization Code Protection",
        );
        let (host, _scripted, attempt) = refused(fault, wanted).await;
        assert!(attempt.failure.expect("refused").hint.contains("unsafe"));
        let server = TestHost::id("guarded");
        let settings = AuthSettings {
            allow_missing_s256: true,
            ..AuthSettings::default()
        };
        let saved = host
            .inspector
            .sign_in
            .update_auth_settings(&server, settings)
            .await;
        saved.expect("saved");
        let attempt = host.sign_in(&server).await;
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
        let verdict = check(
            &attempt,
            StepKind::ServerMetadata,
            "code_challenge_methods_supported",
        );
        assert_eq!(verdict, Verdict::Overridden);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_for_another_server_is_neither_kept_nor_sent() {
    let fault = Fault::Claims(json!({ "aud": "https://bank.example" }));
    let wanted = at(
        StepKind::Token,
        "is for https://bank.example, not for this server",
        "Access Token Privilege Restriction",
    );
    let (host, scripted, _) = refused(fault, wanted).await;
    let server = TestHost::id("guarded");
    let sent = scripted.called();
    assert!(
        sent.iter().all(|asked| asked.bearer().is_none()),
        "{sent:?}"
    );
    let kept = host.inspector.sign_in.tokens(&server, "default").await;
    assert_eq!(kept.expect("readable"), None);

    let settings = AuthSettings {
        allow_other_audience: true,
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let verdict = check(&attempt, StepKind::Token, "audience");
    assert_eq!(verdict, Verdict::Overridden);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_token_of_another_issuer_or_for_another_client_is_refused() {
    for (claims, words) in [
        (
            json!({ "iss": "https://other.example" }),
            "is from https://other.example",
        ),
        (json!({ "aud": "another-client" }), "is for another client"),
    ] {
        let wanted = at(StepKind::Token, words, "OpenID Connect Core");
        refused(Fault::IdClaims(claims), wanted).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_cannot_be_used_as_it_is_meant_is_refused() {
    for (answer, words) in [
        (json!({ "token_type": "DPoP" }), "of type DPoP"),
        (json!({ "access_token": null }), "has no access token"),
        (json!({ "access_token": "" }), "has no access token"),
    ] {
        let wanted = at(StepKind::Token, words, "RFC 6749");
        refused(Fault::TokenAnswer(answer), wanted).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_neither_ends_a_sign_in_nor_gains_anything() {
    let scripted = Scripted::start().await;
    let user = User::stays();
    let (host, server) = TestHost::guarded(&scripted, &user);
    let start = |request| {
        host.inspector
            .sign_in
            .sign_in(&server, request)
            .expect("it starts")
    };
    start(SignInRequest::default());
    let waits = |state| state == SignInState::WaitingForBrowser;
    let attempt = host.sign_in_reaches(&server, waits).await;
    let callback = attempt.redirect_uri.expect("an address");
    let client = reqwest::Client::new();
    // What is not the callback, or comes under another name, does not count.
    let elsewhere = callback.replace("/callback", "/");
    let answer = client.get(&elsewhere).send().await.expect("an answer");
    assert_eq!(answer.status(), 404);
    let posted = client.post(&callback).send().await.expect("an answer");
    assert_eq!(posted.status(), 405);
    let rebound = client.get(&callback).header("host", "evil.example");
    assert_eq!(rebound.send().await.expect("an answer").status(), 421);

    for forged in [
        "code=of-the-attacker&state=guessed",
        "code=of-the-attacker&state=guessed",
        "error=access_denied&error_description=Call+555-0100&state=guessed",
        "code=of-the-attacker",
    ] {
        let page = client.get(format!("{callback}?{forged}")).send().await;
        let page = page.expect("an answer");
        assert_eq!(page.status(), 400);
        let page = page.text().await.expect("a page");
        assert!(page.contains("Not signed in"), "{page}");
        assert!(!page.contains("555-0100"), "{page}");
    }
    let pasted = format!("{callback}?code=of-the-attacker&state=guessed");
    assert!(
        host.inspector
            .sign_in
            .paste_redirect(&server, &pasted)
            .is_err()
    );
    let (told, _) = strayed(&host, &server).await;
    assert_eq!(told.state, SignInState::WaitingForBrowser);
    let checks = &told.steps[StepKind::Callback as usize].checks;
    // However often: one with a state, one without.
    assert_eq!(checks.len(), 2, "{checks:?}");
    assert!(!format!("{told:?}").contains("555-0100"));
    assert_eq!(scripted.asked("/token").len(), 0);

    let address = attempt.address.expect("shown");
    user.walk(&address, None).await;
    let attempt = host.signed_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    // It answered once: nobody listens any more.
    assert!(client.get(&callback).send().await.is_err());
    nothing_leaked(&host, &scripted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_that_is_used_twice_is_told_in_the_words_of_the_server() {
    let scripted = Scripted::start().await;
    let user = User::signs_in("ada");
    let (host, server) = TestHost::guarded(&scripted, &user);
    host.signs_in(&server).await;
    let restarted = host
        .inspector
        .sign_in
        .restart_sign_in(&server, StepKind::Token, Vec::new());
    restarted.expect("it starts");
    let failure = host.signed_in(&server).await.failure.expect("a reason");
    assert!(
        failure.message.contains("the code was used already"),
        "{failure:?}"
    );
    assert!(failure.hint.contains("Sign in again"), "{failure:?}");
    assert!(
        failure
            .clause
            .expect("a clause")
            .title
            .contains("RFC 6749, section 5.2")
    );
    nothing_leaked(&host, &scripted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_named_and_nothing_is_registered() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("bound").port();
    let scripted = Scripted::start().await;
    let user = User::signs_in("ada");
    let servers = TestHost::remote(scripted.url());
    let environment = Environment::with(&user).and("SIGHTGLASS_OAUTH_PORT", port);
    let host = TestHost::with_user(servers, environment);
    let server = TestHost::id("guarded");
    let failure = host.fails_to_sign_in(&server).await;
    assert!(
        failure
            .message
            .contains(&format!("Port {port} cannot be used")),
        "{failure:?}"
    );
    assert!(
        failure.hint.contains("set another callback port"),
        "{failure:?}"
    );
    assert_eq!(scripted.asked("/register").len(), 0);
    assert_eq!(user.opened(), [""; 0]);

    // The entry's own port counts before the one of the environment.
    let free = free_port();
    let settings = AuthSettings {
        callback_port: Some(free),
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let expected = format!("http://127.0.0.1:{free}/callback");
    assert_eq!(attempt.redirect_uri.as_deref(), Some(expected.as_str()));
}
