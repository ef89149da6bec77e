//! Connecting to programs.

use crate::support::{Bench, came_by, demo, server};
use serde_json::json;
use sightglass_connection::{
    ConnectionError, ConnectionEvent, ListKind, ListState, Params, ParamsError, RequestEnd,
    ServerAnswer,
};
use sightglass_model::{Era, EraChoice, Phase, ServerSpec};

fn era(spec: ServerSpec, era: EraChoice) -> ServerSpec {
    ServerSpec { era, ..spec }
}

#[tokio::test]
async fn a_connection_goes_through_all_phases_and_knows_whom_it_talks_to() {
    let bench = Bench::new();
    let id = server("demo");
    let status = bench.ready(&id, era(demo(&[]), EraChoice::Legacy)).await;
    let phases: Vec<Phase> = status.timeline.iter().map(|record| record.phase).collect();
    assert_eq!(
        phases,
        [
            Phase::Connecting,
            Phase::Initializing,
            Phase::Handshaking,
            Phase::ListingResources,
            Phase::ListingTools,
            Phase::ListingPrompts,
            Phase::Ready,
        ]
    );
    assert!(
        status.timeline[..6]
            .iter()
            .all(|record| record.duration.is_some())
    );
    let facts = status.handshake.unwrap();
    assert_eq!(facts.era, Era::Legacy);
    assert_eq!(facts.protocol_version, "2025-11-25");
    assert!(!facts.server_name.is_empty());
    assert!(facts.capabilities.contains(&"tools".to_owned()));
    assert!(facts.process.is_some());
    let request = bench.json(Some(facts.request_frame));
    assert_eq!(request["method"], "initialize");
    assert_eq!(request["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(request["params"]["clientInfo"]["version"], "1.2.3");
    assert_eq!(
        request["params"]["capabilities"]["elicitation"],
        json!({"form": {}, "url": {}})
    );
    let answer = bench.json(Some(facts.response_frame));
    assert_eq!(
        answer["result"]["serverInfo"]["name"],
        facts.server_name.as_str()
    );
    bench.connections.disconnect(&id).await;
    assert_eq!(
        bench.connections.status(&id).unwrap().phase,
        Phase::Disconnected
    );
}

#[tokio::test]
async fn auto_finds_the_era_of_each_server() {
    for (option, found) in [
        ("modern", Era::Modern),
        ("legacy", Era::Legacy),
        ("both", Era::Modern),
    ] {
        let bench = Bench::new();
        let id = server(option);
        let status = bench.ready(&id, demo(&["--era", option])).await;
        let facts = status.handshake.unwrap();
        assert_eq!(facts.era, found, "{option}");
        assert!(!facts.server_name.is_empty(), "{option}");
        if found == Era::Legacy {
            came_by(&status.timeline, "using initialize");
        }
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn every_page_of_every_list_is_loaded() {
    let bench = Bench::new();
    let id = server("pages");
    bench
        .ready(
            &id,
            demo(&["--load", "--tools", "1234", "--page-size", "100"]),
        )
        .await;
    let tools = bench
        .connections
        .lists(&id)
        .into_iter()
        .find(|list| list.list == ListKind::Tools)
        .unwrap();
    assert_eq!((tools.state, tools.count), (ListState::Loaded, 1234));
    let window = bench
        .connections
        .items(&id, ListKind::Tools, "", 1200, 100)
        .unwrap();
    assert_eq!(
        (window.rows.len(), window.matched, window.total),
        (34, 1234, 1234)
    );
    let last = &window.rows[33];
    assert_eq!(
        bench.connections.find(&id, ListKind::Tools, &last.name),
        Some(1233)
    );
    let item: serde_json::Value =
        serde_json::from_str(&bench.connections.item(&id, ListKind::Tools, 1233).unwrap()).unwrap();
    assert_eq!(item["name"], last.name.as_str());
    let found = bench
        .connections
        .items(&id, ListKind::Tools, &last.name.to_uppercase(), 0, 10)
        .unwrap();
    assert!(found.rows.iter().any(|row| row.index == 1233));
    assert!(matches!(
        bench.connections.item(&id, ListKind::Tools, 1234),
        Err(ConnectionError::NotFound { .. })
    ));
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn arguments_arrive_as_they_were_typed() {
    for choice in [EraChoice::Legacy, EraChoice::Modern] {
        let bench = Bench::new();
        let id = server("verbatim");
        bench.ready(&id, era(demo(&[]), choice)).await;
        let arguments = r#"{ "z": 12345678901234567890123456789, "a": 1.10,
            "n": null }"#;
        let report = bench.call(&id, "echo_arguments", arguments).await;
        assert_eq!(report.end, RequestEnd::Result);
        let sent = bench.payload(report.request_frame.unwrap());
        let sent = std::str::from_utf8(&sent).unwrap();
        assert!(sent.contains(&arguments.replace('\n', " ")), "{sent}");
        let answer = bench.payload(report.response_frame.unwrap());
        assert!(
            std::str::from_utf8(&answer)
                .unwrap()
                .contains("12345678901234567890123456789")
        );
        assert_eq!(report.size, answer.len().into());
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn a_person_may_send_any_method_and_sees_the_servers_error() {
    let bench = Bench::new();
    let id = server("errors");
    bench.ready(&id, demo(&[])).await;
    let report = bench
        .connections
        .request(&id, "k", "no/such", &Params::empty())
        .await
        .unwrap();
    assert_eq!(report.end, RequestEnd::Error);
    assert_eq!(bench.json(report.response_frame)["error"]["code"], -32601);
    assert_eq!(Params::parse("[1]"), Err(ParamsError::NotObject));
    let nobody = bench
        .connections
        .request(server("nobody"), "k", "ping", &Params::empty())
        .await;
    assert_eq!(nobody, Err(ConnectionError::NotConnected));
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_running_call_shows_progress_and_can_be_cancelled() {
    for choice in [EraChoice::Legacy, EraChoice::Modern] {
        let bench = Bench::new();
        let id = server("progress");
        bench.ready(&id, era(demo(&[]), choice)).await;
        let call = async {
            bench
                .call(&id, "long_running", r#"{"duration":600,"steps":100000}"#)
                .await
        };
        let watch = async {
            bench.event(|event| matches!(event, ConnectionEvent::Progress { call, .. } if call == "long_running").then_some(())).await;
            bench
                .status(&id, |status| status.phase == Phase::Executing)
                .await;
            assert!(bench.connections.cancel(&id, "long_running"));
        };
        let (report, ()) = tokio::join!(call, watch);
        assert_eq!(report.end, RequestEnd::Cancelled);
        assert!(report.request_frame.is_some());
        bench
            .status(&id, |status| status.phase == Phase::Ready)
            .await;
        assert!(!bench.connections.cancel(&id, "long_running"));
        bench.echoes(&id).await;
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn the_server_asks_and_a_person_answers() {
    for choice in [EraChoice::Legacy, EraChoice::Modern] {
        let bench = Bench::new();
        let id = server("asks");
        bench.ready(&id, era(demo(&[]), choice)).await;
        let call = bench.call(&id, "ask_elicitation", "{}");
        let answer = async {
            let question = bench
                .event(|event| match event {
                    ConnectionEvent::QuestionArrived { question } => Some(question.clone()),
                    _ => None,
                })
                .await;
            assert_eq!(question.method, "elicitation/create");
            assert_eq!(question.call.as_deref(), Some("ask_elicitation"));
            assert_eq!(
                bench.connections.questions(),
                std::slice::from_ref(&question)
            );
            assert!(matches!(
                bench
                    .connections
                    .answer(question.id, ServerAnswer::Result { json: "{".into() }),
                Err(ConnectionError::InvalidParams { .. })
            ));
            let json =
                r#"{"action":"accept","content":{"marker":"kept 9007199254740993"}}"#.to_owned();
            bench
                .connections
                .answer(question.id, ServerAnswer::Result { json })
                .unwrap();
            assert!(bench.connections.questions().is_empty());
        };
        let (report, ()) = tokio::join!(call, answer);
        assert_eq!(report.end, RequestEnd::Result, "{choice:?} {report:?}");
        let result = bench.payload(report.response_frame.unwrap());
        assert!(
            !std::str::from_utf8(&result)
                .unwrap()
                .contains("input_required")
        );
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn a_changed_list_is_loaded_again_and_the_change_is_told() {
    for choice in [EraChoice::Legacy, EraChoice::Modern] {
        let bench = Bench::new();
        let id = server("changes");
        bench.ready(&id, era(demo(&[]), choice)).await;
        assert_eq!(
            bench.call(&id, "change_tools", "{}").await.end,
            RequestEnd::Result
        );
        let change = bench
            .event(|event| match event {
                ConnectionEvent::List { change, .. }
                    if change.list == ListKind::Tools
                        && !(change.added.is_empty()
                            && change.removed.is_empty()
                            && change.changed.is_empty()) =>
                {
                    Some(change.clone())
                }
                _ => None,
            })
            .await;
        if let Some(added) = change.added.first() {
            let index = bench.connections.find(&id, ListKind::Tools, added).unwrap();
            assert!(
                bench
                    .connections
                    .items(&id, ListKind::Tools, added, 0, 1)
                    .unwrap()
                    .rows[0]
                    .fresh,
                "{index}"
            );
        }
        bench.connections.shutdown().await;
    }
}

#[tokio::test]
async fn a_burst_of_notifications_is_recorded_without_loss_and_in_order() {
    let bench = Bench::new();
    let id = server("burst");
    bench.ready(&id, demo(&[])).await;
    let before = bench.recorder.state().frames;
    let report = bench.call(&id, "log_burst", r#"{"count":5000}"#).await;
    assert_eq!(report.end, RequestEnd::Result);
    let recorded = bench.recorder.state().frames - before;
    assert!(recorded >= 5000, "{recorded}");
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn a_message_over_the_limit_fails_its_own_request_alone() {
    let bench = Bench::with(crate::support::Settings {
        message_limit: 300_000,
        ..Default::default()
    });
    let id = server("limit");
    bench.ready(&id, demo(&[])).await;
    let report = bench.call(&id, "big_result", r#"{"megabytes":1}"#).await;
    assert_eq!(report.end, RequestEnd::TooLarge, "{report:?}");
    assert!(report.message.unwrap().contains("limit"));
    bench.echoes(&id).await;
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn stray_output_does_not_disturb_the_connection() {
    let bench = Bench::new();
    let id = server("stray");
    bench.ready(&id, demo(&[])).await;
    assert_eq!(
        bench.call(&id, "stray_stdout", "{}").await.end,
        RequestEnd::Result
    );
    bench.echoes(&id).await;
    bench.connections.shutdown().await;
}

#[tokio::test]
async fn updates_of_a_watched_resource_are_told_in_both_eras() {
    for choice in [EraChoice::Legacy, EraChoice::Modern] {
        let bench = Bench::new();
        let id = server("updates");
        bench
            .ready(&id, era(demo(&["--update-interval-ms", "20"]), choice))
            .await;
        bench
            .connections
            .subscribe(&id, "demo://clock")
            .await
            .unwrap();
        bench
            .event(|event| match event {
                ConnectionEvent::ResourceUpdated { uri, .. } => {
                    (uri == "demo://clock").then_some(())
                }
                _ => None,
            })
            .await;
        bench
            .connections
            .unsubscribe(&id, "demo://clock")
            .await
            .unwrap();
        bench.connections.shutdown().await;
    }
}
