//! Exporting recorded traffic: in every format, of every choice of rows, without a secret.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
    sync::mpsc,
};

use serde_json::{Value, json};
use sightglass_inspector::{
    ConnectionId, ExchangeKind, ServerId, TrafficQuery,
    view::{
        CollectorHeader, ExportFormat, ExportPreview, ExportReport, ExportScope, TrafficExport,
    },
};
use sightglass_tests::{TestHost, programs};

const FORMATS: [ExportFormat; 5] = [
    ExportFormat::Ndjson,
    ExportFormat::Har,
    ExportFormat::Otlp,
    ExportFormat::Markdown,
    ExportFormat::Html,
];

/// A secret that the entry of the server holds.
const HEADER: &str = "header-of-the-entry.kA7Qz2x";
/// A secret that nobody knew when it was recorded.
const LATE: &str = "told-later-0123456789abcdef";

/// A text with which a server would break out of its place.
const ATTACK: &str =
    "</pre></script><script>alert(1)</script> ```` \n# Title \u{1b}[31m \u{202e}gpj.exe";

fn export(scope: ExportScope, format: ExportFormat) -> TrafficExport {
    TrafficExport {
        scope,
        format,
        name: "demo".to_owned(),
        texts: true,
        arguments_and_results: true,
        until: None,
    }
}

async fn preview(host: &TestHost, export: &TrafficExport) -> ExportPreview {
    let preview = host
        .inspector
        .record
        .exports
        .preview_export(export.clone(), 1)
        .await;
    preview.expect("the record can be read")
}

async fn write(host: &TestHost, export: &TrafficExport, path: &Path) -> ExportReport {
    let written = host
        .inspector
        .record
        .exports
        .export_traffic(export.clone(), path, 2)
        .await;
    written.expect("the file can be written")
}

async fn text_of(host: &TestHost, export: &TrafficExport) -> String {
    let path = host.path("exported");
    write(host, export, &path).await;
    std::fs::read_to_string(path).expect("UTF-8")
}

/// The demo server over HTTP, connected, after a call that answers with an attack and a secret.
async fn over_http() -> (TestHost, ServerId, programs::Listening) {
    let listening = programs::demo_over_http(&[]);
    let url = format!("http://127.0.0.1:{}/mcp", listening.port());
    let entry = json!({ "type": "http", "url": url, "headers": { "X-Api-Key": HEADER } });
    let host = TestHost::with_servers(json!({ "docs": entry }));
    let server = TestHost::id("docs");
    host.connect(&server).await;
    let message = format!("{ATTACK} {HEADER} https://host.test/?access_token={LATE}&a=1");
    let arguments = json!({ "message": message }).to_string();
    host.call(&server, "echo", &arguments).await;
    (host, server, listening)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_written_in_every_format_without_a_secret() {
    let (host, server, _listening) = over_http().await;
    for format in FORMATS {
        let scope = ExportScope::Server {
            server: server.clone(),
        };
        let export = export(scope, format);
        let seen = preview(&host, &export).await;
        assert!(seen.items > 0, "{format:?}");
        let export = TrafficExport {
            until: seen.until,
            ..export
        };
        let path = host.path("exported");
        let report = write(&host, &export, &path).await;
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        assert_eq!(
            (report.items, report.size),
            (seen.items, seen.size),
            "{format:?}"
        );
        assert_eq!(report.size.as_u64(), text.len() as u64);
        // The first line of our own format says when it was written.
        let begins = match format {
            ExportFormat::Ndjson => text.contains(without_first_line(&seen.beginning)),
            _ => text.starts_with(&seen.beginning),
        };
        assert!(begins, "{format:?}");
        for secret in [HEADER, LATE] {
            assert!(!text.contains(secret), "{format:?}");
        }
        let masked = |places: &[sightglass_inspector::view::MaskedPlace], part: &str| {
            places.iter().any(|place| place.place.contains(part))
        };
        assert!(masked(&seen.masked_now, "arguments.message"), "{seen:?}");
        let headers = [ExportFormat::Har, ExportFormat::Html, ExportFormat::Otlp];
        if headers.contains(&format) {
            let before = &seen.masked_before;
            assert!(masked(before, "header x-api-key"), "{format:?} {before:?}");
        }
        match format {
            ExportFormat::Html => assert!(!text.contains("<script>alert")),
            ExportFormat::Markdown => assert!(!text.contains(['\u{1b}', '\u{202e}'])),
            ExportFormat::Har => assert_is_har(&path),
            ExportFormat::Otlp | ExportFormat::Ndjson => {
                for line in text.lines().filter(|_| format == ExportFormat::Ndjson) {
                    serde_json::from_str::<Value>(line).expect("each line is JSON");
                }
            }
        }
    }
}

fn without_first_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_holds_the_requests_and_the_messages_that_they_carried() {
    let (host, _, _listening) = over_http().await;
    let har = text_of(&host, &export(ExportScope::Everything, ExportFormat::Har)).await;
    let har: Value = serde_json::from_str(&har).expect("JSON");
    let entries = har["log"]["entries"].as_array().expect("a list");
    let of_call = entries.iter().find(|entry| {
        let body = entry["request"]["postData"]["text"].as_str();
        body.is_some_and(|body| body.contains("tools/call"))
    });
    let of_call = of_call.expect("the call is there");
    assert_eq!(of_call["request"]["method"], "POST");
    assert_eq!(of_call["response"]["status"], 200);
    let answer = of_call["response"]["content"]["text"]
        .as_str()
        .expect("an answer");
    assert!(answer.contains("\"result\""), "{answer}");
    assert!(of_call["timings"]["wait"].as_f64().expect("a time") > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_over_stdio_has_nothing_for_an_archive_and_is_told_so() {
    let host = TestHost::new();
    host.connect(&ServerId::demo()).await;
    let preview = preview(&host, &export(ExportScope::Everything, ExportFormat::Har)).await;
    assert_eq!(preview.items, 0);
    assert!(
        preview.left_out[0].contains("crossed no HTTP"),
        "{:?}",
        preview.left_out
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chosen_rows_are_exported_and_no_others() {
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    for message in ["first needle", "second needle", "hay"] {
        let arguments = json!({ "message": message }).to_string();
        host.call(&demo, "echo", &arguments).await;
    }
    let rows = host
        .traffic("needle method:tools/call", &[ExchangeKind::Request])
        .await;
    let [first, second] = &rows[..] else {
        panic!("two rows: {rows:?}");
    };
    let query = TrafficQuery {
        filter: "needle method:tools/call".to_owned(),
        kinds: vec![ExchangeKind::Request],
        ..TrafficQuery::default()
    };
    for (scope, expected) in [
        (
            ExportScope::Rows {
                rows: vec![second.id, first.id, first.id],
            },
            2,
        ),
        (ExportScope::Query { query }, 2),
        (
            ExportScope::Connection {
                connection: ConnectionId(first.connection.0 + 100),
            },
            0,
        ),
    ] {
        let spans = preview(&host, &export(scope.clone(), ExportFormat::Otlp)).await;
        assert_eq!(spans.items, expected, "{scope:?}");
        let page = text_of(&host, &export(scope, ExportFormat::Html)).await;
        assert_eq!(page.matches("<details").count(), expected as usize);
        assert!(!page.contains("hay"));
    }
    let connection = ExportScope::Connection {
        connection: first.connection,
    };
    let of_connection = preview(&host, &export(connection, ExportFormat::Ndjson)).await;
    let server = ExportScope::Server { server: demo };
    let of_server = preview(&host, &export(server, ExportFormat::Ndjson)).await;
    assert_eq!(of_connection.items, of_server.items);
    let frames = ExportScope::Rows {
        rows: vec![first.id],
    };
    let frames = preview(&host, &export(frames, ExportFormat::Ndjson)).await;
    assert_eq!(frames.items, 2, "a request and its response");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_with_a_mistake_exports_nothing_and_says_why() {
    let host = TestHost::new();
    let query = TrafficQuery {
        filter: "status:maybe".to_owned(),
        ..TrafficQuery::default()
    };
    let export = export(ExportScope::Query { query }, ExportFormat::Html);
    let error = host
        .inspector
        .record
        .exports
        .preview_export(export, 1)
        .await;
    let error = error.expect_err("it has no rows").to_string();
    assert!(error.contains("status"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_can_be_left_out_of_every_format() {
    let (host, _, _listening) = over_http().await;
    for format in FORMATS {
        let mut export = export(ExportScope::Everything, format);
        export.texts = false;
        let text = text_of(&host, &export).await;
        for part in ["gpj.exe", "host.test", "arguments", "inputSchema"] {
            assert!(!text.contains(part), "{format:?} has {part}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_is_a_folder_a_link_or_the_record_is_handled() {
    let host = TestHost::new();
    host.connect(&ServerId::demo()).await;
    let export = export(ExportScope::Everything, ExportFormat::Ndjson);
    let folder = host.path("folder");
    std::fs::create_dir(&folder).expect("created");
    let refused = async |path: PathBuf| {
        let written = host
            .inspector
            .record
            .exports
            .export_traffic(export.clone(), &path, 3)
            .await;
        written.expect_err("it cannot be written").to_string()
    };
    let message = refused(folder.clone()).await;
    assert!(message.contains("folder"), "{message}");
    let message = refused(host.path("missing/file")).await;
    assert!(message.contains("missing"), "{message}");
    let message = refused(host.data().join("record/traffic.db")).await;
    assert!(message.contains("the record itself"), "{message}");
    assert_eq!(std::fs::read_dir(&folder).expect("readable").count(), 0);

    let (target, link) = (host.path("target"), host.path("link"));
    host.write(&target, "kept");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&target, &link).expect("linked");
    write(&host, &export, &link).await;
    assert_eq!(std::fs::read_to_string(&target).expect("read"), "kept");
    assert!(!link.is_symlink());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&link)
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_is_sent_the_spans_and_the_secret_header() {
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    host.call(&demo, "echo", r#"{"message":"x"}"#).await;
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let (sender, received) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("asked");
        let request = read_request(&mut stream);
        let body = r#"{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}"#;
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(answer.as_bytes()).expect("answered");
        sender.send(request).expect("awaited");
    });
    let address = host
        .inspector
        .record
        .exports
        .collector_address(&format!("http://127.0.0.1:{port}"))
        .expect("of this machine");
    let header = CollectorHeader {
        name: "x-key".to_owned(),
        value: "collector-secret".to_owned(),
    };
    let spans = export(ExportScope::Everything, ExportFormat::Otlp);
    let sent = host
        .inspector
        .record
        .exports
        .send_spans(spans, &address, vec![header], 4)
        .await
        .expect("taken");
    assert_eq!((sent.rejected, sent.reason.as_str()), (1, "too old"));
    let (head, body) = received.recv().expect("received");
    assert!(head.starts_with("POST /v1/traces "), "{head}");
    assert!(head.contains("x-key: collector-secret"), "{head}");
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"]
        .as_array()
        .expect("spans");
    assert_eq!(spans.len(), sent.spans as usize);
    assert!(spans.iter().any(|span| span["name"] == "tools/call echo"));
    assert!(spans.iter().all(|span| span["kind"].is_u64()));
}

/// The spans of the calls on record, by their names, each with its trace, its id and its parent.
async fn spans_of(host: &TestHost, method: &str) -> Vec<Value> {
    let export = export(ExportScope::Everything, ExportFormat::Otlp);
    let body: Value = serde_json::from_str(&text_of(host, &export).await).expect("JSON");
    let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"].clone();
    let spans = spans.as_array().expect("spans").clone();
    let is_wanted = |span: &Value| {
        span["name"]
            .as_str()
            .is_some_and(|name| name.starts_with(method))
    };
    spans.into_iter().filter(is_wanted).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_parts_of_an_operation_are_spans_of_one_trace() {
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    let (inspector, server) = (host.inspector.clone(), demo.clone());
    let running = tokio::spawn(async move {
        let called = inspector.calls.requests.call_tool(
            &server,
            "call",
            "ask_elicitation",
            "{}",
            None,
            None,
        );
        called.await.expect("sent")
    });
    host.decline_questions(1).await;
    running.await.expect("no panic");
    host.call(&demo, "echo", r#"{"message":"x"}"#).await;
    let rounds = spans_of(&host, "tools/call ask_elicitation").await;
    let [first, second] = &rounds[..] else {
        panic!("two rounds: {rounds:#?}");
    };
    assert_eq!(second["traceId"], first["traceId"]);
    assert_eq!(second["parentSpanId"], first["spanId"]);
    assert!(first.get("parentSpanId").is_none());
    let echo = spans_of(&host, "tools/call echo").await;
    assert_ne!(echo[0]["traceId"], first["traceId"], "another operation");
    assert!(echo[0].get("parentSpanId").is_none());
}

/// Rotel prints each span that it took.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_collector_by_others_takes_every_span() {
    let (host, server, _listening) = over_http().await;
    host.call(&server, "echo", r#"{"message":"x"}"#).await;
    let printed = host.path("printed");
    let collector = programs::collector(std::fs::File::create(&printed).expect("created"));
    let spans = export(ExportScope::Everything, ExportFormat::Otlp);
    let sent = host
        .inspector
        .record
        .exports
        .send_spans(spans, &collector.url, Vec::new(), 6)
        .await
        .expect("taken");
    assert!(sent.spans > 3 && sent.rejected == 0, "{sent:?}");
    // It answers before it prints.
    let text = host
        .eventually("every span to be printed", || {
            let bytes = std::fs::read(&printed).expect("read");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let taken = text.lines().filter(|line| line.starts_with("Span #"));
            (taken.count() == sent.spans as usize).then_some(text)
        })
        .await;
    for part in ["tools/call echo", "mcp.method.name"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_not_there_is_told_and_the_reading_ends() {
    const CALLS: usize = 1100;
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    for _ in 0..CALLS {
        host.call(&demo, "echo", r#"{"message":"x"}"#).await;
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    drop(listener);
    let address = format!("http://127.0.0.1:{port}");
    let spans = export(ExportScope::Everything, ExportFormat::Otlp);
    let sent = host
        .inspector
        .record
        .exports
        .send_spans(spans, &address, Vec::new(), 5)
        .await;
    let message = sent.expect_err("nobody listens").to_string();
    assert!(message.contains("could not be reached"), "{message}");
}

/// The head and the body of an HTTP request.
fn read_request(stream: &mut std::net::TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).expect("sent");
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length: usize = head
            .lines()
            .find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length: ")?
                    .parse()
                    .ok()
            })
            .expect("a length");
        if bytes.len() >= end + 4 + length {
            return (head, bytes[end + 4..].to_vec());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_exports_beside_the_window() {
    let host = TestHost::new();
    let demo = ServerId::demo();
    host.connect(&demo).await;
    host.call(&demo, "echo", r#"{"message":"a needle"}"#).await;
    let file = host.path("from-the-command-line.html");
    let run = |words: &[&str]| {
        Command::new(programs::own("sightglass-cli"))
            .args(words)
            .current_dir(host.project())
            .env("HOME", host.home())
            .env("SIGHTGLASS_DATA_DIR", host.data())
            .env("SIGHTGLASS_KEYCHAIN", "off")
            .output()
            .expect("it starts")
    };
    let path = file.to_str().expect("UTF-8");
    let filter = "needle method:tools/call";
    let words = [
        "export", "--filter", filter, "--format", "html", "-o", path, "--json",
    ];
    // The record is on disk a moment after the call.
    let output = host
        .eventually("the record is on disk", || {
            let output = run(&words);
            output.status.success().then_some(output)
        })
        .await;
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["rows"], &report["items"]), (&json!(1), &json!(1)));
    let page = std::fs::read_to_string(&file).expect("written");
    assert!(page.contains("a needle"));
    // The window records on.
    host.call(&demo, "echo", r#"{"message":"afterwards"}"#)
        .await;
    assert_eq!(host.traffic("afterwards tool:echo", &[]).await.len(), 1);

    let output = run(&["export", "--server", "nobody", "--format", "har"]);
    assert_eq!(output.status.code(), Some(1));
    let output = run(&["export", "--format", "har"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("crossed no HTTP"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_was_recorded_the_command_line_says_so() {
    let host = TestHost::new();
    let output = Command::new(programs::own("sightglass-cli"))
        .args(["export", "--format", "ndjson"])
        .current_dir(host.project())
        .env("HOME", host.home())
        .env("SIGHTGLASS_DATA_DIR", host.path("elsewhere"))
        .env("SIGHTGLASS_KEYCHAIN", "off")
        .output()
        .expect("it starts");
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.to_lowercase().contains("no record"), "{text}");
    assert!(!host.path("elsewhere").exists(), "nothing is made");
}

/// Holds a file against the JSON Schema of HAR 1.2.
fn assert_is_har(path: &Path) {
    let script = "const { har } = require('har-validator');
        const content = JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8'));
        har(content).catch((error) => { console.error(JSON.stringify(error)); process.exit(1); });";
    let output = Command::new("node")
        .args(["-e", script])
        .arg(path)
        .current_dir(programs::repository().join("tests"))
        .output()
        .expect("node starts");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problems}");
}
