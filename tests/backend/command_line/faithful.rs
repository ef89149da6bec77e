//! Results are printed as they came, and arguments arrive as they were typed.

use serde_json::{Value, json};
use sightglass_tests::{
    programs::{scripted, scripted_in_bytes},
    wiretap::Wiretap,
};

use super::{Machine, Ran};

const TOOLS: &str = r#"{"tools":[{"name":"odd","inputSchema":{"type":"object"}}]}"#;

/// Runs a command on a server of this entry.
fn run_on(entry: &Value, words: &[&str]) -> Ran {
    let machine = Machine::with_servers(json!({ "odd": entry }));
    let (command, rest) = words.split_at(2);
    machine.run(&[command, &["odd"], rest].concat())
}

#[test]
fn numbers_repeated_members_and_deep_nesting_are_printed_as_they_came() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let answer = format!(
        r#"{{"content":[{{"type":"text","text":"x"}}],"n":9007199254740993,"f":0.10, "n":1e400,"structuredContent":{{"d":{deep}}}}}"#
    );
    let tap = Wiretap::new();
    let entry = scripted(&tap, &[("tools/list", TOOLS), ("tools/call", &answer)]);
    let call = ["tools", "call", "odd", "{}"];
    let ran = run_on(&entry, &[&call[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, format!("{answer}\n"));
    let text = run_on(&entry, &call);
    assert_eq!(text.code, Some(0), "{}", text.stderr);
    assert!(text.stdout.starts_with("x\n"), "{}", &text.stdout[..100]);
    assert!(text.stdout.contains("Structured content:"));
}

#[test]
fn an_answer_that_is_not_text_is_printed_as_far_as_it_is_and_ends_with_an_error() {
    let tap = Wiretap::new();
    let answer = b"{\"content\":[{\"type\":\"text\",\"text\":\"caf\xe9\"}]}";
    let entry = scripted_in_bytes(
        &tap,
        &[("tools/list", TOOLS.as_bytes()), ("tools/call", answer)],
    );
    let ran = run_on(&entry, &["tools", "call", "odd", "{}", "--json"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.result()["content"][0]["text"], "caf\u{fffd}");
    assert_eq!(ran.error()["code"], "protocol");
}

/// Words that look like options of ours are values where a value stands, and what a tool, a URI
/// or a prompt is called may begin with anything.
#[test]
fn values_that_look_like_options_reach_the_server() {
    let machine = Machine::new();
    let call = |words: &[&str]| {
        let words = [&["tools", "call", "echo_arguments"], words].concat();
        machine.demo(&words, &[])
    };
    for (words, arrives) in [
        (vec!["n:=-5"], r#"{"n":-5}"#),
        (vec!["s:=--foo"], r#"{"s":"--foo"}"#),
        (vec!["--foo:=1"], r#"{"--foo":1}"#),
        (vec!["-v:=1"], r#"{"-v":1}"#),
        (vec!["--json:=1"], r#"{"--json":1}"#),
        (vec!["s:="], r#"{"s":""}"#),
        (vec!["s:= two  words "], r#"{"s":" two  words "}"#),
        (vec!["a:=b:=c"], r#"{"a":"b:=c"}"#),
        (vec![r#"{"a": -5,"b":"--"}"#], r#"{"a": -5,"b":"--"}"#),
    ] {
        let ran = call(&words);
        assert_eq!(
            ran.stdout,
            format!("{arrives}\n"),
            "{words:?}: {}",
            ran.stderr
        );
    }
    let prompt = [
        "prompts",
        "get",
        "repository",
        "user=--json",
        "repository=-v",
    ];
    let ran = machine.demo(&prompt, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("--json") && ran.stdout.contains("-v"));
    let uri = machine.demo(&["resources", "read", "-odd:uri", "--json"], &[]);
    assert_eq!(uri.code, Some(2), "the server was asked: {}", uri.stderr);
    let tool = machine.demo(&["tools", "call", "-5", "{}", "--json"], &[]);
    assert_eq!(tool.code, Some(2), "the server was asked: {}", tool.stderr);
}
