//! Requests run by `sightglass-cli test`.

use std::{collections::BTreeMap, fs, path::PathBuf, process::Command};

use serde_json::{Value, json};
use sightglass_inspector::view::{Fact, RequestRunEvent, RequestRunOptions};
use sightglass_tests::programs;

use super::{call, expect, host_with};
use crate::command_line::{Machine, validate_junit};

/// Trusts the folder, without which its requests do not run.
fn trust(machine: &Machine) {
    let trusted = machine.run(&["config", "trust", "--yes"]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.stderr);
}

fn project_of_many(machine: &Machine) -> PathBuf {
    let requests = machine.path("project/.sightglass/requests");
    let write = |path: String, text: String| {
        let path = requests.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    };
    for number in 0..100 {
        write(
            format!("demo/{number:03}.toml"),
            call(
                "add",
                &format!(r#"{{"a":{number},"b":1}}"#),
                &expect(
                    "$.structuredContent.sum",
                    "equals",
                    &format!("{}", number + 1),
                ),
            ),
        );
        write(
            format!("everything/{number:03}.toml"),
            call(
                "echo",
                &format!(r#"{{"message":"m{number}"}}"#),
                &expect("text", "contains", &format!("\"m{number}\"")),
            )
            .replace("server = \"demo\"", "server = \"everything\""),
        );
        write(
            format!("files/{number:03}.toml"),
            call(
                "list_allowed_directories",
                "{}",
                &expect("text", "contains", "\"project\""),
            )
            .replace("server = \"demo\"", "server = \"files\""),
        );
    }
    requests
}

#[test]
fn three_hundred_requests_to_three_servers_run_on_the_command_line() {
    let machine = Machine::new();
    let project = fs::canonicalize(machine.path("project")).expect("there");
    let servers = json!({ "mcpServers": {
        "everything": {
            "command": "node",
            "args": [programs::npm_server("@modelcontextprotocol/server-everything"), "stdio"],
        },
        "files": {
            "command": "node",
            "args": [programs::npm_server("@modelcontextprotocol/server-filesystem"), project],
        },
    }});
    fs::write(machine.path("home/.claude/.mcp.json"), servers.to_string()).expect("written");
    project_of_many(&machine);
    trust(&machine);
    let junit = machine.path("junit.xml");
    let junit_text = junit.to_str().expect("UTF-8");
    let ran = machine.run(&["test", "--jobs", "3", "--json", "--junit", junit_text]);
    assert_eq!(
        ran.code,
        Some(0),
        "{}\n{}",
        ran.stdout.chars().take(2000).collect::<String>(),
        ran.stderr
    );
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        report["totals"],
        json!({
            "passed": 300, "failed": 0, "error": 0, "skipped": 0,
            "warning": 0, "overridden": 0, "note": 0, "notApplicable": 0,
        })
    );
    let xml = fs::read_to_string(&junit).expect("written");
    assert!(
        xml.contains("<testsuites name=\"sightglass\" tests=\"300\" skipped=\"0\" failures=\"0\""),
        "{}",
        &xml[..300]
    );
    validate_junit(&junit);
}

/// The window and the command line run the same files, and come to the same verdicts.
#[tokio::test(flavor = "multi_thread")]
async fn the_window_and_the_command_line_judge_alike() {
    let files = [
        ("passes.toml", call("echo", r#"{"message":"x"}"#, "")),
        (
            "fails.toml",
            call(
                "echo",
                r#"{"message":"x"}"#,
                &expect("text", "equals", "\"<y> & ]]>\""),
            ),
        ),
        ("refused.toml", call("result_error", "{}", "")),
        ("skipped.toml", call("crash", "{}", "skip = \"no\"\n")),
        ("broken.toml", "format = 1\n".into()),
        (
            "math/1.toml",
            call(
                "add",
                r#"{"a":1,"b":2}"#,
                "[capture]\nsum = \"$.structuredContent.sum\"\n",
            ),
        ),
        (
            "math/2.toml",
            call(
                "add",
                r#"{"a":{{sum}},"b":1}"#,
                &expect("$.structuredContent.sum", "equals", "4"),
            ),
        ),
    ];
    let machine = Machine::new();
    let host = host_with(&[]);
    for (path, text) in &files {
        for directory in [
            machine.path("project/.sightglass/requests"),
            host.inspector.tests.files.requests_directory(),
        ] {
            host.write(&directory.join(path), text);
        }
    }
    trust(&machine);
    let junit = machine.path("junit.xml");
    let ran = machine.run(&["test", "--json", "--junit", junit.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    validate_junit(&junit);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let by_command_line: BTreeMap<String, String> = report["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| {
            let text = |name: &str| case[name].as_str().expect(name).to_owned();
            (text("path"), text("verdict"))
        })
        .collect();

    let mut facts = host.inspector.subscribe();
    let run = host
        .inspector
        .tests
        .runs
        .start_request_run(RequestRunOptions {
            jobs: 4,
            ..RequestRunOptions::default()
        })
        .expect("it starts");
    let mut by_window = BTreeMap::new();
    'run: loop {
        for event in facts.next_batch().await.expect("open") {
            let Fact::RequestRun { event } = event.fact else {
                continue;
            };
            match *event {
                RequestRunEvent::Finished { run: of, case } if of == run => {
                    let verdict = serde_json::to_value(case.verdict).expect("JSON");
                    let verdict = verdict.as_str().expect("a name").to_owned();
                    by_window.insert(case.path.to_string(), verdict);
                }
                RequestRunEvent::Ended { .. } => break 'run,
                _ => {}
            }
        }
    }
    assert_eq!(by_window, by_command_line);
    let verdicts: Vec<&str> = by_window.values().map(String::as_str).collect();
    assert_eq!(
        verdicts,
        [
            "error", "failed", "passed", "passed", "passed", "failed", "skipped"
        ]
    );
}

/// A report that the disk does not take is told, and no snapshot is half written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let machine = Machine::new();
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let text = call(
        "echo",
        &format!(r#"{{"message":"{}"}}"#, "long ".repeat(200_000)),
        &expect("text", "snapshot", ""),
    );
    fs::write(requests.join("a.toml"), text).expect("written");
    trust(&machine);
    // A limit on the size of files refuses a write as a full disk does, for this process alone.
    let script = format!(
        "trap '' XFSZ; ulimit -f 400; exec {} test --update --json",
        programs::own("sightglass-cli").display()
    );
    let own = machine.command(&[]);
    let variables = own
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    let ran = Command::new("sh")
        .args(["-c", &script])
        .current_dir(machine.path("project"))
        .envs(variables)
        .output()
        .expect("it runs");
    let report: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    assert_eq!(ran.status.code(), Some(1), "{report}");
    let reason = report["cases"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("a.snap.json was not written"), "{reason}");
    let left: Vec<_> = fs::read_dir(&requests)
        .expect("there")
        .map(|entry| entry.expect("readable").file_name())
        .collect();
    assert_eq!(left, ["a.toml"]);
}

#[test]
fn the_command_line_says_what_failed_and_ends_with_5() {
    let machine = Machine::new();
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let write = |name: &str, text: String| fs::write(requests.join(name), text).expect("written");
    write(
        "good.toml",
        call("echo", r#"{"message":"x"}"#, "tags = [\"smoke\"]\n"),
    );
    write(
        "bad.toml",
        call(
            "echo",
            r#"{"message":"x"}"#,
            &expect("text", "equals", "\"y\""),
        ),
    );
    let foreign = machine.run(&["test"]);
    assert_eq!(foreign.code, Some(1), "{}", foreign.stderr);
    assert!(
        foreign.stdout.contains("is not trusted"),
        "{}",
        foreign.stdout
    );
    trust(&machine);
    let ran = machine.run(&["test"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("✗ bad") && ran.stdout.contains("actual: \"x\""),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("1 passed, 1 failed"), "{}", ran.stdout);
    assert_eq!(machine.run(&["test", "--tag", "smoke"]).code, Some(0));
    assert_eq!(
        machine
            .run(&["test", ".sightglass/requests/good.toml"])
            .code,
        Some(0)
    );
    assert_eq!(machine.run(&["test", "good"]).code, Some(0));
    let elsewhere = machine.path("elsewhere");
    fs::create_dir(&elsewhere).expect("made");
    fs::copy(requests.join("good.toml"), elsewhere.join("good.toml")).expect("copied");
    let elsewhere = elsewhere.to_str().expect("UTF-8").to_owned();
    assert_eq!(machine.run(&["test", &elsewhere]).code, Some(0));
    let none = machine.run(&["test", "nothing"]);
    assert_eq!(none.code, Some(1), "{}", none.stderr);
    // What could not be judged wins over what failed.
    write("lost.toml", call("crash", "{}", ""));
    assert_eq!(machine.run(&["test"]).code, Some(3));
    write("lost.toml", "format = 1\n".into());
    let wrong = machine.run(&["test"]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.stderr);
    let fast = machine.run(&["test", "--fail-fast"]);
    assert!(fast.stdout.contains("2 skipped"), "{}", fast.stdout);
    let mut github = machine.command(&["test", "bad"]);
    let github = github
        .env("GITHUB_ACTIONS", "true")
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&github.stdout).into_owned();
    assert!(
        text.contains("::error file=.sightglass/requests/bad.toml,line=7,title=bad::"),
        "{text}"
    );
}

#[test]
fn the_command_line_runs_again_on_a_change() {
    use std::io::{BufRead, BufReader};

    let machine = Machine::new();
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    fs::write(
        requests.join("a.toml"),
        call("echo", r#"{"message":"x"}"#, ""),
    )
    .expect("written");
    let source = machine.path("project/src");
    fs::create_dir(&source).expect("made");
    trust(&machine);
    let mut child = machine
        .command(&["test", "--watch", "src"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next_summary = || {
        lines
            .by_ref()
            .map_while(Result::ok)
            .find(|line| line.contains("passed"))
    };
    assert!(next_summary().is_some());
    fs::write(source.join("main.rs"), "fn main() {}").expect("written");
    assert!(next_summary().is_some(), "it ran again");
    child.kill().expect("ended");
    child.wait().expect("ended");
}

#[test]
fn everything_that_a_run_approves_stands_in_its_result() {
    let machine = Machine::new();
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let program = programs::own("sightglass-demo-server");
    let program = program.to_str().expect("UTF-8");
    let request = format!("format = 1\nmethod = \"tools/list\"\n[server]\ncommand = '{program}'\n");
    fs::write(requests.join("list.toml"), request).expect("written");
    trust(&machine);
    let approved = || {
        let ran = machine.run(&["test", "--approve", "--json"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(result["totals"]["passed"], 1, "{result}");
        result["approved"].as_array().expect("a list").clone()
    };
    let first = approved();
    let [one] = &first[..] else {
        panic!("one server is approved: {first:?}");
    };
    let has_program = |row: &Value| {
        let mut values = row["values"].as_array().into_iter().flatten();
        values.any(|value| value == program)
    };
    let mut rows = one["rows"].as_array().expect("rows").iter();
    assert!(rows.any(has_program), "{one}");
    assert_eq!(one["files"].as_array().map(Vec::len), Some(1), "{one}");
    // The next run has nothing to approve.
    assert_eq!(approved(), Vec::<Value>::new());
}

#[test]
fn what_was_approved_stands_in_the_error_where_there_is_no_result() {
    let machine = Machine::new();
    let requests = machine.path("project/.sightglass/requests");
    fs::create_dir_all(&requests).expect("made");
    let program = programs::own("sightglass-demo-server");
    let program = program.to_str().expect("UTF-8");
    let request = format!("format = 1\nmethod = \"tools/list\"\n[server]\ncommand = '{program}'\n");
    fs::write(requests.join("list.toml"), request).expect("written");
    trust(&machine);
    let failed = |options: &[&str]| {
        let ran = machine.run(&[&["test", "--approve", "--json"], options].concat());
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        ran.error()["data"].clone()
    };
    // Nothing is approved where it is known before that the run cannot be.
    for options in [["--env", "nowhere"], ["--junit", "nowhere/report.xml"]] {
        assert_eq!(failed(&options), Value::Null, "{options:?}");
    }
    // A directory has the name of the report, which is known once it is written.
    fs::create_dir(machine.path("project/report.xml")).expect("made");
    let data = failed(&["--junit", "report.xml"]);
    assert_eq!(data["approved"].as_array().map(Vec::len), Some(1), "{data}");
}
