//! Servers that want to be asked again at once, for ever, and that refuse what they granted before.

use serde_json::json;
use sightglass_inspector::{ConnectionEvent, view::Fact};
use sightglass_tests::{TestHost, programs, text_of};
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
    host.inspector
        .servers
        .open_connections
        .disconnect(&id)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_that_is_not_renewed_after_a_loss_is_told() {
    let directory = TempDir::new().expect("a directory");
    let log = directory.path().join("log");
    let host = TestHost::with_servers(json!({ "hostile": programs::hostile(&log, 0) }));
    let id = TestHost::id("hostile");
    host.connect(&id).await;
    let uri = "test://kept";
    host.inspector
        .calls
        .requests
        .subscribe_resource(&id, uri)
        .await
        .expect("subscribed");
    let mut facts = host.inspector.subscribe();
    host.call(&id, "end", "{}").await;
    let refused = async {
        loop {
            let batch = facts.next_batch().await.expect("the inspector lives");
            for event in batch {
                if let Fact::Connection { event } = event.fact
                    && let ConnectionEvent::SubscriptionRefused { server, uri } = *event
                {
                    return (server, uri);
                }
            }
        }
    };
    let patience = std::time::Duration::from_secs(60);
    let refused = tokio::time::timeout(patience, refused).await;
    assert_eq!(refused, Ok((id.clone(), uri.to_owned())));
    host.inspector
        .servers
        .open_connections
        .disconnect(&id)
        .await;
}

/// A server of the stateless era that refuses to tell of one resource.
const CHOOSY: &str = r#"
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const discovered = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { resources: { subscribe: true } },
  ttlMs: 0,
  cacheScope: 'private',
};
let watched = [];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'server/discover') return say({ id, result: discovered });
  if (method === 'subscriptions/listen') {
    const uris = params.notifications.resourceSubscriptions ?? [];
    if (uris.includes('test://refused')) {
      return say({ id, error: { code: -32602, message: 'not that one' } });
    }
    watched = uris;
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    return say({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications: params.notifications },
    });
  }
  if (method === 'tools/call') {
    const text = watched.join(' ');
    return say({ id, result: { resultType: 'complete', content: [{ type: 'text', text }] } });
  }
  say({ id, error: { code: -32601, message: 'no such method' } });
});
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_that_is_refused_leaves_those_that_were_granted() {
    let entry = json!({ "command": "node", "args": ["-e", CHOOSY], "era": "modern" });
    let host = TestHost::with_servers(json!({ "choosy": entry }));
    let id = TestHost::id("choosy");
    host.connect(&id).await;
    let subscribe = |uri| host.inspector.calls.requests.subscribe_resource(&id, uri);
    subscribe("test://kept").await.expect("subscribed");
    subscribe("test://refused").await.expect_err("refused");
    subscribe("test://other").await.expect("subscribed");
    let watched = text_of(&host.call(&id, "watched", "{}").await);
    assert_eq!(watched, "test://kept test://other");
}
