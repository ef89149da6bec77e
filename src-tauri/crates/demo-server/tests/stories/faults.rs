//! Failures on purpose, and how the process ends.

use crate::support::{Lines, command, text_of};
use serde_json::{Value, json};

const INITIALIZE: &str = "initialize";

fn parameters() -> Value {
    json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} })
}

#[test]
fn help_and_version_are_printed_and_mistakes_exit_with_two() {
    let help = command(&["--help"]).output().unwrap();
    assert!(help.status.success());
    assert!(String::from_utf8(help.stdout).unwrap().contains("--fault"));
    assert!(command(&["--version"]).output().unwrap().status.success());
    let mistake = command(&["--nonsense"]).output().unwrap();
    assert_eq!(mistake.status.code(), Some(2));
    assert!(
        String::from_utf8(mistake.stderr)
            .unwrap()
            .contains("--nonsense")
    );
}

#[test]
fn exit_says_why_and_ends_with_the_code_asked_for() {
    let server = Lines::start(&[
        "--fault",
        "exit",
        "--exit-code",
        "7",
        "--stderr",
        "no license",
    ]);
    let (status, lines, stderr) = server.end();
    assert_eq!(status.code(), Some(7));
    assert!(lines.is_empty());
    assert_eq!(stderr, "no license\n");
}

#[test]
fn exit_after_initialize_answers_once_and_is_gone() {
    let mut server = Lines::start(&["--fault", "exit-after-initialize", "--exit-code", "9"]);
    assert!(server.request(INITIALIZE, parameters())["result"].is_object());
    server.ask("tools/list", json!({}));
    let status = server.child.wait().unwrap();
    assert_eq!(status.code(), Some(9));
}

#[test]
fn hanging_faults_leave_everything_else_answered() {
    let mut server = Lines::start(&["--fault", "hang-initialize"]);
    server.ask(INITIALIZE, parameters());
    server.ask(
        "server/discover",
        crate::support::modern_params(json!({}), json!({})),
    );
    let ping = server.ask("ping", json!({}));
    server.answer(ping);
    assert!(server.seen.is_empty());

    let mut server = Lines::initialized(&["--fault", "hang-tools"], json!({}));
    server.ask("tools/list", json!({}));
    assert!(server.request("prompts/list", json!({}))["result"].is_object());
    assert!(server.seen.is_empty());
}

#[test]
fn a_spoilt_handshake_is_spoilt_in_the_way_asked_for() {
    let mut server = Lines::start(&["--fault", "bad-json"]);
    server.ask(INITIALIZE, parameters());
    assert!(serde_json::from_str::<Value>(&server.line()).is_err());

    let mut server = Lines::start(&["--fault", "wrong-version"]);
    assert_eq!(
        server.request(INITIALIZE, parameters())["result"]["protocolVersion"],
        "1999-12-31"
    );
    let discovered = server.modern("server/discover", json!({}), json!({}));
    assert_eq!(
        discovered["result"]["supportedVersions"],
        json!(["1999-12-31"])
    );

    let mut server = Lines::start(&["--fault", "refuse-initialize"]);
    assert_eq!(
        server.request(INITIALIZE, parameters())["error"]["code"],
        -32603
    );
    assert_eq!(
        server.modern("server/discover", json!({}), json!({}))["error"]["code"],
        -32603
    );
}

#[test]
fn one_malformed_tool_stands_among_good_ones() {
    let mut server = Lines::initialized(&["--fault", "malformed-tool"], json!({}));
    let list = server.request("tools/list", json!({}));
    let tools = list["result"]["tools"].as_array().unwrap();
    let malformed = tools
        .iter()
        .filter(|tool| !tool["name"].is_string())
        .count();
    assert_eq!((malformed, tools.len()), (1, 10));
}

#[test]
fn the_crash_tool_ends_the_process_without_an_answer() {
    let mut server = Lines::initialized(&[], json!({}));
    server.ask(
        "tools/call",
        json!({ "name": "crash", "arguments": { "exit_code": 33, "stderr": "out of memory" } }),
    );
    assert_eq!(server.child.wait().unwrap().code(), Some(33));
    let (_, lines, stderr) = server.end();
    assert!(lines.is_empty());
    assert_eq!(stderr, "out of memory\n");
}

#[test]
fn stray_lines_come_before_the_answer_and_most_are_no_messages() {
    let mut server = Lines::initialized(&[], json!({}));
    let id = server.ask(
        "tools/call",
        json!({ "name": "stray_stdout", "arguments": {} }),
    );
    let mut stray = Vec::new();
    let answer = loop {
        let line = server.line();
        match serde_json::from_str::<Value>(&line) {
            Ok(value) if value["id"] == json!(id) => break value,
            _ => stray.push(line),
        }
    };
    assert_eq!(
        text_of(&answer),
        format!("{} stray lines came before this.", stray.len())
    );
    assert!(
        stray
            .iter()
            .any(|line| serde_json::from_str::<Value>(line).is_err())
    );
    assert!(stray.iter().any(|line| line.contains("nobody-asked")));
}

#[test]
fn malformed_results_are_malformed_in_the_way_asked_for() {
    let mut server = Lines::initialized(&[], json!({}));
    let mut raw = |kind: &str| {
        server.ask(
            "tools/call",
            json!({ "name": "malformed_result", "arguments": { "kind": kind } }),
        );
        server.line()
    };
    assert!(raw("content_not_array").contains(r#""content":"not an array""#));
    assert!(raw("null_result").ends_with(r#""result":null}"#));
    assert!(raw("wrong_jsonrpc_version").contains(r#""jsonrpc":"1.0""#));
    assert!(raw("unknown_id").contains("no-such-request"));
    assert!(serde_json::from_str::<Value>(&raw("invalid_json")).is_err());
    let both: Value = serde_json::from_str(&raw("result_and_error")).unwrap();
    assert!(both.get("result").is_some() && both.get("error").is_some());
}

#[test]
fn a_duplicate_response_has_the_same_id_twice() {
    let mut server = Lines::initialized(&[], json!({}));
    let id = server.ask(
        "tools/call",
        json!({ "name": "duplicate_response", "arguments": {} }),
    );
    assert_eq!(text_of(&server.answer(id)), "The first answer.");
    assert_eq!(text_of(&server.answer(id)), "The second answer.");
}

#[test]
fn the_environment_is_masked_unless_asked_for() {
    let mut server = Lines::initialized(&[], json!({}));
    let mut path = |show: bool| {
        let arguments = json!({ "names": ["PATH"], "show_values": show });
        server.call("environment", arguments)["result"]["structuredContent"]["variables"]["PATH"]
            .clone()
    };
    assert_eq!(path(false), "•••");
    assert_eq!(path(true), std::env::var("PATH").unwrap());
}

#[test]
fn closing_stdin_ends_the_server_with_success() {
    let server = Lines::initialized(&[], json!({}));
    let (status, _, stderr) = server.end();
    assert!(status.success());
    assert_eq!(stderr, "");
}

#[cfg(unix)]
#[allow(
    clippy::disallowed_methods,
    reason = "the tests send signals with kill(1)"
)]
mod unix {
    use std::process::Command;

    use super::*;

    fn signal(name: &str, pid: u32) {
        let status = Command::new("kill")
            .args([name, &pid.to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }

    fn is_alive(pid: u32) -> bool {
        Command::new("kill")
            .args(["-0", &pid.to_string()])
            .output()
            .unwrap()
            .status
            .success()
    }

    #[test]
    fn a_server_may_ignore_sigterm_and_the_end_of_stdin() {
        let mut server = Lines::initialized(&["--ignore-sigterm", "--ignore-eof"], json!({}));
        signal("-TERM", server.child.id());
        assert!(server.request("ping", json!({}))["result"].is_object());
        server.close_stdin();
        signal("-TERM", server.child.id());
        assert!(is_alive(server.child.id()));
        assert!(server.child.try_wait().unwrap().is_none());
    }

    #[test]
    fn a_forked_child_outlives_the_server() {
        use std::io::{BufRead, BufReader};

        let mut server = Lines::initialized(&["--fork-child"], json!({}));
        let mut line = String::new();
        BufReader::new(server.child.stderr.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let child: u32 = line
            .trim()
            .strip_prefix("child process: ")
            .unwrap()
            .parse()
            .unwrap();
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        assert!(is_alive(child));
        signal("-KILL", child);
    }
}
