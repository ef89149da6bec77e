//! Session files: what was recorded is handed on, opened by somebody else, checked, and served.

use std::{
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sightglass_inspector::{
    ExchangeRow, InspectorError, RecordQueries, ServerId, SessionCheck, TrafficQuery,
    view::{RecordedServer, ReplayOutcome, SessionState, SessionView, SurfaceCounterpart},
};
use sightglass_tests::{TestHost, programs, text_of};

use crate::command_line::{Machine, validate_junit};

const HEAD: &str = r#"{"v":2,"dir":"meta","format":"sightglass-session","application":"sightglass 9.8.7","ts":1000}"#;

/// One request of a session file.
fn request(number: u32) -> String {
    json!({
        "v": 2, "seq": number, "conn": 1, "ts": 1_000_000 + number, "dir": "c2s", "kind": "request",
        "method": "ping", "raw": format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"ping"}}"#),
    })
    .to_string()
}

/// Opens a session file and waits until all of it was read.
async fn opened(host: &TestHost, path: &Path) -> SessionView {
    let view = host
        .inspector
        .record
        .sessions
        .open_session(path)
        .await
        .expect("opened");
    host.eventually("the session", || {
        let mut sessions = host.inspector.record.sessions.sessions().into_iter();
        let now = sessions.find(|session| session.id == view.id)?;
        (now.state != SessionState::Loading).then_some(now)
    })
    .await
}

async fn rows(record: &RecordQueries, filter: &str) -> Vec<ExchangeRow> {
    let query = TrafficQuery {
        filter: filter.to_owned(),
        ..TrafficQuery::default()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let page = record.window(query.clone(), 0, 1000).await.expect("read");
        if page.complete {
            return page.rows;
        }
        assert!(Instant::now() < deadline, "the search never ended");
    }
}

/// Records a conversation with the demo server and exports it.
async fn recording(host: &TestHost, server: &ServerId, name: &str) -> PathBuf {
    host.connect(server).await;
    for message in ["a needle in the file", "another"] {
        host.call(server, "echo", &json!({ "message": message }).to_string())
            .await;
    }
    host.inspector
        .servers
        .open_connections
        .disconnect(server)
        .await;
    let path = host.path(&format!("{name}.ndjson"));
    host.export(server, &path).await.expect("exported");
    path
}

/// Content of a row, but for the numbers of its record.
fn said(row: &ExchangeRow) -> Value {
    json!({
        "kind": row.kind, "direction": row.direction, "server": row.server, "at": row.at,
        "method": row.method, "target": row.target, "outcome": row.outcome, "code": row.code,
        "size": row.size,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_opened_as_it_was_and_never_mixes_with_the_own_record() {
    let demo = programs::demo_over_http(&[]);
    let host = TestHost::with_servers(json!({ "demo": { "type": "http", "url": demo.url } }));
    let server = TestHost::id("demo");
    let path = recording(&host, &server, "demo").await;
    let own = rows(&host.inspector.core.record(), "").await;

    // Somebody else opens it, with an empty record.
    let other = TestHost::new();
    let session = opened(&other, &path).await;
    assert_eq!(session.state, SessionState::Loaded);
    assert_eq!((&session.remarks, session.version), (&vec![], 2));
    assert_eq!(session.servers, ["demo"]);
    let record = other
        .inspector
        .record
        .sessions
        .session_record(session.id)
        .expect("open");
    let theirs = rows(&record, "").await;
    let said_by = |rows: &[ExchangeRow]| rows.iter().map(said).collect::<Vec<_>>();
    assert_eq!(said_by(&theirs), said_by(&own));
    assert!(theirs.iter().all(|row| row.server_id != server));

    let found = rows(&record, "needle method:tools/call").await;
    let [call] = &found[..] else {
        panic!("{found:?}");
    };
    let ours = rows(&host.inspector.core.record(), "needle method:tools/call").await;
    let text = record.payload(call.response_frame.expect("answered")).await;
    let original = host
        .inspector
        .core
        .record()
        .payload(ours[0].response_frame.expect("answered"))
        .await;
    assert_eq!(text.expect("read"), original.expect("read"));
    let detail = record
        .detail(call.id)
        .await
        .expect("read")
        .http
        .expect("HTTP");
    let original = host
        .inspector
        .core
        .record()
        .detail(ours[0].id)
        .await
        .expect("read");
    let original = original.http.expect("HTTP");
    assert_eq!(
        (detail.url, detail.request_headers, detail.status),
        (original.url, original.request_headers, original.status)
    );

    assert_eq!(rows(&other.inspector.core.record(), "").await, []);
    let homes = || {
        fs::read_dir(other.data().join("sessions"))
            .expect("a directory")
            .count()
    };
    assert_eq!(homes(), 1);
    other
        .inspector
        .record
        .sessions
        .close_session(session.id)
        .await;
    assert_eq!(homes(), 0);
    assert!(
        other
            .inspector
            .record
            .sessions
            .session_record(session.id)
            .is_err()
    );
    assert_eq!(other.inspector.record.sessions.sessions(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_cut_in_half_shows_what_is_left_of_it() {
    let host = TestHost::new();
    let path = recording(&host, &ServerId::demo(), "demo").await;
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, &text[..text.len() / 2]).expect("written");
    let session = opened(&host, &path).await;
    assert_eq!(session.state, SessionState::Loaded);
    assert!(session.frames > 5);
    let last = session.remarks.last().expect("a remark");
    assert!(last.starts_with("The file was cut off"), "{last}");
    let report = host
        .inspector
        .record
        .sessions
        .check_session(Some(session.id))
        .await
        .expect("checked");
    assert!(
        report
            .findings
            .iter()
            .any(|finding| finding.rule == SessionCheck::Incomplete.name()),
        "{report:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_session_file_is_refused_with_the_reason() {
    let host = TestHost::new();
    let path = host.path("session.ndjson");
    for (text, reason) in [
        (
            HEAD.replace("\"v\":2", "\"v\":3"),
            "by sightglass 9.8.7 in version 3",
        ),
        ("{}".to_owned(), "not a session file"),
        (String::new(), "it is empty"),
    ] {
        fs::write(&path, text).expect("written");
        match host.inspector.record.sessions.open_session(&path).await {
            Err(error @ InspectorError::SessionFile { .. }) => {
                assert!(error.to_string().contains(reason), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
    for path in [host.path("nowhere"), host.path("")] {
        assert!(
            host.inspector
                .record
                .sessions
                .open_session(&path)
                .await
                .is_err()
        );
    }
    assert_eq!(host.inspector.record.sessions.sessions(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_file_costs_no_more_than_its_bad_lines() {
    let host = TestHost::new();
    let path = host.path("hostile.ndjson");
    let mut file = File::create(&path).expect("created");
    let mut write = |text: &str| file.write_all(text.as_bytes()).expect("written");
    write(&format!("{HEAD}\n{{\n\u{0}\n[]\n{}\n", request(1)));
    write(&format!(
        "{}\n{}\n",
        request(1),
        request(2).replace("1000002", "-1e300")
    ));
    write(
        &json!({
            "v": 2, "seq": 3, "conn": 4_294_967_295_u32, "ts": -1e15, "dir": "s2c", "kind": "log",
            "carrier": 4_000_000_000_u32, "method": "\u{1b}[2J\u{202e}", "size": u64::MAX,
            "raw": "\u{0}\u{1b}[2J",
        })
        .to_string(),
    );
    // A line of 330 MiB, of which the disk holds nothing.
    let place = file.seek(SeekFrom::End(0)).expect("sought");
    file.set_len(place + (330 << 20)).expect("grown");
    file.seek(SeekFrom::End(0)).expect("sought");
    file.write_all(format!("\n{}\n", request(5)).as_bytes())
        .expect("written");
    drop(file);

    let session = opened(&host, &path).await;
    assert_eq!(session.state, SessionState::Loaded);
    let record = host
        .inspector
        .record
        .sessions
        .session_record(session.id)
        .expect("open");
    let shown = rows(&record, "").await;
    assert_eq!(shown.len(), 3, "{shown:?}\n{:?}", session.remarks);
    assert_eq!(session.remarks.len(), 7, "{:?}", session.remarks);
    assert!(
        session
            .remarks
            .iter()
            .any(|remark| remark.contains("longer than 320 MiB"))
    );
    assert!(
        session
            .remarks
            .iter()
            .any(|remark| remark.contains("repeat or go back"))
    );
    assert!(
        session
            .remarks
            .iter()
            .all(|remark| !remark.contains('\u{1b}'))
    );
}

#[test]
fn check_fails_with_a_report_where_something_is_wrong() {
    let machine = Machine::new();
    let file = machine.path("project/recorded.ndjson");
    let stray = request(2)
        .replace("c2s", "stderr")
        .replace("\"kind\":\"request\"", "\"kind\":\"stderr\"")
        .replace("\"method\":\"ping\"", "\"method\":\"stdout\"");
    let end = r#"{"v":2,"dir":"meta","end":{"frames":2}}"#;
    fs::write(&file, format!("{HEAD}\n{}\n{stray}\n{end}\n", request(1))).expect("written");

    let ran = machine.run(&["check", "recorded.ndjson", "--junit", "report.xml"]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    validate_junit(&machine.path("project/report.xml"));
    assert!(ran.stdout.contains("pending  #1 ping"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("2 findings in 2 frames"),
        "{}",
        ran.stdout
    );
    let report = fs::read_to_string(machine.path("project/report.xml")).expect("written");
    assert!(report.contains(r#"<testcase name="pending""#), "{report}");

    let ran = machine.run(&[
        "check",
        "recorded.ndjson",
        "--fail-on",
        "error,schema",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["findings"][1]["check"], "stray");

    let ran = machine.run(&["check", "recorded.ndjson", "--fail-on", "nothing"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("late-result"), "{}", ran.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_answers_as_the_server_did_in_both_eras() {
    let program = programs::own("sightglass-demo-server");
    for era in ["legacy", "modern"] {
        let entry = json!({ "command": program, "era": era });
        let host = TestHost::with_servers(json!({ "demo": entry }));
        let server = TestHost::id("demo");
        let path = recording(&host, &server, era).await;

        let over_http = programs::mock_over_http(&path);
        let command = programs::own("sightglass-cli");
        let entries = json!({
            "stdio": { "command": command, "args": ["mock", path] },
            "http": { "type": "http", "url": over_http.url },
        });
        let caller = TestHost::with_servers(entries);
        for name in ["stdio", "http"] {
            let mock = TestHost::id(name);
            let status = caller.connect(&mock).await;
            let handshake = status.handshake.expect("a handshake");
            assert_eq!(
                handshake.server_name, "sightglass-demo",
                "{era} over {name}"
            );
            let same = caller
                .call(&mock, "echo", r#"{"message":"a needle in the file"}"#)
                .await;
            assert!(text_of(&same).contains("a needle in the file"));
            let missed = caller
                .call(&mock, "echo", r#"{"message":"a noodle in the file"}"#)
                .await;
            let error = missed.error.expect("an error").message;
            assert!(error.contains("has no answer to tools/call"), "{error}");
            assert!(error.contains("a needle in the file"), "{error}");
        }
    }
}

#[test]
fn a_recording_with_masks_is_served_only_when_that_is_allowed() {
    let machine = Machine::new();
    let file = machine.path("project/recorded.ndjson");
    let answer = json!({
        "v": 2, "seq": 2, "conn": 1, "ts": 2000, "dir": "s2c", "kind": "request", "masked": true,
        "raw": r#"{"jsonrpc":"2.0","id":1,"result":{"token":"•••"}}"#,
    });
    fs::write(&file, format!("{HEAD}\n{}\n{answer}\n", request(1))).expect("written");
    let ran = machine.run(&["mock", "recorded.ndjson"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("--allow-masked"), "{}", ran.stderr);
    let ran = machine.run(&["mock", "recorded.ndjson", "--allow-masked"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), ""),
        "{}",
        ran.stderr
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_recordings_are_compared_by_what_the_server_showed() {
    let host = TestHost::new();
    let path = recording(&host, &ServerId::demo(), "demo").await;
    let text = fs::read_to_string(&path).expect("read");
    let changed = host.path("changed.ndjson");
    fs::write(
        &changed,
        text.replace("Returns the message", "Deletes the message"),
    )
    .expect("written");
    let machine = Machine::new();
    let word = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let ran = machine.run(&["diff", &word(&path), &word(&path)]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("No change"), "{}", ran.stdout);
    let ran = machine.run(&["diff", &word(&path), &word(&changed), "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["changes"][0]["class"], "attention", "{}", ran.stdout);

    // In the window, with each other and with the server as it is now.
    let recorded = async |path: &Path| RecordedServer {
        session: opened(&host, path).await.id,
        name: None,
    };
    let (before, after) = (recorded(&path).await, recorded(&changed).await);
    let inspector = &host.inspector;
    let difference = inspector
        .checks
        .surfaces
        .compare_recordings(&before, &after)
        .await;
    let difference = difference.expect("compared");
    assert_eq!((difference.attention, difference.breaking), (1, 0));
    assert!(difference.is_possible_rug_pull);
    let demo = ServerId::demo();
    host.connect(&demo).await;
    for (recording, attention) in [(before.clone(), 0), (after, 1)] {
        let counterpart = SurfaceCounterpart::Recording { recording };
        let compared = inspector
            .checks
            .surfaces
            .compare_surface(&demo, &counterpart)
            .await;
        assert_eq!(compared.expect("compared").attention, attention);
    }
    inspector
        .record
        .sessions
        .close_session(before.session)
        .await;
    let error = inspector
        .checks
        .surfaces
        .compare_recordings(&before, &before)
        .await;
    let error = error.expect_err("closed").to_string();
    assert!(error.contains("not open any more"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_chooses_a_server_only_where_a_recording_has_several() {
    let demo = programs::own("sightglass-demo-server");
    let host =
        TestHost::with_servers(json!({ "one": { "command": demo }, "two": { "command": demo } }));
    let one = recording(&host, &TestHost::id("one"), "first").await;
    let two = recording(&host, &TestHost::id("two"), "second").await;
    let read = |path: &Path| fs::read_to_string(path).expect("read");
    let both = host.path("both.ndjson");
    fs::write(&both, format!("{}{}", read(&one), read(&two))).expect("written");
    let machine = Machine::new();
    let [both, two] = [&both, &two].map(|path| path.to_str().expect("UTF-8"));
    let ran = machine.run(&["diff", both, two]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("--recorded NAME"), "{}", ran.stderr);
    let ran = machine.run(&["diff", both, two, "--recorded", "one"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = machine.run(&["diff", both, two, "--recorded", "three"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    // Where no file has several, a name that none of them has is no less mistyped.
    let ran = machine.run(&["diff", two, two, "--recorded", "two"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = machine.run(&["diff", two, two, "--recorded", "tow"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("Did you mean two?"), "{}", ran.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_sent_again_and_the_answers_are_compared() {
    let program = programs::own("sightglass-demo-server");
    let host = TestHost::with_servers(json!({ "demo": { "command": program } }));
    let server = TestHost::id("demo");
    host.connect(&server).await;
    // Not declared read-only.
    host.call(&server, "change_tools", r#"{"action":"add"}"#)
        .await;
    let path = recording(&host, &server, "demo").await;
    let word = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let machine = Machine::new();

    let ran = machine.run(&["replay", &word(&path), "--json", "--", &word(&program)]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = report["results"].as_array().expect("results");
    let outcome = |name: &str| {
        let found = results.iter().find(|result| result["step"]["name"] == name);
        found.expect("a step")["outcome"]["type"].clone()
    };
    assert_eq!(
        (outcome("echo"), outcome("change_tools")),
        (json!("same"), json!("skipped"))
    );

    // In the window: what is listed is sent, and what may change something only when agreed to.
    let session = opened(&host, &path).await;
    let recorded = RecordedServer {
        session: session.id,
        name: None,
    };
    host.connect(&server).await;
    let inspector = &host.inspector;
    // The file is another one now; the opened session is not.
    fs::rename(&path, host.path("moved.ndjson")).expect("moved");
    fs::write(&path, "no recording").expect("written");
    let same = inspector
        .checks
        .surfaces
        .compare_recordings(&recorded, &recorded)
        .await;
    assert!(same.expect("compared").changes.is_empty());
    let list = inspector
        .record
        .replays
        .list_replay(&recorded, server.clone());
    let list = list.await.expect("listed");
    let place = |name: &str| {
        let found = list
            .steps
            .iter()
            .find(|step| step.name.as_deref() == Some(name));
        found.expect("a step")
    };
    assert!(!place("echo").may_change && place("change_tools").may_change);
    let send = |index, is_agreed| {
        inspector
            .record
            .replays
            .replay_step(list.id, index, is_agreed)
    };
    let outcome = send(place("echo").index, false).await.expect("sent");
    assert_eq!(outcome, ReplayOutcome::Same);
    let outcome = send(place("change_tools").index, false).await;
    assert_eq!(outcome.expect("not sent"), ReplayOutcome::Skipped);
    let outcome = send(place("change_tools").index, true).await.expect("sent");
    assert_ne!(outcome, ReplayOutcome::Skipped);
    fs::rename(host.path("moved.ndjson"), &path).expect("moved back");
    inspector.record.replays.delete_replay(list.id);
    let error = send(0, false).await.expect_err("not listed any more");
    assert!(error.to_string().contains("List them again"), "{error}");

    // A call that servers could read as one of another tool is not taken for the harmless one.
    let text = fs::read_to_string(&path).expect("read");
    let forged = host.path("forged.ndjson");
    let name = r#"\"name\":\"echo\""#;
    let both = format!(r#"{name},\"Name\":\"change_tools\""#);
    assert!(text.contains(name));
    fs::write(&forged, text.replace(name, &both)).expect("written");
    let ran = machine.run(&["replay", &word(&forged), "--json", "--", &word(&program)]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let results = report["results"].as_array().expect("results");
    let is_forged = |result: &&Value| {
        let params = result["step"]["params"].as_str();
        params.is_some_and(|params| params.contains("Name"))
    };
    let forged: Vec<_> = results.iter().filter(is_forged).collect();
    assert!(!forged.is_empty());
    for result in forged {
        assert_eq!(result["outcome"]["type"], "skipped", "{result}");
    }

    // Against a server that answers otherwise.
    let changed = host.path("changed.ndjson");
    fs::write(
        &changed,
        text.replace(r#"\"text\":\"another\""#, r#"\"text\":\"other\""#),
    )
    .expect("written");
    let mock = word(&programs::own("sightglass-cli"));
    let ran = machine.run(&["replay", &word(&path), "--", &mock, "mock", &word(&changed)]);
    assert_eq!(ran.code, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("+") && ran.stdout.contains("other"),
        "{}",
        ran.stdout
    );
}
