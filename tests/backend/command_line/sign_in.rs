//! `login` and `logout`, against a certified authorization server.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::json;
use sightglass_inspector::{AuthSettings, ClientAuthMethod, SettingSecret};
use sightglass_tests::{
    TestHost,
    oidc::{self, Guarded},
    passing::let_pass,
    programs,
    scripted::{Fault, Scripted},
};

use super::{Machine, ran};

const SECRET: &str = "a secret of the tests";

/// Lifetime of that server's tokens.
const TOKEN_LIFETIME: Duration = Duration::from_secs(3600);

/// A server whose authorization server knows one client, registered by hand.
fn guarded_by_one_client() -> Guarded {
    Guarded::with(&json!({ "lifetime": TOKEN_LIFETIME.as_secs(), "client": {
        "client_id": "sightglass-tests",
        "client_secret": SECRET,
        "application_type": "native",
        "redirect_uris": ["http://127.0.0.1/callback"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "client_secret_basic",
    } }))
}

#[test]
fn signing_in_opens_the_server_to_every_command_until_signing_out() {
    let guarded = Guarded::start();
    let machine = Machine::new();
    let whoami = ["tools", "call", guarded.url(), "whoami", "{}", "--json"];
    let refused = machine.run(&whoami);
    assert_eq!(
        (refused.code, &refused.error()["code"]),
        (Some(4), &json!("sign_in_required"))
    );
    assert_eq!(refused.error()["data"]["status"], 401);
    let hint = refused.error()["hint"].to_string();
    assert!(hint.contains("sightglass-cli login"), "{hint}");

    let login = machine.run(&["login", guarded.url()]);
    assert_eq!(login.code, Some(0), "{}", login.stderr);
    assert!(login.stdout.contains("as ada"), "{}", login.stdout);
    assert!(login.stderr.contains(guarded.issuer()), "where to go");
    let said = machine.run(&whoami);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let words = said.result()["content"][0]["text"].to_string();
    assert!(words.contains("ada with read"), "{words}");
    // What is examined is what the connection meets: a server that lets us in.
    let doctor = machine.run(&["doctor", guarded.url()]);
    assert_eq!(doctor.code, Some(0), "{}{}", doctor.stdout, doctor.stderr);
    assert!(
        doctor.stdout.contains("access granted"),
        "{}",
        doctor.stdout
    );

    let logout = machine.run(&["logout", guarded.url(), "--json"]);
    assert_eq!(
        logout.result(),
        json!({ "signedIn": false, "revoked": true })
    );
    assert_eq!(machine.run(&whoami).code, Some(4));
    let again = machine.run(&["logout", guarded.url()]);
    assert_eq!(again.code, Some(0));
    assert!(again.stdout.contains("Not signed in."), "{}", again.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn options_of_the_authorization_request_are_kept_for_the_server() {
    let scripted = Scripted::with(Fault::NoResource).await;
    let machine = Machine::new();
    let run = async |words: &[&str]| {
        let mut command = machine.command(words);
        command.env(
            "BROWSER",
            "curl --silent --location --cookie login=ada --output /dev/null",
        );
        let run = tokio::task::spawn_blocking(move || command.output()).await;
        ran(run.expect("no panic").expect("it starts"))
    };
    let url = scripted.url();
    for (option, value, reason) in [
        ("--redirect-uri", "http://evil.example/cb", "this machine"),
        ("--parameter", "state=guessed", "is reserved"),
        ("--parameter", "audience", "NAME=VALUE"),
    ] {
        let refused = run(&["login", url, option, value]).await;
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        assert!(refused.stderr.contains(reason), "{}", refused.stderr);
    }
    assert!(scripted.asked("/authorize").is_empty());

    let port = programs::free_port();
    let redirect = format!("http://localhost:{port}/oauth/back");
    let login = [
        "login",
        url,
        "--redirect-uri",
        &redirect,
        "--resource",
        "omit",
        "--parameter",
        "audience=https://api.example",
    ];
    let login = run(&login).await;
    assert_eq!(login.code, Some(0), "{}", login.stderr);
    let again = run(&["login", url]).await;
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let asked = scripted.asked("/authorize");
    assert_eq!(asked.len(), 2);
    for asked in asked {
        assert_eq!(asked.get("redirect_uri"), redirect);
        assert_eq!(asked.get("audience"), "https://api.example");
        assert!(!asked.parameters.contains_key("resource"), "{asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_registered_anew_and_other_scopes_are_asked_for_where_i_say_so() {
    let scripted = Scripted::start().await;
    let machine = Machine::new();
    let login = async |options: &[&str]| {
        let words = [&["login", scripted.url()][..], options].concat();
        let mut command = machine.command(&words);
        command.env(
            "BROWSER",
            "curl --silent --location --cookie login=ada --output /dev/null",
        );
        let run = tokio::task::spawn_blocking(move || command.output()).await;
        let login = ran(run.expect("no panic").expect("it starts"));
        assert_eq!(login.code, Some(0), "{options:?}: {}", login.stderr);
        login
    };
    let first = login(&[]).await;
    assert!(first.stderr.contains("`--register`"), "{}", first.stderr);
    login(&["--scope", "read admin"]).await;
    assert_eq!(scripted.asked("/register").len(), 1);
    // The authorization server would show an error, and never send the browser back.
    scripted.forget_clients();
    login(&["--register", "--scope", ""]).await;
    assert_eq!(scripted.asked("/register").len(), 2);
    let asked = scripted.asked("/authorize");
    assert_eq!(asked[1].get("scope"), "read admin");
    assert!(!asked[2].parameters.contains_key("scope"), "{asked:?}");
    assert_ne!(asked[1].get("client_id"), asked[2].get("client_id"));
    // For that sign-in alone.
    login(&[]).await;
    let again = scripted.asked("/authorize").pop().expect("asked");
    assert_eq!(again.get("client_id"), asked[2].get("client_id"));
    assert_eq!(again.get("scope"), asked[0].get("scope"));
}

#[test]
fn a_client_that_was_registered_by_hand_signs_in_and_its_secret_is_never_shown() {
    let guarded = guarded_by_one_client();
    let machine = Machine::new();
    let client = ["--client-id", "sightglass-tests", "--client-secret"];
    let with = |words: &[&str], secret| {
        let words = [words, &client, &[secret]].concat();
        let ran = machine.run(&words);
        assert!(!ran.stdout.contains(secret) && !ran.stderr.contains(secret));
        ran
    };
    // Nobody else may register there.
    let unknown = machine.run(&["login", guarded.url(), "--json"]);
    assert_eq!(
        (unknown.code, &unknown.error()["code"]),
        (Some(4), &json!("sign_in_failed"))
    );
    // The server names where the secret would go. Nobody agreed to that.
    let unasked = with(&["login", guarded.url(), "--json"], SECRET);
    assert_eq!(unasked.code, Some(4), "{}", unasked.stderr);
    assert_eq!(unasked.error()["code"], "issuer_not_agreed");
    assert_eq!(guarded.asked("/token"), 0);
    let agreed = [
        "login",
        guarded.url(),
        "--issuer",
        guarded.issuer(),
        "--json",
    ];
    let wrong = with(&agreed, "not the secret");
    assert_eq!(wrong.code, Some(4), "{}", wrong.stderr);
    let login = with(&agreed, SECRET);
    assert_eq!(
        login.result(),
        json!({ "signedIn": true, "account": "ada@acme.example" }),
        "{}",
        login.stderr
    );

    let whoami = ["tools", "call", guarded.url(), "whoami", "{}"];
    let before = guarded.asked("/token");
    let_pass(&machine.path("data"), TOKEN_LIFETIME);
    let said = with(&whoami, SECRET);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(guarded.asked("/token") > before, "it was refreshed");
    // The grant remembers whose it is.
    let before = guarded.asked("/token");
    let_pass(&machine.path("data"), TOKEN_LIFETIME);
    let said = machine.run(&whoami);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(guarded.asked("/token") > before, "it was refreshed");
    let logout = machine.run(&["logout", guarded.url(), "--json"]);
    assert_eq!(logout.result()["revoked"], true, "{}", logout.stdout);
    assert_eq!(machine.run(&whoami).code, Some(4));
}

#[test]
fn the_secret_of_a_client_can_stay_out_of_the_command_line() {
    let guarded = guarded_by_one_client();
    let machine = Machine::new();
    let words = [
        "login",
        guarded.url(),
        "--client-id=sightglass-tests",
        "--issuer",
        guarded.issuer(),
    ];
    let mut command = machine.command(&words);
    let ran = super::ran(
        command
            .env("SIGHTGLASS_CLIENT_SECRET", SECRET)
            .output()
            .expect("it starts"),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// A client that is named on the command line is the one used, whatever was entered in the window
/// for the same server; and what was entered there stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_named_wins_over_the_one_that_was_saved_in_the_window() {
    let guarded = guarded_by_one_client();
    let window = TestHost::with_servers(TestHost::remote(guarded.url()));
    let server = TestHost::id("guarded");
    let saved = AuthSettings {
        client_id: Some("saved-in-the-window".to_owned()),
        auth_method: Some(ClientAuthMethod::ClientSecretPost),
        ..AuthSettings::default()
    };
    let entered = window
        .inspector
        .sign_in
        .update_auth_settings(&server, saved.clone());
    entered.await.expect("saved");
    let secret = Some("the secret of the saved one".to_owned());
    let name = SettingSecret::ClientSecret;
    let entered = window
        .inspector
        .sign_in
        .update_auth_secret(&server, name, secret);
    entered.await.expect("kept");

    let machine = Machine::new();
    let run = |words: &[&str]| {
        let mut command = machine.command(words);
        command
            .current_dir(window.project())
            .env("HOME", window.home())
            .env("SIGHTGLASS_DATA_DIR", window.data());
        super::ran(command.output().expect("it starts"))
    };
    // The authorization server knows this one alone.
    let client = ["--client-id", "sightglass-tests", "--client-secret", SECRET];
    let login = ["login", "guarded", "--issuer", guarded.issuer(), "--json"];
    let login = run(&[&login, &client[..]].concat());
    assert_eq!(login.code, Some(0), "{}", login.stderr);

    // The grant stays with the client that it was given to, also where no client is named.
    let whoami = ["tools", "call", "guarded", "whoami", "{}"];
    for named in [&client[..], &[]] {
        let before = guarded.asked("/token");
        let_pass(&window.data(), TOKEN_LIFETIME);
        let said = run(&[&whoami, named].concat());
        assert_eq!(said.code, Some(0), "{named:?}: {}", said.stderr);
        assert!(guarded.asked("/token") > before, "it was refreshed");
    }
    // And serves no other.
    let other = run(&[&whoami[..], &["--client-id", "saved-in-the-window"]].concat());
    assert_eq!(other.code, Some(4), "{}", other.stdout);

    let now = window.inspector.sign_in.auth_settings(&server).await;
    assert_eq!(now.expect("readable").settings, saved);
}

/// On a machine without a browser: the address is opened elsewhere, and the one that it ends at
/// is pasted.
#[test]
fn signing_in_by_hand_takes_the_address_at_which_the_browser_ended() {
    let guarded = Guarded::start();
    let machine = Machine::new();
    let mut login = machine
        .command(&["login", "--manual", guarded.url(), "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let stderr = BufReader::new(login.stderr.take().expect("piped"));
    let mut lines = stderr.lines().map_while(Result::ok);
    let address = lines
        .find(|line| line.trim().starts_with(guarded.issuer()))
        .expect("where to go");
    let visit = Command::new(oidc::forms())
        .args([address.trim(), "stay"])
        .output();
    let mut stdin = login.stdin.take().expect("piped");
    stdin
        .write_all(&visit.expect("it runs").stdout)
        .expect("read");
    drop(stdin);
    let ended = super::ran(login.wait_with_output().expect("it ends"));
    assert_eq!(ended.code, Some(0), "{:?}", lines.collect::<Vec<_>>());
    assert_eq!(ended.result()["account"], "ada@acme.example");
    let whoami = ["tools", "call", guarded.url(), "whoami", "{}"];
    assert_eq!(machine.run(&whoami).code, Some(0));
}

#[test]
fn a_client_is_refused_where_nobody_signs_in() {
    let machine = Machine::new();
    let program = machine.demo(&["ping", "--client-id", "a", "--json"], &[]);
    assert_eq!(
        (program.code, &program.error()["code"]),
        (Some(1), &json!("usage"))
    );
    let alone = ["ping", "http://localhost:1/mcp", "--client-secret", SECRET];
    let alone = machine.run(&[&alone[..], &["--json"]].concat());
    assert_eq!(alone.code, Some(1));
    let message = alone.error()["message"].to_string();
    assert!(message.contains("--client-id"), "{message}");
    assert!(!alone.stderr.contains(SECRET), "{}", alone.stderr);
    let login = machine.demo(&["login", "--json"], &[]);
    assert_ne!(login.code, Some(0), "a program has no sign-in");
}
