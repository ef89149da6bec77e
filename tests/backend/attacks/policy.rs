//! Entries that try to slip past the administrator's rules.

use std::{
    net::TcpListener,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use sightglass_inspector::{
    AuthStatus, Draft, DraftEndpoint, DraftRemote, Endpoint, EraChoice, ErrorCode, InspectorError,
    Phase, RemoteEndpoint, ServerId, ServerSpec, SettingSecret, SignInRequest, StepKind,
    TimeLimits, TokenAction,
    view::{Blocked, ConformanceOptions, LoadOptions},
};
use sightglass_tests::{Environment, TestHost, scripted::Scripted, user::User};
use tokio_util::sync::CancellationToken;

/// The file of the administrator's rules.
fn managed_settings(host: &TestHost) -> PathBuf {
    let place = if cfg!(target_os = "macos") {
        "Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        "Program Files/ClaudeCode"
    } else {
        "etc/claude-code"
    };
    host.system().join(place).join("managed-settings.json")
}

/// Starts on these servers under these rules.
async fn under(rules: &Value, servers: Value) -> (TestHost, PathBuf) {
    let host = TestHost::with_servers(servers);
    let path = managed_settings(&host);
    host.write(&path, &rules.to_string());
    (host.restart().await, path)
}

/// A server that is in no file.
fn in_no_file(remote: RemoteEndpoint) -> ServerSpec {
    ServerSpec {
        name: "other".to_owned(),
        endpoint: Endpoint::Remote(remote),
        era: EraChoice::Auto,
        limits: TimeLimits::default(),
        client: Default::default(),
        is_recorded: true,
        expanded: Vec::new(),
        references: Vec::new(),
    }
}

/// The ways in which the façade turns to a server that is in no file.
const WAYS: [&str; 6] = [
    "connection",
    "doctor",
    "conformance",
    "load",
    "connection for a server that is tried",
    "sign-in",
];

/// Turns to a server in one of the [`WAYS`].
async fn turn_to(host: &TestHost, spec: &ServerSpec, way: &str) -> Result<(), InspectorError> {
    let inspector = &host.inspector;
    let server = ServerId::new("test", way);
    let spec = spec.clone();
    let stop = CancellationToken::new();
    match way {
        "connection" => inspector.servers.lifecycle.connect_as(&server, spec),
        "doctor" => inspector
            .checks
            .doctor
            .doctor_as(&server, spec)
            .await
            .map(drop),
        "conformance" => {
            let options = ConformanceOptions::default();
            let run = inspector.checks.conformance.conformance_as(
                &server,
                spec,
                &options,
                &|_| {},
                &stop,
            );
            run.await.map(drop)
        }
        "load" => {
            let options = LoadOptions {
                tool: "echo".to_owned(),
                arguments: "{}".to_owned(),
                rate: 1,
                clients: 1,
                seconds: 1,
                era: None,
                allowed_host: None,
                allows_effects: true,
            };
            let run = inspector
                .checks
                .load
                .load_as(&server, spec, &options, &|_| {}, &stop);
            run.await.map(drop)
        }
        "connection for a server that is tried" => {
            let Endpoint::Remote(remote) = spec.endpoint else {
                panic!("only addresses are tried here");
            };
            inspector
                .servers
                .lifecycle
                .try_server(draft(&remote.url))
                .await
                .map(drop)
        }
        "sign-in" => {
            inspector
                .servers
                .sign_in_targets
                .add_ad_hoc_server(&server, spec);
            let request = SignInRequest {
                manual: true,
                ..SignInRequest::default()
            };
            inspector.sign_in.sign_in(&server, request)
        }
        other => panic!("{other} is none of the ways"),
    }
}

fn draft(url: &str) -> Draft {
    Draft {
        name: "tried".to_owned(),
        endpoint: DraftEndpoint::Remote(DraftRemote {
            url: url.to_owned(),
            ..DraftRemote::default()
        }),
        era: EraChoice::Auto,
        limits: None,
        tools: None,
        sign_in: None,
        variables: None,
    }
}

fn is_refused(ended: &Result<(), InspectorError>) -> bool {
    ended
        .as_ref()
        .is_err_and(|error| error.code() == ErrorCode::RefusedByPolicy)
}

/// Tries to connect, and says which rule refused it.
fn refusal(host: &TestHost, name: &str) -> String {
    let id = TestHost::id(name);
    let error = host
        .inspector
        .servers
        .lifecycle
        .connect(&id)
        .expect_err("it is refused");
    assert_eq!(error.code(), ErrorCode::RefusedByPolicy, "{error}");
    let servers = host.inspector.snapshot().servers;
    let shown = servers.into_iter().find(|server| server.id == id);
    match shown.expect("it is shown").blocked {
        Some(Blocked::Refused { rule }) => rule,
        other => panic!("it shows as {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_in_the_path_or_the_userinfo_is_no_host_that_a_rule_allows() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("set");
    let port = listener.local_addr().expect("bound").port();
    let rules = json!({ "allowedMcpServers": [{ "serverUrl": "http://*.example.org:*/*" }] });
    let server = |url: String| json!({ "type": "http", "url": url });
    let servers = json!({
        "path": server(format!("http://127.0.0.1:{port}/x.example.org:1/mcp")),
        "query": server(format!("http://127.0.0.1:{port}?x.example.org:1/mcp")),
        "userinfo": server(format!("http://x.example.org:1@127.0.0.1:{port}/mcp")),
        "backslash": server(format!("http:\\\\127.0.0.1:{port}\\.example.org:1/mcp")),
    });
    let (host, _) = under(&rules, servers).await;
    for name in ["path", "query", "userinfo", "backslash"] {
        let rule = refusal(&host, name);
        assert!(rule.contains("allowedMcpServers"), "{name}: {rule}");
    }
    assert!(listener.accept().is_err(), "somebody was asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_host_is_denied_however_it_is_written() {
    let rules = json!({ "deniedMcpServers": [{ "serverUrl": "https://evil.example/*" }] });
    let spellings = [
        "https://evil.example./mcp",
        "https://EVIL.example:443/mcp",
        "https://me:secret@evil.example/mcp",
        "https:\\\\evil.example\\mcp",
        "https://ev%69l.example/mcp",
    ];
    let servers: serde_json::Map<String, Value> = spellings
        .iter()
        .enumerate()
        .map(|(index, url)| (format!("s{index}"), json!({ "type": "http", "url": url })))
        .collect();
    let (host, _) = under(&rules, servers.into()).await;
    for (index, url) in spellings.iter().enumerate() {
        let rule = refusal(&host, &format!("s{index}"));
        assert!(rule.contains("https://evil.example/*"), "{url}: {rule}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistyped_rule_refuses_its_kind_and_names_itself_and_its_file() {
    let rules = json!({ "deniedMcpServers": [{ "serverCommand": "npx evil" }] });
    let servers = json!({
        "program": { "command": "true" },
        "address": { "type": "http", "url": "http://127.0.0.1:9/mcp" },
    });
    let (host, path) = under(&rules, servers).await;
    let rule = refusal(&host, "program");
    assert!(rule.contains("npx evil"), "{rule}");
    assert!(rule.contains(&path.display().to_string()), "{rule}");
    host.inspector
        .servers
        .lifecycle
        .connect(&TestHost::id("address"))
        .expect("a rule about programs is none about addresses");
    let shown = host.inspector.servers.projection.configuration().policy;
    assert!(
        shown.iter().any(|rule| rule.rule.contains("every program")),
        "{shown:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_address_is_contacted_in_no_way() {
    let scripted = Scripted::start().await;
    let spec = in_no_file(RemoteEndpoint::at(scripted.url()));
    let rule = json!([{ "serverUrl": "http://127.0.0.1:*/*" }]);
    let (denying, _) = under(&json!({ "deniedMcpServers": rule }), json!({})).await;
    for way in WAYS {
        let ended = turn_to(&denying, &spec, way).await;
        assert!(is_refused(&ended), "{way}: {ended:?}");
    }
    let suite = ConformanceOptions {
        suite: true,
        ..ConformanceOptions::default()
    };
    let (allowing, _) = under(&json!({ "allowedMcpServers": rule }), json!({})).await;
    for (host, is_denied) in [(&denying, true), (&allowing, false)] {
        let (server, stop) = (ServerId::new("test", "suite"), CancellationToken::new());
        let run = host.inspector.checks.conformance.conformance_as(
            &server,
            spec.clone(),
            &suite,
            &|_| {},
            &stop,
        );
        let ended = run.await.map(drop);
        assert_eq!(is_refused(&ended), is_denied, "{ended:?}");
    }
    assert!(scripted.called().is_empty(), "{:?}", scripted.called());

    for way in WAYS {
        let before = scripted.called().len();
        // It may want a token; that it was asked is what counts.
        let _ = turn_to(&allowing, &spec, way).await;
        let came = || (scripted.called().len() > before).then_some(());
        allowing.eventually(way, came).await;
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn the_command_that_gives_headers_is_a_program_and_rules_about_addresses_allow_none() {
    use sightglass_model::HeadersHelper;

    let scripted = Scripted::start().await;
    let url = json!({ "serverUrl": "http://127.0.0.1:*/*" });
    let only_addresses = json!({ "allowedMcpServers": [url] });
    let (host, _) = under(&only_addresses, json!({})).await;
    let marker = host.path("helper-ran");
    let command = format!("touch '{}'; echo '{{}}'", marker.display());
    let spec = in_no_file(RemoteEndpoint {
        headers_helper: Some(HeadersHelper::of(&*command)),
        ..RemoteEndpoint::at(scripted.url())
    });
    for way in WAYS {
        if way == "connection for a server that is tried" {
            // A draft holds no such command.
            continue;
        }
        let ended = turn_to(&host, &spec, way).await;
        assert!(is_refused(&ended), "{way}: {ended:?}");
    }
    let entry = json!({ "helped": {
        "type": "http", "url": scripted.url(), "headersHelper": command,
    } });
    let (of_file, _) = under(&only_addresses, entry.clone()).await;
    let rule = refusal(&of_file, "helped");
    assert!(rule.contains("headersHelper"), "{rule}");
    let server = TestHost::id("helped");
    let examined = of_file
        .inspector
        .checks
        .doctor
        .run_doctor(&server)
        .await
        .map(drop);
    assert!(is_refused(&examined), "{examined:?}");
    assert!(!marker.exists(), "the command ran");
    assert!(scripted.called().is_empty(), "{:?}", scripted.called());

    // The same with the command among what is allowed, as the shell gets it.
    let both = json!({ "allowedMcpServers": [url, { "serverCommand": ["sh", "-c", command] }] });
    let (allowing, _) = under(&both, entry).await;
    allowing
        .inspector
        .servers
        .lifecycle
        .connect(&server)
        .expect("it is allowed");
    let ran = || std::fs::remove_file(&marker).ok();
    allowing.eventually("the command of the file", ran).await;
    for way in ["connection", "doctor", "conformance", "load"] {
        let _ = turn_to(&allowing, &spec, way).await;
        allowing.eventually(way, ran).await;
    }
    let without = in_no_file(RemoteEndpoint::at(scripted.url()));
    let ended = turn_to(&host, &without, "connection").await;
    assert!(ended.is_ok(), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_denied_address_is_denied_however_it_is_written() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("set");
    let port = listener.local_addr().expect("bound").port();
    let rules =
        json!({ "deniedMcpServers": [{ "serverUrl": format!("http://127.0.0.1:{port}/*") }] });
    let (denying, _) = under(&rules, json!({})).await;
    let (free, _) = under(&json!({}), json!({})).await;
    for (host, leads_there) in [
        ("127.0.0.1", true),
        ("127.1", true),
        ("0x7f.1", true),
        ("2130706433", true),
        ("%31%32%37.0.0.1", true),
        ("127.0.0.1.", true),
        ("me:secret@127.0.0.1", true),
        ("[::ffff:127.0.0.1]", cfg!(unix)),
        ("[::ffff:7f00:1]", cfg!(unix)),
        ("0.0.0.0", cfg!(unix)),
        ("0", cfg!(unix)),
        ("[::127.0.0.1]", false),
        ("[64:ff9b::7f00:1]", false),
    ] {
        let spec = in_no_file(RemoteEndpoint::at(format!("http://{host}:{port}/mcp")));
        let ended = turn_to(&denying, &spec, "connection").await;
        assert!(is_refused(&ended), "{host}: {ended:?}");
        assert!(listener.accept().is_err(), "{host} was asked");
        if leads_there {
            turn_to(&free, &spec, "connection").await.expect(host);
            free.eventually(host, || listener.accept().ok()).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tries_no_path_that_is_denied() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let log = Arc::clone(&asked);
    let nothing = axum::Router::new().fallback(async move |address: axum::http::Uri| {
        log.lock().expect("whole").push(address.path().to_owned());
        axum::http::StatusCode::NOT_FOUND
    });
    tokio::spawn(async move { axum::serve(listener, nothing).await });
    let spec = in_no_file(RemoteEndpoint::at(format!("{url}/wrong")));
    let rules = json!({ "deniedMcpServers": [{ "serverUrl": "http://127.0.0.1:*/mcp" }] });
    for (rules, is_tried) in [(json!({}), true), (rules, false)] {
        let (host, _) = under(&rules, json!({})).await;
        turn_to(&host, &spec, "doctor").await.expect("examined");
        let asked = std::mem::take(&mut *asked.lock().expect("whole"));
        assert_eq!(
            asked.iter().any(|path| path == "/mcp"),
            is_tried,
            "{asked:?}"
        );
        assert!(asked.iter().any(|path| path == "/sse"), "{asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_comes_later_ends_what_is_in_no_file_too() {
    let (scripted, user) = (Scripted::start().await, User::signs_in("ada"));
    let host = TestHost::with_user(json!({}), Environment::with(&user));
    let settings = managed_settings(&host);
    host.write(&settings, "{}");
    let host = host.restart_in(Environment::with(&user)).await;
    let server = host
        .inspector
        .servers
        .lifecycle
        .try_server(draft(scripted.url()))
        .await;
    let server = server.expect("it is tried");
    host.signs_in(&server).await;
    host.eventually("the connection", || {
        host.inspector
            .servers
            .open_connections
            .status(&server)
            .phase
            .is_live()
            .then_some(())
    })
    .await;
    let call = host
        .inspector
        .calls
        .requests
        .call_tool_as(&server, "default", "key", "echo", "{}");
    call.await.expect("called");

    let rule = json!([{ "serverUrl": "http://127.0.0.1:*/*" }]);
    host.write(&settings, &json!({ "deniedMcpServers": rule }).to_string());
    host.eventually("the end of the connection", || {
        (host
            .inspector
            .servers
            .open_connections
            .status(&server)
            .phase
            == Phase::Disconnected)
            .then_some(())
    })
    .await;
    let asked = || {
        let at_issuer = ["/token", "/revoke"].map(|path| scripted.asked(path).len());
        (scripted.called().len(), at_issuer)
    };
    let before = asked();
    let inspector = &host.inspector;
    let call = inspector
        .calls
        .requests
        .call_tool_as(&server, "default", "key", "echo", "{}");
    let refresh = inspector
        .sign_in
        .test_token(&server, "default", TokenAction::Refresh);
    let ended = [
        inspector.servers.lifecycle.connect(&server),
        call.await.map(drop),
        refresh.await.map(drop),
        inspector
            .sign_in
            .restart_sign_in(&server, StepKind::Challenge, Vec::new()),
    ];
    for (number, ended) in ended.iter().enumerate() {
        assert!(is_refused(ended), "{number}: {ended:?}");
    }
    // What is kept here is forgotten all the same, without a word to anybody.
    signs_out_here(&host, &scripted, &server).await;
    assert_eq!(asked(), before);
}

/// Signs out of a server that is denied by now.
async fn signs_out_here(host: &TestHost, scripted: &Scripted, server: &ServerId) {
    let kept = || std::fs::read_to_string(host.data().join("secrets.json")).expect("the vault");
    let tokens = scripted.secrets();
    let holds_any = |kept: &str| tokens.iter().any(|token| kept.contains(token));
    assert!(holds_any(&kept()), "there is something to forget");
    let report = host.inspector.sign_in.sign_out(server, None).await;
    let report = report.expect("signed out");
    assert!(!report.revoked && report.exchanges.is_empty(), "{report:?}");
    for part in ["was removed here", "policy", "was not asked to revoke it"] {
        assert!(report.message.contains(part), "{report:?}");
    }
    assert!(!holds_any(&kept()), "{}", kept());
    let view = host
        .inspector
        .sign_in
        .auth_view(server)
        .await
        .expect("shown");
    assert_eq!(view.status, AuthStatus::SignedOut);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_for_a_denied_server_can_be_seen_and_removed() {
    let (scripted, user) = (Scripted::start().await, User::signs_in("ada"));
    let host = TestHost::with_user(TestHost::remote(scripted.url()), Environment::with(&user));
    let settings = managed_settings(&host);
    host.write(&settings, "{}");
    let host = host.restart_in(Environment::with(&user)).await;
    let (server, inspector) = (TestHost::id("guarded"), &host.inspector);
    for name in ["work", "default"] {
        let chosen = inspector.sign_in.choose_identity(&server, name).await;
        chosen.expect("chosen");
        host.signs_in(&server).await;
    }
    let secret = SettingSecret::Bearer;
    let value = Some("a token of my own".to_owned());
    let kept = inspector
        .sign_in
        .update_auth_secret(&server, secret.clone(), value);
    kept.await.expect("kept");

    let rule = json!([{ "serverUrl": "http://127.0.0.1:*/*" }]);
    host.write(&settings, &json!({ "deniedMcpServers": rule }).to_string());
    host.eventually("the rule", || {
        let ended = inspector.servers.lifecycle.connect(&server);
        is_refused(&ended).then_some(())
    })
    .await;
    host.eventually("the end of the connection", || {
        (inspector.servers.open_connections.status(&server).phase == Phase::Disconnected)
            .then_some(())
    })
    .await;
    let asked = || {
        let at_issuer = ["/authorize", "/token", "/revoke"].map(|path| scripted.asked(path).len());
        (scripted.called().len(), at_issuer)
    };
    let before = asked();
    let again = inspector.sign_in.sign_in(&server, SignInRequest::default());
    assert!(is_refused(&again), "{again:?}");
    let shown = inspector.snapshot().auth;
    let shown = shown.iter().find(|view| view.server == server);
    let identities = &shown.expect("it is shown").identities;
    assert_eq!(identities.len(), 2, "{identities:?}");

    let settings = inspector.sign_in.auth_settings(&server).await;
    assert_eq!(
        settings.expect("readable").kept,
        std::slice::from_ref(&secret)
    );
    let removed = inspector
        .sign_in
        .update_auth_secret(&server, secret, None)
        .await;
    assert_eq!(removed.expect("removed").kept, []);
    let view = inspector.sign_in.delete_identity(&server, "work").await;
    assert_eq!(view.expect("forgotten").identities.len(), 1);
    signs_out_here(&host, &scripted, &server).await;
    assert_eq!(asked(), before);
}
