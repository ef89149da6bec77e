//! Failures as users see them when a server does not do what it should.

use std::{path::PathBuf, time::Duration};

#[cfg(unix)]
use crate::support::came_by;
use crate::support::{Bench, demo, permitted, server, stdio};
use sightglass_connection::{ListKind, ListState, RequestEnd};
use sightglass_model::{Endpoint, EraChoice, Failure, Millis, Phase, ServerSpec, StartFault};

fn legacy(spec: ServerSpec) -> ServerSpec {
    ServerSpec {
        era: EraChoice::Legacy,
        ..spec
    }
}

fn limited(mut spec: ServerSpec, phase: &'static str, limit: Duration) -> ServerSpec {
    spec.limits.phases.insert(phase, limit);
    spec
}

const SHORT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn a_program_that_does_not_exist_is_named() {
    let bench = Bench::new();
    let failure = bench
        .failed(
            &server("missing"),
            stdio("no-such-program-anywhere", &["x y"]),
        )
        .await;
    let Failure::SpawnFailed {
        command_line,
        fault,
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert!(
        matches!(fault, StartFault::NotOnPath { nearest: None, .. }),
        "{fault:?}"
    );
    assert_eq!(command_line, "no-such-program-anywhere 'x y'");
}

#[tokio::test]
async fn a_working_directory_that_does_not_exist_is_not_taken_for_a_missing_program() {
    let bench = Bench::new();
    let mut spec = demo(&[]);
    if let Endpoint::Stdio {
        working_directory, ..
    } = &mut spec.endpoint
    {
        *working_directory = Some(PathBuf::from("no/such/directory"));
    }
    let failure = bench.failed(&server("nowhere"), spec).await;
    let Failure::SpawnFailed {
        message,
        fault: StartFault::NoDirectory { .. },
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert!(message.contains("no/such/directory"), "{message}");
}

#[tokio::test]
async fn a_program_that_ends_at_once_shows_its_exit_code_and_its_last_words() {
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        let bench = Bench::new();
        let spec = demo(&[
            "--fault",
            "exit",
            "--exit-code",
            "3",
            "--stderr",
            "no licence found",
        ]);
        let failure = bench
            .failed(&server("exits"), ServerSpec { era, ..spec })
            .await;
        let Failure::Exited {
            code,
            stderr,
            command_line,
            ..
        } = failure
        else {
            panic!("{failure:?}");
        };
        assert_eq!(code, Some(3));
        assert!(
            stderr.iter().any(|line| line.contains("no licence found")),
            "{stderr:?}"
        );
        assert!(command_line.contains("--fault exit"));
        let status = bench.connections.status(server("exits")).unwrap();
        let last = status.steps.last().and_then(|step| step.summary.as_deref());
        let expected = "had no answer: the program exited with code 3";
        assert_eq!(last, Some(expected), "{:?}", status.steps);
        let phases: Vec<Phase> = status.timeline.iter().map(|record| record.phase).collect();
        assert!(
            phases.ends_with(&[Phase::CleaningUp, Phase::Failed]),
            "{phases:?}"
        );
    }
}

/// Asserts that a request timed out in this phase, with this limit.
fn timed_out(failure: Failure, during: Phase, expected: Duration, method: &str) {
    let Failure::TimedOut {
        phase,
        limit,
        unanswered,
        ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert_eq!((phase, limit), (during, Millis::from(expected)));
    assert_eq!(unanswered.len(), 1);
    assert_eq!(unanswered[0].method, method);
}

#[tokio::test]
async fn a_server_that_never_answers_the_handshake_times_out_in_its_phase() {
    let bench = Bench::new();
    let spec = limited(
        legacy(demo(&["--fault", "hang-initialize"])),
        "initializing",
        SHORT,
    );
    let failure = bench.failed(&server("hangs"), spec).await;
    timed_out(
        failure,
        Phase::Initializing,
        Duration::from_millis(300),
        "initialize",
    );
}

#[tokio::test]
async fn the_limit_for_the_whole_start_ends_it_in_whatever_phase_it_is() {
    let bench = Bench::new();
    let mut spec = demo(&["--fault", "hang-tools"]);
    spec.limits.startup = Some(Duration::from_millis(1500));
    let failure = bench.failed(&server("startup"), spec).await;
    timed_out(
        failure,
        Phase::ListingTools,
        Duration::from_millis(1500),
        "tools/list",
    );
}

#[tokio::test]
async fn an_answer_that_is_not_json_is_shown() {
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        let bench = Bench::new();
        let spec = ServerSpec {
            era,
            ..demo(&["--fault", "bad-json"])
        };
        let failure = bench.failed(&server("broken"), spec).await;
        let Failure::ProtocolError {
            message, received, ..
        } = failure
        else {
            panic!("{failure:?}");
        };
        assert!(message.contains("not valid JSON"), "{message}");
        assert!(received.unwrap().contains("jsonrpc"));
    }
}

#[tokio::test]
async fn a_version_that_nobody_speaks_is_named_beside_ours() {
    let bench = Bench::new();
    let failure = bench
        .failed(
            &server("version"),
            legacy(demo(&["--fault", "wrong-version"])),
        )
        .await;
    let Failure::ProtocolError {
        message, received, ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert!(message.contains("2025-11-25"), "{message}");
    let received = received.unwrap();
    let (_, version) = received.split_once(r#""protocolVersion":""#).unwrap();
    let (version, _) = version.split_once('"').unwrap();
    assert!(message.contains(version), "{message}");
}

#[tokio::test]
async fn a_refused_handshake_shows_the_servers_words() {
    let bench = Bench::new();
    let failure = bench
        .failed(&server("refuses"), demo(&["--fault", "refuse-initialize"]))
        .await;
    let Failure::ProtocolError {
        message, received, ..
    } = failure
    else {
        panic!("{failure:?}");
    };
    assert!(message.contains("refused"), "{message}");
    assert!(received.unwrap().contains("error"));
}

#[tokio::test]
async fn a_server_that_ends_after_the_handshake_names_what_it_left_unanswered() {
    let bench = Bench::new();
    let spec = demo(&["--fault", "exit-after-initialize", "--exit-code", "9"]);
    let failure = bench.failed(&server("leaves"), spec).await;
    assert!(
        matches!(failure, Failure::Exited { code: Some(9), .. }),
        "{failure:?}"
    );
}

#[tokio::test]
async fn one_malformed_tool_spoils_only_itself() {
    let bench = Bench::new();
    let id = server("malformed");
    bench.ready(&id, demo(&["--fault", "malformed-tool"])).await;
    let window = bench
        .connections
        .items(&id, ListKind::Tools, "", 0, 1000)
        .unwrap();
    let (bad, good): (Vec<_>, Vec<_>) = window.rows.iter().partition(|row| row.problem.is_some());
    assert_eq!(bad.len(), 1, "{bad:?}");
    assert!(good.len() > 5);
    bench.echoes(&id).await;
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_crash_ends_the_call_and_the_connection_with_the_reason() {
    let bench = Bench::new();
    let id = server("crash");
    bench.ready(&id, demo(&[])).await;
    let report = bench.call(&id, "crash", "{}").await;
    assert_eq!(report.end, RequestEnd::ConnectionLost);
    assert!(report.request_frame.is_some());
    let status = bench
        .status(&id, |status| status.phase == Phase::Failed)
        .await;
    let Failure::Exited { unanswered, .. } = status.failure.unwrap().failure else {
        panic!("not an exit");
    };
    assert!(
        unanswered
            .iter()
            .any(|request| request.method == "tools/call"),
        "{unanswered:?}"
    );
    let tools = bench
        .connections
        .lists(&id)
        .into_iter()
        .find(|list| list.list == ListKind::Tools)
        .unwrap();
    assert_eq!(tools.state, ListState::Loaded);
    // And again: the failure is not the end.
    bench.ready(&id, demo(&[])).await;
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_call_without_a_sign_of_life_times_out_and_the_connection_goes_on() {
    let bench = Bench::new();
    let id = server("silent");
    let mut spec = demo(&[]);
    spec.limits.tool = Some(SHORT);
    bench.ready(&id, spec).await;
    let report = bench.call(&id, "hang", "{}").await;
    assert_eq!(report.end, RequestEnd::TimedOut);
    assert!(report.message.unwrap().contains("0.3 s"));
    bench.echoes(&id).await;
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_connect_that_is_under_way_can_be_ended() {
    let bench = Bench::new();
    let id = server("cancelled");
    bench
        .connections
        .connect(id.clone(), permitted(demo(&["--fault", "hang-initialize"])));
    bench
        .status(&id, |status| status.phase == Phase::Initializing)
        .await;
    bench.connections.disconnect(&id).await;
    let status = bench.connections.status(&id).unwrap();
    assert_eq!(status.phase, Phase::Disconnected);
    assert_eq!(status.failure, None);
}

/// A server in a few lines of shell: `body` sees each message as `$line`.
#[cfg(unix)]
fn script(body: &str) -> ServerSpec {
    stdio(
        "sh",
        &["-c", &format!("while IFS= read -r line; do {body}; done")],
    )
}

#[cfg(unix)]
const INITIALIZED: &str = r#"case "$line" in *'"initialize"'*) id=${line#*'"id":'}; id=${id%%,*}; echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"script","version":"0"}}}';; esac"#;

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_ignores_the_probe_still_connects() {
    let bench = Bench::new();
    let id = server("ignores");
    let status = bench.ready(&id, script(INITIALIZED)).await;
    let facts = status.handshake.unwrap();
    assert_eq!(facts.protocol_version, "2025-06-18");
    assert_eq!(facts.server_name, "script");
    came_by(&status.timeline, "initialize as well");
    bench.connections.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_dies_of_the_probe_is_started_again_without_it() {
    let bench = Bench::new();
    let id = server("dies");
    let body = format!(r#"case "$line" in *server/discover*) exit 7;; esac; {INITIALIZED}"#);
    let status = bench.ready(&id, script(&body)).await;
    came_by(&status.timeline, "starting it again");
    bench.connections.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn an_error_that_answers_a_notification_does_not_fail_the_list_that_is_open() {
    let bench = Bench::new();
    let id = server("answers-notifications");
    // Both `notifications/initialized` and `tools/list` are read before the error is written.
    let body = r#"
        read -r line
        echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"0"}}}'
        read -r line
        read -r line
        echo '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}'
        echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}'
        cat > /dev/null"#;
    bench.ready(&id, legacy(stdio("sh", &["-c", body]))).await;
    let lists = bench.connections.lists(&id);
    let tools = lists.iter().find(|list| list.list == ListKind::Tools);
    let tools = tools.expect("the list of tools");
    assert_eq!(tools.state, ListState::Loaded);
    assert_eq!(tools.count, 1);
    bench.connections.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn log_lines_on_stdout_before_the_handshake_do_no_harm() {
    let bench = Bench::new();
    let id = server("chatty");
    let body =
        format!(r#"echo '[info] ready'; echo '{{"level":30,"msg":"hi"}}'; echo; {INITIALIZED}"#);
    bench.ready(&id, legacy(script(&body))).await;
    bench.connections.shutdown().await;
}

#[cfg(unix)]
#[tokio::test]
async fn pages_that_never_end_are_stopped() {
    let bench = Bench::new();
    let id = server("endless");
    let body = r#"id=${line#*'"id":'}; id=${id%%,*}; case "$line" in *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"script","version":"0"}}}';; *tools/list*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"a'$id'","inputSchema":{}}],"nextCursor":"same"}}';; esac"#;
    bench.ready(&id, legacy(script(body))).await;
    let tools = bench
        .connections
        .lists(&id)
        .into_iter()
        .find(|list| list.list == ListKind::Tools)
        .unwrap();
    assert_eq!(tools.state, ListState::Loaded);
    let warning = tools.warning.unwrap();
    assert!(warning.contains("the cursor \"same\" again"), "{warning}");
    assert_eq!(tools.count, 2);
    bench.connections.shutdown().await;
}
