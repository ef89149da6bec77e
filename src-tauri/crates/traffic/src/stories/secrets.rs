//! Secrets stay out of the record.

use std::fs;

use bytes::Bytes;
use sightglass_model::{ExchangeId, Phase, ServerId};
use sightglass_secrets::{Redactor, Secret, SplitSecrets};
use tempfile::TempDir;

use super::{call, open, result, say};
use crate::{
    Direction::{Received, Sent},
    HttpFacts, HttpKind,
};

#[tokio::test]
async fn a_secret_never_reaches_the_disk() {
    let directory = TempDir::new().expect("a directory");
    let recorder = open(directory.path());
    let secret = "s3cr3t-value";
    let redactor = Redactor::new([Secret::new(secret.to_owned())]);
    let connection = recorder.start_connection(ServerId::demo(), "Demo", redactor);
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let facts = HttpFacts {
        method: "POST".into(),
        url: format!("https://host.test/mcp?key={secret}"),
        request_headers: vec![
            header("Authorization", "Bearer other-t0ken"),
            header("X-Plain", secret),
        ],
        ..HttpFacts::default()
    };
    let carrier = connection.http_started(facts.clone(), HttpKind::Mcp);
    let text = call(1, secret);
    let text = Bytes::from(text);
    let recorded = connection.message(Sent, &text, Some(carrier)).await;
    let answered = HttpFacts {
        status: Some(200),
        response_headers: vec![
            header("Set-Cookie", "c00kie-value"),
            header("Content-Type", "application/json"),
        ],
        ..facts
    };
    connection.http_finished(carrier, answered);
    say(&connection, Received, &result(1, secret)).await;
    // Shortened targets must not end in half a secret.
    let long = format!(
        r#"{{"method":"notifications/message","params":{{"level":"info","data":"{}{secret}"}}}}"#,
        "x".repeat(187)
    );
    say(&connection, Received, &long).await;
    let mut split = SplitSecrets::default();
    let using = Bytes::from(format!("using {secret}"));
    assert_eq!(connection.stderr(using, &mut split).await, "using •••");
    connection.note("exit", secret);
    connection.phase(Phase::Failed, Some(secret));
    recorder.flush().expect("flushed");

    let files = || {
        fs::read_dir(directory.path())
            .expect("files")
            .map(|file| fs::read(file.expect("a file").path()).expect("its bytes"))
    };
    for bytes in files() {
        for secret in [secret, "s3cr3t", "other-t0ken", "c00kie-value"] {
            assert!(
                memchr::memmem::find(&bytes, secret.as_bytes()).is_none(),
                "{secret}"
            );
        }
    }
    assert!(
        files().any(|bytes| memchr::memmem::find(&bytes, b"host.test").is_some()),
        "the test looks at the right files"
    );
    let detail = recorder
        .detail(ExchangeId(recorded.frame.0))
        .expect("detail");
    assert!(detail.frames[0].redacted);
    assert_eq!(detail.frames[0].size.as_u64() as usize, text.len());
    let http = detail.http.expect("HTTP facts");
    assert_eq!(http.status, Some(200));
    assert_eq!(http.request_headers[0].1, "Bearer •••");
    assert_eq!(http.response_headers[1].1, "application/json");
    let command = recorder
        .copy_as_curl(ExchangeId(recorded.frame.0))
        .expect("a command");
    assert!(
        command.contains("Bearer •••") && command.contains("tools/call"),
        "{command}"
    );
    assert_eq!(
        recorder
            .copy_as_curl(ExchangeId(carrier.frame().0))
            .expect("a command"),
        command
    );
    let json = recorder
        .copy_as_json(ExchangeId(recorded.frame.0))
        .expect("JSON");
    assert!(json.contains("\n  \"response\": {\n"), "{json}");
}
