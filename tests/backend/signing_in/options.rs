//! Options of a sign-in for authorization servers with rules of their own.

use serde_json::json;
use sightglass_inspector::{AuthSettings, AuthorizationParameter, SignInState, StepKind, Verdict};
use sightglass_tests::{
    programs,
    scripted::{Fault, Scripted},
    user::User,
};

use super::Scene;

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_registered_with_a_fixed_redirect_signs_in() {
    let scene = Scene::with(Scripted::start().await, User::signs_in("ada"));
    for redirect in ["http://localhost:PORT/oauth/back", "http://127.0.0.1:PORT"] {
        let redirect = redirect.replace("PORT", &programs::free_port().to_string());
        scene
            .set(AuthSettings {
                redirect_uri: Some(redirect.clone()),
                ..AuthSettings::default()
            })
            .await;
        let attempt = scene.host.sign_in(&scene.server).await;
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
        assert_eq!(attempt.redirect_uri.as_deref(), Some(&*redirect));
        // It is the one that is registered, asked for and redeemed, letter by letter.
        let registered = scene.scripted.asked("/register").pop().expect("registered");
        assert!(registered.body.contains(&redirect), "{registered:?}");
        for path in ["/authorize", "/token"] {
            let asked = scene.scripted.asked(path).pop().expect("asked");
            assert_eq!(asked.get("redirect_uri"), redirect);
        }
        scene.echoes().await;
    }
    assert_eq!(scene.scripted.asked("/register").len(), 2);

    // Without a port any free one serves, and the registration is used again.
    let settings = AuthSettings {
        redirect_uri: Some("http://127.0.0.1/oauth/any".to_owned()),
        ..AuthSettings::default()
    };
    scene.set(settings).await;
    for _ in 0..2 {
        let attempt = scene.host.sign_in(&scene.server).await;
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
        let back = attempt.redirect_uri.expect("an address");
        assert!(back.ends_with("/oauth/any"), "{back}");
    }
    assert_eq!(scene.scripted.asked("/register").len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn resource_is_left_out_where_the_authorization_server_refuses_it() {
    let scene = Scene::with(
        Scripted::with(Fault::NoResource).await,
        User::signs_in("ada"),
    );
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert!(failure.message.contains("invalid_target"), "{failure:?}");
    assert!(failure.hint.contains("leave out `resource`"), "{failure:?}");

    scene
        .set(AuthSettings {
            omit_resource: true,
            ..AuthSettings::default()
        })
        .await;
    let attempt = scene.host.sign_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    for step in [StepKind::Authorization, StepKind::Token] {
        let checks = &attempt.steps[step as usize].checks;
        let check = checks.iter().find(|check| check.rule == "resource");
        let check = check.expect("the step shows it");
        assert_eq!(check.verdict, Verdict::Overridden);
        assert!(check.subject.actual.starts_with("left out"), "{check:?}");
    }
    // A refresh leaves it out as well.
    scene.scripted.end_tokens();
    scene.echoes().await;
    assert_eq!(scene.refreshes(), 1);
    for path in ["/authorize", "/token"] {
        let last = scene.scripted.asked(path).pop().expect("asked");
        assert!(!last.parameters.contains_key("resource"), "{last:?}");
    }

    // It is for this server at its origin alone: by default it is sent.
    let other = Scene::start().await;
    other.host.signs_in(&other.server).await;
    let asked = other.scripted.asked("/authorize");
    assert_eq!(asked[0].get("resource"), other.scripted.url());
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_of_a_provider_are_added_to_the_authorization_request() {
    let metadata = json!({ "scopes_supported": ["read", "offline_access"] });
    let scripted = Scripted::with(Fault::Metadata(metadata)).await;
    let scene = Scene::with(scripted, User::signs_in("ada"));
    let parameter = |name: &str, value: &str| AuthorizationParameter {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    scene
        .set(AuthSettings {
            authorization_parameters: vec![
                parameter(" audience ", "https://api.example/?a=1&state=2"),
                parameter("prompt", "select_account"),
                parameter("", ""),
            ],
            ..AuthSettings::default()
        })
        .await;
    let attempt = scene.host.sign_in(&scene.server).await;
    assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    let asked = &scene.scripted.asked("/authorize")[0];
    assert_eq!(asked.get("audience"), "https://api.example/?a=1&state=2");
    // It replaces the one that goes with `offline_access`.
    assert!(asked.get("scope").contains("offline_access"), "{asked:?}");
    let address = attempt.address.clone().expect("shown");
    assert_eq!(address.matches("prompt=").count(), 1, "{address}");
    assert_eq!(asked.get("prompt"), "select_account");
    let checks = &attempt.steps[StepKind::Authorization as usize].checks;
    let check = checks.iter().find(|check| check.rule == "added parameters");
    assert_eq!(check.expect("shown").subject.actual, "audience, prompt");
    // They are for the authorization request alone.
    let token = &scene.scripted.asked("/token")[0];
    assert!(!token.parameters.contains_key("audience"), "{token:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_is_used_however_the_place_of_the_metadata_is_spelled() {
    let scene = Scene::start().await;
    let metadata = ".well-known/oauth-authorization-server";
    // With a query it is none of the places that are built from the issuer.
    let plain = format!("{}/{metadata}?at=1", scene.scripted.issuer());
    let (_, place) = plain.split_once("://").expect("a scheme");
    let (host, path) = place.split_once('/').expect("a path");
    for spelled in [plain.clone(), format!("HTTP://{host}/x/../{path}")] {
        scene
            .set(AuthSettings {
                server_metadata: Some(spelled.clone()),
                ..AuthSettings::default()
            })
            .await;
        scene.host.signs_in(&scene.server).await;
        let tokens = scene.scripted.asked("/token").len();
        scene
            .host
            .inspector
            .servers
            .open_connections
            .disconnect(&scene.server)
            .await;
        let status = scene.host.try_connect(&scene.server).await;
        assert!(status.phase.is_live(), "{spelled}: {status:?}");
        scene.echoes().await;
        assert_eq!(scene.scripted.asked("/token").len(), tokens);
    }
    // The grant counts while the setting leads there, however it is spelled by then.
    scene
        .set(AuthSettings {
            server_metadata: Some(plain),
            ..AuthSettings::default()
        })
        .await;
    scene.echoes().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_i_entered_can_be_corrected_where_i_entered_it() {
    let scene = Scene::start().await;
    let (_, host) = scene.scripted.issuer().split_once("://").expect("a scheme");
    let misspelled = format!("http://me@{host}/token");
    let correct = "or correct it under Sign-in, Client";
    let fault = Fault::Metadata(json!({ "token_endpoint": misspelled }));
    scene.scripted.arm(Some(fault));
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert!(failure.message.contains("is spelled so"), "{failure:?}");
    assert!(!failure.hint.contains(correct), "{failure:?}");

    scene.scripted.arm(None);
    scene
        .set(AuthSettings {
            token_endpoint: Some(misspelled),
            ..AuthSettings::default()
        })
        .await;
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert!(failure.message.contains("is spelled so"), "{failure:?}");
    assert!(failure.hint.contains(correct), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_whose_port_is_taken_is_named() {
    let scene = Scene::with(Scripted::start().await, User::signs_in("ada"));
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("bound").port();
    scene
        .set(AuthSettings {
            redirect_uri: Some(format!("http://localhost:{port}/back")),
            ..AuthSettings::default()
        })
        .await;
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert_eq!(failure.step, StepKind::Registration, "{failure:?}");
    assert!(
        failure.message.contains(&format!("Port {port}")),
        "{failure:?}"
    );
}
