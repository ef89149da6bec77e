//! What holds for every command: targets, arguments, output and the way on after a refusal.

use std::{fs, path::Path};

use serde_json::{Value, json};
use sightglass_tests::{oidc, programs};

use super::{Machine, Ran};

const PASSWORD: &str = "hunter2-of-ada";

#[test]
fn a_host_is_an_address_where_no_server_has_that_name() {
    let http = programs::demo_over_http(&[]);
    let host = http.url.trim_start_matches("http://");
    let machine = Machine::new();
    let here = machine.run(&["ping", host, "--json"]);
    assert_eq!(here.code, Some(0), "{}", here.stderr);
    let elsewhere = machine.run(&["ping", "mcp.invalid", "--json"]);
    assert_eq!(elsewhere.code, Some(3), "{}", elsewhere.stderr);
    let asked = elsewhere.error().to_string();
    assert!(asked.contains("https://mcp.invalid"), "{asked}");

    let named = Machine::with_servers(json!({ "mcp.invalid": { "url": http.url } }));
    assert_eq!(named.run(&["ping", "mcp.invalid"]).code, Some(0));
    let unknown = named.run(&["ping", "files", "--json"]);
    assert_eq!(unknown.code, Some(1), "{}", unknown.stderr);
    fs::write(named.path("project/server.py"), "").expect("written");
    let file = named.run(&["ping", "server.py", "--json"]);
    let hint = file.error()["hint"].to_string();
    assert!(hint.contains("-- server.py"), "{hint}");
}

#[test]
fn a_mistyped_name_gets_nothing_that_is_given_for_another_server() {
    let machine = Machine::new();
    let header = ["--header", "Authorization: Bearer of-another"];
    let cases: [(&str, &[&str]); 5] = [
        ("mcp.invalid", &header),
        ("mcp.invalid", &["--identity", "work"]),
        (
            "mcp.invalid",
            &["--client-id", "x", "--client-secret", "of-another"],
        ),
        ("server.py", &[]),
        ("server.sh", &header),
    ];
    for (word, options) in cases {
        let words = [&["tools", "list", word, "--json"], options].concat();
        let ran = machine.run(&words);
        assert_eq!(ran.code, Some(1), "{words:?}: {}", ran.stderr);
        let hint = ran.error()["hint"].to_string();
        assert!(hint.contains(&format!("https://{word}")), "{hint}");
    }
    // Its path tells that an address is meant.
    let words = ["ping", "mcp.invalid/mcp", "--json"];
    let ran = machine.run(&[&words[..], &header].concat());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
}

#[test]
fn a_mistyped_target_is_told_with_advice_that_fits() {
    let machine = Machine::with_servers(json!({ "notes": { "command": "notes" } }));
    fs::create_dir_all(machine.path("project/sources")).expect("made");
    let with_password = format!("ada:{PASSWORD}@localhost:1/mcp");
    let misspelt = format!("htp://ada:{PASSWORD}@localhost:1/mcp");
    for (word, advice) in [
        ("", "`sightglass-cli servers`"),
        ("./nothere.py", "`sightglass-cli servers`"),
        ("/nothere.py", "`sightglass-cli servers`"),
        ("sources", "`--project`"),
        ("http//localhost:1", "begins with https://"),
        ("http:/localhost:1/mcp", "begins with https://"),
        (r"http:\\localhost:1", "begins with https://"),
        (misspelt.as_str(), "begins with https://"),
        (with_password.as_str(), "begins with https://"),
    ] {
        let ran = machine.run(&["ping", word, "--json"]);
        assert_eq!(ran.code, Some(1), "{word}: {}", ran.stderr);
        let error = ran.error();
        let hint = error["hint"].as_str().expect("a hint");
        assert!(hint.contains(advice), "{word}: {hint}");
        assert!(!error.to_string().contains(PASSWORD), "{error}");
    }
    let more = machine.run(&["ping", "notes", "npx", "--json"]);
    assert_eq!(more.error()["message"], "npx is one argument too many.");
}

#[test]
fn a_file_that_cannot_be_read_is_named_where_its_servers_are_missed() {
    let demo = programs::own("sightglass-demo-server");
    let machine = Machine::with_servers(json!({ "good": { "command": demo } }));
    let broken = r#"{ "mcpServers": { "theirs": { "command": "x" }, } }"#;
    fs::write(machine.path("project/.mcp.json"), broken).expect("written");
    let listed = machine.run(&["servers"]).stdout;
    assert_eq!(listed.matches("Trailing comma").count(), 1, "{listed}");
    let missed = machine.run(&["ping", "theirs", "--json"]);
    assert_eq!(missed.code, Some(1), "{}", missed.stderr);
    let hint = missed.error()["hint"].to_string();
    assert!(hint.contains("project/.mcp.json are not known"), "{hint}");
    let all = machine.run(&["doctor", "--all", "--json"]);
    assert_eq!(all.code, Some(5), "{}", all.stderr);
    let unread = all.result()["unreadFiles"].to_string();
    assert!(unread.contains("project/.mcp.json"), "{unread}");
}

#[test]
fn prompts_take_arguments_as_tools_do() {
    let machine = Machine::new();
    for arguments in [
        vec!["user:=Ada Byron", "repository:=engine"],
        vec!["user=Ada Byron", "repository=engine"],
        vec![r#"{"user":"Ada Byron","repository":"engine"}"#],
    ] {
        let words = [&["prompts", "get", "repository", "--json"], &arguments[..]].concat();
        let ran = machine.demo(&words, &[]);
        let messages = ran.result()["messages"].to_string();
        assert!(messages.contains("Ada Byron"), "{messages}{}", ran.stderr);
        assert!(messages.contains("engine"), "{messages}");
    }
    let refused = machine.demo(&["prompts", "get", "repository", "alone", "--json"], &[]);
    assert!(refused.error()["hint"].to_string().contains("KEY:=VALUE"));
}

#[test]
fn the_json_of_a_command_is_its_result_alone() {
    let machine = Machine::with_servers(json!({ "notes": { "command": "notes" } }));
    let to = "mcp-json:user";
    for words in [
        vec!["servers"],
        vec!["config", "show"],
        vec!["config", "check"],
        vec!["config", "explain", "notes"],
        vec!["config", "add", "x", "--to", to, "--yes", "--", "x"],
        vec!["config", "undo", "--yes"],
        vec!["config", "backups"],
        vec!["config", "export", "--as", "codex"],
        vec!["config", "approve", "--all"],
        vec!["config", "trust", "--yes"],
        vec!["rules", "list"],
        vec!["logout", "https://mcp.example.com/mcp"],
    ] {
        let ran = machine.run(&[&["--json"], &words[..]].concat());
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        let printed = ran.result();
        let members = printed.as_object().expect("an object");
        assert!(!members.contains_key("result"), "{words:?}: {printed}");
    }
    let demo = machine.demo(&["doctor", "--json"], &[]);
    assert_eq!(demo.result()["state"], "finished");
}

/// Every file below a directory that holds a text.
fn holding(directory: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if String::from_utf8_lossy(&fs::read(&path).expect("readable")).contains(text) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn a_password_in_an_address_is_neither_printed_nor_kept() {
    let http = programs::demo_over_http(&[]);
    let with_password = |url: &str| url.replace("http://", &format!("http://ada:{PASSWORD}@"));
    let url = with_password(&http.url);
    let closed = with_password(&format!("http://127.0.0.1:{}/mcp", programs::free_port()));
    let machine = Machine::new();
    // What is set for signing in is kept before the server is asked.
    let login = ["login", &url, "--parameter", "audience=x"];
    for words in [
        vec!["ping", &url],
        vec!["ping", &url, "--json", "--verbose"],
        vec!["info", &url],
        vec!["doctor", &url],
        vec!["ping", &closed],
        vec!["doctor", &closed, "--json"],
        login.to_vec(),
        vec!["logout", &url],
    ] {
        let Ran { stdout, stderr, .. } = machine.run(&words);
        let told = format!("{stdout}{stderr}");
        assert!(!told.contains(PASSWORD), "{words:?}: {told}");
    }
    assert!(machine.path("data/auth.json").exists());
    let kept = holding(&machine.path("data"), PASSWORD);
    assert!(kept.is_empty(), "{kept:?}");
}

/// Runs the command that a hint names first, as a user would.
fn follow(machine: &Machine, hint: &str) -> Ran {
    let command = hint
        .split_once("sightglass-cli ")
        .unwrap_or_else(|| panic!("no command: {hint}"))
        .1;
    let command = command.split('`').next().unwrap_or_default();
    let words: Vec<&str> = command.split(' ').collect();
    machine.run(&[&words[..], &["--yes"]].concat())
}

#[test]
fn the_command_that_a_refusal_names_leads_on() {
    let machine = Machine::new();
    let entry = json!({ "mcpServers": { "theirs": {
        "command": programs::own("sightglass-demo-server"),
    } } });
    fs::write(machine.path("project/.mcp.json"), entry.to_string()).expect("written");
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let request = "format = 1\nserver = \"theirs\"\nmethod = \"tools/list\"\n";
    fs::write(requests.join("list.toml"), request).expect("written");

    let refused = machine.run(&["test", "--json"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let hint = refused.error()["hint"].as_str().expect("a hint").to_owned();
    assert!(hint.contains("--trust-project"), "{hint}");
    let followed = follow(&machine, &hint);
    assert_eq!(followed.code, Some(0), "{}", followed.stderr);
    let ping = machine.run(&["ping", "theirs", "--json"]);
    assert_eq!(ping.error()["code"], "not_approved");
    let approved = machine.run(&["config", "approve", "theirs", "--yes"]);
    assert_eq!(approved.code, Some(0), "{}", approved.stderr);
    assert_eq!(machine.run(&["ping", "theirs"]).code, Some(0));
    let passed = machine.run(&["test", "--json"]);
    assert_eq!(passed.code, Some(0), "{}{}", passed.stdout, passed.stderr);
}

#[test]
fn one_flag_trusts_the_folder_for_a_machine() {
    let machine = Machine::new();
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let request = "format = 1\nserver = \"demo\"\nmethod = \"tools/list\"\n";
    fs::write(requests.join("list.toml"), request).expect("written");
    assert_eq!(machine.run(&["test"]).code, Some(1));
    let trusted = machine.run(&["test", "--trust-project"]);
    assert_eq!(
        trusted.code,
        Some(0),
        "{}{}",
        trusted.stdout,
        trusted.stderr
    );
}

#[test]
fn what_is_wrong_with_a_request_is_told_at_its_place() {
    let machine = Machine::new();
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let broken = "format = 1\nserver = \"demo\"\nmethod = \"tools/call\"\nparams = '{}'\n";
    fs::write(requests.join("broken.toml"), broken).expect("written");
    let notification =
        "format = 1\nserver = \"demo\"\nmethod = \"notifications/roots/list_changed\"\n";
    fs::write(requests.join("notification.toml"), notification).expect("written");
    let ran = machine.run(&["test", "--trust-project"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    for line in [
        ".sightglass/requests/broken.toml:4:10: The parameters have no `name`.",
        ".sightglass/requests/notification.toml:3:10: A notification has no answer to check.",
    ] {
        let mut lines = ran.stdout.lines().map(str::trim);
        assert!(lines.any(|told| told.starts_with(line)), "{}", ran.stdout);
    }
}

#[test]
fn settings_of_a_client_that_refuse_a_server_are_not_the_administrators() {
    let machine = Machine::new();
    let settings = machine.path("home/.claude/settings.json");
    fs::write(
        &settings,
        r#"{"deniedMcpServers":[{"serverName":"notes"}]}"#,
    )
    .expect("written");
    let servers = json!({ "mcpServers": { "notes": { "command": "notes" } } });
    fs::write(machine.path("home/.claude.json"), servers.to_string()).expect("written");
    let refused = machine.run(&["ping", "claude-code:notes", "--json"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let error = refused.error();
    assert_eq!(error["code"], "refused_by_policy", "{error}");
    let hint = error["hint"].as_str().expect("a hint");
    assert!(hint.contains(settings.to_str().expect("UTF-8")), "{hint}");
    assert!(!hint.contains("Only the administrator"), "{hint}");
}

#[test]
fn advice_about_a_refused_sign_in_fits_what_was_given() {
    let server = oidc::Guarded::start();
    let machine = Machine::with_servers(json!({
        "own": { "url": server.url(), "headers": { "Authorization": "Bearer stale" } },
        "off": { "url": server.url(), "oauth": false },
    }));
    let hint = |words: &[&str]| -> Value {
        let ran = machine.run(&[words, &["--json"]].concat());
        assert_eq!(ran.code, Some(4), "{}", ran.stderr);
        ran.error()["hint"].clone()
    };
    let own = hint(&["ping", "own"]).to_string();
    assert!(own.contains("header of its entry"), "{own}");
    let off = hint(&["ping", "off"]).to_string();
    assert!(off.contains("turned off"), "{off}");
    let given = hint(&["ping", server.url(), "--header", "Authorization: Bearer x"]).to_string();
    assert!(given.contains("that was given"), "{given}");
}

#[test]
fn a_server_of_several_clients_is_named_by_each() {
    let machine = Machine::new();
    let program = programs::own("sightglass-demo-server");
    let write = |path: &str| {
        let path = machine.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let entry = json!({ "mcpServers": { "notes": { "command": program } } });
        fs::write(path, entry.to_string()).expect("written");
    };
    // The very same server, which the sidebar shows once.
    write("home/.cursor/mcp.json");
    write("home/.codeium/windsurf/mcp_config.json");
    for name in ["notes", "cursor:notes", "windsurf:notes"] {
        let ran = machine.run(&["ping", name]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
    }
    assert_eq!(machine.run(&["ping", "zed:notes"]).code, Some(1));
}

#[test]
fn a_server_of_any_file_of_the_project_is_approved_by_its_name() {
    for name in ["theirs", "cursor:theirs"] {
        let machine = Machine::new();
        let entry = json!({ "mcpServers": { "theirs": {
            "command": programs::own("sightglass-demo-server"),
        } } });
        let folder = machine.path("project/.cursor");
        fs::create_dir_all(&folder).expect("made");
        fs::write(folder.join("mcp.json"), entry.to_string()).expect("written");
        let trusted = machine.run(&["config", "trust", "--yes"]);
        assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
        assert_eq!(machine.run(&["ping", name]).code, Some(1));
        let approved = machine.run(&["config", "approve", name, "--yes"]);
        assert_eq!(approved.code, Some(0), "{name}: {}", approved.stderr);
        let ran = machine.run(&["ping", name]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
    }
}

#[test]
fn a_record_that_is_not_there_is_no_fault_of_the_network() {
    let machine = Machine::new();
    for words in [
        &["operations", "--json"][..],
        &["export", "--format", "har", "--json"],
    ] {
        let ran = machine.run(words);
        assert_eq!(
            (ran.code, &ran.error()["code"]),
            (Some(1), &json!("record"))
        );
    }
}
