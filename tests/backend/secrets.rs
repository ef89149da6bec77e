//! One life with many secrets, and a search for each of them in everything that the program
//! wrote, told, handed on, or gave to other programs. The vault alone may hold them.

use std::{
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use serde_json::json;
use sightglass_inspector::{
    AuthSettings, CLIENT_SECRET_VARIABLE, ExchangeKind, SettingSecret, SignInRequest, TokenAction,
    TokenKind, view::CopyForm,
};
use sightglass_tests::{
    Environment, TestHost,
    leaks::{self, Written, leaks},
    oidc::Guarded,
    programs,
    scripted::{Fault, REGISTERED_SECRET, Scripted},
    user::User,
};
use tempfile::TempDir;

const HEADER: &str = "header-of-the-entry.kA+7/2=x";
const KEPT_HEADER: &str = "header-of-the-vault.kB+7/2=x";
const ENVIRONMENT: &str = "variable-of-the-entry.kC+7/2=x";
const COMMAND_LINE: &str = "header-of-the-command.kD+7/2=x";

/// The variable that a user chose for a fixed token.
const TOKEN_VARIABLE: &str = "ROBOT_PASS";

/// Everything that was told from now on.
fn listen(host: &TestHost) -> Arc<Mutex<Vec<Written>>> {
    let told = Arc::<Mutex<Vec<Written>>>::default();
    let mut facts = host.inspector.subscribe();
    let kept = Arc::clone(&told);
    tokio::spawn(async move {
        while let Some(batch) = facts.next_batch().await {
            let text = serde_json::to_vec(&batch).expect("facts are JSON");
            kept.lock()
                .expect("no panic under it")
                .push(("a fact".to_owned(), text));
        }
    });
    told
}

/// The command lines of all processes, and the environments of those below this one.
fn processes() -> Vec<Written> {
    let mut written = Vec::new();
    let own = std::process::id().to_string();
    for entry in std::fs::read_dir("/proc").expect("Linux").flatten() {
        let id = entry.file_name().to_string_lossy().into_owned();
        if id == own || !id.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        for what in ["cmdline", "environ"] {
            // It may have ended, or be somebody else's.
            if let Ok(bytes) = std::fs::read(entry.path().join(what)) {
                written.push((format!("{what} of process {id}"), bytes));
            }
        }
    }
    written
}

/// Every row of the record, in every form in which it is handed on.
async fn copied(host: &TestHost) -> Vec<Written> {
    let kinds = [
        ExchangeKind::Request,
        ExchangeKind::Http,
        ExchangeKind::Oauth,
    ];
    let mut written = Vec::new();
    for row in host.traffic("", &kinds).await {
        for form in [CopyForm::Json, CopyForm::Curl] {
            // What did not travel over HTTP is no curl command.
            if let Ok(text) = host
                .inspector
                .record
                .reader
                .copy_exchange(None, row.id, form)
                .await
            {
                written.push((
                    format!("exchange {} as {form:?}", row.id),
                    text.into_bytes(),
                ));
            }
        }
    }
    written
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_whole_life_stands_anywhere_but_in_the_vault() {
    let certified = Guarded::start();
    // Clients have to prove who they are here, so they are given a secret.
    let methods = json!({ "token_endpoint_auth_methods_supported": ["client_secret_basic"] });
    let scripted = Scripted::with(Fault::Metadata(methods)).await;
    let user = User::signs_in("ada");
    let fixed = scripted.give("robot");
    let program = programs::own("sightglass-demo-server");
    let host = TestHost::with_user(
        json!({
            "certified": { "type": "http", "url": certified.url() },
            "scripted": {
                "type": "http",
                "url": scripted.url(),
                "headers": { "X-Api-Key": HEADER },
            },
            "fixed": { "type": "http", "url": scripted.url() },
            "program": { "command": program, "env": { "SERVICE_API_TOKEN": ENVIRONMENT } },
        }),
        Environment::with(&user).and(TOKEN_VARIABLE, &fixed),
    );
    let told = listen(&host);
    let mut secrets: Vec<String> = [HEADER, KEPT_HEADER, COMMAND_LINE]
        .map(str::to_owned)
        .into();
    let mut written = Vec::new();
    let ids = ["certified", "scripted"].map(TestHost::id);

    // Signing in, calling, and all that the token lab does.
    let settings = AuthSettings {
        secret_headers: vec!["X-Kept-Key".to_owned()],
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&ids[1], settings)
        .await;
    saved.expect("saved");
    let header = SettingSecret::Header {
        name: "X-Kept-Key".to_owned(),
    };
    let value = Some(KEPT_HEADER.to_owned());
    let kept = host
        .inspector
        .sign_in
        .update_auth_secret(&ids[1], header, value)
        .await;
    kept.expect("kept");
    host.connect(&TestHost::id("program")).await;
    let robot = TestHost::id("fixed");
    let settings = AuthSettings {
        bearer_variable: Some(TOKEN_VARIABLE.to_owned()),
        ..AuthSettings::default()
    };
    let saved = host
        .inspector
        .sign_in
        .update_auth_settings(&robot, settings)
        .await;
    saved.expect("saved");
    host.connect(&robot).await;
    host.call(&robot, "echo", r#"{"message":"here"}"#).await;
    let came = scripted.called();
    assert!(came.iter().any(|asked| asked.bearer() == Some(&*fixed)));
    for id in &ids {
        assert!(host.try_connect(id).await.failure.is_some());
        host.signs_in(id).await;
        host.call(id, "whoami", "{}").await;
        for action in [
            TokenAction::Refresh,
            TokenAction::PretendExpired,
            TokenAction::Corrupt,
            TokenAction::Restore,
        ] {
            for kind in [TokenKind::Access, TokenKind::Refresh, TokenKind::Id] {
                let token = host
                    .inspector
                    .sign_in
                    .reveal_token(id, "default", kind)
                    .await;
                secrets.extend(token.ok());
            }
            let reaction = host
                .inspector
                .sign_in
                .test_token(id, "default", action)
                .await;
            let shown = format!("{:?}", reaction.expect("signed in"));
            written.push(("a reaction".to_owned(), shown.into_bytes()));
        }
        let shown = host
            .inspector
            .sign_in
            .tokens(id, "default")
            .await
            .expect("readable");
        written.push(("the tokens".to_owned(), format!("{shown:?}").into_bytes()));
        written.push(("the export".to_owned(), host.exported(id).into_bytes()));
        let report = host
            .inspector
            .checks
            .doctor
            .run_doctor(id)
            .await
            .expect("examined");
        written.push(("the report".to_owned(), format!("{report:?}").into_bytes()));
    }
    // The variable of its own entry is all that a program that was started may know.
    let others = processes();
    let echoed = host
        .call(&TestHost::id("program"), "environment", "{}")
        .await;
    assert!(echoed.result.is_some());

    // Calls that fail, a refresh that is refused, and signing out.
    scripted.withdraw();
    certified.revoke_all();
    for id in &ids {
        host.inspector
            .calls
            .requests
            .call_tool(id, "call", "whoami", "{}", None, None)
            .await
            .ok();
        host.inspector.servers.open_connections.disconnect(id).await;
        assert!(host.try_connect(id).await.failure.is_some());
    }
    host.signs_in(&ids[1]).await;
    written.extend(host.written().await);
    let out = host
        .inspector
        .sign_in
        .sign_out(&ids[1], None)
        .await
        .expect("signed out");
    written.push(("signing out".to_owned(), format!("{out:?}").into_bytes()));

    // The same from a shell, as loud as it gets.
    let again = scripted.give("robot");
    let mut shell = |words: &[&str], variable: Option<(&str, &str)>| {
        let ran = Command::new(programs::own("sightglass-cli"))
            .args(words)
            .envs(variable)
            .current_dir(host.project())
            .env("HOME", host.home())
            .env("SIGHTGLASS_DATA_DIR", host.data())
            .env("SIGHTGLASS_KEYCHAIN", "off")
            .env("SIGHTGLASS_LOG", "trace")
            .env(
                "BROWSER",
                "curl --silent --location --cookie login=ada --output /dev/null",
            )
            .stdin(Stdio::null())
            .output()
            .expect("it starts");
        let errors = String::from_utf8_lossy(&ran.stderr);
        let should = !words.contains(&"no_such_tool");
        assert_eq!(ran.status.success(), should, "{words:?}: {errors}");
        for (name, bytes) in [("stdout", ran.stdout), ("stderr", ran.stderr)] {
            // A program may say what its own entry gave it.
            let text = String::from_utf8_lossy(&bytes).replace(ENVIRONMENT, "");
            written.push((format!("{name} of {words:?}"), text.into_bytes()));
        }
    };
    let echo = |server| ["tools", "call", server, "echo", "message:=here"];
    shell(&["login", "scripted"], None);
    shell(&echo("scripted"), None);
    shell(&["tools", "call", "scripted", "no_such_tool"], None);
    shell(&["logout", "scripted"], None);
    // The secret of a client and a header, in the command line and in the environment.
    let url = scripted.url();
    let header = format!("X-Command-Key: {COMMAND_LINE}");
    let client = ["--client-id", "registered", "--header", &header];
    let secret = ["--client-secret", REGISTERED_SECRET];
    let login = ["login", url, "--issuer", scripted.issuer()];
    shell(&[&login, &client[..], &secret].concat(), None);
    let variable = Some((CLIENT_SECRET_VARIABLE, REGISTERED_SECRET));
    shell(&[&echo(url), &client[..]].concat(), variable);
    shell(&[&["logout", url], &client[..]].concat(), variable);
    shell(&[&login, &client[..]].concat(), variable);
    // A token that the environment holds.
    shell(&echo("fixed"), Some((TOKEN_VARIABLE, &again)));
    // What a program inherits, it says itself.
    let environment = ["tools", "call", "program", "environment"];
    shell(
        &[&environment[..], &["show_values:=true"]].concat(),
        variable,
    );

    written.extend(copied(&host).await);
    written.extend(host.written().await);
    let snapshot = serde_json::to_vec(&host.inspector.snapshot()).expect("JSON");
    written.push(("the snapshot".to_owned(), snapshot));
    host.inspector.shutdown().await;
    written.extend(leaks::files(&host.data(), &["secrets.json"]));
    written.extend(told.lock().expect("no panic under it").clone());

    secrets.extend(scripted.secrets());
    secrets.push(REGISTERED_SECRET.to_owned());
    let codes = user.visited().into_iter().filter_map(|address| {
        let url = reqwest::Url::parse(&address).ok()?;
        let mut pairs = url.query_pairs();
        Some(pairs.find(|(name, _)| name == "code")?.1.into_owned())
    });
    secrets.extend(codes);
    assert!(secrets.len() > 20, "{}", secrets.len());
    let found = leaks(&secrets, &others);
    assert!(found.is_empty(), "{found:#?}");
    secrets.push(ENVIRONMENT.to_owned());
    let found = leaks(&secrets, &written);
    assert!(
        found.is_empty(),
        "{} leaks: {:#?}",
        found.len(),
        &found[..found.len().min(40)]
    );

    // The search finds what is there: the vault still holds the tokens of the other server.
    let vault = leaks::files(&host.data(), &[]);
    assert!(!leaks(&secrets, &vault).is_empty());
}

/// Set for a story that is to crash: where it notes the secrets that it knew.
const NOTES: &str = "SIGHTGLASS_STORY_CRASHES";

/// Crashes twice with tokens in hand: in the middle of a sign-in, and for good.
async fn crash(notes: &std::path::Path) {
    let scripted = Scripted::start().await;
    let user = User::signs_in("ada");
    let (host, server) = TestHost::guarded(&scripted, &user);
    host.signs_in(&server).await;
    host.call(&server, "echo", r#"{"message":"here"}"#).await;
    user.crashes();
    host.inspector
        .sign_in
        .sign_in(&server, SignInRequest::default())
        .expect("it starts");
    let asked = || {
        scripted
            .asked("/.well-known/oauth-authorization-server")
            .len()
    };
    host.eventually("the second sign-in", || (asked() > 1).then_some(()))
        .await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let mut secrets = scripted.secrets();
    let kind = TokenKind::Access;
    let token = host
        .inspector
        .sign_in
        .reveal_token(&server, "default", kind)
        .await;
    secrets.push(token.expect("signed in"));
    std::fs::write(notes.join("secrets"), secrets.join("\n")).expect("written");
    for (place, bytes) in leaks::files(&host.data(), &["secrets.json"]) {
        let name = place.replace('/', "_");
        std::fs::write(notes.join(name), bytes).expect("written");
    }
    let shown = host.auth(&server).await;
    panic!(
        "brought down for good: {shown:?} {:?}",
        host.inspector.snapshot()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_crash_leaves_behind_holds_no_secret() {
    let story = "secrets::what_a_crash_leaves_behind_holds_no_secret";
    if let Some(notes) = std::env::var_os(NOTES) {
        return crash(notes.as_ref()).await;
    }
    let notes = TempDir::new().expect("a temporary directory");
    let crashed = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", story, "--nocapture"])
        .env(NOTES, notes.path())
        .env("RUST_BACKTRACE", "full")
        .env("SIGHTGLASS_LOG", "trace")
        .output()
        .expect("it starts");
    assert!(!crashed.status.success());
    let errors = String::from_utf8_lossy(&crashed.stderr).into_owned();
    for words in ["in the middle of a sign-in", "brought down for good"] {
        assert!(errors.contains(words), "{errors}");
    }
    let known = std::fs::read_to_string(notes.path().join("secrets")).expect("noted");
    let secrets: Vec<String> = known.lines().map(str::to_owned).collect();
    assert!(secrets.len() > 4, "{}", secrets.len());
    let mut written = leaks::files(notes.path(), &["secrets"]);
    written.push(("stdout".to_owned(), crashed.stdout));
    written.push(("stderr".to_owned(), crashed.stderr));
    let found = leaks(&secrets, &written);
    assert!(found.is_empty(), "{found:#?}");
}
