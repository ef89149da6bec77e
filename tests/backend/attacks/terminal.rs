//! Servers whose answers try to drive the terminal, or to look like something else on it.

use serde_json::json;
use sightglass_tests::{programs::scripted, wiretap::Wiretap};

use crate::command_line::Machine;

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
