//! A server that asks to be asked again at once, for ever.

use serde_json::json;
use sightglass_tests::{TestHost, programs};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_wants_no_pause_gets_one_that_grows() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let server = programs::hostile_over("http", &log);
    let host = TestHost::with_servers(json!({ "hostile": { "type": "http", "url": server.url } }));
    let id = TestHost::id("hostile");
    host.connect(&id).await;
    let times = host
        .eventually("five streams", || {
            let text = std::fs::read_to_string(&log).ok()?;
            let times: Vec<u64> = text
                .lines()
                .filter_map(|line| line.strip_prefix("get ")?.parse().ok())
                .collect();
            (times.len() >= 5).then_some(times)
        })
        .await;
    // A timer never fires early, so these hold on any machine: the first wait is the shortest
    // one that a server can have, and each one after it is twice as long.
    for (pair, shortest) in times.windows(2).zip([100, 100, 200, 400]) {
        let waited = pair[1] - pair[0];
        assert!(
            waited >= shortest - 5,
            "{waited} ms of {shortest}: {times:?}"
        );
    }
    host.inspector.disconnect(&id).await;
}
