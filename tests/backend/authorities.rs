//! Signing in at authorization servers by others, as their authors wrote them.

use serde_json::json;
use sightglass_inspector::{RequestEnd, SignInState, StepKind};
use sightglass_tests::{Surroundings, TestHost, oidc::Guarded, person::Person, programs, text_of};

/// Signs in with one click and calls a tool. Gives back its text.
async fn used(url: &str, tool: &str, arguments: &str) -> (TestHost, String) {
    let person = Person::signs_in("ada");
    let host = TestHost::with_person(TestHost::remote(url), Surroundings::with(&person));
    let server = TestHost::id("guarded");
    let status = host.try_connect(&server).await;
    assert!(status.failure.is_some(), "a stranger stays outside");
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let report = host.call(&server, tool, arguments).await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    let text = text_of(&report);
    (host, text)
}

#[tokio::test(flavor = "multi_thread")]
async fn fastmcp_with_its_own_authorization_server() {
    let running = programs::fastmcp_with_oauth();
    let (host, text) = used(&running.url, "greet", r#"{"name":"Ada"}"#).await;
    assert_eq!(text, "Hello Ada");
    let server = TestHost::id("guarded");
    let report = host.inspector.sign_out(&server, None).await;
    assert!(report.expect("signed out").revoked);
    host.inspector.disconnect(&server).await;
    let status = host.try_connect(&server).await;
    assert!(status.failure.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_of_the_typescript_sdk() {
    let running = programs::sdk_example_with_oauth();
    let (_host, text) = used(&running.url, "greet", r#"{"name":"Ada"}"#).await;
    assert!(text.contains("Ada"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certified_provider_whose_issuer_has_a_path() {
    let guarded = Guarded::with(&json!({ "path": "/tenants/acme" }));
    let (host, text) = used(guarded.url(), "whoami", "{}").await;
    assert!(text.starts_with("ada with"), "{text}");
    let view = host.auth(&TestHost::id("guarded")).await;
    let grant = view.identities[0].grant.clone().expect("signed in");
    assert_eq!(grant.account.as_deref(), Some("ada@acme.example"));
    // Every place that was tried is on the list, the one that served among them.
    let attempt = view.attempt.expect("it was tried");
    let tried = &attempt.steps[StepKind::ServerMetadata as usize].exchanges;
    assert_eq!(tried.len(), 3, "{tried:#?}");
    assert!(
        tried[2].chosen && tried[0].status == Some(404),
        "{tried:#?}"
    );
}
