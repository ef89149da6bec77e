//! Servers that publish no metadata: what is guessed is not said to be known, and a server without
//! OAuth is told apart from an old one.

use axum::{
    Router,
    extract::Request,
    http::{StatusCode, header::WWW_AUTHENTICATE},
    response::{IntoResponse, Response},
};
use sightglass_inspector::{
    ServerId, SignInExport, SignInState, SignInView, StepKind, StepState, StepView, Verdict,
};
use sightglass_tests::{Environment, TestHost, user::User};

use crate::command_line::Machine;

const METADATA: [StepKind; 2] = [StepKind::ResourceMetadata, StepKind::ServerMetadata];

/// An answer to the path of a request.
type Answer = fn(&str) -> Response;

/// Starts a server that answers by the path, and gives its address.
async fn serve(answer: Answer) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let routes = Router::new().fallback(async move |request: Request| answer(request.uri().path()));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}/mcp")
}

/// Tries to sign in.
async fn attempt(url: &str) -> (TestHost, ServerId, SignInView) {
    let user = User::signs_in("ada");
    let host = TestHost::with_user(TestHost::remote(url), Environment::with(&user));
    let server = TestHost::id("guarded");
    let attempt = host.sign_in(&server).await;
    assert_eq!(attempt.state, SignInState::Failed, "{attempt:#?}");
    (host, server, attempt)
}

fn step(attempt: &SignInView, kind: StepKind) -> &StepView {
    &attempt.steps[kind as usize]
}

fn challenged(status: StatusCode, challenge: &'static str) -> Response {
    (status, [(WWW_AUTHENTICATE, challenge)]).into_response()
}

fn by_key(_: &str) -> Response {
    StatusCode::UNAUTHORIZED.into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_an_api_key_is_not_said_to_offer_oauth() {
    let url = serve(by_key).await;
    let (host, server, attempt) = attempt(&url).await;
    for kind in METADATA {
        let step = step(&attempt, kind);
        assert_eq!(step.state, StepState::Guessed, "{step:#?}");
        let summary = step.summary.as_deref().unwrap_or_default();
        assert!(
            summary.starts_with("No metadata at 2 addresses"),
            "{summary}"
        );
        let passed = step
            .checks
            .iter()
            .find(|check| check.verdict == Verdict::Passed);
        assert_eq!(passed, None, "nobody said it");
    }
    let failure = attempt.failure.expect("a reason");
    assert_eq!(
        failure.message,
        "This server does not offer OAuth: there is no metadata at 4 addresses, and the default \
         registration endpoint answers 401. It seems to want a token."
    );
    assert!(failure.wants_token);
    assert!(failure.hint.starts_with("Paste a token"), "{failure:?}");
    assert!(!failure.hint.contains("--"), "no option in the window");
    let text = host
        .inspector
        .sign_in
        .export_sign_in(&server, SignInExport::Text);
    let text = text.expect("a text");
    assert!(!text.contains("registers clients"), "{text}");
    assert!(text.contains("does not offer OAuth"), "{text}");

    let machine = Machine::new();
    let login = tokio::task::spawn_blocking(move || machine.run(&["login", &url])).await;
    let login = login.expect("no panic");
    assert_eq!(login.code, Some(4), "{}", login.stderr);
    assert!(login.stderr.contains(&failure.message), "{}", login.stderr);
    assert!(login.stderr.contains("`--header"), "{}", login.stderr);
    assert!(!login.stderr.contains("Paste"), "{}", login.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_server_asks_for_decides_what_helps() {
    let asks_for_bearer = |path: &str| match path {
        "/mcp" => challenged(StatusCode::UNAUTHORIZED, r#"Bearer realm="mcp""#),
        _ => StatusCode::NOT_FOUND.into_response(),
    };
    let asks_for_basic = |path: &str| match path {
        "/mcp" => challenged(StatusCode::UNAUTHORIZED, r#"Basic realm="mcp""#),
        _ => StatusCode::NOT_FOUND.into_response(),
    };
    let refuses = |_: &str| StatusCode::FORBIDDEN.into_response();
    let has_a_page_for_everything = |path: &str| match path {
        "/mcp" => StatusCode::UNAUTHORIZED.into_response(),
        _ => "<html>Welcome</html>".into_response(),
    };
    let is_open = |path: &str| match path {
        "/mcp" => StatusCode::OK.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    };
    let cases: [(Answer, &str, bool); 5] = [
        (asks_for_bearer, "It seems to want a token.", true),
        (asks_for_basic, "It asks for Basic authentication.", false),
        (refuses, "it may want a token.", true),
        (has_a_page_for_everything, "It seems to want a token.", true),
        (is_open, "It answers without a sign-in.", false),
    ];
    for (answer, words, wants_token) in cases {
        let (_host, _, attempt) = attempt(&serve(answer).await).await;
        let failure = attempt.failure.expect("a reason");
        assert!(
            failure
                .message
                .starts_with("This server does not offer OAuth")
                && failure.message.ends_with(words),
            "{failure:?}"
        );
        assert_eq!(failure.wants_token, wants_token, "{failure:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_that_something_else_answers_is_named_with_the_status() {
    let takes_the_metadata = |path: &str| match path {
        "/mcp" | "/register" => by_key(path),
        path if path.contains("oauth-protected-resource") => {
            StatusCode::NOT_ACCEPTABLE.into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    };
    let (_host, _, attempt) = attempt(&serve(takes_the_metadata).await).await;
    let failure = attempt.failure.expect("a reason");
    for words in [
        "oauth-protected-resource/mcp answered HTTP 406",
        "did not register this client",
    ] {
        assert!(failure.message.contains(words), "{failure:?}");
    }
    assert!(failure.hint.contains("operator"), "{failure:?}");
}

/// Each of these may have an authorization server, so that nothing else is claimed.
#[tokio::test(flavor = "multi_thread")]
async fn an_authorization_server_that_refuses_is_still_one() {
    let refuses_the_client = |path: &str| match path {
        "/mcp" => StatusCode::UNAUTHORIZED.into_response(),
        "/register" => (
            StatusCode::BAD_REQUEST,
            r#"{"error":"invalid_redirect_uri"}"#,
        )
            .into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    };
    let guards_its_registration = |path: &str| match path {
        "/mcp" | "/register" => StatusCode::UNAUTHORIZED.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    };
    let names_its_metadata = |path: &str| match path {
        "/mcp" => challenged(
            StatusCode::UNAUTHORIZED,
            r#"Bearer resource_metadata="/elsewhere""#,
        ),
        _ => StatusCode::NOT_FOUND.into_response(),
    };
    let cases: [fn(&str) -> Response; 3] = [
        refuses_the_client,
        guards_its_registration,
        names_its_metadata,
    ];
    for answer in cases {
        let (_host, _, attempt) = attempt(&serve(answer).await).await;
        let failure = attempt.failure.expect("a reason");
        assert!(
            failure.message.contains("did not register this client"),
            "{failure:?}"
        );
        assert!(!failure.message.contains("answered HTTP"), "{failure:?}");
        assert!(!failure.wants_token);
    }
}
