//! Authorization servers that are right but for one detail: what they say is told in their own
//! words, and what they give is taken.

use serde_json::{Value, json};
use sightglass_inspector::{StepKind, Verdict};
use sightglass_tests::{
    scripted::{Fault, Scripted},
    user::User,
};

use super::Scene;
use crate::command_line::Machine;

async fn with(fault: Fault) -> Scene {
    Scene::with(Scripted::with(fault).await, User::signs_in("ada"))
}

/// The answer of a token endpoint that has these members and no token.
fn without_token(members: Value) -> Fault {
    let mut answer = json!({
        "access_token": null, "token_type": null, "expires_in": null, "scope": null,
        "refresh_token": null, "id_token": null,
    });
    for (name, value) in members.as_object().expect("an object") {
        answer[name] = value.clone();
    }
    Fault::TokenAnswer(answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_in_an_answer_of_200_is_told_in_the_servers_own_words() {
    for (members, words) in [
        (
            json!({ "error": "bad_verification_code", "error_description": "The code is old" }),
            "bad_verification_code: The code is old.",
        ),
        (
            json!({ "ok": false, "error": "invalid_code" }),
            "invalid_code.",
        ),
        (
            json!({ "error": { "message": "no such app" } }),
            "no such app.",
        ),
        (
            json!({ "error": "incorrect_client_credentials", "error_description": "Not known." }),
            "incorrect_client_credentials: Not known.",
        ),
    ] {
        let scene = with(without_token(members)).await;
        let failure = scene.host.fails_to_sign_in(&scene.server).await;
        assert_eq!(failure.step, StepKind::Token);
        assert!(failure.message.ends_with(words), "{failure:?}");
        assert!(
            !failure.hint.contains("above"),
            "nothing is above: {failure:?}"
        );
        let is_of_client = failure.message.contains("client_credentials");
        assert_eq!(failure.hint.contains("this client"), is_of_client);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_with_empty_members_is_taken() {
    for members in [
        json!({ "client_secret": null, "client_secret_expires_at": null, "scope": null }),
        json!({ "token_endpoint_auth_method": "" }),
        json!({ "token_endpoint_auth_method": null, "client_secret": "" }),
        json!({ "token_endpoint_auth_method": "tls_client_auth", "client_secret_expires_at": "0" }),
    ] {
        let scene = with(Fault::Registration(members.clone())).await;
        scene.host.signs_in(&scene.server).await;
        scene.echoes().await;
        let is_told = members["token_endpoint_auth_method"].is_string();
        let attempt = scene.host.auth(&scene.server).await.attempt.expect("done");
        let warned = attempt
            .steps
            .iter()
            .flat_map(|step| &step.checks)
            .any(|check| {
                check.rule == "token_endpoint_auth_method" && check.verdict == Verdict::Warning
            });
        assert_eq!(warned, is_told, "{members}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_without_a_client_says_what_came() {
    for (members, words) in [
        (json!({ "client_id": null }), "has no client_id"),
        (
            json!({ "client_id": null, "error": "invalid_redirect_uri" }),
            "did not register this client: invalid_redirect_uri",
        ),
    ] {
        let scene = with(Fault::Registration(members)).await;
        let failure = scene.host.fails_to_sign_in(&scene.server).await;
        assert_eq!(failure.step, StepKind::Registration);
        assert!(failure.message.contains(words), "{failure:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metadata_that_says_nothing_does_not_end_the_search() {
    let scene = with(Fault::EmptyResource).await;
    scene.host.signs_in(&scene.server).await;
    scene.echoes().await;
}

/// The sentence keeps the address as it is, and the next step is one of the command line.
#[tokio::test(flavor = "multi_thread")]
async fn where_no_client_is_registered_the_command_line_asks_for_one() {
    let without = json!({ "registration_endpoint": null });
    let scripted = Scripted::with(Fault::Metadata(without)).await;
    let url = scripted.url().to_owned();
    let login = move || Machine::new().run(&["login", &url]);
    let login = tokio::task::spawn_blocking(login).await.expect("it ends");
    assert_eq!(login.code, Some(4), "{}", login.stderr);
    let sentence = format!("{} does not offer", scripted.issuer());
    assert!(login.stderr.contains(&sentence), "{}", login.stderr);
    assert!(login.stderr.contains("--client-id"), "{}", login.stderr);
}
