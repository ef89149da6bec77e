//! Servers that misbehave, each in one way: what the user sees of it, and that another
//! connection goes on unharmed.

use serde_json::{Value, json};
use sightglass_inspector::{
    ExchangeKind, ListKind, ListState, Phase, RequestEnd, ServerId, view::Settings,
};
use sightglass_tests::{TestHost, programs, text_of};

/// A host with a server that has the fault, and one that has none.
struct Pair {
    host: TestHost,
    faulty: ServerId,
    steady: ServerId,
}

impl Pair {
    /// Connects the steady server; the faulty one is left to the story.
    async fn with(entry: Value) -> Self {
        let host = TestHost::with_servers(json!({ "faulty": entry, "steady": demo(&[]) }));
        let pair = Self {
            host,
            faulty: TestHost::id("faulty"),
            steady: TestHost::id("steady"),
        };
        pair.host.connect(&pair.steady).await;
        pair
    }

    /// Both connected.
    async fn connected(arguments: &[&str]) -> Self {
        let pair = Self::with(demo(arguments)).await;
        pair.host.connect(&pair.faulty).await;
        pair
    }

    /// Returns the failure of connecting to the faulty server, as JSON.
    async fn failure(&self) -> Value {
        let status = self.host.try_connect(&self.faulty).await;
        assert_eq!(status.phase, Phase::Failed, "{status:?}");
        serde_json::to_value(status.failure.expect("a reason")).expect("JSON")
    }

    async fn steady_goes_on(&self) {
        assert_echo(&self.host, &self.steady).await;
    }

    async fn faulty_goes_on(&self) {
        assert_echo(&self.host, &self.faulty).await;
    }
}

async fn assert_echo(host: &TestHost, server: &ServerId) {
    let report = host.call(server, "echo", r#"{"message":"unharmed"}"#).await;
    assert!(text_of(&report).contains("unharmed"), "{report:?}");
}

fn demo(arguments: &[&str]) -> Value {
    json!({ "command": programs::own("sightglass-demo-server"), "args": arguments })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_shows_the_servers_words_and_is_not_repeated() {
    let pair = Pair::with(demo(&["--fault", "refuse-initialize"])).await;
    let report = pair.failure().await;
    assert_eq!(report["failure"]["type"], "protocolError");
    assert!(
        report["failure"]["received"]
            .to_string()
            .contains("refuses every client"),
        "{report}"
    );
    assert_eq!(
        pair.host
            .inspector
            .servers
            .open_connections
            .status(&pair.faulty)
            .reconnection,
        None,
        "a refusal is final"
    );
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_fails_in_the_phase_where_it_hangs() {
    for (fault, phase) in [
        ("hang-initialize", Phase::Initializing),
        ("hang-resources", Phase::ListingResources),
        ("hang-tools", Phase::ListingTools),
        ("hang-prompts", Phase::ListingPrompts),
    ] {
        let mut entry = demo(&["--fault", fault]);
        let name = phase.name();
        entry["phase_timeouts"] = json!({ name: 0.5 });
        let pair = Pair::with(entry).await;
        let report = pair.failure().await;
        assert_eq!(report["failure"]["type"], "timedOut", "{fault}");
        assert_eq!(report["failure"]["phase"], json!(phase));
        assert_eq!(
            report["failure"]["setBy"],
            json!({ "type": "entry", "field": format!("phase_timeouts.{name}") })
        );
        assert!(
            report["failure"]["unanswered"]
                .as_array()
                .is_some_and(|open| !open.is_empty()),
            "{report}"
        );
        // How to give it longer, as it would be written into the entry.
        let hint = report["hint"]["text"].as_str().unwrap_or_default();
        let setting = format!("\"phase_timeouts\": {{\"{name}\": 60}}");
        assert!(hint.contains(&setting), "{hint}");
        pair.steady_goes_on().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_accepts_nothing_after_its_handshake_fails_while_handshaking() {
    let http = programs::demo_over_http(&["--fault", "hang-handshake", "--era", "legacy"]);
    let pair =
        Pair::with(json!({ "url": http.url, "phase_timeouts": { "handshaking": 0.5 } })).await;
    let report = pair.failure().await;
    assert_eq!(report["failure"]["type"], "timedOut");
    assert_eq!(report["failure"]["phase"], "handshaking");
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_answers_late_connects_and_the_answer_to_the_other_era_harms_nothing() {
    let pair = Pair::connected(&["--startup-delay-ms", "3500"]).await;
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_takes_too_long_as_a_whole_names_the_limit_and_who_set_it() {
    let mut entry = demo(&["--fault", "hang-tools"]);
    entry["startup_timeout"] = json!(1.0);
    let pair = Pair::with(entry).await;
    let report = pair.failure().await;
    assert_eq!(
        report["failure"]["setBy"],
        json!({ "type": "entry", "field": "startup_timeout" })
    );

    let host = TestHost::with_environment(
        json!({ "faulty": demo(&["--fault", "hang-tools"]) }),
        [
            ("SIGHTGLASS_MCP_TIMEOUT", "1000"),
            ("MCP_TIMEOUT", "600000"),
        ],
    );
    let status = host.try_connect(&TestHost::id("faulty")).await;
    let report = serde_json::to_value(status.failure.expect("a reason")).expect("JSON");
    assert_eq!(
        report["failure"]["setBy"],
        json!({ "type": "variable", "name": "SIGHTGLASS_MCP_TIMEOUT" })
    );
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_without_an_answer_ends_at_its_limit_and_progress_extends_it() {
    let host =
        TestHost::with_environment(json!({ "slow": demo(&[]) }), [("MCP_TOOL_TIMEOUT", "1500")]);
    let slow = TestHost::id("slow");
    host.connect(&slow).await;
    let report = host.call(&slow, "hang", "{}").await;
    assert_eq!(report.request.end, RequestEnd::TimedOut);
    let report = host
        .call(&slow, "long_running", r#"{"duration":3,"steps":30}"#)
        .await;
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_a_wrong_id_is_on_record_and_its_call_times_out() {
    let mut entry = demo(&[]);
    entry["tool_timeout"] = json!(1.0);
    let pair = Pair::with(entry).await;
    pair.host.connect(&pair.faulty).await;
    for kind in ["unknown_id", "neither_result_nor_error", "invalid_json"] {
        let arguments = json!({ "kind": kind }).to_string();
        let report = pair
            .host
            .call(&pair.faulty, "malformed_result", &arguments)
            .await;
        assert_eq!(report.request.end, RequestEnd::TimedOut, "{kind}");
    }
    let rows = pair.host.traffic("no-such-request", &[]).await;
    assert!(
        !rows.is_empty(),
        "the answer that nobody waits for is a row"
    );
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_without_an_id_ends_the_one_call_that_it_can_mean() {
    let pair = Pair::connected(&[]).await;
    let report = pair
        .host
        .call(
            &pair.faulty,
            "malformed_result",
            r#"{"kind":"error_without_id"}"#,
        )
        .await;
    assert_eq!(report.request.end, RequestEnd::Error);
    assert_eq!(
        report.error.expect("an error").message,
        "Could not read that"
    );
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_answer_to_a_call_belongs_to_nobody() {
    let pair = Pair::connected(&[]).await;
    let report = pair
        .host
        .call(&pair.faulty, "duplicate_response", "{}")
        .await;
    assert!(text_of(&report).contains("first answer"));
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_of_the_wrong_shape_is_shown_with_what_is_wrong() {
    let pair = Pair::connected(&[]).await;
    for kind in ["content_not_array", "missing_content", "null_result"] {
        let arguments = json!({ "kind": kind }).to_string();
        let report = pair
            .host
            .call(&pair.faulty, "malformed_result", &arguments)
            .await;
        assert_eq!(report.request.end, RequestEnd::Result, "{kind}");
        let problems = report.result.map(|result| result.problems);
        assert!(
            problems.is_none_or(|problems| !problems.is_empty()),
            "{kind} is not taken for a result in order"
        );
    }
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_of_twelve_mebibytes_arrives_whole() {
    let pair = Pair::connected(&[]).await;
    let report = pair
        .host
        .call(&pair.faulty, "big_result", r#"{"mb":12}"#)
        .await;
    assert_eq!(report.request.end, RequestEnd::Result);
    assert!(report.request.size.as_u64() > 12 << 20);
    pair.steady_goes_on().await;
}

/// The limit is a setting. A message beyond it costs its own call and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_over_the_limit_that_is_set_fails_its_own_call_alone() {
    let pair = Pair::with(demo(&[])).await;
    let settings = Settings {
        message_limit: 1,
        ..pair.host.inspector.core.settings()
    };
    let saved = pair.host.inspector.core.save_settings(settings);
    saved.expect("saved");
    pair.host.connect(&pair.faulty).await;
    let (report, ()) = tokio::join!(
        pair.host
            .call(&pair.faulty, "big_result", r#"{"mb":2,"kind":"text"}"#),
        pair.steady_goes_on(),
    );
    assert_eq!(report.request.end, RequestEnd::TooLarge, "{report:?}");
    let words = report.request.message.expect("what went wrong");
    assert!(words.contains("larger than the message limit"), "{words}");
    let notes = pair
        .host
        .traffic("method:dropped", &[ExchangeKind::Phase])
        .await;
    assert_eq!(notes.len(), 1, "the record says what was dropped");
    pair.faulty_goes_on().await;
    // Connected before the setting, and not the one that was changed for.
    let report = pair
        .host
        .call(&pair.steady, "big_result", r#"{"mb":2,"kind":"text"}"#)
        .await;
    assert_eq!(report.request.end, RequestEnd::Result);
}

/// Ten calls run at once and the rest wait for their turn; a queue at one server is nobody
/// else's, and one that waits in it can be taken out.
#[tokio::test(flavor = "multi_thread")]
async fn a_queue_at_one_server_holds_up_no_other() {
    let pair = Pair::connected(&[]).await;
    let (inspector, faulty) = (&pair.host.inspector, &pair.faulty);
    let keys: Vec<String> = (0..12).map(|number| format!("hang {number}")).collect();
    let hanging = futures::future::join_all(keys.iter().map(|key| {
        inspector
            .calls
            .requests
            .call_tool(faulty, key, "hang", "{}", None, None)
    }));
    let meanwhile = async {
        pair.host
            .wait_for(faulty, |status| status.phase == Phase::Executing)
            .await;
        pair.steady_goes_on().await;
        for key in keys.iter().rev() {
            assert!(inspector.calls.requests.cancel_call(faulty, key), "{key}");
        }
    };
    let (reports, ()) = tokio::join!(hanging, meanwhile);
    for (place, report) in reports.into_iter().enumerate() {
        let report = report.expect("taken").request;
        assert_eq!(report.end, RequestEnd::Cancelled);
        assert_eq!(report.request_frame.is_some(), place < 10, "{place}");
    }
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_never_end_are_stopped_and_the_list_says_so() {
    let pair = Pair::connected(&["--fault", "endless-pages"]).await;
    let lists = pair
        .host
        .inspector
        .snapshot()
        .servers
        .into_iter()
        .find(|server| server.id == pair.faulty)
        .expect("configured")
        .lists;
    let tools = lists
        .into_iter()
        .find(|list| list.list == ListKind::Tools)
        .expect("a list");
    assert_eq!(tools.state, ListState::Loaded);
    let warning = tools.warning.expect("it says so");
    assert!(warning.contains("never end"), "{warning}");
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_drops_in_the_middle_is_taken_up_where_it_stopped() {
    let http = programs::demo_over_http(&["--era", "legacy"]);
    let pair = Pair::with(json!({ "url": http.url })).await;
    pair.host.connect(&pair.faulty).await;
    let report = pair.host.call(&pair.faulty, "drop_stream", "{}").await;
    assert!(text_of(&report).contains("came back"), "{report:?}");
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_in_a_call_explains_itself_and_comes_back() {
    let pair = Pair::connected(&[]).await;
    let report = pair
        .host
        .call(&pair.faulty, "crash", r#"{"exit_code":9}"#)
        .await;
    assert_eq!(report.request.end, RequestEnd::ConnectionLost);
    let status = pair
        .host
        .wait_for(&pair.faulty, |status| status.reconnection.is_some())
        .await;
    assert_eq!(
        status.failure.expect("a reason").reason,
        "exited with code 9"
    );
    pair.steady_goes_on().await;
    pair.host
        .wait_for(&pair.faulty, |status| status.phase == Phase::Ready)
        .await;
    pair.faulty_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_on_stderr_is_kept_in_order_and_its_end_explains_the_failure() {
    let pair = Pair::connected(&[]).await;
    pair.host
        .call(&pair.faulty, "write_stderr", r#"{"lines":10000}"#)
        .await;
    pair.faulty_goes_on().await;
    pair.host.call(&pair.faulty, "crash", "{}").await;
    let status = pair
        .host
        .wait_for(&pair.faulty, |status| status.failure.is_some())
        .await;
    let report = serde_json::to_value(status.failure.expect("a reason")).expect("JSON");
    let lines = report["failure"]["stderr"].as_array().expect("lines");
    assert!(lines.len() <= 51, "bounded: {}", lines.len());
    assert!(
        lines[0]
            .as_str()
            .is_some_and(|line| line.contains("earlier lines in the traffic")),
        "it says what it dropped: {}",
        lines[0]
    );
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_thousand_notifications_hold_up_nobody() {
    let pair = Pair::connected(&["--era", "legacy"]).await;
    pair.host
        .inspector
        .calls
        .requests
        .set_log_level(&pair.faulty, "debug")
        .await
        .expect("accepted");
    let flood = pair
        .host
        .call(&pair.faulty, "log_burst", r#"{"count":100000}"#);
    let (report, ()) = tokio::join!(flood, pair.steady_goes_on());
    assert_eq!(report.request.end, RequestEnd::Result, "{report:?}");
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_whose_headers_contradict_each_other_is_shown_as_dropped_with_the_reason() {
    let http = programs::demo_over_http(&["--fault", "invalid-header-tool", "--era", "modern"]);
    let pair = Pair::with(json!({ "url": http.url })).await;
    pair.host.connect(&pair.faulty).await;
    let rows = pair
        .host
        .inspector
        .calls
        .lists
        .items(&pair.faulty, ListKind::Tools, "invalid_header_tool", 0, 10)
        .expect("connected")
        .rows;
    let problem = rows[0].problem.as_deref().expect("a reason");
    assert!(problem.contains("used twice"), "{problem}");
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_expired_is_renewed_where_everybody_can_see_it() {
    let http = programs::demo_over_http(&["--era", "legacy"]);
    let pair = Pair::with(json!({ "url": http.url })).await;
    pair.host.connect(&pair.faulty).await;
    pair.host.call(&pair.faulty, "expire_session", "{}").await;
    pair.faulty_goes_on().await;
    let status = pair
        .host
        .wait_for(&pair.faulty, |status| status.phase == Phase::Ready)
        .await;
    let step = status
        .timeline
        .iter()
        .filter_map(|record| record.detail.as_deref())
        .find(|detail| detail.contains("no longer knows the session"));
    assert!(step.is_some(), "{:?}", status.timeline);
    let facts = pair
        .host
        .traffic("method:session", &[ExchangeKind::Phase])
        .await;
    assert!(!facts.is_empty(), "it is a fact on record");
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_has_to_be_visited_first_is_asked_for_and_the_call_is_sent_again() {
    let pair = Pair::connected(&["--era", "legacy"]).await;
    let call = pair.host.call(
        &pair.faulty,
        "ask_elicitation_url",
        r#"{"via":"error","url":"https://example.com/connect"}"#,
    );
    let inspector = &pair.host.inspector;
    let visit = async {
        for answer in ["accept", "decline"] {
            let question = pair
                .host
                .eventually("the request to visit a page", || {
                    inspector.snapshot().questions.into_iter().next()
                })
                .await;
            assert!(question.before_another_try);
            assert!(question.params.contains("https://example.com/connect"));
            let json = json!({ "action": answer }).to_string();
            inspector
                .calls
                .requests
                .answer_question(
                    question.id,
                    sightglass_inspector::ServerAnswer::Result { json },
                )
                .expect("open");
        }
    };
    // This server asks again each time; at the second time the user has had enough.
    let (report, ()) = tokio::join!(call, visit);
    assert_eq!(report.error.expect("an error").code, "-32042");
    let calls = pair
        .host
        .traffic("method:tools/call ask_elicitation_url", &[])
        .await;
    assert_eq!(calls.len(), 2, "sent again once");
    pair.steady_goes_on().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_malformed_tool_is_shown_with_what_is_wrong_among_the_good_ones() {
    let pair = Pair::connected(&["--fault", "malformed-tool"]).await;
    let tools = pair
        .host
        .inspector
        .calls
        .lists
        .items(&pair.faulty, ListKind::Tools, "", 0, 1000)
        .expect("connected");
    let problems: Vec<&str> = tools
        .rows
        .iter()
        .filter_map(|row| row.problem.as_deref())
        .collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(tools.rows.len() > 10, "the good ones are listed");
    pair.faulty_goes_on().await;
    pair.steady_goes_on().await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ignores_sigterm_and_its_child_are_gone_after_disconnecting() {
    let pair = Pair::connected(&["--ignore-sigterm", "--fork-child"]).await;
    let status = pair
        .host
        .inspector
        .servers
        .open_connections
        .status(&pair.faulty);
    let process = status.handshake.and_then(|facts| facts.process);
    let process = process.expect("a process id");
    let family = processes_of_group(process);
    assert!(family.len() >= 2, "the server and its child: {family:?}");
    pair.host
        .inspector
        .servers
        .open_connections
        .disconnect(&pair.faulty)
        .await;
    pair.host
        .eventually("the end of all its processes", || {
            processes_of_group(process).is_empty().then_some(())
        })
        .await;
    pair.steady_goes_on().await;
}

/// The processes of a process group, from `/proc`; zombies do not count.
#[cfg(target_os = "linux")]
fn processes_of_group(group: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("Linux has /proc");
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|process| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            // After the name in brackets: state, parent, group.
            let mut fields = stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .split_whitespace();
            let state = fields.next();
            state != Some("Z") && fields.nth(1).and_then(|field| field.parse().ok()) == Some(group)
        })
        .collect()
}
