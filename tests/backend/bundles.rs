//! A bundle from its file to the call of a tool: read, saved, unpacked, connected, removed.

use std::{
    io::{Cursor, Write},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use sightglass_inspector::{
    BundleArchive, Client, ConfigAction, Draft, DraftEndpoint, ErrorCode, OutsideWrites,
    RemoteBundle, Scope, Secret, ServerId, Target, view::ApplyOutcome,
};
use sightglass_tests::{
    Environment, TestHost,
    configuring::{change, program},
    text_of,
};
use zip::{ZipWriter, write::SimpleFileOptions};

/// A server of one tool, which answers with its arguments, a variable and its own directory.
const SERVER: &str = r#"
const lines = require('node:readline').createInterface({ input: process.stdin });
const { suffix } = require('./lib/suffix.js');
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'notes', version: '1.0.0' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'where', inputSchema: { type: 'object' } }],
    }),
    'tools/call': () => {
      const said = [...process.argv.slice(2), process.env.MODE, suffix, __dirname];
      return { content: [{ type: 'text', text: said.join(' ') }] };
    },
  };
  const answer = results[method]
    ? { result: results[method]() }
    : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
"#;

fn manifest() -> Value {
    json!({
        "manifest_version": "0.3",
        "name": "notes",
        "version": "1.0.0",
        "description": "Notes",
        "author": { "name": "Ada" },
        "server": {
            "type": "node",
            "entry_point": "server/index.js",
            "mcp_config": {
                "command": "node",
                "args": ["${__dirname}/server/index.js", "${user_config.folders}"],
                "env": { "MODE": "common" },
                "platform_overrides": {
                    "linux": { "env": { "MODE": "own" } },
                    "darwin": { "env": { "MODE": "own" } },
                },
            },
        },
        "user_config": { "folders": {
            "type": "directory", "title": "Folders", "multiple": true, "required": true,
            "default": ["${HOME}/a", "${HOME}/b"],
        } },
    })
}

fn pack(path: &Path, files: &[(&str, &str)]) {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .expect("room");
        archive.write_all(text.as_bytes()).expect("room");
    }
    let bytes = archive.finish().expect("written").into_inner();
    std::fs::write(path, bytes).expect("written");
}

fn bundle(host: &TestHost) -> PathBuf {
    let path = host.path("notes.mcpb");
    let files = [
        ("manifest.json", manifest().to_string()),
        ("server/index.js", SERVER.to_owned()),
        ("server/lib/suffix.js", "exports.suffix = '!';".to_owned()),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    pack(&path, &files);
    path
}

fn target() -> Target {
    Target::new(Client::McpJson, Scope::User.id())
}

/// The server of a bundle as the dialog would save it.
fn offered(host: &TestHost, path: &Path) -> (Draft, BundleArchive, PathBuf) {
    let mut bundle = host
        .inspector
        .setup
        .bundles
        .read_bundle(path)
        .expect("a bundle");
    let candidate = bundle.candidates.remove(0);
    let archive = candidate.bundle.clone().expect("of a bundle");
    (
        candidate.with_defaults(&[]),
        archive,
        PathBuf::from(bundle.directory),
    )
}

fn add(draft: Draft, archive: BundleArchive) -> ConfigAction {
    ConfigAction::AddBundle {
        target: target(),
        draft,
        archive,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_is_added_and_its_server_answers() {
    let host = TestHost::new();
    let path = bundle(&host);
    let (draft, archive, directory) = offered(&host, &path);
    let action = add(draft, archive);
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&action)
        .expect("possible");
    assert!(!directory.exists(), "a plan unpacks nothing");
    host.inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect("written");
    assert!(directory.starts_with(host.data().join("bundles")));

    // The file can go; what was unpacked stays.
    std::fs::remove_file(path).expect("removed");
    let server = TestHost::id("notes");
    host.connect(&server).await;
    let report = host.call(&server, "where", "{}").await;
    let home = host.home();
    assert_eq!(
        text_of(&report),
        format!(
            "{0}/a {0}/b own ! {1}/server",
            home.display(),
            directory.display()
        )
    );

    let removal = ConfigAction::Remove {
        target: target(),
        names: vec!["notes".into()],
    };
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&removal)
        .expect("possible");
    let [warning] = plan.warnings.as_slice() else {
        panic!("{:?}", plan.warnings);
    };
    assert!(
        warning.contains(&directory.display().to_string()),
        "{warning}"
    );
    change(&host.inspector, &removal);
    assert!(directory.join("server/index.js").exists());
    // So that it can be taken back.
    change(&host.inspector, &ConfigAction::Undo);
    host.connect(&server).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_unpacked_bundle_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;

    let host = TestHost::new();
    let (draft, archive, directory) = offered(&host, &bundle(&host));
    change(&host.inspector, &add(draft, archive));
    let mode = |path: &Path| {
        let metadata = std::fs::metadata(path).expect("there");
        metadata.permissions().mode() & 0o7777
    };
    assert_eq!(mode(&host.data().join("bundles")), 0o700);
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&directory.join("server/lib")), 0o700);
    assert_eq!(mode(&directory.join("server/index.js")), 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_that_was_exchanged_is_not_unpacked_and_nothing_is_written() {
    let host = TestHost::new();
    let path = bundle(&host);
    let (draft, archive, directory) = offered(&host, &path);
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&add(draft, archive))
        .expect("possible");
    let evil = manifest().to_string();
    pack(
        &path,
        &[("manifest.json", &evil), ("server/index.js", "evil()")],
    );
    let error = host
        .inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect_err("exchanged");
    assert_eq!(error.code(), ErrorCode::InvalidInput);
    assert!(error.to_string().contains("another file"), "{error}");
    assert!(!directory.exists());
    assert!(!host.home().join(".claude/.mcp.json").exists());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_whose_entry_cannot_be_written_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;

    let host = TestHost::new();
    let file = host.home().join(".claude/.mcp.json");
    host.write(&file, "{}");
    let (draft, archive, directory) = offered(&host, &bundle(&host));
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&add(draft, archive))
        .expect("possible");
    let read_only = std::fs::Permissions::from_mode(0o444);
    std::fs::set_permissions(&file, read_only).expect("set");
    host.inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect_err("read-only");
    assert!(!directory.exists());

    let writable = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&file, writable).expect("set");
    let outcome = host
        .inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused);
    assert!(matches!(outcome, Ok(ApplyOutcome::Applied { .. })));
    assert!(directory.is_dir());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_whose_file_changed_meanwhile_can_be_written_all_the_same() {
    let host = TestHost::new();
    let file = host.home().join(".claude/.mcp.json");
    let (draft, archive, _) = offered(&host, &bundle(&host));
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&add(draft, archive))
        .expect("possible");
    host.write(&file, r#"{"mcpServers":{"other":{"command":"x"}}}"#);
    let outcome = host
        .inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused);
    let Ok(ApplyOutcome::Conflict { files }) = outcome else {
        panic!("{outcome:?}");
    };
    change(
        &host.inspector,
        &ConfigAction::Text {
            target: target(),
            text: files[0].mine.clone(),
        },
    );
    host.connect(&TestHost::id("notes")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_that_leads_out_of_its_directory_is_refused_when_it_is_read() {
    let host = TestHost::new();
    let path = host.path("evil.mcpb");
    let text = manifest().to_string();
    pack(&path, &[("manifest.json", &text), ("../../../evil", "x")]);
    let error = host
        .inspector
        .setup
        .bundles
        .read_bundle(&path)
        .expect_err("refused");
    assert!(error.to_string().contains("leads out"), "{error}");
    // Whoever skips the reading gets no further.
    let forged = BundleArchive {
        path: path.display().to_string(),
        sha256: "0".repeat(64),
    };
    let draft = program("evil", "x", &[]);
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&add(draft, forged))
        .expect("possible");
    host.inspector
        .setup
        .changes
        .apply_configuration(plan.plan, OutsideWrites::Refused)
        .expect_err("refused");
    assert!(!host.data().join("bundles").exists());
    assert!(!host.home().join(".claude/.mcp.json").exists());
}

/// A registry of one's own that serves this file. Returns its address.
async fn serve(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("readable");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("bound");
    let elsewhere = axum::response::Redirect::temporary("http://127.0.0.1:9/notes.mcpb");
    let routes = axum::Router::new()
        .route("/notes.mcpb", axum::routing::get(async || bytes))
        .route("/elsewhere.mcpb", axum::routing::get(async || elsewhere));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_of_the_registry_is_downloaded_and_saved() {
    let host = TestHost::new();
    let path = bundle(&host);
    let sha256 = host
        .inspector
        .setup
        .bundles
        .read_bundle(&path)
        .expect("read")
        .sha256;
    let registry = serve(&path).await;
    let environment = Environment::default().and("SIGHTGLASS_REGISTRY", &registry);
    let host = host.restart_in(environment).await;
    let listed = RemoteBundle {
        url: format!("{registry}/notes.mcpb"),
        sha256,
    };
    let mut read = host
        .inspector
        .setup
        .bundles
        .download_bundle(&listed)
        .await
        .expect("downloaded");
    let candidate = read.candidates.remove(0);
    let archive = candidate.bundle.clone().expect("of a bundle");
    let downloaded = PathBuf::from(&archive.path);
    assert!(downloaded.starts_with(host.data().join("bundles")));
    change(&host.inspector, &add(candidate.with_defaults(&[]), archive));
    assert!(!downloaded.exists(), "it is unpacked by now");
    host.connect(&TestHost::id("notes")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_is_not_what_the_registry_lists_is_refused() {
    let host = TestHost::new();
    let registry = serve(&bundle(&host)).await;
    let environment = Environment::default().and("SIGHTGLASS_REGISTRY", &registry);
    let host = host.restart_in(environment).await;
    for (url, reason) in [
        (format!("{registry}/notes.mcpb"), "not the one"),
        (
            format!("{registry}/elsewhere.mcpb"),
            "does not begin with https://",
        ),
        (format!("{registry}/nothing.mcpb"), "could not be reached"),
        ("http://127.0.0.1:9/x.mcpb".into(), "no address"),
        ("file:///etc/passwd".into(), "no address"),
        ("ftp://example.com/x.mcpb".into(), "no address"),
    ] {
        let listed = RemoteBundle {
            url: url.clone(),
            sha256: "0".repeat(64),
        };
        let error = host
            .inspector
            .setup
            .bundles
            .download_bundle(&listed)
            .await
            .expect_err("refused");
        assert!(error.to_string().contains(reason), "{url}: {error}");
    }
    assert!(!host.data().join("bundles").exists(), "nothing is kept");
}

/// Saves the bundle's server with a secret as its variable `MODE`. Returns its id.
async fn add_with_secret(host: &TestHost, value: &str) -> ServerId {
    let (mut draft, archive, _) = offered(host, &bundle(host));
    let DraftEndpoint::Stdio { environment, .. } = &mut draft.endpoint else {
        panic!("{draft:?}");
    };
    environment[0].text = "${secret:KEY}".to_owned();
    let plan = host
        .inspector
        .setup
        .changes
        .plan_configuration(&add(draft, archive))
        .expect("possible");
    let secrets = [("KEY".to_owned(), Secret::new(value.to_owned()))].into();
    let applied = host
        .inspector
        .setup
        .plan_secrets
        .apply_configuration(plan.plan, false, secrets)
        .await;
    assert!(matches!(applied, Ok(ApplyOutcome::Applied { .. })));
    TestHost::id("notes")
}

fn obstacle(host: &TestHost, server: &ServerId) -> Option<String> {
    let servers = host.inspector.snapshot().servers;
    let server = servers.into_iter().find(|view| view.id == *server);
    Some(server.expect("it is there").obstacle?.reason)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_of_a_bundle_stands_in_no_file_and_reaches_its_server() {
    let value = "a-key-of-this-story-alone";
    let host = TestHost::new();
    let server = add_with_secret(&host, value).await;
    let file = host.home().join(".claude/.mcp.json");
    let text = std::fs::read_to_string(&file).expect("written");
    assert!(
        text.contains("${secret:KEY}") && !text.contains(value),
        "{text}"
    );
    assert_eq!(obstacle(&host, &server), None);
    host.connect(&server).await;
    let report = host.call(&server, "where", "{}").await;
    let said = text_of(&report);
    assert!(
        said.contains(" ••• !"),
        "it was sent, and is masked: {said}"
    );

    // It is found again by another run, which asks the vault when it connects.
    let host = host.restart().await;
    assert_eq!(obstacle(&host, &server), None);
    host.inspector
        .servers
        .lifecycle
        .connect_with_secrets(&server)
        .await
        .expect("it starts");
    host.wait_for(&server, |status| {
        status.phase == sightglass_inspector::Phase::Ready
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_for_the_entry_that_it_was_entered_for() {
    let host = TestHost::new();
    let server = add_with_secret(&host, "a-key-of-this-story-alone").await;
    let file = host.home().join(".claude/.mcp.json");
    let text = std::fs::read_to_string(&file).expect("written");
    let changed = text.replace("/a\"", "/a\", \"--more\"");
    assert_ne!(text, changed);
    change(
        &host.inspector,
        &ConfigAction::Text {
            target: target(),
            text: changed,
        },
    );
    assert_eq!(obstacle(&host, &server).as_deref(), Some("Needs KEY"));
    host.inspector
        .servers
        .lifecycle
        .connect(&server)
        .expect_err("it has no key");
    host.inspector
        .servers
        .lifecycle
        .connect_with_secrets(&server)
        .await
        .expect_err("nor is there one for it");
    change(&host.inspector, &ConfigAction::Undo);
    assert_eq!(obstacle(&host, &server), None);

    // Another name and being switched off and on again change nothing about what starts.
    change(
        &host.inspector,
        &ConfigAction::Rename {
            target: target(),
            name: "notes".into(),
            new_name: "other".into(),
        },
    );
    assert_eq!(obstacle(&host, &TestHost::id("other")), None);

    let thief = json!({ "mcpServers": { "thief": {
        "command": "curl", "env": { "MODE": "${secret:KEY}" }
    } } });
    host.write(
        &host.project().join(".claude/.mcp.json"),
        &thief.to_string(),
    );
    let thief = TestHost::id("thief");
    host.eventually("the project's server", || {
        host.inspector
            .snapshot()
            .servers
            .iter()
            .any(|view| view.id == thief)
            .then_some(())
    })
    .await;
    host.approves(&thief);
    assert_eq!(obstacle(&host, &thief).as_deref(), Some("Needs KEY"));
    host.inspector
        .servers
        .specs
        .spec(&thief)
        .expect_err("it has no key");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unused_bundle_is_removed_and_comes_back_with_its_entry() {
    let host = TestHost::new();
    let (draft, archive, directory) = offered(&host, &bundle(&host));
    change(&host.inspector, &add(draft, archive));
    let unused = || {
        host.inspector
            .setup
            .unused_bundles
            .unused_bundles()
            .expect("readable")
    };
    assert_eq!(unused(), []);
    let removal = ConfigAction::Remove {
        target: target(),
        names: vec!["notes".into()],
    };
    let name = directory.file_name().expect("a name");
    let names = [name.to_string_lossy().into_owned()];
    assert_eq!(
        host.inspector
            .setup
            .unused_bundles
            .delete_unused_bundles(&names)
            .expect("nothing"),
        0,
        "it is in use"
    );
    change(&host.inspector, &removal);
    let found = unused();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].name, names[0]);
    assert!(found[0].size.as_u64() > 1000, "{found:?}");
    let removed = host
        .inspector
        .setup
        .unused_bundles
        .delete_unused_bundles(&names);
    assert_eq!(removed.expect("removed"), 1);
    assert!(!directory.exists());
    assert_eq!(unused(), []);

    change(&host.inspector, &ConfigAction::Undo);
    assert!(directory.join("server/index.js").exists());
    host.connect(&TestHost::id("notes")).await;

    change(&host.inspector, &ConfigAction::Redo);
    let removed = host
        .inspector
        .setup
        .unused_bundles
        .delete_unused_bundles(&names);
    assert_eq!(removed.expect("removed"), 1);
    host.inspector
        .setup
        .unused_bundles
        .restore_bundles(&names)
        .expect("restored");
    assert!(directory.join("server/index.js").exists());

    // A file that cannot be read may name any of them.
    let broken = json!({ "mcpServers": { "x": { "args": [directory] } } }).to_string() + "}";
    host.write(&host.project().join(".mcp.json"), &broken);
    assert_eq!(unused(), [], "it stands in a broken file");
}
