//! A project whose request files attack the user who opens it.

use std::{fs, os::unix::fs::symlink};

use sightglass_inspector::{
    CaseError, Secret, Verdict, annotations, junit,
    view::{RequestDraftFile, RequestRunOptions},
};
use sightglass_tests::{TestHost, configuring::program, programs};

use crate::requests::{approve, call, case, demo, expect, host_with, run, run_with};

/// Links of a project lead to no file of the user's: not to read it, write it, move it or send it.
#[tokio::test(flavor = "multi_thread")]
async fn links_in_the_folder_lead_nowhere() {
    let ask = call(
        "echo",
        r#"{"message":"x"}"#,
        &expect("text", "snapshot", ""),
    );
    let host = host_with(&[("requests/ask.toml", ask.clone())]);
    let home = host.project().join("../home/private");
    fs::create_dir_all(&home).expect("made");
    fs::write(home.join("theirs.toml"), &ask).expect("written");
    fs::write(home.join("kept.json"), r#"{"text":"kept private"}"#).expect("written");
    fs::write(home.join("token.toml"), "token = \"of-the-user\"").expect("written");
    let requests = host.inspector.tests.files.requests_directory();
    symlink(&home, requests.join("folder")).expect("linked");
    symlink(home.join("theirs.toml"), requests.join("file.toml")).expect("linked");
    symlink(home.join("kept.json"), requests.join("ask.snap.json")).expect("linked");
    let environments = host.project().join(".sightglass/environments");
    fs::create_dir(&environments).expect("made");
    symlink(home.join("token.toml"), environments.join("dev.toml")).expect("linked");

    let inspector = &host.inspector;
    let shown: Vec<String> = inspector
        .tests
        .files
        .requests()
        .requests
        .iter()
        .map(|request| request.path.to_string())
        .collect();
    assert_eq!(shown, ["ask.toml"]);
    assert!(inspector.tests.files.requests().environments.is_empty());
    for path in ["folder/theirs.toml", "file.toml"] {
        assert!(inspector.tests.files.request_text(path).is_err(), "{path}");
        assert!(
            inspector.tests.files.update_request(path, "x", "").is_err(),
            "{path}"
        );
        assert!(
            inspector.tests.files.rename_request(path, "x").is_err(),
            "{path}"
        );
        assert!(
            inspector.tests.files.delete_request(path).is_err(),
            "{path}"
        );
        assert!(
            inspector
                .tests
                .files
                .move_request(path, "mine.toml")
                .is_err(),
            "{path}"
        );
    }
    assert!(
        inspector
            .tests
            .files
            .move_request("ask.toml", "folder/new.toml")
            .is_err()
    );
    for (from, to) in [
        ("folder", "mine"),
        ("folder/inner", "mine"),
        ("mine", "folder/inner"),
    ] {
        assert!(
            inspector.tests.files.move_request_folder(from, to).is_err(),
            "{from} {to}"
        );
    }
    let draft = RequestDraftFile {
        folder: "folder".into(),
        name: "new".into(),
        server: TestHost::id("demo"),
        method: "ping".into(),
        params: "{}".into(),
    };
    let refused = inspector
        .tests
        .files
        .create_request(&draft)
        .expect_err("a link");
    assert!(refused.to_string().contains("is a link"), "{refused}");
    let dev = RequestRunOptions {
        environment: Some("dev".into()),
        ..RequestRunOptions::default()
    };
    let refused = inspector
        .tests
        .runs
        .run_requests(&requests, &dev, &|_| {}, &Default::default())
        .await
        .expect_err("a link");
    assert!(refused.to_string().contains("is a link"), "{refused}");
    for update in [false, true] {
        let options = RequestRunOptions {
            update,
            ..RequestRunOptions::default()
        };
        let report = run_with(&host, options).await;
        let ask = case(&report, "ask.toml");
        assert_eq!(ask.error, Some(CaseError::Request), "{ask:?}");
        assert!(!format!("{ask:?}").contains("kept private"), "{ask:?}");
    }
    let left = fs::read_to_string(home.join("kept.json")).expect("there");
    assert_eq!(left, r#"{"text":"kept private"}"#);
    assert_eq!(fs::read_dir(&home).expect("there").count(), 3);
}

/// The directory of the requests is itself a link out of the project.
#[tokio::test(flavor = "multi_thread")]
async fn a_directory_that_is_elsewhere_is_not_used() {
    let host = host_with(&[]);
    let home = host.project().join("../home/private");
    fs::create_dir_all(&home).expect("made");
    symlink(&home, host.project().join(".sightglass")).expect("linked");
    let view = host.inspector.tests.files.requests();
    let problem = view.problem.expect("a problem");
    assert!(problem.contains("a link out of the project"), "{problem}");
    let draft = RequestDraftFile {
        folder: String::new(),
        name: "new".into(),
        server: TestHost::id("demo"),
        method: "ping".into(),
        params: "{}".into(),
    };
    assert!(host.inspector.tests.files.create_request(&draft).is_err());
    assert_eq!(fs::read_dir(&home).expect("there").count(), 0);
}

/// Files that would keep the program busy for hours, or end it.
#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_bombs_are_judged_or_refused_at_once() {
    let doubling: String = (0..40)
        .map(|level| {
            let next = level + 1;
            format!(
                r##""d{level}":{{"allOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]}},"##
            )
        })
        .collect();
    let schema = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{doubling}"d40":{{}}}}}}"##);
    let deep = format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100));
    let check = |rest: &str| call("echo_arguments", &format!(r#"{{"value":{deep}}}"#), rest);
    let to_json = |value: &str, is: &str, json: &str| {
        format!("[[expect]]\nvalue = \"{value}\"\nis = \"{is}\"\nto_json = '''{json}'''\n")
    };
    let host = host_with(&[
        (
            "requests/path.toml",
            check(&expect("$..*..*..*..*..*..*..*", "exists", "")),
        ),
        (
            "requests/nested-path.toml",
            check(&expect(
                &format!("$[?{}@.a]", "(".repeat(500)),
                "exists",
                "",
            )),
        ),
        (
            "requests/pattern.toml",
            check(&expect("text", "matches", "\"((a{100}){100}){100}\"")),
        ),
        (
            "requests/schema.toml",
            check(&to_json("text", "schema", &schema)),
        ),
        (
            "requests/remote-schema.toml",
            check(&to_json(
                "text",
                "schema",
                r#"{"$ref":"file:///etc/passwd"}"#,
            )),
        ),
        (
            "requests/deep.toml",
            format!(
                "format = 1\nserver = {}1{}\n",
                "[".repeat(50_000),
                "]".repeat(50_000)
            ),
        ),
        (
            "requests/deep-params.toml",
            call(
                "echo",
                &format!("{}{}", "[".repeat(50_000), "]".repeat(50_000)),
                "",
            ),
        ),
        ("requests/huge.toml", "#".repeat(2 << 20)),
        ("requests/good.toml", call("echo", r#"{"message":"x"}"#, "")),
    ]);
    let report = run(&host).await;
    for case in &report.cases {
        let expected = case.path.as_str() == "good.toml";
        assert_eq!(case.verdict == Verdict::Passed, expected, "{case:#?}");
    }
    assert_eq!(report.cases.len(), 9);
}

/// A value that was approved for one server goes to no other by way of what that one answers.
#[tokio::test(flavor = "multi_thread")]
async fn an_echoed_secret_is_neither_handed_on_nor_shown() {
    let other = programs::own("sightglass-demo-server");
    let servers = serde_json::json!({
        "demo": demo()["demo"],
        "other": { "command": other },
    });
    let host = TestHost::with_environment(servers, [("TOKEN", "hunter2-of-the-user")]);
    let requests = host.inspector.tests.files.requests_directory();
    let echo =
        |message: &str, rest: &str| call("echo", &format!(r#"{{"message":"{message}"}}"#), rest);
    host.write(
        &requests.join("1.toml"),
        &echo(
            "{{env.TOKEN}}",
            "[capture]\ntoken = \"$.content[0].text\"\n",
        ),
    );
    host.write(
        &requests.join("2.toml"),
        &echo("{{token}}", "").replace("server = \"demo\"", "server = \"other\""),
    );
    // Back to the server that has it already, and into a report.
    let nothing = expect("text", "equals", "\"nothing\"");
    host.write(&requests.join("3.toml"), &echo("{{token}}", &nothing));
    host.write(
        &requests.join("4.toml"),
        &echo("{{token}}", &nothing).replace("server =", "era = \"legacy\"\nserver ="),
    );
    approve(&host);
    let report = run(&host).await;
    assert_eq!(
        case(&report, "1.toml").verdict,
        Verdict::Passed,
        "{report:#?}"
    );
    let handed_on = case(&report, "2.toml");
    assert_eq!(handed_on.error, Some(CaseError::Request), "{handed_on:?}");
    let reason = handed_on.reason.as_deref().unwrap_or_default();
    assert!(reason.contains("approved for another server"), "{reason}");
    for path in ["3.toml", "4.toml"] {
        assert_eq!(case(&report, path).verdict, Verdict::Failed, "{report:#?}");
    }
    for text in [
        serde_json::to_string(&report).expect("JSON"),
        junit(&report).expect("XML"),
        annotations(&report, "requests"),
    ] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

/// Answers with what it is sent, in a form that shares no character with it, and writes down what it
/// gets.
const HEXADECIMAL: &str = r#"
import json, sys
with open(sys.argv[1], "a") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
        if message["method"] == "initialize":
            answer["result"] = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "hexadecimal", "version": "1"},
            }
        elif message["method"] == "tools/list":
            answer["result"] = {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}
        elif message["method"] == "tools/call":
            text = message["params"]["arguments"]["message"].encode().hex()
            answer["result"] = {"content": [{"type": "text", "text": text}]}
        print(json.dumps(answer), flush=True)
"#;

/// A server that was sent a private value can give it back in any form, at any time.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_answers_after_it_was_sent_a_private_value_goes_to_no_other() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let log = |name: &str| directory.path().join(name);
    let entry = |name: &str| {
        serde_json::json!({
            "command": "python3", "args": ["-c", HEXADECIMAL, log(name)], "era": "legacy",
        })
    };
    let servers = serde_json::json!({ "one": entry("one"), "other": entry("other") });
    let host = TestHost::with_environment(servers, [("TOKEN", "hunter2-of-the-user")]);
    let requests = host.inspector.tests.files.requests_directory();
    let write = |path: &str, server: &str, message: &str, captured: &str| {
        let capture = match captured {
            "" => String::new(),
            name => format!("[capture]\n{name} = \"$.content[0].text\"\n"),
        };
        let arguments = format!(r#"{{"message":"{message}"}}"#);
        let text = call("echo", &arguments, &capture);
        let server = format!("server = \"{server}\"");
        host.write(
            &requests.join(path),
            &text.replace("server = \"demo\"", &server),
        );
    };
    // Before it is sent anything private, what it answers is anybody's.
    write("1.toml", "one", "plain", "before");
    write("2.toml", "other", "{{before}}", "");
    write("3.toml", "one", "{{env.TOKEN}}", "at_once");
    write("4.toml", "one", "later", "afterwards");
    write("5.toml", "other", "{{at_once}}", "");
    write("6.toml", "other", "{{afterwards}}", "");
    write("7.toml", "one", "{{at_once}}", "");
    // The same server by another name.
    write("8.toml", "mcp-json:one", "{{afterwards}}", "by_id");
    write("9.toml", "other", "{{by_id}}", "");
    approve(&host);
    let report = run(&host).await;
    for path in ["1.toml", "2.toml", "3.toml", "4.toml", "7.toml", "8.toml"] {
        assert_eq!(case(&report, path).verdict, Verdict::Passed, "{report:#?}");
    }
    for path in ["5.toml", "6.toml", "9.toml"] {
        let refused = case(&report, path);
        assert_eq!(refused.error, Some(CaseError::Request), "{refused:?}");
        let reason = refused.reason.as_deref().unwrap_or_default();
        for part in ["{{env.TOKEN}}", "one", "not sent to other", "To allow it"] {
            assert!(reason.contains(part), "{part}: {reason}");
        }
    }
    let hexadecimal =
        |text: &str| -> String { text.bytes().map(|byte| format!("{byte:02x}")).collect() };
    let got = |name: &str| fs::read_to_string(log(name)).expect("it wrote");
    assert!(got("one").contains("hunter2-of-the-user"));
    assert!(got("one").contains(&hexadecimal("hunter2-of-the-user")));
    assert!(got("other").contains(&hexadecimal("plain")));
    for unwanted in ["hunter2-of-the-user", "later"] {
        assert!(!got("other").contains(&hexadecimal(unwanted)), "{unwanted}");
    }

    // What the message says allows it.
    write("5.toml", "other", "{{at_once}} {{env.TOKEN}}", "");
    approve(&host);
    let report = run(&host).await;
    let allowed = case(&report, "5.toml");
    assert_eq!(allowed.verdict, Verdict::Passed, "{report:#?}");
    assert!(got("other").contains(&hexadecimal("hunter2-of-the-user")));
}

/// What is approved is what runs: a file that changes in between asks again.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changes_after_its_approval_does_not_run() {
    let host = TestHost::with_environment(demo(), [("TOKEN", "hunter2-of-the-user")]);
    let path = host
        .inspector
        .tests
        .files
        .requests_directory()
        .join("a.toml");
    let program = programs::own("sightglass-demo-server");
    let text = |arguments: &str, value: &str| {
        format!(
            "format = 1\nmethod = \"tools/call\"\nparams = '''{{\"name\":\"echo\",\"arguments\":{{\"message\":\"{value}\"}}}}'''\n[server]\ncommand = \"{}\"\nargs = [{arguments}]\n",
            program.display()
        )
    };
    host.write(&path, &text("", "x"));
    approve(&host);
    assert_eq!(run(&host).await.totals.passed, 1);
    for changed in [text("\"--slow\"", "x"), text("", "{{env.TOKEN}}")] {
        host.write(&path, &changed);
        let report = run(&host).await;
        assert_eq!(case(&report, "a.toml").error, Some(CaseError::Approval));
    }
    let secret = text("", "{{secret.KEY}}");
    host.inspector
        .tests
        .runs
        .store_request_secret("KEY", Some(Secret::new("swordfish".into())))
        .await
        .expect("kept");
    host.write(&path, &secret);
    let report = run(&host).await;
    assert_eq!(case(&report, "a.toml").error, Some(CaseError::Approval));
}

/// Approval of a server is for what connecting to it does: another program under
/// its name asks again.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_becomes_another_one_gets_no_value() {
    let variables = [("TOKEN", "hunter2-of-the-user")];
    let host = TestHost::with_environment(demo(), variables);
    let path = host
        .inspector
        .tests
        .files
        .requests_directory()
        .join("a.toml");
    host.write(&path, &call("echo", r#"{"message":"{{env.TOKEN}}"}"#, ""));
    approve(&host);
    assert_eq!(run(&host).await.totals.passed, 1);
    let other = serde_json::json!({ "mcpServers": { "demo": {
        "command": demo()["demo"]["command"],
        "args": ["--slow"],
    } } });
    let file = host.project().join(".claude/.mcp.json");
    host.write(&file, &other.to_string());
    let demo = TestHost::id("demo");
    // The user takes the entry for a good one, and is not told of the request.
    host.eventually("the changed entry", || host.approves(&demo))
        .await;
    let report = run(&host).await;
    let refused = case(&report, "a.toml");
    assert_eq!(refused.error, Some(CaseError::Approval), "{refused:?}");
    let rows = host.traffic("method:tools/call", &[]).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
}

/// Sends nothing that a server answered after it was sent a value to what takes its place, either.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_becomes_another_one_gets_nothing_captured() {
    let variables = [("TOKEN", "hunter2-of-the-user")];
    let servers = serde_json::json!({
        "demo": demo()["demo"], "asked": { "command": demo()["demo"]["command"] },
    });
    let host = TestHost::with_environment(servers, variables);
    let requests = host.inspector.tests.files.requests_directory();
    let of_asked = |text: String| text.replace("server = \"demo\"", "server = \"asked\"");
    let capture = "[capture]\necho = \"$.content[0].text\"\n";
    let ask = call("echo", r#"{"message":"{{env.TOKEN}}"}"#, capture);
    host.write(&requests.join("1.toml"), &of_asked(ask));
    let allow = call("echo", r#"{"message":"{{env.TOKEN}}"}"#, "");
    host.write(&requests.join("2.toml"), &allow);
    let hand_on = call("echo", r#"{"message":"{{echo}}"}"#, "");
    host.write(&requests.join("3.toml"), &hand_on);
    approve(&host);
    let report = run(&host).await;
    assert_eq!(report.totals.passed, 3, "{report:#?}");

    std::fs::remove_file(requests.join("2.toml")).expect("removed");
    let mut other = demo();
    other["demo"]["args"] = serde_json::json!(["--slow"]);
    other["asked"] = demo()["demo"].clone();
    let file = host.project().join(".claude/.mcp.json");
    let text = serde_json::json!({ "mcpServers": other }).to_string();
    host.write(&file, &text);
    let demo = TestHost::id("demo");
    host.eventually("the changed entry", || host.approves(&demo))
        .await;
    approve(&host);
    let report = run(&host).await;
    let handed_on = case(&report, "3.toml");
    assert_ne!(handed_on.verdict, Verdict::Passed, "{handed_on:?}");
    let calls = host.traffic("method:tools/call server:demo", &[]).await;
    assert_eq!(calls.len(), 2, "{calls:?}");
}

/// A server that is not saved is another one as soon as it is tried again.
#[tokio::test(flavor = "multi_thread")]
async fn another_server_that_is_tried_under_the_name_gets_no_value() {
    let variables = [("TOKEN", "hunter2-of-the-user")];
    let host = TestHost::with_environment(serde_json::json!({}), variables);
    let command = programs::own("sightglass-demo-server")
        .display()
        .to_string();
    let draft = |arguments: &[&str]| program("mine", &command, arguments);
    let tried = host
        .inspector
        .servers
        .lifecycle
        .try_server(draft(&[]))
        .await
        .expect("it starts");
    let ask = call("echo", r#"{"message":"{{env.TOKEN}}"}"#, "");
    let ask = ask.replace("server = \"demo\"", &format!("server = \"{tried}\""));
    let path = host
        .inspector
        .tests
        .files
        .requests_directory()
        .join("a.toml");
    host.write(&path, &ask);
    approve(&host);
    assert_eq!(run(&host).await.totals.passed, 1);
    let again = host
        .inspector
        .servers
        .lifecycle
        .try_server(draft(&["--slow"]))
        .await;
    assert_eq!(again.expect("it starts"), tried);
    let report = run(&host).await;
    let refused = case(&report, "a.toml");
    assert_eq!(refused.error, Some(CaseError::Approval), "{refused:?}");
    let rows = host.traffic("method:tools/call", &[]).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
}
