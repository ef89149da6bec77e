//! Servers whose answers try to drive the terminal, or to look like something else on it.

use serde_json::json;
use sightglass_tests::{programs::scripted, wiretap::Wiretap};

use crate::{
    command_line::Machine,
    requests::{call, expect},
};

const TOOLS: &str = r#"{"tools":[{"name":"odd","inputSchema":{"type":"object"}}]}"#;

/// CSI as one character (C1), a right-to-left override, DEL.
const ATTACK: &str = "a\u{9b}2Jb\u{202e}c\u{7f}";

fn is_raw(character: char) -> bool {
    matches!(character, '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn control_characters_of_an_answer_reach_no_terminal_and_the_json_says_the_same() {
    let tap = Wiretap::new();
    let answer = json!({
        "content": [{ "type": "text", "text": ATTACK }],
        "structuredContent": { ATTACK: ATTACK },
    });
    let answer = answer.to_string();
    let entry = scripted(&tap, &[("tools/list", TOOLS), ("tools/call", &answer)]);
    let machine = Machine::with_servers(json!({ "odd": entry }));
    let call = ["tools", "call", "odd", "odd", "{}"];
    let as_json = machine.run(&[&call[..], &["--json"]].concat());
    assert_eq!(as_json.code, Some(0), "{}", as_json.stderr);
    assert!(!as_json.stdout.contains(is_raw), "{:?}", as_json.stdout);
    assert!(as_json.stdout.contains("\\u009b"), "{:?}", as_json.stdout);
    assert_eq!(as_json.result()["content"][0]["text"], ATTACK);
    let text = machine.run(&call);
    assert_eq!(text.code, Some(0), "{}", text.stderr);
    assert!(!text.stdout.contains(is_raw), "{:?}", text.stdout);
    assert!(
        text.stdout.contains("a\\u{9b}2Jb\\u{202e}c"),
        "{:?}",
        text.stdout
    );
}

#[test]
fn an_answer_to_another_method_is_as_harmless() {
    let tap = Wiretap::new();
    let answer = json!({ "content": [{ "type": "text", "text": ATTACK }], "isError": true });
    let answer = answer.to_string();
    let entry = scripted(&tap, &[("tools/list", TOOLS), ("tools/call", &answer)]);
    let machine = Machine::with_servers(json!({ "odd": entry }));
    for options in [&[][..], &["--json"], &["--verbose"]] {
        let words = [&["tools", "call", "odd", "odd", "{}"], options].concat();
        let ran = machine.run(&words);
        assert!(
            !ran.stdout.contains(is_raw),
            "{options:?}: {:?}",
            ran.stdout
        );
        assert!(
            !ran.stderr.contains(is_raw),
            "{options:?}: {:?}",
            ran.stderr
        );
    }
}

/// The runner of GitHub Actions obeys lines that begin with `::`, and `##[` anywhere in a line.
#[test]
fn an_answer_is_no_command_to_a_runner() {
    const COMMANDS: &str = "x\n::set-output name=deploy::yes\n  ::stop-commands::z\n##[add-mask]x";
    let tap = Wiretap::new();
    let answer = json!({ "content": [{ "type": "text", "text": COMMANDS }] }).to_string();
    let entry = scripted(&tap, &[("tools/list", TOOLS), ("tools/call", &answer)]);
    let machine = Machine::with_servers(json!({ "odd": entry }));
    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    let requests = machine.path("project/.sightglass/requests");
    std::fs::create_dir_all(&requests).expect("made");
    let request = call("odd", "{}", &expect("text", "equals", "\"y\""));
    let request = request.replace("server = \"demo\"", "server = \"odd\"");
    std::fs::write(requests.join("a.toml"), request).expect("written");
    let called = ["tools", "call", "odd", "odd", "{}"];
    for words in [
        &called[..],
        &[&called[..], &["--json"]].concat(),
        &[&called[..], &["--verbose"]].concat(),
        &["test"],
        &["test", "--json"],
    ] {
        let mut command = machine.command(words);
        let output = command.env("GITHUB_ACTIONS", "true").output();
        let output = output.expect("it starts");
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            let obeyed = text.lines().find(|line| {
                let is_annotation = line.starts_with("::error file=");
                !is_annotation && (line.trim_start().starts_with("::") || line.contains("##["))
            });
            assert_eq!(obeyed, None, "{words:?}: {text}");
        }
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.contains("set-output"), "{words:?}: {shown}");
    }
}

#[cfg(unix)]
#[test]
fn the_name_of_a_file_cannot_drive_the_terminal() {
    let demo = sightglass_tests::programs::own("sightglass-demo-server");
    let machine = Machine::with_servers(json!({ "demo": { "command": demo } }));
    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
    let requests = machine.path("project/.sightglass/requests");
    std::fs::create_dir_all(&requests).expect("made");
    let expected = expect("text", "equals", "\"y\"") + &expect("text", "snapshot", "");
    let request = call("echo", r#"{"message":"x"}"#, &expected);
    std::fs::write(requests.join(format!("{ATTACK}\u{1b}[2J.toml")), request).expect("written");
    for words in [&["test"][..], &["test", "--update"]] {
        let ran = machine.run(words);
        assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
        for text in [&ran.stdout, &ran.stderr] {
            assert!(
                !text.contains(is_raw) && !text.contains('\u{1b}'),
                "{text:?}"
            );
        }
    }
}
