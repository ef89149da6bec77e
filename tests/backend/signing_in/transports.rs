//! A refusal on every leg of every transport leads to the same sign-in: the stream and the
//! messages of HTTP with Server-Sent Events, and the upgrade to WebSocket.

use serde_json::json;
use sightglass_inspector::{
    AuthStatus, Endpoint, Era, EraChoice, Failure, Phase, RequestEnd, SignInPurpose, SignInState,
    TokenAction, TransportKind,
};
use sightglass_tests::{
    Environment, TestHost,
    scripted::{Behind, Fault, GUARDED_TOOL_OF_EVERYTHING, Scripted},
    user::User,
};

use super::Scene;

/// A guarded server over this transport, and somebody who may come in.
async fn over(kind: &str, behind: Behind) -> Scene {
    let scripted = Scripted::before(behind).await;
    let entry = json!({ "type": kind, "url": scripted.url() });
    Scene::configured(entry, scripted, User::signs_in("ada"))
}

impl Scene {
    /// Connects, and is refused with a challenge. Gives its status.
    async fn is_refused(&self) -> u16 {
        let status = self.host.try_connect(&self.server).await;
        let failure = status.failure.expect("refused").failure;
        let Failure::SignInRequired {
            status, challenge, ..
        } = failure
        else {
            panic!("{failure:?}")
        };
        assert!(
            challenge
                .expect("a challenge")
                .contains("resource_metadata")
        );
        status
    }

    async fn transport(&self) -> TransportKind {
        let status = self
            .host
            .inspector
            .servers
            .open_connections
            .status(&self.server);
        assert_eq!(status.phase, Phase::Ready, "{:?}", status.failure);
        status.handshake.expect("it stands").transport
    }

    /// Connects again with what is kept.
    async fn returns(&self) {
        self.host
            .inspector
            .servers
            .open_connections
            .disconnect(&self.server)
            .await;
        self.host.connect(&self.server).await;
    }

    /// Signs in once more, for rights that were not given.
    async fn steps_up(&self) {
        let attempt = self.host.sign_in(&self.server).await;
        assert_eq!(attempt.purpose, SignInPurpose::StepUp, "{attempt:#?}");
        assert_eq!(attempt.state, SignInState::Succeeded, "{attempt:#?}");
    }

    /// The token lab asks where the transport begins: a spoiled token is refused there, the
    /// right one accepted with this status.
    async fn is_tried_out(&self, accepted: u16) {
        let reaction = self.act(TokenAction::Corrupt).await;
        assert!(
            reaction.ok && reaction.message.contains("401"),
            "{reaction:?}"
        );
        let reaction = self.act(TokenAction::Restore).await;
        let words = format!("accepts it (HTTP {accepted})");
        assert!(
            reaction.ok && reaction.message.contains(&words),
            "{reaction:?}"
        );
    }

    /// A grant that was withdrawn is told with the reason, and given again.
    async fn is_given_again(&self) {
        let reason = self.expired().await;
        assert!(reason.contains("the refresh token is not good"), "{reason}");
        self.host.signs_in(&self.server).await;
        self.echoes().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_of_server_sent_events_and_every_message_after_it() {
    let scene = over("sse", Behind::ServerSentEvents).await;
    assert_eq!(scene.is_refused().await, 401);
    assert!(matches!(scene.status().await, AuthStatus::Required { .. }));
    let opened = scene.scripted.called();
    assert!(
        opened.iter().all(|asked| asked.method == "GET"),
        "{opened:?}"
    );
    scene.host.signs_in(&scene.server).await;
    assert_eq!(scene.transport().await, TransportKind::Sse);
    scene.echoes().await;

    // On the message: refreshed and sent once more, while the stream stands.
    scene.scripted.end_tokens();
    let streams = |scene: &Scene| {
        let called = scene.scripted.called();
        called.iter().filter(|asked| asked.method == "GET").count()
    };
    let before = streams(&scene);
    scene.echoes().await;
    assert_eq!((scene.refreshes(), streams(&scene)), (1, before));
    // On the stream: the same.
    scene.scripted.end_tokens();
    scene.returns().await;
    assert_eq!(scene.refreshes(), 2);

    // More rights than were given: a step-up, and the call goes through.
    let sum = || async {
        let input = r#"{"a":1,"b":2}"#;
        let called = scene
            .host
            .call(&scene.server, GUARDED_TOOL_OF_EVERYTHING, input);
        called.await.request.end
    };
    assert_ne!(sum().await, RequestEnd::Result);
    scene.steps_up().await;
    assert_eq!(sum().await, RequestEnd::Result);

    // The token lab asks for the stream, since this server takes no messages there.
    scene.is_tried_out(200).await;

    // Withdrawn: told with the reason, and given again.
    scene.returns().await;
    scene.scripted.withdraw();
    assert_ne!(scene.echo().await.request.end, RequestEnd::Result);
    scene.is_given_again().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_messages_alone_where_the_stream_is_open_to_everybody() {
    let scene = over("sse", Behind::ServerSentEvents).await;
    scene.scripted.arm(Some(Fault::OpenStream));
    assert_eq!(scene.is_refused().await, 401);
    let called = scene.scripted.called();
    let last = called.last().expect("called");
    assert_eq!(last.method, "POST", "{called:?}");
    scene.host.signs_in(&scene.server).await;
    scene.echoes().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_server_of_which_only_the_address_is_known() {
    // The guard refuses before anybody can know that no messages are taken there.
    let scene = over("auto", Behind::ServerSentEvents).await;
    assert_eq!(scene.is_refused().await, 401);
    scene.host.signs_in(&scene.server).await;
    assert_eq!(scene.transport().await, TransportKind::Sse);
    scene.echoes().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_upgrade_to_web_socket() {
    let scene = over("ws", Behind::WebSocket).await;
    // Before it was ever connected.
    scene.host.signs_in(&scene.server).await;
    assert_eq!(scene.transport().await, TransportKind::WebSocket);
    scene.echoes().await;
    let out = scene
        .host
        .inspector
        .sign_in
        .sign_out(&scene.server, None)
        .await;
    assert!(out.expect("signed out").revoked);
    scene
        .host
        .inspector
        .servers
        .open_connections
        .disconnect(&scene.server)
        .await;

    assert_eq!(scene.is_refused().await, 401);
    scene.host.signs_in(&scene.server).await;
    scene.echoes().await;
    scene.scripted.end_tokens();
    // The socket stands; the next one is opened with a token that is refreshed.
    scene.echoes().await;
    assert_eq!(scene.refreshes(), 0);
    scene.returns().await;
    scene.echoes().await;
    assert_eq!(scene.refreshes(), 1);

    scene.is_tried_out(101).await;

    scene.scripted.withdraw();
    scene
        .host
        .inspector
        .servers
        .open_connections
        .disconnect(&scene.server)
        .await;
    assert_eq!(scene.is_refused().await, 401);
    scene.is_given_again().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_begins_a_connection_and_wants_more_rights_than_were_given() {
    for (kind, behind) in [
        ("sse", Behind::ServerSentEvents),
        ("ws", Behind::WebSocket),
        ("http", Behind::Demo),
    ] {
        let scene = over(kind, behind).await;
        scene.host.signs_in(&scene.server).await;
        scene.scripted.arm(Some(Fault::AllGuarded));
        scene
            .host
            .inspector
            .servers
            .open_connections
            .disconnect(&scene.server)
            .await;
        assert_eq!(scene.is_refused().await, 403, "{kind}");
        scene.steps_up().await;
        let asked = scene.scripted.asked("/authorize");
        assert_eq!(asked[1].get("scope"), "read admin", "{kind}");
        scene.echoes().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_eras_of_streamable_http() {
    for (choice, era) in [
        (EraChoice::Legacy, Era::Legacy),
        (EraChoice::Modern, Era::Modern),
    ] {
        let scripted = Scripted::start().await;
        let entry = json!({ "type": "http", "url": scripted.url(), "era": choice });
        let scene = Scene::configured(entry, scripted, User::signs_in("ada"));
        assert_eq!(scene.is_refused().await, 401);
        scene.host.signs_in(&scene.server).await;
        let facts = scene
            .host
            .inspector
            .servers
            .open_connections
            .status(&scene.server)
            .handshake;
        assert_eq!(facts.expect("it stands").era, era);
        scene.scripted.end_tokens();
        scene.echoes().await;
        assert_eq!(scene.refreshes(), 1);
        assert_ne!(scene.add().await.request.end, RequestEnd::Result);
        scene.steps_up().await;
        assert_eq!(scene.add().await.request.end, RequestEnd::Result);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_takes_no_token_to_the_address_of_a_changed_entry() {
    let scripted = Scripted::before(Behind::ServerSentEvents).await;
    let user = User::signs_in("ada");
    let host = TestHost::with_user(json!({}), Environment::with(&user));
    let server = TestHost::id("guarded");
    // A file of the user's own: what changes there asks nobody.
    let leads_to = async |url: &str| {
        let entry = json!({ "mcpServers": { "guarded": { "type": "sse", "url": url } } });
        host.write(&host.path("home/.claude/.mcp.json"), &entry.to_string());
        host.eventually("the entry", || {
            let spec = host.inspector.servers.specs.spec(&server).ok()?;
            matches!(&spec.endpoint, Endpoint::Remote(remote) if remote.url == url).then_some(())
        })
        .await;
    };
    leads_to(scripted.url()).await;
    host.signs_in(&server).await;
    drop(scripted);
    host.wait_for(&server, |status| status.reconnection.is_some())
        .await;

    let other = Scripted::before(Behind::ServerSentEvents).await;
    leads_to(other.url()).await;
    let lifecycle = &host.inspector.servers.lifecycle;
    lifecycle.connect(&server).expect("it starts");
    host.wait_for(&server, |status| {
        status.phase == Phase::Failed && status.reconnection.is_none()
    })
    .await;
    let called = other.called();
    assert!(!called.is_empty());
    assert!(
        called.iter().all(|asked| asked.bearer().is_none()),
        "{called:?}"
    );
}
