//! Requests as files: run by the façade and by the command line, and judged alike.

mod command_line;

use std::{fs, sync::Mutex};

use serde_json::{Value, json};
use sightglass_inspector::{
    CaseError, CaseReport, ErrorCode, RunProgress, RunReport, Secret, Verdict,
    view::{
        ApprovalDecision, CopyForm, ExpectationDraft, Fact, RequestDraftFile, RequestRunEvent,
        RequestRunOptions, RequestSelection,
    },
};
use sightglass_tests::{TestHost, programs};
use tokio_util::sync::CancellationToken;

/// A request of the demo server: its name, what is called with it, and what follows.
pub(crate) fn call(tool: &str, arguments: &str, rest: &str) -> String {
    let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
    format!(
        "format = 1\nserver = \"demo\"\nmethod = \"tools/call\"\nparams = '''\n{params}\n'''\n{rest}"
    )
}

pub(crate) fn expect(value: &str, is: &str, to: &str) -> String {
    let to = if to.is_empty() {
        String::new()
    } else {
        format!("to = {to}\n")
    };
    format!("[[expect]]\nvalue = \"{value}\"\nis = \"{is}\"\n{to}")
}

pub(crate) fn demo() -> Value {
    json!({ "demo": { "command": programs::own("sightglass-demo-server") } })
}

pub(crate) fn host_with(files: &[(&str, String)]) -> TestHost {
    let host = TestHost::with_servers(demo());
    for (path, text) in files {
        host.write(&host.project().join(".sightglass").join(path), text);
    }
    host
}

pub(crate) async fn run_with(host: &TestHost, options: RequestRunOptions) -> RunReport {
    let directory = host.inspector.tests.files.requests_directory();
    host.inspector
        .tests
        .runs
        .run_requests(&directory, &options, &|_| {}, &CancellationToken::new())
        .await
        .expect("it runs")
}

pub(crate) async fn run(host: &TestHost) -> RunReport {
    run_with(host, RequestRunOptions::default()).await
}

/// Approves what the requests of a project would do.
pub(crate) fn approve(host: &TestHost) {
    let all = RequestSelection::default();
    let waiting = host
        .inspector
        .tests
        .runs
        .request_approvals(&all)
        .expect("read");
    let decisions: Vec<ApprovalDecision> = waiting
        .iter()
        .map(|approval| ApprovalDecision {
            server: approval.server.clone(),
            fingerprint: approval.fingerprint.clone(),
        })
        .collect();
    host.inspector
        .tests
        .runs
        .approve_requests(&all, &decisions)
        .expect("approved");
}

pub(crate) fn case<'a>(report: &'a RunReport, path: &str) -> &'a CaseReport {
    let found = report.cases.iter().find(|case| case.path.as_str() == path);
    found.unwrap_or_else(|| panic!("no {path}: {report:#?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_judged_and_values_are_handed_on() {
    let host = host_with(&[
        (
            "environments/dev.toml",
            "greeting = \"hello \\\"you\\\"\"\nlimit = \"5s\"".into(),
        ),
        (
            "requests/echo.toml",
            call(
                "echo",
                r#"{"message":"{{greeting}}"}"#,
                &[
                    expect("text", "equals", "\"{{greeting}}\""),
                    expect("duration", "at_most", "\"{{limit}}\""),
                    expect("stderr", "empty", ""),
                    expect("is_error", "equals", "false"),
                ]
                .concat(),
            ),
        ),
        (
            "requests/math/1.toml",
            call(
                "add",
                r#"{"a":1,"b":2}"#,
                &format!(
                    "[capture]\nsum = \"$.structuredContent.sum\"\n{}",
                    expect("output_schema", "equals", "true")
                ),
            ),
        ),
        (
            "requests/math/2.toml",
            call(
                "add",
                r#"{"a":{{sum}},"b":0.5}"#,
                &expect("$.structuredContent.sum", "equals", "3.5"),
            ),
        ),
        (
            "requests/math/deep/3.toml",
            call(
                "add",
                r#"{"a":{{sum}},"b":1}"#,
                &expect("$.structuredContent.sum", "equals", "5"),
            ),
        ),
        (
            "requests/other/4.toml",
            call("add", r#"{"a":{{sum}},"b":1}"#, ""),
        ),
        (
            "requests/skipped.toml",
            call("crash", "{}", "skip = \"It would end the server.\"\n"),
        ),
        ("requests/refused.toml", call("result_error", "{}", "")),
        (
            "requests/unknown.toml",
            call(
                "no_such_tool",
                "{}",
                &expect("error.code", "equals", "-32602"),
            ),
        ),
        (
            "requests/wrong.toml",
            "format = 1\nserver = \"demo\"\nmethd = \"ping\"\n".into(),
        ),
        (
            "requests/progress.toml",
            call(
                "long_running",
                r#"{"steps":3,"duration":0.05}"#,
                &[
                    expect("progress", "at_least", "1"),
                    expect(
                        "notifications$[*].method",
                        "contains",
                        "\"notifications/progress\"",
                    ),
                ]
                .concat(),
            ),
        ),
    ]);
    let options = RequestRunOptions {
        environment: Some("dev".into()),
        ..RequestRunOptions::default()
    };
    let report = run_with(&host, options).await;
    for path in [
        "echo.toml",
        "math/1.toml",
        "math/2.toml",
        "unknown.toml",
        "progress.toml",
    ] {
        let case = case(&report, path);
        assert_eq!(case.verdict, Verdict::Passed, "{case:#?}");
        assert!(
            case.request_frame.is_some() && case.response_frame.is_some(),
            "{case:#?}"
        );
    }
    let failed = case(&report, "math/deep/3.toml");
    assert_eq!(failed.verdict, Verdict::Failed);
    let check = failed.failures().next().expect("a failure");
    assert_eq!(check.actual.as_deref(), Some("4.0"));
    // What one folder captured is not for another.
    let other = case(&report, "other/4.toml");
    assert_eq!(other.verdict, Verdict::Error);
    assert!(
        other
            .reason
            .as_deref()
            .is_some_and(|reason| reason.contains("{{sum}} has no value"))
    );
    let skipped = case(&report, "skipped.toml");
    assert_eq!(
        (skipped.verdict, skipped.reason.as_deref()),
        (Verdict::Skipped, Some("It would end the server."))
    );
    let refused = case(&report, "refused.toml");
    assert_eq!(refused.verdict, Verdict::Failed);
    assert!(
        refused
            .reason
            .as_deref()
            .is_some_and(|reason| reason.contains("isError"))
    );
    let wrong = case(&report, "wrong.toml");
    assert_eq!(wrong.error, Some(CaseError::Request));
    assert!(
        wrong
            .reason
            .as_deref()
            .is_some_and(|reason| reason.starts_with("3:1: ")),
        "{wrong:#?}"
    );
    assert_eq!(
        (
            report.totals.passed,
            report.totals.failed,
            report.totals.error,
            report.totals.skipped
        ),
        (5, 2, 2, 1)
    );
    // The run's own connection is closed again.
    let status = host
        .inspector
        .servers
        .open_connections
        .status(&TestHost::id("demo"));
    assert_eq!(format!("{:?}", status.phase), "Disconnected");
}

#[tokio::test(flavor = "multi_thread")]
async fn identifiers_and_times_are_made_anew_for_each_request() {
    let message = r#"{"message":"{{$uuid}} {{$now}}"}"#;
    let form = concat!(
        "'^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12} ",
        "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$'"
    );
    let first = format!(
        "[capture]\nfirst = \"$.content[0].text\"\n{}",
        expect("text", "matches", form)
    );
    let second = [
        expect("text", "matches", form),
        format!("{}not = true\n", expect("text", "equals", "\"{{first}}\"")),
    ]
    .concat();
    let host = host_with(&[
        ("requests/1.toml", call("echo", message, &first)),
        ("requests/2.toml", call("echo", message, &second)),
    ]);
    let report = run(&host).await;
    assert_eq!(report.totals.passed, 2, "{report:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_by_the_file_and_by_nothing_else() {
    let answers = "[answers]\n\"elicitation/create\" = '{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}'\n";
    let files: Vec<(String, String)> = ["modern", "legacy"]
        .into_iter()
        .flat_map(|era| {
            let era_line = format!("era = \"{era}\"\n");
            [
                (
                    format!("requests/{era}/asked.toml"),
                    call(
                        "ask_elicitation",
                        "{}",
                        &format!(
                            "{era_line}{answers}{}",
                            expect("text", "contains", "\"Ada\"")
                        ),
                    ),
                ),
                (
                    format!("requests/{era}/unanswered.toml"),
                    call("ask_elicitation", "{}", &era_line),
                ),
            ]
        })
        .collect();
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.clone()))
        .collect();
    let host = host_with(&files);
    let options = RequestRunOptions {
        jobs: 4,
        ..RequestRunOptions::default()
    };
    let report = run_with(&host, options).await;
    for era in ["modern", "legacy"] {
        let asked = case(&report, &format!("{era}/asked.toml"));
        assert_eq!(asked.verdict, Verdict::Passed, "{asked:#?}");
        let unanswered = case(&report, &format!("{era}/unanswered.toml"));
        assert_eq!(
            unanswered.error,
            Some(CaseError::Question),
            "{unanswered:#?}"
        );
    }
    assert!(
        host.inspector.snapshot().questions.is_empty(),
        "no question is left"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_is_written_when_asked_for_and_compared_otherwise() {
    let host = host_with(&[(
        "requests/sum.toml",
        call(
            "add",
            r#"{"a":1,"b":2}"#,
            &expect("structured", "snapshot", ""),
        ),
    )]);
    let snapshot = host
        .inspector
        .tests
        .files
        .requests_directory()
        .join("sum.snap.json");
    assert_eq!(case(&run(&host).await, "sum.toml").verdict, Verdict::Failed);
    assert!(!snapshot.exists(), "nothing is written unasked");
    let update = RequestRunOptions {
        update: true,
        ..RequestRunOptions::default()
    };
    let written = run_with(&host, update.clone()).await;
    assert_eq!(case(&written, "sum.toml").updated, ["structured"]);
    assert_eq!(case(&run(&host).await, "sum.toml").verdict, Verdict::Passed);
    assert!(
        case(&run_with(&host, update).await, "sum.toml")
            .updated
            .is_empty(),
        "it is the same"
    );
    host.write(&snapshot, r#"{"structured":{"sum":4}}"#);
    let changed = run(&host).await;
    let check = case(&changed, "sum.toml")
        .failures()
        .next()
        .expect("a difference");
    assert!(
        check
            .difference
            .as_deref()
            .is_some_and(|text| text.contains("-  \"sum\": 4")),
        "{check:?}"
    );
    host.write(&snapshot, "half a snap");
    let broken = run(&host).await;
    assert_eq!(case(&broken, "sum.toml").error, Some(CaseError::Request));
}

/// A request comes with the project: what it starts and what it sends is shown and approved first.
#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_request_starts_nothing_and_sends_nothing_before_it_is_approved() {
    let directory = tempfile::tempdir().expect("a directory");
    let marker = directory.path().join("started");
    let inline = format!(
        "format = 1\nmethod = \"tools/call\"\nparams = '''{{\"name\":\"echo\",\"arguments\":{{\"message\":\"{{{{env.SECRET_TOKEN}}}} {{{{secret.KEY}}}}\"}}}}'''\n[[expect]]\nvalue = \"text\"\nis = \"equals\"\nto = \"nothing\"\n[server]\ncommand = \"sh\"\nargs = [\"-c\", \"touch {}; exec {}\"]\n",
        marker.display(),
        programs::own("sightglass-demo-server").display(),
    );
    let named = call(
        "echo",
        r#"{"message":"{{env.SECRET_TOKEN}}"}"#,
        &expect("text", "contains", "\"never\""),
    );
    let host = TestHost::with_environment(demo(), [("SECRET_TOKEN", "hunter2-of-the-user")]);
    let directory = host.inspector.tests.files.requests_directory();
    host.write(&directory.join("inline.toml"), &inline);
    host.write(&directory.join("named.toml"), &named);
    host.inspector
        .tests
        .runs
        .store_request_secret("KEY", Some(Secret::new("swordfish-of-the-user".into())))
        .await
        .expect("kept");

    let refused = run(&host).await;
    for path in ["inline.toml", "named.toml"] {
        assert_eq!(
            case(&refused, path).error,
            Some(CaseError::Approval),
            "{refused:#?}"
        );
    }
    assert!(!marker.exists(), "it was started");

    let all = RequestSelection::default();
    let waiting = host
        .inspector
        .tests
        .runs
        .request_approvals(&all)
        .expect("read");
    assert_eq!(waiting.len(), 2);
    let of_inline = waiting
        .iter()
        .find(|approval| !approval.rows.is_empty())
        .expect("the inline one");
    assert_eq!(of_inline.values, ["env.SECRET_TOKEN", "secret.KEY"]);
    assert!(
        format!("{:?}", of_inline.rows[0].values).contains("sh"),
        "{of_inline:?}"
    );
    let decide = |server: &_, fingerprint: &str| ApprovalDecision {
        server: std::clone::Clone::clone(server),
        fingerprint: fingerprint.to_owned(),
    };
    let stale = decide(&of_inline.server, "what was never shown");
    let error = host
        .inspector
        .tests
        .runs
        .approve_requests(&all, &[stale])
        .expect_err("not shown");
    assert_eq!(error.code(), ErrorCode::InvalidInput);
    let decisions: Vec<ApprovalDecision> = waiting
        .iter()
        .map(|approval| decide(&approval.server, &approval.fingerprint))
        .collect();
    host.inspector
        .tests
        .runs
        .approve_requests(&all, &decisions)
        .expect("approved");

    let ran = run(&host).await;
    assert!(marker.exists());
    let text = serde_json::to_string(&ran).expect("JSON");
    assert_eq!(ran.totals.failed, 2, "{ran:#?}");
    assert!(
        !text.contains("hunter2") && !text.contains("swordfish"),
        "{text}"
    );
    for row in host.traffic("", &[]).await {
        let exchange = host
            .inspector
            .record
            .reader
            .copy_exchange(None, row.id, CopyForm::Json)
            .await;
        let exchange = exchange.unwrap_or_default();
        assert!(
            !exchange.contains("hunter2") && !exchange.contains("swordfish"),
            "{exchange}"
        );
    }

    // Another value, another program: it asks again.
    host.write(
        &directory.join("inline.toml"),
        &inline.replace("secret.KEY", "env.HOME"),
    );
    host.write(
        &directory.join("named.toml"),
        &named.replace("echo\"", "echo_arguments\""),
    );
    let changed = host
        .inspector
        .tests
        .runs
        .request_approvals(&all)
        .expect("read");
    assert_eq!(
        changed.len(),
        1,
        "the same value to the same server: {changed:?}"
    );
    host.write(
        &directory.join("inline.toml"),
        &inline.replace("touch", "touch -a"),
    );
    assert_eq!(
        host.inspector
            .tests
            .runs
            .request_approvals(&all)
            .expect("read")
            .len(),
        1
    );
}

/// In a folder that the user does not trust, the folder's programs do not start.
#[tokio::test(flavor = "multi_thread")]
async fn an_approved_server_of_a_request_still_needs_the_folder_trusted() {
    let host = TestHost::in_foreign_folder(json!({}), json!({}), Default::default());
    let directory = host.inspector.tests.files.requests_directory();
    let text = format!(
        "format = 1\nmethod = \"tools/list\"\n[server]\ncommand = \"{}\"\n",
        programs::own("sightglass-demo-server").display()
    );
    host.write(&directory.join("a.toml"), &text);
    approve(&host);
    let report = run(&host).await;
    let case = case(&report, "a.toml");
    assert_eq!(case.error, Some(CaseError::Approval), "{case:?}");
    assert!(
        case.reason
            .as_deref()
            .is_some_and(|reason| reason.contains("not trusted")),
        "{case:?}"
    );
    host.inspector
        .servers
        .folder_trust
        .trust_folder()
        .expect("trusted");
    assert_eq!(run(&host).await.totals.passed, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_stay_in_the_directory_of_the_requests() {
    let host = host_with(&[("requests/a.toml", call("echo", "{}", ""))]);
    let outside = host.project().join("outside.toml");
    host.write(&outside, "format = 1");
    for path in [
        "../outside.toml",
        "/etc/passwd",
        "a/../../outside.toml",
        "a.json",
    ] {
        assert!(
            host.inspector.tests.files.request_text(path).is_err(),
            "{path}"
        );
        assert!(
            host.inspector
                .tests
                .files
                .update_request(path, "x", "")
                .is_err(),
            "{path}"
        );
        assert!(
            host.inspector.tests.files.delete_request(path).is_err(),
            "{path}"
        );
        assert!(
            host.inspector
                .tests
                .files
                .move_request("a.toml", path)
                .is_err(),
            "{path}"
        );
    }
    let draft = RequestDraftFile {
        folder: "../..".into(),
        name: "x".into(),
        server: TestHost::id("demo"),
        method: "ping".into(),
        params: "{}".into(),
    };
    assert!(host.inspector.tests.files.create_request(&draft).is_err());
    assert_eq!(fs::read_to_string(&outside).expect("there"), "format = 1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_saved_from_a_call_and_changed_with_its_comments() {
    let host = host_with(&[]);
    let draft = RequestDraftFile {
        folder: "smoke".into(),
        name: "Echo: it answers!".into(),
        server: TestHost::id("demo"),
        method: "tools/call".into(),
        params: r#"{ "name": "echo", "arguments": { "message": "x", "n": 1.50 } }"#.into(),
    };
    let path = host
        .inspector
        .tests
        .files
        .create_request(&draft)
        .expect("saved");
    assert_eq!(path.as_str(), "smoke/echo-it-answers.toml");
    assert_eq!(
        host.inspector
            .tests
            .files
            .create_request(&draft)
            .expect("saved")
            .as_str(),
        "smoke/echo-it-answers-2.toml"
    );
    let view = host
        .inspector
        .tests
        .files
        .request_text(path.as_str())
        .expect("there");
    assert!(view.text.contains("\"n\": 1.50"), "{}", view.text);
    assert_eq!(view.request.server, "demo");
    let commented = format!("# Ours.\n{}", view.text);
    host.inspector
        .tests
        .files
        .update_request(path.as_str(), &commented, &view.hash)
        .expect("saved");
    let error = host
        .inspector
        .tests
        .files
        .update_request(path.as_str(), "lost", &view.hash)
        .expect_err("changed");
    assert!(
        error.to_string().contains("changed by another program"),
        "{error}"
    );
    let added = ExpectationDraft {
        value: "text".into(),
        is: "equals".into(),
        not: false,
        to: Some("\"x\"".into()),
    };
    let view = host
        .inspector
        .tests
        .files
        .create_expectation(path.as_str(), &added)
        .expect("added");
    assert!(view.text.starts_with("# Ours.\n"), "{}", view.text);
    assert_eq!(view.expectations.len(), 2);
    assert_eq!(run(&host).await.totals.passed, 2);
    host.inspector
        .tests
        .files
        .move_request(path.as_str(), "moved/echo.toml")
        .expect("moved");
    host.inspector
        .tests
        .files
        .rename_request("moved/echo.toml", "Echo")
        .expect("renamed");
    let names: Vec<String> = host
        .inspector
        .tests
        .files
        .requests()
        .requests
        .iter()
        .map(|request| request.name.clone())
        .collect();
    assert_eq!(names, ["Echo", "Echo: it answers!"]);
    let view = host
        .inspector
        .tests
        .files
        .delete_expectation("moved/echo.toml", 0)
        .expect("removed");
    assert_eq!(view.expectations.len(), 1);
    host.inspector
        .tests
        .files
        .delete_request("moved/echo.toml")
        .expect("deleted");
    assert_eq!(host.inspector.tests.files.requests().requests.len(), 1);
    host.connect(&TestHost::id("demo")).await;
    let stubs = host
        .inspector
        .tests
        .stubs
        .create_request_stubs(&TestHost::id("demo"))
        .expect("written");
    assert!(stubs.len() > 50, "{}", stubs.len());
    assert!(
        host.inspector
            .tests
            .stubs
            .create_request_stubs(&TestHost::id("demo"))
            .expect("nothing new")
            .is_empty()
    );
    let broken: Vec<_> = host
        .inspector
        .tests
        .files
        .requests()
        .requests
        .into_iter()
        .filter(|request| !request.problems.is_empty())
        .collect();
    assert!(broken.is_empty(), "{broken:?}");
}

/// Any folder of requests can be opened in place of the project's.
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_moved_with_its_requests_and_into_nothing_else() {
    let host = host_with(&[
        ("requests/math/add.toml", call("add", "{}", "")),
        ("requests/math/deep/echo.toml", call("echo", "{}", "")),
        ("requests/text/echo.toml", call("echo", "{}", "")),
    ]);
    let inspector = &host.inspector;
    let refused = |from: &str, to: &str| {
        let error = inspector
            .tests
            .files
            .move_request_folder(from, to)
            .expect_err(to);
        error.to_string()
    };
    assert!(refused("math", "text").contains("already"));
    assert!(refused("math", "math/deep/more").contains("into itself"));
    for path in ["../math", "/math", "", "a/../..", ".git"] {
        refused("math", path);
        refused(path, "other");
    }
    assert!(refused("none", "other").contains("other"));
    inspector
        .tests
        .files
        .move_request_folder("math", "numbers/sums")
        .expect("moved");
    let paths: Vec<String> = inspector
        .tests
        .files
        .requests()
        .requests
        .iter()
        .map(|request| request.path.to_string())
        .collect();
    assert_eq!(
        paths,
        [
            "numbers/sums/add.toml",
            "numbers/sums/deep/echo.toml",
            "text/echo.toml"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_another_folder_are_opened() {
    let host = host_with(&[("requests/own.toml", call("echo", r#"{"message":"x"}"#, ""))]);
    let elsewhere = host.project().join("../elsewhere");
    let theirs = call("echo", r#"{"message":"{{greeting}}"}"#, "");
    host.write(&elsewhere.join("suite/theirs.toml"), &theirs);
    host.write(
        &elsewhere.join("environments/dev.toml"),
        "greeting = \"hello\"",
    );
    let names = || -> Vec<String> {
        let view = host.inspector.tests.files.requests();
        view.requests
            .into_iter()
            .map(|request| request.name)
            .collect()
    };
    assert!(
        host.inspector
            .tests
            .files
            .open_requests_directory(&elsewhere.join("none"))
            .is_err()
    );
    host.inspector
        .tests
        .files
        .open_requests_directory(&elsewhere.join("suite"))
        .expect("opened");
    assert_eq!(names(), ["theirs"]);
    assert!(host.inspector.tests.files.requests().is_opened);
    assert_eq!(host.inspector.tests.files.requests().environments, ["dev"]);
    let options = RequestRunOptions {
        environment: Some("dev".into()),
        ..RequestRunOptions::default()
    };
    assert_eq!(run_with(&host, options).await.totals.passed, 1);
    host.inspector.tests.files.show_project_requests();
    assert_eq!(names(), ["own"]);
    assert!(!host.inspector.tests.files.requests().is_opened);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_survives_a_deleted_file_a_dying_server_and_being_stopped() {
    let host = host_with(&[
        ("requests/1.toml", call("echo", r#"{"message":"x"}"#, "")),
        ("requests/2.toml", call("crash", "{}", "")),
        ("requests/3.toml", call("echo", r#"{"message":"x"}"#, "")),
        ("requests/4.toml", call("hang", "{}", "")),
        ("requests/5.toml", call("echo", r#"{"message":"x"}"#, "")),
    ]);
    let directory = host.inspector.tests.files.requests_directory();
    let stop = CancellationToken::new();
    let seen = Mutex::new(Vec::new());
    let on_progress = |progress: RunProgress| match progress {
        RunProgress::Running(path) if path.as_str() == "1.toml" => {
            fs::remove_file(directory.join("3.toml")).expect("deleted");
        }
        RunProgress::Running(path) if path.as_str() == "4.toml" => stop.cancel(),
        RunProgress::Finished(case) => seen.lock().expect("unpoisoned").push(case.path.to_string()),
        RunProgress::Running(_) => {}
    };
    let report = host
        .inspector
        .tests
        .runs
        .run_requests(
            &directory,
            &RequestRunOptions::default(),
            &on_progress,
            &stop,
        )
        .await
        .expect("it runs");
    assert_eq!(case(&report, "1.toml").verdict, Verdict::Passed);
    assert_eq!(case(&report, "2.toml").error, Some(CaseError::NoAnswer));
    assert_eq!(case(&report, "4.toml").verdict, Verdict::Skipped);
    assert_eq!(case(&report, "5.toml").verdict, Verdict::Skipped);
    assert_eq!(
        seen.lock().expect("unpoisoned").len(),
        5,
        "every request is told"
    );
}

/// The source of a server changes: it is started anew, and what is asked of it is asked again.
#[tokio::test(flavor = "multi_thread")]
async fn requests_run_again_when_the_source_of_their_server_changes() {
    let host = host_with(&[(
        "requests/pid.toml",
        call(
            "environment",
            "{}",
            "[[expect]]\nvalue = \"structured\"\nis = \"exists\"\n",
        ),
    )]);
    let source = host.project().join("server");
    fs::create_dir(&source).expect("made");
    let demo = TestHost::id("demo");
    let connection = host.connect(&demo).await.connection;
    let mut facts = host.inspector.subscribe();
    let mut ended = async || loop {
        for event in facts.next_batch().await.expect("open") {
            if let Fact::RequestRun { event } = event.fact
                && let RequestRunEvent::Ended { totals, .. } = *event
            {
                return totals.passed;
            }
        }
    };
    host.inspector
        .tests
        .watches
        .watch_and_run(RequestRunOptions::default(), "server")
        .expect("watched");
    assert_eq!(ended().await, 1);
    // What tools write is no change.
    host.write(&source.join("__pycache__/a.pyc"), "x");
    host.write(&source.join("main.py"), "print()");
    assert_eq!(ended().await, 1);
    let status = host.inspector.servers.open_connections.status(&demo);
    assert_eq!(
        format!("{:?}", status.phase),
        "Ready",
        "the user's connection is back"
    );
    assert_ne!(status.connection, connection, "it is another connection");
    host.inspector.tests.watches.stop_watch();

    // The server alone, without requests.
    let connection = host
        .inspector
        .servers
        .open_connections
        .status(&demo)
        .connection;
    host.inspector
        .servers
        .restarts
        .start_restart_on_change(&demo, "server")
        .expect("watched");
    host.write(&source.join("main.py"), "print(1)");
    host.eventually("another connection", || {
        let status = host.inspector.servers.open_connections.status(&demo);
        let is_new = status.connection != connection && status.phase.is_live();
        is_new.then_some(())
    })
    .await;
    assert_eq!(host.inspector.servers.restarts.restarts().len(), 1);
    host.inspector
        .servers
        .restarts
        .stop_restart_on_change(&demo);
    assert!(host.inspector.servers.restarts.restarts().is_empty());
    let missing = host
        .inspector
        .tests
        .watches
        .watch_and_run(RequestRunOptions::default(), "no/such/place");
    assert!(
        missing
            .expect_err("not there")
            .to_string()
            .contains("cannot be watched")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_ends_with_the_project_that_is_closed() {
    let host = TestHost::new();
    let elsewhere = host.path("elsewhere");
    fs::create_dir_all(elsewhere.join("server")).expect("made");
    host.write(
        &elsewhere.join(".sightglass/requests/echo.toml"),
        &call("echo", r#"{"message":"here"}"#, ""),
    );
    let headless = std::sync::Arc::new(sightglass_inspector::Headless::new(None));
    let other = host.inspector.open_beside(elsewhere, headless);
    let watched = other
        .tests
        .watches
        .watch_and_run(RequestRunOptions::default(), "server");
    watched.expect("watched");
    other.shutdown().await;
    let core = std::sync::Arc::downgrade(&other.core);
    drop(other);
    host.eventually("the end of everything of the project", || {
        core.upgrade().is_none().then_some(())
    })
    .await;
}
