//! What scripts need: a search in all servers, arguments out of files, output that is cut, advice after
//! a mistyped name, and lines that come as things change.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
};

use serde_json::{Value, json};
use sightglass_tests::programs;

use super::Machine;

fn demo() -> Value {
    json!({ "command": programs::own("sightglass-demo-server") })
}

#[test]
fn all_servers_are_searched_and_one_that_fails_is_told() {
    let machine = Machine::with_servers(json!({
        "one": demo(),
        "two": demo(),
        "missing": { "command": "no-such-program-anywhere" },
        "off": { "command": "no-such-program-anywhere", "disabled": true },
    }));
    let ran = machine.run(&["grep", "ECHO", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let result = ran.result();
    let matches = result["matches"].as_array().expect("a list");
    let tools: Vec<(&str, &str)> = matches
        .iter()
        .filter(|found| found["kind"] == "tool" && found["name"] == "echo")
        .filter_map(|found| Some((found["server"].as_str()?, found["foundIn"][0].as_str()?)))
        .collect();
    assert_eq!(
        tools,
        [("mcp-json:one", "name"), ("mcp-json:two", "name")],
        "{result}"
    );
    assert_eq!(result["servers"], 2);
    let failures = result["failures"].as_array().expect("a list");
    assert_eq!(failures.len(), 1, "{result}");
    assert_eq!(failures[0]["server"], "mcp-json:missing");
    assert!(failures[0]["hint"].to_string().contains("no-such-program"));

    let text = machine.run(&["grep", "^echo$", "--regex"]);
    assert_eq!(text.code, Some(0), "{}", text.stderr);
    assert!(text.stdout.contains("mcp-json:one"), "{}", text.stdout);
    assert!(text.stderr.contains("no-such-program"), "{}", text.stderr);
}

#[test]
fn a_search_is_about_the_servers_that_are_named_and_says_what_is_wrong() {
    let machine = Machine::with_servers(json!({ "one": demo(), "two": demo() }));
    let one = machine.run(&["grep", "demo://clock", "two", "--json"]);
    let result = one.result();
    assert_eq!(result["servers"], 1, "{result}");
    assert_eq!(result["matches"][0]["uri"], "demo://clock", "{result}");
    let nothing = machine.run(&["grep", "Echo", "two", "--case-sensitive", "--regex"]);
    assert_eq!(nothing.code, Some(0), "{}", nothing.stderr);
    let broken = machine.run(&["grep", "(", "--regex", "--json"]);
    assert_eq!(broken.code, Some(1), "{}", broken.stderr);
    assert_eq!(machine.run(&["grep", "(", "--json"]).code, Some(0));
    let unheard = machine.run(&["grep", "echo", "unheard-of", "--json"]);
    assert_eq!(unheard.code, Some(1), "{}", unheard.stderr);
    // What is meant for one server goes to no other.
    let header = ["--header", "Authorization: Bearer x"];
    let all = machine.run(&[&["grep", "echo"][..], &header].concat());
    assert_eq!(all.code, Some(1), "{}", all.stderr);
    let nowhere = Machine::new().run(&["grep", "echo"]);
    assert_eq!(nowhere.code, Some(1), "{}", nowhere.stderr);
}

#[cfg(unix)]
#[test]
fn a_silent_server_holds_up_no_other() {
    let machine = Machine::with_servers(json!({
        "silent": { "command": "sleep", "args": ["600"] },
        "one": demo(),
    }));
    let mut child = machine
        .command(&["grep", "echo"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let stdout = BufReader::new(child.stdout.take().expect("piped"));
    let found = stdout.lines().map_while(Result::ok).next();
    assert!(found.is_some_and(|line| line.contains("mcp-json:one")));
    assert!(
        child.try_wait().expect("it is a child").is_none(),
        "it waits for the other"
    );
    child.kill().expect("it ends");
    child.wait().expect("it ended");
}

#[test]
fn arguments_come_out_of_files_and_standard_input() {
    let machine = Machine::new();
    let arguments = r#"{"z": 12345678901234567890123, "a": [1.50]}"#;
    fs::write(machine.path("project/given.json"), arguments).expect("written");
    fs::write(machine.path("project/note.txt"), "two\n\"lines\"").expect("written");
    let call = ["tools", "call", "echo_arguments"];
    let whole = machine.demo(&[&call[..], &["@given.json", "--json"]].concat(), &[]);
    assert_eq!(
        whole.result()["content"][0]["text"],
        arguments,
        "{}",
        whole.stderr
    );
    let text = machine.demo(&[&call[..], &["t=@note.txt", "n:=1"]].concat(), &[]);
    assert_eq!(
        text.stdout, "{\"t\":\"two\\n\\\"lines\\\"\",\"n\":1}\n",
        "{}",
        text.stderr
    );
    let input = machine.with_input(&[&call[..], &["-", "--json"]].concat(), arguments);
    assert_eq!(input.result()["content"][0]["text"], arguments);

    let prompt = ["prompts", "get", "repository", "--json"];
    let given = r#"{"user":"Ada Byron","repository":"engine"}"#;
    fs::write(machine.path("project/prompt.json"), given).expect("written");
    for ran in [
        machine.demo(&[&prompt[..], &["@prompt.json"]].concat(), &[]),
        machine.with_input(&[&prompt[..], &["-"]].concat(), given),
    ] {
        let messages = ran.result()["messages"].to_string();
        assert!(messages.contains("Ada Byron"), "{messages}{}", ran.stderr);
    }
    for word in ["@nowhere.json", "a=@nowhere.txt", "@note.txt", "@"] {
        let ran = machine.demo(&[&call[..], &[word, "--json"]].concat(), &[]);
        assert_eq!(ran.code, Some(1), "{word}: {}", ran.stderr);
        assert!(ran.error()["hint"].is_string(), "{word}");
    }
}

#[test]
fn output_is_cut_where_it_is_wanted_and_says_what_is_left() {
    let machine = Machine::new();
    let list = ["tools", "list", "--max-chars", "40"];
    let text = machine.demo(&list, &[]);
    assert_eq!(text.code, Some(0), "{}", text.stderr);
    assert!(text.stdout.contains("characters more"), "{}", text.stdout);
    let whole = machine.demo(&["tools", "list", "--json"], &[]).stdout;
    let cut = machine
        .demo(&[&list[..], &["--json"]].concat(), &[])
        .result();
    let beginning = cut["beginning"].as_str().expect("a text");
    assert!(whole.starts_with(beginning), "{cut}");
    assert_eq!(beginning.chars().count(), 40);
    let all = whole.trim_end().chars().count();
    assert_eq!(cut["left"], json!(all - 40));
    let hint = cut["hint"].to_string();
    assert!(hint.contains(&format!("--max-chars {all}")), "{hint}");
    let all = all.to_string();
    let enough = [&list[..3], &[&all, "--json"]].concat();
    assert!(machine.demo(&enough, &[]).result()["tools"].is_array());
}

#[test]
fn a_mistyped_name_is_told_with_the_one_that_is_near() {
    let machine = Machine::with_servers(json!({ "files": demo() }));
    for (words, question) in [
        (&["ping", "fiels"][..], "Did you mean files?"),
        (
            &["tools", "call", "files", "ehco", "{}"],
            "Did you mean echo?",
        ),
        (&["tools", "get", "files", "ehco"], "Did you mean echo?"),
        (&["toolz", "list"], "'tools'"),
        (&["tools", "lsit", "files"], "'list'"),
    ] {
        let ran = machine.run(&[words, &["--json"]].concat());
        assert_ne!(ran.code, Some(0), "{words:?}");
        let hint = ran.error()["hint"].to_string();
        assert!(hint.contains(question), "{words:?}: {hint}");
    }
}

/// Announces another list of tools, and says something, when a resource is first subscribed to.
const CHANGING: &str = r"
    let tools = [{ name: 'before', inputSchema: { type: 'object' } }];
    const say = (message) =>
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      if (method === 'initialize') {
        const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} };
        const serverInfo = { name: 'changing', version: '1' };
        say({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
      } else if (method === 'tools/list') {
        say({ id, result: { tools } });
      } else if (method === 'resources/list') {
        say({ id, result: { resources: [] } });
      } else if (method === 'resources/subscribe') {
        say({ id, result: {} });
        if (tools[0].name === 'after') return;
        const data = process.env.API_KEY + ' \u009b2J';
        say({ method: 'notifications/message', params: { level: 'info', big: 1, data } });
        tools = [{ name: 'after', inputSchema: { type: 'object' } }];
        say({ method: 'notifications/tools/list_changed' });
      } else {
        say({ id, error: { code: -32601, message: 'no' } });
      }
    });
";

fn changing() -> Value {
    json!({ "command": "node", "args": ["-e", CHANGING], "env": { "API_KEY": "CANARY-key-4711-abcdef" } })
}

#[test]
fn announcements_and_changes_are_told_a_line_each() {
    let machine = Machine::with_servers(json!({ "changing": changing() }));
    let words = ["watch", "changing", "--resource", "x://y", "--count", "3"];
    let ran = machine.run(&[&words[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let of_type =
        |name: &str| -> Vec<&Value> { lines.iter().filter(|line| line["type"] == name).collect() };
    let announced: Vec<&Value> = of_type("notification")
        .iter()
        .map(|line| &line["method"])
        .collect();
    assert_eq!(
        announced,
        ["notifications/message", "notifications/tools/list_changed"],
        "{}",
        ran.stdout
    );
    let changed = of_type("change");
    assert_eq!(changed.len(), 1, "{}", ran.stdout);
    let change = &changed[0]["change"];
    assert_eq!(
        (&change["before"], &change["after"]),
        (&json!("before"), &json!("after"))
    );
    assert_eq!(change["class"], "breaking");
    let text = machine.run(&words);
    assert_eq!(text.code, Some(0), "{}", text.stderr);
    assert!(
        text.stdout.contains("tool before breaking"),
        "{}",
        text.stdout
    );
}

#[test]
fn a_change_of_a_resource_is_told_in_both_eras_until_there_were_enough() {
    let machine = Machine::new();
    let words = [
        "watch",
        "--resource",
        "demo://clock",
        "--count",
        "1",
        "--json",
    ];
    for era in ["legacy", "modern"] {
        let ran = machine.demo(&[&words[..], &["--era", era]].concat(), &[]);
        assert_eq!(ran.code, Some(0), "{era}: {}", ran.stderr);
        assert_eq!(ran.stdout.lines().count(), 1, "{era}: {}", ran.stdout);
    }
    let quiet = machine.demo(&["watch", "--for", "0", "--json"], &[]);
    assert_eq!(quiet.code, Some(0), "{}", quiet.stderr);
}

/// The record masks the secrets that are known, and no character drives the terminal.
#[test]
fn what_is_watched_is_masked_and_harmless() {
    let machine = Machine::with_servers(json!({ "changing": changing() }));
    for options in [&[][..], &["--json"], &["--verbose"]] {
        let words = ["watch", "changing", "--resource", "x://y", "--count", "1"];
        let ran = machine.run(&[&words[..], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        assert!(shown.contains("notifications/message"), "{shown}");
        assert!(!shown.contains("CANARY"), "{shown}");
        assert!(!shown.contains('\u{9b}'), "{shown}");
    }
}
