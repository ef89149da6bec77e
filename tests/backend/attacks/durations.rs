//! Times that no clock can count, in a file of the project or in the environment. They have ended
//! the whole application.

use serde_json::json;
use sightglass_inspector::Phase;
use sightglass_tests::{TestHost, programs, text_of};

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_beyond_every_clock_is_cut_with_a_warning_and_the_server_works() {
    let demo = programs::own("sightglass-demo-server")
        .display()
        .to_string();
    let entries = ["1e19", "1e300", "18446744073709551615"].map(|limit| {
        let limit: serde_json::Value = serde_json::from_str(limit).expect("a number");
        json!({
            "command": demo,
            "tool_timeout": limit,
            "startup_timeout": limit,
            "phase_timeouts": { "initializing": limit, "executing": 5 },
        })
    });
    let host = TestHost::with_environment(
        json!({ "a": entries[0], "b": entries[1], "c": entries[2] }),
        [
            ("MCP_TOOL_TIMEOUT", "18446744073709551615"),
            ("MCP_TIMEOUT", "18446744073709551615"),
        ],
    );
    for name in ["a", "b", "c"] {
        let server = TestHost::id(name);
        let servers = host.inspector.snapshot().servers;
        let view = servers.iter().find(|view| view.id == server);
        let problems = &view.expect("it is listed").problems;
        for field in [
            "tool_timeout",
            "startup_timeout",
            "phase_timeouts.initializing",
        ] {
            let cut = problems.iter().find(|problem| {
                problem
                    .message
                    .starts_with(&format!("{field} is longer than"))
            });
            assert!(cut.is_some(), "{name}: {field}: {problems:?}");
        }
        host.connect(&server).await;
        let report = host
            .call(&server, "echo", r#"{"message":"still here"}"#)
            .await;
        assert!(text_of(&report).contains("still here"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_the_environment_beyond_every_clock_does_not_end_a_call() {
    let demo = programs::own("sightglass-demo-server")
        .display()
        .to_string();
    let host = TestHost::with_environment(
        json!({ "demo": { "command": demo } }),
        [
            ("SIGHTGLASS_MCP_TOOL_TIMEOUT", "18446744073709551615"),
            ("SIGHTGLASS_MCP_TIMEOUT", "18446744073709551615"),
        ],
    );
    let server = TestHost::id("demo");
    host.connect(&server).await;
    let report = host
        .call(&server, "echo", r#"{"message":"still here"}"#)
        .await;
    assert!(text_of(&report).contains("still here"));
    assert_eq!(
        host.inspector
            .servers
            .open_connections
            .status(&server)
            .phase,
        Phase::Ready
    );
}
