//! Tests of a server of one's own: checks of conformance, and load runs.

use std::sync::Mutex;

use serde_json::{Value, json};
use sightglass_inspector::{
    ConformanceReport, Era, Finding, InspectorError, ServerId, Verdict, conformance_junit,
    view::{ConformanceOptions, Fact, LoadEvent, LoadOptions, LoadProgress, LoadReport},
};
use sightglass_tests::{
    TestHost,
    programs::{self, scripted},
    wiretap::Wiretap,
};
use tokio_util::sync::CancellationToken;

use crate::command_line::{Machine, validate_junit};

fn called_with_echo() -> ConformanceOptions {
    ConformanceOptions {
        tool: Some("echo".into()),
        arguments: Some(r#"{"message":"hello"}"#.into()),
        ..ConformanceOptions::default()
    }
}

async fn checked(
    host: &TestHost,
    server: &ServerId,
    options: &ConformanceOptions,
) -> ConformanceReport {
    let spec = host
        .inspector
        .servers
        .specs
        .spec(server)
        .expect("a usable entry");
    host.inspector
        .checks
        .conformance
        .conformance_as(server, spec, options, &|_| {}, &CancellationToken::new())
        .await
        .expect("it runs")
}

fn failed(report: &ConformanceReport) -> Vec<(&str, Era)> {
    let failed = report.checks.iter();
    failed
        .filter(|check| check.verdict == Verdict::Failed)
        .map(|check| (check.rule.as_str(), check.subject))
        .collect()
}

fn check<'a>(report: &'a ConformanceReport, id: &str, era: Era) -> &'a Finding<Era> {
    let mut checks = report.checks.iter();
    checks
        .find(|check| check.rule == id && check.subject == era)
        .unwrap_or_else(|| panic!("no {id}: {report:#?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_server_passes_every_check_in_both_eras() {
    let demo = programs::demo_over_http(&[]);
    let host = TestHost::with_servers(json!({
        "http": { "type": "http", "url": demo.url },
        "stdio": { "command": programs::own("sightglass-demo-server") },
    }));
    for (name, passed) in [("stdio", 59), ("http", 70)] {
        let report = checked(&host, &TestHost::id(name), &called_with_echo()).await;
        assert_eq!(failed(&report), [], "{name}: {report:#?}");
        let skipped: Vec<_> = report
            .checks
            .iter()
            .filter(|check| check.verdict == Verdict::Skipped)
            .collect();
        assert!(skipped.is_empty(), "{name}: {skipped:#?}");
        for era in [Era::Legacy, Era::Modern] {
            assert_eq!(check(&report, "tool-call", era).verdict, Verdict::Passed);
        }
        // Those of HTTP do not apply to a process.
        assert_eq!(report.totals.passed, passed, "{name}: {:?}", report.totals);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_faulty_server_fails_the_right_checks_and_the_messages_behind_them_are_there() {
    let tap = Wiretap::new();
    let tools = json!({"tools": [
        { "name": "twice", "inputSchema": { "type": "object" } },
        { "name": "twice", "inputSchema": { "type": "object" } },
        { "name": "bare" },
        { "name": "odd", "inputSchema": { "type": "object", "required": "all" } },
    ]});
    let entry = scripted(
        &tap,
        &[
            ("(begin)", r#""hello, I am a banner\n""#),
            (
                "initialize",
                r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"faulty","version":""}}"#,
            ),
            ("ping", r#"{"pong":true}"#),
            ("tools/list", &tools.to_string()),
            ("tools/call", r#"{"content":[]}"#),
            ("prompts/list", r#"{"prompts":[]}"#),
            (
                "resources/list",
                r#"{"resources":[{"uri":"a","name":"a"}],"nextCursor":"again"}"#,
            ),
            ("resources/read", r#"{"contents":[{"uri":"a"}]}"#),
            ("sightglass/no-such-method", "{}"),
        ],
    );
    let host = TestHost::with_servers(json!({ "s": entry }));
    let server = TestHost::id("s");
    let report = checked(&host, &server, &ConformanceOptions::default()).await;
    let expected = [
        "server-info",
        "capabilities-undeclared",
        "unknown-method",
        "ping",
        "stray-output",
        "pagination-ends",
        "pagination-bad-cursor",
        "tools-valid",
        "tools-unique",
        "tool-schemas",
        "tool-unknown",
        "resources-valid",
        "resource-read",
        "resource-not-found",
    ]
    .map(|id| (id, Era::Legacy));
    assert_eq!(failed(&report), expected, "{report:#?}");
    // The other era is one that it does not speak.
    let modern = check(&report, "handshake", Era::Modern);
    assert_eq!(modern.verdict, Verdict::NotApplicable);
    for check in report
        .checks
        .iter()
        .filter(|check| check.verdict == Verdict::Failed)
    {
        assert!(!check.exchanges.is_empty(), "{}", check.rule);
        let clause = check.clause.as_ref();
        assert!(
            check.message.is_some()
                && clause.is_some_and(|clause| clause.title.starts_with(['M', 'J']))
        );
        for exchange in &check.exchanges {
            let detail = host.inspector.core.record().detail(*exchange).await;
            let row = detail.expect("it is on record").row;
            assert_eq!(row.server_id, server.of_check(), "{}", check.rule);
        }
    }
    let unknown = check(&report, "unknown-method", Era::Legacy);
    let detail = host
        .inspector
        .core
        .record()
        .detail(unknown.exchanges[0])
        .await;
    assert_eq!(
        detail.expect("a row").row.method,
        "sightglass/no-such-method"
    );
    // No tool was called but the one that there is not.
    let calls: Vec<String> = tap
        .lines("sent")
        .into_iter()
        .filter(|line| line.contains("tools/call"))
        .collect();
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(calls[0].contains("sightglass-no-such-tool"), "{calls:?}");
    let xml = conformance_junit(&report).expect("XML");
    assert_eq!(xml.matches("<failure").count(), expected.len(), "{xml}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_breaks_off_or_speaks_no_mcp_is_told_and_nothing_hangs() {
    let host = TestHost::with_servers(json!({
        "gone": { "command": "/no/such/program" },
        "demo": { "command": programs::own("sightglass-demo-server") },
    }));
    let report = checked(&host, &TestHost::id("gone"), &ConformanceOptions::default()).await;
    let expected = [("handshake", Era::Legacy), ("handshake", Era::Modern)];
    assert_eq!(failed(&report), expected, "{report:#?}");
    let crash = ConformanceOptions {
        tool: Some("crash".into()),
        arguments: Some("{}".into()),
        era: Some(Era::Legacy),
        ..ConformanceOptions::default()
    };
    let report = checked(&host, &TestHost::id("demo"), &crash).await;
    let call = check(&report, "tool-call", Era::Legacy);
    assert_ne!(call.verdict, Verdict::Passed, "{call:?}");
    let odd = ConformanceOptions {
        arguments: Some("{}".into()),
        ..ConformanceOptions::default()
    };
    let spec = host
        .inspector
        .servers
        .specs
        .spec(&TestHost::id("demo"))
        .expect("usable");
    let stop = CancellationToken::new();
    let refused = host
        .inspector
        .checks
        .conformance
        .conformance_as(&TestHost::id("demo"), spec, &odd, &|_| {}, &stop)
        .await;
    assert!(matches!(refused, Err(InspectorError::InvalidInput(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_checked_is_what_was_approved() {
    let host = TestHost::with_foreign_servers(json!({
        "theirs": { "command": programs::own("sightglass-demo-server") },
    }));
    let server = TestHost::id("theirs");
    let options = ConformanceOptions::default();
    let refused = host
        .inspector
        .checks
        .conformance
        .start_conformance(&server, options);
    assert!(
        matches!(refused, Err(InspectorError::NotApproved { .. })),
        "{refused:?}"
    );
    let refused = host
        .inspector
        .checks
        .load
        .start_load(&server, load("echo", 1, 1, 1));
    assert!(
        matches!(refused, Err(InspectorError::NotApproved { .. })),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_official_suite_judges_a_server_over_http() {
    let demo = programs::demo_over_http(&[]);
    let path = programs::npm_node();
    let node = path.parent().expect("a directory").display().to_string();
    let host = TestHost::with_environment(
        json!({
            "http": { "type": "http", "url": demo.url },
            "stdio": { "command": programs::own("sightglass-demo-server") },
            "far": { "type": "http", "url": "http://192.0.2.1/mcp" },
        }),
        [("PATH", &node)],
    );
    let options = ConformanceOptions {
        suite: true,
        ..called_with_echo()
    };
    let run = async |name: &str| {
        let server = TestHost::id(name);
        let spec = host.inspector.servers.specs.spec(&server).expect("usable");
        let stop = CancellationToken::new();
        host.inspector
            .checks
            .conformance
            .conformance_as(&server, spec, &options, &|_| {}, &stop)
            .await
    };
    assert!(
        !host
            .inspector
            .checks
            .conformance
            .conformance_suite()
            .is_installed
    );
    let error = run("http").await.expect_err("it is not installed");
    assert!(error.to_string().contains("not installed"), "{error}");
    let suite = host.inspector.checks.conformance.conformance_suite();
    let directory = std::path::Path::new(&suite.directory);
    std::fs::create_dir_all(directory).expect("created");
    let installed = programs::repository().join("tests/node_modules");
    std::os::unix::fs::symlink(installed, directory.join("node_modules")).expect("linked");
    assert!(
        host.inspector
            .checks
            .conformance
            .conformance_suite()
            .is_installed
    );

    let error = run("stdio").await.expect_err("it speaks HTTP only");
    assert!(error.to_string().contains("HTTP only"), "{error}");
    let error = run("far").await.expect_err("it is another machine");
    assert!(
        matches!(&error, InspectorError::RemoteSuite { host } if host == "192.0.2.1"),
        "{error}"
    );
    let report = run("http").await.expect("it runs");
    assert_eq!(report.suite_problem, None);
    let suite = report.suite.expect("a report");
    let verdict = |name: &str, revision: &str| {
        let mut scenarios = suite.scenarios.iter();
        scenarios
            .find(|scenario| scenario.name == name && scenario.revision == revision)
            .map(|scenario| scenario.verdict)
    };
    for (name, revision) in [
        ("server-initialize", "2025-11-25"),
        ("ping", "2025-11-25"),
        ("tools-list", "2025-11-25"),
        ("dns-rebinding-protection", "2025-11-25"),
        ("tools-list", "2026-07-28"),
        ("caching", "2026-07-28"),
    ] {
        let verdict = verdict(name, revision);
        assert_eq!(verdict, Some(Verdict::Passed), "{name} {revision}");
    }
    // It has none of the tools of the suite's own server.
    let failed = verdict("tools-call-image", "2025-11-25");
    assert_eq!(failed, Some(Verdict::Failed));
    assert!(report.totals.failed > 0);
}

fn load(tool: &str, rate: u32, clients: u32, seconds: u32) -> LoadOptions {
    LoadOptions {
        tool: tool.into(),
        arguments: r#"{"message":"hello"}"#.into(),
        rate,
        clients,
        seconds,
        era: None,
        allowed_host: None,
        allows_effects: true,
    }
}

async fn loaded(
    host: &TestHost,
    server: &ServerId,
    options: &LoadOptions,
) -> Result<LoadReport, InspectorError> {
    let spec = host.inspector.servers.specs.spec(server).expect("usable");
    host.inspector
        .checks
        .load
        .load_as(server, spec, options, &|_| {}, &CancellationToken::new())
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn load_is_measured_and_leaves_no_trace_in_the_record() {
    let demo = programs::demo_over_http(&[]);
    let host = TestHost::with_servers(json!({
        "http": { "type": "http", "url": demo.url },
        "stdio": { "command": programs::own("sightglass-demo-server") },
    }));
    for name in ["http", "stdio"] {
        let progress = Mutex::new(Vec::<LoadProgress>::new());
        let server = TestHost::id(name);
        let spec = host.inspector.servers.specs.spec(&server).expect("usable");
        let report = host
            .inspector
            .checks
            .load
            .load_as(
                &server,
                spec,
                &load("echo", 50, 4, 2),
                &|step| progress.lock().expect("whole").push(step),
                &CancellationToken::new(),
            )
            .await
            .expect("it runs");
        assert_eq!((report.total, report.failed), (100, 0), "{report:#?}");
        assert_eq!(report.succeeded + report.not_sent, 100);
        let of_buckets: u32 = report.histogram.iter().map(|bucket| bucket.count).sum();
        assert_eq!(of_buckets, report.succeeded);
        let summary = report.response;
        assert!(summary.p50 <= summary.p90 && summary.p90 <= summary.p99);
        assert!(summary.p99 <= summary.max);
        let steps = progress.into_inner().expect("whole");
        assert!(steps.is_sorted_by_key(|step| step.ended));
        assert_eq!(steps.last().map(|step| step.ended), Some(report.succeeded));
    }
    assert_eq!(host.traffic("", &[]).await, [], "the record is the user's");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stall_is_seen_in_every_call_that_it_delays() {
    let host = TestHost::new();
    let slow = LoadOptions {
        arguments: r#"{"ms":300}"#.into(),
        // It says that it only reads.
        allows_effects: false,
        ..load("sleep", 20, 1, 1)
    };
    let report = loaded(&host, &ServerId::demo(), &slow)
        .await
        .expect("it runs");
    // One client at a time: three or four calls of twenty, the later the longer they waited.
    assert!(report.not_sent > 10, "{report:#?}");
    assert_eq!(report.succeeded + report.failed + report.not_sent, 20);
    assert!(report.response.max > report.service.max, "{report:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_counted_by_kind() {
    let host = TestHost::new();
    let wrong = LoadOptions {
        arguments: "{}".into(),
        ..load("no-such-tool", 10, 1, 1)
    };
    let report = loaded(&host, &ServerId::demo(), &wrong)
        .await
        .expect("it runs");
    assert_eq!(report.succeeded, 0, "{report:#?}");
    let of_kinds: u32 = report.errors.iter().map(|error| error.count).sum();
    assert_eq!(of_kinds, report.failed);
    assert!(
        report.errors[0].kind.starts_with("error -32"),
        "{report:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn load_stays_on_this_machine_and_within_bounds_unless_the_user_says_so() {
    let host = TestHost::with_servers(json!({
        "far": { "type": "http", "url": "http://192.0.2.1/mcp" },
        "bridge": { "command": "npx", "args": ["mcp-remote", "https://mcp.example.com/mcp"] },
        "demo": { "command": programs::own("sightglass-demo-server") },
    }));
    for (name, expected) in [("far", "192.0.2.1"), ("bridge", "mcp.example.com")] {
        let server = TestHost::id(name);
        let plan = host
            .inspector
            .checks
            .load
            .load_plan(&server, &load("echo", 5, 1, 10))
            .expect("a plan");
        assert_eq!((plan.host.as_deref(), plan.total), (Some(expected), 50));
        // Another host's permission is none.
        let allowed = LoadOptions {
            allowed_host: Some("example.com".into()),
            ..load("echo", 5, 1, 10)
        };
        let refused = loaded(&host, &server, &allowed).await;
        let is_refused = matches!(
            &refused,
            Err(InspectorError::RemoteLoad { host, total: 50 }) if host == expected
        );
        assert!(is_refused, "{refused:?}");
        let most = LoadOptions {
            allowed_host: Some(expected.into()),
            ..load("echo", 1000, 1, 60)
        };
        let refused = loaded(&host, &server, &most).await;
        assert!(matches!(refused, Err(InspectorError::InvalidInput(_))));
    }
    let demo = TestHost::id("demo");
    for (rate, clients, seconds) in [(0, 1, 1), (1, 65, 1), (10_000, 1, 3_600), (1, 0, 1)] {
        let refused = loaded(&host, &demo, &load("echo", rate, clients, seconds)).await;
        assert!(
            matches!(refused, Err(InspectorError::InvalidInput(_))),
            "{refused:?}"
        );
    }
    // The tool itself does not say that it only reads.
    let careful = LoadOptions {
        allows_effects: false,
        ..load("change_tools", 1, 1, 1)
    };
    let refused = loaded(&host, &demo, &careful).await;
    assert!(
        matches!(refused, Err(InspectorError::ToolWithEffects { .. })),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_load_run_of_the_window_can_be_stopped() {
    let host = TestHost::new();
    let mut facts = host.inspector.subscribe();
    let options = load("echo", 10, 1, 3_600);
    host.inspector
        .checks
        .load
        .start_load(&ServerId::demo(), options)
        .expect("it starts");
    let mut report = None;
    while report.is_none() {
        for event in facts.next_batch().await.expect("facts") {
            let Fact::Load { event } = event.fact else {
                continue;
            };
            match *event {
                LoadEvent::Progress { progress, .. } if progress.ended > 0 => {
                    host.inspector.checks.load.stop_load(&ServerId::demo());
                }
                LoadEvent::Ended { report: ended, .. } => report = ended,
                _ => {}
            }
        }
    }
    let report = report.expect("a report");
    assert!(report.is_stopped && report.succeeded > 0, "{report:?}");
}

#[test]
fn the_command_line_checks_and_loads_with_its_exit_codes() {
    let machine = Machine::new();
    let file = machine.path("report.xml");
    let program = programs::own("sightglass-demo-server");
    let program = program.to_str().expect("UTF-8");
    let ran = machine.run(&[
        "conformance",
        "--json",
        "--era",
        "legacy",
        "--junit",
        file.to_str().expect("UTF-8"),
        "--",
        program,
    ]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.stdout, ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["totals"]["failed"], 0);
    validate_junit(&file);
    let xml = std::fs::read_to_string(&file).expect("written");
    assert!(
        xml.contains("<testsuite name=\"checks, initialize era\""),
        "{xml}"
    );

    let ran = machine.run(&[
        "conformance",
        "--era",
        "legacy",
        "--tool",
        "ecko",
        "--",
        program,
    ]);
    assert_eq!(ran.code, Some(1), "{} {}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("no tool named ecko"), "{}", ran.stderr);
    assert!(ran.stderr.contains("Did you mean echo?"), "{}", ran.stderr);

    let tap = Wiretap::new();
    let faulty = scripted(&tap, &[("ping", "[]"), ("tools/list", r#"{"tools":[]}"#)]);
    let machine = Machine::with_servers(json!({ "faulty": faulty }));
    let ran = machine.run(&["conformance", "faulty"]);
    assert_eq!(ran.code, Some(5), "{} {}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("✗ A ping is answered"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(r#""result":[]"#), "{}", ran.stdout);

    let words = [
        "load",
        "echo",
        "message:=hi",
        "--rps",
        "20",
        "--duration",
        "1s",
    ];
    let ran = machine.run(&[&words[..], &["--allow-effects", "--", program]].concat());
    assert_eq!(ran.code, Some(0), "{} {}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("of 20 calls succeeded"),
        "{}",
        ran.stdout
    );
    let remote = ["load", "http://192.0.2.1/mcp", "echo"];
    let ran = machine.run(&remote);
    assert_eq!(ran.code, Some(1), "{} {}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("--allow-remote"), "{}", ran.stderr);
    let ran = machine.run(&["conformance", "http://127.0.0.1:9/mcp", "--suite"]);
    assert_eq!(ran.code, Some(1), "{} {}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("--install-suite"), "{}", ran.stderr);
}
