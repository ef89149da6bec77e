//! The trust settings of a server count for its sign-in as well, over real TLS: the authorities
//! of its entry wherever the sign-in leads, and its accepted certificate on its own host.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sightglass_inspector::{Failure, SignInFailure, StepKind, TokenAction};
use sightglass_tests::{
    certificates::{Authority, Certificate},
    scripted::{Script, Scripted, Secured},
    user::User,
};

use super::Scene;

async fn secured(server: Certificate, issuer: Certificate) -> Scripted {
    Scripted::of(Script {
        server: Some(Secured::here(server)),
        issuer: Some(Secured::here(issuer)),
        ..Script::default()
    })
    .await
}

fn scene(scripted: Scripted, trust: Value) -> Scene {
    let mut entry = json!({ "type": "http", "url": scripted.url() });
    for (name, value) in trust.as_object().expect("an object") {
        entry[name] = value.clone();
    }
    Scene::configured(entry, scripted, User::signs_in("ada"))
}

/// Signing in and everything that asks the authorization server later.
async fn serves(scene: &Scene) {
    scene.host.signs_in(&scene.server).await;
    scene.echoes().await;
    scene.scripted.end_tokens();
    scene.echoes().await;
    assert_eq!(scene.refreshes(), 1);
    let reaction = scene.act(TokenAction::Refresh).await;
    assert!(reaction.ok, "{reaction:?}");
    let out = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, None)
        .await;
    assert!(out.expect("signed out").revoked);
}

async fn refused(scene: &Scene) -> SignInFailure {
    let failure = scene.host.fails_to_sign_in(&scene.server).await;
    assert!(scene.scripted.asked("/register").is_empty());
    assert!(scene.user.opened().is_empty());
    failure
}

fn fingerprint(certificate: &Certificate) -> String {
    let pem = std::fs::read_to_string(&certificate.certificate).expect("readable");
    let body: String = pem.lines().filter(|line| !line.starts_with("--")).collect();
    let der = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, body);
    let digest = Sha256::digest(der.expect("base64"));
    let pairs: Vec<String> = digest.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(":")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_authorities_of_the_entry_count_for_the_authorization_server() {
    let authority = Authority::new();
    let issue = || authority.issue("127.0.0.1");
    let scripted = secured(issue(), issue()).await;
    let scene = scene(scripted, json!({ "ca_file": authority.file() }));
    let status = scene.host.try_connect(&scene.server).await;
    let failure = status.failure.expect("refused").failure;
    assert!(
        matches!(failure, Failure::SignInRequired { .. }),
        "{failure:?}"
    );
    serves(&scene).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_them_neither_server_is_believed() {
    let authority = Authority::new();
    let stranger = Authority::new();
    let scripted = secured(authority.issue("127.0.0.1"), authority.issue("127.0.0.1")).await;
    let failure = refused(&scene(scripted, json!({}))).await;
    assert_eq!(failure.step, StepKind::Challenge);
    assert!(failure.message.contains("certificate"), "{failure:?}");

    // The entry vouches for the server, and for nobody else.
    let scripted = secured(authority.issue("127.0.0.1"), stranger.issue("127.0.0.1")).await;
    let failure = refused(&scene(scripted, json!({ "ca_file": authority.file() }))).await;
    assert_eq!(failure.step, StepKind::ServerMetadata);
    assert!(failure.message.contains("certificate"), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_accepted_certificate_counts_where_the_server_signs_in_itself() {
    let authority = Authority::new();
    let own = authority.self_signed("sightglass.example");
    let accepted = json!({ "tls_fingerprint": fingerprint(&own) });
    // One certificate for the whole machine, in whatever name.
    let again = Certificate {
        certificate: own.certificate.clone(),
        key: own.key.clone(),
    };
    let scripted = secured(own, again).await;
    serves(&scene(scripted, accepted)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_accepted_certificate_is_no_word_for_another_one() {
    let authority = Authority::new();
    let own = authority.self_signed("127.0.0.1");
    let accepted = json!({ "tls_fingerprint": fingerprint(&own) });
    for host in ["127.0.0.1", "localhost"] {
        let own = Certificate {
            certificate: own.certificate.clone(),
            key: own.key.clone(),
        };
        let scripted = Scripted::of(Script {
            server: Some(Secured::here(own)),
            issuer: Some(Secured::named(host, authority.self_signed(host))),
            ..Script::default()
        })
        .await;
        let failure = refused(&scene(scripted, accepted.clone())).await;
        assert_eq!(failure.step, StepKind::ServerMetadata, "{failure:?}");
        assert!(failure.message.contains("certificate"), "{failure:?}");
    }
}
