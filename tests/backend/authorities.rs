//! Signing in at authorization servers by others, as their authors wrote them.

use serde_json::json;
use sightglass_inspector::{AuthSettings, RequestEnd, SignInState, StepKind, TransportKind};
use sightglass_tests::{Environment, TestHost, oidc::Guarded, programs, text_of, user::User};

/// Signs in with one click and calls a tool. Gives back its text.
async fn used(url: &str, tool: &str, arguments: &str) -> (TestHost, String) {
    used_over("http", url, tool, arguments).await
}

async fn used_over(kind: &str, url: &str, tool: &str, arguments: &str) -> (TestHost, String) {
    let user = User::signs_in("ada");
    let servers = json!({ "guarded": { "type": kind, "url": url } });
    let host = TestHost::with_user(servers, Environment::with(&user));
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
    let running = programs::fastmcp_with_oauth("http");
    let (host, text) = used(&running.url, "greet", r#"{"name":"Ada"}"#).await;
    assert_eq!(text, "Hello Ada");
    let server = TestHost::id("guarded");
    let report = host.inspector.sign_in.sign_out(&server, None).await;
    assert!(report.expect("signed out").revoked);
    host.inspector
        .servers
        .open_connections
        .disconnect(&server)
        .await;
    let status = host.try_connect(&server).await;
    assert!(status.failure.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn fastmcp_over_server_sent_events() {
    let running = programs::fastmcp_with_oauth("sse");
    let (host, text) = used_over("sse", &running.url, "greet", r#"{"name":"Ada"}"#).await;
    assert_eq!(text, "Hello Ada");
    let server = TestHost::id("guarded");
    let status = host.inspector.servers.open_connections.status(&server);
    let facts = status.handshake.expect("it stands");
    assert_eq!(facts.transport, TransportKind::Sse);
    let out = host.inspector.sign_in.sign_out(&server, None).await;
    assert!(out.expect("signed out").revoked);
    // The stream stands; the next message is refused.
    let report = host.call(&server, "greet", r#"{"name":"Ada"}"#).await;
    assert_ne!(report.request.end, RequestEnd::Result, "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certified_provider_that_reads_a_document_about_the_client() {
    let document = "https://sightglass.example/client.json";
    let guarded = Guarded::with(&json!({ "documents": { document: {
        "client_id": document,
        "client_name": "Sightglass of the tests",
        "application_type": "native",
        "redirect_uris": ["http://127.0.0.1/callback"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    } } }));
    let user = User::signs_in("ada");
    let servers = TestHost::remote(guarded.url());
    let host = TestHost::with_user(servers, Environment::with(&user));
    let server = TestHost::id("guarded");
    // Nobody is registered there; the words lead to what can be entered.
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Registration);
    assert!(
        failure.hint.contains("client metadata document"),
        "{failure:?}"
    );

    let settings = AuthSettings {
        client_metadata_url: Some(document.to_owned()),
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    host.signs_in(&server).await;
    let report = host.call(&server, "whoami", "{}").await;
    assert!(text_of(&report).starts_with("ada with"), "{report:?}");
    let view = host.auth(&server).await;
    let grant = view.identities[0].grant.clone().expect("signed in");
    assert_eq!(grant.client_id, document);
    assert_eq!(
        grant.registration,
        sightglass_auth::RegistrationKind::MetadataDocument
    );
    assert_eq!(guarded.asked("/reg"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certified_provider_that_reads_the_document_that_is_published() {
    let address = "https://acme.example/sightglass.json";
    let text = include_str!("../../src-tauri/client-metadata.json");
    let mut document: serde_json::Value = serde_json::from_str(text).expect("valid JSON");
    document["client_id"] = address.into();
    let guarded = Guarded::with(&json!({ "documents": { address: document } }));
    let user = User::signs_in("ada");
    let environment = Environment::with(&user).and("SIGHTGLASS_CLIENT_METADATA_URL", address);
    let host = TestHost::with_user(TestHost::remote(guarded.url()), environment);
    let server = TestHost::id("guarded");
    let shown = host.inspector.sign_in.auth_settings(&server).await;
    let shown = shown.expect("readable").published_client;
    assert_eq!(shown.as_deref(), Some(address));
    // Nothing is entered, and nobody registers.
    host.signs_in(&server).await;
    let view = host.auth(&server).await;
    let grant = view.identities[0].grant.clone().expect("signed in");
    assert_eq!(grant.client_id, address);
    assert_eq!(guarded.asked("/reg"), 0);

    // It does not list every redirect address, and is not used for the others.
    let settings = AuthSettings {
        redirect_uri: Some("http://127.0.0.1/elsewhere".to_owned()),
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&server, settings)
        .await;
    saved.expect("saved");
    let failure = host.fails_to_sign_in(&server).await;
    assert_eq!(failure.step, StepKind::Registration, "{failure:?}");
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
