//! Options that hold for one call, and commands about one server.

use serde_json::{Value, json};
use sightglass_tests::{
    certificates::Authority,
    oidc::Guarded,
    programs::{self, scripted},
    wiretap::Wiretap,
};

use super::Machine;

#[test]
fn a_certificate_is_trusted_for_the_call_that_says_so() {
    let authority = Authority::new();
    let server = programs::faulty(&authority.issue("127.0.0.1").files());
    let url = format!("{}/mcp", server.url);
    let machine = Machine::new();
    let refused = machine.run(&["ping", &url, "--json"]);
    assert_eq!(
        (refused.code, &refused.error()["code"]),
        (Some(3), &json!("certificate_refused"))
    );
    let file = authority.file().display().to_string();
    let trusted = machine.run(&["ping", &url, "--ca", &file]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    let any = machine.run(&["ping", &url, "--insecure"]);
    assert_eq!(any.code, Some(0), "{}", any.stderr);
    assert_eq!(machine.run(&["ping", &url]).code, Some(3));

    std::fs::write(machine.path("project/empty.pem"), "no certificate\n").expect("written");
    for file in ["nowhere.pem", "empty.pem"] {
        let none = machine.run(&["ping", &url, "--ca", file, "--json"]);
        assert_eq!(none.code, Some(1), "{}", none.stderr);
        assert!(none.error()["data"].to_string().contains(file));
    }
    let program = machine.demo(&["ping", "--insecure", "--json"], &[]);
    assert_eq!(program.code, Some(1), "{}", program.stderr);
}

#[test]
fn a_call_is_made_as_the_identity_that_it_names() {
    let guarded = Guarded::start();
    let machine = Machine::new();
    let whoami = ["tools", "call", guarded.url(), "whoami", "{}"];
    let as_work = [&whoami[..], &["--identity", "work", "--json"]].concat();
    let unknown = machine.run(&as_work);
    assert_eq!(unknown.code, Some(1), "{}", unknown.stderr);
    let hint = unknown.error()["hint"].to_string();
    assert!(hint.contains("--identity work"), "{hint}");

    let login = machine.run(&["login", guarded.url(), "--identity", "work"]);
    assert_eq!(login.code, Some(0), "{}", login.stderr);
    let said = machine.run(&as_work);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let logout = ["logout", guarded.url(), "--identity", "work", "--json"];
    assert_eq!(machine.run(&logout).result()["revoked"], true);
    assert_eq!(machine.run(&as_work).code, Some(4));
}

#[test]
fn log_messages_are_asked_for_and_told_from_a_level_on() {
    let machine = Machine::new();
    for era in ["legacy", "modern"] {
        let call = ["tools", "call", "log_burst", "count:=2", "level:=warning"];
        let call = [&call[..], &["--era", era]].concat();
        let heard = machine.demo(&[&call[..], &["--log-level", "info"]].concat(), &[]);
        assert_eq!(heard.code, Some(0), "{era}: {}", heard.stderr);
        let told: Vec<&str> = heard.stderr.lines().collect();
        assert_eq!(told.len(), 2, "{era}: {}", heard.stderr);
        assert!(told[0].starts_with("warning burst"), "{era}: {}", told[0]);
        let above = machine.demo(&[&call[..], &["--log-level", "error"]].concat(), &[]);
        assert_eq!(above.stderr, "", "{era}");
    }
}

#[test]
fn a_tool_is_shown_as_the_server_sent_it() {
    let machine = Machine::new();
    let listed = machine.demo(&["tools", "list", "--json"], &[]).result();
    let tools = listed["tools"].as_array().expect("a list");
    let echo = tools.iter().find(|tool| tool["name"] == "echo");
    let shown = machine.demo(&["tools", "get", "echo", "--json"], &[]);
    assert_eq!(Some(&shown.result()), echo, "{}", shown.stderr);
    let text = machine.demo(&["tools", "get", "echo"], &[]);
    assert!(
        text.stdout.contains("\"inputSchema\": {"),
        "{}",
        text.stdout
    );
    let unknown = machine.demo(&["tools", "get", "ehco", "--json"], &[]);
    assert_eq!(unknown.code, Some(1), "{}", unknown.stderr);
    assert!(unknown.error()["hint"].to_string().contains("tools list"));
}

#[test]
fn a_result_that_clients_cut_is_told() {
    let machine = Machine::new();
    let long = format!("message:={}", "a b ".repeat(30_000));
    let call = ["tools", "call", "echo", &long];
    let ran = machine.demo(&call, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("Claude Code"), "{}", ran.stderr);
    assert!(ran.stderr.contains("25,000"), "{}", ran.stderr);
    let as_json = machine.demo(&[&call[..], &["--json"]].concat(), &[]);
    assert_eq!(as_json.stderr, "");
    let short = machine.demo(&["tools", "call", "echo", "message:=few words"], &[]);
    assert_eq!(short.stderr, "");
}

#[test]
fn changes_of_a_resource_are_told_until_there_were_enough() {
    let machine = Machine::new();
    let words = ["resources", "subscribe", "demo://clock", "--count", "1"];
    for era in ["legacy", "modern"] {
        let words = [&words[..], &["--era", era, "--json"]].concat();
        let ran = machine.demo(&words, &[]);
        assert_eq!(ran.code, Some(0), "{era}: {}", ran.stderr);
        let told: Value = serde_json::from_str(&ran.stdout).expect("a line");
        assert_eq!(
            told,
            json!({ "uri": "demo://clock", "event": "updated" }),
            "{era}"
        );
    }
    let quiet = [&words[..3], &["--for", "0"]].concat();
    let ran = machine.demo(&quiet, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

#[test]
fn a_server_is_restarted_and_compared_with_itself() {
    let machine = Machine::new();
    let ran = machine.demo(&["restart", "--json"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.result()["changes"], json!([]));
    let text = machine.demo(&["restart"], &[]);
    assert!(text.stdout.contains("ready again"), "{}", text.stdout);
}

#[test]
fn all_configured_servers_are_examined_at_once() {
    let demo = programs::own("sightglass-demo-server");
    let machine = Machine::with_servers(json!({
        "good": { "command": demo },
        "missing": { "command": "no-such-program-anywhere" },
        "off": { "command": "no-such-program-anywhere", "disabled": true },
    }));
    let ran = machine.run(&["doctor", "--all", "--json"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert_eq!(ran.error()["code"], "check_failed");
    let result = ran.result();
    let verdicts: Vec<(&str, &str)> = result["servers"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| Some((one["server"].as_str()?, one["verdict"].as_str()?)))
        .collect();
    assert_eq!(
        verdicts,
        [("mcp-json:good", "works"), ("mcp-json:missing", "fails")]
    );
    let text = machine.run(&["doctor", "--all"]);
    assert!(text.stdout.contains("missing"), "{}", text.stdout);
    // What is meant for one server goes to no other.
    for option in [
        &["--header", "Authorization: Bearer x"][..],
        &["--insecure"],
    ] {
        let refused = machine.run(&[&["doctor", "--all"], option].concat());
        assert_eq!(refused.code, Some(1), "{option:?}: {}", refused.stderr);
        assert!(
            refused.stderr.contains("in place of --all"),
            "{}",
            refused.stderr
        );
    }
    let nothing = Machine::new().run(&["doctor", "--all"]);
    assert_eq!(nothing.code, Some(1), "{}", nothing.stderr);
}

#[test]
fn shells_are_told_what_completes() {
    let machine = Machine::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = machine.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0), "{shell}: {}", ran.stderr);
        assert!(ran.stdout.contains("trust-project"), "{shell}");
    }
    let unknown = machine.run(&["completions", "cmd"]);
    assert_eq!(unknown.code, Some(1), "{}", unknown.stderr);
}

/// A server that offers tools alone, and says so to everything else.
#[test]
fn what_a_server_does_not_offer_is_its_refusal() {
    let tap = Wiretap::new();
    let tools = r#"{"tools":[{"name":"odd","inputSchema":{"type":"object"}}]}"#;
    let machine = Machine::with_servers(json!({ "odd": scripted(&tap, &[("tools/list", tools)]) }));
    for words in [
        vec!["ping", "odd", "--log-level", "info"],
        vec!["resources", "subscribe", "odd", "odd://x", "--for", "1"],
    ] {
        let ran = machine.run(&[&words[..], &["--json"]].concat());
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(ran.error()["hint"].is_string(), "{words:?}");
    }
}
