//! Stories of users who set how the application connects: for one server, and for all of them.

use std::fs;

use serde_json::{Value, json};
use sightglass_inspector::{
    Endpoint, Failure, InspectorError, LimitSource, ListKind, Phase, ProtocolChoice, RequestEnd,
    ServerId,
    view::{ConnectionDefaults, NetworkSettings, ServerSettings, Settings},
};
use sightglass_tests::{
    Environment, TestHost,
    forward_proxy::ForwardProxy,
    programs::{self, scripted},
    text_of,
    wiretap::Wiretap,
};

/// The answer of a scripted server that agrees on one revision.
fn agreeing_on(revision: &str) -> String {
    json!({
        "protocolVersion": revision,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "scripted", "version": "1" },
    })
    .to_string()
}

fn sent(tap: &Wiretap, method: &str) -> Value {
    let lines = tap.lines("sent");
    let mut messages = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    messages
        .find(|message| message["method"] == method)
        .unwrap_or_else(|| panic!("{method} was not sent: {lines:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn one_revision_and_no_other_is_agreed_on() {
    let tap = Wiretap::new();
    let answer = agreeing_on("2025-03-26");
    let entry = scripted(&tap, &[("initialize", &answer)]);
    let host = TestHost::with_servers(json!({ "old": entry }));
    let old = TestHost::id("old");
    let choose = |protocol| {
        let settings = ServerSettings {
            protocol: Some(protocol),
            ..ServerSettings::default()
        };
        host.inspector
            .servers
            .settings_changes
            .update_server_settings(&old, settings)
    };
    choose(ProtocolChoice::V2025_03_26).expect("saved");
    let status = host.connect(&old).await;
    let agreed = status.handshake.expect("a handshake");
    assert_eq!(agreed.protocol_version, "2025-03-26");
    host.inspector
        .servers
        .open_connections
        .disconnect(&old)
        .await;
    let asked = sent(&tap, "initialize");
    assert_eq!(asked["params"]["protocolVersion"], "2025-03-26");
    let probed = tap
        .lines("sent")
        .iter()
        .any(|line| line.contains("server/discover"));
    assert!(!probed, "nothing but the handshake of this revision");

    choose(ProtocolChoice::V2024_11_05).expect("saved");
    let failed = host.try_connect(&old).await.failure.expect("a failure");
    let Failure::ProtocolError { message, .. } = &failed.failure else {
        panic!("{failed:?}");
    };
    assert!(
        message.contains("answered with protocol version 2025-03-26")
            && message.contains("set to 2024-11-05"),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_told_the_name_and_the_capabilities_that_were_set() {
    let tap = Wiretap::new();
    let answer = agreeing_on("2025-11-25");
    let entry = scripted(&tap, &[("initialize", &answer)]);
    let host = TestHost::with_servers(json!({ "told": entry }));
    let told = TestHost::id("told");
    let settings = ServerSettings {
        protocol: Some(ProtocolChoice::Initialize),
        client_name: "claude-code".to_owned(),
        client_version: "2.1.0".to_owned(),
        sampling: false,
        roots: false,
        extensions: r#"{"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}"#.to_owned(),
        ..ServerSettings::default()
    };
    let inspector = &host.inspector;
    inspector
        .servers
        .settings_changes
        .update_server_settings(&told, settings.clone())
        .expect("saved");
    assert_eq!(
        inspector.servers.server_settings.server_settings(&told),
        settings
    );
    host.connect(&told).await;
    inspector.servers.open_connections.disconnect(&told).await;
    let params = sent(&tap, "initialize")["params"].clone();
    assert_eq!(
        params["clientInfo"],
        json!({ "name": "claude-code", "version": "2.1.0" })
    );
    assert_eq!(
        params["capabilities"],
        json!({
            "elicitation": { "form": {}, "url": {} },
            "tasks": {
                "list": {},
                "cancel": {},
                "requests": { "elicitation": { "create": {} } },
            },
            "extensions": { "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html"] } },
        })
    );

    for wrong in ["[]", "{", r#"{"a/b": 1}"#] {
        let settings = ServerSettings {
            extensions: wrong.to_owned(),
            ..ServerSettings::default()
        };
        let refused = host
            .inspector
            .servers
            .settings_changes
            .update_server_settings(&told, settings);
        assert!(
            matches!(refused, Err(InspectorError::InvalidInput(_))),
            "{wrong}: {refused:?}"
        );
    }
    assert_eq!(
        host.inspector
            .servers
            .server_settings
            .server_settings(&told),
        settings,
        "as it was"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_stateless_era_each_request_says_the_same() {
    let host = TestHost::new();
    let demo = sightglass_inspector::ServerId::demo();
    let settings = ServerSettings {
        protocol: Some(ProtocolChoice::Stateless),
        client_name: "other".to_owned(),
        elicitation: false,
        ..ServerSettings::default()
    };
    let saved = host
        .inspector
        .servers
        .settings_changes
        .update_server_settings(&demo, settings);
    saved.expect("saved");
    let status = host.connect(&demo).await;
    let agreed = status.handshake.expect("a handshake");
    assert_eq!(agreed.protocol_version, "2026-07-28");
    let report = host.call(&demo, "echo_arguments", "{}").await;
    let frame = report.request.request_frame.expect("it was sent");
    let text = host
        .inspector
        .core
        .record()
        .payload(frame)
        .await
        .expect("on record");
    let request: Value = serde_json::from_slice(&text).expect("JSON");
    let meta = &request["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "other");
    let capabilities = &meta["io.modelcontextprotocol/clientCapabilities"];
    assert_eq!(capabilities["elicitation"], Value::Null);
    assert_eq!(capabilities["sampling"], json!({ "tools": {} }));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_servers_own_settings_win_over_its_entry_and_those_for_all_over_nothing() {
    let demo = programs::own("sightglass-demo-server");
    let host = TestHost::with_servers(json!({
        "plain": { "command": demo },
        "set": { "command": demo, "startup_timeout": 40, "tool_timeout": 50 },
    }));
    let inspector = &host.inspector;
    inspector
        .core
        .save_settings(Settings {
            defaults: ConnectionDefaults {
                protocol: ProtocolChoice::V2025_06_18,
                startup_limit: Some(41),
                call_limit: Some(51),
            },
            ..inspector.core.settings()
        })
        .expect("saved");
    let own = ServerSettings {
        protocol: Some(ProtocolChoice::Stateless),
        call_limit: Some(7),
        ..ServerSettings::default()
    };
    let (plain, set) = (TestHost::id("plain"), TestHost::id("set"));
    inspector
        .servers
        .settings_changes
        .update_server_settings(&set, own)
        .expect("saved");

    let limits = |name: &str| {
        let servers = inspector.snapshot().servers;
        let server = servers.into_iter().find(|server| server.name == name);
        let limits = server.expect("known").limits;
        [None, Some(Phase::Executing)].map(|phase| {
            let limit = limits.iter().find(|limit| limit.phase == phase);
            let limit = limit.expect("a limit");
            (limit.limit.as_f64() / 1000.0, limit.set_by.clone())
        })
    };
    assert_eq!(
        limits("plain"),
        [(41.0, LimitSource::Setting), (51.0, LimitSource::Setting)]
    );
    let field = |field: &str| LimitSource::Entry {
        field: field.to_owned(),
    };
    assert_eq!(
        limits("set"),
        [
            (40.0, field("startup_timeout")),
            (7.0, LimitSource::ServerSetting)
        ]
    );
    let mut agreed = Vec::new();
    for server in [&plain, &set] {
        let status = host.connect(server).await;
        let handshake = status.handshake.expect("a handshake");
        agreed.push(handshake.protocol_version.clone());
    }
    assert_eq!(agreed, ["2025-06-18", "2026-07-28"]);

    let host = host.restart().await;
    let kept = host.inspector.servers.server_settings.server_settings(&set);
    assert_eq!(kept.call_limit, Some(7), "kept");
    assert_eq!(
        host.inspector
            .servers
            .server_settings
            .server_settings(&plain),
        ServerSettings::default()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_cannot_use_the_settings_of_another_for_a_server_of_the_same_name() {
    let demo = programs::own("sightglass-demo-server");
    let host = TestHost::with_servers(json!({ "same": { "command": demo } }));
    let same = TestHost::id("same");
    let settings = ServerSettings {
        client_name: "trusted-client".to_owned(),
        ..ServerSettings::default()
    };
    let saved = host
        .inspector
        .servers
        .settings_changes
        .update_server_settings(&same, settings);
    saved.expect("saved");
    let elsewhere = host.path("elsewhere");
    fs::create_dir(&elsewhere).expect("created");
    let headless = std::sync::Arc::new(sightglass_inspector::Headless::new(None));
    let other = host.inspector.open_beside(elsewhere, headless);
    assert_eq!(
        other.servers.server_settings.server_settings(&same),
        ServerSettings::default()
    );
    other.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_of_the_settings_leads_to_servers_at_once() {
    let server = programs::faulty(&[]);
    let proxy = ForwardProxy::to(server.port());
    let host = TestHost::with_user(
        json!({ "far": { "type": "http", "url": "http://mcp.invalid/mcp" } }),
        Environment::default(),
    );
    let far = TestHost::id("far");
    let network = |network: NetworkSettings| {
        host.inspector.core.save_settings(Settings {
            network,
            ..host.inspector.core.settings()
        })
    };
    network(NetworkSettings {
        proxy: proxy.url(),
        no_proxy: "localhost".to_owned(),
        ca_file: String::new(),
    })
    .expect("saved");
    host.connect(&far).await;
    assert_eq!(host.names(&far, ListKind::Tools), ["echo"]);
    let report = host.call(&far, "echo", "{}").await;
    assert_eq!(text_of(&report), "unharmed");
    assert!(proxy.asked().len() > 1, "{:?}", proxy.asked());

    for (wrong, said) in [
        ("http://user:secret@proxy:1", "keep no password"),
        ("ftp://proxy", "http://"),
    ] {
        let refused = network(NetworkSettings {
            proxy: wrong.to_owned(),
            ..NetworkSettings::default()
        });
        let message = refused.expect_err("refused").to_string();
        assert!(message.contains(said), "{message}");
    }
    let kept = fs::read_to_string(host.data().join("settings.json")).expect("kept");
    assert!(!kept.contains("secret"), "{kept}");
}

#[tokio::test(flavor = "multi_thread")]
async fn certificate_authorities_of_the_settings_count_for_every_server() {
    let authority = sightglass_tests::certificates::Authority::new();
    let issued = authority.issue("localhost");
    let server = programs::faulty(&issued.files());
    let url = format!("https://localhost:{}/mcp", server.port());
    let entry = json!({ "type": "http", "url": url });
    let host = TestHost::with_servers(json!({ "inside": entry }));
    let inside = TestHost::id("inside");
    let refused = host.try_connect(&inside).await.failure.expect("unknown");
    assert!(
        matches!(refused.failure, Failure::CertificateRefused { .. }),
        "{refused:?}"
    );
    let settings = host.inspector.core.settings();
    let saved = host.inspector.core.save_settings(Settings {
        network: NetworkSettings {
            ca_file: authority.file().display().to_string(),
            ..NetworkSettings::default()
        },
        ..settings
    });
    saved.expect("saved");
    host.connect(&inside).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ping_is_sent_when_asked_for() {
    let host = TestHost::new();
    let demo = sightglass_inspector::ServerId::demo();
    assert!(
        host.inspector
            .servers
            .open_connections
            .ping(&demo)
            .await
            .is_err(),
        "not connected"
    );
    host.connect(&demo).await;
    let round_trip = host
        .inspector
        .servers
        .open_connections
        .ping(&demo)
        .await
        .expect("connected");
    assert!(round_trip.is_some());
    let health = host
        .inspector
        .servers
        .open_connections
        .status(&demo)
        .health
        .expect("told");
    assert_eq!((health.round_trip, health.missed), (round_trip, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_server_that_is_not_recorded_no_text_reaches_the_disk() {
    let host = TestHost::new();
    let demo = sightglass_inspector::ServerId::demo();
    let settings = ServerSettings {
        record: false,
        ..ServerSettings::default()
    };
    let saved = host
        .inspector
        .servers
        .settings_changes
        .update_server_settings(&demo, settings);
    saved.expect("saved");
    host.connect(&demo).await;
    let said = "kept-between-us-7391";
    let arguments = format!(r#"{{"message":"{said}"}}"#);
    let report = host.call(&demo, "echo", &arguments).await;
    assert!(text_of(&report).contains(said), "shown while it runs");
    let rows = host.traffic("method:tools/call", &[]).await;
    assert_eq!(rows[0].target, "echo");
    let detail = host
        .inspector
        .core
        .record()
        .detail(rows[0].id)
        .await
        .expect("there");
    assert!(detail.frames.iter().all(|frame| !frame.recorded));
    let frame = rows[0].request_frame;

    let host = host.restart().await;
    let written = sightglass_tests::leaks::files(&host.data(), &[]);
    let found = sightglass_tests::leaks::leaks(&[said.to_owned()], &written);
    assert_eq!(found, [""; 0]);
    for row in host.traffic("", &[]).await {
        let kept = host
            .inspector
            .core
            .record()
            .payload(row.request_frame)
            .await;
        assert!(kept.is_err(), "{row:?}");
    }
    let rows = host.traffic("method:tools/call", &[]).await;
    assert_eq!((rows.len(), rows[0].target.as_str()), (1, ""));
    let gone = host
        .inspector
        .core
        .record()
        .payload(frame)
        .await
        .expect_err("gone");
    assert!(gone.to_string().contains("was not recorded"), "{gone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_one_server_is_exported_masked_and_cleared() {
    let demo = programs::own("sightglass-demo-server");
    let entry = json!({ "command": demo, "env": { "API_KEY": "very-secret-7391" } });
    let host = TestHost::with_servers(json!({ "one": entry, "two": { "command": demo } }));
    let (one, two) = (TestHost::id("one"), TestHost::id("two"));
    for server in [&one, &two] {
        host.connect(server).await;
        host.call(server, "echo", r#"{"message":"very-secret-7391 of mine"}"#)
            .await;
    }
    let path = host.path("one.ndjson");
    let count = host.export(&one, &path).await.expect("exported").items;
    let text = fs::read_to_string(&path).expect("written");
    assert!(!text.contains("very-secret-7391"));
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let connection = lines.iter().find(|line| line["server"].is_object());
    assert_eq!(connection.expect("a connection")["server"]["name"], "one");
    let end = lines.last().expect("an end");
    assert_eq!(end["end"]["frames"], count);
    let numbers: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["seq"].as_u64())
        .collect();
    assert_eq!(numbers.len() as u32, count);
    assert!(numbers.is_sorted(), "{numbers:?}");
    let call = lines.iter().find(|line| line["method"] == "tools/call");
    let call = call.expect("the call");
    assert_eq!(
        (&call["dir"], &call["masked"]),
        (&json!("c2s"), &json!(true))
    );
    let raw: Value = serde_json::from_str(call["raw"].as_str().expect("a text")).expect("JSON");
    assert_eq!(raw["params"]["name"], "echo");

    host.inspector
        .record
        .recording
        .clear_server_traffic(&one)
        .await
        .expect("cleared");
    let left = host.traffic("", &[]).await;
    assert!(left.iter().all(|row| row.server == "two"), "{left:?}");
    let again = host.call(&one, "echo", r#"{"message":"on"}"#).await;
    assert!(text_of(&again).contains("on"), "the connection goes on");

    let nowhere = host.path("nowhere/one.ndjson");
    let refused = host.export(&two, &nowhere).await;
    assert!(matches!(refused, Err(InspectorError::Save { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_certificate_goes_with_the_address_it_was_chosen_for() {
    let entry = |url: &str| json!({ "mcpServers": { "corp": { "type": "http", "url": url } } });
    let host = TestHost::with_servers(json!({}));
    let file = host.home().join(".claude/.mcp.json");
    host.write(&file, &entry("https://corp.example/mcp").to_string());
    let corp = TestHost::id("corp");
    let known = || host.inspector.servers.specs.spec(&corp).ok();
    host.eventually("the server", known).await;
    let with = |limit| ServerSettings {
        certificate_file: "/home/user/client.pem".to_owned(),
        key_file: "/home/user/client.key".to_owned(),
        call_limit: limit,
        // The window cannot say what it is for.
        certificate_origin: "https://evil.example".to_owned(),
        ..ServerSettings::default()
    };
    let inspector = &host.inspector;
    inspector
        .servers
        .settings_changes
        .update_server_settings(&corp, with(None))
        .expect("saved");
    let shown = || match inspector.servers.specs.spec(&corp).ok()?.endpoint {
        Endpoint::Remote(remote) => Some((remote.url, remote.trust.client_certificate.is_some())),
        Endpoint::Stdio { .. } => None,
    };
    assert_eq!(shown().map(|(_, shown)| shown), Some(true));
    let evil = "https://evil.example/mcp";
    host.write(&file, &entry(evil).to_string());
    let moved = host
        .eventually("the other address", || {
            shown().filter(|(url, _)| url == evil)
        })
        .await;
    assert!(!moved.1, "the address is another one");
    inspector
        .servers
        .settings_changes
        .update_server_settings(&corp, with(Some(9)))
        .expect("saved");
    assert_eq!(
        shown().map(|(_, shown)| shown),
        Some(false),
        "saving binds nothing anew"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_another_project_saved_count_once_this_one_is_shown_again() {
    let host = TestHost::new();
    let elsewhere = host.path("elsewhere");
    fs::create_dir(&elsewhere).expect("created");
    let headless = std::sync::Arc::new(sightglass_inspector::Headless::new(None));
    let other = host.inspector.open_beside(elsewhere, headless);
    let settings = Settings {
        message_limit: 1,
        ..other.core.settings()
    };
    other.core.save_settings(settings).expect("saved");
    host.inspector.core.reread_settings();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    let two_megabytes = r#"{"mb":2,"kind":"text"}"#;
    let report = host.call(&demo, "big_result", two_megabytes).await;
    assert_eq!(report.request.end, RequestEnd::TooLarge, "{report:?}");
    other.shutdown().await;
}
